"""What is likely asked about a moment: quantities of the selected element, plots, and what open instruments show."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

import numpy as np

import sim
from app.background.export.question import CONTACT_FORCE, Question
from app.model.selection import COUNTS, Selection
from sim.analysis.element_names import described, full_geom_name

# element -> fields of its view, d.body("torso").xpos; where it has no name, arrays of Data by its number
VIEWS = {
    "body": (("xpos", "xpos"), ("xquat", "xquat"), ("cvel", "cvel")),
    "geom": (("xpos", "geom_xpos"), ("xmat", "geom_xmat")),
    "site": (("xpos", "site_xpos"), ("xmat", "site_xmat")),
    "camera": (("xpos", "cam_xpos"), ("xmat", "cam_xmat")),
    "light": (("xpos", "light_xpos"), ("xdir", "light_xdir")),
    "tendon": (("length", "ten_length"), ("velocity", "ten_velocity")),
}
CONTACT = ("dist", "pos", "friction")


class Shown(NamedTuple):
    """What the window shows: selection, expressions of plots, open instruments with theirs, subject of Forces."""

    selection: Selection | None = None
    plots: Sequence[str] = ()
    instruments: Mapping[str, Sequence[str]] = MappingProxyType({})
    forces: Selection | None = None


def suggested(m: sim.Model, d: sim.Data, shown: Shown) -> list[Question]:
    """Questions about a moment, each once, in the order of what is most likely asked."""
    found: dict[str, Question] = {}
    for question in _all(m, d, shown):
        found.setdefault(question.expression, question)
    return list(found.values())


def _all(m: sim.Model, d: sim.Data, shown: Shown) -> Iterator[Question]:
    chosen = shown.selection
    if chosen is not None and _exists(m, d, chosen):
        yield from (Question(text, f"selected: {_title(m, d, chosen)}") for text in quantities(m, d, chosen))
    yield from (Question(text, "plot") for text in shown.plots)
    if "Forces" in shown.instruments and shown.forces is not None and _exists(m, d, shown.forces):
        yield from (Question(text, "Forces") for text in _forces(m, shown.forces))
    for name, expressions in shown.instruments.items():
        yield from (Question(text, name) for text in expressions)
    yield Question("d.ncon", "contacts")


def _title(m: sim.Model, d: sim.Data, chosen: Selection) -> str:
    """The name of the selected element; of a contact those of its geoms."""
    if chosen.kind != "contact":
        return described(m, chosen.kind, chosen.index)
    geoms = np.asarray(d.contact.geom)[chosen.index].tolist()
    # a flex has none
    names = [full_geom_name(m, geom) for geom in geoms if geom >= 0]
    return f"contact of {' and '.join(names)}" if len(names) == 2 else f"contact {chosen.index}"


def _exists(m: sim.Model, d: sim.Data, chosen: Selection) -> bool:
    count = int(d.ncon) if chosen.kind == "contact" else int(getattr(m, COUNTS.get(chosen.kind, ""), 0) or 0)
    return chosen.index < count


def quantities(m: sim.Model, d: sim.Data, chosen: Selection) -> list[str]:
    """Expressions of an element, by its name if that is its own."""
    kind, index = chosen.kind, chosen.index
    if kind == "contact":
        return [f"{CONTACT_FORCE}({index})", *(f"d.contact.{name}[{index}]" for name in CONTACT)]
    if kind == "joint":
        return _joint(m, index)
    if kind == "actuator":
        return _actuator(m, index)
    if kind == "sensor":
        first, count = int(m.sensor_adr[index]), int(m.sensor_dim[index])
        return [f"{view}.data" if (view := _view(m, kind, index)) else _slice("sensordata", first, count)]
    if kind == "equality":
        return [f"d.eq_active[{index}]", "d.ne"]
    if kind == "tree":
        return [f"d.tree_asleep[{index}]"]
    view = _view(m, kind, index)
    return [f"{view}.{short}" if view else f"d.{name}[{index}]" for short, name in VIEWS.get(kind, ())]


def _view(m: sim.Model, kind: str, index: int) -> str:
    """An element of Data by its name: d.body("torso"); empty if it has none."""
    name = m.id2name(kind, index)
    # what Python writes otherwise than it is typed is left to numbers
    return f'd.{kind}("{name}")' if name and name.isprintable() and not set(name) & set("\"'\\") else ""


def _slice(field: str, first: int, count: int) -> str:
    return f"d.{field}[{first}]" if count == 1 else f"d.{field}[{first}:{first + count}]"


def _dofs(m: sim.Model, joint: int) -> tuple[int, int]:
    """The first dof of a joint, and how many it has."""
    return int(m.jnt_dofadr[joint]), (6, 3, 1, 1)[int(m.jnt_type[joint])]


def _joint(m: sim.Model, joint: int) -> list[str]:
    view = _view(m, "joint", joint)
    if view:
        return [f"{view}.{name}" for name in ("qpos", "qvel", "qacc")]
    first, count = _dofs(m, joint)
    position = int(m.jnt_qposadr[joint]), (7, 4, 1, 1)[int(m.jnt_type[joint])]
    return [_slice("qpos", *position), _slice("qvel", first, count), _slice("qacc", first, count)]


def _actuator(m: sim.Model, actuator: int) -> list[str]:
    outputs = int(m.actuator_outadr[actuator]), int(m.actuator_outnum[actuator])
    controls = int(m.actuator_ctrladr[actuator]), int(m.actuator_ctrlnum[actuator])
    names = (("actuator_force", outputs), ("actuator_length", outputs), ("ctrl", controls))
    return [_slice(name, *place) for name, place in names if place[1]]


def _forces(m: sim.Model, subject: Selection) -> list[str]:
    """The parts of the equation of motion, of a joint, or of the joints of a body."""
    joints = [subject.index] if subject.kind == "joint" else []
    if subject.kind == "body":
        first = int(m.body_jntadr[subject.index])
        joints = [*range(first, first + int(m.body_jntnum[subject.index]))]
    parts = ("qacc", "qfrc_bias", "qfrc_passive", "qfrc_actuator", "qfrc_applied", "qfrc_constraint")
    return [_slice(part, *_dofs(m, joint)) for joint in joints for part in parts]
