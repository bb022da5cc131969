"""Centres of mass; inertias, motion axes and velocities about the tree's centre of mass.

All spatial vectors of a tree are expressed about the centre of mass of the whole tree, subtree_com[body_rootid]: this
is more accurate than about the world origin, and bodies can be summed without shifting. com_pos: (xipos, ximat,
xanchor, xaxis, xmat) -> (subtree_com, cinert, cdof); com_vel: (cdof, qvel) -> (cvel, cdof_dot).
"""

from sim.enums import JNT_BALL, JNT_FREE, JNT_HINGE, MINVAL
from sim.jit import helper, inline, kernel
from sim.math.quat import get9
from sim.math.spatial import add_scaled6, cross_motion, get6, inertia_about, put6
from sim.math.vec import add3, cross, get3, put3, scale3, sub3
from sim.stages.sleep.awake import some_asleep


@inline
def put_rotation(a, v, axis, lever):
    """Motion axis of a rotational dof v; `lever` is the vector from the axis to the tree's centre of mass."""
    c = cross(axis, lever)
    put6(a, v, (axis[0], axis[1], axis[2], c[0], c[1], c[2]))


@inline
def put_rotations(a, v, r, lever):
    """Motion axes of three dofs that rotate about the axes of a body, the columns of r."""
    put_rotation(a, v, (r[0], r[3], r[6]), lever)
    put_rotation(a, v + 1, (r[1], r[4], r[7]), lever)
    put_rotation(a, v + 2, (r[2], r[5], r[8]), lever)


@inline
def add_to_parent(m, d, b, moment):
    """Add a subtree's mass times position to the parent."""
    p = m.body_parentid[b]
    put3(d.subtree_com, p, add3(get3(d.subtree_com, p), moment))


@inline
def divide_by_mass(m, d, b):
    """Sum of mass times position -> centre of mass; that of the body itself if the subtree has no mass."""
    mass = m.body_subtreemass[b]
    if mass < MINVAL:
        put3(d.subtree_com, b, get3(d.xipos, b))
    else:
        put3(d.subtree_com, b, scale3(get3(d.subtree_com, b), 1.0 / mass))


@kernel
def subtree_coms(m, d):
    """(xipos) -> (subtree_com)"""
    # mass-weighted sums: each body alone; sleeping trees as a whole; then leaves to root
    put3(d.subtree_com, 0, scale3(get3(d.xipos, 0), m.body_mass[0]))
    for s in range(d.span.nbody):
        for b in range(d.span.body[s, 0], d.span.body[s, 1]):
            put3(d.subtree_com, b, scale3(get3(d.xipos, b), m.body_mass[b]))
    if some_asleep(m, d):
        for t in range(m.ntree):
            if not d.tree_awake[t]:
                b = m.tree_bodyadr[t]
                add_to_parent(m, d, b, scale3(get3(d.subtree_com, b), m.body_subtreemass[b]))
    for s in range(d.span.nbody - 1, -1, -1):
        for b in range(d.span.body[s, 1] - 1, d.span.body[s, 0] - 1, -1):
            add_to_parent(m, d, b, get3(d.subtree_com, b))
    divide_by_mass(m, d, 0)
    for s in range(d.span.nbody):
        for b in range(d.span.body[s, 0], d.span.body[s, 1]):
            divide_by_mass(m, d, b)


@helper
def joint_cdof(m, d, b, j):
    """(xanchor, xaxis, xmat, subtree_com) -> (cdof) for the dofs of one joint"""
    v = m.jnt_dofadr[j]
    kind = m.jnt_type[j]
    lever = sub3(get3(d.subtree_com, m.body_rootid[b]), get3(d.xanchor, j))
    if kind == JNT_FREE:
        put6(d.cdof, v, (0.0, 0.0, 0.0, 1.0, 0.0, 0.0))
        put6(d.cdof, v + 1, (0.0, 0.0, 0.0, 0.0, 1.0, 0.0))
        put6(d.cdof, v + 2, (0.0, 0.0, 0.0, 0.0, 0.0, 1.0))
        put_rotations(d.cdof, v + 3, get9(d.xmat, b), lever)
    elif kind == JNT_BALL:
        put_rotations(d.cdof, v, get9(d.xmat, b), lever)
    elif kind == JNT_HINGE:
        put_rotation(d.cdof, v, get3(d.xaxis, j), lever)
    else:
        axis = get3(d.xaxis, j)
        put6(d.cdof, v, (0.0, 0.0, 0.0, axis[0], axis[1], axis[2]))


@kernel
def com_pos(m, d):
    """(subtree_com, xipos, ximat, xanchor, xaxis, xmat) -> (cinert, cdof)"""
    # inertia of each body about its tree's centre of mass
    for k in range(10):
        d.cinert[0, k] = 0.0
    for s in range(d.span.nbody):
        for b in range(d.span.body[s, 0], d.span.body[s, 1]):
            offset = sub3(get3(d.xipos, b), get3(d.subtree_com, m.body_rootid[b]))
            i = inertia_about(get3(m.body_inertia, b), get9(d.ximat, b), offset, m.body_mass[b])
            put6(d.cinert, b, (i[0], i[1], i[2], i[3], i[4], i[5]))
            d.cinert[b, 6] = i[6]
            d.cinert[b, 7] = i[7]
            d.cinert[b, 8] = i[8]
            d.cinert[b, 9] = i[9]
            # motion axes of its dofs about the same point
            first = m.body_jntadr[b]
            for j in range(first, first + m.body_jntnum[b]):
                joint_cdof(m, d, b, j)


@inline
def add_three_dofs(d, v, vel, linear):
    """Velocity after three simultaneous dofs; their cdof_dot uses the velocity before them."""
    after = vel
    for k in range(v, v + 3):
        s = get6(d.cdof, k)
        if linear:
            put6(d.cdof_dot, k, (0.0, 0.0, 0.0, 0.0, 0.0, 0.0))
        else:
            put6(d.cdof_dot, k, cross_motion(vel, s))
        after = add_scaled6(after, s, d.qvel[k])
    return after


@kernel
def com_vel(m, d):
    """(cdof, qvel) -> (cvel, cdof_dot)"""
    put6(d.cvel, 0, (0.0, 0.0, 0.0, 0.0, 0.0, 0.0))
    for s in range(d.span.nbody):
        for b in range(d.span.body[s, 0], d.span.body[s, 1]):
            vel = get6(d.cvel, m.body_parentid[b])
            first = m.body_jntadr[b]
            for j in range(first, first + m.body_jntnum[b]):
                v = m.jnt_dofadr[j]
                kind = m.jnt_type[j]
                if kind == JNT_FREE:
                    vel = add_three_dofs(d, v, vel, True)
                    vel = add_three_dofs(d, v + 3, vel, False)
                elif kind == JNT_BALL:
                    vel = add_three_dofs(d, v, vel, False)
                else:
                    motion = get6(d.cdof, v)
                    put6(d.cdof_dot, v, cross_motion(vel, motion))
                    vel = add_scaled6(vel, motion, d.qvel[v])
            put6(d.cvel, b, vel)
