"""From accelerations to the next state.

Euler: semi-implicit, and implicit in joint damping: (M + h B) a = forces, with B the slope of the dampers.
Each integrator leaves the rates it wants in qacc_step and act_dot_step and ends with `finish_step`.
"""

from sim.actuation import next_activations
from sim.enums import DSBL_ACTUATION, DSBL_DAMPER, DSBL_EULERDAMP
from sim.history import record_controls
from sim.inertia import factor_damped, solve
from sim.jit import helper, inline, kernel
from sim.reflected import dof_dampers
from sim.state import advance


@inline
def any_damping(m):
    """Some dof is damped."""
    for v in range(m.nv):
        b, p0, p1 = dof_dampers(m, v)
        if b != 0.0 or p0 != 0.0 or p1 != 0.0:
            return True
    return False


@helper
def finish_step(m, d):
    """(qacc_step, act_dot_step) -> (the next state): what every integrator ends with"""
    if m.nhistory > 0:
        record_controls(m, d)
    if m.na > 0 and not m.opt.disableflags & DSBL_ACTUATION:
        next_activations(m, d)
    advance(m, d)


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
    for i in range(m.na):
        d.act_dot_step[i] = d.act_dot[i]
    finish_step(m, d)
