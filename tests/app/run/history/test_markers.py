"""Markers of a branch: what belongs together, what is kept and what is forgotten."""

from __future__ import annotations

from app.run.history.markers import MOST_FOUND, ONE_GESTURE, Marker, Markers, MarkerType


def edit(text: str, moment: int) -> Marker:
    """The marker of an edit."""
    return Marker(MarkerType.EDIT, text, moment, moment)


def test_one_gesture_is_one_marker() -> None:
    markers = Markers()
    # a slider that is dragged while time runs
    for k in range(100):
        markers.add(edit("gravity", 8 * k), now=k / 60)
    assert markers.all == (Marker(MarkerType.EDIT, "gravity", 0, 792),)
    # later it is another one; at the same moment it is not, however long that takes
    markers.add(edit("gravity", 900), now=100.0)
    markers.add(edit("gravity", 900), now=200.0)
    markers.add(edit("wind", 900), now=200.0 + ONE_GESTURE / 2)
    assert [(marker.text, marker.moment) for marker in markers.all] == [
        ("gravity", 0),
        ("gravity", 900),
        ("wind", 900),
    ]


def test_a_pull_lasts_whatever_else_happens() -> None:
    markers = Markers()
    markers.add(Marker(MarkerType.PERTURB, "pull", 10, 10), now=0.0)
    markers.add(Marker(MarkerType.DIVERGENCE, "diverged", 40, 40), now=1.0)
    markers.add(Marker(MarkerType.CONTACT, "contact", 50, 50), now=1.0)
    markers.extend(MarkerType.PERTURB, 60)
    assert [marker.last for marker in markers.all] == [60, 40, 50]
    newest = markers.newest
    assert newest is not None
    assert newest.text == "diverged"


def test_what_the_user_did_is_kept() -> None:
    """Of what happens by itself the latest is kept."""
    markers = Markers()
    for k in range(2 * MOST_FOUND):
        if k % 100 == 0:
            markers.add(edit(f"edit {k}", k), now=0.0)
        markers.add(Marker(MarkerType.CONTACT, f"contact {k}", k, k), now=0.0)
    kept = markers.all
    assert sum(marker.type is MarkerType.EDIT for marker in kept) == 2 * MOST_FOUND // 100
    found = [marker.moment for marker in kept if marker.type is MarkerType.CONTACT]
    assert MOST_FOUND // 2 <= len(found) <= MOST_FOUND
    assert found == list(range(found[0], 2 * MOST_FOUND))
    assert [marker.moment for marker in kept] == sorted(marker.moment for marker in kept)


def test_the_same_markers_are_the_same_tuple() -> None:
    markers = Markers()
    markers.add(edit("gravity", 1), now=0.0)
    assert markers.all is markers.all
    before = markers.all
    markers.extend(MarkerType.EDIT, 5)
    assert markers.all is not before


def test_a_divergence_is_shown_before_it_happens() -> None:
    assert Marker(MarkerType.DIVERGENCE, "", 7, 9).shown_moment == 6
    assert Marker(MarkerType.DIVERGENCE, "", 0, 0).shown_moment == 0
    assert edit("", 7).shown_moment == 7
