"""Rows that edit one field of the model, generated from the table of editable fields.

Each row has a label, a widget for every number, a dot if the value differs from the file, a tooltip that documents the
attribute, and a right-click that restores the file's value.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from types import MappingProxyType
from typing import Any

import numpy as np
from imgui_bundle import imgui

from app.instruments.sweep.open import right_click, sweep_number
from app.model.angle_unit import field_unit, shown_unit
from app.model.components import Number, solref_moved
from app.model.editable import BY_TYPE, Editable, Flag
from app.model.field_hint import hint, parameter_hint
from app.model.parameters import Parameter, in_file
from app.model.views import ModelView
from app.run.commands import ResetField, Send, SetFlag
from app.run.linked_edits import reset_parameter, set_alone, set_number, set_parameter
from app.run.snapshot import Snapshot
from app.ui import theme
from app.ui.widgets import (
    caption,
    changed_dot,
    disabled,
    drag_by_rule,
    elide,
    em,
    fold,
    font,
    label_width,
    matches,
    number_field,
    tooltip,
    with_unit,
)
from app.view.view_state import ViewState

NO_FLAGS: Mapping[str, Sequence[Flag]] = MappingProxyType({})
# minimum width of a readable number
NUMBER_EM = 3.0


def field_row(row: Editable, rows: tuple[int, ...], snapshot: Snapshot, view: ViewState, send: Send) -> None:
    """Edit a field, or those of its rows that belong to one element."""
    assert snapshot.model is not None
    model = snapshot.model
    vector = row.vector(model, rows)
    original = _original(snapshot, row, rows, vector)
    changed = not np.array_equal(vector, original)
    left, labels = imgui.get_cursor_pos_x(), label_width()
    label(row.name, changed, labels)
    explained = partial(hint, row, rows, model, original, degrees=view.prefs.degrees)
    tooltip(explained)
    reset = ResetField(row.path, rows)
    right_click(row, rows, 0, model, view, send, reset)
    imgui.same_line(left + labels)
    if row.widget == "colour":
        _colour(row, rows, vector, explained, send)
        return
    numbers = row.numbers(model, rows)
    named = row.group in BY_TYPE
    if named or _choice_width(row, float(vector[0])) > imgui.get_content_region_avail().x:
        imgui.new_line()
    in_line = 1 if named else min(len(numbers), 3, max(int(imgui.get_content_region_avail().x / em(NUMBER_EM)), 1))
    spacing = imgui.get_style().item_inner_spacing.x
    each = -1.0 if named else (imgui.get_content_region_avail().x - (in_line - 1) * spacing) / in_line
    for k, part in enumerate(numbers):
        if named:
            label(f"   {part.name}", vector[part.at] != original[part.at], labels)
            tooltip(partial(explained, part))
            imgui.same_line(left + labels)
        elif k % in_line:
            imgui.same_line(0, spacing)
        elif k:
            imgui.set_cursor_pos_x(left + labels)
        imgui.set_next_item_width(each)
        _number(row, rows, model, part, view, send)
        tooltip(partial(explained, part))
        right_click(row, rows, part.at, model, view, send, reset)


def _choice_width(row: Editable, value: float) -> float:
    """The width that a list needs for the choice that it shows; 0 for numbers."""
    shown = next((name for name, number in row.choices or () if number == int(value)), "")
    taken = imgui.get_frame_height() + 2 * imgui.get_style().frame_padding.x
    return imgui.calc_text_size(shown).x + taken if shown else 0.0


def _number(row: Editable, rows: tuple[int, ...], model: ModelView, part: Number, view: ViewState, send: Send) -> None:
    """Edit one number."""
    vector = row.vector(model, rows)
    key = f"##{row.path}{rows}[{part.at}]" if len(vector) > 1 else f"##{row.path}{rows}"
    unit = field_unit(row, model, rows) if part.unit is None else part.unit
    factor, unit = shown_unit(unit, view.prefs.degrees)
    answer = _widget(key, row, part, vector, view, factor, unit)
    if answer is not None:
        # a drag depends only on where it began
        first = tuple(vector.tolist())
        if view.ui.editing is not None:
            first = tuple(number / factor for number in view.ui.editing.start)
        send(set_number(row, rows, model, part.at, answer / factor, first))


def _colour(row: Editable, rows: tuple[int, ...], value: Any, explained: Callable[[], str], send: Send) -> None:
    """A colour button that opens a picker, with the numbers next to it."""
    key = f"##{row.path}{rows}"
    edit = imgui.color_edit4 if len(value) == 4 else imgui.color_edit3
    changed, wanted = edit(key, value.tolist(), imgui.ColorEditFlags_.no_inputs | imgui.ColorEditFlags_.float)
    tooltip(explained)
    if imgui.is_item_clicked(imgui.MouseButton_.right):
        send(ResetField(row.path, rows))
    with font("mono"):
        text = " ".join(f"{part:.2f}" for part in value.tolist())
        imgui.same_line()
        if imgui.calc_text_size(text).x <= imgui.get_content_region_avail().x:
            caption(text)
        else:
            imgui.new_line()
    for k, (part, new) in enumerate(zip(value.tolist(), wanted, strict=False)):
        if changed and new != part:
            send(set_alone(row, rows, k, float(f"{new:.6g}")))


def field_sections(
    table: Sequence[Editable],
    opened: Sequence[str],
    wanted: str,
    snapshot: Snapshot,
    view: ViewState,
    send: Send,
    flags: Mapping[str, Sequence[Flag]] = NO_FLAGS,
) -> None:
    """Rows of model-wide fields in collapsing sections, a flag that switches a section first; those in `opened` start
    open, and a search opens all."""
    for title in dict.fromkeys(row.section for row in table):
        rows = [row for row in table if row.section == title and matches(wanted, row.name, row.meaning)]
        switches = [flag for flag in flags.get(title, ()) if rows or matches(wanted, flag.name, flag.meaning)]
        content = ", ".join([*(flag.name for flag in switches), *(row.name for row in rows)])
        if content and fold(title, title in opened, bool(wanted), content):
            for flag in switches:
                flag_row(flag, snapshot, send)
            for row in rows:
                field_row(row, (), snapshot, view, send)


def flag_row(flag: Flag, snapshot: Snapshot, send: Send) -> None:
    """A checkbox for one flag bit."""
    assert snapshot.model is not None
    name = flag.path.removeprefix("opt.")
    flags = int(getattr(snapshot.model.opt, name))
    on, original = flag.state(flags), flag.state(int(snapshot.file_values.get(flag.path, flags)))
    pressed, wanted = imgui.checkbox(f"{flag.name}##flag", on)
    usual, in_file = ("enable" if yes else "disable" for yes in (flag.inverted, original))
    values = f"default {usual}, in the file {in_file}"
    tooltip(f"option/flag/{flag.name}\n{flag.meaning}\n{values}\nright-click: the file's value")
    if imgui.is_item_clicked(imgui.MouseButton_.right):
        pressed, wanted = on != original, original
    if on != original:
        changed_dot()
    if pressed:
        send(SetFlag(flag.path, flag.bit, wanted != flag.inverted))


def _original(snapshot: Snapshot, row: Editable, rows: tuple[int, ...], vector: Any) -> Any:
    """The values in the file."""
    if row.path not in snapshot.file_values:
        return vector
    whole = np.asarray(snapshot.file_values[row.path])
    return np.ravel(whole[rows[0]] if rows else whole)


def _widget(
    key: str, row: Editable, part: Number, vector: Any, view: ViewState, factor: float, unit: str
) -> float | None:
    """The widget for one number, shown in a unit; returns the user's new value, or None."""
    value = float(vector[part.at])
    if row.choices:
        names = [name for name, _ in row.choices]
        values = [number for _, number in row.choices]
        index = values.index(int(value)) if int(value) in values else 0
        changed, index = imgui.combo(key, index, names)
        return float(values[index]) if changed else None
    if row.widget == "switch":
        changed, on = imgui.checkbox(key, bool(value))
        return float(on) if changed else None
    move = _solref if row.group == "solref" else drag_by_rule(part.rule.scaled(factor))
    form = with_unit(unit, imgui.calc_item_width())
    start = (vector * factor).tolist() if factor != 1.0 else vector.tolist()
    with disabled(part.rule.low == part.rule.high):
        return number_field(view, key, start, part.at, move, part.rule.whole, form)


def _solref(start: tuple[float, ...], at: int, pixels: float, digits: int) -> float:
    """A number of solref after a drag."""
    return solref_moved(start, at, pixels, digits)[at]


def label(name: str, changed: bool, width: float) -> None:
    """The name of an attribute, in the accent colour with a dot if it was changed."""
    imgui.align_text_to_frame_padding()
    short = elide(name, width - em(0.9))
    imgui.text_colored(theme.ACCENT if changed else theme.DIM, f"{short} •" if changed else short)


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
