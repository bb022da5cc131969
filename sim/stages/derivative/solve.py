"""LU factorization and solve of an implicit step's matrix, M - h qDeriv; 6x6 solve of free bodies.

It has the sparsity of qDeriv. Elimination from leaves to root has no fill-in: M - h qDeriv = (U + 1) L, both in qLU.
Under implicitfast, a free body without jointed descendants is solved separately in six dofs, including its gyroscopic
forces, which are neglected for all others: (M - h qDeriv + h d(qfrc_bias)/d(qvel)) a = force, with pivoting.
"""

from sim.enums import INT_IMPLICIT, INT_IMPLICITFAST, MINVAL, WARN_INERTIA
from sim.jit import helper, kernel
from sim.stages.derivative.bias import free_block_bias
from sim.stages.smooth.inertia import is_free_body
from sim.state.warning import warn


@helper
def eliminate(m, d, i, j, at):
    """Eliminate dof i from row j of qLU, an ancestor, whose entry in column i is at `at`."""
    s = d.qLU[at] / d.qLU[m.D_rowadr[i] + m.D_diag[i]]
    d.qLU[at] = s
    if s == 0.0:
        return
    first, k = m.D_rowadr[i], m.D_rowadr[j]
    # up to its diagonal, row j has the first columns of row i
    shared = m.D_diag[j] + 1
    for n in range(shared):
        d.qLU[k + n] -= s * d.qLU[first + n]
    # dofs between the two lie among the other descendants of j
    k += shared
    for n in range(first + shared, first + m.D_diag[i]):
        while m.D_colind[k] < m.D_colind[n]:
            k += 1
        d.qLU[k] -= s * d.qLU[n]


@kernel(when=lambda m: m.opt.integrator == INT_IMPLICIT)
def factor_lu(m, d):
    """(M, qDeriv) -> (qLU)"""
    h = m.opt.timestep
    for run in range(d.span.ndof):
        for v in range(d.span.dof[run, 0], d.span.dof[run, 1]):
            for k in range(m.D_rowadr[v], m.D_rowadr[v] + m.D_rownnz[v]):
                at = m.mapM2D[k]
                d.qLU[k] = (d.M[at] if at >= 0 else 0.0) - h * d.qDeriv[k]
            d.deriv.cursor[v] = m.D_rowadr[v] + m.D_rownnz[v] - 1
    for run in range(d.span.ndof - 1, -1, -1):
        for i in range(d.span.dof[run, 1] - 1, d.span.dof[run, 0] - 1, -1):
            diag = m.D_rowadr[i] + m.D_diag[i]
            if abs(d.qLU[diag]) < MINVAL:
                d.qLU[diag] = MINVAL
                warn(d, WARN_INERTIA, i)
            j = m.dof_parentid[i]
            while j >= 0:
                # columns of row j beyond i belong to dofs that are eliminated already
                eliminate(m, d, i, j, d.deriv.cursor[j])
                d.deriv.cursor[j] -= 1
                j = m.dof_parentid[j]


@helper
def solve_lu(m, d, x):
    """x <- ((U + 1) L)⁻¹ x"""
    for run in range(d.span.ndof - 1, -1, -1):
        for i in range(d.span.dof[run, 1] - 1, d.span.dof[run, 0] - 1, -1):
            row = m.D_rowadr[i]
            s = x[i]
            for k in range(row + m.D_diag[i] + 1, row + m.D_rownnz[i]):
                s -= d.qLU[k] * x[m.D_colind[k]]
            x[i] = s
    for run in range(d.span.ndof):
        for i in range(d.span.dof[run, 0], d.span.dof[run, 1]):
            row = m.D_rowadr[i]
            diag = row + m.D_diag[i]
            s = x[i]
            for k in range(row, diag):
                s -= d.qLU[k] * x[m.D_colind[k]]
            x[i] = s / d.qLU[diag]


# ---------------------------------------------------------------- free bodies


@helper
def free_block(m, d, j, v):
    """deriv.block = M - h qDeriv + h d(qfrc_bias)/d(qvel) for the six dofs from v on; the force in column 6"""
    h = m.opt.timestep
    for r in range(6):
        row = m.D_rowadr[v + r]
        for c in range(6):
            at = m.mapM2D[row + c]
            d.deriv.block[r, c] = (d.M[at] if at >= 0 else 0.0) - h * d.qDeriv[row + c]
        d.deriv.block[r, 6] = d.qfrc_smooth[v + r] + d.qfrc_constraint[v + r]
    free_block_bias(m, d, m.jnt_bodyid[j], v, h)


@helper
def metric_block(m, d, j, v):
    """deriv.block = M̂ + h d(qfrc_bias)/d(qvel) for the six dofs from v on; the force in column 6"""
    for r in range(6):
        row = m.M_rowadr[v + r]
        for c in range(6):
            d.deriv.block[r, c] = 0.0
        for k in range(row, row + m.M_rownnz[v + r]):
            d.deriv.block[r, m.M_colind[k] - v] = d.metric.M[k]
        d.deriv.block[r, 6] = d.qfrc_smooth[v + r] - d.metric.shift[v + r] + d.qfrc_constraint[v + r]
    for r in range(6):
        for c in range(r + 1, 6):
            d.deriv.block[r, c] = d.deriv.block[c, r]
    free_block_bias(m, d, m.jnt_bodyid[j], v, m.opt.timestep)


@helper
def solve_block(d):
    """Column 6 of deriv.block <- (first six columns)⁻¹ · column 6, with partial pivoting; False if singular"""
    for k in range(6):
        best = k
        for r in range(k + 1, 6):
            if abs(d.deriv.block[r, k]) > abs(d.deriv.block[best, k]):
                best = r
        if abs(d.deriv.block[best, k]) < MINVAL:
            return False
        if best != k:
            for c in range(k, 7):
                swapped = d.deriv.block[k, c]
                d.deriv.block[k, c] = d.deriv.block[best, c]
                d.deriv.block[best, c] = swapped
        inv = 1.0 / d.deriv.block[k, k]
        for r in range(k + 1, 6):
            s = d.deriv.block[r, k] * inv
            if s != 0.0:
                for c in range(k + 1, 7):
                    d.deriv.block[r, c] -= s * d.deriv.block[k, c]
    for k in range(5, -1, -1):
        s = d.deriv.block[k, 6]
        for c in range(k + 1, 6):
            s -= d.deriv.block[k, c] * d.deriv.block[c, 6]
        d.deriv.block[k, 6] = s / d.deriv.block[k, k]
    return True


@kernel(when=lambda m: m.opt.integrator == INT_IMPLICITFAST)
def free_body_acc(m, d, j: int) -> int:
    """(M, qDeriv, qfrc_smooth, qfrc_constraint) -> (deriv.block[:, 6]: acceleration); 0: not free, or singular"""
    if not is_free_body(m, m.jnt_bodyid[j]):
        return 0
    free_block(m, d, j, m.jnt_dofadr[j])
    return 1 if solve_block(d) else 0
