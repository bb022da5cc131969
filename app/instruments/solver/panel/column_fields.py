"""Options of the solver in the columns of a comparison: a choice or a number, in colour where it is not the model's."""

from __future__ import annotations

from functools import partial

from imgui_bundle import imgui

from app.instruments.solver.state import SolverState
from app.model.editable import BY_PATH
from app.model.views import ModelView
from app.ui import theme
from app.ui.widgets import colour, drag_by_rule, number_field, tooltip
from app.view.view_state import ViewState

SETTINGS = (
    "opt.solver", "opt.cone", "opt.tolerance", "opt.iterations", "opt.impratio", "opt.noslip_iterations",
    "opt.ls_iterations", "opt.jacobian",
)  # fmt: skip


def setting_cell(model: ModelView, view: ViewState, column: int, path: str) -> None:
    """An option of a column; those of the first are the model's own."""
    shown = view.of(SolverState)
    row, own = BY_PATH[path], float(model.read(path))
    names = {value: name for name, value in row.choices}
    if column == 0:
        text = names[int(own)] if names else f"{own:.5g}"
        imgui.align_text_to_frame_padding()
        room = imgui.get_content_region_avail().x - imgui.calc_text_size(text).x
        imgui.set_cursor_pos_x(imgui.get_cursor_pos_x() + max(room, 0.0))
        imgui.text(text)
        tooltip(f"opt.{row.name} of the simulation; it is edited in Physics")
        return
    value = dict(shown.settings(column)).get(path, own)
    hint = f"{row.meaning}\nright click: as in A"
    imgui.set_next_item_width(-1)
    with colour(imgui.Col_.text, theme.TEXT if value == own else theme.ACCENT):
        if names:
            wanted = _choice(f"##{path}{column}", names, int(value))
        else:
            wanted = number_field(
                view, f"##{path}{column}", (value,), 0, drag_by_rule(row.rule), row.rule.whole, "%.5g"
            )
    tooltip(hint)
    set_to = partial(shown.change, column, path)
    if imgui.is_item_clicked(imgui.MouseButton_.right):
        set_to(own, own)
    elif wanted is not None:
        set_to(float(row.accept(wanted, model)), own)


def _choice(key: str, names: dict[int, str], value: int) -> float | None:
    """A combo without an arrow, which has no room here."""
    wanted = None
    if imgui.begin_combo(key, names[value], imgui.ComboFlags_.no_arrow_button):
        for other, name in names.items():
            if imgui.selectable(name, other == value)[0]:
                wanted = float(other)
            tooltip(name)
        imgui.end_combo()
    return wanted
