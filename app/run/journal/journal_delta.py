"""How a journal differs from another one before it, as data for JSON: recordings have one for every change.

Journals share their entries: what is the same object is the same entry. Checked on reading as `journal_file.py` does.
"""

from __future__ import annotations

from collections.abc import Sequence
from types import MappingProxyType
from typing import Any

from app.run.journal.journal import Journal
from app.run.journal.journal_file import entry_data, read_cell, read_entry, read_switches, read_value

KEYS = {"entries", "cells", "done", "undone"}
MOST = 100_000


def journal_delta(before: Journal, after: Journal) -> dict[str, Any]:
    """What changes a journal into another."""
    cells = [[*cell, value] for cell, value in after.base.items() if before.base.get(cell) != value]
    entries = [entry_data(entry) for entry in after.entries[_same(before.entries, after.entries) :]]
    done, undone = ((_same(a, b), b) for a, b in ((before.done, after.done), (before.undone, after.undone)))
    return {
        "entries": [_same(before.entries, after.entries), entries],
        "cells": cells,
        "done": [done[0], [[one.number, one.on] for one in done[1][done[0] :]]],
        "undone": [undone[0], [[one.number, one.on] for one in undone[1][undone[0] :]]],
    }


def changed_journal(before: Journal, data: Any) -> Journal:
    """The journal that `journal_delta` was made for; ValueError if the data is not such."""
    _need(isinstance(data, dict) and data.keys() == KEYS, "a journal is not a table of its changes")
    kept, added = _tail(data["entries"], len(before.entries))
    entries = (*before.entries[:kept], *map(read_entry, added))
    numbers = [entry.number for entry in entries]
    _need(numbers == sorted({*numbers}), "the numbers of entries do not increase")
    base = dict(before.base)
    _need(isinstance(data["cells"], list), "the cells of a journal are not a list")
    for item in data["cells"]:
        _need(isinstance(item, list) and len(item) == 6, "a cell does not have 6 values")
        cell = read_cell(item[:5])
        base[cell] = read_value(cell, item[5])
    _need(all(write.cell in base for entry in entries for write in entry.writes), "a cell has no base")
    switches = {}
    for name, old in (("done", before.done), ("undone", before.undone)):
        first, rest = _tail(data[name], len(old))
        switches[name] = (*old[:first], *read_switches(rest, {*numbers}, name))
        _need(all(one.number in numbers for one in switches[name]), f"{name} has an entry that does not exist")
    return Journal(entries, MappingProxyType(base), switches["done"], switches["undone"])


def _tail(data: Any, length: int) -> tuple[int, list[Any]]:
    """How many are kept, and what follows them."""
    sound = isinstance(data, list) and len(data) == 2 and type(data[0]) is int and 0 <= data[0] <= length
    _need(sound and isinstance(data[1], list) and len(data[1]) <= MOST, "a list of a journal is not valid")
    return data[0], data[1]


def _same(before: Sequence[Any], after: Sequence[Any]) -> int:
    """How many of the first are the same."""
    count = 0
    for old, new in zip(before, after, strict=False):
        if old is not new:
            break
        count += 1
    return count


def _need(sound: bool, why: str) -> None:
    if not sound:
        raise ValueError(why)
