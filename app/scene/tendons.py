"""Tendons as rods along their paths: straight between sites, on the surface where they wrap around a geom.

The engine gives the points at which a path touches a geom. Between two of them the rod goes on in the direction
in which it arrives: along a great circle of a sphere, along a helix of a cylinder. A string between two sites that are
nearer to each other than it is long hangs between them as a catenary.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from app.run.snapshot import ModelView, StateView

Array = NDArray[np.float64]
Ids = NDArray[np.int64]

PULLEY = -2
CYLINDER = 5
# pieces into which the part on a geom is divided
ARC_PIECES = 14
# pieces of a string that hangs, and its lowest point besides; gravity below which it does not
HANGING_PIECES, LEAST_GRAVITY = 28, 1e-15
# Newton's method has then come as near as numbers do
NEWTON_STEPS = 8
# an arc of almost a whole turn is one of almost none
WHOLE_TURN = 1.95 * np.pi


@dataclass(frozen=True)
class TendonSegments:
    """Straight pieces and the tendon each belongs to."""

    start: Array
    end: Array
    tendon: Ids


def tendon_segments(model: ModelView, state: StateView) -> TendonSegments:
    """All paths, in pieces."""
    number = np.maximum(np.asarray(state.ten_wrapnum, np.int64) - 1, 0)
    tendon = np.repeat(np.arange(len(number)), number)
    before = np.cumsum(number) - number
    first = np.repeat(np.asarray(state.ten_wrapadr, np.int64) - before, number) + np.arange(len(tendon))
    point, on = state.wrap_xpos.reshape(-1, 3), state.wrap_obj.ravel()
    inner = (on[first] >= 0) & (on[first] == on[first + 1])
    free = (on[first] != PULLEY) & (on[first + 1] != PULLEY) & ~inner
    # a path that hangs is longer than its points are apart
    length = _string_length(model, state)[tendon]
    hangs = free & (length > np.linalg.norm(point[first + 1] - point[first], axis=1))
    free &= ~hangs
    start, end, owner = [point[first[free]]], [point[first[free] + 1]], [tendon[free]]
    if hangs.any():
        gravity = np.asarray(model.opt.gravity)
        curves = catenary(point[first[hangs]], point[first[hangs] + 1], -gravity, length[hangs], HANGING_PIECES)
        start.append(curves[:, :-1].reshape(-1, 3))
        end.append(curves[:, 1:].reshape(-1, 3))
        owner.append(np.repeat(tendon[hangs], HANGING_PIECES + 1))
    if inner.any():
        arcs = _arcs(model, state, point, on, first[inner])
        start.append(arcs[:, :-1].reshape(-1, 3))
        end.append(arcs[:, 1:].reshape(-1, 3))
        owner.append(np.repeat(tendon[inner], ARC_PIECES))
    return TendonSegments(np.concatenate(start), np.concatenate(end), np.concatenate(owner))


def _string_length(model: ModelView, state: StateView) -> Array:
    """How long each tendon is that is a string: between two sites, and held by nothing but its full length; else 0.

    What holds it there is a spring that is slack down to no length at all, or the limit of its range.
    """
    spring = (model.tendon_stiffness != 0) | (model.tendon_stiffnesspoly != 0).any(axis=1)
    slack = spring & (model.tendon_lengthspring[:, 0] == 0)
    limited = ~spring & (model.tendon_limited != 0) & (model.tendon_range[:, 0] == 0)
    damped = (model.tendon_damping != 0) | (model.tendon_dampingpoly != 0).any(axis=1)
    string = (slack | limited) & ~damped & (model.tendon_frictionloss == 0)
    string &= (model.tendon_num == 2) & (np.asarray(state.ten_wrapnum) == 2)
    string &= bool(np.linalg.norm(model.opt.gravity) > LEAST_GRAVITY)
    length = np.where(spring, model.tendon_lengthspring[:, 1], model.tendon_range[:, 1])
    return np.where(string, length, 0.0)


def catenary(start: Array, end: Array, up: Array, length: Array, pieces: int) -> Array:
    """Points along strings that hang between two points each, (n, pieces + 2, 3), their lowest ones among them.

    Over the horizontal distance x a string of length L has the height a cosh((x - x0) / a). With h and v, how far and
    how high its end is from its start, 2 a sinh(h / 2a) = sqrt(L² - v²), which is solved for h / 2a. The points are
    evenly spaced along it, so that one that hangs almost straight down and up again is drawn well too.
    """
    up = up / np.linalg.norm(up)
    high = (end - start) @ up
    along = end - start - high[:, None] * up
    # straight down and up is the limit, and needs no other formula
    wide = np.maximum(np.linalg.norm(along, axis=1), 1e-9 * length)
    half = np.sqrt(length**2 - high**2) / 2
    a = wide / (2 * _stretch(np.maximum(2 * half / wide, 1.0)))
    # lengths of the string up to its lowest point, and up to each point
    low = length / 2 - high * np.hypot(a, half) / (2 * half)
    s = np.linspace(0, 1, pieces + 1) * length[:, None]
    s = np.sort(np.column_stack([s, np.clip(low, 0, length)]), axis=1) - low[:, None]
    x = wide / 2 - a * np.arctanh(high / length) + (a * np.arcsinh(s.T / a))
    y = np.hypot(a, s.T) - np.hypot(a, low)
    points: Array = start[:, None] + x.T[:, :, None] * (along / wide[:, None])[:, None] + y.T[:, :, None] * up
    points[:, 0], points[:, -1] = start, end
    return points


def _stretch(ratio: Array) -> Array:
    """The positive z with sinh z = ratio z."""
    goal = np.log(ratio)
    # next to 1 this is the solution, further on it is beyond it, from where Newton's method goes straight there
    z = np.sqrt(6 * goal) + goal
    far = z > 1e-2
    for _ in range(NEWTON_STEPS):
        w = np.where(far, z, 1.0)
        value = w + np.log1p(-np.exp(-2 * w)) - np.log(2 * w) - goal
        z = np.where(far, w - value / (1 / np.tanh(w) - 1 / w), z)
    solution: Array = np.maximum(z, 1e-8)
    return solution


def _arcs(model: ModelView, state: StateView, point: Array, on: NDArray[np.int32], first: Ids) -> Array:
    """Points along the surface between touching points `first` and `first + 1`, (n, ARC_PIECES + 1, 3)."""
    geom = on[first]
    rotation, center = state.geom_xmat[geom].reshape(-1, 3, 3), state.geom_xpos[geom]
    arrives, a, b = (
        np.einsum("nji,nj->ni", rotation, v)
        for v in (point[first] - point[first - 1], point[first] - center, point[first + 1] - center)
    )
    # around a cylinder z goes its own way
    flat = np.where(model.geom_type[geom] == CYLINDER, 0.0, 1.0)[:, None] * (0, 0, 1) + (1, 1, 0)
    radius = np.linalg.norm(a * flat, axis=1, keepdims=True)
    u = a * flat / np.maximum(radius, 1e-12)
    w = arrives * flat - np.sum(arrives * flat * u, axis=1, keepdims=True) * u
    w /= np.maximum(np.linalg.norm(w, axis=1, keepdims=True), 1e-12)
    turn = np.arctan2(np.sum(b * w, axis=1), np.sum(b * u, axis=1)) % (2 * np.pi)
    turn[turn > WHOLE_TURN] = 0.0
    part = np.linspace(0, 1, ARC_PIECES + 1)
    angle = (turn[:, None] * part)[:, :, None]
    local = radius[:, None] * (np.cos(angle) * u[:, None] + np.sin(angle) * w[:, None])
    local += (1 - flat)[:, None] * (a[:, None] + (b - a)[:, None] * part[None, :, None])
    # the end is where the engine says
    local[:, -1] = b
    world: Array = np.einsum("nij,nkj->nki", rotation, local) + center[:, None]
    return world
