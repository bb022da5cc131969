"""Where an element is, how it is oriented and how it moves: bodies, geoms, sites, cameras, lights."""

from __future__ import annotations

from typing import Any

import numpy as np

from app.background.momentum import body_momentum, subtree_momentum
from app.background.velocity import point_velocity
from app.model.angle_unit import DEGREE
from app.model.euler import euler_angles
from app.run.perturb import mouse_wrench
from app.ui.widgets import button
from app.window.panels.inspector.sheet import Sheet
from sim.script.rotation import mat_to_quat

LETTERS = "lower case: intrinsic axes; upper case: axes of the parent"


def body(sheet: Sheet, i: int) -> None:
    """A body: pose, velocity, momentum, mass, what is applied to it."""
    model, state = sheet.model, sheet.state
    parent = int(model.body_parentid[i])
    if i:
        sheet.link("parent", "body", parent)
    turned = np.reshape(state.xmat[i], (3, 3))
    _pose(sheet, state.xpos[i], turned, parent if i else -1, "in parent", "d.xpos", "d.xquat")
    _motion(sheet, i, state.xipos[i], turned, "of the centre of mass; from d.cvel")
    sheet.section("momentum")
    linear, spin = (_axes(sheet, part, turned) for part in body_momentum(model, state, i))
    sheet.numbers("linear", linear, "kg m/s", "linear momentum of this body: mass times velocity")
    sheet.numbers("angular", spin, "kg m²/s", "angular momentum of this body about its centre of mass")
    sheet.section("mass")
    sheet.numbers("mass", [float(model.body_mass[i])], "kg", "m.body_mass")
    sheet.numbers("com", state.xipos[i], "m", "centre of mass in the world; d.xipos")
    sheet.numbers("inertia", model.body_inertia[i], "kg m²", "m.body_inertia, about the principal axes")
    sheet.section("subtree")
    sheet.numbers("mass", [float(model.body_subtreemass[i])], "kg", "m.body_subtreemass: with all its descendants")
    sheet.numbers("com", state.subtree_com[i], "m", "centre of mass of the subtree in the world; d.subtree_com")
    sheet.section("momentum of the subtree")
    linear, spin = (_axes(sheet, part, turned) for part in subtree_momentum(model, state, i))
    sheet.numbers("linear", linear, "kg m/s", "linear momentum of the subtree, in the axes chosen above")
    sheet.numbers("angular", spin, "kg m²/s", "angular momentum of the subtree about its centre of mass")
    sheet.section("applied")
    applied = state.xfrc_applied[i] + mouse_wrench(state, i)
    sheet.numbers("force", applied[:3], "N", "d.xfrc_applied[:3] plus the mouse: d.perturb.xfrc[:3]")
    sheet.numbers("torque", applied[3:], "N m", "d.xfrc_applied[3:] plus the mouse: d.perturb.xfrc[3:]")


def geom(sheet: Sheet, i: int) -> None:
    """A geom."""
    _carried(sheet, "geom", i, int(sheet.model.geom_bodyid[i]))
    sheet.section("shape")
    sheet.numbers("size", sheet.model.geom_size[i], "m", "m.geom_size")
    sheet.text("group", str(sheet.model.geom_group[i]), "m.geom_group")


def site(sheet: Sheet, i: int) -> None:
    """A site."""
    _carried(sheet, "site", i, int(sheet.model.site_bodyid[i]))
    sheet.section("shape")
    sheet.numbers("size", sheet.model.site_size[i], "m", "m.site_size")
    sheet.text("group", str(sheet.model.site_group[i]), "m.site_group")


def camera(sheet: Sheet, i: int) -> None:
    """A camera."""
    if button("Look through it", "view through this camera; Escape returns to the free camera"):
        sheet.view.camera_id, sheet.view.tracked = i, -1
    _carried(sheet, "cam", i, int(sheet.model.cam_bodyid[i]))


def light(sheet: Sheet, i: int) -> None:
    """A light."""
    sheet.numbers("position", sheet.state.light_xpos[i], "m", "in the world; d.light_xpos")
    sheet.numbers("direction", sheet.state.light_xdir[i], "", "in the world; d.light_xdir")


def orientation(sheet: Sheet, quat: Any, where: str) -> None:
    """A quaternion, and the Euler angles of the model's own convention."""
    sequence, degree = sheet.model.eulerseq, sheet.model.degree
    sheet.numbers("quaternion", quat, "", f"{where}: quaternion, w x y z", "quat")
    angles = np.array(euler_angles(quat, sequence))
    unit = "degrees" if degree else "radians"
    hint = f"{where}: Euler angles, compiler/eulerseq {sequence}: {LETTERS}; the file has angles in {unit}"
    sheet.numbers(f"euler {sequence}", angles, "rad", hint, "euler", DEGREE if degree else 1.0)


def _carried(sheet: Sheet, prefix: str, i: int, owner: int) -> None:
    """What a body carries: pose in the world and in the body, velocity of its own point."""
    state: Any = sheet.state
    place, turned = state.read(f"{prefix}_xpos")[i], np.reshape(state.read(f"{prefix}_xmat")[i], (3, 3))
    _pose(sheet, place, turned, owner, "in body", f"d.{prefix}_xpos", f"d.{prefix}_xmat")
    _motion(sheet, owner, place, turned, "of its centre, moving with its body; from d.cvel")


def _pose(sheet: Sheet, place: Any, turned: Any, parent: int, label: str, field: str, turn_field: str) -> None:
    """Position in the world and relative to a body, and orientation."""
    state = sheet.state
    sheet.angle_section("pose")
    sheet.numbers("position", place, "m", f"in the world; {field}")
    if parent >= 0:
        frame = np.reshape(state.xmat[parent], (3, 3))
        sheet.numbers(label, frame.T @ (place - state.xpos[parent]), "m", "position in the frame of that body")
    orientation(sheet, np.asarray(mat_to_quat(turned)), f"orientation in the world, {turn_field}")
    if parent > 0:
        local = euler_angles(np.asarray(mat_to_quat(frame.T @ turned)), sheet.model.eulerseq)
        scale = DEGREE if sheet.model.degree else 1.0
        sheet.numbers(f"   {label}", local, "rad", "Euler angles in the frame of that body", "euler", scale)


def _motion(sheet: Sheet, owner: int, place: Any, turned: Any, of: str) -> None:
    """Linear and angular velocity."""
    sheet.axes_section("velocity")
    velocity = point_velocity(sheet.model, sheet.state, owner, place)
    sheet.numbers("linear", _axes(sheet, velocity, turned), "m/s", f"linear velocity {of}")
    spin = _axes(sheet, sheet.state.cvel[owner, :3], turned)
    sheet.numbers("angular", spin, "rad/s", "angular velocity; d.cvel[:3]")


def _axes(sheet: Sheet, vector: Any, turned: Any) -> Any:
    """A vector of the world in the axes that the user wants."""
    return turned.T @ vector if sheet.view.prefs.local_axes else vector
