"""Rectangles in the window."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Rect:
    """A rectangle in logical pixels from the top left of the window."""

    x: float
    y: float
    width: float
    height: float

    @property
    def aspect(self) -> float:
        """Width over height."""
        return self.width / max(self.height, 1.0)
