"""User changes that wake a sleeping tree: to qpos, qvel, applied forces, its mocap parent or its policy.

A sleeping tree has zero velocity and zero applied forces, byte by byte, and the qpos with which it fell asleep.
"""

from math import copysign

from sim.enums import WAKE_MOCAP, WAKE_NONE, WAKE_POLICY, WAKE_QFRC, WAKE_QPOS, WAKE_QVEL, WAKE_XFRC
from sim.jit import helper, inline
from sim.math.vec import get3, get4
from sim.stages.sleep.awake import never_sleeps


@inline
def is_set(x):
    """A number whose bytes are not all zero: -0 counts."""
    return x != 0.0 or copysign(1.0, x) < 0.0


@helper
def count_set(a, first, end):
    """How many numbers are not zero: no early exit, so that it vectorises (0.05 us for a ragdoll's 200)."""
    n = 0
    for i in range(first, end):
        n += 1 if is_set(a[i]) else 0
    return n


@inline
def perturbed_among(d, first, end):
    """Whether the mouse perturbs one of these bodies."""
    return d.perturb.active != 0 and first <= d.perturb.select < end


@helper
def count_forces(d, first, end):
    """How many numbers of xfrc_applied are not zero for these bodies; a mouse perturbation counts as one."""
    n = 0
    for b in range(first, end):
        for k in range(6):
            n += 1 if is_set(d.xfrc_applied[b, k]) else 0
    return n + (1 if perturbed_among(d, first, end) else 0)


@helper
def first_set(a, first, end):
    """The first index whose number is not zero; end if there is none."""
    for i in range(first, end):
        if is_set(a[i]):
            return i
    return end


@helper
def first_pushed(d, first, end):
    """The first body with an applied force, or the one perturbed by the mouse; end if there is none."""
    for b in range(first, end):
        for k in range(6):
            if is_set(d.xfrc_applied[b, k]):
                return b
    return d.perturb.select if perturbed_among(d, first, end) else end


@inline
def qpos_range(m, t):
    """(first, end) of a tree's qpos"""
    v, end = m.tree_dofadr[t], m.tree_dofadr[t] + m.tree_dofnum[t]
    return m.jnt_qposadr[m.dof_jntid[v]], m.jnt_qposadr[m.dof_jntid[end]] if end < m.nv else m.nq


@helper
def moved_coordinate(m, d, t):
    """The first index of qpos that changed in a sleeping tree, or -1."""
    first, end = qpos_range(m, t)
    n = 0
    for i in range(first, end):
        n += 1 if d.qpos[i] != d.sleep.qpos[i] else 0
    if n > 0:
        for i in range(first, end):
            if d.qpos[i] != d.sleep.qpos[i]:
                return i
    return -1


@helper
def moved_mocap_parent(m, d, t):
    """The mocap body to which a sleeping tree is attached, if it moved; otherwise -1."""
    root = m.body_rootid[m.tree_bodyadr[t]]
    k = m.body_mocapid[root]
    if k < 0:
        return -1
    same = get3(d.mocap_pos, k) == get3(d.sleep.mocap_pos, k) and get4(d.mocap_quat, k) == get4(d.sleep.mocap_quat, k)
    return -1 if same else root


@helper
def user_wake_cause(m, d, t):
    """(WAKE_*, id): what the user changed in a sleeping tree"""
    moved = moved_coordinate(m, d, t)
    if moved >= 0:
        return WAKE_QPOS, moved
    v, end = m.tree_dofadr[t], m.tree_dofadr[t] + m.tree_dofnum[t]
    if count_set(d.qvel, v, end) > 0:
        return WAKE_QVEL, first_set(d.qvel, v, end)
    if count_set(d.qfrc_applied, v, end) > 0:
        return WAKE_QFRC, first_set(d.qfrc_applied, v, end)
    b, end = m.tree_bodyadr[t], m.tree_bodyadr[t] + m.tree_bodynum[t]
    if count_forces(d, b, end) > 0:
        return WAKE_XFRC, first_pushed(d, b, end)
    mocap = moved_mocap_parent(m, d, t)
    if mocap >= 0:
        return WAKE_MOCAP, mocap
    return WAKE_POLICY if never_sleeps(m, t) else WAKE_NONE, 0
