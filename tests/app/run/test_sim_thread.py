"""The simulation thread: commands, loading, errors, what it publishes."""

from __future__ import annotations

import dataclasses
import os
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from app.files.resources import bundled_scenes
from app.model.problem import Problem
from app.run import commands as cmd
from app.run.commands import open_command
from app.run.sim_thread import SimThread
from app.run.snapshot import Snapshot
from app.run.stage_profiler import CALLS
from app.run.thread_switching import SHORT, SwitchInterval
from tests.app.fake_engine import FakeEngine
from tests.patience import given_up


def wait_for(thread: SimThread, condition: Callable[[Snapshot], bool]) -> Snapshot:
    """The first snapshot that meets the condition."""
    since, progress = time.monotonic(), None
    while not given_up(os.getpid(), since):
        snapshot = thread.latest
        if condition(snapshot):
            return snapshot
        if snapshot.run.progress != progress:
            # kernels are compiled
            since, progress = time.monotonic(), snapshot.run.progress
        time.sleep(0.002)
    raise AssertionError(f"never happened; the run is {thread.latest.run}")


def hold(thread: SimThread, pull: cmd.Perturbation, condition: Callable[[Snapshot], bool]) -> Snapshot:
    """The first snapshot that meets the condition while the mouse goes on pulling."""

    def pulled(snapshot: Snapshot) -> bool:
        thread.send(cmd.Perturb(pull))
        return condition(snapshot)

    return wait_for(thread, pulled)


@pytest.fixture
def thread(fake_engine: FakeEngine) -> Iterator[SimThread]:
    """A thread that has started, without a model."""
    simulation = SimThread(fake_engine)
    simulation.start()
    yield simulation
    fake_engine.gate.set()
    fake_engine.load_gate.set()
    simulation.close()
    assert not simulation._thread.is_alive()


def loops(thread: SimThread, count: int = 5) -> None:
    """Some turns of the thread's loop, in which it would have done what it has to do."""
    for k in range(count):
        moment = 1e6 + k
        thread.send(cmd.HoldAt(moment))
        wait_for(thread, lambda _, moment=moment: thread.travel._hold == moment)  # type: ignore[misc]
    thread.send(cmd.HoldAt(None))
    wait_for(thread, lambda _: thread.travel._hold is None)


def running(thread: SimThread, path: str = "a.xml") -> Snapshot:
    """Load a model and wait until it moves."""
    thread.send(cmd.LoadModel(path))
    return wait_for(thread, lambda s: s.run.path == path and s.run.steps > 0)


def paused(thread: SimThread) -> Snapshot:
    """Load a model and stop it."""
    running(thread)
    thread.send(cmd.SetPaused(True))
    return wait_for(thread, lambda s: s.run.paused)


def test_every_command_has_a_handler(thread: SimThread) -> None:
    kinds = {value for value in vars(cmd).values() if isinstance(value, type) and issubclass(value, cmd.Command)}
    assert kinds - {cmd.Command} <= set(thread.handlers)
    for kind in kinds:
        assert kind.__dataclass_params__.frozen


def test_waits_where_it_is_held(thread: SimThread) -> None:
    running(thread)
    timestep = thread.live.clock.timestep
    moment = thread.latest.run.time + 0.3
    thread.send(cmd.HoldAt(moment))
    assert wait_for(thread, lambda s: s.run.time >= moment - 1e-6).run.time < moment + timestep
    # others may look and ask meanwhile
    for _ in range(5):
        serial = thread.latest.serial
        thread.send(cmd.DismissProblem())
        assert wait_for(thread, lambda s, n=serial: s.serial > n).run.time < moment + timestep  # type: ignore[misc]
    thread.send(cmd.HoldAt(None))
    wait_for(thread, lambda s: s.run.time > moment + 2 * timestep)


def test_runs_after_loading(thread: SimThread) -> None:
    first = running(thread)
    later = wait_for(thread, lambda s: s.run.time > first.run.time)
    assert later.serial > first.serial
    assert later.model is first.model


def test_picture_comes_before_the_kernels(thread: SimThread, fake_engine: FakeEngine) -> None:
    fake_engine.gate.clear()
    thread.send(cmd.LoadModel("a.xml"))
    shown = wait_for(thread, lambda s: s.state is not None and s.run.progress is not None and s.run.progress.done == 1)
    assert not shown.run.ready
    assert shown.run.steps == 0
    fake_engine.gate.set()
    assert wait_for(thread, lambda s: s.run.steps > 0).run.progress is None


def test_pause_stops_time(thread: SimThread, fake_engine: FakeEngine) -> None:
    stopped = paused(thread)
    assert stopped.run.steps == sum(fake_engine.chunks)
    thread.send(cmd.DismissProblem())
    assert wait_for(thread, lambda s: s.serial > stopped.serial).run.time == stopped.run.time
    thread.send(cmd.SetPaused(False))
    wait_for(thread, lambda s: s.run.time > stopped.run.time)


def test_keys_pressed_between_two_snapshots_all_count(thread: SimThread) -> None:
    paused(thread)
    for command in (*3 * [cmd.TogglePaused()], *3 * [cmd.ChangeSpeed(1)], cmd.ChangeSpeed(-1)):
        thread.send(command)
    assert not wait_for(thread, lambda s: s.run.speed == 4.0).run.paused


def test_a_report_is_shown_while_time_runs_on(thread: SimThread) -> None:
    running(thread)
    thread.send(cmd.Report("The image could not be saved", "the disk is full"))
    shown = wait_for(thread, lambda s: s.run.problem is not None)
    assert shown.run.problem == Problem("The image could not be saved", "the disk is full")
    wait_for(thread, lambda s: s.run.steps > shown.run.steps)


def test_paused_publishes_nothing_new(thread: SimThread) -> None:
    stopped = paused(thread)
    loops(thread)
    assert thread.latest is stopped


def test_step_once_is_exact(thread: SimThread) -> None:
    before = paused(thread).run.steps
    thread.send(cmd.StepOnce(5))
    after = wait_for(thread, lambda s: s.run.steps > before)
    assert after.run.steps == before + 5
    assert after.run.paused


def test_of_a_scrub_the_newest_moment_is_shown(thread: SimThread, monkeypatch: pytest.MonkeyPatch) -> None:
    running(thread)
    thread.send(cmd.StepOnce(30))
    wait_for(thread, lambda s: s.run.paused and s.run.steps >= 30)
    shown, entered, go, show = list[int](), threading.Event(), threading.Event(), thread.live.show

    def slow(branch: int, step: int) -> bool:
        shown.append(step)
        entered.set()
        assert go.wait(20)
        return show(branch, step)

    monkeypatch.setattr(thread.live, "show", slow)
    thread.send(cmd.GoTo(1))
    assert entered.wait(20)
    # meanwhile the mouse goes on
    for step in range(2, 20):
        thread.send(cmd.GoTo(step))
    go.set()
    wait_for(thread, lambda s: s.run.steps == 19)
    assert shown == [1, 19]


def test_an_error_loses_no_command(thread: SimThread, monkeypatch: pytest.MonkeyPatch) -> None:
    running(thread)
    thread.send(cmd.SetPaused(True))
    wait_for(thread, lambda s: s.run.paused)
    entered, go = threading.Event(), threading.Event()

    def fail(branch: int, step: int) -> bool:
        entered.set()
        assert go.wait(20)
        raise RuntimeError("no such row")

    monkeypatch.setattr(thread.live, "show", fail)
    thread.send(cmd.GoTo(0))
    assert entered.wait(20)
    # these are taken together
    for command in (cmd.SetSpeed(0.25), cmd.GoTo(0), cmd.ChangeSpeed(-1)):
        thread.send(command)
    go.set()
    wait_for(thread, lambda s: s.run.problem is not None and s.run.speed < 0.25)


def test_step_pauses_a_running_model(thread: SimThread) -> None:
    running(thread)
    thread.send(cmd.StepOnce())
    assert wait_for(thread, lambda s: s.run.paused).run.steps > 0


def test_reset(thread: SimThread, fake_engine: FakeEngine) -> None:
    paused(thread)
    thread.send(cmd.Reset())
    assert wait_for(thread, lambda s: s.run.steps == 0).run.time == 0.0
    thread.send(cmd.Reset(0))
    thread.send(cmd.StepOnce())
    wait_for(thread, lambda s: s.run.steps == 1)
    assert fake_engine.resets[-2:] == [None, 0]


def test_start_keyframe(thread: SimThread, fake_engine: FakeEngine) -> None:
    thread.send(cmd.LoadModel("a.xml", "key0"))
    wait_for(thread, lambda s: s.run.steps > 0)
    assert fake_engine.resets == [0]


def test_stages_are_measured_while_somebody_looks(thread: SimThread) -> None:
    assert running(thread).run.stage_seconds == ()
    thread.send(cmd.SetProfiling(True))
    first = wait_for(thread, lambda s: s.run.stage_seconds != ()).run.stage_seconds
    assert [name for name, _ in first] == ["falling", CALLS]
    # the step that is shown is what its parts add up to
    shown = wait_for(thread, lambda s: s.run.stage_seconds != ()).run
    assert shown.step_seconds == sum(seconds for _, seconds in shown.stage_seconds)
    # and again while time goes on
    wait_for(thread, lambda s: s.run.stage_seconds not in ((), first))
    thread.send(cmd.SetProfiling(False))
    wait_for(thread, lambda s: s.run.stage_seconds == ())
    # the first look does not wait for time to go on
    thread.send(cmd.SetPaused(True))
    thread.send(cmd.SetProfiling(True))
    assert wait_for(thread, lambda s: s.run.stage_seconds != ()).run.paused


def test_profiling_may_begin_before_there_is_a_model(thread: SimThread) -> None:
    thread.send(cmd.SetProfiling(True))
    running(thread)
    wait_for(thread, lambda s: s.run.stage_seconds != ())


def test_speed_is_clamped(thread: SimThread) -> None:
    thread.send(cmd.SetSpeed(1000.0))
    assert wait_for(thread, lambda s: s.run.speed != 1.0).run.speed == 8.0


def test_error_while_stepping_pauses_and_is_shown(thread: SimThread, fake_engine: FakeEngine) -> None:
    running(thread)
    fake_engine.step_error = ValueError("the mass matrix is singular")
    failed = wait_for(thread, lambda s: s.run.problem is not None)
    assert failed.run.paused
    assert failed.run.problem is not None
    assert "the mass matrix is singular" in failed.run.problem.text
    # life goes on
    thread.send(cmd.DismissProblem())
    thread.send(cmd.SetPaused(False))
    wait_for(thread, lambda s: s.run.problem is None and s.run.steps > failed.run.steps)


def test_broken_file_leaves_the_running_scene_alone(thread: SimThread) -> None:
    before = running(thread)
    thread.send(cmd.LoadModel("broken.xml"))
    after = wait_for(thread, lambda s: s.run.problem is not None)
    assert after.model is before.model
    assert after.run.path == "a.xml"
    assert not after.run.paused
    assert after.run.problem is not None
    assert "line 3" in after.run.problem.text
    wait_for(thread, lambda s: s.run.time > after.run.time)


def test_running_scene_goes_on_while_another_is_read(thread: SimThread, fake_engine: FakeEngine) -> None:
    running(thread)
    fake_engine.load_gate.clear()
    thread.send(cmd.LoadModel("b.xml"))
    reading = wait_for(thread, lambda s: s.run.progress is not None)
    wait_for(thread, lambda s: s.run.path == "a.xml" and s.run.time > reading.run.time)
    fake_engine.load_gate.set()
    wait_for(thread, lambda s: s.run.path == "b.xml" and s.run.steps > 0)


def test_engine_that_does_not_compile(thread: SimThread) -> None:
    thread.send(cmd.LoadModel("uncompilable.xml"))
    failed = wait_for(thread, lambda s: s.run.problem is not None)
    assert failed.run.problem == Problem("The engine cannot be compiled", "unit forward does not compile")
    assert failed.model is not None
    assert not failed.run.ready
    running(thread, "good.xml")


def test_newest_of_two_loads_wins(thread: SimThread, fake_engine: FakeEngine) -> None:
    fake_engine.gate.clear()
    thread.send(cmd.LoadModel("slow.xml"))
    wait_for(thread, lambda s: s.model is not None)
    thread.send(cmd.LoadModel("b.xml"))
    wait_for(thread, lambda s: s.run.path == "b.xml")
    fake_engine.gate.set()
    assert wait_for(thread, lambda s: s.run.steps > 0).run.path == "b.xml"


def test_commands_wait_for_kernels(thread: SimThread, fake_engine: FakeEngine) -> None:
    fake_engine.gate.clear()
    thread.send(cmd.SetPaused(True))
    thread.send(cmd.LoadModel("a.xml"))
    wait_for(thread, lambda s: s.model is not None and s.run.paused)
    thread.send(cmd.StepOnce(3))
    thread.send(cmd.SetSpeed(2.0))
    assert wait_for(thread, lambda s: s.run.speed == 2.0).run.steps == 0
    fake_engine.gate.set()
    assert wait_for(thread, lambda s: s.run.steps > 0).run.steps == 3


def test_work_can_be_cancelled(thread: SimThread, fake_engine: FakeEngine) -> None:
    before = running(thread)
    fake_engine.load_gate.clear()
    thread.send(cmd.LoadModel("b.xml"))
    wait_for(thread, lambda s: s.run.progress is not None)
    thread.send(cmd.Cancel())
    cancelled = wait_for(thread, lambda s: s.run.progress is None)
    fake_engine.load_gate.set()
    later = wait_for(thread, lambda s: s.run.time > cancelled.run.time)
    assert later.run.path == "a.xml"
    assert later.model is before.model


def test_another_model_runs_though_the_one_before_was_paused(thread: SimThread) -> None:
    thread.send(cmd.LoadModel("a.xml"))
    wait_for(thread, lambda s: s.run.path == "a.xml" and s.run.ready)
    thread.send(cmd.SetPaused(True))
    wait_for(thread, lambda s: s.run.paused)
    thread.send(cmd.Reload())
    thread.send(cmd.LoadModel("a.xml"))
    thread.send(cmd.SetSpeed(2.0))
    assert wait_for(thread, lambda s: s.run.speed == 2.0 and s.run.progress is None and s.run.ready).run.paused
    thread.send(cmd.LoadModel("b.xml"))
    wait_for(thread, lambda s: s.run.path == "b.xml" and s.run.ready and not s.run.paused)


def test_reload_reads_the_same_file(thread: SimThread) -> None:
    before = running(thread)
    thread.send(cmd.Reload())
    after = wait_for(thread, lambda s: s.model is not before.model)
    assert after.run.path == "a.xml"
    assert [mark.text for mark in before.run.history.markers] == ["opened"]
    assert [mark.text for mark in after.run.history.markers] == ["opened", "file: read again"]
    assert after.run.steps >= before.run.steps
    assert after.run.ready


def test_after_the_end_data_records_nothing(thread: SimThread) -> None:
    running(thread)
    assert len(thread.live.data.trace.state)
    thread.close()
    assert not len(thread.live.data.trace.state)


def test_a_model_read_again_ends_the_recording_of_the_old_one(thread: SimThread) -> None:
    before, old = running(thread), thread.live.data
    thread.send(cmd.Reload())
    wait_for(thread, lambda s: s.model is not before.model)
    assert len(old.trace.state) == 0
    assert len(thread.live.data.trace.state) > 0


def test_the_process_gets_back_its_switch_interval_from_the_last_to_end(
    fake_engine: FakeEngine, monkeypatch: pytest.MonkeyPatch
) -> None:
    # others of this process may not have ended
    monkeypatch.setattr("app.run.simulation.switch_interval", SwitchInterval())
    monkeypatch.setattr(sys, "getswitchinterval", lambda: interval[-1])
    monkeypatch.setattr(sys, "setswitchinterval", lambda seconds: interval.append(seconds))
    interval = [0.004]
    first, second = SimThread(fake_engine), SimThread(fake_engine)
    first.start()
    second.start()
    first.close()
    # a second time makes no difference
    first.release()
    assert interval == [0.004, SHORT]
    second.close()
    assert interval == [0.004, SHORT, 0.004]


def test_close_while_compiling(fake_engine: FakeEngine) -> None:
    before = threading.enumerate()
    fake_engine.gate.clear()
    simulation = SimThread(fake_engine)
    simulation.start()
    simulation.send(cmd.LoadModel("a.xml"))
    wait_for(simulation, lambda s: s.model is not None)
    simulation.close()
    assert not simulation._thread.is_alive()
    wait_for(simulation, lambda _: not any(t.name == "loader" for t in threading.enumerate() if t not in before))


def test_snapshots_are_immutable(thread: SimThread) -> None:
    snapshot = running(thread)
    assert snapshot.state is not None
    assert snapshot.model is not None
    with pytest.raises(ValueError, match="read-only"):
        snapshot.state.qpos[0] = 1.0
    with pytest.raises(AttributeError):
        snapshot.state.qpos = np.zeros(1)
    with pytest.raises(AttributeError):
        snapshot.model.opt.timestep = 1.0
    with pytest.raises(dataclasses.FrozenInstanceError):
        snapshot.run.paused = True  # type: ignore[misc]


def test_snapshots_do_not_change_afterwards(thread: SimThread) -> None:
    snapshot = running(thread)
    assert snapshot.state is not None
    kept = snapshot.state.qpos.copy()
    wait_for(thread, lambda s: s.run.time > snapshot.run.time)
    assert np.array_equal(snapshot.state.qpos, kept)


def test_engine_runs_a_bundled_scene() -> None:
    import sim

    simulation = SimThread(sim, paused=True)
    simulation.start()
    simulation.send(open_command(bundled_scenes()[0].path))
    shown = wait_for(simulation, lambda s: s.run.ready)
    simulation.send(cmd.StepOnce(50))
    moved = wait_for(simulation, lambda s: s.run.steps == 50)
    assert shown.state is not None
    assert moved.state is not None
    assert not np.allclose(shown.state.geom_xpos, moved.state.geom_xpos)
    simulation.send(cmd.Reset())
    again = wait_for(simulation, lambda s: s.run.steps == 0)
    assert again.state is not None
    assert np.allclose(again.state.geom_xpos, shown.state.geom_xpos, atol=1e-12)
    simulation.close()


def test_engine_pulls_a_body_and_lets_go(tmp_path: Path) -> None:
    import sim

    path = tmp_path / "ball.xml"
    body = "<body><freejoint/><geom size='.1'/></body>"
    path.write_text(f"<mujoco><option gravity='0 0 0'/><worldbody>{body}</worldbody></mujoco>")
    thread = SimThread(sim)
    thread.start()
    thread.send(cmd.LoadModel(str(path)))
    wait_for(thread, lambda s: s.run.steps > 0)
    pull = cmd.Perturbation(1, (0.0, 0.0, 0.0), (0.0, 0.0, 0.5))
    hold(thread, pull, lambda s: s.state is not None and s.state.xpos[1, 2] > 0.3 and s.state.perturb.active)
    thread.send(cmd.Perturb())
    wait_for(thread, lambda s: s.state is not None and not s.state.perturb.active)
    # while time stands still the body itself is moved
    thread.send(cmd.SetPaused(True))
    wait_for(thread, lambda s: s.run.paused)
    thread.send(cmd.Perturb(cmd.Perturbation(1, (0.0, 0.0, 0.0), (0.0, 2.0, 0.0))))
    wait_for(thread, lambda s: s.state is not None and np.allclose(s.state.xpos[1], (0, 2, 0)))
    # no such body is no error
    thread.send(cmd.Perturb(cmd.Perturbation(99, (0.0, 0.0, 0.0), (0.0, 0.0, 0.0))))
    thread.send(cmd.Perturb())
    thread.close()
    assert thread.latest.run.problem is None


def test_engine_reports_a_bad_file(tmp_path: Path) -> None:
    import sim

    bad = tmp_path / "bad.xml"
    bad.write_text("<mujoco><worldbody><geom tipe='sphere'/></worldbody></mujoco>")
    simulation = SimThread(sim)
    simulation.start()
    simulation.send(cmd.LoadModel(str(bad)))
    problem: Any = wait_for(simulation, lambda s: s.run.problem is not None).run.problem
    assert "tipe" in problem.text
    assert "bad.xml" in problem.text
    simulation.close()
