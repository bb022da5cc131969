"""The source of a function in its file: line numbers, colours, and the lines that use the field marked."""

from __future__ import annotations

import os
from pathlib import Path

from imgui_bundle import icons_fontawesome_6 as icons
from imgui_bundle import imgui

from app.instruments.code.code_questions import SourceQuestion
from app.instruments.code.editor import editor_command
from app.instruments.code.launch import launch
from app.instruments.code.source_text import COMMENT, DECORATOR, DEFINITION, KEYWORD, NUMBER, STRING, Line, Piece
from app.instruments.code.state import CodeState, Subject
from app.run.commands import Send, Warn
from app.ui import theme
from app.ui.widgets import caption, em, font, icon_button, show_tooltip, tooltip
from app.view.view_state import ViewState
from sim.script.kernels.index import Code, KernelIndex

# lines above the function when it is scrolled to
LINES_ABOVE = 2
FONT = 0.9


def draw_source(view: ViewState, index: KernelIndex, subject: Subject, code: Code, send: Send) -> None:
    """The file, scrolled to the function; a double-click opens the editor at a line."""
    text = index.text(code)
    lines = _lines(view, code, text)
    with font("mono", FONT):
        imgui.push_style_color(imgui.Col_.child_bg, theme.BACKGROUND)
        imgui.begin_child(f"source {code.file}", (0, 0), 0, imgui.WindowFlags_.horizontal_scrollbar)
        imgui.pop_style_color()
        imgui.push_style_var(imgui.StyleVar_.item_spacing, (0, em(0.12)))
        if text:
            _draw(view, lines, subject, code, send)
        else:
            caption(f"{code.file} cannot be read")
        imgui.pop_style_var()
        imgui.end_child()


def _lines(view: ViewState, code: Code, text: str) -> tuple[Line, ...]:
    """The coloured lines, asked for once; plain until they are there."""
    shown, question = view.of(CodeState), SourceQuestion(code.file, text)
    if shown.source is None or shown.source[0] != question:
        answer = view.instruments.ask(question)
        if answer is None or answer.error:
            return tuple((Piece(line),) for line in text.splitlines())
        theme.ensure_glyphs(text)
        shown.source = question, answer.value
    return shown.source[1]


def _draw(view: ViewState, lines: tuple[Line, ...], subject: Subject, code: Code, send: Send) -> None:
    shown = view.of(CodeState)
    height = imgui.get_text_line_height_with_spacing()
    if shown.scroll and code.line:
        imgui.set_scroll_y(max(code.line - 1 - LINES_ABOVE, 0) * height)
        imgui.set_scroll_x(0)
        shown.scroll = False
    digits = len(str(len(lines)))
    marked = {access.line for access in (*code.reads, *code.writes) if access.field == subject.field}
    written = {access.line for access in code.writes if access.field == subject.field}
    clipper = imgui.ListClipper()
    clipper.begin(len(lines), height)
    while clipper.step():
        for k in range(clipper.display_start, clipper.display_end):
            number = k + 1
            tint = _tint(number, code, marked, written)
            _line(lines[k], f"{number:>{digits}}  ", tint, code.line <= number <= code.last, height)
            if imgui.is_window_hovered() and _is_pointed_at(height):
                _point_at(view, code, number, send)


def _tint(number: int, code: Code, marked: set[int], written: set[int]) -> theme.Rgba:
    """The background of a line: written, read, of the function, or none."""
    if number in written:
        return (*theme.ACCENT[:3], 0.30)
    if number in marked:
        return (*theme.ACCENT[:3], 0.14)
    return (*theme.RAISED[:3], 0.45) if code.line <= number <= code.last else theme.CLEAR


def _line(line: Line, number: str, tint: theme.Rgba, own: bool, height: float) -> None:
    y = imgui.get_cursor_screen_pos().y
    left, width = imgui.get_window_pos().x, imgui.get_window_size().x
    if tint[3]:
        draw = imgui.get_window_draw_list()
        draw.add_rect_filled((left, y - em(0.06)), (left + width, y + height - em(0.06)), imgui.get_color_u32(tint))
    imgui.text_colored(theme.TEXT if own else theme.DIM, number)
    for piece in line:
        imgui.same_line(0, 0)
        imgui.text_colored(_ink(piece.kind), piece.text)


def _ink(kind: str) -> theme.Rgba:
    """The colour of a kind of token."""
    inks = {
        KEYWORD: theme.ACCENT, NUMBER: theme.WARNING, STRING: theme.ADDED, COMMENT: theme.DIM, DEFINITION: theme.WAKE,
        DECORATOR: theme.WAKE,
    }  # fmt: skip
    return inks.get(kind, theme.TEXT)


def _is_pointed_at(height: float) -> bool:
    """Whether the pointer is on the last line drawn."""
    top, mouse = imgui.get_item_rect_min().y, imgui.get_mouse_pos().y
    return bool(top <= mouse < top + height)


def _point_at(view: ViewState, code: Code, number: int, send: Send) -> None:
    """The pointer is on a line."""
    if imgui.is_mouse_double_clicked(imgui.MouseButton_.left):
        open_editor(view, code.file, number, send)
    elif imgui.is_window_hovered(imgui.HoveredFlags_.for_tooltip):
        with font("sans"):
            show_tooltip(f"{code.file.name}:{number}, double-click: open it in your editor")


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
        tooltip("its command; {file} and {line} are filled in: myeditor --line {line} {file}")
        found = editor_command(Path("FILE"), 1, view.prefs.editor, os.environ)
        text = found if isinstance(found, str) else " ".join([Path(found[0]).name, *found[1:]])
        imgui.push_text_wrap_pos(em(20))
        caption(text)
        caption("Empty: $VISUAL, $EDITOR, or the first one that is installed.")
        imgui.pop_text_wrap_pos()
        imgui.end_popup()
