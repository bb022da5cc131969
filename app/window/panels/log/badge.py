"""The badge of the status line: how many warnings and errors have come since the log was seen."""

from __future__ import annotations

from imgui_bundle import icons_fontawesome_6 as icons
from imgui_bundle import imgui

from app.ui import theme
from app.ui.widgets import em, tooltip
from app.view.view_state import ViewState

MOST = 999


def log_badge(view: ViewState) -> None:
    """A bell with a number, if there is something new; a click opens the log."""
    unseen = view.feedback.log.unseen
    if not unseen:
        return
    imgui.text_colored(theme.WARNING, f"{icons.ICON_FA_BELL} {min(unseen, MOST)}{'+' * (unseen > MOST)}")
    tooltip("warnings and errors since the log was seen: click to open it")
    if imgui.is_item_clicked():
        view.show_bottom("Log")
    imgui.same_line(0, em(1.4))
