"""Forces on a body at their points: body_forces.py; they are all that accelerates a free body."""

from __future__ import annotations

import numpy as np
import pytest

import sim
from sim.analysis.body_forces import JOINTS, TENDONS, body_forces
from sim.enums import PERT_TRANSLATE

XML = """
<mujoco>
  <worldbody>
    <geom name="floor" type="plane" size="3 3 .1"/>
    <body name="box" pos="0 0 .098" gravcomp=".2">
      <freejoint/>
      <geom name="crate" type="box" size=".1 .1 .1" pos=".01 .02 0" mass="2"/>
      <site name="corner" pos=".1 .1 .1"/>
    </body>
    <body name="ball" pos=".3 0 1"><freejoint/><geom size=".05" mass="1"/><site name="top" pos="0 0 .05"/></body>
    <body name="lamp" pos="1 0 1"><freejoint/><geom size=".05" mass="1"/></body>
  </worldbody>
  <equality>
    <connect body1="box" body2="ball" anchor=".1 0 .1"/>
    <weld body1="lamp" body2="ball" anchor="0 0 .1"/>
    <connect site1="corner" site2="top"/>
  </equality>
</mujoco>
"""


@pytest.fixture
def moment() -> tuple[sim.Model, sim.Data]:
    m = sim.loads(XML)
    d = sim.Data(m)
    d.qvel = 0.1 * np.random.default_rng(2).standard_normal(m.nv)
    d.xfrc_applied[1, :3] = (0.5, 0.4, 0.3)
    d.perturb.select, d.perturb.active = 1, PERT_TRANSLATE
    d.perturb.localpos, d.perturb.refselpos = (0.1, 0.0, 0.1), (0.3, 0.2, 0.4)
    d.qpos[9] += 0.01
    compute(m, d)
    return m, d


def compute(m: sim.Model, d: sim.Data) -> None:
    sim.forward(m, d)
    sim.rne_post_constraint(m, d)


def sum_error(m: sim.Model, d: sim.Data, body: int) -> float:
    """How far the forces on a body are from mass times acceleration, in units of the largest."""
    forces = [part.force for part in body_forces(m, d, body)]
    acceleration = sim.object_acceleration(m, d, "body", body)[3:] + m.opt.gravity
    difference = np.sum(forces, axis=0) - m.body_mass[body] * acceleration
    return float(np.abs(difference).max() / max(np.linalg.norm(force) for force in forces))


@pytest.mark.parametrize("scene", ["ragdolls", "quadruped", "tensegrity", "gripper"])
def test_forces_are_mass_times_acceleration(scene):
    m = sim.load(f"scenes/{scene}.xml")
    d = sim.Data(m)
    sim.step(m, d, 150)
    compute(m, d)
    moving = np.flatnonzero((m.body_treeid >= 0) & (m.body_mass > 0))
    assert max(sum_error(m, d, int(body)) for body in moving) < 1e-9


@pytest.mark.parametrize("body", [1, 2, 3])
def test_those_of_a_free_body_need_no_joint(moment, body):
    m, d = moment
    assert sum_error(m, d, body) < 1e-9
    largest = max(np.linalg.norm(part.force) for part in body_forces(m, d, body))
    if m.body_gravcomp[body] == 0.0:
        passed = [np.linalg.norm(p.force) for p in body_forces(m, d, body) if p.source.kind == JOINTS]
        assert max(passed, default=0.0) < 1e-6 * largest


@pytest.mark.parametrize("body", [1, 2])
def test_their_torques_turn_it(moment, body):
    m, d = moment
    # a weld also has a torque, which is not at a point
    d.eq_active[1] = False
    # gravity compensation acts at the centre of mass, not at the joint
    m.body_gravcomp[body] = 0.0
    compute(m, d)
    torque = np.sum([np.cross(p.point - d.xipos[body], p.force) for p in body_forces(m, d, body)], axis=0)
    axes = d.ximat[body].reshape(3, 3)
    inertia, spin = axes * m.body_inertia[body] @ axes.T, d.cvel[body, :3]
    angular = sim.object_acceleration(m, d, "body", body)[:3]
    # friction of these contacts is sliding friction alone
    assert torque == pytest.approx(inertia @ angular + np.cross(spin, inertia @ spin), abs=1e-6)


def test_kinds_and_places(moment):
    m, d = moment
    kinds = [part.source.kind for part in body_forces(m, d, 1)]
    # gravity compensation comes with what joints pass on
    assert kinds[0] == "gravity" and kinds[-1] == JOINTS
    assert kinds.count("equality") == 2 and kinds.count("mouse") == 1 and "contact" in kinds
    mouse = next(part for part in body_forces(m, d, 1) if part.source.kind == "mouse")
    assert mouse.point == pytest.approx(d.xpos[1] + d.xmat[1].reshape(3, 3) @ (0.1, 0.0, 0.1))
    assert not [part for part in body_forces(m, d, 2) if part.source.kind in ("mouse", "contact", "applied force")]


def test_strings_are_what_is_missing() -> None:
    """cfrc_int lacks spatial tendons, as in MuJoCo 4; an engine in which it has them has no force of theirs."""
    m = sim.load("scenes/puppet.xml")
    d = sim.Data(m)
    sim.step(m, d, 150)
    compute(m, d)
    pull = np.zeros((m.nbody, 3))
    for first, second, tension in zip(m.wrap_objid[::2], m.wrap_objid[1::2], d.tendon_tension, strict=True):
        along = d.site_xpos[second] - d.site_xpos[first]
        pull[m.site_bodyid[second]] += tension * along / np.linalg.norm(along)
        pull[m.site_bodyid[first]] -= tension * along / np.linalg.norm(along)
    found = {part.source.kind: part.force for part in body_forces(m, d, m.name2id("body", "cross"))}
    assert np.abs(found[TENDONS]).max() > 0.1
    for body in range(1, m.nbody):
        found = {part.source.kind: part.force for part in body_forces(m, d, body)}
        assert found.get(TENDONS, np.zeros(3)) == pytest.approx(pull[body], abs=1e-6)
        assert sum_error(m, d, body) < 1e-6
    # what a body passes to its parent includes what its subtree is pulled by
    for body in range(m.nbody - 1, 0, -1):
        pull[m.body_parentid[body]] += pull[body]
    d.cfrc_int[:, 3:] += pull
    assert not [part for body in range(1, m.nbody) for part in body_forces(m, d, body) if part.source.kind == TENDONS]
