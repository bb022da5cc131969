"""The Visual panel: the model's `visual` section, editable: headlight, free camera, scales, colours."""

from __future__ import annotations

from app.model.editable import VISUALS
from app.run.commands import Send
from app.run.snapshot import Snapshot
from app.ui.widgets import caption, text_field
from app.view.view_state import ViewState
from app.window.panels.field import field_sections

OPEN_AT_FIRST = ("Headlight", "Free camera", "Global", "Map")


def visual_panel(snapshot: Snapshot, view: ViewState, send: Send) -> None:
    """A search field and sections of settings."""
    if snapshot.model is None:
        caption("no model")
        return
    view.ui.visual_search = text_field(
        "##search visuals", "search", view.ui.visual_search, "filter settings by name and description"
    )
    field_sections(VISUALS, OPEN_AT_FIRST, view.ui.visual_search.strip(), snapshot, view, send)
