"""Keyframes of submodels: which of their values belongs to which joint, actuator or mocap body.

The vectors of a keyframe are rows of slices, one for each joint, actuator or mocap body of the model that it is for. A
`KeyNode` keeps the vectors as they were written, and says for each slice which element of the expanded model has its
values. The vectors are cut when the model is compiled (`section/keyframe.py`): sizes can come from default classes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

from sim import enums
from sim.mjcf.body_tree import NQ, NV
from sim.mjcf.source import Node

JOINT_TYPES = {"free": enums.JNT_FREE, "ball": enums.JNT_BALL}
# actuators that always have an activation, and the attributes that give one to others
WITH_ACT = ("intvelocity", "muscle", "cylinder")
ACT_ATTRIBUTES = ("dyntype", "timeconst")


class Slice(NamedTuple):
    """A slice of a keyframe's vectors: the element it belongs to, and whether that element takes the values.

    An element that does not still says how long the slice is. `sizes` are those of its two vectors, such as qpos and
    qvel, if the expanded model does not have the element.
    """

    element: Node
    taken: bool
    sizes: tuple[int, int]


# "joint", "actuator", "mocap" or "plastic" -> slices in the order of the vectors
Slices = dict[str, list[Slice]]


class KeyNode(Node):
    """A keyframe of a submodel: the slices of its vectors."""

    __slots__ = ("slices",)

    def __init__(self, key: Node, name: str, slices: Slices) -> None:
        super().__init__("key", {**key.attrib, "name": name}, key.document, key.end, key.ordinal)
        if not name:
            del self.attrib["name"]
        self.slices = slices

    def copy(self) -> KeyNode:
        return KeyNode(self, self.attrib.get("name", ""), dict(self.slices))

    def follow(self, clones: Mapping[Node, Node]) -> None:
        """Let clones take the values of what was cloned."""
        self.slices = map_slices(
            self.slices, lambda part: part._replace(element=clones.get(part.element, part.element))
        )


def map_slices(slices: Slices, change: Callable[[Slice], Slice]) -> Slices:
    """Slices with each one changed."""
    return {kind: [change(part) for part in row] for kind, row in slices.items()}


def model_slices(root: Node) -> Slices:
    """The slices of a keyframe of the whole model, as it is now."""
    types = _joint_types(root)
    joints, mocaps = [], []
    for body, members in _bodies(root):
        if body.attrib.get("mocap") == "true":
            mocaps.append(Slice(body, True, (3, 4)))
        for joint, inherited in members:
            kind = (
                "free"
                if joint.tag == "freejoint"
                else joint.attrib.get("type") or types.get(joint.attrib.get("class", inherited), "")
            )
            number = JOINT_TYPES.get(kind, enums.JNT_HINGE)
            joints.append(Slice(joint, True, (NQ[number], NV[number])))
    actuators = []
    for section in root.children:
        if section.tag == "actuator":
            for node in section.children:
                dynamic = node.tag in WITH_ACT or any(key in node.attrib for key in ACT_ATTRIBUTES)
                actuators.append(Slice(node, True, (int(dynamic), 1)))
    tendons = [node for section in root.children if section.tag == "tendon" for node in section.children]
    plastic = [Slice(part.element, True, (_plastic_size(part), 0)) for part in joints]
    plastic += [Slice(node, True, (2 if _yields(node) else 0, 0)) for node in tendons]
    return {"joint": joints, "actuator": actuators, "mocap": mocaps, "plastic": plastic}


def _yields(node: Node) -> bool:
    """Whether a joint or tendon that is left out has a plastic spring; a default class is not looked at."""
    return float(node.attrib.get("springyield", "0")) > 0


def _plastic_size(joint: Slice) -> int:
    return (4 if joint.sizes == (NQ[enums.JNT_BALL], NV[enums.JNT_BALL]) else 1) if _yields(joint.element) else 0


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
