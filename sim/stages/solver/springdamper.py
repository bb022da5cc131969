"""Acceleration of the springdamper integrator, which is implicit in joint stiffness K and damping B.

(M, qfrc_smooth, qfrc_constraint, qvel) -> (qacc): (M + h B + h² K) qacc = forces - h K qvel, i.e. spring forces are
those at the end of the step. Sensors and the check for a bad qacc use this acceleration, (v' - v) / h, and not that of
continuous time, which a stiff spring can make arbitrarily large.
"""

from sim.enums import DSBL_SPRING, INT_SPRINGDAMPER
from sim.jit import kernel
from sim.stages.smooth.articulated import factor_articulated_step, solve_articulated
from sim.stages.smooth.inertia import factor_springdamper, solve
from sim.stages.smooth.passive import spring_derivative


@kernel(when=lambda m: m.opt.integrator == INT_SPRINGDAMPER)
def springdamper_acc(m, d, fresh: int):
    """(M, qfrc_smooth, qfrc_constraint, qvel) -> (qacc); reuses the last factor unless `fresh`"""
    if fresh:
        if d.inertia.articulated:
            factor_articulated_step(m, d)
        else:
            factor_springdamper(m, d)
    h = 0.0 if m.opt.disableflags & DSBL_SPRING else m.opt.timestep
    for s in range(d.span.ndof):
        for v in range(d.span.dof[s, 0], d.span.dof[s, 1]):
            d.qacc[v] = d.qfrc_smooth[v] + d.qfrc_constraint[v] - h * spring_derivative(m, d, v) * d.qvel[v]
    if d.inertia.articulated:
        solve_articulated(m, d, d.articulated.step_force, d.articulated.step_inverse, d.qacc, 1, m.nbody)
    else:
        solve(m, d, d.qH, d.qHDiagInv, d.qacc)
