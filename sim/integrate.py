"""From accelerations to the next state.

Euler: semi-implicit, and implicit in joint damping: (M + h B) a = forces, with B the slope of the dampers.
Each integrator leaves the acceleration it wants in qacc_step and has `state.advance` apply it.
"""

from sim.enums import DSBL_DAMPER, DSBL_EULERDAMP
from sim.inertia import factor_damped, solve
from sim.jit import inline, kernel
from sim.state import advance


@inline
def any_damping(m):
    """Some dof is damped."""
    for v in range(m.nv):
        if m.dof_damping[v] != 0.0 or m.dof_dampingpoly[v, 0] != 0.0 or m.dof_dampingpoly[v, 1] != 0.0:
            return True
    return False


@kernel
def euler(m, d):
    """(qacc, qfrc_smooth, qfrc_constraint) -> (qacc_step, and the next state)"""
    if m.opt.disableflags & (DSBL_EULERDAMP | DSBL_DAMPER) or not any_damping(m):
        for v in range(m.nv):
            d.qacc_step[v] = d.qacc[v]
    else:
        factor_damped(m, d)
        for v in range(m.nv):
            d.qacc_step[v] = d.qfrc_smooth[v] + d.qfrc_constraint[v]
        solve(m, d.qH, d.qHDiagInv, d.qacc_step)
    advance(m, d)
