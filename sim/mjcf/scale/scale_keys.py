"""Applies the scales of frames to keyframes: coordinates, velocities, controls and activations, and mocap bodies."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from sim import enums
from sim.mjcf.records import PID_RANGES, Actuator, Body, Joint, Tendon, Values
from sim.mjcf.rotation import Vec3, Vector
from sim.mjcf.scale.frame_scale import Scale


def scale_keys(
    m: Values,
    name: str,
    rows: Any,
    bodies: Sequence[Body],
    actuators: Sequence[Actuator],
    tendons: Sequence[Tendon],
    back: bool = False,
) -> None:
    """Scale the rows of one state vector, in place, or undo that; values that are not given are NaN."""
    if name in ("qpos", "qvel"):
        _joints(m, name, rows, bodies, back)
    elif name == "plastic":
        _rests(m, rows, [joint for body in bodies for joint in body.joints], tendons, back)
    elif name == "mpos":
        for k, body in enumerate(body for body in bodies if body.mocap):
            scale = _of_body(body, back)
            if scale is not None:
                _vectors(rows[:, 3 * k : 3 * k + 3], scale.move)
    elif name in ("ctrl", "act"):
        for actuator, at in zip(actuators, m[f"actuator_{name}adr"].tolist(), strict=True):
            for k, by in enumerate(_controls(actuator) if name == "ctrl" else _activations(actuator)):
                rows[:, at + k] *= 1 / by if back else by


def _of_body(body: Body, back: bool) -> Scale | None:
    scale = body.frame_scale
    return scale.inverse() if scale is not None and back else scale


def _joints(m: Values, name: str, rows: Any, bodies: Sequence[Body], back: bool) -> None:
    number = 0
    address = m["jnt_qposadr"] if name == "qpos" else m["jnt_dofadr"]
    for body in bodies:
        for joint in body.joints:
            at = int(address[number])
            number += 1
            if joint.type == enums.JNT_FREE:
                scale = _of_body(body, back)
                if scale is not None:
                    _vectors(rows[:, at : at + 3], scale.move if name == "qpos" else scale.turn)
            elif joint.type == enums.JNT_SLIDE:
                by = joint.factors.get("ref", (1.0,))[0]
                rows[:, at] *= 1 / by if back else by


def _rests(m: Values, rows: Any, joints: Sequence[Joint], tendons: Sequence[Tendon], back: bool) -> None:
    """Where springs rest scales as what they yield to."""
    for items, addresses in ((joints, m["jnt_plasticadr"]), (tendons, m["tendon_plasticadr"])):
        for item, at in zip(items, addresses.tolist(), strict=True):
            by = item.factors.get("springyield", (1.0,))[0]
            if at >= 0 and by != 1.0:
                rows[:, at : at + (2 if items is tendons else 1)] *= 1 / by if back else by


def _vectors(rows: Any, change: Callable[[Vector], Vec3]) -> None:
    for row in rows:
        if not np.isnan(row).any():
            row[:] = change(row.tolist())


def _controls(actuator: Actuator) -> Vector:
    """The factor of each control."""
    names = ["ctrlrange"] * actuator.ctrlnum
    if actuator.gaintype == enums.GAIN_PID:
        names = [name for bit, name in PID_RANGES.items() if actuator.ctrlspec & bit]
    return tuple(actuator.factors.get(name, (1.0,))[0] for name in names)


def _activations(actuator: Actuator) -> Vector:
    name = "dynprm" if actuator.gaintype == enums.GAIN_PID else "actrange"
    return (actuator.factors.get(name, (1.0,))[0],) * max(actuator.actdim, 0)
