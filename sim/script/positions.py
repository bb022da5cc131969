"""Integration and differentiation of positions, for scripts.

qpos has nq numbers, four per quaternion; qvel has nv, three per quaternion, in the body frame. So positions are not
added and subtracted but integrated and differentiated: integrate_pos(q, differentiate_pos(1, q, p), 1) is p.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from sim.enums import JNT_BALL, JNT_FREE
from sim.math.quat import normalize4
from sim.script.rotation import quat_integrate, sub_quat

if TYPE_CHECKING:
    from sim.model import Model


class Parts(NamedTuple):
    """Quaternions: (slice of qpos, slice of qvel) each; masks of the other numbers in qpos and qvel."""

    quats: list[tuple[slice, slice]]
    q: np.ndarray
    v: np.ndarray


def position_parts(m: Model) -> Parts:
    """The parts of a model's positions. Cached in the model: they never change."""
    parts: Parts | None = m.derived.get("position_parts")
    if parts is None:
        parts = Parts([], np.ones(m.nq, bool), np.ones(m.nv, bool))
        for j in np.flatnonzero((m.jnt_type == JNT_FREE) | (m.jnt_type == JNT_BALL)).tolist():
            skip = 3 if m.jnt_type[j] == JNT_FREE else 0
            a, v = int(m.jnt_qposadr[j]) + skip, int(m.jnt_dofadr[j]) + skip
            parts.quats.append((slice(a, a + 4), slice(v, v + 3)))
            parts.q[a : a + 4] = parts.v[v : v + 3] = False
        # in one assignment: another thread may be reading
        m.derived["position_parts"] = parts
    return parts


def _row(value: Any, n: int, what: str) -> np.ndarray:
    row = np.asarray(value, float)
    if row.shape != (n,):
        raise ValueError(f"{what} has {n} numbers in this model, not shape {row.shape}")
    return row


def _position(m: Model, qpos: np.ndarray) -> np.ndarray:
    """Check an array that is changed in place."""
    if not isinstance(qpos, np.ndarray) or qpos.dtype != np.float64:
        raise ValueError("qpos is changed in place: it must be a numpy array of float64")
    return _row(qpos, m.nq, "qpos")


def differentiate_pos(m: Model, dt: float, qpos1: Any, qpos2: Any) -> np.ndarray:
    """The velocity that moves from one position to another in a time dt."""
    before, after = _row(qpos1, m.nq, "qpos1"), _row(qpos2, m.nq, "qpos2")
    qvel = np.zeros(m.nv)
    quats, q, v = position_parts(m)
    qvel[v] = after[q] - before[q]
    for a, b in quats:
        qvel[b] = sub_quat(after[a], before[a])
    return qvel / dt


def integrate_pos(m: Model, qpos: np.ndarray, qvel: Any, dt: float) -> None:
    """Integrate a position in place with a velocity for a time dt."""
    position, velocity = _position(m, qpos), _row(qvel, m.nv, "qvel")
    quats, q, v = position_parts(m)
    position[q] += dt * velocity[v]
    for a, b in quats:
        position[a] = quat_integrate(position[a], velocity[b], dt)


def normalize_quat(m: Model, qpos: np.ndarray) -> None:
    """Normalize the quaternions of a position in place; a zero quaternion becomes the identity."""
    position = _position(m, qpos)
    for a, _ in position_parts(m).quats:
        position[a] = normalize4(position[a])
