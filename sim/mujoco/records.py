"""Records: the small structs of MuJoCo, `MjOption`, `MjContact`, `MjvCamera`, alone or as a part of a model or data.

A record reads and writes cells: arrays by name, and a row of them where there are several. Alone it has cells of its
own; as a part of a struct it shares the struct's arrays, and no reference to the struct, so it makes no cycle.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator, Mapping
from typing import Any, ClassVar, NamedTuple, Self

import numpy as np

from sim.jit.layout import DTYPES, Layout
from sim.jit.record import Record

Cells = dict[str, np.ndarray]


class Member(NamedTuple):
    """One member of a record: its type, its extents (none: a number) and its default."""

    dtype: Any
    shape: tuple[int, ...] = ()
    default: Any = 0


Members = dict[str, Member]


class Slotted(type):
    """The class of a class whose instances have no attributes but those that it declares."""

    def __new__(cls, name: str, bases: tuple[type, ...], body: dict[str, Any], **options: Any) -> Any:
        return super().__new__(cls, name, bases, {"__slots__": (), **body}, **options)


class RecordType(Slotted):
    """The class of a class of records: it has members, as properties."""

    def __new__(cls, name: str, bases: tuple[type, ...], body: dict[str, Any], members: Members | str = "") -> Any:
        made = super().__new__(cls, name, bases, body)
        if members:
            made._members = _members(members) if isinstance(members, str) else members
            several = _row_of if made._rows else _array
            for key, (dtype, shape, _) in made._members.items():
                setattr(made, key, several(key) if shape else _number(key, np.dtype(dtype)))
        return made


class MjRecord(Record, metaclass=RecordType):
    """Base of the records; `members` of a class are rows of `names: dtype extents = default`."""

    _members: ClassVar[Members] = {}
    _rows: ClassVar[bool] = False  # cells of arrays have a row per record

    _cells: Cells
    _row: int

    __slots__ = ("_cells", "_row")

    def __init__(self) -> None:
        cells = {}
        for name, (dtype, shape, default) in self._members.items():
            # a number is kept in an array of one; an array has a row if there may be several records
            extents = (1, *shape) if self._rows or not shape else shape
            cells[name] = np.empty(extents, dtype)
            cells[name][...] = default
        self._cells, self._row = cells, 0

    @classmethod
    def at(cls, cells: Cells, row: int = 0) -> Self:
        """The record that these cells hold."""
        made = object.__new__(cls)
        made._cells, made._row = cells, row
        return made

    def _title(self) -> str:
        return type(self).__name__

    def _values(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in sorted(self._members)}

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, MjRecord) or self._members is not other._members:
            return False
        return super().__eq__(other)

    __hash__ = None  # type: ignore[assignment]

    def _assign(self, other: Any) -> None:
        """Copy all values of another record of the class."""
        if not isinstance(other, MjRecord) or other._members is not self._members:
            raise TypeError(f"a {self._title()} is needed, not {other!r}")
        for name, value in other._values().items():
            setattr(self, name, value)

    def __copy__(self) -> Any:
        return _restore(type(self), self._values())

    def __reduce__(self) -> Any:
        return _restore, (type(self), self._values())


def _restore(cls: type[MjRecord], values: Mapping[str, Any]) -> MjRecord:
    try:
        made = cls()
    except TypeError:
        # its constructor takes the values
        made = object.__new__(cls)
        MjRecord.__init__(made)
    for name, value in values.items():
        setattr(made, name, value)
    return made


def kept(name: str) -> property:
    """A property of a struct that keeps its records in its dict."""
    return property(lambda self: self.__dict__[name])


# ---------------------------------------------------------------- members as properties


def _converter(dtype: np.dtype[Any]) -> Callable[[Any], Any]:
    """The conversion of a number before it is stored."""
    if dtype.kind == "b":
        return bool
    return _float if dtype.kind == "f" else _index


def _float(value: Any) -> float:
    try:
        return float(value)
    except ValueError:
        raise TypeError(f"{value!r} is not a number") from None


def _index(value: Any) -> int:
    if isinstance(value, (bool, np.bool_)):
        return int(value)
    return operator.index(value)


def _number(name: str, dtype: np.dtype[Any]) -> property:
    convert = _converter(dtype)

    def put(self: MjRecord, value: Any) -> None:
        self._cells[name][self._row] = convert(value)

    return property(lambda self: self._cells[name].item(self._row), put)


def _array(name: str) -> property:
    def put(self: MjRecord, value: Any) -> None:
        self._cells[name][...] = value

    return property(lambda self: self._cells[name], put)


def _row_of(name: str) -> property:
    def put(self: MjRecord, value: Any) -> None:
        self._cells[name][self._row] = value

    return property(lambda self: self._cells[name][self._row], put)


def _members(text: str) -> Members:
    found = {}
    for line in text.strip().splitlines():
        names, _, what = line.partition(":")
        head, _, default = what.partition("=")
        dtype, *extents = head.split()
        shape = tuple(int(extent) for extent in extents[0].split(",")) if extents else ()
        values = [float(word) for word in default.split()]
        start: Any = 0 if not values else values[0] if len(values) == 1 else np.reshape(values, shape)
        found.update(dict.fromkeys(names.split(), Member(DTYPES.get(dtype, np.dtype(dtype)), shape, start)))
    return found


def layout_members(layout: Layout, group: str) -> Members:
    """Members of a group of fields of Model or Data, without the extent that counts its rows."""
    found = {}
    for place in layout.places.values():
        if place.group == group:
            field = place.field
            fixed = tuple(extent for extent in field.shape if isinstance(extent, int))
            found[place.leaf] = Member(DTYPES[field.dtype], fixed, field.default)
    return found


# ---------------------------------------------------------------- lists


class RecordList(Record, metaclass=Slotted):
    """Records of one class in consecutive rows: `d.contact`, `d.warning`; `d.contact.dist` has a number for each."""

    _class: ClassVar[type[MjRecord]]

    _cells: Callable[[], Cells]
    _count: Callable[[], int]
    _which: range | None

    __slots__ = ("_cells", "_count", "_which")

    def __init__(self, cells: Callable[[], Cells], count: Callable[[], int], which: range | None = None) -> None:
        set_ = object.__setattr__
        set_(self, "_cells", cells)
        set_(self, "_count", count)
        set_(self, "_which", which)

    def _range(self) -> range:
        return range(self._count()) if self._which is None else self._which

    def __len__(self) -> int:
        return self._count() if self._which is None else len(self._which)

    def __iter__(self) -> Iterator[Any]:
        cells = self._cells()
        return iter([self._class.at(cells, row) for row in self._range()])

    def __getitem__(self, index: Any) -> Any:
        which = self._range()
        if isinstance(index, slice):
            return type(self)(self._cells, self._count, which[index])
        try:
            return self._class.at(self._cells(), which[index])
        except IndexError:
            raise IndexError(f"Index {index} is out of range: there are {len(which)}") from None

    def __setitem__(self, index: int, value: Any) -> None:
        self[index]._assign(value)

    def __getattr__(self, name: str) -> Any:
        if name not in self._class._members:
            raise AttributeError(f"{type(self).__name__} has no {name!r}, only {', '.join(self._class._members)}")
        which = self._range()
        stop: int | None = which.stop if which.stop >= 0 else None
        return self._cells()[name][which.start : stop : which.step]

    def __setattr__(self, name: str, value: Any) -> None:
        self.__getattr__(name)[...] = value

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, RecordList) or other._class is not self._class or len(self) != len(other):
            return False
        return super().__eq__(other)

    __hash__ = None  # type: ignore[assignment]

    def _title(self) -> str:
        return type(self).__name__

    def __dir__(self) -> list[str]:
        return sorted(self._class._members)
