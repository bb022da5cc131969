"""The debugger that was asked for: writes the moment, opens a terminal, and shows the command that does the same."""

from __future__ import annotations

import os
from pathlib import Path

from imgui_bundle import icons_fontawesome_6 as icons
from imgui_bundle import imgui

from app.instruments.code.debug_command import as_line, debug_command
from app.instruments.code.launch import launch
from app.instruments.code.state import CodeState, Debugging
from app.instruments.code.terminal import in_terminal
from app.run.commands import Send, Warn
from app.ui import theme
from app.ui.widgets import caption, elide, em, font, icon_button, tooltip
from app.view.view_state import ViewState


def debug_box(view: ViewState, send: Send) -> None:
    """The state of the debugger, if one was asked for."""
    shown = view.of(CodeState)
    asked = shown.debugging
    if asked is None:
        return
    if not asked.command and not asked.fault:
        _start(view, asked, send)
    name = asked.function.rpartition(".")[2]
    imgui.push_text_wrap_pos(imgui.get_content_region_avail().x - em(1.6))
    if asked.fault:
        imgui.text_colored(theme.ERROR, asked.fault)
    elif not asked.command:
        caption(f"writing the moment for {name} ...")
    elif asked.started:
        caption(f"{name} at {asked.time:.6g} s is in the debugger, in a terminal of its own.")
    else:
        imgui.text(f"To debug {name} at {asked.time:.6g} s, run this in a terminal:")
    imgui.pop_text_wrap_pos()
    imgui.same_line(imgui.get_cursor_pos_x() + imgui.get_content_region_avail().x - em(1.6))
    if icon_button(icons.ICON_FA_XMARK, "forget debugger", "put this away", width=1.6):
        shown.debugging = None
    if asked.command:
        _command(view, asked.command)
    imgui.separator()


def _start(view: ViewState, asked: Debugging, send: Send) -> None:
    """Once the moment is in a file, open a terminal with the debugger, if there is one."""
    answer = view.instruments.ask(asked.question)
    if answer is None:
        return
    asked.time, asked.fault = answer.time, answer.error
    if answer.error:
        return
    asked.command = debug_command(answer.value, asked.function)
    opened = in_terminal(debug_command(answer.value, asked.function, wait=True), os.environ)
    if opened is not None:
        asked.started = True
        launch(opened, lambda fault: send(Warn(fault)))


def _command(view: ViewState, command: list[str]) -> None:
    """The command, to be copied; what is shown of it leaves out the folder of the program."""
    line = as_line(command)
    if icon_button(icons.ICON_FA_COPY, "copy command", "copy the command", width=1.9):
        imgui.set_clipboard_text(line)
        view.feedback.show_message("copied the command")
    imgui.same_line(0, em(0.2))
    with font("mono", 0.9):
        caption(elide(as_line([Path(command[0]).name, *command[1:]]), imgui.get_content_region_avail().x), framed=True)
    tooltip(line)
