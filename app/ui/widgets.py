"""Widgets shared by panels: number fields, rows of numbers, icon buttons, tooltips.

Sizes are in em, the height of the current font, so that a larger font scales everything.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TypeVar

import numpy as np
from imgui_bundle import imgui

from app.files.error_text import printable
from app.model.number_drag import DIGITS, FINE_DIGITS, Rule, moved
from app.ui import theme
from app.ui.quantities import FLOORS, NOISE, number_and_unit
from app.view.ui_state import NumberEdit
from app.view.view_state import ViewState

# width of the label column, and of the unit after a number
LABEL_EM, UNIT_EM = 9.0, 3.3
# characters of a number in a column, and the gap between columns
NUMBER_WIDTH, NUMBER_GAP_EM = 7, 0.35
# maximum width of a tooltip
TOOLTIP_EM = 36.0
# ImGui's padding between the grab of a slider and its frame
GRAB_PADDING = 2.0
# printf format of draggable numbers; drag threshold as a fraction of io.mouse_drag_threshold, as in ImGui
NUMBER_FORM, DRAG_THRESHOLD = "%.5g", 0.5
# values at the start of a drag, index of the dragged one, pixels, digits -> its new value
Move = Callable[[tuple[float, ...], int, float, int], float]
# a tooltip, or what makes it when it shows
Hint = str | Callable[[], str]
T = TypeVar("T")
# of a button: label, tooltip, what it does
Answer = tuple[str, str, Callable[[], object]]
# of a list: value, name, tooltip
Choice = tuple[T, str, str]
# tooltips of this frame
_shown_hints: list[str] = []


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
    """Draw inside with the font `sans`, `bold`, `italic` or `mono`, at `size` times the base size."""
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


def tooltip(text: Hint) -> None:
    """Tooltip of the last item, also if it is disabled; a function is called only when it shows."""
    # no tooltip over an item that is being edited
    editing = imgui.is_item_active() and imgui.get_current_context().active_id_has_been_edited_before
    if not editing and imgui.is_item_hovered(imgui.HoveredFlags_.for_tooltip):
        show_tooltip(text if isinstance(text, str) else text())


def show_tooltip(text: str) -> None:
    """A tooltip at the mouse, with wrapped lines."""
    # many show a path
    text = printable(text)
    _shown_hints.append(text)
    if imgui.begin_tooltip():
        imgui.push_text_wrap_pos(em(TOOLTIP_EM))
        imgui.text_unformatted(text)
        imgui.pop_text_wrap_pos()
        imgui.end_tooltip()


def take_hint() -> str:
    """The tooltip that was shown since the last call; empty if there was none."""
    shown = _shown_hints[-1] if _shown_hints else ""
    _shown_hints.clear()
    return shown


def changed_dot() -> None:
    """A dot after the last item: its value differs from the default or the file."""
    imgui.same_line(0, em(0.3))
    imgui.text_colored(theme.ACCENT, "•")


def caption(text: str, hint: Hint = "", tint: theme.Rgba | None = None, framed: bool = False) -> None:
    """Words next to widgets, grey unless tinted; `framed` puts them on the line of buttons."""
    if framed:
        imgui.align_text_to_frame_padding()
    imgui.text_colored(tint or theme.DIM, text)
    if hint:
        tooltip(hint)


def note(text: str, tint: theme.Rgba | None = None, hint: Hint = "") -> None:
    """A sentence in as many lines as it takes, grey unless tinted."""
    imgui.push_text_wrap_pos(0)
    caption(text, tint=tint)
    imgui.pop_text_wrap_pos()
    if hint:
        tooltip(hint)


def button(
    label: str,
    hint: Hint,
    enabled: bool = True,
    size: tuple[float, float] = (0.0, 0.0),
    beside: bool = False,
    small: bool = False,
) -> bool:
    """A button; `beside`: in the line of the last item if it fits there."""
    if beside:
        same_line_if_fits(label)
    label = fitted(label, 2 * imgui.get_style().frame_padding.x)
    with disabled(not enabled):
        pressed = imgui.small_button(label) if small else imgui.button(label, size)
    tooltip(hint)
    return pressed


def fitted(label: str, taken: float) -> str:
    """The label of an item, shortened if its panel has no room for it, of which the item takes some itself."""
    window, shown = imgui.internal.get_current_window(), label.partition("##")[0]
    # these have the width of what is in them
    if window.flags & imgui.WindowFlags_.always_auto_resize or window.child_flags & imgui.ChildFlags_.auto_resize_x:
        return label
    room = imgui.get_content_region_avail().x - taken
    return label if imgui.calc_text_size(shown).x <= room else f"{elide(shown, room)}###{label}"


def icon_button(
    icon: str, name: str, hint: Hint, active: bool = False, width: float = 2.0, enabled: bool = True
) -> bool:
    """A flat square button with an icon; `active` shows it in the accent colour."""
    tint = theme.ACCENT if active else theme.TEXT
    with disabled(not enabled), colour(imgui.Col_.text, tint), colour(imgui.Col_.button, theme.CLEAR):
        pressed = imgui.button(f"{icon}##{name}", (em(width), 0))
    tooltip(hint)
    return pressed


def buttons(offered: Iterable[Answer]) -> None:
    """Buttons next to each other, in as many lines as they take."""
    for k, (label, hint, do) in enumerate(offered):
        if button(label, hint, beside=k > 0):
            do()


def toggle(label: str, on: bool, hint: Hint, width: float = 0.0, enabled: bool = True, fill: float = 0.35) -> bool:
    """A button that is filled while it is on; returns whether it was pressed."""
    with colour(imgui.Col_.button, (*theme.ACCENT[:3], fill) if on else theme.RAISED):
        return button(label, hint, enabled, (width, 0))


def choice_row(choices: Mapping[str, Hint], chosen: str, key: str = "", width: float = 0.0) -> str:
    """A row of toggles (name -> tooltip), of which one is on; returns which."""
    for k, (name, hint) in enumerate(choices.items()):
        if k:
            imgui.same_line(0, em(0.2))
        if toggle(f"{name}##{key}", name == chosen, hint, width):
            chosen = name
    return chosen


def checkbox(label: str, on: bool, hint: Hint) -> bool:
    """A checkbox; returns whether it is on."""
    on = imgui.checkbox(fitted(label, imgui.get_frame_height() + imgui.get_style().item_inner_spacing.x), on)[1]
    tooltip(hint)
    return on


def menu_item(label: str, hint: Hint, enabled: bool = True, shortcut: str = "", checked: bool = False) -> bool:
    """A line of a menu; returns whether it was chosen."""
    pressed = imgui.menu_item(label, shortcut, checked, enabled)[0]
    tooltip(hint)
    return pressed


def selectable(label: str, chosen: bool, hint: Hint) -> bool:
    """A line of a list; returns whether it was clicked."""
    pressed = imgui.selectable(label, chosen)[0]
    tooltip(hint)
    return pressed


def link(label: str, hint: Hint) -> bool:
    """A text that can be clicked; returns whether it was."""
    pressed = imgui.text_link(label)
    tooltip(hint)
    return pressed


def text_field(key: str, prompt: str, text: str, hint: Hint, width: float = -1.0) -> str:
    """A field for a line of text; returns the text."""
    imgui.set_next_item_width(width)
    text = imgui.input_text_with_hint(key, prompt, text)[1]
    tooltip(hint)
    return text


def expression_field(key: str, prompt: str, text: str, hint: Hint) -> tuple[bool, str]:
    """A field for expressions, one after another; returns whether Enter was pressed, and the text."""
    entered, text = imgui.input_text_with_hint(key, prompt, text, imgui.InputTextFlags_.enter_returns_true)
    if entered:
        # keep the focus for the next expression
        imgui.set_keyboard_focus_here(-1)
    elif imgui.is_item_active() and not text and not imgui.get_io().want_capture_mouse:
        # the mouse is back over the view: its keys should work again
        imgui.internal.clear_active_id()
    tooltip(hint)
    return entered, text


def pick(
    key: str,
    shown: str,
    choices: Callable[[], Iterable[Choice[T]]],
    chosen: T,
    hint: Hint,
    width: float = -1.0,
    arrow: bool = True,
    tint: theme.Rgba | None = None,
    face: str = "sans",
) -> T | None:
    """A list that unfolds, with `shown` on its button; returns what was picked. `choices` is asked while it is open."""
    picked = None
    imgui.set_next_item_width(width)
    flags = imgui.ComboFlags_.none if arrow else imgui.ComboFlags_.no_arrow_button
    with font(face), colour(imgui.Col_.text, tint or theme.TEXT):
        opened = imgui.begin_combo(key, shown, flags)
    if opened:
        for k, (value, name, meaning) in enumerate(choices()):
            if imgui.selectable(f"{name}##{k}", value == chosen)[0]:
                picked = value
            if meaning:
                tooltip(meaning)
        imgui.end_combo()
    tooltip(hint)
    return picked


def bare_slider(view: ViewState, key: str, value: float, low: float, high: float) -> float | None:
    """A slider without a number, which its knob would hide; returns the user's new value, or None."""
    value = shown_value(view, key, value)
    changed, wanted = imgui.slider_float(key, value, low, high, " ")
    answer = float(f"{wanted:.6g}")
    track_edit(view, key, answer if changed else value)
    return answer if changed else None


def number_beside(text: str) -> None:
    """The number of a bare slider, next to it."""
    imgui.same_line(0, imgui.get_style().item_inner_spacing.x)
    imgui.align_text_to_frame_padding()
    imgui.text(text)


def _reads_as_zero(form: str, value: float) -> bool:
    """Whether a number is printed as zero: then it gets no sign."""
    return math.isfinite(value) and not any(digit in (form % value) for digit in "123456789")


def number_field(
    view: ViewState, key: str, start: Sequence[float], at: int, move: Move, whole: bool = False, form: str = NUMBER_FORM
) -> float | None:
    """A field for number `at` of `start`, dragged by the rule `move` or typed; returns the user's new value, or None.

    A typed value counts when editing ends: half of it may be invalid.
    """
    value = shown_value(view, key, start[at])
    changed, wanted = _number_item(key, value, whole, form)
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


def drag_evenly(step: float, low: float = -math.inf, high: float = math.inf) -> Move:
    """How to drag a position: by the same step for each pixel, between two ends."""
    decimals = 1 - math.floor(math.log10(max(step, 1e-12)))
    return lambda start, at, pixels, digits: min(
        max(round(start[at] + step * pixels, decimals + digits - DIGITS), low), high
    )


def _number_item(key: str, value: float, whole: bool, form: str) -> tuple[bool, float]:
    """ImGui's drag field, without its own drag; returns what was typed."""
    if whole:
        changed, count = imgui.drag_int(key, int(value), 0.0)
        return changed, float(count)
    shown = 0.0 if _reads_as_zero(form, value) else value
    changed, wanted = imgui.drag_float(key, shown, 0.0, 0.0, 0.0, form)
    # shortest decimal of the float32: 0.002, not 0.0020000000949949026
    return changed, float(str(np.float32(wanted)))


def with_unit(unit: str, width: float) -> str:
    """The format of a number with its unit, without where that does not fit; ° always does."""
    if unit == "°":
        return f"{NUMBER_FORM}°"
    fits = unit and imgui.calc_text_size(f"-0.00012345 {unit}").x + 2 * imgui.get_style().frame_padding.x <= width
    return f"{NUMBER_FORM} {unit}" if fits else NUMBER_FORM


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


def same_line_if_fits(label: str, gap: float | None = None) -> None:
    """Put the next button, with this label, on the same line if it fits, after the usual gap or another."""
    right = imgui.get_cursor_screen_pos().x + imgui.get_content_region_avail().x
    style = imgui.get_style()
    text = imgui.calc_text_size(label, hide_text_after_double_hash=True).x
    gap = style.item_spacing.x if gap is None else gap
    if imgui.get_item_rect_max().x + gap + text + 2 * style.frame_padding.x <= right:
        imgui.same_line(0, gap)


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
        imgui.text(elide(title.upper(), imgui.get_content_region_avail().x))
    imgui.separator()


def label_width() -> float:
    """Width of the label column, at most half of the width available."""
    return min(em(LABEL_EM), 0.5 * imgui.get_content_region_avail().x)


def number_row(label: str, value: str, unit: str = "", hint: Hint = "") -> None:
    """A label on the left, a number and its unit on the right, always in one line."""
    start, room = imgui.get_cursor_pos_x(), imgui.get_content_region_avail().x
    number_end = start + room - em(UNIT_EM)
    with font("mono"):
        place = max(number_end - imgui.calc_text_size(value).x, start)
    imgui.text_colored(theme.DIM, elide(label, place - start - em(0.4)))
    if hint:
        tooltip(hint)
    with font("mono"):
        imgui.same_line(place)
        imgui.text(value)
    if unit:
        imgui.same_line(number_end + em(0.25))
        imgui.text_colored(theme.DIM, unit)


def quantity_row(label: str, value: float, unit: str, hint: Hint = "") -> None:
    """A label, and a short number with its unit in SI prefixes."""
    number_row(label, *number_and_unit(value, unit), hint)


def vector_row(
    label: str, values: Sequence[float], unit: str = "", hint: Hint = "", noise: float | None = None
) -> bool:
    """A label and numbers in columns, at most four per line; returns whether it was right-clicked.

    The place of each number depends on the label, the width of the panel and the count alone: nothing moves while the
    numbers change.
    """
    texts = fixed_width(values, FLOORS.get(unit, NOISE) if noise is None else noise)
    start, room = imgui.get_cursor_pos_x(), imgui.get_content_region_avail().x
    with font("mono"):
        character = imgui.calc_text_size("0").x
    gap = em(NUMBER_GAP_EM)
    column = NUMBER_WIDTH * character + gap
    wanted = len(texts) if len(texts) <= 4 else 3
    # four numbers without a unit, as a quaternion has, take its place; so do numbers that have no room otherwise
    beside = wanted * column - gap <= room - em(UNIT_EM) and not (len(texts) == 4 and not unit)
    width = room - em(UNIT_EM) if beside else room
    in_line = min(wanted, max(int((width + gap) / column), 1))
    fits = (beside or not unit) and imgui.calc_text_size(label).x + em(0.3) + in_line * column - gap <= width
    imgui.text_colored(theme.DIM, label if fits else elide(label, room))
    clicked = _row_item(hint)
    if unit and not beside:
        _same_line_at(start + room - imgui.calc_text_size(unit).x)
        imgui.text_colored(theme.DIM, unit)
    with font("mono"):
        for k, text in enumerate(texts):
            end = start + width - (in_line - 1 - k % in_line) * column
            place = max(end - len(text) * character, start)
            if k % in_line or (k == 0 and fits):
                _same_line_at(place)
            else:
                imgui.set_cursor_pos_x(place)
            imgui.text(text)
            clicked |= _row_item(hint)
    if unit and beside:
        _same_line_at(start + width + em(0.25))
        imgui.text_colored(theme.DIM, unit)
        clicked |= _row_item(hint)
    return clicked


def _same_line_at(place: float) -> None:
    """Continue the line at a place in the window: in a group, `same_line` counts from where that begins."""
    imgui.same_line()
    imgui.set_cursor_pos_x(place)


def _row_item(hint: Hint) -> bool:
    """The tooltip of an item of a row; returns whether it was right-clicked."""
    if hint:
        tooltip(hint)
    return imgui.is_item_clicked(imgui.MouseButton_.right)


def fixed_width(values: Sequence[float], noise: float = NOISE) -> list[str]:
    """Numbers of at most NUMBER_WIDTH characters with equal decimals, four digits of the largest; noise is 0."""
    largest = max((abs(v) for v in values if math.isfinite(v)), default=0.0)
    power = math.floor(math.log10(largest)) if largest > noise else 0
    decimals = min(max(3 - power, 0), 4)
    if -3 <= power < 6:
        texts = [f"{round(v, decimals) + 0.0:.{decimals}f}" if math.isfinite(v) else f"{v:g}" for v in values]
        if max(map(len, texts), default=0) <= NUMBER_WIDTH:
            return ["0" if abs(v) <= noise else text for v, text in zip(values, texts, strict=True)]
    return ["0" if abs(v) <= noise else _exponential(v) for v in values]


def _exponential(value: float) -> str:
    """A number as 1.2e-5, with as many digits as fit."""
    if not math.isfinite(value):
        return f"{value:g}"
    digits, _, exponent = f"{value:.1e}".partition("e")
    short = f"{digits}e{int(exponent)}"
    return short if len(short) <= NUMBER_WIDTH else f"{round(float(digits))}e{int(exponent)}"


def choice_heading(title: str, choices: Sequence[str], chosen: int, hint: str, key: str = "") -> int:
    """A section heading with a switch at its right; returns the choice."""
    imgui.dummy((0, em(0.3)))
    start, room = imgui.get_cursor_pos_x(), imgui.get_content_region_avail().x
    gap, padding = imgui.get_style().item_inner_spacing.x, 2 * imgui.get_style().frame_padding.x
    width = sum(imgui.calc_text_size(name).x + padding for name in choices) + gap * (len(choices) - 1)
    with font("bold", 0.86), colour(imgui.Col_.text, theme.DIM):
        imgui.text(elide(title.upper(), room - width - gap))
    for k, name in enumerate(choices):
        imgui.same_line(*((start + room - width,) if k == 0 else (0.0, gap)))
        ink = theme.ACCENT if k == chosen else theme.DIM
        with colour(imgui.Col_.text, ink), colour(imgui.Col_.button, theme.CLEAR):
            if imgui.small_button(f"{name}##{key or title}"):
                chosen = k
        tooltip(hint)
    imgui.separator()
    return chosen


def angle_heading(view: ViewState, title: str, key: str = "") -> None:
    """A section heading with the choice between radians and degrees, which counts in all panels."""
    hint = "angles in radians or degrees in all panels; fields, files and expressions are not affected"
    view.prefs.degrees = choice_heading(title, ("rad", "deg"), int(view.prefs.degrees), hint, key) == 1


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


def elide_middle(text: str, width: float) -> str:
    """The text, shortened in its middle if it is wider than `width` pixels: names of elements differ at their ends."""
    if imgui.calc_text_size(text).x <= width:
        return text
    kept = range(len(text))
    count = bisect_right(kept, width, key=lambda n: imgui.calc_text_size(_without_middle(text, n)).x)
    return _without_middle(text, max(count - 1, 0))


def _without_middle(text: str, count: int) -> str:
    """So many characters of a text, from both ends."""
    end = count // 2
    return f"{text[: count - end]}…{text[len(text) - end :]}"


def elide(text: str, width: float) -> str:
    """The text, shortened with an ellipsis if it is wider than `width` pixels."""
    if imgui.calc_text_size(text).x <= width:
        return text
    # the longest prefix that fits
    count = bisect_right(range(len(text)), width, key=lambda n: imgui.calc_text_size(text[:n] + "…").x)
    return text[: max(count - 1, 0)] + "…"


def fold(title: str, opened: bool, searching: bool, content: str) -> bool:
    """The header of a collapsing section, with its content as tooltip; returns whether it is open."""
    if searching:
        imgui.set_next_item_open(True)
    with colour(imgui.Col_.header, theme.RAISED):
        unfolded = imgui.collapsing_header(title, imgui.TreeNodeFlags_.default_open if opened else 0)
    tooltip(content)
    return unfolded
