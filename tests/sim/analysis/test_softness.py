"""Softness in SI units against what one measures: by pressing, by letting go, and in MuJoCo."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import sim
from sim.analysis.row_softness import (
    EQUALITY,
    JOINT_FRICTION,
    JOINT_LIMIT,
    contact_softness,
    geoms_softness,
    row_softness,
)
from sim.analysis.softness import Law
from tests.sim.analysis.pressing import measured_stiffness, mujoco_depth, press, scene, swing

# at rest the law is exact: what is left is the rest of the motion and the solver's tolerance
AT_REST = 1e-8
# a difference of two presses, each to AT_REST, of forces that differ by 2e-4
BY_PRESSING = 1e-6

RISING = 'solref="0.02 0.7" solimp="0.5 0.95 0.004 0.3 3"'
CASES = {
    "sphere": scene(thing=RISING, floor=RISING),
    "box": scene("box", thing=RISING, floor=RISING),
    "pyramid": scene(cone="pyramidal", thing=f'{RISING} friction="0.4"', floor=f'{RISING} friction="0.4"'),
    "pyramid, condim 6": scene(cone="pyramidal", thing=f'{RISING} condim="6"', option='impratio="3"'),
    "frictionless": scene(thing=f'{RISING} condim="1"', floor='condim="1"'),
    "direct": scene(thing='solref="-3000 -70" priority="1"'),
    "clamped": scene(thing='solref="0.001 1"', floor='solref="0.001 1"'),
    "margin": scene(thing=f'{RISING} margin="0.01"', floor=RISING),
    "exact diagonal": scene("box", option="", rest='<option><flag diagexact="enable"/></option>'),
}


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("force", [5.0, 150.0])
def test_a_pressed_contact_is_as_deep_and_as_stiff_as_predicted(case, force):
    m = sim.loads(CASES[case])
    d = press(m, force)
    found = contact_softness(m, d, 0)
    assert found.force == pytest.approx(force / d.ncon, rel=AT_REST)
    assert found.depth == pytest.approx(found.rest, rel=AT_REST)
    assert found.stiffness == pytest.approx(measured_stiffness(m, force), rel=BY_PRESSING)
    assert mujoco_depth(CASES[case], force) == pytest.approx(found.law.depth(force / d.ncon), rel=AT_REST)


@pytest.mark.parametrize("shape", ["sphere", "box"])
def test_a_contact_that_is_let_go_swings_as_predicted(shape):
    # from the recurrence of its depths one has the spring and the damper of a step, without looking for peaks
    m = sim.loads(scene(shape, thing='solref="0.5 0.1" solimp="0.9 0.95 0.05" priority="1"'))
    d = press(m, 50.0)
    sim.step(m, d, nstep=20000)
    sim.forward(m, d)
    found, h = contact_softness(m, d, 0), m.opt.timestep
    d.qpos[2] -= 1e-5 * found.rest
    depths = []
    for _ in range(4000):
        sim.step(m, d)
        depths.append(d.qpos[2])
    trace, determinant = swing(np.array(depths))
    damper, spring = (1.0 - determinant) / h, (1.0 - trace + determinant) / h**2
    assert np.sqrt(spring) == pytest.approx(found.frequency, rel=1e-4)
    assert damper / (2.0 * np.sqrt(spring)) == pytest.approx(found.swing_damping, rel=1e-4)


def test_the_damping_ratio_of_solref_is_that_of_the_motion_where_its_assumptions_hold():
    # one contact, whose inertia efc_diagA has exactly, and a constant impedance
    m = sim.loads(scene(thing='solref="0.5 0.1" solimp="0.9 0.9 0.001" priority="1"'))
    found = contact_softness(m, press(m, 50.0), 0)
    assert found.swing_damping == pytest.approx(0.1, rel=1e-9)
    assert found.inertia == pytest.approx(2.0)
    # four corners share the box: each has a quarter of it
    m = sim.loads(scene("box", thing='solref="0.5 0.1" solimp="0.9 0.9 0.001" priority="1"'))
    assert contact_softness(m, press(m, 50.0), 0).inertia == pytest.approx(0.5)


SLIDER = """
<mujoco>
  <compiler angle="radian"/>
  <option timestep="0.002" tolerance="1e-15" gravity="0 0 0"/>
  <worldbody>
    <body name="b">
      <joint name="j" type="{type}" axis="0 0 1" limited="{limited}" range="-0.1 0.1" {joint}/>
      <geom type="sphere" size=".05" pos=".1 0 0" mass="3"/>
    </body>
  </worldbody>
  <equality>{equality}</equality>
</mujoco>
"""


def slider(joint="", equality="", limited="false", joint_type="slide") -> sim.Model:
    return sim.loads(SLIDER.format(joint=joint, equality=equality, limited=limited, type=joint_type))


@pytest.mark.parametrize(("share", "grows"), [(0.98, False), (1.02, True)])
@pytest.mark.parametrize("ratio", [0.05, 1.0])
def test_beyond_what_a_step_can_bear_a_constraint_shakes_itself_apart(share, grows, ratio):
    m = slider(equality='<joint joint1="j" polycoef="0 0" solimp="0.9 0.9 0.001"/>')
    m.eq_solref[0] = -1.0, -1.0
    m.opt.disableflags |= sim.enums.DSBL_REFSAFE
    d = sim.Data(m)
    d.qpos[0] = 1e-3
    sim.forward(m, d)
    found = row_softness(m, d, EQUALITY, 0)
    # the load is h² K + 2 h B in four; K grows along with k, B with its root
    k = _k_at(found, ratio, share)
    m.eq_solref[0] = -k * 0.81, -2.0 * ratio * np.sqrt(k) * 0.9
    sim.forward(m, d)
    found = row_softness(m, d, EQUALITY, 0)
    assert found.step_load == pytest.approx(share)
    sim.step(m, d, nstep=60)
    assert (abs(d.qpos[0]) > 1e-3) == grows


def _k_at(found, ratio, share):
    low, high = 1.0, 1e9
    for _ in range(200):
        k = np.sqrt(low * high)
        law = replace(found.law, k=k, b=2.0 * ratio * np.sqrt(k))
        low, high = (k, high) if law.step_load(0.0, found.inertia, found.timestep) < share else (low, k)
    return k


@pytest.mark.parametrize("joint_type", ["slide", "hinge"])
def test_a_joint_limit_gives_way_as_predicted(joint_type):
    m = slider('solreflimit="0.03 1" solimplimit="0.3 0.9 0.02"', limited="true", joint_type=joint_type)
    far = row_softness(m, sim.Data(m), JOINT_LIMIT, 0)
    d = sim.Data(m)
    d.qpos[0], d.qfrc_applied[0] = 0.1, 20.0
    sim.step(m, d, nstep=4000)
    sim.forward(m, d)
    found = row_softness(m, d, JOINT_LIMIT, 0)
    assert (far.active, found.active) == (False, True)
    assert far.law.mass == pytest.approx(found.law.mass)
    assert replace(far.law, mass=1.0) == replace(found.law, mass=1.0)
    assert found.angular == (joint_type == "hinge")
    assert (found.force, found.load) == pytest.approx((20.0, 20.0))
    assert d.qpos[0] - 0.1 == pytest.approx(found.law.depth(20.0), rel=AT_REST)


def test_a_connect_gives_way_as_predicted():
    m = slider(equality='<connect body1="b" anchor="0 0 0" solref="0.05 1" solimp="0.6 0.9 0.01"/>')
    d = sim.Data(m)
    d.qfrc_applied[0] = 30.0
    sim.step(m, d, nstep=4000)
    sim.forward(m, d)
    found = row_softness(m, d, EQUALITY, 0)
    assert d.qpos[0] == pytest.approx(found.law.depth(30.0), rel=AT_REST)
    assert found.depth == pytest.approx(d.qpos[0])
    assert found.load == pytest.approx(30.0)
    assert found.inertia == pytest.approx(3.0)


def test_dry_friction_creeps_as_predicted():
    m = slider('frictionloss="10" solreffriction="0.05 1"')
    d = sim.Data(m)
    d.qfrc_applied[0] = 4.0
    sim.step(m, d, nstep=3000)
    sim.forward(m, d)
    found = row_softness(m, d, JOINT_FRICTION, 0)
    assert (found.has_spring, found.bound, found.stiffness) == (False, 10.0, 0.0)
    assert d.qvel[0] == pytest.approx(4.0 / found.law.damping(0.0), rel=AT_REST)


def test_two_geoms_that_do_not_touch_have_the_softness_of_their_contact():
    for case in ("sphere", "pyramid", "pyramid, condim 6", "frictionless", "direct"):
        m = sim.loads(CASES[case])
        found, apart = contact_softness(m, press(m, 5.0), 0), geoms_softness(m, 0, 1)
        assert apart.law.mass == pytest.approx(found.law.mass)
        assert (apart.solref, apart.solimp) == (found.solref, found.solimp)
        assert not apart.active


def test_a_contact_in_its_gap_has_no_force():
    m = sim.loads(scene(thing='margin="0.01" gap="0.02" priority="1"').replace('pos="0 0 .0995"', 'pos="0 0 .115"'))
    d = sim.Data(m)
    sim.forward(m, d)
    found = contact_softness(m, d, 0)
    assert (found.active, found.force, found.speed) == (False, 0.0, 0.0)


def test_the_law_is_that_of_the_rows():
    m = sim.loads(CASES["sphere"])
    d = sim.Data(m)
    d.qpos[2], d.qvel[2] = 0.0987, -0.3
    sim.forward(m, d)
    found, row = contact_softness(m, d, 0), d.contact.efc_address[0]
    k, b, impedance, slope = d.efc_KBIP[row]
    assert (found.law.k, found.law.b) == (k, b)
    assert found.law.impedance(found.depth) == pytest.approx((impedance, abs(slope)))
    assert found.law.regularizer(found.depth) == pytest.approx(d.efc_R[row])
    assert found.speed == pytest.approx(0.3)
    # a spring, a damper and an added mass
    force = found.law.force(found.depth) + found.law.damping(found.depth) * 0.3 - d.qacc[2] / d.efc_R[row]
    assert found.force == pytest.approx(force)


@pytest.mark.parametrize("shape", ["sphere", "box"])
def test_the_load_does_not_depend_on_the_motion_nor_on_an_edit_that_has_not_acted_yet(shape):
    m = sim.loads(scene(shape, thing=RISING, floor=RISING))
    d = press(m, 80.0)
    # pushed and moving
    d.qpos[2] -= 1e-3
    d.qvel[2] = -1.0
    sim.forward(m, d)
    found = contact_softness(m, d, 0)
    assert found.force > 1.5 * 80.0 / d.ncon
    assert found.load == pytest.approx(80.0 / d.ncon)
    m.geom_solref[:] = 0.01, 1.0
    sim.forward(m, d)
    assert contact_softness(m, d, 0).load == pytest.approx(80.0 / d.ncon)
    assert replace(found, assumed=7.0).load == 7.0


def test_scripts_ask_for_contacts_that_there_are():
    m = sim.loads(CASES["sphere"])
    d = press(m, 5.0)
    assert sim.contact_softness(m, d, 0).stiffness == contact_softness(m, d, 0).stiffness
    with pytest.raises(IndexError):
        sim.contact_softness(m, d, 7)


def test_a_law_without_load_has_no_depth():
    law = Law(1.0, 1.0, (0.9, 0.95, 0.001, 0.5, 2.0), 1.0)
    assert law.depth(0.0) == 0.0
    assert law.depth(-1.0) == 0.0
    assert law.force(law.depth(7.0)) == pytest.approx(7.0)
