"""What the Energy instrument shows: a range of the timeline, the momenta of all trees or of one, unfolded kinds."""

from __future__ import annotations

from dataclasses import dataclass, field

from app.instruments.energy.pieces import BLOCK
from app.instruments.energy.worker import MOST_STEPS, Audit, Request
from app.run.history.timeline import Timeline
from app.run.snapshot import Snapshot

LOOP, ALL = "loop", "all"
# name -> the last seconds before the current step; or the loop, or all that is recorded
RANGES: dict[str, float] = {"1 s": 1.0, "5 s": 5.0, "20 s": 20.0, ALL: 0.0, LOOP: 0.0}
CHARTS = ("energy", "work")


@dataclass
class EnergyState:
    """The newest audit and the choices of the user; nothing is audited in a frame that does not ask."""

    found: Audit = field(default_factory=Audit)
    range: str = "5 s"
    # the tree whose momenta are shown, -1: all
    tree: int = -1
    chart: str = CHARTS[0]
    unfolded: set[str] = field(default_factory=set)
    _request: Request | None = None
    _identity: object = None

    def ask(self, snapshot: Snapshot) -> tuple[Audit | None, tuple[int, int]]:
        """Audit what this snapshot shows; returns the newest audit of it, if there is one, and the range."""
        model, timeline = snapshot.model, snapshot.run.history
        if model is None:
            return None, (0, 0)
        if model.identity is not self._identity:
            self._identity, self.tree = model.identity, -1
            self.unfolded.clear()
        first, last = steps_of(timeline, self.range)
        request = Request(timeline, first, last, not snapshot.run.paused, self.tree, model.identity)
        self._request = request
        fits = self.found.identity is model.identity and self.found.key == request.key
        return (self.found if fits else None), (first, last)

    def take_request(self) -> Request | None:
        """What was asked in this frame."""
        request, self._request = self._request, None
        return request


def steps_of(timeline: Timeline, name: str) -> tuple[int, int]:
    """The steps of a range; it moves with the moment that is shown, in whole blocks."""
    if name == LOOP and timeline.loop is not None:
        first, last = timeline.loop
        return max(first, last - MOST_STEPS), last
    last, seconds = timeline.now, RANGES[name]
    first = timeline.step_at(timeline.time_of(last) - seconds) if seconds else timeline.first
    first = max(first, last - MOST_STEPS, timeline.first)
    return max(first // BLOCK * BLOCK, timeline.first), last
