"""The timeline as panels see it: lines of branches, times of steps, steps at times."""

from __future__ import annotations

from app.run.history.branch_view import MOST_PACES, BranchViews
from app.run.history.markers import Marker, Markers, MarkerType
from app.run.history.timeline import BranchView, Pace, Timeline
from sim.recording.run import Branch, Run, Segment


def mark(step: int) -> Marker:
    """A marker at a step."""
    return Marker(MarkerType.EDIT, f"edit {step}", step, step)


ROOT = BranchView(0, last=100, name="run 1", paces=(Pace(0, 0.0, 0.01),), markers=(mark(10), mark(60)))
# twice as fast from step 40 on
CHILD = BranchView(1, 0, 40, 90, "child", paces=(Pace(40, 0.4, 0.02),), markers=(mark(50),))
GRANDCHILD = BranchView(2, 1, 70, 80, "grandchild", paces=(Pace(70, 1.0, 0.02), Pace(75, 0.0, 0.02)))
TIMELINE = Timeline((ROOT, CHILD, GRANDCHILD), branch=2, now=75)


def test_a_line_leads_from_the_root_to_the_head() -> None:
    assert [(part.branch.id, part.first, part.last) for part in TIMELINE.line()] == [
        (0, 0, 40),
        (1, 40, 70),
        (2, 70, 80),
    ]
    assert [(part.branch.id, part.first, part.last) for part in TIMELINE.line(0)] == [(0, 0, 100)]
    assert TIMELINE.last == 80
    assert not TIMELINE.at_head


def test_times_are_those_of_the_branch_that_made_the_step() -> None:
    assert TIMELINE.time_of(20) == 0.2
    assert TIMELINE.time_of(50) == 0.4 + 10 * 0.02
    assert TIMELINE.time_of(50, 0) == 0.5
    # at a fork both agree
    assert TIMELINE.time_of(40) == TIMELINE.time_of(40, 0) == 0.4
    # the time was set back
    assert TIMELINE.time_of(76) == 0.02
    assert TIMELINE.first_time == 0.0


def test_steps_at_times() -> None:
    for step in (0, 7, 40, 41, 90):
        assert TIMELINE.step_at(TIMELINE.time_of(step, 1), 1) == step
    assert TIMELINE.step_at(-1.0, 1) == 0
    assert TIMELINE.step_at(1e9, 1) == 90
    # between two steps, the one before
    assert TIMELINE.step_at(0.415, 1) == 40


def test_markers_of_the_line_alone() -> None:
    assert [marker.moment for marker in TIMELINE.markers] == [10, 50]


def test_a_script_that_sets_the_time_back_for_ever_takes_no_more_memory() -> None:
    views, steps = BranchViews(), 3 * MOST_PACES
    for step in range(steps):
        views.set_time(0, step, 0.0, 0.01)
    branch = Branch(0, segments=[Segment(0, steps, 0, {}, 0.0, 0.01)])
    (view,) = views.views(Run({0: branch}), {0: Markers()})
    assert len(view.paces) <= MOST_PACES and view.paces[0].step == 0
    assert [view.time_of(step) for step in range(steps - 100, steps)] == [0.0] * 100
