"""The outcome of one value of a sweep: a run with it, some of its states for a picture, and curves of quantities."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from app.background.field_choice import FieldChoice
from app.background.second_run import SecondRun
from app.instruments.sweep.quantities import DISTANCE, Quantity, reduced
from app.instruments.sweep.start import Start
from app.model.views import StateView
from app.run.history.divergence import find, owner
from app.run.snapshot import view_state
from sim.recording.evaluate import Columns
from sim.recording.evaluate import values as evaluate

Array = NDArray[np.float64]
# steps of a native call: about how long it takes, s, the most bytes of its rows, and the first number
CALL_SECONDS, CALL_BYTES, FIRST_CALL = 0.02, 4 << 20, 16
# states of a run at which quantities are evaluated, as long as their rows have no more bytes than this
SAMPLES, LEAST_SAMPLES, SAMPLE_BYTES = 1000, 50, 32 << 20
# states of a run that its picture shows, for each simulated second and altogether; bytes of those of all runs
FRAMES_PER_SECOND, FRAMES, LEAST_FRAMES, FRAME_BYTES = 24, (24, 48), 4, 96 << 20
# Python code holds up the simulation: it rests after this many states, for this long, s
AT_ONCE, REST = 8, 0.0005

# called with the progress, from 0 to 1; returns whether to continue
Report = Callable[[float], bool]


class Cancelled(Exception):
    """The outcome is not wanted any more."""


class Curve(NamedTuple):
    """A quantity over time after the start, s; `reason` says why it has no value somewhere."""

    times: Array
    values: Array
    reason: str = ""


class Frame(NamedTuple):
    """A state for the picture, and its time after the start, s."""

    time: float
    state: StateView


@dataclass(frozen=True, eq=False)
class Outcome:
    """The result of a value."""

    value: float
    frames: tuple[Frame, ...] = ()
    # by expression
    curves: Mapping[str, Curve] = field(default_factory=dict)
    steps: int = 0
    # simulated, and what a step took of a core, s
    seconds: float = 0.0
    step_seconds: float = math.nan
    timestep: float = math.nan
    # simulated time after the start at which it diverged, s, and which number was bad
    diverged: float = math.nan
    divergence: str = ""
    # why there was no run
    error: str = ""

    @property
    def has_diverged(self) -> bool:
        """Whether the run diverged."""
        return bool(self.divergence)

    @property
    def real_time_factor(self) -> float:
        """Simulated seconds in a second of one core."""
        return self.timestep / self.step_seconds if self.step_seconds > 0 else math.nan

    def number(self, quantity: Quantity) -> float:
        """A quantity; NaN if it was not computed, or if the run diverged: what it was until then says nothing."""
        curve = None if self.has_diverged else self.curves.get(quantity.expression)
        return reduced(curve.times, curve.values, quantity.reduction) if curve is not None else math.nan


@dataclass(frozen=True, eq=False)
class Task:
    """What is run for each value: a field, for some time, with quantities to evaluate."""

    choice: FieldChoice
    values: tuple[float, ...]
    seconds: float
    quantities: tuple[Quantity, ...] = ()

    @property
    def expressions(self) -> tuple[str, ...]:
        """What is evaluated at states."""
        wanted = (quantity.expression for quantity in self.quantities)
        return tuple(dict.fromkeys(text for text in wanted if text.strip() and text != DISTANCE))


def outcome_of(
    task: Task, start: Start, value: float, report: Report, turn: AbstractContextManager[Any] | None = None
) -> Outcome:
    """Run a value; Cancelled if `report` says so. Python code other than that of steps waits for its `turn`."""
    try:
        label = f"{task.choice.name} {task.choice.text(value)}"
        run = SecondRun(start.model.copy(), (task.choice.command(value),), start.edits, label=label)
        run.start(start.row)
    except ValueError as error:
        return Outcome(value, error=str(error))
    rows, ran = _rows(run, start, task, report)
    with turn or nullcontext():
        curves = _curves(run, rows, start.time, task.expressions, report)
        frames = _frames(run, rows, start.time, task, report)
    return Outcome(value, frames, curves, *ran)


class _Ran(NamedTuple):
    """How a run went, as Outcome has it."""

    steps: int
    seconds: float
    step_seconds: float
    timestep: float
    diverged: float
    divergence: str


def _rows(run: SecondRun, start: Start, task: Task, report: Report) -> tuple[Array, _Ran]:
    """States of a run at equal distances, the first and the last among them; it ends where it diverges."""
    timestep = float(run.model.opt.timestep)
    total = max(round(task.seconds / timestep), 1)
    last = run.row()
    kept = [last[None]]
    stride = math.ceil(total / min(max(SAMPLE_BYTES // last.nbytes, LEAST_SAMPLES), SAMPLES))
    changes = [(max(round(when / timestep), 1), row) for when, row in start.inputs if when <= task.seconds]
    done, used, call, most, found = 0, 0.0, FIRST_CALL, max(CALL_BYTES // last.nbytes, 1), None
    while done < total:
        while changes and changes[0][0] <= done:
            run.take_inputs(changes.pop(0)[1])
        count = min(call, most, total - done, *(at - done for at, _ in changes[:1]))
        began = time.thread_time()
        rows = run.trace(count)
        spent = time.thread_time() - began
        used += spent
        # of a constant amount of time, not of steps: the simulation waits for none of it, a cancel does
        call = min(max(int(count * CALL_SECONDS / max(spent, 1e-6)), 1), 4 * call)
        if run.diverged:
            found = find(run.model, run.data, np.concatenate([last[None], rows]), done, False)
            good = max(found.moment - done - 1, 0) if found is not None else 0
            kept.append(rows[:good])
            done += good
            break
        kept.append(rows[(stride - 1 - done) % stride :: stride])
        last, done = rows[-1], done + count
        if done == total and done % stride:
            kept.append(rows[-1:])
        if not report(0.7 * done / total):
            raise Cancelled
    step_seconds = used / done if done else math.nan
    if not run.diverged:
        return np.concatenate(kept), _Ran(done, done * timestep, step_seconds, timestep, math.nan, "")
    words = (
        f"{found.field}[{found.index}], {owner(run.model, found.field, found.index)}" if found else "invalid numbers"
    )
    return np.concatenate(kept), _Ran(done, done * timestep, step_seconds, timestep, done * timestep, words)


def _curves(run: SecondRun, rows: Array, origin: float, expressions: Sequence[str], report: Report) -> dict[str, Curve]:
    """Expressions at states."""
    times = rows[:, 0] - origin
    if not expressions:
        return {}
    columns, values, reasons = Columns(run.model, run.signature), [], dict[str, str]()
    for at in range(0, len(rows), AT_ONCE):
        found = evaluate(run.model, run.data, rows[at : at + AT_ONCE], run.signature, expressions, columns)
        values.append(found.numbers)
        reasons |= found.reasons
        _rest(report, 0.7 + 0.2 * at / len(rows))
    numbers = np.concatenate(values).T
    return {text: Curve(times, numbers[k], reasons.get(text, "")) for k, text in enumerate(expressions)}


def _frames(run: SecondRun, rows: Array, origin: float, task: Task, report: Report) -> tuple[Frame, ...]:
    """Some states with all that is drawn of them."""
    frames: list[Frame] = []
    wanted = min(max(round(FRAMES_PER_SECOND * task.seconds), FRAMES[0]), FRAMES[1])
    places = frame_places(rows[:, 0] - origin, task.seconds, wanted)
    while len(frames) < len(places):
        place = places[len(frames)]
        run.start(rows[place], awake=False)
        run.forward()
        frames.append(Frame(float(rows[place, 0]) - origin, view_state(run.data)))
        if len(frames) == 1:
            most = max(FRAME_BYTES // (len(task.values) * max(_size(frames[0].state), 1)), LEAST_FRAMES)
            places = frame_places(rows[:, 0] - origin, task.seconds, min(wanted, most))
        if not len(frames) % AT_ONCE:
            _rest(report, 0.9 + 0.1 * len(frames) / len(places))
    return tuple(frames)


def frame_places(times: Array, seconds: float, count: int) -> list[int]:
    """The samples nearest to some times, the same for all values; one that ended before has fewer."""
    wanted = np.linspace(0.0, seconds, count)
    wanted = wanted[wanted <= times[-1] * (1 + 1e-9) + 1e-12]
    after = np.clip(np.searchsorted(times, wanted), 1, max(len(times) - 1, 1))
    nearer = np.where(
        np.abs(times[np.minimum(after, len(times) - 1)] - wanted) < np.abs(wanted - times[after - 1]), after, after - 1
    )
    # the end is shown whatever ended it
    return sorted({*np.minimum(nearer, len(times) - 1).tolist(), len(times) - 1})


def _size(state: StateView) -> int:
    """Bytes of a state, about."""
    return sum(value.nbytes for value in vars(state).values() if isinstance(value, np.ndarray))


def _rest(report: Report, share: float) -> None:
    if not report(share):
        raise Cancelled
    time.sleep(REST)


def distance(reference: Outcome, other: Outcome) -> Curve:
    """The largest distance of a body's centre of mass from where it is in another outcome at the same time, m."""
    if not reference.frames or not other.frames:
        return Curve(np.zeros(0), np.zeros(0))
    known = np.array([frame.time for frame in reference.frames])
    times, values = [], []
    for frame in other.frames:
        near = int(np.argmin(np.abs(known - frame.time)))
        # one of them may have ended before; a swept timestep may not divide the time
        if abs(known[near] - frame.time) <= max(reference.timestep, other.timestep):
            away = np.asarray(frame.state.xipos) - reference.frames[near].state.xipos
            times.append(frame.time)
            values.append(float(np.sqrt((away * away).sum(axis=1)).max(initial=0.0)))
    return Curve(np.array(times), np.array(values))
