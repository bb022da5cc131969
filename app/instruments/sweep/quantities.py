"""The quantities of a sweep: an expression over the time of a run, reduced to one number."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from app.background.units import unit_of
from app.model.views import ModelView, StateView
from sim.enums import GEOM_PLANE

Array = NDArray[np.float64]

# not an expression: how far bodies are from where they are with the present value
DISTANCE = "distance"
END, MIN, MAX, MEAN, RMS, INTEGRAL = "end", "min", "max", "mean", "rms", "integral"
# how a quantity is reduced -> what that is
REDUCTIONS = {
    END: "the value at the end",
    MIN: "the smallest value",
    MAX: "the largest value",
    MEAN: "the mean over time",
    RMS: "the root mean square over time",
    INTEGRAL: "the integral over time",
}
# which value is the best
NONE, SMALLEST, LARGEST = "", "smallest", "largest"
GOALS = (NONE, SMALLEST, LARGEST)
# expressions that have a name of their own
FASTEST = "max(abs(d.qvel))"
NAMES = {FASTEST: "|qvel|"}


@dataclass(frozen=True)
class Quantity:
    """An expression as in Plots or DISTANCE, how it is reduced, and which value is the best."""

    expression: str
    reduction: str = END
    goal: str = NONE

    @property
    def name(self) -> str:
        """For headings: "max normal force"; at the end is not said."""
        text = self.expression.strip()
        words = NAMES.get(text) or (text[:-2].replace("_", " ") if text.endswith("()") else text)
        return words if self.reduction == END else f"{self.reduction} {words}"

    def unit(self, model: ModelView) -> str:
        """The unit of the number, or an empty string."""
        unit = "m" if self.expression == DISTANCE else unit_of(self.expression, model)
        return f"{unit} s" if unit and self.reduction == INTEGRAL else unit


def reduced(times: Array, values: Array, reduction: str) -> float:
    """One number for a curve; NaN if it has no value, or none at the end."""
    if not len(values):
        return np.nan
    if reduction == END:
        return float(values[-1])
    finite = np.isfinite(values)
    t, v = times[finite], values[finite]
    return _REDUCE[reduction](t, v) if len(v) else np.nan


def _mean(times: Array, values: Array) -> float:
    seconds = float(times[-1] - times[0])
    return float(np.trapezoid(values, times)) / seconds if seconds > 0 else float(values.mean())


_REDUCE: dict[str, Callable[[Array, Array], float]] = {
    MIN: lambda times, values: float(values.min()),
    MAX: lambda times, values: float(values.max()),
    MEAN: _mean,
    RMS: lambda times, values: float(np.sqrt(_mean(times, values * values))),
    INTEGRAL: lambda times, values: float(np.trapezoid(values, times)),
}


def default_quantities(model: ModelView, state: StateView) -> tuple[Quantity, ...]:
    """What is worth knowing of most models."""
    found = [Quantity("energy()")]
    if model.nv:
        found.append(Quantity(FASTEST, MAX))
    if int(state.ncon) or (np.asarray(model.geom_type) == GEOM_PLANE).any():
        found += [Quantity("normal_force()", MAX), Quantity("depth()", MAX)]
    return (*found, Quantity(DISTANCE, MAX))


def best_and_worst(values: Array, goal: str) -> tuple[int, int]:
    """Which of some values are the best and the worst; -1 if all are equal or there is no goal."""
    finite = np.flatnonzero(np.isfinite(values))
    if goal == NONE or len(finite) < 2 or values[finite].min() == values[finite].max():
        return -1, -1
    low, high = int(finite[np.argmin(values[finite])]), int(finite[np.argmax(values[finite])])
    return (low, high) if goal == SMALLEST else (high, low)
