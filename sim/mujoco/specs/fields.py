"""Fields of MuJoCo's spec elements, from tables: a name, a type, and the attribute of MJCF if it is called otherwise.

| type | value |
|---|---|
| f, i, b, s, mjtGeom | a number, a truth value, a text, a member of an enum |
| f3, g4, i2 | an array of float64, float32 or int32, which can be changed in place |
| F, G, I, S | a vector of any length |
| f?, f6? | NaN (in the first number) means that the attribute is not there |

A number or text is that of the attribute, read and written at once. An array is kept by the element once it was asked
for, and written when the spec is used next: see `base.py`.
"""

from __future__ import annotations

import operator
import re
from typing import TYPE_CHECKING, Any

import numpy as np

from sim.mujoco import enums
from sim.mujoco.specs.vectors import MjDoubleVec, MjFloatVec, MjIntVec, MjStringVec, Vector

if TYPE_CHECKING:
    from sim.mujoco.specs.base import Mjs

TYPES = {"f": np.float64, "g": np.float32, "i": np.int32}
VECTORS: dict[str, type[Vector[Any]]] = {"F": MjDoubleVec, "G": MjFloatVec, "I": MjIntVec, "S": MjStringVec}
ARRAY = re.compile(r"([fgi])(\d+)(\??)$")
# sizes that an argument may have, where they are not all of the field's
SHORTER = {"size": 1, "damping": 1, "stiffness": 1}
ONE = ("damping", "stiffness", "scale")


class Field:
    """One field; `key` is the attribute, "" if there is none and the element itself keeps the value."""

    mutable = False

    def __init__(self, name: str, key: str) -> None:
        self.name, self.key = name, key

    def __get__(self, item: Mjs | None, owner: Any = None) -> Any:
        return self if item is None else item._get(self)

    def __set__(self, item: Mjs, value: Any) -> None:
        item._set(self, self.convert(value))

    def convert(self, value: Any) -> Any:
        """A value that is assigned; TypeError if it cannot be."""
        return value

    def argument(self, value: Any) -> Any:
        """A value that is given to add_*."""
        return self.convert(value)

    def from_attribute(self, value: Any) -> Any:
        """The value for that of an attribute; None: it has none."""
        return value

    def to_attribute(self, value: Any) -> Any:
        """The value of the attribute."""
        return value

    def copied(self, value: Any) -> Any:
        return value

    def same(self, first: Any, second: Any) -> bool:
        return bool(first == second)


def wrong(name: str, value: Any, wanted: str) -> TypeError:
    return TypeError(f"{name}: incompatible function arguments: expected {wanted}, not {value!r}")


class Real(Field):
    def __init__(self, name: str, key: str, optional: bool = False, single: bool = False) -> None:
        super().__init__(name, key)
        self.optional, self.single = optional, single

    def convert(self, value: Any) -> float:
        if isinstance(value, str | bytes):
            raise wrong(self.name, value, "a number")
        try:
            return float(value)
        except (TypeError, ValueError):
            raise wrong(self.name, value, "a number") from None

    def from_attribute(self, value: Any) -> Any:
        if value is None:
            return float("nan") if self.optional else 0.0
        return float(np.float32(value)) if self.single else float(value)

    def to_attribute(self, value: Any) -> Any:
        if self.optional and np.isnan(value):
            return None
        return np.float32(value) if self.single else value


class Integer(Field):
    def convert(self, value: Any) -> int:
        try:
            return operator.index(value)
        except TypeError:
            if isinstance(value, enums.Enum):
                return int(value)
            raise wrong(self.name, value, "an integer") from None

    def from_attribute(self, value: Any) -> Any:
        return 0 if value is None else int(value)


class Truth(Field):
    def convert(self, value: Any) -> bool:
        if isinstance(value, str | bytes):
            raise wrong(self.name, value, "a bool")
        return bool(value)

    def from_attribute(self, value: Any) -> Any:
        return bool(value)


class Text(Field):
    def convert(self, value: Any) -> str:
        if not isinstance(value, str):
            raise wrong(self.name, value, "a str")
        return value

    def from_attribute(self, value: Any) -> Any:
        return "" if value is None else str(value)

    def to_attribute(self, value: Any) -> Any:
        return value


class Choice(Integer):
    """A member of an enum."""

    def __init__(self, name: str, key: str, enum: str) -> None:
        super().__init__(name, key)
        self.enum: Any = enums.CLASSES[enum]

    def from_attribute(self, value: Any) -> Any:
        number = 0 if value is None else int(value)
        try:
            return self.enum(number)
        except ValueError:
            return number


class Array(Field):
    """A fixed number of numbers."""

    mutable = True

    def __init__(self, name: str, key: str, dtype: Any, size: int, optional: bool) -> None:
        super().__init__(name, key)
        self.dtype, self.size, self.optional = dtype, size, optional

    def convert(self, value: Any) -> Any:
        array = self._numbers(value)
        if self.name == "scale" and array.ndim == 0:
            return np.full(self.size, array, self.dtype)
        if array.shape != (self.size,) and array.shape != (self.size, 1):
            if self.name == "scale":
                raise ValueError(f"{self.name} should be a list/array of size {self.size}.")
            raise wrong(self.name, value, f"{self.size} numbers")
        return array.reshape(self.size)

    def argument(self, value: Any) -> Any:
        array = self._numbers(value)
        if array.ndim == 0:
            if self.name not in ONE:
                raise wrong(self.name, value, f"{self.size} numbers")
            array = np.full(self.size if self.name == "scale" else 1, array)
        array = array.ravel()
        fewest = SHORTER.get(self.name, self.size) if self.size == 3 else self.size
        if not fewest <= len(array) <= self.size:
            wanted = f"{fewest} to {self.size}" if fewest < self.size else f"{self.size}"
            raise ValueError(f"{self.name} should be a list/array of size {wanted}.")
        return np.concatenate([array, np.zeros(self.size - len(array))]).astype(self.dtype)

    def _numbers(self, value: Any) -> Any:
        try:
            array = np.asarray(value)
            if array.dtype.kind not in "fiub":
                raise TypeError
            return array.astype(self.dtype)
        except (TypeError, ValueError):
            raise wrong(self.name, value, f"{self.size} numbers") from None

    def from_attribute(self, value: Any) -> Any:
        array = np.zeros(self.size, self.dtype)
        if value is None:
            if self.optional:
                array[0] = np.nan
        else:
            array[: len(value)] = value
        return array

    def to_attribute(self, value: Any) -> Any:
        if self.optional and np.isnan(value[0]):
            return None
        return value

    def copied(self, value: Any) -> Any:
        return np.array(value)

    def same(self, first: Any, second: Any) -> bool:
        return first.tobytes() == second.tobytes()


class VectorField(Field):
    """Any number of values."""

    mutable = True

    def __init__(self, name: str, key: str, kind: type[Vector[Any]]) -> None:
        super().__init__(name, key)
        self.kind = kind

    def convert(self, value: Any) -> Any:
        if isinstance(value, str | bytes) or not hasattr(value, "__iter__"):
            raise wrong(self.name, value, "a sequence")
        return self.kind(np.ravel(value).tolist() if isinstance(value, np.ndarray) else value)

    def from_attribute(self, value: Any) -> Any:
        return self.kind(value or ())

    def to_attribute(self, value: Any) -> Any:
        if not len(value):
            return None
        return np.array(value.items, np.float32) if self.kind is MjFloatVec else list(value)

    def copied(self, value: Any) -> Any:
        return list(value)

    def same(self, first: Any, second: Any) -> bool:
        return list(first) == list(second)


def field(name: str, kind: str, key: str) -> Field:
    """A field of a table."""
    array = ARRAY.match(kind)
    if array:
        return Array(name, key, TYPES[array[1]], int(array[2]), bool(array[3]))
    if kind in VECTORS:
        return VectorField(name, key, VECTORS[kind])
    if kind.startswith("mjt"):
        return Choice(name, key, kind)
    simple = {"i": Integer, "b": Truth, "s": Text}.get(kind)
    if simple:
        return simple(name, key)
    return Real(name, key, kind.endswith("?"), kind.startswith("g"))


def table(rows: str) -> dict[str, Field]:
    """The fields of a class: `name:type` or `name:type:attribute`; an attribute `-` is none."""
    found = {}
    for word in rows.split():
        name, kind, *key = word.split(":")
        found[name] = field(name, kind, ("" if key == ["-"] else key[0]) if key else name)
    return found
