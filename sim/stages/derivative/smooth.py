"""Velocity derivative of all smooth forces, qDeriv; joint and tendon dampers.

smooth_vel: (everything that forward computes) -> (qDeriv = d(qfrc_actuator + qfrc_passive) / d(qvel));
bias_vel, which only the implicit integrator uses, subtracts d(qfrc_bias) / d(qvel).
The derivative of a damper -(b + p₀ |v| + p₁ v²) v is -(b + 2 p₀ |v| + 3 p₁ v²), also along a tendon.
"""

from sim.enums import DSBL_DAMPER, DSBL_SPRING, INT_IMPLICIT, INT_IMPLICITFAST
from sim.jit import helper, kernel
from sim.stages.derivative.actuator import actuator_vel
from sim.stages.derivative.fluid import fluid_vel
from sim.stages.derivative.row import add_outer
from sim.stages.sleep.awake import tendon_sleeps
from sim.stages.smooth.inertia import damping_derivative
from sim.stages.smooth.reflected_inertia import reflected_damping


@helper
def clear_qderiv(m, d):
    """Set qDeriv to zero."""
    for k in range(m.nD):
        d.qDeriv[k] = 0.0


@helper
def tendon_damping_derivative(m, d, t):
    """d(damper force)/d(velocity) of a tendon."""
    v = abs(d.ten_velocity[t])
    b, p0, p1 = reflected_damping(m, True, t)
    b += m.tendon_damping[t]
    return -(b + v * (2.0 * (m.tendon_dampingpoly[t, 0] + p0) + 3.0 * v * (m.tendon_dampingpoly[t, 1] + p1)))


@kernel(when=lambda m: m.ntendon > 0 and m.opt.integrator in (INT_IMPLICIT, INT_IMPLICITFAST))
def tendon_vel(m, d):
    """(ten_velocity, ten_J) -> (qDeriv): += dampers along tendons"""
    for t in range(m.ntendon):
        if tendon_sleeps(m, d, t):
            continue
        s = tendon_damping_derivative(m, d, t)
        if s != 0.0:
            add_outer(m, d, m.ten_J_colind, d.ten_J, m.ten_J_rowadr[t], m.ten_J_rownnz[t], s)


@kernel(when=lambda m: m.opt.integrator in (INT_IMPLICIT, INT_IMPLICITFAST))
def smooth_vel(m, d):
    """(qvel, ten_*, actuator_*, cvel, ...) -> (qDeriv)"""
    clear_qderiv(m, d)
    if m.nactuator > 0:
        actuator_vel(m, d)
    # disabling both springs and dampers disables all passive forces
    none = (m.opt.disableflags & (DSBL_SPRING | DSBL_DAMPER)) == (DSBL_SPRING | DSBL_DAMPER)
    if (m.opt.density > 0.0 or m.opt.viscosity > 0.0) and not none:
        fluid_vel(m, d)
    if m.opt.disableflags & DSBL_DAMPER:
        return
    for s in range(d.span.ndof):
        for v in range(d.span.dof[s, 0], d.span.dof[s, 1]):
            d.qDeriv[m.D_rowadr[v] + m.D_diag[v]] -= damping_derivative(m, d, v)
    if m.ntendon > 0:
        tendon_vel(m, d)
