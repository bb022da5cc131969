"""Options of the solver in the columns of a comparison: a choice or a number, in colour where it is not the model's."""

from __future__ import annotations

from functools import partial

from imgui_bundle import imgui

from app.instruments.solver.state import SolverState
from app.model.editable import BY_PATH
from app.model.views import ModelView
from app.ui import theme
from app.ui.tables.frame import cell
from app.ui.widgets import colour, drag_by_rule, number_field, pick, tooltip
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
        cell(text, theme.TEXT, True)
        tooltip(f"opt.{row.name} of the simulation; it is edited in Physics")
        return
    value = dict(shown.settings(column)).get(path, own)
    hint = f"{row.meaning}\nright click: as in A"
    key, tint, wanted = f"##{path}{column}", theme.TEXT if value == own else theme.ACCENT, None
    if names:
        named = [(float(other), name, name) for other, name in names.items()]
        wanted = pick(key, names[int(value)], lambda: named, value, hint, arrow=False, tint=tint)
    else:
        imgui.set_next_item_width(-1)
        with colour(imgui.Col_.text, tint):
            wanted = number_field(view, key, (value,), 0, drag_by_rule(row.rule), row.rule.whole, "%.5g")
        tooltip(hint)
    set_to = partial(shown.change, column, path)
    if imgui.is_item_clicked(imgui.MouseButton_.right):
        set_to(own, own)
    elif wanted is not None:
        set_to(float(row.accept(wanted, model)), own)
