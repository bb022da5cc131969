"""<keyframe>: state vectors of the whole model, or of a submodel that was attached.

A keyframe of a submodel (`KeyNode`) says which of its values belongs to which joint, actuator or mocap body. What a
keyframe does not give, because a vector is missing or too short, is as in the initial state.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sim import enums
from sim.mjcf import notes
from sim.mjcf.attach.key_node import KeyNode
from sim.mjcf.body_tree import NQ, NV
from sim.mjcf.records import Body, Key, Parsed, Tendon, Values
from sim.mjcf.rotation import UNIT, normalize4
from sim.mjcf.scale.scale_keys import scale_keys
from sim.mjcf.section.plastic import joint_size, tendon_size
from sim.mjcf.source import Node

Array = NDArray[np.float64]
# element of a vector -> address and number of its values
Addresses = dict[Node | None, tuple[int, int]]

# vector -> element type that its values belong to, and which of the two sizes of a `Slice` applies
VECTORS = {
    "qpos": ("joint", 0),
    "qvel": ("joint", 1),
    "act": ("actuator", 0),
    "ctrl": ("actuator", 1),
    "mpos": ("mocap", 0),
    "mquat": ("mocap", 1),
    "plastic": ("plastic", 0),
}
# vectors of positions and quaternions: size of one
GROUPS = {"mpos": 3, "mquat": 4}


def complete_keys(parsed: Parsed) -> None:
    """Add empty keyframes up to nkey, before those of submodels."""
    own = [key for key in parsed.keys if not isinstance(key.node, KeyNode)]
    own += [Key() for _ in range(parsed.size["nkey"] - len(parsed.keys))]
    parsed.keys = own + [key for key in parsed.keys if isinstance(key.node, KeyNode)]


def fill_keys(
    m: Values, parsed: Parsed, bodies: list[Body], actuators: Sequence[Any], tendons: Sequence[Tendon]
) -> None:
    """key_*; values not given are those of the initial state, and NaN for plastic, which needs lengths of tendons."""
    mocap = [body for body in bodies if body.mocap]
    m["nmocap"] = len(mocap)
    start = {
        "qpos": m["qpos0"],
        "qvel": np.zeros(m["nv"]),
        "act": np.zeros(m.get("na", 0)),
        "ctrl": np.zeros(m.get("nu", 0)),
        "mpos": np.array([body.pos for body in mocap], float).reshape(-1),
        "mquat": np.array([body.quat for body in mocap], float).reshape(-1),
        "plastic": np.full(m["nplastic"], np.nan),
    }
    addresses = (
        vector_addresses(m, bodies, mocap, actuators, tendons)
        if any(isinstance(key.node, KeyNode) for key in parsed.keys)
        else {}
    )
    if parsed.keys:
        first = parsed.keys[0] if parsed.keys[0].node else parsed.size_element
        parsed.budget.reserve(first, 8 * len(parsed.keys) * sum(map(len, start.values())))
    for name, rest in start.items():
        rows = np.tile(rest, (len(parsed.keys), 1)).reshape(len(parsed.keys), len(rest))
        if parsed.scaled:
            rows[:] = np.nan
        for k, key in enumerate(parsed.keys):
            if isinstance(key.node, KeyNode):
                _scatter(rows[k], key, name, addresses[name])
                continue
            given = getattr(key, name)
            if len(given) > len(rest):
                raise key.error(f"{name} has {len(given)} values", f"the model needs {len(rest)}")
            given = _whole(key, name, given)
            rows[k, : len(given)] = given
        if parsed.scaled:
            scale_keys(m, name, rows, bodies, actuators, tendons)
            rows = np.where(np.isnan(rows), rest, rows)
        m[f"key_{name}"] = rows
    _normalize_quats(m)


def _whole(key: Key, name: str, given: Sequence[float]) -> Sequence[float]:
    """The values of a vector up to the last whole position or quaternion, as in MuJoCo."""
    size = GROUPS.get(name, 1)
    rest = len(given) % size
    if rest:
        why = key.error(
            f"{name} has {len(given)} values, of which the last {rest} have no effect", f"specify all {size}"
        )
        notes.warn(str(why), stacklevel=2)
    return given[: len(given) - rest]


def _scatter(row: Array, key: Key, name: str, addresses: Addresses) -> None:
    """Copy the vector of a submodel's keyframe into the row of the whole model."""
    assert isinstance(key.node, KeyNode)
    kind, which = VECTORS[name]
    given = _whole(key, name, getattr(key, name))
    first = 0
    for part in key.node.slices[kind]:
        at, size = addresses.get(part.element, (-1, part.sizes[which]))
        if part.taken and at >= 0:
            values = given[first : first + size]
            row[at : at + len(values)] = values
        first += size
    if first < len(getattr(key, name)):
        raise key.error(f"{name} has {len(getattr(key, name))} values", f"its submodel needs {first}")


def vector_addresses(
    m: Values, bodies: list[Body], mocap: list[Body], actuators: Sequence[Any], tendons: Sequence[Tendon]
) -> dict[str, Addresses]:
    """Addresses of each vector."""
    joints = [joint for body in bodies for joint in body.joints]
    addresses: dict[str, Addresses] = {name: {} for name in VECTORS}
    for j, joint in enumerate(joints):
        addresses["qpos"][joint.node] = int(m["jnt_qposadr"][j]), NQ[joint.type]
        addresses["qvel"][joint.node] = int(m["jnt_dofadr"][j]), NV[joint.type]
        addresses["plastic"][joint.node] = int(m["jnt_plasticadr"][j]), joint_size(joint)
    for t, tendon in enumerate(tendons):
        addresses["plastic"][tendon.node] = int(m["tendon_plasticadr"][t]), tendon_size(tendon)
    for b, body in enumerate(mocap):
        addresses["mpos"][body.node], addresses["mquat"][body.node] = (3 * b, 3), (4 * b, 4)
    for a, actuator in enumerate(actuators):
        addresses["act"][actuator.node] = int(m["actuator_actadr"][a]), int(m["actuator_actnum"][a])
        addresses["ctrl"][actuator.node] = int(m["actuator_ctrladr"][a]), int(m["actuator_ctrlnum"][a])
    return addresses


def _normalize_quats(m: Values) -> None:
    quats = [
        adr + 3 * (kind == enums.JNT_FREE)
        for kind, adr in zip(m["jnt_type"].tolist(), m["jnt_qposadr"].tolist(), strict=True)
        if kind in (enums.JNT_FREE, enums.JNT_BALL)
    ]
    for adr in quats:
        for quat in m["key_qpos"][:, adr : adr + 4]:
            quat[:] = normalize4(quat.tolist()) if quat.any() else UNIT
    for row in m["key_mquat"].reshape(-1, 4):
        row[:] = normalize4(row.tolist())
