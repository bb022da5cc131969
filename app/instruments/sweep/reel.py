"""The moving pictures of a sweep: which states are rendered next, and which picture is shown at a time.

All play the same time in a loop. Pictures are kept, so that a loop costs nothing once they are there; they come from
coarse to fine: at first a few states of each outcome, then those between them.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from app.instruments.sweep.outcome import Outcome

Pixels = NDArray[np.uint8]
# how long a loop takes, s: shorter runs are slowed down, longer ones are faster; and how long it stays at its end
SHORTEST, LONGEST, HOLD = 1.0, 6.0, 0.5
# of all pictures together
MOST_BYTES = 96 << 20


@dataclass
class Reel:
    """Pictures of outcomes, by place of the value and number of the state."""

    # pixels of a picture that the panel asks for, None while it is not in sight
    wanted: tuple[int, int] | None = None
    playing: bool = True
    # of the loop, s
    position: float = 0.0
    pictures: dict[tuple[int, int], Pixels] = field(default_factory=dict)
    # of ImGui, by place
    textures: dict[object, tuple[Any, Any]] = field(default_factory=dict)
    # what the pictures were made from, and what was shown last, of which some may be older
    _key: object = None
    _shown: dict[int, tuple[int, Pixels]] = field(default_factory=dict)
    _asked: bool = False

    def ask(self, size: tuple[int, int]) -> None:
        """The panel shows pictures of this size in this frame."""
        self.wanted, self._asked = size, True

    def end_frame(self) -> None:
        """A frame ends: where nothing was asked, nothing is wanted."""
        if not self._asked:
            self.wanted = None
        self._asked = False

    def begin(self, key: object) -> None:
        """Pictures are made from this now: those made from something else are thrown away, but stay on the screen."""
        if key != self._key:
            self._key = key
            self.pictures.clear()

    def clear(self) -> None:
        """Forget all."""
        self.pictures.clear()
        self._shown.clear()
        self._key, self.position = None, 0.0

    def advance(self, elapsed: float, seconds: float) -> None:
        """Time passes; `seconds` is what was simulated."""
        if self.playing:
            self.position = (self.position + min(elapsed, 0.5)) % (loop_seconds(seconds) + HOLD)

    def time(self, seconds: float) -> float:
        """The shown time after the start, s."""
        return min(self.position / loop_seconds(seconds), 1.0) * seconds

    def missing(self, outcomes: Mapping[int, Outcome], size: tuple[int, int]) -> Iterator[tuple[int, int]]:
        """Place and number of states without picture, in the order in which they are wanted."""
        most = MOST_BYTES // (4 * size[0] * size[1] * max(len(outcomes), 1))
        orders = {place: coarse_to_fine(len(outcome.frames))[:most] for place, outcome in outcomes.items()}
        for rank in range(max(map(len, orders.values()), default=0)):
            for place, order in orders.items():
                if rank < len(order) and (place, order[rank]) not in self.pictures:
                    yield place, order[rank]

    def picture(self, place: int, outcome: Outcome, time: float) -> Pixels | None:
        """The picture of an outcome at a time after the start."""
        best = self.frame(place, outcome, time)
        if best is not None:
            self._shown[place] = best, self.pictures[place, best]
        shown = self._shown.get(place)
        return shown[1] if shown is not None else None

    def frame(self, place: int, outcome: Outcome, time: float) -> int | None:
        """The number of the newest state until a time that has a picture, or else of any."""
        number = state_at(outcome, time)
        before = (k for k in range(number, -1, -1) if (place, k) in self.pictures)
        after = (k for k in range(number + 1, len(outcome.frames)) if (place, k) in self.pictures)
        found = next(before, None)
        return found if found is not None else next(after, None)

    def stale(self, outcomes: Mapping[int, Outcome], time: float) -> bool:
        """Whether the picture at a time has changed."""
        for place, outcome in outcomes.items():
            best = self.frame(place, outcome, time)
            if best is not None and (
                place not in self._shown or self._shown[place][1] is not self.pictures[place, best]
            ):
                return True
        return False


def loop_seconds(seconds: float) -> float:
    """How long a run is shown, s."""
    return min(max(seconds, SHORTEST), LONGEST)


def state_at(outcome: Outcome, time: float) -> int:
    """The number of the state that an outcome shows at a time after the start."""
    return max(bisect_right(outcome.frames, time * (1 + 1e-9) + 1e-12, key=lambda frame: frame.time) - 1, 0)


@cache
def coarse_to_fine(count: int) -> tuple[int, ...]:
    """The numbers below `count`: those whose last bits are 0 first, so that each round halves the distances."""
    bits = max(count - 1, 0).bit_length()
    return tuple(sorted(range(count), key=lambda k: int(f"{k:0{max(bits, 1)}b}"[::-1], 2)))
