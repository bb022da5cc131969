"""The history of a run: every step's state in the engine's ring, to go back to and on from.

The engine writes the ring inside its native loop; this counts in it. Moment 0 is the state after a reset, moment k
the state after k steps. The oldest moments are overwritten when the memory set aside is full. Going on from an
earlier moment forgets what came after it, and so does changing the model or the state there: what is ahead is always
what was computed from here. Marks say what else happened.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from app.run import divergence
from app.run.engine import Engine
from app.run.marks import Event, Mark, Marks
from app.run.run_state import Problem, Span
from sim.enums import STATE_TRACE

# memory for the states of a run: some minutes of a humanoid
HISTORY_BYTES = 256 << 20
FEWEST_ROWS = 64


class History:
    """The ring of one Data."""

    def __init__(self, engine: Engine, model: Any, data: Any, budget: int, text: str) -> None:
        self._engine, self._model, self._data = engine, model, data
        size = engine.state_size(model, STATE_TRACE)
        self._rows = max(budget // (8 * max(size, 1)), FEWEST_ROWS)
        self._now = self._oldest = 0
        self._warned = False
        # explosions since the start, or since the user went back: the engine forgets its own count as it starts over
        self.explosions = 0
        self._marks = Marks()
        engine.trace(model, data, self._rows)
        self.restart(text)

    def restart(self, text: str) -> None:
        """Forget everything; what is now becomes moment 0, and `text` says how it came about."""
        self._now = self._oldest = self.explosions = 0
        self._data.trace.count = 0
        self._marks.clear()
        self.mark(Event.START, text, 0.0)
        self.overwrite()

    def overwrite(self) -> None:
        """The user changed the present: keep it as it is now, and forget what came after."""
        state = self._engine.get_state(self._model, self._data, STATE_TRACE)
        self._data.trace.state[self._now % self._rows] = state
        self.go_on()

    def go_on(self) -> None:
        """Steps are about to be taken from the present moment: what came after it is forgotten."""
        # what the future has overwritten is gone, though that future is forgotten
        self._oldest = self._first()
        self._data.trace.count = self._now + 1
        self._marks.forget_after(self._now)
        self._warned = divergence.warned(self._data)

    def stepped(self, now: float) -> Problem | None:
        """Steps were taken: mark what happened in them; what is wrong, unless that was said before."""
        start, self._now = self._now, self._data.trace.count - 1
        if divergence.warned(self._data):
            states, newest = self._states(start), self._marks.newest
            found = divergence.look(self._model, self._data, states, self._now + 1 - len(states), self._warned)
            if found is not None:
                self.explosions += found.count
                self._marks.add(Mark(Event.EXPLOSION, found.text(self._model), found.moment, found.last), now)
                told = newest is not None and newest.event is Event.EXPLOSION
                return None if told else found.problem(self._model)
        elif (np.diff(self._states(start, 1)[:, 0]) < 0.0).any():
            self.mark(Event.JUMP, "the script set the time back", now)
        return None

    def go_to(self, moment: int) -> bool:
        """Make a moment the present, though its state may have exploded; False if there is none such."""
        span = self.span()
        if not span.first <= moment <= span.last:
            return False
        row = self._data.trace.state[moment % self._rows]
        self._engine.set_state(self._model, self._data, row, STATE_TRACE, check=False)
        # what was warned of is of steps that may be made again
        self._data.warning.number[:] = 0
        self.explosions = 0
        self._engine.forward(self._model, self._data)
        self._now = moment
        return True

    @property
    def now(self) -> int:
        """The present moment."""
        return self._now

    def end(self) -> None:
        """Leave the Data alone: it records nothing any more."""
        self._engine.trace(self._model, self._data, 0)

    def mark(self, event: Event, text: str, now: float) -> None:
        """Mark the present, where something changes what comes after, at a wall time."""
        self.go_on()
        self._marks.add(Mark(event, text, self._now, self._now), now)

    def lasted(self, event: Event) -> None:
        """What is the latest of its kind went on until now."""
        self._marks.last_until(event, self._now)

    def span(self) -> Span:
        """What can be gone back to."""
        count, states = int(self._data.trace.count), self._data.trace.state
        first, last = self._first(), max(count - 1, 0)
        # the time is the first number of a state
        begin, end = (float(states[k % self._rows, 0]) for k in (first, last))
        return Span(first, last, self._now, begin, end, self._marks.since(first))

    def _first(self) -> int:
        """The oldest moment that is still there."""
        return max(int(self._data.trace.count) - self._rows, self._oldest)

    def _states(self, first: int, width: int | None = None) -> NDArray[np.float64]:
        """The states from a moment on until now, as far as they are kept, a row each; or their first numbers."""
        moments = np.arange(max(first, self._now + 1 - self._rows), self._now + 1)
        rows: NDArray[np.float64] = self._data.trace.state[moments % self._rows, :width]
        return rows
