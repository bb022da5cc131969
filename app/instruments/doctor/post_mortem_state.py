"""State of the card about a divergence, and its requests to the examiner; both belong to the GUI's thread."""

from __future__ import annotations

from dataclasses import dataclass, field

from app.instruments.doctor.divergence_examiner import Case, Examined, Request
from app.model.selection import Selection


@dataclass
class PostMortemState:
    """The shown divergence, the findings about it, and whether its card is folded."""

    found: Examined = field(default_factory=Examined)
    # the case of this frame's card
    case: Case | None = None
    folded: bool = False
    # trials are to begin, or to end
    begin_trials: bool = False
    end_trials: bool = False
    # a step that was asked for, and the culprit that the camera then turns to
    turn: tuple[int, Selection] | None = None

    def show(self, case: Case) -> Examined:
        """A card about a case is drawn; returns the findings about it."""
        if case != self.case:
            self.case, self.folded, self.turn = case, False, None
        return self.found if self.found.case == case else Examined(case)

    def take_request(self) -> Request | None:
        """The request of the card."""
        asked = None if self.case is None else Request(self.case, self.begin_trials, self.end_trials)
        self.begin_trials = self.end_trials = False
        return asked
