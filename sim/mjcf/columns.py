"""Fills fields of Model from the attributes of the elements, one row an element, by the table in `sim.attributes`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from operator import attrgetter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sim.attributes import BY_ELEMENT, Attribute
from sim.fields import MODEL
from sim.jit.layout import DTYPES
from sim.mjcf.records import TRUE, Ids, Item, Values, find

_FIELDS = {field.name: field for field in MODEL}


def fill_column(m: Values, name: str, values: Iterable[Any]) -> None:
    """Fill a field with one value a row, in its type and shape."""
    field = _FIELDS[name]
    m[name] = np.array(list(values), DTYPES[field.dtype]).reshape(-1, *field.shape[1:])


def fill_attributes(m: Values, element: str, size: str, items: Sequence[Any], ids: Ids) -> None:
    """Fill the fields that are an attribute of these elements and have rows counted by `size`."""
    for row in BY_ELEMENT[element]:
        if row.direct and row.shape[0] == size:
            fill_column(m, row.field, map(_reader(row, ids), items))
            if row.poly:
                fill_column(m, f"{row.field}poly", [getattr(item, row.name)[1:] for item in items])


def _reader(row: Attribute, ids: Ids) -> Callable[[Any], Any]:
    """The function that reads one value of a field from an element."""
    name = row.name
    if row.type.base == "ref":
        return lambda item: id_of(item, row.type.argument, getattr(item, name), ids)
    if row.poly:
        return lambda item: getattr(item, name)[0]
    if row.type.argument == "limited":
        return lambda item: getattr(item, name) == TRUE
    return attrgetter(name)


def id_of(item: Item, kind: str, name: str, ids: Ids) -> int:
    """The id of a named element, or -1 without a name."""
    return find(item, kind, name, ids) if name else -1


def starts(counts: Sequence[int] | NDArray[Any]) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Addresses and counts of blocks, one after the other."""
    sizes = np.array(counts, np.int32).reshape(-1)
    return (np.cumsum(sizes) - sizes).astype(np.int32), sizes
