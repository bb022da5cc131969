"""What a visitor who drives in a browser may not do: start or change programs of the host, or end the viewer."""

from __future__ import annotations

from app.view.view_state import ViewState

REFUSED = "this is for the owner of the viewer: visitors start no programs on the host"


def refused(view: ViewState) -> bool:
    """Whether a visitor asks for it; the status line says that this is not done."""
    if view.ui.visitor_drives:
        view.feedback.show_message(REFUSED)
    return view.ui.visitor_drives
