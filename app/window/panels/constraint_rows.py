"""The Constraints panel: a table of constraint rows with a filter. A click selects where a row comes from."""

from __future__ import annotations

from typing import Any

import numpy as np
from imgui_bundle import imgui

from app.instruments.offer import offer, offered
from app.model.selection import Selection
from app.model.views import ModelView, StateView
from app.run.commands import Send
from app.run.snapshot import Snapshot
from app.ui.tables.column import Column, matching_rows
from app.ui.tables.table import Look, copy_button, filter_field, table
from app.ui.widgets import caption
from app.view.view_state import ViewState
from sim.analysis.element_names import element_name
from sim.enums import JNT_HINGE, JNT_SLIDE

ROW_TYPES = (
    "equality", "dof friction", "tendon friction", "joint limit", "tendon limit", "contact", "contact, pyramid",
    "contact, cone",
)  # fmt: skip
# element types that rows come from, and the one of each row type; dof friction has the id of a dof
SOURCE_TYPES = ("equality", "joint", "tendon", "contact")
SOURCE_SPAN = 1 << 32
ROW_SOURCES = (0, 1, 2, 1, 2, 3, 3, 3)
DOF_FRICTION, JOINT_LIMIT, CONTACT_TYPES = 1, 3, 5
# contacts of at most this dimension have no rows about an axis
PLANE_FRICTION = 3
LINEAR, ANGULAR = ("m", "m/s", "m/s²", "N"), ("rad", "rad/s", "rad/s²", "N m")
TABLE = "constraint rows"
ROW_STATES = ("satisfied", "quadratic", "linear -", "linear +", "cone")


def rows_panel(snapshot: Snapshot, view: ViewState, _: Send) -> None:
    """Constraint rows of the last step; a click selects the source of a row."""
    model, state = snapshot.model, snapshot.state
    if model is None or state is None:
        caption("no constraint rows")
        return
    sources = _sources(model, state)
    island = np.asarray(state.efc_island if state.nisland else np.full(len(sources), -1))
    columns = _columns(model, state, sources, island)
    chosen = matching_rows(columns, filter_field(view, TABLE, "foot   contact   cone   force>10   -floor"))
    imgui.same_line()
    copy_button(view, TABLE)
    imgui.same_line()
    count = len(sources)
    words = f"{len(chosen)} of {count}" if len(chosen) < count else f"{count or 'no'} row{'s' * (count != 1)}"
    if offered("Solver"):
        offer(view, "Solver", "solver iterations, with the state of each row")
        imgui.same_line()
    caption(words, framed=True)
    # the headings stay while rows come and go
    if not len(chosen) and count:
        caption("no matching rows")
        return
    marked = (sources == _code(view.selection)) | ((island == _on_island(view.selection)) & (island >= 0))
    look = Look(lambda _: "select the source of the row")
    clicked = table(view, TABLE, columns, look, model.identity, marked, chosen, snapshot.run.paused)
    if clicked is not None:
        source = _decoded(int(sources[clicked]))
        view.select(source.kind, source.index)


def _columns(model: ModelView, state: StateView, sources: Any, island: Any) -> list[Column]:
    """Numbers have a prefix where all rows are of one unit, else an exponent."""
    units = _units(model, state)

    def numbers(name: str, values: Any, hint: str, of_what: int) -> Column:
        return Column(name, values, _short, hint, units[of_what] if units else None)

    return [
        Column("row", np.arange(len(sources)), str, "row index"),
        Column("type", np.array(ROW_TYPES)[np.asarray(state.efc_type)], str, "efc_type"),
        Column("from", sources, lambda code: _source_name(model, code), "efc_id", wide=True, left=True),
        numbers("position", state.efc_pos, "efc_pos: constraint violation; m or rad", 0),
        numbers("margin", state.efc_margin, "efc_margin: where the constraint becomes active; m or rad", 0),
        numbers("velocity", state.efc_vel, "efc_vel: rate of change of the violation; m/s or rad/s", 1),
        numbers("aref", state.efc_aref, "efc_aref: reference acceleration; m/s² or rad/s²", 2),
        Column("R", np.asarray(state.efc_R), _short, "efc_R: regularizer, the softness of the row"),
        numbers("force", state.efc_force, "efc_force: N or N m", 3),
        Column("state", np.array(ROW_STATES)[np.asarray(state.efc_state)], str, "efc_state"),
        Column("island", island, _or_none, "efc_island"),
    ]


def _units(model: ModelView, state: StateView) -> tuple[str, ...]:
    """Units of position, velocity, acceleration and force if all rows have the same, else nothing."""
    kinds, index = np.asarray(state.efc_type), np.asarray(state.efc_id)
    if (kinds >= CONTACT_TYPES).all() and (np.asarray(state.contact.dim)[index] <= PLANE_FRICTION).all():
        return LINEAR
    joints = np.where(kinds == DOF_FRICTION, 0, index)
    joints[kinds == DOF_FRICTION] = np.asarray(model.dof_jntid)[index[kinds == DOF_FRICTION]]
    if not np.isin(kinds, (DOF_FRICTION, JOINT_LIMIT)).all():
        return ()
    slides = np.asarray(model.jnt_type)[joints] == JNT_SLIDE
    hinges = np.asarray(model.jnt_type)[joints] == JNT_HINGE
    return LINEAR if slides.all() else ANGULAR if hinges.all() else ()


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
