"""Samples watched expressions over recorded time, on a thread of its own, for plots.

The GUI says what its plot shows (`want`) and takes what is there (`latest`). Coarse samples over the whole range come
first, then finer ones; they belong to a branch and a step, so that neither a reset nor a branch makes them wrong. The
simulation only copies rows, between two of its steps. The thread has a low priority, and rests while the simulation
runs; without anything to show it sleeps.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial

import numpy as np

from app.background.row_source import RowSource
from app.background.sample_plan import Batch, Request, Steps, batches, shown_parts
from app.background.samples import Sampled, Samples, Shown
from app.files.error_text import describe
from app.run.background_thread import FollowingThread, Reply, Rest
from app.run.history.timeline import Timeline

# rows of a batch; while the simulation runs, it waits for the interpreter for less long
ROWS, ROWS_RUNNING = 64, 16
# rest after work while the simulation runs
REST = Rest(shortest=0.0)
# where samples are further apart, so many steps, the nearest checkpoint serves as well; and where it would take longer
# to compute all that is shown, s; a batch is to take about so long
EXACT, LONGEST_REPLAY, REPLAY_SECONDS = 128, 20.0, 0.2
# of a step, if it is not known
STEP_SECONDS = 1e-4


class Sampler(FollowingThread[Request]):
    """What is sampled, and what is still to do."""

    def __init__(self, source: RowSource, sleep: Callable[[float], None] = time.sleep) -> None:
        super().__init__("sampler", sleep, REST)
        self._source = source
        self._samples: dict[tuple[str, int], Samples] = {}
        self._run_number = 0
        self._shown_serial = -1
        self._shown_expressions: tuple[str, ...] = ()
        self.latest = Sampled()

    def _want_now(self, request: Request | None) -> None:
        """What is shown has changed."""
        before, self._request = self._request, request
        if request is None:
            return
        timeline = request.timeline
        if timeline.run != self._run_number:
            # another model was opened
            self._run_number = timeline.run
            self._samples.clear()
            self._show(shown=Shown(), refining=True)
        if before is not None and before.timeline.branches is timeline.branches:
            return
        last = {branch.id: branch.last for branch in timeline.branches}
        count = len(self._samples)
        self._samples = {
            (text, branch): samples
            for (text, branch), samples in self._samples.items()
            if branch in last and text in request.expressions
        }
        for (_, branch), samples in self._samples.items():
            samples.drop_after(last[branch])
        if len(self._samples) < count:
            self._show(refining=True)

    def _ask(self, request: Request) -> None:
        """Ask for the rows of the shown moment if it may be another, else for what is missing."""
        if not request.expressions:
            return
        if (self._shown_serial, self._shown_expressions) != (request.serial, request.expressions):
            now = request.timeline.now
            batch = Batch(_owner(request.timeline, now), (now,), 0)
        else:
            most = ROWS_RUNNING if request.running else ROWS
            found = next(batches(request, partial(self._missing, request), most), None)
            if found is None:
                self._show(refining=False)
                return
            batch = found
        exact = _exact(request, batch)
        if exact:
            seconds = (request.step_seconds or STEP_SECONDS) * max(batch.stride, 1)
            batch = batch._replace(steps=batch.steps[: max(int(REPLAY_SECONDS / seconds), 1)])
        self._waiting = True
        self._source.ask(batch.branch, batch.steps, lambda rows: self._reply(request, (batch, rows)), exact)

    def _missing(self, request: Request, batch: Batch, steps: Steps) -> Steps:
        """Those of the steps at which an expression was not evaluated."""
        lacking, exact = np.zeros(len(steps), bool), _exact(request, batch)
        for text in request.expressions:
            samples = self._samples.get((text, batch.branch))
            lacking |= True if samples is None else samples.lacks(steps, exact)
        return steps[lacking]

    def _answer(self, reply: Reply[Request]) -> bool:
        """Add the samples of some rows, or those of the shown moment."""
        request, (batch, rows) = reply
        found = self._source.values(rows, request.expressions)
        if batch.stride == 0:
            self._shown_serial, self._shown_expressions = request.serial, request.expressions
            shown = self.latest.shown
            if len(found.steps):
                values = {
                    text: why if np.isnan(value) and why else float(value)
                    for text, value, why in zip(request.expressions, found.values[:, -1], found.reasons, strict=True)
                }
                shown = Shown(batch.branch, int(found.steps[-1]), float(found.times[-1]), values)
            self._show(shown=shown)
        else:
            asked, exact = np.array(batch.steps), _exact(request, batch)
            for text, values in zip(request.expressions, found.values, strict=True):
                samples = self._samples.setdefault((text, batch.branch), Samples())
                samples.add(asked, found.steps, found.times, values, exact)
                samples.thin(batch.steps[0], batch.steps[-1])
            self._show(refining=True)
        return True

    def _report(self, error: Exception) -> None:
        """Say it of each expression."""
        reason = describe(error)
        self._show(Shown(values=dict.fromkeys(self._shown_expressions, reason)), refining=False)

    def _show(self, shown: Shown | None = None, refining: bool | None = None) -> None:
        """Let the GUI see what there is, if it has changed."""
        latest = self.latest
        if shown is None and refining is False and not latest.refining:
            return
        curves = latest.curves if refining is None else {key: one.frozen() for key, one in self._samples.items()}
        refining = latest.refining if refining is None else refining
        self._publish(curves=curves, shown=latest.shown if shown is None else shown, refining=refining)


def _owner(timeline: Timeline, step: int) -> int:
    """The branch of the present line that a step belongs to."""
    return next((part.branch.id for part in reversed(timeline.line()) if step >= part.first), timeline.branch)


def _exact(request: Request, batch: Batch) -> bool:
    """Whether steps that are not in memory are computed again; a first look at a range takes what there is."""
    if batch.stride == 0 or batch.first_look or batch.stride > EXACT:
        return batch.stride == 0
    shown = sum(part.last - part.first + 1 for line in request.lines for part in shown_parts(request, line))
    return shown * (request.step_seconds or STEP_SECONDS) < LONGEST_REPLAY
