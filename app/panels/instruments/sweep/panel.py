"""The panel of the Sweep instrument."""

from __future__ import annotations

from imgui_bundle import imgui

from app.run.commands import Send
from app.run.snapshot import Snapshot
from app.ui import theme
from app.view.view_state import ViewState


def sweep_panel(snapshot: Snapshot, view: ViewState, send: Send) -> None:
    """Nothing yet."""
    if snapshot.model is None:
        imgui.text_colored(theme.DIM, "no model")
