"""The marks of the timeline as arrays: pixels, neighbours of the pointer, the next mark."""

from __future__ import annotations

import random
from dataclasses import replace

import numpy as np
import pytest

from app.run.history.markers import Marker, MarkerType
from app.run.history.timeline import BranchView, Pace, Timeline
from app.view.branch_clock import Clocks
from app.view.mark_table import FREQUENT, ORDER, MarkTable
from app.view.time_axis import TimeAxis

PACES = (Pace(0, 0.0, 0.01),)
AXIS = TimeAxis(0.0, 10.0, 100.0, 1000.0)
TYPES = tuple(MarkerType)


def mark(moment: int, type_: MarkerType = MarkerType.EDIT, last: int | None = None, text: str = "") -> Marker:
    return Marker(type_, text or f"{type_.name} {moment}", moment, moment if last is None else last)


class Table:
    """A table of marks that takes one timeline after another."""

    def __init__(self) -> None:
        self.clocks, self.marks = Clocks(), MarkTable()

    def take(
        self, *branches: BranchView, branch: int = 0, first: int = 0, hidden: tuple[MarkerType, ...] = ()
    ) -> MarkTable:
        timeline = Timeline(branches, branch, first, first)
        self.clocks.update(timeline)
        self.marks.update(timeline, self.clocks, set(hidden))
        return self.marks


def run(*marks: Marker, last: int = 1000) -> BranchView:
    return BranchView(0, last=last, paces=PACES, markers=marks)


def test_every_type_has_a_rank() -> None:
    assert set(ORDER) == set(MarkerType)


def test_a_mark_is_drawn_where_it_is() -> None:
    _, ticks = Table().take(run(mark(250), mark(700))).runs(AXIS, 2.0)
    assert [(tick.left, tick.right) for tick in ticks] == [(350.0, 352.0), (800.0, 802.0)]
    assert [tick.alone and tick.alone.moment for tick in ticks] == [250, 700]


def test_neighbours_of_one_type_are_one_and_the_graver_covers_the_other() -> None:
    table = Table().take(run(mark(250), mark(250), mark(252), mark(254, MarkerType.DIVERGENCE), mark(254)))
    _, ticks = table.runs(AXIS, 2.0)
    assert [(tick.left, tick.right, tick.type) for tick in ticks] == [
        (350.0, 354.0, MarkerType.EDIT), (354.0, 356.0, MarkerType.DIVERGENCE)
    ]  # fmt: skip
    assert all(tick.alone is None for tick in ticks)


def test_frequent_ones_hide_nothing() -> None:
    marks = [mark(moment, type_) for moment in range(1000) for type_ in (*FREQUENT, MarkerType.EDIT)]
    _, ticks = Table().take(run(*marks)).runs(AXIS, 2.0)
    assert sorted(tick.type.name for tick in ticks) == ["CONTACT", "EDIT", "WAKE"]


def test_what_is_drawn_is_bounded_by_the_pixels() -> None:
    draw = random.Random(3)
    moments = sorted(draw.randrange(1_800_000) for _ in range(20_000))
    branch = BranchView(
        0,
        last=1_800_000,
        paces=(Pace(0, 0.0, 0.002),),
        markers=tuple(mark(moment, draw.choice(TYPES), moment + draw.randrange(2000)) for moment in moments),
    )
    bars, ticks = Table().take(branch).runs(TimeAxis(0.0, 3600.0, 0.0, 900.0), 3.0)
    assert len(ticks) <= 3 * 301
    assert len(bars) <= len(TYPES) * 450
    # nothing is lost: each mark is under a tick
    for moment in draw.sample(moments, 200):
        x = moment * 0.002 * 900 / 3600
        assert any(tick.left - 1e-6 <= x <= tick.right + 1e-6 for tick in ticks)


def test_bars_of_one_type_that_meet_are_one() -> None:
    pulls = (mark(100, MarkerType.PERTURB, 200), mark(150, MarkerType.PERTURB, 180), mark(190, MarkerType.PERTURB, 300))
    bars, _ = Table().take(run(*pulls, mark(500, MarkerType.PERTURB, 2000))).runs(AXIS, 2.0)
    assert [(bar.left, bar.right) for bar in bars] == [(200.0, 400.0), (600.0, 1100.0)]


def test_what_is_out_of_sight_is_not_drawn() -> None:
    table = Table().take(run(mark(100), mark(500), mark(900), mark(50, MarkerType.PERTURB, 150)))
    axis = TimeAxis(4.0, 6.0, 0.0, 200.0)
    bars, ticks = table.runs(axis, 2.0)
    assert [tick.alone and tick.alone.moment for tick in ticks] == [500]
    assert bars == []


def test_marks_near_the_pointer() -> None:
    table = Table().take(
        run(mark(250, text="one"), mark(250, text="other"), mark(253), mark(500, MarkerType.PERTURB, 600))
    )
    assert [found.text for found in table.near(AXIS, 350.4, 5.0)] == ["other", "one", "EDIT 253"]
    assert [found.moment for found in table.near(AXIS, 660.0, 5.0)] == [500]
    assert table.near(AXIS, 450.0, 5.0) == []


def test_the_next_mark_and_the_one_before() -> None:
    table = Table().take(run(mark(100), mark(300, MarkerType.DIVERGENCE), mark(300), mark(600)))

    def goal(step: int, direction: int) -> int | None:
        found = table.next(step, direction, 0, 1000)
        return None if found is None else found.shown_moment

    # of a divergence, the moment before
    assert [goal(step, +1) for step in (0, 100, 299, 300, 599, 600)] == [100, 299, 300, 600, 600, None]
    assert [goal(step, -1) for step in (1000, 600, 300, 299, 100)] == [600, 300, 299, 100, None]


def test_hidden_marks_are_neither_drawn_nor_gone_to() -> None:
    source = run(mark(100, MarkerType.CONTACT), mark(300))
    keeper = Table()
    table = keeper.take(source, hidden=(MarkerType.CONTACT,))
    assert [found.moment for found in table.arrays.marks] == [300]
    found = table.next(0, 1, 0, 1000)
    assert found is not None
    assert found.moment == 300
    assert len(keeper.take(source).arrays.marks) == 2


def test_marks_of_a_line_end_at_the_fork() -> None:
    child = BranchView(1, 0, 400, 600, paces=(Pace(400, 4.0, 0.01),), markers=(mark(400, MarkerType.BRANCH), mark(500)))
    keeper = Table()
    table = keeper.take(run(mark(100), mark(400), mark(450)), child, branch=1)
    assert [found.moment for found in table.arrays.marks] == [100, 400, 400, 500]
    assert [found.moment for found in keeper.take(run(mark(100), mark(400), mark(450)), child).arrays.marks] == [
        100,
        400,
        450,
    ]


def test_forgotten_marks_are_gone() -> None:
    table = Table().take(run(mark(100), mark(200, last=600), mark(700)), first=500)
    assert [found.moment for found in table.arrays.marks] == [200, 700]


@pytest.mark.parametrize("seed", range(20))
def test_arrays_that_grow_are_those_made_at_once(seed: int) -> None:
    draw, keeper = random.Random(seed), Table()
    marks: list[Marker] = []
    for _ in range(60):
        change = draw.random()
        if change < 0.6 or not marks:
            moment = (marks[-1].moment if marks else 0) + draw.randrange(5)
            marks.append(mark(moment, draw.choice(TYPES)))
        elif change < 0.7:
            # a divergence is found after the marks of later steps were made
            marks.append(mark(max(marks[-1].moment - draw.randrange(5), 0), MarkerType.DIVERGENCE))
        elif change < 0.85:
            place = draw.randrange(max(len(marks) - 12, 0), len(marks))
            marks[place] = replace(marks[place], last=marks[place].last + 3)
        elif change < 0.9:
            del marks[draw.randrange(len(marks)) :]
        elif change < 0.95:
            del marks[0]
        grown, fresh = keeper.take(run(*marks)).arrays, Table().take(run(*marks)).arrays
        assert list(grown.marks) == list(fresh.marks) == sorted(marks, key=lambda each: each.moment)
        for name in ("moments", "lasts", "begins", "ends", "ranks"):
            assert np.array_equal(getattr(grown, name), getattr(fresh, name)), name


def test_nothing_is_read_again_that_has_not_changed() -> None:
    keeper, source = Table(), run(mark(100), mark(300))
    before = keeper.take(source).arrays
    assert keeper.take(replace(source, last=2000)).arrays is before
    drawn = keeper.marks.runs(AXIS, 2.0)
    assert keeper.marks.runs(AXIS, 2.0)[1] is drawn[1]
