"""Verifies a recording: computes every step again, and compares rows and checksums with what was recorded."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np

from sim.model import Data, Model
from sim.recording.file_format import StepsFrame
from sim.recording.read import Contents
from sim.recording.run import Array, Branch, Segment

# numbers of rows that are computed at once
CHUNK = 1 << 20

# the model of a segment with its edits, and Data of it
Prepared = Callable[[Segment], tuple[Model, Data]]
FirstRow = Callable[[int, int], Array]


class Difference(NamedTuple):
    """Where a replay first differs from what was recorded: in steps from `first` to `last` of a branch."""

    branch: int
    first: int
    last: int
    text: str

    def __str__(self) -> str:
        return f"branch {self.branch}, steps {self.first} to {self.last}: {self.text}"


def first_difference(contents: Contents, prepared: Prepared, row_of: FirstRow) -> Difference | None:
    """The first difference between a run and its replay; None if there is none."""
    checks: dict[int, list[StepsFrame]] = {}
    for check in contents.checksums:
        checks.setdefault(id(contents.segments[check.segment]), []).append(check)
    for branch in contents.run.branches.values():
        for number, segment in enumerate(branch.segments):
            following = branch.segments[number + 1 : number + 2]
            if segment.last == segment.first and following and following[0].first == segment.first:
                # it has neither steps nor the last word about its moment
                continue
            found = _segment_difference(branch, segment, checks.get(id(segment), []), prepared, row_of)
            if found is not None:
                return found
    return None


def _segment_difference(
    branch: Branch, segment: Segment, checks: list[StepsFrame], prepared: Prepared, row_of: FirstRow
) -> Difference | None:
    blocks = iter(segment.blocks)
    block = next(blocks, None)
    sums = dict.fromkeys(checks, 0)
    rows_of = _recorded(segment) if segment.dense else _computed(segment, row_of(branch.id, segment.first), prepared)
    for first, rows in rows_of:
        end = first + len(rows)
        while block is not None and block.first < end:
            kept = block.rows.read()[: end - block.first]
            if kept.tobytes() != rows[block.first - first :][: len(kept)].tobytes():
                last = block.first + block.count - 1
                return Difference(branch.id, block.first, last, "the stored rows differ from the computed ones")
            block = next(blocks, None)
        for check in [check for check in sums if check.first < end and check.last >= first]:
            part = rows[max(check.first - first, 0) : check.last + 1 - first]
            sums[check] = zlib.crc32(np.ascontiguousarray(part, "<f8").data, sums[check])
            if check.last < end and check.last <= segment.last and sums.pop(check) != check.crc:
                return Difference(branch.id, check.first, check.last, "the checksum differs")
    return None


def _recorded(segment: Segment) -> Iterator[tuple[int, Array]]:
    """The rows of a script's run, which cannot be computed."""
    for block in segment.blocks:
        yield block.first, block.rows.read()


def _computed(segment: Segment, row: Array, prepared: Prepared) -> Iterator[tuple[int, Array]]:
    """All rows of a segment, computed from the first one, some at a time; they end where a block does."""
    model, data = prepared(segment)
    engine = model.engine
    engine.trace(model, data, 0)
    engine.set_state(model, data, row, engine.record_signature(model), check=False)
    yield segment.first, row[None]
    at, most = segment.first, max(CHUNK // len(row), 1)
    stops = sorted({segment.last, *(block.first + block.count - 1 for block in segment.blocks)} - {segment.first})
    for stop in stops:
        while at < stop:
            rows = np.empty((min(stop - at, most), len(row)))
            engine.trace(model, data, rows)
            engine.step(model, data, len(rows))
            engine.trace(model, data, 0)
            yield at + 1, rows
            at += len(rows)
