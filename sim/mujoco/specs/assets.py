"""Assets under MuJoCo's names: textures, materials, meshes, height fields and skins."""

from __future__ import annotations

from typing import Any

import numpy as np

from sim.attributes.keywords import KEYWORDS
from sim.mjcf.asset.builtin_mesh import make_mesh
from sim.mjcf.asset.texture_file import SIDES
from sim.mujoco.specs.base import Classed, Mjs, add_field
from sim.mujoco.specs.fields import Field, VectorField, wrong
from sim.mujoco.specs.members import WithPlugin
from sim.mujoco.specs.vectors import MjCharVec, MjStringVec

ROLES = 10
RGB = KEYWORDS["texrole"]["rgb"]
LAYOUT = 12
# fields that a builtin mesh has without being given
MADE = {
    "uservert": "vertex", "usernormal": "normal", "usertexcoord": "texcoord", "userface": "face",
    "userfacenormal": "facenormal", "userfacetexcoord": "facetexcoord",
}  # fmt: skip
BONES = ("bodyname", "bindpos", "bindquat", "vertid", "vertweight")


class CharField(VectorField):
    """Characters: `eulerseq`, `gridlayout`; shorter texts are filled up with zeros."""

    def __init__(self, name: str, key: str, size: int, blank: str) -> None:
        super().__init__(name, key, MjCharVec)
        self.size, self.blank = size, blank

    def convert(self, value: Any) -> Any:
        if not isinstance(value, str | list | tuple | MjCharVec):
            raise wrong(self.name, value, "characters")
        letters = MjCharVec(value)
        if len(letters) > self.size:
            raise ValueError(f"{self.name} may have at most {self.size} characters, got {len(letters)}")
        letters.items += ["\0"] * (self.size - len(letters))
        return letters

    def argument(self, value: Any) -> Any:
        if len(value) != self.size:
            raise ValueError(f"{self.name} should have length {self.size}, got {len(value)}")
        return self.convert(value)

    def from_attribute(self, value: Any) -> Any:
        return MjCharVec(value.ljust(self.size, "\0") if value else self.blank * self.size)

    def to_attribute(self, value: Any) -> Any:
        text = "".join(value).rstrip("\0")
        return None if self.blank == "." and not text.strip(".") else text


class FixedStrings(VectorField):
    """A fixed number of texts."""

    def __init__(self, name: str, size: int) -> None:
        super().__init__(name, "", MjStringVec)
        self.size = size

    def convert(self, value: Any) -> Any:
        made = super().convert(value)
        if len(made) != self.size:
            raise ValueError(f"{self.name} must have exactly {self.size} elements, got {len(made)}")
        return made

    def argument(self, value: Any) -> Any:
        made = VectorField.convert(self, value)
        made.items += [""] * (self.size - len(made))
        return self.convert(made)

    def from_attribute(self, value: Any) -> Any:
        return MjStringVec(value or [""] * self.size)


class MjsTexture(
    Classed,
    kind="texture",
    rows="""type:mjtTexture colorspace:mjtColorSpace builtin:mjtBuiltin mark:mjtMark rgb1:f3 rgb2:f3 markrgb:f3 random:f
    height:i width:i nchannel:i content_type:s file:s gridsize:i2 hflip:b vflip:b embed:mjtEmbed""",
):
    """A texture."""

    @property
    def data(self) -> bytes:
        found: bytes = self._element.spec.pixels.get(self._element.node, b"")
        return found

    @data.setter
    def data(self, data: bytes) -> None:
        if not isinstance(data, bytes):
            raise wrong("data", data, "bytes")
        self._element.spec.set_pixels(self._element, data)

    def _load(self, field: Field) -> Any:
        if field.name == "cubefiles":
            return field.from_attribute([self._element.get(side) or "" for side in SIDES])
        return super()._load(field)

    def _store(self, field: Field, value: Any) -> None:
        if field.name == "cubefiles":
            for side, file in zip(SIDES, value, strict=True):
                self._write(side, file or None)
        else:
            super()._store(field, value)


add_field(MjsTexture, CharField("gridlayout", "gridlayout", LAYOUT, "."))
add_field(MjsTexture, FixedStrings("cubefiles", 6))


class MjsMaterial(
    Classed,
    kind="material",
    rows="""texuniform:b texrepeat:g2 emission:g specular:g shininess:g reflectance:g metallic:g roughness:g rgba:g4""",
):
    """A material; its textures by role are elements of their own in a file."""

    def _load(self, field: Field) -> Any:
        if field.name != "textures":
            return super()._load(field)
        element = self._element
        names = [""] * ROLES
        item = element.spec.classes.prototype(element.node)
        for role, name in getattr(item, "textures", {}).items():
            names[role] = name
        own = element.own("texture")
        names[RGB] = own if own is not None else names[RGB]
        for layer in element.children:
            names[layer.get("role")] = layer.get("texture")
        return field.from_attribute(names)

    def _store(self, field: Field, value: Any) -> None:
        if field.name != "textures":
            super()._store(field, value)
            return
        element = self._element
        for layer in element.children:
            element.spec.tree.remove(layer.node)
        named = {role: name for role, name in enumerate(value) if name}
        # what MJCF has no role for is dropped, as in MuJoCo
        if set(named) <= {RGB}:
            self._write("texture", named.get(RGB))
            return
        self._write("texture", None)
        for role, name in named.items():
            if role in KEYWORDS["texrole"].values():
                element.add("layer", texture=name, role=role)


add_field(MjsMaterial, FixedStrings("textures", ROLES))


class MjsMesh(
    Classed,
    WithPlugin,
    kind="mesh",
    rows="""content_type:s file:s refpos:f3 refquat:f4 scale:f3 inertia:mjtMeshInertia smoothnormal:b needsdf:b:-
    maxhullvert:i uservert:G:vertex usernormal:G:normal usertexcoord:G:texcoord userface:I:face userfacenormal:I:-
    userfacetexcoord:I:- usernode:F:- usertet:I:- material:s octree_maxdepth:i:-""",
):
    """A mesh."""

    def _load(self, field: Field) -> Any:
        if field.name == "octree_maxdepth":
            return self._own.get(field.name, 6)
        made = MADE.get(field.name)
        if made and self._element.get("builtin") and field.name not in self._own:
            soup = make_mesh(self._element.get("builtin"), self._element.get("params"))
            return field.from_attribute(getattr(soup, made).ravel().tolist())
        return super()._load(field)

    def _store(self, field: Field, value: Any) -> None:
        if field.name in MADE and self._element.get("builtin"):
            if field.same(value, self._load(field)):
                return
            # vertices of its own take the place of those of a builtin shape
            self._write("builtin", None)
            self._write("params", None)
        super()._store(field, value)

    def _make(self, shape: str, *numbers: Any) -> None:
        self._write("builtin", shape)
        self._write("params", np.concatenate([np.ravel(np.asarray(number, float)) for number in numbers]))

    def make_sphere(self, subdivision: int) -> None:
        self._make("sphere", subdivision)

    def make_hemisphere(self, resolution: int) -> None:
        self._make("hemisphere", resolution)

    def make_cone(self, nedge: int, radius: float) -> None:
        self._make("cone", nedge, radius)

    def make_supersphere(self, resolution: int, e: float, n: float) -> None:
        self._make("supersphere", resolution, e, n)

    def make_supertorus(self, resolution: int, radius: float, s: float, t: float) -> None:
        self._make("supertorus", resolution, radius, s, t)

    def make_wedge(self, resolution: Any = (0, 0), fov: Any = (0.0, 0.0), gamma: float = 0) -> None:
        self._make("wedge", resolution, fov, gamma)

    def make_plate(self, resolution: Any = (0, 0)) -> None:
        self._make("plate", resolution)

    def make_grid(self, count: Any, spacing: Any, dim: int = 3) -> None:
        self._make("grid", count, spacing, dim)

    def make_box(self, count: Any, spacing: Any, dim: int = 3) -> None:
        self._make("box", count, spacing, dim)

    def make_cylinder(self, count: Any, spacing: Any, dim: int = 3) -> None:
        self._make("cylinder", count, spacing, dim)

    def make_ellipsoid(self, count: Any, spacing: Any, dim: int = 3) -> None:
        self._make("ellipsoid", count, spacing, dim)

    def make_square(self, count: Any, spacing: Any) -> None:
        self._make("square", count, spacing)

    def make_disc(self, count: Any, spacing: Any) -> None:
        self._make("disc", count, spacing)


class MjsHField(Mjs, kind="hfield", rows="content_type:s file:s size:f4 nrow:i ncol:i userdata:G:elevation"):
    """A height field; the rows of `userdata` are by growing y, those in a file by falling y."""

    def _load(self, field: Field) -> Any:
        found = super()._load(field)
        if field.name == "userdata":
            found.items[:] = self._flipped(found.items)
            if self._element.node.ordinal >= 0 and not found.items and not self.file:
                found.items[:] = [0.0] * (self.nrow * self.ncol)
        return found

    def _set(self, field: Field, value: Any) -> None:
        if field.name == "userdata":
            # nrow and ncol may follow
            self._get(field)
        super()._set(field, value)

    def _store(self, field: Field, value: Any) -> None:
        if field.name == "userdata":
            flipped = self._flipped(value.items)
            self._write("elevation", np.array(flipped, np.float32) if flipped else None)
        else:
            super()._store(field, value)

    def _flipped(self, values: list[float]) -> list[float]:
        rows, columns = self.nrow, self.ncol
        if rows * columns != len(values):
            return values
        return [x for row in reversed(range(rows)) for x in values[row * columns : (row + 1) * columns]]


class MjsSkin(
    Mjs,
    kind="skin",
    rows="""file:s material:s rgba:g4 inflate:g group:i vert:G:vertex texcoord:G face:I bodyname:S:- bindpos:G:-
    bindquat:G:-""",
):
    """A skin; its bones are elements of their own in a file."""

    def _load(self, field: Field) -> Any:
        if field.name not in BONES:
            return super()._load(field)
        key = {"bodyname": "body"}.get(field.name, field.name)
        found = [bone.get(key) for bone in self._element.children]
        return field.from_attribute(found if key == "body" else [x for row in found for x in row])

    def _lists(self, key: str) -> list[list[Any]]:
        if key in self._own:
            return [list(row) for row in self._own[key]]
        return [list(bone.get(key)) for bone in self._element.children]

    def _take(self, arguments: dict[str, Any], function: str) -> None:
        lists = {key: arguments.pop(key) for key in ("vertid", "vertweight") if key in arguments}
        super()._take(arguments, function)
        for key, rows in lists.items():
            setattr(self, key, rows)

    def _store(self, field: Field, value: Any) -> None:
        if field.name in BONES:
            self._get(field).items[:] = list(value)
        else:
            super()._store(field, value)

    def _flush(self) -> None:
        super()._flush()
        new = [self.bodyname.items, self.bindpos.items, self.bindquat.items, self.vertid, self.vertweight]
        if self._own.get("bones") == new or not any(new):
            return
        self._own["bones"] = [list(part) for part in new]
        spec = self._element.spec
        for bone in self._element.children:
            spec.tree.remove(bone.node)
        for k, body in enumerate(self.bodyname):
            values = {"body": body, "bindpos": new[1][3 * k : 3 * k + 3], "bindquat": new[2][4 * k : 4 * k + 4]}
            values |= {"vertid": new[3][k], "vertweight": np.array(new[4][k], np.float32)}
            self._element.add("bone", **{key: value for key, value in values.items() if len(value)})


def _declare(key: str, convert: Any) -> None:
    """The lists of numbers of a skin's bones."""

    def put(self: MjsSkin, rows: Any) -> None:
        self._own[key] = [[convert(x) for x in row] for row in rows]
        self._spec.touched[self] = None

    setattr(MjsSkin, key, property(lambda self: self._lists(key), put))


_declare("vertid", int)
_declare("vertweight", lambda x: float(np.float32(x)))
