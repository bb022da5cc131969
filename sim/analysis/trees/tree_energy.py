"""Kinetic and potential energy of each tree, from a forwarded state.

The energy of a tendon's spring belongs in equal parts to the trees that it spans. What is fixed to the world is in no
tree: its potential energy is that of `outside`.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sim.analysis.energy import kinetic_terms, spring_energies
from sim.analysis.trees.tree_ties import tendon_trees
from sim.enums import DSBL_GRAVITY
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
    ntree, rows = int(m.ntree), kinetic_terms(m, d)
    # the last one is the world
    potential = np.zeros(ntree + 1)
    if not m.opt.disableflags & DSBL_GRAVITY:
        np.subtract.at(potential, m.body_treeid[1:], m.body_mass[1:] * (d.xipos[1:] @ m.opt.gravity))
    joints, tendons = spring_energies(m, d)
    np.add.at(potential, m.body_treeid[m.jnt_bodyid], joints)
    for tendon in np.flatnonzero(tendons).tolist():
        trees = sorted(tendon_trees(m, tendon)) or [-1]
        potential[trees] += tendons[tendon] / len(trees)
    # no entry of M is of two trees
    kinetic = np.bincount(m.dof_treeid[rows[0]], rows[1], minlength=ntree).astype(np.float64)
    return Energies(kinetic, potential[:ntree], float(potential[ntree]))
