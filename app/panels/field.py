"""Rows that edit one field of the model, made from the table of editable fields.

Each row has a label, a widget for every number, a mark if the value differs from the file's, a tooltip that says all
there is to know about the attribute, and a right-click that puts the file's value back.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np
from imgui_bundle import imgui

from app.commands import ResetField, Send, SetField, SetFlag
from app.editable import SHOWN_COMPONENTS, Editable, Flag
from app.panels import theme
from app.snapshot import Snapshot
from app.state import ViewState
from app.widgets import colour, dragged, elide, em, fits, font, held, label_width, mark, note_edit, tooltip

# a number that is narrower cannot be read
NUMBER_EM = 3.0


def field_row(row: Editable, rows: tuple[int, ...], snapshot: Snapshot, view: ViewState, send: Send) -> None:
    """Edit a field, or those of its rows that belong to an element."""
    value = _value(snapshot.model, row, rows)
    original = _original(snapshot, row, rows, value)
    changed = not np.array_equal(value, original)
    left, labels = imgui.get_cursor_pos_x(), label_width()
    _label(row.name, changed, labels)
    explained = partial(hint, row, rows, snapshot.model, original)
    tooltip(explained)
    if imgui.is_item_clicked(imgui.MouseButton_.right):
        send(ResetField(row.path, rows))
    imgui.same_line(left + labels)
    if row.widget == "colour":
        _colour(row, rows, value, explained, send)
        return
    shown = value.ravel()[:SHOWN_COMPONENTS]
    width = imgui.get_content_region_avail().x
    spacing = imgui.get_style().item_inner_spacing.x
    in_line = min(len(shown), 3, max(int(width / em(NUMBER_EM)), 1))
    each = (width - (in_line - 1) * spacing) / in_line
    start = imgui.get_cursor_pos_x()
    for k, number in enumerate(shown.tolist()):
        if k % in_line:
            imgui.same_line(0, spacing)
        else:
            imgui.set_cursor_pos_x(start)
        imgui.set_next_item_width(each)
        key = f"##{row.path}{rows}[{k}]" if len(shown) > 1 else f"##{row.path}{rows}"
        answer = _widget(key, row, number, view)
        part = row.components[k] if k < len(row.components) else ""
        tooltip(partial(explained, part))
        if imgui.is_item_clicked(imgui.MouseButton_.right):
            send(ResetField(row.path, rows))
        if answer is not None:
            send(_command(row, rows, k, value, answer))


def _colour(row: Editable, rows: tuple[int, ...], value: Any, explained: Callable[[], str], send: Send) -> None:
    """A patch that opens a picker, and the numbers beside it."""
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
            imgui.text_colored(theme.DIM, text)
        else:
            imgui.new_line()
    for k, (part, new) in enumerate(zip(value.tolist(), wanted, strict=False)):
        if changed and new != part:
            send(_command(row, rows, k, value, float(f"{new:.6g}")))


def field_sections(
    table: Sequence[Editable], opened: Sequence[str], wanted: str, snapshot: Snapshot, view: ViewState, send: Send
) -> None:
    """Rows of the whole model in sections that fold; those in `opened` start open, while searching all are."""
    for title in dict.fromkeys(row.section for row in table):
        rows = [row for row in table if row.section == title and fits(wanted, row.name, row.meaning)]
        if rows and fold(title, title in opened, bool(wanted), ", ".join(row.name for row in rows)):
            for row in rows:
                field_row(row, (), snapshot, view, send)


def fold(title: str, opened: bool, searching: bool, content: str) -> bool:
    """The head of a section that folds, with its content in words; whether it is open."""
    if searching:
        imgui.set_next_item_open(True)
    with colour(imgui.Col_.header, theme.RAISED):
        unfolded = imgui.collapsing_header(title, imgui.TreeNodeFlags_.default_open if opened else 0)
    tooltip(content)
    return unfolded


def flag_row(flag: Flag, snapshot: Snapshot, send: Send) -> None:
    """A switch for one bit of the flags."""
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
        mark()
    if pressed:
        send(SetFlag(flag.path, flag.bit, wanted != flag.inverted))


def hint(row: Editable, rows: tuple[int, ...], model: Any, original: Any, part: str = "") -> str:
    """All there is to know about a field."""
    unit = row.unit(model, rows)
    lines = [f"{row.attribute}{': ' + part if part else ''}{f'   [{unit}]' if unit else ''}", row.meaning]
    if row.effect:
        lines.append(row.effect)
    in_file = " ".join(_written(row, number) for number in np.ravel(original)[:SHOWN_COMPONENTS].tolist())
    lines.append(f"default {row.default}, in the file {in_file}")
    typed = row.widget in ("log", "lin", "count")
    lines.append(f"right-click: the file's value{'; ctrl+click: type a number' if typed else ''}")
    return "\n".join(lines)


def _value(model: Any, row: Editable, rows: tuple[int, ...]) -> Any:
    """The numbers as they are: those of the first row, if several share the value."""
    whole = np.asarray(model.read(row.path))
    return whole[rows[0]] if rows else whole


def _original(snapshot: Snapshot, row: Editable, rows: tuple[int, ...], value: Any) -> Any:
    """The numbers in the file."""
    if row.path not in snapshot.file_values:
        return value
    whole = np.asarray(snapshot.file_values[row.path])
    return whole[rows[0]] if rows else whole


def _command(row: Editable, rows: tuple[int, ...], k: int, value: Any, answer: float) -> SetField:
    """The edit of component k."""
    if not rows:
        return SetField(row.path, answer, (k,) if np.ndim(value) else ())
    return SetField(row.path, answer, rows, k if np.ndim(value) else None)


def _widget(key: str, row: Editable, number: float, view: ViewState) -> float | None:
    """The widget for one number; the new number, if the user gave one."""
    if row.choices:
        names = [name for name, _ in row.choices]
        values = [value for _, value in row.choices]
        index = values.index(int(number)) if int(number) in values else 0
        changed, index = imgui.combo(key, index, names)
        return float(values[index]) if changed else None
    if row.widget == "switch":
        changed, on = imgui.checkbox(key, bool(number))
        return float(on) if changed else None
    if row.widget == "count":
        changed, whole = imgui.drag_int(key, int(held(view, key, number)), 0.2, int(row.low), int(row.high))
        note_edit(view, key, float(whole))
        return float(whole) if changed else None
    flags = imgui.SliderFlags_.logarithmic if row.widget == "log" else 0
    return dragged(view, key, number, row.low, row.high, "%.5g", (row.high - row.low) / 400, flags)


def _written(row: Editable, number: float) -> str:
    """A number as MJCF has it."""
    names = {value: name for name, value in row.choices}
    if row.widget == "switch":
        return "true" if number else "false"
    return names.get(int(number), "?") if names else f"{number:.6g}"


def _label(name: str, changed: bool, width: float) -> None:
    """The name of the attribute, in the accent colour with a dot if it was changed."""
    imgui.align_text_to_frame_padding()
    short = elide(name, width - em(0.9))
    imgui.text_colored(theme.ACCENT if changed else theme.DIM, f"{short} •" if changed else short)
