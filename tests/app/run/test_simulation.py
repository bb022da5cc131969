"""A file that is read again: the run goes on, whatever comes in between."""

from __future__ import annotations

from pathlib import Path

import pytest

import sim
from app.run import commands as cmd
from app.run.history.markers import MarkerType
from app.run.sim_thread import SimThread
from sim import CompileError
from tests.app.fake_engine import FakeEngine
from tests.app.run.test_sim_thread import hold, loops, running, thread, wait_for

__all__ = ["thread"]


def test_the_old_model_runs_until_the_kernels_of_the_new_one_are_there(
    thread: SimThread, fake_engine: FakeEngine
) -> None:
    before = running(thread)
    fake_engine.gate.clear()
    # the first is superseded while it is compiled
    for _ in range(2):
        thread.send(cmd.Reload())
        compiling = wait_for(thread, lambda s: s.run.progress is not None and s.run.progress.done == 1)
        assert compiling.run.ready
        later = wait_for(thread, lambda s, n=compiling.run.steps: s.run.steps > n)  # type: ignore[misc]
        assert later.model is before.model
    resets = len(fake_engine.resets)
    fake_engine.gate.set()
    after = wait_for(thread, lambda s: s.model is not before.model and s.run.steps > later.run.steps)
    assert after.run.progress is None
    # one is for the new Data; the state was carried over
    assert len(fake_engine.resets) == resets + 1
    assert [mark.text for mark in after.run.history.markers] == ["opened", "file: read again"]


@pytest.mark.parametrize("end", ["cancelled", "failed"])
def test_a_reload_that_comes_to_nothing_leaves_the_model_alone(
    end: str, thread: SimThread, fake_engine: FakeEngine
) -> None:
    before = running(thread)
    fake_engine.gate.clear()
    thread.send(cmd.Reload())
    wait_for(thread, lambda s: s.run.progress is not None and s.run.progress.done == 1)
    if end == "failed":
        fake_engine.compile_error = CompileError("unit forward does not compile")
    else:
        thread.send(cmd.Cancel())
        wait_for(thread, lambda s: s.run.progress is None)
    fake_engine.gate.set()
    wait_for(thread, lambda s: (s.run.problem is not None) == (end == "failed"))
    loops(thread)
    assert thread.latest.model is before.model
    assert thread.latest.run.ready
    assert thread.source._reloaded is None or end == "cancelled"
    # and the next one works
    fake_engine.compile_error = None
    thread.send(cmd.Reload())
    wait_for(thread, lambda s: s.model is not before.model and s.run.problem is None)


def test_commands_that_wait_for_kernels_survive_a_reload(thread: SimThread, fake_engine: FakeEngine) -> None:
    fake_engine.gate.clear()
    thread.send(cmd.SetPaused(True))
    thread.send(cmd.LoadModel("a.xml"))
    first = wait_for(thread, lambda s: s.model is not None and s.run.paused)
    thread.send(cmd.StepOnce(3))
    thread.send(cmd.Reload())
    wait_for(thread, lambda s: s.model is not first.model)
    fake_engine.gate.set()
    assert wait_for(thread, lambda s: s.run.steps > 0).run.steps == 3


def test_a_file_that_is_opened_again_starts_over(thread: SimThread) -> None:
    before = running(thread)
    thread.send(cmd.SetPaused(True))
    thread.send(cmd.LoadModel("a.xml"))
    after = wait_for(thread, lambda s: s.model is not before.model and s.run.ready)
    assert after.run.steps == 0
    assert [mark.text for mark in after.run.history.markers] == ["opened"]


def test_a_drag_that_began_on_the_old_model_does_not_pull_a_body_of_the_new_one(tmp_path: Path) -> None:
    path = tmp_path / "balls.xml"
    ball = "<body name='{}'><freejoint/><geom size='.1' contype='0'/></body>"
    path.write_text(f"<mujoco><worldbody>{ball.format('a')}</worldbody></mujoco>")
    simulation = SimThread(sim)
    simulation.start()
    simulation.send(cmd.LoadModel(str(path)))
    pull = cmd.Perturbation(1, (0.0, 0.0, 0.0), refselpos=(0.0, 0.0, 2.0))
    hold(simulation, pull, lambda s: s.state is not None and s.state.perturb.active != 0)
    path.write_text(f"<mujoco><worldbody>{ball.format('b')}{ball.format('a')}</worldbody></mujoco>")
    # the window has not seen the new model yet
    hold(simulation, pull, lambda s: s.model is not None and s.model.nbody == 3)
    for _ in range(20):
        simulation.send(cmd.Perturb(pull))
    loops(simulation)
    after = simulation.latest
    assert after.state is not None and not after.state.perturb.active
    assert after.run.history.markers[-1].type is MarkerType.FILE
    # the next drag is one on the new model
    simulation.send(cmd.Perturb(None))
    hold(simulation, pull, lambda s: s.state is not None and s.state.perturb.active != 0)
    simulation.close()


def test_without_a_model_a_problem_says_what_helps(thread: SimThread) -> None:
    thread.send(cmd.LoadModel("broken.xml"))
    problem = wait_for(thread, lambda s: s.run.problem is not None).run.problem
    assert problem is not None and "as soon as you fix and save it" in problem.text
    running(thread)
    thread.send(cmd.LoadModel("broken.xml"))
    problem = wait_for(thread, lambda s: s.run.problem is not None).run.problem
    assert problem is not None and "saved" not in problem.text


def test_engine_goes_on_when_the_file_changes(tmp_path: Path) -> None:
    """State, timeline and pause stay; what is pulled is let go; a reset is to the new file's start."""
    path = tmp_path / "balls.xml"
    ball = "<body name='{0}' pos='{1} 0 1'><freejoint name='{0}'/><geom size='.1'/></body>"
    text = "<mujoco><option timestep='{}'/><worldbody>{}</worldbody></mujoco>"
    path.write_text(text.format(0.002, ball.format("a", 1)))
    simulation = SimThread(sim)
    simulation.start()
    simulation.send(cmd.LoadModel(str(path)))
    wait_for(simulation, lambda s: s.run.steps > 20)
    hold(
        simulation,
        cmd.Perturbation(1, (0.0, 0.0, 0.0), refselpos=(0.0, 0.0, 2.0)),
        lambda s: s.state is not None and s.state.perturb.active != 0,
    )
    simulation.send(cmd.SetPaused(True))
    before = wait_for(simulation, lambda s: s.run.paused)
    path.write_text(text.format(0.003, ball.format("b", 5) + ball.format("a", 1)))
    after = wait_for(simulation, lambda s: s.model is not None and s.model.nbody == 3)
    assert before.state is not None and after.state is not None
    assert after.run.paused and after.run.time == before.run.time
    assert not after.state.perturb.active
    assert after.state.qpos.tolist() == [5, 0, 1, 1, 0, 0, 0, *before.state.qpos]
    assert (after.run.history.now, after.run.history.first) == (before.run.history.now, 0)
    assert after.run.history.markers[-1].text == "file: +1 body, +1 geom, +1 joint; timestep: 0.002 → 0.003"
    # the past has the model that it had
    simulation.send(cmd.GoTo(0))
    start = wait_for(simulation, lambda s: s.run.history.now == 0)
    assert start.state is not None and start.state.qpos.tolist() == [1, 0, 1, 1, 0, 0, 0]
    assert start.model is not None and start.model.nbody == 2
    path.write_text(text.format(0.003, ball.format("b", 6) + ball.format("a", 2)))
    # at its start: at the new start
    moved = wait_for(simulation, lambda s: s.state is not None and s.state.qpos[0] == 6)
    assert moved.state is not None and moved.state.qpos[7] == 2
    simulation.send(cmd.SetPaused(False))
    running = wait_for(simulation, lambda s: s.run.history.now > 20)
    path.write_text(text.format(0.003, ball.format("b", 7)))
    gone = wait_for(simulation, lambda s: s.model is not None and s.model.nbody == 2)
    assert gone.run.history.now >= running.run.history.now
    assert gone.state is not None and gone.state.qpos[0] == 6
    simulation.send(cmd.Reset())
    wait_for(simulation, lambda s: s.state is not None and s.state.qpos[0] == 7)
    simulation.close()
