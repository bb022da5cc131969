"""A modal dialog in the middle of the dimmed window: its frame, its heading and its buttons."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from imgui_bundle import imgui

from app.ui import theme
from app.ui.keys import ENTER, Question, may_ask, take
from app.ui.widgets import button, colour, disabled, elide, em, font, note, tooltip

FLAGS = (
    imgui.WindowFlags_.no_title_bar
    | imgui.WindowFlags_.no_resize
    | imgui.WindowFlags_.no_move
    | imgui.WindowFlags_.no_docking
    | imgui.WindowFlags_.no_saved_settings
    | imgui.WindowFlags_.always_auto_resize
    | imgui.WindowFlags_.no_nav_inputs
)
# share of the window that a dialog may take
MOST = 0.94
# since when each dialog that is open can be seen
_questions: dict[str, Question] = {}


@contextmanager
def modal(name: str, wanted: Callable[[], bool], width_em: float) -> Iterator[bool]:
    """A dialog, open while `wanted` says so and none in front of it asks; yields whether to draw it. What was pressed
    before it could be seen does not answer it."""
    first = wanted() and may_ask(name)
    if first and not imgui.is_popup_open(name):
        imgui.open_popup(name)
    viewport = imgui.get_main_viewport()
    width = min(em(width_em), MOST * viewport.work_size.x)
    imgui.set_next_window_pos(viewport.get_work_center(), imgui.Cond_.always, (0.5, 0.5))
    imgui.set_next_window_size_constraints((width, 0), (width, most_height()))
    imgui.push_style_var(imgui.StyleVar_.window_padding, (round(em(1.4)), round(em(1.2))))
    with colour(imgui.Col_.popup_bg, theme.FLOAT):
        drawn = imgui.begin_popup_modal(name, None, FLAGS)[0]
    # for the dialog only, not for its lists and tooltips
    imgui.pop_style_var()
    if not drawn:
        yield False
        return
    if imgui.is_window_appearing():
        ask(name)
    with _answerable(_questions[name]):
        yield first
    if not (first and wanted()):
        imgui.close_current_popup()
    imgui.end_popup()


def ask(name: str) -> None:
    """A question appears in a dialog that is open."""
    _questions[name] = Question()


def readable(name: str) -> bool:
    """Whether a person could have seen the question."""
    return _questions[name].readable


@contextmanager
def _answerable(question: Question) -> Iterator[None]:
    """Buttons and keys do nothing, and look as always, until the question can have been read."""
    if question.readable:
        yield
        return
    take(*ENTER, imgui.Key.escape)
    imgui.push_style_var(imgui.StyleVar_.disabled_alpha, 1.0)
    with disabled(True):
        yield
    imgui.pop_style_var()


@contextmanager
def typing() -> Iterator[None]:
    """A text field inside takes what is typed before the question can have been read: that answers nothing."""
    early = bool(imgui.get_current_context().current_item_flags & imgui.ItemFlags_.disabled)
    if early:
        imgui.internal.begin_disabled_override_reenable()
    yield
    if early:
        imgui.internal.end_disabled_override_reenable()


def most_height() -> float:
    """How high a dialog can be, between toolbar and status line."""
    return MOST * imgui.get_main_viewport().work_size.y


def heading(text: str, below: str, width: float = 0.0) -> None:
    """The title of a dialog, in this width if there is something next to it, and a line below it."""
    theme.ensure_glyphs(text, below)
    with font("bold", 1.25):
        imgui.text(elide(text, width) if width else text)
    note(below)
    imgui.dummy((0, round(em(0.2))))


def main_button(label: str, hint: str, enabled: bool = True) -> bool:
    """The button that Enter presses too."""
    white = (1.0, 1.0, 1.0, 1.0)
    shades = [(*theme.ACCENT[:3], opacity) for opacity in (0.75, 0.9, 1.0)]
    states = (imgui.Col_.button, imgui.Col_.button_hovered, imgui.Col_.button_active)
    for state, shade in zip(states, shades, strict=True):
        imgui.push_style_color(state, shade)
    with disabled(not enabled), colour(imgui.Col_.text, white):
        pressed = imgui.button(label)
    imgui.pop_style_color(len(states))
    tooltip(hint)
    return enabled and (pressed or (not imgui.is_any_item_active() and take(*ENTER)))


def cancel_button(hint: str = "close this dialog   Escape") -> bool:
    """The button that Escape presses too."""
    pressed = button("Cancel", hint)
    # of a list that is open Escape closes that
    lists = imgui.is_popup_open("", imgui.PopupFlags_.any_popup_id) and not imgui.is_window_focused()
    return pressed or (not lists and take(imgui.Key.escape))
