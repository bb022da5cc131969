"""Positions and the velocities between them, for scripts.

qpos has nq numbers, four for each quaternion; qvel has nv, three for each, in the body's own frame. So positions are
not added and subtracted but integrated and differentiated:
integrate_pos(q, differentiate_pos(1, q, p), 1) is p.
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
    """Where each quaternion is in qpos, and its angular velocity in qvel; which other numbers belong together."""

    turns: list[tuple[slice, slice]]
    q: np.ndarray
    v: np.ndarray


def _parts(m: Model) -> Parts:
    """Kept with the model: they never change."""
    parts: Parts | None = m.__dict__.get("position_parts")
    if parts is None:
        parts = Parts([], np.ones(m.nq, bool), np.ones(m.nv, bool))
        for j in np.flatnonzero((m.jnt_type == JNT_FREE) | (m.jnt_type == JNT_BALL)).tolist():
            skip = 3 if m.jnt_type[j] == JNT_FREE else 0
            a, v = int(m.jnt_qposadr[j]) + skip, int(m.jnt_dofadr[j]) + skip
            parts.turns.append((slice(a, a + 4), slice(v, v + 3)))
            parts.q[a : a + 4] = parts.v[v : v + 3] = False
        # whole at once: another thread may be looking
        m.__dict__["position_parts"] = parts
    return parts


def _row(value: Any, n: int, what: str) -> np.ndarray:
    row = np.asarray(value, float)
    if row.shape != (n,):
        raise ValueError(f"{what} has {n} numbers in this model, not shape {row.shape}")
    return row


def _position(m: Model, qpos: np.ndarray) -> np.ndarray:
    """An array that is about to be changed."""
    if not isinstance(qpos, np.ndarray) or qpos.dtype != np.float64:
        raise ValueError("qpos is changed in place: it has to be an array of float64")
    return _row(qpos, m.nq, "qpos")


def differentiate_pos(m: Model, dt: float, qpos1: Any, qpos2: Any) -> np.ndarray:
    """The velocity that leads from one position to another in a time dt."""
    before, after = _row(qpos1, m.nq, "qpos1"), _row(qpos2, m.nq, "qpos2")
    qvel = np.zeros(m.nv)
    turns, q, v = _parts(m)
    qvel[v] = after[q] - before[q]
    for a, b in turns:
        qvel[b] = sub_quat(after[a], before[a])
    return qvel / dt


def integrate_pos(m: Model, qpos: np.ndarray, qvel: Any, dt: float) -> None:
    """Move a position, in place, with a velocity for a time dt."""
    position, velocity = _position(m, qpos), _row(qvel, m.nv, "qvel")
    turns, q, v = _parts(m)
    position[q] += dt * velocity[v]
    for a, b in turns:
        position[a] = quat_integrate(position[a], velocity[b], dt)


def normalize_quat(m: Model, qpos: np.ndarray) -> None:
    """Give the quaternions of a position, in place, length one; one without length becomes no turn at all."""
    position = _position(m, qpos)
    for a, _ in _parts(m).turns:
        position[a] = normalize4(position[a])
