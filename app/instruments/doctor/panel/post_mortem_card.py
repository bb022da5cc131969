"""The card about a divergence: its last sane step, the culprits with their fixes, and which fixes holdd."""

from __future__ import annotations

from collections.abc import Sequence

from imgui_bundle import icons_fontawesome_6 as icons
from imgui_bundle import imgui

from app.instruments.doctor.divergence_examiner import Case, Examined
from app.instruments.doctor.finding import Finding, Fix, Severity
from app.instruments.doctor.post_mortem_state import PostMortemState
from app.instruments.doctor.trial import Verdict
from app.instruments.offer import offer
from app.model.problem import Problem
from app.run.commands import DismissProblem, GoTo, Send, SetField, SetFlag, TryFix
from app.run.fix import as_one
from app.run.snapshot import Snapshot
from app.ui import theme
from app.ui.notice import WIDTH_EM, notice
from app.ui.widgets import button, caption, colour, disabled, em, font, icon_button, same_line_if_fits, tooltip
from app.view.rect import Rect
from app.view.view_state import ViewState

# of the height of the view
MOST_HEIGHT = 0.6
# in less room than this it is not said again when and where it was
SUMMARY_EM = 18.0
LEAST_EM = 26.0
MARKS = {None: "", True: icons.ICON_FA_CIRCLE_CHECK, False: icons.ICON_FA_CIRCLE_XMARK}


def post_mortem_card(
    problem: Problem, snapshot: Snapshot, view: ViewState, send: Send, bottom: tuple[float, float], rect: Rect
) -> None:
    """A divergence, shown until the user dismisses it."""
    shown = view.of(PostMortemState)
    assert problem.moment is not None
    theme.ensure_glyphs(problem.title, problem.text)
    history = snapshot.run.history
    known_branch = problem.branch if any(b.id == problem.branch for b in history.branches) else history.branch
    case = Case(history.run, known_branch, problem.moment, history.line(known_branch)[0].first)
    known = shown.show(case)
    _turn(history.now, view)
    with notice("##problem", bottom, theme.ERROR):
        # within the view, unless that is too narrow to read in
        width = min(em(WIDTH_EM), max(rect.width - em(4), em(LEAST_EM)), imgui.get_io().display_size.x - em(4))
        top = imgui.get_cursor_pos_y()
        _title(problem, known, view, send, width)
        if not shown.folded:
            if MOST_HEIGHT * rect.height > em(SUMMARY_EM):
                _summary(problem, width)
            _buttons(problem, known, view, send)
            _progress(known, width)
            room = MOST_HEIGHT * rect.height - (imgui.get_cursor_pos_y() - top) - em(2)
            imgui.set_next_window_size_constraints((width, 0), (width, max(room, em(3))))
            imgui.begin_child("culprits", (width, 0), imgui.ChildFlags_.auto_resize_y)
            _culprits(known, view, send, width - imgui.get_style().scrollbar_size)
            imgui.end_child()


# ---- what is always there


def _title(problem: Problem, known: Examined, view: ViewState, send: Send, width: float) -> None:
    """The title, and buttons that fold and close the card."""
    start, state = imgui.get_cursor_pos_x(), view.of(PostMortemState)
    with font("bold"):
        caption(f"{icons.ICON_FA_BURST}  {problem.title}", tint=theme.ERROR, framed=True)
    survived = sum(verdict.survived for verdict in known.verdicts)
    if state.folded and known.verdicts:
        imgui.same_line()
        caption(f"{survived} of {len(known.verdicts)} fixes hold")
    imgui.same_line(start + width - em(6.6))
    if icon_button(icons.ICON_FA_COPY, "Copy", "copy all of this as text"):
        imgui.set_clipboard_text(_as_text(problem, known))
    imgui.same_line(0, em(0.2))
    icon = icons.ICON_FA_CHEVRON_UP if state.folded else icons.ICON_FA_CHEVRON_DOWN
    if icon_button(icon, "fold", "expand the card" if state.folded else "collapse the card to its title"):
        state.folded = not state.folded
    imgui.same_line(0, em(0.2))
    if icon_button(icons.ICON_FA_XMARK, "Dismiss", "close this card"):
        send(DismissProblem())


def _turn(now: int, view: ViewState) -> None:
    """Once the step is shown that was asked for: select the culprit, where it is then, and look at it."""
    shown = view.of(PostMortemState)
    if shown.turn is not None and shown.turn[0] == now:
        _, culprit = shown.turn
        shown.turn = None
        view.select(culprit.kind, culprit.index, fly=True)


def _summary(problem: Problem, width: float) -> None:
    """When it was, and which number was bad; what the engine did is a tooltip."""
    first, _, rest = problem.text.partition("\n")
    imgui.push_text_wrap_pos(imgui.get_cursor_pos_x() + width)
    with colour(imgui.Col_.text, theme.DIM):
        imgui.text_unformatted(first)
    imgui.pop_text_wrap_pos()
    tooltip(rest)


def _buttons(problem: Problem, known: Examined, view: ViewState, send: Send) -> None:
    """What can be done about it."""
    shown = view.of(PostMortemState)
    found, case = known.found, known.case
    assert case is not None
    sane = known.sane if found is not None else problem.moment or 0
    if imgui.button("Back to the last sane step"):
        send(GoTo(sane, case.branch))
        named = [f.selection for f in found.findings if f.selection.kind != "option"] if found is not None else []
        shown.turn = (sane, named[0]) if named else None
    when = f"step {sane}, at {found.time:.4g} s: " if found is not None else ""
    tooltip(
        f"{when}the last one before velocities grow explosively;\nthe first culprit is selected, the camera turns to it"
    )
    label = "Stop" if known.trying else "Try the fixes"
    same_line_if_fits(label)
    with disabled(found is None):
        if imgui.button(label):
            shown.end_trials, shown.begin_trials = known.trying, not known.trying
    tooltip(
        f"repeat the run from {known.seconds:.3g} s before with each fix on a copy of the model, in the background,\n"
        "and for a second longer than it lasted; nothing changes here"
    )
    for name, hint in (
        ("Forces", "where do the accelerations come from? In the current state"),
        ("Energy", "which source added the energy? Over the seconds before"),
        ("Doctor", "what else is wrong with this model?"),
    ):
        pressed = offer(view, name, hint, beside=True)
        if pressed and name == "Forces" and found is not None and found.findings:
            culprit = found.findings[0].selection
            view.select(culprit.kind, culprit.index)
    hint = "export the current state for a bug report: model, state, the steps before, a picture"
    if button("Report", hint, beside=True):
        view.export_wanted = "zip"


def _progress(known: Examined, width: float) -> None:
    """How far the trials are, or what came of them."""
    done, survived = len(known.verdicts), sum(verdict.survived for verdict in known.verdicts)
    if known.trying:
        with colour(imgui.Col_.plot_histogram, (*theme.ACCENT[:3], 0.8)):
            text = f"{min(done + 1, known.total)} of {known.total}" if done < known.total else "two at a time"
            imgui.progress_bar(min(done / max(known.total, 1), 1.0), (width, em(1.4)), text)
    elif done:
        imgui.text_colored(theme.ADDED if survived else theme.ERROR, f"{survived} of {done} fixes hold")
        imgui.same_line()
        how = "" if known.same_inputs else "; a script made these steps: repeated without it, controls held"
        caption(f"{known.seconds:.3g} s repeated, 1 s more{how}")
    elif not known.same_inputs:
        imgui.text_colored(theme.WARNING, "A script made these steps: trials repeat them without it, controls held.")


# ---- culprits


def _culprits(known: Examined, view: ViewState, send: Send, width: float) -> None:
    """The culprits, and what helps whatever the cause."""
    if known.error:
        imgui.text_wrapped(known.error)
        return
    if known.found is None:
        caption("searching for the cause …")
        return
    together = [verdict for verdict in known.verdicts if len(verdict.fixes) > 1]
    shown: set[tuple[SetField | SetFlag, ...]] = set()
    for rank, finding in enumerate(known.found.findings):
        imgui.push_id(rank)
        _finding(rank, finding, known, view, send, width, shown)
        imgui.pop_id()
    rest = [fix for fix in known.found.generic if fix.edits not in shown]
    _heading("Whatever the cause")
    for fix in _sorted(rest, known):
        _fix((fix,), known.verdict(fix), known, view, send, width)
    if together:
        _heading("Two at a time")
        for verdict in sorted(together, key=lambda verdict: not verdict.survived):
            _fix(verdict.fixes, verdict, known, view, send, width)


def _heading(text: str) -> None:
    imgui.dummy((0, em(0.15)))
    caption(text)


def _finding(
    rank: int,
    finding: Finding,
    known: Examined,
    view: ViewState,
    send: Send,
    width: float,
    shown: set[tuple[SetField | SetFlag, ...]],
) -> None:
    """A culprit: what it is, why it matters, and fixes."""
    if rank:
        imgui.dummy((0, em(0.15)))
    tint = theme.ERROR if finding.severity is Severity.ERROR else theme.WARNING
    imgui.text_colored(tint, f"{rank + 1}")
    imgui.same_line(0, em(0.6))
    start = imgui.get_cursor_pos_x()
    imgui.push_text_wrap_pos(width)
    with font("bold"):
        imgui.text_unformatted(finding.title[:1].upper() + finding.title[1:])
    _select(finding, view)
    imgui.set_cursor_pos_x(start)
    with colour(imgui.Col_.text, theme.DIM):
        imgui.text_unformatted(finding.why)
    imgui.pop_text_wrap_pos()
    fresh = [fix for fix in finding.fixes if fix.edits not in shown]
    shown.update(fix.edits for fix in fresh)
    for fix in _sorted(fresh, known):
        imgui.set_cursor_pos_x(start)
        _fix((fix,), known.verdict(fix), known, view, send, width)


def _select(finding: Finding, view: ViewState) -> None:
    """A click on the title selects the element."""
    if finding.selection.kind == "option":
        return
    if imgui.is_item_hovered():
        imgui.set_mouse_cursor(imgui.MouseCursor_.hand)
    if imgui.is_item_clicked():
        view.select(finding.selection.kind, finding.selection.index)
    tooltip("select it in the inspector")


def _sorted(fixes: Sequence[Fix], known: Examined) -> list[Fix]:
    """Those that survived first."""
    verdicts = {fix: known.verdict(fix) for fix in fixes}

    def order(fix: Fix) -> int:
        verdict = verdicts[fix]
        return 1 if verdict is None else 0 if verdict.survived else 2

    return sorted(fixes, key=order)


def _fix(
    fixes: tuple[Fix, ...], verdict: Verdict | None, known: Examined, view: ViewState, send: Send, width: float
) -> None:
    """A fix: a button that tries it in the run, its text, and what became of it."""
    edits = as_one(edit for fix in fixes for edit in fix.edits)
    text = " + ".join(fix.text for fix in fixes)
    case = known.case
    with disabled(not edits or case is None):
        if imgui.small_button(f"try##{text}") and case is not None:
            send(TryFix(known.start, case.branch, edits))
            view.of(PostMortemState).folded = True
    tooltip("go back a second and continue the run with it, on a new branch; the old run is kept")
    imgui.same_line()
    if verdict is not None:
        tint = theme.ADDED if verdict.survived else theme.ERROR
        imgui.text_colored(tint, MARKS[verdict.survived])
        imgui.same_line(0, em(0.4))
    imgui.push_text_wrap_pos(width)
    imgui.text_unformatted(text)
    imgui.pop_text_wrap_pos()
    if verdict is not None:
        place = width - imgui.calc_text_size(verdict.text).x
        if imgui.get_item_rect_max().x - imgui.get_window_pos().x + em(0.6) < place:
            imgui.same_line(place)
        else:
            imgui.set_cursor_pos_x(place)
        caption(verdict.text, _differs(verdict))


def _differs(verdict: Verdict) -> str:
    """How the motion compares with the one that was recorded."""
    if not verdict.survived:
        return "it did not last a second longer than the run that diverged"
    if verdict.differs < 1e-6:
        return "until the last sane step it moves as recorded"
    return f"at the last sane step it is {verdict.differs:.2g} rad or model sizes away from the recorded run"


def _as_text(problem: Problem, known: Examined) -> str:
    """All of the card as text."""
    lines = [problem.title, problem.text]
    if known.found is not None:
        lines.append(f"last sane step: {known.sane}, at {known.found.time:.4g} s")
        for rank, finding in enumerate(known.found.findings, 1):
            lines += [f"{rank}. {finding.title}", f"   {finding.why}"]
            for fix in finding.fixes:
                verdict = known.verdict(fix)
                lines.append(f"   - {fix.text}" + (f": {verdict.text}" if verdict is not None else ""))
        for fix in known.found.generic:
            verdict = known.verdict(fix)
            lines.append(f"- {fix.text}" + (f": {verdict.text}" if verdict is not None else ""))
    return "\n".join(lines)
