"""The record of two runs: within a budget, with the first and the newest moment, cut where a branch begins."""

from __future__ import annotations

import numpy as np

from app.instruments.ab.pair_record import Apart, Moment, PairRecord
from sim.edits import NO_EDITS


def moment(step: int, value: float = 0.0, metres: float = 0.0) -> Moment:
    rows = np.full(10, value), np.full(10, value)
    return Moment(step, 0.1 * step, *rows, NO_EDITS, NO_EDITS, Apart(metres, 0.0, 1, 1))


def filled(count: int, budget: int = 1 << 20) -> PairRecord:
    record = PairRecord(budget=budget)
    for step in range(5, 5 + count):
        record.add(moment(step, metres=step))
        assert record.moments[-1].step == step
    return record


def test_all_moments_while_there_is_room() -> None:
    record = filled(50)
    assert [m.step for m in record.moments] == [*range(5, 55)] and record.stride == 1
    assert [m.apart.metres for m in record.moments] == [*range(5, 55)]


def test_long_runs_leave_moments_out_evenly_but_have_the_newest() -> None:
    record = filled(1000, budget=160 * 64)
    steps = [m.step for m in record.moments]
    assert len(steps) <= 66 and record._bytes <= 160 * 66
    assert steps[0] == 5 and steps[-1] == 1004
    assert {*np.diff(steps[:-1])} == {record.stride}
    assert [m.apart.metres for m in record.moments] == steps


def test_a_moment_that_is_added_again_replaces_itself() -> None:
    record = filled(3)
    record.add(moment(7, 1.0, 9.0))
    assert [m.step for m in record.moments] == [5, 6, 7] and record.moments[-1].a[0] == 1.0
    assert record.moments[-1].apart.metres == 9.0


def test_cut_and_find() -> None:
    record = filled(10)
    record.cut(8)
    assert [m.step for m in record.moments] == [5, 6, 7, 8]
    assert [record.index(step) for step in (4, 5, 7, 100)] == [-1, 0, 2, 3]
