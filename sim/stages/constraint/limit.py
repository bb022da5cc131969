"""Constraint rows of limits: joints and tendons within the margin of the end of their range.

efc_pos is the distance to the limit, negative if violated: range - value at the upper end, value - range at the lower
one. A ball joint has only an upper limit, on its angle; the row's J is the rotation axis.
"""

from sim.enums import CNSTR_LIMIT_JOINT, CNSTR_LIMIT_TENDON, JNT_BALL, JNT_HINGE, JNT_SLIDE
from sim.jit import helper, kernel
from sim.math.quat import quat_at, quat_to_rotation_vector
from sim.math.vec import norm3, normalize3
from sim.stages.constraint.row import clear_rows, close_rows, has_capacity, init_row, is_sparse, one_entry, open_sparse
from sim.stages.constraint.tendon import tendon_row
from sim.stages.sleep.awake import tendon_sleeps


@helper
def init_limit_row(d, row_type, index, left, margin, weight):
    """Initialize a limit's row; J is set."""
    r = d.nefc
    init_row(d, r, row_type, index)
    d.efc_pos[r] = left
    d.efc_margin[r] = margin
    d.efc_diagA[r] = weight


@helper
def limit_joint(m, d, j, left, side):
    """Row of one end of the range of a hinge or slide joint."""
    v = m.jnt_dofadr[j]
    width = one_entry(m, d, v, -side)
    if has_capacity(d, 1, width):
        init_limit_row(d, CNSTR_LIMIT_JOINT, j, left, m.jnt_margin[j], m.dof_invweight0[v])
    close_rows(d, 1, width)


@helper
def limit_ball(m, d, j):
    """Row of a ball joint's angle, if it is within the margin of its limit."""
    a, v = m.jnt_qposadr[j], m.jnt_dofadr[j]
    rotation = quat_to_rotation_vector(quat_at(d.qpos, a))
    left = max(m.jnt_range[j, 0], m.jnt_range[j, 1]) - norm3(rotation)
    if left >= m.jnt_margin[j]:
        return
    axis = normalize3(rotation)
    sparse = is_sparse(m)
    width = 3 if sparse else m.nv
    if has_capacity(d, 1, width):
        at = d.nJ
        if sparse:
            for k in range(3):
                d.efc_J_colind[at + k] = v + k
            open_sparse(d, 1, 3)
        else:
            clear_rows(d, 1, width)
            at += v
        d.efc_J[at] = -axis[0]
        d.efc_J[at + 1] = -axis[1]
        d.efc_J[at + 2] = -axis[2]
        init_limit_row(d, CNSTR_LIMIT_JOINT, j, left, m.jnt_margin[j], m.dof_invweight0[v])
    close_rows(d, 1, width)


@helper
def joint_limits(m, d, j):
    """Rows of the ends of a joint's range that are within the margin."""
    if m.jnt_type[j] == JNT_HINGE or m.jnt_type[j] == JNT_SLIDE:
        q = d.qpos[m.jnt_qposadr[j]]
        if q - m.jnt_range[j, 0] < m.jnt_margin[j]:
            limit_joint(m, d, j, q - m.jnt_range[j, 0], -1.0)
        if m.jnt_range[j, 1] - q < m.jnt_margin[j]:
            limit_joint(m, d, j, m.jnt_range[j, 1] - q, 1.0)
    elif m.jnt_type[j] == JNT_BALL:
        limit_ball(m, d, j)


@helper
def limit_tendon(m, d, t, left, side):
    """Row of one end of a tendon's range."""
    width = tendon_row(m, d, t, -side)
    if width > 0:
        if has_capacity(d, 1, width):
            init_limit_row(d, CNSTR_LIMIT_TENDON, t, left, m.tendon_margin[t], m.tendon_invweight0[t])
        close_rows(d, 1, width)


@helper
def has_limits(m):
    """Whether some joint or tendon has a range."""
    found = False
    for j in range(m.njnt):
        found |= m.jnt_limited[j]
    for t in range(m.ntendon):
        found |= m.tendon_limited[t]
    return found


@kernel(when=has_limits)
def limit_rows(m, d):
    """(qpos, ten_length, ten_J) -> (efc_*, nefc, nJ)"""
    for s in range(d.span.njnt):
        for j in range(d.span.jnt[s, 0], d.span.jnt[s, 1]):
            if m.jnt_limited[j]:
                joint_limits(m, d, j)
    for t in range(m.ntendon):
        if m.tendon_limited[t] and not tendon_sleeps(m, d, t):
            length = d.ten_length[t]
            if length - m.tendon_range[t, 0] < m.tendon_margin[t]:
                limit_tendon(m, d, t, length - m.tendon_range[t, 0], -1.0)
            if m.tendon_range[t, 1] - length < m.tendon_margin[t]:
                limit_tendon(m, d, t, m.tendon_range[t, 1] - length, 1.0)
