"""Tables of the bottom strip: contacts and constraint rows. They can be sorted; a click selects."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from imgui_bundle import imgui

from app.insight.contact_table import SLIP, contact_table
from app.model.selection import Selection, element_name
from app.panels.table import Column, table
from app.run.commands import Send
from app.run.snapshot import ModelView, Snapshot, StateView
from app.ui import theme
from app.ui.widgets import quantity
from app.view.view_state import ViewState

ROW_KINDS = (
    "equality", "dof friction", "tendon friction", "joint limit", "tendon limit", "contact", "contact, pyramid",
    "contact, cone",
)  # fmt: skip
# the kinds of elements that rows come from, and which of them each kind of row has; those of dof friction name a dof
SOURCE_KINDS = ("equality", "joint", "tendon", "contact")
SOURCE_SPAN = 1 << 32
ROW_SOURCES = (0, 1, 2, 1, 2, 3, 3, 3)
DOF_FRICTION = 1
ROW_STATES = ("satisfied", "quadratic", "linear -", "linear +", "cone")


def contacts_panel(snapshot: Snapshot, view: ViewState, _: Send) -> None:
    """The contacts of the step that ran; a click flies there."""
    model, state = snapshot.model, snapshot.state
    if model is None or state is None or not len(state.contact.dim):
        imgui.text_colored(theme.DIM, "no contacts")
        return
    contacts = contact_table(model, state)

    def geom_name(geom: int) -> str:
        return element_name(model, "geom", int(geom))

    columns = [
        Column("#", np.arange(len(contacts.state)), str, "number in d.contact", 3.0),
        Column("geom 1", contacts.geom1, geom_name, "contact.geom", 7.0),
        Column("geom 2", contacts.geom2, geom_name, "contact.geom", 7.0),
        Column("distance", contacts.distance, _in("m"), "contact.dist; negative: penetration"),
        Column("normal", contacts.normal, _in("N"), "normal force of the last step"),
        Column("friction", contacts.friction, _in("N"), "tangential force of the last step"),
        Column("slip", contacts.slip, _in("m/s"), "how fast the surfaces slide over each other", 6.0),
        Column("state", contacts.state, str, "open: carries nothing; stick; slip: at the edge of the cone", 4.5),
        Column("island", contacts.island, _or_none, "efc_island", 4.5),
    ]
    marked = _marked_contacts(view.selection, model, state, contacts.island)
    clicked = table("contacts", columns, marked, lambda row: _tint(contacts.state[row]), "select and look at it")
    if clicked is not None:
        view.select("contact", clicked, fly=True)


def rows_panel(snapshot: Snapshot, view: ViewState, _: Send) -> None:
    """The constraint rows of the step that ran; a click selects what a row comes from."""
    model, state = snapshot.model, snapshot.state
    if model is None or state is None or not len(state.efc_type):
        imgui.text_colored(theme.DIM, "no constraint rows")
        return
    kinds = np.asarray(state.efc_type)
    sources = _sources(model, state)
    island = np.asarray(state.efc_island if state.nisland else np.full(len(kinds), -1))
    columns = [
        Column("row", np.arange(len(kinds)), str, "number of the row", 3.0),
        Column("kind", np.array(ROW_KINDS)[kinds], str, "efc_type", 8.8),
        Column("from", sources, lambda code: _called(model, code), "efc_id", 7.0),
        Column("position", state.efc_pos, _short, "efc_pos: how far the constraint is violated", 5.6),
        Column("margin", state.efc_margin, _short, "efc_margin: where it begins", 5.6),
        Column("velocity", state.efc_vel, _short, "efc_vel: how fast the violation changes", 5.6),
        Column("aref", state.efc_aref, _short, "efc_aref: acceleration that the constraint wants", 5.6),
        Column("R", state.efc_R, _short, "efc_R: what keeps the row soft", 5.6),
        Column("force", state.efc_force, _short, "efc_force: N, or N m", 5.6),
        Column("state", np.array(ROW_STATES)[np.asarray(state.efc_state)], str, "efc_state", 5.0),
        Column("island", island, _or_none, "efc_island", 3.8),
    ]
    marked = (sources == _code(view.selection)) | ((island == _on_island(view.selection)) & (island >= 0))
    clicked = table("rows", columns, marked, lambda row: theme.TEXT, "select what the row comes from")
    if clicked is not None:
        chosen = _decoded(int(sources[clicked]))
        view.select(chosen.kind, chosen.index)


def _tint(state: str) -> theme.Rgba:
    """What slips is worth a look."""
    return theme.WARNING if state == SLIP else theme.TEXT


def _marked_contacts(selection: Selection | None, model: ModelView, state: StateView, island: Any) -> Any:
    """Contacts that have to do with the selection: it is one, or a geom, body or island in contact."""
    contacts = np.arange(len(state.contact.dim))
    geoms = np.asarray(state.contact.geom)
    if selection is None:
        return np.zeros(len(contacts), bool)
    if selection.kind == "contact":
        return contacts == selection.index
    if selection.kind == "geom":
        return (geoms == selection.index).any(axis=1)
    if selection.kind == "body":
        of_geoms = np.asarray(model.geom_bodyid)[np.maximum(geoms, 0)] == selection.index
        return (of_geoms & (geoms >= 0)).any(axis=1)
    return (island == _on_island(selection)) & (island >= 0)


def _on_island(selection: Selection | None) -> int:
    """The selected island, or -1."""
    return selection.index if selection is not None and selection.kind == "island" else -1


def _sources(model: ModelView, state: StateView) -> Any:
    """What each constraint row comes from, kind and number in one, so that it can be sorted."""
    kinds, index = np.array(ROW_SOURCES)[np.asarray(state.efc_type)], np.array(state.efc_id, np.int64)
    dofs = np.asarray(state.efc_type) == DOF_FRICTION
    index[dofs] = model.dof_jntid[index[dofs]]
    return kinds * SOURCE_SPAN + index


def _code(selection: Selection | None) -> int:
    """A selection as `_sources` writes it; -1 if no row can come from it."""
    known = selection is not None and selection.kind in SOURCE_KINDS
    return SOURCE_KINDS.index(selection.kind) * SOURCE_SPAN + selection.index if selection and known else -1


def _decoded(code: int) -> Selection:
    return Selection(SOURCE_KINDS[code // SOURCE_SPAN], code % SOURCE_SPAN)


def _called(model: ModelView, code: int) -> str:
    """The name of what a row comes from."""
    source = _decoded(int(code))
    return element_name(model, source.kind, source.index)


def _in(unit: str) -> Callable[[float], str]:
    """Numbers with a unit."""
    return lambda value: quantity(value, unit)


def _short(value: float) -> str:
    """A number without a unit that is as wide as all others."""
    return f"{value:.3e}" if value else "0"


def _or_none(index: int) -> str:
    return str(index) if index >= 0 else "-"
