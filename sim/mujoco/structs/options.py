"""MjOption, MjStatistic and MjVisual: `m.opt`, `m.stat`, `m.vis`, or alone with default values."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from sim.fields import MODEL_LAYOUT
from sim.model import Model
from sim.mujoco.records import Cells, Member, MjRecord, RecordType, layout_members


class MjOption(MjRecord, members=layout_members(MODEL_LAYOUT, "opt")):
    """Options of the simulation."""


class MjStatistic(MjRecord, members=layout_members(MODEL_LAYOUT, "stat")):
    """Statistics of a model."""

    def __init__(self) -> None:
        super().__init__()
        for cell in self._cells.values():
            cell[...] = 0


# values that mj_defaultLROpt sets
LR_DEFAULTS = {
    "mode": 1, "useexisting": 1, "uselimit": 0, "accel": 20.0, "maxforce": 0.0, "timeconst": 1.0, "timestep": 0.01,
    "inttotal": 10.0, "interval": 2.0, "tolrange": 0.05,
}  # fmt: skip


class MjLROpt(
    MjRecord,
    members={name: Member(np.float64 if isinstance(v, float) else np.int32) for name, v in LR_DEFAULTS.items()},
):
    """Options for the computation of length ranges; initially 0, `mj_defaultLROpt` sets the defaults."""


def _part(name: str) -> Any:
    """The class of `m.vis.headlight` and the like."""
    body = {"__doc__": f"`m.vis.{name}`", "__module__": __name__}
    members = layout_members(MODEL_LAYOUT, f"vis.{name}")
    return RecordType(name.rstrip("_").capitalize(), (MjRecord,), body, members=members)


PARTS = {name: _part(name) for name in ("global_", "headlight", "map", "quality", "rgba", "scale")}
# where pickle finds them
globals().update({part.__name__: part for part in PARTS.values()})


def _part_of(name: str) -> property:
    def put(self: MjVisual, value: Any) -> None:
        self._parts[name]._assign(value)

    return property(lambda self: self._parts[name], put)


class MjVisual(MjRecord):
    """Settings of pictures."""

    __slots__ = ("_parts",)
    _parts: dict[str, MjRecord]

    def __init__(self) -> None:
        super().__init__()
        self._parts = {name: part() for name, part in PARTS.items()}


MjVisual._members = {name: Member(object) for name in PARTS}
for _name, _class in PARTS.items():
    setattr(MjVisual, _name, _part_of(_name))
    setattr(MjVisual, _class.__name__, _class)
# the name in C, which is a keyword of Python
setattr(MjVisual, "global", _part_of("global_"))


def _cells(m: Model, group: str) -> Cells:
    """The cells of a group of fields: what is a number is an array of one."""
    found = {}
    for name, place in MODEL_LAYOUT.places.items():
        if place.group == group:
            found[place.leaf] = m.word(name) if name in m.layout.scalars else m.array(name)
    return found


def visual_of(m: Model) -> MjVisual:
    """`m.vis`"""
    made = MjVisual.at({})
    made._parts = {name: part.at(_cells(m, f"vis.{name}")) for name, part in PARTS.items()}
    return made


GROUPS: dict[str, Callable[[Model], MjRecord]] = {
    "opt": lambda m: MjOption.at(_cells(m, "opt")),
    "stat": lambda m: MjStatistic.at(_cells(m, "stat")),
    "vis": visual_of,
}
