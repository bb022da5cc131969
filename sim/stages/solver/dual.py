"""What Gauss-Seidel and noslip share: rows in terms of forces.

The forces minimise ½ fᵀ (A + R) f + bᵀ f, A = J M⁻¹ Jᵀ, within their bounds and cones. A need not be made: with
M = LᵀDL, Y = J L⁻¹ D^-½ has A = Y Yᵀ, and the acceleration that row r leaves is b + Y_r · z + R f, z = Yᵀ f.
A new force moves z along Y_r. Rows of Y have hardly more entries than those of J: dofs and their ancestors.
Only where rows are few and dense is all of A made, and w = A f kept instead of z: no dot product in a sweep.
"""

from math import sqrt
from typing import Any

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
from sim.stages.solver.block import set_accelerated, set_pull
from sim.state.capacity import require_dual

# more rows than this a dof are better off without all of A
WORTH_IT = 4


def needs_dual(m: Any) -> bool:
    """Rows are wanted in terms of forces."""
    return m.opt.solver == SOL_PGS or m.opt.noslip_iterations > 0


# ---------------------------------------------------------------- rows of Y


@helper
def columns_of(d, r, to):
    """Columns of a sparse row of Y: those of J and all their ancestors. Returns how many; 0 if there is no room."""
    first = d.block.J_rowadr[r]
    n = d.block.J_rownnz[r]
    last = d.block.J_colind[first + n - 1]
    if to + last + 1 > len(d.dual.Y):
        return 0
    # rows of bodies have the ancestors already
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
    """A sparse row of Y, once its columns are known."""
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
def make_dual(m, d, whole: int) -> int:
    """(block.J, qLD; efc_b) -> (dual.Y, b; square if it is wanted and worth it); returns 0 if there is no room"""
    nv = d.block.nv
    d.dual.whole = 0
    for r in range(d.block.nefc):
        d.dual.b[r] = d.efc_b[d.block.row[r]]
    if not is_sparse(m):
        n = d.block.nefc
        if whole and n <= WORTH_IT * nv:
            d.dual.whole = 1
        size = n * max(n, nv) if d.dual.whole else n * nv
        if size > len(d.dual.Y):
            require_dual(d, size)
            return 0
        for r in range(n):
            fill_dense_row(d, r)
        d.nY = size
        if d.dual.whole:
            make_square(d)
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
def make_square(d):
    """(dual.Y) -> (dual.square): all of Y Yᵀ, for dense rows"""
    n = d.block.nefc
    nv = d.block.nv
    for r in range(n):
        for s in range(0, r + 1, 4):
            # rows that are not there are the last one again
            last = r - s
            at = (s * nv, (s + min(1, last)) * nv, (s + min(2, last)) * nv, (s + min(3, last)) * nv)
            a = dot_four_rows(d.dual.Y, at, r * nv, nv)
            for k in range(min(4, last + 1)):
                value = a[0] if k == 0 else (a[1] if k == 1 else (a[2] if k == 2 else a[3]))
                d.dual.square[r * n + s + k] = value
                d.dual.square[(s + k) * n + r] = value


@helper(reduce=True)
def dot_four_rows(y, at, row, n):
    """Four rows of Y times another one."""
    i, j, p, q = at
    s0 = s1 = s2 = s3 = 0.0
    for k in range(n):
        s0 += y[i + k] * y[row + k]
        s1 += y[j + k] * y[row + k]
        s2 += y[p + k] * y[row + k]
        s3 += y[q + k] * y[row + k]
    return s0, s1, s2, s3


@helper
def dot_z(m, d, r):
    """Row r of A times all forces."""
    if d.dual.whole:
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
    if d.dual.whole:
        add_to_one(d.dual.w, 0, d.block.nefc, d.dual.square, r * d.block.nefc, f)
    elif is_sparse(m):
        for k in range(d.dual.Y_rowadr[r], d.dual.Y_rowadr[r] + d.dual.Y_rownnz[r]):
            d.dual.z[d.dual.Y_colind[k]] += f * d.dual.Y[k]
    else:
        add_to_one(d.dual.z, 0, d.block.nv, d.dual.Y, r * d.block.nv, f)


@inline
def three_rows(r, n):
    """Three rows from r on; of n rows, the missing ones are the first again."""
    return r, r + 1 if n > 1 else r, r + 2 if n > 2 else r


@helper(reduce=True)
def set_residuals(out, m, d, r, n):
    """out <- rows r ... r + n - 1 of A times all forces, + b; they have the same columns."""
    if not is_sparse(m) or d.dual.whole:
        for j in range(n):
            out[j] = d.dual.b[r + j] + dot_z(m, d, r + j)
        return
    for first in range(0, n, 3):
        rows = three_rows(r + first, n - first)
        a0 = d.dual.Y_rowadr[rows[0]]
        a1 = d.dual.Y_rowadr[rows[1]]
        a2 = d.dual.Y_rowadr[rows[2]]
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
    """What add_force does, for the changes of n rows from r on since `before`; they have the same columns."""
    if not is_sparse(m) or d.dual.whole:
        for j in range(n):
            add_force(m, d, r + j, d.block.force[r + j] - before[j])
        return
    for first in range(0, n, 3):
        rows = three_rows(r + first, n - first)
        a0 = d.dual.Y_rowadr[rows[0]]
        a1 = d.dual.Y_rowadr[rows[1]]
        a2 = d.dual.Y_rowadr[rows[2]]
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
    """Y_r · Y_s of two rows of one contact, or of a row with itself: they have the same columns."""
    if d.dual.whole:
        return d.dual.square[r * d.block.nefc + s]
    if is_sparse(m):
        return dot(d.dual.Y, d.dual.Y_rowadr[r], d.dual.Y, d.dual.Y_rowadr[s], d.dual.Y_rownnz[r])
    return dot(d.dual.Y, r * d.block.nv, d.dual.Y, s * d.block.nv, d.block.nv)


@helper
def fill_diagonal(m, d, r, n):
    """dual.A of n rows from r on."""
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
    """State of a contact with an elliptic cone, from its forces."""
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
def push_states(d):
    """States of equalities and of rows that only push, as if cones were such rows; returns how many act."""
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
    """(block.force) -> (block.state, nactive); returns how many states changed"""
    free = d.block.ne + d.block.nf
    nactive = free + push_states(d)
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
    """(block.force) -> (block.pull, acc)"""
    set_pull(d.block.pull, m, d, d.block.force)
    for v in range(d.block.nv):
        d.block.acc[v] = d.block.pull[v]
    set_accelerated(d.block.acc, d)
    for v in range(d.block.nv):
        d.block.acc[v] += d.block.acc_smooth[v]


@inline
def no_line_search(d):
    """There are no line searches and no factors here."""
    d.line.slope = 0.0
    d.line.neval = 0
    d.factor.nupdate = 0


@inline
def within(f, limit):
    """A force cut off at ± limit."""
    return max(-limit, min(limit, f))


# ---------------------------------------------------------------- friction of one contact


@helper
def put_on_ellipsoid(d, r, contact, point, first, always):
    """Friction forces scaled to the surface of the ellipsoid of the normal force in row r, from inside only if
    `always`; returns whether they were."""
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
