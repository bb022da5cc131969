"""The history of a run: every step's integration state in the engine's ring, to go back to and on from.

The engine writes the ring inside its native loop; this counts in it. Moment 0 is the state after a reset, moment k
the state after k steps. The oldest moments are overwritten when the memory set aside is full. Going on from an
earlier moment forgets what came after it.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from app.loader import Engine
from app.state import Span
from sim.enums import STATE_INTEGRATION

# memory for the states of a run: some minutes of a humanoid
HISTORY_BYTES = 256 << 20
FEWEST_ROWS = 64


class History:
    """The ring of one Data."""

    def __init__(self, engine: Engine, model: Any, data: Any, budget: int) -> None:
        self._engine, self._model, self._data = engine, model, data
        size = engine.state_size(model, STATE_INTEGRATION)
        self._rows = max(budget // (8 * max(size, 1)), FEWEST_ROWS)
        self._now = 0
        engine.trace(model, data, self._rows)
        self.restart()

    def restart(self) -> None:
        """Forget everything; what is now becomes moment 0."""
        self._now = 0
        self._data.trace.count = 0
        self.overwrite()

    def overwrite(self) -> None:
        """The user changed the present: keep it as it is now, and forget what came after."""
        state = self._engine.get_state(self._model, self._data, STATE_INTEGRATION)
        self._data.trace.state[self._now % self._rows] = state
        self._data.trace.count = self._now + 1

    def go_on(self) -> None:
        """Steps are about to be taken from the present moment: what came after it is forgotten."""
        self._data.trace.count = self._now + 1

    def stepped(self) -> None:
        """Steps were taken."""
        self._now = self._data.trace.count - 1

    def go_to(self, moment: int) -> bool:
        """Make a moment the present; False if there is none such or its state has exploded, and nothing changes."""
        span = self.span()
        row = self._data.trace.state[moment % self._rows]
        if not span.first <= moment <= span.last or not np.isfinite(row).all():
            return False
        self._engine.set_state(self._model, self._data, row, STATE_INTEGRATION)
        self._engine.forward(self._model, self._data)
        self._now = moment
        return True

    def span(self) -> Span:
        """What can be gone back to."""
        count, states = int(self._data.trace.count), self._data.trace.state
        first, last = max(count - self._rows, 0), max(count - 1, 0)
        # the time is the first number of a state
        times = (float(states[k % self._rows, 0]) for k in (first, last))
        return Span(first, last, self._now, *times)
