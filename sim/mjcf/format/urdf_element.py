"""Reads the elements of a URDF one by one: numbers, poses, inertias, limits and dynamics as attributes of MJCF."""

from __future__ import annotations

from collections.abc import Sequence
from math import isinf, isnan

from sim.mjcf import notes
from sim.mjcf.errors import MjcfError, shortened
from sim.mjcf.rotation import UNIT, Quat, is_inertia, mul_quat, orientation_to_quat, principal_axes
from sim.mjcf.schema import element, vector_parser
from sim.mjcf.source import Node


class UrdfNode(Node):
    """An MJCF element made from one of a URDF, whose place and name its errors have."""

    __slots__ = ("element",)

    def __init__(self, tag: str, attrib: dict[str, str], element: Node, children: Sequence[Node] = ()) -> None:
        super().__init__(tag, attrib, element.document, element.end)
        self.element = element
        self.children = list(children)

    def copy(self) -> UrdfNode:
        return UrdfNode(self.tag, dict(self.attrib), self.element)

    @property
    def line(self) -> int:
        return self.element.line

    def error(self, message: str, cure: str = "") -> MjcfError:
        return self.element.error(message, cure)


def child_of(node: Node, tag: str) -> Node | None:
    """The child of this name, which can occur once."""
    found = [child for child in node.children if child.tag == tag]
    if len(found) > 1:
        raise found[1].error(f"<{node.tag}> can have only one <{tag}>", "remove the other")
    return found[0] if found else None


def needed(node: Node, tag: str) -> Node:
    found = child_of(node, tag)
    if found is None:
        raise node.error(f"missing element <{tag}>")
    return found


def text_of(node: Node, key: str) -> str:
    if key not in node.attrib:
        raise node.error(f"missing attribute '{key}'")
    return node.attrib[key]


def numbers(node: Node, key: str, count: int) -> tuple[float, ...] | None:
    """The numbers of an attribute; None if it is absent or blank."""
    text = node.attrib.get(key, "")
    if not text.strip():
        return None
    try:
        values: tuple[float, ...] = vector_parser("real", count, count)(text)
    except ValueError as why:
        raise node.error(f'{key}="{shortened(text)}": {why}') from None
    return values


def required(node: Node, key: str, count: int) -> tuple[float, ...]:
    values = numbers(node, key, count)
    if values is None:
        raise node.error(f"missing attribute '{key}'")
    return values


def _bound(node: Node, key: str) -> float | None:
    """A limit, which may be infinite; None if it is not given."""
    try:
        value = float(node.attrib.get(key, ""))
    except ValueError:
        value = 0.0
    spelled = isinf(value) and "inf" in node.attrib[key].lower()
    return value if spelled else next(iter(numbers(node, key, 1) or ()), None)


def written(*values: float) -> str:
    return " ".join(repr(value).removesuffix(".0") for value in values)


def pose_of(node: Node) -> dict[str, str]:
    """pos and euler of the <origin> in an element."""
    origin = child_of(node, "origin")
    pose = {}
    for key, name in (("xyz", "pos"), ("rpy", "euler")):
        values = numbers(origin, key, 3) if origin else None
        if values and any(values):
            pose[name] = written(*values)
    return pose


def rotation_of(node: Node) -> Quat:
    """The rotation of the <origin> in an element."""
    origin = child_of(node, "origin")
    angles = numbers(origin, "rpy", 3) if origin else None
    return orientation_to_quat("euler", angles, False, "XYZ") if angles else UNIT


def known_part(node: Node) -> UrdfNode:
    """A section of the extension <mujoco> without what MJCF does not know."""
    known = element(node.tag)
    attrib = {key: text for key, text in node.attrib.items() if key in known.attributes}
    return UrdfNode(
        node.tag, attrib, node, [known_part(child) for child in node.children if child.tag in known.children]
    )


def inertial_of(node: Node, boundinertia: float) -> Node:
    """<inertial>: mass, and the principal moments and axes of the inertia, which may be all zero."""
    mass = required(needed(node, "mass"), "value", 1)
    inertia = needed(node, "inertia")
    a, b, c, d, e, f = (required(inertia, key, 1)[0] for key in ("ixx", "iyy", "izz", "ixy", "ixz", "iyz"))
    quat, moments = UNIT, (0.0, 0.0, 0.0)
    if any((a, b, c, d, e, f)):
        quat, moments = principal_axes((a, b, c, d, e, f))
        if not is_inertia(moments, boundinertia) or any(map(isnan, moments)):
            why = f"the inertia is not positive definite: its principal moments are {_short(moments)}"
            cure = "all must be positive; <mujoco><compiler boundinertia=.../></mujoco> is a lower bound for zeros"
            raise inertia.error(why, cure)
    origin = child_of(node, "origin")
    pos = (numbers(origin, "xyz", 3) if origin else None) or (0.0, 0.0, 0.0)
    attrib = {"pos": written(*pos), "quat": written(*mul_quat(rotation_of(node), quat)), "mass": written(*mass)}
    return UrdfNode("inertial", attrib | {"diaginertia": written(*moments)}, node)


def _short(values: Sequence[float]) -> str:
    return " ".join(f"{value:g}" for value in values)


def dynamics_of(node: Node) -> dict[str, str]:
    """damping and frictionloss of a joint."""
    dynamics, found = child_of(node, "dynamics"), {}
    for key, name in (("damping", "damping"), ("friction", "frictionloss")):
        values = numbers(dynamics, key, 1) if dynamics else None
        if values:
            found[name] = written(*values)
    return found


def limits_of(node: Node, word: str) -> dict[str, str]:
    """range and actuatorfrcrange of a joint, of which a continuous one has only the latter."""
    limit = child_of(node, "limit")
    if limit is None:
        return {}
    found = {}
    lower, upper = _bound(limit, "lower"), _bound(limit, "upper")
    if word != "continuous" and (lower, upper) != (None, None):
        low, high = lower or 0.0, upper or 0.0
        found["range"] = written(low, high)
        if lower is None or upper is None or low >= high:
            found["limited"] = "false"
            if lower is not None and upper is not None and low:
                notes.warn(
                    str(limit.error(f"limits {low:g} {high:g} have no effect", "lower must be less than upper")),
                    stacklevel=2,
                )
    effort = abs(_bound(limit, "effort") or 0.0)
    if effort:
        found["actuatorfrcrange"] = written(-effort, effort)
    return found
