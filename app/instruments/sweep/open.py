"""Ways to the Sweep instrument from where a number is edited."""

from __future__ import annotations

from imgui_bundle import imgui

from app.background.field_choice import FieldChoice, choice_of
from app.instruments.sweep.state import SweepState
from app.model.editable import BY_PATH, Editable
from app.model.views import ModelView
from app.run.commands import Command, Send, SetField
from app.run.linked_edits import set_alone
from app.view.view_state import ViewState


def open_sweep(choice: FieldChoice, model: ModelView, view: ViewState) -> None:
    """Open the instrument with a field."""
    view.of(SweepState).choose(choice, model)
    view.instruments.open("Sweep")


def sweep_number(edit: SetField, model: ModelView, view: ViewState) -> None:
    """Open the instrument with the number that an edit sets."""
    choice = choice_of(edit, model)
    if choice is None:
        view.feedback.show_message("the motion does not depend on this number, so there is nothing to sweep")
    else:
        open_sweep(choice, model, view)


def sweep_cell(path: str, row: int, at: int, model: ModelView, view: ViewState) -> None:
    """Open the instrument with one number of a row of a field; row -1 is that of an option."""
    sweep_number(set_alone(BY_PATH[path], (row,) if row >= 0 else (), at, 0.0), model, view)


def right_click(
    row: Editable, rows: tuple[int, ...], at: int, model: ModelView, view: ViewState, send: Send, reset: Command
) -> None:
    """A right-click on the last item, a number of a field: the file's value; with ctrl, a sweep over it."""
    if not imgui.is_item_clicked(imgui.MouseButton_.right):
        return
    if imgui.get_io().key_ctrl:
        sweep_number(set_alone(row, rows, at, 0.0), model, view)
    else:
        send(reset)
