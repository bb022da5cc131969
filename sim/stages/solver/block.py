"""A block: the constraint rows and dofs that are solved together, gathered into contiguous arrays.

`gather_all` makes one block of everything, `gather_island` one of an island; `block.row` and `block.dof` map back to
the rows of efc_* and to the dofs; `scatter` writes the solution back. J is dense or sparse (CSR) as opt.jacobian says;
dense rows are nv long. The products with J and M that the solvers need are here.
"""

from math import sqrt

from sim.enums import CNSTR_CONTACT_ELLIPTIC, MINVAL
from sim.jit import helper, inline, kernel
from sim.math.dense import add_to_four, add_to_one, dot, dot_four
from sim.stages.constraint.row import is_discrete, is_sparse
from sim.stages.smooth.inertia import inertia_along, need_inertia
from sim.stages.solver.articulated_rows import (
    describe_rows,
    gather_dofs,
    multiply_j,
    multiply_jt,
    multiply_m,
    scatter_dofs,
)


@kernel
def gather_all(m, d):
    """(efc_*, M, qLD, smooth forces, qacc) -> (block.*): all that is awake, in one block"""
    d.block.nv = d.nv_awake
    d.block.ne = d.ne
    d.block.nf = d.nf
    d.block.nefc = d.nefc
    for i in range(d.nv_awake):
        v = d.dof_awake_ind[i]
        d.block.dof[i] = v
        d.block.at[v] = i
    for r in range(d.nefc):
        d.block.row[r] = r
    fill(m, d)
    d.block.scale = inverse_trace(m, d)


@helper(reduce=True)
def inverse_trace(m, d):
    """Scale of cost and gradient of a block: 1 / trace M, in the effective metric too."""
    s = 0.0
    if d.block.articulated:
        for i in range(d.block.nv):
            s += inertia_along(m, d, d.block.dof[i])
        return 1.0 / max(s, MINVAL)
    for i in range(d.block.nv):
        v = d.block.dof[i]
        s += d.M[m.M_rowadr[v] + m.M_rownnz[v] - 1]
    return 1.0 / max(s, MINVAL)


@kernel
def gather_island(m, d, island: int):
    """(efc_*, M, qLD, smooth forces, qacc; island_*, map_*) -> (block.*, with jar and ma): one island"""
    d.block.nv = d.island_nv[island]
    d.block.ne = d.island_ne[island]
    d.block.nf = d.island_nf[island]
    d.block.nefc = d.island_nefc[island]
    for i in range(d.block.nv):
        v = d.map_idof2dof[d.island_idofadr[island] + i]
        d.block.dof[i] = v
        d.block.at[v] = i
    for i in range(d.block.nefc):
        d.block.row[i] = d.map_iefc2efc[d.island_iefcadr[island] + i]
    fill(m, d)
    d.block.scale = inverse_trace(m, d)
    mul_m(d.block.ma, m, d, d.block.acc)
    mul_j(d.block.jar, m, d, d.block.acc)
    for r in range(d.block.nefc):
        d.block.jar[r] -= d.block.aref[r]


@helper
def fill(m, d):
    """Fill the block with the rows and dofs listed in block.row and block.dof."""
    d.block.articulated = describe_rows(m, d) if d.inertia.articulated else 0
    fill_dofs(m, d)
    fill_rows(d)
    if d.block.articulated:
        d.block.nJ = 0
    elif is_sparse(m):
        fill_sparse(d)
        fill_bundles(d)
    else:
        fill_dense(m, d)


@helper
def fill_dofs(m, d):
    """Vectors and the inertia matrix; a block has whole trees, so no column of M is lost."""
    for i in range(d.block.nv):
        v = d.block.dof[i]
        d.block.smooth[i] = d.qfrc_smooth[v]
        d.block.acc_smooth[i] = d.qacc_smooth[v]
        d.block.acc[i] = d.qacc[v]
    if d.block.articulated:
        return
    need_inertia(m, d)
    to = 0
    for i in range(d.block.nv):
        v = d.block.dof[i]
        d.block.qLDiagInv[i] = d.qLDiagInv[v]
        d.block.M_rowadr[i] = to
        d.block.M_rownnz[i] = m.M_rownnz[v]
        for k in range(m.M_rowadr[v], m.M_rowadr[v] + m.M_rownnz[v]):
            d.block.M[to] = d.M[k]
            d.block.qLD[to] = d.qLD[k]
            d.block.M_colind[to] = d.block.at[m.M_colind[k]]
            to += 1
    if is_discrete(m):
        fill_metric(m, d)


@kernel(when=is_discrete)
def fill_metric(m, d):
    """(metric.*) -> (block.M, qLD, qLDiagInv, smooth): the effective metric instead of the inertia matrix"""
    for i in range(d.block.nv):
        v = d.block.dof[i]
        d.block.smooth[i] -= d.metric.shift[v]
        d.block.qLDiagInv[i] = d.metric.qLDiagInv[v]
        to, source = d.block.M_rowadr[i], m.M_rowadr[v]
        for k in range(m.M_rownnz[v]):
            d.block.M[to + k] = d.metric.M[source + k]
            d.block.qLD[to + k] = d.metric.qLD[source + k]


@helper
def fill_dense(m, d):
    """Dense J."""
    nv = d.block.nv
    for i in range(d.block.nefc):
        source = d.block.row[i] * m.nv
        if nv == m.nv:
            for v in range(nv):
                d.block.J[i * nv + v] = d.efc_J[source + v]
        else:
            for v in range(nv):
                d.block.J[i * nv + v] = d.efc_J[source + d.block.dof[v]]
    d.block.nJ = nv * d.block.nefc


@helper
def fill_sparse(d):
    """Sparse J."""
    to = 0
    for i in range(d.block.nefc):
        r = d.block.row[i]
        n = d.efc_J_rownnz[r]
        d.block.J_rowadr[i] = to
        d.block.J_rownnz[i] = n
        source = d.efc_J_rowadr[r]
        for k in range(n):
            d.block.J[to + k] = d.efc_J[source + k]
            d.block.J_colind[to + k] = d.block.at[d.efc_J_colind[source + k]]
        to += n
    d.block.nJ = to


@helper
def same_columns(d, r, s):
    """Whether two sparse rows of J have the same columns."""
    n = d.block.J_rownnz[r]
    if n != d.block.J_rownnz[s]:
        return False
    a = d.block.J_rowadr[r]
    b = d.block.J_rowadr[s]
    differing = 0
    for k in range(n):
        differing += 1 if d.block.J_colind[a + k] != d.block.J_colind[b + k] else 0
    return differing == 0


@helper
def fill_bundles(d):
    """(block.J_*, cone) -> (bundle.*): up to four rows with the same columns, of at most one cone"""
    n = 0
    c = 0
    for r in range(d.block.nefc):
        starts = c < d.block.ncone and d.block.cone[c] == r
        if starts:
            c += 1
        again = r > 0 and same_columns(d, r - 1, r)
        if again and not starts and d.bundle.size[n - 1] < 4:
            d.bundle.size[n - 1] += 1
        else:
            d.bundle.row[n] = r
            d.bundle.size[n] = 1
            d.bundle.again[n] = 1 if again else 0
            n += 1
    d.bundle.count = n


@helper
def fill_rows(d):
    """Everything of the rows but J; lists the contacts with elliptic cones."""
    free = d.block.ne + d.block.nf
    ncone = 0
    last = -1
    for i in range(d.block.nefc):
        r = d.block.row[i]
        d.block.D[i] = d.efc_D[r]
        d.block.R[i] = d.efc_R[r]
        d.block.floss[i] = d.efc_frictionloss[r]
        d.block.aref[i] = d.efc_aref[r]
        d.block.force[i] = d.efc_force[r]
        elliptic = d.efc_type[r] == CNSTR_CONTACT_ELLIPTIC
        d.block.D_unilateral[i] = 0.0 if i < free or elliptic else d.efc_D[r]
        if elliptic and d.efc_id[r] != last:
            last = d.efc_id[r]
            d.block.cone[ncone] = i
            d.block.contact[ncone] = last
            ncone += 1
    d.block.ncone = ncone


@kernel
def scatter(m, d):
    """(block.*) -> (qacc, qfrc_constraint, efc_force, efc_state)"""
    for i in range(d.block.nv):
        v = d.block.dof[i]
        d.qacc[v] = d.block.acc[i]
        d.qfrc_constraint[v] = d.block.qfrc_constraint[i]
    for i in range(d.block.nefc):
        r = d.block.row[i]
        d.efc_force[r] = d.block.force[i]
        d.efc_state[r] = d.block.state[i]


@helper(reduce=True)
def nonfinite(d):
    """NaN if a row or the solution is not finite, else 0. Comparisons with NaN would take such a row for satisfied."""
    s = 0.0 * d.block.gradient
    for r in range(d.block.nefc):
        s += 0.0 * (d.block.jar[r] + d.block.R[r] + d.block.D[r] + d.block.floss[r])
    return s


@helper
def fill_nan(d, nan):
    """Poison the solution, so that the step finds a bad acceleration."""
    for v in range(d.block.nv):
        d.block.acc[v] = nan
        d.block.qfrc_constraint[v] = nan
    for r in range(d.block.nefc):
        d.block.force[r] = nan


# ---------------------------------------------------------------- products


@inline
def rows_at(d, r, n):
    """Addresses of four sparse rows of J from r on; if there are only n, the first one stands in for the rest."""
    return (
        d.block.J_rowadr[r],
        d.block.J_rowadr[r + 1 if n > 1 else r],
        d.block.J_rowadr[r + 2 if n > 2 else r],
        d.block.J_rowadr[r + 3 if n > 3 else r],
    )


@helper(reduce=True)
def dot_bundle(d, at, n, x):
    """Four sparse rows of J with the same n columns, times a vector."""
    s0 = s1 = s2 = s3 = 0.0
    for k in range(n):
        xk = x[d.block.J_colind[at[0] + k]]
        s0 += d.block.J[at[0] + k] * xk
        s1 += d.block.J[at[1] + k] * xk
        s2 += d.block.J[at[2] + k] * xk
        s3 += d.block.J[at[3] + k] * xk
    return s0, s1, s2, s3


@helper
def mul_j(out, m, d, x):
    """out <- J x"""
    if d.block.articulated:
        scatter_dofs(d, x)
        multiply_j(m, d)
        for r in range(d.block.nefc):
            out[r] = d.articulated.row[r]
        return
    if is_sparse(m):
        for b in range(d.bundle.count):
            r = d.bundle.row[b]
            size = d.bundle.size[b]
            s = dot_bundle(d, rows_at(d, r, size), d.block.J_rownnz[r], x)
            out[r] = s[0]
            if size > 1:
                out[r + 1] = s[1]
            if size > 2:
                out[r + 2] = s[2]
            if size > 3:
                out[r + 3] = s[3]
        return
    nv = d.block.nv
    n = d.block.nefc
    for r in range(0, n - 3, 4):
        first = r * nv
        s = dot_four(d.block.J, (first, first + nv, first + 2 * nv, first + 3 * nv), x, nv)
        out[r] = s[0]
        out[r + 1] = s[1]
        out[r + 2] = s[2]
        out[r + 3] = s[3]
    for r in range(n - n % 4, n):
        out[r] = dot(d.block.J, r * nv, x, 0, nv)


@helper
def mul_jt(out, m, d, force):
    """out <- Jᵀ force"""
    if d.block.articulated:
        for r in range(d.block.nefc):
            d.articulated.row[r] = force[r]
        multiply_jt(m, d)
        gather_dofs(out, d, d.articulated.y)
        return
    nv = d.block.nv
    n = d.block.nefc
    for v in range(nv):
        out[v] = 0.0
    if is_sparse(m):
        for b in range(d.bundle.count):
            r = d.bundle.row[b]
            size = d.bundle.size[b]
            f0 = force[r]
            f1 = force[r + 1] if size > 1 else 0.0
            f2 = force[r + 2] if size > 2 else 0.0
            f3 = force[r + 3] if size > 3 else 0.0
            if f0 != 0.0 or f1 != 0.0 or f2 != 0.0 or f3 != 0.0:
                at = rows_at(d, r, size)
                for k in range(d.block.J_rownnz[r]):
                    s = f0 * d.block.J[at[0] + k] + f1 * d.block.J[at[1] + k]
                    out[d.block.J_colind[at[0] + k]] += s + f2 * d.block.J[at[2] + k] + f3 * d.block.J[at[3] + k]
        return
    for r in range(0, n - 3, 4):
        f = (force[r], force[r + 1], force[r + 2], force[r + 3])
        if f[0] != 0.0 or f[1] != 0.0 or f[2] != 0.0 or f[3] != 0.0:
            first = r * nv
            add_to_four(out, 0, nv, d.block.J, (first, first + nv, first + 2 * nv, first + 3 * nv), f)
    for r in range(n - n % 4, n):
        if force[r] != 0.0:
            add_to_one(out, 0, nv, d.block.J, r * nv, force[r])


@helper
def mul_m(out, m, d, x):
    """out <- M x"""
    if d.block.articulated:
        scatter_dofs(d, x)
        multiply_m(m, d)
        gather_dofs(out, d, d.articulated.y)
        return
    for v in range(d.block.nv):
        row = d.block.M_rowadr[v]
        n = d.block.M_rownnz[v] - 1
        xv = x[v]
        s = d.block.M[row + n] * xv
        for k in range(row, row + n):
            c = d.block.M_colind[k]
            s += d.block.M[k] * x[c]
            out[c] += d.block.M[k] * xv
        out[v] = s


@helper
def solve_m(x, d):
    """x <- M⁻¹ x"""
    nv = d.block.nv
    for v in range(nv - 1, -1, -1):
        xv = x[v]
        if xv != 0.0:
            row = d.block.M_rowadr[v]
            for k in range(row, row + d.block.M_rownnz[v] - 1):
                x[d.block.M_colind[k]] -= d.block.qLD[k] * xv
    for v in range(nv):
        row = d.block.M_rowadr[v]
        s = x[v] * d.block.qLDiagInv[v]
        for k in range(row, row + d.block.M_rownnz[v] - 1):
            s -= d.block.qLD[k] * x[d.block.M_colind[k]]
        x[v] = s


@helper
def norm(x, n):
    """Euclidean norm."""
    return sqrt(dot(x, 0, x, 0, n))
