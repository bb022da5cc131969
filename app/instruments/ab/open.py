"""The way to the A/B instrument from elsewhere."""

from __future__ import annotations

from app.background.field_choice import FieldChoice
from app.instruments.ab.state import AbState
from app.instruments.ab.subject import EditedCopy, Subject
from app.view.view_state import ViewState


def compare(view: ViewState, subject: Subject | None, since: int | None = None) -> None:
    """Open the instrument with a subject, from a step on."""
    view.of(AbState).compare(subject, since)
    view.instruments.open("A/B")


def compare_value(view: ViewState, choice: FieldChoice, value: float) -> None:
    """Open the instrument with a copy that differs in one number."""
    compare(view, EditedCopy().with_change(choice, value))
