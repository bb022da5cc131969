"""Entries of the command palette that set a number: `kp 200` of the selection, `timestep 0.001`, `speed 0.5`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial

import numpy as np

from app.model.angle_unit import field_unit, shown_unit
from app.model.editable import OPTIONS, Editable, of_kind, rows_of
from app.model.parameters import shown_parameters
from app.model.selection import Selection
from app.model.views import ModelView, StateView
from app.overlays.palette.entries import Entry
from app.run.commands import Send, SetSpeed
from app.run.linked_edits import set_alone, set_parameter
from app.run.snapshot import Snapshot
from app.run.step_clock import clamp_speed
from app.view.view_state import ViewState
from sim.enums import TRN_JOINT, TRN_JOINTINPARENT

# a name and a number, with some of the words that one may put around them
NUMBER = r"[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?"
TYPED = re.compile(rf"(?:set |edit )?\s*(\S.*?)\s*(?:=|:|\bto\b|\s)\s*({NUMBER})", re.IGNORECASE)


def typed_name(text: str) -> str:
    """The name before a number that is to be set; empty if there is none."""
    typed = TYPED.fullmatch(text.strip())
    return "" if typed is None else typed[1]


def typed_edits(snapshot: Snapshot, view: ViewState, send: Send, text: str) -> list[Entry]:
    """Entries for a text that ends with a number; the whole name comes before names that only begin so."""
    typed = TYPED.fullmatch(text.strip())
    if typed is None or snapshot.model is None or snapshot.state is None:
        return []
    found = _edits(snapshot, snapshot.model, snapshot.state, view, send, typed[1].lower(), float(typed[2]))
    return sorted(found, key=lambda entry: entry.name != typed[1].lower())


def _edits(
    snapshot: Snapshot,
    model: ModelView,
    state: StateView,
    view: ViewState,
    send: Send,
    wanted: str,
    number: float,
) -> Iterator[Entry]:
    """Parameters and fields of one number whose names begin so."""
    if "speed".startswith(wanted) and number > 0 and snapshot.run.paced:
        speed = clamp_speed(number)
        yield Entry(f"set speed to {speed:g} times real time", "Time", "", partial(send, SetSpeed(speed)), "speed")
    rows: list[tuple[Editable, tuple[int, ...], str]] = []
    for element in _meant(model, state, view.selection):
        kind, index, owner = element.kind, element.index, element.title(model, state)
        for parameter in shown_parameters(model, kind, index, snapshot.file_values):
            if parameter.name.lower().startswith(wanted):
                factor, unit = shown_unit(parameter.unit, view.prefs.degrees)
                title = _title(parameter.name, owner, parameter.legal(number / factor, model.read) * factor, unit)
                edit = set_parameter(parameter, number / factor, model)
                yield Entry(title, "Inspector", parameter.attribute, partial(send, edit), parameter.name)
        rows += [(row, places, owner) for row in of_kind(kind) if (places := rows_of(row, model, index))]
    for row, places, owner in [*rows, *((row, (), "") for row in OPTIONS)]:
        if row.widget in ("real", "count") and not row.is_vector and row.name.lower().startswith(wanted):
            # a number is in the unit that the panels show
            factor, unit = shown_unit(field_unit(row, model, places), view.prefs.degrees)
            value = row.accept(number / factor, model, places)
            title, edit = _title(row.name, owner, value * factor, unit), set_alone(row, places, 0, value)
            yield Entry(title, "Inspector" if owner else "Physics", row.attribute, partial(send, edit), row.name)


def _meant(model: ModelView, state: StateView, selection: Selection | None) -> list[Selection]:
    """The selection, and what moves it: a double-click selects a body, but damping is of its joints, kp of a servo."""
    if selection is None or not selection.exists(model, state):
        return []
    joints = [selection.index] if selection.kind == "joint" else []
    if selection.kind == "body":
        joints = np.flatnonzero(np.asarray(model.jnt_bodyid) == selection.index).tolist()
    driven = np.isin(model.actuator_trntype, (TRN_JOINT, TRN_JOINTINPARENT))
    actuators = np.flatnonzero(driven & np.isin(np.asarray(model.actuator_trnid)[:, 0], joints)).tolist()
    found = [Selection("joint", joint) for joint in joints] + [Selection("actuator", index) for index in actuators]
    return [selection, *(element for element in found if element != selection)]


def _title(name: str, owner: str, value: float, unit: str) -> str:
    """What an entry does."""
    return f"set {name}{f' of {owner}' if owner else ''} to {value:g}{f' {unit}' if unit else ''}"
