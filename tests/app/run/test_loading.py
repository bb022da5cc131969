"""Loaders: drafts of models whose files take long to read, and what is said while kernels compile (loading.py)."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

import sim
from app.run import commands as cmd
from app.run import loading
from app.run.run_state import Progress
from app.run.sim_thread import SimThread
from sim.mjcf.draft import Draft
from tests.app.fake_engine import FakeEngine
from tests.app.run.test_sim_thread import wait_for

BODY = "<mujoco><worldbody><body name='boxed'><joint/><geom size='.1'/></body></worldbody></mujoco>"


@pytest.fixture
def thread(fake_engine: FakeEngine, monkeypatch: pytest.MonkeyPatch) -> Iterator[SimThread]:
    """A thread without a model; files have drafts, and reading them waits for `load_gate`."""
    monkeypatch.setattr(loading, "draft_file", lambda path: Draft(sim.loads(BODY), 3, 1))
    fake_engine.load_gate.clear()
    simulation = SimThread(fake_engine, paused=True)
    simulation.start()
    yield simulation
    fake_engine.load_gate.set()
    simulation.close()


def test_a_draft_is_shown_until_the_model_is_there(thread: SimThread, fake_engine: FakeEngine) -> None:
    thread.send(cmd.LoadModel("large.xml"))
    draft = wait_for(thread, lambda s: s.run.draft and s.run.progress is not None and "3" in s.run.progress.label)
    assert draft.run.draft and not draft.run.ready and draft.run.path == "large.xml"
    assert draft.model is not None and draft.state is not None and draft.model.names["body"] == ("world", "boxed")
    assert draft.run.progress == Progress("reading large.xml (3 meshes, 1 image)")
    # nothing that the user does meanwhile is lost
    thread.send(cmd.StepOnce(3))
    thread.send(cmd.SetData("qpos", 0, (1.0,)))
    assert wait_for(thread, lambda s: s.run.waiting > 0).run.waiting == 1
    fake_engine.load_gate.set()
    shown = wait_for(thread, lambda s: s.run.steps > 0).run
    assert (shown.draft, shown.waiting, shown.steps) == (False, 0, 3)


@pytest.mark.parametrize("ending", ["broken", "cancelled", "another"])
def test_a_draft_goes_with_a_model_that_is_not_coming(
    thread: SimThread, fake_engine: FakeEngine, ending: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    thread.send(cmd.LoadModel("broken.xml"))
    wait_for(thread, lambda s: s.run.draft)
    if ending == "cancelled":
        thread.send(cmd.Cancel())
    elif ending == "another":
        monkeypatch.setattr(loading, "draft_file", lambda path: None)
        thread.send(cmd.LoadModel("good.xml"))
    gone = wait_for(thread, lambda s: not s.run.draft) if ending != "broken" else None
    fake_engine.load_gate.set()
    if ending == "another":
        assert wait_for(thread, lambda s: s.run.ready).run.path == "good.xml"
        return
    gone = gone or wait_for(thread, lambda s: s.run.problem is not None)
    assert gone.model is None and gone.run.path == "" and not gone.run.draft


def test_a_running_model_stays_instead_of_a_draft(thread: SimThread, fake_engine: FakeEngine) -> None:
    fake_engine.load_gate.set()
    thread.send(cmd.LoadModel("first.xml"))
    first = wait_for(thread, lambda s: s.run.ready)
    fake_engine.load_gate.clear()
    thread.send(cmd.LoadModel("large.xml"))
    reading = wait_for(thread, lambda s: s.run.progress is not None)
    assert reading.model is first.model and not reading.run.draft
    fake_engine.load_gate.set()
    wait_for(thread, lambda s: s.run.path == "large.xml")


def test_a_file_that_has_no_draft_is_read_all_the_same(
    thread: SimThread, fake_engine: FakeEngine, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(path: str) -> None:
        raise OSError(path)

    monkeypatch.setattr(loading, "draft_file", fail)
    fake_engine.load_gate.set()
    thread.send(cmd.LoadModel("a.xml"))
    wait_for(thread, lambda s: s.run.ready)


def test_compilation_says_what_how_much_and_how_often() -> None:
    shown = loading.compiling(2, 9, "compiling sim.stages.collision.driver.collision, sim.stages.solver.fwd_constraint")
    assert (shown.done, shown.total, shown.detail) == (2, 9, "now collision, fwd constraint")
    assert "once" in shown.note
    assert loading.compiling(0, 9, "starting the compiler").detail == "starting the compiler"
    assert loading.compiling(3, 9, "compiled sim.stages.solver.fwd_constraint").detail == ""
