"""The stage: from constraint rows to the acceleration.

Chooses where to start, runs the solver of opt.solver on each island, or on all rows if there are none, and gives
its result back to qacc, qfrc_constraint and efc_force.
"""

from sim.enums import SOL_CG, SOL_NEWTON, SOL_PGS
from sim.jit import helper, kernel
from sim.stages.sleep.awake import some_asleep
from sim.stages.solver.block import give_back, island_scale, overflow, spoil, take_all, take_island
from sim.stages.solver.cg import cg
from sim.stages.solver.newton import newton
from sim.stages.solver.noslip import noslip
from sim.stages.solver.pgs import first_forces, pgs
from sim.stages.solver.primal import warm_start


@helper
def no_rows(m, d):
    """Without rows nothing holds back the smooth acceleration."""
    for v in range(m.nv):
        d.qfrc_constraint[v] = 0.0
        d.qacc[v] = d.qacc_smooth[v]


@helper
def solve_block(m, d, island):
    """Forces and acceleration of a block; false if there is no room to find them."""
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
        bad = overflow(d)
        if bad != 0.0:
            spoil(d, bad)
        give_back(m, d)
    return fits != 0


@helper
def solve_islands(m, d):
    """Each island by itself, one after the other; dofs in none are free.

    Two threads would save at most a fifth of a step: 22 ragdolls on the floor take 640 us, of which 280 go to 7
    islands; 20 that are still apart 430, of which 190 go to 20. To wake a thread and wait for it takes 13 us at best
    (22 in one of ten cases) and milliseconds while the second core draws, which it does for most of a frame. Several
    simulations side by side use cores better.
    """
    for s in range(d.span.ndof):
        for v in range(d.span.dof[s, 0], d.span.dof[s, 1]):
            d.qacc[v] = d.block.acc[d.block.at[v]] if d.dof_island[v] >= 0 else d.qacc_smooth[v]
            d.qfrc_constraint[v] = 0.0
    for r in range(d.nefc):
        d.efc_force[r] = d.block.force[r]
    for i in range(d.nisland):
        take_island(m, d, i)
        if not solve_block(m, d, i):
            return


@kernel
def fwd_constraint(m, d):
    """(rows, islands, qacc_smooth, qacc_warmstart) -> (qacc, qfrc_constraint, efc_force, efc_state, efc_b)"""
    for i in range(20):
        d.solver_niter[i] = 0
    if d.nefc == 0:
        no_rows(m, d)
        return
    if some_asleep(m, d):
        # for the dofs that no block has
        no_rows(m, d)
    take_all(m, d)
    warm_start(m, d)
    if m.opt.solver == SOL_PGS:
        first_forces(m, d)
    if d.nisland == 1 and d.nidof == d.nv_awake:
        # one island of everything that is awake: the block is there already
        d.block.scale = island_scale(d)
        solve_block(m, d, 0)
    elif d.nisland > 0:
        solve_islands(m, d)
    else:
        solve_block(m, d, -1)
