"""Struct, the Python side of a layout: numpy arrays as attributes, in memory that kernels see; groups and rows of them.

It owns ordinary arrays and keeps the block in sync with them. How the block is arranged is `layout.py`'s business,
and part of the key of every unit; nothing here changes native code.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from math import prod
from typing import TYPE_CHECKING, Any, Self
from weakref import WeakValueDictionary

import numpy as np

from sim.jit.layout import DTYPES, WORD, Layout, Place
from sim.jit.record import Record

ALIGN = 64  # a cache line: neighbouring fields never share one


@cache
def _scalar_words(layout: Layout, but: frozenset[str]) -> np.ndarray:
    """Words of the scalars of a layout, except some."""
    return np.array([p.word for n, p in layout.places.items() if not p.field.shape and n not in but])


# every struct by its address in native code
_STRUCTS: WeakValueDictionary[int, Struct] = WeakValueDictionary()


class Struct:
    """Python side of a layout: numpy arrays as attributes, assignment copies into them in place."""

    layout: Layout
    address: int
    _block: np.ndarray
    _scalars: dict[str, np.ndarray]
    _arrays: dict[str, np.ndarray]
    _buffer: np.ndarray
    _outside: set[str]  # arrays that are not in the buffer any more

    def __init__(self, layout: Layout, sizes: Mapping[str, int]) -> None:
        set_ = object.__setattr__
        set_(self, "layout", layout)
        set_(self, "_block", np.zeros(layout.words, np.int64))
        set_(self, "address", self._block.ctypes.data)
        _STRUCTS[self.address] = self
        # words are looked up once: Python's part of sim.forward came down from 26 to 2.5 us
        set_(self, "_scalars", self._words())
        set_(self, "_arrays", {})
        set_(self, "_outside", set())
        self._allocate(sizes)

    def with_own(self, names: Iterable[str]) -> Self:
        """A struct that shares the arrays of this one, except that `names` and all scalars are its own copies."""
        other = object.__new__(type(self))
        own = other.__dict__
        own.update(layout=self.layout, _block=self._block.copy(), _buffer=self._buffer, _outside={*self._outside})
        own["address"] = other._block.ctypes.data
        _STRUCTS[other.address] = other
        own["_scalars"], own["_arrays"] = other._words(), self._arrays.copy()
        own.update(self._arrays)
        for name in self.layout.growing:
            del own[name]
        for name in self._arrays.keys() & {*names}:
            array = self._arrays[name].copy()
            other._outside.add(name)
            other._place(name, self.layout.places[name], array, array.ctypes.data)
        return other

    @staticmethod
    def at(address: int) -> Struct:
        """The struct at an address that native code passes."""
        return _STRUCTS[address]

    def check_fit(self, model: Struct) -> None:
        """Raise ValueError if this struct does not fit a model; native code checks no extents."""

    def _allocate(self, sizes: Mapping[str, int]) -> None:
        """Allocate all arrays in one aligned buffer and set every field to its default."""
        shapes = {}
        for name, place in self.layout.places.items():
            if place.field.shape:
                shapes[name] = tuple([e if isinstance(e, int) else sizes[e] for e in place.field.shape])
            elif place.field.default != 0:
                self._scalars[name][0] = place.field.default
        offsets, total = {}, 0
        for name, shape in shapes.items():
            offsets[name] = total
            nbytes = prod(shape) * DTYPES[self.layout.places[name].field.dtype].itemsize
            total += -(-nbytes // ALIGN) * ALIGN
        buffer = np.zeros(total + ALIGN, np.uint8)
        object.__setattr__(self, "_buffer", buffer)
        address = buffer.ctypes.data
        start = -address % ALIGN
        for name, shape in shapes.items():
            place = self.layout.places[name]
            offset = start + offsets[name]
            array = np.ndarray(shape, DTYPES[place.field.dtype], buffer, offset)
            if place.field.default != 0:
                array[...] = place.field.default
            self._place(name, place, array, address + offset)

    def _words(self) -> dict[str, np.ndarray]:
        """Views of the scalar fields' words, each with the field's dtype."""
        seen = {name: self._block.view(dtype) for name, dtype in DTYPES.items()}
        words = {}
        for name, place in self.layout.places.items():
            if not place.field.shape:
                whole = seen[place.field.dtype]
                first = place.word * WORD // whole.itemsize
                words[name] = whole[first : first + 1]
        return words

    def bind(self, name: str, array: np.ndarray) -> None:
        """Use `array` for a field. Only between native calls."""
        if self._arrays.get(name) is array:
            return
        place = self.layout.places[name]
        dtype = DTYPES[place.field.dtype]
        if array.dtype != dtype or array.ndim != len(place.field.shape) or not array.flags.c_contiguous:
            raise TypeError(f"{self.layout.name}.{name} needs a C-contiguous {dtype} array")
        if any(known not in (None, extent) for extent, known in zip(array.shape[1:], place.tail, strict=True)):
            raise TypeError(f"{self.layout.name}.{name} needs trailing extents {place.tail}")
        if array.base is not self._buffer:
            self._outside.add(name)
        self._place(name, place, array, array.ctypes.data)

    def _place(self, name: str, place: Place, array: np.ndarray, address: int) -> None:
        """Register a field's array for Python and for native code."""
        self._arrays[name] = array
        if name not in self.layout.growing:
            self.__dict__[name] = array  # found without a call to __getattr__: 0.03 instead of 0.6 us
        words = place.block_words(address, array.shape)
        self._block[place.word : place.word + len(words)] = words

    def grow(self, size: str, capacity: int) -> None:
        """Grow every array counted by `size` to at least `capacity` rows; the rows in use are kept."""
        for name, counted_by in self.layout.growing.items():
            if counted_by == size:
                old = self._arrays[name]
                new = np.zeros((max(capacity, len(old)), *old.shape[1:]), old.dtype)
                new[: len(old)] = old
                self.bind(name, new)

    def grow_required(self) -> bool:
        """Grow the arrays that overflowed to `required.<count>` rows; returns whether any grew."""
        required = self._block[self.layout.required].tolist()
        if not any(required):
            return False
        grown = False
        for size, rows in zip(self.layout.counts, required, strict=True):
            if rows == 0:
                continue
            capacity = min(len(self._arrays[n]) for n, by in self.layout.growing.items() if by == size)
            if rows > capacity:
                self.grow(size, max(rows, 2 * capacity))
                grown = True
        return grown

    def clear_required(self) -> None:
        """Clear the overflow that an earlier step has left behind."""
        self._block[self.layout.required] = 0

    def read(self, name: str) -> Any:
        """The value of a field: a Python scalar, or a numpy view of the rows in use."""
        scalar = self._scalars.get(name)
        if scalar is not None:
            return scalar.item()
        array = self._arrays.get(name)
        if array is None:
            raise AttributeError(f"{type(self).__name__} has no field {name!r}")
        counted_by = self.layout.growing.get(name)
        return array if counted_by is None else array[: self.read(counted_by)]

    def write(self, name: str, value: Any) -> None:
        """Copy a value into a field; the field's memory stays where it is."""
        if name in self._arrays:
            self.read(name)[...] = value
        elif name in self._scalars:
            self._scalars[name][0] = value
        else:
            raise AttributeError(f"{type(self).__name__} has no field {name!r}")

    def zero(self, but: frozenset[str]) -> None:
        """Set every field except some to 0: the buffer at once, then the arrays outside it."""
        kept = [(self._arrays[n], self._arrays[n].copy()) for n in (but & self._arrays.keys()) - self._outside]
        self._buffer.fill(0)
        for array, values in kept:
            array[...] = values
        for name in self._outside - but:
            self._arrays[name].fill(0)
        self._block[_scalar_words(self.layout, but)] = 0

    def values(self, but: tuple[str, ...] = ()) -> dict[str, Any]:
        """Copies of all fields, arrays with their full capacity: enough to make an equal struct.

        Groups that start with one of `but` are left out.
        """
        scalars = {name: scalar.item() for name, scalar in self._scalars.items() if not name.startswith(but)}
        arrays = {name: array.copy() for name, array in self._arrays.items() if not name.startswith(but)}
        return {**scalars, **arrays}

    def assign(self, values: Mapping[str, Any]) -> None:
        """Set all fields from the result of `values`; growing arrays take over its capacity."""
        for name, value in values.items():
            if name in self.layout.growing:
                self.bind(name, value.copy())
            else:
                self.write(name, value)

    if not TYPE_CHECKING:  # type checkers know the fields from sim/typed_fields.pyi

        def __getattr__(self, name: str) -> Any:
            if name.startswith("__") or name in ("_arrays", "_scalars", "layout"):
                raise AttributeError(name)
            return Group(self, name) if name in self.layout.groups else self.read(name)

        def __setattr__(self, name: str, value: Any) -> None:
            if name in self.layout.groups:
                raise AttributeError(f"{name} is a group of fields; assign to one of {dir(Group(self, name))}")
            self.write(name, value)

    def __dir__(self) -> list[str]:
        return sorted({n.partition(".")[0] for n in self.layout.places})


class Group(Record):
    """`m.opt`, `d.contact`, ...: the fields of a struct that share a prefix. `d.contact[i]` is one row.

    The struct does not cache it: that would be a reference cycle, and a struct is freed with its last reference.
    """

    def __init__(self, struct: Struct, prefix: str) -> None:
        object.__setattr__(self, "_struct", struct)
        object.__setattr__(self, "_prefix", prefix)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        full = f"{self._prefix}.{name}"
        return Group(self._struct, full) if full in self._struct.layout.groups else self._struct.read(full)

    def __setattr__(self, name: str, value: Any) -> None:
        self._struct.write(f"{self._prefix}.{name}", value)

    def __len__(self) -> int:
        """Rows in use, for a group of arrays that share their leading extent."""
        first = next(n for n in dir(self))
        return len(self._struct.read(f"{self._prefix}.{first}"))

    def __getitem__(self, row: int | slice) -> Row:
        return Rows(self, range(len(self)))[row]

    def _title(self) -> str:
        return self._prefix

    def __dir__(self) -> list[str]:
        start = self._prefix + "."
        return sorted({n[len(start) :].partition(".")[0] for n in self._struct.layout.places if n.startswith(start)})


class Row(Record):
    """One row of a group of arrays: `d.contact[3].dist`."""

    def __init__(self, group: Group, index: int | slice) -> None:
        object.__setattr__(self, "_group", group)
        object.__setattr__(self, "_index", index)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        return getattr(self._group, name)[self._index]

    def __setattr__(self, name: str, value: Any) -> None:
        getattr(self._group, name)[self._index] = value

    def _title(self) -> str:
        return f"{self._group._prefix}[{self._index}]"

    def __dir__(self) -> list[str]:
        return dir(self._group)


class Rows(Row):
    """Several rows of a group of arrays: `d.contact[2:5].dist`."""

    def __init__(self, group: Group, which: range) -> None:
        # a range that runs down to row 0 stops at -1, which in a slice would be the last row
        super().__init__(group, slice(which.start, which.stop if which.stop >= 0 else None, which.step))
        object.__setattr__(self, "_which", which)

    def __len__(self) -> int:
        return len(self._which)

    def __getitem__(self, which: int | slice) -> Row:
        if isinstance(which, slice):
            return Rows(self._group, self._which[which])
        try:
            return Row(self._group, self._which[which])
        except IndexError:
            raise IndexError(f"{self._group._prefix}[{which}]: there are {len(self)}") from None

    def _title(self) -> str:
        return f"{self._group._prefix}, {len(self)} rows"
