"""Edits of a Model as plain numbers: what differs between it and its file, and a way to any set of them.

`apply_edits` makes a model its file with edits on top, to the bit the same whatever edits it had before: what an edit
leaves goes back to what the file says, and constants that depend on edited fields are computed from the file's values
and the edits alone. The edits of a model are kept with it; what a script writes to other cells is left alone.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sim import enums
from sim.attributes import ATTRIBUTES, Attribute
from sim.attributes.keywords import KEYWORDS
from sim.edits import NO_EDITS, CellValue, Key, ModelEdits
from sim.fields import MODEL_LAYOUT
from sim.fields.references import GUARDS, check_references
from sim.mjcf.set_const.dependents import DEPENDENTS, update_dependents
from sim.mjcf.set_const.set_const import EDIT_CONSTANTS
from sim.model import Model
from sim.script.keyframes import insert_keyframe, remove_keyframe
from sim.script.state_vector import KEY_FIELDS

_EDITABLE: dict[str, Attribute] = {row.field: row for row in ATTRIBUTES if row.edit}
FLAGS = ("opt.disableflags", "opt.enableflags", "opt.disableactuator")
# fields of which constants depend
SOURCES = frozenset(path for path, row in _EDITABLE.items() if row.edit.endswith(" *"))
# fields that an edit and the computation of constants both set: it starts from what the file and the edits say
COMPLETED = ("eq_data", "actuator_biasprm", "tendon_lengthspring")
# what the computation reads besides
READ = SOURCES | {*COMPLETED, "actuator_gainprm"}


def edits_of(m: Model) -> ModelEdits:
    """The edits that a model has."""
    edits: ModelEdits = m.__dict__.get("edits", NO_EDITS)
    return edits


def apply_edits(m: Model, edits: ModelEdits) -> set[str]:
    """Make a model its file with these edits on top; returns the fields that changed, dependent ones included.

    ValueError: there is no such cell, or constants cannot be computed from it; the model is as it was.
    """
    before = edits_of(m)
    if edits is before or edits == before:
        return set()
    _check_cells(m, edits)
    try:
        changed = _apply(m, before, edits)
        check_references(m, tuple({name for path in changed & GUARDS.keys() for name in GUARDS[path]}))
    except ValueError:
        _apply(m, edits, before)
        raise
    m.__dict__["edits"] = edits
    return changed


def _apply(m: Model, before: ModelEdits, edits: ModelEdits) -> set[str]:
    """From one set of edits to another."""
    keys = _apply_keys(m, before, edits)
    changed: set[str] = set()
    for path in before.cells.keys() | edits.cells.keys():
        old, new = before.cells.get(path, ()), edits.cells.get(path, ())
        # keyframes have been written already
        if not (keys and path in KEY_FIELDS) and old != new and _write(m, path, old, new, edits.keys):
            changed.add(path)
    if not changed:
        return keys
    for path in changed & DEPENDENTS.keys():
        _set_dependents(m, path, edits)
    if changed & READ and (_sources(m, before) or _sources(m, edits)):
        _set_constants(m, edits)
    return changed | keys | {field for path in changed if path in DEPENDENTS for field in DEPENDENTS[path][1]}


# ---------------------------------------------------------------- cells


def _write(m: Model, path: str, old: Iterable[CellValue], new: Iterable[CellValue], keys: Iterable[Key]) -> bool:
    """Write the new cells of a field, and what the file says to those that were edited before; whether any changed."""
    original = file_field(m, path, keys)
    wanted = {(cell.at, cell.bit): number_at(original, cell.at, cell.bit) for cell in old}
    wanted |= {(cell.at, cell.bit): cell.value for cell in new}
    value = m.read(path)
    if not isinstance(value, np.ndarray):
        word = value
        for (_, bit), number in wanted.items():
            word = (word | bit if number else word & ~bit) if bit else type(word)(number)
        m.write(path, word)
        return bool(word != value)
    at = np.fromiter((place for place, _ in wanted), np.intp, len(wanted))
    numbers = np.fromiter(wanted.values(), float, len(wanted)).astype(value.dtype)
    # not ravel, which may copy
    flat = value.reshape(-1)
    # the field may have been completed since
    differs = path in COMPLETED or bool((flat[at] != numbers).any())
    flat[at] = numbers
    return differs


def file_field(m: Model, path: str, keys: Iterable[Key] | None = None) -> Any:
    """What the file says about a field, flat; of keyframes that were added, what they were added with."""
    keys = edits_of(m).keys if keys is None else keys
    values = m.file_values[path]
    if path not in KEY_FIELDS or all(row >= 0 for row in m.key_rows):
        return np.ravel(values)
    added = {key.name: dict(key.values) for key in keys}
    now = np.zeros(np.shape(m.read(path)))
    for key, row in enumerate(m.key_rows):
        own = values[row] if row >= 0 else added.get(m.names["key"][key], {}).get(path, 0.0)
        now[key] = np.reshape(own, now[key].shape) if np.size(own) == now[key].size else own
    return np.ravel(now)


def number_at(field: NDArray[Any], at: int, bit: int) -> float:
    """The number of a cell in a field, flat."""
    return float(bool(int(field[0]) & bit)) if bit else float(field[at])


# ---------------------------------------------------------------- keyframes


def _apply_keys(m: Model, before: ModelEdits, edits: ModelEdits) -> set[str]:
    """Add and remove keyframes, and set all their numbers; returns the fields that changed."""
    if before.keys == edits.keys:
        return set()
    for number in range(m.nkey - 1, -1, -1):
        if m.key_rows[number] < 0:
            remove_keyframe(m, number)
    # one that was saved is the file's
    own = {*m.names["key"]}
    for key in edits.keys:
        if key.name not in own:
            insert_keyframe(m, dict(key.values), key.name)
    for path in KEY_FIELDS:
        m.read(path).reshape(-1)[:] = file_field(m, path, edits.keys)
        _write(m, path, (), edits.cells.get(path, ()), edits.keys)
    return {*KEY_FIELDS, "nkey"}


# ---------------------------------------------------------------- constants


def _sources(m: Model, edits: ModelEdits) -> bool:
    """Whether a field that constants depend on differs from the file."""
    return any(
        number_at(np.ravel(m.file_values[path]), cell.at, cell.bit) != cell.value
        for path in SOURCES & edits.cells.keys()
        for cell in edits.cells[path]
    )


def _set_constants(m: Model, edits: ModelEdits) -> None:
    """Set the constants that depend on edited fields; without such edits they are the file's, to the bit."""
    if not _sources(m, edits):
        for path in EDIT_CONSTANTS:
            m.write(path, _with_cells(m, path, edits))
        update_dependents(m, edits.cells.keys())
        return
    m.engine.set_constants(m, {path: _with_cells(m, path, edits) for path in COMPLETED})


def _with_cells(m: Model, path: str, edits: ModelEdits) -> Any:
    """A field with the file's values and the edits of it."""
    cells = edits.cells.get(path, ())
    if not cells:
        return m.file_values[path]
    value = np.array(m.file_values[path])
    for cell in cells:
        value.reshape(-1)[cell.at] = cell.value
    return value


def _set_dependents(m: Model, path: str, edits: ModelEdits) -> None:
    """Update what depends on a field; as in the file, to the bit, if nothing that it depends on is edited."""
    update, dependents = DEPENDENTS[path]
    if any(DEPENDENTS[other][0] is update for other in DEPENDENTS.keys() & edits.cells.keys()):
        update(m)
        return
    for name in dependents:
        m.write(name, m.file_values[name])


# ---------------------------------------------------------------- edits from files


def check_edits(m: Model, edits: ModelEdits) -> None:
    """Raise ValueError unless edits from a file can be made: fields that can be edited, legal whole numbers, sizes."""
    for path, cells in edits.cells.items():
        row = _EDITABLE.get(path)
        if row is None and path not in FLAGS and path not in KEY_FIELDS:
            raise ValueError(f"{path} cannot be edited")
        for cell in cells:
            if not np.isfinite(cell.value):
                raise ValueError(f"an edit of {path} is not finite")
            if (cell.bit != 0) != (path in FLAGS) or not 0 <= cell.bit < 1 << 31 or cell.bit & (cell.bit - 1):
                raise ValueError(f"an edit of {path} has the invalid bit {cell.bit}")
            if row is not None and MODEL_LAYOUT.places[path].field.dtype[0] != "f":
                _check_whole(row, cell.value)
    if len({key.name for key in edits.keys}) < len(edits.keys):
        raise ValueError("two keyframes have the same name")
    for key in edits.keys:
        sizes = {path: int(np.prod(np.shape(m.read(path))[1:])) for path in KEY_FIELDS}
        if {path: len(values) for path, values in key.values} != sizes:
            raise ValueError(f"the keyframe {key.name!r} belongs to another model")
    # without keyframes, whose rows are not there yet
    _check_cells(m, edits)


def _check_whole(row: Attribute, value: float) -> None:
    """A whole number of a field must be legal: native code takes it at its word."""
    widget, *rest = row.edit.split()
    if widget == "switch":
        legal = value in (0, 1)
    elif widget == "pick":
        legal = value in [int(number) for number in rest]
    elif row.field == "tree_sleep_policy":
        legal = value in range(enums.SLEEP_INIT + 1)
    elif widget == "enum":
        legal = value in KEYWORDS[row.type.argument].values()
    else:
        legal = value == int(value) and (0 if rest == [">=0"] else -(1 << 31)) <= value < 1 << 31
    if not legal:
        raise ValueError(f"an edit sets {row.field} to {value:g}")


def _check_cells(m: Model, edits: ModelEdits) -> None:
    """Raise ValueError unless the model has all cells, once its keyframes are those of the edits."""
    own = {name for name, row in zip(m.names["key"], m.key_rows, strict=True) if row >= 0}
    keys = sum(row >= 0 for row in m.key_rows) + sum(key.name not in own for key in edits.keys)
    for path, cells in edits.cells.items():
        if path not in MODEL_LAYOUT.places:
            raise ValueError(f"Model has no field {path}")
        shape = np.shape(m.read(path))
        size = keys * int(np.prod(shape[1:])) if path in KEY_FIELDS else int(np.prod(shape))
        if cells and not 0 <= min(cell.at for cell in cells) <= max(cell.at for cell in cells) < size:
            raise ValueError(f"an edit of {path} is outside its {size} numbers")
