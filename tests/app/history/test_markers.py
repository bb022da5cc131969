"""Markers of a run: what belongs together, what is kept and what is forgotten."""

from __future__ import annotations

from app.history.markers import MAX_MARKERS, ONE_GESTURE, Marker, Markers, MarkerType


def edit(text: str, moment: int) -> Marker:
    """The marker of an edit."""
    return Marker(MarkerType.EDIT, text, moment, moment)


def test_one_gesture_is_one_marker() -> None:
    markers = Markers()
    # a slider that is dragged while time runs
    for k in range(100):
        markers.add(edit("gravity", 8 * k), now=k / 60)
    assert markers.since(0) == (Marker(MarkerType.EDIT, "gravity", 0, 792),)
    # later it is another one; at the same moment it is not, however long that takes
    markers.add(edit("gravity", 900), now=100.0)
    markers.add(edit("gravity", 900), now=200.0)
    markers.add(edit("wind", 900), now=200.0 + ONE_GESTURE / 2)
    assert [(marker.text, marker.moment) for marker in markers.since(0)] == [
        ("gravity", 0),
        ("gravity", 900),
        ("wind", 900),
    ]


def test_a_pull_lasts_whatever_else_happens() -> None:
    markers = Markers()
    markers.add(Marker(MarkerType.PERTURB, "pull", 10, 10), now=0.0)
    markers.add(Marker(MarkerType.DIVERGENCE, "diverged", 40, 40), now=1.0)
    markers.extend(MarkerType.PERTURB, 60)
    markers.drop_after(45)
    assert [marker.last for marker in markers.since(0)] == [45, 40]


def test_marks_go_with_their_moments() -> None:
    markers = Markers()
    for moment in (0, 10, 20, 30):
        markers.add(edit(f"edit {moment}", moment), now=0.0)
    markers.extend(MarkerType.PERTURB, 50)
    markers.extend(MarkerType.EDIT, 40)
    # the oldest rows were overwritten
    assert [marker.moment for marker in markers.since(11)] == [20, 30]
    # time goes on from within what lasted, and from before it
    markers.drop_after(35)
    assert markers.newest == Marker(MarkerType.EDIT, "edit 30", 30, 35)
    markers.drop_after(20)
    assert markers.newest == edit("edit 20", 20)
    markers.clear()
    assert markers.newest is None


def test_only_the_latest_marks_are_kept() -> None:
    markers = Markers()
    for k in range(2 * MAX_MARKERS):
        markers.add(edit(f"edit {k}", k), now=0.0)
    assert len(markers.since(0)) == MAX_MARKERS
    assert markers.newest == edit(f"edit {2 * MAX_MARKERS - 1}", 2 * MAX_MARKERS - 1)


def test_a_divergence_is_shown_before_it_happens() -> None:
    assert Marker(MarkerType.DIVERGENCE, "", 7, 9).shown_moment == 6
    assert Marker(MarkerType.DIVERGENCE, "", 0, 0).shown_moment == 0
    assert edit("", 7).shown_moment == 7
