"""The dual problem in terms of constraint forces, shared by PGS and noslip.

The forces minimise ½ fᵀ (A + R) f + bᵀ f, A = J M⁻¹ Jᵀ, within their bounds and cones. A is not formed: with
M = LᵀDL and Y = J L⁻¹ D^-½, A = Y Yᵀ, and the residual of row r is b + Y_r · z + R f, z = Yᵀ f. A change of one force
moves z along Y_r. Rows of Y have hardly more entries than rows of J: dofs and their ancestors. Only if rows are few
and dense is A formed, and w = A f kept instead of z: then a sweep needs no dot products.
"""

from math import sqrt
from typing import TYPE_CHECKING

from sim.enums import (
    CNSTRSTATE_CONE,
    CNSTRSTATE_LINEARNEG,
    CNSTRSTATE_LINEARPOS,
    CNSTRSTATE_QUADRATIC,
    CNSTRSTATE_SATISFIED,
    MINVAL,
    SOL_PGS,
)
from sim.jit import helper, inline, kernel
from sim.math.dense import add_to_one, dot
from sim.stages.constraint.row import is_sparse
from sim.stages.solver.block import mul_jt, solve_m
from sim.state.capacity import require_dual

if TYPE_CHECKING:
    from sim.typed_fields import ModelFields

# with more rows than this per dof, forming A costs more than it saves
MAX_ROWS_PER_DOF = 4


def needs_dual(m: "ModelFields") -> bool:
    """Whether a model is solved in terms of forces."""
    return m.opt.solver == SOL_PGS or m.opt.noslip_iterations > 0


# ---------------------------------------------------------------- rows of Y


@helper
def columns_of(d, r, to):
    """Columns of a sparse row of Y: those of J and all their ancestors. Returns how many; 0 if they may not fit."""
    first = d.block.J_rowadr[r]
    n = d.block.J_rownnz[r]
    last = d.block.J_colind[first + n - 1]
    if to + last + 1 > len(d.dual.Y):
        return 0
    # rows of body Jacobians contain the ancestors already
    complete = True
    for k in range(first, first + n):
        c = d.block.J_colind[k]
        d.dual.mark[c] = r
        row = d.block.M_rowadr[c]
        up = d.block.M_rownnz[c] - 2
        if up >= 0 and d.dual.mark[d.block.M_colind[row + up]] != r:
            complete = False
    if complete:
        for k in range(n):
            d.dual.Y_colind[to + k] = d.block.J_colind[first + k]
        return n
    for k in range(first, first + n):
        c = d.block.J_colind[k]
        for i in range(d.block.M_rowadr[c], d.block.M_rowadr[c] + d.block.M_rownnz[c]):
            d.dual.mark[d.block.M_colind[i]] = r
    n = 0
    for c in range(last + 1):
        if d.dual.mark[c] == r:
            d.dual.Y_colind[to + n] = c
            n += 1
    return n


@helper
def fill_row(d, r, to, n):
    """A sparse row of Y, whose columns are set."""
    x = d.block.spare
    for k in range(to, to + n):
        x[d.dual.Y_colind[k]] = 0.0
    first = d.block.J_rowadr[r]
    for k in range(first, first + d.block.J_rownnz[r]):
        x[d.block.J_colind[k]] = d.block.J[k]
    for k in range(to + n - 1, to - 1, -1):
        v = d.dual.Y_colind[k]
        xv = x[v]
        row = d.block.M_rowadr[v]
        for i in range(row, row + d.block.M_rownnz[v] - 1):
            x[d.block.M_colind[i]] -= d.block.qLD[i] * xv
        d.dual.Y[k] = xv * sqrt(d.block.qLDiagInv[v])


@helper
def fill_dense_row(d, r):
    """A dense row of Y."""
    nv = d.block.nv
    y = r * nv
    for v in range(nv):
        d.dual.Y[y + v] = d.block.J[y + v]
    for v in range(nv - 1, -1, -1):
        yv = d.dual.Y[y + v]
        if yv != 0.0:
            row = d.block.M_rowadr[v]
            for k in range(row, row + d.block.M_rownnz[v] - 1):
                d.dual.Y[y + d.block.M_colind[k]] -= d.block.qLD[k] * yv
            d.dual.Y[y + v] = yv * sqrt(d.block.qLDiagInv[v])


@kernel(when=needs_dual)
def make_dual(m, d, form_A: int) -> int:
    """(block.J, qLD; efc_b) -> (dual.Y, b; full_A if requested and worth it); returns 0 on overflow"""
    nv = d.block.nv
    d.dual.full = 0
    for r in range(d.block.nefc):
        d.dual.b[r] = d.efc_b[d.block.row[r]]
    if not is_sparse(m):
        n = d.block.nefc
        if form_A and n <= MAX_ROWS_PER_DOF * nv:
            d.dual.full = 1
        size = n * max(n, nv) if d.dual.full else n * nv
        if size > len(d.dual.Y):
            require_dual(d, size)
            return 0
        for r in range(n):
            fill_dense_row(d, r)
        d.nY = size
        if d.dual.full:
            make_full(d)
        return 1
    for v in range(nv):
        d.dual.mark[v] = -1
    to = 0
    for r in range(d.block.nefc):
        n = 0
        if d.block.J_rownnz[r] > 0:
            n = columns_of(d, r, to)
            if n == 0:
                require_dual(d, 2 * len(d.dual.Y) + nv)
                return 0
        d.dual.Y_rowadr[r] = to
        d.dual.Y_rownnz[r] = n
        fill_row(d, r, to, n)
        to += n
    d.nY = to
    return 1


@helper
def make_full(d):
    """(dual.Y) -> (dual.full_A): Y Yᵀ, for dense rows"""
    n = d.block.nefc
    nv = d.block.nv
    for r in range(n):
        for s in range(0, r + 1, 4):
            # past the end, the last row stands in
            last = r - s
            at = (s * nv, (s + min(1, last)) * nv, (s + min(2, last)) * nv, (s + min(3, last)) * nv)
            a = dot_four_rows(d.dual.Y, at, r * nv, nv)
            for k in range(min(4, last + 1)):
                value = a[0] if k == 0 else (a[1] if k == 1 else (a[2] if k == 2 else a[3]))
                d.dual.full_A[r * n + s + k] = value
                d.dual.full_A[(s + k) * n + r] = value


@helper(reduce=True)
def dot_four_rows(y, at, row, n):
    """Dot products of four rows of Y with another one."""
    i, j, p, q = at
    s0 = s1 = s2 = s3 = 0.0
    for k in range(n):
        s0 += y[i + k] * y[row + k]
        s1 += y[j + k] * y[row + k]
        s2 += y[p + k] * y[row + k]
        s3 += y[q + k] * y[row + k]
    return s0, s1, s2, s3


@helper
def mul_a_row(m, d, r):
    """A_r · f: row r of A times all forces."""
    if d.dual.full:
        return d.dual.w[r]
    if not is_sparse(m):
        return dot(d.dual.Y, r * d.block.nv, d.dual.z, 0, d.block.nv)
    s = 0.0
    for k in range(d.dual.Y_rowadr[r], d.dual.Y_rowadr[r] + d.dual.Y_rownnz[r]):
        s += d.dual.Y[k] * d.dual.z[d.dual.Y_colind[k]]
    return s


@helper
def add_force(m, d, r, f):
    """z += f Y_r, or w += f A_r"""
    if f == 0.0:
        return
    if d.dual.full:
        add_to_one(d.dual.w, 0, d.block.nefc, d.dual.full_A, r * d.block.nefc, f)
    elif is_sparse(m):
        for k in range(d.dual.Y_rowadr[r], d.dual.Y_rowadr[r] + d.dual.Y_rownnz[r]):
            d.dual.z[d.dual.Y_colind[k]] += f * d.dual.Y[k]
    else:
        add_to_one(d.dual.z, 0, d.block.nv, d.dual.Y, r * d.block.nv, f)


@inline
def three_rows(d, r, n):
    """(rows, addresses) of three sparse rows of Y from r on; if there are only n, the first stands in for the rest."""
    rows = (r, r + 1 if n > 1 else r, r + 2 if n > 2 else r)
    return rows, (d.dual.Y_rowadr[rows[0]], d.dual.Y_rowadr[rows[1]], d.dual.Y_rowadr[rows[2]])


@helper(reduce=True)
def set_residuals(out, m, d, r, n):
    """out <- A f + b of n rows from r on, which have the same columns."""
    if not is_sparse(m) or d.dual.full:
        for j in range(n):
            out[j] = d.dual.b[r + j] + mul_a_row(m, d, r + j)
        return
    for first in range(0, n, 3):
        rows, (a0, a1, a2) = three_rows(d, r + first, n - first)
        s0 = s1 = s2 = 0.0
        for k in range(d.dual.Y_rownnz[rows[0]]):
            z = d.dual.z[d.dual.Y_colind[a0 + k]]
            s0 += d.dual.Y[a0 + k] * z
            s1 += d.dual.Y[a1 + k] * z
            s2 += d.dual.Y[a2 + k] * z
        out[first] = d.dual.b[rows[0]] + s0
        if n - first > 1:
            out[first + 1] = d.dual.b[rows[1]] + s1
        if n - first > 2:
            out[first + 2] = d.dual.b[rows[2]] + s2


@helper
def add_forces(m, d, r, n, before):
    """add_force for the changes since `before` of n rows from r on, which have the same columns."""
    if not is_sparse(m) or d.dual.full:
        for j in range(n):
            add_force(m, d, r + j, d.block.force[r + j] - before[j])
        return
    for first in range(0, n, 3):
        rows, (a0, a1, a2) = three_rows(d, r + first, n - first)
        f0 = d.block.force[rows[0]] - before[first]
        f1 = 0.0
        f2 = 0.0
        if n - first > 1:
            f1 = d.block.force[rows[1]] - before[first + 1]
        if n - first > 2:
            f2 = d.block.force[rows[2]] - before[first + 2]
        for k in range(d.dual.Y_rownnz[rows[0]]):
            d.dual.z[d.dual.Y_colind[a0 + k]] += f0 * d.dual.Y[a0 + k] + f1 * d.dual.Y[a1 + k] + f2 * d.dual.Y[a2 + k]


@helper
def dot_rows(m, d, r, s):
    """A_rs = Y_r · Y_s for two rows of one contact, or a row and itself: they have the same columns."""
    if d.dual.full:
        return d.dual.full_A[r * d.block.nefc + s]
    if is_sparse(m):
        return dot(d.dual.Y, d.dual.Y_rowadr[r], d.dual.Y, d.dual.Y_rowadr[s], d.dual.Y_rownnz[r])
    return dot(d.dual.Y, r * d.block.nv, d.dual.Y, s * d.block.nv, d.block.nv)


@helper
def fill_diagonal_block(m, d, r, n):
    """dual.A of n rows from r on: their diagonal block of A."""
    for j in range(n):
        for k in range(j + 1):
            a = dot_rows(m, d, r + j, r + k)
            d.dual.A[r + j, k] = a
            d.dual.A[r + k, j] = a


@helper
def start_forces(m, d):
    """(block.force) -> (dual.z or w)"""
    for v in range(d.block.nv):
        d.dual.z[v] = 0.0
    for r in range(d.block.nefc):
        d.dual.w[r] = 0.0
    for r in range(d.block.nefc):
        add_force(m, d, r, d.block.force[r])


# ---------------------------------------------------------------- states and the end


@helper
def force_zone(d, r, contact):
    """State of a contact with an elliptic cone, given its forces."""
    mu = d.contact.mu[contact]
    square = 0.0
    for j in range(1, d.contact.dim[contact]):
        f = d.block.force[r + j] / d.contact.friction[contact, j - 1]
        square += f * f
    normal = d.block.force[r] / mu
    tangent = sqrt(square)
    if mu * normal >= tangent:
        return CNSTRSTATE_SATISFIED
    if normal + mu * tangent <= 0.0:
        return CNSTRSTATE_QUADRATIC
    return CNSTRSTATE_CONE


@helper(reduce=True)
def row_states(d):
    """States of equality and unilateral rows, those of cones included; returns how many unilateral ones are active."""
    nactive = 0
    for r in range(d.block.nefc):
        d.block.old_state[r] = d.block.state[r]
    for r in range(d.block.ne):
        d.block.state[r] = CNSTRSTATE_QUADRATIC
    for r in range(d.block.ne + d.block.nf, d.block.nefc):
        acts = 1 if d.block.force[r] > 0.0 else 0
        d.block.state[r] = acts
        nactive += acts
    return nactive


@kernel(when=needs_dual)
def force_states(m, d) -> int:
    """(block.force) -> (block.state, nactive); returns the number of rows whose state changed"""
    free = d.block.ne + d.block.nf
    nactive = free + row_states(d)
    for r in range(d.block.ne, free):
        limit = d.block.floss[r]
        d.block.state[r] = CNSTRSTATE_QUADRATIC
        if d.block.force[r] <= -limit:
            d.block.state[r] = CNSTRSTATE_LINEARPOS
        elif d.block.force[r] >= limit:
            d.block.state[r] = CNSTRSTATE_LINEARNEG
    for c in range(d.block.ncone):
        r = d.block.cone[c]
        contact = d.block.contact[c]
        zone = force_zone(d, r, contact)
        for j in range(d.contact.dim[contact]):
            nactive -= d.block.state[r + j]
            d.block.state[r + j] = zone
        if zone != CNSTRSTATE_SATISFIED:
            nactive += d.contact.dim[contact]
    d.block.nactive = nactive
    nchange = 0
    for r in range(d.block.nefc):
        nchange += 1 if d.block.state[r] != d.block.old_state[r] else 0
    return nchange


@kernel(when=needs_dual)
def finish_dual(m, d):
    """(block.force) -> (block.qfrc_constraint, acc)"""
    mul_jt(d.block.qfrc_constraint, m, d, d.block.force)
    for v in range(d.block.nv):
        d.block.acc[v] = d.block.qfrc_constraint[v]
    solve_m(d.block.acc, d)
    for v in range(d.block.nv):
        d.block.acc[v] += d.block.acc_smooth[v]


@inline
def no_line_search(d):
    """Clear the statistics of line search and factorization, which the dual solvers do not have."""
    d.line.slope = 0.0
    d.line.neval = 0
    d.factor.nupdate = 0


@inline
def clamp(f, limit):
    """A force clamped to ± limit."""
    return max(-limit, min(limit, f))


# ---------------------------------------------------------------- friction of one contact


@helper
def project_on_ellipsoid(d, r, contact, point, first, always):
    """Scale friction forces to the surface of the friction ellipsoid of the normal force in row r; forces inside it
    only if `always`. Returns whether they were scaled."""
    normal = d.block.force[r]
    square = 0.0
    for j in range(d.contact.dim[contact] - 1):
        f = point[first + j] / d.contact.friction[contact, j]
        square += f * f
    outside = always or square > normal * normal
    if outside:
        scale = sqrt(normal * normal / max(MINVAL, square))
        for j in range(d.contact.dim[contact] - 1):
            point[first + j] *= scale
    return outside
