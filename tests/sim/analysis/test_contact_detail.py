"""Contacts in detail: a box on a slope at its friction angle, forces against MuJoCo's, rows and who they push."""

from __future__ import annotations

from math import atan, cos, degrees, radians, sin

import mujoco
import numpy as np
import pytest

import sim
from sim.analysis.contact_detail import ContactDetail, contact_detail, slip_limit
from sim.analysis.contact_state import OPEN, SLIP, SMOOTH, STICK, contact_motion, contact_states, slip_speed
from sim.analysis.element_names import dof_name, full_geom_name
from sim.analysis.pair_force import pair_force
from tests.oracle import copy_fields, model_of, random_state

MU, MASS, GRAVITY = 0.5, 2.0, 10.0
WEIGHT = MASS * GRAVITY
FRICTION_ANGLE = degrees(atan(MU))

# gravity is tilted rather than the floor: the world then is that of the slope
SLOPE = """<mujoco><option gravity='{x} 0 {z}' cone='{cone}' impratio='{impratio}' timestep='0.001'/>
<default><geom friction='{mu} .005 .0001' condim='{condim}'/></default>
<worldbody>
  <geom name='slope' type='plane' size='9 9 .1'/>
  <body name='box' pos='0 0 .099'>{joints}
    <geom name='crate' type='box' size='.1 .1 .1' mass='2'/>
  </body>
</worldbody></mujoco>"""
SLIDES = (
    "<joint name='x' type='slide' axis='1 0 0'/><joint type='slide' axis='0 1 0'/><joint type='slide' axis='0 0 1'/>"
)


def on_slope(angle: float, cone: str = "elliptic", joints: str = SLIDES, condim: int = 3) -> tuple[sim.Model, sim.Data]:
    """A box that has rested, or slid, on a slope for half a second."""
    tilt, impratio = radians(angle), 100 if cone == "elliptic" else 1
    fields = {"x": GRAVITY * sin(tilt), "z": -GRAVITY * cos(tilt), "cone": cone, "mu": MU, "impratio": impratio}
    m = sim.loads(SLOPE.format(**fields, joints=joints, condim=condim))
    d = sim.Data(m)
    sim.step(m, d, 500)
    sim.forward(m, d)
    return m, d


def details(m: sim.Model, d: sim.Data) -> list[ContactDetail]:
    return [contact_detail(m, d, c) for c in range(d.ncon)]


@pytest.mark.parametrize("cone", ["elliptic", "pyramidal"])
@pytest.mark.parametrize("angle", [5.0, 10.0, FRICTION_ANGLE - 2, FRICTION_ANGLE - 0.5])
def test_below_its_friction_angle_a_box_sticks_with_the_margin_of_the_textbook(cone: str, angle: float) -> None:
    m, d = on_slope(angle, cone)
    tilt, pair = radians(angle), pair_force(m, d, 0, 1)
    # the contacts carry the weight, along the tangents and along the normal
    assert pair.force == pytest.approx(-MASS * m.opt.gravity, abs=1e-3 * WEIGHT)
    known = WEIGHT * (MU * cos(tilt) - sin(tilt))
    assert known > 0
    assert pair.margin == pytest.approx(known, abs=1e-3 * WEIGHT)
    for c in details(m, d):
        assert c.state == STICK
        # the force is along an axis of the frame, so that pyramids have the limit of cones
        assert c.utilization == pytest.approx(sin(tilt) / (MU * cos(tilt)), abs=2e-3)
        assert c.margin == pytest.approx(c.limit * (1 - c.utilization), abs=1e-9)
    assert sum(c.margin for c in details(m, d)) == pytest.approx(known, abs=1e-3 * WEIGHT)


@pytest.mark.parametrize("cone", ["elliptic", "pyramidal"])
@pytest.mark.parametrize("angle", [FRICTION_ANGLE + 1, 45.0])
def test_above_its_friction_angle_a_box_slips_with_its_friction_on_the_cone(cone: str, angle: float) -> None:
    m, d = on_slope(angle, cone)
    # what slides over soft contacts hops a little: wait until it is down
    while pair_force(m, d, 0, 1).normal < 0.1 * WEIGHT:
        sim.step(m, d)
        sim.forward(m, d)
    tilt, pair = radians(angle), pair_force(m, d, 0, 1)
    assert WEIGHT * (MU * cos(tilt) - sin(tilt)) < 0
    assert pair.margin == pytest.approx(0, abs=1e-3 * WEIGHT)
    assert pair.friction == pytest.approx(MU * pair.normal, rel=2e-3)
    # a = g (sin - μ cos), from rest
    speed = d.time * GRAVITY * (sin(tilt) - MU * cos(tilt))
    found = [c for c in details(m, d) if c.state != OPEN]
    assert found
    for c in found:
        assert c.state == SLIP
        assert c.margin == pytest.approx(0, abs=5e-3 * c.normal)
        assert c.tangential == pytest.approx(MU * c.normal, rel=5e-3)
        # it slides downhill, and friction points the other way
        downhill = c.slip @ c.frame[1:]
        assert downhill == pytest.approx((speed, 0, 0), abs=0.03 * speed + 0.02)
        assert c.force[1:3] @ c.slip < 0


def test_the_margin_is_zero_at_the_friction_angle() -> None:
    """From below: extrapolated to the angle at which tan(angle) = μ."""
    angles = np.array([FRICTION_ANGLE - 3, FRICTION_ANGLE - 2, FRICTION_ANGLE - 1])
    margins = [pair_force(*on_slope(angle), 0, 1).margin for angle in angles.tolist()]
    slope, start = np.polyfit(angles, margins, 1)
    assert -start / slope == pytest.approx(FRICTION_ANGLE, abs=0.02)


def test_a_free_box_is_carried_where_its_weight_acts() -> None:
    """The centre of pressure is moved downhill by h tan(angle): there the weight has no torque."""
    m, d = on_slope(15.0, joints="<freejoint/>")
    pair = pair_force(m, d, 0, 1)
    assert pair.force == pytest.approx(-MASS * m.opt.gravity, abs=2e-3 * WEIGHT)
    height = d.xipos[1, 2] - pair.point[2]
    assert pair.point[0] - d.xipos[1, 0] == pytest.approx(height * np.tan(radians(15.0)), rel=0.02)
    assert np.abs(pair.torque).max() < 1e-3 * WEIGHT * height
    # seen from the box, the slope has the opposite force
    back = pair_force(m, d, 1, 0)
    assert np.array_equal(back.force, -pair.force) and back.contacts == pair.contacts
    assert (pair.bodies, back.bodies) == ((0, 1), (1, 0))


MIXED = """<mujoco><option cone='{cone}' jacobian='{jacobian}' timestep='.002'/>
<worldbody>
  <geom name='floor' type='plane' size='9 9 .1' friction='.6 .02 .003'/>
  <body name='smooth' pos='0 0 .09'><freejoint/><geom type='sphere' size='.1' condim='1' priority='1'/></body>
  <body name='turns' pos='1 0 .09'><freejoint/><geom type='sphere' size='.1' condim='4' friction='.4 .03 0'/></body>
  <body name='rolls' pos='2 0 .09'><freejoint/><geom type='sphere' size='.1' condim='6' friction='.5 .02 .01'/></body>
  <body name='arm' pos='3 0 .15'><joint name='hip' axis='0 1 0'/>
    <geom type='capsule' fromto='0 0 0 .3 0 -.1' size='.06' condim='3'/>
    <body pos='.3 0 -.1'><joint name='knee' axis='0 1 0'/><geom type='box' size='.1 .1 .06'/></body>
  </body>
</worldbody></mujoco>"""


@pytest.mark.parametrize("jacobian", ["dense", "sparse"])
@pytest.mark.parametrize("cone", ["elliptic", "pyramidal"])
def test_forces_and_rows_are_those_of_mujoco(cone: str, jacobian: str) -> None:
    mj = mujoco.MjModel.from_xml_string(MIXED.format(cone=cone, jacobian=jacobian))
    dj = mujoco.MjData(mj)
    m = model_of(mj)
    d = sim.Data(m)
    random_state(mj, dj, 3)
    dj.qpos[:], dj.xfrc_applied[:], dj.qfrc_applied[:] = mj.qpos0, 0.0, 0.0
    copy_fields(dj, d, ("qpos", "qvel", "qacc_warmstart"))
    mujoco.mj_forward(mj, dj)
    sim.forward(m, d)
    assert d.ncon == dj.ncon > 5
    assert {1, 3, 4, 6} == set(d.contact.dim.tolist())
    jacobian_of = np.zeros((dj.nefc, mj.nv))
    if jacobian == "dense":
        jacobian_of = dj.efc_J.reshape(dj.nefc, mj.nv)
    else:
        mujoco.mju_sparse2dense(jacobian_of, dj.efc_J, dj.efc_J_rownnz, dj.efc_J_rowadr, dj.efc_J_colind)
    largest = np.abs(dj.efc_force).max()
    for c, found in enumerate(details(m, d)):
        theirs = np.zeros(6)
        mujoco.mj_contactForce(mj, dj, c, theirs)
        assert found.force == pytest.approx(theirs, abs=1e-9 * largest)
        count = found.dim if cone == "elliptic" or found.dim == 1 else 2 * (found.dim - 1)
        assert len(found.rows) == count
        rows = slice(found.rows[0].row, found.rows[0].row + count)
        assert rows.start == dj.contact.efc_address[c]
        for row in found.rows:
            r = row.row
            assert (row.aref, row.R, row.D, row.vel) == pytest.approx(
                (dj.efc_aref[r], dj.efc_R[r], dj.efc_D[r], dj.efc_vel[r]), rel=1e-8, abs=1e-12
            )
            pushed = np.zeros(mj.nv)
            pushed[[push.dof for push in row.pushes]] = [push.coefficient for push in row.pushes]
            assert pushed == pytest.approx(jacobian_of[r], abs=1e-8)
            sizes = [abs(push.coefficient) for push in row.pushes]
            assert sizes == sorted(sizes, reverse=True)
        on_dofs = np.zeros(mj.nv)
        on_dofs[[dof for dof, _ in found.joint_forces]] = [force for _, force in found.joint_forces]
        assert on_dofs == pytest.approx(jacobian_of[rows].T @ dj.efc_force[rows], abs=1e-8 * largest)


@pytest.mark.parametrize("cone", ["elliptic", "pyramidal"])
def test_the_motion_is_that_of_the_rows(cone: str) -> None:
    """efc_vel = J qvel: of elliptic rows the motion itself, of pyramids normal ± μ axis."""
    m = sim.loads(MIXED.format(cone=cone, jacobian="auto"))
    d = sim.Data(m)
    d.qvel[:] = np.random.default_rng(5).normal(size=m.nv)
    sim.forward(m, d)
    motion = contact_motion(m, d)
    assert slip_speed(m, d) == pytest.approx(np.hypot(motion[:, 1], motion[:, 2]))
    for c in details(m, d):
        assert np.array_equal(c.motion, motion[c.index])
        for k, row in enumerate(c.rows):
            edge = cone == "pyramidal" and c.dim > 1
            along = (-1) ** k * c.friction[k // 2] * c.motion[k // 2 + 1] if edge else 0.0
            assert row.vel == pytest.approx(c.motion[0] + along if edge else c.motion[k], abs=1e-9)
    turning = next(c for c in details(m, d) if m.body("turns").id in c.bodies)
    # upside down where the floor is the second geom
    assert abs(turning.spin) == pytest.approx(abs(d.qvel[m.body("turns").dofadr[0] + 5]))


@pytest.mark.parametrize("cone", ["elliptic", "pyramidal"])
def test_margins_lead_to_the_boundary(cone: str) -> None:
    """Whatever is left of an axis, or of the tangential force, used up: then all of the cone is in use."""
    m = sim.loads(MIXED.format(cone=cone, jacobian="auto"))
    d = sim.Data(m)
    rng = np.random.default_rng(2)
    d.qvel[:] = rng.normal(size=m.nv) * 0.02
    sim.forward(m, d)
    norm = np.linalg.norm if cone == "elliptic" else lambda shares: np.abs(shares).sum()
    tried = set()
    for c in details(m, d):
        if c.state != STICK:
            continue
        force = c.force[1 : c.dim]
        for k, axis in enumerate(c.axes):
            used = force.copy()
            used[k] += np.copysign(axis.margin, force[k])
            assert norm(used / c.friction) == pytest.approx(c.normal)
            assert axis.limit == pytest.approx(axis.coefficient * c.normal)
        further = force.copy()
        further[:2] *= 1 + c.margin / c.tangential
        assert norm(further / c.friction) == pytest.approx(c.normal)
        tried.add(c.dim)
    assert tried >= {4, 6}


def test_without_friction_in_use_the_limit_is_that_of_the_weakest_direction() -> None:
    mu, nothing = np.array([0.4, 0.8]), np.zeros(2)
    assert slip_limit(nothing, mu, 10.0, pyramidal=False) == pytest.approx(4.0)
    # the edge of the diamond x / 4 + y / 8 = 1 is nearer than its corners
    assert slip_limit(nothing, mu, 10.0, pyramidal=True) == pytest.approx(1 / np.hypot(1 / 4, 1 / 8))


def test_states_and_names() -> None:
    m = sim.loads(MIXED.format(cone="elliptic", jacobian="auto"))
    d = sim.Data(m)
    d.qpos[2] += 0.0101
    sim.forward(m, d)
    states = contact_states(d).tolist()
    assert states == [c.state for c in details(m, d)]
    by_body = {m.id2name("body", max(c.bodies)): c for c in details(m, d)}
    # the sphere without friction has just left the floor
    assert "smooth" not in by_body
    d.qpos[2] -= 0.0101
    sim.forward(m, d)
    smooth = next(c for c in details(m, d) if m.body("smooth").id in c.bodies)
    assert (smooth.state, smooth.margin, smooth.axes, smooth.cone) == (SMOOTH, 0.0, (), "frictionless")
    assert [row.axis for row in smooth.rows] == ["normal"]
    assert dof_name(m, smooth.rows[0].pushes[0].dof) == "smooth z"
    assert full_geom_name(m, smooth.geoms[0]) == "world / floor"
    arm = next(c for c in details(m, d) if c.bodies[1] == m.body("arm").id + 1)
    assert [dof_name(m, push.dof) for push in arm.rows[0].pushes] == ["hip", "knee"]
    with pytest.raises(IndexError, match="contact 99: there are 8"):
        contact_detail(m, d, 99)


def test_adhesion_presses_too() -> None:
    """With adhesion the contact bears friction that its normal force alone could not."""
    m = sim.loads("""<mujoco><option cone='elliptic' impratio='50'/><worldbody>
      <geom type='plane' size='9 9 .1'/>
      <body name='pad' pos='0 0 .0999'><joint type='slide' axis='1 0 0'/><joint type='slide' axis='0 0 1'/>
        <geom type='sphere' size='.1' mass='1' friction='.5' adhesion='50' priority='1'/></body>
      </worldbody></mujoco>""")
    d = sim.Data(m)
    sim.step(m, d, 400)
    d.xfrc_applied[1] = (8.0, 0, 5.0, 0, 0, 0)
    sim.step(m, d, 400)
    sim.forward(m, d)
    (c,) = details(m, d)
    assert c.state == STICK
    assert c.force[0] == pytest.approx(9.81 - 5.0, rel=0.01)
    assert c.normal == pytest.approx(50 + 9.81 - 5, rel=0.01)
    assert c.margin == pytest.approx(0.5 * c.normal - 8.0, rel=0.01)
