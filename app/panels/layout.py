"""The window's layout: toolbar on top, status line below, docked panels around the 3D view.

The view is the central node of the dock space: panels stand beside it and never over it unless the user
undocks them. `draw` runs all panels and returns the rectangle that is left for the picture.
"""

from __future__ import annotations

from collections.abc import Callable

from imgui_bundle import imgui

from app.bindings import Action
from app.commands import Send
from app.panels.help import help_overlay
from app.panels.info import info_overlay
from app.panels.notices import problem_card, progress_card
from app.panels.simulation import simulation_panel
from app.panels.status import status_line
from app.panels.toolbar import toolbar
from app.snapshot import Snapshot
from app.state import Rect, ViewState
from app.widgets import em

DOCK_NAME = "kinetoscope dock"
SIMULATION = "Simulation"
LEFT_WIDTH_EM = 19.0
BAR_FLAGS = (
    imgui.WindowFlags_.no_title_bar
    | imgui.WindowFlags_.no_resize
    | imgui.WindowFlags_.no_move
    | imgui.WindowFlags_.no_scrollbar
    | imgui.WindowFlags_.no_docking
    | imgui.WindowFlags_.no_saved_settings
    | imgui.WindowFlags_.no_scroll_with_mouse
)


def draw(snapshot: Snapshot, view: ViewState, send: Send, act: Callable[[Action], None]) -> Rect:
    """All panels of one frame; returns where the picture goes."""
    viewport = imgui.get_main_viewport()
    if view.show_panels:
        _bar("toolbar", imgui.Dir.up, 2.7, lambda: toolbar(snapshot, view, send, act))
        _bar("status", imgui.Dir.down, 2.1, lambda: status_line(snapshot, view))
    dock = imgui.get_id(DOCK_NAME)
    if imgui.internal.dock_builder_get_node(dock) is None:
        _default_layout(dock, viewport)
    flags = imgui.DockNodeFlags_.passthru_central_node | imgui.DockNodeFlags_.no_docking_over_central_node
    keep_alive = 0 if view.show_panels else imgui.DockNodeFlags_.keep_alive_only
    imgui.dock_space_over_viewport(dock, viewport, flags | keep_alive)
    if view.show_panels:
        imgui.begin(SIMULATION)
        simulation_panel(snapshot, view, send)
        imgui.end()
    rect = _picture(dock, viewport, view.show_panels)
    if view.show_info:
        info_overlay(snapshot, view, rect.x, rect.y)
    if view.show_help:
        help_overlay(view, rect.x + rect.width / 2, rect.y + rect.height / 2)
    bottom = (rect.x + rect.width / 2, rect.y + rect.height - em(1.5))
    if snapshot.run.problem is not None:
        problem_card(snapshot.run.problem, send, bottom)
    elif snapshot.run.progress is not None:
        progress_card(snapshot.run.progress, bottom)
    return rect


def _bar(name: str, side: imgui.Dir, height_em: float, content: Callable[[], None]) -> None:
    """A strip along one side of the window."""
    viewport = imgui.get_main_viewport()
    imgui.push_style_var(imgui.StyleVar_.window_padding, (em(0.7), em(0.4)))
    imgui.push_style_var(imgui.StyleVar_.window_rounding, 0.0)
    if imgui.internal.begin_viewport_side_bar(f"##{name}", viewport, side, em(height_em), BAR_FLAGS):
        content()
    imgui.end()
    imgui.pop_style_var(2)


def _default_layout(dock: int, viewport: imgui.Viewport) -> None:
    """The layout of a first start."""
    builder = imgui.internal
    builder.dock_builder_add_node(dock, builder.DockNodeFlagsPrivate_.dock_space)
    builder.dock_builder_set_node_size(dock, viewport.work_size)
    share = min(em(LEFT_WIDTH_EM) / max(viewport.work_size.x, 1.0), 0.4)
    _, left, _ = builder.dock_builder_split_node_py(dock, imgui.Dir.left, share)
    builder.dock_builder_dock_window(SIMULATION, left)
    builder.dock_builder_finish(dock)


def _picture(dock: int, viewport: imgui.Viewport, docked: bool) -> Rect:
    """The central node, or the whole window while panels are hidden."""
    node = imgui.internal.dock_builder_get_central_node(dock) if docked else None
    if node is None:
        return Rect(viewport.pos.x, viewport.pos.y, viewport.size.x, viewport.size.y)
    # in a tiny window the node is pushed over the edge
    x, y = node.pos.x, node.pos.y
    width = min(node.size.x, viewport.pos.x + viewport.size.x - x)
    height = min(node.size.y, viewport.pos.y + viewport.size.y - y)
    return Rect(x, y, max(width, 0.0), max(height, 0.0))
