"""A journal as data for JSON, and back: checked number by number, for a file may be damaged or forged.

With the journal goes what the file said about each cell and what the model had, so that the journal can be rebased on a
file that has changed meanwhile. States are not saved: a change of the state stays in the list as a text, and undo goes
to the newest change of the model.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from math import isfinite, isnan
from types import MappingProxyType
from typing import Any

from app.model.editable import BY_PATH, FLAG_PATHS
from app.run.journal.cells import Cell, kind_of
from app.run.journal.journal import Entry, Journal, NewKey, Switched, Write
from sim.fields import MODEL_LAYOUT
from sim.script.state_vector import KEY_FIELDS
from sim.tree_edit import ACTIONS, Place, TreeEdit

STATE_LOST = "its state was not saved"
LARGEST_INT = 1 << 31
TREE = {"action", "tag", "attributes", "at", "into", "before", "inside"}
ENTRY = {"number", "text", "when", "time", "writes", "key", "removed", "on", "clash", "lost"}
Values = Mapping[Cell, float]


@dataclass(frozen=True)
class SavedJournal:
    """A journal, and the values of its cells in the file and in the model that it was made for."""

    journal: Journal = field(default_factory=Journal)
    in_file: Values = field(default_factory=dict)
    present: Values = field(default_factory=dict)

    def rebased(self, read: Callable[[Cell], float | None], layout: str) -> Journal:
        """The journal on the file as it is now; `layout` is that of its states."""
        return self.journal.rebase(self.in_file, self.present, read, layout)


def journal_data(saved: SavedJournal) -> dict[str, Any]:
    """What JSON can hold of a journal."""
    journal = saved.journal
    states = {entry.number for entry in journal.entries if entry.state is not None}
    return {
        "entries": [entry_data(entry) for entry in journal.entries],
        "cells": [
            [*cell, value, *(_known(values, cell) for values in (saved.in_file, saved.present))]
            for cell, value in journal.base.items()
        ],
        "done": [[one.number, one.on] for one in journal.done if one.number not in states],
        "undone": [[one.number, one.on] for one in journal.undone if one.number not in states],
    }


def _known(values: Values, cell: Cell) -> float | None:
    value = values.get(cell)
    return None if value is None else float(value)


def entry_data(entry: Entry) -> dict[str, Any]:
    key, tree = entry.key, entry.tree
    return {
        "number": entry.number,
        "text": entry.text,
        "when": float(entry.when),
        "time": float(entry.time),
        "writes": [[*write.cell, float(write.before), float(write.after)] for write in entry.writes],
        "key": None if key is None else _key_data(key),
        "removed": [*entry.removed],
        "on": entry.on,
        "clash": entry.clash,
        "lost": STATE_LOST if entry.state is not None else entry.lost,
    } | ({"tree": [_tree_data(edit) for edit in tree]} if tree else {})


def _tree_data(edit: TreeEdit) -> dict[str, Any]:
    places = {"at": edit.at, "into": edit.into, "before": edit.before}
    data = {name: None if place is None else [*place] for name, place in places.items()}
    attributes = [[*pair] for pair in edit.attributes]
    return {"action": edit.action, "tag": edit.tag, "attributes": attributes, "inside": edit.inside, **data}


def _key_data(key: NewKey) -> dict[str, Any]:
    return {"name": key.name, "values": {path: [*numbers] for path, numbers in key.values}, "layout": key.layout}


# ---- reading


def read_journal(data: Any) -> SavedJournal:
    """The journal in the data of a file; ValueError if it is not one that `journal_data` makes."""
    table = _table(data, {"entries", "cells", "done", "undone"}, "journal")
    entries = tuple(read_entry(item) for item in _list(table["entries"], "entries"))
    numbers = [entry.number for entry in entries]
    _need(numbers == sorted({*numbers}), "the numbers of entries do not increase")
    base, in_file, present = dict[Cell, float](), dict[Cell, float](), dict[Cell, float]()
    for item in _list(table["cells"], "cells"):
        _need(isinstance(item, list) and len(item) == 8, "a cell does not have 8 values")
        cell = read_cell(item[:5])
        _need(cell not in base, f"{cell.path} of {cell.element!r} appears twice")
        base[cell] = read_value(cell, item[5])
        for values, value in ((in_file, item[6]), (present, item[7])):
            if value is not None:
                values[cell] = read_value(cell, value)
    missing = next((w.cell for entry in entries for w in entry.writes if w.cell not in base), None)
    _need(missing is None, f"{missing} has no base")
    done, undone = (read_switches(table[name], {*numbers}, name) for name in ("done", "undone"))
    return SavedJournal(Journal(entries, MappingProxyType(base), done, undone), in_file, present)


def read_entry(data: Any) -> Entry:
    structural = isinstance(data, dict) and "tree" in data
    table = _table(data, ENTRY | {"tree"} if structural else ENTRY, "an entry")
    number = table["number"]
    _need(type(number) is int and 0 < number < LARGEST_INT, "the number of an entry is not a positive integer")
    for name in ("text", "lost"):
        _need(isinstance(table[name], str), f"{name} of entry {number} is not a string")
    for name in ("on", "clash"):
        _need(isinstance(table[name], bool), f"{name} of entry {number} is not a truth value")
    for name in ("when", "time"):
        _need(type(table[name]) is float and isfinite(table[name]), f"{name} of entry {number} is not a finite number")
    writes = tuple(_write(item) for item in _list(table["writes"], "writes"))
    removed = tuple(_list(table["removed"], "removed"))
    _need(all(isinstance(name, str) for name in removed), f"removed of entry {number} has something that is not a name")
    plain = {name: table[name] for name in ("number", "text", "when", "time", "on", "clash", "lost")}
    tree = tuple(map(_tree, _list(table["tree"], "changes of elements"))) if structural else ()
    return Entry(writes=writes, key=_key(table["key"]), removed=removed, tree=tree, **plain)


def _write(data: Any) -> Write:
    _need(isinstance(data, list) and len(data) == 7, "a write does not have 7 values")
    cell = read_cell(data[:5])
    return Write(cell, read_value(cell, data[5]), read_value(cell, data[6]))


def read_cell(data: list[Any]) -> Cell:
    path, element, at, bit, layout = data
    known = isinstance(path, str) and (path in BY_PATH or path in FLAG_PATHS or path in KEY_FIELDS)
    _need(known, f"{path!r} is not a field that can be edited")
    _need(isinstance(element, str), f"the element of {path} is not a string")
    _need(bool(element) == bool(kind_of(path)), f"{path} cannot belong to {element!r}")
    _need(type(at) is int and 0 <= at < LARGEST_INT, f"{path} has no number {at!r}")
    _need(type(bit) is int and 0 <= bit < LARGEST_INT, f"{bit!r} is not a bit of {path}")
    single = bit.bit_count() == 1 and at == 0
    _need(single if path in FLAG_PATHS else bit == 0, f"{bit} is not a bit of {path}")
    _need(isinstance(layout, str) and bool(layout) == (path in KEY_FIELDS), f"{layout!r} is not a layout of {path}")
    return Cell(path, element, at, bit, layout)


def read_value(cell: Cell, value: Any) -> float:
    """The number of a cell; that of an integer is one that its field may have."""
    _need(type(value) is float and not isnan(value), f"{value!r} is not a number for {cell.path}")
    number = float(value)
    if MODEL_LAYOUT.places[cell.path].field.dtype.startswith("f"):
        return number
    row = BY_PATH.get(cell.path)
    whole = number.is_integer() and abs(number) < LARGEST_INT
    if cell.bit or (row is not None and row.widget == "switch"):
        whole = number in (0.0, 1.0)
    elif row is not None and row.choices:
        whole = number in [choice for _, choice in row.choices]
    _need(whole, f"{value!r} is not a value of {cell.path}")
    return number


def _key(data: Any) -> NewKey | None:
    if data is None:
        return None
    table = _table(data, {"name", "values", "layout"}, "a keyframe")
    for name in ("name", "layout"):
        _need(isinstance(table[name], str), f"the {name} of a keyframe is not a string")
    values = _table(table["values"], {*KEY_FIELDS}, "values of a keyframe")
    for path, numbers in values.items():
        sound = all(type(number) is float and isfinite(number) for number in _list(numbers, path))
        _need(sound, f"{path} of a keyframe has something that is not a finite number")
    return NewKey(table["name"], tuple((path, tuple(numbers)) for path, numbers in values.items()), table["layout"])


def _tree(data: Any) -> TreeEdit:
    table = _table(data, TREE, "a change of elements")
    action, tag, pairs = table["action"], table["tag"], _list(table["attributes"], "attributes")
    known = action in ACTIONS and isinstance(tag, str) and isinstance(table["inside"], str)
    _need(known, f"{action!r} is not a change of elements")
    for pair in pairs:
        sound = isinstance(pair, list) and len(pair) == 2 and isinstance(pair[0], str)
        _need(sound and isinstance(pair[1], str | None), f"{pair!r} is not an attribute")
    at, into, before = (_place(table[name]) for name in ("at", "into", "before"))
    _need(action == "add" or at is not None, "a change of elements has no element")
    named = action != "rename" or any(name == "name" and value is not None for name, value in pairs)
    _need(named, "a renamed element has no name")
    return TreeEdit(action, at, tag, tuple((name, value) for name, value in pairs), into, before, table["inside"])


def _place(data: Any) -> Place | None:
    sound = isinstance(data, list) and len(data) == 2 and all(isinstance(part, str) for part in data)
    _need(data is None or sound, f"{data!r} is not an element")
    return None if data is None else Place(*data)


def read_switches(data: Any, numbers: set[int], name: str) -> tuple[Switched, ...]:
    pairs = _list(data, name)
    for pair in pairs:
        sound = isinstance(pair, list) and len(pair) == 2 and type(pair[0]) is int and isinstance(pair[1], bool)
        _need(sound and pair[0] in numbers, f"{name} has {pair!r}, which is not an entry and a truth value")
    return tuple(Switched(number, on) for number, on in pairs)


def _table(data: Any, names: set[str], what: str) -> dict[str, Any]:
    sound = isinstance(data, dict) and data.keys() == names
    _need(sound, f"{what} is not a table of {', '.join(sorted(names))}")
    return dict(data)


def _list(data: Any, what: str) -> list[Any]:
    _need(isinstance(data, list), f"{what} is not a list")
    return list(data)


def _need(sound: bool, why: str) -> None:
    if not sound:
        raise ValueError(why)
