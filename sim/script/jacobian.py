"""Jacobians of points, frames and subtrees as dense arrays, for scripts: MuJoCo's mj_jac family.

A dof above body b rotates it by ω = cdof[:3] and moves point p by v = cdof[3:] + ω × (p - subtree_com of the tree).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sim.arguments import checked
from sim.enums import JNT_BALL, JNT_FREE, MINVAL
from sim.math.so3 import cross_matrix
from sim.math.spatial import cross_motion, get6
from sim.stages.smooth.jacobian import last_dof, point_velocity

if TYPE_CHECKING:
    from sim.model import Data, Model

# columns of a vector, for cross products
YZX, ZXY = np.array([1, 2, 0]), np.array([2, 0, 1])


@checked
def jac(m: Model, d: Data, point: np.ndarray, body: int) -> tuple[np.ndarray, np.ndarray]:
    """(translational, rotational) Jacobian, each 3 x nv, of a point that moves with a body."""
    jacp, jacr = np.zeros((2, 3, m.nv))
    chain = _chain(m, body)
    axes = d.cdof[chain]
    x, y, z = (np.asarray(point, float) - d.subtree_com[m.body_rootid[body]]).tolist()
    jacr[:, chain] = axes[:, :3].T
    # ω × lever
    across = axes.take(YZX, axis=1)
    across *= (z, x, y)
    other = axes.take(ZXY, axis=1)
    other *= (y, z, x)
    across -= other
    across += axes[:, 3:]
    jacp[:, chain] = across.T
    return jacp, jacr


def _chain(m: Model, body: int) -> slice | np.ndarray:
    """The dofs that move a body: as a slice if they are neighbours, which numpy takes without a copy."""
    known: dict[int, slice | np.ndarray] = m.derived.setdefault("dof_chains", {})
    found = known.get(body)
    if found is None:
        dofs = dofs_above(m, body)[::-1]
        joined = not dofs or dofs[-1] - dofs[0] == len(dofs) - 1
        found = slice(dofs[0], dofs[-1] + 1) if joined and dofs else np.array(dofs, np.intp)
        known[body] = found
    return found


def dofs_above(m: Model, body: int) -> list[int]:
    """The dofs that move a body, nearest first. Cached in the model: they never change."""
    known: dict[int, list[int]] = m.derived.setdefault("dofs_above", {})
    if body not in known:
        chain, v = [], int(last_dof(m, body))
        while v >= 0:
            chain.append(v)
            v = int(m.dof_parentid[v])
        # in one assignment: another thread may be reading
        known[body] = chain
    return known[body]


@checked
def jac_body(m: Model, d: Data, body: int) -> tuple[np.ndarray, np.ndarray]:
    """Jacobian of a body's frame."""
    return jac(m, d, d.xpos[body], body)


@checked
def jac_body_com(m: Model, d: Data, body: int) -> tuple[np.ndarray, np.ndarray]:
    """Jacobian of a body's centre of mass."""
    return jac(m, d, d.xipos[body], body)


@checked
def jac_geom(m: Model, d: Data, geom: int) -> tuple[np.ndarray, np.ndarray]:
    """Jacobian of a geom's frame."""
    return jac(m, d, d.geom_xpos[geom], int(m.geom_bodyid[geom]))


@checked
def jac_site(m: Model, d: Data, site: int) -> tuple[np.ndarray, np.ndarray]:
    """Jacobian of a site's frame."""
    return jac(m, d, d.site_xpos[site], int(m.site_bodyid[site]))


@checked
def jac_point_axis(m: Model, d: Data, point: np.ndarray, axis: np.ndarray, body: int) -> tuple[np.ndarray, np.ndarray]:
    """Jacobians of a point and of an axis, both fixed in a body: the axis moves by ω × axis."""
    jacp, jacr = jac(m, d, point, body)
    return jacp, np.cross(jacr.T, np.asarray(axis, float)).T


@checked
def jac_subtree_com(m: Model, d: Data, body: int) -> np.ndarray:
    """Translational Jacobian of a subtree's centre of mass."""
    total = np.zeros((3, m.nv))
    for b in _subtree(m, body):
        total += m.body_mass[b] * jac_body_com(m, d, b)[0]
    total /= max(m.body_subtreemass[body], MINVAL)
    return total


@checked
def angmom_mat(m: Model, d: Data, body: int) -> np.ndarray:
    """The matrix, 3 x nv, that maps qvel to the angular momentum of a subtree about its centre of mass."""
    total = np.zeros((3, m.nv))
    for b in _subtree(m, body):
        jacp, jacr = jac_body_com(m, d, b)
        axes = d.ximat[b].reshape(3, 3)
        total += axes * m.body_inertia[b] @ axes.T @ jacr
        total += m.body_mass[b] * cross_matrix(d.xipos[b] - d.subtree_com[body]) @ jacp
    return total


def _subtree(m: Model, body: int) -> list[int]:
    """The bodies of a subtree."""
    below = {body}
    for b in range(body + 1, m.nbody):
        if int(m.body_parentid[b]) in below:
            below.add(b)
    return sorted(below)


@checked
def jac_dot(m: Model, d: Data, point: np.ndarray, body: int) -> tuple[np.ndarray, np.ndarray]:
    """Time derivatives of the Jacobians of `jac`: the point's acceleration is J qacc + J̇ qvel."""
    jacp, jacr = np.zeros((3, m.nv)), np.zeros((3, m.nv))
    chain = dofs_above(m, body)
    point = np.asarray(point, float)
    _, velocity = point_velocity(m, d, body, tuple(point))
    lever = point - d.subtree_com[m.body_rootid[body]]
    rates = d.cdof_dot[chain]
    # the axes of a quaternion's dofs rotate with the body
    for i, v in enumerate(chain):
        j = m.dof_jntid[v]
        if m.jnt_type[j] == JNT_BALL or (m.jnt_type[j] == JNT_FREE and v >= m.jnt_dofadr[j] + 3):
            rates[i] = cross_motion(get6(d.cvel, m.dof_bodyid[v]), get6(d.cdof, v))
    jacr[:, chain] = rates[:, :3].T
    carried = d.cdof[chain, :3] @ cross_matrix(velocity)
    jacp[:, chain] = (rates[:, 3:] + rates[:, :3] @ cross_matrix(lever) + carried).T
    return jacp, jacr


@checked
def apply_ft(
    m: Model, d: Data, force: np.ndarray, torque: np.ndarray, point: np.ndarray, body: int, qfrc: np.ndarray
) -> None:
    """Add the generalized force of a force and a torque at a point of a body to `qfrc`, e.g. d.qfrc_applied."""
    if not isinstance(qfrc, np.ndarray):
        raise ValueError("qfrc is changed in place: it must be a numpy array")
    jacp, jacr = jac(m, d, point, body)
    qfrc += np.asarray(force, float) @ jacp + np.asarray(torque, float) @ jacr
