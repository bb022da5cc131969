"""Carries a state over to a Model that was compiled again: elements that remain keep theirs.

Positions, velocities, forces and warm starts go by joint, activations and controls by actuator, poses of mocap bodies
and applied forces by body, activity by equality constraint. What is new starts as at reset.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sim.model import Data
from sim.spec.build import Built

# field of Data -> the kind of element that its rows belong to, and address and number of its rows, by joint type
BY_JOINT = {"qpos": "nq", **dict.fromkeys(("qvel", "qacc_warmstart", "qfrc_applied", "qacc"), "nv")}
SIZES = {"nq": (7, 4, 1, 1), "nv": (6, 3, 1, 1)}


def keep_state(before: Built, after: Built, d: Data, data: Data) -> None:
    """Give `data`, which is new and of the model `after`, the state of `d`, which is of the model `before`."""
    old, new = before.model, after.model
    data.time = d.time
    for field, size in BY_JOINT.items():
        address = "jnt_qposadr" if size == "nq" else "jnt_dofadr"
        for a, b in _pairs(before, after, "joint"):
            kind = int(old.jnt_type[a])
            if kind == int(new.jnt_type[b]):
                width = SIZES[size][kind]
                _copy(data.read(field), getattr(new, address)[b], d.read(field), getattr(old, address)[a], width)
    for a, b in _pairs(before, after, "actuator"):
        for field, name in (("act", "act"), ("ctrl", "ctrl")):
            numbers = getattr(old, f"actuator_{name}num")[a], getattr(new, f"actuator_{name}num")[b]
            if numbers[0] == numbers[1]:
                start = getattr(old, f"actuator_{name}adr")[a], getattr(new, f"actuator_{name}adr")[b]
                _copy(data.read(field), start[1], d.read(field), start[0], numbers[0])
    for a, b in _pairs(before, after, "body"):
        data.xfrc_applied[b] = d.xfrc_applied[a]
        here, there = int(old.body_mocapid[a]), int(new.body_mocapid[b])
        if here >= 0 and there >= 0:
            data.mocap_pos[there], data.mocap_quat[there] = d.mocap_pos[here], d.mocap_quat[here]
    for a, b in _pairs(before, after, "equality"):
        data.eq_active[b] = d.eq_active[a]
    if old.nuserdata == new.nuserdata:
        data.userdata = d.userdata


def _pairs(before: Built, after: Built, kind: str) -> list[tuple[int, int]]:
    """Ids before and after, of elements that are in both models."""
    old = {node: number for node, number in before.ids.items() if before.kinds[node] == kind}
    return [(old[node], number) for node, number in after.ids.items() if node in old and after.kinds[node] == kind]


def _copy(to: NDArray[np.float64], at: int, source: NDArray[np.float64], start: int, count: int) -> None:
    if count > 0:
        to[at : at + count] = source[start : start + count]
