"""Notices over the view: errors, progress, changed source code, a session that was cut short."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import partial

from imgui_bundle import icons_fontawesome_6 as icons
from imgui_bundle import imgui

from app.model.problem import Problem
from app.run.commands import Cancel, DismissProblem, Send
from app.run.log.links import named_line
from app.run.run_state import Progress
from app.ui import theme
from app.ui.notice import answers, copy_answer, notice, scrolled, text_width
from app.ui.widgets import button, caption, colour, elide, em
from app.view.feedback import Fault
from app.view.input import actions, session_actions
from app.view.input.bindings import BY_ACTION
from app.view.input.desk import Action
from app.view.view_state import ViewState

Bottom = tuple[float, float]
Act = Callable[[Action], None]
WRONG = icons.ICON_FA_TRIANGLE_EXCLAMATION


def problem_card(problem: Problem, send: Send, bottom: Bottom) -> None:
    """An error, shown until the user dismisses it."""
    with notice("##problem", bottom, theme.ERROR, f"{WRONG}  {problem.title}"):
        # title and buttons stay visible
        scrolled(problem.text, bottom[1] - em(8))
        line = named_line(problem.text)
        answers(
            *([("Open file", f"open {line}", line.open)] if line is not None and line.exists else []),
            copy_answer("problem", f"{problem.title}\n{problem.text}"),
            ("Dismiss", "close this card", lambda: send(DismissProblem())),
        )


def fault_card(view: ViewState, part: Hashable, fault: Fault, bottom: Bottom) -> None:
    """A part of the GUI has failed: its name, the error, and a button to try again."""
    with notice("##fault", bottom, theme.ERROR, f"{WRONG}  {part} failed and is hidden"):
        scrolled(fault.text, bottom[1] - em(8))
        answers(
            ("Try again##fault", "draw it again; the cause may be gone", partial(view.feedback.faults.pop, part)),
            copy_answer("fault", f"{part} failed\n{fault.text}"),
            (
                "Dismiss##fault",
                "close this card; the next model tries it again",
                partial(setattr, fault, "dismissed", True),
            ),
        )


def progress_card(progress: Progress, waiting: int, send: Send, bottom: Bottom) -> None:
    """Label, progress bar and a cancel button; what is under way, and how many edits wait for it."""
    with notice("##progress", bottom, theme.LINE):
        imgui.text(progress.label)
        if progress.total:
            fraction, text = progress.fraction, f"{progress.done} of {progress.total}"
        else:
            # ImGui animates an indeterminate bar when given a decreasing negative number
            fraction, text = -1.0 * imgui.get_time(), ""
        with colour(imgui.Col_.plot_histogram, (*theme.ACCENT[:3], 0.8)):
            imgui.progress_bar(fraction, (em(24), em(1.6)), text)
        imgui.same_line()
        key = "" if progress.total else "   Escape"
        if button("Cancel", f"cancel; kernels compiled so far are kept{key}"):
            send(Cancel())
        if progress.total:
            # always a line, so that the card keeps its height
            caption(elide(progress.detail or " ", text_width()))
        if progress.note:
            _wrapped(progress.note)
        if waiting:
            caption(f"{waiting} {'edit waits' if waiting == 1 else 'edits wait'} for it", tint=theme.ACCENT)


def _wrapped(text: str) -> None:
    """Grey text in the width of a card, which is as wide as what is in it."""
    theme.ensure_glyphs(text)
    imgui.push_text_wrap_pos(text_width())
    caption(text)
    imgui.pop_text_wrap_pos()


def source_card(view: ViewState, act: Act, bottom: Bottom) -> None:
    """The viewer's source code has changed: offer a restart."""
    changed, key = view.feedback.changed_source, BY_ACTION[actions.restart].trigger
    with notice("##source", bottom, theme.WARNING, f"{icons.ICON_FA_CODE}  {changed} has changed"):
        imgui.text("This window still runs the old code.")
        answers(
            ("Restart", f"restart with the same model, state, edits and view   {key}", partial(act, actions.restart)),
            ("Later", "close this card until the next change", partial(setattr, view.feedback, "changed_source", "")),
        )


def session_card(view: ViewState, act: Act, bottom: Bottom) -> None:
    """A session was cut short: offer to restore it."""
    title = f"{icons.ICON_FA_CLOCK_ROTATE_LEFT}  {view.feedback.offered}"
    with notice("##session", bottom, theme.WARNING, title):
        imgui.text("Its edits, state and view can be restored.")
        restore, discard = session_actions.restore_session, session_actions.discard_session
        answers(
            ("Restore##session", "open the model with its edits and state as they were", partial(act, restore)),
            ("Discard##session", "delete it for good", partial(act, discard)),
            ("Later##session", "ask again at the next start", partial(act, session_actions.offer_later)),
        )
