"""Panels in a window that is narrow and high, as on a hand-held: one at a time, on a sheet below the picture."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from imgui_bundle import icons_fontawesome_6 as icons
from imgui_bundle import imgui

from app.ui.docking import Panel
from app.ui.widgets import em, icon_button
from app.view.rect import Rect
from app.view.view_state import ViewState

# a window is narrow below this width, if it is higher than wide
NARROW_EM = 46.0
# the sheet's share of what the bars leave
SHARE = 0.5
FLAGS = (
    imgui.WindowFlags_.no_title_bar
    | imgui.WindowFlags_.no_resize
    | imgui.WindowFlags_.no_move
    | imgui.WindowFlags_.no_docking
    | imgui.WindowFlags_.no_saved_settings
    | imgui.WindowFlags_.no_nav_inputs
)


def is_narrow(window: imgui.ImVec2) -> bool:
    """Whether a window has no room for panels beside the picture."""
    return window.x < min(em(NARROW_EM), window.y)


def sheet(view: ViewState, panels: Iterable[Panel], draw: Callable[[Panel], None], rect: Rect) -> Rect:
    """Draw the panel that is open at the lower end of the view; returns what it leaves of the view."""
    shown = next((panel for panel in panels if panel.name == view.ui.sheet), None)
    if shown is None:
        return rect
    height = round(SHARE * rect.height)
    imgui.set_next_window_pos((rect.x, rect.y + rect.height - height))
    imgui.set_next_window_size((rect.width, height))
    imgui.push_style_var(imgui.StyleVar_.window_rounding, 0.0)
    imgui.begin(f"{shown.name}###sheet", None, FLAGS)
    imgui.set_next_item_width(imgui.get_content_region_avail().x - imgui.get_frame_height() - em(0.6))
    if imgui.begin_combo("##panel", shown.name, imgui.ComboFlags_.height_large):
        panel_choice(view, panels)
        imgui.end_combo()
    imgui.same_line()
    if icon_button(icons.ICON_FA_XMARK, "close the panel", "close the panel"):
        view.ui.sheet = ""
    # with the identifiers that it has as a window
    imgui.begin_child(shown.name)
    draw(shown)
    imgui.end_child()
    imgui.end()
    imgui.pop_style_var()
    return Rect(rect.x, rect.y, rect.width, rect.height - height)


def panel_choice(view: ViewState, panels: Iterable[Panel]) -> None:
    """A list of all panels, to open one."""
    for panel in panels:
        if imgui.selectable(panel.name, panel.name == view.ui.sheet)[0]:
            view.ui.sheet = panel.name
