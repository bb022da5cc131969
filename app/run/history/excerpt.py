"""An excerpt of a history for another thread: what it needs to compute some moments of a line again by itself.

Segments are copied, for the simulation goes on changing them; kept rows can be read on any thread.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, replace

from sim import Model
from sim.recording.run import Branch, Run, Segment


@dataclass(frozen=True, eq=False)
class Excerpt:
    """Steps of the line of a branch, the run to compute them in, and its models by version.

    The simulation edits the models: take copies of them.
    """

    branch: int
    steps: tuple[int, ...]
    run: Run
    models: Sequence[Model]


def excerpt(run: Run, models: Sequence[Model], branch: int, steps: Sequence[int]) -> Excerpt:
    """What one needs to compute some steps of a line."""
    copied = Run()
    for known in run.line(branch):
        segments: list[Segment] = []
        own = [step for step in steps if run.owner(branch, step) is known]
        if own:
            first, last = (_index(known, step) for step in (min(own), max(own)))
            while first > 0 and not _begins(known.segments[first], min(own)):
                first -= 1
            segments = [_copied(segment) for segment in known.segments[first : last + 1]]
        copied.branches[known.id] = Branch(known.id, known.parent, known.fork, segments=segments)
    return Excerpt(branch, tuple(steps), copied, tuple(models))


def _index(branch: Branch, step: int) -> int:
    """The number of the segment of a step: of those that meet there, the last."""
    return bisect_right(branch.segments, step, key=lambda segment: segment.first) - 1


def _begins(segment: Segment, step: int) -> bool:
    """Whether a segment has a row at or before a step."""
    return bool(segment.blocks) and segment.blocks[0].first <= step


def _copied(segment: Segment) -> Segment:
    plain = Segment(
        segment.first, segment.last, segment.version, segment.edits, segment.time, segment.timestep, segment.change
    )
    return replace(plain, blocks=[*segment.blocks], dense=segment.dense)
