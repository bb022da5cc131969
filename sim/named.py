"""Elements by name: `m.body("torso").mass`, `d.joint("knee").qpos`, `d.sensor("touch").data`.

A view holds no values: its attributes are rows of the fields whose leading extent counts elements of its type, named
as the field is, without the type's prefix. Where two fields would have the same name, as jnt_solref and dof_solref, the
second keeps its prefix. A joint also has its rows of the fields counted by nq and nv, a sensor its part of sensordata,
a texture its pixels. A field with one number per element gives an array of one, which can be assigned. An actuator with
several controls or outputs has a row for each.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from functools import cache
from math import prod
from typing import TYPE_CHECKING, Any, NamedTuple, SupportsIndex

import numpy as np

from sim import enums
from sim.jit.record import Record

if TYPE_CHECKING:
    from sim.jit import Field, Layout
    from sim.model import Data, Model


class ElementType(NamedTuple):
    """How elements of a type are counted, and the prefixes of their fields."""

    sizes: tuple[str, ...]
    prefixes: tuple[str, ...]


KINDS = {
    "body": ElementType(("nbody",), ("body_",)),
    "joint": ElementType(("njnt", "nv", "nq", "nplastic"), ("jnt_", "dof_")),
    "geom": ElementType(("ngeom",), ("geom_",)),
    "site": ElementType(("nsite",), ("site_",)),
    "camera": ElementType(("ncam",), ("cam_",)),
    "light": ElementType(("nlight",), ("light_",)),
    "mesh": ElementType(("nmesh",), ("mesh_",)),
    "skin": ElementType(("nskin",), ("skin_",)),
    "hfield": ElementType(("nhfield", "nhfielddata"), ("hfield_",)),
    "texture": ElementType(("ntex", "ntexdata"), ("tex_",)),
    "material": ElementType(("nmat",), ("mat_",)),
    "pair": ElementType(("npair",), ("pair_",)),
    "exclude": ElementType(("nexclude",), ("exclude_",)),
    "equality": ElementType(("neq",), ("eq_",)),
    "tendon": ElementType(("ntendon", "nJten", "nplastic"), ("tendon_", "ten_")),
    "actuator": ElementType(("nactuator", "nu", "nout"), ("actuator_",)),
    "sensor": ElementType(("nsensor", "nsensordata"), ("sensor_", "sensor")),
    "numeric": ElementType(("nnumeric", "nnumericdata"), ("numeric_",)),
    "text": ElementType(("ntext", "ntextdata"), ("text_",)),
    "tuple": ElementType(("ntuple", "ntupledata"), ("tuple_",)),
    "key": ElementType(("nkey",), ("key_",)),
}

NO_IDS: dict[Any, int] = {}

# OBJ_* -> type of element
NUMBERS = {getattr(enums, f"OBJ_{kind.upper()}"): kind for kind in KINDS} | {enums.OBJ_XBODY: "body"}

# other names of these types in MuJoCo's Python bindings
ALIASES = {"jnt": "joint", "cam": "camera", "tex": "texture", "mat": "material", "eq": "equality", "ten": "tendon"}
ALIASES |= {"keyframe": "key"}

# (type, attribute) -> field, where the bindings do not use the first prefix
EXCEPTIONS = {("joint", "bodyid"): "dof_bodyid"}

# sizes that count several rows per element: (first row, extents of its block; those of a joint depend on its type).
# Tendons have their own addresses in plastic
SPANS: dict[str, tuple[str, tuple[str, ...]]] = {
    "nv": ("jnt_dofadr", ()),
    "nq": ("jnt_qposadr", ()),
    "nplastic": ("jnt_plasticadr", ()),
    "nu": ("actuator_ctrladr", ("actuator_ctrlnum",)),
    "nout": ("actuator_outadr", ("actuator_outnum",)),
    "nJten": ("ten_J_rowadr", ("ten_J_rownnz",)),
    "nsensordata": ("sensor_adr", ("sensor_dim",)),
    "nhfielddata": ("hfield_adr", ("hfield_nrow", "hfield_ncol")),
    "ntexdata": ("tex_adr", ("tex_height", "tex_width", "tex_nchannel")),
    "nnumericdata": ("numeric_adr", ("numeric_size",)),
    "ntextdata": ("text_adr", ("text_size",)),
    "ntupledata": ("tuple_adr", ("tuple_size",)),
}
JOINT_ROWS = {"nv": (6, 3, 1, 1), "nq": (7, 4, 1, 1), "nplastic": (7, 4, 1, 1)}


def kind_name(kind: str | int) -> str:
    """The name of an element type that is given by name or by OBJ_*."""
    return kind if isinstance(kind, str) else NUMBERS.get(kind, str(kind))


@cache
def attributes(layout: Layout, kind: str) -> dict[str, Field]:
    """The attributes of an element type in a struct, and the field that each is a part of."""
    found: dict[str, Field] = {}
    counted = [p.field for p in layout.places.values() if p.field.shape and p.field.shape[0] in KINDS[kind].sizes]
    for prefix in (*KINDS[kind].prefixes, ""):
        for field in counted:
            # fields of a group are intermediate results
            if field.name.startswith(prefix) and field not in found.values() and "." not in field.name:
                short = field.name.removeprefix(prefix)
                chosen = EXCEPTIONS.get((kind, short), field.name) == field.name and short not in found
                found[short if chosen else field.name] = field
    return found


class ElementView(Record):
    """One element of a Model or Data."""

    id: int
    _struct: Model | Data
    _model: Model
    _kind: str

    def __init__(self, struct: Model | Data, model: Model, kind: str, index: int) -> None:
        own = self.__dict__
        own["_struct"], own["_model"], own["_kind"], own["id"] = struct, model, kind, index

    @property
    def name(self) -> str:
        return self._model.id2name(self._kind, self.id) if self._kind in self._model.names else ""

    def _block(self, size: str) -> tuple[int, tuple[int, ...]]:
        """The first row, of those counted by `size`, that belongs to this element, and the extents of its block."""
        first, extents = SPANS[size]
        if size == "nplastic" and self._kind == "tendon":
            first = "tendon_plasticadr"
        start = int(self._model.read(first)[self.id])
        if start < 0:
            return 0, (0,)
        if first == "tendon_plasticadr":
            return start, (2,)
        if not extents:
            return start, (JOINT_ROWS[size][self._model.jnt_type[self.id]],)
        return start, tuple([int(self._model.read(extent)[self.id]) for extent in extents])

    def _part(self, name: str) -> np.ndarray:
        """The attribute `name`."""
        field = None if name.startswith("_") else attributes(self._struct.layout, self._kind).get(name)
        if field is None:
            raise AttributeError(
                f"a {self._kind} has no {name!r} in {type(self._struct).__name__}; try one of {dir(self)}"
            )
        rows: np.ndarray = self._struct.read(field.name)
        size = str(field.shape[0])
        if size not in SPANS:
            return rows[self.id] if rows.ndim > 1 else rows[self.id : self.id + 1]
        start, block = self._block(size)
        rows = rows[start : start + prod(block)]
        if len(block) > 1:
            return rows.reshape(block)
        # nearly every actuator has one control and one output
        return rows[0] if self._kind == "actuator" and block == (1,) and rows.ndim > 1 else rows

    if not TYPE_CHECKING:  # sim/typed_fields.pyi has the attributes
        __getattr__ = _part

        def __setattr__(self, name: str, value: Any) -> None:
            getattr(self, name)[...] = value

    def __dir__(self) -> list[str]:
        return sorted({"id", "name", *attributes(self._struct.layout, self._kind)})

    def _title(self) -> str:
        return f"{self._kind} {self.id} of {type(self._struct).__name__}"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, ElementView):
            return super().__eq__(other)
        return self._struct is other._struct and (self._kind, self.id) == (other._kind, other.id)

    def __hash__(self) -> int:
        return hash((id(self._struct), self._kind, self.id))


@cache
def view_class(layout: Layout, kind: str) -> type[ElementView]:
    """The class of the elements of a type, with properties for what is read most: 0.3 us, 1.6 without."""
    members = {name: property(read) for name, field in attributes(layout, kind).items() if (read := _reader(field))}
    return type("ElementView", (ElementView,), members)


def _reader(field: Field) -> Callable[[ElementView], np.ndarray] | None:
    """What reads the rows of an element: one, or those of a joint."""
    name, size = field.name, str(field.shape[0])
    if size in ("nv", "nq"):
        return lambda self: getattr(self._struct, name)[joint_rows(self._model, size)[self.id]]
    if size in SPANS:
        return None
    if len(field.shape) > 1:
        return lambda self: getattr(self._struct, name)[self.id]
    return lambda self: getattr(self._struct, name)[self.id : self.id + 1]


def joint_rows(m: Model, size: str) -> list[slice]:
    """The rows of each joint in fields counted by nv or nq; they never change."""
    known: list[slice] | None = m.derived.get(size)
    if known is None:
        starts, counts = m.read(SPANS[size][0]).tolist(), JOINT_ROWS[size]
        types = m.read("jnt_type").tolist()
        known = [slice(start, start + counts[kind]) for start, kind in zip(starts, types, strict=True)]
        m.derived[size] = known
    return known


def view(struct: Model | Data, model: Model, kind: str, key: str | SupportsIndex) -> ElementView:
    """The element with a name or an index; `kind` is no alias."""
    if isinstance(key, str):
        try:
            index = model.name2id(kind, key)
        except ValueError as error:
            raise KeyError(str(error)) from None
    else:
        index, count = operator.index(key), model.read(KINDS[kind].sizes[0])
        if not 0 <= index < count:
            raise IndexError(f"{kind} {index}: there are {count}")
    return view_class(struct.layout, kind)(struct, model, kind, index)
