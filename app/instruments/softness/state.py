"""What the instrument Softness shows between frames: which constraint, where edits go, a load to reckon with."""

from __future__ import annotations

from dataclasses import dataclass

from app.instruments.softness.question import AskPair, AskRow
from app.model.selection import Selection
from app.model.views import ModelView
from sim.analysis.softness import Softness


@dataclass
class SoftnessState:
    """The choice of the user."""

    # the selection that the choice was made for, and the choice
    selection: Selection | None = None
    question: AskPair | AskRow | None = None
    label: str = ""
    # the label of what is edited; empty is the natural one
    target: str = ""
    # write -stiffness and -damping; None as solref is now
    direct: bool | None = None
    # a load instead of the present one, N
    assumed: float | None = None
    # what was said about the last edit
    note: str = ""
    # the softness and the model before the edit that goes on
    before: tuple[Softness, ModelView] | None = None

    def choose(self, label: str, question: AskPair | AskRow) -> None:
        """Show another constraint."""
        if question != self.question:
            self.label, self.question = label, question
            self.target, self.direct, self.assumed, self.note, self.before = "", None, None, "", None
