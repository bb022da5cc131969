"""Potential and kinetic energy from a forwarded state, whether or not the energy flag is set."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sim.enums import DSBL_GRAVITY, DSBL_SPRING, JNT_BALL, JNT_FREE
from sim.math.vec import norm3
from sim.model import Data, Model
from sim.script.inertia import inertia_rows
from sim.stages.smooth.energy import polynomial_spring_energy
from sim.stages.smooth.passive import ball_spring_rotation, spring_rotation, spring_translation
from sim.stages.smooth.tendon import tendon_displacement
from sim.state.plastic import joint_rest, tendon_rest

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
    for j in np.flatnonzero(m.jnt_stiffness.astype(bool) | m.jnt_stiffnesspoly.any(axis=1)).tolist():
        law = m.jnt_stiffness[j], *m.jnt_stiffnesspoly[j]
        joints[j] = sum(polynomial_spring_energy(x, *law) for x in _displacements(m, d, j))
    for t in np.flatnonzero(m.tendon_stiffness.astype(bool) | m.tendon_stiffnesspoly.any(axis=1)).tolist():
        law = m.tendon_stiffness[t], *m.tendon_stiffnesspoly[t]
        tendons[t] = polynomial_spring_energy(tendon_displacement(m, d, t), *law)
    return joints, tendons


def kinetic_energy(m: Model, d: Data) -> float:
    """Half of qvel M qvel."""
    return float(kinetic_terms(m, d)[1].sum())


def kinetic_terms(m: Model, d: Data) -> tuple[NDArray[np.int64], Array]:
    """The row of each entry of M, which is stored as its lower triangle by rows, and its part of the kinetic energy."""
    rows, columns, velocities = inertia_rows(m), m.M_colind, d.qvel
    return rows, d.M * velocities[rows] * velocities[columns] * np.where(rows == columns, 0.5, 1.0)


def _displacements(m: Model, d: Data, j: int) -> tuple[float, ...]:
    """From the rest of the spring of a joint; a free one has two, of its position and its orientation."""
    at, kind = int(m.jnt_qposadr[j]), m.jnt_type[j]
    if kind == JNT_FREE:
        return norm3(spring_translation(m, d, at)), norm3(spring_rotation(m, d, at + 3))
    return (norm3(ball_spring_rotation(m, d, j)) if kind == JNT_BALL else d.qpos[at] - joint_rest(m, d, j),)


def length_ranges(m: Model, d: Data) -> Array:
    """The lengths between which the springs of tendons rest."""
    return np.array([tendon_rest(m, d, t) for t in range(m.ntendon)]).reshape(-1, 2)
