"""Constraint rows of equalities: connect, weld, joint, tendon, distance.

connect: p₁ - p₂ = 0, the two anchors, three rows. weld: that, and the vector part of q₂⁻¹ q₁ r times torquescale,
r the orientation of body 2 in body 1, three more; with quaternions as products, its rate is ½ q₂⁻¹ (ω₁ - ω₂) q₁ r.
joint and tendon: x₁ - x₁⁰ - Σ aₖ (x₂ - x₂⁰)ᵏ = 0, one row. distance: |c₁ - c₂| - length = 0, c centres of geoms.
"""

from sim.enums import CNSTR_EQUALITY, EQ_CONNECT, EQ_DISTANCE, EQ_JOINT, EQ_TENDON, EQ_WELD, OBJ_BODY
from sim.jit import helper, inline, kernel
from sim.math.quat import conjugate, get9, mat_vec, mul_quat
from sim.math.spatial import get6
from sim.math.vec import add3, cross, dot3, get3, get4, norm3, normalize3, sub3
from sim.stages.constraint.row import (
    any_nonzero,
    clear_rows,
    close_rows,
    has_capacity,
    init_row,
    is_sparse,
    open_chain,
    open_sparse,
    set_chain,
)
from sim.stages.constraint.tendon import set_tendon_address
from sim.stages.sleep.awake import equality_sleeps, some_asleep

# ---------------------------------------------------------------- geometry of connect and weld


@inline
def body_of(m, e, x):
    """Body of an object of a connect or weld: the object itself, or the body of its site."""
    return x if m.eq_objtype[e] == OBJ_BODY else m.site_bodyid[x]


@inline
def anchor(m, d, e, x, k):
    """One of the two anchors; for bodies, given in the body frame by eq_data[k:]."""
    if m.eq_objtype[e] == OBJ_BODY:
        local = (m.eq_data[e, k], m.eq_data[e, k + 1], m.eq_data[e, k + 2])
        return add3(get3(d.xpos, x), mat_vec(get9(d.xmat, x), local))
    return get3(d.site_xpos, x)


@helper
def anchors(m, d, e):
    """Both anchors; for a weld, eq_data has that of the second body first."""
    k = 3 if m.eq_type[e] == EQ_WELD else 0
    return anchor(m, d, e, m.eq_obj1id[e], k), anchor(m, d, e, m.eq_obj2id[e], 3 - k)


@helper
def weld_quats(m, d, e):
    """(q₂⁻¹, q₁ r) of a weld"""
    x1, x2 = m.eq_obj1id[e], m.eq_obj2id[e]
    if m.eq_objtype[e] == OBJ_BODY:
        r = (m.eq_data[e, 6], m.eq_data[e, 7], m.eq_data[e, 8], m.eq_data[e, 9])
        return conjugate(get4(d.xquat, x2)), mul_quat(get4(d.xquat, x1), r)
    q1 = mul_quat(get4(d.xquat, m.site_bodyid[x1]), get4(m.site_quat, x1))
    q2 = mul_quat(get4(d.xquat, m.site_bodyid[x2]), get4(m.site_quat, x2))
    return conjugate(q2), q1


@inline
def rotation_error(p, q, s):
    """Vector part of p q, times s."""
    x = mul_quat(p, q)
    return s * x[1], s * x[2], s * x[3]


@helper
def weld_rates(p, q, s):
    """Matrix from angular velocity to the rate of a weld's rotation rows: s · vector part of p ω q."""
    x = rotation_error(mul_quat(p, (0.0, 1.0, 0.0, 0.0)), q, s)
    y = rotation_error(mul_quat(p, (0.0, 0.0, 1.0, 0.0)), q, s)
    z = rotation_error(mul_quat(p, (0.0, 0.0, 0.0, 1.0)), q, s)
    return x[0], y[0], z[0], x[1], y[1], z[1], x[2], y[2], z[2]


@inline
def relative(side, first, second):
    """Contribution of a dof to first - second; side says which of the two it moves."""
    if side < 0:
        return first
    if side > 0:
        return -second[0], -second[1], -second[2]
    return sub3(first, second)


@helper
def put_column(d, at, width, x):
    """One column of three rows."""
    d.efc_J[at] = x[0]
    d.efc_J[at + width] = x[1]
    d.efc_J[at + 2 * width] = x[2]


@helper
def put_errors(m, d, e, r, x, weight):
    """efc_pos of three rows, which are initialized."""
    for k in range(3):
        init_row(d, r + k, CNSTR_EQUALITY, e)
        d.efc_diagA[r + k] = weight
    d.efc_pos[r] = x[0]
    d.efc_pos[r + 1] = x[1]
    d.efc_pos[r + 2] = x[2]


@helper
def fill_pair(m, d, e, n, sparse):
    """J of a connect or weld, one column for each dof of the chain, and efc_pos."""
    b1, b2 = body_of(m, e, m.eq_obj1id[e]), body_of(m, e, m.eq_obj2id[e])
    p1, p2 = anchors(m, d, e)
    lever1 = sub3(p1, get3(d.subtree_com, m.body_rootid[b1]))
    lever2 = sub3(p2, get3(d.subtree_com, m.body_rootid[b2]))
    put_errors(m, d, e, d.nefc, sub3(p1, p2), m.body_invweight0[b1, 0] + m.body_invweight0[b2, 0])
    weld = m.eq_type[e] == EQ_WELD
    rates = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
    if weld:
        p, q = weld_quats(m, d, e)
        error = rotation_error(p, q, m.eq_data[e, 10])
        put_errors(m, d, e, d.nefc + 3, error, m.body_invweight0[b1, 1] + m.body_invweight0[b2, 1])
        rates = weld_rates(p, q, 0.5 * m.eq_data[e, 10])
    width = n if sparse else m.nv
    for i in range(n):
        v = d.chain.dof[i]
        c = get6(d.cdof, v)
        w, linear = (c[0], c[1], c[2]), (c[3], c[4], c[5])
        side = d.chain.side[i]
        at = d.nJ + (n - 1 - i if sparse else v)
        put_column(d, at, width, relative(side, add3(linear, cross(w, lever1)), add3(linear, cross(w, lever2))))
        if weld:
            put_column(d, at + 3 * width, width, mat_vec(rates, relative(side, w, w)))


# ---------------------------------------------------------------- one type each


@helper
def close_equality(d, rows, width, sparse):
    """Finish a block of rows; a dense block of zeros is dropped."""
    if sparse or not has_capacity(d, rows, width) or any_nonzero(d, rows * width):
        close_rows(d, rows, width)


@kernel(when=lambda m: bool(((m.eq_type == EQ_CONNECT) | (m.eq_type == EQ_WELD)).any()))
def pair_rows(m, d, e: int):
    """(xpos, xmat, xquat, site_xpos, cdof) -> (efc_*, nefc, nJ): a connect or weld"""
    sparse = is_sparse(m)
    rows = 6 if m.eq_type[e] == EQ_WELD else 3
    n = set_chain(m, d, body_of(m, e, m.eq_obj1id[e]), body_of(m, e, m.eq_obj2id[e]), True)
    if n == 0:
        return
    width = n if sparse else m.nv
    if has_capacity(d, rows, width):
        open_chain(d, rows, n, sparse, m.nv)
        fill_pair(m, d, e, n, sparse)
    close_equality(d, rows, width, sparse)


@helper
def polynomial(m, e, x):
    """(value, derivative) of a coupling's polynomial"""
    a0, a1, a2, a3, a4 = m.eq_data[e, 0], m.eq_data[e, 1], m.eq_data[e, 2], m.eq_data[e, 3], m.eq_data[e, 4]
    value = a0 + x * (a1 + x * (a2 + x * (a3 + x * a4)))
    return value, a1 + x * (2.0 * a2 + x * (3.0 * a3 + x * 4.0 * a4))


@helper
def init_scalar_row(d, e, error, weight):
    """The row of an equality between scalars."""
    init_row(d, d.nefc, CNSTR_EQUALITY, e)
    d.efc_pos[d.nefc] = error
    d.efc_diagA[d.nefc] = weight


@kernel(when=lambda m: bool((m.eq_type == EQ_JOINT).any()))
def joint_row(m, d, e: int):
    """(qpos) -> (efc_*, nefc, nJ): a joint coupled to another by a polynomial, or fixed"""
    j1, j2 = m.eq_obj1id[e], m.eq_obj2id[e]
    v1, v2 = m.jnt_dofadr[j1], -1
    error = d.qpos[m.jnt_qposadr[j1]] - m.qpos0[m.jnt_qposadr[j1]]
    weight = m.dof_invweight0[v1]
    derivative = 0.0
    if j2 >= 0:
        v2 = m.jnt_dofadr[j2]
        value, derivative = polynomial(m, e, d.qpos[m.jnt_qposadr[j2]] - m.qpos0[m.jnt_qposadr[j2]])
        error -= value
        weight += m.dof_invweight0[v2]
    else:
        error -= m.eq_data[e, 0]
    sparse = is_sparse(m)
    n = 2 if v2 >= 0 and v2 != v1 else 1
    width = n if sparse else m.nv
    if has_capacity(d, 1, width):
        at1, at2 = d.nJ + v1, d.nJ + v2
        if sparse:
            at1 = d.nJ + (1 if n == 2 and v1 > v2 else 0)
            at2 = d.nJ + (1 if n == 2 and v2 > v1 else 0)
            d.efc_J_colind[at1] = v1
            if v2 >= 0:
                d.efc_J_colind[at2] = v2
            open_sparse(d, 1, n)
        clear_rows(d, 1, width)
        d.efc_J[at1] = 1.0
        if v2 >= 0:
            d.efc_J[at2] -= derivative
        init_scalar_row(d, e, error, weight)
    close_equality(d, 1, width, sparse)


@helper
def merge_tendons(m, d, t1, t2, derivative, write):
    """Sparse row of tendon t1 minus derivative times that of t2, which may be -1; returns its number of entries."""
    i, end1 = m.ten_J_rowadr[t1], m.ten_J_rowadr[t1] + m.ten_J_rownnz[t1]
    j, end2 = 0, 0
    if t2 >= 0:
        j, end2 = m.ten_J_rowadr[t2], m.ten_J_rowadr[t2] + m.ten_J_rownnz[t2]
    n = 0
    while i < end1 or j < end2:
        v1 = m.ten_J_colind[i] if i < end1 else m.nv
        v2 = m.ten_J_colind[j] if j < end2 else m.nv
        value = 0.0
        if v1 <= v2:
            value += d.ten_J[i]
            i += 1
        if v2 <= v1:
            value -= derivative * d.ten_J[j]
            j += 1
        if write:
            d.efc_J_colind[d.nJ + n] = min(v1, v2)
            d.efc_J[d.nJ + n] = value
        n += 1
    return n


@helper
def fill_tendons(m, d, t1, t2, derivative):
    """Dense row of tendon t1 minus derivative times that of t2, which may be -1."""
    clear_rows(d, 1, m.nv)
    for k in range(m.ten_J_rowadr[t1], m.ten_J_rowadr[t1] + m.ten_J_rownnz[t1]):
        d.efc_J[d.nJ + m.ten_J_colind[k]] += d.ten_J[k]
    if t2 >= 0:
        for k in range(m.ten_J_rowadr[t2], m.ten_J_rowadr[t2] + m.ten_J_rownnz[t2]):
            d.efc_J[d.nJ + m.ten_J_colind[k]] -= derivative * d.ten_J[k]


@kernel(when=lambda m: bool((m.eq_type == EQ_TENDON).any()))
def tendons_row(m, d, e: int):
    """(ten_length, ten_J) -> (efc_*, nefc, nJ): a tendon coupled to another by a polynomial, or of fixed length"""
    t1, t2 = m.eq_obj1id[e], m.eq_obj2id[e]
    error = d.ten_length[t1] - m.tendon_length0[t1]
    weight = m.tendon_invweight0[t1]
    derivative = 0.0
    row = d.nefc
    if t2 >= 0:
        value, derivative = polynomial(m, e, d.ten_length[t2] - m.tendon_length0[t2])
        error -= value
        weight += m.tendon_invweight0[t2]
    else:
        error -= m.eq_data[e, 0]
    sparse = is_sparse(m)
    width = merge_tendons(m, d, t1, t2, derivative, False) if sparse else m.nv
    if width == 0:
        return
    if has_capacity(d, 1, width):
        if sparse:
            merge_tendons(m, d, t1, t2, derivative, True)
            open_sparse(d, 1, width)
        else:
            fill_tendons(m, d, t1, t2, derivative)
        init_scalar_row(d, e, error, weight)
    close_equality(d, 1, width, sparse)
    if d.nefc > row:
        set_tendon_address(d, t1, row)
        if t2 >= 0:
            set_tendon_address(d, t2, row)


@kernel(when=lambda m: bool((m.eq_type == EQ_DISTANCE).any()))
def distance_row(m, d, e: int):
    """(geom_xpos, cdof) -> (efc_*, nefc, nJ): fixed distance between the centres of two geoms"""
    g1, g2 = m.eq_obj1id[e], m.eq_obj2id[e]
    b1, b2 = m.geom_bodyid[g1], m.geom_bodyid[g2]
    p1, p2 = get3(d.geom_xpos, g1), get3(d.geom_xpos, g2)
    offset = sub3(p1, p2)
    u = normalize3(offset)
    sparse = is_sparse(m)
    n = set_chain(m, d, b1, b2, True)
    if n == 0:
        return
    width = n if sparse else m.nv
    if has_capacity(d, 1, width):
        open_chain(d, 1, n, sparse, m.nv)
        lever1 = sub3(p1, get3(d.subtree_com, m.body_rootid[b1]))
        lever2 = sub3(p2, get3(d.subtree_com, m.body_rootid[b2]))
        for i in range(n):
            v = d.chain.dof[i]
            c = get6(d.cdof, v)
            w, linear = (c[0], c[1], c[2]), (c[3], c[4], c[5])
            x = relative(d.chain.side[i], add3(linear, cross(w, lever1)), add3(linear, cross(w, lever2)))
            d.efc_J[d.nJ + (n - 1 - i if sparse else v)] = dot3(u, x)
        weight = m.body_invweight0[b1, 0] + m.body_invweight0[b2, 0]
        init_scalar_row(d, e, norm3(offset) - m.eq_data[e, 0], weight)
    close_equality(d, 1, width, sparse)


@kernel(when=lambda m: m.neq > 0)
def equality_rows(m, d):
    """(eq_active, ...) -> (efc_*, nefc, nJ)"""
    asleep = some_asleep(m, d)
    for e in range(m.neq):
        if d.eq_active[e] and not (asleep and equality_sleeps(m, d, e)):
            eq_type = m.eq_type[e]
            if eq_type == EQ_CONNECT or eq_type == EQ_WELD:
                pair_rows(m, d, e)
            elif eq_type == EQ_JOINT:
                joint_row(m, d, e)
            elif eq_type == EQ_TENDON:
                tendons_row(m, d, e)
            elif eq_type == EQ_DISTANCE:
                distance_row(m, d, e)
