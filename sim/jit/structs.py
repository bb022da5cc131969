"""Struct, the Python side of a layout: numpy arrays as attributes, in memory that kernels see; groups and rows of them.

All arrays are in one buffer. Where in it, and what the block says of them, is a `Plan`, which all structs with the same
extents share: making or copying a struct copies memory, and the numpy array of a field is made when it is first used.
How the block is arranged is `layout.py`'s business, and part of every unit's key; nothing here changes native code.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from math import prod
from threading import RLock
from typing import TYPE_CHECKING, Any, NamedTuple, Self
from weakref import WeakValueDictionary, ref

import numpy as np

from sim.jit.kernel import is_interpreted
from sim.jit.layout import DTYPES, Layout
from sim.jit.record import Record

ALIGN = 64  # a cache line: neighbouring fields never share one


class Template(NamedTuple):
    """What plans of one layout share: its arrays in the order of their memory, and where words of the block come from.

    `shapes`: each shape once, with names of sizes; `shape_of`: which of them an array has. `extent_of`: an extent for
    each of `extent_words`, as a shape and an axis of it.
    """

    names: tuple[str, ...]
    shapes: tuple[tuple[int | str, ...], ...]
    shape_of: np.ndarray
    itemsizes: np.ndarray
    pointers: np.ndarray
    extent_words: np.ndarray
    extent_of: tuple[tuple[int, int], ...]
    block: np.ndarray
    defaults: tuple[str, ...]


@cache
def template(layout: Layout, parts: tuple[tuple[str, int], ...]) -> Template:
    """The template of a layout; `parts` orders the arrays: those of part 0, where others are, come first."""
    part = dict(parts)
    names = tuple(sorted(layout.arrays, key=lambda name: part.get(name, 0)))
    places = [layout.places[name] for name in names]
    shapes = {shape: k for k, shape in enumerate(dict.fromkeys(place.field.shape for place in places))}
    extents = [
        (place.word + 1 + k, (shapes[place.field.shape], axis))
        for place in places
        for k, axis in enumerate((0, *(axis for axis, known in enumerate(place.tail, 1) if known is None)))
    ]
    block = np.zeros(layout.words, np.int64)
    for name in layout.scalars:
        place = layout.places[name]
        block[place.word : place.word + 1].view(DTYPES[place.field.dtype])[0] = place.field.default
    return Template(
        names,
        tuple(shapes),
        np.array([shapes[place.field.shape] for place in places], np.int64),
        np.array([DTYPES[place.field.dtype].itemsize for place in places], np.int64),
        np.array([place.word for place in places], np.int64),
        np.array([word for word, _ in extents], np.int64),
        tuple(extent for _, extent in extents),
        block,
        tuple(name for name, place in zip(names, places, strict=True) if np.any(place.field.default)),
    )


class Plan:
    """Where the arrays of a struct are in its buffer, for given extents, and all words of the block but addresses.

    `parts` orders the arrays: those of part 0, where fields are that it does not name, come first.
    """

    def __init__(self, layout: Layout, sizes: Mapping[str, int], parts: tuple[tuple[str, int], ...] = ()) -> None:
        self.layout = layout
        known = template(layout, parts)
        shapes = [tuple([e if isinstance(e, int) else sizes[e] for e in shape]) for shape in known.shapes]
        counts = np.array([prod(shape) for shape in shapes], np.int64)
        # each array begins a line
        spaces = -(-counts[known.shape_of] * known.itemsizes // ALIGN) * ALIGN
        ends = np.cumsum(spaces)
        starts = ends - spaces
        self.block = known.block.copy()
        self.block[known.pointers] = starts
        self.block[known.extent_words] = [shapes[shape][axis] for shape, axis in known.extent_of]
        self.shapes = dict(zip(known.names, [shapes[k] for k in known.shape_of.tolist()], strict=True))
        self.spans = dict(zip(known.names, map(slice, starts.tolist(), ends.tolist()), strict=True))
        self.total = int(ends[-1]) if len(ends) else 0
        self.pointers, self.defaults = known.pointers, known.defaults
        self._joined: dict[frozenset[str], list[slice]] = {}

    def without(self, but: frozenset[str]) -> list[slice]:
        """The bytes of all arrays except some, in as few spans as there can be."""
        found = self._joined.get(but)
        if found is None:
            found = []
            for name, span in self.spans.items():
                if name in but:
                    continue
                if found and found[-1].stop == span.start:
                    found[-1] = slice(found[-1].start, span.stop)
                else:
                    found.append(span)
            self._joined[but] = found
        return found


def views(block: np.ndarray) -> dict[str, memoryview[Any]]:
    """The memory of a block as numbers of each of the dtypes."""
    memory: Any = block.data.cast("B")
    return {name: memory.cast(dtype.char) for name, dtype in DTYPES.items()}


def _address(array: np.ndarray) -> int:
    """Where an array is: a fifth of the time of array.ctypes.data."""
    address: int = array.__array_interface__["data"][0]
    return address


@cache
def scalar_words(layout: Layout, but: frozenset[str]) -> np.ndarray:
    """Words of the scalars of a layout, except some."""
    return np.array([layout.places[name].word for name in layout.scalars if name not in but], np.int64)


class Memory(NamedTuple):
    """The content of a struct: its scalars, as words, and the bytes of its arrays."""

    scalars: np.ndarray
    arrays: np.ndarray


# every struct by its address in native code
_STRUCTS: WeakValueDictionary[int, Struct] = WeakValueDictionary()


class Struct:
    """Python side of a layout: numpy arrays as attributes, assignment copies into them in place."""

    layout: Layout
    address: int
    _plan: Plan
    _block: np.ndarray
    _seen: dict[str, memoryview[Any]]  # the block by dtype, to read scalars from: a third of the time of numpy's
    in_use: RLock  # held by the thread in whose native call it is written
    _required: np.ndarray  # words of the block that ask for more capacity
    _buffer: np.ndarray  # all arrays, aligned
    _made: dict[str, np.ndarray]  # arrays that have been asked for, with their full capacity
    _outside: set[str]  # arrays that are not in the buffer any more
    # names that start with one of these are looked up by `read` each time
    moving: tuple[str, ...] = ()
    # scalars that only native code sets, and arrays of which native code takes every number for an index
    computed: frozenset[str] = frozenset()
    indices: frozenset[str] = frozenset()
    # arrays that are checked whenever one of their numbers is written
    guarded: frozenset[str] = frozenset()
    # the model that it was made for, if it was made for one
    model: Any = None

    def __init__(self, plan: Plan) -> None:
        memory = np.zeros(plan.total + ALIGN, np.uint8)
        address = _address(memory)
        start = -address % ALIGN
        self.__dict__.update(layout=plan.layout, _plan=plan, _made={}, _outside=set())
        self.__dict__["_buffer"] = memory[start : start + plan.total]
        self._own_block(plan.block.copy())
        self._block[plan.pointers] += address + start
        for name in plan.defaults:
            self.array(name)[...] = plan.layout.places[name].field.default

    def _own_block(self, block: np.ndarray) -> None:
        """Use a block, which becomes the one that native code sees."""
        address, required = _address(block), block[self.layout.required]
        self.__dict__.update(_block=block, address=address, _seen=views(block), _required=required, in_use=RLock())
        _STRUCTS[address] = self

    def with_own(self, names: Iterable[str]) -> Self:
        """A struct that shares the arrays of this one, except that `names` and all scalars are its own copies."""
        other = object.__new__(type(self))
        shared = {name: self.__dict__[name] for name in ("layout", "_plan", "_buffer")}
        other.__dict__.update(shared, _made=self._made.copy(), _outside={*self._outside})
        other._own_block(self._block.copy())
        for name in {*names} - self.layout.scalars.keys():
            other.bind(name, self.array(name).copy())
        return other

    def take(self, other: Self, but: frozenset[str] = frozenset()) -> None:
        """Copy all fields of another struct with the same plan, except some; what has grown there grows here."""
        for span in self._plan.without(but):
            self._buffer[span] = other._buffer[span]
        for name in (self._outside | other._outside) - but:
            ours, theirs = self.array(name), other.array(name)
            if ours.shape == theirs.shape:
                ours[...] = theirs
            elif name in self.layout.growing and len(ours) > len(theirs):
                ours[: len(theirs)] = theirs
            else:
                self.bind(name, theirs.copy())
        words = scalar_words(self.layout, but)
        self._block[words] = other._block[words]

    def memory(self) -> Memory | None:
        """The content of all fields, until they change; None if arrays are not in the buffer any more."""
        return None if self._outside else Memory(self._block[scalar_words(self.layout, frozenset())], self._buffer)

    def set_memory(self, memory: Memory) -> None:
        """Set all fields of a struct that has just been made to the content of another one with the same plan."""
        self._block[scalar_words(self.layout, frozenset())] = memory.scalars
        self._buffer[:] = memory.arrays

    @staticmethod
    def at(address: int) -> Struct:
        """The struct at an address that native code passes."""
        return _STRUCTS[address]

    def check_fit(self, model: Struct) -> None:
        """Raise ValueError if this struct does not fit a model; native code checks no extents."""

    def check_written(self, name: str) -> None:
        """Raise ValueError if a guarded array has an illegal number."""

    def array(self, name: str) -> np.ndarray:
        """The array of a field, with its full capacity."""
        array = self._made.get(name)
        if array is None:
            plan = self._plan
            if name not in plan.shapes:
                raise AttributeError(f"{type(self).__name__} has no array {name!r}")
            dtype = DTYPES[self.layout.places[name].field.dtype]
            array = self._made[name] = np.ndarray(plan.shapes[name], dtype, self._buffer, plan.spans[name].start)
        return array

    def arrays(self) -> Iterator[tuple[str, np.ndarray]]:
        """All arrays, with their full capacity."""
        return ((name, self.array(name)) for name in self.layout.arrays)

    def word(self, name: str) -> np.ndarray:
        """A scalar field as an array of one, in the memory that kernels see."""
        place = self.layout.places[name]
        return self._block[place.word : place.word + 1].view(DTYPES[place.field.dtype])[:1]

    def bind(self, name: str, array: np.ndarray) -> None:
        """Use `array` for a field. Only between native calls."""
        if self._made.get(name) is array:
            return
        place = self.layout.places[name]
        dtype = DTYPES[place.field.dtype]
        if array.dtype != dtype or array.ndim != len(place.field.shape) or not array.flags.c_contiguous:
            raise TypeError(f"{self.layout.name}.{name} needs a C-contiguous {dtype} array")
        if any(known not in (None, extent) for extent, known in zip(array.shape[1:], place.tail, strict=True)):
            raise TypeError(f"{self.layout.name}.{name} needs trailing extents {place.tail}")
        self._outside.add(name)
        self._made[name] = array
        if name in self.guarded:
            # made again when it is next read
            self.__dict__.pop(name, None)
        elif name in self.__dict__:
            self.__dict__[name] = array
        words = place.block_words(_address(array), array.shape)
        self._block[place.word : place.word + len(words)] = words

    def grow(self, size: str, capacity: int) -> None:
        """Grow every array counted by `size` to at least `capacity` rows; the rows in use are kept."""
        for name, counted_by in self.layout.growing.items():
            if counted_by == size:
                old = self.array(name)
                new = np.zeros((max(capacity, len(old)), *old.shape[1:]), old.dtype)
                new[: len(old)] = old
                self.bind(name, new)

    def grow_required(self) -> bool:
        """Grow the arrays that overflowed to `required.<count>` rows; returns whether any grew."""
        grown = False
        for size, rows in zip(self.layout.counts, self._required.tolist(), strict=True):
            if rows == 0:
                continue
            capacity = min(len(self.array(n)) for n, by in self.layout.growing.items() if by == size)
            if rows > capacity:
                self.grow(size, max(rows, 2 * capacity))
                grown = True
        return grown

    def clear_required(self) -> None:
        """Clear the overflow that an earlier step has left behind."""
        self._required.fill(0)

    def read(self, name: str) -> Any:
        """The value of a field: a Python scalar, or a numpy view of the rows in use."""
        scalar = self.layout.scalars.get(name)
        if scalar is not None:
            return self._seen[scalar[0]][scalar[1]]
        if name not in self.layout.places:
            raise AttributeError(f"{type(self).__name__} has no field {name!r}")
        counted_by = self.layout.growing.get(name)
        array = self._made.get(name)
        array = self.array(name) if array is None else array
        return array if counted_by is None else array[: self.read(counted_by)]

    def write(self, name: str, value: Any) -> None:
        """Copy a value into a field; the field's memory stays where it is."""
        scalar = self.layout.scalars.get(name)
        if scalar is not None:
            self.word(name)[0] = value
        else:
            self.read(name)[...] = value

    def zero(self, but: frozenset[str]) -> None:
        """Set every field except some to 0: the buffer at once, then the arrays outside it."""
        for span in self._plan.without(but):
            self._buffer[span].fill(0)
        for name in self._outside - but:
            self._made[name].fill(0)
        self._block[scalar_words(self.layout, but)] = 0

    def values(self, but: tuple[str, ...] = ()) -> dict[str, Any]:
        """Copies of all fields, arrays with their full capacity: enough to make an equal struct.

        Groups that start with one of `but` are left out.
        """
        scalars = {name: self.read(name) for name in self.layout.scalars if not name.startswith(but)}
        arrays = {name: array.copy() for name, array in self.arrays() if not name.startswith(but)}
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
            if name.startswith("_") or name == "layout":
                raise AttributeError(name)
            if name in self.layout.groups:
                return group_class(self.layout, name)(self)
            value = self.read(name)
            if name in self.indices or name in self.guarded:
                value = value.view() if name in self.indices else Guarded.of(self, name)
                value.flags.writeable = False
                self.__dict__[name] = value
                return value
            # found without a call of this from now on: 0.03 instead of 0.6 us
            if name in self._made and name not in self.layout.growing and not name.startswith(self.moving):
                self.__dict__[name] = value
            return value

        def __setattr__(self, name: str, value: Any) -> None:
            array = self.__dict__.get(name)
            if (type(array) is np.ndarray and name not in self.indices) or name in self.guarded:
                getattr(self, name)[...] = value
            elif name in self.indices or (name in self.computed and not is_interpreted()):
                raise AttributeError(f"{name} cannot be set: it says how the {type(self).__name__} is laid out")
            elif name in self.layout.groups:
                raise AttributeError(f"{name} is a group of fields; assign to one of {leaves(self.layout, name)}")
            else:
                self.write(name, value)
                if name in self._made:
                    getattr(self, name)

    def __dir__(self) -> list[str]:
        return sorted({n.partition(".")[0] for n in self.layout.places})


class Guarded(np.ndarray):
    """A field whose numbers are checked when they are written: it stays as it was if they are illegal.

    numpy takes it for read-only; what it writes to comes from `__setitem__`. Arithmetic gives plain arrays.
    """

    guard: tuple[ref[Struct], str] | None = None

    @classmethod
    def of(cls, struct: Struct, name: str) -> Guarded:
        """A field of a struct."""
        array = struct.array(name).view(cls)
        array.guard = (ref(struct), name)
        return array

    def __array_finalize__(self, source: Any) -> None:
        self.guard = getattr(source, "guard", None)

    def __setitem__(self, key: Any, value: Any) -> None:
        struct = self.guard[0]() if self.guard else None
        plain = self.view(np.ndarray)
        if struct is None or self.guard is None or not np.shares_memory(plain, struct.array(self.guard[1])):
            # a copy
            plain[key] = value
            return
        kept = plain.copy()
        plain.flags.writeable = True
        plain[key] = value
        try:
            struct.check_written(self.guard[1])
        except ValueError:
            plain[...] = kept
            raise

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: Any, out: Any = (), **options: Any) -> Any:
        plain = [x.view(np.ndarray) if isinstance(x, Guarded) else x for x in inputs]
        if not out or not isinstance(out[0], Guarded):
            return getattr(ufunc, method)(*plain, **options, **({"out": out} if out else {}))
        out[0][...] = getattr(ufunc, method)(*plain, **options)
        return out[0]


class Group(Record):
    """`m.opt`, `d.contact`, ...: the fields of a struct that share a prefix. `d.contact[i]` is one row.

    The struct does not cache it: that would be a reference cycle, and a struct is freed with its last reference.
    """

    __slots__ = ("_struct",)
    _struct: Struct
    _prefix: str

    def __init__(self, struct: Struct) -> None:
        object.__setattr__(self, "_struct", struct)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return self._struct.read(f"{self._prefix}.{name}")

    def __setattr__(self, name: str, value: Any) -> None:
        self._struct.write(f"{self._prefix}.{name}", value)

    def __len__(self) -> int:
        """Rows in use, for a group of arrays that share their leading extent."""
        first = dir(self)[0]
        return len(self._struct.read(f"{self._prefix}.{first}"))

    def __getitem__(self, row: int | slice) -> Row:
        return Rows(self, range(len(self)))[row]

    def _title(self) -> str:
        return self._prefix

    def __dir__(self) -> list[str]:
        return leaves(self._struct.layout, self._prefix)


@cache
def leaves(layout: Layout, prefix: str) -> list[str]:
    """What a group has: fields, and groups within it."""
    start = prefix + "."
    return sorted({name[len(start) :].partition(".")[0] for name in layout.places if name.startswith(start)})


@cache
def group_class(layout: Layout, prefix: str) -> type[Group]:
    """The class of a group, with a property for each of its fields: 0.5 us for m.opt.timestep, 1.5 without."""
    members: dict[str, Any] = {"__slots__": (), "_prefix": prefix}
    for leaf in leaves(layout, prefix):
        full = f"{prefix}.{leaf}"
        inner = full in layout.groups
        members[leaf] = property(_inner(group_class(layout, full)) if inner else _reader(full))
    return type("Group", (Group,), members)


def _inner(made: type[Group]) -> Any:
    return lambda self: made(self._struct)


def _reader(full: str) -> Any:
    return lambda self: self._struct.read(full)


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
