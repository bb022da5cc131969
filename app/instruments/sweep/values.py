"""The values of a sweep: typed, spread over a range, or chosen around the present one."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from app.model.number_drag import FREE, Rule
from sim.user_error import UserError

# in one sweep at most
MOST = 32
# around the present value, and where that is zero
FACTORS = (0.25, 0.5, 1.0, 2.0, 4.0)
FROM_ZERO = (0.0, 0.01, 0.1, 1.0, 10.0)
AROUND_ZERO = (-1.0, -0.1, 0.0, 0.1, 1.0)
# digits of values that are made here
DIGITS = 4


class BadValues(UserError, ValueError):
    """A text has no values to sweep over; the message says why."""


def typed_values(text: str) -> tuple[float, ...]:
    """Numbers of a list, separated by blanks or commas; `0.1:10:5` are 5 from 0.1 to 10 in equal steps, `0.1:10:5 log`
    in equal ratios."""
    words = text.replace(",", " ").replace(";", " ").split()
    logarithmic = bool(words) and words[-1] == "log"
    numbers: list[float] = []
    for word in words[:-1] if logarithmic else words:
        numbers += _range(word, logarithmic) if ":" in word else [_number(word)]
    found = tuple(dict.fromkeys(numbers))
    if not found:
        raise BadValues("type some values, such as 0.1 0.3 1 3 10")
    if len(found) > MOST:
        raise BadValues(f"{len(found)} values are too many: the maximum is {MOST}")
    return found


def spread(first: float, last: float, count: int, logarithmic: bool = False) -> tuple[float, ...]:
    """Values from one to another, both included."""
    if not 1 <= count <= MOST:
        raise BadValues(f"the number of values must be from 1 to {MOST}")
    if count == 1:
        return (first,)
    if logarithmic and not first * last > 0:
        raise BadValues("equal ratios need nonzero ends of the same sign")
    shares = [k / (count - 1) for k in range(count)]
    if logarithmic:
        inner = [first * (last / first) ** share for share in shares]
    else:
        inner = [first + (last - first) * share for share in shares]
    return (first, *(rounded(number) for number in inner[1:-1]), last)


def default_values(present: float, rule: Rule = FREE, legal: Sequence[float] = ()) -> tuple[float, ...]:
    """Values around the present one, which is among them; of a choice all that are legal."""
    if legal:
        return tuple(float(value) for value in legal)
    if not math.isfinite(present):
        present = 0.0
    rule = rule.around(present)
    if rule.whole and rule.high - rule.low < len(FACTORS) + 3:
        return tuple(float(value) for value in range(math.ceil(rule.low), math.floor(rule.high) + 1))
    if present:
        wanted: Iterable[float] = (rounded(factor * present) if factor != 1.0 else present for factor in FACTORS)
    else:
        wanted = FROM_ZERO if rule.low >= 0 else AROUND_ZERO
    return tuple(sorted({rule.nearest(value) for value in wanted}))


def as_text(values: Iterable[float]) -> str:
    """Values as one types them."""
    return " ".join(shown(value) for value in values)


def shown(value: float) -> str:
    """A value in as few digits as say it."""
    short = f"{value:.6g}"
    return short if float(short) == value else repr(value)


def rounded(value: float) -> float:
    """A value in a few digits."""
    return float(f"{value:.{DIGITS}g}")


def _number(word: str) -> float:
    try:
        number = float(word)
    except ValueError:
        raise BadValues(f"{word!r} is not a number") from None
    if not math.isfinite(number):
        raise BadValues(f"{word} is not a finite number")
    return number


def _range(word: str, logarithmic: bool) -> tuple[float, ...]:
    parts = word.split(":")
    if len(parts) != 3 or not parts[2].isdigit():
        raise BadValues(f"{word!r} is not a range: write first:last:count, such as 0:1:5")
    return spread(_number(parts[0]), _number(parts[1]), int(parts[2]), logarithmic)
