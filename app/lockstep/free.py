"""Free running: another engine goes on from a recorded state by itself, and parts from the recorded run at some time.

How fast two runs part depends on the model: a twin of the other engine starts 1e-10 away from it. As long as the
distance to the recorded run is no more than what 1e-8 of such a start would have grown to, it is rounding. Where the
twin is 1e7 times as far away as it was, nothing can be told any more.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from app.lockstep.elements import MODEL_ITSELF, Element, dof_element
from app.lockstep.pair import Course
from sim.script.positions import differentiate_pos
from sim.script.state_vector import split_state

# where the twin starts, what an error at the start may be, and the growth beyond which nothing can be told
TWIN, TOLERANCE, CHAOS = 1e-10, 1e-8, 1e7
# parts of a row that the user, a script or the noise sets: the same for all
INPUTS = ("ctrl", "qfrc_applied", "xfrc_applied", "eq_active", "mocap_pos", "mocap_quat", "userdata")
INPUT_GROUPS = ("perturb.", "noise.")


@dataclass(frozen=True)
class Point:
    """The distance after a step, how much a small error has grown by then, and where the distance is largest."""

    step: int
    time: float
    distance: float
    growth: float
    element: Element = MODEL_ITSELF

    @property
    def error(self) -> float:
        """The error at the start that would explain the distance."""
        return self.distance / self.growth


@dataclass
class FreeRun:
    """The other engine, from a state on."""

    other: Course
    twin: Course
    points: list[Point] = field(default_factory=list)
    # positions of the other engine by step
    poses: dict[int, Any] = field(default_factory=dict)
    # the first point at which they have parted, and the first at which nothing can be told any more
    parted: Point | None = None
    chaotic: Point | None = None

    def start(self, row: Any, step: int) -> None:
        """Begin at a recorded state."""
        for course in (self.other, self.twin):
            course.set(row)
        self.twin.nudge(TWIN)
        self.poses[step] = np.array(self.other.data.qpos)

    def advance(self, before: Any, after: Any, step: int) -> Point:
        """One step with the controls of the row before it; `after` is where the recorded run has gone."""
        for course in (self.other, self.twin):
            _take_inputs(course, before)
            course.step()
        self.poses[step] = np.array(self.other.data.qpos)
        parts = split_state(self.other.model, after, self.other.signature, False)
        mine = np.array(parts["qpos"], float), np.array(parts["qvel"], float)
        there = _state(self.other)
        away = _away(self.other, mine, there)
        twin = float(np.max(_away(self.other, _state(self.twin), there), initial=0.0))
        distance = float(np.max(away, initial=0.0))
        where = dof_element(self.other.model, int(np.argmax(away)) % self.other.model.nv) if distance else MODEL_ITSELF
        time = float(np.asarray(parts["time"]).ravel()[0])
        point = Point(step, time, distance, max(twin / TWIN, 1.0), where)
        self._note(point)
        return point

    def _note(self, point: Point) -> None:
        self.points.append(point)
        if self.chaotic is None and self.parted is None:
            if not point.growth <= CHAOS:
                self.chaotic = point
            elif not point.error <= TOLERANCE:
                self.parted = point

    @property
    def verdict(self) -> str:
        """How it went, as a sentence."""
        if self.parted is not None:
            where = f", most at {self.parted.element.name}" if self.parted.element.name else ""
            return f"They part at {self.parted.time:.6g} s, step {self.parted.step}{where}."
        if self.chaotic is not None:
            return (
                f"Together up to {self.chaotic.time:.6g} s, step {self.chaotic.step}; from there on MuJoCo parts from "
                "itself as well, if it starts 1e-10 away."
            )
        return f"Together for {len(self.points)} steps." if self.points else ""


def _take_inputs(course: Course, row: Any) -> None:
    """Set what is not computed by a step."""
    parts = split_state(course.model, row, course.signature, False)
    halves = ("noise.seed",)
    for name, part in parts.items():
        if name in INPUTS or (name.startswith(INPUT_GROUPS) and name not in halves):
            course.data.write(name, part)


def _state(course: Course) -> tuple[Any, Any]:
    return np.array(course.data.qpos), np.array(course.data.qvel)


def _away(course: Course, first: tuple[Any, Any], second: tuple[Any, Any]) -> Any:
    """Distances of two states, dof by dof: positions, then velocities, over the largest of each or 1."""
    if not all(np.isfinite(part).all() for part in (*first, *second)):
        return np.full(max(2 * course.model.nv, 1), np.inf)
    moved = np.abs(differentiate_pos(course.model, 1.0, second[0], first[0]))
    speeds = np.abs(first[1] - second[1])
    scales = [max(1.0, float(np.abs(part).max(initial=0.0))) for part in second]
    return np.concatenate([moved / scales[0], speeds / scales[1]])
