"""What the Lockstep instrument shows: both engines at the shown moment, and over the recorded past."""

from __future__ import annotations

from dataclasses import dataclass, field

from app.instruments.lockstep.worker import Lockstep, Request
from app.run.history.timeline import Timeline
from app.run.snapshot import Snapshot

Mark = tuple[str, int]


@dataclass
class LockstepState:
    """The newest findings and the choices of the user; nothing is compared in a frame that does not ask."""

    found: Lockstep = field(default_factory=Lockstep)
    # the step from which the other engine runs free; None: it starts from the shown state at each moment
    since: int | None = None
    ghost: bool = False
    # elements that differ, for the tree
    marks: frozenset[Mark] = frozenset()
    _request: Request | None = None
    _identity: object = None

    def ask(self, snapshot: Snapshot) -> Lockstep | None:
        """Compare what this snapshot shows; returns the newest findings about its model, None if there are none yet."""
        model, timeline = snapshot.model, snapshot.run.history
        if model is None:
            return None
        if model.identity is not self._identity:
            self._identity, self.since, self.marks = model.identity, None, frozenset()
        if self.since is not None and not timeline.first <= self.since <= timeline.last:
            self.since = timeline.now
        self._request = Request(timeline, snapshot.serial, not snapshot.run.paused, self.since, self.ghost)
        return self.found if self.found.identity is model.identity else None

    def take_request(self) -> Request | None:
        """The request of this frame; without one there are no marks."""
        request, self._request = self._request, None
        if request is None:
            self.marks = frozenset()
        return request

    def run_free(self, timeline: Timeline, free: bool) -> None:
        """Let the other engine run free from the shown moment on, or start from the shown state each time."""
        self.since = timeline.now if free else None
