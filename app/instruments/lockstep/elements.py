"""Elements of a model behind the rows of a field: xpos[3] is body 3, qvel[7] the second dof of some joint."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from app.model.selection import COUNTS
from sim import Data, Model, named
from sim.analysis.element_names import described, dof_name, full_geom_name
from sim.enums import CNSTR_EQUALITY, CNSTR_FRICTION_DOF, CNSTR_FRICTION_TENDON, CNSTR_LIMIT_JOINT, CNSTR_LIMIT_TENDON
from sim.fields import DATA_LAYOUT, MODEL_LAYOUT
from sim.jit import Field
from sim.named import KINDS

# first extent of a field -> the type of element that it counts
COUNTED = {kind.sizes[0]: name for name, kind in KINDS.items()} | {"ntree": "tree"}
# extent that counts several rows per element -> type of element, the field with the first row of each; the rows of
# nplastic are of joints and of tendons
SPANS = {
    size: (name, named.SPANS[size][0])
    for name, kind in KINDS.items()
    for size in kind.sizes
    if size in named.SPANS and size != "nplastic"
}
SPANS |= {"na": ("actuator", "actuator_actadr"), "nwrap": ("tendon", "tendon_adr"), "nJmom": SPANS["nout"]}
# type of a constraint row -> type of the element that it belongs to; those of contacts are not here
ROW_ELEMENTS = {
    CNSTR_EQUALITY: "equality", CNSTR_FRICTION_DOF: "dof", CNSTR_FRICTION_TENDON: "tendon",
    CNSTR_LIMIT_JOINT: "joint", CNSTR_LIMIT_TENDON: "tendon",
}  # fmt: skip


@dataclass(frozen=True)
class Element:
    """An element, or nothing: kind "" for what belongs to the whole model.

    `marks` are what one sees of it; a contact is at a point.
    """

    kind: str = ""
    index: int = -1
    name: str = ""
    marks: tuple[tuple[str, int], ...] = ()
    point: tuple[float, ...] = ()


MODEL_ITSELF = Element()
Finder = Callable[[int], Element]


def element(m: Model, kind: str, index: int, name: str = "") -> Element:
    """An element of the model with its name."""
    name = name or (f"geom {full_geom_name(m, index)}" if kind == "geom" else described(m, kind, index))
    return Element(kind, index, name, ((kind, index),) if kind in COUNTS else ())


def dof_element(m: Model, dof: int) -> Element:
    """A dof: its joint, with the axis in its name."""
    return element(m, "joint", int(m.dof_jntid[dof]), f"joint {dof_name(m, dof).removeprefix('joint ')}")


def contact_element(m: Model, d: Data, contact: int, index: int | None = None) -> Element:
    """A contact: the two geoms that touch; `index` is -1 if it is one of the other engine."""
    geoms = [int(geom) for geom in np.asarray(d.read("contact.geom"))[contact]]
    names = " – ".join(full_geom_name(m, geom) for geom in geoms if geom >= 0)
    marks = tuple(("geom", geom) for geom in geoms if geom >= 0)
    point = tuple(np.asarray(d.read("contact.pos"), float)[contact].tolist())
    return Element("contact", contact if index is None else index, f"contact {names}", marks, point)


def row_element(m: Model, d: Data, row: int, ours: bool = True) -> Element:
    """A constraint row: the contact, joint, tendon or equality that it comes from."""
    index = int(d.read("efc_id")[row])
    kind = ROW_ELEMENTS.get(int(d.read("efc_type")[row]))
    if kind is None:
        return contact_element(m, d, index, None if ours else -1)
    return dof_element(m, index) if kind == "dof" else element(m, kind, index)


def field_of(name: str) -> Field | None:
    """A field of Model or Data."""
    place = MODEL_LAYOUT.places.get(name) or DATA_LAYOUT.places.get(name)
    return place.field if place is not None else None


def elements_of(m: Model, name: str) -> Finder:
    """Which element a row of a field of Model or Data belongs to."""
    known = field_of(name)
    size = str(known.shape[0]) if known is not None and known.shape else ""
    if size == "nv":
        return lambda row: dof_element(m, row)
    if size in COUNTED:
        return lambda row: element(m, COUNTED[size], row)
    if size in SPANS:
        kind, field = SPANS[size]
        starts: Any = np.asarray(m.read(field))
        return lambda row: _spanned(m, kind, starts, row)
    return lambda _: MODEL_ITSELF


def _spanned(m: Model, kind: str, starts: Any, row: int) -> Element:
    """The element whose rows include this one; those without rows have a start of -1, or that of the next."""
    before = np.flatnonzero((starts >= 0) & (starts <= row))
    if not len(before):
        return MODEL_ITSELF
    latest = starts[before].max()
    return element(m, kind, int(before[starts[before] == latest][-1]))
