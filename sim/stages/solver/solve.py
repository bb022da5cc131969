"""The solver stage: from constraint rows to forces and acceleration.

Chooses the warm start, runs opt.solver on each island, or on all rows if there are no islands, and writes the result
to qacc, qfrc_constraint and efc_force.
"""

from sim.enums import NISLAND, SOL_CG, SOL_NEWTON, SOL_PGS
from sim.jit import helper, kernel
from sim.stages.constraint.row import is_discrete
from sim.stages.sleep.awake import some_asleep
from sim.stages.solver.block import fill_nan, gather_all, gather_island, nonfinite, scatter
from sim.stages.solver.cg import cg
from sim.stages.solver.coupling import couple_acc, coupled_acc
from sim.stages.solver.newton import newton
from sim.stages.solver.noslip import noslip
from sim.stages.solver.pgs import pgs, warm_start_forces
from sim.stages.solver.primal import warm_start


@helper
def no_rows(m, d):
    """Without constraints, qacc is qacc_smooth."""
    for v in range(m.nv):
        d.qfrc_constraint[v] = 0.0
        d.qacc[v] = d.qacc_smooth[v]


@helper
def put_step_acc(m, d):
    """(qacc_step) -> (qacc)"""
    for v in range(m.nv):
        d.qacc[v] = d.qacc_step[v]


@helper
def solve_block(m, d, island):
    """Forces and acceleration of a block; false on overflow of a buffer."""
    fits = 1
    if m.opt.solver == SOL_NEWTON:
        fits = newton(m, d, island)
    elif m.opt.solver == SOL_CG:
        cg(m, d, island)
    else:
        fits = pgs(m, d, island)
    if fits and m.opt.noslip_iterations > 0:
        fits = noslip(m, d, island)
    if fits:
        bad = nonfinite(d)
        if bad != 0.0:
            fill_nan(d, bad)
        scatter(m, d)
    return fits != 0


@helper
def solve_islands(m, d):
    """Solve the islands one after the other; dofs in none are unconstrained.

    Two threads would save at most a fifth of a step: 22 ragdolls on the floor take 640 us, 280 of it for 7 islands;
    20 that are still apart 430, 190 of it for 20 islands. Waking a thread and waiting for it takes 13 us at best (22 in
    one of ten cases), and milliseconds while the second core renders, which it does for most of a frame. Running
    several simulations in parallel makes better use of cores.
    """
    for s in range(d.span.ndof):
        for v in range(d.span.dof[s, 0], d.span.dof[s, 1]):
            i = d.dof_island[v]
            # an island of coupled trees may have no rows
            d.qacc[v] = d.block.acc[d.block.at[v]] if i >= 0 and d.island_nefc[i] > 0 else d.qacc_smooth[v]
            d.qfrc_constraint[v] = 0.0
    for r in range(d.nefc):
        d.efc_force[r] = d.block.force[r]
    for i in range(d.nisland):
        if d.island_nefc[i] > 0:
            gather_island(m, d, i)
            if is_discrete(m) and d.metric.ncouple > 0:
                couple_acc(m, d)
            if not solve_block(m, d, i):
                return


@kernel
def fwd_constraint(m, d):
    """(rows, islands, qacc_smooth, qacc_warmstart) -> (qacc, qfrc_constraint, efc_force, efc_state, efc_b)"""
    for i in range(NISLAND):
        d.solver_niter[i] = 0
    if d.nefc == 0:
        no_rows(m, d)
        return
    if some_asleep(m, d):
        # for sleeping dofs, which are in no block
        no_rows(m, d)
    gather_all(m, d)
    warm_start(m, d)
    if m.opt.solver == SOL_PGS:
        warm_start_forces(m, d)
    if d.nisland == 1 and d.nidof == d.nv_awake:
        # one island of everything that is awake: the block is gathered already
        solve_block(m, d, 0)
    elif d.nisland > 0:
        solve_islands(m, d)
    else:
        solve_block(m, d, -1)
    if is_discrete(m) and d.metric.ncouple > 0 and m.opt.noslip_iterations > 0:
        coupled_acc(m, d)
