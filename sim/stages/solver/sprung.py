"""The acceleration of a step that is implicit in the joints' springs K and dampers B.

(M, qfrc_smooth, qfrc_constraint, qvel) -> (qacc): (M + h B + h² K) qacc = forces - h K qvel, so that springs pull as
they will at the end of the step. Sensors and the check of the step see this acceleration, (v' - v) / h, and not that
at an instant, which a stiff spring makes as large as it likes.
"""

from sim.enums import DSBL_SPRING, INT_SPRINGDAMPER
from sim.jit import kernel
from sim.stages.smooth.inertia import factor_sprung, solve
from sim.stages.smooth.passive import spring_slope


@kernel(when=lambda m: m.opt.integrator == INT_SPRINGDAMPER)
def sprung_acc(m, d, fresh: int):
    """(M, qfrc_smooth, qfrc_constraint, qvel) -> (qacc); one that is not fresh takes the factor that is there"""
    if fresh:
        factor_sprung(m, d)
    h = 0.0 if m.opt.disableflags & DSBL_SPRING else m.opt.timestep
    for s in range(d.span.ndof):
        for v in range(d.span.dof[s, 0], d.span.dof[s, 1]):
            d.qacc[v] = d.qfrc_smooth[v] + d.qfrc_constraint[v] - h * spring_slope(m, d, v) * d.qvel[v]
    solve(m, d, d.qH, d.qHDiagInv, d.qacc)
