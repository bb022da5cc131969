"""What relates elements or lists them: equalities, pairs, sensors, keyframes, trees, islands, contacts."""

from __future__ import annotations

import numpy as np

from app.model.elements import element_type, sensor_unit
from app.ui.widgets import selectable
from app.window.panels.inspector.sheet import Sheet
from sim.analysis.element_names import element_name
from sim.analysis.element_types import COUPLED, OBJECTS
from sim.script.contact_force import contact_forces


def equality(sheet: Sheet, i: int) -> None:
    """The two ends of an equality."""
    model = sheet.model
    kind = COUPLED.get(element_type(model, "equality", i)) or OBJECTS.get(int(model.eq_objtype[i]), "")
    for label, index in (("first", int(model.eq_obj1id[i])), ("second", int(model.eq_obj2id[i]))):
        if kind and index >= 0:
            sheet.link(label, kind, index)


def pair(sheet: Sheet, i: int) -> None:
    """The two geoms of a pair."""
    sheet.link("geom 1", "geom", int(sheet.model.pair_geom1[i]))
    sheet.link("geom 2", "geom", int(sheet.model.pair_geom2[i]))


def sensor(sheet: Sheet, i: int) -> None:
    """What a sensor measures."""
    model = sheet.model
    target = OBJECTS.get(int(model.sensor_objtype[i]))
    if target and int(model.sensor_objid[i]) >= 0:
        sheet.link(f"of {target}", target, int(model.sensor_objid[i]))
    first = int(model.sensor_adr[i])
    values = sheet.state.sensordata[first : first + int(model.sensor_dim[i])]
    sheet.angle_section("value")
    sheet.numbers("value", values, sensor_unit(model, i), f"d.sensordata[{first}:{first + len(values)}]")


def key(sheet: Sheet, i: int) -> None:
    """The time of a keyframe."""
    sheet.numbers("time", [float(sheet.model.key_time[i])], "s", "m.key_time")


def tree(sheet: Sheet, i: int) -> None:
    """A kinematic tree."""
    model, state = sheet.model, sheet.state
    sheet.link("root", "body", int(model.tree_bodyadr[i]))
    sheet.text("bodies", str(model.tree_bodynum[i]), "m.tree_bodynum")
    sheet.text("dofs", str(model.tree_dofnum[i]), "m.tree_dofnum")
    island = int(state.tree_island[i])
    if 0 <= island < int(state.nisland):
        sheet.link("island", "island", island)
    sheet.text("state", "asleep" if state.tree_asleep[i] >= 0 else "awake", "d.tree_asleep")


def island(sheet: Sheet, i: int) -> None:
    """An island and its trees."""
    model, state = sheet.model, sheet.state
    for label, name in (("trees", "ntree"), ("dofs", "nv"), ("rows", "nefc")):
        sheet.text(label, str(getattr(state, f"island_{name}")[i]), f"d.island_{name}")
    iterations = np.asarray(state.solver_niter)
    if i < len(iterations):
        sheet.text("iterations", str(int(iterations[i])), "d.solver_niter: solver iterations of the last step")
    sheet.section("trees")
    for root in np.flatnonzero(np.asarray(state.tree_island) == i).tolist():
        name = element_name(model, "body", int(model.tree_bodyadr[root]))
        if selectable(f"{name}##tree{root}", False, f"select tree {root}"):
            sheet.view.select("tree", root)


def contact(sheet: Sheet, i: int) -> None:
    """A contact: who, where, how deep, how strong."""
    model, state = sheet.model, sheet.state
    force = contact_forces(state)[i]
    for side, geom in enumerate(state.contact.geom[i].tolist()):
        if geom >= 0:
            sheet.link(f"body {side + 1}", "body", int(model.geom_bodyid[geom]))
            sheet.link(f"geom {side + 1}", "geom", geom)
    sheet.numbers("distance", [float(state.contact.dist[i])], "m", "d.contact.dist; negative: penetration")
    sheet.numbers("normal force", [float(force[0])], "N", "of the last step")
    sheet.numbers("friction force", [float(np.linalg.norm(force[1:3]))], "N", "of the last step")
    dimensions = int(state.contact.dim[i])
    sheet.text("dimensions", str(dimensions), "d.contact.dim: 1 frictionless, 3 sliding, 4 torsional, 6 rolling")
    if dimensions > 1:
        sheet.numbers("friction", state.contact.friction[i, : dimensions - 1], "", "d.contact.friction")
    for name in ("solref", "solimp"):
        source = "from the pair, else from the geom with higher priority, else from both geoms, mixed by solmix"
        sheet.numbers(name, getattr(state.contact, name)[i], "", f"d.contact.{name}: {source}")
    moving = state.contact.surfacevel[i]
    if np.any(moving):
        hint = "d.contact.surfacevel: velocity of the surface of geom 2 relative to that of geom 1"
        sheet.numbers("surface", moving[:2], "m/s", f"{hint}, along the two tangents")
        sheet.numbers("surface spin", moving[2:], "rad/s", f"{hint}, about the normal")
    sheet.numbers("position", state.contact.pos[i], "m", "d.contact.pos")
    sheet.numbers("normal", state.contact.frame[i, :3], "", "d.contact.frame[:3], from geom 1 to geom 2")
    sheet.text("first row", str(state.contact.efc_address[i]), "d.contact.efc_address; -1: none")
