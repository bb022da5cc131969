"""How points and frames move with the dofs.

Wrenches onto dofs (Jᵀ f) and velocities in local frames, straight from cdof and cvel, without ever forming J. A dof
above body b turns by ω = cdof[:3] and moves point p by v = cdof[3:] + ω × (p - subtree_com of the tree).
Dense Jacobians for scripts are in sim/script/jacobian.py.
"""

from __future__ import annotations

from sim.jit import helper, inline
from sim.math.spatial import dot6, get6
from sim.math.vec import add3, cross, get3, sub3


@inline
def last_dof(m, b):
    """The dof nearest above a body, or -1. A mocap body has none, though it is welded to nothing."""
    moved = m.body_weldid[b]
    return m.body_dofadr[moved] + m.body_dofnum[moved] - 1 if m.body_dofnum[moved] > 0 else -1


@helper
def add_wrench(m, d, out, b, point, force, torque):
    """out += Jᵀ (force, torque) that act on body b at a point."""
    # the same wrench about the tree's centre of mass
    t = add3(torque, cross(sub3(point, get3(d.subtree_com, m.body_rootid[b])), force))
    wrench = (t[0], t[1], t[2], force[0], force[1], force[2])
    v = last_dof(m, b)
    while v >= 0:
        out[v] += dot6(get6(d.cdof, v), wrench)
        v = m.dof_parentid[v]


@inline
def point_velocity(m, d, b, point):
    """(angular, linear) velocity of a point of body b, in the world's axes."""
    c = get6(d.cvel, b)
    w = (c[0], c[1], c[2])
    lever = sub3(point, get3(d.subtree_com, m.body_rootid[b]))
    return w, add3((c[3], c[4], c[5]), cross(w, lever))
