"""A journal in JSON: what is written is read, to the bit; anything else is refused with a sentence."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from typing import Any

import pytest

from app.run.journal.cells import Cell
from app.run.journal.journal import Entry, Journal, NewKey, StateChange, Write
from app.run.journal.journal_file import STATE_LOST, SavedJournal, journal_data, read_journal
from sim.script.state_vector import KEY_FIELDS
from sim.tree_edit import Place, TreeEdit

FRICTION, STEP = Cell("geom_friction", "floor", 1), Cell("opt.timestep", "", 0)
FLAG, CONDIM = Cell("opt.enableflags", "", 0, 4), Cell("geom_condim", "floor", 0)
KEY = NewKey("home", tuple((path, (1 / 3, -0.0)) for path in KEY_FIELDS), "ab")


def entry(cell: Cell, before: float, after: float) -> Entry:
    """An entry that sets one cell."""
    return Entry(0, f"{cell.path}: {before} → {after}", 1e9 / 3, 0.1, (Write(cell, before, after),), gesture=7)


def journal() -> Journal:
    """Every kind of entry; two undone."""
    made = Journal().record(entry(FRICTION, 1.0, 0.1 + 0.2)).record(entry(STEP, 0.002, 5e-324))
    made = made.record(Entry(0, "pull: ball", 1.0, 0.5, state=StateChange(1, 2, "ab", {"state": [1.0]})))
    made = made.record(entry(FLAG, 0.0, 1.0)).record(Entry(0, "keyframe home", 2.0, 0.5, (), KEY, ("old",)))
    made = made.record(entry(CONDIM, 3.0, 1.0)).switch(1, False).undo().undo()
    return made.with_entry(replace(made.entries[1], clash=True)).with_entry(
        replace(made.entries[3], lost="it is not in the file")
    )


def saved() -> SavedJournal:
    """A journal, and a file that has changed since: one value is other, one cell is gone."""
    made = journal()
    in_file = {cell: value for cell, value in made.base.items() if cell != FLAG}
    return SavedJournal(made, in_file, in_file | {FRICTION: 0.30000000000000004})


def through(data: object) -> Any:
    """As the next process reads it."""
    return json.loads(json.dumps(data))


def test_what_is_written_is_read_to_the_bit() -> None:
    given = saved()
    got = read_journal(through(journal_data(given)))
    assert (got.in_file, got.present, got.journal.base) == (given.in_file, given.present, given.journal.base)
    for mine, theirs in zip(given.journal.entries, got.journal.entries, strict=True):
        if mine.state is None:
            assert theirs == replace(mine, gesture=0)
    assert str(got.journal.entries[4].key.values[1][1][1]) == "-0.0"  # type: ignore[union-attr]
    assert journal_data(got) == journal_data(given)


def test_a_change_of_the_state_stays_as_a_text_that_undo_passes_over() -> None:
    got = read_journal(journal_data(saved())).journal
    (pull,) = (one for one in got.entries if one.text == "pull: ball")
    assert (pull.state, pull.lost) == (None, STATE_LOST)
    assert pull.number not in [switched.number for switched in (*got.done, *got.undone)]
    undone = []
    while (following := got.next_undo()) is not None:
        undone.append(following.number)
        got = got.undo()
    assert undone == [5, 4, 2, 1]
    # it does not come back with a file either
    rebased = read_journal(journal_data(saved())).rebased(lambda cell: journal().base[cell], "ab")
    assert rebased.entry(pull.number).lost == STATE_LOST  # type: ignore[union-attr]


def test_undo_and_redo_go_on() -> None:
    mine, theirs = journal(), read_journal(journal_data(SavedJournal(journal()))).journal
    for _ in range(2):
        mine, theirs = mine.redo(), theirs.redo()
        assert mine.values() == theirs.values()
    # not one entry with what a gesture of the next process does
    assert len(theirs.record(replace(entry(FRICTION, 1.0, 2.0), gesture=7)).entries) == len(theirs.entries) + 1


def test_a_journal_meets_a_changed_file() -> None:
    given = SavedJournal(Journal().record(entry(FRICTION, 1.0, 0.5)), {FRICTION: 1.0}, {FRICTION: 0.5})
    got = read_journal(through(journal_data(given)))
    assert got.rebased(lambda _: 1.0, "ab").values() == {FRICTION: 0.5}
    # saved just before the end
    assert got.rebased(lambda _: 0.5, "ab").clashes == ()
    assert len(got.rebased(lambda _: 0.7, "ab").clashes) == 1
    assert got.rebased(lambda _: None, "ab").entries[0].lost == "geom_friction of floor is not in the file"


CELL = ["geom_friction", "floor", 1, 0, "", 1.0, None, None]
FORGED_WRITES: list[tuple[list[Any], str]] = [
    (["geom_bodyid", "floor", 0, 0, "", 1.0, 2.0], "'geom_bodyid' is not a field that can be edited"),
    ([["opt.timestep"], "", 0, 0, "", 1.0, 2.0], "is not a field that can be edited"),
    (["geom_friction", "", 0, 0, "", 1.0, 2.0], "geom_friction cannot belong to ''"),
    (["opt.timestep", "floor", 0, 0, "", 1.0, 2.0], "opt.timestep cannot belong to 'floor'"),
    (["geom_friction", 5, 0, 0, "", 1.0, 2.0], "the element of geom_friction is not a string"),
    (["geom_friction", "floor", -1, 0, "", 1.0, 2.0], "has no number -1"),
    (["geom_friction", "floor", True, 0, "", 1.0, 2.0], "has no number True"),
    (["geom_friction", "floor", 1 << 40, 0, "", 1.0, 2.0], "has no number"),
    (["geom_friction", "floor", 0, 1, "", 1.0, 2.0], "1 is not a bit of geom_friction"),
    (["opt.enableflags", "", 0, 0, "", 0.0, 1.0], "0 is not a bit of opt.enableflags"),
    (["opt.enableflags", "", 0, 3, "", 0.0, 1.0], "3 is not a bit of opt.enableflags"),
    (["opt.enableflags", "", 0, 1 << 40, "", 0.0, 1.0], "is not a bit of opt.enableflags"),
    (["opt.enableflags", "", 0, 4, "", 0.0, 2.0], "2.0 is not a value of opt.enableflags"),
    (["geom_condim", "floor", 0, 0, "", 3.0, 7.0], "7.0 is not a value of geom_condim"),
    (["opt.iterations", "", 0, 0, "", 3.0, 1e300], "1e\\+300 is not a value of opt.iterations"),
    (["opt.iterations", "", 0, 0, "", 3.0, 0.5], "0.5 is not a value of opt.iterations"),
    (["opt.iterations", "", 0, 0, "", 3.0, float("inf")], "inf is not a value of opt.iterations"),
    (["opt.timestep", "", 0, 0, "", 1.0, float("nan")], "nan is not a number for opt.timestep"),
    (["opt.timestep", "", 0, 0, "", 1.0, "2"], "'2' is not a number for opt.timestep"),
    (["opt.timestep", "", 0, 0, "", True, 2.0], "True is not a number"),
    (["opt.timestep", "", 0, 0, 1.0], "a write does not have 7 values"),
    (["opt.timestep", "", 0, 0, "", 1.0, 2.0], "has no base"),
]  # fmt: skip


@pytest.mark.parametrize(("write", "why"), FORGED_WRITES)
def test_a_forged_write_is_refused(write: list[Any], why: str) -> None:
    data = through(journal_data(SavedJournal(Journal().record(entry(FRICTION, 1.0, 2.0)))))
    read_journal(data)
    data["entries"][0]["writes"] = [write]
    with pytest.raises(ValueError, match=why):
        read_journal(data)


FORGED: list[tuple[tuple[Any, ...], Any, str]] = [
    (("entries",), {}, "entries is not a list"), (("entries", 0), [], "an entry is not a table of clash, key, lost"),
    (("entries", 0, "number"), 2, "do not increase"), (("entries", 0, "number"), 0, "not a positive integer"),
    (("entries", 0, "number"), 1.0, "not a positive integer"), (("entries", 0, "text"), None, "text of entry 1"),
    (("entries", 0, "on"), 1, "on of entry 1"), (("entries", 0, "when"), float("inf"), "when of entry 1"),
    (("entries", 0, "time"), "now", "time of entry 1"), (("entries", 0, "writes"), None, "writes is not a list"),
    (("entries", 4, "key", "name"), 3, "name of a keyframe"), (("entries", 4, "key"), [], "a keyframe is not a table"),
    (("entries", 4, "key", "values"), {"key_qpos": []}, "values of a keyframe is not a table of key_act, key_ctrl"),
    (("entries", 4, "key", "values", "key_qpos"), [float("nan")], "key_qpos of a keyframe has"),
    (("entries", 4, "removed"), [5], "removed of entry 5"),
    (("cells", 0), CELL[:5], "a cell does not have 8 values"), (("cells", 1), CELL, "appears twice"),
    (("cells", 0, 6), "1", "'1' is not a number"), (("done",), [[99, True]], "done has"),
    (("done",), [[1]], "done has"), (("undone",), [[1, 1]], "undone has"), (("undone",), None, "undone is not a list"),
]  # fmt: skip


FORGED_TREES: list[tuple[str, Any, str]] = [
    ("action", "burn", "'burn' is not a change of elements"), ("tag", 3, "is not a change of elements"),
    ("attributes", {}, "attributes is not a list"), ("attributes", [["size", 1]], "is not an attribute"),
    ("at", "box", "'box' is not an element"), ("at", None, "has no element"), ("into", ["body"], "is not an element"),
    ("before", 3, "is not an element"), ("inside", None, "is not a change of elements"),
    ("action", "rename", "has no name"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "value", "why"), FORGED_TREES)
def test_a_forged_change_of_elements_is_refused(name: str, value: Any, why: str) -> None:
    move = TreeEdit("move", Place("body", "box"), "", (("pos", None),), Place("body", "arm"))
    journal = Journal().record(Entry(0, move.text, 0.0, 0.0, tree=(move,)))
    data = through(journal_data(SavedJournal(journal)))
    assert read_journal(data).journal == journal
    data["entries"][0]["tree"][0][name] = value
    with pytest.raises(ValueError, match=why):
        read_journal(data)


@pytest.mark.parametrize(("place", "value", "why"), FORGED)
def test_a_forged_journal_is_refused(place: tuple[Any, ...], value: Any, why: str) -> None:
    data = through(journal_data(saved()))
    inner = data
    for name in place[:-1]:
        inner = inner[name]
    inner[place[-1]] = value
    with pytest.raises(ValueError, match=why):
        read_journal(data)


def test_a_damaged_journal_is_read_or_refused() -> None:
    """Any one value replaced by any other: a ValueError or a journal, and nothing else."""
    chance, refused = random.Random(3), 0
    odd = [None, True, -1, 3, 1.5, float("nan"), "x", [], {}, [[]], {"x": 1}, 10**400, -0.0]
    for _ in range(2000):
        data = through(journal_data(saved()))
        inner = data
        while True:
            place = chance.choice([*inner] if isinstance(inner, dict) else range(len(inner)))
            if not isinstance(inner[place], dict | list) or not inner[place] or chance.random() < 0.2:
                break
            inner = inner[place]
        inner[place] = chance.choice(odd)
        try:
            got = read_journal(data)
        except ValueError as error:
            refused += 1
            assert str(error)
        else:
            got.rebased(lambda _: 1.0, "ab").undo().redo().values()
    assert refused > 1500
