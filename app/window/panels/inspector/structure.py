"""Name and place of the selected element in the file, and what can be done with it: add, duplicate, delete."""

from __future__ import annotations

from imgui_bundle import imgui

from app.model.selection import Selection
from app.run.commands import Send
from app.run.snapshot import Snapshot
from app.ui.widgets import button, caption, label_width, tooltip
from app.view import building
from app.view.build_state import Building
from app.view.view_state import ViewState
from app.window.build_menu import element_menu


def structure_rows(selection: Selection, snapshot: Snapshot, view: ViewState, send: Send) -> None:
    """A field for the name, and buttons; nothing if the element is in no file."""
    model = snapshot.model
    if model is None or selection.kind not in building.OF_FILE or building.why_not(snapshot):
        return
    if (selection.kind, selection.index) != ("body", 0):
        _name(selection, snapshot, view, send)
    if button("Add…", "what can be added to it, and more"):
        imgui.open_popup("build")
    if imgui.begin_popup("build"):
        element_menu(snapshot, view, send, building.selected(view))
        imgui.end_popup()
    if (selection.kind, selection.index) == ("body", 0):
        return
    if button("Duplicate", "a copy next to it, with what belongs to it   Ctrl+Shift+D", beside=True):
        building.duplicate(view, snapshot, send, building.selected(view))
    if button("Delete", "delete it; asks first if other elements refer to it   Delete", beside=True):
        building.delete(view, snapshot, send, building.selected(view))


def _name(selection: Selection, snapshot: Snapshot, view: ViewState, send: Send) -> None:
    """The name; Enter renames it, also where other elements refer to it."""
    state, model = view.of(Building), snapshot.model
    assert model is not None
    own = model.names[selection.kind][selection.index]
    typed = state.name[1] if state.name is not None and state.name[0] == selection else own
    caption("name", framed=True)
    imgui.same_line(label_width())
    imgui.set_next_item_width(-1)
    entered, typed = imgui.input_text_with_hint("##name", "none", typed, imgui.InputTextFlags_.enter_returns_true)
    tooltip("Enter renames it, also where other elements refer to it")
    state.name = (selection, typed) if imgui.is_item_active() else None
    if entered and typed != own:
        building.rename(view, snapshot, send, selection, typed.strip())
