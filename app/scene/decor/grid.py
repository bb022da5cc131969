"""Decor of a grid: lines on the plane z = 0 around the model, the axes in red and green."""

from __future__ import annotations

import math

import numpy as np

from app.model.views import ModelView, StateView
from app.scene.decor.frames import AXES
from app.scene.instances import NO_TEXTURE, Batch, rods
from app.scene.visual_options import VisualOptions

# squares from the middle to the edge; how many there are at least along the radius of the model
HALF, PER_EXTENT = 12, 4
# of a square: radius of lines, height above a floor
RADIUS, HEIGHT = 0.004, 0.004
COLOUR = (0.55, 0.58, 0.62, 0.75)


def grid_spacing(extent: float) -> float:
    """The side of a square, m: 1, 2 or 5 of a power of ten."""
    wanted = max(extent, 1e-6) / PER_EXTENT
    power = 10.0 ** math.floor(math.log10(wanted))
    return power * max(step for step in (1, 2, 5) if step * power <= wanted * (1 + 1e-9))


def grid(model: ModelView, _state: StateView, _options: VisualOptions) -> list[Batch]:
    """Lines along x and along y, at whole multiples of the spacing."""
    side = grid_spacing(float(model.stat.extent))
    middle = np.round(np.asarray(model.stat.center, float)[:2] / side)
    steps, reach = np.arange(-HALF, HALF + 1), side * HALF
    start, end, colours = [], [], []
    for axis in (0, 1):
        # lines along this axis, each at its coordinate on the other one
        across = (middle[1 - axis] + steps) * side
        ends = np.zeros((2, len(across), 3))
        ends[:, :, 1 - axis], ends[:, :, 2] = across, HEIGHT * side
        ends[0, :, axis], ends[1, :, axis] = middle[axis] * side - reach, middle[axis] * side + reach
        start.append(ends[0])
        end.append(ends[1])
        colours.append(np.where(across[:, None] == 0.0, AXES[axis], COLOUR))
    rows = rods(np.concatenate(start), np.concatenate(end), RADIUS * side, np.concatenate(colours))
    return [Batch("capsule", NO_TEXTURE, rows, lod=2, shadow=False)]
