"""MjOption, MjStatistic and MjVisual: `m.opt`, `m.stat`, `m.vis`, or alone with default values."""

from __future__ import annotations

from typing import Any

import numpy as np

from sim.fields import MODEL_LAYOUT
from sim.model import Model
from sim.mujoco.records import Cells, Member, MjRecord, declare, layout_members


class MjOption(MjRecord):
    """Options of the simulation."""

    __slots__ = ()


class MjStatistic(MjRecord):
    """Statistics of a model."""

    __slots__ = ()

    def __init__(self) -> None:
        super().__init__()
        for cell in self._cells.values():
            cell[...] = 0


class MjLROpt(MjRecord):
    """Options for the computation of length ranges; initially 0, `mj_defaultLROpt` sets the defaults."""

    __slots__ = ()


# values that mj_defaultLROpt sets
LR_DEFAULTS = {
    "mode": 1, "useexisting": 1, "uselimit": 0, "accel": 20.0, "maxforce": 0.0, "timeconst": 1.0, "timestep": 0.01,
    "inttotal": 10.0, "interval": 2.0, "tolrange": 0.05,
}  # fmt: skip

declare(MjOption, layout_members(MODEL_LAYOUT, "opt"))
declare(MjStatistic, layout_members(MODEL_LAYOUT, "stat"))
declare(MjLROpt, {name: Member(np.float64 if isinstance(v, float) else np.int32) for name, v in LR_DEFAULTS.items()})


class Global(MjRecord):
    """`m.vis.global_`"""

    __slots__ = ()


class Quality(MjRecord):
    """`m.vis.quality`"""

    __slots__ = ()


class Headlight(MjRecord):
    """`m.vis.headlight`"""

    __slots__ = ()


class Map(MjRecord):
    """`m.vis.map`"""

    __slots__ = ()


class Scale(MjRecord):
    """`m.vis.scale`"""

    __slots__ = ()


class Rgba(MjRecord):
    """`m.vis.rgba`"""

    __slots__ = ()


PARTS = {"global_": Global, "headlight": Headlight, "map": Map, "quality": Quality, "rgba": Rgba, "scale": Scale}
for _name, _part in PARTS.items():
    declare(_part, layout_members(MODEL_LAYOUT, f"vis.{_name}"))


def _part_of(name: str) -> property:
    def get(self: MjVisual) -> MjRecord:
        return self._parts[name]

    def put(self: MjVisual, value: Any) -> None:
        self._parts[name]._assign(value)

    return property(get, put)


class MjVisual(MjRecord):
    """Settings of pictures."""

    __slots__ = ("_parts",)
    _parts: dict[str, MjRecord]

    Global, Headlight, Map = Global, Headlight, Map
    Quality, Rgba, Scale = Quality, Rgba, Scale

    def __init__(self) -> None:
        super().__init__()
        self._parts = {name: part() for name, part in PARTS.items()}

    def __copy__(self) -> Any:
        copy = MjVisual()
        copy._assign(self)
        return copy

    def __reduce__(self) -> Any:
        return _visual, (self._values(),)


def _visual(values: dict[str, Any]) -> MjVisual:
    made = MjVisual()
    for name, value in values.items():
        setattr(made, name, value)
    return made


MjVisual._members = {name: Member(object) for name in PARTS}
for _name in PARTS:
    setattr(MjVisual, _name, _part_of(_name))
# the name in C, which is a keyword of Python
setattr(MjVisual, "global", _part_of("global_"))


def _cells(m: Model, group: str) -> Cells:
    """The cells of a group of fields: what is a number is an array of one."""
    found = {}
    for name, place in MODEL_LAYOUT.places.items():
        if place.group == group:
            found[place.leaf] = m.word(name) if name in m.layout.scalars else m.array(name)
    return found


def option_of(m: Model) -> MjOption:
    """`m.opt`"""
    return MjOption.at(_cells(m, "opt"))


def statistic_of(m: Model) -> MjStatistic:
    """`m.stat`"""
    return MjStatistic.at(_cells(m, "stat"))


def visual_of(m: Model) -> MjVisual:
    """`m.vis`"""
    made = MjVisual.at({})
    made._parts = {name: part.at(_cells(m, f"vis.{name}")) for name, part in PARTS.items()}
    return made


GROUPS = {"opt": option_of, "stat": statistic_of, "vis": visual_of}
