"""Vectors of MuJoCo's specs whose length can change: they have a length, items that can be set, and no more."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Generic, TypeVar

Value = TypeVar("Value")


class Vector(Generic[Value]):
    """Values of one type."""

    __slots__ = ("items",)

    def __init__(self, items: Iterable[Any] = ()) -> None:
        self.items = [self.convert(item) for item in items]

    @staticmethod
    def convert(item: Any) -> Any:
        return item

    def __len__(self) -> int:
        return len(self.items)

    def __iter__(self) -> Iterator[Value]:
        return iter(self.items)

    def __getitem__(self, index: int) -> Value:
        return self.items[self._place(index)]

    def __setitem__(self, index: int, value: Any) -> None:
        self.items[self._place(index)] = self.convert(value)

    def _place(self, index: int) -> int:
        if not 0 <= index < len(self.items):
            raise IndexError("Index out of range.")
        return int(index)


def number(item: Any) -> float:
    if isinstance(item, str | bytes):
        raise TypeError(f"expected a number, not {item!r}")
    return float(item)


def integer(item: Any) -> int:
    if isinstance(item, str | bytes) or int(item) != item:
        raise TypeError(f"expected an integer, not {item!r}")
    return int(item)


def text(item: Any) -> str:
    if not isinstance(item, str):
        raise TypeError(f"expected a str, not {item!r}")
    return item


def character(item: Any) -> str:
    if len(text(item)) != 1:
        raise ValueError("list elements must be single characters")
    return str(item)


def _vector(name: str, convert: Any) -> type[Vector[Any]]:
    return type(name, (Vector,), {"__slots__": (), "__module__": __name__, "convert": staticmethod(convert)})


MjDoubleVec, MjFloatVec = _vector("MjDoubleVec", number), _vector("MjFloatVec", number)
MjIntVec = _vector("MjIntVec", integer)
MjStringVec, MjCharVec = _vector("MjStringVec", text), _vector("MjCharVec", character)
