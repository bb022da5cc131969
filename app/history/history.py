"""The history of a run: the state after every step in a ring buffer, to go back to and continue from.

The engine writes the ring inside its native loop; this keeps the indices. Moment 0 is the state after a reset,
moment k the state after k steps. The oldest moments are overwritten when the ring is full. Stepping from an earlier
moment drops what came after it, and so does changing the model or the state there: what lies ahead was always computed
from the present. Markers show what else happened.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from app.history import divergence
from app.history.markers import Marker, Markers, MarkerType
from app.history.timeline import BranchView, Pace, Timeline
from app.model.engine import Engine
from app.model.problem import Problem
from app.run.keep_state import StateMap
from sim import Data, Model

# memory for the states of a run: a few minutes of a humanoid
HISTORY_BYTES = 256 << 20
MIN_ROWS = 64
# states that are converted at a time
CHUNK = 4096


class History:
    """The ring buffer of one Data."""

    def __init__(self, engine: Engine, model: Model, data: Data, budget: int, text: str) -> None:
        self._engine, self._model, self._data, self._budget = engine, model, data, budget
        self._signature = engine.record_signature(model)
        self._rows = self._row_count()
        self._now = self._oldest = 0
        self._warned = False
        # counts restarts: a moment belongs to one
        self.run = 0
        self.start_text = ""
        # since the start, or since the user went back: the engine's own count does not survive its reset
        self.divergences = 0
        self._markers = Markers()
        engine.trace(model, data, self._rows)
        self.restart(text)

    def restart(self, text: str) -> None:
        """Drop everything; the present becomes moment 0, with a marker that says how it came about."""
        self._now = self._oldest = self.divergences = 0
        self.run += 1
        self.start_text = text
        self._data.trace.count = 0
        self._markers.clear()
        self.add_marker(MarkerType.START, text, 0.0)
        self.overwrite()

    def move_to(self, model: Model, data: Data, states: StateMap) -> None:
        """Go on with another model and its Data, which is in its initial state: recorded states become states of it."""
        self.drop_future()
        first, rows, recorded = self._first(), self._rows, self._data.trace.state
        self.stop()
        self._model, self._data = model, data
        before, self._signature = self._signature, self._engine.record_signature(model)
        if states.unchanged and before == self._signature:
            self._engine.trace(model, data, recorded)
        else:
            initial, self._rows = self._engine.get_state(model, data, self._signature), self._row_count()
            self._oldest = max(first, self._now + 1 - self._rows)
            self._engine.trace(model, data, self._rows)
            for start in range(self._oldest, self._now + 1, CHUNK):
                moments = np.arange(start, min(start + CHUNK, self._now + 1))
                data.trace.state[moments % self._rows] = states.convert_rows(recorded[moments % rows], initial)
        data.trace.count = self._now + 1

    def overwrite(self) -> None:
        """The user changed the present state: record it as it is now, and drop what came after."""
        self.put()
        self.drop_future()

    def put(self) -> None:
        """Record the present state as it is now."""
        state = self._engine.get_state(self._model, self._data, self._signature)
        self._data.trace.state[self._now % self._rows] = state

    def drop_future(self) -> None:
        """Drop what came after the present moment, before steps or changes are made from here."""
        # the rows that the future has overwritten stay lost
        self._oldest = self._first()
        self._data.trace.count = self._now + 1
        self._markers.drop_after(self._now)
        self._warned = divergence.warned(self._data)

    def stepped(self, now: float) -> Problem | None:
        """Steps were made: add markers for what happened in them; returns a problem that is not known yet."""
        start, self._now = self._now, self._data.trace.count - 1
        if divergence.warned(self._data):
            states, newest = self._states(start), self._markers.newest
            found = divergence.find(self._model, self._data, states, self._now + 1 - len(states), self._warned)
            if found is not None:
                self.divergences += found.count
                self._markers.add(Marker(MarkerType.DIVERGENCE, found.text(self._model), found.moment, found.last), now)
                known = newest is not None and newest.type is MarkerType.DIVERGENCE
                return None if known else found.problem(self._model)
        elif (np.diff(self._states(start, 1)[:, 0]) < 0.0).any():
            self.add_marker(MarkerType.JUMP, "the script set the time back", now)
        return None

    def go_to(self, moment: int) -> bool:
        """Make a moment the present, even one with bad numbers; returns False if it is not recorded."""
        span = self.span()
        if not span.first <= moment <= span.last:
            return False
        row = self._data.trace.state[moment % self._rows]
        self._engine.set_state(self._model, self._data, row, self._signature, check=False)
        # the warnings are of steps that may be made again
        self._data.warning.number[:] = 0
        self.divergences = 0
        self._engine.forward(self._model, self._data)
        self._now = moment
        return True

    @property
    def now(self) -> int:
        """The present moment."""
        return self._now

    def stop(self) -> None:
        """Stop recording."""
        self._engine.trace(self._model, self._data, 0)

    def add_marker(self, type_: MarkerType, text: str, now: float, entry: int = 0) -> None:
        """Mark the present moment, where something changes the future, at a wall time; for an entry of the journal."""
        self.drop_future()
        self._markers.add(Marker(type_, text, self._now, self._now, entry), now)

    def extend_marker(self, type_: MarkerType) -> None:
        """The latest event of this type lasted until now."""
        self._markers.extend(type_, self._now)

    def span(self) -> Timeline:
        """The moments that can be gone back to."""
        count, states = int(self._data.trace.count), self._data.trace.state
        first, last = self._first(), max(count - 1, 0)
        # the time is the first number of a state
        begin = float(states[first % self._rows, 0])
        pace = Pace(first, begin, float(self._model.opt.timestep))
        branch = BranchView(0, last=last, paces=(pace,), markers=self._markers.since(first))
        return Timeline((branch,), 0, self._now, first)

    def _row_count(self) -> int:
        """How many states fit in memory."""
        size = self._engine.state_size(self._model, self._signature)
        return max(self._budget // (8 * max(size, 1)), MIN_ROWS)

    def _first(self) -> int:
        """The oldest moment that is still recorded."""
        return max(int(self._data.trace.count) - self._rows, self._oldest)

    def _states(self, first: int, width: int | None = None) -> NDArray[np.float64]:
        """The recorded states from a moment until now, one per row; or their first `width` numbers."""
        moments = np.arange(max(first, self._now + 1 - self._rows), self._now + 1)
        rows: NDArray[np.float64] = self._data.trace.state[moments % self._rows, :width]
        return rows
