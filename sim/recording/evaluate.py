"""Expressions at the rows of a run: what depends on the state alone for all rows at once, everything else row by row.

The value at a moment is what `forward` gives at its state. An expression that reads nothing but Model and numbers of a
row needs no `forward`: which columns it reads is found with Data in which each number of the state is its column.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sim.enums import STATE_RECORD
from sim.model import Data, Model
from sim.script.expression import (
    MOST_WORK,
    BadExpression,
    Evaluator,
    evaluate,
    numbers,
    parse,
)
from sim.state.signature import state_places, state_shapes

# numbers of rows that are evaluated at once
CHUNK = 1 << 20
# functions of all numbers of an array
REDUCTIONS: dict[Callable[..., Any], Callable[[NDArray[Any]], NDArray[Any]]] = {
    np.sum: lambda rows: rows.sum(axis=1),
    np.mean: lambda rows: rows.mean(axis=1),
    np.min: lambda rows: rows.min(axis=1),
    np.max: lambda rows: rows.max(axis=1),
    np.linalg.norm: lambda rows: np.sqrt((rows * rows).sum(axis=1)),
}


class Values(NamedTuple):
    """One column for each expression, NaN where it has no value; and why one has none somewhere."""

    numbers: NDArray[np.float64]
    reasons: dict[str, str]


class NotInRow(Exception):
    """An expression needs more than a row has."""


def values(
    m: Model,
    d: Data,
    rows: NDArray[np.float64],
    sig: int,
    expressions: Sequence[str],
    columns: Columns | None = None,
) -> Values:
    """The values of expressions at states with a signature, which are set in `d`.

    `columns` of the same model and signature, if the caller has kept them: making them takes as long as `Data(m)`.
    """
    found = Values(np.full((len(rows), len(expressions)), np.nan), {})
    rest = []
    columns = Columns(m, sig) if columns is None else columns
    for k, text in enumerate(expressions):
        try:
            found.numbers[:, k] = columns.values(text, rows)
        except Exception:  # what has no value for all rows at once may have one in some
            rest.append(k)
    for at, row in enumerate(rows if rest else ()):
        m.engine.set_state(m, d, row, sig, check=False)
        m.engine.forward(m, d)
        for k in rest.copy():
            try:
                found.numbers[at, k] = evaluate(expressions[k], m, d)
            except BadExpression as error:
                found.reasons.setdefault(expressions[k], str(error))
                if _never(error, expressions[k], d):
                    rest.remove(k)
        if not rest:
            break
    return found


def _never(error: BadExpression, text: str, d: Data) -> bool:
    """Whether an expression has no value in any state: not because of a number, or of how many contacts there are."""
    try:
        names = {node.attr for node in ast.walk(parse(text)) if isinstance(node, ast.Attribute)}
    except BadExpression:
        return True
    if error.__cause__ is not None:
        return False
    growing = d.layout.growing
    return not names & {part for name in (*growing, *growing.values()) for part in name.split(".")}


class Columns:
    """Expressions of the state alone, for many rows at once."""

    def __init__(self, m: Model, sig: int) -> None:
        self._model = m
        self._probe = m.engine.Data(m)
        places = self._probe.layout.places
        floats = {name for name, place in places.items() if place.field.dtype[0] == "f"}
        for name in floats:
            self._probe.write(name, np.nan)
        for name, columns in state_places(m, sig).items():
            # what the sleep state has besides, `forward` computes; an engine may have more than Data has fields
            if name in state_shapes(m, sig & STATE_RECORD) and name in floats:
                numbers_of = np.arange(columns.start, columns.stop, dtype=float)
                self._probe.write(name, numbers_of.reshape(state_shapes(m, sig)[name]))

    def values(self, text: str, rows: NDArray[np.float64]) -> NDArray[np.float64]:
        """The value at each row; an exception of any kind if that is not possible."""
        node, chunk = parse(text), max(CHUNK // max(rows.shape[1], 1), 1)
        parts = (rows[k : k + chunk] for k in range(0, len(rows), chunk))
        return np.concatenate([np.zeros(0), *(_Batch(self._model, self._probe, part).column(node) for part in parts)])


@dataclass(frozen=True, eq=False)
class _Rows:
    """A number or an array for each row."""

    array: NDArray[Any]


class _Batch(Evaluator):
    """One evaluation for several rows; a value is plain, or there is one for each row."""

    def __init__(self, model: Model, probe: Data, rows: NDArray[np.float64]) -> None:
        super().__init__(model, probe)
        self._rows = rows
        self._single = Evaluator(model, probe)
        self._left = MOST_WORK * max(len(rows), 1)

    def column(self, node: ast.expr) -> NDArray[np.float64]:
        """The value of a whole expression."""
        with np.errstate(all="ignore"):
            value = self.value(node)
            if not isinstance(value, _Rows):
                return np.full(len(self._rows), float(np.asarray(value).reshape(())))
            return value.array.astype(float).reshape(len(self._rows))

    def value(self, node: ast.expr) -> Any:
        """The value of a node: if it is a part of Data, its columns."""
        root = node
        while isinstance(root, ast.Attribute | ast.Subscript | ast.Call):
            root = root.func if isinstance(root, ast.Call) else root.value
        if not isinstance(root, ast.Name) or root.id != "d":
            return super().value(node)
        if sum(isinstance(part, ast.Name) and part.id == "d" for part in ast.walk(node)) > 1:
            raise NotInRow
        columns = self._single.value(node)
        if not isinstance(columns, float | np.ndarray | np.floating) or np.isnan(columns).any():
            raise NotInRow
        places = np.asarray(columns)
        if places.dtype.kind != "f":
            raise NotInRow
        return _Rows(self._rows[:, places.astype(np.intp)])

    def _number(self, node: ast.expr) -> Any:
        value = self.value(node)
        return value if isinstance(value, _Rows) else numbers(value)

    def _apply(self, function: Callable[..., Any], *parts: Any) -> Any:
        """Element by element, the numbers of each row are broadcast; or a reduction, row by row."""
        if not any(isinstance(part, _Rows) for part in parts):
            return super()._apply(function, *parts)
        if function in REDUCTIONS:
            return _Rows(REDUCTIONS[function](np.ascontiguousarray(parts[0].array.reshape(len(self._rows), -1))))
        dimensions = max(part.array.ndim - 1 if isinstance(part, _Rows) else np.ndim(part) for part in parts)
        arrays = [_padded(part.array, dimensions) if isinstance(part, _Rows) else part for part in parts]
        return _Rows(super()._apply(function, *arrays))

    def _largest(self, value: Any) -> Any:
        return super()._largest(value.array if isinstance(value, _Rows) else value)

    def _decides(self, operation: type[ast.boolop], value: Any) -> bool:
        """Never for all rows: if the right side has no value in one of them, they are evaluated one by one."""
        return False

    def _measure(self, name: str, arguments: Sequence[ast.expr]) -> float:
        raise NotInRow

    def _dot(self, a: Any, b: Any) -> Any:
        if isinstance(a, _Rows) or isinstance(b, _Rows):
            raise NotInRow
        return super()._dot(a, b)


def _padded(array: NDArray[Any], dimensions: int) -> NDArray[Any]:
    """An array for each row, with more leading dimensions."""
    return array.reshape(len(array), *[1] * (dimensions + 1 - array.ndim), *array.shape[1:])
