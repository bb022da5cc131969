"""The chain of wakes of the Lens instrument: who woke a tree, back to the first cause; a click goes there."""

from __future__ import annotations

from imgui_bundle import imgui

from app.instruments.lens.chain_text import Line, chain_lines
from app.instruments.lens.state import LensState
from app.instruments.lens.wake_search import Found
from app.model.selection import Selection
from app.run.commands import GoTo, Send
from app.run.snapshot import Snapshot
from app.ui import theme
from app.ui.widgets import caption, colour, em, font, note, tooltip
from app.view.view_state import ViewState

TIME_EM = 4.6


def draw_chain(snapshot: Snapshot, view: ViewState, send: Send) -> None:
    """A row for each wake, the last first."""
    model = snapshot.model
    assert model is not None
    if lacking := model.lacks.get("why_awake", ""):
        imgui.text_wrapped(lacking)
        return
    found = view.of(LensState).ask(snapshot)
    if found is None or (not found.complete and not found.links):
        searched = f" back to {snapshot.run.history.time_of(found.step):.3f} s" if found is not None else ""
        caption(f"searching the recorded steps{searched} ...")
        return
    if found.error:
        imgui.text_wrapped(found.error)
        return
    lines = chain_lines(model, found.links, found.since_start, found.unknown)
    for k, line in enumerate(lines):
        imgui.push_id(k)
        _line(line, found, snapshot, view, send, k == len(lines) - 1)
        imgui.pop_id()


def _line(line: Line, found: Found, snapshot: Snapshot, view: ViewState, send: Send, first_cause: bool) -> None:
    """When, whose wake and by what; the first cause stands out."""
    shown = view.of(LensState)
    timeline = snapshot.run.history
    start, words = imgui.get_cursor_pos_x(), f"{line.name}: {line.text}"
    height = imgui.calc_text_size(words, wrap_width=imgui.get_content_region_avail().x - em(TIME_EM)).y
    here = line.step is not None and line.step == timeline.now
    if imgui.selectable("##line", here, 0, (0, height))[0]:
        shown.clicked = Selection(*line.element)
        view.select(*line.element, stay=True)
        if line.step is not None:
            shown.walk(found, timeline.now)
            send(GoTo(line.step, timeline.branch))
    when = (
        f"step {line.step}, {line.time:.6g} s"
        if line.step is not None
        else "the start is the reset, or the load of the file"
    )
    act = "click: go there, and select what did it" if line.step is not None else "click: select it"
    tooltip(f"{line.name}: {line.text}\n{when}; {act}")
    imgui.same_line(start)
    with font("mono"), colour(imgui.Col_.text, theme.DIM):
        imgui.text(f"{line.time:.3f} s" if line.step is not None else "start")
    imgui.same_line(start + em(TIME_EM))
    note(words, theme.ACCENT if first_cause else theme.TEXT)
