"""Finds the chain of wakes that led to a tree, in all recorded steps, on a thread of its own.

A row has only the last wake of each tree, and not when that was; so the steps are searched backwards, window by window,
for trees that slept in one row and not in the next. Windows are kept: none but the newest can change.
The GUI says in each frame which tree is asked about (`want`) and takes what was found (`latest`).
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from app.background.row_source import RowSource
from app.files.error_text import describe
from app.run.background_thread import FollowingThread, Reply
from app.run.commands import Send
from app.run.history.taken_rows import TakenRows
from app.run.history.timeline import Timeline
from sim import Model
from sim.analysis.trees.wakes import SleepRows, Wake, joined, sleep_rows, touching_trees, wake_chain, wakes
from sim.enums import WAKE_NONE

# steps of a window, windows that are asked for at once, numbers of rows at once
STEPS, MOST_WINDOWS, MOST_NUMBERS = 64, 4, 2_000_000
# windows that are kept
KEPT = 4096


@dataclass(frozen=True)
class Request:
    """A tree at the moment that a timeline shows."""

    timeline: Timeline
    tree: int
    running: bool = False

    @property
    def key(self) -> tuple[int, int, int, int]:
        """What the answer depends on."""
        return self.timeline.run, self.timeline.branch, self.timeline.now, self.tree


@dataclass(frozen=True, eq=False)
class Found:
    """The chain of a tree at a moment, from its own wake to the first cause; `version` grows with each change."""

    run: int = -1
    branch: int = -1
    tree: int = -1
    step: int = 0
    links: tuple[Wake, ...] = ()
    # False while it is searched for, which has come to step `step`
    complete: bool = False
    # the tree that no wake was found of, -1 for none; and the step before which nothing can be told, -1 for none
    since_start: int = -1
    unknown: int = -1
    error: str = ""
    version: int = 0


@dataclass(frozen=True, eq=False)
class Window:
    """The wakes of some steps; what is known of the trees before them."""

    model: Model | None
    wakes: tuple[Wake, ...]
    # the first step that belongs to the model, if there is another one before
    cut: int
    woken_before: frozenset[int]


class MissingWindow(Exception):
    """A window that has not been read yet."""


class WakeSearch(FollowingThread[Request]):
    """The thread of the Lens instrument."""

    def __init__(self, send: Send, sleep: Callable[[float], None] = time.sleep) -> None:
        super().__init__("wakes", sleep)
        self._source = RowSource(send)
        # what is asked by now, while another search is finished
        self._newer: Request | None = None
        self._answered: tuple[int, int, int, int] | None = None
        # windows of the line of a branch, by number; and that of the shown moment, which may change
        self._line = (-1, -1)
        self._windows: dict[int, Window] = {}
        self._newest: tuple[int, Window] | None = None
        self._batch, self._width = 1, 1
        self.latest = Found()

    def _key_of(self, request: Request) -> object:
        return request.key

    def _want_now(self, request: Request | None) -> None:
        self._newer = request
        if request is None:
            self._request = None

    def _begin_turn(self) -> bool:
        self._choose()
        if self._request is not None and self._request.key != self._answered:
            self._search(self._request)
        return False

    def _failed(self, request: Request | None, error: Exception) -> None:
        request = request or self._request
        if request is not None:
            self._answered = request.key
            self._found(request, request.timeline.now, complete=True, error=describe(error))

    def _choose(self) -> None:
        """What to search for: while time runs, a search is finished before that of a later moment begins."""
        old, new = self._request, self._newer
        if (
            old is None
            or new is None
            or old.key == self._answered
            or (old.tree, *old.key[:2]) != (new.tree, *new.key[:2])
        ):
            if old is None or new is None or old.tree != new.tree:
                self._batch = 1
            self._request = new

    def _search(self, request: Request) -> None:
        """Publish the chain, or ask for the rows that it needs."""
        timeline = request.timeline
        if self._line != request.key[:2]:
            self._line, self._windows, self._newest = request.key[:2], {}, None
        if self._newest is not None and self._newest[0] != timeline.now:
            self._newest = None
        looked = _Look(self, request)
        try:
            links = wake_chain(looked.last, request.tree, timeline.now)
        except MissingWindow as missing:
            self._ask_window(request, int(missing.args[0]))
            return
        self._answered = request.key
        self._found(request, timeline.now, links=tuple(links), complete=True, since_start=looked.none,
                    unknown=looked.unknown)  # fmt: skip

    def _found(self, request: Request, step: int, **found: Any) -> None:
        timeline = request.timeline
        where = timeline.run, timeline.branch, request.tree, step
        self.latest = Found(*where, version=self.latest.version + 1, **found)

    # ---- windows

    def window(self, number: int, now: int) -> Window:
        """A window, if it was read."""
        if self._newest is not None and number == last_window(now):
            return self._newest[1]
        if number not in self._windows:
            raise MissingWindow(number)
        return self._windows[number]

    def _ask_window(self, request: Request, number: int) -> None:
        """Ask for the rows of a window, and of some before it."""
        timeline = request.timeline
        most = max(min(self._batch, MOST_NUMBERS // (STEPS * self._width)), 1)
        first = number
        while number - first + 1 < most and first > 0 and first - 1 not in self._windows:
            first -= 1
        self._batch = min(2 * self._batch, MOST_WINDOWS)
        steps = range(max(first * STEPS, timeline.first), min((number + 1) * STEPS, timeline.now) + 1)
        if self.latest.tree != request.tree or not self.latest.complete:
            self._found(request, steps[0])
        self._waiting = True
        numbers = range(first, number + 1)
        self._source.ask(timeline.branch, steps, lambda rows: self._reply(request, (numbers, rows)), exact=True)

    def _answer(self, reply: Reply[Request]) -> bool:
        """Find the wakes of the windows that were asked for."""
        request, (numbers, taken) = reply
        now, rows = request.timeline.now, _Rows(self._source, self._source.rows(taken))
        self._width = max(rows.width, 1)
        if self._line != request.key[:2]:
            return True
        for number in numbers:
            window = rows.window(number * STEPS, min((number + 1) * STEPS, now))
            if number == last_window(now):
                # the row that is shown may have been computed further than the recorded one
                self._newest = now, window
            else:
                self._windows[number] = window
        while len(self._windows) > KEPT:
            del self._windows[next(iter(self._windows))]
        return True


def last_window(step: int) -> int:
    """The number of the window that a step ends in."""
    return max(step - 1, 0) // STEPS


class _Look:
    """Looks for the last wake of trees in windows, backwards."""

    def __init__(self, search: WakeSearch, request: Request) -> None:
        self._search, self._timeline = search, request.timeline
        # the last tree without a wake, and the step before which nothing can be told
        self.none = self.unknown = -1

    def last(self, tree: int, step: int) -> Wake | None:
        """The last wake of a tree at or before a step."""
        model = self._search.window(last_window(self._timeline.now), self._timeline.now).model
        number = last_window(step)
        while number >= last_window(self._timeline.first + 1):
            window = self._search.window(number, self._timeline.now)
            if window.model is not model:
                self.unknown = (number + 1) * STEPS
                break
            for wake in reversed(window.wakes):
                if wake.tree == tree and wake.step <= step:
                    return wake
            if window.cut >= 0:
                self.unknown = window.cut
                break
            if tree not in window.woken_before:
                break
            number -= 1
        else:
            # the first step of all is a reset, or the load of the file
            self.unknown = self._timeline.first or -1
        self.none = tree
        return None


class _Rows:
    """Rows that were taken, by step."""

    def __init__(self, source: RowSource, parts: list[TakenRows]) -> None:
        self._source, self._parts = source, parts
        # of several segments at one step the last counts
        self._places = {int(step): (part, k) for part in parts for k, step in enumerate(part.steps.tolist())}
        self.width = max((part.rows.shape[1] for part in parts), default=0)

    def window(self, first: int, last: int) -> Window:
        """The wakes of the steps after `first` up to `last`, as far back as they belong to one model without a gap."""
        steps: list[int] = []
        model = self._places[last][0].model if last in self._places else None
        for step in range(last, first - 1, -1):
            if step not in self._places or self._places[step][0].model is not model:
                break
            steps.insert(0, step)
        if not steps or model is None:
            return Window(model, (), last, frozenset())
        runs = groupby(steps, lambda step: id(self._places[step][0]))
        found = joined([self._sleep_rows([*run]) for _, run in runs])
        causes = found.cause[0, :, 0]
        before = frozenset(tree for tree, cause in enumerate(causes.tolist()) if cause != WAKE_NONE)
        woken = wakes(self._source.copies.of(model).model, found, self._touched)
        return Window(model, tuple(woken), steps[0] if steps[0] > first else -1, before)

    def _sleep_rows(self, steps: list[int]) -> SleepRows:
        """The sleep at steps of one part."""
        part = self._places[steps[0]][0]
        places = [self._places[step][1] for step in steps]
        copy = self._source.copies.of(part.model)
        copy.model.engine.apply_edits(copy.model, part.edits)
        signature = copy.model.engine.record_signature(copy.model)
        return sleep_rows(copy.model, signature, part.steps[places], part.rows[places])

    def _touched(self, step: int, geom: int) -> set[int]:
        """The trees that touch a geom at a step, by its row."""
        part, k = self._places[step]
        copy = self._source.copies.of(part.model)
        engine = copy.model.engine
        engine.apply_edits(copy.model, part.edits)
        engine.set_state(copy.model, copy.data, part.rows[k], engine.record_signature(copy.model), check=False)
        engine.forward(copy.model, copy.data)
        return touching_trees(copy.model, copy.data, geom)
