"""Data of MuJoCo as Data of `sim`: the state and all results of fixed size are MuJoCo's memory.

Contacts, constraint rows and islands move in MuJoCo's arena, so `pull` copies them, with time and all counts. After a
step only the counts are taken, and the rest when it is read first: that is 60 of 90 us for a humanoid. Native code of
ours sees what was pulled. The time, the only scalar of the state, is written to both.
"""

from __future__ import annotations

import copy
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from app.run.engine.fields import MOVING, bound_arrays, has_path, read_path
from app.run.engine.installed import mujoco
from app.run.engine.mujoco_model import MujocoModel
from sim.enums import SOL_PGS
from sim.fields import DATA_LAYOUT
from sim.model import Data

# fields that mean nothing without islands
OF_ISLANDS = ("island_", "map_", "tree_island", "dof_island", "efc_island")
NOTHING = np.zeros(0)
# what a field means in which nothing is: no island
EMPTY = {"tree_island": -1, "dof_island": -1, "efc_island": -1}


class MujocoData(Data):
    """Data whose arrays are those of an MjData."""

    mj: Any
    model: MujocoModel
    # whether MuJoCo has made steps since the last `pull`
    behind: bool
    moving = MOVING

    def __init__(self, model: MujocoModel, mj: Any | None = None) -> None:
        self.__dict__["mj"] = mujoco().MjData(model.mj) if mj is None else mj
        self.__dict__["behind"] = False
        self._make(model)
        for name, array in bound_arrays(self.layout, self.mj):
            if array.shape == self.array(name).shape:
                self.bind(name, array)
        self.pull()

    def pull_time(self) -> float:
        """Take the time alone."""
        time: float = self.mj.time
        self.word("time")[0] = time
        return time

    def pull_counts(self) -> None:
        """Take time and counts; what they count is taken when it is read."""
        mj = self.mj
        for name in _moving().scalars:
            self.word(name)[0] = getattr(mj, name)
        self.__dict__["behind"] = True

    def pull(self) -> None:
        """Take what MuJoCo has computed."""
        self.pull_counts()
        self.__dict__["behind"] = False
        mj, table, islands = self.mj, _moving(), self.mj.nisland > 0
        for count, needed in table.counts.items():
            rows = int(getattr(mj, count))
            if rows > len(self.array(needed)):
                self.grow(count, 2 * rows)
        for group, names in table.groups.items():
            source = getattr(mj, group) if group else mj
            for name, attribute in names:
                there = islands or not name.startswith(OF_ISLANDS)
                self._copy(name, getattr(source, attribute) if there else NOTHING)
        if mj.nefc:
            self._pull_rows()

    def _pull_rows(self) -> None:
        """Columns of a dense Jacobian, which has none in MuJoCo; states of rows, which its solver keeps by island."""
        mj, m, ours, rows = self.mj, self.model, self.array, int(self.mj.nefc)
        if not mujoco().mj_isSparse(m.mj):
            ours("efc_J_rownnz")[:rows] = m.nv
            ours("efc_J_rowadr")[:rows] = m.nv * np.arange(rows)
            ours("efc_J_colind")[: rows * m.nv] = np.tile(np.arange(m.nv), rows)
        by_island = mj.nisland > 0 and m.opt.solver != SOL_PGS and m.opt.noslip_iterations == 0
        if by_island and hasattr(mj, "iefc_state"):
            ours("efc_state")[mj.map_iefc2efc] = mj.iefc_state

    def _copy(self, name: str, theirs: np.ndarray) -> None:
        """Copy a field that has moved; one that MuJoCo does not have now, because there are no islands, is empty."""
        ours, rows = self.array(name), len(theirs)
        if rows:
            rows = min(rows, len(ours))
            ours[:rows] = theirs[:rows]
        elif name in EMPTY:
            ours[...] = EMPTY[name]

    def clear(self) -> None:
        """Reset every field to its initial value."""
        for name in self.layout.scalars:
            if name.startswith("perturb."):
                self.word(name)[0] = 0
        mujoco().mj_resetData(self.model.mj, self.mj)
        self.pull()

    def wake_all(self) -> None:
        """Mark all trees as awake."""
        self.model.engine.wake(self.model, self)

    def copy(self) -> MujocoData:
        """Independent Data of the same model in the same state; recordings stay with the original."""
        other = MujocoData(self.model, copy.copy(self.mj))
        for name in OURS:
            other.write(name, self.read(name))
        return other

    __copy__ = copy

    def __reduce__(self) -> Any:
        return MujocoData, (self.model, self.mj)

    if not TYPE_CHECKING:

        def read(self, name: str) -> Any:
            """The value of a field, of the MjData where `sim` does not have it."""
            if name in self.layout.places:
                if self.behind and name.startswith(MOVING):
                    self.pull()
                return super().read(name)
            if name.startswith("_"):
                raise AttributeError(name)
            return read_path(self.mj, name)

        def write(self, name: str, value: Any) -> None:
            """Copy a value into a field."""
            if name in self.layout.places:
                super().write(name, value)
                if name == "time":
                    self.mj.time = self.time
            else:
                read_path(self.mj, name)[...] = value


# parts of the state that only this program has
OURS = tuple(name for name in DATA_LAYOUT.places if name.startswith(("perturb.", "noise.")))


class Moving(NamedTuple):
    """What `pull` copies: scalars, a growing field by its count, fields by group."""

    scalars: tuple[str, ...]
    counts: dict[str, str]
    groups: dict[str, list[tuple[str, str]]]


@cache
def _moving() -> Moving:
    """The fields that move, of those that this MuJoCo has."""
    module, places = mujoco(), DATA_LAYOUT.places
    sample = module.MjData(module.MjModel.from_xml_string("<mujoco/>"))
    scalars = tuple(name for name, place in places.items() if not place.field.shape and hasattr(sample, name))
    groups: dict[str, list[tuple[str, str]]] = {}
    counts: dict[str, str] = {}
    for name, place in places.items():
        if place.field.shape and name.startswith(MOVING) and has_path(sample, name):
            group, _, attribute = name.rpartition(".")
            groups.setdefault(group, []).append((name, attribute))
            if name in DATA_LAYOUT.growing:
                counts.setdefault(DATA_LAYOUT.growing[name], name)
    return Moving(scalars, counts, groups)
