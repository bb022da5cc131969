"""The question before a model with unsaved edits is left: save them, discard them, or stay."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from imgui_bundle import icons_fontawesome_6 as icons
from imgui_bundle import imgui

from app.files.error_text import printable
from app.run.commands import Send
from app.run.snapshot import Snapshot
from app.ui import theme
from app.ui.widgets import button, em, same_line_if_fits
from app.view.input.desk import Action
from app.view.saving import Leaving, any_unsaved, begin, begin_elsewhere, go, saved_in_place
from app.view.view_state import ViewState
from app.window.overlays.modal import cancel_button, heading, main_button, modal

WIDTH_EM = 42.0
# lines of the list, at most, and as a share of the window's height
ROWS, SHARE = 12, 0.45


def unsaved_question(snapshot: Snapshot, view: ViewState, send: Send, act: Callable[[Action], None]) -> None:
    """Ask, while the user is about to leave."""
    with modal("##unsaved", lambda: view.ui.leaving is not None, WIDTH_EM) as drawn:
        leaving = view.ui.leaving
        if drawn and leaving is not None and not any_unsaved(view):
            # the edit that was under way has changed nothing
            leave_now(leaving, view, send, act)
        elif drawn and leaving is not None:
            name = printable(Path(snapshot.run.path).name)
            goes = f"open {printable(Path(leaving.path).name)}" if leaving.path else "quit"
            if view.ui.unsaved:
                heading(f"Save the edits of {name}?", f"Without saving they are lost when you {goes}.")
            else:
                heading("Leave the other branches?", f"Their edits of {name} are lost when you {goes}.")
            _list((*view.ui.unsaved, *view.ui.unsaved_elsewhere))
            if view.video is not None and not leaving.path:
                seconds = view.video.seconds
                text = f"A video is being recorded ({seconds:.0f} s so far). It will end here and be kept."
                imgui.text_colored(theme.WARNING, f"{icons.ICON_FA_VIDEO}  {text}")
            imgui.dummy((0, em(0.3)))
            _buttons(leaving, snapshot, view, send, act)


def leave_now(leaving: Leaving, view: ViewState, send: Send, act: Callable[[Action], None]) -> None:
    """Open the other model, or quit, whatever is not saved."""
    if go(view, send, leaving):
        act(lambda desk, _: desk.close())


def _list(texts: tuple[str, ...]) -> None:
    """The edits, a line each."""
    theme.ensure_glyphs(*texts)
    line = imgui.get_text_line_height_with_spacing()
    rows = max(min(len(texts), ROWS, int(SHARE * imgui.get_io().display_size.y / line)), 1)
    padding = 2 * imgui.get_style().window_padding.y
    imgui.push_style_color(imgui.Col_.child_bg, theme.PANEL)
    imgui.begin_child(
        "unsaved", (0, rows * line + padding), imgui.ChildFlags_.borders, imgui.WindowFlags_.no_nav_inputs
    )
    imgui.pop_style_color()
    for text in texts:
        imgui.text_unformatted(text)
    imgui.end_child()


def _buttons(leaving: Leaving, snapshot: Snapshot, view: ViewState, send: Send, act: Callable[[Action], None]) -> None:
    if view.ui.unsaved:
        if main_button("Save", "save the current edits first   Enter"):
            if saved_in_place(snapshot.run):
                begin(view, send, snapshot.run, then=leaving)
            else:
                begin_elsewhere(view, snapshot.run, leaving)
        same_line_if_fits("Discard")
    if button("Discard", "leave the file as it is"):
        leave_now(leaving, view, send, act)
    same_line_if_fits("Cancel")
    if cancel_button("stay   Escape"):
        view.ui.leaving = None
