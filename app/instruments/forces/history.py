"""Answers of the Forces instrument that were seen, so that its bars have a short history of their own."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from app.background.probe import Answer
from app.instruments.forces.bars import bars_of
from app.instruments.forces.question import ForceAnswer, ForceQuestion

# moments that are kept
MOST = 300
TOTAL = "total"


@dataclass
class ForceHistory:
    """Moments of one joint or body on one branch, the newest kept; values by the names of bars."""

    _about: tuple[ForceQuestion, int] | None = None
    # step -> time, and what was answered
    _answers: dict[int, tuple[float, ForceAnswer]] = field(default_factory=dict)
    _values: dict[int, dict[str, float]] = field(default_factory=dict)
    _choice: tuple[int, bool, bool] = (0, False, False)

    def add(self, question: ForceQuestion, answer: Answer) -> None:
        """Keep an answer."""
        if self._about != (question, answer.branch):
            self._about = question, answer.branch
            self._answers.clear()
            self._values.clear()
        known = self._answers.get(answer.step)
        if known is None or known[1] is not answer.value:
            self._values.pop(answer.step, None)
            self._answers[answer.step] = answer.time, answer.value
        while len(self._answers) > MOST:
            oldest = next(iter(self._answers))
            del self._answers[oldest]
            self._values.pop(oldest, None)

    def series(self, names: list[str], axis: int, as_force: bool, by_kind: bool) -> tuple[np.ndarray, np.ndarray]:
        """Times, and the values of these bars and of the total, one row each."""
        if self._choice != (axis, as_force, by_kind):
            self._choice = axis, as_force, by_kind
            self._values.clear()
        steps = sorted(self._answers)
        for step in steps:
            if step not in self._values:
                self._values[step] = _by_name(self._answers[step][1], axis, as_force, by_kind)
        times = np.array([self._answers[step][0] for step in steps])
        values = [[self._values[step].get(name, 0.0) for step in steps] for name in (*names, TOTAL)]
        return times, np.array(values)


def _by_name(answer: ForceAnswer, axis: int, as_force: bool, by_kind: bool) -> dict[str, float]:
    """The values of all bars by their names: contacts of the same geoms are added up."""
    if answer.shares.asleep:
        return {}
    values: dict[str, float] = {}
    for bar in bars_of(answer, axis, as_force, by_kind):
        values[bar.name] = values.get(bar.name, 0.0) + bar.value
    values[TOTAL] = float((answer.shares.total_force if as_force else answer.shares.total)[axis])
    return values
