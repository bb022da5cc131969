"""Reads URDF: <robot> -> the MJCF tree that MuJoCo makes of it, whose errors name the elements of the URDF.

Links become bodies, those that are no child stand in the world, where the link `world` is. Visual geometry is dropped
and bodies without joints are fused with their parents, unless <compiler> in the extension <mujoco> says otherwise:
discardvisual="false" fusestatic="false". An effort limit becomes actuatorfrcrange, <mimic> an equality of joints; a
planar joint becomes two slides and a hinge. The rpy of an origin turns the inertia, continuous joints are not limited,
meshes of the same name are told from each other, and a second joint of the same name has none. The world has no mass.
"""

from __future__ import annotations

import re

from sim.mjcf import notes
from sim.mjcf.asset.asset_file import stem
from sim.mjcf.errors import lookup, shortened, suggestion
from sim.mjcf.format.mesh_place import mesh_file
from sim.mjcf.format.urdf_element import (
    UrdfNode,
    child_of,
    dynamics_of,
    inertial_of,
    known_part,
    limits_of,
    needed,
    numbers,
    pose_of,
    required,
    text_of,
    written,
)
from sim.mjcf.format.urdf_words import MJCF, warn_unknown
from sim.mjcf.rotation import quat_to_mat, quat_z_to_vec
from sim.mjcf.schema import read_attributes
from sim.mjcf.source import UTF16, Node, XmlReader, bare, decode

XACRO = "this is xacro, from which URDF is generated"
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


class _Robot:
    """One URDF on its way to MJCF."""

    def __init__(self, root: Node) -> None:
        self.root = root
        self.used: dict[str, set[str]] = {"joint": set(), "geom": set(), "mesh": set()}
        self.meshes: dict[tuple[str, tuple[float, ...]], UrdfNode] = {}
        self.equalities: list[Node] = []
        self.materials: dict[str, tuple[float, ...]] = {}
        self.discardvisual, self.strippath, self.meshdir = True, False, ""
        self.boundinertia = 0.0

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
        extension = child_of(self.root, "mujoco")
        given = {tag: child_of(extension, tag) if extension else None for tag in MJCF[:3]}
        found = {tag: known_part(node) for tag, node in given.items() if node}
        compiler = found.pop("compiler", None) or UrdfNode("compiler", {}, self.root)
        values = read_attributes(compiler)
        self.discardvisual = values.get("discardvisual", True)
        self.strippath = values.get("strippath", False)
        self.boundinertia = values.get("boundinertia", 0.0)
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
                color = child_of(node, "color")
                if color is not None:
                    self.materials[node.attrib["name"]] = required(color, "rgba", 4)
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
                raise joint.error(why, "a link has only one parent: create another link for the second joint")
            if child == WORLD:
                raise joint.error("the link 'world' does not move and cannot be a child", "make it the parent")
            parents[child] = (parent, joint)
            below[parent].append(child)
        bodies = {name: self._body(name, link) for name, link in links.items()}
        for joint in joints:
            self._joint(joint, bodies[needed(joint, "child").attrib["link"]])
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
                name = text_of(node, "name")
                if name in links:
                    raise node.error(f"link '{name}' is defined twice", "rename one of them")
                links[name] = node
        return links

    def _end(self, joint: Node, tag: str, links: dict[str, Node]) -> str:
        """The link that a joint names as its parent or child."""
        node = needed(joint, tag)
        name = text_of(node, "link")
        lookup(node, "link", name, links)
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
        raise parents[name][1].error(why, "make one of them the root, which is not the child of any joint")

    # ---- links

    def _body(self, name: str, link: Node) -> UrdfNode:
        """The body of a link, without joint and pose."""
        world = name == WORLD
        body = UrdfNode("worldbody" if world else "body", {} if world or not name else {"name": name}, link)
        inertial = child_of(link, "inertial")
        if inertial is not None:
            found = inertial_of(inertial, self.boundinertia)
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
        material = child_of(visual, "material")
        if material is None:
            return before
        color = child_of(material, "color")
        if color is not None:
            return required(color, "rgba", 4)
        return self.materials.get(text_of(material, "name"), before)

    def _geom(self, node: Node, rgba: tuple[float, ...] | None) -> Node:
        visual = {"contype": "0", "conaffinity": "0", "group": "1", "density": "0"} if node.tag == "visual" else {}
        name = self._name("geom", node.attrib.get("name", ""), node)
        attrib = name | self._shape(needed(node, "geometry")) | visual | pose_of(node)
        if rgba is not None and rgba[0] >= 0:
            attrib["rgba"] = written(*rgba)
        return UrdfNode("geom", attrib, node)

    def _name(self, kind: str, name: str, node: Node) -> dict[str, str]:
        """The attribute `name`; the second element of a name goes without."""
        if name in self.used[kind]:
            notes.warn(
                str(node.error(f"the name '{shortened(name)}' is used twice", "the second name is ignored")),
                stacklevel=2,
            )
            return {}
        if name:
            self.used[kind].add(name)
        return {"name": name} if name else {}

    def _shape(self, geometry: Node) -> dict[str, str]:
        """type and size of a geom, or its mesh."""
        if shape := child_of(geometry, "box"):
            return {"type": "box", "size": written(*(x / 2 for x in required(shape, "size", 3)))}
        for kind in ("cylinder", "sphere", "capsule"):
            if shape := child_of(geometry, kind):
                size = list(required(shape, "radius", 1))
                if kind != "sphere":
                    size.append(required(shape, "length", 1)[0] / 2)
                return {"type": kind, "size": written(*size)}
        if shape := child_of(geometry, "mesh"):
            return {"type": "mesh", "mesh": self._mesh(shape)}
        raise geometry.error("it has no shape", "specify a box, cylinder, sphere, capsule or mesh")

    def _mesh(self, node: Node) -> str:
        """The name of the mesh of a file in a scale; added to the assets if it is new."""
        name = text_of(node, "filename").strip()
        if not name:
            raise node.error("missing attribute 'filename'")
        scale = numbers(node, "scale", 3) or (1.0, 1.0, 1.0)
        key = (bare(name) if self.strippath else name, scale)
        if key not in self.meshes:
            file = mesh_file(node, name, self.meshdir, self.strippath)
            same = sum(stem(other) == stem(name) for other, _ in self.meshes)
            unique = stem(name) + (str(same) if same else "")
            while unique in self.used["mesh"]:
                unique += "_1"
            self.used["mesh"].add(unique)
            scaled = {} if scale == (1.0, 1.0, 1.0) else {"scale": written(*scale)}
            self.meshes[key] = UrdfNode("mesh", {"name": unique, "file": file} | scaled, node)
        return self.meshes[key].attrib["name"]

    # ---- joints

    def _joint(self, node: Node, body: UrdfNode) -> None:
        """Pose and joints of the body that is the child of a joint."""
        word = text_of(node, "type")
        if word not in JOINT_TYPES:
            raise node.error(f"type '{shortened(word)}' is not a joint type", suggestion(word, JOINT_TYPES))
        kind, name = JOINT_TYPES[word], text_of(node, "name")
        body.attrib |= pose_of(node)
        axis_node = child_of(node, "axis")
        axis = required(axis_node, "xyz", 3) if axis_node else (1.0, 0.0, 0.0)
        if not kind:
            return
        dynamics = dynamics_of(node)
        limits = limits_of(node, word)
        joints = []
        if kind == "planar":
            m = quat_to_mat(quat_z_to_vec(axis))
            axes = (m[0], m[3], m[6]), (m[1], m[4], m[7]), axis
            for along, end, slides in zip(axes, ("_TX", "_TY", "_RZ"), (True, True, False), strict=True):
                attrib = self._name("joint", name + end, node) | {"type": "slide" if slides else "hinge"}
                joints.append(attrib | {"axis": written(*along)} | dynamics)
            joints[0] |= limits
        else:
            given = {"axis": written(*axis)} if kind in SCALAR else {}
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
            mimic = child_of(joint, "mimic")
            if mimic is None or not JOINT_TYPES[joint.attrib["type"]]:
                continue
            name, other = joint.attrib["name"], text_of(mimic, "joint")
            if not name or scalar.get(name) is not joint or other not in scalar:
                cure = "both joints must be revolute, continuous or prismatic, and have unique names"
                notes.warn(str(mimic.error(f"it has no effect on joint '{shortened(name)}'", cure)), stacklevel=2)
                continue
            multiplier, offset = numbers(mimic, "multiplier", 1) or (1.0,), numbers(mimic, "offset", 1) or (0.0,)
            polynomial = written(offset[0], multiplier[0], 0, 0, 0)
            self.equalities.append(UrdfNode("joint", {"joint1": name, "joint2": other, "polycoef": polynomial}, mimic))
