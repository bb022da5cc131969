"""Forces on a body at their points: body_forces.py; they are all that accelerates a free body."""

from __future__ import annotations

import numpy as np
import pytest

import sim
from sim.analysis.body_forces import body_forces
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
    m.opt.tolerance = 1e-14
    d = sim.Data(m)
    d.qvel = 0.1 * np.random.default_rng(2).standard_normal(m.nv)
    d.xfrc_applied[1, :3] = (0.5, 0.4, 0.3)
    d.perturb.select, d.perturb.active = 1, PERT_TRANSLATE
    d.perturb.localpos, d.perturb.refselpos = (0.1, 0.0, 0.1), (0.3, 0.2, 0.4)
    d.qpos[9] += 0.01
    sim.forward(m, d)
    return m, d


@pytest.mark.parametrize("body", [1, 2, 3])
def test_forces_of_a_free_body_are_mass_times_acceleration(moment, body):
    m, d = moment
    total = np.sum([part.force for part in body_forces(m, d, body)], axis=0)
    acceleration = sim.object_acceleration(m, d, "body", body)[3:] + m.opt.gravity
    assert total == pytest.approx(m.body_mass[body] * acceleration, rel=1e-6)


@pytest.mark.parametrize("body", [1, 2])
def test_their_torques_turn_it(moment, body):
    m, d = moment
    # a weld also has a torque, which is not at a point
    d.eq_active[1] = False
    d.perturb.active = 0 if body == 2 else d.perturb.active
    sim.forward(m, d)
    torque = np.sum([np.cross(p.point - d.xipos[body], p.force) for p in body_forces(m, d, body)], axis=0)
    axes = d.ximat[body].reshape(3, 3)
    inertia, spin = axes * m.body_inertia[body] @ axes.T, d.cvel[body, :3]
    angular = sim.object_acceleration(m, d, "body", body)[:3]
    # friction of these contacts is sliding friction alone
    assert torque == pytest.approx(inertia @ angular + np.cross(spin, inertia @ spin), abs=1e-6)


def test_kinds_and_places(moment):
    m, d = moment
    kinds = [part.source.kind for part in body_forces(m, d, 1)]
    assert kinds[:2] == ["gravity", "gravity compensation"]
    assert kinds.count("equality") == 2 and kinds.count("mouse") == 1 and "contact" in kinds
    mouse = next(part for part in body_forces(m, d, 1) if part.source.kind == "mouse")
    assert mouse.point == pytest.approx(d.xpos[1] + d.xmat[1].reshape(3, 3) @ (0.1, 0.0, 0.1))
    assert not [part for part in body_forces(m, d, 2) if part.source.kind in ("mouse", "contact", "applied force")]
