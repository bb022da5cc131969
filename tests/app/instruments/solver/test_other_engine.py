"""Steps of MuJoCo: its iterations equal its own statistics too, and other settings are tried with it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import sim
from app.background.probe import Moment
from app.instruments.solver.questions import MatrixQuestion, StudyQuestion
from app.instruments.solver.solver_step import SolverStep
from app.run.engine.mujoco_engine import MujocoEngine
from app.run.history.taken_rows import TakenMoment
from sim.analysis.solver.problem import WHOLE
from sim.analysis.solver.study import study_step
from sim.edits import NO_EDITS
from sim.enums import NSOLVER, SOL_CG, SOL_PGS
from tests.sim.analysis.solver.test_walk import XML

PARTS = {"integrator": "Euler", "jacobian": "dense", "island": "enable", "condim": 3}


def loaded(folder: Path, solver: str, cone: str, noslip: int, **more: str) -> tuple[sim.Model, sim.Data]:
    file = folder / "m.xml"
    file.write_text(XML.format(solver=solver, cone=cone, noslip=noslip, **PARTS | more), encoding="utf-8")
    engine = MujocoEngine()
    m = engine.load(str(file))
    d = engine.Data(m)
    engine.step(m, d, 12)
    d.qvel[:] += 0.3 * np.random.default_rng(3).normal(size=m.nv)
    engine.forward(m, d)
    return m, d


@pytest.mark.parametrize("island", ["enable", "disable"])
@pytest.mark.parametrize("noslip", [0, 3])
@pytest.mark.parametrize("cone", ["elliptic", "pyramidal"])
@pytest.mark.parametrize("solver", ["PGS", "CG", "Newton"])
def test_iterations_equal_the_statistics_of_mujoco(
    tmp_path: Path, solver: str, cone: str, noslip: int, island: str
) -> None:
    m, d = loaded(tmp_path, solver, cone, noslip, island=island)
    walk = study_step(m, d).walk
    assert walk is not None and (walk.problem.island == WHOLE) == (island == "disable")
    assert walk.iterations[-1] - walk.solver == noslip
    at = max(walk.problem.island, 0)
    improvement, gradient = (
        np.asarray(getattr(d.solver, name)).reshape(-1, NSOLVER)[at] for name in ("improvement", "gradient")
    )
    assert walk.solver > 3
    for k in range(1, len(walk.iterations)):
        assert walk.improvement[k] == pytest.approx(improvement[k - 1], rel=1e-5, abs=1e-10 * walk.cost[0])
        if solver != "PGS" and k <= walk.solver:
            assert walk.gradient[k] == pytest.approx(gradient[k - 1], rel=1e-5, abs=1e-10 * walk.gradient[0])


def test_a_metric_that_it_does_not_report(tmp_path: Path) -> None:
    m, d = loaded(tmp_path, "Newton", "elliptic", 0, integrator="discrete")
    with pytest.raises(ValueError, match=r"MuJoCo .* does not report the metric"):
        study_step(m, d)


def test_other_settings_are_tried_with_it(tmp_path: Path) -> None:
    m, d = loaded(tmp_path, "Newton", "elliptic", 0)
    taken = TakenMoment(m, NO_EDITS, m.engine.copy_state(m, d), None, 0, 0, 0.0)
    copy = m.copy()
    moment = Moment(taken, copy, copy.engine.Data(copy))
    step = SolverStep.frozen(moment)
    own = step.study((), -1, None)
    assert np.array_equal(own.acc, d.qacc)
    for solver in (SOL_CG, SOL_PGS):
        question = StudyQuestion(step, (("opt.solver", float(solver)),), -1, None)
        other = question.answer(moment)
        assert other.walk is not None and other.walk.method == solver
        assert other.acc == pytest.approx(own.acc, rel=0.2, abs=20.0) and not np.array_equal(other.acc, own.acc)
        assert MatrixQuestion(question, "H", 0).answer(moment) is not None
    assert copy.opt.solver == m.opt.solver
