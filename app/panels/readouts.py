"""Read-only rows of the inspector for each type of element: its state, and links to related elements."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from imgui_bundle import imgui

from app.insight.velocity import point_velocity
from app.model.elements import element_type, sensor_unit
from app.model.views import ModelView, StateView
from app.run.perturb import mouse_wrench
from app.ui import theme
from app.ui.quantities import align_decimals
from app.ui.widgets import elide, label_width, number_row, quantity_row, section, tooltip, vector_row
from app.view.view_state import ViewState
from sim.analysis.element_names import element_name
from sim.analysis.element_types import JOINT_TYPES, OBJECTS, TRANSMISSIONS
from sim.script.contact_force import contact_forces

# nq, nv and unit of each joint type
COORDINATES = {"free": (7, 6, ""), "ball": (4, 3, ""), "slide": (1, 1, "m"), "hinge": (1, 1, "rad")}


def link(model: ModelView, view: ViewState, label: str, kind: str, index: int) -> None:
    """A link that selects an element."""
    start, labels = imgui.get_cursor_pos_x(), label_width()
    imgui.text_colored(theme.DIM, label)
    imgui.same_line(start + labels)
    name = element_name(model, kind, index)
    if imgui.text_link(f"{elide(name, imgui.get_content_region_avail().x)}##{label}"):
        view.select(kind, index)
    tooltip(f"select {kind} {name}")


def _body(model: ModelView, state: StateView, view: ViewState, i: int) -> None:
    if i:
        link(model, view, "parent", "body", int(model.body_parentid[i]))
    vector_row("position", state.xpos[i].tolist(), "m", "d.xpos")
    vector_row("centre of mass", state.xipos[i].tolist(), "m", "d.xipos")
    velocity = point_velocity(model, state, i, state.xipos[i])
    vector_row("velocity", velocity.tolist(), "m/s", "of the centre of mass; from d.cvel")
    vector_row("angular velocity", state.cvel[i, :3].tolist(), "rad/s", "d.cvel[:3]")
    vector_row("inertia", model.body_inertia[i].tolist(), "kg m²", "m.body_inertia, about the principal axes")
    applied = (state.xfrc_applied[i] + mouse_wrench(state, i)).tolist()
    vector_row("applied force", applied[:3], "N", "d.xfrc_applied[:3] plus the mouse: d.perturb.xfrc[:3]")
    vector_row("applied torque", applied[3:], "N m", "d.xfrc_applied[3:] plus the mouse: d.perturb.xfrc[3:]")


def _geom(model: ModelView, state: StateView, _view: ViewState, i: int) -> None:
    vector_row("size", model.geom_size[i].tolist(), "m", "m.geom_size")
    vector_row("position", state.geom_xpos[i].tolist(), "m", "d.geom_xpos")
    number_row("group", str(model.geom_group[i]), "", "m.geom_group")


def _site(model: ModelView, state: StateView, _view: ViewState, i: int) -> None:
    vector_row("size", model.site_size[i].tolist(), "m", "m.site_size")
    vector_row("position", state.site_xpos[i].tolist(), "m", "d.site_xpos")
    number_row("group", str(model.site_group[i]), "", "m.site_group")


def _camera(_model: ModelView, state: StateView, view: ViewState, i: int) -> None:
    vector_row("position", state.cam_xpos[i].tolist(), "m", "d.cam_xpos")
    if imgui.button("Look through it"):
        view.camera_id, view.tracked = i, -1
    tooltip("view through this camera; Escape returns to the free camera")


def _light(_model: ModelView, state: StateView, _view: ViewState, i: int) -> None:
    vector_row("position", state.light_xpos[i].tolist(), "m", "d.light_xpos")
    vector_row("direction", state.light_xdir[i].tolist(), "", "d.light_xdir")


def _tendon(_model: ModelView, state: StateView, _view: ViewState, i: int) -> None:
    number_row("length", align_decimals([float(state.ten_length[i])])[0], "", "d.ten_length: m, or rad if fixed")
    number_row("velocity", align_decimals([float(state.ten_velocity[i])])[0], "", "d.ten_velocity")


def _actuator(model: ModelView, state: StateView, view: ViewState, i: int) -> None:
    target = TRANSMISSIONS.get(int(model.actuator_trntype[i]))
    if target:
        link(model, view, "acts on", target, int(model.actuator_trnid[i, 0]))
    controls = slice(int(model.actuator_ctrladr[i]), int(model.actuator_ctrladr[i]) + int(model.actuator_ctrlnum[i]))
    outputs = slice(int(model.actuator_outadr[i]), int(model.actuator_outadr[i]) + int(model.actuator_outnum[i]))
    vector_row("control", state.ctrl[controls].tolist(), "", "d.ctrl")
    if int(model.actuator_actnum[i]) and int(model.actuator_actadr[i]) >= 0:
        first = int(model.actuator_actadr[i])
        vector_row("activation", state.act[first : first + int(model.actuator_actnum[i])].tolist(), "", "d.act")
    vector_row("length", state.actuator_length[outputs].tolist(), "", "d.actuator_length")
    vector_row("velocity", state.actuator_velocity[outputs].tolist(), "", "d.actuator_velocity")
    vector_row("force", state.actuator_force[outputs].tolist(), "", "d.actuator_force; N, or N m on a hinge")


def _equality(model: ModelView, _state: StateView, view: ViewState, i: int) -> None:
    joined = element_type(model, "equality", i)
    kind = joined if joined in ("joint", "tendon") else OBJECTS.get(int(model.eq_objtype[i]), "")
    for label, index in (("first", int(model.eq_obj1id[i])), ("second", int(model.eq_obj2id[i]))):
        if kind and index >= 0:
            link(model, view, label, kind, index)


def _pair(model: ModelView, _state: StateView, view: ViewState, i: int) -> None:
    link(model, view, "geom 1", "geom", int(model.pair_geom1[i]))
    link(model, view, "geom 2", "geom", int(model.pair_geom2[i]))


def _sensor(model: ModelView, state: StateView, view: ViewState, i: int) -> None:
    target = OBJECTS.get(int(model.sensor_objtype[i]))
    if target and int(model.sensor_objid[i]) >= 0:
        link(model, view, f"of {target}", target, int(model.sensor_objid[i]))
    first = int(model.sensor_adr[i])
    values = state.sensordata[first : first + int(model.sensor_dim[i])]
    vector_row("value", values.tolist(), sensor_unit(model, i), "d.sensordata")


def _key(model: ModelView, _state: StateView, _view: ViewState, i: int) -> None:
    number_row("time", f"{model.key_time[i]:.3f}", "s", "m.key_time")


def _tree(model: ModelView, state: StateView, view: ViewState, i: int) -> None:
    link(model, view, "root", "body", int(model.tree_bodyadr[i]))
    number_row("bodies", str(model.tree_bodynum[i]), "", "m.tree_bodynum")
    number_row("dofs", str(model.tree_dofnum[i]), "", "m.tree_dofnum")
    island = int(state.tree_island[i])
    if 0 <= island < int(state.nisland):
        link(model, view, "island", "island", island)
    number_row("state", "asleep" if state.tree_asleep[i] >= 0 else "awake", "", "d.tree_asleep")


def _island(model: ModelView, state: StateView, view: ViewState, i: int) -> None:
    for label, name in (("trees", "ntree"), ("dofs", "nv"), ("rows", "nefc")):
        number_row(label, str(getattr(state, f"island_{name}")[i]), "", f"d.island_{name}")
    iterations = np.asarray(state.solver_niter)
    if i < len(iterations):
        number_row("iterations", str(int(iterations[i])), "", "d.solver_niter: solver iterations of the last step")
    section("trees")
    for tree in np.flatnonzero(np.asarray(state.tree_island) == i).tolist():
        name = element_name(model, "body", int(model.tree_bodyadr[tree]))
        if imgui.selectable(f"{name}##tree{tree}", False)[0]:
            view.select("tree", tree)
        tooltip(f"select tree {tree}")


def _joint(model: ModelView, state: StateView, _view: ViewState, i: int) -> None:
    coordinates, dofs, unit = COORDINATES[JOINT_TYPES[int(model.jnt_type[i])]]
    first, dof = int(model.jnt_qposadr[i]), int(model.jnt_dofadr[i])
    q, v = state.qpos[first : first + coordinates].tolist(), state.qvel[dof : dof + dofs].tolist()
    at, of = f"d.qpos[{first}:{first + coordinates}]", f"d.qvel[{dof}:{dof + dofs}]"
    if coordinates == 7:
        vector_row("position", q[:3], "m", at)
    if coordinates > 1:
        vector_row("quaternion", q[-4:], "", f"{at}; w x y z")
        if dofs == 6:
            vector_row("velocity", v[:3], "m/s", of)
        vector_row("angular velocity", v[-3:], "rad/s", of)
        return
    number_row("position", align_decimals(q, 5)[0], unit, f"d.qpos[{first}]")
    number_row("velocity", align_decimals(v, 5)[0], f"{unit}/s", f"d.qvel[{dof}]")


def _contact(model: ModelView, state: StateView, view: ViewState, i: int) -> None:
    force = contact_forces(state)[i]
    for side, geom in enumerate(state.contact.geom[i].tolist()):
        link(model, view, f"body {side + 1}", "body", int(model.geom_bodyid[geom]))
        link(model, view, f"geom {side + 1}", "geom", geom)
    for label, value, unit, hint in (
        ("distance", float(state.contact.dist[i]), "m", "d.contact.dist; negative: penetration"),
        ("normal force", float(force[0]), "N", "of the last step"),
        ("friction force", float(np.linalg.norm(force[1:3])), "N", "of the last step"),
    ):
        quantity_row(label, value, unit, hint)
    dimensions = int(state.contact.dim[i])
    number_row("dimensions", str(dimensions), "", "d.contact.dim: 1 frictionless, 3 sliding, 4 torsional, 6 rolling")
    if dimensions > 1:
        vector_row("friction", state.contact.friction[i, : dimensions - 1].tolist(), "", "d.contact.friction")
    for name in ("solref", "solimp"):
        source = "from the pair, else from the geom with higher priority, else from both geoms, mixed by solmix"
        hint = f"d.contact.{name}: {source}"
        vector_row(name, getattr(state.contact, name)[i].tolist(), "", hint)
    vector_row("position", state.contact.pos[i].tolist(), "m", "d.contact.pos")
    vector_row("normal", state.contact.frame[i, :3].tolist(), "", "d.contact.frame[:3], from geom 1 to geom 2")
    number_row("first row", str(state.contact.efc_address[i]), "", "d.contact.efc_address; -1: none")


READOUTS: dict[str, Callable[[ModelView, StateView, ViewState, int], None]] = {
    "body": _body, "geom": _geom, "joint": _joint, "site": _site, "camera": _camera, "light": _light,
    "tendon": _tendon, "actuator": _actuator, "equality": _equality, "pair": _pair, "sensor": _sensor, "key": _key,
    "contact": _contact, "island": _island, "tree": _tree,
}  # fmt: skip
