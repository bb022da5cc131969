"""What moves a model: joints, tendons and actuators, with their positions, velocities and forces."""

from __future__ import annotations

import numpy as np
from imgui_bundle import imgui

from app.model.angle_unit import control_unit, length_unit
from app.model.elements import tendon_unit
from app.model.views import ModelView, StateView
from app.ui import theme
from app.ui.widgets import elide, tooltip
from app.window.panels.inspector.poses import orientation
from app.window.panels.inspector.sheet import Sheet
from sim.analysis.element_types import JOINT_TYPES, TRANSMISSIONS
from sim.enums import TRN_JOINT, TRN_JOINTINPARENT
from sim.script.rotation import mul_quat, neg_quat, quat_to_vel

# nq and unit of each joint type
COORDINATES = {"free": (7, ""), "ball": (4, ""), "slide": (1, "m"), "hinge": (1, "rad")}
# nq -> parts of the dofs: label, first dof, unit, axes
PARTS = {
    7: (("linear", 0, "m", "along the axes of the world"), ("angular", 3, "rad", "about the axes of the body")),
    4: (("angular", 0, "rad", "about the axes of the body"),),
}
# generalized forces of a joint -> field
FORCES = {
    "actuator": ("qfrc_actuator", "of all actuators"),
    "passive": ("qfrc_passive", "springs, dampers, gravity compensation, fluid"),
    "constraint": ("qfrc_constraint", "contacts, limits, friction loss, equalities"),
    "applied": ("qfrc_applied", "applied by a script; excludes d.xfrc_applied and the mouse"),
    "bias": ("qfrc_bias", "gravity, Coriolis and centrifugal forces, on the other side of the equation"),
}
TO_YIELD = "how much further it can bend before it yields and stays bent; at 0 it is yielding"
# share of a range within which its end is reached
AT_END = 1e-6


def joint(sheet: Sheet, i: int) -> None:
    """A joint: position, velocity, acceleration and the forces on it."""
    model, state = sheet.model, sheet.state
    coordinates, unit = COORDINATES[JOINT_TYPES[int(model.jnt_type[i])]]
    first, dof = int(model.jnt_qposadr[i]), int(model.jnt_dofadr[i])
    q, at = state.qpos[first : first + coordinates], f"d.qpos[{first}:{first + coordinates}]"
    sheet.angle_section("state")
    if coordinates > 1:
        if coordinates == 7:
            sheet.numbers("position", q[:3], "m", f"in the world; {at}")
        orientation(sheet, np.asarray(q[-4:]), f"orientation, {at}")
        for title, field, rate in (("velocity", "qvel", "/s"), ("acceleration", "qacc", "/s²")):
            sheet.section(title)
            for label, start, base, axes in PARTS[coordinates]:
                there = slice(dof + start, dof + start + 3)
                sheet.numbers(label, state.read(field)[there], f"{base}{rate}", f"{_place(field, there)}, {axes}")
    else:
        sheet.numbers("position", q, unit, f"d.qpos[{first}]")
        sheet.numbers("velocity", state.qvel[dof : dof + 1], f"{unit}/s", f"d.qvel[{dof}]")
        sheet.numbers("accel.", state.qacc[dof : dof + 1], f"{unit}/s²", f"acceleration; d.qacc[{dof}]")
        _to_limits(sheet, i, float(q[0]), unit)
    if int(model.jnt_plasticadr[i]) >= 0:
        _joint_rest(sheet, i, q, unit)
    _forces(sheet, coordinates, unit, dof)
    sheet.section("axis")
    sheet.numbers("anchor", state.xanchor[i], "m", "in the world; d.xanchor")
    sheet.numbers("axis", state.xaxis[i], "", "in the world; d.xaxis")


def _forces(sheet: Sheet, coordinates: int, unit: str, dof: int) -> None:
    """The parts of the generalized force; of a free joint forces, then torques."""
    parts = PARTS.get(coordinates, (("", 0, unit, ""),))
    for _, start, base, axes in parts:
        torque = base == "rad"
        there = slice(dof + start, dof + start + (3 if coordinates > 1 else 1))
        sheet.section("torque" if torque else "force")
        for label, (field, meaning) in FORCES.items():
            hint = "; ".join(filter(None, (meaning, _place(field, there), axes)))
            sheet.numbers(label, sheet.state.read(field)[there], "N m" if torque else "N", hint)


def _place(field: str, there: slice) -> str:
    """Some numbers of a field as Python writes them."""
    alone = there.stop == there.start + 1
    return f"d.{field}[{there.start}]" if alone else f"d.{field}[{there.start}:{there.stop}]"


def _to_limits(sheet: Sheet, i: int, q: float, unit: str) -> None:
    """How far a joint is from its limits."""
    low, high = (float(end) for end in sheet.model.jnt_range[i])
    if not sheet.model.jnt_limited[i] or np.isinf((low, high)).all():
        sheet.text("to limits", "no limits", "joint/range")
        return
    sheet.numbers("to limits", [q - low, high - q], unit, "distance from the lower and upper ends of joint/range")


def _joint_rest(sheet: Sheet, i: int, q: np.ndarray, unit: str) -> None:
    """Where a spring that yields rests now, and how much further it bends before it yields."""
    first, yields = int(sheet.model.jnt_plasticadr[i]), float(sheet.model.jnt_springyield[i])
    rest = np.asarray(sheet.state.plastic[first : first + len(q)])
    sheet.section("plastic spring")
    if len(q) == 1:
        sheet.numbers("rests at", rest, unit, f"d.plastic[{first}]; it starts at joint/springref")
        bent = abs(float(q[0] - rest[0]))
    else:
        orientation(sheet, rest, f"rest orientation, d.plastic[{first}:{first + 4}]")
        bent = float(np.linalg.norm(quat_to_vel(mul_quat(neg_quat(rest), q))))
    sheet.numbers("to yield", [max(yields - bent, 0.0)], unit or "rad", TO_YIELD)


def tendon(sheet: Sheet, i: int) -> None:
    """A tendon; the length of a fixed one is a sum of joint positions."""
    model, state = sheet.model, sheet.state
    unit = tendon_unit(model, i)
    sheet.numbers("length", [float(state.ten_length[i])], unit, "d.ten_length")
    sheet.numbers("velocity", [float(state.ten_velocity[i])], f"{unit}/s", "d.ten_velocity")
    if int(model.tendon_plasticadr[i]) >= 0:
        _tendon_rest(sheet, i, unit)


def _tendon_rest(sheet: Sheet, i: int, unit: str) -> None:
    """The lengths between which a spring that yields rests now, and how much further it gives before it yields."""
    first, yields = int(sheet.model.tendon_plasticadr[i]), float(sheet.model.tendon_springyield[i])
    low, high = (float(end) for end in sheet.state.plastic[first : first + 2])
    length = float(sheet.state.ten_length[i])
    sheet.section("plastic spring")
    hint = f"shortest and longest rest length: d.plastic[{first}:{first + 2}]"
    sheet.numbers("rests at", [low, high], unit, f"{hint}; it starts at tendon/springlength")
    bent = max(length - high, low - length, 0.0)
    sheet.numbers("to yield", [max(yields - bent, 0.0)], unit, TO_YIELD)


def actuator(sheet: Sheet, i: int) -> None:
    """An actuator: what it drives, its control, length, velocity and force, and whether that is saturated."""
    model, state = sheet.model, sheet.state
    target, driven = TRANSMISSIONS.get(int(model.actuator_trntype[i])), int(model.actuator_trnid[i, 0])
    if target:
        sheet.link("drives", target, driven)
    first, count = int(model.actuator_ctrladr[i]), int(model.actuator_ctrlnum[i])
    outputs = slice(int(model.actuator_outadr[i]), int(model.actuator_outadr[i]) + int(model.actuator_outnum[i]))
    unit, length = control_unit(model, i), length_unit(model, i)
    sheet.angle_section("state")
    if unit:
        sheet.numbers("target", state.ctrl[first : first + count], unit, f"the control: d.ctrl[{first}]")
    else:
        sheet.numbers("control", state.ctrl[first : first + count], "", f"d.ctrl[{first}]")
    if int(model.actuator_actnum[i]) and int(model.actuator_actadr[i]) >= 0:
        act = int(model.actuator_actadr[i])
        sheet.numbers("activation", state.act[act : act + int(model.actuator_actnum[i])], "", "d.act")
    sheet.numbers("length", state.actuator_length[outputs], length, "gear times position; d.actuator_length")
    if unit == length and count == 1:
        error = state.ctrl[first : first + 1] - state.actuator_length[outputs][:1]
        sheet.numbers("error", error, unit, "target minus length; a servo pushes with kp times this")
    sheet.numbers("velocity", state.actuator_velocity[outputs], f"{length}/s", "d.actuator_velocity")
    sheet.numbers("force", state.actuator_force[outputs], "N m" if length == "rad" else "N", "d.actuator_force")
    _saturation(sheet, i)


def _saturation(sheet: Sheet, i: int) -> None:
    """One line: at which ends of its ranges an actuator is."""
    reached = saturated(sheet.model, sheet.state, i)
    text = f"saturated: {', '.join(reached)}" if reached else "not saturated"
    imgui.text_colored(theme.WARNING if reached else theme.DIM, elide(text, imgui.get_content_region_avail().x))
    tooltip(f"{text}\nwhether the control, the force, or the total force on the joint is at a limit of its range")


def saturated(model: ModelView, state: StateView, i: int) -> list[str]:
    """The limits that an actuator has reached: ctrlrange, forcerange, actuatorfrcrange of its joint."""
    first, count = int(model.actuator_ctrladr[i]), int(model.actuator_ctrlnum[i])
    reached = []
    for k in range(first, first + count):
        if model.actuator_ctrllimited[k] and _at_end(float(state.ctrl[k]), model.actuator_ctrlrange[k]):
            reached.append("ctrlrange")
    out = int(model.actuator_outadr[i])
    if model.actuator_forcelimited[i] and _at_end(float(state.actuator_force[out]), model.actuator_forcerange[i]):
        reached.append("forcerange")
    if int(model.actuator_trntype[i]) in (TRN_JOINT, TRN_JOINTINPARENT):
        driven = int(model.actuator_trnid[i, 0])
        torque = float(state.qfrc_actuator[int(model.jnt_dofadr[driven])])
        if model.jnt_actfrclimited[driven] and _at_end(torque, model.jnt_actfrcrange[driven]):
            reached.append("the joint's actuatorfrcrange")
    return list(dict.fromkeys(reached))


def _at_end(value: float, ends: np.ndarray) -> bool:
    """Whether a number is at an end of its range, or beyond."""
    low, high = (float(end) for end in ends)
    slack = AT_END * (high - low) if np.isfinite(high - low) else 0.0
    return value <= low + slack or value >= high - slack
