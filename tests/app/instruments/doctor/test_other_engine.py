"""The doctor examines a model of another engine with that engine."""

from __future__ import annotations

import pytest

import sim
from app.instruments.doctor.growth import state_at
from app.instruments.doctor.short_run import short_run
from app.instruments.doctor.subject import Subject
from app.instruments.doctor.trial import examine_explosion, run_with
from tests.app.instruments.doctor.exploding import PLANTED
from tests.sim.other_engine import UpsideDownModel, turned

BALL = """<mujoco><option gravity='0 0 -10'/><worldbody>
<body name='ball' pos='0 0 1'><freejoint/><geom size='.1' mass='1'/></body></worldbody>
<keyframe><key name='home' qpos='0 0 2 1 0 0 0'/></keyframe></mujoco>"""


def test_it_looks_at_what_the_engine_computes() -> None:
    model = turned(sim.loads(BALL))
    assert Subject(model).data.qacc[2] == pytest.approx(10.0)
    run = short_run(model)
    assert run.start(model).qpos[2] == 2.0
    assert run.moments[-1].qvel[2] == pytest.approx(10.0)
    assert isinstance(run.moments[-1].model, UpsideDownModel)
    row = sim.get_state(model, sim.Data(model), sim.record_signature(model))
    assert state_at(model, row).qacc[2] == pytest.approx(10.0)


def test_an_explosion_is_repeated_by_the_engine() -> None:
    """Negative damping throws the arm some time later: upside down at another time."""
    planted = PLANTED["negative damping"]
    model, data = planted.load()
    ours, theirs = examine_explosion(model, data), examine_explosion(turned(model.copy()), data)
    assert ours is not None and theirs is not None
    assert theirs.findings[0].check == planted.check
    assert abs(theirs.time - ours.time) > 0.05
    again = run_with(theirs.course, ())
    assert not again.survived
    # at the last sane moment it is where it was
    assert again.differs == 0.0
