"""Audits recorded steps for the Energy instrument, on a thread of its own.

The GUI says in each frame which range is shown (`want`) and takes what was found (`latest`); while the instrument is
closed the thread sleeps. Rows come from the simulation, which only copies them. What is newest comes first: the audit
keeps up with the run if it can, then goes back to the beginning of the range; where it cannot keep up, it begins
again near the present.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

import numpy as np

from app.background.row_source import RowSource, Taken
from app.files.error_text import describe
from app.instruments.energy.curves import Curves, curves_of
from app.instruments.energy.pieces import BLOCK, Piece, Pieces
from app.run.background_thread import FollowingThread, Reply, Rest
from app.run.commands import Send
from app.run.history.timeline import Timeline
from sim.analysis.audit.laws import Law, laws, least_energy
from sim.analysis.audit.step_work import jump
from sim.analysis.audit.tally import Tally, joined
from sim.analysis.audit.walker import Diverged, Walker, WentBack
from sim.analysis.audit.work_source import BY_HAND, EDIT

# the history, the branch, the tree, the identity of the model's view
Key = tuple[int, int, int, object]
# rows that are asked for at once, and the steps that it may be behind the run before it begins again
ROWS, MOST_BEHIND = 4 * BLOCK, 1500
# steps of a range at most, and pieces that are kept
MOST_STEPS, MOST_PIECES = 20_000, 2000
# sources of all pieces of a range, at most: a hundred megabytes
MOST_ENTRIES = 200_000
# rest after work while the simulation runs, as a multiple of it, and at least and at most, s
REST = Rest(1.0, 0.01, 0.2)
# time between two sums that are shown, as a multiple of the time that one takes
PATIENCE = 4.0


@dataclass(frozen=True)
class Request:
    """The steps from `first` to `last` of a line; momenta are those of a tree, or of all (-1)."""

    timeline: Timeline
    first: int
    last: int
    running: bool = False
    tree: int = -1
    identity: object = None

    @property
    def key(self) -> Key:
        """What a step of the audit depends on."""
        return self.timeline.run, self.timeline.branch, self.tree, self.identity


@dataclass(frozen=True, eq=False)
class Audit:
    """What was found of a range: its pieces in a row, their sum and the laws; `version` grows with each change."""

    identity: object = None
    key: Key = (0, 0, -1, None)
    parts: tuple[Tally, ...] = ()
    total: Tally | None = None
    laws: tuple[Law, ...] = ()
    # the smallest energy that counts, J
    least: float = 0.0
    curves: Curves = field(default_factory=Curves)
    # the first step that can be audited; why there are none after the last
    first: int = 0
    error: str = ""
    version: int = 0


class EnergyWorker(FollowingThread[Request]):
    """The thread of the Energy instrument."""

    def __init__(self, send: Send, sleep: Callable[[float], None] = time.sleep) -> None:
        super().__init__("energy", sleep, REST)
        self._source = RowSource(send)
        self._key: Key | None = None
        self._pieces = Pieces()
        self._walker: tuple[Any, int, Walker] | None = None
        # of the present key: steps at which an audit begins again, those that are not finite, and what went wrong
        self._begins: set[int] = set()
        self._bad: set[int] = set()
        self._until, self._why = float(np.inf), ""
        # sources of a piece, at most
        self._widest = 1
        # when it was published, and how long that took
        self._published, self._cost = 0.0, 0.0
        self._backwards = False
        self.latest = Audit()

    def _answer(self, reply: Reply[Request]) -> bool:
        """Audit some rows."""
        request, taken = reply
        if request.key == self._key:
            self._audit(taken)
        self._publish_now_and_then()
        return True

    def _failed(self, request: Request | None, error: Exception) -> None:
        """The same rows would raise it again: the audit ends before them."""
        if request is not None:
            self._until, self._why = min(self._until, request.first), describe(error)
            self._publish_now_and_then()

    def _publish_now_and_then(self) -> None:
        # sums over a long range take their time: mostly it goes on adding up
        if self._request is not None and time.perf_counter() - self._published > PATIENCE * self._cost:
            self._publish_range(self._request)

    def _ask(self, request: Request) -> None:
        """Ask for rows that are missing."""
        if request.key != self._key:
            self._key, self._pieces = request.key, Pieces()
            self._begins, self._bad, self._until, self._why = set(), set(), np.inf, ""
            self._widest = 1
        wanted = self._missing(request)
        if wanted is None:
            if self.latest.identity is not request.identity or self._shown(request) != self._shown_now():
                self._publish_range(request)
            return
        self._waiting = True
        first, last = wanted
        reply = partial(self._reply, replace(request, first=first, last=last))
        self._source.ask(request.timeline.branch, range(first, last + 1), reply, exact=True)

    def _range(self, request: Request) -> tuple[int, int]:
        """The steps that can be audited."""
        last = int(min(request.last, self._until))
        while last in self._bad:
            last -= 1
        most = MOST_ENTRIES // self._widest * BLOCK
        kept = (last - most) // BLOCK * BLOCK
        return max(request.first, kept, *(step for step in (0, *self._begins) if step <= last)), last

    def _missing(self, request: Request) -> tuple[int, int] | None:
        """The steps to audit next: the newest, or in a run every other time older ones; None if all are done."""
        first, last = self._range(request)
        if last <= first:
            return None
        run = self._pieces.run(first, last)
        start, end = (run[0].tally.first, run[-1].tally.last) if run else (last, last)
        if not run or last - end > MOST_BEHIND:
            return max(first, (last - 1) // BLOCK * BLOCK - BLOCK), last
        ahead = (end, min(last, end // BLOCK * BLOCK + ROWS)) if end < last else None
        behind = (max(first, start // BLOCK * BLOCK - ROWS if start % BLOCK == 0 else start // BLOCK * BLOCK), start)
        back = behind if start > first else None
        # in a run there is always something ahead
        self._backwards = request.running and not self._backwards
        return (back or ahead) if self._backwards else (ahead or back)

    def _audit(self, taken: Taken) -> None:
        """Add up the work between rows, piece by piece."""
        parts = sorted((part for part in self._source.rows(taken) if len(part.steps)), key=lambda part: part.steps[0])
        if not parts:
            return
        newest = parts[-1].model
        for part in parts:
            if part.model is not newest:
                # the file was read again: what came before is another model's
                parts = [part for part in parts if part.model is newest]
                self._begins.add(int(parts[0].steps[0]))
                break
        walker, tally, edits = None, None, None
        try:
            for part in parts:
                copy = self._source.copies.of(part.model)
                for place, (step, row) in enumerate(zip(part.steps.tolist(), part.rows, strict=True)):
                    if walker is None or tally is None:
                        walker = self._walker_of(copy.model)
                        copy.model.engine.apply_edits(copy.model, part.edits)
                        tally, edits = self._begin(walker, step, row, part.edits), part.edits
                        continue
                    if place == 0:
                        walker.make_step(step, tally)
                        copy.model.engine.apply_edits(copy.model, part.edits)
                        walker.change(row, BY_HAND if edits == part.edits else EDIT, tally)
                        edits = part.edits
                    else:
                        walker.advance(step, row, tally)
                    if step % BLOCK == 0 or (part is parts[-1] and place == len(part.steps) - 1):
                        self._pieces.add(Piece(tally, edits))
                        self._widest = max(self._widest, len(tally.acted))
                        tally = Tally.begin(step, walker.instant)
        except (Diverged, WentBack) as error:
            failed = walker.step + 1 if walker is not None and tally is not None else int(parts[0].steps[0])
            if isinstance(error, Diverged):
                bad = {step for part in parts for step, row in zip(part.steps.tolist(), part.rows, strict=True)
                       if step >= failed and not np.isfinite(row).all()}  # fmt: skip
                self._bad |= bad or {failed}
                failed = max(self._bad) + 1
            self._begins.add(failed)
            if tally is not None and tally.last > tally.first:
                self._pieces.add(Piece(tally, edits))
        if self._request is not None:
            self._pieces.forget(self._request.first, self._request.last, MOST_PIECES)

    def _begin(self, walker: Walker, step: int, row: Any, edits: Any) -> Tally:
        """Begin at a step; with the piece that ends there, if it does not end a block, and what the user did since."""
        tally = walker.begin(step, row)
        first = (step - 1) // BLOCK * BLOCK if step else 0
        before = next((piece for (_, last), piece in self._pieces.known.items() if last == step), None)
        if before is None:
            return tally
        known, here = before.tally, walker.instant
        source = BY_HAND if before.edits == edits else EDIT
        moved = here.momenta - known.momenta[1]
        changed = jump(known.end, here.energies, moved, source)
        if step % BLOCK and known.first >= first:
            tally = known.copy()
        if known.end != here.energies or moved.any():
            if tally.first == step:
                tally.start, tally.momenta = known.end, (known.momenta[1], here.momenta)
            tally.add(step, changed, here)
        return tally

    def _walker_of(self, model: Any) -> Walker:
        """One for the model and the trees whose momenta are shown."""
        assert self._key is not None
        tree = self._key[2]
        if self._walker is None or self._walker[0] is not model or self._walker[1] != tree:
            self._walker = model, tree, Walker(model, None if tree < 0 else [tree])
        return self._walker[2]

    def _shown(self, request: Request) -> tuple[Any, ...]:
        first, last = self._range(request)
        return request.key, [(piece.tally.first, piece.tally.last) for piece in self._pieces.run(first, last)]

    def _shown_now(self) -> tuple[Any, ...]:
        return self.latest.key, [(part.first, part.last) for part in self.latest.parts]

    def _reason(self, request: Request) -> str:
        """Why the audit does not go on to the end of a range."""
        return "the state is not finite after it" if request.last in self._bad else self._why

    def _publish_range(self, request: Request) -> None:
        """Leave what is known of a range for the GUI."""
        began = time.perf_counter()
        first, last = self._range(request)
        parts = tuple(piece.tally for piece in self._pieces.run(first, last)) if request.key == self._key else ()
        found = Audit(
            request.identity,
            request.key,
            parts,
            first=first,
            error=self._reason(request),
            version=self.latest.version + 1,
        )
        if parts and self._walker is not None:
            model, _, walker = self._walker
            frame = walker.instant.frame
            least = least_energy(model, walker.trees)
            known = laws(parts, walker.charges, least, frame.mass, frame.inertia)
            found = replace(found, total=joined(parts), laws=tuple(known), least=least, curves=curves_of(parts))
        self.latest = found
        self._published = time.perf_counter()
        self._cost = self._published - began
