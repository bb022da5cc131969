"""Notices over the view: cards for errors and for changed source code, a progress bar."""

from __future__ import annotations

from collections.abc import Callable, Hashable

from imgui_bundle import icons_fontawesome_6 as icons
from imgui_bundle import imgui

from app.model.problem import Problem
from app.run.commands import Cancel, DismissProblem, Send
from app.run.log.links import named_line
from app.run.run_state import Progress
from app.ui import theme
from app.ui.notice import WIDTH_EM, begin_notice, scrolled
from app.ui.widgets import colour, elide, em, font, tooltip
from app.view.feedback import Fault
from app.view.input import actions, session_actions
from app.view.input.bindings import BY_ACTION
from app.view.input.desk import Action
from app.view.view_state import ViewState


def problem_card(problem: Problem, send: Send, bottom: tuple[float, float]) -> None:
    """An error, shown until the user dismisses it."""
    theme.ensure_glyphs(problem.title, problem.text)
    begin_notice("##problem", bottom, theme.ERROR)
    with font("bold"):
        imgui.text_colored(theme.ERROR, f"{icons.ICON_FA_TRIANGLE_EXCLAMATION}  {problem.title}")
    # title and buttons stay visible
    scrolled(problem.text, bottom[1] - em(8))
    imgui.dummy((0, em(0.2)))
    line = named_line(problem.text)
    if line is not None and line.exists:
        if imgui.button("Open file"):
            line.open()
        tooltip(f"open {line}")
        imgui.same_line()
    if imgui.button("Copy"):
        imgui.set_clipboard_text(f"{problem.title}\n{problem.text}")
    tooltip("copy this text to the clipboard")
    imgui.same_line()
    if imgui.button("Dismiss"):
        send(DismissProblem())
    tooltip("close this card")
    imgui.end()


def fault_card(view: ViewState, part: Hashable, fault: Fault, bottom: tuple[float, float]) -> None:
    """A part of the GUI has failed: its name, the error, and a button to try again."""
    begin_notice("##fault", bottom, theme.ERROR)
    with font("bold"):
        imgui.text_colored(theme.ERROR, f"{icons.ICON_FA_TRIANGLE_EXCLAMATION}  {part} failed and is hidden")
    scrolled(fault.text, bottom[1] - em(8))
    imgui.dummy((0, em(0.2)))
    if imgui.button("Try again##fault"):
        del view.feedback.faults[part]
    tooltip("draw it again; the cause may be gone")
    imgui.same_line()
    if imgui.button("Copy##fault"):
        imgui.set_clipboard_text(f"{part} failed\n{fault.text}")
    tooltip("copy this text to the clipboard")
    imgui.same_line()
    if imgui.button("Dismiss##fault"):
        fault.dismissed = True
    tooltip("close this card; the next model tries again")
    imgui.end()


def progress_card(progress: Progress, waiting: int, send: Send, bottom: tuple[float, float]) -> None:
    """Label, progress bar and a cancel button; what is under way, and how many edits wait for it."""
    begin_notice("##progress", bottom, theme.LINE)
    imgui.text(progress.label)
    if progress.total:
        fraction, text = progress.fraction, f"{progress.done} of {progress.total}"
    else:
        # ImGui animates an indeterminate bar when given a decreasing negative number
        fraction, text = -1.0 * imgui.get_time(), ""
    with colour(imgui.Col_.plot_histogram, (*theme.ACCENT[:3], 0.8)):
        imgui.progress_bar(fraction, (em(24), em(1.6)), text)
    imgui.same_line()
    if imgui.button("Cancel"):
        send(Cancel())
    tooltip("cancel; kernels compiled so far are kept")
    width = min(em(WIDTH_EM), imgui.get_io().display_size.x - em(4))
    if progress.total:
        # always a line, so that the card keeps its height
        imgui.text_colored(theme.DIM, elide(progress.detail or " ", width))
    if progress.note:
        imgui.push_text_wrap_pos(width)
        imgui.text_colored(theme.DIM, progress.note)
        imgui.pop_text_wrap_pos()
    if waiting:
        imgui.text_colored(theme.ACCENT, f"{waiting} {'edit waits' if waiting == 1 else 'edits wait'} for it")
    imgui.end()


def source_card(view: ViewState, act: Callable[[Action], None], bottom: tuple[float, float]) -> None:
    """The viewer's source code has changed: offer a restart."""
    theme.ensure_glyphs(view.feedback.changed_source)
    begin_notice("##source", bottom, theme.WARNING)
    with font("bold"):
        imgui.text_colored(theme.WARNING, f"{icons.ICON_FA_CODE}  {view.feedback.changed_source} has changed")
    imgui.text("This window still runs the old code.")
    imgui.dummy((0, em(0.2)))
    if imgui.button("Restart"):
        act(actions.restart)
    tooltip(f"restart with the same model, state, edits and view   {BY_ACTION[actions.restart].trigger}")
    imgui.same_line()
    if imgui.button("Later"):
        view.feedback.changed_source = ""
    tooltip("close this card until the next change")
    imgui.end()


def session_card(view: ViewState, act: Callable[[Action], None], bottom: tuple[float, float]) -> None:
    """A session was cut short: offer to restore it."""
    theme.ensure_glyphs(view.feedback.offered)
    begin_notice("##session", bottom, theme.WARNING)
    with font("bold"):
        imgui.text_colored(theme.WARNING, f"{icons.ICON_FA_CLOCK_ROTATE_LEFT}  {view.feedback.offered}")
    imgui.text("Its edits, state and view can be restored.")
    imgui.dummy((0, em(0.2)))
    for label, action, hint in (
        ("Restore", session_actions.restore_session, "open the model with its edits, in its last state"),
        ("Discard", session_actions.discard_session, "delete it for good"),
        ("Later", session_actions.offer_later, "ask again at the next start"),
    ):
        if imgui.button(f"{label}##session"):
            act(action)
        tooltip(hint)
        imgui.same_line()
    imgui.end()
