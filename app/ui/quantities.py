"""Numbers as panels write them: SI prefixes, one prefix for a whole column, equal decimals, noise as 0.

A quantity alone has the prefix that suits it (12.3 mN). The numbers of a column share the prefix of the largest, so
that they can be compared by eye: the unit stands in the heading and the decimal points stand under each other.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

# smaller magnitudes are rounding noise; maximum decimals of a number
NOISE, MOST_DECIMALS = 1e-12, 5
# the same for units of mechanics, where the solver stops long before: a nanonewton, a nanometre
FLOORS = dict.fromkeys(("N", "N m", "N s", "m", "m/s", "m/s²", "rad", "rad/s", "rad/s²", "J", "W"), 1e-9)
# numbers of a column below this share of the largest are noise too
RELATIVE_NOISE = 1e-6
# units without prefix: plain numbers, and where a prefix would mean another size (mm² is not a thousandth of m²)
UNPREFIXED = frozenset(("", "%", "°", "x", "kg", "kg m²", "kg m/s", "m²", "m³"))
# a column keeps its prefix while its largest number is between these
KEPT = (0.5, 2000.0)
_PREFIXES = {-4: "p", -3: "n", -2: "µ", -1: "m", 0: "", 1: "k", 2: "M", 3: "G"}


def si(value: float, digits: int = 3) -> tuple[str, str]:
    """A number between 1 and 1000 and its SI prefix."""
    if value == 0 or not math.isfinite(value):
        return f"{value:.{digits}g}", ""
    power = _power(value)
    scaled = value / 1000.0**power
    decimals = max(digits - 1 - max(math.floor(math.log10(abs(scaled)) + 1e-9), 0), 0)
    return f"{scaled:.{decimals}f}", _PREFIXES[power]


def _power(value: float) -> int:
    """The power of 1000 that has a prefix and leaves a number between 1 and 1000."""
    return min(max(math.floor(math.log10(abs(value)) / 3 + 1e-9), min(_PREFIXES)), max(_PREFIXES))


def quantity(value: float, unit: str) -> str:
    """A short number with SI prefix and unit, of equal width in a column: 12.3 mN."""
    number, prefix = si(0.0 if abs(value) < FLOORS.get(unit, NOISE) else value)
    return f"{number} {prefix or ' '}{unit}"


def compact(value: float, unit: str) -> str:
    """A short number with SI prefix and unit, for running text."""
    return " ".join(quantity(value, unit).split())


def number_and_unit(value: float, unit: str) -> tuple[str, str]:
    """A short number, and its unit with SI prefix."""
    number, _, prefixed = compact(value, unit).partition(" ")
    return number, prefixed


@dataclass(frozen=True)
class Scale:
    """How the numbers of a column are written: unit with prefix, its factor, decimals, characters, what is noise.

    `decimals` is -1 for numbers that no prefix reaches: they are written with an exponent.
    """

    unit: str
    factor: float
    decimals: int
    width: int
    noise: float

    def text(self, value: float) -> str:
        """A number without unit, of equal width in the column; noise is 0."""
        scaled = value / self.factor
        if not math.isfinite(value):
            text = f"{value:g}"
        elif abs(value) < self.noise:
            text = "0"
        elif self.decimals < 0:
            text = f"{scaled:.3e}"
        else:
            text = f"{round(scaled, self.decimals) + 0.0:.{self.decimals}f}"
        return text.rjust(self.width)


def column_scale(
    values: Sequence[float] | NDArray[Any], unit: str, digits: int = 4, before: Scale | None = None
) -> Scale:
    """The scale of a column, from its largest magnitude: one prefix, and `digits` significant digits of the largest.

    The prefix of `before`, the last frame's, is kept while it suits about: headings of a run do not flicker.
    """
    sizes = np.abs(np.asarray(values, np.float64))
    largest = float(sizes.max(initial=0.0, where=np.isfinite(sizes)))
    floor = FLOORS.get(unit, NOISE)
    # a sign, the digits and the decimal point
    width = digits + 2
    if largest < floor:
        return Scale(before.unit if before else unit, before.factor if before else 1.0, 0, width, floor)
    noise = max(floor, RELATIVE_NOISE * largest)
    power = 0 if unit in UNPREFIXED else _power(largest)
    factor, prefixed = 1000.0**power, _PREFIXES[power] + unit
    if before is not None and KEPT[0] <= largest / before.factor < KEPT[1]:
        factor, prefixed = before.factor, before.unit
    place = math.floor(math.log10(largest / factor) + 1e-9)
    if not -3 <= place < digits:
        return Scale(prefixed, factor, -1, len("-1.234e+56"), noise)
    decimals = min(digits - 1 - place, MOST_DECIMALS)
    return Scale(prefixed, factor, decimals, max(width, decimals + 3), noise)


def column_texts(values: Sequence[float] | NDArray[Any], unit: str) -> tuple[list[str], str]:
    """All numbers of a column with one prefix, and its unit."""
    scale = column_scale(values, unit)
    return [scale.text(float(value)) for value in values], scale.unit


def heading(name: str, unit: str) -> str:
    """The heading of a column with its unit: force (mN)."""
    return f"{name} ({unit})" if unit else name


def align_decimals(values: Sequence[float], digits: int = 4, largest: float = 0.0) -> list[str]:
    """Numbers with equal decimals, enough for `digits` significant digits of the largest."""
    scale = max([*(abs(v) for v in values if math.isfinite(v)), largest])
    if scale < NOISE:
        return ["0" if math.isfinite(v) else f"{v:g}" for v in values]
    power = math.floor(math.log10(scale))
    if not -4 <= power < 7:
        return [f"{v + 0.0:.{digits - 1}e}" for v in values]
    decimals = min(max(digits - 1 - power, 0), MOST_DECIMALS)
    return [f"{round(v, decimals) + 0.0:.{decimals}f}" if math.isfinite(v) else f"{v:g}" for v in values]
