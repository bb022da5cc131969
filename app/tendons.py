"""Tendons as rods along their paths: straight between sites, on the surface where they wrap around a geom.

The engine gives the points at which a path touches a geom. Between two of them the rod goes on in the direction
in which it arrives: along a great circle of a sphere, along a helix of a cylinder.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from app.snapshot import ModelView, StateView

Array = NDArray[np.float64]
Ids = NDArray[np.int64]

PULLEY = -2
CYLINDER = 5
# pieces into which the part on a geom is divided
ARC_PIECES = 14
# an arc of almost a whole turn is one of almost none
WHOLE_TURN = 1.95 * np.pi


@dataclass(frozen=True)
class Rods:
    """Straight pieces and the tendon each belongs to."""

    start: Array
    end: Array
    tendon: Ids


def tendon_rods(model: ModelView, state: StateView) -> Rods:
    """All paths, in pieces."""
    number = np.maximum(np.asarray(state.ten_wrapnum, np.int64) - 1, 0)
    tendon = np.repeat(np.arange(len(number)), number)
    before = np.cumsum(number) - number
    first = np.repeat(np.asarray(state.ten_wrapadr, np.int64) - before, number) + np.arange(len(tendon))
    point, on = state.wrap_xpos.reshape(-1, 3), state.wrap_obj.ravel()
    inner = (on[first] >= 0) & (on[first] == on[first + 1])
    free = (on[first] != PULLEY) & (on[first + 1] != PULLEY) & ~inner
    start, end, owner = [point[first[free]]], [point[first[free] + 1]], [tendon[free]]
    if inner.any():
        arcs = _arcs(model, state, point, on, first[inner])
        start.append(arcs[:, :-1].reshape(-1, 3))
        end.append(arcs[:, 1:].reshape(-1, 3))
        owner.append(np.repeat(tendon[inner], ARC_PIECES))
    return Rods(np.concatenate(start), np.concatenate(end), np.concatenate(owner))


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
