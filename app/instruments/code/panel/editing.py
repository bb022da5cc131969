"""Opening a file in the user's editor, and the choice of that."""

from __future__ import annotations

import os
from pathlib import Path

from imgui_bundle import icons_fontawesome_6 as icons
from imgui_bundle import imgui

from app.instruments.code.editor import editor_command
from app.instruments.code.launch import launch
from app.run.commands import Send, Warn
from app.ui.widgets import caption, em, icon_button, tooltip
from app.view.view_state import ViewState


def open_editor(view: ViewState, file: Path, line: int, send: Send) -> None:
    """Open a file at a line in the user's editor, or say why that cannot be."""
    command = editor_command(file, max(line, 1), view.prefs.editor, os.environ)
    if isinstance(command, str):
        view.feedback.show_message(command)
        return
    launch(command, lambda fault: send(Warn(fault)))
    view.feedback.show_message(f"opening {file.name}:{line} with {Path(command[0]).name}")


def editor_menu(view: ViewState) -> None:
    """A button with a field for the command of the editor."""
    if icon_button(icons.ICON_FA_PEN_TO_SQUARE, "choose editor", "which editor opens files", width=1.9):
        imgui.open_popup("editor")
    if imgui.begin_popup("editor"):
        imgui.text("Editor")
        imgui.set_next_item_width(em(18))
        _, view.prefs.editor = imgui.input_text_with_hint("##editor", "such as code or gvim", view.prefs.editor)
        tooltip("its command; {file} and {line} stand for the place: myeditor --line {line} {file}")
        found = editor_command(Path("FILE"), 1, view.prefs.editor, os.environ)
        text = found if isinstance(found, str) else " ".join([Path(found[0]).name, *found[1:]])
        imgui.push_text_wrap_pos(em(20))
        caption(text)
        caption("Empty: $VISUAL, $EDITOR, or the first one that is installed.")
        imgui.pop_text_wrap_pos()
        imgui.end_popup()
