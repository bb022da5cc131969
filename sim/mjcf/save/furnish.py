"""Adds what a robot's description lacks to the MJCF of a model before it is saved: floor, light, actuators, excludes.

Position servos hold the pose against gravity without overshoot: kp uses the full effort at a small error, but is at
most what the timestep can follow; kv damps critically. Without an effort, kp follows from the inertia alone. No servo
holds against contacts of links that overlap, as those of many robots do: these can be excluded.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import inf, pi, sqrt

import numpy as np

from sim import enums
from sim.mjcf.pose import poses
from sim.mjcf.save.attribute_text import format_numbers
from sim.mjcf.save.save import Source
from sim.mjcf.source import Node
from sim.model import Model

# an error of this part of the range, at most of a radian or metre, uses the full effort
FULL_EFFORT_ERROR = 0.05
# the error of a servo that holds a load, rad or m
HELD_ERROR = 0.02
# of a servo, rad/s, and at most this part of 1 / timestep; the second where the other joints give way
FREQUENCY, FREQUENCY_PER_STEP, FREE_FREQUENCY_PER_STEP = 20.0, 0.1, 0.3
# of a velocity servo, in seconds; controls of joints whose velocities are not limited
TIME_CONSTANT = 0.05
SPEEDS = {enums.JNT_HINGE: 2 * pi, enums.JNT_SLIDE: 1.0}


def furnish(
    m: Model,
    floor: bool = False,
    light: bool = False,
    actuators: str = "",
    excluded: Iterable[Iterable[str]] = (),
) -> None:
    """Add elements to what the model will be saved as.

    `actuators` is motor, position, velocity or empty; `excluded` are pairs of bodies that must not collide.
    """
    source = m.__dict__["source"]
    assert isinstance(source, Source)
    root = source.root
    # what is added is in no source text
    source.furnished = True
    if floor:
        _add_floor(m, root)
    if light:
        x, y, z = m.stat.center
        above = format_numbers((x, y, z + 3 * m.stat.extent))
        _add(root, "worldbody", "light", pos=above, dir="0 0 -1", type="directional")
    if actuators:
        _add_actuators(m, source, actuators)
    for first, second in excluded:
        _add(root, "contact", "exclude", body1=first, body2=second)


def _add(root: Node, section: str, tag: str, **attributes: str) -> None:
    """Add an element to a section, which is made if it does not exist."""
    place = next((node for node in root.children if node.tag == section and not node.document.origin), None)
    if place is None:
        place = Node(section, {}, root.document, root.end)
        # the compiler reads sections in its own order; people expect assets before bodies
        at = next((k for k, node in enumerate(root.children) if node.tag == "worldbody"), len(root.children))
        root.children.insert(at if section == "asset" else len(root.children), place)
    place.children.append(Node(tag, attributes, root.document, root.end))


def _unused(name: str, names: list[str]) -> str:
    """The name, with a number at the end if it is used."""
    return next(new for new in (name, *(f"{name}{k}" for k in range(2, len(names) + 3))) if new not in names)


def _add_floor(m: Model, root: Node) -> None:
    """A plane with a checker texture at the lowest point of the model, or at 0 if that is higher."""
    low = min(0.0, lowest(m))
    name = _unused("floor", [*m.names["geom"], *m.names["material"], *m.names["texture"]])
    for section, tag, attributes in floor_elements(name, low):
        _add(root, section, tag, **attributes)


def floor_elements(name: str, height: float) -> tuple[tuple[str, str, dict[str, str]], ...]:
    """Section, tag and attributes of what a floor consists of."""
    colours = {"rgb1": "0.3 0.35 0.4", "rgb2": "0.2 0.25 0.3", "width": "256", "height": "256"}
    return (
        ("asset", "texture", {"name": name, "type": "2d", "builtin": "checker", **colours}),
        ("asset", "material", {"name": name, "texture": name, "texrepeat": "1 1", "texuniform": "true"}),
        (
            "worldbody",
            "geom",
            {"name": name, "type": "plane", "size": "0 0 1", "pos": f"0 0 {height!r}", "material": name},
        ),
    )


def lowest(m: Model) -> float:
    """The height of the lowest point of the boxes around all geoms; inf without any."""
    low, world = inf, poses(m)
    for geom in range(m.ngeom):
        centre, half = m.geom_aabb[geom, :3], m.geom_aabb[geom, 3:]
        if m.geom_rbound[geom] > 0:
            up = np.reshape(world["geom_xmat"][geom], (3, 3))[2]
            low = min(low, float(world["geom_xpos"][geom][2] + up @ centre - np.abs(up) @ half))
    return low


def _add_actuators(m: Model, source: Source, kind: str) -> None:
    """An actuator for each hinge and slide that has none and does not follow another joint."""
    driven = {int(m.actuator_trnid[k, 0]) for k in range(m.nactuator) if m.actuator_trntype[k] == enums.TRN_JOINT}
    driven |= {int(m.eq_obj1id[k]) for k in range(m.neq) if m.eq_type[k] == enums.EQ_JOINT}
    for joint in range(m.njnt):
        node = source.parsed.lists["joint"][joint].node
        if joint in driven or m.jnt_type[joint] not in SPEEDS or node is None:
            continue
        name = node.attrib.setdefault("name", _unused(f"joint{joint}", m.names["joint"]))
        own = {"name": _unused(name, m.names["actuator"]), "joint": name}
        _add(source.root, "actuator", kind, **own, **actuator_settings(m, joint, kind))


def actuator_settings(m: Model, joint: int, kind: str, load: float = 0.0) -> dict[str, str]:
    """Gains and control range of the actuator of a joint, which a position servo holds against a load."""
    effort = float(m.jnt_actfrcrange[joint, 1]) if m.jnt_actfrclimited[joint] else 0.0
    low, high = m.jnt_range[joint] if m.jnt_limited[joint] else (0.0, 0.0)
    dof = int(m.jnt_dofadr[joint])
    inertia = float(m.dof_M0[dof])
    if kind == "motor":
        return {"ctrlrange": format_numbers((-effort, effort))} if effort else {}
    if kind == "velocity":
        speed = SPEEDS[int(m.jnt_type[joint])]
        return {"kv": format_numbers([inertia / TIME_CONSTANT]), "ctrlrange": format_numbers((-speed, speed))}
    effective = 1 / float(m.dof_invweight0[dof])
    most = min(inertia * FREQUENCY_PER_STEP**2, effective * FREE_FREQUENCY_PER_STEP**2) / m.opt.timestep**2
    wanted = effort / (FULL_EFFORT_ERROR * min(high - low or 1.0, 1.0)) if effort else inertia * FREQUENCY**2
    kp = min(max(wanted, load / HELD_ERROR), most)
    kv = 2 * sqrt(kp * effective)
    ctrl = {"ctrlrange": format_numbers((low, high))} if high > low else {}
    return {"kp": _rounded(kp), "kv": _rounded(kv), **ctrl}


def _rounded(value: float) -> str:
    return f"{value:.4g}"
