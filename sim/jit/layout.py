"""Memory layout shared by Python and native code: one block of scalars and array pointers per struct.

A `Layout` gives every field of a table (see `sim/fields`) its place in a block of 8-byte words: a scalar is one word,
an array is its data pointer followed by its variable extents. Kernels receive the address of the block and nothing
else, so a call converts and copies nothing. `structs.py` has the Python side.

Native code does not know a field's offset at compile time. It refers to a symbol that the loader resolves to the
offset, so adding a field moves all others without recompiling their users.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from sim.jit import abi

WORD = 8

DTYPES: dict[str, np.dtype[Any]] = {
    "f8": np.dtype(np.float64),
    "f4": np.dtype(np.float32),
    "i8": np.dtype(np.int64),
    "i4": np.dtype(np.int32),
    "u1": np.dtype(np.uint8),
    "b1": np.dtype(np.bool_),
}


@dataclass(frozen=True)
class Field:
    """One row of the table of fields.

    `shape` lists extents: an int, or the name of a size ("nbody"). Empty: a scalar kept inside the block.
    A leading size that names a scalar of the same table ("ncon") makes the array grow while stepping.
    A dot in the name puts the field into a group: "opt.timestep" is `m.opt.timestep`.
    """

    name: str
    dtype: str
    shape: tuple[int | str, ...]
    owner: str
    unit: str
    doc: str
    default: float | tuple[float, ...] = 0


class Place(NamedTuple):
    """Where a field is in the block, and how kernels see it."""

    field: Field
    word: int
    tail: tuple[int | None, ...]  # extents after the first; None: read from the block

    def block_words(self, address: int, shape: tuple[int, ...]) -> tuple[int, ...]:
        """What the block holds of an array: its address, its first extent, and those that are not fixed."""
        return (address, shape[0], *(n for n, known in zip(shape[1:], self.tail, strict=True) if known is None))

    @property
    def group(self) -> str:
        return self.field.name.rpartition(".")[0]

    @property
    def leaf(self) -> str:
        return self.field.name.rpartition(".")[2]


def _prefixes(name: str) -> Iterator[str]:
    """The groups a dotted name belongs to: "vis.map.force" -> "vis", "vis.map"."""
    parts = name.split(".")
    for n in range(1, len(parts)):
        yield ".".join(parts[:n])


class Layout:
    """Places of all fields of one struct, and the type name under which kernels know it."""

    def __init__(self, name: str, fields: tuple[Field, ...], *, const: bool) -> None:
        self.name = name
        self.const = const
        self.places: dict[str, Place] = {}
        word = 1  # an offset of zero would look like an unresolved symbol
        for f in fields:
            if f.name in self.places:
                raise ValueError(f"{name}.{f.name} is declared twice")
            tail = tuple(e if isinstance(e, int) else None for e in f.shape[1:])
            self.places[f.name] = Place(f, word, tail)
            word += 1 if not f.shape else 2 + tail.count(None)
        self.words = word
        self.groups = {g for p in self.places.values() for g in _prefixes(p.field.name)}
        if both := self.groups & self.places.keys():
            raise ValueError(f"{name}.{min(both)} is declared as a field and as a group")
        # scalars: their dtype, and which of the numbers of that dtype in the block they are
        self.scalars = {
            n: (p.field.dtype, p.word * WORD // DTYPES[p.field.dtype].itemsize)
            for n, p in self.places.items()
            if not p.field.shape
        }
        self.arrays = tuple(n for n in self.places if n not in self.scalars)
        # arrays whose leading extent is a scalar of this table: they grow between native calls
        self.growing: dict[str, str] = {}
        for n, p in self.places.items():
            lead = p.field.shape[0] if p.field.shape else 0
            if isinstance(lead, str) and lead in self.places and not const:
                self.growing[n] = lead
        # sizes of these arrays for which native code can require more capacity
        self.counts = tuple(n.removeprefix("required.") for n in self.places if n.startswith("required."))

    @cached_property
    def required(self) -> slice:
        """Words of `required.<count>`, which are one after the other, in the order of `counts`."""
        words = [self.places[f"required.{count}"].word for count in self.counts]
        first = words[0] if words else 0
        assert words == [*range(first, first + len(words))], "required.<count> are declared together"
        return slice(first, first + len(words))

    def __repr__(self) -> str:
        return f"<layout {self.name}>"

    def symbol(self, field: str) -> str:
        """Name of the linker symbol whose address is the field's byte offset."""
        return abi.field_symbol(self.name, field)

    def symbols(self) -> Iterator[tuple[str, int]]:
        for name, place in self.places.items():
            yield self.symbol(name), place.word * WORD

    def digest_lines(self, names: frozenset[str]) -> list[str]:
        """The fields that a kernel which mentions `names` depends on, as lines; offsets are deliberately left out."""
        known = self._digests
        return sorted(
            line for leaf in names & known.keys() for group, line in known[leaf] if not group or group in names
        )

    @cached_property
    def _digests(self) -> dict[str, list[tuple[str, str]]]:
        """Last part of a field's name -> (the part before it, the field's line in digests)."""
        found: dict[str, list[tuple[str, str]]] = {}
        for name, place in self.places.items():
            f = place.field
            line = f"{self.name}.{name} {f.dtype} {len(f.shape)} {place.tail} {self.const}"
            found.setdefault(place.leaf, []).append((place.group.rpartition(".")[2], line))
        return found
