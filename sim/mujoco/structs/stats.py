"""MjContact and the statistics of a step, one by one and in lists: `d.contact`, `d.warning`, `d.solver`, `d.timer`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from sim.fields import DATA_LAYOUT
from sim.model import Data
from sim.mujoco.records import Cells, Member, MjRecord, RecordList, declare, layout_members

NTIMER = 15


class MjContact(MjRecord):
    """A contact."""

    __slots__ = ()
    _rows = True


class MjWarningStat(MjRecord):
    """How often a warning was raised, and what it was about."""

    __slots__ = ()
    _rows = True


class MjSolverStat(MjRecord):
    """One iteration of the solver."""

    __slots__ = ()
    _rows = True


class MjTimerStat(MjRecord):
    """Calls and seconds of a part of a step."""

    __slots__ = ()
    _rows = True


class _MjContactList(RecordList):
    __slots__ = ()
    _class = MjContact


class _MjWarningStatList(RecordList):
    __slots__ = ()
    _class = MjWarningStat


class _MjSolverStatList(RecordList):
    __slots__ = ()
    _class = MjSolverStat


class _MjTimerStatList(RecordList):
    __slots__ = ()
    _class = MjTimerStat


declare(MjContact, layout_members(DATA_LAYOUT, "contact"))
# in a record alone, nothing is excluded or without rows yet
MjContact._members |= {name: m._replace(default=0) for name, m in MjContact._members.items()}
declare(MjWarningStat, {name: m._replace(shape=()) for name, m in layout_members(DATA_LAYOUT, "warning").items()})
declare(MjSolverStat, {name: m._replace(shape=()) for name, m in layout_members(DATA_LAYOUT, "solver").items()})
declare(MjTimerStat, {"duration": Member(np.dtype(np.float64)), "number": Member(np.dtype(np.int32))})


# member -> field, for each group
GROUPS = {
    group: {p.leaf: name for name, p in DATA_LAYOUT.places.items() if p.group == group}
    for group in ("contact", "warning", "solver")
}


def _fixed(d: Data, group: str) -> Callable[[], Cells]:
    """Cells of a group whose arrays stay where they are."""
    cells = {leaf: d.array(name) for leaf, name in GROUPS[group].items()}
    return lambda: cells


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


def warnings_of(d: Data) -> _MjWarningStatList:
    """`d.warning`"""
    cells = _fixed(d, "warning")
    return _MjWarningStatList(cells, cells()["number"].__len__)


def solver_of(d: Data) -> _MjSolverStatList:
    """`d.solver`"""
    cells = _fixed(d, "solver")
    return _MjSolverStatList(cells, cells()["neval"].__len__)


def new_timers() -> Cells:
    """Timers at 0."""
    return {"duration": np.zeros(NTIMER), "number": np.zeros(NTIMER, np.int32)}


def timers_of(d: Data) -> _MjTimerStatList:
    """`d.timer`"""
    cells: Cells = d.__dict__["timers"]
    return _MjTimerStatList(lambda: cells, lambda: NTIMER)


LISTS = {"contact": contacts_of, "warning": warnings_of, "solver": solver_of, "timer": timers_of}
