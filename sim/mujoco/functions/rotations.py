"""mju_*: quaternions, rotation matrices and poses, from sim.script.rotation; derivatives of quaternions, mjd_*."""

from __future__ import annotations

from typing import Any

import numpy as np

from sim.math.so3 import cross_matrix, quat_integrate_derivatives, right_jacobian
from sim.mjcf.rotation import principal_axes
from sim.mujoco.binding import bound, fatal, writing
from sim.mujoco.functions.vectors import normalize
from sim.script import rotation


def _mul_pose(pos1: Any, quat1: Any, pos2: Any, quat2: Any) -> tuple[Any, Any]:
    turned = rotation.mul_quat(quat1, quat2)
    normalize(turned)
    return pos1 + rotation.rot_vec_quat(pos2, quat1), turned


def _neg_pose(pos: Any, quat: Any) -> tuple[Any, Any]:
    back = rotation.neg_quat(quat)
    return -rotation.rot_vec_quat(pos, back), back


def _integrate_derivatives(vel: Any, scale: float) -> tuple[Any, Any, Any]:
    by_quat, _, by_scale = quat_integrate_derivatives(vel, scale)
    # by the angle scale * vel, as MuJoCo has it
    return np.ravel(by_quat), right_jacobian(scale * vel).ravel(), np.ravel(by_scale)


writing({
    "mju_mulQuat res:out4 quat1:in4 quat2:in4": (rotation.mul_quat, "The product of quaternions."),
    "mju_negQuat res:out4 quat:in4": (rotation.neg_quat, "The inverse rotation."),
    "mju_rotVecQuat res:out3 vec:in3 quat:in4": (rotation.rot_vec_quat, "Rotate a vector by a quaternion."),
    "mju_axisAngle2Quat res:out4 axis:in3 angle:float": (
        rotation.axis_angle_to_quat, "The rotation about an axis by an angle.",
    ),
    "mju_quat2Vel res:out3 quat:in4 dt:float": (rotation.quat_to_vel, "The velocity that makes a rotation in time dt."),
    "mju_subQuat res:out3 qa:in4 qb:in4": (rotation.sub_quat, "The rotation vector from qb to qa."),
    "mju_quatZ2Vec quat:out4 vec:in3": (rotation.quat_z_to_vec, "The rotation from the z axis to a vector."),
    "mju_mat2Quat quat:out4 mat:in9": (rotation.mat_to_quat, "The quaternion of a rotation matrix."),
    "mju_quat2Mat res:out9 quat:in4": (
        lambda quat: rotation.quat_to_mat(quat).ravel(), "The matrix of a quaternion.",
    ),
    "mju_mulQuatAxis res:out4 quat:in4 axis:in3": (
        lambda quat, axis: rotation.mul_quat(quat, (0.0, *axis)), "The product of a quaternion and an axis.",
    ),
    "mju_derivQuat res:out4 quat:in4 vel:in3": (
        lambda quat, vel: 0.5 * rotation.mul_quat((0.0, *vel), quat),
        "The time derivative of a quaternion rotating with an angular velocity.",
    ),
    "mju_trnVecPose res:out3 pos:in3 quat:in4 vec:in3": (
        lambda pos, quat, vec: pos + rotation.rot_vec_quat(vec, quat), "A point in a frame, in the parent's axes.",
    ),
    "mju_mulPose posres:out3 quatres:out4 pos1:in3 quat1:in4 pos2:in3 quat2:in4": (
        _mul_pose, "The product of two poses.",
    ),
    "mju_negPose posres:out3 quatres:out4 pos:in3 quat:in4": (_neg_pose, "The inverse pose."),
    "mjd_quatIntegrate vel:in3 scale:float Dquat:out9 Dvel:out9 Dscale:out3": (
        _integrate_derivatives, "Derivatives of mju_quatIntegrate with respect to its quaternion, velocity and time.",
    ),
})  # fmt: skip
writing({
    "mju_quatIntegrate quat:out4 vel:in3 scale:float": (
        rotation.quat_integrate, "Rotate a quaternion by an angular velocity over time `scale`.",
    ),
}, whole=True)  # fmt: skip


@bound("quat:out4 euler:in3 seq:str")
def mju_euler2Quat(quat: np.ndarray, euler: Any, seq: str) -> None:
    """Three successive rotations about the axes in `seq`: intrinsic (xyz) or extrinsic (XYZ)."""
    if len(seq) != 3:
        raise fatal("mju_euler2Quat: seq must contain exactly 3 characters")
    for place, letter in enumerate(seq):
        if letter not in "xyzXYZ":
            raise fatal(f"mju_euler2Quat: seq[{place}] is '{letter}', should be one of x, y, z, X, Y, Z")
    quat[:] = rotation.euler_to_quat(euler, seq)


@bound("eigval:out3 eigvec:out9 quat:out4 mat:in9", "int")
def mju_eig3(eigval: Any, eigvec: Any, quat: Any, mat: Any) -> int:
    """Eigenvalues, largest first, and eigenvectors of a symmetric matrix. Returns 0, not a number of iterations."""
    xx, xy, xz, _, yy, yz, _, _, zz = mat.tolist()
    turn, moments = principal_axes((xx, yy, zz, xy, xz, yz))
    eigval[:], quat[:], eigvec[:] = moments, turn, rotation.quat_to_mat(turn).ravel()
    return 0


@bound("quat:out4 mat:in9", "int")
def mju_mat2Rot(quat: np.ndarray, mat: Any) -> int:
    """Turn a quaternion step by step to the rotation nearest to a matrix; returns the number of steps.

    Each step turns about the sum of r x a over the columns r of the rotation and a of the matrix, by that sum divided
    by the sum of their dot products.
    """
    target = mat.reshape(3, 3).T
    normalize(quat)
    for step in range(500):
        columns = rotation.quat_to_mat(quat).T
        turn = np.cross(columns, target).sum(axis=0) / (abs((columns * target).sum()) + 1e-15)
        angle = normalize(turn)
        if angle < 1e-9:
            return step
        quat[:] = rotation.mul_quat(rotation.axis_angle_to_quat(turn, angle), quat)
        normalize(quat)
    return 500


# ---------------------------------------------------------------- derivatives


@bound("qa:in4 qb:in4 Da:out?~3,3 Db:out?~3,3")
def mjd_subQuat(qa: Any, qb: Any, Da: Any, Db: Any) -> None:
    """Derivatives of mju_subQuat by its quaternions: of v = θ a, with c = (θ/2) cot(θ/2), that is

    dv/dqa = 1 + [v]/2 + (1 - c) [a]², and dv/dqb = -(dv/dqa)'.
    """
    vector = rotation.sub_quat(qa, qb)
    axis = vector.copy()
    half = 0.5 * normalize(axis)
    cross = cross_matrix(axis)
    rest = 1.0 - half / np.tan(half) if half > 3e-8 else half * half / 3.0
    by_a = np.eye(3) + half * cross + rest * (cross @ cross)
    if Da is not None:
        Da[...] = by_a
    if Db is not None:
        Db[...] = -by_a.T
