"""Export of every step: all of them, branch by branch, with progress; cancelled or failed it leaves no file."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from app.background.plot_export import ROWS, Line, PlotExport
from app.background.plot_file import Block
from app.background.row_source import Values
from app.run.history.timeline import BranchView, Part


class FakeSource:
    """The value of every expression is the step, and a thousand for each branch."""

    def __init__(self) -> None:
        self.asked: list[range] = []
        self.gate = threading.Event()
        self.gate.set()
        # after so many questions there is no answer
        self.silent_after = 1 << 30
        self.gone: set[int] = set()

    def ask(self, branch: int, steps: Sequence[int], reply: Callable[[Any], None], exact: bool = False) -> None:
        self.asked.append(range(steps[0], steps[-1] + 1))
        if len(self.asked) > self.silent_after:
            self.gate.set()
        else:
            reply((branch, np.array(steps)))

    def values(self, taken: Any, expressions: Sequence[str]) -> Values:
        branch, steps = taken[0], taken[1][~np.isin(taken[1], [*self.gone])]
        return Values(steps, steps * 0.5, np.array([steps + 1000.0 * branch] * len(expressions)), ("",))


def export(path: Path, source: Any, *lines: Line, blocks: Sequence[Block] = ()) -> PlotExport:
    return PlotExport(path, source, ("a", "b"), lines, blocks)


LONG = Line("long", (Part(BranchView(0), 10, 999), Part(BranchView(1), 1000, 1300)))


def test_every_step_of_each_line(tmp_path: Path) -> None:
    path, source = tmp_path / "plots.npz", FakeSource()
    script = Block("s", np.array([1.0]), {"s": np.array([2.0])})
    made = export(path, source, LONG, Line("short", (Part(BranchView(0), 0, 3),)), blocks=[script])
    made.run()
    assert made.done and not made.fault and made.progress == 1.0
    with np.load(path) as read:
        assert read["long/step"].tolist() == list(range(10, 1301))
        assert read["long/time"].tolist() == [0.5 * step for step in range(10, 1301)]
        assert read["long/b"].tolist() == [*range(10, 1000), *range(2000, 2301)]
        assert read["short/a"].tolist() == [0, 1, 2, 3] and read["s/s"].tolist() == [2.0]
    assert max(len(steps) for steps in source.asked) == ROWS


def test_steps_that_cannot_be_computed_are_counted(tmp_path: Path) -> None:
    source = FakeSource()
    source.gone = {20, 21, 1200}
    made = export(tmp_path / "plots.npz", source, LONG)
    made.run()
    assert made.left_out == 3 and not made.fault
    with np.load(made.path) as read:
        assert len(read["step"]) == LONG.count - 3


def test_cancelled_it_writes_nothing(tmp_path: Path) -> None:
    source = FakeSource()
    source.gate.clear()
    source.silent_after = 2
    made = export(tmp_path / "plots.csv", source, LONG)
    made.start()
    # two parts are done, and the third is being waited for
    assert source.gate.wait(20)
    assert 0.0 < made.progress < 1.0 and not made.done
    made.cancel()
    made._thread.join(20)
    assert made.done and made.cancelled and not made.fault and [*tmp_path.iterdir()] == []


def test_a_folder_that_is_gone_is_said(tmp_path: Path) -> None:
    made = export(tmp_path / "gone" / "plots.csv", FakeSource(), LONG)
    made.run()
    assert made.done and str(tmp_path / "gone") in made.fault and "no such file" in made.fault


def test_an_error_is_said(tmp_path: Path) -> None:
    source: Any = FakeSource()
    source.values = lambda *_: 1 / 0
    made = export(tmp_path / "plots.csv", source, LONG)
    made.run()
    assert "division" in made.fault and [*tmp_path.iterdir()] == []
