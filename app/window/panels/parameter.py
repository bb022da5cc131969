"""Rows that edit one parameter of an actuator or a joint: kp, kv, dampratio, timeconst, a damping ratio."""

from __future__ import annotations

from functools import partial

from imgui_bundle import imgui

from app.instruments.sweep.open import sweep_number
from app.model.angle_unit import shown_unit
from app.model.field_hint import parameter_hint
from app.model.parameters import Parameter, in_file
from app.run.commands import Send
from app.run.linked_edits import reset_parameter, set_parameter
from app.run.snapshot import Snapshot
from app.ui.widgets import disabled, drag_by_rule, label_width, number_field, tooltip, with_unit
from app.view.view_state import ViewState
from app.window.panels.field import label


def parameter_row(parameter: Parameter, snapshot: Snapshot, view: ViewState, send: Send) -> None:
    """A label, with a dot if the value differs from the file, and the number; a right-click restores the file's.

    With ctrl it opens a sweep over the parameter.
    """
    assert snapshot.model is not None
    model, original = snapshot.model, in_file(snapshot.model, snapshot.file_values)
    left, labels = imgui.get_cursor_pos_x(), label_width()
    factor, unit = shown_unit(parameter.unit, view.prefs.degrees)
    explained = partial(parameter_hint, parameter, original, view.prefs.degrees)
    label(parameter.name, parameter.changed(model.read, original), labels)
    tooltip(explained)
    reset = imgui.is_item_clicked(imgui.MouseButton_.right)
    imgui.same_line(left + labels)
    imgui.set_next_item_width(-1)
    rule, form = parameter.rule.scaled(factor), with_unit(unit, imgui.get_content_region_avail().x)
    start = (parameter.number(model.read) * factor,)
    with disabled(rule.low == rule.high):
        answer = number_field(view, parameter.key, start, 0, drag_by_rule(rule), form=form)
    tooltip(explained)
    if reset or imgui.is_item_clicked(imgui.MouseButton_.right):
        if imgui.get_io().key_ctrl:
            sweep_number(set_parameter(parameter, 0.0, model), model, view)
            return
        send(reset_parameter(parameter, model, snapshot.file_values))
    elif answer is not None:
        send(set_parameter(parameter, answer / factor, model))
