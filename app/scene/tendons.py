"""Tendons as rods along line segments: straight between sites, on the surface where they wrap around a geom.

The engine gives the wrap points on a geom. Between two of them the path continues in the direction in which it arrival:
along a great circle of a sphere, along a helix of a cylinder. A slack tendon between two sites hangs as a catenary.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from app.model.selection import Selection
from app.model.views import ModelView, StateView
from app.scene.instances import ALPHA, COLOUR, ID, ID_STEP, MATERIAL, NO_TEXTURE, OPAQUE_ALPHA, Batch, Kind, rods
from app.scene.surfaces import surfaces, visible
from app.scene.visual_options import VisualOptions

Array = NDArray[np.float64]
Ids = NDArray[np.int64]

PULLEY = -2
CYLINDER = 5
# segments of the part on a geom
ARC_SEGMENTS = 14
# segments of a catenary, besides its lowest point; least gravity for one
CATENARY_SEGMENTS, MIN_GRAVITY = 28, 1e-15
# enough for Newton's method to converge to machine precision
NEWTON_STEPS = 8
# an angle of almost a full turn is taken as zero
FULL_TURN = 1.95 * np.pi


@dataclass(frozen=True)
class TendonSegments:
    """Line segments and the tendon of each."""

    start: Array
    end: Array
    tendon: Ids


class Tendons:
    """The visible tendons of one model."""

    def __init__(self, model: ModelView, options: VisualOptions) -> None:
        self._model = model
        self._ids = visible(model, Kind.TENDON, options.tendon_group if options.tendon else [False])
        self._rows = surfaces(model, Kind.TENDON, self._ids)

    def drawn(self, state: StateView) -> tuple[tuple[Batch, ...], tuple[Batch, ...]]:
        """Rods along all of them: opaque and transparent batches."""
        if not len(self._ids):
            return (), ()
        paths = tendon_segments(self._model, state)
        shown = np.isin(paths.tendon, self._ids)
        tendon = paths.tendon[shown]
        surface = self._rows[np.searchsorted(self._ids, tendon)]
        radius = np.asarray(self._model.tendon_width)[tendon]
        batches = []
        for part in (surface[:, ALPHA] >= OPAQUE_ALPHA, surface[:, ALPHA] < OPAQUE_ALPHA):
            start, end = paths.start[shown][part], paths.end[shown][part]
            colour_material = (surface[part, COLOUR], surface[part, MATERIAL])
            rows = rods(start, end, radius[part], *colour_material, Kind.TENDON, tendon[part])
            batches.append((Batch("capsule", NO_TEXTURE, rows, lod=2),) if len(rows) else ())
        return batches[0], batches[1]


def of_tendon(batches: tuple[Batch, ...], selected: Selection | None) -> Iterator[Batch]:
    """Batches of the rods of a selected tendon."""
    if selected is not None and selected.kind == "tendon":
        for batch in batches:
            rods_of_it = batch.instances[batch.instances[:, ID] == Kind.TENDON * ID_STEP + selected.index]
            if len(rods_of_it):
                yield Batch(batch.shape, NO_TEXTURE, rods_of_it, batch.lod)


def tendon_segments(model: ModelView, state: StateView) -> TendonSegments:
    """The segments of all paths."""
    count = np.maximum(np.asarray(state.ten_wrapnum, np.int64) - 1, 0)
    tendon = np.repeat(np.arange(len(count)), count)
    before = np.cumsum(count) - count
    first = np.repeat(np.asarray(state.ten_wrapadr, np.int64) - before, count) + np.arange(len(tendon))
    point, on = state.wrap_xpos.reshape(-1, 3), state.wrap_obj.ravel()
    inner = (on[first] >= 0) & (on[first] == on[first + 1])
    free = (on[first] != PULLEY) & (on[first + 1] != PULLEY) & ~inner
    # a slack tendon is longer than the distance of its ends
    length = _slack_length(model, state)[tendon]
    hangs = free & (length > np.linalg.norm(point[first + 1] - point[first], axis=1))
    free &= ~hangs
    start, end, owner = [point[first[free]]], [point[first[free] + 1]], [tendon[free]]
    if hangs.any():
        gravity = np.asarray(model.opt.gravity)
        curves = catenary(point[first[hangs]], point[first[hangs] + 1], -gravity, length[hangs], CATENARY_SEGMENTS)
        start.append(curves[:, :-1].reshape(-1, 3))
        end.append(curves[:, 1:].reshape(-1, 3))
        owner.append(np.repeat(tendon[hangs], CATENARY_SEGMENTS + 1))
    if inner.any():
        arcs = _arcs(model, state, point, on, first[inner])
        start.append(arcs[:, :-1].reshape(-1, 3))
        end.append(arcs[:, 1:].reshape(-1, 3))
        owner.append(np.repeat(tendon[inner], ARC_SEGMENTS))
    return TendonSegments(np.concatenate(start), np.concatenate(end), np.concatenate(owner))


def _slack_length(model: ModelView, state: StateView) -> Array:
    """Length of each tendon that can go slack: between two sites, limited in its full length only; else 0.

    The limit is a spring with a dead band that starts at zero, or a range.
    """
    spring = (model.tendon_stiffness != 0) | (model.tendon_stiffnesspoly != 0).any(axis=1)
    slack = spring & (model.tendon_lengthspring[:, 0] == 0)
    limited = ~spring & (model.tendon_limited != 0) & (model.tendon_range[:, 0] == 0)
    damped = (model.tendon_damping != 0) | (model.tendon_dampingpoly != 0).any(axis=1)
    can_slack = (slack | limited) & ~damped & (model.tendon_frictionloss == 0)
    can_slack &= (model.tendon_num == 2) & (np.asarray(state.ten_wrapnum) == 2)
    can_slack &= bool(np.linalg.norm(model.opt.gravity) > MIN_GRAVITY)
    length = np.where(spring, model.tendon_lengthspring[:, 1], model.tendon_range[:, 1])
    return np.where(can_slack & np.isfinite(length), length, 0.0)


def catenary(start: Array, end: Array, up: Array, length: Array, pieces: int) -> Array:
    """Points along catenaries between pairs of points, (n, pieces + 2, 3), including the lowest ones.

    Over the horizontal distance x a catenary of length L has the height a cosh((x - x0) / a). With horizontal and
    vertical distance h and v of its ends, 2 a sinh(h / 2a) = sqrt(L² - v²), which is solved for h / 2a. The points are
    evenly spaced in arc length, so that one that hangs almost straight down and up is drawn well too.
    """
    up = up / np.linalg.norm(up)
    height = (end - start) @ up
    along = end - start - height[:, None] * up
    # straight down and up is a limit that needs no other formula
    width = np.maximum(np.linalg.norm(along, axis=1), 1e-9 * length)
    half = np.sqrt(length**2 - height**2) / 2
    a = width / (2 * _solve_sinh(np.maximum(2 * half / width, 1.0)))
    # arc length of the lowest point, and of each point from there
    low = length / 2 - height * np.hypot(a, half) / (2 * half)
    s = np.linspace(0, 1, pieces + 1) * length[:, None]
    s = np.sort(np.column_stack([s, np.clip(low, 0, length)]), axis=1) - low[:, None]
    x = width / 2 - a * np.arctanh(height / length) + (a * np.arcsinh(s.T / a))
    y = np.hypot(a, s.T) - np.hypot(a, low)
    points: Array = start[:, None] + x.T[:, :, None] * (along / width[:, None])[:, None] + y.T[:, :, None] * up
    points[:, 0], points[:, -1] = start, end
    return points


def _solve_sinh(ratio: Array) -> Array:
    """The positive z with sinh z = ratio z."""
    goal = np.log(ratio)
    # near 1 this is the solution; farther on it is above, from where Newton's method converges monotonically
    z = np.sqrt(6 * goal) + goal
    far = z > 1e-2
    for _ in range(NEWTON_STEPS):
        w = np.where(far, z, 1.0)
        value = w + np.log1p(-np.exp(-2 * w)) - np.log(2 * w) - goal
        z = np.where(far, w - value / (1 / np.tanh(w) - 1 / w), z)
    solution: Array = np.maximum(z, 1e-8)
    return solution


def _arcs(model: ModelView, state: StateView, point: Array, on: NDArray[np.int32], first: Ids) -> Array:
    """Points along the surface between wrap points `first` and `first + 1`, (n, ARC_SEGMENTS + 1, 3)."""
    geom = on[first]
    rotation, center = state.geom_xmat[geom].reshape(-1, 3, 3), state.geom_xpos[geom]
    arrival, a, b = (
        np.einsum("nji,nj->ni", rotation, v)
        for v in (point[first] - point[first - 1], point[first] - center, point[first + 1] - center)
    )
    # on a cylinder z is interpolated separately
    flat = np.where(model.geom_type[geom] == CYLINDER, 0.0, 1.0)[:, None] * (0, 0, 1) + (1, 1, 0)
    radius = np.linalg.norm(a * flat, axis=1, keepdims=True)
    u = a * flat / np.maximum(radius, 1e-12)
    w = arrival * flat - np.sum(arrival * flat * u, axis=1, keepdims=True) * u
    w /= np.maximum(np.linalg.norm(w, axis=1, keepdims=True), 1e-12)
    sweep = np.arctan2(np.sum(b * w, axis=1), np.sum(b * u, axis=1)) % (2 * np.pi)
    sweep[sweep > FULL_TURN] = 0.0
    part = np.linspace(0, 1, ARC_SEGMENTS + 1)
    angle = (sweep[:, None] * part)[:, :, None]
    local = radius[:, None] * (np.cos(angle) * u[:, None] + np.sin(angle) * w[:, None])
    local += (1 - flat)[:, None] * (a[:, None] + (b - a)[:, None] * part[None, :, None])
    # end exactly at the engine's wrap point
    local[:, -1] = b
    world: Array = np.einsum("nij,nkj->nki", rotation, local) + center[:, None]
    return world
