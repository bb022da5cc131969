"""The pipeline: named stages in order. Writes no field itself.

forward = position, velocity, acceleration, constraint; step = check, forward, integrate;
run = steps without Python between them, each remembered first and taken back if a buffer was too small.
"""

from sim.acceleration import fwd_acceleration, fwd_constraint
from sim.camlight import camera_poses, light_poses
from sim.com import com_pos, com_vel, subtree_coms
from sim.energy import energy_pos, energy_vel, no_energy
from sim.enums import ENBL_ENERGY
from sim.inertia import crb, factor_m
from sim.integrate import euler
from sim.jit import helper, kernel
from sim.kinematics import kinematics
from sim.passive import passive
from sim.rne import rne
from sim.state import check_acc, check_state, no_room, remember, rewind


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
def fwd_position(m, d):
    """Everything that follows from qpos."""
    fwd_poses(m, d)
    com_pos(m, d)
    crb(m, d)
    factor_m(m, d)


@helper
def fwd_velocity(m, d):
    """Everything that follows from qpos and qvel."""
    com_vel(m, d)
    passive(m, d)
    rne(m, d)


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
    fwd_acceleration(m, d)
    fwd_constraint(m, d)


@kernel
def step(m, d):
    """(state, user inputs) -> (the state one timestep later)"""
    check_state(m, d)
    forward(m, d)
    if no_room(d):
        return
    if check_acc(m, d):
        forward(m, d)
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
