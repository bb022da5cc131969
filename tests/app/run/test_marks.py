"""Marks of a run: what belongs together, what is kept and what is forgotten."""

from __future__ import annotations

from app.run.marks import MOST_MARKS, ONE_GESTURE, Event, Mark, Marks


def edit(text: str, moment: int) -> Mark:
    """The mark of an edit."""
    return Mark(Event.EDIT, text, moment, moment)


def test_one_gesture_is_one_mark() -> None:
    marks = Marks()
    # a slider that is dragged while time runs
    for k in range(100):
        marks.add(edit("gravity", 8 * k), now=k / 60)
    assert marks.since(0) == (Mark(Event.EDIT, "gravity", 0, 792),)
    # later it is another one; at the same moment it is not, however long that takes
    marks.add(edit("gravity", 900), now=100.0)
    marks.add(edit("gravity", 900), now=200.0)
    marks.add(edit("wind", 900), now=200.0 + ONE_GESTURE / 2)
    assert [(mark.text, mark.moment) for mark in marks.since(0)] == [("gravity", 0), ("gravity", 900), ("wind", 900)]


def test_a_pull_lasts_whatever_else_happens() -> None:
    marks = Marks()
    marks.add(Mark(Event.PULL, "pull", 10, 10), now=0.0)
    marks.add(Mark(Event.EXPLOSION, "exploded", 40, 40), now=1.0)
    marks.last_until(Event.PULL, 60)
    marks.forget_after(45)
    assert [mark.last for mark in marks.since(0)] == [45, 40]


def test_marks_go_with_their_moments() -> None:
    marks = Marks()
    for moment in (0, 10, 20, 30):
        marks.add(edit(f"edit {moment}", moment), now=0.0)
    marks.last_until(Event.PULL, 50)
    marks.last_until(Event.EDIT, 40)
    # the oldest rows were overwritten
    assert [mark.moment for mark in marks.since(11)] == [20, 30]
    # time goes on from within what lasted, and from before it
    marks.forget_after(35)
    assert marks.newest == Mark(Event.EDIT, "edit 30", 30, 35)
    marks.forget_after(20)
    assert marks.newest == edit("edit 20", 20)
    marks.clear()
    assert marks.newest is None


def test_only_the_latest_marks_are_kept() -> None:
    marks = Marks()
    for k in range(2 * MOST_MARKS):
        marks.add(edit(f"edit {k}", k), now=0.0)
    assert len(marks.since(0)) == MOST_MARKS
    assert marks.newest == edit(f"edit {2 * MOST_MARKS - 1}", 2 * MOST_MARKS - 1)


def test_an_explosion_is_looked_at_before_it_happens() -> None:
    assert Mark(Event.EXPLOSION, "", 7, 9).look == 6
    assert Mark(Event.EXPLOSION, "", 0, 0).look == 0
    assert edit("", 7).look == 7
