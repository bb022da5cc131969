"""The window's layout: toolbar on top, status line below, docked panels around the 3D view.

The view is the central node of the dock space: panels are next to it, never over it unless the user undocks them. One
table (`panel_list.py`) says which panel starts on which side, another which sides a layout shows. `draw` runs all
panels and returns the rectangle left for the view.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from imgui_bundle import imgui

from app.instruments import instruments
from app.instruments.entry import Instrument
from app.run.commands import Send
from app.run.snapshot import Snapshot
from app.ui.docking import (
    SIDES,
    both_sides_fit,
    dock_beside,
    hovered_panel,
    limit_dock_size,
    most_length,
    neighbours,
    panel_class,
    tab_buttons,
)
from app.ui.error_boundary import fault_note, guarded
from app.ui.widgets import colour, em, take_hint
from app.view.input.desk import Action
from app.view.preferences import LAYOUTS
from app.view.rect import Rect
from app.view.view_state import ViewState
from app.window.overlays.overlays import overlays
from app.window.panel_list import panels
from app.window.panels.status import status_line
from app.window.panels.toolbar import toolbar
from app.window.sheet import is_narrow, sheet

DOCK_NAME = "kinetoscope dock"
# heights of the toolbar and of the status line
BARS_EM = (2.7, 2.1)
BAR_FLAGS = (
    imgui.WindowFlags_.no_title_bar
    | imgui.WindowFlags_.no_resize
    | imgui.WindowFlags_.no_move
    | imgui.WindowFlags_.no_scrollbar
    | imgui.WindowFlags_.no_docking
    | imgui.WindowFlags_.no_saved_settings
    | imgui.WindowFlags_.no_scroll_with_mouse
)
# a panel that appears stays behind the front tab; the Tab key toggles panels instead of moving between fields
PANEL_FLAGS = imgui.WindowFlags_.no_focus_on_appearing | imgui.WindowFlags_.no_nav_inputs
TAB_MENU = "tab menu"


def draw(snapshot: Snapshot, view: ViewState, send: Send, act: Callable[[Action], None]) -> Rect:
    """Draw all panels of a frame; returns the rectangle of the view."""
    viewport = imgui.get_main_viewport()
    # a script has its model, edits and all, when the window is gone
    view.ui.edits_shown = snapshot.run.edits_received
    view.ui.unsaved = (*snapshot.unsaved, *_under_way(snapshot, view)) if snapshot.run.path else ()
    view.ui.unsaved_elsewhere = snapshot.unsaved_elsewhere if snapshot.run.path else ()
    _bar("Toolbar", imgui.Dir.up, BARS_EM[0], view, lambda: toolbar(snapshot, view, send, act))
    _bar("Status line", imgui.Dir.down, BARS_EM[1], view, lambda: status_line(snapshot, view, send))
    dock = imgui.get_id(DOCK_NAME)
    _open_instruments(view)
    if is_narrow(viewport.size):
        if imgui.internal.dock_builder_get_node(dock) is not None:
            # docked panels keep their places and sizes meanwhile
            imgui.dock_space(dock, flags=imgui.DockNodeFlags_.keep_alive_only)
        rect = _on_a_sheet(snapshot, view, send, viewport)
    else:
        _dock_panels(snapshot, view, send, dock, viewport)
        rect = _view_rect(dock, viewport)
    request, view.ui.request = view.ui.request, None
    if request is not None:
        act(request)
    overlays(snapshot, view, send, act, rect)
    view.ui.hint = take_hint()
    return rect


def _dock_panels(snapshot: Snapshot, view: ViewState, send: Send, dock: int, viewport: imgui.Viewport) -> None:
    """The panels around the view."""
    if view.ui.layout:
        _lay_out(view, dock, viewport)
    if imgui.internal.dock_builder_get_node(dock) is None:
        _default_layout(dock, viewport)
    flags = imgui.DockNodeFlags_.passthru_central_node | imgui.DockNodeFlags_.no_docking_over_central_node
    # panels draw their own background: a second one below costs a third of the GUI's time without a GPU
    with colour(imgui.Col_.window_bg, (0, 0, 0, 0)):
        imgui.dock_space_over_viewport(dock, viewport, flags)
    for panel in panels():
        closable = isinstance(panel, Instrument)
        if getattr(view.prefs, panel.preference) and (not closable or panel.name in view.prefs.instruments):
            dock_beside(panel, panels())
            imgui.set_next_window_class(panel_class())
            drawn, is_open = imgui.begin(panel.name, True if closable else None, PANEL_FLAGS)
            if drawn:
                _draw(panel.name, view, partial(panel.draw, snapshot, view, send))
            limit_dock_size(panel, view, viewport)
            imgui.end()
            if drawn and tab_buttons(panel, view.ui.manual):
                view.ui.tabs_of = panel.name
                imgui.open_popup(TAB_MENU)
            if is_open is False:
                view.prefs.instruments = [name for name in view.prefs.instruments if name != panel.name]
    if imgui.begin_popup(TAB_MENU):
        _tab_menu(view)
        imgui.end_popup()
    view.ui.docked_in = (viewport.size.x, viewport.size.y)
    view.ui.manual.pointed = hovered_panel(panels())
    if view.ui.reveal and _reveal(view.ui.reveal):
        view.ui.reveal = ""


def _on_a_sheet(snapshot: Snapshot, view: ViewState, send: Send, viewport: imgui.Viewport) -> Rect:
    """The one panel of a narrow window; returns what it leaves to the view."""
    place, size = viewport.work_pos, viewport.work_size
    if view.ui.reveal:
        view.ui.sheet, view.ui.reveal = view.ui.reveal, ""
    view.ui.manual.pointed = ""
    return sheet(
        view,
        panels(),
        lambda panel: _draw(panel.name, view, partial(panel.draw, snapshot, view, send)),
        Rect(place.x, place.y, size.x, size.y),
    )


def _under_way(snapshot: Snapshot, view: ViewState) -> tuple[str, ...]:
    """Edits that the simulation has not made yet, as a text: whoever leaves now would lose them."""
    if snapshot.run.waiting:
        return (f"waiting for kernels: {snapshot.run.waiting}",)
    return ("the last edit, which is being made",) if view.ui.edits_under_way else ()


def _open_instruments(view: ViewState) -> None:
    """Open the instruments that were asked for, and bring the last one to the front."""
    for name in view.instruments.requested:
        if name in instruments():
            setattr(view.prefs, instruments()[name].preference, True)
            view.prefs.instruments = list(dict.fromkeys((*view.prefs.instruments, name)))
            view.ui.reveal = name
    view.instruments.requested.clear()


def _tab_menu(view: ViewState) -> None:
    """The panels of a tab bar, which of them to close, and layouts of the whole window."""
    here = neighbours(view.ui.tabs_of, panels())
    for name in here:
        question = instruments()[name].question if name in instruments() else ""
        if imgui.menu_item(name, question, name == view.ui.tabs_of)[0]:
            _bring_to_front(imgui.internal.find_window_by_name(name))
    closable = [name for name in here if name in instruments()]
    imgui.separator()
    for label, left in (
        (f"Close {view.ui.tabs_of}", [name for name in closable if name != view.ui.tabs_of]),
        ("Close other instruments", [name for name in closable if name == view.ui.tabs_of]),
        ("Close all instruments", []),
    ):
        if imgui.menu_item(label, "", False, left != closable)[0]:
            view.prefs.instruments = [name for name in view.prefs.instruments if name not in closable or name in left]
    imgui.separator()
    for name, (_, hint) in LAYOUTS.items():
        if imgui.menu_item(f"Layout: {name}", hint, False)[0]:
            view.ui.layout = name


def _lay_out(view: ViewState, dock: int, viewport: imgui.Viewport) -> None:
    """Show the sides of the layout that was asked for; instruments are closed."""
    name, view.ui.layout = view.ui.layout, ""
    sides = LAYOUTS[name][0]
    if name == "default" and not both_sides_fit(viewport.size, em(sum(BARS_EM))):
        sides = ("right",)
    for side in ("left", "right", "bottom"):
        setattr(view.prefs, f"show_{side}", side in sides)
    view.prefs.instruments = []
    # as at a first start: places and sizes too
    imgui.internal.dock_builder_remove_node(dock)
    for sizes in (view.ui.docked, view.ui.docked_shares, view.ui.measured):
        sizes.clear()


def drop_focus() -> None:
    """Drop the focus of a window that has closed: ImGui would move it to some panel and bring that to the front.

    Call it when all windows of a frame are drawn: a window that was not drawn counts as closed.
    """
    window: Any = imgui.get_current_context().nav_window
    if window is not None and not window.active:
        imgui.set_window_focus(None)


def _reveal(name: str) -> bool:
    """Select the tab of a panel without taking the focus from elsewhere; False if it is not docked yet."""
    window: Any = imgui.internal.find_window_by_name(name)
    if window is None or window.dock_node is None or window.dock_node.tab_bar is None:
        return False
    front = window.dock_node.visible_window
    # instruments follow the selection: the one in front stays there
    if name != "Inspector" or front is None or front.name not in instruments():
        _bring_to_front(window)
    return True


def _bring_to_front(window: Any) -> None:
    """Select the tab of a docked window."""
    node, focused = window.dock_node, imgui.get_current_context().nav_window
    node.tab_bar.next_selected_tab_id = window.tab_id
    if focused is not None and focused.root_window.dock_node == node:
        # ImGui selects the tab that has the focus
        imgui.set_window_focus(window.name)


def _draw(name: str, view: ViewState, content: Callable[[], None]) -> None:
    """Draw the content of a window, or its error."""
    if not guarded(view.feedback.faults, name, content):
        fault_note(view.feedback.faults, name, name)


def _bar(name: str, side: imgui.Dir, height_em: float, view: ViewState, content: Callable[[], None]) -> None:
    """A bar along one side of the window."""
    viewport = imgui.get_main_viewport()
    imgui.push_style_var(imgui.StyleVar_.window_padding, (em(0.7), em(0.4)))
    imgui.push_style_var(imgui.StyleVar_.window_rounding, 0.0)
    if imgui.internal.begin_viewport_side_bar(f"##{name}", viewport, side, em(height_em), BAR_FLAGS):
        _draw(name, view, content)
    imgui.end()
    imgui.pop_style_var(2)


def _default_layout(dock: int, viewport: imgui.Viewport) -> None:
    """The layout of a first start."""
    builder = imgui.internal
    builder.dock_builder_add_node(dock, builder.DockNodeFlagsPrivate_.dock_space)
    builder.dock_builder_set_node_size(dock, viewport.work_size)
    nodes, sizes = {"view": dock}, {"view": (viewport.work_size.x, viewport.work_size.y)}
    for side, (direction, source, length, _) in SIDES.items():
        across = direction in (imgui.Dir.left, imgui.Dir.right)
        width, height = sizes[source]
        whole, here = (viewport.work_size.x, width) if across else (viewport.work_size.y, height)
        taken = min(em(length), most_length(side, whole)) / max(here, 1.0)
        _, nodes[side], nodes[source] = builder.dock_builder_split_node_py(nodes[source], direction, taken)
        sizes[side] = (width * taken, height) if across else (width, height * taken)
        sizes[source] = (width * (1 - taken), height) if across else (width, height * (1 - taken))
    # the first panel of a side is the front tab
    for panel in reversed(panels()):
        tab = builder.im_hash_str("#TAB", 0, builder.im_hash_str(panel.name))
        builder.dock_builder_get_node(nodes[panel.side]).selected_tab_id = tab
    for panel in panels():
        builder.dock_builder_dock_window(panel.name, nodes[panel.side])
    builder.dock_builder_finish(dock)


def _view_rect(dock: int, viewport: imgui.Viewport) -> Rect:
    """The central node."""
    node: Any = imgui.internal.dock_builder_get_central_node(dock)
    if node is None:
        # the saved layout was cut off before it
        _default_layout(dock, viewport)
        return Rect(0.0, 0.0, 0.0, 0.0)
    # in a tiny window the node extends beyond the edge
    x, y = node.pos.x, node.pos.y
    width = min(node.size.x, viewport.pos.x + viewport.size.x - x)
    height = min(node.size.y, viewport.pos.y + viewport.size.y - y)
    return Rect(x, y, max(width, 0.0), max(height, 0.0))
