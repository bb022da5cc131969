"""Forward dynamics and time steps: calls the stages in order. Writes no field itself.

forward = position, velocity, acceleration, constraint; step = check, forward, integrate;
run = steps without Python in between, each with a checkpoint to which it is rolled back if a buffer overflows.
"""

from sim.callback import user_control
from sim.enums import (
    DSBL_ACTUATION,
    ENBL_ENERGY,
    ENBL_FWDINV,
    ENBL_SPECULATIVE,
    INT_DISCRETE,
    INT_IMPLICIT,
    INT_IMPLICITFAST,
    INT_RK4,
    INT_SPRINGDAMPER,
    STAGE_ACC,
    STAGE_NONE,
    STAGE_POS,
    STAGE_VEL,
)
from sim.jit import helper, kernel
from sim.pipeline.integrate import (
    euler,
    implicit,
    implicitfast,
    rk4_finish,
    rk4_stage,
    rk4_start,
    rk4_store,
    step_acc,
)
from sim.pipeline.inverse_force import compare_fwd_inv
from sim.stages.actuation import fwd_actuation
from sim.stages.actuation.activation import any_motor, any_periodic
from sim.stages.collision.driver import collision
from sim.stages.collision.speculative import speculative_contacts
from sim.stages.constraint.assemble import make_constraint
from sim.stages.constraint.discrete import discretize_rows
from sim.stages.constraint.island import island
from sim.stages.constraint.reference import reference_constraint
from sim.stages.sensor.sensors import any_sensors, sensor_acc, sensor_pos, sensor_vel
from sim.stages.sleep.awake import (
    all_awake,
    checkpoint_sleep,
    mark_static_valid,
    rollback_sleep,
    sleeps,
    some_asleep,
    update_sleep,
)
from sim.stages.sleep.fall_asleep import fall_asleep, make_ready, restart_ready, starts_asleep
from sim.stages.sleep.wake import wake_by_contact, wake_by_equality, wake_by_tendon, wake_by_user
from sim.stages.smooth.acceleration import discrete_smooth_acc, fwd_acceleration
from sim.stages.smooth.articulated import factor_articulated, is_articulated, make_articulated
from sim.stages.smooth.camlight import camera_poses, light_poses
from sim.stages.smooth.com import com_pos, com_vel, subtree_coms
from sim.stages.smooth.energy import clear_energy, energy_pos, energy_vel, invalidate_energy
from sim.stages.smooth.inertia import crb, defer_inertia, factor_m, need_inertia, tendon_armature
from sim.stages.smooth.kinematics import kinematics
from sim.stages.smooth.passive import passive
from sim.stages.smooth.perturb_force import perturb_force
from sim.stages.smooth.rne import invalidate_forces, rne, tendon_bias
from sim.stages.smooth.subtree import invalidate_subtrees
from sim.stages.smooth.tendon import (
    restore_tendons,
    save_tendons,
    tendon,
    tendon_velocity,
    tendons_have_inertia,
)
from sim.stages.smooth.transmission import (
    restore_transmission,
    save_transmission,
    transmission,
    transmission_velocity,
)
from sim.stages.smooth.yielding import yield_springs
from sim.stages.solver.metric import free_bodies_acc, make_metric
from sim.stages.solver.solve import fwd_constraint
from sim.stages.solver.springdamper import springdamper_acc
from sim.state.advance import advance, advance_act, advance_pos, advance_without_motion
from sim.state.capacity import overflow
from sim.state.checkpoint import restore_checkpoint, save_checkpoint
from sim.state.noise import control_noise
from sim.state.row import record_state
from sim.state.warning import check_acc, check_state


@helper
def fwd_poses(m, d):
    """World poses."""
    if some_asleep(m, d):
        wake_by_user(m, d)
    kinematics(m, d)
    subtree_coms(m, d)
    if m.ncam > 0:
        camera_poses(m, d)
    if m.nlight > 0:
        light_poses(m, d)


@helper
def fwd_visual(m, d):
    """What rendering needs: world poses and tendon paths."""
    fwd_poses(m, d)
    if m.ntendon > 0:
        com_pos(m, d)
        tendon(m, d)


@helper
def find_contacts(m, d):
    """Contacts, and those of the step to come if they are asked for."""
    collision(m, d)
    if m.opt.enableflags & ENBL_SPECULATIVE and not overflow(d):
        speculative_contacts(m, d)


@helper
def fwd_position(m, d):
    """Everything that depends on qpos."""
    fwd_poses(m, d)
    mark_static_valid(m, d)
    com_pos(m, d)
    if m.ntendon > 0:
        tendon(m, d)
        if some_asleep(m, d):
            wake_by_tendon(m, d)
    if is_articulated(m):
        make_articulated(m, d)
        factor_articulated(m, d)
        defer_inertia(m, d)
    else:
        crb(m, d)
        if tendons_have_inertia(m):
            tendon_armature(m, d)
        factor_m(m, d)
    find_contacts(m, d)
    if some_asleep(m, d) and not overflow(d):
        if wake_by_contact(m, d):
            find_contacts(m, d)
        if m.neq > 0:
            wake_by_equality(m, d)
    if not overflow(d):
        make_constraint(m, d)
    if not overflow(d):
        island(m, d)
    if m.nactuator > 0:
        transmission(m, d)


@helper
def fwd_velocity(m, d):
    """Everything that depends on qpos and qvel."""
    com_vel(m, d)
    invalidate_subtrees(d)
    if m.ntendon > 0:
        tendon_velocity(m, d)
    if m.nactuator > 0:
        transmission_velocity(m, d)
    passive(m, d)
    reference_constraint(m, d)
    rne(m, d)
    if tendons_have_inertia(m):
        tendon_bias(m, d)


@helper
def fwd_forces(m, d, sensors, fresh):
    """Forces, and the resulting acceleration."""
    if m.nactuator > 0:
        fwd_actuation(m, d)
    perturb_force(m, d)
    fwd_acceleration(m, d)
    if m.opt.integrator == INT_DISCRETE:
        make_metric(m, d)
        if d.nefc > 0:
            discretize_rows(m, d)
        discrete_smooth_acc(m, d)
        if overflow(d):
            return
    fwd_constraint(m, d)
    if m.opt.integrator == INT_DISCRETE and not overflow(d):
        free_bodies_acc(m, d)
    if m.opt.integrator == INT_SPRINGDAMPER and not overflow(d):
        springdamper_acc(m, d, fresh)
    if sensors and not overflow(d):
        invalidate_forces(d)
        if any_sensors(m, STAGE_ACC):
            sensor_acc(m, d)


@helper
def fwd_motion(m, d, skip, sensors):
    """Everything that depends on positions and velocities; False on overflow."""
    with_energy = m.opt.enableflags & ENBL_ENERGY != 0
    if skip < STAGE_POS:
        fwd_position(m, d)
        if overflow(d):
            return False
        invalidate_energy(d)
        if sensors and any_sensors(m, STAGE_POS):
            sensor_pos(m, d)
        if with_energy:
            energy_pos(m, d)
        else:
            clear_energy(d)
    if skip < STAGE_VEL:
        fwd_velocity(m, d)
        if sensors and any_sensors(m, STAGE_VEL):
            sensor_vel(m, d)
        if with_energy:
            energy_vel(m, d)
    return True


@kernel
def forward_skip(m, d, skip: int, sensors: int):
    """(state, user inputs) -> (everything else); stages up to `skip` are not computed again"""
    if fwd_motion(m, d, skip, sensors):
        if not m.opt.disableflags & DSBL_ACTUATION:
            user_control(m, d)
        fwd_forces(m, d, sensors, 1 if skip < STAGE_VEL else 0)


@kernel
def forward(m, d):
    """(state, user inputs) -> (everything else)"""
    forward_skip(m, d, STAGE_NONE, 1)


# ---------------------------------------------------------------- sleep


@kernel(when=sleeps)
def sleep_slow_trees(m, d):
    """(qvel, act_next, ...) -> (tree_asleep, ...): slow trees fall asleep; velocity stages run again"""
    if fall_asleep(m, d):
        advance_act(m, d)
        forward_skip(m, d, STAGE_POS, 1)
        update_sleep(m, d)


@kernel(when=starts_asleep)
def init_sleep(m, d):
    """(the state after a reset) -> (tree_asleep, ...): puts trees with sleep="init" to sleep, if their island is"""
    forward(m, d)
    if overflow(d):
        return
    make_ready(m, d)
    fall_asleep(m, d)
    restart_ready(m, d)
    update_sleep(m, d)


@kernel(when=sleeps)
def reset_sleep(m, d):
    """(the state after a reset) -> (tree_asleep, ...): which trees are awake then"""
    all_awake(m, d)
    if starts_asleep(m):
        init_sleep(m, d)


# ---------------------------------------------------------------- steps


@kernel(when=lambda m: m.opt.integrator == INT_RK4)
def runge_kutta(m, d):
    """(state, qacc, act_dot) -> (the state one timestep later): evaluates the pipeline three more times"""
    rk4_start(m, d)
    if m.nplastic > 0:
        save_tendons(m, d)
    if m.na > 0:
        save_transmission(m, d)
    for k in range(1, 4):
        rk4_stage(m, d, k)
        forward_skip(m, d, STAGE_NONE, 0)
        if overflow(d):
            return
        rk4_store(m, d, k)
    if m.na > 0 and not m.opt.disableflags & DSBL_ACTUATION:
        restore_transmission(m, d, 1 if any_periodic(m) else 0, 1 if any_motor(m) else 0)
    rk4_finish(m, d)
    if m.nplastic > 0:
        restore_tendons(m, d)
        yield_springs(m, d)


@helper
def step_rates(m, d, skip):
    """(qacc, act_dot, ...) -> (qacc_step, act_next), for all integrators but RK4; slow trees fall asleep"""
    if m.opt.integrator == INT_IMPLICIT:
        implicit(m, d)
    elif m.opt.integrator == INT_IMPLICITFAST:
        implicitfast(m, d)
    elif m.opt.integrator == INT_SPRINGDAMPER or m.opt.integrator == INT_DISCRETE:
        step_acc(m, d)
    else:
        euler(m, d, 1 if skip < STAGE_VEL else 0)
    if sleeps(m):
        sleep_slow_trees(m, d)


@helper
def integrate(m, d, skip):
    """(qacc, act_dot, ...) -> (the next state), for all integrators but RK4"""
    step_rates(m, d, skip)
    if not overflow(d):
        advance(m, d)
        if m.nplastic > 0:
            yield_springs(m, d)


@helper
def checked_forward(m, d, skip, sensors):
    """(state, user inputs) -> (everything else), of the initial state if they are bad; False on overflow"""
    if check_state(m, d) and sleeps(m):
        reset_sleep(m, d)
    forward_skip(m, d, skip, sensors)
    if overflow(d):
        return False
    if check_acc(m, d):
        if sleeps(m):
            reset_sleep(m, d)
        forward_skip(m, d, STAGE_NONE, sensors)
    if m.opt.enableflags & ENBL_FWDINV:
        compare_fwd_inv(m, d)
    return True


@kernel
def step_skip(m, d, skip: int, sensors: int):
    """(state, user inputs) -> (the state one timestep later); stages up to `skip` are not computed again"""
    if checked_forward(m, d, skip, sensors):
        if m.opt.integrator == INT_RK4:
            runge_kutta(m, d)
        else:
            integrate(m, d, skip)


@kernel
def step_to_velocities(m, d):
    """(state, user inputs) -> (qacc_step, act, qacc_warmstart): a step up to the update of velocities; not of RK4"""
    if checked_forward(m, d, STAGE_NONE, 1):
        step_rates(m, d, STAGE_NONE)
        if not overflow(d):
            advance_without_motion(m, d)


@kernel
def step_from_velocities(m, d):
    """(qvel) -> (qpos, time, plastic): the rest of a step whose velocities have been updated"""
    advance_pos(m, d)
    if m.nplastic > 0:
        yield_springs(m, d)


@kernel
def step(m, d):
    """(state, user inputs) -> (the state one timestep later)"""
    step_skip(m, d, STAGE_NONE, 1)


@kernel
def step1(m, d):
    """(state) -> (everything that does not depend on user inputs): the first half of a step"""
    if check_state(m, d) and sleeps(m):
        reset_sleep(m, d)
    if fwd_motion(m, d, STAGE_NONE, 1):
        user_control(m, d)


@kernel
def step2(m, d):
    """(what step1 computed, user inputs) -> (the state one timestep later): the second half, without RK4"""
    if not is_articulated(m):
        # the integrator may be another one since step1
        need_inertia(m, d)
    fwd_forces(m, d, 1, 1)
    if overflow(d):
        return
    if check_acc(m, d):
        if sleeps(m):
            reset_sleep(m, d)
        forward_skip(m, d, STAGE_NONE, 1)
    if m.opt.enableflags & ENBL_FWDINV:
        compare_fwd_inv(m, d)
    integrate(m, d, STAGE_NONE)


@helper
def checkpoint(m, d):
    """(the state, and which trees sleep) -> (checkpoint_*)"""
    save_checkpoint(m, d)
    if sleeps(m):
        checkpoint_sleep(m, d)


@kernel
def rollback(m, d):
    """(checkpoint_*) -> (the state before the step, and which trees slept)"""
    restore_checkpoint(m, d)
    if sleeps(m):
        rollback_sleep(m, d)


@kernel
def run(m, d, n: int) -> int:
    """Up to n steps. A step that overflows is rolled back and ends the run; returns the number of steps completed."""
    for i in range(n):
        checkpoint(m, d)
        if m.nu > 0 and d.noise.scale > 0.0:
            control_noise(m, d)
        step(m, d)
        if overflow(d):
            rollback(m, d)
            return i
        if len(d.trace.state) > 0:
            record_state(m, d)
    return n
