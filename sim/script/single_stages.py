"""Single stages of the pipeline, for scripts.

For example only poses for inverse kinematics, only contacts for a planner. Each stage reads the results of earlier
stages from Data and changes nothing else. Names are MuJoCo's; `forward` runs all stages.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sim.pipeline.forward import fwd_position as fwd_position_kernel
from sim.pipeline.forward import fwd_velocity as fwd_velocity_kernel
from sim.stages.collision.driver import collision as collision_kernel
from sim.stages.derivative.bias import bias_vel
from sim.stages.derivative.smooth import smooth_vel as smooth_vel_kernel
from sim.stages.smooth.camlight import camera_poses, light_poses
from sim.stages.smooth.com import com_pos as com_pos_kernel
from sim.stages.smooth.com import com_vel as com_vel_kernel
from sim.stages.smooth.com import subtree_coms
from sim.stages.smooth.kinematics import kinematics as kinematics_kernel
from sim.stages.smooth.rne import rne_acc, rne_postconstraint
from sim.stages.smooth.subtree import subtree_vel as subtree_vel_kernel
from sim.stages.solver.solve import fwd_constraint as fwd_constraint_kernel

if TYPE_CHECKING:
    from sim.model import Data, Model


def kinematics(m: Model, d: Data) -> None:
    """(qpos) -> (xpos, xquat, xmat, ...): poses of bodies, joints, geoms and sites."""
    kinematics_kernel(m, d)


def com_pos(m: Model, d: Data) -> None:
    """(poses) -> (subtree_com, cinert, cdof): centres of mass, inertias and motion axes about them."""
    subtree_coms(m, d)
    com_pos_kernel(m, d)


def camlight(m: Model, d: Data) -> None:
    """(poses, subtree_com) -> (cam_xpos, cam_xmat, light_xpos, light_xdir)"""
    camera_poses(m, d)
    light_poses(m, d)


def collision(m: Model, d: Data) -> None:
    """(poses) -> (contact): collision detection."""
    d.retry_on_overflow(lambda: collision_kernel(m, d))


def com_vel(m: Model, d: Data) -> None:
    """(cdof, qvel) -> (cvel, cdof_dot): spatial velocities of bodies."""
    com_vel_kernel(m, d)


def fwd_position(m: Model, d: Data) -> None:
    """(qpos) -> (everything that depends on positions: poses, M, contacts, constraint rows, moment arms)"""
    d.retry_on_overflow(lambda: fwd_position_kernel(m, d))


def fwd_velocity(m: Model, d: Data) -> None:
    """(results of fwd_position, qvel) -> (everything that depends on velocities: cvel, qfrc_passive, qfrc_bias, ...)"""
    fwd_velocity_kernel(m, d)


def fwd_constraint(m: Model, d: Data) -> None:
    """(constraint rows, qacc_smooth, qacc_warmstart) -> (efc_force, qfrc_constraint, qacc): the solver"""
    d.retry_on_overflow(lambda: fwd_constraint_kernel(m, d))


def subtree_vel(m: Model, d: Data) -> None:
    """(cvel) -> (subtree_linvel, subtree_angmom): momenta of subtrees."""
    subtree_vel_kernel(m, d)


def smooth_vel(m: Model, d: Data, flg_bias: bool = True) -> None:
    """(results of forward) -> (qDeriv): derivative of smooth forces by velocities, with or without qfrc_bias"""
    smooth_vel_kernel(m, d)
    if flg_bias:
        bias_vel(m, d)


def rne_post_constraint(m: Model, d: Data) -> None:
    """(qacc, efc_force, ...) -> (cacc, cfrc_int, cfrc_ext): accelerations of bodies, and forces on them."""
    rne_postconstraint(m, d)


def rne(m: Model, d: Data, flg_acc: bool = False) -> np.ndarray:
    """Recursive Newton-Euler: M qacc + bias with `flg_acc`, else only the bias; without armature and tendons."""
    acceleration = d.qacc.copy()
    if not flg_acc:
        d.qacc = 0
    try:
        rne_acc(m, d)
    finally:
        d.qacc = acceleration
    return d.qfrc_rne.copy()
