"""What changed in the file of a model, in MJCF's words: `friction of geom floor: 1 → 0.8`, `+2 geoms, -1 joint`.

Compares what two loads of the file gave (`Model.file_values`), edits aside. Elements are matched by their keys, fields
are named as in the table of attributes; the end of a vector that is the same is left out. What follows from other
attributes, such as the mass of a body, is listed only if nothing else is.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from app.model.element_keys import element_keys, matched
from app.model.parameters import VECTORS, in_file, shown_parameters
from sim import Model
from sim.analysis.element_names import described
from sim.attributes import ATTRIBUTES, Attribute
from sim.attributes.keywords import KEYWORDS
from sim.named import JOINT_ROWS, KINDS, SPANS
from sim.tree_edit import shown

# entries of a summary, and characters of a value
MOST, LONGEST = 3, 40
PLURALS = {"body": "bodies", "key": "keyframes", "equality": "equalities"}
# beginnings of fields that follow from others, and from those before
FOLLOWING = ("key_qpos", "body_mass", "body_i", "stat.")
# element of the table -> type of element; the others are settings
KIND_OF = {row.element: row.element for row in ATTRIBUTES if row.element in KINDS} | {"inertial": "body"}


def file_changes(before: Model, after: Model) -> list[str]:
    """One entry for each change; equal changes of several elements are one."""
    difference = _Difference(before, after)
    changes = [*difference.elements()]
    rows = [row for row in ATTRIBUTES if row.field and row.field not in VECTORS]
    changes += difference.parameters()
    changes += [text for row in rows if not row.field.startswith(FOLLOWING) for text in difference.attribute(row)]
    for following in FOLLOWING:
        changes = changes or [t for row in rows if row.field.startswith(following) for t in difference.attribute(row)]
    return changes or [*difference.others()]


def summary(changes: Sequence[str]) -> str:
    """The first changes, and how many more there are."""
    more = f" ... and {len(changes) - MOST} more" if len(changes) > MOST else ""
    return "; ".join(changes[:MOST]) + more


class _Difference:
    """Two models and their elements."""

    def __init__(self, before: Model, after: Model) -> None:
        self._before, self._after = before, after
        self._old, self._new = _all_keys(before), _all_keys(after)
        self._same = {kind: matched(self._old[kind], self._new[kind]) for kind in self._new}

    def elements(self) -> Iterator[str]:
        """Elements that came, went or were renamed."""
        counts = []
        for kind in (kind for kind in self._new if kind != "tree"):
            added = int(np.count_nonzero(self._same[kind] < 0))
            removed = len(self._old[kind]) - len(self._same[kind]) + added
            counts += [f"{sign}{counted(n, kind)}" for sign, n in (("+", added), ("-", removed)) if n]
        if counts:
            yield ", ".join(counts)
        for kind, same in self._same.items():
            names = (self._before.names[kind], self._after.names[kind]) if kind != "tree" else ((), ())
            for index, old in enumerate(same.tolist() if kind != "tree" else ()):
                if old >= 0 and names[0][old] != names[1][index]:
                    yield f"{kind} {shown(self._old[kind][old])} renamed {names[1][index] or 'to no name'}"

    def attribute(self, row: Attribute) -> Iterator[str]:
        """The changes of one attribute."""
        if "." in row.field:
            old, new = (np.ravel(_value(model, row.field)) for model in (self._before, self._after))
            texts = self._texts(row, old, new)
            if texts is not None:
                yield f"{_setting(row)}: {texts[0]} → {texts[1]}"
            return
        groups: dict[tuple[str, str], list[int]] = {}
        kind = "tree" if row.shape[0] == "ntree" else KIND_OF[row.element]
        for index, texts in self._changed(row, kind):
            groups.setdefault(texts, []).append(index)
        for (before, after), indices in groups.items():
            which = self._which(kind, indices)
            yield f"{row.name} of {which}: {before} → {after}"

    def _which(self, kind: str, indices: Sequence[int]) -> str:
        """One element as people call it, or how many there are."""
        if len(indices) > 1:
            return counted(len(indices), "body" if kind == "tree" else kind)
        if kind == "tree":
            return described(self._after, "body", int(self._after.tree_bodyadr[indices[0]]))
        return described(self._after, kind, indices[0])

    def parameters(self) -> Iterator[str]:
        """The changes of actuators' parameters, by the names that people know."""
        for index, old in enumerate(self._same["actuator"].tolist()):
            if old < 0:
                continue
            rows = [
                _table(model, VECTORS, np.array([row])) for model, row in ((self._before, old), (self._after, index))
            ]
            if not _unequal(*rows).any():
                continue
            numbers = [_parameters(model, row) for model, row in ((self._before, old), (self._after, index))]
            for name in dict.fromkeys([*numbers[0], *numbers[1]]):
                texts = [f"{found[name]:.6g}" if name in found else "none" for found in numbers]
                if texts[0] != texts[1]:
                    yield f"{name} of {described(self._after, 'actuator', index)}: {texts[0]} → {texts[1]}"

    def others(self) -> Iterator[str]:
        """Fields that differ though no attribute does: what a mesh file says, for example."""
        for name in self._after.layout.places:
            old, new = _value(self._before, name), _value(self._after, name)
            if old.shape != new.shape or _unequal(old, new).any():
                yield name

    def _changed(self, row: Attribute, kind: str) -> Iterator[tuple[int, tuple[str, str]]]:
        """The elements whose attribute has changed, and its text before and after."""
        fields = (row.field, f"{row.field}poly") if row.poly else (row.field,)
        size, same = str(row.shape[0]), self._same[kind]
        new_rows, old_rows = _rows(self._after, size), _rows(self._before, size)
        both = np.flatnonzero((same >= 0) & (new_rows >= 0))
        both = both[old_rows[same[both]] >= 0]
        old = _table(self._before, fields, old_rows[same[both]])
        new = _table(self._after, fields, new_rows[both])
        # numbers of something else have come or gone
        if old.shape[1] != new.shape[1]:
            return
        differ = np.arange(len(both)) if row.type.base == "ref" else np.flatnonzero(_unequal(old, new).any(axis=1))
        for at in differ.tolist():
            texts = self._texts(row, old[at], new[at])
            if texts is not None:
                yield int(both[at]), texts

    def _texts(self, row: Attribute, old: NDArray[Any], new: NDArray[Any]) -> tuple[str, str] | None:
        """An attribute before and after, as MJCF writes it; None if it is the same."""
        if row.type.base == "ref" and row.type.argument in self._new:
            kind, index = row.type.argument, int(new[0])
            same = int(old[0]) == (self._same[kind][index] if index >= 0 else -1)
            return None if same else (_named(self._old[kind], int(old[0])), _named(self._new[kind], index))
        if row.bit >= 0:
            on = "enable", "disable"
            states = [bool(int(values[0]) >> row.bit & 1) != (row.field == "opt.enableflags") for values in (old, new)]
            return None if states[0] == states[1] else (on[states[0]], on[states[1]])
        differ = np.flatnonzero(_unequal(old, new))
        if not len(differ):
            return None
        end = int(differ[-1]) + 1
        return _written(row, old[:end]), _written(row, new[:end])


def _all_keys(model: Model) -> dict[str, Sequence[str]]:
    """The keys of elements, and of assets by name."""
    assets = {
        kind: [name or f"{kind} {index}" for index, name in enumerate(model.names[kind])]
        for kind in ("texture", "mesh", "hfield", "skin")
    }
    return {**element_keys(model), **assets}


def _parameters(model: Model, index: int) -> dict[str, float]:
    """What the file says about the parameters of an actuator."""
    read = in_file(model, model.file_values)
    found = shown_parameters(model, "actuator", index, model.file_values)
    return {parameter.name: parameter.number(read) for parameter in found if parameter.scale is None}


def _rows(model: Model, size: str) -> NDArray[np.intp]:
    """For each element, its row of the fields that `size` counts, the first if it has several; -1 if it has none."""
    if size not in SPANS:
        return np.arange(int(model.read(size)))
    rows = model.read(SPANS[size][0]).astype(np.intp)
    # the coordinates of ball and free joints are set by their body
    return np.where(np.array(JOINT_ROWS[size])[model.jnt_type] == 1, rows, -1) if size == "nq" else rows


def _table(model: Model, fields: Sequence[str], rows: NDArray[np.intp]) -> NDArray[Any]:
    """What the file says about some rows of fields, side by side."""
    found = [_value(model, name)[rows] for name in fields]
    return np.hstack([values.reshape(len(rows), prod(values.shape[1:])) for values in found])


def _value(model: Model, name: str) -> NDArray[Any]:
    """What the file says about a field; of large ones only the present value is known."""
    found = model.file_values.get(name)
    return np.asarray(model.read(name) if found is None else found)


def _unequal(old: NDArray[Any], new: NDArray[Any]) -> NDArray[np.bool_]:
    """Where numbers differ; those that are not finite equal themselves."""
    unequal: NDArray[np.bool_] = (old != new) & ~((old != old) & (new != new))
    return unequal


def _named(keys: Sequence[str], index: int) -> str:
    return shown(keys[index]) if index >= 0 else "none"


def _written(row: Attribute, values: NDArray[Any]) -> str:
    """Values as MJCF writes them."""
    words = {value: word for word, value in KEYWORDS.get(row.type.argument, {}).items()}
    if row.type.base == "enum":
        return " ".join(words.get(int(value), str(value)) for value in values)
    if row.type.base == "flags":
        return " ".join(word for bit, word in words.items() if int(values[0]) & bit) or "none"
    if values.dtype == bool:
        return " ".join(str(bool(value)).lower() for value in values)
    text = " ".join(f"{value:.6g}" for value in values.tolist())
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}..."


def _setting(row: Attribute) -> str:
    """The name of a setting."""
    if row.bit >= 0:
        return f"flag {row.name}"
    return row.name if row.element == "option" else f"{row.name} of {row.element}"


def counted(number: int, kind: str) -> str:
    """So many elements of a type."""
    return f"{number} {kind if number == 1 else PLURALS.get(kind, kind + 's')}"
