"""Runs a sweep on all cores, next to the simulation, with threads of low priority that exist only meanwhile.

The GUI says in each frame which sweep it wants (`want`) and takes what was found (`latest`). Steps are native code,
which leaves Python to others; what else the threads do, they do one at a time.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import chain, takewhile

from app.background.row_source import RowSource
from app.files.error_text import describe
from app.instruments.sweep.batch import with_distances
from app.instruments.sweep.outcome import Cancelled, Outcome, Task, outcome_of
from app.instruments.sweep.quantities import DISTANCE
from app.instruments.sweep.start import Array, Start, start_of
from app.run.background_thread import answer_of, low_priority_thread
from app.run.commands import Send
from app.run.history.taken_rows import TakenRows, in_order
from app.run.history.timeline import Timeline
from sim.jit.machine import cores

# recorded rows that are asked for at once
ROWS = 256
# between two reports of progress, s
REPORT_SECONDS = 0.1


@dataclass(frozen=True, eq=False)
class Request:
    """A sweep from the moment that a timeline shows; `present` is the value that the field has there.

    `cancelled` ends it: what was found stays.
    """

    task: Task
    timeline: Timeline
    present: float
    cancelled: threading.Event = field(default_factory=threading.Event)


@dataclass(frozen=True, eq=False)
class Sweep:
    """What was found; `version` grows with each change."""

    request: Request | None = None
    # by place of the value
    outcomes: Mapping[int, Outcome] = field(default_factory=dict)
    # how far each value is, from 0 to 1
    shares: tuple[float, ...] = ()
    # simulated time of the start, and for how long inputs were recorded after it, s
    time: float = 0.0
    recorded: float = 0.0
    done: bool = False
    error: str = ""
    version: int = 0

    @property
    def running(self) -> bool:
        """Whether there is more to come."""
        return self.request is not None and not self.done

    @property
    def makes_no_difference(self) -> bool:
        """Whether all values are done, and all have led to the same motion."""
        curves = [outcome.curves.get(DISTANCE) for outcome in self.outcomes.values()]
        known = [curve for curve in curves if curve is not None and len(curve.values)]
        sound = not any(outcome.has_diverged or outcome.error for outcome in self.outcomes.values())
        return self.done and sound and len(known) > 1 and all(curve.values.max() == 0.0 for curve in known)


class SweepWorker:
    """For the GUI's thread; `latest` is replaced by others."""

    def __init__(self, send: Send, threads: int | None = None) -> None:
        self._send = send
        self.threads = threads or cores()
        self._lock = threading.Lock()
        self._job: _Job | None = None
        self.latest = Sweep()

    def start(self) -> None:
        """Threads begin with a sweep."""

    def want(self, request: Request | None) -> None:
        """Say which sweep is wanted; another one ends the one before."""
        known = self._job.request if self._job is not None else None
        if request is known:
            return
        if self._job is not None:
            self._job.request.cancelled.set()
        self._job = None
        with self._lock:
            shares = (0.0,) * len(request.task.values) if request is not None else ()
            self.latest = Sweep(request, shares=shares, version=self.latest.version + 1)
        if request is not None:
            self._job = _Job(self, request, RowSource(self._send))
            self._job.thread.start()

    def close(self) -> None:
        """End the threads, soon."""
        self.want(None)

    def publish(self, request: Request, **changes: object) -> None:
        """Show what was found, if it is still wanted."""
        with self._lock:
            if self.latest.request is request:
                self.latest = replace(self.latest, version=self.latest.version + 1, **changes)  # type: ignore[arg-type]

    def publish_value(self, request: Request, place: int, share: float, outcome: Outcome | None = None) -> None:
        """Show how far a value is, or its outcome."""
        with self._lock:
            latest = self.latest
            if latest.request is request:
                shares = (*latest.shares[:place], share, *latest.shares[place + 1 :])
                outcomes = latest.outcomes if outcome is None else {**latest.outcomes, place: outcome}
                self.latest = replace(latest, version=latest.version + 1, shares=shares, outcomes=outcomes)


class _Job:
    """One sweep: a thread that gets the start, and some that run values."""

    def __init__(self, worker: SweepWorker, request: Request, source: RowSource) -> None:
        self.worker, self.request, self.source = worker, request, source
        self.thread = low_priority_thread("sweep", self._run)
        # Python code of one value at a time
        self._turn = threading.Lock()
        task = request.task
        # the one that others are compared with first
        self._left = sorted(range(len(task.values)), key=lambda place: task.values[place] != request.present)

    def _run(self) -> None:
        try:
            start = self._start()
        except Exception as error:
            self.worker.publish(self.request, done=True, error=describe(error))
            return
        self.worker.publish(self.request, time=start.time, recorded=start.recorded)
        count = min(self.worker.threads, len(self._left))
        threads = [low_priority_thread(f"sweep {k}", partial(self._values, start)) for k in range(count)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self._finish()

    def _start(self) -> Start:
        """The current state, and the states recorded after it."""
        moments = self._moments()
        row, part = next(moments, (None, None))
        if row is None or part is None:
            raise ValueError("this step is no longer in memory")
        model = self.source.copies.of(part.model).model.copy()
        # another model, read from the file later, has other inputs
        same = takewhile(lambda moment: moment[1].model is part.model and moment[0].shape == row.shape, moments)
        return start_of(model, part.edits, chain((row,), (other for other, _ in same)))

    def _moments(self) -> Iterator[tuple[Array, TakenRows]]:
        """What the simulation has recorded, from the start on, piece by piece."""
        timeline = self.request.timeline
        count = round(self.request.task.seconds / max(timeline.timestep_at(timeline.now), 1e-9)) + 1
        last = min(timeline.last, timeline.now + count)
        for at in range(timeline.now, last + 1, ROWS):
            steps = range(at, min(at + ROWS, last + 1))
            ask = partial(self.source.ask, timeline.branch, steps, exact=True)
            taken = answer_of(ask, self.request.cancelled.is_set)
            yield from ((row, part) for _, row, part in in_order(self.source.rows(taken or ())))

    def _values(self, start: Start) -> None:
        while self._value(start):
            pass

    def _value(self, start: Start) -> bool:
        """Run one of the values that are left; False where none is, or the sweep is cancelled."""
        with self.worker._lock:
            if self.request.cancelled.is_set() or not self._left:
                return False
            place = self._left.pop(0)
        value, said = self.request.task.values[place], time.monotonic()

        def report(share: float) -> bool:
            nonlocal said
            now = time.monotonic()
            if now - said > REPORT_SECONDS:
                said = now
                self.worker.publish_value(self.request, place, share)
            return not self.request.cancelled.is_set()

        try:
            outcome = outcome_of(self.request.task, start, value, report, self._turn)
        except Cancelled:
            return False
        except Exception as error:
            outcome = Outcome(value, error=describe(error))
        self.worker.publish_value(self.request, place, 1.0, outcome)
        return True

    def _finish(self) -> None:
        """Compare with the present value, and say that all is done."""
        found = self.worker.latest.outcomes
        compared = with_distances(tuple(found.values()), self.request.present)
        self.worker.publish(self.request, done=True, outcomes=dict(zip(found, compared, strict=True)))
