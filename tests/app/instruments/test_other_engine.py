"""Questions, plots and forces of a model of another engine: what is computed is computed by that engine."""

from __future__ import annotations

import numpy as np
import pytest

import sim
from app.background.model_copies import ModelCopies
from app.background.probe import Moment
from app.background.row_source import RowSource
from app.instruments.contact.question import PathQuestion, TouchQuestion
from app.instruments.forces.question import ForceQuestion
from app.run.history.excerpt import Excerpt
from app.run.history.taken_rows import TakenMoment, TakenRows
from sim.edits import NO_EDITS
from sim.recording.run import Block, Branch, Run, Segment
from tests.sim.other_engine import UpsideDownModel, turned
from tests.sim.recording.made_runs import InMemory

XML = """<mujoco><option gravity='0 0 -10'/><worldbody>
<geom name='ceiling' type='plane' size='1 1 1' euler='180 0 0' pos='0 0 1'/>
<body name='ball' pos='0 0 .95'><freejoint/><geom name='ball' size='.1' mass='1'/></body>
<body name='free' pos='0 3 .5'><freejoint/><geom name='free' size='.1' mass='1'/></body></worldbody></mujoco>"""


@pytest.fixture
def model() -> sim.Model:
    return turned(sim.loads(XML))


@pytest.fixture
def moment(model: sim.Model) -> Moment:
    d = sim.Data(model)
    taken = TakenMoment(model, NO_EDITS, sim.copy_state(model, d), object(), 0, 0, 0.0)
    copy = ModelCopies().of(model)
    assert isinstance(copy.model, UpsideDownModel)
    return Moment(taken, copy.model, copy.data)


def test_a_moment_is_forwarded_by_the_engine(moment: Moment) -> None:
    assert moment.data.qacc[8] == pytest.approx(10.0)


def test_the_applied_acceleration_is_that_of_a_step_of_the_engine(moment: Moment) -> None:
    answer = ForceQuestion("body", 2).answer(moment)
    assert answer.applied[2] == pytest.approx(10.0)
    # what falls up without a known reason
    assert answer.shares.total[2] == pytest.approx(10.0)


def test_contacts_at_the_ceiling(moment: Moment) -> None:
    touch = TouchQuestion(0, 1).answer(moment)
    (contact,) = touch.contacts
    assert contact.normal > 10.0
    path = PathQuestion(0, 1).answer(moment)
    assert path is not None


def test_rows_are_evaluated_by_the_engine(model: sim.Model) -> None:
    source = RowSource(lambda command: None)
    row = sim.get_state(model, sim.Data(model), sim.record_signature(model))
    found = source.values((TakenRows(model, NO_EDITS, np.array([0]), row[None]),), ("d.qacc[8]", "d.qpos[2]"))
    assert found.values[:, 0] == pytest.approx([10.0, 0.95])


def test_excerpts_are_computed_by_the_engine(model: sim.Model) -> None:
    row = sim.get_state(model, sim.Data(model), sim.record_signature(model))
    segment = Segment(0, 50, 0, NO_EDITS, 0.0, float(model.opt.timestep), None, [Block(0, 1, InMemory(row[None]))])
    excerpt = Excerpt(0, (50,), Run({0: Branch(0, segments=[segment])}), [model])
    found = RowSource(lambda command: None).values((excerpt,), ("d.qvel[8]",))
    assert found.values[0, 0] == pytest.approx(10.0 * 50 * model.opt.timestep)
