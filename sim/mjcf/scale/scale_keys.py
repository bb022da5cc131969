"""Applies the scales of frames to keyframes: coordinates, velocities, controls and activations, and mocap bodies."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from sim.enums import GAIN_PID, INPUT_FF, INPUT_POS, INPUT_VEL
from sim.mjcf.columns import Values
from sim.mjcf.rotation import Vec3, Vector
from sim.mjcf.scale.scale_tree import travel
from sim.mjcf.section.spec import Actuator
from sim.mjcf.spec import FREE, SLIDE, Body

# the attribute with the range of each input of a pid
_RANGES = {INPUT_POS: "ctrlrange", INPUT_VEL: "velrange", INPUT_FF: "ffrange"}


def scale_keys(m: Values, name: str, rows: Any, bodies: Sequence[Body], actuators: Sequence[Actuator]) -> None:
    """Scale the rows of one state vector, in place; values that are not given are NaN."""
    if name in ("qpos", "qvel"):
        _joints(m, name, rows, bodies)
    elif name == "mpos":
        for k, body in enumerate(body for body in bodies if body.mocap):
            if body.frame_scale is not None:
                _vectors(rows[:, 3 * k : 3 * k + 3], body.frame_scale.move)
    elif name in ("ctrl", "act"):
        for actuator, at in zip(actuators, m[f"actuator_{name}adr"].tolist(), strict=True):
            for k, by in enumerate(_controls(actuator) if name == "ctrl" else _activations(actuator)):
                rows[:, at + k] *= by


def _joints(m: Values, name: str, rows: Any, bodies: Sequence[Body]) -> None:
    number = 0
    address = m["jnt_qposadr"] if name == "qpos" else m["jnt_dofadr"]
    for body in bodies:
        for joint in body.joints:
            at = int(address[number])
            number += 1
            if joint.type == FREE and body.frame_scale is not None:
                _vectors(rows[:, at : at + 3], body.frame_scale.move if name == "qpos" else body.frame_scale.turn)
            elif joint.type == SLIDE:
                rows[:, at] *= travel(joint)


def _vectors(rows: Any, change: Callable[[Vector], Vec3]) -> None:
    for row in rows:
        if not np.isnan(row).any():
            row[:] = change(row.tolist())


def _controls(actuator: Actuator) -> Vector:
    """The factor of each control."""
    names = ["ctrlrange"] * actuator.ctrlnum
    if actuator.gaintype == GAIN_PID:
        names = [name for bit, name in _RANGES.items() if actuator.ctrlspec & bit]
    return tuple(actuator.factors.get(name, (1.0,))[0] for name in names)


def _activations(actuator: Actuator) -> Vector:
    name = "dynprm" if actuator.gaintype == GAIN_PID else "actrange"
    return (actuator.factors.get(name, (1.0,))[0],) * max(actuator.actdim, 0)
