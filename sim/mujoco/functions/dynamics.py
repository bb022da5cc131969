"""Jacobians, the inertia matrix, forces and velocities of points; positions; finite differences."""

from __future__ import annotations

from typing import Any

import numpy as np

import sim
from sim import enums
from sim.mujoco.binding import bound, fatal, returning, writing
from sim.script import rotation


def _put(into: np.ndarray | None, value: np.ndarray) -> None:
    if into is not None:
        into[...] = value


# ---------------------------------------------------------------- Jacobians

writing({
    "mj_jac m d jacp:out?3,nv jacr:out?3,nv point:in3 body:int": (
        sim.jac, "Jacobians of a point that moves with a body.",
    ),
    "mj_jacBody m d jacp:out?3,nv jacr:out?3,nv body:int": (sim.jac_body, "Jacobians of a body's frame."),
    "mj_jacBodyCom m d jacp:out?3,nv jacr:out?3,nv body:int": (
        sim.jac_body_com, "Jacobians of a body's centre of mass.",
    ),
    "mj_jacGeom m d jacp:out?3,nv jacr:out?3,nv geom:int": (sim.jac_geom, "Jacobians of a geom's frame."),
    "mj_jacSite m d jacp:out?3,nv jacr:out?3,nv site:int": (sim.jac_site, "Jacobians of a site's frame."),
    "mj_jacDot m d jacp:out?3,nv jacr:out?3,nv point:in3 body:int": (
        sim.jac_dot, "Time derivatives of the Jacobians of a point.",
    ),
    "mj_jacPointAxis m d jacPoint:out?3,nv jacAxis:out?3,nv point:in3 axis:in3 body:int": (
        sim.jac_point_axis, "Jacobians of a point and of an axis of a body.",
    ),
    "mj_jacSubtreeCom m d jacp:out3,nv body:int": (
        sim.jac_subtree_com, "Jacobian of a subtree's centre of mass.",
    ),
    "mj_angmomMat m d mat:out3,nv body:int": (
        sim.angmom_mat, "The matrix that maps qvel to a subtree's angular momentum.",
    ),
})  # fmt: skip


# ---------------------------------------------------------------- inertia


writing({
    "mj_fullM m d dst:outnv,nv": (sim.full_m, "The inertia matrix as a dense array."),
    "mj_mulM m d res:outnv vec:innv": (sim.mul_m, "M times a vector."),
    "mj_mulM2 m d res:outnv vec:innv": (
        lambda m, d, vec: (_factor(m, d) @ vec) / np.sqrt(d.qLDiagInv), "√D L times a vector, where M = L' D L.",
    ),
    "mj_rne m d flg_acc:int result:outnv": (
        sim.rne, "Recursive Newton-Euler: M qacc + bias with flg_acc, else the bias.",
    ),
    "mj_contactForce m d id:int result:out6": (
        lambda m, d, k: sim.contact_force(m, d, k) if 0 <= k < d.ncon and d.contact[k].efc_address >= 0 else 0.0,
        "Force and torque of a contact in its frame; zeros if there is no such contact.",
    ),
    "mj_differentiatePos m qvel:outnv dt:float qpos1:innq qpos2:innq": (
        sim.differentiate_pos, "The velocity that moves from one position to another in time dt.",
    ),
})  # fmt: skip
returning({
    "mj_applyFT m d force:in3 torque:in3 point:in3 body:int qfrc_target:outnv": (
        sim.apply_ft, "Add the generalized force of a force and torque applied at a point of a body.",
    ),
    "mj_integratePos m qpos:outnq qvel:innv dt:float": (
        sim.integrate_pos, "Integrate a position in place with a velocity over time dt.",
    ),
    "mj_normalizeQuat m qpos:outnq": (sim.normalize_quat, "Normalize the quaternions of a position."),
})  # fmt: skip


def _factor(m: Any, d: Any) -> np.ndarray:
    """L of M = L' D L, with a unit diagonal."""
    lower = np.eye(m.nv)
    for v in range(m.nv):
        start, count = int(m.M_rowadr[v]), int(m.M_rownnz[v]) - 1
        lower[v, m.M_colind[start : start + count]] = d.qLD[start : start + count]
    return lower


def _rows(function: str, m: Any, x: np.ndarray, y: np.ndarray) -> None:
    if x.shape[1] != m.nv or y.shape != x.shape:
        raise TypeError(f"{function}: the last dimension of x should be of size nv, and y of the same shape")


@bound("m d x:outr,c y:inr,c")
def mj_solveM(m: Any, d: Any, x: np.ndarray, y: np.ndarray) -> None:
    """Solve M x = y for each row."""
    _rows("mj_solveM", m, x, y)
    x[...] = sim.solve_m(m, d, y)


@bound("m d x:outr,c y:inr,c sqrtInvD:in*,*")
def mj_solveM2(m: Any, d: Any, x: np.ndarray, y: np.ndarray, sqrtInvD: np.ndarray) -> None:
    """√(1/D) L'⁻¹ y for each row, where M = L' D L."""
    _rows("mj_solveM2", m, x, y)
    x[...] = np.linalg.solve(_factor(m, d).T, y.T).T * sqrtInvD.ravel()


@bound("m d dst:out* rownnz:ini?* rowadr:ini?* colind:ini?*")
def mj_addM(m: Any, d: Any, dst: np.ndarray, rownnz: Any, rowadr: Any, colind: Any) -> None:
    """Add the lower triangle of M to a sparse matrix with these columns; to a dense one if there are none."""
    if rownnz is None:
        full = dst.reshape(m.nv, m.nv)
        full += np.tril(sim.full_m(m, d))
        return
    lower = np.tril(sim.full_m(m, d))
    for row, (count, start) in enumerate(zip(rownnz.tolist(), rowadr.tolist(), strict=True)):
        dst[start : start + count] += lower[row, colind[start : start + count]]


# ---------------------------------------------------------------- constraints


def _constraint_jacobian(m: Any, d: Any) -> Any:
    """J as a dense matrix."""
    if len(d.efc_J) == d.nefc * m.nv and not len(d.efc_J_rownnz):
        return d.efc_J.reshape(d.nefc, m.nv)
    return sim.sparse_to_dense(d.efc_J, d.efc_J_rownnz, d.efc_J_rowadr, d.efc_J_colind, m.nv)


@bound("m d res:out* vec:innv")
def mj_mulJacVec(m: Any, d: Any, res: np.ndarray, vec: Any) -> None:
    """The constraint Jacobian times a vector."""
    if len(res) != d.nefc:
        raise TypeError("res should be of length nefc")
    res[:] = _constraint_jacobian(m, d) @ vec


@bound("m d res:outnv vec:in*")
def mj_mulJacTVec(m: Any, d: Any, res: np.ndarray, vec: Any) -> None:
    """The transposed constraint Jacobian times a vector."""
    if len(vec) != d.nefc:
        raise TypeError("vec should be of length nefc")
    res[:] = vec @ _constraint_jacobian(m, d)


# ---------------------------------------------------------------- points


@bound("m d objtype:int objid:int res:out6 flg_local:int")
def mj_objectVelocity(m: Any, d: Any, objtype: int, objid: int, res: np.ndarray, flg_local: int) -> None:
    """Spatial velocity of an object, rotation first, at its origin."""
    _check_object("mj_objectVelocity", objtype)
    res[:] = sim.object_velocity(m, d, objtype, objid, bool(flg_local))


@bound("m d objtype:int objid:int res:out6 flg_local:int")
def mj_objectAcceleration(m: Any, d: Any, objtype: int, objid: int, res: np.ndarray, flg_local: int) -> None:
    """Spatial acceleration of an object, rotation first, at its origin; with gravity, as it is felt."""
    _check_object("mj_objectAcceleration", objtype)
    res[:] = sim.object_acceleration(m, d, objtype, objid, bool(flg_local))


def _check_object(function: str, objtype: int) -> None:
    if objtype not in (enums.OBJ_BODY, enums.OBJ_XBODY, enums.OBJ_GEOM, enums.OBJ_SITE, enums.OBJ_CAMERA):
        raise fatal(f"{function}: invalid object type {objtype}")


@bound("d xpos:out3 xmat:out9 pos:in3 quat:in4 body:int sameframe:int")
def mj_local2Global(d: Any, xpos: Any, xmat: Any, pos: Any, quat: Any, body: int, sameframe: int) -> None:
    """The pose in the world of a pose in a body, which may coincide with the body's frame or inertial frame."""
    inertial = sameframe in (enums.SAMEFRAME_INERTIA, enums.SAMEFRAME_INERTIAROT)
    if sameframe in (enums.SAMEFRAME_BODY, enums.SAMEFRAME_INERTIA):
        xpos[:] = d.xipos[body] if inertial else d.xpos[body]
    else:
        xpos[:] = d.xpos[body] + d.xmat[body].reshape(3, 3) @ pos
    if sameframe == enums.SAMEFRAME_NONE:
        xmat[:] = rotation.quat_to_mat(rotation.mul_quat(d.xquat[body], quat)).ravel()
    else:
        xmat[:] = d.ximat[body] if inertial else d.xmat[body]


# ---------------------------------------------------------------- finite differences


@bound("m d eps:float flg_centered:bool A:out?r,r B:out?r,nu C:out?nsensordata,r D:out?nsensordata,nu")
def mjd_transitionFD(m: Any, d: Any, eps: float, flg_centered: bool, A: Any, B: Any, C: Any, D: Any) -> None:
    """Derivatives of a step and of the sensors by state and controls, by finite differences."""
    size = 2 * m.nv + m.na
    for name, matrix, axis in (("A", A, 0), ("B", B, 0), ("C", C, 1)):
        if matrix is not None and matrix.shape[axis] != size:
            raise TypeError(f"{name} should have 2*nv+na = {size} rows for states, not {matrix.shape[axis]}")
    if all(matrix is None for matrix in (A, B, C, D)):
        return
    found = sim.transition_fd(m, d, eps, flg_centered, sensors=C is not None or D is not None)
    for into, value in zip((A, B, C, D), found[:4], strict=True):
        _put(into, value)


@bound(
    "m d eps:float flg_actuation:bool DfDq:out?nv,nv DfDv:out?nv,nv DfDa:out?nv,nv DsDq:out?nv,nsensordata "
    "DsDv:out?nv,nsensordata DsDa:out?nv,nsensordata DmDq:out?nv,nC"
)
def mjd_inverseFD(m: Any, d: Any, eps: float, flg_actuation: bool, *into: Any) -> None:
    """Derivatives of inverse dynamics and of the sensors, by finite differences; a row per input."""
    if all(matrix is None for matrix in into):
        return
    for matrix, value in zip(into, sim.inverse_fd(m, d, eps, flg_actuation), strict=True):
        _put(matrix, value)
