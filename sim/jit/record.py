"""Record, the base of `m.opt`, `d.contact[0]` and `m.body("torso")`: named views of a struct's values.

A record prints all its values. copy, deepcopy and pickle make an independent copy, which no longer follows the struct.
"""

from __future__ import annotations

from copy import deepcopy
from textwrap import indent
from typing import Any

import numpy as np


class Record:
    """Named values: those that dir() lists."""

    __slots__ = ()

    def _title(self) -> str:
        raise NotImplementedError

    def _values(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in dir(self)}

    def __repr__(self) -> str:
        lines = "\n".join(f"{name}: {_text(value)}" for name, value in self._values().items())
        return f"<{self._title()}\n{indent(lines, '  ')}\n>"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Record):
            return NotImplemented
        ours, theirs = self._values(), other._values()
        return ours.keys() == theirs.keys() and all(_same(ours[name], theirs[name]) for name in ours)

    def __copy__(self) -> Copy:
        return Copy(self._title(), {name: deepcopy(value) for name, value in self._values().items()})

    def __deepcopy__(self, memo: dict[int, Any]) -> Copy:
        return self.__copy__()

    def __reduce__(self) -> Any:
        copy = self.__copy__()
        return Copy, (copy._title(), copy._values())


class Copy(Record):
    """An independent copy of a record."""

    def __init__(self, title: str, values: dict[str, Any]) -> None:
        self.__dict__.update({"_name": title, **values})

    def _title(self) -> str:
        return str(self.__dict__["_name"])

    def _values(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name != "_name"}

    def __setattr__(self, name: str, value: Any) -> None:
        """Assign as the original does: arrays are written in place, and new names are refused."""
        old = self._values().get(name)
        if old is None:
            raise AttributeError(f"{self._title()} has no {name!r}, only {', '.join(self._values())}")
        if isinstance(old, np.ndarray):
            old[...] = value
        else:
            self.__dict__[name] = value


def _text(value: Any) -> str:
    return repr(value.item() if isinstance(value, np.generic) else value)


def _same(a: Any, b: Any) -> bool:
    return bool(a == b) if isinstance(a, Record) else np.array_equal(a, b)
