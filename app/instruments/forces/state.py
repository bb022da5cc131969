"""What the Forces instrument shows: a joint or body, which of its axes, in which unit, with or without arrows."""

from __future__ import annotations

from dataclasses import dataclass, field

from app.instruments.forces.history import ForceHistory
from app.model.selection import Selection
from app.model.views import ModelView, StateView
from sim.enums import TRN_JOINT, TRN_JOINTINPARENT

# what is drawn into the picture -> what that means
ARROWS = {
    "none": "no arrows in the picture",
    "forces": "the forces that act on the body itself, each at its point; and their effect, mass times acceleration",
    "shares": "mass times each source's acceleration, at the centre of mass: the bars as arrows",
}


@dataclass
class ForcesState:
    """The choices of the user."""

    subject: Selection | None = None
    # column of the shares: a dof of the joint; x y z rx ry rz of a body
    axis: int = 2
    as_force: bool = False
    by_kind: bool = False
    # one of ARROWS
    arrows: str = "forces"
    history: ForceHistory = field(default_factory=ForceHistory)
    # what a click on a bar selected, and the selection that was seen last: the subject stays
    clicked: Selection | None = None
    seen: Selection | None = None

    def show(self, subject: Selection, axes: int) -> None:
        """Show a joint or body with so many axes."""
        if subject != self.subject:
            self.subject, self.axis = subject, min(2, axes - 1)

    def follow(self, selection: Selection | None, model: ModelView, state: StateView) -> None:
        """Follow the selection to another joint or body, unless a click here has changed it."""
        if selection == self.seen:
            return
        self.seen = selection
        if selection is None or selection == self.clicked or not selection.exists(model, state):
            return
        self.clicked = None
        driven = _driven_joint(model, selection)
        if driven is not None:
            self.show(driven, axes_of(model, driven))
        elif (body := selection.body(model, state)) > 0:
            self.show(Selection("body", body), 6)


def _driven_joint(model: ModelView, selection: Selection) -> Selection | None:
    """The joint that is selected, or the one that the selected actuator drives."""
    if selection.kind == "joint":
        return selection
    if selection.kind == "actuator" and model.actuator_trntype[selection.index] in (TRN_JOINT, TRN_JOINTINPARENT):
        return Selection("joint", int(model.actuator_trnid[selection.index, 0]))
    return None


def axes_of(model: ModelView, subject: Selection) -> int:
    """How many axes a joint or body has."""
    return 6 if subject.kind == "body" else int((model.dof_jntid == subject.index).sum())
