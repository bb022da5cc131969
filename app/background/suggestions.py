"""Expressions that are worth comparing, for the element that is selected."""

from __future__ import annotations

from app.model.break_presets import sides
from app.model.selection import Selection
from app.model.views import ModelView, StateView
from sim.enums import JNT_HINGE, JNT_SLIDE

# of the whole
GENERAL = ("energy()", "d.ncon", "iterations()")


def suggestions(model: ModelView, state: StateView, selection: Selection | None) -> tuple[str, ...]:
    """Expressions about the selection, or about the whole."""
    if selection is None or not selection.exists(model, state):
        return GENERAL
    kind, index = selection.kind, selection.index
    if kind == "contact":
        touching = sides(model, state, selection)
        return f"normal_force({touching})", f"friction_force({touching})", f"depth({touching})"
    name = model.names.get(kind, ())[index : index + 1]
    element = f'd.{kind}("{name[0]}")' if name and name[0] else ""
    if kind == "body" and index:
        place = (element and f"{element}.xpos[2]") or f"d.xpos[{index}, 2]"
        speed = (element and f"norm({element}.cvel[3:])") or f"norm(d.cvel[{index}, 3:])"
        return place, speed, f"normal_force({sides(model, state, selection)})"
    if kind == "geom":
        return f"normal_force({sides(model, state, selection)})", f"depth({sides(model, state, selection)})"
    if kind == "joint" and int(model.jnt_type[index]) in (JNT_HINGE, JNT_SLIDE):
        return f"d.qpos[{int(model.jnt_qposadr[index])}]", f"d.qvel[{int(model.jnt_dofadr[index])}]"
    if kind == "joint":
        first = int(model.jnt_dofadr[index])
        return (f"norm(d.qvel[{first}:{first + 3}])",)
    if kind == "actuator":
        return f"d.actuator_force[{int(model.actuator_outadr[index])}]", f"d.actuator_length[{index}]"
    if kind == "tendon":
        return f"d.ten_length[{index}]", f"d.ten_velocity[{index}]"
    if kind == "sensor":
        return (f"d.sensordata[{int(model.sensor_adr[index])}]",)
    return GENERAL
