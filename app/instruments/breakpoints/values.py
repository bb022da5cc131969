"""What breakpoints read at the moment that is shown: the numbers that decide, and whether they are true."""

from __future__ import annotations

from dataclasses import dataclass
from math import isnan
from typing import NamedTuple

from app.background.probe import Moment
from sim.script.expression import BadExpression
from sim.script.predicate import Predicate


class BreakValue(NamedTuple):
    """The numbers of a predicate, with their names, whether it is true, and why it has no value."""

    numbers: tuple[tuple[str, float], ...] = ()
    true: bool = False
    error: str = ""


@dataclass(frozen=True)
class BreakQuestion:
    """What some predicates say."""

    expressions: tuple[str, ...]

    def answer(self, moment: Moment) -> tuple[BreakValue, ...]:
        return tuple(_value(text, moment) for text in self.expressions)


def _value(text: str, moment: Moment) -> BreakValue:
    predicate = Predicate(text)
    try:
        value = predicate.value(moment.model, moment.data)
    except BadExpression as fault:
        return BreakValue(error=str(fault))
    return BreakValue(tuple(predicate.numbers()), value != 0 and not isnan(value))
