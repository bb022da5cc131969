"""Widgets shared by panels: number fields, rows of numbers, icon buttons, tooltips.

Sizes are in em, the height of the current font, so that a larger font scales everything.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

import numpy as np
from imgui_bundle import imgui

from app.model.number_drag import DIGITS, FINE_DIGITS, Rule, moved
from app.ui import theme
from app.ui.quantities import align_decimals, number_and_unit
from app.view.ui_state import NumberEdit
from app.view.view_state import ViewState

# width of the label column, and of the unit after a number
LABEL_EM, UNIT_EM = 9.0, 2.6
# maximum width of a tooltip
TOOLTIP_EM = 36.0
# ImGui's padding between the grab of a slider and its frame
GRAB_PADDING = 2.0
# printf format of draggable numbers; drag threshold as a fraction of io.mouse_drag_threshold, as in ImGui
NUMBER_FORM, DRAG_THRESHOLD = "%.5g", 0.5
# values at the start of a drag, index of the dragged one, pixels, digits -> its new value
Move = Callable[[tuple[float, ...], int, float, int], float]


def em(count: float = 1.0) -> float:
    """A length in em, in pixels."""
    return count * imgui.get_font_size()


@contextmanager
def disabled(condition: bool) -> Iterator[None]:
    """Disable the items drawn inside if `condition` holds."""
    imgui.begin_disabled(condition)
    try:
        yield
    finally:
        imgui.end_disabled()


@contextmanager
def font(name: str, size: float = 1.0) -> Iterator[None]:
    """Draw inside with the font `sans`, `bold` or `mono`, at `size` times the base size."""
    imgui.push_font(theme.fonts().get(name), imgui.get_style().font_size_base * size)
    try:
        yield
    finally:
        imgui.pop_font()


@contextmanager
def colour(which: imgui.Col_, value: theme.Rgba) -> Iterator[None]:
    """Draw inside with another colour."""
    imgui.push_style_color(which, value)
    try:
        yield
    finally:
        imgui.pop_style_color()


def tooltip(text: str | Callable[[], str]) -> None:
    """Tooltip of the last item, also if it is disabled; a function is called only when it shows."""
    # no tooltip over an item that is being edited
    editing = imgui.is_item_active() and imgui.get_current_context().active_id_has_been_edited_before
    if not editing and imgui.is_item_hovered(imgui.HoveredFlags_.for_tooltip):
        show_tooltip(text if isinstance(text, str) else text())


def show_tooltip(text: str) -> None:
    """A tooltip at the mouse, with wrapped lines."""
    if imgui.begin_tooltip():
        imgui.push_text_wrap_pos(em(TOOLTIP_EM))
        imgui.text_unformatted(text)
        imgui.pop_text_wrap_pos()
        imgui.end_tooltip()


def changed_dot() -> None:
    """A dot after the last item: its value differs from the default or the file."""
    imgui.same_line(0, em(0.3))
    imgui.text_colored(theme.ACCENT, "•")


def icon_button(icon: str, name: str, hint: str, active: bool = False, width: float = 2.0) -> bool:
    """A flat square button with an icon; `active` shows it in the accent colour."""
    tint = theme.ACCENT if active else theme.TEXT
    with colour(imgui.Col_.text, tint), colour(imgui.Col_.button, theme.CLEAR):
        pressed = imgui.button(f"{icon}##{name}", (em(width), 0))
    tooltip(hint)
    return pressed


def drag_or_slider(
    view: ViewState,
    key: str,
    value: float,
    low: float = 0.0,
    high: float = 0.0,
    form: str = "%.4g",
    speed: float = 0.0,
    flags: int = 0,
) -> float | None:
    """A slider, or a drag field with `speed` per pixel; returns the user's new value, or None.

    While it is dragged it shows the user's value, not the engine's.
    """
    value = shown_value(view, key, value)
    shown = 0.0 if _reads_as_zero(form, value) else value
    if speed:
        changed, wanted = imgui.drag_float(key, shown, speed, low, high, form, flags)
    else:
        changed, wanted = imgui.slider_float(key, shown, low, high, form, flags)
    answer = float(f"{wanted:.6g}")
    track_edit(view, key, answer if changed else value)
    return answer if changed else None


def _reads_as_zero(form: str, value: float) -> bool:
    """Whether a number is printed as zero: then it gets no sign."""
    return not any(digit in (form % value) for digit in "123456789")


def number_field(
    view: ViewState, key: str, start: Sequence[float], at: int, move: Move, whole: bool = False
) -> float | None:
    """A field for number `at` of `start`, dragged by the rule `move` or typed; returns the user's new value, or None.

    A typed value counts when editing ends: half of it may be invalid.
    """
    value = shown_value(view, key, start[at])
    changed, wanted = _number_item(key, value, whole)
    if imgui.is_item_activated():
        view.ui.editing = NumberEdit(key, value, tuple(start))
    mine = view.ui.editing
    if mine is None or mine.key != key:
        return None
    if changed:
        mine.value = wanted
    if not imgui.is_item_active():
        view.ui.editing = None
        return mine.value if mine.typed and mine.value != mine.start[at] and math.isfinite(mine.value) else None
    mine.typed = imgui.internal.temp_input_is_active(imgui.get_item_id())
    return None if mine.typed else _follow_mouse(mine, at, move)


def _follow_mouse(mine: NumberEdit, at: int, move: Move) -> float | None:
    """The new value of a dragged number, or None if it did not change; Shift is ten times faster, Alt a hundredth."""
    io = imgui.get_io()
    if not imgui.internal.is_mouse_drag_past_threshold(0, io.mouse_drag_threshold * DRAG_THRESHOLD):
        return None
    pixels = io.mouse_delta.x * (10.0 if io.key_shift else 1.0) * (0.01 if io.key_alt else 1.0)
    if not pixels:
        return None
    mine.pixels += pixels
    wanted = move(mine.start, at, mine.pixels, FINE_DIGITS if io.key_alt else DIGITS)
    if wanted == mine.value:
        return None
    mine.value = wanted
    # hides the tooltip
    imgui.internal.mark_item_edited(imgui.get_item_id())
    return wanted


def drag_by_rule(rule: Rule) -> Move:
    """How to drag a number that is independent of others."""
    return lambda start, at, pixels, digits: moved(start[at], pixels, rule, digits)


def _number_item(key: str, value: float, whole: bool) -> tuple[bool, float]:
    """ImGui's drag field, without its own drag; returns what was typed."""
    if whole:
        changed, count = imgui.drag_int(key, int(value), 0.0)
        return changed, float(count)
    shown = 0.0 if _reads_as_zero(NUMBER_FORM, value) else value
    changed, wanted = imgui.drag_float(key, shown, 0.0, 0.0, 0.0, NUMBER_FORM)
    # shortest decimal of the float32: 0.002, not 0.0020000000949949026
    return changed, float(str(np.float32(wanted)))


def shown_value(view: ViewState, key: str, value: float) -> float:
    """What an item shows: the user's value while it is edited, else `value`."""
    return view.ui.editing.value if view.ui.editing is not None and view.ui.editing.key == key else value


def track_edit(view: ViewState, key: str, value: float) -> None:
    """Save the user's value of the last item while it is active."""
    if imgui.is_item_active():
        view.ui.editing = NumberEdit(key, value)
    elif view.ui.editing is not None and view.ui.editing.key == key:
        view.ui.editing = None


def grab_center(share: float, width: float) -> float:
    """Centre of a slider's grab, in pixels from the left."""
    grab = imgui.get_style().grab_min_size
    return GRAB_PADDING + grab / 2 + share * (width - 2 * GRAB_PADDING - grab)


def same_line_if_fits(label: str) -> None:
    """Put the next button, with this label, on the same line if it fits."""
    right = imgui.get_cursor_screen_pos().x + imgui.get_content_region_avail().x
    style = imgui.get_style()
    wide = style.item_spacing.x + imgui.calc_text_size(label, True).x + 2 * style.frame_padding.x
    if imgui.get_item_rect_max().x + wide <= right:
        imgui.same_line()


def skip_if_clipped(height: float) -> bool:
    """Whether an item of this height, spacing included, is clipped; then a dummy takes its place."""
    if imgui.is_rect_visible((1.0, height)):
        return False
    imgui.dummy((1.0, height - imgui.get_style().item_spacing.y))
    return True


def section(title: str) -> None:
    """A section heading."""
    imgui.dummy((0, em(0.3)))
    with font("bold", 0.86), colour(imgui.Col_.text, theme.DIM):
        imgui.text(title.upper())
    imgui.separator()


def label_width() -> float:
    """Width of the label column, at most half of the width available."""
    return min(em(LABEL_EM), 0.5 * imgui.get_content_region_avail().x)


def number_row(label: str, value: str, unit: str = "", hint: str = "") -> None:
    """A label on the left, a number and its unit on the right, or below if the panel is too narrow."""
    number_end = imgui.get_cursor_pos_x() + imgui.get_content_region_avail().x - em(UNIT_EM)
    label_end = imgui.get_cursor_pos_x() + imgui.calc_text_size(label).x + em(0.4)
    imgui.text_colored(theme.DIM, label)
    if hint:
        tooltip(hint)
    with font("mono"):
        start = number_end - imgui.calc_text_size(value).x
        if start > label_end:
            imgui.same_line(start)
        else:
            imgui.set_cursor_pos_x(max(start, imgui.get_cursor_pos_x()))
        imgui.text(value)
    imgui.same_line(number_end + em(0.4))
    imgui.text_colored(theme.DIM, unit)


def quantity_row(label: str, value: float, unit: str, hint: str = "") -> None:
    """A label, and a short number with its unit in SI prefixes."""
    number_row(label, *number_and_unit(value, unit), hint)


def vector_row(label: str, values: Sequence[float], unit: str = "", hint: str = "") -> None:
    """A label and numbers in columns of equal width with equal decimals, at most four per line."""
    texts = align_decimals(values)
    start = imgui.get_cursor_pos_x()
    width = imgui.get_content_region_avail().x - em(UNIT_EM)
    imgui.text_colored(theme.DIM, label)
    if hint:
        tooltip(hint)
    with font("mono"):
        column = max((imgui.calc_text_size(text).x for text in texts), default=0.0) + em(0.6)
        in_line = min(len(texts) if len(texts) <= 4 else 3, max(int(width / column), 1))
        fits = imgui.calc_text_size(label).x + em(0.4) + in_line * column < width
        for k, text in enumerate(texts):
            place = start + width - (in_line - k % in_line) * column + column - imgui.calc_text_size(text).x
            if k % in_line or (k == 0 and fits):
                imgui.same_line(place)
            else:
                imgui.set_cursor_pos_x(place)
            imgui.text(text)
    if unit:
        imgui.same_line(start + width + em(0.4))
        imgui.text_colored(theme.DIM, unit)


def speed_text(speed: float) -> str:
    """1/64x to 8x, as a fraction where it is one."""
    inverse = 1 / speed if speed > 0 else 0.0
    if speed < 1 and abs(inverse - round(inverse)) < 1e-6:
        return f"1/{round(inverse)}x"
    return f"{speed:.3g}x"


def matches(query: str, *texts: str) -> bool:
    """Whether every word of a search query occurs in one of the texts."""
    whole = " ".join(texts).lower()
    return all(word in whole for word in query.lower().split())


def elide(text: str, width: float) -> str:
    """The text, shortened with an ellipsis if it is wider than `width` pixels."""
    if imgui.calc_text_size(text).x <= width:
        return text
    # the longest prefix that fits
    count = bisect_right(range(len(text)), width, key=lambda n: imgui.calc_text_size(text[:n] + "…").x)
    return text[: max(count - 1, 0)] + "…"
