"""Potential and kinetic energy from a forwarded state, whether or not the energy flag is set."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from sim.enums import DSBL_GRAVITY, DSBL_SPRING, JNT_BALL, JNT_FREE, JNT_SLIDE
from sim.model import Data, Model
from sim.script.inertia import inertia_rows

Array = NDArray[np.float64]


def potential_energy(m: Model, d: Data) -> float:
    """Of gravity and of the springs of joints and tendons."""
    return gravity_energy(m, d) + spring_energy(m, d)


def gravity_energy(m: Model, d: Data) -> float:
    """Potential energy of gravity."""
    if m.opt.disableflags & DSBL_GRAVITY:
        return 0.0
    return -float(m.body_mass[1:] @ (d.xipos[1:] @ m.opt.gravity))


def spring_energy(m: Model, d: Data) -> float:
    """Of the springs of joints and tendons."""
    joints, tendons = spring_energies(m, d)
    return float(joints.sum() + tendons.sum())


def spring_energies(m: Model, d: Data) -> tuple[Array, Array]:
    """Of the spring of each joint, and of each tendon."""
    joints, tendons = np.zeros(m.njnt), np.zeros(m.ntendon)
    if m.opt.disableflags & DSBL_SPRING:
        return joints, tendons
    sprung = m.jnt_stiffness.astype(bool) | m.jnt_stiffnesspoly.any(axis=1)
    if sprung.any():
        single = m.jnt_type >= JNT_SLIDE
        chosen, rest = np.flatnonzero(sprung & single), rests(m, d)
        at = m.jnt_qposadr[chosen]
        moved = d.qpos[at] - rest[at]
        joints[chosen] = _spring(moved, m.jnt_stiffness[chosen], m.jnt_stiffnesspoly[chosen].T)
        for j in np.flatnonzero(sprung & ~single).tolist():
            stiffness = m.jnt_stiffness[j], m.jnt_stiffnesspoly[j]
            joints[j] = sum(_spring(x, *stiffness) for x in _displacements(m, d, j, rest))
    if m.ntendon:
        tendons = _spring(stretches(m, d), m.tendon_stiffness, m.tendon_stiffnesspoly.T)
    return joints, tendons


def kinetic_energy(m: Model, d: Data) -> float:
    """Half of qvel M qvel."""
    return float(kinetic_terms(m, d)[1].sum())


def kinetic_terms(m: Model, d: Data) -> tuple[NDArray[np.int64], Array]:
    """The row of each entry of M, which is stored as its lower triangle by rows, and its part of the kinetic energy."""
    rows, columns, velocities = inertia_rows(m), m.M_colind, d.qvel
    return rows, d.M * velocities[rows] * velocities[columns] * np.where(rows == columns, 0.5, 1.0)


def _spring(x: Any, k: Any, polynomial: Any) -> Any:
    """Energy of a spring at displacement x from rest; or of several."""
    return x * x * (k / 2 + x * (polynomial[0] / 3 + x * polynomial[1] / 4))


def _displacements(m: Model, d: Data, j: int, rest: Array) -> tuple[float, ...]:
    """From the rest of the spring of a ball or free joint; a free one has two, of its position and its orientation."""
    at, kind = int(m.jnt_qposadr[j]), m.jnt_type[j]
    if kind == JNT_FREE:
        moved = float(np.linalg.norm(d.qpos[at : at + 3] - m.qpos_spring[at : at + 3]))
        return moved, rotation_between(d.qpos[at + 3 : at + 7], m.qpos_spring[at + 3 : at + 7])
    return (rotation_between(d.qpos[at : at + 4], rest[at : at + 4]),)


def rests(m: Model, d: Data) -> Array:
    """The coordinates at which the springs of joints rest."""
    rest = np.array(m.qpos_spring)
    for j in np.flatnonzero(m.jnt_plasticadr >= 0):
        at, first, size = m.jnt_qposadr[j], m.jnt_plasticadr[j], 4 if m.jnt_type[j] == JNT_BALL else 1
        rest[at : at + size] = d.plastic[first : first + size]
    return rest


def length_ranges(m: Model, d: Data) -> Array:
    """The lengths between which the springs of tendons rest."""
    ranges = np.array(m.tendon_lengthspring)
    plastic = m.tendon_plasticadr >= 0
    ranges[plastic] = d.plastic[m.tendon_plasticadr[plastic, None] + (0, 1)]
    return ranges


def stretches(m: Model, d: Data) -> Array:
    """How far tendons are from the range in which their springs rest; negative: shorter."""
    low, high = length_ranges(m, d).T
    return np.asarray(d.ten_length - np.minimum(np.maximum(d.ten_length, low), high))


def rotation_between(a: Array, b: Array) -> float:
    """The angle between two orientations, by unit quaternions."""
    scale = float(np.linalg.norm(a) * np.linalg.norm(b))
    along = abs(float(a @ b)) / scale if scale else 1.0
    return float(2 * np.arctan2(np.sqrt(max(0.0, 1 - along * along)), along))
