"""Entries of the command palette that set a number: `kp 200` of the selection, `timestep 0.001`, `gravity z -5`.

Of elements there is one entry for all that have such a number too, or for those whose names have what is typed behind
it: `kp finger 200`. That is one edit, and one undo.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import partial

import numpy as np

from app.model.angle_unit import field_unit, shown_unit
from app.model.editable import OPTIONS, Editable, of_kind, rows_of
from app.model.file_diff import counted
from app.model.parameters import TABLE, shown_parameters
from app.model.selection import COUNTS, Selection
from app.model.views import ModelView, StateView
from app.run.commands import Send, SetField, SetSpeed
from app.run.linked_edits import set_alone, set_parameter
from app.run.snapshot import Snapshot
from app.run.step_clock import clamp_speed
from app.view.view_state import ViewState
from app.window.overlays.palette.entries import Entry
from sim.enums import TRN_JOINT, TRN_JOINTINPARENT

# a name and a number, with some of the words that one may put around them
NUMBER = r"[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?"
TYPED = re.compile(rf"(?:set |edit )?\s*(\S.*?)\s*(?:=|:|\bto\b|\s)\s*({NUMBER})", re.IGNORECASE)
# of more elements, one entry for all of them would take long to make in every turn
MOST_ELEMENTS = 2000

# an edit, the value as it is shown, and its unit
Shown = tuple[SetField, float, str]


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
    for element in _meant(model, state, view.selection):
        for name, attribute, edit, value, unit in _numbers_of(element, snapshot, model, view, number):
            # the numbers of vectors only if one is meant
            if name.lower().startswith(wanted) and (" " in wanted or " " not in name):
                title = _title(name, element.title(model, state), value, unit)
                yield Entry(title, "Inspector", attribute, partial(send, edit), name)
    for row in OPTIONS:
        for at, name in enumerate(_row_names(row)):
            if name.lower().startswith(wanted):
                value = row.accept(number, model, (), at)
                title, edit = _title(name, "", value, row.unit(model, ())), set_alone(row, (), at, value)
                yield Entry(title, "Physics", row.attribute, partial(send, edit), name)
    yield from _of_all(snapshot, model, state, view, send, wanted, number)


def _numbers_of(
    element: Selection, snapshot: Snapshot, model: ModelView, view: ViewState, number: float
) -> Iterator[tuple[str, str, SetField, float, str]]:
    """The single numbers of an element: name, attribute, the edit that sets it, its new value as it is shown, and its
    unit; the number is in that unit."""
    for parameter in shown_parameters(model, element.kind, element.index, snapshot.file_values):
        factor, unit = shown_unit(parameter.unit, view.prefs.degrees)
        legal = parameter.legal(number / factor, model.read)
        yield parameter.name, parameter.attribute, set_parameter(parameter, legal, model), legal * factor, unit
    for row in of_kind(element.kind):
        places = rows_of(row, model, element.index)
        for at, name in enumerate(_row_names(row) if places else ()):
            factor, unit = shown_unit(field_unit(row, model, places), view.prefs.degrees)
            value = row.accept(number / factor, model, places, at if row.is_vector else None)
            yield name, row.attribute, set_alone(row, places, at, value), value * factor, unit


def _row_names(row: Editable) -> list[str]:
    """What the numbers of a field are called, those that can be typed."""
    if row.widget not in ("real", "count"):
        return []
    return [f"{row.name} {component}" for component in row.components] if row.is_vector else [row.name]


def _of_all(
    snapshot: Snapshot, model: ModelView, state: StateView, view: ViewState, send: Send, wanted: str, number: float
) -> Iterator[Entry]:
    """One edit of all elements of a type that have the number, or of those whose names have the words behind it."""
    for kind, names in NAMES.items():
        name = max((name for name in names if f"{wanted} ".startswith(f"{name} ")), key=len, default="")
        count, words = int(getattr(model, COUNTS[kind])), wanted[len(name) :].split()
        if not name or count > MOST_ELEMENTS:
            continue
        elements = [Selection(kind, index) for index in range(count)]
        if words:
            elements = [one for one in elements if all(word in one.title(model, state).lower() for word in words)]
        every = (each for one in elements for each in _numbers_of(one, snapshot, model, view, number))
        found = [each for each in every if each[0].lower() == name]
        if len(found) > 1:
            shared = {(value, unit) for *_, value, unit in found}
            value, unit = shared.pop() if len(shared) == 1 else (number, "")
            which = f"{'the ' if words else 'all '}{counted(len(found), kind)}"
            which += f" with “{' '.join(words)}”" if words else ""
            edit = _together(edit for _, _, edit, *_ in found)
            yield Entry(_title(found[0][0], which, value, unit), "Inspector", found[0][1], partial(send, edit), name)


def _together(edits: Iterable[SetField]) -> SetField:
    """One edit for several."""
    first, *others = (replace(part, also=()) for edit in edits for part in (edit, *edit.also))
    return replace(first, also=tuple(others))


# type of element -> names of the numbers that one may have, in small letters
NAMES = {
    kind: {name.lower() for row in of_kind(kind) for name in _row_names(row)}
    | {row.name.lower() for group in groups for row in TABLE[group]}
    for kind, groups in (
        ("actuator", [group for group in TABLE if group != "joint"]), ("joint", ["joint"]), ("tendon", []),
        ("geom", []), ("body", []), ("site", []), ("equality", []), ("pair", []),
    )
}  # fmt: skip


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
