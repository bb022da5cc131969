"""A step in several ways: settings give what forward gives with them; a frozen step knows nothing of later edits."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import sim
from app.background.probe import Moment
from app.instruments.solver import solver_step
from app.instruments.solver.questions import FreezeQuestion, MatrixQuestion, StudyQuestion
from app.instruments.solver.solver_step import KEPT, Settings, SolverStep
from app.run.history.taken_rows import TakenMoment
from sim.analysis.solver.study import Study, study_step
from sim.enums import CONE_PYRAMIDAL, SOL_CG, SOL_PGS
from sim.script.contact_force import contact_forces
from sim.script.model_edits import edits_of
from tests.sim.analysis.solver.test_walk import prepared


def moment_of(m: sim.Model, d: sim.Data) -> Moment:
    taken = TakenMoment(m, edits_of(m), sim.copy_state(m, d), None, 0, 7, float(d.time))
    copy = m.copy()
    return Moment(taken, copy, sim.Data(copy))


def forwarded(m: sim.Model, d: sim.Data, settings: Settings) -> tuple[sim.Model, sim.Data]:
    """A copy of the model with other options, at the same state."""
    copy = m.copy()
    for path, value in settings:
        copy.write(path, type(copy.read(path))(value))
    data = sim.Data(copy)
    sim.restore_state(copy, data, sim.copy_state(m, d))
    sim.forward(copy, data)
    return copy, data


@pytest.mark.parametrize(
    "settings",
    [
        (),
        (("opt.solver", float(SOL_CG)),),
        (("opt.iterations", 3.0), ("opt.solver", float(SOL_PGS))),
        (("opt.cone", float(CONE_PYRAMIDAL)), ("opt.impratio", 7.0)),
        (("opt.noslip_iterations", 5.0),),
        (("opt.tolerance", 1e-3),),
        (("opt.jacobian", 1.0),),
    ],
    ids=str,
)
@pytest.mark.parametrize("frozen", [False, True])
def test_settings_give_what_forward_gives_with_them(settings: Settings, frozen: bool) -> None:
    m, d = prepared("Newton", "elliptic")
    moment = moment_of(m, d)
    step = SolverStep.frozen(moment) if frozen else SolverStep.shown(moment)
    expected = forwarded(m, d, settings)[1]
    for tree in range(m.ntree):
        study = step.study(settings, tree, None)
        assert study.walk is not None
        assert np.array_equal(study.walk.force[-1], expected.efc_force[study.walk.problem.rows])
        assert np.array_equal(study.acc, expected.qacc)
        if study.contact is not None:
            assert np.array_equal(study.contact.forces[-1], contact_forces(expected)[study.contact.contact.index])
    # the model is as it was
    assert moment.model.opt.solver == m.opt.solver and moment.model.opt.cone == m.opt.cone
    assert (moment.model.opt.iterations, moment.model.opt.impratio) == (m.opt.iterations, m.opt.impratio)


def test_a_frozen_step_knows_nothing_of_later_edits() -> None:
    m, d = prepared("Newton")
    moment = moment_of(m, d)
    step: SolverStep = FreezeQuestion(1).answer(moment)
    before = step.study((), -1, None)
    # the simulation goes on, with another friction, and the probe's copy gets its edits and state
    m.geom_friction[:] = 0.01
    m.opt.gravity[2] = -3.0
    sim.step(m, d, 50)
    moment.model.geom_friction[:] = 0.01
    moment.model.opt.gravity[2] = -3.0
    later = moment_of(m, d)
    again = StudyQuestion(step, (("opt.tolerance", 1e-11),), -1, None).answer(later)
    assert before.walk is not None and again.walk is not None
    assert again.walk.force[0] == pytest.approx(before.walk.force[0])
    assert again.acc == pytest.approx(before.acc, abs=1e-5)
    assert not np.allclose(StudyQuestion(None, (), -1, None).answer(later).acc, before.acc, atol=1e-2)


def test_nothing_is_computed_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    m, d = prepared("Newton")
    moment = moment_of(m, d)
    calls: list[Any] = []

    def counted(*arguments: Any) -> Study:
        calls.append(arguments)
        return study_step(*arguments)

    monkeypatch.setattr(solver_step, "study_step", counted)
    step = SolverStep.frozen(moment)
    question = StudyQuestion(step, (), -1, None)
    assert step.known((), -1, None) is None
    first = question.answer(moment)
    assert question.answer(moment) is first and step.known((), -1, None) is first and len(calls) == 1
    matrix = MatrixQuestion(question, "H", 1).answer(moment)
    assert MatrixQuestion(question, "H", 1).answer(moment) is matrix and len(calls) == 1
    assert step.known_matrix((), -1, "H", 1) is matrix and step.known_matrix((), -1, "H", 0) is None
    # questions about the shown moment share what they find
    StudyQuestion(None, (), -1, None).answer(moment)
    MatrixQuestion(StudyQuestion(None, (), -1, None), "J", 0).answer(moment)
    assert len(calls) == 2
    for k in range(KEPT + 1):
        step.study((("opt.tolerance", 1e-6 * (k + 1)),), -1, None)
    assert step.known((("opt.tolerance", 1e-6),), -1, None) is None


def test_a_matrix_where_nothing_is_solved() -> None:
    m = sim.loads("<mujoco><worldbody><body><joint/><geom size='.1'/></body></worldbody></mujoco>")
    moment = moment_of(m, sim.Data(m))
    assert MatrixQuestion(StudyQuestion(None, (), -1, None), "J", 0).answer(moment) is None


def test_columns_are_about_the_same_contact() -> None:
    m, d = prepared("Newton")
    step = SolverStep.frozen(moment_of(m, d))
    own, other = step.study((), -1, None), step.study((("opt.cone", float(CONE_PYRAMIDAL)),), -1, None)
    assert own.contact is not None and other.contact is not None
    assert own.contact.contact.geoms == other.contact.contact.geoms
    assert own.contact.contact.position == pytest.approx(other.contact.contact.position)
