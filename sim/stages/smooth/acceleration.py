"""Total smooth force and unconstrained acceleration.

(qfrc_passive, qfrc_bias, qfrc_applied, qfrc_actuator, xfrc_applied, perturb.xfrc) -> (qfrc_smooth, qacc_smooth):
qacc_smooth = M⁻¹ (passive - bias + applied + actuator + Jᵀ xfrc), where xfrc is xfrc_applied + perturb.xfrc; for the
discrete integrator M̂⁻¹ (... - h K qvel), see solver/metric.py.
"""

from sim.jit import helper, kernel
from sim.math.spatial import get6
from sim.math.vec import get3
from sim.stages.constraint.row import is_discrete
from sim.stages.smooth.articulated import is_articulated, solve_articulated
from sim.stages.smooth.inertia import solve
from sim.stages.smooth.jacobian import add_wrench
from sim.stages.smooth.perturb_force import is_perturbed
from sim.stages.solver.coupling import solve_metric


@helper
def add_applied(m, d, b, w):
    """qfrc_smooth += Jᵀ w, with w a force and a torque at the body's centre of mass."""
    if w[0] != 0.0 or w[1] != 0.0 or w[2] != 0.0 or w[3] != 0.0 or w[4] != 0.0 or w[5] != 0.0:
        add_wrench(m, d, d.qfrc_smooth, b, get3(d.xipos, b), (w[0], w[1], w[2]), (w[3], w[4], w[5]))


@kernel(when=is_articulated)
def articulated_acc(m, d):
    """(articulated.*, qacc_smooth: the right-hand side) -> (qacc_smooth)"""
    solve_articulated(m, d, d.articulated.force, d.articulated.inverse, d.qacc_smooth, 1, m.nbody)


@kernel
def fwd_acceleration(m, d):
    """(qfrc_passive, qfrc_bias, *_applied, qfrc_actuator, perturb.xfrc) -> (qfrc_smooth, qacc_smooth)"""
    for s in range(d.span.ndof):
        for v in range(d.span.dof[s, 0], d.span.dof[s, 1]):
            d.qfrc_smooth[v] = d.qfrc_passive[v] - d.qfrc_bias[v] + d.qfrc_applied[v] + d.qfrc_actuator[v]
    for s in range(d.span.nbody):
        for b in range(d.span.body[s, 0], d.span.body[s, 1]):
            add_applied(m, d, b, get6(d.xfrc_applied, b))
    if is_perturbed(m, d):
        f = d.perturb.xfrc
        add_applied(m, d, d.perturb.select, (f[0], f[1], f[2], f[3], f[4], f[5]))
    for s in range(d.span.ndof):
        for v in range(d.span.dof[s, 0], d.span.dof[s, 1]):
            d.qacc_smooth[v] = d.qfrc_smooth[v]
    if d.inertia.articulated:
        articulated_acc(m, d)
    elif not is_discrete(m):
        solve(m, d, d.qLD, d.qLDiagInv, d.qacc_smooth)


@kernel(when=is_discrete)
def discrete_smooth_acc(m, d):
    """(qfrc_smooth, metric.*) -> (qacc_smooth): in the effective metric"""
    for s in range(d.span.ndof):
        for v in range(d.span.dof[s, 0], d.span.dof[s, 1]):
            d.qacc_smooth[v] = d.qfrc_smooth[v] - d.metric.shift[v]
    if d.metric.ncouple > 0:
        solve_metric(m, d, d.qacc_smooth)
    else:
        solve(m, d, d.metric.qLD, d.metric.qLDiagInv, d.qacc_smooth)
