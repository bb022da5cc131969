"""Trials of fixes: a run that diverged is repeated with each of them on a copy of the model, and watched for longer.

A course is what is repeated: the state at its start, and parts, each with the edits of its time and with what the user
changed when it began: controls, pulls, positions. A run has survived if it lasts, without a warning, a second longer
than the one that diverged, its speeds are those of a model that works, and its energy does not grow at the end.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

import sim
from app.background.second_run import SecondRun
from app.instruments.doctor.divergence_report import DivergenceReport, report_on
from app.instruments.doctor.finding import Finding, Fix
from app.instruments.doctor.growth import absurd_speeds, translates
from app.run.history.recorded_inputs import row_places
from sim import Data, Model
from sim.edits import ModelEdits
from sim.enums import STATE_RECORD
from sim.recording.run import Change
from sim.script.model_edits import edits_of

Array = NDArray[np.float64]

# the time that is repeated before the divergence, and how much longer a run has to last, s
BEFORE, AFTER = 1.0, 1.0
# steps of one native call
CHUNK = 64
# speeds of a model that works are below those that are absurd at this timestep, s, or at its own if that is shorter;
# or below this many times the fastest until then
USUAL_STEP, FASTER = 0.002, 4.0
# the energy grows if that of the last part of the time after the divergence is this many times that of all before
PARTS, GROWN = 8, 4.0
# how long a model is run for an explosion, s, and memory for its states
LONGEST, MOST_BYTES = 10.0, 64 << 20


class Part(NamedTuple):
    """Some time with one set of edits, s; `change` is what the user changed at its beginning."""

    seconds: float
    edits: ModelEdits
    change: Change | None = None


@dataclass(frozen=True, eq=False)
class Course:
    """A run to repeat, with a model of its own; `same_inputs`: controls and pulls as recorded, not constant."""

    model: Model
    start: Array
    parts: tuple[Part, ...]
    # the last sane state, and the speeds until then
    sane: Array
    fastest: Array
    same_inputs: bool = True

    @property
    def seconds(self) -> float:
        """Until the divergence."""
        return sum(part.seconds for part in self.parts)


@dataclass(frozen=True)
class Verdict:
    """The result of a run with some fixes."""

    fixes: tuple[Fix, ...]
    survived: bool
    # time of the failure, and its reason
    time: float = 0.0
    why: str = ""
    # from the recorded motion, at the last sane state: rad, or sizes of the model
    differs: float = 0.0

    @property
    def text(self) -> str:
        """The verdict in a few words."""
        return "survived" if self.survived else f"{self.why} at {self.time:.3g} s"


Report = Callable[[Verdict], bool]


def course_of(
    model: Model, rows: Array, found: DivergenceReport, parts: Sequence[Part] = (), same: bool = True
) -> Course:
    """The course along the rows of a report; without parts, one with the current edits and constant inputs."""
    first = repeat_from(model, found)
    seconds = (len(rows) - first) * float(model.opt.timestep)
    fastest = np.abs(rows[first : found.sane + 1, row_places(model, STATE_RECORD)["qvel"]]).max(axis=0)
    parts = tuple(parts) or (Part(seconds, edits_of(model)),)
    return Course(model, rows[first], parts, rows[found.sane], fastest, same)


def try_fixes(course: Course, fixes: Sequence[Fix], report: Report = lambda verdict: True) -> list[Verdict]:
    """Try fixes one by one, and if none survives the best two together; `report` may end it by returning False."""
    verdicts = []
    for fix in fixes:
        verdicts.append(run_with(course, (fix,)))
        if not report(verdicts[-1]):
            return verdicts
    if not any(verdict.survived for verdict in verdicts):
        for pair in _pairs(verdicts):
            verdicts.append(run_with(course, pair))
            if not report(verdicts[-1]) or verdicts[-1].survived:
                break
    return verdicts


def _pairs(verdicts: Sequence[Verdict]) -> Iterator[tuple[Fix, ...]]:
    """Two of those that lasted longest, unless both set the same."""
    best = sorted(verdicts, key=lambda verdict: -verdict.time)[:4]
    for one, other in combinations([verdict.fixes[0] for verdict in best], 2):
        if not _targets(one) & _targets(other):
            yield one, other


def _targets(fix: Fix) -> set[tuple[str, int]]:
    """Fields and rows that a fix sets; what is one for the whole model has row -1."""
    return {(edit.path, row) for edit in fix.edits for row in getattr(edit, "rows", ()) or (-1,)}


def ordered(verdicts: Sequence[Verdict]) -> list[Verdict]:
    """Those that survived first, in their order; then the others, the longest first."""
    return sorted(verdicts, key=lambda verdict: (not verdict.survived, 0.0 if verdict.survived else -verdict.time))


def run_with(course: Course, fixes: Sequence[Fix]) -> Verdict:
    """Repeat a course with fixes."""
    fixed, edits = tuple(fixes), [edit for fix in fixes for edit in fix.edits]
    try:
        run = SecondRun(course.model.copy(), edits, course.parts[0].edits)
        run.start(course.start)
        watch = _Watch(course, run)
        why = watch.go(course.parts[0].seconds)
        for part in course.parts[1:]:
            if why:
                break
            run.set_edits(part.edits)
            if part.change is not None:
                run.change(part.change.indices, part.change.values, len(course.start))
            why = watch.go(part.seconds)
        why = why or watch.go(AFTER) or watch.check_energy()
    except ValueError as error:
        return Verdict(fixed, False, float(course.start[0]), f"cannot be tried ({error})")
    return Verdict(fixed, not why, watch.time, why, watch.differs)


class _Watch:
    """Watches a second run along a course."""

    def __init__(self, course: Course, run: SecondRun) -> None:
        self._course, self._run, self._model = course, run, run.model
        self._places = row_places(run.model, STATE_RECORD)
        own = float(course.model.opt.timestep)
        usual = min(own, USUAL_STEP)
        self._limit = np.maximum(absurd_speeds(course.model) * own / usual, FASTER * course.fastest)
        # kinetic energies of the current part, and the largest of those before
        self._energies: list[Array] = []
        self._earlier = 0.0
        self.time = float(course.start[0])
        self.differs = 0.0

    def go(self, seconds: float) -> str:
        """Step for some time; returns why it failed, or nothing."""
        left = max(round(seconds / float(self._model.opt.timestep)), 0)
        self._earlier = max(self._earlier, *(float(part.max(initial=0.0)) for part in self._energies), 0.0)
        self._energies.clear()
        while left > 0:
            rows = self._run.trace(min(left, CHUNK))
            left -= len(rows)
            why = self._judge(rows)
            if why:
                return why
        return ""

    def _judge(self, rows: Array) -> str:
        """Whether some steps were sound."""
        speeds = rows[:, self._places["qvel"]]
        with np.errstate(invalid="ignore"):
            bad = np.flatnonzero((~(np.abs(speeds) <= self._limit)).any(axis=1))
        if bad.size or self._run.diverged:
            self.time = float(rows[bad[0] if bad.size else 0, 0])
            return "diverged"
        before, self.time = self.time, float(rows[-1, 0])
        moment = float(self._course.sane[0])
        if before < moment <= self.time + 1e-12:
            self._compare(rows[int(np.argmin(np.abs(rows[:, 0] - moment)))])
        self._energies.append((speeds**2 * np.asarray(self._course.model.dof_M0)).sum(axis=1))
        return ""

    def _compare(self, row: Array) -> None:
        """Measure the distance to the recorded motion."""
        place = self._places["qpos"]
        away = np.abs(sim.differentiate_pos(self._model, 1.0, self._course.sane[place], row[place]))
        size = np.where(translates(self._model), max(float(self._model.stat.extent), 1e-3), 1.0)
        self.differs = float((away / size).max(initial=0.0))

    def check_energy(self) -> str:
        """Whether the kinetic energy is larger than ever at the end of the time after the divergence."""
        energy = np.concatenate(self._energies) if self._energies else np.zeros(PARTS)
        parts = [float(part.max(initial=0.0)) for part in np.array_split(energy, PARTS)]
        floor = 1e-3 * float(np.asarray(self._model.dof_M0).mean()) if self._model.nv else 0.0
        grows = parts[-1] > GROWN * max(self._earlier, *parts[:-2]) and parts[-1] > floor
        return "still grows" if grows else ""


# ---- without a window


@dataclass(frozen=True, eq=False)
class Explosion:
    """A run that diverged: the report, and how to repeat it."""

    report: DivergenceReport
    course: Course
    time: float

    @property
    def findings(self) -> tuple[Finding, ...]:
        """The culprits."""
        return self.report.findings


def examine_explosion(model: Model, data: Data | None = None, seconds: float = LONGEST) -> Explosion | None:
    """Run a model from a state, or from its start; None if it does not diverge within some time."""
    copy = model.copy()
    run = SecondRun(copy)
    if data is not None:
        run.start(model.engine.get_state(model, data, run.signature))
    kept, left = [run.row()[None]], round(seconds / float(copy.opt.timestep))
    most = max(MOST_BYTES // kept[0].nbytes, 2)
    while left > 0 and not run.diverged:
        kept.append(run.trace(min(left, CHUNK)))
        left -= len(kept[-1])
        while sum(len(part) for part in kept[1:]) > most:
            del kept[0]
    if not run.diverged:
        return None
    rows = np.concatenate(kept)
    rows = rows[: max(run.sound(rows), 1)]
    copy.opt.disableflags = model.opt.disableflags
    found = report_on(copy, rows)
    return Explosion(found, course_of(copy, rows, found), float(rows[-1, 0]))


def repeat_from(model: Model, found: DivergenceReport) -> int:
    """The row from which a run is repeated: a second before it was sane last."""
    return max(found.sane - round(BEFORE / float(model.opt.timestep)), 0)
