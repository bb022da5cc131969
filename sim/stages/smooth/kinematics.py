"""Forward kinematics: from qpos to the world frames of bodies, joints, geoms and sites.

(qpos, mocap_pos, mocap_quat) -> (xpos, xquat, xmat, xipos, xiquat, ximat, xanchor, xaxis, geom_x*, site_x*).
Root to leaves: a body starts in its parent's frame, offset by body_pos and body_quat; each joint then translates it or
rotates it about an anchor that stays in place: x = anchor - R · jnt_pos. Rounded as in MuJoCo to the last bit, so that
degenerate contacts, flat faces on flat faces, come out the same (this costs 0.1 to 1 us).
"""

from sim.enums import (
    AWAKE,
    JNT_BALL,
    JNT_FREE,
    JNT_SLIDE,
    SAMEFRAME_BODY,
    SAMEFRAME_BODYROT,
    SAMEFRAME_INERTIA,
    SAMEFRAME_INERTIAROT,
    STATIC,
)
from sim.jit import helper, inline, kernel
from sim.math.quat import axis_angle_to_quat, get9, mat_vec, mul_quat, normalize4, put9, quat_at, quat_to_mat, rotate
from sim.math.vec import add3, get3, get4, put3, put4, scale3, sub3
from sim.stages.sleep.awake import sleeps


@inline
def is_free(m, b):
    return m.body_jntnum[b] == 1 and m.jnt_type[m.body_jntadr[b]] == JNT_FREE


@helper
def free_body(m, d, b):
    """Frame of a body with a free joint: read from qpos."""
    j = m.body_jntadr[b]
    a = m.jnt_qposadr[j]
    pos = (d.qpos[a], d.qpos[a + 1], d.qpos[a + 2])
    put3(d.xanchor, j, pos)
    put3(d.xaxis, j, get3(m.jnt_axis, j))
    return pos, quat_at(d.qpos, a + 3)


@inline
def rest_frame(m, d, b):
    """Frame of a body before its joints are applied."""
    k = m.body_mocapid[b]
    if k >= 0:
        pos, quat = get3(d.mocap_pos, k), normalize4(get4(d.mocap_quat, k))
    else:
        pos, quat = get3(m.body_pos, b), get4(m.body_quat, b)
    p = m.body_parentid[b]
    if p > 0:
        pos = add3(mat_vec(get9(d.xmat, p), pos), get3(d.xpos, p))
        quat = mul_quat(get4(d.xquat, p), quat)
    return pos, quat


@helper
def jointed_body(m, d, b):
    """Frame of a body after all of its joints, if any."""
    pos, quat = rest_frame(m, d, b)
    first = m.body_jntadr[b]
    for j in range(first, first + m.body_jntnum[b]):
        anchor = add3(rotate(quat, get3(m.jnt_pos, j)), pos)
        axis = rotate(quat, get3(m.jnt_axis, j))
        a = m.jnt_qposadr[j]
        if m.jnt_type[j] == JNT_SLIDE:
            pos = add3(pos, scale3(axis, d.qpos[a] - m.qpos0[a]))
        else:
            # rotate, then move the anchor back in place
            if m.jnt_type[j] == JNT_BALL:
                rotation = quat_at(d.qpos, a)
            else:
                rotation = axis_angle_to_quat(get3(m.jnt_axis, j), d.qpos[a] - m.qpos0[a])
            quat = mul_quat(quat, rotation)
            pos = sub3(anchor, rotate(quat, get3(m.jnt_pos, j)))
        put3(d.xanchor, j, anchor)
        put3(d.xaxis, j, axis)
    return pos, normalize4(quat)


@inline
def place(m, d, b, pos, quat, sameframe, xpos, xquat, xmat, i):
    """Row i of (xpos, xquat, xmat): a frame fixed in body b, copied if it coincides with one of the body's frames."""
    if sameframe == SAMEFRAME_BODY:
        put3(xpos, i, get3(d.xpos, b))
    elif sameframe == SAMEFRAME_INERTIA:
        put3(xpos, i, get3(d.xipos, b))
    else:
        put3(xpos, i, add3(mat_vec(get9(d.xmat, b), pos), get3(d.xpos, b)))
    if sameframe == SAMEFRAME_BODY or sameframe == SAMEFRAME_BODYROT:
        put4(xquat, i, get4(d.xquat, b))
        put9(xmat, i, get9(d.xmat, b))
    elif sameframe == SAMEFRAME_INERTIA or sameframe == SAMEFRAME_INERTIAROT:
        put4(xquat, i, get4(d.xiquat, b))
        put9(xmat, i, get9(d.ximat, b))
    else:
        rotation = mul_quat(get4(d.xquat, b), quat)
        put4(xquat, i, rotation)
        put9(xmat, i, quat_to_mat(rotation))


@inline
def put_geom(d, g, pos, mat):
    """Put a geom somewhere else, for a while."""
    put3(d.geom_xpos, g, pos)
    put9(d.geom_xmat, g, mat)


@kernel(exact=True)
def kinematics(m, d):
    """(qpos, mocap_pos, mocap_quat) -> (xpos, xquat, xmat, xipos, xiquat, ximat, xanchor, xaxis, geom_x*, site_x*)"""
    # while sleeping is enabled, poses of static bodies are computed once
    static_valid = sleeps(m) and d.sleep.static_valid != 0
    put3(d.xpos, 0, (0.0, 0.0, 0.0))
    put4(d.xquat, 0, (1.0, 0.0, 0.0, 0.0))
    put9(d.xmat, 0, (1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0))
    put3(d.xipos, 0, (0.0, 0.0, 0.0))
    put4(d.xiquat, 0, (1.0, 0.0, 0.0, 0.0))
    put9(d.ximat, 0, (1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0))
    # bodies, root to leaves, with their inertial frames
    for s in range(d.span.nbody):
        for b in range(d.span.body[s, 0], d.span.body[s, 1]):
            if static_valid and d.body_awake[b] == STATIC:
                continue
            if is_free(m, b):
                pos, quat = free_body(m, d, b)
            else:
                pos, quat = jointed_body(m, d, b)
            put3(d.xpos, b, pos)
            put4(d.xquat, b, quat)
            put9(d.xmat, b, quat_to_mat(quat))
            pos, quat = get3(m.body_ipos, b), get4(m.body_iquat, b)
            place(m, d, b, pos, quat, m.body_sameframe[b], d.xipos, d.xiquat, d.ximat, b)
    # geoms and sites fixed in them
    for s in range(d.span.ngeom):
        for g in range(d.span.geom[s, 0], d.span.geom[s, 1]):
            b = m.geom_bodyid[g]
            if static_valid and d.body_awake[b] == STATIC:
                continue
            pos, quat = get3(m.geom_pos, g), get4(m.geom_quat, g)
            place(m, d, b, pos, quat, m.geom_sameframe[g], d.geom_xpos, d.geom_xquat, d.geom_xmat, g)
    for i in range(m.nsite):
        b = m.site_bodyid[i]
        if static_valid and d.body_awake[b] != AWAKE:
            continue
        pos, quat = get3(m.site_pos, i), get4(m.site_quat, i)
        place(m, d, b, pos, quat, m.site_sameframe[i], d.site_xpos, d.site_xquat, d.site_xmat, i)
