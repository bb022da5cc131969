"""Checkpoints: which rows of the tape are kept for good, so that every step between them can be computed again.

Of a script's run, which cannot be computed again, all rows are kept. If memory and disk are full, every other
checkpoint is forgotten, and the oldest rows of scripts.
"""

from __future__ import annotations

import itertools

import numpy as np
from numpy.typing import NDArray

from app.run.history.row_store import KeptRows, RowStore
from app.run.history.tape import TapedSegment
from sim.recording.run import Block, Run, Segment

# computing again from a checkpoint takes about so long, s, and at most so many steps
CHECKPOINT_SECONDS, CHECKPOINT_STEPS = 0.15, 1000
FEWEST_STEPS = 16
# rows of a script's run that are kept together
DENSE_ROWS = 256


class Checkpoints:
    """The rows of a run that are kept."""

    def __init__(self, run: Run, budget: int) -> None:
        self._run = run
        self.store = RowStore(budget)
        # of one step, s
        self.step_seconds = 0.0

    def block(self, step: int, row: NDArray[np.float64]) -> Block:
        """A single row, kept."""
        return Block(step, 1, self.store.keep(row))

    def keep(self, segment: Segment) -> None:
        """A segment has new steps: keep a checkpoint if it is time, or all rows of a script's run."""
        assert isinstance(segment, TapedSegment) and segment.tape is not None
        if segment.dense:
            most = min(DENSE_ROWS, segment.tape.size // 2)
            while segment.last - _not_kept(segment) + 1 >= most and not segment.tape.closed:
                self._keep_block(segment, _not_kept(segment), most)
            return
        kept = segment.blocks[-1].first if segment.blocks else segment.first
        if segment.last - kept >= self._interval():
            self._keep_block(segment, segment.last, 1)

    def keep_rest(self, segment: Segment) -> None:
        """Keep the rows of a script's segment that only the tape has."""
        if isinstance(segment, TapedSegment) and segment.dense and segment.tape is not None and not segment.tape.closed:
            first = _not_kept(segment)
            if segment.last >= first:
                self._keep_block(segment, first, segment.last - first + 1)

    def _keep_block(self, segment: TapedSegment, first: int, count: int) -> None:
        number = segment.number + first - segment.first
        assert segment.tape is not None
        rows = segment.tape.rows(number, number + count - 1)
        segment.blocks.append(Block(first, len(rows), self.store.keep(rows)))
        if self.store.full:
            self._forget_some()

    def _interval(self) -> int:
        """Steps between two checkpoints."""
        steps = CHECKPOINT_SECONDS / self.step_seconds if self.step_seconds else CHECKPOINT_STEPS
        return int(min(max(steps, FEWEST_STEPS), CHECKPOINT_STEPS))

    def _forget_some(self) -> None:
        """Forget every other checkpoint, then rows of scripts from the oldest on, until there is room."""
        segments = [segment for branch in self._run.branches.values() for segment in branch.segments]
        for segment in segments:
            single = [] if segment.dense else [block for block in segment.blocks if block.first > segment.first]
            for block in single[::2]:
                segment.blocks.remove(block)
                self._forget(block)
        for segment in segments:
            if segment.dense:
                # the newest says what is kept
                gone = list(itertools.takewhile(self._forget_if_full, segment.blocks[:-1]))
                del segment.blocks[: len(gone)]

    def _forget_if_full(self, block: Block) -> bool:
        full = self.store.full
        if full:
            self._forget(block)
        return full

    def _forget(self, block: Block) -> None:
        if isinstance(block.rows, KeptRows):
            self.store.forget(block.rows)


def _not_kept(segment: TapedSegment) -> int:
    """The first step of a segment that only the tape has; a script that makes too many at once loses some."""
    assert segment.tape is not None
    last = segment.blocks[-1] if segment.blocks else None
    first = last.first + last.count if last is not None else segment.first
    return max(first, segment.first + segment.tape.count - segment.tape.size - segment.number)
