"""State of the A/B instrument: the second simulation that the user has chosen, its start, and expressions."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from app.background.field_choice import FieldChoice
from app.instruments.ab.found import Found, Shown
from app.instruments.ab.subject import EditedCopy, OtherBranch, OtherFile, Subject
from app.instruments.ab.worker import Request
from app.model.views import ModelView, StateView
from app.run.history.timeline import Timeline
from app.run.snapshot import Snapshot

# kinds of B, as the user chooses them
KINDS = ("edited copy", "file", "branch")
# fields of tendons and flexes
DEFORMED = ("ten_wrapadr", "ten_wrapnum", "wrap_obj", "wrap_xpos", "flexvert_xpos")


@dataclass
class AbState:
    """The newest findings and the choices of the user; nothing is computed in a frame that does not ask."""

    found: Found = field(default_factory=Found)
    subject: Subject | None = None
    # the step of A from which B starts; None: the next one shown
    since: int | None = None
    ghost: bool = True
    # of KINDS; and the unit of the chart of distances: m, rad
    kind: int = 0
    unit: int = 0
    expressions: list[str] = field(default_factory=list)
    typed: str = ""
    _request: Request | None = None
    _model: ModelView | None = None

    def compare(self, subject: Subject | None, since: int | None = None) -> None:
        """Compare with this; B starts at a step, at the start that it has, or at the current state."""
        begins = self.subject is None or type(subject) is not type(self.subject)
        self.subject = subject
        if begins or since is not None:
            self.since = since
        if subject is not None:
            self.kind = (EditedCopy, OtherFile, OtherBranch).index(type(subject))

    def change(self, choice: FieldChoice, value: float) -> None:
        """Let B be an edited copy that differs in this number too."""
        known = self.subject if isinstance(self.subject, EditedCopy) else EditedCopy()
        self.compare(known.with_change(choice, value))

    def ask(self, snapshot: Snapshot) -> Found | None:
        """Compare what this snapshot shows; returns the newest findings, None if there are none yet."""
        model, timeline = snapshot.model, snapshot.run.history
        if model is None:
            return None
        self._follow(model)
        if self.subject is None:
            return None
        since = self._start(timeline)
        self._request = Request(
            timeline, snapshot.serial, self.subject, since, model.identity, tuple(self.expressions),
            not snapshot.run.paused,
        )  # fmt: skip
        found = self.found
        known = found.identity is model.identity and found.subject == self.subject and found.since == since
        return found if known else None

    def take_request(self) -> Request | None:
        """What was asked in this frame."""
        request, self._request = self._request, None
        return request

    def add(self, expression: str) -> None:
        """Plot an expression in A and in B."""
        if expression.strip() and expression not in self.expressions:
            self.expressions.append(expression.strip())

    def _start(self, timeline: Timeline) -> int:
        """The first step of B; that of another branch is where they part, or the first that both have."""
        if self.since is None and isinstance(self.subject, OtherBranch):
            self.since = timeline.first
        if self.since is None or not timeline.first <= self.since <= timeline.last:
            self.since = timeline.now
        return self.since

    def _follow(self, model: ModelView) -> None:
        """Another model, or another reading of its file: numbers stay if its elements are the same ones."""
        if self._model is not None and model.identity is not self._model.identity:
            self.since = None
            if isinstance(self.subject, OtherBranch) or (
                isinstance(self.subject, EditedCopy) and dict(model.names) != dict(self._model.names)
            ):
                self.subject = None
        self._model = model


def ghost_state(shown: Shown, state: StateView) -> StateView:
    """The poses of B for a picture of A: as far from those of A as they are at the moment that is known.

    That is so while A moves on, and where the poses are those before its last step.
    """
    turn = shown.b_mat @ shown.a_mat.transpose(0, 2, 1)
    pos, mat = np.asarray(state.geom_xpos), np.asarray(state.geom_xmat).reshape(-1, 3, 3)
    moved = (shown.b_pos != shown.a_pos).any(axis=1) | (shown.b_mat != shown.a_mat).any(axis=(1, 2))
    values = dict(state.__dict__)
    values["geom_xpos"] = np.where(moved[:, None], pos + (shown.b_pos - shown.a_pos), pos)
    values["geom_xmat"] = np.where(moved[:, None, None], turn @ mat, mat).reshape(np.shape(state.geom_xmat))
    if shown.state is not None:
        values |= {name: value for name, value in shown.state.__dict__.items() if name in DEFORMED}
    return StateView(values)
