"""The Log panel: what scripts print, messages, warnings and errors, with filters; a click goes to what they name."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from imgui_bundle import icons_fontawesome_6 as icons
from imgui_bundle import imgui

from app.files.output import dated_path, output_folder, reason
from app.model.selection import Selection
from app.model.views import ModelView
from app.run.commands import Send
from app.run.log.links import FileLine, named_element, named_line
from app.run.log.log import Entry, Level
from app.run.log.log_view import LEVEL_NAMES, as_text, explained, simulated_text, wall_text
from app.run.snapshot import Snapshot
from app.ui import theme
from app.ui.widgets import (
    button,
    caption,
    colour,
    disabled,
    elide,
    em,
    font,
    icon_button,
    menu_item,
    same_line_if_fits,
    tooltip,
)
from app.view.view_state import ViewState
from sim.atomic_file import write_atomic

# warnings and errors that the badge counts
MOST = 999
ICONS = {
    Level.PRINT: icons.ICON_FA_TERMINAL,
    Level.MESSAGE: icons.ICON_FA_CIRCLE_INFO,
    Level.WARNING: icons.ICON_FA_TRIANGLE_EXCLAMATION,
    Level.ERROR: icons.ICON_FA_CIRCLE_XMARK,
}
HINTS = {
    Level.PRINT: "output of Python code to stdout and stderr",
    Level.MESSAGE: "completed actions: saved, reloaded, recorded, ...",
    Level.WARNING: "warnings from the engine, the model loader and Python",
    Level.ERROR: "errors and tracebacks",
}
# widths of the columns with times
WALL_EM, SIMULATED_EM = 5.0, 6.5
SEARCH_EM = 14.0
# narrower than this, the simulated time is left to the tooltip
NARROW_EM = 40.0


def log_panel(snapshot: Snapshot, view: ViewState, _send: Send) -> None:
    """Filters and buttons, then the entries, the newest below."""
    feedback = view.feedback
    log, log_view = feedback.log, feedback.log_view
    entries = log_view.update(log)
    # drawn, so it is seen
    log.see()
    _levels(view)
    _search(view)
    _buttons(view, entries)
    imgui.begin_child("entries", (0, 0), window_flags=imgui.WindowFlags_.no_nav_inputs)
    if not entries:
        empty = "nothing yet: script output, messages and warnings appear here"
        caption("no matching entries" if log.version and log.entries() else empty)
    clipper = imgui.ListClipper()
    clipper.begin(len(entries), imgui.get_text_line_height_with_spacing())
    while clipper.step():
        for place in range(clipper.display_start, clipper.display_end):
            _row(entries[place], snapshot.model, view)
    clipper.end()
    # at the end it follows what comes; scrolled up it stays
    wheel = imgui.get_io().mouse_wheel and imgui.is_window_hovered()
    if wheel or imgui.internal.get_active_id() == imgui.internal.get_window_scrollbar_id(
        imgui.internal.get_current_window(), imgui.internal.Axis.y
    ):
        log_view.follows = imgui.get_scroll_y() >= imgui.get_scroll_max_y() - em(1)
    if log_view.follows:
        imgui.set_scroll_here_y(1.0)
    imgui.end_child()


def _levels(view: ViewState) -> None:
    """A switch for each level."""
    log_view = view.feedback.log_view
    for level in Level:
        shown = level in log_view.levels
        if icon_button(ICONS[level], LEVEL_NAMES[level], f"{LEVEL_NAMES[level]}s: {HINTS[level]}", shown):
            log_view.levels ^= {level}
        imgui.same_line(0, em(0.15))


def _search(view: ViewState) -> None:
    """Words to look for."""
    imgui.set_next_item_width(min(em(SEARCH_EM), max(imgui.get_content_region_avail().x, em(4))))
    log_view = view.feedback.log_view
    _, log_view.words = imgui.input_text_with_hint("##log words", "filter", log_view.words)
    tooltip("entries that contain all these words in their text, level or source")


def _buttons(view: ViewState, entries: list[Entry]) -> None:
    """Copy, save and clear; and how many there are."""
    log = view.feedback.log
    with disabled(not entries):
        if button("Copy", "copy the listed entries to the clipboard", beside=True):
            imgui.set_clipboard_text(as_text(entries))
            view.feedback.message = f"copied {len(entries)} entries"
        if button("Save", "save the listed entries as a text file", beside=True):
            _save(view, entries)
        if button("Clear", "remove all entries", beside=True):
            log.clear()
    follow = view.feedback.log_view
    if not follow.follows and button("To the end", "follow new entries", beside=True):
        follow.follows = True
    dropped = f", {log.dropped} older entries dropped" if log.dropped else ""
    text = f"{len(entries)} {'entry' if len(entries) == 1 else 'entries'}{dropped}"
    same_line_if_fits(text)
    caption(text, framed=True)


def _save(view: ViewState, entries: list[Entry]) -> None:
    """Write a text file with date and time."""
    try:
        path = dated_path("kinetoscope-log", "txt")
        write_atomic(path, as_text(entries).encode())
        view.feedback.show_message(f"saved {path}")
    except OSError as error:
        view.feedback.show_message(f"the log could not be saved: {output_folder()}: {reason(error)}", level=Level.ERROR)


def _row(entry: Entry, model: ModelView | None, view: ViewState) -> None:
    """Level, times, the line, and how often."""
    tints = {Level.WARNING: theme.WARNING, Level.ERROR: theme.ERROR}
    tint = tints.get(entry.level, theme.TEXT if entry.level == Level.PRINT else theme.DIM)
    left, wide = imgui.get_cursor_pos_x(), imgui.get_window_width() > em(NARROW_EM)
    element = named_element(entry.text, model) if model is not None else None
    line = named_line(entry.text)
    imgui.text_colored(tint, ICONS[entry.level])
    with font("mono"):
        imgui.same_line(left + em(1.6))
        caption(wall_text(entry.last))
        if wide:
            imgui.same_line(left + em(1.6 + WALL_EM))
            caption(simulated_text(entry.last))
        imgui.same_line(left + em(1.6 + WALL_EM + (SIMULATED_EM if wide else 0.0)))
        times = f"x {entry.times}  " if entry.times > 1 else ""
        theme.ensure_glyphs(entry.heading)
        text = elide(f"{times}{entry.heading}", imgui.get_content_region_avail().x)
        with colour(imgui.Col_.text, tint):
            pressed = imgui.selectable(f"{text}##{entry.number}", False)[0]
    tooltip(partial(_hint, entry, element, line))
    if imgui.begin_popup_context_item(f"entry {entry.number}"):
        _menu(entry, element, line, view)
        imgui.end_popup()
    if pressed:
        _follow(element, line, view)


def _hint(entry: Entry, element: Selection | None, line: FileLine | None) -> str:
    """The whole entry, and what a click does."""
    click = (
        f"\nclick to copy {line}" if line is not None else "\nclick to select the element it names" if element else ""
    )
    return f"{explained(entry)}{click}; right-click for more" if click else f"{explained(entry)}\nright-click for more"


def _follow(element: Selection | None, line: FileLine | None, view: ViewState) -> None:
    """Go to what an entry names: a line of a file, or an element."""
    if line is not None:
        imgui.set_clipboard_text(str(line))
        view.feedback.message = f"copied {line}"
    elif element is not None:
        view.select(element.kind, element.index)


def _menu(entry: Entry, element: Selection | None, line: FileLine | None, view: ViewState) -> None:
    """Copy, select, open."""
    offers: list[tuple[str, str, Callable[[], None]]] = [
        ("Copy text", "copy the whole text of this entry", partial(imgui.set_clipboard_text, entry.text))
    ]
    if element is not None:
        select = partial(view.select, element.kind, element.index, fly=True)
        offers.append((f"Select {element.kind}", "select it and focus it", select))
    if line is not None:
        offers.append((f"Copy {line}", "for an editor", partial(imgui.set_clipboard_text, str(line))))
        if line.exists:
            offers.append(("Open the file", "with the default program", line.open))
    for label, hint, do in offers:
        if menu_item(label, hint):
            do()


def log_badge(view: ViewState) -> None:
    """A bell with a number, if there is something new; a click opens the log."""
    unseen = view.feedback.log.unseen
    if not unseen:
        return
    imgui.text_colored(theme.WARNING, f"{icons.ICON_FA_BELL} {min(unseen, MOST)}{'+' * (unseen > MOST)}")
    tooltip("warnings and errors since the log was last viewed: click to open it")
    if imgui.is_item_clicked():
        view.show_bottom("Log")
    imgui.same_line(0, em(1.4))
