"""The pipeline: named stages in order. Writes no field itself.

forward = position, velocity, acceleration, constraint; step = check, forward, integrate;
run = steps without Python between them, each remembered first and taken back if a buffer was too small.
"""

from sim.acceleration import fwd_acceleration
from sim.actuation import fwd_actuation
from sim.camlight import camera_poses, light_poses
from sim.collision.driver import collision
from sim.com import com_pos, com_vel, subtree_coms
from sim.constraint.assemble import make_constraint
from sim.constraint.reference import reference_constraint
from sim.energy import energy_pos, energy_vel, no_energy
from sim.enums import ENBL_ENERGY, INT_IMPLICIT, INT_IMPLICITFAST, INT_RK4, INT_SPRINGDAMPER
from sim.inertia import crb, factor_m, tendon_armature
from sim.integrate import (
    euler,
    implicit,
    implicit_spring_damper,
    implicitfast,
    rk4_finish,
    rk4_note,
    rk4_stage,
    rk4_start,
)
from sim.island import island
from sim.jit import helper, kernel
from sim.kinematics import kinematics
from sim.passive import passive
from sim.rne import rne, tendon_bias
from sim.solver.solve import fwd_constraint
from sim.state import check_acc, check_state, no_room, remember, rewind
from sim.tendon import tendon, tendon_velocity, tendons_have_inertia
from sim.transmission import transmission, transmission_velocity


@helper
def fwd_poses(m, d):
    """Where everything is."""
    kinematics(m, d)
    subtree_coms(m, d)
    if m.ncam > 0:
        camera_poses(m, d)
    if m.nlight > 0:
        light_poses(m, d)


@helper
def fwd_picture(m, d):
    """What a picture shows: where everything is, and the paths of tendons."""
    fwd_poses(m, d)
    if m.ntendon > 0:
        com_pos(m, d)
        tendon(m, d)


@helper
def fwd_position(m, d):
    """Everything that follows from qpos."""
    fwd_poses(m, d)
    com_pos(m, d)
    if m.ntendon > 0:
        tendon(m, d)
    crb(m, d)
    if tendons_have_inertia(m):
        tendon_armature(m, d)
    factor_m(m, d)
    collision(m, d)
    if not no_room(d):
        make_constraint(m, d)
    if not no_room(d):
        island(m, d)
    if m.nactuator > 0:
        transmission(m, d)


@helper
def fwd_velocity(m, d):
    """Everything that follows from qpos and qvel."""
    com_vel(m, d)
    if m.ntendon > 0:
        tendon_velocity(m, d)
    if m.nactuator > 0:
        transmission_velocity(m, d)
    passive(m, d)
    reference_constraint(m, d)
    rne(m, d)
    if tendons_have_inertia(m):
        tendon_bias(m, d)


@kernel
def forward(m, d):
    """(state, user inputs) -> (everything else)"""
    fwd_position(m, d)
    if no_room(d):
        return
    fwd_velocity(m, d)
    if m.opt.enableflags & ENBL_ENERGY:
        energy_pos(m, d)
        energy_vel(m, d)
    else:
        no_energy(d)
    if m.nactuator > 0:
        fwd_actuation(m, d)
    fwd_acceleration(m, d)
    fwd_constraint(m, d)


@kernel(when=lambda m: m.opt.integrator == INT_RK4)
def runge_kutta(m, d):
    """(state, qacc, act_dot) -> (the state one timestep later): the pipeline runs three times more"""
    rk4_start(m, d)
    for k in range(1, 4):
        rk4_stage(m, d, k)
        forward(m, d)
        if no_room(d):
            return
        rk4_note(m, d, k)
    rk4_finish(m, d)


@kernel
def step(m, d):
    """(state, user inputs) -> (the state one timestep later)"""
    check_state(m, d)
    forward(m, d)
    if no_room(d):
        return
    if check_acc(m, d):
        forward(m, d)
    if m.opt.integrator == INT_RK4:
        runge_kutta(m, d)
    elif m.opt.integrator == INT_IMPLICIT:
        implicit(m, d)
    elif m.opt.integrator == INT_IMPLICITFAST:
        implicitfast(m, d)
    elif m.opt.integrator == INT_SPRINGDAMPER:
        implicit_spring_damper(m, d)
    else:
        euler(m, d)


@kernel
def run(m, d, n: int) -> int:
    """Up to n steps. Stops at a step that found no room, which it undoes; returns the steps completed."""
    for i in range(n):
        remember(m, d)
        step(m, d)
        if no_room(d):
            rewind(m, d)
            return i
    return n
