"""The journal: what is in force after any sequence of edits, undo, redo and switching, and on a file that changed."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from app.run.journal.cells import Cell
from app.run.journal.journal import Entry, Journal, NewKey, StateChange, Write, same

A, B, C = (Cell("geom_friction", name, 0) for name in "abc")


def edit(cell: Cell, before: float, after: float, gesture: int = 0) -> Entry:
    """An entry that sets one cell."""
    return Entry(0, f"{cell.element} {after}", 0.0, 0.0, (Write(cell, before, after),), gesture=gesture)


def edits(*values: float, cell: Cell = A) -> Journal:
    """A journal that has set a cell, at 0 in the file, to each value."""
    journal, before = Journal(), 0.0
    for value in values:
        journal, before = journal.record(edit(cell, before, value)), value
    return journal


def test_undo_and_redo() -> None:
    journal = edits(1.0, 2.0, 3.0)
    seen = []
    for _ in range(4):
        seen.append(journal.values()[A])
        journal = journal.undo()
    assert seen == [3.0, 2.0, 1.0, 0.0]
    assert journal.next_undo() is None
    for value in (1.0, 2.0, 3.0, 3.0):
        journal = journal.redo()
        assert journal.values()[A] == value
    assert journal.next_redo() is None


def test_what_was_undone_stays_in_the_list() -> None:
    journal = edits(1.0, 2.0).undo().record(edit(B, 0.0, 5.0))
    assert journal.next_redo() is None
    assert [entry.on for entry in journal.entries] == [True, False, True]
    assert journal.values() == {A: 1.0, B: 5.0}
    assert journal.switch(2, True).values() == {A: 2.0, B: 5.0}


def test_an_entry_is_switched_by_itself_and_that_is_undone() -> None:
    journal = edits(1.0).record(edit(B, 0.0, 5.0)).record(edit(A, 1.0, 2.0))
    off = journal.switch(1, False)
    assert off.values() == {A: 2.0, B: 5.0}
    assert off.switch(3, False).values() == {A: 0.0, B: 5.0}
    assert off.switch(3, False).undo().undo().values() == journal.values()
    assert off.undo().redo().values() == off.values()
    assert off.switch(1, False) is off
    assert off.switch(9, False) is off


def test_a_gesture_is_one_entry() -> None:
    journal = Journal()
    for value in (1.0, 2.0, 3.0):
        journal = journal.record(edit(A, value - 1.0, value, gesture=7))
    assert len(journal.entries) == 1
    assert journal.entries[0].writes == (Write(A, 0.0, 3.0),)
    assert journal.undo().values() == {A: 0.0}
    # another gesture, or another thing, is another entry
    assert len(journal.record(edit(A, 3.0, 4.0, gesture=8)).entries) == 2
    assert len(journal.record(edit(B, 0.0, 4.0, gesture=7)).entries) == 2
    assert len(journal.undo().record(edit(A, 0.0, 4.0, gesture=7)).entries) == 2


def test_a_gesture_that_changes_the_state_keeps_the_first_state() -> None:
    states = [StateChange(1, k, "layout", {"state": [float(k)]}) for k in range(3)]
    journal = Journal()
    for state in states:
        journal = journal.record(Entry(0, "pull", 0.0, 0.0, state=state, gesture=3))
    assert [entry.state for entry in journal.entries] == [states[0]]
    assert len(journal.record(Entry(0, "push", 0.0, 0.0, state=states[1], gesture=3)).entries) == 2


def test_any_sequence_is_the_fold_of_what_is_on() -> None:
    """Against a list of (cell, value) that is switched by hand."""
    for seed in range(50):
        rng = random.Random(seed)
        journal, known = Journal(), list[tuple[Cell, float]]()
        done, undone = list[tuple[int, bool]](), list[tuple[int, bool]]()
        on: set[int] = set()
        for _ in range(60):
            action = rng.choice(["edit", "edit", "undo", "redo", "switch"])
            if action == "edit":
                cell, value = rng.choice([A, B, C]), rng.random()
                known.append((cell, value))
                on.add(len(known))
                done.append((len(known), True))
                undone = []
                journal = journal.record(edit(cell, journal.values().get(cell, 0.0), value))
            elif action == "undo":
                journal = journal.undo()
                if done:
                    number, was_on = done.pop()
                    undone.append((number, was_on))
                    (on.discard if was_on else on.add)(number)
            elif action == "redo":
                journal = journal.redo()
                if undone:
                    number, was_on = undone.pop()
                    done.append((number, was_on))
                    (on.add if was_on else on.discard)(number)
            elif known:
                number, wanted = rng.randint(1, len(known)), rng.random() < 0.5
                journal = journal.switch(number, wanted)
                if wanted != (number in on):
                    done.append((number, wanted))
                    undone = []
                    (on.add if wanted else on.discard)(number)
            values = dict.fromkeys((cell for cell, _ in known), 0.0)
            values |= {cell: value for k, (cell, value) in enumerate(known, 1) if k in on}
            assert journal.values() == values


@pytest.mark.parametrize(
    ("file", "clash", "value"),
    [
        # the file was not changed here
        (0.0, False, 2.0),
        # it has what was edited: the edit was saved
        (2.0, False, 2.0),
        # it has something else: the file's value, until the user decides
        (9.0, True, 9.0),
    ],
)
def test_a_file_that_changed(file: float, clash: bool, value: float) -> None:
    journal = edits(1.0, 2.0).rebase({A: 0.0}, {A: 2.0}, {A: file}.get, "layout")
    assert bool(journal.clashes) == clash
    assert journal.values() == {A: value}
    if clash:
        # mine, or the file's
        assert journal.switch(2, True).values() == {A: 2.0}
        theirs = journal.switch(1, False).switch(2, False)
        assert theirs.values() == {A: 9.0}
        assert not theirs.clashes


def test_what_was_saved_does_not_clash() -> None:
    """Nor do edits that a later one has overtaken: the user is asked about what would be lost."""
    journal = edits(1.0, 2.0).record(edit(B, 0.0, 5.0))
    saved = journal.rebase({A: 0.0, B: 0.0}, {A: 2.0, B: 5.0}, {A: 2.0, B: 0.0}.get, "layout")
    after = saved.rebase({A: 2.0, B: 0.0}, {A: 2.0, B: 5.0}, {A: 9.0, B: 7.0}.get, "layout")
    assert [entry.number for entry in after.clashes] == [3]
    assert after.values() == {A: 9.0, B: 7.0}
    assert after.switch(3, True).values() == {A: 9.0, B: 5.0}
    assert [bool(entry.lost) for entry in after.entries] == [True, True, False]
    # and it stays so
    again = after.rebase({A: 9.0, B: 7.0}, after.values(), {A: 9.0, B: 7.0}.get, "layout")
    assert again.values() == {A: 9.0, B: 7.0}
    # of a gesture that was not saved
    asked = edits(1.0, 2.0).rebase({A: 0.0}, {A: 2.0}, {A: 9.0}.get, "layout")
    assert [entry.number for entry in asked.clashes] == [2]


def test_an_edit_is_undone_past_a_save() -> None:
    saved = edits(1.0, 2.0).rebase({A: 0.0}, {A: 2.0}, {A: 2.0}.get, "layout")
    assert saved.undo().values() == {A: 1.0}
    assert saved.undo().undo().values() == {A: 0.0}


def test_an_element_that_is_gone_comes_back() -> None:
    journal = edits(1.0).record(edit(B, 0.0, 5.0))
    gone = journal.rebase({A: 0.0, B: 0.0}, {A: 1.0, B: 5.0}, {B: 0.0}.get, "layout")
    assert gone.entries[0].lost == "geom_friction of a is not in the file"
    assert gone.values()[B] == 5.0
    back = gone.rebase({B: 0.0}, {B: 5.0}, {A: 0.0, B: 0.0}.get, "layout")
    assert not back.entries[0].lost
    assert back.values() == {A: 1.0, B: 5.0}


def test_states_of_another_model_are_lost() -> None:
    journal = edits(1.0).record(Entry(0, "pull", 0.0, 0.0, state=StateChange(1, 0, "layout", {})))
    journal = journal.record(Entry(0, "key", 0.0, 0.0, key=NewKey("key", (), "layout")))
    lost = journal.rebase({}, {}, {A: 0.0}.get, "another")
    assert [bool(entry.lost) for entry in lost.entries] == [False, True, True]
    assert not lost.new_keys()
    back = lost.rebase({}, {}, {A: 0.0}.get, "layout")
    assert not any(entry.lost for entry in back.entries)
    assert len(back.new_keys()) == 1


def test_the_last_digits_are_no_difference() -> None:
    assert same(0.1 + 0.2, 0.3)
    assert same(0.0, 0.0)
    assert not same(0.0, 1e-300)
    assert not same(1.0, 1.0 + 1e-9)


def test_entries_are_replaced_by_number() -> None:
    journal = edits(1.0, 2.0)
    changed = journal.with_entry(replace(journal.entries[0], text="other"))
    assert [entry.text for entry in changed.entries] == ["other", "a 2.0"]


def test_the_oldest_states_are_forgotten() -> None:
    journal = edits(1.0)
    for k in range(5):
        journal = journal.record(Entry(0, f"pull {k}", 0.0, 0.0, state=StateChange(1, k, "layout", {})))
    kept = journal.forget_states(2)
    assert [entry.text for entry in kept.entries if entry.state is not None] == ["pull 3", "pull 4"]
    assert [bool(entry.lost) for entry in kept.entries] == [False, True, True, True, False, False]
    # what is left is undone in order
    undone = kept.undo().undo()
    assert undone.undo().values() == {A: 0.0}
    assert kept.forget_states(2) is kept
