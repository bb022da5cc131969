"""Expressions at moments of a run, on any thread: rows come from the simulation, models and states are copies."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

import sim
from app.background.curve import Array
from app.background.model_copies import MOST_MODELS, ModelCopies
from app.run.commands import Send, TakeMoment, TakeRows
from app.run.history.excerpt import Excerpt
from app.run.history.taken_rows import TakenMoment, TakenRows
from sim.recording.evaluate import Columns
from sim.recording.evaluate import values as evaluate
from sim.recording.replay import Replayer
from sim.recording.run import Segment

Steps = NDArray[np.int64]
Taken = Sequence[TakenRows | Excerpt]


class Values(NamedTuple):
    """Expressions at steps in order: their times, one row of values for each expression, and why one has none."""

    steps: Steps
    times: Array
    values: Array
    reasons: tuple[str, ...]


class RowSource:
    """Evaluates rows that the simulation hands out. All but `ask` is for one thread."""

    def __init__(self, send: Send) -> None:
        self._send = send
        self.copies = ModelCopies()
        # by model and signature of rows
        self._columns: dict[tuple[int, int], tuple[sim.Model, Columns]] = {}

    def ask(self, branch: int, steps: Sequence[int], reply: Callable[[Taken], None], exact: bool = False) -> None:
        """Ask the simulation for rows, of the nearest steps that are kept unless they have to be `exact`.

        It calls `reply` on its own thread.
        """

        def take(taken: Taken) -> None:
            # here, between two steps, nobody edits the models
            for part in taken:
                for model in part.models if isinstance(part, Excerpt) else (part.model,):
                    self.copies.of(model)
            reply(taken)

        self._send(TakeRows(branch, tuple(steps), take, exact))

    def ask_moment(self, reply: Callable[[TakenMoment], None]) -> None:
        """Ask the simulation for the state that is shown; it calls `reply` on its own thread."""

        def take(taken: TakenMoment) -> None:
            # here, between two steps, nobody edits the model
            self.copies.of(taken.model)
            reply(taken)

        self._send(TakeMoment(take))

    def values(self, parts: Taken, expressions: Sequence[str]) -> Values:
        """The expressions at rows, and their times."""
        taken = self.rows(parts)
        steps = np.concatenate([rows.steps for rows in taken] or [np.zeros(0, np.int64)])
        values = np.zeros((len(expressions) + 1, 0))
        reasons = [""] * (len(expressions) + 1)
        for rows in taken:
            copy = self.copies.of(rows.model)
            engine = copy.model.engine
            engine.apply_edits(copy.model, rows.edits)
            texts = ("d.time", *expressions)
            signature = engine.record_signature(copy.model)
            found = evaluate(
                copy.model, copy.data, rows.rows, signature, texts, self._columns_of(copy.model, signature)
            )
            values = np.concatenate([values, found.numbers.T], axis=1)
            reasons = [found.reasons.get(text, known) for text, known in zip(texts, reasons, strict=True)]
        # of several segments at one step the last counts
        order = np.unique(steps[::-1], return_index=True)[1]
        kept = len(steps) - 1 - order
        return Values(steps[kept], values[0, kept], values[1:, kept], tuple(reasons[1:]))

    def rows(self, parts: Taken) -> list[TakenRows]:
        """The rows of what the simulation handed out; those that it does not have are computed again."""
        return [rows for part in parts for rows in (self._computed(part) if isinstance(part, Excerpt) else (part,))]

    def _computed(self, part: Excerpt) -> list[TakenRows]:
        """The rows of an excerpt, computed again; those that cannot be are left out."""
        replayer = Replayer(part.run, lambda version: self.copies.of(part.models[version]).model)
        found: dict[int, tuple[Segment, dict[int, Array]]] = {}
        for step in part.steps:
            with contextlib.suppress(ValueError):
                segment = part.run.find(part.branch, step)
                found.setdefault(id(segment), (segment, {}))[1][step] = replayer.row(part.branch, step)
        return [
            TakenRows(part.models[segment.version], segment.edits, np.array([*rows]), np.array([*rows.values()]))
            for segment, rows in found.values()
        ]

    def _columns_of(self, model: sim.Model, signature: int) -> Columns:
        """Where the fields of a state are in its rows; remembered for the newest models."""
        known = self._columns.get((id(model), signature))
        if known is None or known[0] is not model:
            known = model, Columns(model, signature)
            self._columns = {**dict([*self._columns.items()][-MOST_MODELS:]), (id(model), signature): known}
        return known[1]
