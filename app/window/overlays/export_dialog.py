"""The dialog "Export this moment": a test, script, zip or page, what is asked, where it goes, what came of it."""

from __future__ import annotations

import textwrap
from collections.abc import Callable
from pathlib import Path

import numpy as np
from imgui_bundle import icons_fontawesome_6 as icons
from imgui_bundle import imgui

from app.background.export.dialog_state import MEANINGS, MOST_STEPS, TITLES, TOLERANCES, ExportDialog
from app.background.export.question import Answered
from app.files.error_text import printable
from app.run.log.links import FileLine
from app.ui import theme
from app.ui.keys import take
from app.ui.widgets import button, caption, disabled, elide, em, font, link, toggle, tooltip
from app.view.input.desk import Action
from app.view.view_state import ViewState
from app.window import exporting
from app.window.overlays.modal import ask, heading, main_button, modal, most_height, readable

WIDTH_EM = 58.0
# rows of the list of quantities, and lines of the text
MOST_ROWS, LEAST_ROWS, TEXT_LINES = 9, 3, 2
# what the rest of the dialog needs, and of that the buttons and the frame
REST_EM, BUTTONS_EM = 26.0, 5.2
# the question about a file that exists
OVERWRITE = "overwrite an export"
EXPRESSION_EM, ABOUT_EM = 20.0, 12.0
HINTS = {
    "test": "one file for pytest: the model, the state, and an assertion for each number",
    "script": "one file that prints each number next to its current value; --view opens this state",
    "zip": "script, test, model, the last seconds as a recording, a picture, version numbers, and your description;\n"
    "your file paths are removed",
    "page": "one HTML file that any current browser opens offline: the range selected on the timeline,\nor all of it",
}


def export_dialog(view: ViewState, act: Callable[[Action], None]) -> None:
    """Show the dialog while there is one; begin one that something else in the window has asked for."""
    if view.export_wanted:
        kind, view.export_wanted = view.export_wanted, ""
        act(exporting.report_moment if kind == "zip" else exporting.export_test)
    dialog = view.export
    if dialog is not None:
        dialog.seen = dialog.job.version
        dialog.suggest_path()
        act(exporting.tell)
    with modal("##export", lambda: view.export is not None and view.export.shown, WIDTH_EM) as drawn:
        if drawn and dialog is not None:
            # in a low window it scrolls, and the buttons stay in sight
            imgui.set_next_window_size_constraints((0, 0), (1e6, most_height() - em(BUTTONS_EM)))
            imgui.begin_child("body", (0, 0), imgui.ChildFlags_.auto_resize_y, imgui.WindowFlags_.no_nav_inputs)
            _head(dialog)
            _kinds(dialog)
            if dialog.kind == "page":
                _page()
            else:
                _quantities(dialog)
                _numbers(dialog)
                _words(dialog)
            _place(dialog)
            _status(dialog)
            imgui.end_child()
            _buttons(dialog, act)


def _head(dialog: ExportDialog) -> None:
    moment = dialog.job.moment
    where = "…"
    if moment is not None:
        branch = f", {moment.branch}" if moment.branch else ""
        where = f"{moment.title} at {moment.time:.6g} s, step {moment.step}{branch}"
    heading("Export this moment", where)


def _kinds(dialog: ExportDialog) -> None:
    """What to write, and what that is."""
    for kind, title in TITLES.items():
        if toggle(title, kind == dialog.kind, HINTS[kind], em(6)):
            dialog.choose(kind)
        imgui.same_line(0, em(0.3))
    caption(MEANINGS[dialog.kind], framed=True)
    imgui.dummy((0, em(0.2)))


def _page() -> None:
    """What a page has."""
    imgui.push_text_wrap_pos(0.0)
    caption(
        "Poses, contacts with their forces, tendons, sensors and marks, of the range that the timeline repeats or else "
        "of this branch from its begin to its end. Another process makes the page; a message says when it is saved."
    )
    imgui.pop_text_wrap_pos()
    imgui.dummy((0, em(0.4)))


# ---- what is asked


def _quantities(dialog: ExportDialog) -> None:
    """The list of quantities with their values, and a field for more."""
    answers = dialog.job.answers
    row = imgui.get_frame_height_with_spacing()
    room = int((imgui.get_main_viewport().work_size.y - em(REST_EM)) / row)
    rows = max(min(len(answers), MOST_ROWS, room), LEAST_ROWS)
    imgui.push_style_color(imgui.Col_.child_bg, theme.PANEL)
    flags = imgui.WindowFlags_.no_nav_inputs
    imgui.begin_child("quantities", (0, rows * row + em(1.1)), imgui.ChildFlags_.borders, flags)
    imgui.pop_style_color()
    if not answers:
        caption(f"{dialog.job.under_way or 'nothing yet'} …")
    for place, answered in enumerate(answers):
        imgui.push_id(place)
        _quantity(dialog, answered)
        imgui.pop_id()
    imgui.end_child()
    imgui.set_next_item_width(-1)
    hint = 'add a number, as in Plots: norm(d.body("torso").cvel[3:])'
    entered, dialog.typed = imgui.input_text_with_hint(
        "##ask", hint, dialog.typed, imgui.InputTextFlags_.enter_returns_true
    )
    tooltip("an expression of m and d, with measures such as normal_force; Enter adds it")
    if entered and dialog.typed.strip():
        dialog.job.ask(dialog.typed.strip())
        dialog.typed = ""
        imgui.set_keyboard_focus_here(-1)
    imgui.dummy((0, em(0.1)))


def _quantity(dialog: ExportDialog, answered: Answered) -> None:
    """A quantity: whether it is asked, its expression, its value, what it is about."""
    expression = answered.question.expression
    theme.ensure_glyphs(expression, answered.question.about)
    start, width = imgui.get_cursor_pos_x(), imgui.get_content_region_avail().x
    with disabled(bool(answered.fault)):
        changed, on = imgui.checkbox("##asked", not answered.fault and expression not in dialog.left_out)
    tooltip(answered.fault or "check this number")
    if changed:
        (dialog.left_out.discard if on else dialog.left_out.add)(expression)
    imgui.same_line()
    imgui.align_text_to_frame_padding()
    with font("mono"):
        imgui.text_unformatted(elide(expression, em(EXPRESSION_EM) - em(0.5)))
    tooltip(f"{expression}\n{answered.question.about}")
    about = max(width - em(ABOUT_EM), em(EXPRESSION_EM + 8))
    imgui.same_line(start + em(EXPRESSION_EM) + em(2.2))
    room = about - em(EXPRESSION_EM) - em(2.8)
    if answered.fault:
        imgui.text_colored(theme.WARNING, elide(answered.fault, room))
    else:
        with font("mono"):
            imgui.text_unformatted(elide(value_text(answered.value), room))
    tooltip(answered.fault or f"{_whole(answered.value)}\ncomputed in this state, as in plots and instruments")
    imgui.same_line(start + about)
    caption(elide(answered.question.about, em(ABOUT_EM)))


def value_text(value: object) -> str:
    """A number, or the first ones of several, short."""
    array = np.asarray(value)
    if array.dtype.kind in "biu":
        return " ".join(str(int(one)) for one in array.reshape(-1)[:8])
    return " ".join(f"{float(one):.5g}" for one in array.reshape(-1)[:8])


def _whole(value: object) -> str:
    numbers = [repr(one) for one in np.asarray(value).reshape(-1).tolist()]
    return textwrap.shorten(" ".join(numbers), 600, placeholder=" …")


# ---- how


def _numbers(dialog: ExportDialog) -> None:
    """How many steps, and how close."""
    imgui.align_text_to_frame_padding()
    imgui.text("Steps after it")
    imgui.same_line()
    imgui.set_next_item_width(em(6))
    _, steps = imgui.drag_int("##steps", dialog.steps, 0.2, 1, MOST_STEPS)
    dialog.steps = min(max(steps, 1), MOST_STEPS)
    tooltip("the state this many steps later is checked too\ndefault 10")
    imgui.same_line(0, em(2))
    imgui.text("Tolerance")
    imgui.same_line()
    imgui.set_next_item_width(em(6))
    names = [f"{value:g}" for value in TOLERANCES]
    changed, chosen = imgui.combo("##tolerance", TOLERANCES.index(dialog.tolerance), names)
    dialog.tolerance = TOLERANCES[chosen] if changed else dialog.tolerance
    tooltip("relative to the largest value of each quantity; wider where rounding errors matter\ndefault 1e-06")
    imgui.same_line(0, em(2))
    caption(elide("qacc and the later state are checked too", imgui.get_content_region_avail().x))


def _words(dialog: ExportDialog) -> None:
    """What the user has to say."""
    imgui.text("What is wrong?")
    tooltip("placed at the top of the file")
    theme.ensure_glyphs(dialog.text)
    height = TEXT_LINES * imgui.get_text_line_height() + 2 * imgui.get_style().frame_padding.y + em(0.3)
    _, dialog.text = imgui.input_text_multiline("##words", dialog.text, (-1, height))
    tooltip("placed at the top of the file")


def _place(dialog: ExportDialog) -> None:
    """Where the file goes."""
    imgui.align_text_to_frame_padding()
    imgui.text("File")
    imgui.same_line()
    imgui.set_next_item_width(-1)
    theme.ensure_glyphs(dialog.path)
    _, dialog.path = imgui.input_text_with_hint("##path", "path of the file", dialog.path)
    tooltip(dialog.path or "path of the file")


def _status(dialog: ExportDialog) -> None:
    """What is under way, or what came of it: always two lines, so that nothing jumps."""
    job, top = dialog.job, imgui.get_cursor_pos_y()
    written = job.written
    wrong = job.fault or (dialog.path_fault if dialog.path and not dialog.busy else "")
    imgui.push_text_wrap_pos(0.0)
    if dialog.busy:
        caption(f"{job.under_way} …")
    elif wrong:
        theme.ensure_glyphs(wrong)
        imgui.text_colored(theme.ERROR, f"{icons.ICON_FA_TRIANGLE_EXCLAMATION}  {wrong}")
    elif dialog.asks_about == dialog.path and dialog.replaces:
        imgui.text_colored(theme.WARNING, f"{printable(Path(dialog.path).name)} exists already.")
    elif written is not None:
        icon, tint = (icons.ICON_FA_CHECK, theme.ADDED) if written.same else (icons.ICON_FA_NOT_EQUAL, theme.WARNING)
        theme.ensure_glyphs(str(written.path))
        caption("saved")
        imgui.same_line()
        if link(elide(written.path.name, imgui.get_content_region_avail().x), f"{written.path}\nopen its folder"):
            FileLine(str(written.path.parent), 1).open()
        imgui.text_colored(tint, f"{icon}  {'; '.join((written.text, *written.warnings))}")
    imgui.pop_text_wrap_pos()
    least = 2.6 * imgui.get_text_line_height_with_spacing()
    imgui.dummy((0, max(top + least - imgui.get_cursor_pos_y(), em(0.2))))


def _buttons(dialog: ExportDialog, act: Callable[[Action], None]) -> None:
    ready = dialog.job.moment is not None and not dialog.busy and not dialog.path_fault and not dialog.done
    name = Path(dialog.path).name or "the file"
    asked = dialog.asks_about == dialog.path and dialog.replaces
    label = "Overwrite" if asked else "Export"
    what = "" if dialog.kind == "page" else " and run it to check the result"
    if main_button(label, f"write {name}{what}   Enter", ready):
        if not asked and dialog.replaces:
            dialog.asks_about = dialog.path
            ask(OVERWRITE)
        elif not asked or readable(OVERWRITE):
            act(exporting.write)
    imgui.same_line()
    pressed = button("Close" if dialog.done else "Cancel", "close this dialog   Escape")
    if pressed or (not imgui.is_any_item_active() and take(imgui.Key.escape)):
        act(exporting.close)
