"""<keyframe>: state vectors of the whole model, or of a submodel that was attached or replicated.

A keyframe of a submodel (`KeyNode`) records which of its values belongs to which joint, actuator or mocap body of the
final model. Values that a keyframe does not give are those of the initial state, with one exception, which is MuJoCo's:
a vector that is too short is padded with the numbers in the file (ref, pos, quat), before angles are converted and
frames applied.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import pi
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sim.mjcf.columns import Values
from sim.mjcf.rotation import UNIT, ZERO, normalize4
from sim.mjcf.schema import read_attributes
from sim.mjcf.source import Node
from sim.mjcf.spec import BALL, FREE, HINGE, Body, Key, Spec
from sim.mjcf.tree import NQ, NV

Array = NDArray[np.float64]

# vector -> element type that its values belong to, and which of the two sizes of `Part` applies
VECTORS = {
    "qpos": ("joint", 0),
    "qvel": ("joint", 1),
    "act": ("actuator", 0),
    "ctrl": ("actuator", 1),
    "mpos": ("mocap", 0),
    "mquat": ("mocap", 1),
}
# vectors of positions and quaternions: size of one
GROUPS = {"mpos": 3, "mquat": 4}

JOINT_TYPES = {"free": FREE, "ball": BALL}
# actuators that always have an activation, and the attributes that give one to others
WITH_ACT = ("intvelocity", "muscle", "cylinder")
ACT_ATTRIBUTES = ("dyntype", "timeconst")


class Part(NamedTuple):
    """A slice of a keyframe's vectors: the element it belongs to, whether it is copied to it, and its two sizes."""

    node: Node
    copied: bool
    sizes: tuple[int, int]


Layout = dict[str, list[Part]]


class KeyNode(Node):
    """A keyframe of a submodel: `parts` are the slices of its vectors, `padded` the ids of nodes to pad."""

    __slots__ = ("padded", "parts")

    def __init__(self, key: Node, name: str, parts: Layout, padded: set[int]) -> None:
        super().__init__("key", {**key.attrib, "name": name}, key.document, key.end)
        if not name:
            del self.attrib["name"]
        self.parts, self.padded = parts, padded

    def clone(self, clones: dict[int, Node], kept: set[int]) -> KeyNode:
        """The same keyframe for a clone of the model; parts whose clone is not in `kept` are skipped."""
        parts = {kind: [_clone(part, clones, kept) for part in row] for kind, row in self.parts.items()}
        padded = {id(clones[node]) for node in self.padded if node in clones}
        return KeyNode(self, self.attrib.get("name", ""), parts, padded)


def _clone(part: Part, clones: dict[int, Node], kept: set[int]) -> Part:
    node = clones.get(id(part.node), part.node)
    return Part(node, part.copied and id(node) in kept, part.sizes)


# ---- layout of the state vectors, from XML nodes


def layout(root: Node) -> Layout:
    """Joints, actuators and mocap bodies of a model, in the order of its state vectors."""
    types = _joint_types(root)
    joints, mocaps = [], []
    for body, members in _bodies(root):
        if body.attrib.get("mocap") == "true":
            mocaps.append(Part(body, True, (3, 4)))
        for joint, inherited in members:
            kind = (
                "free"
                if joint.tag == "freejoint"
                else joint.attrib.get("type") or types.get(joint.attrib.get("class", inherited), "")
            )
            number = JOINT_TYPES.get(kind, HINGE)
            joints.append(Part(joint, True, (NQ[number], NV[number])))
    actuators = []
    for section in root.children:
        if section.tag == "actuator":
            for node in section.children:
                dynamic = node.tag in WITH_ACT or any(key in node.attrib for key in ACT_ATTRIBUTES)
                actuators.append(Part(node, True, (int(dynamic), 1)))
    return {"joint": joints, "actuator": actuators, "mocap": mocaps}


def _bodies(root: Node) -> Iterator[tuple[Node, list[tuple[Node, str]]]]:
    """Bodies depth first, each with its joints and the childclass in force there."""
    stack = [(node, "main") for node in reversed(root.children) if node.tag == "worldbody"]
    while stack:
        body, inherited = stack.pop()
        joints: list[tuple[Node, str]] = []
        below: list[tuple[Node, str]] = []
        inside = [(child, inherited) for child in body.children]
        while inside:
            node, name = inside.pop(0)
            name = node.attrib.get("childclass", name)
            if node.tag == "frame":
                inside = [(child, name) for child in node.children] + inside
            elif node.tag == "body":
                below.append((node, name))
            elif node.tag in ("joint", "freejoint"):
                joints.append((node, name))
        yield body, joints
        stack += reversed(below)


def _joint_types(root: Node) -> dict[str, str]:
    """Default class -> joint type."""
    types: dict[str, str] = {}
    stack = [(node, "") for node in reversed(root.children) if node.tag == "default"]
    while stack:
        node, kind = stack.pop()
        name = node.attrib.get("class", "main")
        for child in node.children:
            if child.tag == "joint":
                kind = child.attrib.get("type", kind)
        types[name] = kind or types.get(name, "")
        stack += [(child, types[name]) for child in node.children if child.tag == "default"]
    return types


# ---- the vectors


def complete_keys(spec: Spec) -> None:
    """Add empty keyframes up to nkey, then those of submodels."""
    own = [key for key in spec.keys if not isinstance(key.node, KeyNode)]
    own += [Key() for _ in range(spec.size["nkey"] - len(own))]
    spec.keys = own + [key for key in spec.keys if isinstance(key.node, KeyNode)]


def fill_keys(m: Values, spec: Spec, bodies: list[Body], actuators: Sequence[Any] = ()) -> None:
    """key_*; values not given are those of the initial state."""
    mocap = [body for body in bodies if body.mocap]
    m["nmocap"] = len(mocap)
    start = {
        "qpos": m["qpos0"],
        "qvel": np.zeros(m["nv"]),
        "act": np.zeros(m.get("na", 0)),
        "ctrl": np.zeros(m.get("nu", 0)),
        "mpos": np.array([body.pos for body in mocap], float).reshape(-1),
        "mquat": np.array([body.quat for body in mocap], float).reshape(-1),
    }
    padding = _padding(m, spec, bodies, mocap) if spec.keys else {}
    addresses = (
        _addresses(m, bodies, mocap, actuators) if any(isinstance(key.node, KeyNode) for key in spec.keys) else {}
    )
    if spec.keys:
        first = spec.keys[0] if spec.keys[0].node else spec.size_element
        spec.budget.reserve(first, 8 * len(spec.keys) * sum(map(len, start.values())))
    for name, rest in start.items():
        rows = np.tile(rest, (len(spec.keys), 1)).reshape(len(spec.keys), len(rest))
        for k, key in enumerate(spec.keys):
            given = getattr(key, name)
            if isinstance(key.node, KeyNode):
                if given:
                    _scatter(rows[k], key, name, addresses[name], padding.get(name))
                continue
            if len(given) > len(rest) or len(given) % GROUPS.get(name, 1):
                raise key.error(f"{name} has {len(given)} values", f"the model needs {len(rest)}")
            if given and name in padding:
                rows[k] = padding[name]
            rows[k, : len(given)] = given
        m[f"key_{name}"] = rows
    _normalize_quats(m)


def _scatter(row: Array, key: Key, name: str, addresses: dict[int, tuple[int, int]], pad: Array | None) -> None:
    """Copy the vector of a submodel's keyframe into the row of the whole model."""
    assert isinstance(key.node, KeyNode)
    kind, which = VECTORS[name]
    given = getattr(key, name)
    if pad is not None:
        for node in key.node.padded:
            if node in addresses:
                at, size = addresses[node]
                row[at : at + size] = pad[at : at + size]
    first = 0
    for part in key.node.parts[kind]:
        at, size = addresses.get(id(part.node), (-1, part.sizes[which]))
        if part.copied and at >= 0:
            values = given[first : first + size]
            row[at : at + len(values)] = values
        first += size
    if first != len(given):
        raise key.error(f"{name} has {len(given)} values", f"its submodel needs {first}")


def _addresses(
    m: Values, bodies: list[Body], mocap: list[Body], actuators: Sequence[Any]
) -> dict[str, dict[int, tuple[int, int]]]:
    """vector -> id of node -> address and number of its values."""
    joints = [joint for body in bodies for joint in body.joints]
    addresses: dict[str, dict[int, tuple[int, int]]] = {name: {} for name in VECTORS}
    for j, joint in enumerate(joints):
        addresses["qpos"][id(joint.node)] = int(m["jnt_qposadr"][j]), NQ[joint.type]
        addresses["qvel"][id(joint.node)] = int(m["jnt_dofadr"][j]), NV[joint.type]
    for b, body in enumerate(mocap):
        addresses["mpos"][id(body.node)], addresses["mquat"][id(body.node)] = (3 * b, 3), (4 * b, 4)
    for a, actuator in enumerate(actuators):
        addresses["act"][id(actuator.node)] = int(m["actuator_actadr"][a]), int(m["actuator_actnum"][a])
        addresses["ctrl"][id(actuator.node)] = int(m["actuator_ctrladr"][a]), int(m["actuator_ctrlnum"][a])
    return addresses


def _padding(m: Values, spec: Spec, bodies: list[Body], mocap: list[Body]) -> dict[str, Array]:
    """Padding of vectors that are too short: ref, pos and quat as given in the file."""
    qpos = np.zeros(m["nq"])
    joints = [joint for body in bodies for joint in body.joints]
    for joint, at in zip(joints, m["jnt_qposadr"].tolist(), strict=True):
        degrees = joint.type == HINGE and spec.compiler_of(joint).degree
        qpos[at] = joint.ref * (180 / pi) if degrees else joint.ref
    written = [read_attributes(body.node) if body.node else {} for body in mocap]
    return {
        "qpos": qpos,
        "mpos": np.array([values.get("pos", ZERO) for values in written], float).reshape(-1),
        "mquat": np.array([values.get("quat", UNIT) for values in written], float).reshape(-1),
    }


def _normalize_quats(m: Values) -> None:
    quats = [
        adr + 3 * (kind == FREE)
        for kind, adr in zip(m["jnt_type"].tolist(), m["jnt_qposadr"].tolist(), strict=True)
        if kind in (FREE, BALL)
    ]
    for adr in quats:
        for quat in m["key_qpos"][:, adr : adr + 4]:
            quat[:] = normalize4(quat.tolist()) if quat.any() else UNIT
    for row in m["key_mquat"].reshape(-1, 4):
        row[:] = normalize4(row.tolist())
