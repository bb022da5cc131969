"""The file dialog: opens a model or recording (Ctrl+O), or names a file to save one to (Ctrl+Shift+S, Ctrl+Alt+S)."""

from __future__ import annotations

import os
from pathlib import Path

from imgui_bundle import icons_fontawesome_6 as icons
from imgui_bundle import imgui

from app.files.browse import Browse, refusal
from app.files.error_text import printable
from app.files.recent import recent_files
from app.files.recordings import SUFFIX, is_listed
from app.instruments.ab.open import compare
from app.instruments.ab.subject import OtherFile
from app.run.commands import Send
from app.ui import theme
from app.ui.keys import ENTER, take
from app.ui.widgets import caption, colour, em, font, icon_button, tooltip
from app.view.input import run_recording
from app.view.saving import begin_at
from app.view.view_state import ViewState
from app.window.overlays.modal import ask, cancel_button, heading, main_button, modal, most_height, readable, typing
from app.window.panels.open_menu import open_file
from sim.mjcf.format.table import SUFFIXES

WIDTH_EM, ROWS = 44.0, 16
# below the list: a note and buttons
BELOW_EM = 5.0
# the question about a file that exists
OVERWRITE = "overwrite"
RECENT = 4


def file_dialog(view: ViewState, send: Send) -> None:
    """Folders and files, filtered by a text field; Enter opens what it names, or saves to it."""
    with modal("##files", lambda: view.ui.browse is not None, WIDTH_EM) as drawn:
        if drawn and view.ui.browse is not None:
            _dialog(view.ui.browse, view, send)


def _dialog(browse: Browse, view: ViewState, send: Send) -> None:
    saves = "Save a recording" if browse.recording else "Save the model as"
    opens = "Compare with another model" if browse.compares else "Open a model or a recording"
    heading(saves if browse.saves else opens, printable(browse.folder))
    chosen = _head(browse)
    clicked = _list(browse)
    if browse.saves and clicked is not None and not os.path.isdir(clicked):
        browse.text, browse.fresh, clicked = clicked.name, True, None
    chosen = clicked or chosen
    if browse.saves:
        chosen = _foot(browse) or chosen
    if cancel_button():
        view.ui.browse = view.ui.saving = None
    elif chosen is not None and os.path.isdir(chosen):
        browse.enter(chosen)
    elif chosen is not None and browse.saves:
        _save_to(chosen, view, send)
    elif chosen is not None and browse.compares:
        compare(view, OtherFile(str(chosen)))
        view.ui.browse = None
    elif chosen is not None:
        open_file(chosen, view, send)


def _foot(browse: Browse) -> Path | None:
    """Save, or the question about a file that exists; returns what was chosen."""
    asked = browse.asks_about
    if asked is not None and asked != browse.target():
        asked = browse.asks_about = None
    imgui.push_text_wrap_pos(0.0)
    if asked is not None:
        kept = "" if browse.recording else f" It would be kept as {asked.name}~."
        imgui.text_colored(theme.WARNING, f"{printable(asked.name)} exists already.{kept}")
    elif browse.refused:
        imgui.text_colored(theme.ERROR, browse.refused)
    imgui.pop_text_wrap_pos()
    pressed = main_button("Overwrite" if asked is not None else "Save", "save under this name   Enter")
    imgui.same_line()
    return browse.target() if pressed else None


def _save_to(path: Path, view: ViewState, send: Send) -> None:
    """Save to a file; one that exists is asked about first."""
    browse = view.ui.browse
    assert browse is not None
    browse.refused, browse.fresh = refusal(path), True
    if browse.refused:
        return
    if os.path.lexists(path) and path != browse.asks_about:
        browse.asks_about = path
        ask(OVERWRITE)
        return
    if path == browse.asks_about and not readable(OVERWRITE):
        return
    view.ui.browse = None
    if browse.recording:
        run_recording.save(view, send, path)
    else:
        begin_at(view, send, path)


def _head(browse: Browse) -> Path | None:
    """The current folder, and the text field."""
    chosen = None
    if icon_button(icons.ICON_FA_ARROW_UP, "up", "parent folder"):
        chosen = browse.folder.parent
    imgui.same_line()
    if icon_button(icons.ICON_FA_HOUSE, "home", "home folder"):
        chosen = Path(os.path.expanduser("~"))
    imgui.same_line()
    hint = "file name or path" if browse.saves else "name or path"
    with typing():
        if browse.fresh:
            imgui.set_keyboard_focus_here()
        imgui.set_next_item_width(-1)
        flags = imgui.InputTextFlags_.enter_returns_true
        entered, browse.text = imgui.input_text_with_hint("##name", hint, browse.text, flags)
    # Enter takes the keyboard away
    browse.fresh = entered
    if browse.saves:
        tooltip(f"the name of the file, {browse.suffixes[0]} if it has no suffix; Enter saves; a path works too")
        return browse.target() if entered and take(*ENTER) else chosen
    tooltip("filters the list; Enter opens the file or folder; a path works too")
    return browse.typed() if entered and take(*ENTER) else chosen


def _list(browse: Browse) -> Path | None:
    """One line for each folder and file; returns the one that was clicked."""
    chosen = None
    # fewer lines in a small window
    line = imgui.get_text_line_height_with_spacing()
    room = most_height() - imgui.get_cursor_pos_y() - em(BELOW_EM)
    imgui.begin_child("files", (0, max(min(ROWS, int(room / line)), 1) * line))
    recent = [] if browse.saves or browse.compares or browse.text else recent_files()[:RECENT]
    for path in recent:
        if _row(icons.ICON_FA_CLOCK_ROTATE_LEFT, f"{path.name}   {path.parent}", path, f"open {path}"):
            chosen = path
    if recent:
        imgui.separator()
    found = browse.found()
    for path in found:
        folder = os.path.isdir(path)
        icon = icons.ICON_FA_FOLDER if folder else icons.ICON_FA_FILM if is_listed(path) else icons.ICON_FA_CUBE
        with colour(imgui.Col_.text, theme.DIM if folder else theme.TEXT):
            if _row(icon, path.name, path, f"save to {path}" if browse.saves and not folder else f"open {path}"):
                chosen = path
    if not found:
        with font("bold"):
            known = SUFFIX if browse.recording else " ".join(SUFFIXES if browse.saves else (*SUFFIXES, SUFFIX))
            caption(f"no folders and no matching files ({known})")
    imgui.end_child()
    return chosen


def _row(icon: str, text: str, path: Path, hint: str) -> bool:
    """A line for a file or folder; whether it was clicked."""
    text, hint = printable(text), printable(hint)
    theme.ensure_glyphs(text)
    clicked = imgui.selectable(f"{icon}  {text}##{os.fsencode(path)!r}", False)[0]
    tooltip(hint)
    return clicked
