"""Keeps the other engine in lockstep with the run that is shown, on a thread of its own, for the Lockstep instrument.

The GUI says in each frame what is shown (`want`) and takes what was found (`latest`); while the instrument is closed
the thread sleeps. The simulation only copies states, between two of its steps. The moment that is shown comes first,
then the recorded past: as a comparison of some moments, or as a free run of the other engine from a chosen one.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from app.background.row_source import RowSource, Taken
from app.files.error_text import describe
from app.instruments.lockstep.free import FreeRun, Point
from app.instruments.lockstep.judge import Comparison, compare_at
from app.instruments.lockstep.load import pair_of_model
from app.instruments.lockstep.pair import EngineRun, Pair
from app.model.views import StateView
from app.run.background_thread import FollowingThread, Reply
from app.run.commands import Send
from app.run.engine.mujoco_model import MujocoModel
from app.run.history.taken_rows import TakenMoment, TakenRows
from app.run.history.timeline import Timeline
from app.run.snapshot import view_state
from sim import Model
from sim.edits import NO_EDITS

# moments of the past that are compared, spread over so many steps at most
MOMENTS, SPAN = 60, 3000
# moments whose difference is remembered
MOST_NOTES = 2000
# rows of a free run that are asked for at once, and how many steps it goes on at most
ROWS, MOST_STEPS = 256, 50_000
# poses nearer than this, in lengths of the model, look the same
VISIBLE = 1e-5


@dataclass(frozen=True)
class Request:
    """What the instrument shows: a moment of a timeline; a free run from step `since` on, if that is not None."""

    timeline: Timeline
    serial: int
    running: bool = False
    since: int | None = None
    ghost: bool = False

    @property
    def shown(self) -> tuple[int, int | None, bool]:
        """What the shown moment's results depend on."""
        return self.serial, self.since, self.ghost


@dataclass(frozen=True, eq=False)
class Lockstep:
    """What was found; `version` grows with each change, `identity` is that of the model's view."""

    identity: object = None
    comparison: Comparison | None = None
    branch: int = 0
    step: int = 0
    time: float = 0.0
    error: str = ""
    # moments of the past that were compared: step -> time, excess
    past: dict[int, tuple[float, float]] = field(default_factory=dict)
    # the free run: its points, how it goes, and where they part
    points: tuple[Point, ...] = ()
    sentence: str = ""
    parted: Point | None = None
    ghost: StateView | None = None
    version: int = 0


class Free(NamedTuple):
    """A free run and what it is about: the history, the line and the first step."""

    key: tuple[int, int, int]
    run: FreeRun


class LockstepWorker(FollowingThread[Request]):
    """The thread of the Lockstep instrument."""

    def __init__(
        self,
        send: Send,
        sleep: Callable[[float], None] = time.sleep,
        pair_of: Callable[[Model], Pair] = pair_of_model,
    ) -> None:
        super().__init__("lockstep", sleep)
        self._pair_of = pair_of
        self._source = RowSource(send)
        self._answered: tuple[int, int | None, bool] | None = None
        # whether the last turn was about the moment that is shown
        self._shown_last = False
        # by the model that runs; a sentence where there is none
        self._pairs: dict[int, tuple[Model, Pair | str]] = {}
        self._past: dict[tuple[int, int, int], tuple[float, float]] = {}
        self._free: Free | None = None
        self.latest = Lockstep()

    def _answer(self, reply: Reply[Request]) -> bool:
        """Compare a moment, or rows of the past."""
        request, taken = reply
        self._moment(request, taken) if isinstance(taken, TakenMoment) else self._rows(request, taken)
        return True

    def _ask(self, request: Request) -> None:
        """Ask for the shown moment if it may be another, else for rows of the past."""
        reply, due = partial(self._reply, request), self._answered != request.shown
        steps: tuple[int, ...] = ()
        # while it runs, there is always another moment: the free run gets every other turn
        if self.latest.comparison is not None and not (due and (self._shown_last is False or request.since is None)):
            steps = self._free_steps(request) if request.since is not None else self._past_steps(request)
        if steps:
            self._waiting, self._shown_last = True, False
            self._source.ask(request.timeline.branch, steps, reply, exact=request.since is not None)
        elif due:
            self._waiting, self._shown_last = True, True
            self._source.ask_moment(reply)

    # ---- the moment that is shown

    def _moment(self, request: Request, taken: TakenMoment) -> None:
        """Compare the moment that is shown."""
        self._answered = request.shown
        if taken.identity is not self.latest.identity:
            self.latest = Lockstep(taken.identity, version=self.latest.version + 1)
        where = {"branch": taken.branch, "step": taken.step, "time": taken.time}
        pair = self._pair(taken.model)
        if isinstance(pair, str):
            self._publish(comparison=None, error=pair, ghost=None, **where)
            return
        pair.apply_edits(taken.edits)
        running, _ = _sides(pair, taken.model)
        running.engine.restore_state(running.model, running.data, taken.state)
        row = running.row()
        comparison = compare_at(pair, row)
        ghost = self._ghost(request, pair, taken, row)
        self._note(request.timeline.run, taken.branch, taken.step, taken.time, comparison.excess)
        past = self._own_past(request.timeline)
        self._publish(comparison=comparison, error="", ghost=ghost, past=past, **where)

    def _pair(self, model: Model) -> Pair | str:
        """Both engines with the model that runs, or why there is only one."""
        known = self._pairs.get(id(model))
        if known is None:
            copy = self._source.copies.of(model).model.copy()
            copy.engine.apply_edits(copy, NO_EDITS)
            found: Pair | str
            try:
                found = self._pair_of(copy)
            except Exception as error:
                found = describe(error)
            # only the newest model is shown
            self._pairs = {id(model): (model, found)}
            self._past.clear()
            self._free = None
            return found
        return known[1]

    def _ghost(self, request: Request, pair: Pair, taken: TakenMoment, row: Any) -> StateView | None:
        """The other engine's poses at the moment that is shown, where one can see that they are others."""
        if not request.ghost:
            return None
        running, other = _sides(pair, taken.model)
        for run in (running, other):
            run.start(row)
        if request.since is not None:
            pose = self._free.run.poses.get(taken.step) if self._free is not None else None
            if pose is None:
                return None
            other.data.write("qpos", pose)
        for run in (running, other):
            run.engine.place(run.model, run.data)
        away = np.abs(np.asarray(other.data.geom_xpos) - running.data.geom_xpos).max(initial=0.0)
        return view_state(other.data) if away > VISIBLE * float(running.model.stat.extent) else None

    # ---- the past

    def _past_steps(self, request: Request) -> tuple[int, ...]:
        """A moment of the recent past that was not compared yet, the newest first."""
        timeline = request.timeline
        # the head may still change
        last = timeline.last - 1 if timeline.at_head else timeline.last
        first = max(timeline.first, last - SPAN)
        stride = max((last - first) // MOMENTS, 1)
        for step in range(last - last % stride, first - 1, -stride):
            if (timeline.run, timeline.branch, step) not in self._past:
                return (step,)
        return ()

    def _free_steps(self, request: Request) -> tuple[int, ...]:
        """The next steps of the free run."""
        timeline = request.timeline
        assert request.since is not None
        key = timeline.run, timeline.branch, request.since
        if self._free is None or self._free.key != key:
            pair = next((pair for _, pair in self._pairs.values() if isinstance(pair, Pair)), None)
            model = next((model for model, _ in self._pairs.values()), None)
            if pair is None or model is None:
                return ()
            self._free = Free(key, FreeRun(_sides(pair, model)[1].model))
            self._publish(points=(), sentence="", parted=None)
        first = self._free.run.step + 1 if self._free.run.step >= 0 else request.since
        last = min(first + ROWS - 1, timeline.last, request.since + MOST_STEPS)
        return tuple(range(first, last + 1))

    def _rows(self, request: Request, taken: Taken) -> None:
        """Compare rows of the past, or let the other engine follow them."""
        parts = self._source.rows(taken)
        pair = self._pair(parts[0].model) if parts else ""
        if isinstance(pair, str) or any(part.model is not parts[0].model for part in parts):
            return
        if request.since is not None:
            self._follow(request, pair, parts)
            return
        timeline = request.timeline
        asked = self._past_steps(request)
        for part in parts:
            pair.apply_edits(part.edits)
            for step, row in zip(part.steps.tolist(), part.rows, strict=True):
                excess = compare_at(pair, row).excess
                # where a step is not in memory, the nearest one before it was taken
                for place in dict.fromkeys((step, *asked)):
                    self._note(timeline.run, timeline.branch, place, timeline.time_of(step), excess)
        self._publish(past=self._own_past(timeline))

    def _note(self, run: int, branch: int, step: int, when: float, excess: float) -> None:
        """Remember how large the difference was at a moment; the oldest are forgotten."""
        self._past[run, branch, step] = when, excess
        while len(self._past) > MOST_NOTES:
            del self._past[next(iter(self._past))]

    def _own_past(self, timeline: Timeline) -> dict[int, tuple[float, float]]:
        """What is known of the line that is shown, in order."""
        here = timeline.run, timeline.branch
        return {step: found for (run, branch, step), found in sorted(self._past.items()) if (run, branch) == here}

    def _follow(self, request: Request, pair: Pair, parts: list[TakenRows]) -> None:
        """Advance the free run along recorded rows; where the user changed something it begins again."""
        free = self._free
        assert free is not None
        for part in parts:
            pair.apply_edits(part.edits)
            for place, (step, row) in enumerate(zip(part.steps.tolist(), part.rows, strict=True)):
                free.run.follow(row, step, restart=place == 0 and part is not parts[0])
        self._publish(points=tuple(free.run.points), sentence=free.run.verdict, parted=free.run.parted)
        if request.ghost and self.latest.ghost is None and self.latest.step in free.run.poses:
            # the pose of the moment that is shown is there now
            self._answered = None


def _sides(pair: Pair, running: Model) -> tuple[EngineRun, EngineRun]:
    """The engine that runs, and the other one."""
    return (pair.theirs, pair.ours) if isinstance(running, MujocoModel) else (pair.ours, pair.theirs)
