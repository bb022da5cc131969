"""Changes of journals as data: each journal of a sequence is had again from the one before; damaged data is refused."""

from __future__ import annotations

import copy
import json
import random
from types import MappingProxyType
from typing import Any

import pytest

from app.run.journal.cells import Cell
from app.run.journal.journal import Entry, Journal, Write
from app.run.journal.journal_delta import changed_journal, journal_delta

GRAVITY = [Cell("opt.gravity", "", at, 0, "") for at in range(3)]


def edit(journal: Journal, rng: random.Random) -> Journal:
    """The journal after something that users do."""
    way = rng.randrange(5)
    if way == 0:
        return journal.undo()
    if way == 1:
        return journal.redo()
    if way == 2 and journal.entries:
        return journal.switch(rng.choice(journal.entries).number, rng.random() < 0.5)
    cell = rng.choice(GRAVITY)
    before = journal.values().get(cell, 0.0)
    write = Write(cell, before, float(rng.randrange(100)))
    return journal.record(Entry(0, "gravity", 1.0, 2.0, (write,), gesture=rng.randrange(3)))


def plain(journal: Journal) -> Any:
    """What must be the same; a gesture does not go on in another process."""
    entries = [(e.number, e.text, e.when, e.time, e.writes, e.on, e.clash, e.lost) for e in journal.entries]
    return entries, dict(journal.base), journal.done, journal.undone


@pytest.mark.parametrize("seed", range(5))
def test_each_journal_is_had_again(seed: int) -> None:
    rng = random.Random(seed)
    journal, read = Journal(), Journal()
    for _ in range(60):
        before, journal = journal, edit(journal, rng)
        read = changed_journal(read, json.loads(json.dumps(journal_delta(before, journal))))
        assert plain(read) == plain(journal)


def test_a_change_is_small() -> None:
    journal = Journal()
    for k in range(200):
        write = Write(GRAVITY[k % 3], 0.0, float(k))
        journal = journal.record(Entry(0, f"edit {k}", 1.0, 2.0, (write,)))
    after = journal.record(Entry(0, "one more", 1.0, 2.0, (Write(GRAVITY[0], 0.0, 7.0),)))
    assert len(json.dumps(journal_delta(journal, after))) < 500


def test_damaged_data_is_refused() -> None:
    journal = Journal().record(Entry(0, "gravity", 1.0, 2.0, (Write(GRAVITY[0], 0.0, 5.0),)))
    sound = journal_delta(Journal(), journal)
    assert plain(changed_journal(Journal(), sound)) == plain(journal)
    for path, value in (
        (("entries", 0), 1), (("entries", 1, 0, "number"), "x"), (("entries", 1, 0, "writes", 0, 0), "qpos0"),
        (("cells",), []), (("cells", 0, 5), None), (("done", 1, 0, 0), 9), (("done", 0), -1), (("undone",), None),
        (("entries",), MappingProxyType({})),
    ):  # fmt: skip
        damaged: Any = copy.deepcopy(sound)
        target = damaged
        for key in path[:-1]:
            target = target[key]
        target[path[-1]] = value
        with pytest.raises(ValueError, match=r"."):
            changed_journal(Journal(), damaged)
    with pytest.raises(ValueError, match="not a table"):
        changed_journal(Journal(), [])
