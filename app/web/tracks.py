"""Tracks: poses, contacts, tendons and sensors of a run, frame by frame, and how they are rounded.

A node is a frame of reference that moves: each body, and each camera or light that is not fixed to one. Its pose is
relative to its parent and, where it turns about a joint, that of the joint's anchor: the anchor of a hinge does not
move, so that three numbers remain of seven, of which most are zero. Rotations are rotation vectors from that of the
first frame. Relative poses add up their errors along a chain: quanta are chosen by its length and reach, the poses that
a decoder gets are computed, and the quanta are scaled until the worst error is within the bound.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from app.model.views import ModelView
from app.scene.decor.islands import coloured_trees
from app.scene.instances import LARGEST, along
from app.scene.tendons import tendon_segments
from app.web.payload import HALF, Quantised, quantise
from app.web.rotations import conjugate, from_matrices, from_vectors, product, rotate, vectors
from sim.analysis.contact_state import SLIPS, friction_utilization
from sim.model import Data, Model
from sim.script.contact_force import contact_forces, has_pyramids

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

# joints that turn about an anchor
BALL, HINGE = 1, 3
# state of a contact: within the gap, without force, sticks, slips
GAP, OPEN, STICKS, SLIDES = range(4)
# less motion than this, in extents or rad, is none
STILL = 1e-8
# times that quanta are chosen again; each time they come this near to the bound
TRIES, NEAR = 6, 0.92


@dataclass(frozen=True)
class Bounds:
    """Largest errors: of any point of a geom (m), of orientation (degrees), of the direction of contacts (rad)."""

    position: float = 1e-4
    angle: float = 0.05
    direction: float = 2e-4
    # of contact forces, in weights of a body of mean mass; of a penetration, in that of positions
    force: float = 1e-3
    depth: float = 0.02


class ContactRows(NamedTuple):
    """The contacts of a frame."""

    geom: Ints
    number: Ints
    dim: Ints
    friction: Floats
    position: Floats
    frame: Floats
    force: Floats
    dist: Floats
    state: Ints


@dataclass
class Frames:
    """What was seen in each frame."""

    times: list[float] = field(default_factory=list)
    bodies: list[Floats] = field(default_factory=list)
    cameras: list[Floats] = field(default_factory=list)
    lights: list[Floats] = field(default_factory=list)
    contacts: list[ContactRows] = field(default_factory=list)
    # tendon, start, end of every segment
    tendons: list[Floats] = field(default_factory=list)
    islands: list[Ints] = field(default_factory=list)
    sensors: list[Floats] = field(default_factory=list)
    pyramids: bool = False

    def add(self, view: ModelView, data: Data) -> None:
        """One more frame."""
        self.times.append(float(data.time))
        self.bodies.append(np.hstack([data.xpos, data.xquat]))
        self.cameras.append(np.hstack([data.cam_xpos, np.reshape(data.cam_xmat, (-1, 9))]))
        self.lights.append(np.hstack([data.light_xpos, data.light_xdir]))
        self.sensors.append(np.array(data.sensordata, float))
        self.contacts.append(_contacts(data))
        self.pyramids |= has_pyramids(data)
        first, asleep = coloured_trees(data)  # type: ignore[arg-type]
        self.islands.append(np.where((first >= 0) & asleep, first + len(first), first))
        if view.ntendon:
            paths = tendon_segments(view, data)  # type: ignore[arg-type]
            order = np.argsort(paths.tendon, kind="stable")
            self.tendons.append(np.column_stack([paths.tendon, paths.start, paths.end])[order])


def _contacts(data: Data) -> ContactRows:
    """The contacts of a state, numbered among those of their pair of geoms."""
    contact = data.contact
    geom = np.array(contact.geom, np.int64).reshape(-1, 2)
    used = friction_utilization(data) if len(geom) else np.zeros(0)
    state = np.where(np.isnan(used), OPEN, np.where(used > SLIPS, SLIDES, STICKS))
    state[np.asarray(contact.efc_address) < 0] = GAP
    order = np.lexsort((geom[:, 1], geom[:, 0]))
    ordered = geom[order]
    new = np.append(True, (ordered[1:] != ordered[:-1]).any(axis=1))[: len(geom)]
    starts = np.flatnonzero(new)
    number = np.arange(len(geom)) - np.repeat(starts, np.diff(np.append(starts, len(geom))))
    dim = np.array(contact.dim, np.int64)[order]
    friction, position = (np.array(column, float)[order] for column in (contact.friction, contact.pos))
    forces = contact_forces(data)[order, :3]
    frame = vectors(from_matrices(np.array(contact.frame, float).reshape(-1, 3, 3)[order]))
    dist = np.array(contact.dist, float)[order]
    return ContactRows(ordered, number, dim, friction, position, frame, forces, dist, state[order])


# ---- poses


@dataclass
class Nodes:
    """World poses of all nodes in all frames, (frames, n, 7), and their parents."""

    parent: Ints
    pose: Floats
    # anchor of its rotation in each node, and how far its geoms reach from its origin
    pivot: Floats
    reach: Floats


class Tracks(NamedTuple):
    """Poses as a decoder gets them, and the errors that these have."""

    rest: Floats
    moving: Ints
    pivot: Floats
    position: Quantised
    rotation: Quantised
    worst_position: float
    worst_angle: float


def body_nodes(model: Model, frames: Frames) -> Nodes:
    """The nodes of all bodies."""
    pose = np.array(frames.bodies)
    _hold_sane(pose)
    nbody = pose.shape[1]
    pivot, reach = np.zeros((nbody, 3)), np.zeros(nbody)
    for body in range(nbody):
        first, count = int(model.body_jntadr[body]), int(model.body_jntnum[body])
        turning = [j for j in range(first, first + count) if model.jnt_type[j] in (BALL, HINGE)]
        anchors = np.asarray(model.jnt_pos)[turning]
        if turning and np.ptp(anchors, axis=0).max() == 0:
            pivot[body] = anchors[0]
    if model.ngeom:
        far = np.linalg.norm(model.geom_pos, axis=1) + np.asarray(model.geom_rbound)
        np.maximum.at(reach, np.asarray(model.geom_bodyid), far)
    return Nodes(np.array(model.body_parentid, np.int64), pose, pivot, reach)


def with_nodes(nodes: Nodes, poses: Sequence[Floats]) -> Nodes:
    """With further nodes in the world, from their poses in all frames (frames, 7)."""
    if not poses:
        return nodes
    count = len(poses)
    return Nodes(
        np.append(nodes.parent, np.zeros(count, np.int64)),
        np.concatenate([nodes.pose, np.stack(poses, axis=1)], axis=1),
        np.concatenate([nodes.pivot, np.zeros((count, 3))]),
        np.append(nodes.reach, np.zeros(count)),
    )


def _hold_sane(pose: Floats) -> None:
    """Give what has diverged its last sane pose."""
    sane = np.abs(pose).max(axis=2) < LARGEST
    for node in np.flatnonzero(~sane.all(axis=0)).tolist():
        if not sane[0, node]:
            pose[0, node], sane[0, node] = (0, 0, 0, 1, 0, 0, 0), True
        last = np.maximum.accumulate(np.where(sane[:, node], np.arange(len(pose)), 0))
        pose[:, node] = pose[last, node]


def relative(nodes: Nodes) -> tuple[Floats, Floats]:
    """Poses relative to parents: positions (frames, n, 3) and quaternions (frames, n, 4)."""
    above = nodes.pose[:, nodes.parent]
    back = conjugate(above[..., 3:])
    local = product(back, nodes.pose[..., 3:])
    return rotate(back, nodes.pose[..., :3] - above[..., :3]), local


def pose_tracks(nodes: Nodes, extent: float, bounds: Bounds) -> Tracks:
    """The tracks of nodes, rounded so that the worst error is within the bounds, if 28 bits are enough for that."""
    position, local = relative(nodes)
    # the world is where it is
    position[:, 0], local[:, 0] = 0, (1, 0, 0, 0)
    turned = vectors(product(conjugate(local[:1]), local))
    anchor = position + rotate(local, nodes.pivot)
    moved = anchor - anchor[0]
    moves = np.abs(moved).max(axis=(0, 2)) > STILL * extent
    moving = np.flatnonzero(moves | (np.abs(turned).max(axis=(0, 2)) > STILL))
    rest = np.concatenate([anchor[0], local[0]], axis=1)
    still = np.setdiff1d(np.arange(len(rest)), moving)
    rest[still, :3] = position[0, still]
    tolerance = min(bounds.position, bounds.position * max(2 * extent, 1e-9))
    quanta = _first_quanta(nodes, moving, moves, tolerance, np.radians(bounds.angle))
    scale = 1.0
    for attempt in range(TRIES):
        step, turn = (np.repeat(quantum * scale, 3) for quantum in quanta)
        tracks = Tracks(
            rest, moving, nodes.pivot[moving],
            quantise(moved[:, moving].reshape(len(moved), -1), step),
            quantise(turned[:, moving].reshape(len(moved), -1), turn), 0.0, 0.0,
        )  # fmt: skip
        worst = errors(nodes, decoded(tracks, nodes.parent))
        ratio = max(worst[0] / tolerance, worst[1] / bounds.angle)
        tracks = tracks._replace(worst_position=worst[0], worst_angle=worst[1])
        # the first time quanta may grow too
        if not len(moving) or ratio == 0 or (ratio <= 1 and (attempt > 0 or ratio > NEAR / 1.5)):
            break
        scale *= NEAR / ratio
    return tracks


def _first_quanta(nodes: Nodes, moving: Ints, moves: NDArray[np.bool_], position: float, angle: float) -> Any:
    """Quanta of positions and of rotation vectors of moving nodes, by the length of their chain and its reach."""
    some = nodes.pose[:: max(len(nodes.pose) // 30, 1)]
    count = len(nodes.parent)
    depth, reach, longest = np.zeros(count), nodes.reach.copy(), np.zeros(count)
    is_moving = np.zeros(count, bool)
    is_moving[moving] = True
    for node in range(1, count):
        depth[node] = depth[nodes.parent[node]] + is_moving[node]
    longest[:] = depth
    for node in range(count - 1, 0, -1):
        parent = nodes.parent[node]
        longest[parent] = max(longest[parent], longest[node])
        apart = float(np.linalg.norm(some[:, node, :3] - some[:, parent, :3], axis=1).max())
        reach[parent] = max(reach[parent], apart + reach[node])
    chain = np.sqrt(np.maximum(longest[moving], 1))
    share = np.where(moves[moving], 0.5, 1.0)
    turn = np.minimum(share * position / np.maximum(reach[moving], 1e-12), angle)
    return position * 0.5 / chain / HALF, turn / chain / HALF


def decoded(tracks: Tracks, parent: Ints) -> Floats:
    """World poses as a decoder computes them, (frames, n, 7)."""
    frames = len(tracks.position.ints)
    pose = np.empty((frames, len(parent), 7))
    place = {int(node): j for j, node in enumerate(tracks.moving)}
    moved, turned = (q.values.reshape(frames, -1, 3) for q in (tracks.position, tracks.rotation))
    pose[:, 0] = (0, 0, 0, 1, 0, 0, 0)
    for node in range(1, len(parent)):
        rest = np.broadcast_to(tracks.rest[node], (frames, 7))
        position, local = rest[:, :3], rest[:, 3:]
        if node in place:
            j = place[node]
            local = product(local, from_vectors(turned[:, j]))
            position = position + moved[:, j] - rotate(local, tracks.pivot[j])
        above = pose[:, parent[node]]
        pose[:, node, :3] = above[:, :3] + rotate(above[:, 3:], position)
        pose[:, node, 3:] = product(above[:, 3:], local)
    return pose


def errors(nodes: Nodes, pose: Floats) -> tuple[float, float]:
    """The worst error of a point of a geom, m, and of orientation, degrees."""
    apart = np.linalg.norm(pose[..., :3] - nodes.pose[..., :3], axis=2)
    turn = product(conjugate(pose[..., 3:]), nodes.pose[..., 3:])
    angle = 2 * np.arctan2(np.linalg.norm(turn[..., 1:], axis=2), np.abs(turn[..., 0]))
    worst = apart + angle * nodes.reach
    return float(worst.max(initial=0.0)), float(np.degrees(angle.max(initial=0.0)))


# ---- cameras and lights


def camera_poses(frames: Frames) -> Floats:
    """World poses of cameras, (frames, n, 7)."""
    seen = np.array(frames.cameras)
    pose = np.concatenate([seen[..., :3], from_matrices(seen[..., 3:].reshape(*seen.shape[:2], 3, 3))], axis=2)
    _hold_sane(pose)
    return pose


def light_poses(frames: Frames) -> Floats:
    """World poses of lights, (frames, n, 7): they shine along z."""
    seen = np.array(frames.lights)
    turned = along(seen[..., 3:].reshape(-1, 3)).reshape(*seen.shape[:2], 3, 3)
    pose = np.concatenate([seen[..., :3], from_matrices(turned)], axis=2)
    _hold_sane(pose)
    return pose


def fixed_to(nodes: Nodes, body: int, pose: Floats, extent: float, axis_only: bool = False) -> Floats | None:
    """The pose (7) on a body that something has in all frames; None if it is not fixed. Perhaps only its z axis is."""
    back = conjugate(nodes.pose[:, body, 3:])
    position = rotate(back, pose[:, :3] - nodes.pose[:, body, :3])
    local = product(back, pose[:, 3:])
    ends = rotate(local, np.array([0.0, 0.0, 1.0])) if axis_only else vectors(product(conjugate(local[:1]), local))
    limit = 1e-6
    if np.abs(position - position[0]).max() > limit * extent or np.abs(ends - ends[0]).max() > limit:
        return None
    return np.concatenate([position[0], local[0]])


# ---- tables


class Table(NamedTuple):
    """Rows sorted by thing, then by frame: the frame of each, and what it has."""

    when: Ints
    columns: dict[str, Any]


def contact_table(frames: Frames) -> tuple[Table, list[dict[str, Any]]] | None:
    """All contacts, and their kinds: dimension and friction."""
    counts = [len(rows.dist) for rows in frames.contacts]
    if not sum(counts):
        return None
    when = np.repeat(np.arange(len(counts)), counts)
    rows = ContactRows(*(np.concatenate(column) for column in zip(*frames.contacts, strict=True)))
    order = np.lexsort((when, rows.number, rows.geom[:, 1], rows.geom[:, 0]))
    kinds, kind = np.unique(np.column_stack([rows.dim, rows.friction]), axis=0, return_inverse=True)
    columns = {name: column[order] for name, column in rows._asdict().items()}
    columns["kind"] = kind.ravel()[order]
    # a vanished contact has no numbers
    for name in ("position", "frame", "force", "dist"):
        columns[name] = np.nan_to_num(np.clip(columns[name], -LARGEST, LARGEST))
    return Table(when[order], columns), [{"dim": int(k[0]), "friction": k[1:].tolist()} for k in kinds]


def tendon_table(frames: Frames) -> Table | None:
    """All segments of tendons; numbered along each, so that the same one of all frames is together."""
    counts = [len(rows) for rows in frames.tendons]
    if not sum(counts):
        return None
    when = np.repeat(np.arange(len(counts)), counts)
    number = np.concatenate([_numbers(rows[:, 0]) for rows in frames.tendons])
    rows = np.concatenate(frames.tendons)
    rows[:, 1:] = np.nan_to_num(np.clip(rows[:, 1:], -LARGEST, LARGEST))
    order = np.lexsort((when, number, rows[:, 0]))
    rows = rows[order]
    columns = {"tendon": rows[:, 0].astype(np.int64), "start": rows[:, 1:4], "end": rows[:, 4:]}
    return Table(when[order], columns)


def _numbers(sorted_ids: Floats) -> Ints:
    """Counts from 0 on within each run of equal ids."""
    starts = np.flatnonzero(np.append(True, sorted_ids[1:] != sorted_ids[:-1])[: len(sorted_ids)])
    return np.arange(len(sorted_ids)) - np.repeat(starts, np.diff(np.append(starts, len(sorted_ids))))
