"""A script replaces its model while its viewer is open: the timeline, the edits and both models' moments stay."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import Any

import mujoco
import numpy as np
import pytest

import sim
from app.run import commands as cmd
from app.run import passive_mujoco
from app.run.engine.choice import adopt
from app.run.history.markers import MarkerType
from app.run.passive import REPLACED, PassiveSimulation
from app.run.passive_mujoco import MujocoPassive
from app.run.snapshot import Snapshot
from tests.patience import PATIENCE

BALL = "<body name='ball' pos='0 0 1'><freejoint/><geom name='ball' size='.1'/></body>"
BOX = "<body name='box' pos='1 0 1'><freejoint/><geom name='box' type='box' size='.1 .1 .1'/></body>"


def xml(bodies: str) -> str:
    """A model with some bodies."""
    return f"<mujoco><worldbody><geom type='plane' size='3 3 .1'/>{bodies}</worldbody></mujoco>"


class Script:
    """A loop with a passive simulation, of either engine."""

    def __init__(self, engine: str) -> None:
        self.engine = engine
        self.m, self.d = self.make(BALL)
        model, data = adopt(self.m, self.d)
        maker: Any = PassiveSimulation if engine == "sim" else MujocoPassive
        self.simulation: PassiveSimulation = maker(model.engine, model, data)
        self.show(lambda s: s.run.ready)

    def make(self, bodies: str) -> tuple[Any, Any]:
        """A model and its Data."""
        if self.engine == "sim":
            model = sim.loads(xml(bodies))
            return model, sim.Data(model)
        theirs = mujoco.MjModel.from_xml_string(xml(bodies))
        return theirs, mujoco.MjData(theirs)

    def steps(self, count: int) -> None:
        """The loop of the script."""
        for _ in range(count):
            if self.engine == "sim":
                sim.step(self.m, self.d)
            else:
                mujoco.mj_step(self.m, self.d)
            self.simulation.sync()

    def show(self, condition: Callable[[Snapshot], bool]) -> Snapshot:
        """Sync until what is shown meets a condition."""
        end = time.monotonic() + PATIENCE
        while not condition(self.simulation.latest):
            assert time.monotonic() < end, self.simulation.latest.run
            self.simulation.sync()
            time.sleep(0.002)
        return self.simulation.latest


@pytest.fixture(params=["sim", "mujoco"])
def script(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[Script]:
    """A script with a ball."""
    monkeypatch.setattr(passive_mujoco, "ROW_INTERVAL", 0.0)
    made = Script(request.param)
    yield made
    made.simulation.close()


def replaced(script: Script) -> Snapshot:
    """30 steps with a ball, then 20 with a box beside it."""
    script.steps(30)
    script.m, script.d = script.make(BALL + BOX)
    script.d.qpos[2] = 2.0
    script.simulation.set_model(*adopt(script.m, script.d))
    script.steps(20)
    return script.show(lambda s: s.model is not None and s.model.nbody == 3 and s.run.history.now == 50)


def test_the_timeline_goes_on(script: Script) -> None:
    snapshot = replaced(script)
    assert snapshot.state is not None and snapshot.state.qpos.shape == (14,)
    marks = [mark for branch in snapshot.run.history.branches for mark in branch.markers]
    assert [(mark.moment, mark.text) for mark in marks if mark.type is MarkerType.FILE] == [(30, REPLACED)]


def test_older_moments_have_the_older_model(script: Script) -> None:
    replaced(script)
    before = np.array(script.d.qpos)
    models = []
    show = script.simulation.live.show

    def spy(branch: int, step: int) -> bool:
        shown = show(branch, step)
        models.append(int(script.simulation.model.nbody))
        return shown

    script.simulation.live.show = spy  # type: ignore[method-assign]
    # one `sync`: the user goes back, and asks to go on from there
    script.simulation.send(cmd.GoTo(10))
    script.simulation.send(cmd.GoOn())
    script.simulation.sync()
    assert models == [2, 3]
    # the script goes on with its own model, in its own Data, as it left it
    assert script.simulation.model.nbody == 3
    assert np.array_equal(script.d.qpos, before)
    script.steps(5)
    shown = script.show(lambda s: s.run.history.now == 55)
    assert shown.model is not None and shown.model.nbody == 3
    assert np.array_equal(shown.state.qpos, script.d.qpos)  # type: ignore[union-attr]


def test_edits_of_the_user_go_along(script: Script) -> None:
    script.steps(5)
    script.simulation.send(cmd.SetField("geom_friction", 0.25, (1,), 0))
    script.show(lambda s: bool(s.journal.entries))
    assert script.m.geom_friction[1, 0] == 0.25
    script.m, script.d = script.make(BALL + BOX)
    script.simulation.set_model(*adopt(script.m, script.d))
    assert script.m.geom_friction[1, 0] == 0.25
    script.simulation.send(cmd.Undo())
    script.show(lambda s: not any(entry.in_force for entry in s.journal.entries))
    assert script.m.geom_friction[1, 0] == 1.0
