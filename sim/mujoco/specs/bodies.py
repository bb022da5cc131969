"""MjsBody and MjsFrame: bodies and frames under MuJoCo's names, and how they get their members."""

from __future__ import annotations

from typing import Any, TypeVar

import numpy as np

from sim.mjcf.schema import ORIENTATIONS
from sim.mujoco.enums import CLASSES
from sim.mujoco.specs.base import ALTERNATIVES, Mjs, OrientationField, Placed, add_field
from sim.mujoco.specs.fields import Field
from sim.mujoco.specs.members import (
    POSE,
    Member,
    MjsCamera,
    MjsGeom,
    MjsJoint,
    MjsLight,
    MjsSite,
    WithPlugin,
)
from sim.spec import Element

# fields of the inertial, which is an element of its own in a file
INERTIAL = ("mass", "ipos", "iquat", "inertia", "fullinertia", "ialt", "explicitinertial")
SEARCHED = ("body", "frame", "geom", "site", "joint", "light", "camera")
OBJECTS = {f"mjOBJ_{kind.upper()}": kind for kind in SEARCHED}
FREE_ARGUMENTS = ("align", "group", "name")
# attributes of a body that a frame has too
OF_FRAME = ("pos", *ORIENTATIONS, "childclass")


Part = TypeVar("Part", bound=Mjs)


class Holder(Mjs):
    """A body or a frame, to which elements are added."""

    def _add(self, kind: type[Part], default: Any, arguments: dict[str, Any], tag: str = "") -> Part:
        spec, tag = self._spec, tag or kind.kind
        spec.flush_defaults()
        if arguments.get("name"):
            spec.check_new_name(kind.kind, arguments["name"])
        with spec.spec.edit(f"add {tag}"):
            element = spec.spec.add_to(self._element, tag, {})
            added: Part = spec.facade(element)
            body = self if self.kind == "body" else self.parent
            if tag not in ("frame", "freejoint"):
                # the class of what is in a frame is that of the body
                name = default.name if default is not None else spec.class_of(body._element)
                if name != element.default_class:
                    element.set("childclass" if tag == "body" else "class", name)
            added._take(arguments, f"add_{tag}")
        spec.structure_changed()
        return added

    def add_body(self, default: Any = None, **arguments: Any) -> MjsBody:
        return self._add(MjsBody, default, arguments)

    def add_frame(self, default: Any = None, **arguments: Any) -> MjsFrame:
        holder: Holder = self if default is None else default
        return holder._add(MjsFrame, None, arguments)

    def add_geom(self, default: Any = None, **arguments: Any) -> MjsGeom:
        return self._add(MjsGeom, default, arguments)

    def add_joint(self, default: Any = None, **arguments: Any) -> MjsJoint:
        return self._add(MjsJoint, default, arguments)

    def add_site(self, default: Any = None, **arguments: Any) -> MjsSite:
        return self._add(MjsSite, default, arguments)

    def add_camera(self, default: Any = None, **arguments: Any) -> MjsCamera:
        return self._add(MjsCamera, default, arguments)

    def add_light(self, default: Any = None, **arguments: Any) -> MjsLight:
        return self._add(MjsLight, default, arguments)

    @property
    def childclass(self) -> str:
        node = self._element.node
        if self.kind == "frame":
            return node.attrib.get("childclass", "main" if node.ordinal >= 0 else "")
        return self._spec.class_of(self._element)

    @childclass.setter
    def childclass(self, name: str) -> None:
        self._spec.flush()
        self._spec.set_childclass(self._element, name)

    def _take(self, arguments: dict[str, Any], function: str) -> None:
        childclass = arguments.pop("childclass", None)
        super()._take(arguments, function)
        if childclass is not None:
            self.childclass = childclass


class MjsFrame(
    Holder,
    Member,
    Placed,
    kind="frame",
    rows=f"{POSE} scale:f3 scaling:mjtScaling massscale:f",
):
    """A frame."""

    def _load(self, field: Field) -> Any:
        if field.name == "scale":
            given = self._element.own("scale")
            return np.ones(3) if given is None else np.array([*given, *given, *given][:3], float)
        if field.name == "pos" or field.name == "quat":
            own = self._element.own(field.key)
            return np.array([0.0, 0, 0] if field.name == "pos" else [1.0, 0, 0, 0]) if own is None else np.array(own)
        return super()._load(field)

    def _write(self, key: str, value: Any) -> None:
        if (key == "scale" and (value == 1).all()) or (key == "massscale" and value == 0):
            value = None
        super()._write(key, value)

    def attach_body(self, body: MjsBody, prefix: str | None = None, suffix: str | None = None) -> MjsBody:
        return self._spec.attach_part(self, body, prefix, suffix)


class MjsBody(
    Holder,
    Member,
    WithPlugin,
    Placed,
    kind="body",
    rows=f"""{POSE} mass:f:- ipos:f3?:- iquat:f4:- inertia:f3:- fullinertia:f6?:- mocap:b gravcomp:f
    sleep:mjtSleepPolicy simple:i fuse:i userdata:F:user explicitinertial:b:-""",
):
    """A body; its inertial is an element of its own in a file."""

    # ---- the inertial

    def _inertial(self) -> Element | None:
        return next((child for child in self._element.children if child.tag == "inertial"), None)

    def _load(self, field: Field) -> Any:
        if self._element.tag == "worldbody":
            return _of_world(self, field)
        if field.name not in INERTIAL:
            return super()._load(field)
        if field.name in self._own:
            return self._own[field.name]
        inertial = self._inertial()
        if field.name == "explicitinertial":
            return inertial is not None and inertial.node.ordinal >= 0
        if inertial is None:
            return np.array([1.0, 0, 0, 0]) if field.name == "iquat" else field.from_attribute(None)
        if field.name == "ialt":
            given = ((key, inertial.own(key)) for key in ALTERNATIVES)
            return field.from_attribute(next((pair for pair in given if pair[1] is not None), None))
        key = {"ipos": "pos", "iquat": "quat", "inertia": "diaginertia"}.get(field.name, field.name)
        return field.from_attribute(inertial.get(key))

    def _set(self, field: Field, value: Any) -> None:
        if self._element.tag == "worldbody":
            self._own[field.name] = value
        elif field.name in INERTIAL and field.mutable and field.name != "ialt":
            self._get(field)[...] = value
        elif field.name == "ialt":
            self._get(field)._choose(*value._values(), "ialt")
        else:
            super()._set(field, value)

    def _store(self, field: Field, value: Any) -> None:
        if self._element.tag == "worldbody":
            return
        if field.name not in INERTIAL:
            super()._store(field, value)
            return
        if not field.mutable:
            self._own[field.name] = value
        if field.name != "explicitinertial":
            self._store_inertial()

    def _store_inertial(self) -> None:
        """Write the inertial, if there is one: without a position it follows from the geoms."""
        tree, inertial = self._element.spec.tree, self._inertial()
        if np.isnan(self.ipos[0]):
            if inertial is not None:
                tree.remove(inertial.node)
            return
        mass = self.mass
        if inertial is None:
            inertial = self._element.spec.add_to(self._element, "inertial", {}, 0)
        kind, numbers = self.ialt._values()
        full = not np.isnan(self.fullinertia[0])
        values: dict[str, Any] = {"pos": np.array(self.ipos), "mass": mass, **dict.fromkeys(ORIENTATIONS)}
        values |= {"diaginertia": None if full else np.array(self.inertia)}
        values |= {"fullinertia": np.array(self.fullinertia) if full else None}
        if not full:
            values |= {kind: np.array(numbers) if numbers else np.array(self.iquat)}
        for key, value in values.items():
            inertial.set(key, value)

    def _take(self, arguments: dict[str, Any], function: str) -> None:
        inner = {key: arguments.pop("i" + key) for key in ALTERNATIVES if "i" + key in arguments}
        super()._take(arguments, function)
        if inner:
            self._take_orientation("ialt", inner, "i")

    # ---- the tree

    @property
    def name(self) -> str:
        return "world" if self._element.tag == "worldbody" else Mjs.name.fget(self)  # type: ignore[attr-defined]

    @name.setter
    def name(self, name: str) -> None:
        if self._element.tag == "worldbody":
            raise ValueError("Error: the world body cannot be renamed")
        Mjs.name.fset(self, name)  # type: ignore[attr-defined]

    @property
    def classname(self) -> Any:
        return self._spec.find_default(self.childclass)

    @classname.setter
    def classname(self, default: Any) -> None:
        self.childclass = default.name

    def add_freejoint(self, **arguments: Any) -> MjsJoint:
        for name in arguments:
            if name not in FREE_ARGUMENTS:
                options = ", ".join(FREE_ARGUMENTS)
                raise TypeError(f"Invalid {name} keyword argument. Valid options are: {options}.")
        return self._add(MjsJoint, None, arguments, "freejoint")

    def attach_frame(self, frame: MjsFrame, prefix: str | None = None, suffix: str | None = None) -> MjsFrame:
        return self._spec.attach_part(self, frame, prefix, suffix)

    def make_flex(self, name: str = "", **arguments: Any) -> Any:
        mesh, file = arguments.get("mesh"), arguments.get("file")
        if mesh and file:
            raise ValueError("make_flex takes only one of both 'file' and 'mesh'")
        if mesh and self._spec.mesh(mesh) is None:
            raise ValueError(f"mesh '{mesh}' not found")
        raise ValueError("make_flex: deformable bodies (flex) are not supported")

    def _members(self, kind: str) -> list[Any]:
        return [self._spec.facade(element) for element in self._element.members(kind)] if self._element.exists else []

    def find_all(self, kind: Any) -> list[Any]:
        if not isinstance(kind, str):
            kind = OBJECTS.get(CLASSES["mjtObj"](int(kind)).name, "")
        if kind not in SEARCHED:
            raise ValueError(f"body.find_all supports the types: {', '.join(SEARCHED)}.")
        return [self._spec.facade(element) for element in self._element.walk(kind)]

    def find_child(self, name: str) -> MjsBody | None:
        found = self._spec.spec.find("body", name)
        above = found.body if found is not None else None
        while above is not None:
            if above is self._element:
                assert found is not None
                child: MjsBody = self._spec.facade(found)
                return child
            above = above.body
        return None

    def to_frame(self) -> MjsFrame:
        """Make a frame in the parent of what the body holds; the body is gone."""
        spec, element = self._spec, self._element
        spec.flush()
        tree = element.spec.tree
        with element.spec.edit("body to frame"):
            texts = {key: element.node.attrib[key] for key in OF_FRAME if key in element.node.attrib}
            frame = element.spec.add_to(element.parent, "frame", texts)  # type: ignore[arg-type]
            for child in list(element.node.children):
                if child.tag not in ("inertial", "joint", "freejoint"):
                    rank = tree.ranks[child]
                    tree.remove(child)
                    tree.insert(frame.node, child, rank=rank)
            tree.remove(element.node)
        spec.structure_changed()
        made: MjsFrame = spec.facade(frame)
        return made


def _of_world(world: MjsBody, field: Field) -> Any:
    """The fields of the world, which has no attributes."""
    if field.name in world._own:
        return world._own[field.name]
    if field.name in ("quat", "iquat"):
        return np.array([1.0, 0, 0, 0])
    return field.from_attribute({"simple": 1, "fuse": 1}.get(field.name))


PLURALS = {
    "body": "bodies", "frame": "frames", "joint": "joints", "geom": "geoms", "site": "sites", "camera": "cameras",
    "light": "lights",
}  # fmt: skip


def _declare(kind: str, plural: str) -> None:
    """`body.geoms`, `body.first_geom()`, `body.next_geom(geom)`"""

    def first(self: MjsBody) -> Any:
        return next(iter(self._members(kind)), None)

    def following(self: MjsBody, item: Any) -> Any:
        members = self._members(kind)
        place = members.index(item) + 1
        return members[place] if place < len(members) else None

    setattr(MjsBody, plural, property(lambda self: self._members(kind)))
    setattr(MjsBody, f"first_{kind}", first)
    setattr(MjsBody, f"next_{kind}", following)


for _kind, _plural in PLURALS.items():
    _declare(_kind, _plural)
for _class, _names in ((MjsBody, ("alt", "ialt")), (MjsFrame, ("alt",))):
    for _name in _names:
        add_field(_class, OrientationField(_name, ""))
