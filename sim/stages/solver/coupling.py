"""Terms of the effective metric that couple dofs, s j jᵀ with j the moment arms of a tendon or an actuator.

Products with them and their place in the Hessian, for a block; and the solution of M̂ x = f with
them, which is the unconstrained acceleration. MuJoCo's is that of conjugate gradients from zero, preconditioned by the
factor in metric.qLD, within opt.iterations and, relative to the norm of f, opt.tolerance: so is ours.
"""

from math import sqrt

from sim.jit import helper, inline, kernel
from sim.stages.constraint.row import is_discrete
from sim.stages.smooth.inertia import solve
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


@inline
def in_block(d, v):
    """Whether the block has a dof, and thereby all that are coupled to it."""
    i = d.block.at[v]
    return i < d.block.nv and d.block.dof[i] == v


@helper
def add_product(out, d, x, colind, arms, adr, n, s):
    """out += s j jᵀ x, in the order of the block"""
    along = 0.0
    for k in range(adr, adr + n):
        along += arms[k] * x[d.block.at[colind[k]]]
    for k in range(adr, adr + n):
        out[d.block.at[colind[k]]] += s * along * arms[k]


@inline
def tendon_couples(m, d, t):
    """Whether a tendon couples dofs of the block."""
    return d.metric.tendon[t] != 0.0 and in_block(d, m.ten_J_colind[m.ten_J_rowadr[t]])


@inline
def output_couples(m, d, r):
    """Whether an output of an actuator couples dofs of the block."""
    return d.metric.actuator[r] != 0.0 and in_block(d, d.moment_colind[d.moment_rowadr[r]])


@helper
def add_products(out, m, d, x):
    """out += all terms of the block times x"""
    for t in range(m.ntendon):
        if tendon_couples(m, d, t):
            adr, n = m.ten_J_rowadr[t], m.ten_J_rownnz[t]
            add_product(out, d, x, m.ten_J_colind, d.ten_J, adr, n, d.metric.tendon[t])
    for r in range(m.nout):
        if output_couples(m, d, r):
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
        if tendon_couples(m, d, t):
            adr, n = m.ten_J_rowadr[t], m.ten_J_rownnz[t]
            add_square(d.factor.L, d, nv, m.ten_J_colind, d.ten_J, adr, n, d.metric.tendon[t])
    for r in range(m.nout):
        if output_couples(m, d, r):
            adr, n = d.moment_rowadr[r], d.moment_rownnz[r]
            add_square(d.factor.L, d, nv, d.moment_colind, d.actuator_moment, adr, n, d.metric.actuator[r])


# ---------------------------------------------------------------- the solution of M̂ x = f


@helper
def mul_metric(out, m, d, x):
    """out <- M̂ x"""
    for s in range(d.span.ndof):
        for v in range(d.span.dof[s, 0], d.span.dof[s, 1]):
            diagonal = m.M_rowadr[v] + m.M_rownnz[v] - 1
            out[v] = d.metric.M[diagonal] * x[v]
            for k in range(m.M_rowadr[v], diagonal):
                out[v] += d.metric.M[k] * x[m.M_colind[k]]
                out[m.M_colind[k]] += d.metric.M[k] * x[v]
    add_products(out, m, d, x)


@helper
def dot_awake(d, a, b):
    """a · b of what is awake"""
    total = 0.0
    for s in range(d.span.ndof):
        for v in range(d.span.dof[s, 0], d.span.dof[s, 1]):
            total += a[v] * b[v]
    return total


@helper
def precondition(m, d):
    """(block.grad) -> (block.step); returns their product"""
    for s in range(d.span.ndof):
        for v in range(d.span.dof[s, 0], d.span.dof[s, 1]):
            d.block.step[v] = d.block.grad[v]
    solve(m, d, d.metric.qLD, d.metric.qLDiagInv, d.block.step)
    return dot_awake(d, d.block.grad, d.block.step)


@helper
def gather_ordered(m, d):
    """(): the block is all dofs, in their own order"""
    d.block.nv = m.nv
    for v in range(m.nv):
        d.block.dof[v] = v
        d.block.at[v] = v


@kernel(when=is_discrete)
def solve_coupled(m, d):
    """(block.grad: f) -> (block.acc: x, by dof; block.grad: f - M̂ x)"""
    gather_ordered(m, d)
    enough = m.opt.tolerance * sqrt(dot_awake(d, d.block.grad, d.block.grad))
    left = precondition(m, d)
    for s in range(d.span.ndof):
        for v in range(d.span.dof[s, 0], d.span.dof[s, 1]):
            d.block.acc[v] = 0.0
            d.block.search[v] = d.block.step[v]
    for _ in range(m.opt.iterations):
        mul_metric(d.block.mv, m, d, d.block.search)
        curvature = dot_awake(d, d.block.search, d.block.mv)
        if curvature <= 0.0:
            break
        alpha = left / curvature
        for s in range(d.span.ndof):
            for v in range(d.span.dof[s, 0], d.span.dof[s, 1]):
                d.block.acc[v] += alpha * d.block.search[v]
                d.block.grad[v] -= alpha * d.block.mv[v]
        if sqrt(dot_awake(d, d.block.grad, d.block.grad)) <= enough:
            break
        before = left
        left = precondition(m, d)
        for s in range(d.span.ndof):
            for v in range(d.span.dof[s, 0], d.span.dof[s, 1]):
                d.block.search[v] = d.block.step[v] + left / before * d.block.search[v]


@helper
def solve_metric(m, d, x):
    """x <- M̂⁻¹ x"""
    for s in range(d.span.ndof):
        for v in range(d.span.dof[s, 0], d.span.dof[s, 1]):
            d.block.grad[v] = x[v]
    solve_coupled(m, d)
    for s in range(d.span.ndof):
        for v in range(d.span.dof[s, 0], d.span.dof[s, 1]):
            x[v] = d.block.acc[v]


@kernel(when=is_discrete)
def coupled_acc(m, d):
    """(qacc_smooth, qfrc_constraint) -> (qacc)"""
    for s in range(d.span.ndof):
        for v in range(d.span.dof[s, 0], d.span.dof[s, 1]):
            d.block.grad[v] = d.qfrc_constraint[v]
    solve_coupled(m, d)
    for s in range(d.span.ndof):
        for v in range(d.span.dof[s, 0], d.span.dof[s, 1]):
            d.qacc[v] = d.qacc_smooth[v] + d.block.acc[v]
