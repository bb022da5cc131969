"""Free running: another engine continues from a recorded state by itself, and parts from the recorded run at some time.

How fast two runs part depends on the model: a twin of the other engine starts 1e-10 away from it. As long as the
distance to the recorded run is no more than what 1e-8 of such a start would have grown to, it is rounding. Where the
twin is 1e7 times as far away as it was, the comparison is meaningless.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from app.instruments.lockstep.elements import MODEL_ITSELF, Element, dof_element
from app.instruments.lockstep.pair import EngineRun
from app.run.history.recorded_inputs import row_places
from sim import Model

# where the twin starts, the tolerated error at the start, and the growth beyond which the comparison is meaningless
TWIN, TOLERANCE, CHAOS = 1e-10, 1e-8, 1e7


@dataclass(frozen=True)
class Point:
    """The distance after a step, and how much a small error has grown by then."""

    step: int
    time: float
    distance: float
    growth: float

    @property
    def error(self) -> float:
        """The error at the start that would explain the distance."""
        return self.distance / self.growth


class FreeRun:
    """The other engine, from a state on, with a twin."""

    def __init__(self, model: Model) -> None:
        self.other, self.twin = EngineRun(model), EngineRun(model)
        self.points: list[Point] = []
        # positions of the other engine by step
        self.poses: dict[int, Any] = {}
        # the first point at which they have parted, and where most; the first at which the comparison is meaningless
        self.parted: Point | None = None
        self.element = MODEL_ITSELF
        self.chaotic: Point | None = None
        # the last recorded row that it has followed, and its step
        self._before: Any = None
        self.step = -1
        self._places = row_places(model, self.other.signature)

    def follow(self, row: Any, step: int, restart: bool = False) -> None:
        """The next recorded row: a step to it, or a new start if it does not follow the last one."""
        if self._before is None or restart or step != self.step + 1:
            for run in (self.other, self.twin):
                run.start(row)
            self.twin.nudge(TWIN)
        else:
            self._advance(self._before, row, step)
        self.poses[step] = np.array(self.other.data.qpos)
        self._before, self.step = row, step

    def _advance(self, before: Any, after: Any, step: int) -> None:
        """One step with the controls of the row before it; the recorded run has come to `after`."""
        for run in (self.other, self.twin):
            run.take_inputs(before)
            run.step()
        recorded = [after[self._places[name]] for name in ("qpos", "qvel")]
        there = _state(self.other)
        distance = _distance(recorded, there)
        growth = max(_distance(_state(self.twin), there) / TWIN, 1.0)
        point = Point(step, float(after[self._places["time"]][0]), distance, growth)
        self.points.append(point)
        if self.chaotic is None and self.parted is None:
            if not growth <= CHAOS:
                self.chaotic = point
            elif not point.error <= TOLERANCE:
                self.parted, self.element = point, _farthest(self.other, recorded, there)

    @property
    def verdict(self) -> str:
        """The result, as a sentence."""
        if self.parted is not None:
            where = f", most at {self.element.name}" if self.element.name else ""
            return f"They diverge at {self.parted.time:.6g} s, step {self.parted.step}{where}."
        if self.chaotic is not None:
            return (
                f"Together up to {self.chaotic.time:.6g} s, step {self.chaotic.step}; beyond that MuJoCo also "
                "diverges from itself when started 1e-10 away."
            )
        return f"Together for {len(self.points)} steps." if self.points else ""


def _state(run: EngineRun) -> list[Any]:
    return [np.array(run.data.qpos), np.array(run.data.qvel)]


def _distance(first: Sequence[Any], second: Sequence[Any]) -> float:
    """The largest difference of positions or velocities, over the largest of them or 1."""
    away = 0.0
    for mine, other in zip(first, second, strict=True):
        scale = max(1.0, float(np.abs(other).max(initial=0.0)))
        away = max(away, float(np.abs(mine - other).max(initial=0.0)) / scale)
        if not np.isfinite(mine).all() or not np.isfinite(other).all():
            return np.inf
    return away


def _farthest(run: EngineRun, first: Sequence[Any], second: Sequence[Any]) -> Element:
    """The joint whose velocity, or else position, differs most."""
    speeds = np.abs(first[1] - second[1])
    return dof_element(run.model, int(np.argmax(np.nan_to_num(speeds, nan=np.inf)))) if len(speeds) else MODEL_ITSELF
