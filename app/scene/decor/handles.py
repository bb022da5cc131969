"""Handles of the selection: arrows, planes, rings, knobs on faces and ends, arcs of limits.

They are ordinary batches with the id of their handle, drawn and picked like any decor. Those that are picked are
thicker than those that are drawn.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from app.model.placing import Array, across
from app.scene.decor.frames import AXES
from app.scene.instances import GLOWING, NO_TEXTURE, Batch, Floats, Kind, along, arrows, instance_rows, rods

# what a handle does
MOVE, SLIDE, SCREEN, TURN, SIZE, END, LIMIT = "move", "slide", "screen", "turn", "size", "end", "limit"
# lengths are in the length of an arrow: radii of shafts, knobs and rings, the place of the squares of planes
SHAFT, KNOB, RING_TUBE, SQUARE, SQUARE_AT, CENTRE = 0.016, 0.055, 0.011, 0.085, 0.42, 0.075
# what is picked is thicker by this
FAT = 2.4
CORNERS = 64
BRIGHT = np.array([1.0, 0.86, 0.30, 1.0])
PALE = np.array([0.93, 0.94, 0.96, 1.0])
AMBER = np.array([0.96, 0.62, 0.22, 1.0])


@dataclass(frozen=True, eq=False)
class Handle:
    """One handle: what it does, where it is and along which axis, in the world; `column` is the number that it sets.

    An arc has its zero direction, and the angles where it begins and ends.
    """

    does: str
    place: Array
    axis: Array
    colour: Array
    column: int = 0
    zero: Array | None = None
    arc: tuple[float, float] = (0.0, math.tau)
    size: float = 1.0


def handle_batches(
    handles: Sequence[Handle], length: float, chosen: int = -1, alone: bool = False, fat: bool = False
) -> tuple[Batch, ...]:
    """The handles, of which one is bright, and `alone` while it is dragged; `length` is that of an arrow, m."""
    found: list[Batch] = []
    for number, handle in enumerate(handles):
        if alone and number != chosen:
            continue
        colour = BRIGHT if number == chosen else handle.colour
        found += _DRAWN[handle.does](handle, length * handle.size, colour, FAT if fat else 1.0, number)
    return tuple(found)


def lines(start: Array, end: Array, radius: float, colour: Array) -> Batch:
    """Lines between points, which are not picked."""
    return Batch("capsule", NO_TEXTURE, rods(start, end, radius, np.broadcast_to(colour, (len(start), 4))), lod=3)


def _arrow(handle: Handle, length: float, colour: Array, fat: float, number: int) -> list[Batch]:
    start = (handle.place + 0.12 * length * handle.axis)[None]
    vector = (0.88 * length * handle.axis)[None]
    if fat > 1:
        return _rod(start, start + vector, fat * 2 * SHAFT * length, colour, number)
    return arrows(start, vector, SHAFT * length, colour[None], Kind.HANDLE, number)


def _rod(start: Array, end: Array, radius: float, colour: Array, number: int) -> list[Batch]:
    rows = rods(start, end, radius, np.broadcast_to(colour, (len(start), 4)), GLOWING, Kind.HANDLE, number)
    return [Batch("capsule", NO_TEXTURE, rows, lod=3)]


def _square(handle: Handle, length: float, colour: Array, fat: float, number: int) -> list[Batch]:
    """A thin plate at right angles to its axis."""
    assert handle.zero is not None
    half = SQUARE * length
    rotation = np.column_stack([handle.zero, np.cross(handle.axis, handle.zero), handle.axis])
    place = handle.place + SQUARE_AT * length * (rotation[:, 0] + rotation[:, 1])
    scale = np.array([[half, half, fat * 0.08 * half]])
    rows = instance_rows(place[None], rotation[None], scale, colour[None], GLOWING, Kind.HANDLE, number)
    return [Batch("box", NO_TEXTURE, rows)]


def _ball(handle: Handle, length: float, colour: Array, fat: float, number: int) -> list[Batch]:
    radius = (CENTRE if handle.does == SCREEN else KNOB) * length * (1.0 if fat == 1 else 1.5)
    return [Batch("sphere", NO_TEXTURE, _solid(handle, radius, colour, number), lod=1)]


def _cube(handle: Handle, length: float, colour: Array, fat: float, number: int) -> list[Batch]:
    return [Batch("box", NO_TEXTURE, _solid(handle, 0.85 * KNOB * length * (1.0 if fat == 1 else 1.6), colour, number))]


def _solid(handle: Handle, radius: float, colour: Array, number: int) -> Floats:
    scale, rotation = np.full((1, 3), radius), along(handle.axis[None])
    return instance_rows(handle.place[None], rotation, scale, colour[None], GLOWING, Kind.HANDLE, number)


def arc_points(centre: Array, axis: Array, zero: Array, radius: float, arc: tuple[float, float]) -> NDArray[np.float64]:
    """Points of an arc about an axis."""
    first, last = arc
    count = max(int(CORNERS * min(abs(last - first), math.tau) / math.tau), 2)
    angle = np.linspace(first, last, count + 1)[:, None]
    found: Array = centre + radius * (np.cos(angle) * zero + np.sin(angle) * np.cross(axis, zero))
    return found


def _ring(handle: Handle, length: float, colour: Array, fat: float, number: int) -> list[Batch]:
    zero = across(handle.axis) if handle.zero is None else handle.zero
    points = arc_points(handle.place, handle.axis, zero, length, handle.arc)
    return _rod(points[:-1], points[1:], fat * RING_TUBE * length, colour, number)


_DRAWN = {MOVE: _arrow, SLIDE: _square, SCREEN: _ball, TURN: _ring, SIZE: _cube, END: _ball, LIMIT: _ball}


def axis_colours() -> NDArray[np.float64]:
    """Red, green and blue, of x, y and z."""
    return AXES
