"""Inverse dynamics: the forces that produce the acceleration qacc. Writes no field itself.

inverse = position, velocity, constraint forces of that acceleration, balance of forces -> (qfrc_inverse).
With the flag invdiscrete, or the spring-damper integrator, qacc is the change of velocity over a step divided by the
timestep, not an instantaneous acceleration.
"""

from sim.enums import INT_DISCRETE, INT_SPRINGDAMPER, STAGE_ACC
from sim.jit import kernel
from sim.pipeline.forward import fwd_motion
from sim.pipeline.inverse_force import discrete_acc, inverse_force
from sim.stages.actuation.activation import read_targets
from sim.stages.constraint.discrete import discretize_rows
from sim.stages.sensor.sensors import any_sensors, sensor_acc
from sim.stages.smooth.rne import invalidate_forces
from sim.stages.solver.inverse import force_from_acc, save_forces, swap_acc, uses_step_acc
from sim.stages.solver.metric import make_metric


@kernel
def inverse_skip(m, d, skip: int, sensors: int):
    """(state, qacc) -> (qfrc_inverse, efc_force, qfrc_constraint); stages up to `skip` are not computed again"""
    if not fwd_motion(m, d, skip, sensors):
        return
    discrete = uses_step_acc(m)
    if m.nactuator > 0 and (discrete or m.opt.integrator == INT_DISCRETE):
        # derivatives of actuator forces depend on the controls, though no force does
        read_targets(m, d)
    if m.opt.integrator == INT_DISCRETE:
        make_metric(m, d)
        if d.nefc > 0:
            discretize_rows(m, d)
    if discrete:
        discrete_acc(m, d)
        swap_acc(m, d, 0)
    force_from_acc(m, d)
    save_forces(m, d)
    inverse_force(m, d)
    # sensors read the same as after forward
    sprung = m.opt.integrator == INT_SPRINGDAMPER
    if sprung:
        swap_acc(m, d, 1)
    if sensors:
        invalidate_forces(d)
        if any_sensors(m, STAGE_ACC):
            sensor_acc(m, d)
    if discrete and not sprung:
        swap_acc(m, d, 1)
