"""Terms of the effective metric that couple dofs, s j jᵀ with j the moment arms of a tendon or an actuator.

Products with them and their place in the Hessian, for a block of all that is awake; and the solution of M̂ x = f with
them, by a dense Cholesky factor, which is the unconstrained acceleration.
"""

from sim.jit import helper, kernel
from sim.math.dense import chol_factor, chol_solve
from sim.stages.constraint.row import is_discrete
from sim.state.capacity import require_factor


@helper
def has_capacity(d, n):
    """Whether n entries of the factor fit; if not, requests the capacity."""
    d.nL = n
    if n <= len(d.factor.L):
        return True
    d.nL = 0
    require_factor(d, n)
    return False


@helper
def add_product(out, d, x, colind, arms, adr, n, s):
    """out += s j jᵀ x, in the order of the block"""
    along = 0.0
    for k in range(adr, adr + n):
        along += arms[k] * x[d.block.at[colind[k]]]
    for k in range(adr, adr + n):
        out[d.block.at[colind[k]]] += s * along * arms[k]


@helper
def add_products(out, m, d, x):
    """out += all terms times x"""
    for t in range(m.ntendon):
        if d.metric.tendon[t] != 0.0:
            adr, n = m.ten_J_rowadr[t], m.ten_J_rownnz[t]
            add_product(out, d, x, m.ten_J_colind, d.ten_J, adr, n, d.metric.tendon[t])
    for r in range(m.nout):
        if d.metric.actuator[r] != 0.0:
            adr, n = d.moment_rowadr[r], d.moment_rownnz[r]
            add_product(out, d, x, d.moment_colind, d.actuator_moment, adr, n, d.metric.actuator[r])


@kernel(when=is_discrete)
def couple_acc(m, d):
    """(block.acc) -> (block.ma): += the terms times acc"""
    add_products(d.block.ma, m, d, d.block.acc)


@kernel(when=is_discrete)
def couple_search(m, d):
    """(block.search) -> (block.mv): += the terms times search"""
    add_products(d.block.mv, m, d, d.block.search)


@helper
def add_square(a, d, nv, colind, arms, adr, n, s):
    """Upper triangle of a += s j jᵀ, in the order of the block"""
    for k in range(adr, adr + n):
        i = d.block.at[colind[k]]
        for other in range(adr, adr + n):
            j = d.block.at[colind[other]]
            if j >= i:
                a[i * nv + j] += s * arms[k] * arms[other]


@kernel(when=is_discrete)
def couple_hessian(m, d):
    """(metric.tendon, actuator) -> (factor.L): += the terms"""
    nv = d.block.nv
    for t in range(m.ntendon):
        if d.metric.tendon[t] != 0.0:
            adr, n = m.ten_J_rowadr[t], m.ten_J_rownnz[t]
            add_square(d.factor.L, d, nv, m.ten_J_colind, d.ten_J, adr, n, d.metric.tendon[t])
    for r in range(m.nout):
        if d.metric.actuator[r] != 0.0:
            adr, n = d.moment_rowadr[r], d.moment_rownnz[r]
            add_square(d.factor.L, d, nv, d.moment_colind, d.actuator_moment, adr, n, d.metric.actuator[r])


@kernel(when=is_discrete)
def factor_coupled(m, d) -> int:
    """(metric.*) -> (factor.L: Cholesky factor of the whole metric of all that is awake); returns 0 on overflow"""
    nv = d.nv_awake
    if not has_capacity(d, nv * nv):
        return 0
    d.block.nv = nv
    for i in range(nv):
        d.block.at[d.dof_awake_ind[i]] = i
    for k in range(nv * nv):
        d.factor.L[k] = 0.0
    for i in range(nv):
        v = d.dof_awake_ind[i]
        for k in range(m.M_rowadr[v], m.M_rowadr[v] + m.M_rownnz[v]):
            d.factor.L[d.block.at[m.M_colind[k]] * nv + i] = d.metric.M[k]
    couple_hessian(m, d)
    chol_factor(d.factor.L, nv)
    return 1


@helper
def solve_coupled(m, d, x):
    """x <- M̂⁻¹ x of all that is awake, with the factor of factor_coupled"""
    nv = d.nv_awake
    for i in range(nv):
        d.block.spare[i] = x[d.dof_awake_ind[i]]
    chol_solve(d.block.spare, d.factor.L, nv)
    for i in range(nv):
        x[d.dof_awake_ind[i]] = d.block.spare[i]


@kernel(when=is_discrete)
def solve_acc(m, d):
    """(block.acc) -> (block.acc): M̂⁻¹ acc, in a block of all that is awake"""
    if factor_coupled(m, d):
        chol_solve(d.block.acc, d.factor.L, d.block.nv)
