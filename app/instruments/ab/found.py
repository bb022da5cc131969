"""Findings of the A/B instrument: distances over time, values of expressions, and both runs at the current state."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from app.instruments.ab.subject import Subject
from app.model.views import StateView

Array = NDArray[np.float64]


def _none() -> Array:
    return np.zeros(0)


@dataclass(frozen=True)
class Parting:
    """The moment at which one can see that they are apart, and the body that is farthest then."""

    step: int
    time: float
    body: int
    metres: float
    radians: float


@dataclass(frozen=True, eq=False)
class Curves:
    """An expression over time in A and in B, and why it has no value."""

    times: Array
    a: Array
    b: Array
    reason: str = ""


@dataclass(frozen=True, eq=False)
class Shown:
    """Both runs at the current state, or at the nearest known one before it."""

    step: int
    time: float
    # bodies of A, those that are farthest first: m and rad
    bodies: tuple[tuple[int, float, float], ...]
    # poses of A's geoms in A and in B; those that B does not have are as in A
    a_pos: Array
    a_mat: Array
    b_pos: Array
    b_mat: Array
    # all of B, if it is the same model and has more to draw than geoms
    state: StateView | None
    # of each expression: in A, in B
    values: Mapping[str, tuple[float, float]] = field(default_factory=dict)


@dataclass(frozen=True, eq=False)
class Found:
    """What was found; `version` grows with each change, `identity` is that of the model's view."""

    identity: object = None
    subject: Subject | None = None
    since: int = 0
    # the largest distance, m, and angle, rad, of any body at steps of A
    steps: NDArray[np.int64] = field(default_factory=lambda: np.zeros(0, np.int64))
    times: Array = field(default_factory=_none)
    metres: Array = field(default_factory=_none)
    radians: Array = field(default_factory=_none)
    curves: Mapping[str, Curves] = field(default_factory=dict)
    shown: Shown | None = None
    parted: Parting | None = None
    # how many bodies of A there are in B, and of how many
    matched: tuple[int, int] = (0, 0)
    # why B has ended, why there is none, and what has to be done first
    ended: str = ""
    error: str = ""
    doing: str = ""
    version: int = 0
