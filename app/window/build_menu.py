"""Menus of what can be done to elements of the file: in the picture, in the model tree, in the toolbar."""

from __future__ import annotations

from collections.abc import Sequence

from imgui_bundle import icons_fontawesome_6 as icons
from imgui_bundle import imgui

from app.model.selection import Selection
from app.run.commands import Send
from app.run.snapshot import Snapshot
from app.ui.widgets import caption, icon_button, menu_item
from app.view import building
from app.view.build_state import Building, Point
from app.view.view_state import ViewState
from sim.analysis.element_names import described

SHAPES = ("sphere", "box", "capsule", "cylinder", "ellipsoid", "plane")
POPUP = "##build"


def element_menu(
    snapshot: Snapshot, view: ViewState, send: Send, elements: Sequence[Selection], at: Point | None = None
) -> None:
    """Items for elements; `at` is where the pointer is in the world."""
    model = snapshot.model
    why = building.why_not(snapshot)
    if model is None:
        return
    if why:
        caption(why)
        return
    world = [one for one in elements if (one.kind, one.index) != ("body", 0)]
    title = described(model, elements[0].kind, elements[0].index) if len(elements) == 1 else f"{len(elements)} elements"
    caption(title)
    if at is not None and imgui.begin_menu("Add to the world"):
        for shape in SHAPES:
            if menu_item(shape, f"a {shape} where the pointer is"):
                building.add_shape(view, snapshot, send, shape, at)
        imgui.end_menu()
    offered = building.offers(elements, model)
    if offered and imgui.begin_menu("Add"):
        for item, do in offered:
            if menu_item(item, f"add it to {title}"):
                do(view, snapshot, send)
        imgui.end_menu()
    if not world:
        return
    if menu_item("Duplicate", "a copy next to it, with what belongs to it", shortcut="Ctrl+Shift+D"):
        building.duplicate(view, snapshot, send, world)
    if len(world) == 1 and menu_item("Move up", "before the one of its type in front of it"):
        building.reorder(view, snapshot, send, world[0], -1)
    if len(world) == 1 and menu_item("Move down", "behind the next one of its type"):
        building.reorder(view, snapshot, send, world[0], 1)
    if menu_item("Delete", "delete it; asks first if other elements refer to it", shortcut="Delete"):
        building.delete(view, snapshot, send, world)


def add_menu(snapshot: Snapshot, view: ViewState, send: Send) -> None:
    """A button with a menu of what can be added: to the world, and to the selection."""
    why = building.why_not(snapshot)
    if icon_button(icons.ICON_FA_PLUS, "add", why or "add shapes, joints, motors, sensors", enabled=not why):
        imgui.open_popup("add")
    imgui.same_line()
    if not imgui.begin_popup("add"):
        return
    for shape in SHAPES:
        if menu_item(shape, f"a {shape} in the middle of the view"):
            building.add_shape(view, snapshot, send, shape)
    elements = building.selected(view)
    if elements and snapshot.model is not None:
        imgui.separator()
        element_menu(snapshot, view, send, elements)
    imgui.end_popup()


def picture_menu(snapshot: Snapshot, view: ViewState, send: Send) -> None:
    """The menu of what is under the pointer in the picture, while it is open."""
    state = view.of(Building)
    if state.opens_menu:
        state.opens_menu = False
        imgui.open_popup(POPUP)
    if not imgui.begin_popup(POPUP):
        state.menu = None
        return
    if state.menu is not None:
        element, at = state.menu
        chosen = building.selected(view)
        element_menu(snapshot, view, send, chosen if element in chosen else [element], at)
    imgui.end_popup()
