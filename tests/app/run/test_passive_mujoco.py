"""A script that steps an MjData itself: rows are written in `sync`, the past goes into its MjData and back."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import Any

import mujoco
import numpy as np
import pytest

from app.run import commands as cmd
from app.run import passive_mujoco
from app.run.engine.choice import adopt
from app.run.passive_mujoco import MujocoPassive
from app.run.snapshot import Snapshot
from tests.patience import PATIENCE

BALL = """<mujoco><option timestep='.002'/><worldbody><geom type='plane' size='2 2 .1'/>
<body pos='0 0 .5'><freejoint/><geom size='.1'/></body>
<body pos='1 0 .5'><joint name='hinge' axis='0 1 0'/><geom type='capsule' size='.05 .2' pos='.2 0 0'/></body>
</worldbody>
<actuator><motor joint='hinge'/></actuator></mujoco>"""


class Rig:
    """A script and the simulation behind its viewer."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        # one row for each sync, however fast the machine is
        monkeypatch.setattr(passive_mujoco, "ROW_INTERVAL", 0.0)
        self.m = mujoco.MjModel.from_xml_string(BALL)
        self.d = mujoco.MjData(self.m)
        model, data = adopt(self.m, self.d)
        engine: Any = model.engine
        self.simulation = MujocoPassive(engine, model, data)  # type: ignore[arg-type]
        self.show(lambda s: s.run.ready)

    def steps(self, count: int, between: int = 1) -> None:
        """A loop as scripts have it."""
        for _ in range(count):
            mujoco.mj_step(self.m, self.d, between)
            self.simulation.sync()

    def show(self, condition: Callable[[Snapshot], bool]) -> Snapshot:
        """Sync until what is shown meets a condition."""
        end = time.monotonic() + PATIENCE
        while not condition(self.simulation.latest):
            assert time.monotonic() < end, self.simulation.latest.run
            self.simulation.sync()
            time.sleep(0.002)
        return self.simulation.latest


@pytest.fixture
def rig(monkeypatch: pytest.MonkeyPatch) -> Iterator[Rig]:
    """A ball above the floor and a driven rod."""
    made = Rig(monkeypatch)
    yield made
    made.simulation.close()


def test_each_sync_leaves_a_moment(rig: Rig) -> None:
    rows = []
    for k in range(40):
        rig.d.ctrl[0] = np.sin(k)
        rig.steps(1)
        rows.append((rig.d.time, rig.d.qpos.copy(), rig.d.ctrl.copy()))
    # nothing has moved: no moment
    rig.simulation.sync()
    shown = rig.show(lambda s: s.run.steps == 40)
    history = rig.simulation.live.history
    for step, (when, qpos, ctrl) in enumerate(rows, 1):
        row = history.row(0, step)
        assert row[0] == when == pytest.approx(shown.run.history.time_of(step))
        assert np.array_equal(row[1 : 1 + rig.m.nq], qpos)
        assert ctrl[0] in row
    assert shown.run.problem is None


def test_a_fast_loop_writes_few_rows(rig: Rig, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(passive_mujoco, "ROW_INTERVAL", 1e6)
    rig.steps(1)
    before = rig.simulation.live.data.trace.count
    rig.steps(50)
    assert rig.simulation.live.data.trace.count == before


def test_time_on_the_timeline_is_that_of_the_script(rig: Rig) -> None:
    """Ten steps between two syncs, then one, then a reset."""
    times = [0.0]
    for between in (10, 1):
        for _ in range(20):
            rig.steps(1, between)
            times.append(rig.d.time)
        rig.show(lambda s: s.run.steps == len(times) - 1)
    mujoco.mj_resetData(rig.m, rig.d)
    rig.steps(5)
    times += [k * 0.002 for k in range(1, 6)]
    shown = rig.show(lambda s: s.run.steps == len(times) - 1)
    timeline = shown.run.history
    assert [timeline.time_of(step) for step in range(len(times))] == pytest.approx(times)
    assert timeline.timestep_at(5) == pytest.approx(0.02)
    assert timeline.timestep_at(30) == pytest.approx(0.002)
    assert "the script set the time back" in [mark.text for mark in timeline.markers]
    # one pace for each change of it, not one for each row
    assert len(timeline.find(0).paces) < 8


def test_the_past_is_shown_in_the_scripts_data_and_left_as_it_was(rig: Rig) -> None:
    rig.steps(300)
    rig.show(lambda s: s.run.steps == 300)
    before, contact, time_now = rig.d.qpos.copy(), rig.d.contact.dist.copy(), rig.d.time
    force = rig.d.qfrc_constraint.copy()
    assert len(contact)
    past = rig.simulation.live.history.row(0, 20)
    seen: list[tuple[float, np.ndarray]] = []

    def look(_: object) -> None:
        seen.append((rig.d.time, rig.d.qpos.copy()))

    # paused, `sync` does not return: the user's commands are waiting before it is called
    for command in (cmd.GoTo(20), cmd.TakeMoment(look), cmd.GoTo(300), cmd.SetPaused(False)):
        rig.simulation.send(command)
    rig.simulation.sync()
    assert seen[0][0] == past[0]
    assert np.array_equal(seen[0][1], past[1 : 1 + rig.m.nq])
    # to the bit, with all results of the last step
    assert rig.d.time == time_now
    assert np.array_equal(rig.d.qpos, before)
    assert np.array_equal(rig.d.contact.dist, contact)
    assert np.array_equal(rig.d.qfrc_constraint, force)
    rig.steps(1)
    assert len(rig.show(lambda s: s.run.steps == 301).run.history.branches) == 1


def test_the_loop_goes_on_from_the_past(rig: Rig) -> None:
    rig.steps(100)
    rig.show(lambda s: s.run.steps == 100)
    other = mujoco.MjData(rig.m)
    mujoco.mj_step(rig.m, other, 45)
    rig.simulation.send(cmd.GoTo(40))
    rig.simulation.send(cmd.GoOn())
    rig.simulation.sync()
    assert rig.d.time == pytest.approx(40 * 0.002)
    rig.steps(5)
    assert np.array_equal(rig.d.qpos, other.qpos)
    shown = rig.show(lambda s: s.run.steps == 45)
    assert [(branch.fork, branch.last) for branch in shown.run.history.branches] == [(0, 100), (40, 45)]


def test_the_mouse_pulls_through_xfrc_applied(rig: Rig) -> None:
    rig.d.xfrc_applied[1] = (0, 1, 0, 0, 0, 0)
    rig.steps(1)
    rig.simulation.send(cmd.Perturb(cmd.Perturbation(1, (0.0, 0.0, 0.0), (0.0, 0.0, 3.0))))
    rig.simulation.sync()
    assert rig.d.xfrc_applied[1, 2] > 0
    assert rig.d.xfrc_applied[1, 1] == pytest.approx(1, abs=0.1)
    rig.steps(50)
    assert rig.d.qvel[2] > 0
    # in what is recorded there is only what the script applies
    row = rig.simulation.live.history.row(0, rig.simulation.live.history.now)
    model, engine = rig.simulation.live.model, rig.simulation.live.engine
    other = engine.Data(model)
    engine.set_state(model, other, row, engine.record_signature(model), check=False)
    assert other.xfrc_applied[1].tolist() == [0, 1, 0, 0, 0, 0]
    # what the script sets meanwhile stays
    rig.d.xfrc_applied[1] = (0, 0, 2, 0, 0, 0)
    rig.simulation.send(cmd.Perturb())
    rig.simulation.sync()
    assert rig.d.xfrc_applied[1].tolist() == [0, 0, 2, 0, 0, 0]
    rig.simulation.send(cmd.Perturb(cmd.Perturbation(1, (0.0, 0.0, 0.0), (0.0, 0.0, 3.0))))
    rig.simulation.sync()
    rig.simulation.release()
    assert rig.d.xfrc_applied[1].tolist() == [0, 0, 2, 0, 0, 0]


def test_settings_of_the_scripts_model_are_shown(rig: Rig) -> None:
    rig.m.opt.timestep, rig.m.geom_rgba[0] = 0.004, (1, 0, 0, 1)
    shown: Any = rig.show(lambda s: s.model is not None and s.model.geom_rgba[0, 1] == 0)
    assert shown.model.opt.timestep == 0.004
    rig.simulation.send(cmd.SetField("opt.timestep", 0.001))
    rig.simulation.sync()
    assert rig.m.opt.timestep == 0.001
