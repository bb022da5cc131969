"""Reports on explosions whose cause is known: the culprit is named first, and one of its fixes holds.

Also app/instruments/doctor/culprits.py, remedies.py and stiffness.py, which find and mend it.
"""

from __future__ import annotations

import numpy as np
import pytest

import sim
from app.instruments.doctor import remedies
from app.instruments.doctor.divergence_report import report_on
from app.instruments.doctor.finding import Severity
from app.instruments.doctor.stiffness import stiffnesses
from app.instruments.doctor.trial import examine_explosion, run_with
from app.run.edited_cells import edits_with
from sim.enums import INT_DISCRETE, INT_IMPLICITFAST, SOL_CG, SOL_NEWTON, SOL_PGS
from sim.script.model_edits import edits_of
from tests.app.instruments.doctor.exploding import PLANTED, arm, rows_of


@pytest.mark.parametrize("name", PLANTED)
def test_the_culprit_is_named_and_one_of_its_fixes_survives(name: str) -> None:
    planted = PLANTED[name]
    model, data = planted.load()
    found = examine_explosion(model, data)
    assert found is not None
    first = found.report.findings[0]
    assert (first.check, first.selection) == (planted.check, planted.selection(model))
    assert first.severity is Severity.ERROR
    assert any(run_with(found.course, (fix,)).survived for fix in first.fixes)
    # without a fix it does not survive what it survives with one
    assert not run_with(found.course, ()).survived


def test_nothing_is_said_about_a_run_that_is_sound() -> None:
    model = sim.loads(arm())
    assert examine_explosion(model, None, 2.0) is None


@pytest.mark.parametrize("name", ["servo", "contact", "negative damping"])
def test_the_last_sane_step_comes_before_absurd_speeds(name: str) -> None:
    model, data = PLANTED[name].load()
    rows = rows_of(model, data, 1000)
    found = report_on(model, rows)
    speeds = np.abs(rows[:, 1 + model.nq : 1 + model.nq + model.nv]).max(axis=1)
    assert speeds[found.sane] < 30
    assert speeds[-1] > 1e4
    assert found.time == rows[found.sane, 0]


def test_generic_fixes_come_last_and_always() -> None:
    model, data = PLANTED["negative damping"].load()
    found = report_on(model, rows_of(model, data, 1000))
    texts = [fix.text for fix in found.fixes]
    assert texts[0] == "make its damping positive: 0.025"
    assert "integrator implicitfast" in texts
    assert any(text.startswith("timestep / 2") for text in texts)
    assert any(text.startswith("soften all contacts") for text in texts)
    assert len(found.fixes) == len({fix.edits for fix in found.fixes})


# ---- stiffness


def pendulum(option: str, joint: str = "", actuator: str = "") -> sim.Model:
    """A hinge with an inertia of 0.01."""
    return sim.loads(
        f"<mujoco><option timestep='.01' gravity='0 0 0' {option}><flag autoreset='disable'/></option>"
        f"<worldbody><body><joint name='hinge' {joint}/>"
        "<inertial pos='0 0 0' mass='1' diaginertia='.01 .01 .01'/></body></worldbody>"
        f"<actuator>{actuator}</actuator></mujoco>"
    )


def grows(model: sim.Model) -> bool:
    """Whether a small motion grows."""
    data = sim.Data(model)
    data.qvel[0] = 1e-6
    sim.step(model, data, 400)
    return not abs(data.qvel[0]) < 1e-3


@pytest.mark.parametrize("side", [0.97, 1.03])
@pytest.mark.parametrize(
    ("option", "joint", "actuator", "critical"),
    [
        # k h² = 4 I
        ("", "stiffness='{0}'", "", 400.0),
        ("", "", "<position joint='hinge' kp='{0}'/>", 400.0),
        # 2 b h = 4 I
        ("", "", "<velocity joint='hinge' kv='{0}'/>", 2.0),
        # k h² = 4 I + 2 b h, where the damping is implicit
        ("", "stiffness='{0}' damping='1'", "", 600.0),
        ("integrator='implicitfast'", "", "<position joint='hinge' kp='{0}' kv='1'/>", 600.0),
    ],
)
def test_ratio_is_one_where_a_motion_begins_to_grow(
    option: str, joint: str, actuator: str, critical: float, side: float
) -> None:
    model = pendulum(option, joint.format(critical * side), actuator.format(critical * side))
    data = sim.Data(model)
    sim.forward(model, data)
    worst = max(stiffnesses(model, data), key=lambda element: element.ratio)
    assert worst.inertia == pytest.approx(0.01)
    assert worst.ratio == pytest.approx(side, rel=0.02)
    assert (worst.ratio > 1) is grows(model) is (side > 1)


def test_negative_stiffness_and_damping_have_a_rate() -> None:
    model = pendulum("", "stiffness='-1' damping='-.02'")
    data = sim.Data(model)
    sim.forward(model, data)
    rates = sorted(element.rate for element in stiffnesses(model, data))
    assert rates == pytest.approx([2.0, 10.0])


@pytest.mark.parametrize("solver", [SOL_PGS, SOL_CG, SOL_NEWTON])
def test_the_discrete_integrator_bears_stiff_servos_springs_and_contacts(solver: int) -> None:
    """What the doctor says of it is what a run does; with PGS servos are not in its metric."""
    servo = "<position joint='hinge' kp='4000' kv='.1'/>"
    model = pendulum("", "stiffness='3000'", servo)
    model.opt.integrator, model.opt.solver = INT_DISCRETE, solver
    data = sim.Data(model)
    sim.forward(model, data)
    worst = max(element.ratio for element in stiffnesses(model, data))
    assert (worst > 1) is grows(model) is (solver == SOL_PGS)


CABLE = """<mujoco><worldbody><body><joint name="j"/><geom size=".1"/></body></worldbody><tendon>
  <fixed stiffness="50" springyield=".01" springlength="0 .1"><joint joint="j" coef="1"/></fixed></tendon></mujoco>"""


def test_a_plastic_tendon_is_slack_where_it_rests() -> None:
    """A cable that has yielded is slack below its new length, whatever its springlength in the file."""
    model = sim.loads(CABLE)
    data = sim.Data(model)
    for length, slack in ((0.3, False), (0.25, True)):
        data.qpos[0] = length
        sim.forward(model, data)
        assert ("tendon spring" not in {element.source.kind for element in stiffnesses(model, data)}) is slack
        data.plastic[:] = (0.0, 0.29)


# ---- remedies


def test_a_remedy_brings_the_ratio_down() -> None:
    model = pendulum("", "", "<position joint='hinge' kp='4000' kv='1'/>")
    data = sim.Data(model)
    sim.forward(model, data)
    (element,) = stiffnesses(model, data)
    fixes = remedies.servo(model, 0, element)
    assert len(fixes) == 5 and fixes[-1].text == "integrator discrete"
    for fix in fixes:
        copy = model.copy()
        sim.apply_edits(copy, edits_with(copy, edits_of(copy), fix.edits))
        sim.forward(copy, other := sim.Data(copy))
        ratios = [mended.ratio for mended in stiffnesses(copy, other)]
        # implicit damping alone does not bear the stiffness
        assert max(ratios) < element.ratio
        assert (max(ratios) < 1) is (copy.opt.integrator != INT_IMPLICITFAST)
