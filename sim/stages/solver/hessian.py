"""Dense Hessian of the primal cost: its assembly, its Cholesky factor and rank-one updates of that.

H = M + Jᵀ diag(D) J over the quadratic rows, and Jᵀ H_c J for each contact in the middle zone of its cone. Stored as
an upper triangle, factored in place (`math/dense.py`). Between iterations few rows change state, each a rank-one update
of the factor. With many of them, or with contacts in the middle zone, H is rebuilt: six rank-one updates cost as much
(0.6 us each at 27 dofs, 3.6 us for matrix and factor of 52 rows).
"""

from math import sqrt

from sim.enums import CNSTRSTATE_CONE, CNSTRSTATE_QUADRATIC, CONE_ELLIPTIC, SOL_NEWTON
from sim.jit import helper, inline, kernel
from sim.math.dense import add_to_four, chol_factor, chol_solve, chol_update
from sim.stages.constraint.row import is_discrete, is_sparse
from sim.stages.solver.coupling import couple_hessian, has_capacity

# with more rank-one updates it is cheaper to rebuild the matrix and its factor
MAX_UPDATES = 6


@inline
def dense_newton(m):
    """Whether the model is solved with a dense Hessian."""
    return m.opt.solver == SOL_NEWTON and not is_sparse(m)


@inline
def four_weights(d, r):
    """D of four rows from r on; 0 for rows that are not quadratic, or past the end."""
    n = d.block.nefc
    return (
        d.block.D[r] if d.block.state[r] == CNSTRSTATE_QUADRATIC else 0.0,
        d.block.D[r + 1] if r + 1 < n and d.block.state[r + 1] == CNSTRSTATE_QUADRATIC else 0.0,
        d.block.D[r + 2] if r + 2 < n and d.block.state[r + 2] == CNSTRSTATE_QUADRATIC else 0.0,
        d.block.D[r + 3] if r + 3 < n and d.block.state[r + 3] == CNSTRSTATE_QUADRATIC else 0.0,
    )


@inline
def four_rows(r, n, nv):
    """Addresses of four rows of J from r on; past the end, the last row stands in."""
    last = (n - 1) * nv
    first = r * nv
    return first, min(first + nv, last), min(first + 2 * nv, last), min(first + 3 * nv, last)


@helper
def columns_used(d, at):
    """Number of leading columns that hold all nonzeros of four rows of J."""
    end = d.block.nv
    while end > 0 and (
        d.block.J[at[0] + end - 1] == 0.0
        and d.block.J[at[1] + end - 1] == 0.0
        and d.block.J[at[2] + end - 1] == 0.0
        and d.block.J[at[3] + end - 1] == 0.0
    ):
        end -= 1
    return end


@helper
def add_to_hessian(a, d, at, w):
    """H += Σ w row rowᵀ over four rows of J."""
    nv = d.block.nv
    end = columns_used(d, at)
    for i in range(end):
        here = (at[0] + i, at[1] + i, at[2] + i, at[3] + i)
        s = (
            w[0] * d.block.J[here[0]],
            w[1] * d.block.J[here[1]],
            w[2] * d.block.J[here[2]],
            w[3] * d.block.J[here[3]],
        )
        if s[0] != 0.0 or s[1] != 0.0 or s[2] != 0.0 or s[3] != 0.0:
            add_to_four(a, i * nv + i, end - i, d.block.J, here, s)


@helper
def mul_cone_row(d, contact, k, dim, j0, j1, j2, j3, j4, j5):
    """Row k of H_c times a column of the contact's J."""
    if k >= dim:
        return 0.0
    first = k * dim
    s = d.contact.H[contact, first] * j0 + d.contact.H[contact, first + 1] * j1 + d.contact.H[contact, first + 2] * j2
    if dim > 3:
        s += d.contact.H[contact, first + 3] * j3
    if dim > 4:
        s += d.contact.H[contact, first + 4] * j4 + d.contact.H[contact, first + 5] * j5
    return s


@helper
def mul_cone_column(d, contact, dim, at, more, i):
    """H_c times column i of a contact's J: its first four rows, with addresses `at`, and the last two, `more`."""
    j0 = d.block.J[at[0] + i]
    j1 = d.block.J[at[1] + i]
    j2 = d.block.J[at[2] + i]
    j3 = d.block.J[at[3] + i]
    j4 = d.block.J[more[0] + i]
    j5 = d.block.J[more[1] + i]
    s = (
        mul_cone_row(d, contact, 0, dim, j0, j1, j2, j3, j4, j5),
        mul_cone_row(d, contact, 1, dim, j0, j1, j2, j3, j4, j5),
        mul_cone_row(d, contact, 2, dim, j0, j1, j2, j3, j4, j5),
        mul_cone_row(d, contact, 3, dim, j0, j1, j2, j3, j4, j5),
    )
    s_more = (
        mul_cone_row(d, contact, 4, dim, j0, j1, j2, j3, j4, j5),
        mul_cone_row(d, contact, 5, dim, j0, j1, j2, j3, j4, j5),
        0.0,
        0.0,
    )
    return s, s_more


@helper
def add_cone(a, d, r, contact):
    """H += Jᵀ H_c J of a contact in the middle zone of its cone."""
    nv = d.block.nv
    dim = d.contact.dim[contact]
    at = four_rows(r, r + dim, nv)
    more = at if dim <= 4 else four_rows(r + 4, r + dim, nv)
    end = max(columns_used(d, at), columns_used(d, more))
    for i in range(end):
        s, s_more = mul_cone_column(d, contact, dim, at, more, i)
        if s[0] != 0.0 or s[1] != 0.0 or s[2] != 0.0 or s[3] != 0.0:
            add_to_four(a, i * nv + i, end - i, d.block.J, (at[0] + i, at[1] + i, at[2] + i, at[3] + i), s)
        if dim > 4:
            here = (more[0] + i, more[1] + i, more[2] + i, more[3] + i)
            add_to_four(a, i * nv + i, end - i, d.block.J, here, s_more)


@kernel(when=lambda m: dense_newton(m) and m.opt.cone == CONE_ELLIPTIC)
def add_cones(m, d):
    """(block.J, state; contact.H) -> (factor.L): += Jᵀ H_c J of all contacts in the middle zone"""
    for c in range(d.block.ncone):
        r = d.block.cone[c]
        if d.block.state[r] == CNSTRSTATE_CONE:
            add_cone(d.factor.L, d, r, d.block.contact[c])


@kernel(when=dense_newton)
def make_hessian(m, d) -> int:
    """(block.M, J, D, state; contact.H) -> (factor.L); returns 0 on overflow"""
    nv = d.block.nv
    if not has_capacity(d, nv * nv):
        return 0
    for i in range(nv):
        for k in range(i * nv + i, i * nv + nv):
            d.factor.L[k] = 0.0
    for i in range(nv):
        row = d.block.M_rowadr[i]
        for k in range(row, row + d.block.M_rownnz[i]):
            d.factor.L[d.block.M_colind[k] * nv + i] = d.block.M[k]
    if is_discrete(m) and d.metric.ncouple > 0:
        couple_hessian(m, d)
    for r in range(0, d.block.nefc, 4):
        w = four_weights(d, r)
        if w[0] != 0.0 or w[1] != 0.0 or w[2] != 0.0 or w[3] != 0.0:
            add_to_hessian(d.factor.L, d, four_rows(r, d.block.nefc, nv), w)
    if d.block.nmiddle > 0:
        add_cones(m, d)
    chol_factor(d.factor.L, nv)
    return 1


@helper
def count_changes(d):
    """Number of rows that became quadratic or ceased to be."""
    n = 0
    for r in range(d.block.nefc):
        if (d.block.state[r] == CNSTRSTATE_QUADRATIC) != (d.block.old_state[r] == CNSTRSTATE_QUADRATIC):
            n += 1
    return n


@kernel(when=dense_newton)
def update_hessian(m, d, nmiddle: int):
    """(block.state, old_state; nmiddle of the last iteration) -> (factor.L, nupdate)"""
    nv = d.block.nv
    n = count_changes(d)
    d.factor.nupdate = n + d.block.nmiddle
    if n > MAX_UPDATES or nmiddle > 0 or d.block.nmiddle > 0:
        make_hessian(m, d)
        return
    for r in range(d.block.nefc):
        now = d.block.state[r] == CNSTRSTATE_QUADRATIC
        if now != (d.block.old_state[r] == CNSTRSTATE_QUADRATIC):
            root = sqrt(d.block.D[r])
            sign = 1.0 if now else -1.0
            for v in range(nv):
                d.block.spare[v] = root * d.block.J[r * nv + v]
            # the update lost rank: rebuild
            if chol_update(d.factor.L, d.block.spare, nv, sign) < nv:
                d.factor.nupdate = d.block.nefc + d.block.nmiddle
                make_hessian(m, d)
                return


@kernel(when=dense_newton)
def solve_hessian(m, d):
    """(factor.L, block.grad) -> (block.step)"""
    for v in range(d.block.nv):
        d.block.step[v] = d.block.grad[v]
    chol_solve(d.block.step, d.factor.L, d.block.nv)
