"""Momentum of the trees of a scene, or of one tree, as far as their joints leave them free; and its rate by source.

A motion of a whole tree, along or about an axis of the world, is a symmetry if its first joints allow it: a free joint
allows all, slides those along their axes, then a hinge or ball the rotation, a hinge or ball alone that about its
anchor. The momentum along it is a combination of (M qvel) of these dofs, and by Noether's theorem its rate is the same
combination of generalized forces, without those of velocities.
Several trees together have the symmetries that all of them have. Where a joint takes one away, it is named.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import takewhile
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from sim.enums import JNT_BALL, JNT_FREE, JNT_HINGE, JNT_SLIDE

if TYPE_CHECKING:
    from sim.model import Data, Model

AXES = ("x", "y", "z")
# axes nearer to each other than this are the same
SAME = 1e-9


class Charge(NamedTuple):
    """A momentum that may be conserved: along ("linear") or about ("angular") an axis of the world.

    `joint` is the one about whose anchor or axis it is; -1: about the centre of mass. `blocker` is the joint that ties
    it to the world, so that there is no such law; -1 if there is none.
    """

    kind: str
    axis: tuple[float, float, float]
    joint: int = -1
    blocker: int = -1


class Root(NamedTuple):
    """The first joints of a tree: slides or a free joint, and the rotation after them; -1 is none."""

    tree: int
    slides: tuple[int, ...]
    turn: int
    # the first joint that is neither
    rest: int


@dataclass(frozen=True, eq=False)
class Frame:
    """At a state: momenta (charges, dofs) = map @ generalized momenta of `dofs`; their mass and inertia, for scales."""

    dofs: np.ndarray
    map: np.ndarray
    mass: float
    inertia: float


def roots(m: Model, trees: Sequence[int]) -> list[Root]:
    """The first joints of trees. Kept in the model: they never change."""
    known: list[Root] | None = m.derived.get("first joints of trees")
    if known is None:
        known = m.derived["first joints of trees"] = [_root(m, tree) for tree in range(m.ntree)]
    return [known[tree] for tree in trees]


def _root(m: Model, tree: int) -> Root:
    body = int(m.dof_bodyid[m.tree_dofadr[tree]])
    joints = range(int(m.body_jntadr[body]), int(m.body_jntadr[body] + m.body_jntnum[body]))
    if m.jnt_type[joints[0]] == JNT_FREE:
        return Root(tree, (joints[0],), joints[0], -1)
    slides = [*takewhile(lambda j: m.jnt_type[j] == JNT_SLIDE, joints)]
    turn = joints[len(slides)] if len(slides) < len(joints) else -1
    return Root(tree, tuple(slides), turn, turn if turn >= 0 else slides[-1])


def charges(m: Model, d: Data, trees: Sequence[int]) -> list[Charge]:
    """The momenta of trees: along and about the axes of the world, or about the axis of the one joint that it has."""
    known = roots(m, trees)
    if len(known) == 1 and not known[0].slides:
        return _of_anchor(m, d, known[0].turn)
    found = []
    for kind, blocks in (("linear", _stop), ("angular", _pin)):
        for axis in np.eye(3):
            blocker = next((joint for root in known if (joint := blocks(m, d, root, axis)) >= 0), -1)
            found.append(Charge(kind, _tuple(axis), blocker=blocker))
    return found


def _tuple(axis: np.ndarray) -> tuple[float, float, float]:
    x, y, z = axis.tolist()
    return x, y, z


def _of_anchor(m: Model, d: Data, joint: int) -> list[Charge]:
    """Of a tree that turns about a point of the world."""
    if m.jnt_type[joint] == JNT_HINGE:
        return [Charge("angular", _tuple(d.xaxis[joint]), joint)]
    return [Charge("angular", _tuple(axis), joint) for axis in np.eye(3)]


def _span(m: Model, d: Data, root: Root) -> np.ndarray:
    """An array whose rows are the axes of its slides."""
    return d.xaxis[list(root.slides)].reshape(-1, 3)


def _stop(m: Model, d: Data, root: Root, axis: np.ndarray) -> int:
    """The joint that does not let a tree move along an axis, or -1."""
    if root.rest < 0:
        return -1
    span = _span(m, d, root)
    left = axis - span.T @ np.linalg.pinv(span.T) @ axis if len(span) else axis
    return root.rest if np.abs(left).max() > SAME else -1


def _pin(m: Model, d: Data, root: Root, axis: np.ndarray) -> int:
    """The joint that does not let a tree turn about an axis through any point, or -1."""
    if root.rest < 0:
        return -1
    if root.turn < 0 or not root.slides:
        return root.rest
    aside = [_stop(m, d, root, other) for other in np.linalg.svd(axis[None])[2][1:]]
    turns = m.jnt_type[root.turn] == JNT_BALL or abs(abs(float(d.xaxis[root.turn] @ axis)) - 1) < SAME
    return -1 if turns and max(aside) < 0 else root.rest


def frame(m: Model, d: Data, trees: Sequence[int], found: list[Charge]) -> Frame:
    """How generalized momenta become those of `found`, in Data after `forward`."""
    known = roots(m, trees)
    bodies = np.flatnonzero(np.isin(m.body_treeid, trees))
    masses = m.body_mass[bodies]
    mass = float(masses.sum())
    centre = masses @ d.xipos[bodies] / mass if mass else np.zeros(3)
    arms = d.xipos[bodies] - centre
    inertia = float(masses @ (arms**2).sum(axis=1) + m.body_inertia[bodies].sum())
    linear = np.array([charge.kind == "linear" for charge in found], bool)
    axes = np.array([(0.0, 0.0, 0.0) if charge.blocker >= 0 else charge.axis for charge in found]).reshape(-1, 3)
    free = [root.turn for root in known if root.rest < 0]
    dofs, forces, torques = _free_map(m, d, np.array(free, int), centre)
    for root in known:
        if root.rest >= 0:
            own, force, torque = _wrench_map(m, d, root, centre, anchored=bool(found) and found[0].joint >= 0)
            dofs, forces, torques = np.r_[dofs, own], np.vstack((forces, force)), np.vstack((torques, torque))
    return Frame(dofs, np.where(linear[:, None], axes @ forces.T, axes @ torques.T), mass, inertia)


def _free_map(m: Model, d: Data, joints: np.ndarray, centre: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Dofs of free joints; the force, and the torque about `centre`, of a unit force on each."""
    bodies = m.jnt_bodyid[joints]
    forces, torques = np.zeros((len(joints), 6, 3)), np.zeros((len(joints), 6, 3))
    forces[:, :3] = np.eye(3)
    x, y, z = (d.xpos[bodies] - centre).T
    # arm × the axes of the world
    torques[:, 0, 1], torques[:, 0, 2] = z, -y
    torques[:, 1, 0], torques[:, 1, 2] = -z, x
    torques[:, 2, 0], torques[:, 2, 1] = y, -x
    torques[:, 3:] = d.xmat[bodies].reshape(-1, 3, 3).transpose(0, 2, 1)
    dofs = (m.jnt_dofadr[joints][:, None] + np.arange(6)).ravel()
    return dofs, forces.reshape(-1, 3), torques.reshape(-1, 3)


def _wrench_map(
    m: Model, d: Data, root: Root, centre: np.ndarray, anchored: bool
) -> tuple[list[int], np.ndarray, np.ndarray]:
    """Its first dofs; the force, and the torque about `centre` or about the anchor, of a unit force on each."""
    dofs = [int(m.jnt_dofadr[j]) for j in root.slides]
    forces = np.linalg.pinv(_span(m, d, root)).T if dofs else np.zeros((0, 3))
    torques = np.zeros((len(dofs), 3))
    if root.turn >= 0:
        joint = root.turn
        if dofs and not anchored:
            torques = np.cross(d.xanchor[joint] - centre, forces)
        ball = m.jnt_type[joint] == JNT_BALL
        axes = d.xmat[int(m.jnt_bodyid[joint])].reshape(3, 3).T if ball else d.xaxis[joint][None]
        dofs += [*range(int(m.jnt_dofadr[joint]), int(m.jnt_dofadr[joint]) + len(axes))]
        forces, torques = np.vstack((forces, np.zeros((len(axes), 3)))), np.vstack((torques, axes))
    return dofs, forces, torques
