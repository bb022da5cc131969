"""The panel of the A/B instrument: what B is, how far it is from A, quantities in both, and what to do with it."""

from __future__ import annotations

from imgui_bundle import icons_fontawesome_6 as icons
from imgui_bundle import imgui

from app.instruments.ab.found import Found
from app.instruments.ab.panel.distance import distance
from app.instruments.ab.panel.quantities import quantities
from app.instruments.ab.panel.subject import edited_copy, other_branch, other_file
from app.instruments.ab.panel.take import take_buttons
from app.instruments.ab.state import KINDS, AbState, ghost_state
from app.instruments.ab.subject import EditedCopy, OtherBranch
from app.run.commands import Send
from app.run.history.branch_colours import BRANCH_COLOURS
from app.run.snapshot import Snapshot
from app.scene.ghost import Ghost
from app.ui import theme
from app.ui.widgets import button, caption, choice_heading, icon_button, note, tooltip
from app.view.view_state import ViewState

NOTHING = "Choose what differs in B. It starts from the state of A and goes on with the same controls and pulls."


def ab_panel(snapshot: Snapshot, view: ViewState, send: Send) -> None:
    """All of it."""
    model, state, shown = snapshot.model, snapshot.state, view.of(AbState)
    if model is None or state is None:
        caption("no model")
        return
    _kinds(snapshot, view)
    found = shown.ask(snapshot)
    if shown.subject is None:
        note(NOTHING)
        return
    _start(found, snapshot, view)
    if found is not None and found.error:
        note(found.error, theme.ERROR)
        return
    take_buttons(snapshot, view, send)
    imgui.spacing()
    if found is None or not len(found.times):
        note((found.doing if found is not None else "") or "computing ...")
    else:
        if found.ended:
            note(found.ended, theme.WARNING)
        if found.matched[0] < found.matched[1]:
            note(f"{found.matched[0]} of A's {found.matched[1]} bodies are in B, by name", theme.WARNING)
        distance(found, snapshot, view, send)
    quantities(found, snapshot, view, send)
    if shown.ghost and found is not None and found.shown is not None:
        view.instruments.show_ghost(Ghost(ghost_state(found.shown, state), BRANCH_COLOURS[1]))


def _kinds(snapshot: Snapshot, view: ViewState) -> None:
    """The choice between kinds of B, and the widgets of the one that is chosen."""
    shown = view.of(AbState)
    before = shown.kind
    shown.kind = choice_heading("compare with", KINDS, before, "what A, the simulation, is compared with", "ab kind")
    if shown.kind != before:
        shown.compare(None)
    if shown.kind == 0:
        edited_copy(shown.subject if isinstance(shown.subject, EditedCopy) else EditedCopy(), snapshot, view)
    elif shown.kind == 1:
        other_file(snapshot, view)
    else:
        other_branch(snapshot, view)


def _start(found: Found | None, snapshot: Snapshot, view: ViewState) -> None:
    """From when on, and the ghost."""
    shown, timeline = view.of(AbState), snapshot.run.history
    if not isinstance(shown.subject, OtherBranch):
        if button("From here", "start B again, from the state that is shown"):
            shown.since = timeline.now
        imgui.same_line()
    if icon_button(icons.ICON_FA_GHOST, "ab ghost", "show B as a ghost", shown.ghost):
        shown.ghost = not shown.ghost
    imgui.same_line()
    imgui.align_text_to_frame_padding()
    reached = f" to {found.times[-1]:.5g} s" if found is not None and len(found.times) else ""
    imgui.text_colored(theme.DIM, f"{timeline.time_of(shown.since or 0):.5g} s{reached}")
    tooltip("B starts from the state that A had then, and goes as far as A was simulated")
