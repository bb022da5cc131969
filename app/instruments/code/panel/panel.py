"""The Code instrument: the kernel that computes a field or stage, its formula, what it uses, and its source."""

from __future__ import annotations

from imgui_bundle import icons_fontawesome_6 as icons
from imgui_bundle import imgui

from app.instruments.code.code_questions import CodeAnswer
from app.instruments.code.panel.debug_box import debug_box
from app.instruments.code.panel.facts import draw_facts, draw_unwritten
from app.instruments.code.panel.results import draw_results, draw_stages
from app.instruments.code.panel.source import draw_source
from app.instruments.code.state import CodeState, Subject
from app.run.commands import Send
from app.run.engine.names import KINETOSCOPE
from app.run.snapshot import Snapshot
from app.ui.widgets import em, icon_button, note, tooltip
from app.view.view_state import ViewState

# a panel as wide as this has the source beside the facts, which take so much of the width; em
WIDE_EM, FACTS_EM = 62.0, 26.0
# the facts take at most this share of the height if the source is below them
FACTS_SHARE = 0.5
SEARCH = "field, kernel, stage or file"


def code_panel(snapshot: Snapshot, view: ViewState, send: Send) -> None:
    """The function that is shown, or the stages of a step to begin with."""
    shown = view.of(CodeState)
    if snapshot.model is None:
        note("Open a model: here is the code that computes its step.")
        return
    if about := view.instruments.about.pop("Code", ""):
        shown.show(Subject(field=about))
    fault = _learn(snapshot, view)
    _tools(shown)
    imgui.dummy((0, em(0.1)))
    debug_box(view, send)
    if shown.known is None:
        note(fault or "reading the code ...")
        return
    if snapshot.run.engine != KINETOSCOPE:
        note("MuJoCo simulates: this is how Kinetoscope computes the same.")
    if shown.search.strip():
        draw_results(shown, shown.known.index)
    elif shown.subject is None:
        note("Click a stage, or search. In other panels F12 leads from a field in a tooltip to its code.")
        draw_stages(snapshot, shown, shown.known)
    else:
        _subject(snapshot, view, shown.known, shown.subject, send)


def _learn(snapshot: Snapshot, view: ViewState) -> str:
    """Ask for the index, once for each edit of the model or of a source; returns why there is none."""
    shown = view.of(CodeState)
    about = snapshot.model, view.feedback.changed_source, view.feedback.kernels.taken, view.feedback.kernels.left
    if shown.asked_for is None or shown.asked_for != about:
        shown.asked_for = about
        shown.ask_again()
    if not shown.waiting:
        return ""
    answer = view.instruments.ask(shown.question)
    if answer is None:
        return ""
    # a failure is asked about again with the next edit
    shown.waiting = bool(answer.error)
    if not answer.error:
        shown.known = answer.value
    return answer.error


def _tools(shown: CodeState) -> None:
    """Back, forward, home, search."""
    for icon, name, hint, step in (
        (icons.ICON_FA_ARROW_LEFT, "back", "back to what was shown before", -1),
        (icons.ICON_FA_ARROW_RIGHT, "forward", "forward again", 1),
    ):
        if icon_button(icon, f"code {name}", hint, enabled=0 <= shown.at + step < len(shown.history)):
            shown.move(step)
        imgui.same_line(0, em(0.1))
    if icon_button(icons.ICON_FA_LIST, "code stages", "all stages of a step, in order"):
        shown.close()
    imgui.same_line(0, em(0.3))
    imgui.set_next_item_width(-1)
    _, shown.search = imgui.input_text_with_hint("##code search", SEARCH, shown.search)
    tooltip("find code: a field such as qfrc_passive, a kernel, a stage of the step, a file, words of a docstring")


def _subject(snapshot: Snapshot, view: ViewState, known: CodeAnswer, subject: Subject, send: Send) -> None:
    """Facts and source, beside each other where there is room."""
    code = subject.code(known.index, known.used)
    if code is None:
        draw_unwritten(view, known, subject)
        return
    room = imgui.get_content_region_avail()
    wide = room.x > em(WIDE_EM)
    flags = imgui.ChildFlags_.none if wide else imgui.ChildFlags_.auto_resize_y
    if not wide:
        imgui.set_next_window_size_constraints((0, 0), (room.x, max(FACTS_SHARE * room.y, em(6))))
    imgui.begin_child(f"facts {code.name}", (em(FACTS_EM) if wide else 0, 0), flags)
    draw_facts(snapshot, view, known, subject, code, send)
    imgui.end_child()
    if wide:
        imgui.same_line()
    draw_source(view, known.index, subject, code, send)
