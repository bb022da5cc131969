"""Trials of fixes: what survives is sound, inputs are repeated, results are the same each time."""

from __future__ import annotations

import numpy as np
import pytest

import sim
from app.instruments.doctor.divergence_report import DivergenceReport
from app.instruments.doctor.finding import Fix
from app.instruments.doctor.trial import AFTER, Course, Part, course_of, examine_explosion, ordered, run_with, try_fixes
from app.run.commands import SetField, SetFlag
from sim.edits import NO_EDITS
from sim.enums import DSBL_AUTORESET, DSBL_REFSAFE, ENBL_SLEEP
from sim.recording.run import Change
from sim.script.model_edits import edits_of
from tests.app.instruments.doctor.exploding import PLANTED, arm, rows_of

CALM = Fix("calm", (SetField("actuator_gainprm", 1.0, (2,), 0, (SetField("actuator_biasprm", -1.0, (2,), 1),)),))


def exploding(name: str = "servo") -> tuple[Course, DivergenceReport]:
    """What is repeated of a planted explosion."""
    model, data = PLANTED[name].load()
    found = examine_explosion(model, data)
    assert found is not None
    return found.course, found.report


def test_results_are_the_same_each_time() -> None:
    course, found = exploding()
    assert try_fixes(course, found.fixes) == try_fixes(course, found.fixes)


def test_the_models_of_others_are_left_alone() -> None:
    model, data = PLANTED["servo"].load()
    before, state = model.copy(), sim.copy_state(model, data)
    found = examine_explosion(model, data)
    assert found is not None
    try_fixes(found.course, found.report.fixes)
    for kept in (model, found.course.model):
        assert kept.opt.disableflags == before.opt.disableflags
        assert not edits_of(kept).cells
    assert np.array_equal(model.actuator_gainprm, before.actuator_gainprm)
    assert all(np.array_equal(sim.copy_state(model, data)[key], value) for key, value in state.items())


@pytest.mark.parametrize("autoreset", [True, False])
def test_with_and_without_autoreset(autoreset: bool) -> None:
    model, data = PLANTED["servo"].load()
    if not autoreset:
        model.opt.disableflags |= DSBL_AUTORESET
    found = examine_explosion(model, data)
    assert found is not None
    assert run_with(found.course, (CALM,)).survived
    failed = run_with(found.course, ())
    assert not failed.survived
    assert failed.time <= found.time + float(model.opt.timestep)
    assert failed.text == f"diverged at {failed.time:.3g} s"


def test_not_being_nan_is_not_enough() -> None:
    # a spring that pushes away from its middle, slowly: no bad number within the trial
    text = arm("timestep='.002' gravity='0 0 0'", wrist="stiffness='-.004'", servo="kp='0'")
    model = sim.loads(text)
    data = sim.Data(model)
    data.qpos[-1] = 3e-2
    rows = rows_of(model, data, 200)
    assert len(rows) == 201
    course = course_of(model, rows, DivergenceReport(200, 0.4, (), ()))
    assert run_with(course, ()).why == "still grows"
    stopped = Fix("stop", (SetField("jnt_stiffness", 0.0, (3,)),))
    assert run_with(course, (stopped,)).survived
    # faster than a sane model is not survival either
    data.qvel[-1] = 1e4
    course = course_of(model, rows_of(model, data, 3), DivergenceReport(0, 0.0, (), ()))
    assert run_with(course, ()).why == "diverged"


def test_inputs_of_then_are_repeated() -> None:
    model = sim.loads(arm())
    data = sim.Data(model)
    half = rows_of(model, data, 100)
    # the user sets a control, and edits gravity
    data.ctrl[1] = 0.5
    signature = sim.record_signature(model)
    changed = sim.get_state(model, data, signature)
    differs = np.flatnonzero(changed != half[-1])
    assert len(differs) == 1
    rest = rows_of(model, data, 200)
    rows = np.concatenate([half, rest[1:]])
    found = DivergenceReport(len(rows) - 1, float(rows[-1, 0]), (), ())
    step = float(model.opt.timestep)
    parts = (
        Part(100 * step, NO_EDITS),
        Part(200 * step, NO_EDITS, Change(differs.astype(np.int32), changed[differs])),
    )
    same = run_with(course_of(model, rows, found, parts), ())
    assert same.survived
    assert same.differs < 1e-9
    constant = run_with(course_of(model, rows, found), ())
    assert constant.differs > 0.1
    # with a fifth of the timestep the control comes at the same time
    finer = Fix("finer", (SetField("opt.timestep", step / 5),))
    assert run_with(course_of(model, rows, found, parts), (finer,)).differs < 0.02


def test_it_lasts_a_second_longer() -> None:
    course, _ = exploding()
    verdict = run_with(course, (CALM,))
    assert verdict.time == pytest.approx(float(course.start[0]) + course.seconds + AFTER, abs=0.01)


def test_two_together_where_none_helps_alone() -> None:
    # two servos, each of which explodes
    text = arm(servo="kp='2000'").replace("joint='elbow' kp='100'", "joint='elbow' kp='1e6'")
    model = sim.loads(text)
    data = sim.Data(model)
    data.ctrl[1:3] = 0.2
    found = examine_explosion(model, data)
    assert found is not None
    elbow = Fix("elbow", (SetField("actuator_gainprm", 9.0, (1,), 0), SetField("actuator_biasprm", -9.0, (1,), 1)))
    told: list[str] = []
    verdicts = try_fixes(found.course, (elbow, CALM), lambda verdict: told.append(verdict.text) or True)
    assert [verdict.survived for verdict in verdicts] == [False, False, True]
    assert verdicts[2].fixes in {(elbow, CALM), (CALM, elbow)}
    assert len(told) == 3
    assert ordered(verdicts)[0] is verdicts[2]


def test_trials_can_be_ended() -> None:
    course, found = exploding()
    assert len(try_fixes(course, found.fixes, lambda verdict: False)) == 1


def test_flags_are_fixes_too() -> None:
    course, _ = exploding("contact")
    safe = Fix("refsafe", (SetFlag("opt.disableflags", DSBL_REFSAFE, False),))
    assert run_with(course, (safe,)).survived


def test_a_fix_that_cannot_be_made_is_not_one() -> None:
    course, _ = exploding()
    wrong = Fix("wrong", (SetField("opt.timestep", float("nan")),))
    verdict = run_with(course, (wrong,))
    assert not verdict.survived
    assert "cannot be tried" in verdict.text


def test_a_fix_may_change_what_a_state_holds() -> None:
    course, _ = exploding()
    asleep = SetFlag("opt.enableflags", ENBL_SLEEP, True)
    assert run_with(course, (Fix("sleep", (asleep,)),)).why == "diverged"
    assert run_with(course, (CALM, Fix("sleep", (asleep,)))).survived
