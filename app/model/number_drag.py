"""How a number follows the mouse: pure arithmetic, without any widget.

A drag begins at the value that is there and depends on nothing but the pixels since then, so that a way back leads
back. Far from zero a pixel is a share of the value, as on a logarithmic scale, near zero it is a step of fixed size;
sinh joins the two and passes through zero: x = s sinh(asinh(x₀ / s) + RATE · pixels). Near the upper of two bounds
the distance from it is dragged: what matters about an impedance of 0.99 is that 0.01 is missing.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import asinh, exp, floor, hypot, inf, isfinite, log10, sinh

# the share of its size by which a pixel changes a number
RATE = 0.015
# significant digits that a drag leaves, and a slow one
DIGITS, FINE_DIGITS = 3, 5
# the nearest that a positive number comes to zero unless it is nearer already; no drag goes beyond the largest
SMALLEST, LARGEST = 1e-9, 1e30
# the engine keeps whole numbers in 32 bits
WHOLE_LIMIT = 2.0**31 - 1


@dataclass(frozen=True)
class Rule:
    """The step of a number where it is zero, and the values that are legal."""

    step: float = 0.01
    low: float = -inf
    high: float = inf
    whole: bool = False

    def nearest(self, value: float) -> float:
        """The legal value nearest to the one that is asked for."""
        legal = min(max(value, self.low), self.high)
        return float(round(legal)) if self.whole else legal

    def around(self, value: float) -> Rule:
        """The rule with a value that is there already, and hence legal."""
        return Rule(self.step, min(self.low, value), max(self.high, value), self.whole)

    @property
    def legal(self) -> str:
        """What is legal in words, or nothing if everything is."""
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
    """The number that was `start` before the mouse went so far to the right."""
    if not pixels:
        return start
    rule = rule.around(start)
    # seen from the upper bound, where that is nearer than zero
    mirrored = isfinite(rule.low) and rule.high - start < abs(start)
    x, way = (rule.high - start, -pixels) if mirrored else (start, pixels)
    scale = _scale(x, rule)
    x = _slid(x, RATE * way, scale)
    number = rule.high - x if mirrored else x
    if not rule.whole:
        number = round(number, digits - 1 - floor(log10(max(hypot(x, scale), 1e-300))))
    return rule.nearest(number)


def zero_pixels(start: float, rule: Rule) -> float:
    """How far the mouse goes until a number that may have both signs is zero."""
    scale = _scale(start, rule)
    return -asinh(start / scale) / RATE


def _scale(x: float, rule: Rule) -> float:
    """Where fixed steps give way to a share of the value; 0 if all steps are a share of it."""
    if rule.low > 0:
        return 0.0
    natural = rule.step / RATE
    return natural if rule.whole or x == 0 else min(natural, abs(x))


def _slid(x: float, way: float, scale: float) -> float:
    """x after a way along the scale that is straight about zero and logarithmic beyond `scale`."""
    most = max(LARGEST, abs(x))
    if not scale:
        return min(x * exp(min(way, 500.0)), most)
    reached = min(max(asinh(x / scale) + way, -500.0), 500.0)
    return min(max(scale * sinh(reached), -most), most)
