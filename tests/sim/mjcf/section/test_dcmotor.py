"""Parameters of DC motors against MuJoCo: those given, those of the class, and what is refused."""

import mujoco
import numpy as np
import pytest

import sim

FIELDS = ["gainprm", "biasprm", "dynprm", "ctrlspec", "ctrlnum", "actnum", "forcerange", "forcelimited"]


def motor(attributes: str, default: str = "") -> str:
    return (
        f"<mujoco><default>{default}</default><worldbody><body><joint name='j'/><geom size='.1'/></body></worldbody>"
        f"<actuator><dcmotor joint='j' {attributes}/></actuator></mujoco>"
    )


BASE = "motorconst='.5' resistance='2' "
NONE = "motorconst='0' resistance='2' input='none' "
GIVEN = [
    "motorconst='.5 .4' resistance='2'",
    "motorconst='0 .4' resistance='2'",
    NONE,
    NONE + "inductance='.1' thermal='1 2' lugre='10 1 .1 .3 .5' cogging='.1 6 .2'",
    BASE + "thermal='2 3'",
    # three numbers that contradict each other: the capacity gives way
    BASE + "thermal='2 3 .4 .004 25 20'",
    BASE + "thermal='2 -3 6'",
    BASE + "thermal='0 3 6'",
    BASE + "lugre='-10 1 .1 .3 .5'",
    BASE + "saturation='0 2 3' inductance='.1'",
    BASE + "saturation='1 2 -3'",
    BASE + "controller='1 1 1 1 1 -1' input='pos'",
]
# attributes of a class -> of a motor in it
INHERITED = {
    "saturation='.3 4 5' inductance='.01'": ["", "saturation='0'", "saturation='0 0 0'", "saturation='0 2'"],
    "inductance='.01'": ["", "inductance='0'", "inductance='0 .3'", "resistance='4'"],
    "thermal='1 2 2 .1 20 30'": ["", "thermal='0 0'", "thermal='2'", "thermal='2 3 7'", "thermal='0 3 7'"],
    "lugre='10 1 .1 .3 .5'": ["", "lugre='0'", "lugre='5'"],
    "controller='3 4 5 6 .1 2' input='pos vel'": [
        "",
        "controller='1 1 1 1 1 0'",
        "input='voltage' controller='0 0 0 0'",
    ],
    "nominal='12 3 20'": ["", "motorconst='0' input='none'", "resistance='3'"],
}
MOTORS = [motor(given) for given in GIVEN]
MOTORS += [
    motor(own, f"<dcmotor {'' if 'nominal' in of_class else BASE} {of_class}/>")
    for of_class, motors in INHERITED.items()
    for own in motors
]
MOTORS += [motor(BASE + own, "<general forcerange='-1 1'/>") for own in ("", "saturation='0'", "saturation='.1'")]


@pytest.mark.parametrize("xml", MOTORS)
def test_parameters(xml):
    mj, m = mujoco.MjModel.from_xml_string(xml), sim.loads(xml)
    for name in FIELDS:
        ours, theirs = m.read(f"actuator_{name}"), getattr(mj, f"actuator_{name}")
        assert np.allclose(ours, theirs, rtol=1e-14, atol=0), name


@pytest.mark.parametrize(
    ("attributes", "message"),
    [
        ("resistance='2'", "the motor constant is not positive"),
        ("motorconst='-.5 .4' resistance='2'", "motorconst is -0.5"),
        ("motorconst='.5 -.4' resistance='2'", "motorconst is -0.4"),
        ("motorconst='0' resistance='2' input='ff'", "the motor constant is not positive"),
        ("motorconst='.5' input='none'", "the resistance is not positive"),
        (BASE + "thermal='2'", "thermal resistance and capacity must be positive"),
        (BASE + "inductance='-1'", "inductance is -1"),
    ],
)
def test_refused(attributes, message):
    with pytest.raises(ValueError, match=r"DC motor|dcmotor"):
        mujoco.MjModel.from_xml_string(motor(attributes))
    with pytest.raises(sim.MjcfError, match=message):
        sim.loads(motor(attributes))


def test_a_passive_motor_has_no_current():
    """Without a motor constant only friction and cogging act on the joint."""
    xml = motor(NONE + "lugre='10 1 .1 .3 .5' cogging='.1 6 .2'")
    mj, m = mujoco.MjModel.from_xml_string(xml), sim.loads(xml)
    dj, d = mujoco.MjData(mj), sim.Data(m)
    dj.qvel[0] = d.qvel[0] = 3
    mujoco.mj_step(mj, dj, 20)
    sim.step(m, d, 20)
    assert d.actuator_force[0] != 0
    assert d.actuator_force == pytest.approx(dj.actuator_force, rel=1e-12)
    assert d.qvel == pytest.approx(dj.qvel, rel=1e-12)
