"""Writes values as the text of MJCF attributes."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from sim.attributes import Type
from sim.attributes.keywords import KEYWORDS


def format_numbers(values: Iterable[Any]) -> str:
    """The shortest text that parses to the same numbers, in their precision."""
    return " ".join(map(format_number, values))


def format_number(x: Any) -> str:
    """The shortest text that parses to the same number, in its precision."""
    if not isinstance(x, float | np.floating):
        return str(int(x))
    text = str(x) if isinstance(x, np.float32) else repr(float(x))
    mantissa, _, exponent = text.partition("e")
    mantissa = mantissa.removesuffix(".0")
    return f"{mantissa}e{int(exponent)}" if exponent else mantissa


def format_attribute(kind: Type, value: Any) -> str:
    """An attribute's value as text; a limit is automatic only in the file."""
    if kind.base == "enum":
        return next(word for word, number in KEYWORDS[kind.argument].items() if number == int(value))
    if kind.base == "flags":
        return " ".join(word for word, bit in KEYWORDS[kind.argument].items() if int(value) & bit)
    if kind.base == "bool":
        return "true" if value else "false"
    if kind.base in ("str", "ref"):
        return str(value)
    return format_numbers(
        np.ravel(value) if isinstance(value, np.ndarray) else value if isinstance(value, tuple) else [value]
    )
