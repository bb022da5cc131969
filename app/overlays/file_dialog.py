"""The file dialog: opens a model or recording (Ctrl+O), or names a file to save one to (Ctrl+Shift+S, Ctrl+Alt+S)."""

from __future__ import annotations

import os
from pathlib import Path

from imgui_bundle import icons_fontawesome_6 as icons
from imgui_bundle import imgui

from app.files.browse import Browse, refusal
from app.files.recordings import SUFFIX, is_listed
from app.input import run_recording
from app.panels.open_menu import open_file
from app.run.commands import Send
from app.ui import theme
from app.ui.widgets import colour, em, font, icon_button, tooltip
from app.variants.subject import OtherFile
from app.view.saving import begin_at
from app.view.view_state import ViewState
from sim.mjcf.format.table import SUFFIXES

WIDTH_EM, ROWS = 44.0, 16
WINDOW = (
    imgui.WindowFlags_.no_docking
    | imgui.WindowFlags_.no_collapse
    | imgui.WindowFlags_.no_saved_settings
    | imgui.WindowFlags_.no_resize
)


def file_dialog(view: ViewState, send: Send) -> None:
    """Folders and files, filtered by a text field; Enter opens what it names, or saves to it."""
    browse = view.ui.browse
    if browse is None:
        return
    display = imgui.get_io().display_size
    imgui.set_next_window_pos((display.x / 2, display.y / 2), imgui.Cond_.always, (0.5, 0.5))
    imgui.set_next_window_size((min(em(WIDTH_EM), 0.9 * display.x), 0))
    imgui.push_style_color(imgui.Col_.window_bg, theme.FLOAT)
    saves = "Save a recording of the past" if browse.recording else "Save the model elsewhere"
    opens = "Compare with another model" if browse.compares else "Open a model or a recording"
    _, stays = imgui.begin(saves if browse.saves else opens, True, WINDOW)
    chosen = _head(browse)
    clicked = _list(browse)
    if browse.saves and clicked is not None and not os.path.isdir(clicked):
        browse.text, browse.fresh, clicked = clicked.name, True, None
    chosen = clicked or chosen
    if browse.saves:
        chosen, stays = _foot(browse, chosen, bool(stays))
    imgui.end()
    imgui.pop_style_color()
    if not stays or imgui.is_key_pressed(imgui.Key.escape):
        view.ui.browse = view.ui.saving = None
    elif chosen is not None and os.path.isdir(chosen):
        browse.enter(chosen)
    elif chosen is not None and browse.saves:
        _save_to(chosen, view, send)
    elif chosen is not None and browse.compares:
        view.ab.compare(OtherFile(str(chosen)))
        view.ui.browse = None
    elif chosen is not None:
        open_file(chosen, view, send)


def _foot(browse: Browse, chosen: Path | None, stays: bool) -> tuple[Path | None, bool]:
    """Save and cancel, or the question about a file that exists; returns what was chosen, and whether to stay."""
    asked = browse.asks_about
    if asked is not None and asked != browse.target():
        asked = browse.asks_about = None
    imgui.push_text_wrap_pos(0.0)
    if asked is not None:
        kept = "" if browse.recording else f" It would be kept as {asked.name}~."
        imgui.text_colored(theme.WARNING, f"{asked.name} exists already.{kept}")
    elif browse.refused:
        imgui.text_colored(theme.ERROR, browse.refused)
    imgui.pop_text_wrap_pos()
    if imgui.button("Overwrite" if asked is not None else "Save"):
        chosen = browse.target()
    tooltip("save to the file of this name   Enter")
    imgui.same_line()
    if imgui.button("Cancel"):
        stays = False
    tooltip("do not save   Escape")
    return chosen, stays


def _save_to(path: Path, view: ViewState, send: Send) -> None:
    """Save to a file; one that exists is asked about first."""
    browse = view.ui.browse
    assert browse is not None
    browse.refused, browse.fresh = refusal(path), True
    if browse.refused:
        return
    if os.path.lexists(path) and path != browse.asks_about:
        browse.asks_about = path
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
    imgui.align_text_to_frame_padding()
    theme.ensure_glyphs(str(browse.folder))
    imgui.text_colored(theme.DIM, str(browse.folder))
    if browse.fresh:
        imgui.set_keyboard_focus_here()
        browse.fresh = False
    imgui.set_next_item_width(-1)
    flags = imgui.InputTextFlags_.enter_returns_true
    if browse.saves:
        entered, browse.text = imgui.input_text_with_hint("##name", "file name or path", browse.text, flags)
        tooltip(f"the name of the file, {browse.suffixes[0]} if it has no suffix; Enter saves, a path works too")
        return browse.target() if entered else chosen
    entered, browse.text = imgui.input_text_with_hint("##name", "name or path", browse.text, flags)
    tooltip("filters the list; Enter opens the file or folder, a path works too")
    return browse.typed() if entered else chosen


def _list(browse: Browse) -> Path | None:
    """One line for each folder and file; returns the one that was clicked."""
    chosen = None
    # fewer lines in a small window
    line = imgui.get_text_line_height_with_spacing()
    room = imgui.get_main_viewport().work_size.y - imgui.get_cursor_pos_y() - em(2)
    imgui.begin_child("files", (0, max(min(ROWS, int(room / line)), 1) * line))
    found = browse.found()
    theme.ensure_glyphs(*(path.name for path in found))
    for path in found:
        folder = os.path.isdir(path)
        icon = icons.ICON_FA_FOLDER if folder else icons.ICON_FA_FILM if is_listed(path) else icons.ICON_FA_CUBE
        with colour(imgui.Col_.text, theme.DIM if folder else theme.TEXT):
            if imgui.selectable(f"{icon}  {path.name}##{path}", False)[0]:
                chosen = path
        tooltip(f"save to {path}" if browse.saves and not folder else f"open {path}")
    if not found:
        with font("bold"):
            known = SUFFIX if browse.recording else " ".join(SUFFIXES if browse.saves else (*SUFFIXES, SUFFIX))
            imgui.text_colored(theme.DIM, f"no folders and no such files ({known})")
    imgui.end_child()
    return chosen
