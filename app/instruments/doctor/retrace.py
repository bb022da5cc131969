"""Computes the steps before a divergence again from an excerpt of the history, and says how to repeat them.

What the user did meanwhile is in the segments: edits, controls, pulls. A course begins where all of that is known: a
second before, or at the last change that is kept as a whole state, such as the beginning of a branch. The steps of a
script cannot be repeated: they are replaced by steps in which nothing is changed.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from app.background.model_copies import ModelCopies
from app.instruments.doctor.divergence_report import DivergenceReport, report_on
from app.instruments.doctor.second_opinion import with_second_opinion
from app.instruments.doctor.trial import Course, Part, course_of, repeat_from
from app.run.history.excerpt import Excerpt
from sim.recording.replay import Replayer
from sim.recording.run import Segment

Array = NDArray[np.float64]


class Retraced(NamedTuple):
    """Why a run diverged, the step of its last sane state, and the course with the step at which that begins."""

    found: DivergenceReport
    sane: int
    start: int
    course: Course
    # it was absurd before the first of the rows
    too_short: bool = False


def retrace(part: Excerpt, copies: ModelCopies) -> Retraced:
    """The report on the steps of an excerpt, the last of which is the one before the first bad number."""
    replayer = Replayer(part.run, lambda version: copies.of(part.models[version]).model)
    first, last = part.steps[0], part.steps[-1]
    segments = _segments(part, first, last)
    first = max(first, segments[0].first)
    rows = replayer.rows(part.branch, first, last)
    # the engine may have reset it before
    back = np.flatnonzero(np.diff(rows[:, 0]) <= 0)
    if back.size:
        first, rows = first + int(back[-1]) + 1, rows[int(back[-1]) + 1 :]
    model = copies.of(part.models[segments[-1].version]).model.copy()
    model.engine.apply_edits(model, segments[-1].edits)
    found = with_second_opinion(model, report_on(model, rows))
    start = repeat_from(model, found)
    too_short = found.sane <= 1 and first > max(segments[0].first, 0) and not back.size
    parts = _parts(segments, first + start, first + len(rows))
    course = course_of(model, rows, found, parts, same=bool(parts))
    return Retraced(found, first + found.sane, first + start, course, too_short)


def _segments(part: Excerpt, first: int, last: int) -> list[Segment]:
    """The segments of these steps from which on every change is known."""
    found: list[Segment] = []
    for branch in part.run.line(part.branch):
        own = [segment for segment in branch.segments if segment.last >= first and segment.first <= last]
        for segment in own:
            if part.run.owner(part.branch, max(segment.first, first)) is not branch:
                continue
            known = segment.change is not None and found and found[-1].version == segment.version
            found = [*found, segment] if known else [segment]
    return found


def _parts(segments: list[Segment], start: int, end: int) -> list[Part]:
    """The parts of a course from a step to another; none if a script has made the steps."""
    if any(segment.dense for segment in segments):
        return []
    parts: list[Part] = []
    for segment, following in zip(segments, [*segments[1:], None], strict=True):
        begin = max(segment.first, start)
        stop = end if following is None else min(following.first, end)
        if following is not None and stop <= start:
            continue
        change = segment.change if segment.first >= start and parts else None
        parts.append(Part(max(stop - begin, 0) * segment.timestep, segment.edits, change))
    return parts
