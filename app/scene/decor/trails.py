"""Trails: lines of the positions that a point has had lately."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from app.scene.decor.user_geoms import LINE, UserGeom

# of a line, in pixels
WIDTH = 3.0
# points of one trail; with more, the time between two of them grows
MOST_POINTS = 400

Rgba = Sequence[float]


class Trail:
    """Positions of one point by simulated time."""

    def __init__(self, seconds: float, colour: Rgba) -> None:
        if not seconds > 0:
            raise ValueError(f"a trail needs a length above 0 s, not {seconds!r}")
        self._seconds = seconds
        self._rgba = np.array([*colour, 1.0][:4], float)
        if len(self._rgba) != 4:
            raise ValueError(f"a colour has three or four numbers, not {len(colour)}")
        # time, position, and the line that leads to it
        self._points: deque[tuple[float, NDArray[np.float64], UserGeom | None]] = deque()

    def add(self, time: float, position: Sequence[float]) -> None:
        """Add where the point is now; a time that goes back begins a new trail."""
        points = self._points
        if points and time < points[-1][0]:
            points.clear()
        if points and time - points[-1][0] < self._seconds / MOST_POINTS:
            return
        place = np.array(position, float)
        if place.shape != (3,):
            raise ValueError(f"a trail needs a position of three numbers, not of shape {place.shape}")
        moved = bool(points) and np.isfinite(place).all() and not np.array_equal(place, points[-1][1])
        line = UserGeom.between(LINE, WIDTH, points[-1][1], place, self._rgba) if moved else None
        points.append((time, place, line))
        while points and points[0][0] < time - self._seconds:
            points.popleft()

    @property
    def geoms(self) -> list[UserGeom]:
        """The lines; the oldest point has none that leads to it."""
        return [line for _, (_, _, line) in pairwise(self._points) if line is not None]
