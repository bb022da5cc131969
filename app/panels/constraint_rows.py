"""The Rows panel: a sortable table of constraint rows. A click selects where a row comes from."""

from __future__ import annotations

from typing import Any

import numpy as np
from imgui_bundle import imgui

from app.model.selection import Selection
from app.model.views import ModelView, StateView
from app.panels.table import Column, table
from app.run.commands import Send
from app.run.snapshot import Snapshot
from app.ui import theme
from app.view.view_state import ViewState
from sim.analysis.element_names import element_name

ROW_TYPES = (
    "equality", "dof friction", "tendon friction", "joint limit", "tendon limit", "contact", "contact, pyramid",
    "contact, cone",
)  # fmt: skip
# element types that rows come from, and the one of each row type; dof friction has the id of a dof
SOURCE_TYPES = ("equality", "joint", "tendon", "contact")
SOURCE_SPAN = 1 << 32
ROW_SOURCES = (0, 1, 2, 1, 2, 3, 3, 3)
DOF_FRICTION = 1
ROW_STATES = ("satisfied", "quadratic", "linear -", "linear +", "cone")


def rows_panel(snapshot: Snapshot, view: ViewState, _: Send) -> None:
    """Constraint rows of the last step; a click selects the source of a row."""
    model, state = snapshot.model, snapshot.state
    if model is None or state is None or not len(state.efc_type):
        imgui.text_colored(theme.DIM, "no constraint rows")
        return
    kinds = np.asarray(state.efc_type)
    sources = _sources(model, state)
    island = np.asarray(state.efc_island if state.nisland else np.full(len(kinds), -1))
    columns = [
        Column("row", np.arange(len(kinds)), str, "index of the row", 3.0),
        Column("type", np.array(ROW_TYPES)[kinds], str, "efc_type", 8.8),
        Column("from", sources, lambda code: _source_name(model, code), "efc_id", 7.0),
        Column("position", state.efc_pos, _short, "efc_pos: constraint violation", 5.6),
        Column("margin", state.efc_margin, _short, "efc_margin: where the constraint becomes active", 5.6),
        Column("velocity", state.efc_vel, _short, "efc_vel: rate of change of the violation", 5.6),
        Column("aref", state.efc_aref, _short, "efc_aref: reference acceleration", 5.6),
        Column("R", state.efc_R, _short, "efc_R: regularizer, the softness of the row", 5.6),
        Column("force", state.efc_force, _short, "efc_force: N, or N m", 5.6),
        Column("state", np.array(ROW_STATES)[np.asarray(state.efc_state)], str, "efc_state", 5.0),
        Column("island", island, _or_none, "efc_island", 3.8),
    ]
    marked = (sources == _code(view.selection)) | ((island == _on_island(view.selection)) & (island >= 0))
    clicked = table("rows", columns, marked, lambda row: theme.TEXT, "select the source of the row")
    if clicked is not None:
        chosen = _decoded(int(sources[clicked]))
        view.select(chosen.kind, chosen.index)


def _on_island(selection: Selection | None) -> int:
    """The selected island, or -1."""
    return selection.index if selection is not None and selection.kind == "island" else -1


def _sources(model: ModelView, state: StateView) -> Any:
    """The source of each constraint row, type and id in one number, so that it sorts."""
    kinds, index = np.array(ROW_SOURCES)[np.asarray(state.efc_type)], np.array(state.efc_id, np.int64)
    dofs = np.asarray(state.efc_type) == DOF_FRICTION
    index[dofs] = model.dof_jntid[index[dofs]]
    return kinds * SOURCE_SPAN + index


def _code(selection: Selection | None) -> int:
    """A selection as a code of `_sources`; -1 if it cannot be the source of a row."""
    known = selection is not None and selection.kind in SOURCE_TYPES
    return SOURCE_TYPES.index(selection.kind) * SOURCE_SPAN + selection.index if selection and known else -1


def _decoded(code: int) -> Selection:
    return Selection(SOURCE_TYPES[code // SOURCE_SPAN], code % SOURCE_SPAN)


def _source_name(model: ModelView, code: int) -> str:
    """The name of the source of a row."""
    source = _decoded(int(code))
    return element_name(model, source.kind, source.index)


def _short(value: float) -> str:
    """A number without a unit, of fixed width."""
    return f"{value:.3e}" if value else "0"


def _or_none(index: int) -> str:
    return str(index) if index >= 0 else "-"
