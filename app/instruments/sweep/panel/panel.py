"""The panel of the Sweep instrument: which of these values? Each with a small moving picture and numbers."""

from __future__ import annotations

from app.instruments.sweep.panel.form import form, inputs_text
from app.instruments.sweep.panel.grid import grid
from app.instruments.sweep.panel.measures import measures
from app.instruments.sweep.panel.results import best_place, results
from app.instruments.sweep.reel import state_at
from app.instruments.sweep.state import SweepState
from app.run.commands import Send
from app.run.history.branch_colours import branch_colour
from app.run.snapshot import Snapshot
from app.scene.ghost import Ghost
from app.ui import theme
from app.ui.widgets import caption, note
from app.view.view_state import ViewState

EMPTY = (
    "Choose a field of the model: each of several values is run from the moment that is shown, and gets a small "
    "moving picture and a row of numbers. Select an element to choose from its numbers."
)
SAME = "All values lead to the same motion: it does not depend on this number here."
# of the palette of branches
GHOST = 1


def sweep_panel(snapshot: Snapshot, view: ViewState, send: Send) -> None:
    """What is swept, and what came of it."""
    model, shown = snapshot.model, view.of(SweepState)
    if model is None:
        caption("no model")
        return
    shown.follow(snapshot)
    form(snapshot, view)
    if shown.choice is None:
        note(EMPTY)
        return
    found = shown.shown
    note(inputs_text(found, snapshot))
    measures(snapshot, view)
    if found is None:
        return
    if found.error:
        note(found.error, theme.ERROR)
        return
    if found.makes_no_difference:
        note(SAME, theme.WARNING)
    grid(snapshot, view, send, found, best_place(found, shown.measured(snapshot)))
    results(snapshot, view, send, found)
    _ghost(snapshot, view)


def _ghost(snapshot: Snapshot, view: ViewState) -> None:
    """The outcome that is chosen, over the model in the view."""
    shown = view.of(SweepState)
    outcome = shown.ghost
    if outcome is not None and outcome.frames and snapshot.state is not None:
        number = state_at(outcome, shown.ghost_time(float(snapshot.state.time)))
        view.instruments.show_ghost(Ghost(outcome.frames[number].state, branch_colour(GHOST)))
