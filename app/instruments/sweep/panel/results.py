"""The table of a sweep: a row for each value, a column for each quantity, the best highlighted."""

from __future__ import annotations

import math
from functools import partial

import numpy as np
from imgui_bundle import imgui

from app.instruments.ab.open import compare_value
from app.instruments.offer import offered
from app.instruments.sweep.outcome import Outcome
from app.instruments.sweep.panel.grid import present
from app.instruments.sweep.quantities import DISTANCE, REDUCTIONS, Quantity, best_and_worst
from app.instruments.sweep.state import SweepState
from app.instruments.sweep.worker import Sweep
from app.run.commands import Send
from app.run.snapshot import Snapshot
from app.ui import theme
from app.ui.tables.column import Column
from app.ui.tables.frame import cell
from app.ui.tables.table import Look, table
from app.ui.widgets import button, caption, em
from app.view.view_state import ViewState

TABLE = "sweep"
MOST_ROWS = 12
SPEED = "simulated seconds in a second of one core"


def results(snapshot: Snapshot, view: ViewState, send: Send, found: Sweep) -> None:
    """The table; a click on a row shows its outcome as a ghost."""
    request, shown, model = found.request, view.of(SweepState), snapshot.model
    assert request is not None and model is not None
    places = range(len(request.task.values))
    # a name is that of one column
    quantities = {quantity.name: quantity for quantity in shown.measured(snapshot)}.values()
    columns = [
        Column("value", np.array(request.task.values), request.task.choice.text, request.task.choice.label, tip=None),
        *(_quantity(snapshot, found, quantity) for quantity in quantities),
        Column(
            "real-time factor", np.array([_outcome(found, k).real_time_factor for k in places]), hint=SPEED, unit="x",
            tip=lambda k: _speed(_outcome(found, k)), draw=partial(_draw, found, -1, -1),
        ),
        Column("outcome", np.array([_state(found, k) for k in places]), hint="whether it diverged, and when"),
    ]  # fmt: skip
    height = min(len(places), MOST_ROWS) + 1
    look = Look(
        hint=lambda k: _row_hint(found, k),
        tint=lambda k: theme.ACCENT if present(found, model, k) else theme.TEXT,
        height=height * (imgui.get_text_line_height() + 2 * imgui.get_style().cell_padding.y)
        + imgui.get_style().scrollbar_size
        + em(0.4),
    )
    marked = np.array([place == shown.chosen for place in places])
    clicked = table(view, TABLE, columns, look, request, marked, scroll=False)
    if clicked is not None and clicked in found.outcomes:
        shown.chosen = -1 if shown.chosen == clicked else clicked
    _actions(view, send, found)


def best_place(found: Sweep, quantities: tuple[Quantity, ...]) -> int:
    """The best value by the first quantity that has a goal, or -1."""
    for quantity in quantities:
        if quantity.goal:
            return best_and_worst(_numbers(found, quantity), quantity.goal)[0]
    return -1


def _actions(view: ViewState, send: Send, found: Sweep) -> None:
    """What can be done with the value that is chosen."""
    shown, request = view.of(SweepState), found.request
    assert request is not None
    if shown.chosen not in found.outcomes:
        caption("Click a picture or a row to see it as a ghost.")
        return
    words = request.task.choice.text(request.task.values[shown.chosen])
    if button(f"Take {words}", f"set {request.task.choice.label}; Ctrl+Z takes it back"):
        send(shown.edit(shown.chosen))
    hint = "go to the start of the sweep, take the value there, and continue the run on a branch of its own"
    if button("Continue from the start", hint, beside=True):
        send(shown.go_on(shown.chosen))
    hint = "compare this value with the run, from the current step on"
    if offered("A/B") and button("A/B", hint, beside=True):
        compare_value(view, request.task.choice, request.task.values[shown.chosen])


def _quantity(snapshot: Snapshot, found: Sweep, quantity: Quantity) -> Column:
    """The column of a quantity."""
    assert snapshot.model is not None
    values = _numbers(found, quantity)
    best, worst = best_and_worst(values, quantity.goal)
    far = "how far a body is from where it is with the present value"
    what = far if quantity.expression == DISTANCE else quantity.expression
    return Column(
        quantity.name, values, hint=f"{what}\n{REDUCTIONS[quantity.reduction]}",
        unit=quantity.unit(snapshot.model), tip=partial(_why, found, quantity, values),
        draw=partial(_draw, found, best, worst),
    )  # fmt: skip


def _draw(found: Sweep, best: int, worst: int, row: int, text: str) -> None:
    """A number, coloured if it is the best or the worst."""
    missing = "nan" in text
    tint = theme.ADDED if row == best else theme.WARNING if row == worst else theme.TEXT
    cell("–".rjust(len(text)) if missing else text, theme.DIM if missing else tint, True)


def _why(found: Sweep, quantity: Quantity, values: np.ndarray, row: int) -> str:
    """The number in full, or why there is none."""
    if math.isfinite(values[row]):
        return f"{quantity.name}: {values[row]:.8g}"
    outcome = found.outcomes.get(row)
    if outcome is None or outcome.error:
        return _state(found, row)
    curve = outcome.curves.get(quantity.expression)
    if curve is None:
        return "run again to compute it" if found.done else "comes when all values are done"
    return _state(found, row) if outcome.has_diverged else curve.reason or "no value"


def _numbers(found: Sweep, quantity: Quantity) -> np.ndarray:
    assert found.request is not None
    places = range(len(found.request.task.values))
    return np.array([_outcome(found, place).number(quantity) for place in places])


def _outcome(found: Sweep, place: int) -> Outcome:
    assert found.request is not None
    return found.outcomes.get(place) or Outcome(found.request.task.values[place])


def _state(found: Sweep, place: int) -> str:
    """How a value went, in a few words."""
    outcome = found.outcomes.get(place)
    if outcome is None:
        return f"{100 * found.shares[place]:.0f} %" if found.running else "not run"
    if outcome.error:
        return outcome.error
    return f"diverged at {outcome.diverged:.4g} s" if outcome.has_diverged else "ok"


def _speed(outcome: Outcome) -> str:
    if not outcome.step_seconds > 0:
        return "not known"
    return f"{1e6 * outcome.step_seconds:.4g} µs for a step of {1e3 * outcome.timestep:.4g} ms, {outcome.steps} steps"


def _row_hint(found: Sweep, place: int) -> str:
    assert found.request is not None
    outcome = found.outcomes.get(place)
    why = f": {outcome.divergence}" if outcome is not None and outcome.has_diverged else ""
    first = found.request.task.values[place] == found.request.present
    start = "\nthe value at the start, from which distances are measured" if first else ""
    return f"{found.request.task.choice.label}: {_state(found, place)}{why}{start}\nclick: show it as a ghost"
