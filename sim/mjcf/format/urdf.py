"""Reads URDF: <robot> -> the MJCF tree that MuJoCo makes of it, whose errors name the elements of the URDF.

Links become bodies, those that are no child stand in the world, where the link `world` is. Visual geometry is dropped
and bodies without joints are fused with their parents, unless <compiler> in the extension <mujoco> says otherwise:
discardvisual="false" fusestatic="false". An effort limit becomes actuatorfrcrange, <mimic> an equality of joints; a
planar joint becomes two slides and a hinge. Where versions of MuJoCo differ, this is 4.0: it rotates an inertia by
the rpy of its origin, knows <mimic>, does not limit continuous joints, tells meshes of the same name from each
other, and leaves out the name of a second joint of the same name.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Sequence
from math import inf, isinf, isnan

from sim.mjcf.asset.asset_file import stem
from sim.mjcf.errors import MjcfError, shortened, suggestion
from sim.mjcf.format.mesh_place import mesh_file
from sim.mjcf.format.urdf_words import MJCF, warn_unknown
from sim.mjcf.rotation import (
    TINY,
    UNIT,
    Quat,
    mul_quat,
    orientation_to_quat,
    principal_axes,
    quat_to_mat,
    quat_z_to_vec,
)
from sim.mjcf.schema import element, read_attributes, vector_parser
from sim.mjcf.source import UTF16, Node, XmlReader, bare, decode

XACRO = "this is xacro, from which URDF is made"
EXPAND = "expand it and open the result: xacro robot.urdf.xacro > robot.urdf"

# joint types -> MJCF; those of a planar joint are made separately
JOINT_TYPES = {
    "revolute": "hinge",
    "continuous": "hinge",
    "prismatic": "slide",
    "fixed": "",
    "floating": "free",
    "planar": "planar",
    "spherical": "ball",
}
SCALAR = ("hinge", "slide")
WORLD = "world"

_DECLARATION = re.compile(r"\A\s*<\?xml\s[^>]*\?>")
_PREFIX = re.compile(r"<([A-Za-z_][\w.-]*):|\s([A-Za-z_][\w.-]*):[\w.-]+\s*=")
_ROOT = re.compile(r"<robot\b")


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


def read_urdf(data: bytes | str, reader: XmlReader) -> Node:
    """The MJCF tree of a URDF."""
    # some files end in zeros, where MuJoCo stops to read
    plain = data.rstrip(b"\0") if isinstance(data, bytes) and data[:2] not in UTF16 else data
    root = reader.tree(_well_formed(decode(plain, reader.name)))
    _check_plain(root)
    warn_unknown(root)
    return _Robot(root).mjcf()


def _well_formed(text: str) -> str:
    """The text as XML, with the same lines: URDFs have odd declarations, such as version="0.0", after empty lines even,
    and undeclared prefixes, such as that of drake:joint, which MuJoCo takes as parts of the names."""
    text = _DECLARATION.sub(lambda match: "\n" * match.group().count("\n"), text, count=1)
    used = {name for match in _PREFIX.finditer(text) for name in match.groups() if name}
    missing = [name for name in sorted(used - {"xmlns", "xml"}) if f"xmlns:{name}" not in text]
    declared = "".join(f' xmlns:{name}="urn:{name}"' for name in missing)
    return _ROOT.sub(lambda match: match.group() + declared, text, count=1) if declared else text


def _check_plain(root: Node) -> None:
    """Refuse xacro, and take the names of a default namespace as they are."""
    own = root.tag[: root.tag.index("}") + 1] if root.tag[0] == "{" else ""
    pending = [root]
    while pending:
        node = pending.pop()
        node.tag = node.tag.removeprefix(own)
        if node.tag[0] == "{" and "xacro" in node.tag:
            node.tag = "xacro:" + node.tag.partition("}")[2]
            raise node.error(XACRO, EXPAND)
        for key, text in node.attrib.items():
            if "${" in text or "$(" in text:
                raise node.error(f'{key}="{shortened(text)}": {XACRO}', EXPAND)
        pending += reversed(node.children)


# ---- reading elements


def _child(node: Node, tag: str) -> Node | None:
    """The child of this name, which can occur once."""
    found = [child for child in node.children if child.tag == tag]
    if len(found) > 1:
        raise found[1].error(f"<{node.tag}> can have only one <{tag}>", "remove the other")
    return found[0] if found else None


def _needed(node: Node, tag: str) -> Node:
    found = _child(node, tag)
    if found is None:
        raise node.error(f"missing element <{tag}>")
    return found


def _text(node: Node, key: str) -> str:
    if key not in node.attrib:
        raise node.error(f"missing attribute '{key}'")
    return node.attrib[key]


def _numbers(node: Node, key: str, count: int) -> tuple[float, ...] | None:
    """The numbers of an attribute; None if it is absent or blank."""
    text = node.attrib.get(key, "")
    if not text.strip():
        return None
    try:
        values: tuple[float, ...] = vector_parser("real", count, count)(text)
    except ValueError as why:
        raise node.error(f'{key}="{shortened(text)}": {why}') from None
    return values


def _required(node: Node, key: str, count: int) -> tuple[float, ...]:
    values = _numbers(node, key, count)
    if values is None:
        raise node.error(f"missing attribute '{key}'")
    return values


def _bound(node: Node, key: str) -> float | None:
    """A limit, which may be infinite; None if it is not given."""
    try:
        value = float(node.attrib.get(key, ""))
    except ValueError:
        value = 0.0
    return value if isinf(value) else next(iter(_numbers(node, key, 1) or ()), None)


def _written(*values: float) -> str:
    return " ".join(repr(value).removesuffix(".0") for value in values)


def _pose(node: Node) -> dict[str, str]:
    """pos and euler of the <origin> in an element."""
    origin = _child(node, "origin")
    pose = {}
    for key, name in (("xyz", "pos"), ("rpy", "euler")):
        values = _numbers(origin, key, 3) if origin else None
        if values and any(values):
            pose[name] = _written(*values)
    return pose


def _rotation(node: Node) -> Quat:
    """The rotation of the <origin> in an element."""
    origin = _child(node, "origin")
    angles = _numbers(origin, "rpy", 3) if origin else None
    return orientation_to_quat("euler", angles, False, "XYZ") if angles else UNIT


# ---- the robot


class _Robot:
    """One URDF on its way to MJCF."""

    def __init__(self, root: Node) -> None:
        self.root = root
        self.used: dict[str, set[str]] = {"joint": set(), "geom": set(), "mesh": set()}
        self.meshes: dict[tuple[str, tuple[float, ...]], UrdfNode] = {}
        self.equalities: list[Node] = []
        self.materials: dict[str, tuple[float, ...]] = {}
        self.discardvisual, self.strippath, self.meshdir = True, False, ""

    def mjcf(self) -> Node:
        """The tree."""
        root = self.root
        name = root.attrib.get("name")
        sections = self._settings()
        self._find_materials()
        world = self._bodies()
        asset = [UrdfNode("asset", {}, root, [*self.meshes.values()])] if self.meshes else []
        equality = [UrdfNode("equality", {}, root, self.equalities)] if self.equalities else []
        return UrdfNode("mujoco", {} if name is None else {"model": name}, root, [*sections, *asset, world, *equality])

    def _settings(self) -> list[Node]:
        """<compiler>, <option> and <size> of the extension <mujoco>, with the defaults of URDF."""
        extension = _child(self.root, "mujoco")
        given = {tag: _child(extension, tag) if extension else None for tag in MJCF[:3]}
        found = {tag: _known_part(node) for tag, node in given.items() if node}
        compiler = found.pop("compiler", None) or UrdfNode("compiler", {}, self.root)
        values = read_attributes(compiler)
        self.discardvisual = values.get("discardvisual", True)
        self.strippath = values.get("strippath", False)
        self.meshdir = values.get("meshdir", values.get("assetdir", ""))
        kept = {key: text for key, text in compiler.attrib.items() if key not in ("discardvisual", "strippath")}
        compiler.attrib = {"fusestatic": "true"} | kept | {"angle": "radian", "eulerseq": "XYZ"}
        return [compiler, *found.values()]

    def _find_materials(self) -> None:
        """Colours by name: of all materials in the file the first of its name that has one."""
        pending = [self.root]
        while pending:
            node = pending.pop()
            if node.tag == "material" and "name" in node.attrib and node.attrib["name"] not in self.materials:
                color = _child(node, "color")
                if color is not None:
                    self.materials[node.attrib["name"]] = _required(color, "rgba", 4)
            pending += reversed(node.children)

    # ---- the tree

    def _bodies(self) -> Node:
        """<worldbody> with all bodies."""
        links = self._links()
        parents: dict[str, tuple[str, Node]] = {}
        below: dict[str, list[str]] = {name: [] for name in links}
        joints = [node for node in self.root.children if node.tag == "joint"]
        for joint in joints:
            parent, child = (self._end(joint, tag, links) for tag in ("parent", "child"))
            if child in parents:
                why = f"link '{child}' is the child of two joints"
                raise joint.error(why, "a link has one parent: make another link for the second")
            if child == WORLD:
                raise joint.error("the link 'world' does not move and cannot be a child", "make it the parent")
            parents[child] = (parent, joint)
            below[parent].append(child)
        bodies = {name: self._body(name, link) for name, link in links.items()}
        for joint in joints:
            self._joint(joint, bodies[_needed(joint, "child").attrib["link"]])
        self._mimics(joints)
        world = bodies.get(WORLD) or UrdfNode("worldbody", {}, self.root)
        roots = [name for name in links if name not in parents]
        top = [child for name in roots for child in (below[name] if name == WORLD else [name])]
        pending, placed = [(world, top)], len(bodies.keys() & {WORLD})
        while pending:
            body, names = pending.pop()
            placed += len(names)
            for name in names:
                body.children.append(bodies[name])
                pending.append((bodies[name], below[name]))
        if placed < len(links):
            self._report_cycle(world, bodies, parents)
        return world

    def _links(self) -> dict[str, Node]:
        links: dict[str, Node] = {}
        for node in self.root.children:
            if node.tag == "link":
                name = _text(node, "name")
                if name in links:
                    raise node.error(f"link '{name}' is defined twice", "rename one of them")
                links[name] = node
        return links

    def _end(self, joint: Node, tag: str, links: dict[str, Node]) -> str:
        """The link that a joint names as its parent or child."""
        node = _needed(joint, tag)
        name = _text(node, "link")
        if name not in links:
            raise node.error(f"link '{name}' does not exist", suggestion(name, links))
        return name

    def _report_cycle(self, world: Node, bodies: dict[str, UrdfNode], parents: dict[str, tuple[str, Node]]) -> None:
        """Raise an error that names a cycle of links: those are in no tree."""
        reached, pending = set(), [world]
        while pending:
            node = pending.pop()
            reached.add(id(node))
            pending += node.children
        name = next(name for name, body in bodies.items() if id(body) not in reached)
        path: list[str] = []
        while name not in path:
            path.append(name)
            name = parents[name][0]
        cycle = [name, *reversed(path[path.index(name) :])]
        why = f"the links {' -> '.join(cycle)} form a cycle"
        raise parents[name][1].error(why, "make one of them the root, which is no joint's child")

    # ---- links

    def _body(self, name: str, link: Node) -> UrdfNode:
        """The body of a link, without joint and pose."""
        world = name == WORLD
        body = UrdfNode("worldbody" if world else "body", {} if world or not name else {"name": name}, link)
        inertial = _child(link, "inertial")
        if inertial is not None:
            found = _inertial(inertial)
            # the world does not move
            body.children += [] if world else [found]
        rgba: tuple[float, ...] | None = None
        for node in link.children:
            if node.tag == "visual":
                rgba = self._color(node, rgba)
            if node.tag == "collision" or (node.tag == "visual" and not self.discardvisual):
                body.children.append(self._geom(node, rgba))
        return body

    def _color(self, visual: Node, before: tuple[float, ...] | None) -> tuple[float, ...] | None:
        """The colour of a <visual>, which the geoms after it in the link have too."""
        material = _child(visual, "material")
        if material is None:
            return before
        color = _child(material, "color")
        if color is not None:
            return _required(color, "rgba", 4)
        return self.materials.get(_text(material, "name"), before)

    def _geom(self, node: Node, rgba: tuple[float, ...] | None) -> Node:
        visual = {"contype": "0", "conaffinity": "0", "group": "1", "density": "0"} if node.tag == "visual" else {}
        name = self._name("geom", node.attrib.get("name", ""), node)
        attrib = name | self._shape(_needed(node, "geometry")) | visual | _pose(node)
        if rgba is not None and rgba[0] >= 0:
            attrib["rgba"] = _written(*rgba)
        return UrdfNode("geom", attrib, node)

    def _name(self, kind: str, name: str, node: Node) -> dict[str, str]:
        """The attribute `name`; the second element of a name goes without."""
        if name in self.used[kind]:
            warnings.warn(
                str(node.error(f"the name '{shortened(name)}' is used twice", "the second is left out")), stacklevel=2
            )
            return {}
        if name:
            self.used[kind].add(name)
        return {"name": name} if name else {}

    def _shape(self, geometry: Node) -> dict[str, str]:
        """type and size of a geom, or its mesh."""
        if shape := _child(geometry, "box"):
            return {"type": "box", "size": _written(*(x / 2 for x in _required(shape, "size", 3)))}
        for kind in ("cylinder", "sphere", "capsule"):
            if shape := _child(geometry, kind):
                size = list(_required(shape, "radius", 1))
                if kind != "sphere":
                    size.append(_required(shape, "length", 1)[0] / 2)
                return {"type": kind, "size": _written(*size)}
        if shape := _child(geometry, "mesh"):
            return {"type": "mesh", "mesh": self._mesh(shape)}
        raise geometry.error("it has no shape", "give a box, cylinder, sphere, capsule or mesh")

    def _mesh(self, node: Node) -> str:
        """The name of the mesh of a file in a scale; added to the assets if it is new."""
        name = _text(node, "filename").strip()
        if not name:
            raise node.error("missing attribute 'filename'")
        scale = _numbers(node, "scale", 3) or (1.0, 1.0, 1.0)
        key = (bare(name) if self.strippath else name, scale)
        if key not in self.meshes:
            file = mesh_file(node, name, self.meshdir, self.strippath)
            same = sum(stem(other) == stem(name) for other, _ in self.meshes)
            unique = stem(name) + (str(same) if same else "")
            while unique in self.used["mesh"]:
                unique += "_1"
            self.used["mesh"].add(unique)
            scaled = {} if scale == (1.0, 1.0, 1.0) else {"scale": _written(*scale)}
            self.meshes[key] = UrdfNode("mesh", {"name": unique, "file": file} | scaled, node)
        return self.meshes[key].attrib["name"]

    # ---- joints

    def _joint(self, node: Node, body: UrdfNode) -> None:
        """Pose and joints of the body that is the child of a joint."""
        word = _text(node, "type")
        if word not in JOINT_TYPES:
            raise node.error(f"type '{shortened(word)}' is not a joint type", suggestion(word, JOINT_TYPES))
        kind, name = JOINT_TYPES[word], _text(node, "name")
        body.attrib |= _pose(node)
        axis_node = _child(node, "axis")
        axis = _required(axis_node, "xyz", 3) if axis_node else (1.0, 0.0, 0.0)
        if not kind:
            return
        dynamics = _dynamics(node)
        limits = _limits(node, word)
        joints = []
        if kind == "planar":
            m = quat_to_mat(quat_z_to_vec(axis))
            axes = (m[0], m[3], m[6]), (m[1], m[4], m[7]), axis
            for along, end, slides in zip(axes, ("_TX", "_TY", "_RZ"), (True, True, False), strict=True):
                attrib = self._name("joint", name + end, node) | {"type": "slide" if slides else "hinge"}
                joints.append(attrib | {"axis": _written(*along)} | dynamics)
            joints[0] |= limits
        else:
            given = {"axis": _written(*axis)} if kind in SCALAR else {}
            joints.append(self._name("joint", name, node) | {"type": kind} | given | dynamics | limits)
        parts = [UrdfNode("joint", attrib, node) for attrib in joints]
        at = sum(child.tag == "inertial" for child in body.children)
        body.children[at:at] = parts

    def _mimics(self, joints: list[Node]) -> None:
        """Equalities for joints that follow another one: joint = offset + multiplier * other."""
        scalar: dict[str, Node] = {}
        for joint in joints:
            if JOINT_TYPES[joint.attrib["type"]] in SCALAR:
                scalar.setdefault(joint.attrib["name"], joint)
        for joint in joints:
            mimic = _child(joint, "mimic")
            if mimic is None or not JOINT_TYPES[joint.attrib["type"]]:
                continue
            name, other = joint.attrib["name"], _text(mimic, "joint")
            if not name or scalar.get(name) is not joint or other not in scalar:
                cure = "both joints must be revolute, continuous or prismatic, and have a name of their own"
                warnings.warn(str(mimic.error(f"it has no effect on joint '{shortened(name)}'", cure)), stacklevel=2)
                continue
            multiplier, offset = _numbers(mimic, "multiplier", 1) or (1.0,), _numbers(mimic, "offset", 1) or (0.0,)
            polynomial = _written(offset[0], multiplier[0], 0, 0, 0)
            self.equalities.append(UrdfNode("joint", {"joint1": name, "joint2": other, "polycoef": polynomial}, mimic))


def _known_part(node: Node) -> UrdfNode:
    """A section of the extension <mujoco> without what MJCF does not know."""
    known = element(node.tag)
    attrib = {key: text for key, text in node.attrib.items() if key in known.attributes}
    return UrdfNode(
        node.tag, attrib, node, [_known_part(child) for child in node.children if child.tag in known.children]
    )


def _inertial(node: Node) -> Node:
    """<inertial>: mass, and the principal moments and axes of the inertia, which may be all zero."""
    mass = _required(_needed(node, "mass"), "value", 1)
    inertia = _needed(node, "inertia")
    a, b, c, d, e, f = (_required(inertia, key, 1)[0] for key in ("ixx", "iyy", "izz", "ixy", "ixz", "iyz"))
    quat, moments = UNIT, (0.0, 0.0, 0.0)
    if any((a, b, c, d, e, f)):
        quat, moments = principal_axes((a, b, c, d, e, f))
        if not moments[2] >= TINY or any(map(isnan, moments)):
            why = f"the inertia is not positive definite: its principal moments are {_short(moments)}"
            cure = "all must be positive; six zeros and <mujoco><compiler boundinertia=.../></mujoco> set a lower bound"
            raise inertia.error(why, cure)
    origin = _child(node, "origin")
    pos = (_numbers(origin, "xyz", 3) if origin else None) or (0.0, 0.0, 0.0)
    attrib = {"pos": _written(*pos), "quat": _written(*mul_quat(_rotation(node), quat)), "mass": _written(*mass)}
    return UrdfNode("inertial", attrib | {"diaginertia": _written(*moments)}, node)


def _short(values: Sequence[float]) -> str:
    return " ".join(f"{value:g}" for value in values)


def _dynamics(node: Node) -> dict[str, str]:
    """damping and frictionloss of a joint."""
    dynamics, found = _child(node, "dynamics"), {}
    for key, name in (("damping", "damping"), ("friction", "frictionloss")):
        values = _numbers(dynamics, key, 1) if dynamics else None
        if values:
            found[name] = _written(*values)
    return found


def _limits(node: Node, word: str) -> dict[str, str]:
    """range and actuatorfrcrange of a joint; infinity is no limit."""
    limit = _child(node, "limit")
    if limit is None:
        return {}
    found = {}
    lower, upper = _bound(limit, "lower"), _bound(limit, "upper")
    if word != "continuous" and (lower, upper) not in ((None, None), (-inf, inf)):
        low, high = lower or 0.0, upper or 0.0
        found["range"] = _written(low, high)
        if lower is None or upper is None or low >= high:
            found["limited"] = "false"
            if lower is not None and upper is not None and low:
                warnings.warn(
                    str(limit.error(f"limits {low:g} {high:g} have no effect", "lower must be less than upper")),
                    stacklevel=2,
                )
    effort = abs(_bound(limit, "effort") or 0.0)
    if effort and not isinf(effort):
        found["actuatorfrcrange"] = _written(-effort, effort)
    return found
