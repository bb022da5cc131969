"""Momenta of trees: against MuJoCo's own sums, and the symmetries that joints leave."""

from __future__ import annotations

import numpy as np
import pytest

import sim
from app.files.resources import find_scene
from sim.analysis.audit.instant import instant
from sim.analysis.audit.momentum import charges, frame, roots


def momenta(m: sim.Model, d: sim.Data, trees: list[int]) -> np.ndarray:
    sim.forward(m, d)
    return instant(m, d, trees, charges(m, d, trees)).momenta


def test_those_of_a_floating_tree_are_mujocos():
    m = sim.load(find_scene("humanoid"))
    d = sim.Data(m)
    d.qvel = np.random.default_rng(1).standard_normal(m.nv)
    found = momenta(m, d, [0])
    sim.subtree_vel(m, d)
    assert found[:3] == pytest.approx(float(m.body_subtreemass[1]) * d.subtree_linvel[1], rel=1e-9)
    assert found[3:] == pytest.approx(d.subtree_angmom[1], rel=1e-9)


def test_those_of_several_trees_are_about_their_common_centre_of_mass():
    m = sim.load(find_scene("pile"))
    d = sim.Data(m)
    d.qvel = np.random.default_rng(2).standard_normal(m.nv)
    found = momenta(m, d, [*range(m.ntree)])
    sim.subtree_vel(m, d)
    # the world's subtree is all that moves, and static bodies that do not
    moving = np.isin(m.body_treeid, range(m.ntree))
    mass = m.body_mass[moving].sum()
    assert found[:3] == pytest.approx(m.body_subtreemass[0] * d.subtree_linvel[0], rel=1e-9)
    centre = m.body_mass[moving] @ d.xipos[moving] / mass
    total = np.zeros(3)
    for root in range(1, m.nbody):
        if m.body_parentid[root] == 0 and moving[root]:
            arm = d.subtree_com[root] - centre
            total += d.subtree_angmom[root] + np.cross(arm, m.body_subtreemass[root] * d.subtree_linvel[root])
    assert found[3:] == pytest.approx(total, rel=1e-9)


PLANAR = """<mujoco><option gravity="0 0 -9.81"/><worldbody><body>
  <joint name="x" type="slide" axis="1 0 0"/><joint name="z" type="slide" axis="0 0 1"/>
  <joint name="pitch" axis="0 1 0"/><geom type="box" size=".3 .1 .1"/>
  <body pos=".4 0 0"><joint axis="0 1 0"/><geom type="capsule" fromto="0 0 0 .4 0 0" size=".03"/></body>
</body></worldbody></mujoco>"""


def test_a_planar_tree_has_those_of_its_plane():
    m = sim.loads(PLANAR)
    d = sim.Data(m)
    d.qvel = (1.0, 0.5, 2.0, -1.0)
    sim.forward(m, d)
    found = charges(m, d, [0])
    assert [charge.blocker for charge in found] == [-1, 2, -1, 2, -1, 2]
    sim.subtree_vel(m, d)
    values = instant(m, d, [0], found).momenta
    assert values[4] == pytest.approx(d.subtree_angmom[1, 1], rel=1e-9)
    assert values[[0, 2]] == pytest.approx(float(m.body_subtreemass[1]) * d.subtree_linvel[1, [0, 2]], rel=1e-9)


def test_a_ball_joint_has_all_about_its_anchor():
    m = sim.load(find_scene("ball_chain"))
    d = sim.Data(m)
    sim.forward(m, d)
    found = charges(m, d, [0])
    (root,) = roots(m, [0])
    assert root.slides == () and {charge.joint for charge in found} == {root.turn}
    assert frame(m, d, [0], found).map.shape == (3, 3)


def test_a_thousand_free_bodies():
    body = "<body pos='{} 0 0'><freejoint/><geom size='.1'/></body>"
    bodies = "".join(body.format(k) for k in range(1000))
    m = sim.loads(f"<mujoco><option gravity='0 0 0'/><worldbody>{bodies}</worldbody></mujoco>")
    d = sim.Data(m)
    d.qvel[:] = 1.0
    found = momenta(m, d, [*range(1000)])
    assert found[:3] == pytest.approx(np.full(3, m.body_mass.sum()))
