"""Nonlinear conjugate gradient on the primal cost, preconditioned by M (Hager and Zhang 2005).

With y the change of the gradient and s the last search direction: search = -step + β s,
β = (y · step - 2 (y · M⁻¹y) (s · grad) / (s · y)) / (s · y), bounded below so that the search stays a descent
direction. Ends when the improvement or the gradient is below the tolerance; before it starts, when the bound of what
is left to gain is, and for the discrete integrator the gradient too.
"""

from sim.enums import MINVAL, NISLAND, SOL_CG
from sim.jit import helper, kernel
from sim.math.dense import dot
from sim.stages.constraint.row import is_discrete
from sim.stages.solver.block import norm, solve_m
from sim.stages.solver.line_search import line_search
from sim.stages.solver.primal import record, take_step, update_forces, update_gradient

# η of Hager and Zhang, in the lower bound of β: -1 / (|s| min(η, |grad|))
GRADIENT_FLOOR = 0.01


@helper
def precondition(d):
    """step <- M⁻¹ grad"""
    for v in range(d.block.nv):
        d.block.step[v] = d.block.grad[v]
    solve_m(d.block.step, d)


@helper(reduce=True)
def hager_zhang_beta(d):
    """β of the next search direction."""
    nv = d.block.nv
    change_search = 0.0
    change_change = 0.0
    change_step = 0.0
    for v in range(nv):
        change = d.block.grad[v] - d.block.old_grad[v]
        change_search += d.block.search[v] * change
        change_change += change * (d.block.step[v] - d.block.old_step[v])
        change_step += change * d.block.step[v]
    if change_search < MINVAL:
        return 0.0
    along = dot(d.block.search, 0, d.block.grad, 0, nv)
    beta = (change_step - 2.0 * (change_change / change_search) * along) / change_search
    least = -1.0 / max(MINVAL, norm(d.block.search, nv) * min(GRADIENT_FLOOR, norm(d.block.grad, nv)))
    return max(least, beta)


@kernel(when=lambda m: m.opt.solver == SOL_CG)
def cg(m, d, island: int):
    """(block.*) -> (block.acc, force, state, qfrc_constraint; statistics)"""
    stat = max(0, island)
    nv = d.block.nv
    iterations = 0
    update_forces(m, d)
    gradient = update_gradient(m, d)
    precondition(d)
    # grad ᵀ M⁻¹ grad / 2 bounds the decrease that is left
    left = max(0.0, 0.5 * d.block.scale * dot(d.block.grad, 0, d.block.step, 0, nv))
    done = left < m.opt.tolerance and (gradient < m.opt.tolerance or not is_discrete(m))
    for v in range(nv):
        d.block.search[v] = -d.block.step[v]
    d.factor.nupdate = 0

    while not done and iterations < m.opt.iterations:
        alpha = line_search(m, d)
        if alpha == 0.0:
            break
        for v in range(nv):
            d.block.old_grad[v] = d.block.grad[v]
            d.block.old_step[v] = d.block.step[v]
        nchange = take_step(m, d, alpha)
        gradient = update_gradient(m, d)
        precondition(d)
        gain = d.block.scale * d.line.gain
        record(d, stat, iterations, gain, gradient, nchange)
        iterations += 1
        done = 0.0 < gain < m.opt.tolerance or gradient < m.opt.tolerance
        beta = hager_zhang_beta(d)
        for v in range(nv):
            d.block.search[v] = beta * d.block.search[v] - d.block.step[v]

    d.block.gradient = gradient
    if stat < NISLAND:
        d.solver_niter[stat] += iterations
        d.solver_nnz[stat] = d.block.nJ
