"""Cells: single numbers of a Model, addressed by the key of their element instead of a row, which reloads change.

A field whose rows belong to elements (a row of geom_friction, the dofs of a joint, the controls of an actuator) has the
cells of each element in one block. Options are one block without an element.
"""

from __future__ import annotations

import hashlib
from functools import cache, cached_property
from math import prod
from typing import Any, NamedTuple

import numpy as np

from app.model.element_keys import Keys, element_keys
from sim import Model
from sim.analysis.element_names import described
from sim.fields import MODEL_LAYOUT
from sim.named import KINDS, SPANS
from sim.script.state_vector import KEY_FIELDS

# leading extent of a field -> type of element
_KIND_OF_SIZE = {size: kind for kind, entry in KINDS.items() for size in entry.sizes} | {"ntree": "tree"}


class Cell(NamedTuple):
    """A number of a field: its element's key ("" for options), its place in the element's block, or one bit of it."""

    path: str
    element: str
    at: int
    bit: int = 0
    # numbers of a state mean nothing in a model of another layout
    layout: str = ""


def kind_of(path: str) -> str:
    """The type of element that a field's rows belong to; empty for options."""
    shape = MODEL_LAYOUT.places[path].field.shape
    return _KIND_OF_SIZE.get(shape[0], "") if shape and isinstance(shape[0], str) else ""


@cache
def _width(path: str) -> int:
    """The numbers in a row of a field, if that does not depend on the model; otherwise 0."""
    shape = MODEL_LAYOUT.places[path].field.shape[1:]
    return prod(extent for extent in shape if isinstance(extent, int)) if not any(map(_is_size, shape)) else 0


def _is_size(extent: int | str) -> bool:
    return isinstance(extent, str)


class Cells:
    """Translates between cells and the numbers of one model."""

    def __init__(self, model: Model) -> None:
        self._model = model
        self._in_file: dict[Cell, float | None] = {}

    @cached_property
    def _keys(self) -> Keys:
        return element_keys(self._model)

    @cached_property
    def layout(self) -> str:
        """Names the meaning of the numbers in a state: models of one layout can share states."""
        m = self._model
        mocap = [key for key, number in zip(self._keys["body"], m.body_mocapid.tolist(), strict=True) if number >= 0]
        sizes = (m.nq, m.nv, m.na, m.nu, m.nmocap)
        content = (sizes, m.jnt_type.tolist(), self._keys["joint"], self._keys["actuator"], mocap)
        return hashlib.sha256(repr(content).encode()).hexdigest()[:16]

    @cached_property
    def _index(self) -> dict[str, dict[str, int]]:
        return {kind: {key: k for k, key in enumerate(keys)} for kind, keys in self._keys.items()}

    def cell(self, path: str, at: int, bit: int = 0) -> Cell:
        """The cell of a number in the flattened field."""
        kind, layout = kind_of(path), self.layout if path in KEY_FIELDS else ""
        if not kind:
            return Cell(path, "", at, bit)
        width, starts = self._row_width(path), self._starts(path)
        row, column = divmod(at, width)
        index = row if starts is None else int(np.searchsorted(starts, row, side="right")) - 1
        first = row if starts is None else int(starts[index])
        return Cell(path, self._keys[kind][index], (row - first) * width + column, bit, layout)

    def at(self, cell: Cell) -> int | None:
        """The place of a cell in the flattened field; None if the model does not have it."""
        index = self.index(cell)
        if index is None:
            return None
        if not kind_of(cell.path):
            return cell.at if cell.at < max(np.size(self._model.read(cell.path)), 1) else None
        starts = self._starts(cell.path)
        first = index if starts is None else int(starts[index])
        at = first * self._row_width(cell.path) + cell.at
        fits = at < np.size(self._model.read(cell.path)) and self.cell(cell.path, at, cell.bit) == cell
        return at if fits else None

    def index(self, cell: Cell) -> int | None:
        """The element that a cell belongs to; 0 for options, None if the model does not have it."""
        kind = kind_of(cell.path)
        return self._index.get(kind, {}).get(cell.element) if kind else 0

    def owner(self, cell: Cell) -> str:
        """The element of a cell as people call it; empty for options and for what the model does not have."""
        kind, index = kind_of(cell.path), self.index(cell)
        return described(self._model, kind, index) if kind and index is not None else ""

    def read(self, cell: Cell, values: Any = None) -> float | None:
        """The number in a cell, of the model or of other values by field; None if there is no such cell."""
        at = self.at(cell)
        if at is None:
            return None
        field = self._model.read(cell.path) if values is None else values[cell.path]
        if cell.bit:
            return float(bool(int(field) & cell.bit))
        # a field may have grown since
        return float(np.ravel(field)[at]) if at < np.size(field) else None

    def in_file(self, cell: Cell) -> float | None:
        """The number in a cell as the file has it, looked up once; None if there is no such cell."""
        if cell not in self._in_file:
            self._in_file[cell] = self.read(cell, self._model.file_values)
        return self._in_file[cell]

    def _row_width(self, path: str) -> int:
        return _width(path) or int(prod(np.shape(self._model.read(path))[1:]))

    def _starts(self, path: str) -> Any:
        """The first row of each element's block; None if each has one row."""
        size = MODEL_LAYOUT.places[path].field.shape[0]
        return self._model.read(SPANS[str(size)][0]) if size in SPANS else None
