"""The help overlay (F1): keys and mouse gestures, generated from the bindings table, with a filter."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import combinations, pairwise

from imgui_bundle import imgui

from app.input import actions
from app.input.bindings import BINDINGS, Binding, help_table, hint
from app.scene.visual_flags import GROUP_FLAGS
from app.scene.visual_options import NGROUP
from app.ui import theme
from app.ui.widgets import colour, em, font, matches, tooltip
from app.view.view_state import ViewState

MOST_COLUMNS, COLUMN_EM, GAP_EM = 4, 20.0, 1.4
PAD_EM, HEAD_EM, SPACING_EM = 1.3, 3.4, 0.2
# keys that cannot be disabled
ALWAYS = ", ".join(binding.trigger for binding in BINDINGS if binding.always)
OFF = f"off: only {ALWAYS} and the mouse work"
FLAGS = (
    imgui.WindowFlags_.no_docking
    | imgui.WindowFlags_.no_collapse
    | imgui.WindowFlags_.no_resize
    | imgui.WindowFlags_.no_title_bar
    | imgui.WindowFlags_.no_saved_settings
    | imgui.WindowFlags_.no_move
)

# keys or gestures, what they do, and other words for it
Row = tuple[str, str, str]
Group = tuple[str, list[Row]]


def help_overlay(view: ViewState) -> None:
    """All keys and gestures, in as many columns as fit; what is not in sight can be scrolled to."""
    display = imgui.get_io().display_size
    groups = filtered(view.ui.help_search)
    count = min(max(int((display.x - em(2 * PAD_EM + 2)) / em(COLUMN_EM + GAP_EM)), 1), MOST_COLUMNS)
    columns = in_columns(groups, count)
    # the size of the whole, so that nothing moves while one filters
    tallest = max(sum(len(rows) + 2 for _, rows in column) for column in in_columns(all_groups(), count))
    line = imgui.get_text_line_height() + em(SPACING_EM)
    width = min(em(count * (COLUMN_EM + GAP_EM) + 2 * PAD_EM + 1), display.x - em(0.5))
    height = min(tallest * line + em(2 * PAD_EM + HEAD_EM), display.y - em(0.5))
    imgui.set_next_window_pos((display.x / 2, display.y / 2), imgui.Cond_.always, (0.5, 0.5))
    imgui.set_next_window_size((width, height))
    imgui.push_style_var(imgui.StyleVar_.window_padding, (em(PAD_EM), em(PAD_EM)))
    imgui.push_style_color(imgui.Col_.window_bg, theme.FLOAT)
    imgui.begin("Help", None, FLAGS)
    _head(view)
    imgui.push_style_var(imgui.StyleVar_.item_spacing, (em(0.5), em(SPACING_EM)))
    imgui.begin_child("keys", window_flags=imgui.WindowFlags_.no_nav_inputs)
    if not groups:
        imgui.text_colored(theme.DIM, "no key does that; Ctrl+K searches all commands")
    elif imgui.begin_table(f"groups{count}", count, imgui.TableFlags_.sizing_stretch_same):
        for column in columns:
            imgui.table_next_column()
            for title, rows in column:
                _group(title, rows)
        imgui.end_table()
    imgui.end_child()
    imgui.pop_style_var()
    imgui.end()
    imgui.pop_style_color()
    imgui.pop_style_var()


def _head(view: ViewState) -> None:
    """Title, filter, the switch for shortcuts, and a button that closes it."""
    with font("bold", 1.25):
        imgui.text("Keys and mouse")
    imgui.same_line(0, em(1.5))
    imgui.set_next_item_width(min(em(12), max(imgui.get_content_region_avail().x - em(5), em(4))))
    _, view.ui.help_search = imgui.input_text_with_hint("##filter keys", "filter", view.ui.help_search)
    tooltip("show only keys and gestures with these words: zoom, video, Ctrl")
    imgui.same_line(0, em(0.8))
    if imgui.button("Close"):
        view.ui.show_help = False
    tooltip(f"{hint(actions.show_help)}, or Escape")
    _same_line_if_room("Keyboard shortcuts")
    _, view.prefs.shortcuts = imgui.checkbox("Keyboard shortcuts", view.prefs.shortcuts)
    tooltip(f"enable all keys; off: only {ALWAYS}\ndefault on")
    if not view.prefs.shortcuts:
        _same_line_if_room(OFF)
        imgui.text_colored(theme.DIM, OFF)
    imgui.dummy((0, em(0.2)))


def _same_line_if_room(text: str) -> None:
    """Put a text with a box beside the last item, unless it would be cut."""
    end = imgui.get_window_pos().x + imgui.get_window_width() - em(PAD_EM + 2.5)
    if imgui.get_item_rect_max().x + imgui.calc_text_size(text).x < end:
        imgui.same_line(0, em(1))


@cache
def all_groups() -> tuple[Group, ...]:
    """The groups of the table; keys of the same action are one row, and so are the digits of groups."""
    return tuple((title, _merged(bindings)) for title, bindings in help_table())


def filtered(text: str) -> list[Group]:
    """The groups with the rows that have all words."""
    found = [(title, [row for row in rows if matches(text, title, *row)]) for title, rows in all_groups()]
    return [(title, rows) for title, rows in found if rows]


def in_columns(groups: Sequence[Group], count: int) -> list[list[Group]]:
    """The groups in their order, in columns that are as even as the order allows."""
    sizes, ends = [len(rows) + 2 for _, rows in groups], range(1, len(groups))
    cuts = min(
        (cuts for number in range(count) for cuts in combinations(ends, number)),
        key=lambda cuts: sum(sum(sizes[a:b]) ** 2 for a, b in pairwise((0, *cuts, len(groups)))),
        default=(),
    )
    return [list(groups[a:b]) for a, b in pairwise((0, *cuts, len(groups)))]


def _merged(bindings: Sequence[Binding]) -> list[Row]:
    """Rows of a group."""
    digits = {row.key(g): (row, g) for row in GROUP_FLAGS for g in range(NGROUP) if row.key(g)}
    rows: dict[str, Row] = {}
    for binding in bindings:
        trigger, text = binding.trigger, binding.help
        if trigger in digits:
            row, group = digits[trigger]
            if group:
                continue
            trigger, text = f"{trigger} … {NGROUP - 1}", row.label.lower()
        keys, _, words = rows.get(text, ("", text, ""))
        rows[text] = (f"{keys}, {trigger}" if keys else trigger, text, f"{words} {binding.synonyms}")
    return list(rows.values())


def _group(title: str, rows: list[Row]) -> None:
    """A heading and its rows: keys, and beside them, or below if they are long, what they do."""
    imgui.dummy((0, em(0.3)))
    with font("bold", 0.86), colour(imgui.Col_.text, theme.DIM):
        imgui.text(title.upper())
    start, right = imgui.get_cursor_pos_x(), imgui.get_cursor_pos_x() + imgui.get_content_region_avail().x
    with font("mono"):
        widths = [imgui.calc_text_size(trigger).x for trigger, _, _ in rows]
    # a few long ones do not push all texts to the right
    texts = start + min(max(widths), 0.42 * (right - start)) + em(0.9)
    imgui.push_text_wrap_pos(right)
    for (trigger, text, _), width in zip(rows, widths, strict=True):
        with font("mono"):
            imgui.text_colored(theme.ACCENT, trigger)
        imgui.same_line()
        beside = max(texts, start + width + em(0.9))
        if right - beside < imgui.calc_text_size(text).x and beside > texts:
            imgui.new_line()
            beside = texts
        imgui.set_cursor_pos_x(beside)
        imgui.text(text)
    imgui.pop_text_wrap_pos()
