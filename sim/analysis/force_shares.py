"""Shares of an acceleration by source: of the dofs of a joint, or of a body's centre of mass; they sum to it.

A dof: M⁻¹ f for each source with generalized force f. A body: J M⁻¹ f, with J the Jacobian of its centre of mass; the
source "velocity" also has J̇ qvel, the acceleration along a curved path: together they are what a body does without
any force. M is block-diagonal in kinematic trees, so only the tree of the joint or body is solved for.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from sim.analysis.force_sources import ForceSources, Source
from sim.script.jacobian import jac_body_com, jac_dot

if TYPE_CHECKING:
    from sim.model import Data, Model

VELOCITY = Source("velocity")
# solutions of M x = f, each of the remainder of the one before
REFINEMENTS = 4


@dataclass(frozen=True)
class Shares:
    """Shares of each source, one row each: in the acceleration, and in the force; and both totals.

    Columns are the dofs of a joint; or the linear and angular acceleration of a body, x y z each, where forces are
    mass times acceleration, and inertia times angular acceleration.
    """

    sources: tuple[Source, ...]
    acceleration: np.ndarray
    force: np.ndarray
    total: np.ndarray
    total_force: np.ndarray
    asleep: bool = False


def joint_shares(m: Model, d: Data, found: ForceSources, joint: int) -> Shares:
    """Shares in the acceleration of the dofs of a joint."""
    dofs = np.flatnonzero(m.dof_jntid == joint)
    tree = int(m.dof_treeid[dofs[0]])
    if not d.tree_awake[tree]:
        return _asleep(len(dofs))
    block = tree_dofs(m, tree)
    sources, force = _acting(found, block)
    unit = np.eye(len(block))[dofs - block[0]]
    own = force[:, dofs - block[0]]
    acceleration = (force @ solve_tree(m, d, block, unit).T).astype(float)
    return Shares(sources, acceleration, own, found.qacc[dofs], own.sum(axis=0))


def body_shares(m: Model, d: Data, found: ForceSources, body: int) -> Shares:
    """Shares in the linear and angular acceleration of a body at its centre of mass, in world axes."""
    tree = int(m.body_treeid[body])
    if tree < 0 or not d.tree_awake[tree]:
        return _asleep(6)
    block = tree_dofs(m, tree)
    sources, force = _acting(found, block)
    jacobian = np.vstack(jac_body_com(m, d, body))[:, block]
    acceleration = (force @ solve_tree(m, d, block, jacobian).T).astype(float)
    curved = np.vstack(jac_dot(m, d, d.xipos[body], body)) @ d.qvel
    if VELOCITY in sources:
        acceleration[sources.index(VELOCITY)] += curved
    elif curved.any():
        sources, acceleration = (*sources, VELOCITY), np.vstack((acceleration, curved))
    inertia = np.zeros((6, 6))
    axes = d.ximat[body].reshape(3, 3)
    inertia[:3, :3] = m.body_mass[body] * np.eye(3)
    inertia[3:, 3:] = axes * m.body_inertia[body] @ axes.T
    total = jacobian @ found.qacc[block] + curved
    return Shares(sources, acceleration, acceleration @ inertia, total, inertia @ total)


def _asleep(width: int) -> Shares:
    """Shares in what is asleep or fixed: none."""
    return Shares((), np.zeros((0, width)), np.zeros((0, width)), np.zeros(width), np.zeros(width), asleep=True)


def _acting(found: ForceSources, block: np.ndarray) -> tuple[tuple[Source, ...], np.ndarray]:
    """The sources that act on some dofs, and their forces on them."""
    force = found.projected(block)
    acting = np.flatnonzero(force.any(axis=1))
    return tuple(found.sources[i] for i in acting), force[acting]


def tree_dofs(m: Model, tree: int) -> np.ndarray:
    """The dofs of a kinematic tree: a range."""
    first = int(m.tree_dofadr[tree])
    return np.arange(first, first + int(m.tree_dofnum[tree]))


def solve_tree(m: Model, d: Data, block: np.ndarray, rows: np.ndarray) -> np.ndarray:
    """Solve M x = row for each row, in the dofs of a tree; the result is in extended precision.

    Dofs are scaled by powers of two, which are exact, to a diagonal of about one: metres and radians, or a torso and a
    finger, differ by orders of magnitude.
    Iterative refinement then removes the rounding that an ill-conditioned M, such as that of a long chain, magnifies.
    """
    inertia = _tree_inertia(m, d, block)
    scale = np.exp2(np.round(-0.5 * np.log2(inertia.diagonal())))
    scaled = inertia * np.outer(scale, scale)
    exact, target = scaled.astype(np.longdouble), (rows * scale).T.astype(np.longdouble)
    inverse, x = np.linalg.inv(scaled), np.zeros_like(target)
    for _ in range(REFINEMENTS):
        x += inverse @ (target - exact @ x).astype(float)
    return x.T * scale


def _tree_inertia(m: Model, d: Data, block: np.ndarray) -> np.ndarray:
    """The block of M of a tree, as a dense array."""
    first, last = int(block[0]), int(block[-1])
    entries = slice(int(m.M_rowadr[first]), int(m.M_rowadr[last] + m.M_rownnz[last]))
    rows = np.repeat(np.arange(len(block)), m.M_rownnz[block])
    columns = m.M_colind[entries] - first
    full = np.zeros((len(block), len(block)))
    full[rows, columns] = full[columns, rows] = d.M[entries]
    return full


def step_acceleration(m: Model, d: Data) -> np.ndarray:
    """(qvel after a step - qvel) / timestep: the acceleration that the integrator applies. Makes the step in `d`.

    It differs from qacc where the integrator is implicit in velocities, evaluates several stages, or a tree falls
    asleep.
    """
    before = d.qvel.copy()
    m.engine.step(m, d)
    change: np.ndarray = (d.qvel - before) / m.opt.timestep
    return change
