"""Export of plots as the user sees it: which samples of which lines go to which file, and what is said about it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from app.background.curve import Curve
from app.background.samples import Sampled, Shown, StepCurve
from app.background.script_series import ScriptCurve
from app.run.commands import Command, Report
from app.run.history.timeline import BranchView, Pace, Timeline
from app.run.run_state import RunState
from app.run.snapshot import Snapshot
from app.view import export_plots
from app.view.export_plots import (
    FAILED,
    begin_export,
    begin_sensor_export,
    finish_export,
    sensor_columns,
    steps_between,
)
from app.view.view_state import ViewState
from tests.app.conftest import Views

STEP = 0.01
TIMELINE = Timeline(
    (
        BranchView(0, last=3000, name="first", paces=(Pace(0, 0.0, STEP),)),
        BranchView(1, 0, 1000, 2000, "second", 1, (Pace(1000, 10.0, STEP),)),
    ),
    branch=1,
    now=2000,
)


def curve(first: int, last: int, every: int, offset: float) -> StepCurve:
    steps = np.arange(first, last + 1, every)
    return StepCurve(steps, steps * STEP, steps + offset)


@pytest.fixture
def view(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[ViewState]:
    """Two expressions, of which the second is new and has fewer samples; a script; another one that is not shown."""
    monkeypatch.chdir(tmp_path)
    made = ViewState()
    for text in ("a", "b", "hidden"):
        made.plots.add(text)
    made.plots.watches[2].plotted = False
    made.plots.sampled = Sampled(
        {
            ("a", 0): curve(0, 3000, 10, 0.0), ("a", 1): curve(1000, 2000, 10, 0.5),
            ("b", 0): curve(0, 3000, 100, 0.0), ("b", 1): curve(1000, 2000, 100, 0.5),
        },
        Shown(),
    )  # fmt: skip
    lines = (Curve(np.array([1.0, 15.0]), np.array([7.0, 8.0])), Curve(np.array([16.0]), np.array([9.0])))
    made.plots.script = {"reward": ScriptCurve(lines)}
    yield made


def export(view: ViewState, suffix: str = "npz") -> tuple[Path | None, list[Command]]:
    """The file that is written, and what is sent."""
    sent: list[Command] = []
    begin_export(view, Snapshot(1, RunState(history=TIMELINE)), sent.append, suffix)
    if view.plots.export is None:
        return None, sent
    path = view.plots.export.path
    view.plots.export._thread.join(20)
    finish_export(view, sent.append)
    assert view.plots.export is None
    return path, sent


def test_what_is_shown_goes_to_a_dated_file(view: ViewState, tmp_path: Path) -> None:
    path, sent = export(view)
    assert path is not None and path.parent == tmp_path and path.name.startswith("plots-") and sent == []
    assert view.feedback.message == f"saved {path}"
    with np.load(path) as read:
        # the last 10 s of the present line, of which the first sample is the fork's
        assert read["second/time"] == pytest.approx(np.arange(10.0, 20.05, 0.1))
        assert read["second/a"].tolist() == [step + 0.5 for step in range(1000, 2001, 10)]
        known = np.isfinite(read["second/b"])
        assert known.sum() == 11 and read["second/b"][known].tolist() == [k + 0.5 for k in range(1000, 2001, 100)]
        assert not any("hidden" in name for name in read)
        assert read["reward/time"].tolist() == [15.0] and read["reward 2/reward"].tolist() == [9.0]


def test_all_recorded_time_of_all_lines(view: ViewState) -> None:
    view.plots.export_options.everything = True
    view.timeline.compared = {0}
    path, _ = export(view)
    assert path is not None
    with np.load(path) as read:
        assert len(read["first/time"]) == 301 and read["first/time"][-1] == pytest.approx(30.0)
        # what led to a branch is part of its line
        assert read["second/a"].tolist() == [*range(0, 1000, 10), *(k + 0.5 for k in range(1000, 2001, 10))]


def test_a_folder_that_cannot_be_written_is_a_card(view: ViewState, tmp_path: Path) -> None:
    folder = tmp_path / "gone"
    folder.mkdir()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("app.view.export_plots.dated_path", lambda *_: folder / "x" / "plots.csv")
        _, sent = export(view, "csv")
    (report,) = sent
    assert isinstance(report, Report) and report.title == FAILED and str(folder / "x") in report.text


def test_the_current_folder_is_gone(view: ViewState, monkeypatch: pytest.MonkeyPatch) -> None:
    def gone(*_: str) -> Path:
        raise FileNotFoundError(2, "No such file or directory")

    monkeypatch.setattr("app.view.export_plots.dated_path", gone)
    path, (report,) = export(view)
    assert path is None and isinstance(report, Report) and "no such file" in report.text


def test_steps_between_two_times_belong_to_their_branches() -> None:
    parts = steps_between(TIMELINE, 1, 5.0, 12.0)
    assert [(part.branch.id, part.first, part.last) for part in parts] == [(0, 500, 999), (1, 1000, 1200)]
    assert [(part.branch.id, part.first, part.last) for part in steps_between(TIMELINE, 1, 15.0, 99.0)] == [
        (1, 1500, 2000)
    ]


SENSORS = """<worldbody><body name='b'><freejoint/><geom size='.1'/><site name='s'/></body></worldbody>
<sensor><clock name='now'/><accelerometer name='imu' site='s'/><framepos objtype='body' objname='b'/></sensor>"""


def test_sensors_have_columns_by_name(views: Views) -> None:
    model, _ = views(SENSORS)
    columns = sensor_columns(model)
    assert columns == {
        "now": "d.sensordata[0]",
        **{f"imu[{k}]": f"d.sensordata[{k + 1}]" for k in range(3)},
        **{name: f"d.sensordata[{k + 4}]" for k, name in enumerate(list(columns)[4:])},
    }
    assert len(columns) == 7


def test_sensors_are_exported_without_plots(views: Views, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every step of the present line, whatever is plotted."""
    monkeypatch.chdir(tmp_path)
    made = list[Any]()

    class Export:
        def __init__(self, *arguments: Any) -> None:
            made.append(arguments)

        def start(self) -> None:
            """Nothing is written."""

    monkeypatch.setattr(export_plots, "PlotExport", Export)
    view, snapshot = ViewState(), Snapshot(1, RunState(history=TIMELINE), views(SENSORS)[0])
    begin_sensor_export(view, snapshot, lambda _: None)
    ((path, _, expressions, (line,), blocks, names),) = made
    assert path.name.startswith("sensors-") and path.suffix == ".csv" and blocks == []
    assert (line.name, line.count) == ("second", 2001)
    assert dict(zip(names, expressions, strict=True)) == sensor_columns(snapshot.model)  # type: ignore[arg-type]
    begin_sensor_export(view, snapshot, lambda _: None)
    assert len(made) == 1


def test_a_model_without_sensors_says_so(views: Views) -> None:
    view = ViewState()
    begin_sensor_export(view, Snapshot(1, RunState(history=TIMELINE), views("")[0]), lambda _: None)
    assert view.feedback.message == "this model has no sensors" and view.plots.export is None
