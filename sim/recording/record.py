"""Records the steps of a script to a file: sim.Recorder(m, d, "run.ktr")."""

from __future__ import annotations

import os
import time
from functools import partial

import numpy as np

from sim.callback import SLOTS
from sim.model import Data, Model
from sim.recording.run import Array, Block, Branch, Change, Run, Segment
from sim.recording.write import RecordingWriter
from sim.script.model_edits import edits_of

# computing again from a checkpoint takes about so long, s, and at most so many steps
CHECKPOINT_SECONDS, CHECKPOINT_STEPS, FEWEST_STEPS = 0.1, 1000, 16
# s between two times that the file gets what is new
SYNC_SECONDS = 0.25
# bytes of rows that are handed over at once; so few are copied
BUFFER, SMALL = 1 << 21, 1 << 15
ROOT = 0


class KeptRow:
    """Rows in memory until they are written."""

    def __init__(self, rows: Array) -> None:
        self._rows = rows

    def read(self) -> Array:
        """The rows."""
        return self._rows


class Recorder:
    """Makes steps and records them. Use it in a `with`, or close it.

        with sim.Recorder(m, d, "run.ktr") as recorder:
            for _ in range(100):
                d.ctrl[0] = ...
                recorder.step(10)

    What is changed in Data between two steps is recorded; edit the model with sim.apply_edits alone. With callbacks,
    which a reader does not have, every state is stored.
    """

    def __init__(
        self, m: Model, d: Data, path: str | os.PathLike[str], start_key: int | None = None, name: str = ""
    ) -> None:
        d.check_fit(m)
        self._m, self._d = m, d
        self.writer = RecordingWriter(path)
        try:
            self.writer.model(0, m, start_key, name)
        except BaseException:
            self.writer.abandon()
            raise
        self._run = Run({ROOT: Branch(ROOT, name="recorded")})
        self._made = 0
        self._row: Array | None = None
        # where native code puts the latest rows, how many are there, and what can be used next
        self._rows: Array = np.empty((0, 0))
        self._used = 0
        self._free: list[Array] = []
        self._step_seconds = 0.0
        self._synced = 0.0

    @property
    def problem(self) -> str:
        """Why the file has ended early; empty if it has not."""
        return self.writer.problem

    def step(self, nstep: int = 1) -> None:
        """Make steps, and record them."""
        left = nstep
        segment = self._begin() if left > 0 else None
        while segment is not None and left > 0:
            kept = segment.blocks[-1].first + segment.blocks[-1].count - 1 if segment.blocks else segment.first
            room = max(kept + self._interval() - self._made, 1)
            left -= self._advance(segment, min(left, room))

    def _begin(self) -> Segment:
        """The segment that the next step belongs to."""
        m, segments = self._m, self._run.branches[ROOT].segments
        row = m.engine.get_state(m, self._d, m.engine.record_signature(m))
        dense = any(slot.stand_in is not None for slot in SLOTS.values())
        if segments and self._row is not None:
            newest = segments[-1]
            same = row.shape == self._row.shape and row.tobytes() == self._row.tobytes()
            if same and newest.edits == edits_of(m) and newest.dense == dense:
                return newest
        timestep = float(m.opt.timestep)
        change = None if dense else Change.between(self._row, row)
        segment = Segment(self._made, self._made, 0, edits_of(m), float(row[0]), timestep, change, dense=dense)
        if change is None:
            segment.blocks.append(Block(self._made, 1, KeptRow(row[None])))
        self._hand_over()
        segments.append(segment)
        del segments[:-2]
        self._row = row
        self._sync()
        self.writer.steps(segment, self._made, row[None])
        return segment

    def _advance(self, segment: Segment, count: int) -> int:
        """Make some steps of a segment, and keep a checkpoint or all rows; returns how many."""
        assert self._row is not None
        rows, used = self._buffer(len(self._row))
        count = min(count, len(rows) - used)
        self._d.trace.count = used
        start = time.perf_counter()
        try:
            self._m.engine.step(self._m, self._d, count)
        finally:
            # if a callback raises an exception, the steps before it
            made = int(self._d.trace.count) - used
            if made:
                self._step_seconds = (time.perf_counter() - start) / made
                self._keep(segment, rows[used : used + made])
        return made

    def _buffer(self, width: int) -> tuple[Array, int]:
        """Where native code puts rows, and how many are there already."""
        if self._used == len(self._rows) or self._rows.shape[1] != width or self._d.trace.state is not self._rows:
            self._hand_over()
            shape = max(BUFFER // (8 * width), 1), width
            # the thread adds to it
            while self._free and self._rows.shape != shape:
                self._rows = self._free.pop()
            if self._rows.shape != shape:
                self._rows = np.empty(shape)
            self._m.engine.trace(self._m, self._d, self._rows)
        return self._rows, self._used

    def _keep(self, segment: Segment, rows: Array) -> None:
        """Steps were made: keep a checkpoint, or all rows."""
        first = self._made + 1
        self._made += len(rows)
        self._used += len(rows)
        segment.last = self._made
        self._row = rows[-1].copy()
        if segment.dense:
            segment.blocks.append(Block(first, len(rows), KeptRow(rows.copy())))
        elif self._made - (segment.blocks[-1].first if segment.blocks else segment.first) >= self._interval():
            segment.blocks.append(Block(self._made, 1, KeptRow(self._row[None])))
        if time.monotonic() - self._synced > SYNC_SECONDS:
            self._sync()

    def _hand_over(self) -> None:
        """Hand over the rows in the buffer, for a checksum: a few as a copy, many with the buffer itself."""
        used, self._used = self._used, 0
        if not used:
            return
        rows, segment = self._rows, self._run.branches[ROOT].segments[-1]
        first = self._made - used + 1
        if 8 * used * rows.shape[1] < SMALL:
            self.writer.steps(segment, first, rows[:used].copy())
        else:
            self.writer.steps(segment, first, rows[:used], partial(self._free.append, rows))
            self._rows = np.empty((0, 0))

    def _interval(self) -> int:
        """Steps between two checkpoints."""
        steps = CHECKPOINT_SECONDS / self._step_seconds if self._step_seconds else CHECKPOINT_STEPS
        return int(min(max(steps, FEWEST_STEPS), CHECKPOINT_STEPS))

    def _sync(self) -> None:
        self._synced = time.monotonic()
        self._hand_over()
        self.writer.sync(self._run)
        # what is in the file need not be kept
        for segment in self._run.branches[ROOT].segments:
            del segment.blocks[:-1]

    def close(self) -> None:
        """Write what is left and end the file; may be called again."""
        self._sync()
        self._m.engine.trace(self._m, self._d, 0)
        self.writer.close()

    def __enter__(self) -> Recorder:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
