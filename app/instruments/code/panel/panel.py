"""The Code instrument: the kernel that computes a field or stage, its formula, what it uses, and its source."""

from __future__ import annotations

import os
import shlex
from pathlib import Path

from imgui_bundle import icons_fontawesome_6 as icons
from imgui_bundle import imgui

from app.instruments.code.code_questions import CodeAnswer
from app.instruments.code.debug_command import debug_command
from app.instruments.code.launch import launch
from app.instruments.code.panel.facts import draw_facts, draw_unwritten, function_hint, stage_share
from app.instruments.code.panel.source import draw_source
from app.instruments.code.state import CodeState, Debugging, Subject
from app.instruments.code.terminal import in_terminal
from app.run.commands import Send, Warn
from app.run.engine.names import KINETOSCOPE
from app.run.snapshot import Snapshot
from app.ui import theme
from app.ui.widgets import caption, colour, elide, em, font, icon_button, note, tooltip
from app.view.view_state import ViewState
from sim.script.kernels.index import Found, KernelIndex

# a panel as wide as this has the source next to the facts, which take so much of the width; em
WIDE_EM, FACTS_EM = 62.0, 26.0
# the facts take at most this share of the height if the source is below them
FACTS_SHARE = 0.5
SEARCH = "field, kernel, stage or file"
MOST_RESULTS = 200
# columns: share of the step; kind of result
SHARE_EM, KIND_EM = 2.6, 4.2


def code_panel(snapshot: Snapshot, view: ViewState, send: Send) -> None:
    """The current function, or the stages of a step to begin with."""
    shown = view.of(CodeState)
    if snapshot.model is None:
        note("Open a model to see the code that computes its step.")
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
        note("MuJoCo is simulating; this is how Kinetoscope computes the same step.")
    if shown.search.strip():
        draw_results(shown, shown.known.index)
    elif shown.subject is None:
        note("Click a stage, or search. In other panels, F12 goes from a field in a tooltip to its code.")
        draw_stages(snapshot, shown, shown.known)
    else:
        _subject(snapshot, view, shown.known, shown.subject, send)


def _learn(snapshot: Snapshot, view: ViewState) -> str:
    """Ask for the index, once for each edit of the model or of a source; returns why there is none."""
    shown = view.of(CodeState)
    about = snapshot.model, view.feedback.changed_source
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
        (icons.ICON_FA_ARROW_LEFT, "back", "back to the previous entry", -1),
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
    """Facts and source, next to each other where there is room."""
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


def draw_results(shown: CodeState, index: KernelIndex) -> None:
    """Results of the search, a click shows one."""
    found = shown.results(index)
    if not found:
        caption("No match in the code.")
        return
    imgui.begin_child("results")
    clipper = imgui.ListClipper()
    clipper.begin(min(len(found), MOST_RESULTS))
    while clipper.step():
        for k in range(clipper.display_start, clipper.display_end):
            _result(found[k], shown, index)
    imgui.end_child()


def _result(found: Found, shown: CodeState, index: KernelIndex) -> None:
    subject, kind, doc = _described(found, index)
    left, width = imgui.get_cursor_pos_x(), imgui.get_content_region_avail().x
    if imgui.selectable(f"##{found.kind} {found.name}", False)[0]:
        shown.show(subject)
    tooltip(f"{found.name}\n{doc}" if found.kind != "function" else function_hint(index.codes[found.name]))
    imgui.same_line(left)
    caption(kind)
    imgui.same_line(left + em(KIND_EM))
    name = index.codes[found.name].short if found.kind == "function" else found.name
    imgui.text(name)
    end = imgui.get_item_rect_size().x + em(KIND_EM + 0.8)
    if end < width - em(3):
        imgui.same_line(left + end)
        caption(elide(doc.replace("\n", " "), width - end))


def _described(found: Found, index: KernelIndex) -> tuple[Subject, str, str]:
    """What a click shows, the kind as a word, and the meaning."""
    if found.kind == "stage":
        names = (index.codes[name].short for name in index.stages[found.name])
        return Subject(stage=found.name), "stage", ", ".join(names)
    if found.kind == "field":
        return Subject(field=found.name), "field", index.fields[found.name].doc
    code = index.codes[found.name]
    return Subject(function=found.name), "kernel" if code.is_kernel else "helper", code.doc


def draw_stages(snapshot: Snapshot, shown: CodeState, known: CodeAnswer) -> None:
    """The stages of a step in order, with their share of its time, and their kernels."""
    imgui.begin_child("stages")
    has_shares = bool(snapshot.run.stage_seconds)
    for stage, names in known.index.stages.items():
        used = any(name in known.used for name in names)
        share = stage_share(snapshot, stage)
        left = imgui.get_cursor_pos_x()
        with colour(imgui.Col_.text, theme.TEXT if used else theme.DIM):
            if imgui.selectable(f"{stage}##stage", False)[0]:
                shown.show(Subject(stage=stage))
        kernels = [known.index.codes[name].short for name in names]
        tooltip(", ".join(kernels) + ("" if used else "\nnot used by this model"))
        end = left + em(11)
        if has_shares:
            with font("mono", 0.9):
                text = f"{share:.0%}" if share is not None else ""
                imgui.same_line(end + em(SHARE_EM) - imgui.calc_text_size(text).x - em(0.4))
                caption(text)
            end += em(SHARE_EM)
        imgui.same_line(end)
        caption(elide(", ".join(kernels), imgui.get_content_region_avail().x))
    imgui.end_child()


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
        caption(f"writing the current state for {name} ...")
    elif asked.started:
        caption(f"{name} at {asked.time:.6g} s is in the debugger, in a separate terminal.")
    else:
        imgui.text(f"To debug {name} at {asked.time:.6g} s, run this in a terminal:")
    imgui.pop_text_wrap_pos()
    imgui.same_line(imgui.get_cursor_pos_x() + imgui.get_content_region_avail().x - em(1.6))
    if icon_button(icons.ICON_FA_XMARK, "forget debugger", "dismiss this", width=1.6):
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
    line = shlex.join(command)
    if icon_button(icons.ICON_FA_COPY, "copy command", "copy the command", width=1.9):
        imgui.set_clipboard_text(line)
        view.feedback.show_message("copied the command")
    imgui.same_line(0, em(0.2))
    with font("mono", 0.9):
        caption(
            elide(shlex.join([Path(command[0]).name, *command[1:]]), imgui.get_content_region_avail().x), framed=True
        )
    tooltip(line)
