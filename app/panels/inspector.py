"""The inspector: what is selected, its numbers, and everything about it that can be edited."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from imgui_bundle import imgui

from app.commands import Send, SetData
from app.editable import of_kind, rows_of
from app.panels import theme
from app.panels.field import field_row
from app.selection import Selection, element_name
from app.snapshot import ModelView, Snapshot, StateView
from app.state import FREE_CAMERA, ViewState
from app.widgets import em, font, number_row, section, tooltip
from sim.wrench import contact_forces

GEOM_TYPES = ("plane", "hfield", "sphere", "capsule", "ellipsoid", "cylinder", "box", "mesh", "sdf")
JOINT_TYPES = ("free", "ball", "slide", "hinge")
EQUALITY_TYPES = ("connect", "weld", "joint", "tendon", "flex", "flexvert", "flexstrain", "distance")
TRANSMISSIONS = {0: "joint", 1: "joint", 3: "tendon", 4: "site", 5: "body"}


def inspector_panel(snapshot: Snapshot, view: ViewState, send: Send) -> None:
    """The selection."""
    model, state, selection = snapshot.model, snapshot.state, view.selection
    if model is None or state is None or selection is None or not selection.exists(model, state):
        imgui.push_text_wrap_pos(0)
        imgui.text_colored(theme.DIM, "Nothing is selected. Double-click a body in the view, or click in the tree.")
        imgui.pop_text_wrap_pos()
        return
    _title(model, state, view, selection)
    if selection.kind in FACTS:
        FACTS[selection.kind](model, state, view, selection.index)
    if selection.kind == "equality":
        _active(state, selection.index, send)
    rows = of_kind(selection.kind)
    if rows:
        section(selection.kind)
        for row in rows:
            places = rows_of(row, model, selection.index)
            if places:
                field_row(row, places, snapshot, view, send)
    if selection.kind == "body":
        _carried(model, view, selection.index)


def _title(model: ModelView, state: StateView, view: ViewState, selection: Selection) -> None:
    with font("bold", 1.1):
        imgui.text_wrapped(selection.title(model, state))
    if selection.place(model, state) is not None:
        if imgui.button("Look at it"):
            view.fly = True
        imgui.same_line()
    body = selection.body(model, state)
    if body > 0:
        if imgui.button("Track"):
            view.tracked, view.camera_id = body, FREE_CAMERA
        tooltip("the free camera goes along with the body   Ctrl+Right double-click; Escape ends it")
        imgui.same_line()
    if imgui.button("Deselect"):
        view.selection = None


# numbers that cannot be edited here, by kind


def _body(model: ModelView, state: StateView, view: ViewState, i: int) -> None:
    _link(model, view, "parent", "body", int(model.body_parentid[i]))
    number_row("mass", f"{model.body_mass[i]:.4g}", "kg", "body_mass")
    _vector("position", state.xpos[i], "m", "xpos")
    _vector("force applied", state.xfrc_applied[i, :3], "N", "xfrc_applied")


def _geom(model: ModelView, state: StateView, view: ViewState, i: int) -> None:
    _link(model, view, "body", "body", int(model.geom_bodyid[i]))
    number_row("type", GEOM_TYPES[model.geom_type[i]], "", "geom_type")
    _vector("size", model.geom_size[i], "m", "geom_size")
    _vector("position", state.geom_xpos[i], "m", "geom_xpos")


def _equality(model: ModelView, _state: StateView, _view: ViewState, i: int) -> None:
    number_row("type", EQUALITY_TYPES[model.eq_type[i]], "", "eq_type")


def _actuator(model: ModelView, state: StateView, view: ViewState, i: int) -> None:
    target = TRANSMISSIONS.get(int(model.actuator_trntype[i]))
    if target:
        _link(model, view, "acts on", target, int(model.actuator_trnid[i, 0]))
    outputs = state.actuator_force[int(model.actuator_outadr[i]) :][: int(model.actuator_outnum[i])]
    _vector("force", outputs, "", "actuator_force")


def _pair(model: ModelView, _state: StateView, view: ViewState, i: int) -> None:
    _link(model, view, "geom 1", "geom", int(model.pair_geom1[i]))
    _link(model, view, "geom 2", "geom", int(model.pair_geom2[i]))


def _sensor(model: ModelView, state: StateView, _view: ViewState, i: int) -> None:
    first = int(model.sensor_adr[i])
    _vector("value", state.sensordata[first : first + int(model.sensor_dim[i])], "", "sensordata")


def _island(_model: ModelView, state: StateView, _view: ViewState, i: int) -> None:
    for label in ("ntree", "nv", "nefc"):
        number_row(label, str(getattr(state, f"island_{label}")[i]), "", f"island_{label}")


def _joint(model: ModelView, state: StateView, view: ViewState, i: int) -> None:
    _link(model, view, "body", "body", int(model.jnt_bodyid[i]))
    kind = int(model.jnt_type[i])
    number_row("type", JOINT_TYPES[kind], "", "jnt_type")
    coordinates, dofs = (7, 4, 1, 1)[kind], (6, 3, 1, 1)[kind]
    unit = ("", "", "m", "rad")[kind]
    first, dof = int(model.jnt_qposadr[i]), int(model.jnt_dofadr[i])
    _vector("position", state.qpos[first : first + coordinates], unit, "qpos")
    _vector("velocity", state.qvel[dof : dof + dofs], f"{unit}/s" if unit else "", "qvel")


def _contact(model: ModelView, state: StateView, view: ViewState, i: int) -> None:
    force = contact_forces(int(model.opt.cone), state)[i]
    for side in (0, 1):
        _link(model, view, f"geom {side + 1}", "geom", int(state.contact.geom[i, side]))
    number_row("distance", f"{1e3 * state.contact.dist[i]:.4g}", "mm", "contact.dist; negative: penetration")
    number_row("normal force", f"{force[0]:.4g}", "N", "of the last step")
    number_row("friction force", f"{np.linalg.norm(force[1:3]):.4g}", "N", "of the last step")
    _vector("friction", state.contact.friction[i], "", "contact.friction")
    _vector("position", state.contact.pos[i], "m", "contact.pos")
    number_row("first row", str(state.contact.efc_address[i]), "", "contact.efc_address; -1: none")


def _active(state: StateView, index: int, send: Send) -> None:
    """An equality on or off."""
    changed, on = imgui.checkbox("active##equality", bool(state.eq_active[index]))
    tooltip("d.eq_active")
    if changed:
        send(SetData("eq_active", index, (float(on),)))


def _carried(model: ModelView, view: ViewState, body: int) -> None:
    """Joints and geoms of a body, to go on to."""
    for kind, owner, count in (("joint", "jnt_bodyid", "njnt"), ("geom", "geom_bodyid", "ngeom")):
        if not getattr(model, count):
            continue
        mine = np.flatnonzero(np.asarray(getattr(model, owner)) == body)
        if len(mine):
            section(f"{kind}s")
            for index in mine.tolist():
                if imgui.selectable(f"{element_name(model, kind, index)}##{kind}{index}", False)[0]:
                    view.select(kind, index)


def _link(model: ModelView, view: ViewState, label: str, kind: str, index: int) -> None:
    """A name that selects what it names."""
    imgui.text_colored(theme.DIM, label)
    name = element_name(model, kind, index)
    imgui.same_line(em(8.5))
    if imgui.text_link(f"{name}##{label}"):
        view.select(kind, index)


def _vector(label: str, values: Any, unit: str, hint: str) -> None:
    """Some numbers in a row."""
    number_row(label, "  ".join(f"{v:.4g}" for v in np.ravel(values)), unit, hint)


FACTS: dict[str, Callable[[ModelView, StateView, ViewState, int], None]] = {
    "body": _body, "geom": _geom, "joint": _joint, "contact": _contact, "equality": _equality,
    "actuator": _actuator, "pair": _pair, "sensor": _sensor, "island": _island,
}  # fmt: skip
