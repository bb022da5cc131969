"""MjContact and the statistics of a step, one by one and in lists: `d.contact`, `d.warning`, `d.solver`, `d.timer`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from sim.fields import DATA_LAYOUT
from sim.model import Data
from sim.mujoco.records import Cells, Members, MjRecord, RecordList, layout_members

NTIMER = 15


def _members(group: str, **changes: Any) -> Members:
    return {name: m._replace(**changes) for name, m in layout_members(DATA_LAYOUT, group).items()}


# in a record alone, nothing is excluded or without rows yet
class MjContact(MjRecord, members=_members("contact", default=0)):
    """A contact."""

    _rows = True


class MjWarningStat(MjRecord, members=_members("warning", shape=())):
    """How often a warning was raised, and what it was about."""

    _rows = True


class MjSolverStat(MjRecord, members=_members("solver", shape=())):
    """One iteration of the solver."""

    _rows = True


class MjTimerStat(MjRecord, members="duration: f8\nnumber: i4"):
    """Calls and seconds of a part of a step."""

    _rows = True


class _MjContactList(RecordList):
    _class = MjContact


class _MjWarningStatList(RecordList):
    _class = MjWarningStat


class _MjSolverStatList(RecordList):
    _class = MjSolverStat


class _MjTimerStatList(RecordList):
    _class = MjTimerStat


# member -> field, for each group
GROUPS = {
    group: {p.leaf: name for name, p in DATA_LAYOUT.places.items() if p.group == group}
    for group in ("contact", "warning", "solver")
}


def _fixed(kind: type[RecordList], group: str) -> Callable[[Data], RecordList]:
    """A list of records whose arrays stay where they are."""

    def make(d: Data) -> RecordList:
        cells = {leaf: d.array(name) for leaf, name in GROUPS[group].items()}
        return kind(lambda: cells, next(iter(cells.values())).__len__)

    return make


def contacts_of(d: Data) -> _MjContactList:
    """`d.contact`: it follows the contacts of the data, whose arrays grow."""
    names = GROUPS["contact"]
    for name in names.values():
        d.array(name)
    arrays, count = d._made, d.word("ncon")
    known: list[Any] = [None, {}]

    def cells() -> Cells:
        dist = arrays["contact.dist"]
        if known[0] is not dist:
            known[:] = dist, {leaf: arrays[name] for leaf, name in names.items()}
        found: Cells = known[1]
        return found

    return _MjContactList(cells, count.item)


def new_timers() -> Cells:
    """Timers at 0."""
    return {"duration": np.zeros(NTIMER), "number": np.zeros(NTIMER, np.int32)}


def timers_of(d: Data) -> _MjTimerStatList:
    """`d.timer`"""
    cells: Cells = d.__dict__["timers"]
    return _MjTimerStatList(lambda: cells, lambda: NTIMER)


LISTS = {
    "contact": contacts_of,
    "warning": _fixed(_MjWarningStatList, "warning"),
    "solver": _fixed(_MjSolverStatList, "solver"),
    "timer": timers_of,
}
