"""Ways to colour bodies by what their trees cost or do: values of trees, scales and colours.

Colours are of one hue circle in OKLCH whose lightness grows evenly with the value; what sleeps is dark and grey, what
has no value is light grey. Limits of scales are round numbers, so that they do not move at every step.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from app.instruments.lens.questions import LensAnswer
from app.scene.decor.islands import oklab_to_srgb
from sim.enums import MINAWAKE

Floats = NDArray[np.float64]

# from the least to the largest value: lightness, chroma, hue in degrees
FIRST, LAST = (0.42, 0.12, 285.0), (0.90, 0.155, 100.0)
ASLEEP, NOTHING = (0.30, 0.31, 0.33), (0.62, 0.64, 0.67)
# a logarithmic scale spans at most so many powers of ten
MOST_DECADES = 6


@dataclass(frozen=True)
class Mode:
    """Something to colour by: its unit, whether its scale is logarithmic, its values by tree (NaN: none)."""

    name: str
    unit: str
    log: bool
    hint: str
    values: Callable[[LensAnswer], Floats]
    # whether it needs the solver to be timed
    timed: bool = False


@dataclass(frozen=True)
class Scale:
    """The values at both ends of the colours."""

    low: float
    high: float
    log: bool

    def shares(self, values: Floats) -> Floats:
        """Where values are between both ends, 0 to 1; NaN stays."""
        if self.log:
            with np.errstate(divide="ignore", invalid="ignore"):
                at = np.log10(np.where(values > 0, values, np.where(np.isnan(values), np.nan, self.low)))
            low, high = np.log10(self.low), np.log10(self.high)
        else:
            at, low, high = values, self.low, self.high
        shares: Floats = np.clip((at - low) / max(high - low, 1e-300), 0.0, 1.0)
        return shares


def _of_islands(values: NDArray[np.generic] | None, answer: LensAnswer) -> Floats:
    """What islands have, for each tree; NaN for those in none."""
    of_tree = answer.islands.of_tree
    if values is None or not len(values):
        return np.full(len(of_tree), np.nan)
    return np.where(of_tree >= 0, np.asarray(values, float)[of_tree], np.nan)


def _countdown(answer: LensAnswer) -> Floats:
    """Steps left; NaN where nothing counts down."""
    return np.where(answer.sleep.countdown > 0, answer.sleep.countdown.astype(float), np.nan)


ISLAND, COUNTDOWN = "island", "countdown"
MODES = (
    Mode(ISLAND, "", False, "island, like the key N",
         lambda a: np.full(len(a.sleep.asleep), np.nan)),
    Mode("constraints", "", True, "number of constraints in its island, island_nefc",
         lambda a: _of_islands(a.islands.rows, a)),
    Mode("time", "s", True, "measured solver time for its island",
         lambda a: _of_islands(a.costs.seconds if a.costs else None, a), timed=True),
    Mode("residual", "", True, "the solver's residual: norm of the gradient where it stops, scaled like its tolerance",
         lambda a: _of_islands(a.costs.residual if a.costs else None, a), timed=True),
    Mode(COUNTDOWN, "steps", False, "number of steps until it falls asleep", _countdown),
    Mode("kinetic", "J", True, "the kinetic energy of its tree", lambda a: a.energies.kinetic),
    Mode("potential", "J", False, "the potential energy of its tree, from gravity and springs",
         lambda a: a.energies.potential),
)  # fmt: skip
BY_NAME = {mode.name: mode for mode in MODES}


def scale_of(mode: Mode, values: Floats, before: Scale | None = None) -> Scale:
    """Round limits around values; those of the frame before, while they fit and are not much too wide."""
    if mode.name == COUNTDOWN:
        return Scale(0.0, float(MINAWAKE), False)
    finite = values[np.isfinite(values)]
    if mode.log:
        finite = finite[finite > 0]
    if not len(finite):
        return before or Scale(1.0 if mode.log else 0.0, 10.0 if mode.log else 1.0, mode.log)
    low, high = float(finite.min()), float(finite.max())
    fresh = _decades(low, high) if mode.log else _rounded(low, high)
    if before is not None and before.log == mode.log and _still_fits(before, fresh, low, high):
        return before
    return fresh


def _still_fits(before: Scale, fresh: Scale, low: float, high: float) -> bool:
    """Whether a scale shows all values, and at most twice too wide a range."""
    if before.log:
        spare = np.log10(before.high / before.low) - np.log10(fresh.high / fresh.low)
        inside = high <= before.high and (low >= before.low or before.low == fresh.low)
        return bool(inside and spare <= 1.0)
    return before.low <= low and high <= before.high and before.high - before.low <= 2.5 * (fresh.high - fresh.low)


def _decades(low: float, high: float) -> Scale:
    """Powers of ten around positive numbers."""
    top = np.ceil(np.log10(high) - 1e-9)
    bottom = min(np.floor(np.log10(low) + 1e-9), top - 1)
    return Scale(float(10.0 ** max(bottom, top - MOST_DECADES)), float(10.0**top), True)


def _rounded(low: float, high: float) -> Scale:
    """Multiples of 1, 2 or 5 around numbers."""
    # of equal values, some room around them
    width = max(high - low, 0.1 * max(abs(low), abs(high)), 1e-12)
    power = 10.0 ** np.floor(np.log10(width))
    unit = next(power * k for k in (0.2, 0.5, 1.0, 2.0) if width / (power * k) <= 5.0 + 1e-9)
    bottom = np.floor(low / unit + 1e-9)
    return Scale(float(bottom * unit), float(max(np.ceil(high / unit - 1e-9), bottom + 1) * unit), False)


def ramp(shares: Floats) -> NDArray[np.float32]:
    """sRGB colours of shares from 0 to 1, (n, 3)."""
    lightness, chroma, hue = (a + (b - a) * shares for a, b in zip(FIRST, LAST, strict=True))
    angle = np.radians(hue)
    return oklab_to_srgb(lightness, chroma * np.cos(angle), chroma * np.sin(angle))


def tree_colours(values: Floats, scale: Scale, asleep: NDArray[np.bool_]) -> NDArray[np.float32]:
    """sRGB colours of trees."""
    shares = scale.shares(values)
    colours = ramp(np.nan_to_num(shares))
    colours[np.isnan(shares)] = NOTHING
    colours[asleep] = ASLEEP
    return colours
