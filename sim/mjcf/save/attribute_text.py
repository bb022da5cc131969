"""Writes values as the text of MJCF attributes."""

from __future__ import annotations

from collections.abc import Iterable
from math import inf, nextafter
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


def format_scaled(value: Any, factor: float) -> str:
    """The shortest text of a number that gives a value when it is multiplied by a factor, to the bit if one does."""
    if factor == 1.0:
        return format_number(value)
    quotient = float(value) / factor
    for digits in range(1, 18):
        text = format_number(float(f"{quotient:.{digits}g}"))
        if float(text) * factor == value:
            return text
    low = high = quotient
    for _ in range(4):
        low, high = nextafter(low, -inf), nextafter(high, inf)
        for near in (low, high):
            if near * factor == value:
                return format_number(near)
    return format_number(quotient)


def fewest_words(old: str, before: str, after: str, partial: bool) -> str:
    """The text for a changed vector: words that did not change are those of the old text.

    `before` is the text for the value in the file, which the old text gave at least in part. If a vector can be given
    in part, what did not change is left out at the end, unless it was in the old text.
    """
    kept, was, words = old.split(), before.split(), after.split()
    same = [k < len(was) and was[k] == word for k, word in enumerate(words)]
    count = len(words)
    while partial and count > max(len(kept), 1) and same[count - 1]:
        count -= 1
    return " ".join(kept[k] if k < len(kept) and same[k] else words[k] for k in range(count))
