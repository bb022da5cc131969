"""Warnings of the engine and of the reader reach the window, each once, from whichever thread."""

from __future__ import annotations

import threading
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from app.run import commands as cmd
from app.run import warning_hook
from app.run.sim_thread import SimThread
from app.run.simulation import Simulation
from tests.app.fake_engine import FakeEngine
from tests.app.live import Hand
from tests.app.run.test_sim_thread import wait_for

RK4 = "nothing sleeps with RK4"
RESTLESS = """<mujoco><option integrator='RK4'><flag sleep='enable'/></option>
<worldbody><body><freejoint/><geom size='.1'/></body></worldbody></mujoco>"""


@pytest.fixture(autouse=True)
def usual_filters() -> Iterator[None]:
    """Warnings are shown as in a program, not collected or turned into errors."""
    with warnings.catch_warnings():
        warnings.resetwarnings()
        warnings.showwarning = lambda *_, **__: None
        yield


class WarningEngine(FakeEngine):
    """Warns when it reads a file and whenever it steps."""

    def load(self, path: str) -> Any:
        """Read, with a word about it."""
        warnings.warn(f"{path}: an odd file", stacklevel=1)
        return super().load(path)

    def step(self, model: Any, data: Any, nstep: int = 1) -> None:
        """Step, with a word about it."""
        warnings.warn("an odd step", stacklevel=1)
        super().step(model, data, nstep)


@pytest.fixture
def thread() -> Iterator[SimThread]:
    """A simulation with an engine that warns."""
    simulation = SimThread(WarningEngine())
    simulation.start()
    yield simulation
    simulation.close()


def test_warnings_are_heard_on_every_thread_and_go_their_usual_way() -> None:
    heard: list[str] = []
    printed: list[str] = []
    warnings.showwarning = lambda message, *_, **__: printed.append(str(message))
    usual = warnings.showwarning
    warning_hook.subscribe(heard.append)
    other = threading.Thread(target=lambda: warnings.warn("from afar", stacklevel=1))
    other.start()
    other.join()
    warning_hook.unsubscribe(heard.append)
    assert heard == printed == ["from afar"]
    assert warnings.showwarning is usual


def test_a_library_that_comes_between_is_heard_too() -> None:
    heard: list[str] = []
    printed: list[str] = []
    warnings.showwarning = lambda message, *_, **__: printed.append(str(message))
    warning_hook.subscribe(heard.append)
    ours = warnings.showwarning
    # it calls what it found, and stays
    warnings.showwarning = lambda message, *rest, **options: ours(f"{message}!", *rest, **options)
    warning_hook.unsubscribe(heard.append)
    warning_hook.subscribe(heard.append)
    warnings.warn("odd", stacklevel=1)
    warning_hook.unsubscribe(heard.append)
    assert (heard, printed) == (["odd"], ["odd!"])


def test_those_of_reader_and_engine_are_kept_once(thread: SimThread) -> None:
    thread.send(cmd.LoadModel("a.xml"))
    both = ("a.xml: an odd file", "an odd step")
    wait_for(thread, lambda s: s.run.warnings == both)
    now = thread.latest.run.steps
    wait_for(thread, lambda s: s.run.steps > now + 50)
    assert thread.latest.run.warnings == both


def test_they_can_be_put_away_and_come_again_with_another_model(thread: SimThread) -> None:
    thread.send(cmd.LoadModel("a.xml"))
    wait_for(thread, lambda s: len(s.run.warnings) == 2)
    thread.send(cmd.DismissWarnings())
    wait_for(thread, lambda s: not s.run.warnings)
    thread.send(cmd.LoadModel("b.xml"))
    # the first model may have made another step meanwhile
    wait_for(thread, lambda s: set(s.run.warnings) == {"b.xml: an odd file", "an odd step"})


def test_nobody_listens_once_the_simulation_is_closed() -> None:
    before = warnings.showwarning
    passive = Simulation(FakeEngine())
    for simulation in (SimThread(FakeEngine()), passive):
        simulation.start()
        assert warnings.showwarning is not before
        simulation.close()
        assert warnings.showwarning is before


def test_the_engine_says_what_does_not_sleep_and_a_plan_what_it_leaves_out(tmp_path: Path) -> None:
    hand = Hand(tmp_path, RESTLESS)
    try:
        hand.send(cmd.StepOnce())
        # the warning of a step is a message of its own
        assert hand.settle().run.warnings == (RK4,)
        # the world has no attributes
        hand.thread.live.model.body_pos[0, 0] = 1
        report = hand.send(cmd.PlanSave(7)).run.save
        assert report is not None
        assert report.plan is not None
        assert (report.request, report.plan.unsaved) == (7, ('body_pos of body "world"',))
    finally:
        hand.thread.close()
