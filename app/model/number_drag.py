"""Arithmetic of dragging a number with the mouse: steps, rounding and legal values.

A drag starts at the present value and depends only on the pixels since then, so that dragging back restores it. Far
from zero a pixel is a fraction of the value, as on a logarithmic scale; near zero it is a fixed step. sinh joins the
two and passes through zero: x = s sinh(asinh(x₀ / s) + RATE · pixels). Near the upper of two bounds the distance from
it is dragged: what matters about an impedance of 0.99 is that 0.01 is missing.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import asinh, exp, floor, hypot, inf, isfinite, log10, sinh

# the fraction by which a pixel changes a number
RATE = 0.015
# significant digits that a drag leaves, and a slow one
DIGITS, FINE_DIGITS = 3, 5
# the smallest positive number, unless the present value is smaller; no drag goes beyond the largest
SMALLEST, LARGEST = 1e-9, 1e30
# the engine stores integers in 32 bits
WHOLE_LIMIT = 2.0**31 - 1


@dataclass(frozen=True)
class Rule:
    """The step of a number at zero, and its legal values."""

    step: float = 0.01
    low: float = -inf
    high: float = inf
    whole: bool = False

    def nearest(self, value: float) -> float:
        """The nearest legal value."""
        legal = min(max(value, self.low), self.high)
        return float(round(legal)) if self.whole else legal

    def around(self, value: float) -> Rule:
        """The rule extended to the present value."""
        return Rule(self.step, min(self.low, value), max(self.high, value), self.whole)

    def scaled(self, factor: float) -> Rule:
        """The rule of the same number in another unit."""
        return self if factor == 1.0 else Rule(self.step * factor, self.low * factor, self.high * factor, self.whole)

    @property
    def legal(self) -> str:
        """The legal values as text, empty if there is no limit."""
        below, above = self.low > -WHOLE_LIMIT, self.high < WHOLE_LIMIT
        if self.low == self.high:
            return f"stays {self.low:g}"
        if below and above:
            return f"from {self.low:g} to {self.high:g}"
        if below:
            return "above 0" if self.low == SMALLEST else f"at least {self.low:g}"
        return f"at most {self.high:g}" if above else ""


# any number
FREE = Rule()


def moved(start: float, pixels: float, rule: Rule, digits: int = DIGITS) -> float:
    """The number that was `start` before the mouse moved right by some pixels."""
    if not pixels:
        return start
    # there is no way back from infinity
    start = start if isfinite(start) else 0.0
    rule = rule.around(start)
    # measured from the upper bound if that is nearer than zero
    mirrored = isfinite(rule.low) and rule.high - start < abs(start)
    x, way = (rule.high - start, -pixels) if mirrored else (start, pixels)
    scale = _scale(x, rule)
    x = _slid(x, RATE * way, scale)
    number = rule.high - x if mirrored else x
    if not rule.whole:
        number = round(number, digits - 1 - floor(log10(max(hypot(x, scale), 1e-300))))
    return rule.nearest(number)


def zero_pixels(start: float, rule: Rule) -> float:
    """The pixels after which a number of either sign is zero."""
    scale = _scale(start, rule)
    return -asinh(start / scale) / RATE


def _scale(x: float, rule: Rule) -> float:
    """The value at which fixed steps become relative ones; 0 if all steps are relative."""
    if rule.low > 0:
        return 0.0
    natural = rule.step / RATE
    return natural if rule.whole or x == 0 else min(natural, abs(x))


def _slid(x: float, way: float, scale: float) -> float:
    """x after a distance along a scale that is linear around zero and logarithmic beyond `scale`."""
    most = max(LARGEST, abs(x))
    if not scale:
        return min(x * exp(min(way, 500.0)), most)
    reached = min(max(asinh(x / scale) + way, -500.0), 500.0)
    return min(max(scale * sinh(reached), -most), most)
