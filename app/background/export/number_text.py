"""Numbers as Python source: every bit of a float, arrays as lists that are wrapped."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping
from typing import Any

import numpy as np

WIDTH = 116
# numbers of a list that stays on its line
SHORT = 8


def number(value: Any) -> str:
    """A number; `nan` and `inf` are names of numpy's."""
    value = value.item() if isinstance(value, np.generic) else value
    if isinstance(value, bool | int):
        return repr(int(value))
    return repr(float(value))


def literal(value: Any) -> str:
    """A number, or the flat list of an array, on one line."""
    array = np.asarray(value)
    if array.ndim == 0:
        return number(array[()])
    return f"[{', '.join(number(one) for one in array.reshape(-1))}]"


def table(name: str, values: Mapping[str, Any]) -> str:
    """A dictionary of arrays by name, wrapped."""
    lines = [f"    {key!r}: {wrapped(value, 8)}," for key, value in values.items()]
    return "\n".join([f"{name} = {{", *lines, "}"]) if lines else f"{name} = {{}}"


def wrapped(value: Any, indent: int) -> str:
    """A number or a list; a long one in lines of its own."""
    text = literal(value)
    if np.ndim(value) == 0 or np.size(value) <= SHORT:
        return text
    margin = " " * indent
    body = textwrap.fill(text[1:-1], WIDTH, initial_indent=margin, subsequent_indent=margin, break_on_hyphens=False)
    return f"[\n{body},\n{margin[4:]}]"


def rounded_up(value: float) -> float:
    """A tolerance with one digit, not below the value."""
    if not np.isfinite(value) or value <= 0:
        return 0.0 if value <= 0 else float("inf")
    power = 10.0 ** np.floor(np.log10(value))
    return float(f"{np.ceil(value / power - 1e-9) * power:.0e}")


def unusual(text: str) -> list[str]:
    """The names of numpy's that a text of numbers needs."""
    return [name for name in ("inf", "nan") if any(mark + name in text for mark in (" ", "[", "-"))]
