"""Newton's method on the primal cost: step = H⁻¹ grad, then a line search along -step.

Ends when the cost, the gradient or what the next step promises to save is below tolerance. A start that is
already good enough costs no factor: M⁻¹ bounds what is left to gain, grad ᵀ M⁻¹ grad / 2.
"""

from sim.enums import SOL_NEWTON
from sim.jit import helper, kernel
from sim.math.dense import dot
from sim.stages.constraint.row import is_sparse
from sim.stages.solver.block import set_accelerated
from sim.stages.solver.hessian import change_hessian, make_hessian, solve_hessian
from sim.stages.solver.line_search import line_search
from sim.stages.solver.pattern import make_pattern
from sim.stages.solver.primal import move, record, update_forces, update_gradient
from sim.stages.solver.sparse_hessian import change_sparse, make_sparse, solve_sparse


@helper
def promise(d):
    """What a step would save if the cost were quadratic, in the unit that tolerances are in."""
    return max(0.0, 0.5 * d.block.scale * dot(d.block.grad, 0, d.block.step, 0, d.block.nv))


@helper
def good_start(m, d, gradient):
    """The start is a solution: the bound by M is below tolerance, and so is the gradient."""
    if not gradient < m.opt.tolerance:
        return False
    for v in range(d.block.nv):
        d.block.step[v] = d.block.grad[v]
    set_accelerated(d.block.step, d)
    return promise(d) < m.opt.tolerance


@helper
def first_factor(m, d):
    """The factor of the first Hessian; false if there is no room for it."""
    if is_sparse(m):
        if not make_pattern(m, d):
            return False
        make_sparse(m, d)
        return True
    return make_hessian(m, d) != 0


@helper
def next_factor(m, d, nside):
    """The factor of the next Hessian."""
    if is_sparse(m):
        change_sparse(m, d, nside)
    else:
        change_hessian(m, d, nside)


@helper
def newton_step(m, d):
    """step <- H⁻¹ grad"""
    if is_sparse(m):
        solve_sparse(m, d)
    else:
        solve_hessian(m, d)


@kernel(when=lambda m: m.opt.solver == SOL_NEWTON)
def newton(m, d, island: int) -> int:
    """(block.*) -> (block.acc, force, state, pull; statistics); returns 0 if there is no room for the factor"""
    stat = max(0, island)
    tolerance = m.opt.tolerance
    iterations = 0
    update_forces(m, d)
    gradient = update_gradient(m, d)
    done = good_start(m, d, gradient)
    nnz = d.block.nJ
    if not done:
        if not first_factor(m, d):
            return 0
        newton_step(m, d)
        done = gradient < tolerance and promise(d) < tolerance
        nnz = d.nL

    while not done and iterations < m.opt.iterations:
        for v in range(d.block.nv):
            d.block.search[v] = -d.block.step[v]
        alpha = line_search(m, d)
        if alpha == 0.0:
            break
        nside = d.block.nside
        nchange = move(m, d, alpha)
        next_factor(m, d, nside)
        gradient = update_gradient(m, d)
        newton_step(m, d)
        gain = d.block.scale * d.line.gain
        record(d, stat, iterations, gain, gradient, nchange)
        iterations += 1
        done = 0.0 < gain < tolerance or gradient < tolerance or promise(d) < tolerance

    d.block.gradient = gradient
    if stat < 20:
        d.solver_niter[stat] += iterations
        d.solver_nnz[stat] = nnz
    return 1
