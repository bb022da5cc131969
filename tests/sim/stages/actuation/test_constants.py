"""Spec A, constants of actuators: its acceptance criteria, checked against MuJoCo.

Where a criterion contradicts MuJoCo, MuJoCo's number holds and a comment says so. AC10 and AC11 are about another
code base.

Files: sim/mjcf/set_const/actuator.py, sim/mjcf/set_const/length_range.py.
"""

import mujoco
import numpy as np
import pytest

import sim
from sim.mjcf import compile_text
from sim.model import INITIAL_CAPACITY
from tests import oracle

FIELDS = ("actuator_acc0", "actuator_length0", "actuator_lengthrange", "actuator_gainprm", "actuator_biasprm", "dof_M0")


def hinge(actuator: str, joint: str = 'type="hinge"', compiler: str = "") -> str:
    return f"""
    <mujoco>
      <compiler angle="radian">{compiler}</compiler>
      <worldbody>
        <site name="world" pos="0.5 0 0"/>
        <body>
          <joint name="j" {joint} axis="0 1 0"/>
          <inertial pos="0 0 0" mass="1" diaginertia="0.1 0.1 0.1"/>
          <site name="s" pos="0 0 0.5"/>
        </body>
      </worldbody>
      <actuator>{actuator}</actuator>
    </mujoco>"""


def load(xml: str) -> sim.Model:
    """Our model; its constants are MuJoCo's."""
    mj = mujoco.MjModel.from_xml_string(xml)
    m = sim.loads(xml)
    for name in FIELDS:
        ours, theirs = m.read(name), oracle.read(mj, name)
        assert np.allclose(ours, theirs, rtol=1e-9, atol=1e-12, equal_nan=True), (name, ours, theirs)
    return m


def refused(xml: str) -> str:
    """The message; MuJoCo refuses the model too."""
    with pytest.raises(ValueError, match=r".+"):
        mujoco.MjModel.from_xml_string(xml)
    with pytest.raises(sim.MjcfError) as caught:
        sim.loads(xml)
    assert caught.value.line > 0
    return str(caught.value)


def test_ac1_acc0_of_a_motor():
    assert load(hinge('<motor joint="j" gear="2"/>')).actuator_acc0[0] == pytest.approx(20.0, abs=1e-6)


def test_ac2_acc0_of_a_position_servo():
    assert load(hinge('<position joint="j" kp="100" kv="10"/>')).actuator_acc0[0] == pytest.approx(10.0, abs=1e-6)


def test_ac3_acc0_of_a_muscle():
    m = load(hinge('<muscle joint="j" gear="2" lengthrange="-1 1"/>'))
    assert m.actuator_acc0[0] == pytest.approx(20.0, abs=0.2)
    # MuJoCo leaves the -1 that asks for F0 = scale / acc0 where it is, and divides while stepping
    assert m.actuator_gainprm[0, 2] == -1
    d = sim.Data(m)
    d.act[0] = 1.0
    sim.forward(m, d)
    mj = mujoco.MjModel.from_xml_string(hinge('<muscle joint="j" gear="2" lengthrange="-1 1"/>'))
    dj = mujoco.MjData(mj)
    dj.act[0] = 1.0
    mujoco.mj_forward(mj, dj)
    assert d.actuator_force[0] == pytest.approx(dj.actuator_force[0], rel=1e-12)


def test_ac4_dampratio_becomes_damping():
    m = load(hinge('<position joint="j" kp="100" dampratio="1"/>'))
    assert m.actuator_biasprm[0, 2] == pytest.approx(-6.3246, abs=1e-4)
    assert m.actuator_biasprm[0, 2] == pytest.approx(-2 * np.sqrt(100 * 0.1), rel=1e-12)


def test_ac5_no_dampratio_in_a_motor():
    assert load(hinge('<motor joint="j"/>')).actuator_biasprm[0, 2] == 0.0


@pytest.mark.parametrize("kv", [10.0, 0.0])
def test_ac6_kv_stays(kv):
    assert load(hinge(f'<position joint="j" kp="100" kv="{kv}"/>')).actuator_biasprm[0, 2] == -kv


@pytest.mark.parametrize(
    ("gain", "bias"),
    [
        ("100", "0 -100 1"),
        ("100", "0 -100.00000000000001 1"),  # the next number: no servo, 1 stays as it is
        ("0.1", "0 -0.1 0.5"),
        ("0", "0 0 1"),
        ("-100", "0 100 1"),  # no number comes of it, in MuJoCo too
    ],
)
def test_the_fingerprint_of_a_servo_is_exact(gain, bias):
    load(hinge(f'<general joint="j" gainprm="{gain}" biastype="affine" biasprm="{bias}"/>'))


LIMITED = 'type="hinge" range="-1 1" limited="true"'


def test_ac7_lengthrange_from_limits():
    # the criterion expects gear · range; MuJoCo copies the joint's range as it is, and only if asked to
    m = load(hinge('<muscle joint="j" gear="2"/>', LIMITED, '<lengthrange uselimit="true"/>'))
    assert m.actuator_lengthrange[0].tolist() == [-1.0, 1.0]


def test_ac7_lengthrange_by_pulling_at_limits():
    # without uselimit the muscle is pulled to the limits, and a little way into them
    m = load(hinge('<muscle joint="j" gear="2"/>', LIMITED))
    assert m.actuator_lengthrange[0] == pytest.approx([-2.0, 2.0], abs=0.01)


def test_lengthrange_of_more_limits_than_a_new_data_has_room_for():
    """Data grows in the middle of pulling, and the step that found no room is done once."""
    count = INITIAL_CAPACITY + 6
    bodies = "".join(
        f'<body pos="{k} 0 0"><joint name="j{k}" {LIMITED} axis="0 1 0"/><geom size=".1"/></body>' for k in range(count)
    )
    path = "".join(f'<joint joint="j{k}" coef="1"/>' for k in range(count))
    m = load(f"""
        <mujoco>
          <compiler angle="radian"/>
          <worldbody>{bodies}</worldbody>
          <tendon><fixed name="t">{path}</fixed></tendon>
          <actuator><muscle tendon="t"/></actuator>
        </mujoco>""")
    assert m.actuator_lengthrange[0] == pytest.approx([-count, count], rel=0.1)


def test_a_lengthrange_that_cannot_be_found_by_steps():
    # MuJoCo itself starts over for ever
    with pytest.raises(sim.MjcfError, match="diverges") as caught:
        sim.loads(hinge('<muscle joint="j"/>', LIMITED, '<lengthrange accel="1e14"/>'))
    assert caught.value.line > 0


def test_a_lengthrange_that_is_given_stays():
    given = '<muscle joint="j" gear="2" lengthrange="-3 4"/>'
    assert load(hinge(given, LIMITED)).actuator_lengthrange[0].tolist() == [-3.0, 4.0]
    again = load(hinge(given, LIMITED, '<lengthrange useexisting="false" uselimit="true"/>'))
    assert again.actuator_lengthrange[0].tolist() == [-1.0, 1.0]


def test_ac8_lengthrange_of_an_unlimited_slide():
    # the criterion expects a range; MuJoCo sees that the length does not settle, and refuses the model
    message = refused(hinge('<muscle joint="j"/>', 'type="slide"'))
    assert "lengthrange" in message
    assert "still varies" in message
    assert "-181.003" in message


def test_ac9_lengthrange_of_a_site():
    # a muscle cannot act on a site in MJCF, so all actuators are asked for
    site = '<motor site="s" refsite="world" gear="1 0 0 0 0 0"/>'
    m = load(hinge(site, compiler='<lengthrange mode="all"/>'))
    assert m.actuator_lengthrange[0] == pytest.approx([-1.0, 0.0], abs=1e-6)


@pytest.mark.parametrize(
    "options",
    [
        "",
        'accel="5"',
        'maxforce="0.5"',
        'timeconst="0.5" inttotal="20"',
        'timestep="0.002" inttotal="6" interval="1"',
        'tolrange="0.2" timeconst="0"',
    ],
)
def test_lengthrange_of_a_slider_crank(options):
    crank = '<muscle cranksite="s" slidersite="world" cranklength="2"/>'
    m = load(hinge(crank, compiler=f"<lengthrange {options}/>"))
    assert m.actuator_lengthrange[0, 0] < m.actuator_lengthrange[0, 1]


def test_the_model_is_as_before_after_pulling():
    m = load(hinge('<muscle cranksite="s" slidersite="world" cranklength="2"/>'))
    assert m.opt.timestep == 0.002
    assert m.opt.disableflags == 0


def test_a_lengthrange_of_nothing_is_refused():
    body = '<adhesion body="world" ctrlrange="0 1"/>'
    assert "pulling in both directions gave 0 and 0" in refused(hinge(body, compiler='<lengthrange mode="all"/>'))


def test_ac12_dampratio_is_parsed():
    xml = hinge('<position joint="j" kp="100" dampratio="1"/>')
    compiled = compile_text(xml)
    assert compiled.values["actuator_biasprm"][0, 2] == 1.0
    assert load(xml).actuator_biasprm[0, 2] < 0


def test_ac13_modes():
    slide = 'type="slide"'
    assert load(hinge('<motor joint="j"/>', slide)).actuator_lengthrange[0].tolist() == [0.0, 0.0]
    none = '<lengthrange mode="none"/>'
    assert load(hinge('<muscle joint="j"/>', slide, none)).actuator_lengthrange[0].tolist() == [0.0, 0.0]
    limit = 'uselimit="true"'
    user = '<general joint="j" gaintype="user"/>'
    for mode, expected in (("muscle", 0.0), ("muscleuser", 1.0), ("all", 1.0)):
        m = load(hinge(user, LIMITED, f'<lengthrange mode="{mode}" {limit}/>'))
        assert m.actuator_lengthrange[0, 1] == expected


CHAIN = """
<mujoco>
  <worldbody>
    <body name="base">
      <inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/>
      <body name="link1">
        <joint name="j1" axis="0 1 0"/>
        <inertial pos="0 0 0.25" mass="2" diaginertia="0.2 0.2 0.2"/>
        <body name="link2" pos="0 0 0.5">
          <joint name="j2" axis="0 1 0"/>
          <inertial pos="0 0 0.2" mass="1" diaginertia="0.1 0.1 0.1"/>
        </body>
      </body>
    </body>
  </worldbody>
  <actuator>
    <position joint="j1" kp="200" dampratio="1"/>
    <motor joint="j2" gear="3"/>
  </actuator>
</mujoco>
"""


def test_ac14_a_chain():
    m = load(CHAIN)
    # MuJoCo's numbers
    assert m.actuator_acc0 == pytest.approx([3.941118862, 40.253272405], abs=1e-6)
    assert m.actuator_biasprm[0, 2] == pytest.approx(-20.071301474, abs=1e-6)
    # critical damping of the inertia that the servo feels, with the other joint free: 1 / (M⁻¹)₀₀
    inertia = np.linalg.inv([[0.915, 0.24], [0.24, 0.14]])[0, 0] ** -1
    assert m.actuator_biasprm[0, 2] == pytest.approx(-2 * np.sqrt(200 * inertia), rel=1e-12)


def test_no_dofs():
    xml = """<mujoco><worldbody><site name="a"/><site name="b" pos="1 2 3"/></worldbody>
        <actuator><motor site="b" refsite="a" gear="1 1 1 0 0 0"/></actuator></mujoco>"""
    m = load(xml)
    assert m.actuator_acc0[0] == 0.0
    assert m.actuator_length0[0] == 6.0


@pytest.mark.parametrize(
    "servo",
    [
        '<position tendon="t" kp="10" dampratio="0.7" gear="2"/>',
        '<position joint="ball" kp="10" dampratio="1" gear="1 0 2"/>',
        '<intvelocity joint="hinge" kp="10" dampratio="0.5" actrange="-1 1"/>',
        '<pid joint="hinge" kp="10" dampratio="1" gear="2"/>',
        '<pid joint="hinge" kp="10" dampratio="1" gear="2" ki="3" input="pos"/>',
        '<orientation joint="ball" kp="10" dampratio="1"/>',
        '<position site="s" refsite="r" kp="10" dampratio="1" gear="1 2 3 4 5 6"/>',
        '<motor joint="free" gear="1 2 3 4 5 6" armature="0.3"/>',
        '<position joint="hinge" kp="10" dampratio="1" gear="2" armature="0.3"/>',
    ],
)
def test_constants_over_several_dofs(servo):
    load(f"""<mujoco><worldbody>
      <body><freejoint name="free"/><geom type="box" size=".1 .2 .3" mass="1"/><site name="r" pos="0 .1 0"/>
        <body pos=".4 0 0"><joint name="ball" type="ball"/><geom type="box" size=".2 .1 .1" mass="1"/>
          <body pos=".3 .1 0"><joint name="hinge" axis="0 1 1" armature=".01"/><geom size=".1" mass="1"/>
            <site name="s" pos=".1 0 .2"/></body></body></body>
      <body pos="2 0 0"><joint name="other"/><geom size=".1" pos="0 .3 0" mass="1"/></body></worldbody>
      <tendon><fixed name="t"><joint joint="hinge" coef=".5"/><joint joint="other" coef="-2"/></fixed></tendon>
      <actuator>{servo}</actuator></mujoco>""")
