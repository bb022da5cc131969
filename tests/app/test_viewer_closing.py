"""Closing a passive viewer: from any thread, with a window that does not answer; without a window, which is faked."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pytest

import sim
from app import viewer
from app.run import commands as cmd
from app.run.history.checkpoints import DENSE_ROWS, Checkpoints
from app.run.passive import PassiveSimulation
from tests.app.script_child import BALL
from tests.patience import PATIENCE


class StuckWindow:
    """An application whose thread waits for something that does not come."""

    answers = threading.Event()

    def __init__(self, *_: object) -> None:
        self.window = SimpleNamespace(closed=False)
        self.view: Any = None

    def run(self) -> None:
        """Never come back while it is stuck."""
        self.answers.wait(PATIENCE)

    def close(self) -> None:
        """What the window does: it tells its thread."""
        self.window.closed = True


@pytest.fixture
def stuck(monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[viewer.Handle, sim.Model, sim.Data]]:
    """A viewer whose window does not answer."""
    StuckWindow.answers.clear()
    monkeypatch.setattr(viewer, "Application", StuckWindow)
    monkeypatch.setattr(viewer, "CLOSE_SECONDS", 0.05)
    m = sim.loads(BALL)
    d = sim.Data(m)
    handle = viewer.launch_passive(m, d)
    yield handle, m, d
    StuckWindow.answers.set()
    handle._thread.join(PATIENCE)
    assert not handle._thread.is_alive()


def in_a_thread(function: Any) -> None:
    """Call a function on another thread, and wait for its end."""
    thread = threading.Thread(target=function, daemon=True)
    thread.start()
    thread.join(PATIENCE)
    assert not thread.is_alive()


@pytest.mark.filterwarnings("ignore:the viewer's window did not close")
def test_a_window_that_does_not_answer_ends_no_loop_late(stuck: tuple[viewer.Handle, sim.Model, sim.Data]) -> None:
    handle, m, d = stuck
    handle.sync()
    assert handle.is_running() and len(d.trace.state)
    # the script is paused, and another thread closes the viewer
    handle._simulation.send(cmd.SetPaused(True))
    threading.Timer(0.1, handle.close).start()
    sim.step(m, d)
    while handle.is_running():
        handle.sync()
    assert handle._simulation.status.run.problem is None
    # Data is the script's own again
    assert not len(d.trace.state)
    sim.step(m, d)
    handle.sync()


def test_closing_says_if_the_window_does_not_answer(stuck: tuple[viewer.Handle, sim.Model, sim.Data]) -> None:
    with pytest.warns(UserWarning, match=r"did not close within 0.05 s"):
        stuck[0].close()


def test_another_thread_closes_it_in_the_middle_of_sync(monkeypatch: pytest.MonkeyPatch) -> None:
    """What `sync` reads stays until the script's own thread gives it up."""
    m = sim.loads(BALL)
    d = sim.Data(m)
    simulation = PassiveSimulation(sim, m, d)
    keep, kept = Checkpoints._keep_block, list[int]()

    def keep_block(self: Checkpoints, segment: Any, first: int, count: int) -> None:
        in_a_thread(simulation.release)
        keep(self, segment, first, count)
        kept.append(segment.blocks[-1].count)
        assert len(kept) < 10, "nothing ends this"

    monkeypatch.setattr(Checkpoints, "_keep_block", keep_block)
    for _ in range(2 * DENSE_ROWS):
        sim.step(m, d)
    simulation._looked = -1.0
    simulation.sync()
    assert kept == [DENSE_ROWS] * 2
    assert simulation.latest.run.problem is None
    simulation.release()
    assert not len(d.trace.state)


def test_a_script_whose_thread_has_ended_leaves_data_to_whoever_closes() -> None:
    m = sim.loads(BALL)
    d = sim.Data(m)
    simulation = PassiveSimulation(sim, m, d)
    simulation._looked = -1.0
    in_a_thread(simulation.sync)
    simulation.release()
    assert not len(d.trace.state)
