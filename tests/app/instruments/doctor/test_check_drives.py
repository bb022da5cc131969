"""Doctor: joints, actuators, and what is too stiff for the timestep, each fault beside its healthy sibling."""

from __future__ import annotations

import numpy as np
import pytest

import sim
from app.instruments.doctor.checks.actuators import check_actuators
from app.instruments.doctor.checks.joints import check_joints
from app.instruments.doctor.checks.stability import check_stability
from app.instruments.doctor.finding import Severity
from app.instruments.doctor.growing_modes import growing_modes
from app.instruments.doctor.subject import Subject
from tests.app.instruments.doctor.cured import cured
from tests.app.instruments.doctor.small import Check, actuated, arm, first, found

ARMED = "armature='.1'"
SERVO = "position kp='20' kv='1'"


def fingers(last: str) -> sim.Model:
    """Five small links with armature but for the last."""
    bodies = "".join(
        f"<body pos='{k} 0 0'><joint name='j{k}' axis='0 1 0' {last if k == 4 else ARMED}/><geom size='.02'/></body>"
        for k in range(5)
    )
    return sim.loads(f"<mujoco><worldbody>{bodies}</worldbody></mujoco>")


def doubled(axis: str) -> sim.Model:
    return sim.loads(f"""<mujoco><worldbody><body name='b'><joint name='i' axis='0 1 0'/><joint name='j' axis='{axis}'/>
        <geom size='.1' pos='.2 0 0'/></body></worldbody></mujoco>""")


FAULTY = (
    (check_joints, arm(elbow="damping='-1'"), "damping-negative: joint elbow"),
    (check_joints, arm(elbow="frictionloss='1e4'"), "friction-locks: joint elbow"),
    (check_joints, arm(elbow="damping='1e6'"), "damping-locks: joint elbow"),
    (check_joints, fingers(""), "armature: joint j4"),
    (check_actuators, actuated("position kp='-20'"), "servo-feedback: actuator a"),
    (check_actuators, actuated("velocity kv='-1'"), "servo-feedback: actuator a"),
    (check_actuators, actuated("position kp='.02'", elbow="range='-90 90'"), "servo-weak: actuator a"),
    (check_actuators, actuated("position kp='20' forcerange='-.01 .01'"), "force-weak: actuator a"),
    (check_actuators, actuated("motor gear='0'"), "gear-zero: actuator a"),
    (
        check_actuators,
        actuated("motor gear='1e6' ctrlrange='-1 1'", elbow="range='-90 90'"),
        "actuator-throws: actuator a",
    ),
    (check_actuators, actuated("general dyntype='filter' dynprm='30'"), "activation-time: actuator a"),
    (check_stability, arm(elbow="stiffness='1e6'"), "unstable: joint elbow"),
    (check_stability, actuated("position kp='1e6'"), "unstable: actuator a"),
    (check_stability, actuated("velocity kv='1e4'"), "unstable: actuator a"),
    (check_stability, arm("integrator='RK4'", elbow="damping='1e4'"), "unstable: joint elbow"),
)
HEALTHY = (
    arm(elbow="damping='1' stiffness='10' frictionloss='.1'"),
    arm(elbow="damping='100'"),
    fingers(ARMED),
    # heavy enough without
    arm(joint=ARMED),
    actuated(SERVO, elbow="range='-90 90'"),
    actuated("position kp='200' forcerange='-20 20'"),
    actuated("motor gear='10' ctrlrange='-1 1'", elbow="range='-90 90'"),
    actuated("general dyntype='filter' dynprm='.03'"),
    # implicit damping
    actuated("velocity kv='1e2'", option="integrator='implicitfast'"),
    doubled("1 0 0"),
)


@pytest.mark.parametrize(("check", "model", "name"), FAULTY)
def test_fault_is_found_and_its_fix_cures_it(check: Check, model: sim.Model, name: str) -> None:
    assert found(check, model) == [name]
    assert not found(check, cured(model, first(check, model).fixes[0]))


@pytest.mark.parametrize("model", HEALTHY)
@pytest.mark.parametrize("check", [check_joints, check_actuators, check_stability])
def test_healthy(check: Check, model: sim.Model) -> None:
    assert not found(check, model)


def test_two_joints_on_one_axis() -> None:
    assert found(check_joints, doubled("0 -1 0")) == ["axis-twice: joint j"]


@pytest.mark.parametrize(("joint", "rest", "severity"), [
    ("", "", Severity.ERROR),
    ("armature='.01'", "", Severity.WARNING),
    ("", "<equality><joint joint1='j' joint2='i' polycoef='0 .2 0 0 0'/></equality>", Severity.NOTE),
], ids=("alone", "armature", "equality"))  # fmt: skip
def test_two_joints_on_one_axis_are_an_error_where_nothing_tells_them_apart(
    joint: str, rest: str, severity: Severity
) -> None:
    model = sim.loads(f"""<mujoco><worldbody><body><joint name='i' axis='0 1 0'/><joint name='j' axis='0 1 0' {joint}/>
        <geom size='.1'/></body></worldbody>{rest}</mujoco>""")
    assert first(check_joints, model).severity is severity


def test_servo_on_a_fine_scale() -> None:
    elbow = "range='-90 90'"
    assert found(check_actuators, actuated("position kp='.01' ctrlrange='-1.5 1.5' gear='100'", elbow=elbow)) == [
        "servo-narrow: actuator a"
    ]


@pytest.mark.parametrize(("gain", "kept"), [("kp='4e5'", 1e4), ("kv='450'", 20.0)], ids=("kp", "kv"))
def test_one_fix_is_for_all_alike_and_takes_no_more_than_it_must(gain: str, kept: float) -> None:
    """Half of what the timestep bears, of every servo that has too much: afterwards nothing is found."""
    model = arm(joint=ARMED, elbow=ARMED, rest=f"""<actuator><position joint='shoulder' {gain}/>
        <position joint='elbow' {gain}/><position joint='elbow' kp='1'/></actuator>""")  # fmt: skip
    (fix,) = {fix for finding in check_stability(Subject(model)) for fix in finding.fixes if "2 actuators" in fix.text}
    healed = cured(model, fix)
    assert not found(check_stability, healed)
    column = 1 if "kp" in gain else 2
    before, after = (-np.asarray(m.actuator_biasprm)[:, column] for m in (model, healed))
    assert (after[:2] < before[:2]).all() and (after[:2] > kept).all() and after[2] == before[2]
    # at twice of it, something is found again
    healed.actuator_biasprm[:2, column] *= 4.5 if "kp" in gain else 2.3
    assert found(check_stability, healed)


def test_force_limit_bounds_the_growth() -> None:
    assert first(check_stability, actuated("position kp='1e6'")).severity == Severity.ERROR
    limited = actuated("position kp='1e6' forcerange='-20 20'")
    assert first(check_stability, limited).severity == Severity.WARNING


@pytest.mark.parametrize("phase", [1.9, 2.1])
@pytest.mark.parametrize("integrator", ["Euler", "implicitfast"])
def test_stable_up_to_two_radians_a_step(integrator: str, phase: float) -> None:
    # a slide of 1 kg on a spring, without gravity: unstable from sqrt(k) h = 2 on, as the simulation shows
    model = sim.loads(f"""<mujoco><option timestep='.01' gravity='0 0 0' integrator='{integrator}'/><worldbody>
        <body><joint type='slide' stiffness='{(phase / 0.01) ** 2}'/><geom size='.1' mass='1'/></body></worldbody>
        </mujoco>""")
    assert bool(growing_modes(Subject(model))) == (phase > 2)
    data = sim.Data(model)
    data.qpos[0] = 1e-6
    sim.step(model, data, nstep=40)
    assert (np.abs(data.qpos[0]) > 1e-3) == (phase > 2)


def test_load_of_a_link() -> None:
    subject = Subject(actuated("motor gear='5' ctrlrange='-2 3'"))
    mass, length = float(subject.model.body_mass[2]), 0.15
    assert abs(subject.gravity_load(1) - mass * 9.81 * length) < 1e-9
    assert subject.force_limit(0) == 15


@pytest.mark.parametrize(
    ("attribute", "value", "name"), [("frictionloss", 3, "friction-locks"), ("damping", 30, "damping-locks")]
)
def test_only_friction_of_a_tree(attribute: str, value: float, name: str) -> None:
    # a chain of five, of which the tip has a friction that its weight does not overcome
    link, chain = "<geom type='capsule' fromto='0 0 0 .2 0 0' size='.02'/>", ""
    for k in range(5):
        own = 0 if k else value
        chain = f"<body pos='.2 0 0'><joint name='j{k}' axis='0 1 0' {attribute}='{own}'/>{link}{chain}</body>"
    model = sim.loads(f"<mujoco><worldbody>{chain}</worldbody></mujoco>")
    assert found(check_joints, model) == [f"{name}: joint j0"]
    getattr(model, f"dof_{attribute}")[:] = value
    assert not found(check_joints, model)


def test_armature_of_driven_joints_beside_a_root_without() -> None:
    root = "".join(f"<joint type='slide' axis='{axis}'/>" for axis in ("1 0 0", "0 1 0", "0 0 1"))
    links = "".join(
        f"<body pos='{k} 0 0'><joint name='j{k}' {'' if k == 5 else ARMED}/><geom size='.02'/></body>" for k in range(6)
    )
    motors = "".join(f"<motor joint='j{k}'/>" for k in range(6))
    model = sim.loads(f"""<mujoco><worldbody><body>{root}<geom size='.1'/>{links}</body></worldbody>
        <actuator>{motors}</actuator></mujoco>""")
    assert found(check_joints, model) == ["armature: joint j5"]


def test_heavy_joint_needs_no_armature() -> None:
    heavy = fingers("damping='0'/><geom size='.3' pos='0 0 1'")
    assert not found(check_joints, heavy)


def test_muscle_that_throws_its_joint() -> None:
    muscle = "muscle force='{}' lengthrange='0 1'"
    model = actuated(muscle.format(1e7))
    assert found(check_actuators, model) == ["actuator-throws: actuator a"]
    assert not found(check_actuators, cured(model, first(check_actuators, model).fixes[0]))
    assert not found(check_actuators, actuated(muscle.format(10)))
    assert Subject(model).force_limit(0) == 1e7
