"""The status line: time, rate, fps, step cost, contacts, rows, islands, awake trees; state, warnings, last message.

The state is what the run is doing. Warnings come from the engine and from reading the model.
"""

from __future__ import annotations

import re

import numpy as np
from imgui_bundle import icons_fontawesome_6 as icons
from imgui_bundle import imgui

from app.instruments.offer import offered
from app.model.views import StateView
from app.run.commands import DismissWarnings, Send
from app.run.history.divergence import FIELDS
from app.run.run_state import RunState
from app.run.snapshot import Snapshot
from app.ui import theme
from app.ui.quantities import si
from app.ui.widgets import caption, elide, em, font, tooltip
from app.view.input import actions
from app.view.input.bindings import hint
from app.view.view_state import ViewState
from app.window.panels.log import log_badge
from sim import ENGINE, enums
from sim.state import endless

WARNINGS = {
    enums.WARN_INERTIA: "singular inertia", enums.WARN_CONTACTFULL: "too many contacts",
    enums.WARN_CNSTRFULL: "too many constraints", enums.WARN_BADQPOS: "position diverged",
    enums.WARN_BADQVEL: "velocity diverged", enums.WARN_BADQACC: "acceleration diverged",
    enums.WARN_BADCTRL: "control not finite",
}  # fmt: skip
COUNTS = (
    ("ncon", "contacts", "contacts of the last step; ncon"),
    ("nefc", "constraints", "scalar constraints of the last step; nefc"),
    ("nisland", "islands", "groups of trees coupled by constraints; nisland"),
)
AWAKE, WHY_AWAKE = "awake trees; ntree_awake", "\nclick: why are they awake? Opens the Lens instrument"

# of the unsaved ones in a tooltip
MOST_EDITS = 20
# in front of the name of a file with its line
FOLDER = re.compile(r"^\S*/(?=[^/\s]+:\d+: )")


def status_line(snapshot: Snapshot, view: ViewState, send: Send) -> None:
    """Numbers on the left, text on the right."""
    run = snapshot.run
    theme.ensure_glyphs(view.feedback.message, *run.warnings)
    value, prefix = si(run.step_seconds)
    items: tuple[tuple[str, str], ...] = (
        (f"{run.time:9.3f} s", "simulated time"),
        (f"{run.rate:5.2f} x", f"{'recorded' if run.replaying else 'measured: simulated'} seconds per second"),
        (f"{view.feedback.fps:4.0f} fps{', script first' * bool(view.feedback.pace_note)}", _frames_hint(view)),
        (f"{value:>5} {prefix}s/step", "CPU time per step; with a script: CPU time per loop, excluding sleep"),
    )
    model, state = snapshot.model, snapshot.state
    if model is not None and model.engine not in ("", ENGINE):
        why = run.engine_note or "this model's engine, instead of Kinetoscope's own"
        items = ((model.engine, why), *items)
    if model is not None and state is not None:
        items += tuple((_counted(int(getattr(state, name, 0)), label), meaning) for name, label, meaning in COUNTS)
        awake = int(getattr(state, "ntree_awake", model.ntree))
        items += ((f"{awake}/{model.ntree} awake", AWAKE + WHY_AWAKE * offered("Lens")),)
    imgui.set_cursor_pos_y(imgui.get_cursor_pos_y() + em(0.05))
    state_text, tint, explained = _run_state(run, view)
    gap = em(1.4)
    # the state and the last message always fit; of the numbers, as many as fit next to them
    room = imgui.get_window_width() - min(imgui.calc_text_size(state_text).x, em(20)) - em(1)
    beside = view.feedback.message, _unsaved_text(view.ui.unsaved)
    room -= sum(imgui.calc_text_size(text).x + em(3) for text in beside if text)
    with font("mono", 0.95):
        for text, meaning in items:
            if text is not items[0][0] and imgui.get_cursor_pos_x() + imgui.calc_text_size(text).x + gap > room:
                break
            caption(text, meaning)
            if meaning.endswith(WHY_AWAKE) and imgui.is_item_clicked():
                view.instruments.open("Lens")
            imgui.same_line(0, gap)
    caption(elide(state_text, imgui.get_window_width() - imgui.get_cursor_pos_x() - em(1)), explained, tint)
    imgui.same_line(0, gap)
    if view.ui.unsaved:
        _unsaved(view.ui.unsaved)
    log_badge(view)
    if snapshot.state is not None:
        _counted_warnings(snapshot.state, run.divergences)
    if run.warnings:
        _last_warning(run.warnings, 0.5 if view.feedback.message else 1.0, send)
    left = imgui.get_window_width() - imgui.get_cursor_pos_x() - em(2)
    if view.feedback.message and left > em(4):
        message = elide(view.feedback.message, left)
        imgui.same_line(imgui.get_window_width() - imgui.calc_text_size(message).x - em(1))
        caption(message, view.feedback.message)


def _counted(number: int, label: str) -> str:
    """A count with its label, of equal width in singular and plural."""
    return f"{number:>3} {label}" if number != 1 else f"  1 {label[:-1]} "


def _run_state(run: RunState, view: ViewState) -> tuple[str, theme.Rgba, str]:
    """The state of the run, or of a film that is made of it: text, colour, tooltip."""
    if view.film is not None and view.film.progress:
        return view.film.progress, theme.ERROR, "a video of the past is being rendered   Escape stops it"
    if view.feedback.endless_seconds:
        text = f"computing for {view.feedback.endless_seconds:.0f} s: Escape stops it"
        return text, theme.WARNING, f"{text}\nthe solver or a collision may take more than {endless.MANY} iterations"
    if run.problem is not None:
        return run.problem.title, theme.ERROR, f"{run.problem.title}\n{run.problem.text}"
    if run.progress is not None:
        return run.progress.label, theme.WARNING, run.progress.label
    explained = hint(actions.play_pause)
    if run.paused:
        if run.history.at_head:
            return "paused", theme.TEXT, explained
        return "viewing the past", theme.WARNING, explained
    if run.sought_from >= 0:
        way = "back" if run.direction < 0 else "forward"
        text = f"searching {way} for a breakpoint: {100 * run.searched:.0f} %"
        return text, theme.ACCENT, f"{text}\n{explained}"
    return "replaying" if run.replaying else "running", theme.ACCENT, explained


def _unsaved_text(edits: tuple[str, ...]) -> str:
    return "1 unsaved edit" if len(edits) == 1 else f"{len(edits)} unsaved edits" * bool(edits)


def _unsaved(edits: tuple[str, ...]) -> None:
    """How many edits the file does not have; which, in the tooltip."""
    imgui.text_colored(theme.WARNING, _unsaved_text(edits))
    listed = (*edits[:MOST_EDITS], f"and {len(edits) - MOST_EDITS} more") if len(edits) > MOST_EDITS else edits
    tooltip("\n".join((*listed, hint(actions.save))))
    imgui.same_line(0, em(1.4))


def _frames_hint(view: ViewState) -> str:
    """The tooltip of fps, with the quality reduced for it."""
    reduced = f"; reduced to keep up: {view.feedback.quality_note}" if view.feedback.quality_note else ""
    pace = f"; {view.feedback.pace_note}" if view.feedback.pace_note else ""
    return f"frames drawn per second{reduced}{pace}"


def _last_warning(texts: tuple[str, ...], share: float, send: Send) -> None:
    """The last warning, in a share of the width left; all of them in its tooltip. A click dismisses them."""
    # the folder of a file would fill the line; the tooltip has it
    text = FOLDER.sub("", " ".join(texts[-1].split()))
    room = share * (imgui.get_window_width() - imgui.get_cursor_pos_x() - em(2))
    imgui.text_colored(theme.WARNING, elide(f"{icons.ICON_FA_TRIANGLE_EXCLAMATION}  {text}", room))
    tooltip("\n".join((*texts, "click to dismiss" if len(texts) == 1 else "click to dismiss all")))
    if imgui.is_item_clicked():
        send(DismissWarnings())
    imgui.same_line(0, em(1.4))


def _counted_warnings(state: StateView, divergences: int) -> None:
    """Counts of engine warnings since the last reset; for a run that resets itself, how often it diverged."""
    for kind in np.flatnonzero(state.warning.number).tolist():
        name, number = WARNINGS.get(kind, f"warning {kind}"), state.warning.number[kind]
        imgui.text_colored(theme.WARNING, f"{name} x {max(number, divergences) if kind in FIELDS else number}")
        tooltip(f"d.warning[{kind}], last info: {state.warning.lastinfo[kind]}; cleared by a reset")
        imgui.same_line(0, em(1.4))
