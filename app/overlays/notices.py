"""Notices over the view: cards for errors and for changed source, a bar for long work."""

from __future__ import annotations

from collections.abc import Callable, Hashable

from imgui_bundle import icons_fontawesome_6 as icons
from imgui_bundle import imgui

from app.input import actions
from app.input.bindings import BY_ACTION
from app.input.desk import Action
from app.insight.diagnosis import Suspect, suspects
from app.run.commands import Cancel, DismissProblem, GoTo, Send
from app.run.run_state import Problem, Progress
from app.run.snapshot import Snapshot
from app.ui import theme
from app.ui.widgets import colour, elide, em, font, quantity, tooltip
from app.view.feedback import Fault
from app.view.view_state import ViewState

FLAGS = (
    imgui.WindowFlags_.no_decoration
    | imgui.WindowFlags_.no_docking
    | imgui.WindowFlags_.no_move
    | imgui.WindowFlags_.always_auto_resize
    | imgui.WindowFlags_.no_saved_settings
    | imgui.WindowFlags_.no_focus_on_appearing
)
WIDTH_EM = 40.0


def problem_card(
    problem: Problem, snapshot: Snapshot, view: ViewState, send: Send, bottom: tuple[float, float]
) -> None:
    """What went wrong, in words, until the user dismisses it."""
    theme.ensure_glyphs(problem.title, problem.text)
    _begin("##problem", bottom, theme.ERROR)
    with font("bold"):
        imgui.text_colored(theme.ERROR, f"{icons.ICON_FA_TRIANGLE_EXCLAMATION}  {problem.title}")
    found = _suspects(problem, snapshot)
    # title, buttons and suspects stay in sight
    lines = len(found) + 1 if found else 0
    _scrolled(problem.text, bottom[1] - em(8) - lines * imgui.get_text_line_height_with_spacing())
    imgui.dummy((0, em(0.2)))
    if found:
        _list(found, view)
    if problem.moment is not None:
        if imgui.button("Go to the step before"):
            send(GoTo(problem.moment))
        tooltip("the last moment before it went wrong, on the timeline")
        imgui.same_line()
    if imgui.button("Copy"):
        imgui.set_clipboard_text(f"{problem.title}\n{problem.text}")
    tooltip("copy these words to the clipboard")
    imgui.same_line()
    if imgui.button("Dismiss"):
        send(DismissProblem())
    tooltip("close this card; nothing else changes")
    imgui.end()


def _suspects(problem: Problem, snapshot: Snapshot) -> list[Suspect]:
    """Who may be to blame, once a moment before the divergence is shown."""
    if problem.moment is None or snapshot.model is None or snapshot.state is None:
        return []
    before = snapshot.run.paused and snapshot.run.history.now <= problem.moment
    return suspects(snapshot.model, snapshot.state) if before else []


def _list(found: list[Suspect], view: ViewState) -> None:
    """Suspects, to be selected."""
    imgui.text_colored(theme.DIM, "What accelerates its joint most in this step:")
    width = min(em(WIDTH_EM), imgui.get_io().display_size.x - em(4))
    for n, suspect in enumerate(found):
        words = elide(f"{suspect.words}: {quantity(abs(suspect.force), suspect.unit)}", width)
        if imgui.text_link(f"{words}##suspect {n}"):
            view.select(suspect.selection.kind, suspect.selection.index)
        tooltip("select it, to see it and to change it in the inspector")
    imgui.dummy((0, em(0.2)))


def _scrolled(text: str, most: float) -> None:
    """A text as high as it is, `most` pixels at most."""
    width = min(em(WIDTH_EM), imgui.get_io().display_size.x - em(4))
    with font("mono"):
        high = imgui.calc_text_size(text, wrap_width=width - em(1)).y
        imgui.begin_child("text", (width, min(high, max(most, em(3)))), window_flags=imgui.WindowFlags_.no_nav_inputs)
        imgui.push_text_wrap_pos(width - em(1))
        imgui.text_unformatted(text)
        imgui.pop_text_wrap_pos()
        imgui.end_child()


def fault_card(view: ViewState, part: Hashable, fault: Fault, bottom: tuple[float, float]) -> None:
    """A part of the window has failed: which, why, and a way to have it back."""
    _begin("##fault", bottom, theme.ERROR)
    with font("bold"):
        imgui.text_colored(theme.ERROR, f"{icons.ICON_FA_TRIANGLE_EXCLAMATION}  {part} failed and is hidden")
    _scrolled(fault.text, bottom[1] - em(8))
    imgui.dummy((0, em(0.2)))
    if imgui.button("Try again##fault"):
        del view.feedback.faults[part]
    tooltip("draw it again: what it failed at may be over")
    imgui.same_line()
    if imgui.button("Copy##fault"):
        imgui.set_clipboard_text(f"{part} failed\n{fault.text}")
    tooltip("copy these words to the clipboard")
    imgui.same_line()
    if imgui.button("Dismiss##fault"):
        fault.dismissed = True
    tooltip("close this card; the part is tried again with the next model")
    imgui.end()


def progress_card(progress: Progress, send: Send, bottom: tuple[float, float]) -> None:
    """What is being done, how far it is, and a way out."""
    _begin("##progress", bottom, theme.LINE)
    imgui.text(progress.label)
    if progress.total:
        fraction, text = progress.fraction, f"{progress.done} of {progress.total}"
    else:
        # ImGui moves a bar of unknown length when given a growing negative number
        fraction, text = -1.0 * imgui.get_time(), ""
    with colour(imgui.Col_.plot_histogram, (*theme.ACCENT[:3], 0.8)):
        imgui.progress_bar(fraction, (em(24), em(1.6)), text)
    imgui.same_line()
    if imgui.button("Cancel"):
        send(Cancel())
    tooltip("stop waiting for it; what is compiled so far is kept")
    imgui.end()


def source_card(view: ViewState, act: Callable[[Action], None], bottom: tuple[float, float]) -> None:
    """The program's own source has changed: who changes a kernel wants to see what it does."""
    theme.ensure_glyphs(view.feedback.changed_source)
    _begin("##source", bottom, theme.WARNING)
    with font("bold"):
        imgui.text_colored(theme.WARNING, f"{icons.ICON_FA_CODE}  {view.feedback.changed_source} has changed")
    imgui.text("This window still runs the program as it was when it started.")
    imgui.dummy((0, em(0.2)))
    if imgui.button("Start anew"):
        act(actions.restart)
    tooltip(f"with the same model, state, edits and view   {BY_ACTION[actions.restart].trigger}")
    imgui.same_line()
    if imgui.button("Later"):
        view.feedback.changed_source = ""
    tooltip("close this card; another one comes with the next change")
    imgui.end()


def _begin(name: str, bottom: tuple[float, float], edge: theme.Rgba) -> None:
    # about the middle of the picture, and inside the window
    half, width = min(em(WIDTH_EM + 3), imgui.get_io().display_size.x) / 2, imgui.get_io().display_size.x
    x = min(max(bottom[0], half), width - half)
    imgui.set_next_window_pos((x, bottom[1]), imgui.Cond_.always, (0.5, 1.0))
    imgui.push_style_color(imgui.Col_.border, edge)
    imgui.push_style_color(imgui.Col_.window_bg, theme.FLOAT)
    imgui.push_style_var(imgui.StyleVar_.window_padding, (em(1.1), em(0.9)))
    imgui.begin(name, None, FLAGS)
    # of the card, not of what comes up over it
    imgui.pop_style_var()
    imgui.pop_style_color(2)
