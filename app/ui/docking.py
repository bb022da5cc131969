"""Docked panels: their sizes, and the buttons in the tab bar that open the manual and the list of tabs.

Sizes are as the user dragged them, but at most a share of a small window. Only a drag changes the user's size, and only
that size is saved. It may leave the view a small part of the window, and keeps its share in a smaller one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache
from typing import Any

from imgui_bundle import icons_fontawesome_6 as icons
from imgui_bundle import imgui

from app.manual.manual_view import ManualView
from app.run.commands import Send
from app.run.snapshot import Snapshot
from app.ui import theme
from app.ui.widgets import colour, em, tooltip
from app.view.view_state import ViewState

# side -> direction, what it is split from, its length in em, and its maximum share of the window
SIDES = {
    "left": (imgui.Dir.left, "view", 19.8, 0.27),
    "right": (imgui.Dir.right, "view", 21.0, 0.28),
    "bottom": (imgui.Dir.down, "view", 18.0, 0.26),
    "left below": (imgui.Dir.down, "left", 26.0, 0.55),
    "right below": (imgui.Dir.down, "right", 100.0, 0.62),
}
# what a side has in a low window all the same: a length in em, and its maximum share
LEAST = {"bottom": (12.0, 0.40)}
# a window in which both sides would leave less of it to the view has one
LEAST_VIEW = 0.5
# what a drag leaves to the view at least, of the width and of the height
MOST_DRAGGED = (0.45, 0.85)


def most_length(side: str, whole: float) -> float:
    """The maximum length of a side, unless it was dragged, in a window of a width or height."""
    share, (length, larger) = SIDES[side][3], LEAST.get(side, (0.0, 0.0))
    return max(share * whole, min(em(length), larger * whole))


def both_sides_fit(window: imgui.ImVec2, bars: float) -> bool:
    """Whether the view keeps its share of a window with bars of some height next to panels on both sides."""
    taken = sum(min(em(SIDES[side][2]), most_length(side, window.x)) for side in ("left", "right"))
    return (window.x - taken) * (window.y - bars) >= LEAST_VIEW * window.x * window.y


@dataclass(frozen=True)
class Panel:
    """A panel, the side on which it starts, and words by which the palette finds it."""

    name: str
    side: str
    draw: Callable[[Snapshot, ViewState, Send], None]
    words: str = ""

    @property
    def preference(self) -> str:
        """The preference that shows its side."""
        return f"show_{self.side.partition(' ')[0]}"


def dock_beside(panel: Panel, panels: Iterable[Panel]) -> None:
    """Let a panel that a saved layout does not have yet begin as a tab next to the others of its side."""
    if imgui.internal.find_window_by_name(panel.name) is not None:
        return
    windows: list[Any] = [imgui.internal.find_window_by_name(p.name) for p in panels if p.side == panel.side]
    node = next((window.dock_id for window in windows if window is not None and window.dock_id), 0)
    if node:
        imgui.set_next_window_dock_id(node, imgui.Cond_.first_use_ever)


def limit_dock_size(panel: Panel, view: ViewState, viewport: imgui.Viewport) -> None:
    """Shrink docked panels in a small window so that the view keeps its share, and restore them in a larger one."""
    node, axis = _dock_node(panel)
    if node is None:
        return
    size, whole = node.size, (viewport.size.x, viewport.size.y)[axis]
    now, resized = (size.x, size.y)[axis], view.ui.docked_in != (viewport.size.x, viewport.size.y)
    # only a drag sets the user's size
    moved = abs(now - view.ui.measured.get(panel.name, now)) > 0.5
    view.ui.measured[panel.name] = now
    dragged = moved and not resized and imgui.is_mouse_down(imgui.MouseButton_.left)
    if panel.name not in view.ui.docked or dragged:
        view.ui.docked[panel.name] = now
    if dragged:
        view.ui.docked_shares[panel.name] = min(now / max(whole, 1.0), MOST_DRAGGED[axis])
    most = max(most_length(panel.side, whole), view.ui.docked_shares.get(panel.name, 0.0) * whole)
    fair = min(view.ui.docked[panel.name], most)
    if most > em(4) and (now > most + 1 or (resized and now < fair - 1)):
        imgui.internal.dock_builder_set_node_size(node.id_, _with_length(size, axis, fair))


@cache
def panel_class() -> imgui.WindowClass:
    """What panels have in common: a tab bar, also where one floats."""
    made = imgui.WindowClass()
    made.docking_always_tab_bar = True
    return made


def hovered_panel(panels: Iterable[Panel]) -> str:
    """The panel under the pointer; empty if there is none."""
    window: Any = imgui.get_current_context().hovered_window
    name = window.root_window.name if window is not None else ""
    return name if any(panel.name == name for panel in panels) else ""


def tab_buttons(panel: Panel, manual: ManualView) -> bool:
    """At the end of the tab bar of a panel in front: the manual, and the list of tabs; whether that was pressed."""
    window: Any = imgui.internal.find_window_by_name(panel.name)
    if window.dock_node is None or not imgui.internal.dock_node_begin_amend_tab_bar(window.dock_node):
        return False
    imgui.push_style_var(imgui.StyleVar_.frame_padding, (em(0.25), imgui.get_style().frame_padding.y))
    with colour(imgui.Col_.text, theme.DIM), colour(imgui.Col_.tab, theme.CLEAR):
        # one tab each, whichever panel is in front
        if imgui.tab_item_button(f"?##{panel.name}###manual", imgui.TabItemFlags_.trailing):
            manual.show_panel(panel.name)
        tooltip(f"manual: {panel.name}   F1")
        label = f"{icons.ICON_FA_ELLIPSIS_VERTICAL}##{panel.name}###tabs"
        pressed = imgui.tab_item_button(label, imgui.TabItemFlags_.trailing)
        tooltip("list tabs, close them, change the layout")
    imgui.pop_style_var()
    imgui.internal.dock_node_end_amend_tab_bar()
    return pressed


def neighbours(name: str, panels: Iterable[Panel]) -> list[str]:
    """The panels whose tabs are next to that of a panel, and that one, as they are listed."""
    nodes = {panel.name: _tab_node(panel.name) for panel in panels}
    return [other for other, node in nodes.items() if node is not None and node == nodes[name]]


def _tab_node(name: str) -> int | None:
    """The dock node in which a panel is a tab now."""
    window: Any = imgui.internal.find_window_by_name(name)
    return window.dock_node.id_ if window is not None and window.active and window.dock_node is not None else None


def _dock_node(panel: Panel) -> tuple[Any, int]:
    """The dock node split off the view for a panel, or None; the axis of the split."""
    direction, source, _, _ = SIDES[panel.side]
    axis = imgui.internal.Axis.y if direction == imgui.Dir.down else imgui.internal.Axis.x
    window: Any = imgui.internal.find_window_by_name(panel.name)
    node = window.dock_node if window is not None and source == "view" else None
    # if it was split again, it is an ancestor of the panel's node
    while node is not None and node.parent_node is not None and node.parent_node.split_axis != axis:
        node = node.parent_node
    return node, int(axis)


def _with_length(size: imgui.ImVec2, axis: int, length: float) -> imgui.ImVec2:
    """A size with another width or height."""
    return imgui.ImVec2(size.x, length) if axis else imgui.ImVec2(length, size.y)


def layout_ini(panels: Iterable[Panel], view: ViewState) -> str:
    """The layout as ImGui ini text, with the user's sizes even if the window is small now."""
    before = []
    for panel in panels:
        node, axis = _dock_node(panel)
        if node is not None and panel.name in view.ui.docked:
            before.append((node, imgui.ImVec2(node.size_ref.x, node.size_ref.y)))
            node.size_ref = _with_length(node.size_ref, axis, view.ui.docked[panel.name])
    text = imgui.save_ini_settings_to_memory()
    for node, size in reversed(before):
        node.size_ref = size
    return text
