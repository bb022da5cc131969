"""The question before elements are deleted that others refer to: delete them too, or not."""

from __future__ import annotations

from imgui_bundle import imgui

from app.run.commands import Send
from app.ui.widgets import em, same_line_if_fits
from app.view.build_state import Building
from app.view.building import answer
from app.view.view_state import ViewState
from app.window.overlays.modal import cancel_button, heading, main_button, modal

WIDTH_EM = 34.0


def build_question(view: ViewState, send: Send) -> None:
    """Ask, while there is a question."""
    building = view.of(Building)
    with modal("##build question", lambda: building.question is not None, WIDTH_EM) as drawn:
        if not drawn or building.question is None:
            return
        heading(building.question.title, building.question.text)
        imgui.dummy((0, em(0.3)))
        if main_button("Delete them too", "delete it, with what cannot be without it   Enter"):
            answer(view, send, True)
            return
        same_line_if_fits("Cancel")
        if cancel_button("delete nothing   Escape"):
            answer(view, send, False)
