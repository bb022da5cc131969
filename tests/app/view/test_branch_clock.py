"""The clocks of branches: steps to times of the axis and back."""

from __future__ import annotations

import numpy as np
import pytest

from app.run.history.timeline import BranchView, Pace, Timeline
from app.view.branch_clock import Clocks

RUN = BranchView(0, last=1000, paces=(Pace(0, 0.0, 0.002), Pace(500, 1.0, 0.004)))
FORK = BranchView(1, 0, 600, 900, paces=(Pace(600, 1.4, 0.001),))


def clocks_of(*branches: BranchView, branch: int = 0, first: int = 0) -> Clocks:
    clocks = Clocks()
    clocks.update(Timeline(branches, branch, first, first))
    return clocks


def test_times_are_those_of_the_line() -> None:
    timeline = Timeline((RUN, FORK), 1, 900)
    clocks = Clocks()
    clocks.update(timeline)
    for branch, last in ((0, 1000), (1, 900)):
        steps = np.arange(0, last + 1, 50)
        expected = [timeline.time_of(int(step), branch) for step in steps]
        assert clocks[branch].times_of(steps) == pytest.approx(expected)
        assert [clocks[branch].time_of(int(step)) for step in steps] == pytest.approx(expected)


def test_a_time_gives_its_step_back() -> None:
    clock = clocks_of(RUN, FORK, branch=1).present
    assert [clock.step_at(clock.time_of(step), 0, 900) for step in range(901)] == list(range(901))
    assert clock.step_at(-5.0, 0, 900) == 0
    assert clock.step_at(99.0, 0, 900) == 900
    assert clock.step_at(0.0, 40, 900) == 40


def test_a_time_between_steps_gives_the_nearest() -> None:
    clock = clocks_of(RUN).present
    assert clock.step_at(0.0209, 0, 1000) == 10
    assert clock.step_at(0.0211, 0, 1000) == 11


def test_the_axis_goes_on_where_a_script_sets_the_time_back() -> None:
    # two episodes of 100 steps, then a jump ahead
    paces = (Pace(0, 0.0, 0.01), Pace(100, 0.0, 0.01), Pace(200, 5.0, 0.01))
    clock = clocks_of(BranchView(0, last=300, paces=paces)).present
    places = clock.times_of(np.arange(301))
    assert (np.diff(places) > 0).all()
    assert places[150] == pytest.approx(1.5)
    assert places[200] == pytest.approx(6.0)
    assert [clock.step_at(float(places[step]), 0, 300) for step in range(301)] == list(range(301))
    # in the gap
    assert clock.step_at(3.0, 0, 300) == 200


def test_a_branch_is_not_moved_by_jumps_of_its_parent_after_the_fork() -> None:
    parent = BranchView(0, last=300, paces=(Pace(0, 0.0, 0.01), Pace(100, 0.0, 0.01)))
    child = BranchView(1, 0, 50, 80, paces=(Pace(50, 0.5, 0.01),))
    late = BranchView(2, 0, 150, 180, paces=(Pace(150, 0.5, 0.01),))
    clocks = clocks_of(parent, child, late)
    assert clocks[1].time_of(80) == pytest.approx(0.8)
    assert clocks[2].time_of(150) == pytest.approx(clocks[0].time_of(150))
    assert clocks[2].time_of(180) == pytest.approx(1.8)


def test_a_time_that_is_not_a_number_moves_nothing() -> None:
    paces = (Pace(0, 0.0, 0.01), Pace(100, float("nan"), 0.01), Pace(200, float("inf"), 0.01))
    clock = clocks_of(BranchView(0, last=300, paces=paces)).present
    assert clock.times_of(np.arange(301)) == pytest.approx(0.01 * np.arange(301))


def test_clocks_of_unchanged_branches_are_kept() -> None:
    clocks = clocks_of(RUN, FORK)
    before = clocks[0], clocks[1]
    grown = BranchView(0, last=2000, paces=RUN.paces)
    clocks.update(Timeline((grown, FORK), 1, 900))
    assert (clocks[0], clocks[1]) == before
    slower = BranchView(0, last=2000, paces=(Pace(0, 0.0, 0.01),))
    clocks.update(Timeline((slower, FORK), 1, 900))
    assert clocks[0] is not before[0]
    assert clocks[1].time_of(100) == pytest.approx(1.0), "the child still has the times of its parent before"


def test_parents_may_come_after_their_children() -> None:
    clocks = clocks_of(FORK, RUN, branch=1)
    assert clocks.present.time_of(100) == pytest.approx(0.2)


def test_all_branches_are_in_the_whole() -> None:
    assert clocks_of(RUN, FORK, branch=1).whole == pytest.approx((0.0, 3.0))
    # what is forgotten is not, unless another run begins there
    assert clocks_of(RUN, first=250).whole[0] == pytest.approx(0.5)
    other = BranchView(2, last=10, paces=(Pace(0, 0.1, 0.002),))
    assert clocks_of(RUN, other, first=250).whole[0] == pytest.approx(0.1)


def test_a_short_run_does_not_fill_the_strip() -> None:
    assert clocks_of(BranchView(0, last=10, paces=(Pace(0, 0.0, 0.002),))).whole == pytest.approx((0.0, 0.1))
    assert clocks_of(BranchView(0, last=10, paces=(Pace(0, 0.0, 0.2),))).whole == pytest.approx((0.0, 5.0))
    first, last = clocks_of(BranchView(0, last=10)).whole
    assert last > first
