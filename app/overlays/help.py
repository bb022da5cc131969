"""The help overlay (F1): keys and mouse gestures, generated from the bindings table."""

from __future__ import annotations

from imgui_bundle import imgui

from app.input import actions
from app.input.bindings import BINDINGS, Binding, help_table, hint
from app.ui import theme
from app.ui.widgets import colour, em, font, tooltip
from app.view.view_state import ViewState

MOST_COLUMNS, COLUMN_EM = 3, 21.0
# keys that cannot be disabled
ALWAYS = ", ".join(binding.trigger for binding in BINDINGS if binding.always)
FLAGS = (
    imgui.WindowFlags_.always_auto_resize
    | imgui.WindowFlags_.no_docking
    | imgui.WindowFlags_.no_collapse
    | imgui.WindowFlags_.no_title_bar
    | imgui.WindowFlags_.no_saved_settings
    | imgui.WindowFlags_.no_move
)


def help_overlay(view: ViewState) -> None:
    """All keys and gestures, in as many columns as fit; it scrolls if that is not enough."""
    display = imgui.get_io().display_size
    imgui.set_next_window_pos((display.x / 2, display.y / 2), imgui.Cond_.always, (0.5, 0.5))
    imgui.set_next_window_size_constraints((0, 0), (display.x - em(1), display.y - em(1)))
    count = min(max(int((display.x - em(6)) / em(COLUMN_EM + 1)), 1), MOST_COLUMNS)
    imgui.push_style_var(imgui.StyleVar_.window_padding, (em(1.8), em(1.4)))
    imgui.push_style_color(imgui.Col_.window_bg, theme.FLOAT)
    imgui.begin("Help", None, FLAGS)
    with font("bold", 1.25):
        imgui.text("Keys and mouse")
    imgui.same_line(0, em(1.8))
    if imgui.button("Close"):
        view.ui.show_help = False
    tooltip(f"{hint(actions.show_help)} or Escape")
    imgui.same_line(0, em(1.8))
    _, view.prefs.shortcuts = imgui.checkbox("Keyboard shortcuts", view.prefs.shortcuts)
    tooltip(f"enable all keys; off: only {ALWAYS}\ndefault on")
    if not view.prefs.shortcuts:
        imgui.same_line()
        imgui.text_colored(theme.DIM, f"off: only {ALWAYS} and the mouse work")
    if imgui.begin_table(f"groups{count}", count, imgui.TableFlags_.sizing_fixed_fit):
        for column in _columns(count):
            imgui.table_next_column()
            for title, bindings in column:
                _group(title, [(binding.trigger, binding.help) for binding in bindings])
        imgui.end_table()
    imgui.end()
    imgui.pop_style_color()
    imgui.pop_style_var()


def _columns(count: int) -> list[list[tuple[str, list[Binding]]]]:
    """The groups of the table, longest first, each in the shortest column."""
    columns: list[list[tuple[str, list[Binding]]]] = [[] for _ in range(count)]
    for title, bindings in sorted(help_table(), key=lambda group: -len(group[1])):
        shortest = min(columns, key=lambda column: sum(len(rows) + 2 for _, rows in column))
        shortest.append((title, bindings))
    return columns


def _group(title: str, rows: list[tuple[str, str]]) -> None:
    """A heading and its rows."""
    imgui.dummy((em(COLUMN_EM), em(0.4)))
    with font("bold", 0.86), colour(imgui.Col_.text, theme.DIM):
        imgui.text(title.upper())
    start = imgui.get_cursor_pos_x()
    with font("mono"):
        widest = max(imgui.calc_text_size(trigger).x for trigger, _ in rows)
    for trigger, text in rows:
        with font("mono"):
            imgui.text_colored(theme.ACCENT, trigger)
        imgui.same_line()
        imgui.set_cursor_pos_x(start + widest + em(1.2))
        imgui.text(text)
