"""Conjugate gradients on the primal cost, preconditioned by M, after Hager and Zhang.

With y the change of the gradient and s the last direction: search = -step + β s,
β = (y · step - 2 (y · M⁻¹y) (s · grad) / (s · y)) / (s · y), bounded below so that a direction never turns back.
Ends when an iteration saves less than the tolerance, or the gradient is below it.
"""

from sim.enums import MINVAL, SOL_CG
from sim.jit import helper, kernel
from sim.math.dense import dot
from sim.stages.solver.block import norm, set_accelerated
from sim.stages.solver.line_search import line_search
from sim.stages.solver.primal import move, record, update_forces, update_gradient

# a direction may not be longer than this makes it
LEAST_GRADIENT = 0.01


@helper
def precondition(d):
    """step <- M⁻¹ grad"""
    for v in range(d.block.nv):
        d.block.step[v] = d.block.grad[v]
    set_accelerated(d.block.step, d)


@helper(reduce=True)
def conjugate(d):
    """β of the next direction, from this iteration and the last."""
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
    least = -1.0 / max(MINVAL, norm(d.block.search, nv) * min(LEAST_GRADIENT, norm(d.block.grad, nv)))
    return max(least, beta)


@kernel(when=lambda m: m.opt.solver == SOL_CG)
def cg(m, d, island: int):
    """(block.*) -> (block.acc, force, state, pull; statistics)"""
    stat = max(0, island)
    nv = d.block.nv
    iterations = 0
    update_forces(m, d)
    gradient = update_gradient(m, d)
    precondition(d)
    # what is left to gain is bounded by grad ᵀ M⁻¹ grad / 2
    left = max(0.0, 0.5 * d.block.scale * dot(d.block.grad, 0, d.block.step, 0, nv))
    done = left < m.opt.tolerance
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
        nchange = move(m, d, alpha)
        gradient = update_gradient(m, d)
        precondition(d)
        gain = d.block.scale * d.line.gain
        record(d, stat, iterations, gain, gradient, nchange)
        iterations += 1
        done = 0.0 < gain < m.opt.tolerance or gradient < m.opt.tolerance
        beta = conjugate(d)
        for v in range(nv):
            d.block.search[v] = beta * d.block.search[v] - d.block.step[v]

    d.block.gradient = gradient
    if stat < 20:
        d.solver_niter[stat] += iterations
        d.solver_nnz[stat] = d.block.nJ
