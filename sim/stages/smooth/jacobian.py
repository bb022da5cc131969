"""Jacobian products: wrenches projected onto dofs, and velocities of points.

Jᵀ f and J qvel directly from cdof and cvel, without forming J. A dof that moves body b rotates it with angular velocity
ω = cdof[:3] and moves its point p with velocity v = cdof[3:] + ω × (p - subtree_com of the tree).
Dense Jacobians for scripts are in sim/script/jacobian.py.
"""

from __future__ import annotations

from sim.jit import helper, inline
from sim.math.spatial import dot6, get6
from sim.math.vec import add3, cross, get3, sub3


@inline
def last_dof(m, b):
    """The last dof that moves a body, or -1. A mocap body has none, although it is not welded to the world."""
    weld = m.body_weldid[b]
    return m.body_dofadr[weld] + m.body_dofnum[weld] - 1 if m.body_dofnum[weld] > 0 else -1


@helper
def add_wrench(m, d, out, b, point, force, torque):
    """out += Jᵀ (force, torque), acting on body b at a point."""
    # the same wrench about the tree's centre of mass
    t = add3(torque, cross(sub3(point, get3(d.subtree_com, m.body_rootid[b])), force))
    wrench = (t[0], t[1], t[2], force[0], force[1], force[2])
    v = last_dof(m, b)
    while v >= 0:
        out[v] += dot6(get6(d.cdof, v), wrench)
        v = m.dof_parentid[v]


@inline
def point_velocity(m, d, b, point):
    """(angular, linear) velocity of a point of body b, in world axes."""
    c = get6(d.cvel, b)
    w = (c[0], c[1], c[2])
    lever = sub3(point, get3(d.subtree_com, m.body_rootid[b]))
    return w, add3((c[3], c[4], c[5]), cross(w, lever))
