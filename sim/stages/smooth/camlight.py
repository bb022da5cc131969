"""Poses of cameras and lights, in all tracking modes.

(xpos, xmat, xquat, subtree_com) -> (cam_xpos, cam_xmat, light_xpos, light_xdir).
A fixed one moves with its body; a tracking one keeps its world orientation and its offset from the body or from the
subtree's centre of mass; a targeting one is fixed in its body and points at another body.
"""

from sim.enums import (
    ASLEEP,
    CAMLIGHT_TARGETBODY,
    CAMLIGHT_TARGETBODYCOM,
    CAMLIGHT_TRACK,
    CAMLIGHT_TRACKCOM,
    STATIC,
)
from sim.jit import inline, kernel
from sim.math.quat import get9, mat_vec, mul_quat, put9, quat_to_mat
from sim.math.vec import add3, cross, get3, get4, normalize3, put3, sub3
from sim.stages.sleep.awake import sleeps


@inline
def has_target(mode, target):
    return (mode == CAMLIGHT_TARGETBODY or mode == CAMLIGHT_TARGETBODYCOM) and target >= 0


@inline
def target_point(d, mode, target):
    return get3(d.xpos, target) if mode == CAMLIGHT_TARGETBODY else get3(d.subtree_com, target)


@inline
def is_still(d, b, by_com):
    """A body, or its subtree's centre of mass, has not moved; a static body may have awake descendants."""
    return d.body_awake[b] == ASLEEP or (d.body_awake[b] == STATIC and not by_com)


@inline
def is_unchanged(m, d, mode, b, target):
    """Neither the body nor the target can have moved since the last update."""
    if not sleeps(m) or d.sleep.static_valid == 0:
        return False
    target_still = target < 0 or is_still(d, target, mode == CAMLIGHT_TARGETBODYCOM)
    return target_still and is_still(d, b, mode == CAMLIGHT_TRACKCOM)


@kernel(when=lambda m: m.ncam > 0)
def camera_poses(m, d):
    """(xpos, xmat, xquat, subtree_com) -> (cam_xpos, cam_xmat)"""
    for c in range(m.ncam):
        b = m.cam_bodyid[c]
        mode = m.cam_mode[c]
        if is_unchanged(m, d, mode, b, m.cam_targetbodyid[c]):
            continue
        if mode == CAMLIGHT_TRACK:
            put3(d.cam_xpos, c, add3(get3(d.xpos, b), get3(m.cam_pos0, c)))
            put9(d.cam_xmat, c, get9(m.cam_mat0, c))
        elif mode == CAMLIGHT_TRACKCOM:
            put3(d.cam_xpos, c, add3(get3(d.subtree_com, b), get3(m.cam_poscom0, c)))
            put9(d.cam_xmat, c, get9(m.cam_mat0, c))
        else:
            pos = add3(mat_vec(get9(d.xmat, b), get3(m.cam_pos, c)), get3(d.xpos, b))
            put3(d.cam_xpos, c, pos)
            target = m.cam_targetbodyid[c]
            if has_target(mode, target):
                # look along -z, with the x axis horizontal
                z = normalize3(sub3(pos, target_point(d, mode, target)))
                x = normalize3((-z[1], z[0], 0.0))
                y = normalize3(cross(z, x))
                put9(d.cam_xmat, c, (x[0], y[0], z[0], x[1], y[1], z[1], x[2], y[2], z[2]))
            else:
                put9(d.cam_xmat, c, quat_to_mat(mul_quat(get4(d.xquat, b), get4(m.cam_quat, c))))


@kernel(when=lambda m: m.nlight > 0)
def light_poses(m, d):
    """(xpos, xmat, subtree_com) -> (light_xpos, light_xdir)"""
    for i in range(m.nlight):
        b = m.light_bodyid[i]
        mode = m.light_mode[i]
        if is_unchanged(m, d, mode, b, m.light_targetbodyid[i]):
            continue
        if mode == CAMLIGHT_TRACK or mode == CAMLIGHT_TRACKCOM:
            if mode == CAMLIGHT_TRACK:
                put3(d.light_xpos, i, add3(get3(d.xpos, b), get3(m.light_pos0, i)))
            else:
                put3(d.light_xpos, i, add3(get3(d.subtree_com, b), get3(m.light_poscom0, i)))
            put3(d.light_xdir, i, normalize3(get3(m.light_dir0, i)))
        else:
            pos = add3(mat_vec(get9(d.xmat, b), get3(m.light_pos, i)), get3(d.xpos, b))
            put3(d.light_xpos, i, pos)
            target = m.light_targetbodyid[i]
            if has_target(mode, target):
                put3(d.light_xdir, i, normalize3(sub3(target_point(d, mode, target), pos)))
            else:
                put3(d.light_xdir, i, normalize3(mat_vec(get9(d.xmat, b), get3(m.light_dir, i))))
