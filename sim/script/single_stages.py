"""Single stages of the pipeline, for scripts that need no more than those.

Poses alone for inverse kinematics, contacts alone for a planner. Each takes from Data what earlier stages have left
there, and leaves the rest of it as it is. Names are MuJoCo's; `forward` does it all.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sim.pipeline.forward import fwd_position as follow_positions
from sim.pipeline.forward import fwd_velocity as follow_velocities
from sim.stages.collision.driver import collision as find_contacts
from sim.stages.derivative.bias import bias_vel
from sim.stages.derivative.smooth import smooth_vel as find_slopes
from sim.stages.smooth.camlight import camera_poses, light_poses
from sim.stages.smooth.com import com_pos as find_dofs
from sim.stages.smooth.com import com_vel as find_velocities
from sim.stages.smooth.com import subtree_coms
from sim.stages.smooth.kinematics import kinematics as find_poses
from sim.stages.smooth.rne import rne_acc, rne_postconstraint
from sim.stages.smooth.subtree import subtree_vel as find_momenta

if TYPE_CHECKING:
    from sim.model import Data, Model


def kinematics(m: Model, d: Data) -> None:
    """(qpos) -> (xpos, xquat, xmat, ...): where bodies, joints, geoms and sites are."""
    find_poses(m, d)


def com_pos(m: Model, d: Data) -> None:
    """(poses) -> (subtree_com, cinert, cdof): centres of mass, and what Jacobians are made of."""
    subtree_coms(m, d)
    find_dofs(m, d)


def camlight(m: Model, d: Data) -> None:
    """(poses, subtree_com) -> (cam_xpos, cam_xmat, light_xpos, light_xdir)"""
    camera_poses(m, d)
    light_poses(m, d)


def collision(m: Model, d: Data) -> None:
    """(poses) -> (contact): what touches what."""
    d.retry_on_overflow(lambda: find_contacts(m, d))


def com_vel(m: Model, d: Data) -> None:
    """(cdof, qvel) -> (cvel, cdof_dot): how bodies move."""
    find_velocities(m, d)


def fwd_position(m: Model, d: Data) -> None:
    """(qpos) -> (all that follows from positions: poses, M, contacts, constraint rows, moment arms)"""
    d.retry_on_overflow(lambda: follow_positions(m, d))


def fwd_velocity(m: Model, d: Data) -> None:
    """(what follows from positions, qvel) -> (all that follows from velocities: cvel, qfrc_passive, qfrc_bias, ...)"""
    follow_velocities(m, d)


def subtree_vel(m: Model, d: Data) -> None:
    """(cvel) -> (subtree_linvel, subtree_angmom): how each body moves together with all below it."""
    find_momenta(m, d)


def smooth_vel(m: Model, d: Data, flg_bias: bool = True) -> None:
    """(all that forward computes) -> (qDeriv): how smooth forces change with velocities, with or without qfrc_bias"""
    find_slopes(m, d)
    if flg_bias:
        bias_vel(m, d)


def rne_post_constraint(m: Model, d: Data) -> None:
    """(qacc, efc_force, ...) -> (cacc, cfrc_int, cfrc_ext): accelerations of bodies, and the forces on them."""
    rne_postconstraint(m, d)


def rne(m: Model, d: Data, flg_acc: bool = False) -> np.ndarray:
    """M qacc + bias, or the bias alone: forces of recursive Newton-Euler, without armature and tendons."""
    acceleration = d.qacc.copy()
    if not flg_acc:
        d.qacc = 0
    try:
        rne_acc(m, d)
    finally:
        d.qacc = acceleration
    return d.qfrc_rne.copy()
