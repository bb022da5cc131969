"""The way to the Code instrument from elsewhere."""

from __future__ import annotations

from app.instruments.code.state import CodeState, Subject
from app.view.view_state import ViewState


def show_code(view: ViewState, subject: Subject) -> None:
    """Show the code of a field, stage or function."""
    view.of(CodeState).show(subject)
    view.instruments.open("Code")
