"""Kinetic and potential energy of each tree, from a forwarded state.

The energy of a tendon's spring belongs in equal parts to the trees that it spans. What is fixed to the world is in no
tree: its potential energy is that of `outside`.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sim.analysis.energy import _displacements, _spring, length_ranges, rests
from sim.analysis.trees.tree_ties import tendon_trees
from sim.enums import DSBL_GRAVITY, DSBL_SPRING, JNT_SLIDE
from sim.model import Data, Model

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Energies:
    """Of each tree, J; `outside` is the potential energy of what is in no tree."""

    kinetic: Floats
    potential: Floats
    outside: float


def tree_energies(m: Model, d: Data) -> Energies:
    """The energies of all trees; they and `outside` sum to those of sim.analysis.energy."""
    ntree = int(m.ntree)
    # the last one is the world
    potential = np.zeros(ntree + 1)
    if not m.opt.disableflags & DSBL_GRAVITY:
        np.subtract.at(potential, m.body_treeid[1:], m.body_mass[1:] * (d.xipos[1:] @ m.opt.gravity))
    if not m.opt.disableflags & DSBL_SPRING:
        _add_joint_springs(potential, m, d)
        _add_tendon_springs(potential, m, d)
    return Energies(_kinetic(m, d), potential[:ntree], float(potential[ntree]))


def _kinetic(m: Model, d: Data) -> Floats:
    """Half of qvel M qvel; no entry of M is of two trees."""
    rows = np.repeat(np.arange(m.nv), m.M_rownnz)
    columns = np.asarray(m.M_colind)
    terms = d.M * d.qvel[rows] * d.qvel[columns] * np.where(rows == columns, 0.5, 1.0)
    return np.bincount(m.dof_treeid[rows], terms, minlength=int(m.ntree)).astype(np.float64)


def _add_joint_springs(potential: Floats, m: Model, d: Data) -> None:
    sprung = np.flatnonzero(m.jnt_stiffness.astype(bool) | m.jnt_stiffnesspoly.any(axis=1))
    rest = rests(m, d) if len(sprung) else np.zeros(0)
    for joint in sprung.tolist():
        at, tree = int(m.jnt_qposadr[joint]), int(m.body_treeid[m.jnt_bodyid[joint]])
        single = m.jnt_type[joint] >= JNT_SLIDE
        moved = (float(d.qpos[at] - rest[at]),) if single else _displacements(m, d, joint)
        potential[tree] += sum(_spring(x, m.jnt_stiffness[joint], m.jnt_stiffnesspoly[joint]) for x in moved)


def _add_tendon_springs(potential: Floats, m: Model, d: Data) -> None:
    for tendon in np.flatnonzero(m.tendon_stiffness.astype(bool) | m.tendon_stiffnesspoly.any(axis=1)).tolist():
        low, high = length_ranges(m, d)[tendon]
        length = float(d.ten_length[tendon])
        stretch = length - min(max(length, low), high)
        energy = _spring(stretch, m.tendon_stiffness[tendon], m.tendon_stiffnesspoly[tendon])
        trees = sorted(tendon_trees(m, tendon)) or [-1]
        potential[trees] += energy / len(trees)
