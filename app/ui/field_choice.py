"""A combo that chooses one editable number of the model: of the selected element, an option, or a flag."""

from __future__ import annotations

from collections.abc import Iterator

from imgui_bundle import imgui

from app.background.field_choice import FieldChoice, choices_of, elements_of, options_of
from app.model.views import ModelView
from app.run.snapshot import Snapshot
from app.ui.widgets import caption, elide, em, matches, section, text_field, tooltip
from app.view.view_state import ViewState
from sim.analysis.element_names import described

# of the list, in em
WIDTH, HEIGHT = 26.0, 22.0
PROMPT = "choose a number…"
HINT = "a number in the model: from the selected element, an option or a flag"


def choose_field(
    key: str, chosen: FieldChoice | None, snapshot: Snapshot, view: ViewState, prompt: str = PROMPT
) -> FieldChoice | None:
    """A combo with a search field; returns the choice, which may be the same or none."""
    model = snapshot.model
    if model is None:
        return None
    name = chosen.label if chosen is not None else prompt
    imgui.set_next_window_size_constraints((em(WIDTH), 0), (em(WIDTH), em(HEIGHT)))
    room = imgui.calc_item_width() - imgui.get_frame_height() - 2 * imgui.get_style().frame_padding.x
    opened = imgui.begin_combo(key, elide(name, room), imgui.ComboFlags_.height_largest)
    if not opened:
        tooltip(HINT if chosen is None else f"{chosen.label}\n{chosen.meaning}")
        return chosen
    if imgui.is_window_appearing():
        view.ui.field_search = ""
        imgui.set_keyboard_focus_here()
    view.ui.field_search = text_field("##words", "search", view.ui.field_search, "part of a name or description")
    found = _list(chosen, snapshot, model, view)
    imgui.end_combo()
    return found


def _list(chosen: FieldChoice | None, snapshot: Snapshot, model: ModelView, view: ViewState) -> FieldChoice | None:
    """The numbers that match the search, by element."""
    found, empty = chosen, True
    for title, choices in _groups(snapshot, model, view):
        wanted = [choice for choice in choices if matches(view.ui.field_search, choice.label, choice.meaning)]
        if not wanted:
            continue
        empty = False
        section(title)
        for choice in wanted:
            if _item(choice, chosen is not None and choice.key == chosen.key, model):
                found = choice
    if view.selection is None:
        caption("Select an element to choose from its numbers as well.")
    elif empty:
        caption("no matching number")
    return found


def _groups(snapshot: Snapshot, model: ModelView, view: ViewState) -> Iterator[tuple[str, tuple[FieldChoice, ...]]]:
    """Titles with what is below them."""
    for element in elements_of(view.selection, model, snapshot.state):
        yield described(model, element.kind, element.index), choices_of(model, element.kind, element.index)
    yield "options", options_of(model)


def _item(choice: FieldChoice, selected: bool, model: ModelView) -> bool:
    """A line of the list: name, and value at the right; returns whether it was clicked."""
    value = choice.text(choice.value(model))
    left, room = imgui.get_cursor_pos_x(), imgui.get_content_region_avail().x
    clicked, _ = imgui.selectable(f"{choice.name}##{choice.key}", selected)
    tooltip(f"{choice.label}\n{choice.meaning}")
    imgui.same_line(left + room - imgui.calc_text_size(value).x)
    caption(value)
    return bool(clicked)
