"""A gesture: a key press, a drag, a click or a dropped file."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Gesture:
    """One use of a trigger; dx and dy are fractions of the view's height, or scroll notches in dy.

    x and y are the position of the pointer in the view, from -1 to 1, right and up. A flight goes for some seconds
    along `way`: right, up and ahead, each -1, 0 or 1. Two fingers zoom as well.
    """

    trigger: str
    dx: float = 0.0
    dy: float = 0.0
    x: float = 0.0
    y: float = 0.0
    path: str = ""
    way: tuple[int, int, int] = (0, 0, 0)
    seconds: float = 0.0
    zoom: float = 0.0
