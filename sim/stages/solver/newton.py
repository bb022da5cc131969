"""Newton's method on the primal cost: step = H⁻¹ grad, then a line search along -step.

Ends when the improvement, the gradient or the expected decrease of the next step is below the tolerance. A warm start
that has converged already needs no factorization: grad ᵀ M⁻¹ grad / 2 bounds the decrease that is left.
"""

from sim.enums import NISLAND, SOL_NEWTON
from sim.jit import helper, kernel
from sim.math.dense import dot
from sim.stages.constraint.row import is_sparse
from sim.stages.solver.articulated_rows import divide_by_h, divide_by_m, factor_rows, gather_dofs, scatter_dofs
from sim.stages.solver.block import solve_m
from sim.stages.solver.hessian import make_hessian, solve_hessian, update_hessian
from sim.stages.solver.line_search import line_search
from sim.stages.solver.pattern import make_pattern
from sim.stages.solver.primal import record, take_step, update_forces, update_gradient
from sim.stages.solver.sparse_hessian import make_sparse, solve_sparse, update_sparse


@helper
def expected_decrease(d):
    """Decrease of the quadratic model of the cost along a full step, scaled like the tolerance."""
    return max(0.0, 0.5 * d.block.scale * dot(d.block.grad, 0, d.block.step, 0, d.block.nv))


@helper
def converged_at_start(m, d, gradient):
    """Whether the start is a solution: both the gradient and the bound by M are below the tolerance."""
    if not gradient < m.opt.tolerance:
        return False
    if d.block.articulated:
        scatter_dofs(d, d.block.grad)
        divide_by_m(m, d)
        gather_dofs(d.block.step, d, d.articulated.x)
    else:
        for v in range(d.block.nv):
            d.block.step[v] = d.block.grad[v]
        solve_m(d.block.step, d)
    return expected_decrease(d) < m.opt.tolerance


@helper
def first_factor(m, d):
    """Build and factor the first Hessian; false on overflow."""
    if d.block.articulated:
        factor_rows(m, d)
        return True
    if is_sparse(m):
        if not make_pattern(m, d):
            return False
        make_sparse(m, d)
        return True
    return make_hessian(m, d) != 0


@helper
def next_factor(m, d, nmiddle):
    """Update or rebuild the factor after rows changed state."""
    if d.block.articulated:
        d.factor.nupdate = 0
        factor_rows(m, d)
    elif is_sparse(m):
        update_sparse(m, d, nmiddle)
    else:
        update_hessian(m, d, nmiddle)


@helper
def newton_step(m, d):
    """step <- H⁻¹ grad"""
    if d.block.articulated:
        divide_by_h(m, d)
    elif is_sparse(m):
        solve_sparse(m, d)
    else:
        solve_hessian(m, d)


@kernel(when=lambda m: m.opt.solver == SOL_NEWTON)
def newton(m, d, island: int) -> int:
    """(block.*) -> (block.acc, force, state, qfrc_constraint; statistics); returns 0 on overflow of the factor"""
    stat = max(0, island)
    tolerance = m.opt.tolerance
    iterations = 0
    update_forces(m, d)
    gradient = update_gradient(m, d)
    done = converged_at_start(m, d, gradient)
    nnz = d.block.nJ
    if not done:
        if not first_factor(m, d):
            return 0
        newton_step(m, d)
        done = gradient < tolerance and expected_decrease(d) < tolerance
        nnz = 7 * d.block.nv if d.block.articulated else d.nL

    while not done and iterations < m.opt.iterations:
        for v in range(d.block.nv):
            d.block.search[v] = -d.block.step[v]
        alpha = line_search(m, d)
        if alpha == 0.0:
            break
        nmiddle = d.block.nmiddle
        nchange = take_step(m, d, alpha)
        next_factor(m, d, nmiddle)
        gradient = update_gradient(m, d)
        newton_step(m, d)
        gain = d.block.scale * d.line.gain
        record(d, stat, iterations, gain, gradient, nchange)
        iterations += 1
        done = 0.0 < gain < tolerance or gradient < tolerance or expected_decrease(d) < tolerance

    d.block.gradient = gradient
    if stat < NISLAND:
        d.solver_niter[stat] += iterations
        d.solver_nnz[stat] = nnz
    return 1
