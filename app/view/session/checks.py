"""Checks of values that were read as JSON: what the program writes passes, anything else is refused."""

from __future__ import annotations

from collections.abc import Callable
from math import isfinite
from typing import Any

LARGEST_INT = 1 << 53
Kind = Callable[[Any], bool]


def need(fits: bool, name: str) -> None:
    """ValueError unless a value fits."""
    if not fits:
        raise ValueError(f"{name} has the wrong type or value")


def is_text(value: Any) -> bool:
    return isinstance(value, str)


def is_bool(value: Any) -> bool:
    return isinstance(value, bool)


def is_int(value: Any) -> bool:
    return type(value) is int and abs(value) <= LARGEST_INT


def is_float(value: Any) -> bool:
    return (isinstance(value, float) and isfinite(value)) or is_int(value)


def is_list(value: Any, of: Kind, length: int | None = None) -> bool:
    return isinstance(value, list) and all(map(of, value)) and length in (None, len(value))
