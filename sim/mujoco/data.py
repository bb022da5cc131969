"""MjData: the engine's Data under MuJoCo's names. Every function of `sim` takes it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from sim.fields import DATA_LAYOUT
from sim.model import Data
from sim.mujoco.model import MjModel
from sim.mujoco.records import StructType
from sim.mujoco.structs import absent
from sim.mujoco.structs.bind import Bindable
from sim.mujoco.structs.stats import LISTS, new_timers
from sim.mujoco.structs.views import lookup
from sim.named import ALIASES, KINDS


class MjData(Bindable, Data, metaclass=StructType):
    """The state and all results."""

    model: MjModel
    _fields = frozenset({
        *(name.partition(".")[0] for name in DATA_LAYOUT.places), *absent.EMPTY_DATA, *absent.ZERO_DATA,
        *absent.BY_ISLAND, "nbuffer", "bvh_active", "timer",
    })  # fmt: skip

    def __init__(self, model: MjModel) -> None:
        if not isinstance(model, MjModel):
            raise TypeError(f"MjData takes an MjModel, not {model!r}")
        super().__init__(model)

    def _make(self, model: Any) -> None:
        super()._make(model)
        own = self.__dict__
        timers: Any = new_timers()
        own["views"] = {}
        # scripts step often: an item of a memoryview is set in a third of the time of an array's
        own["timers"], own["ticks"] = timers, (memoryview(timers["number"]), memoryview(timers["duration"]))

    def clear(self) -> None:
        super().clear()
        # step, forward and inverse are all that is timed
        number, duration = self.__dict__["ticks"]
        number[0] = number[1] = number[2] = 0
        duration[0] = duration[1] = duration[2] = 0.0

    def copy(self) -> MjData:
        """Independent data of the same model in the same state."""
        return _timed(super().copy(), self.__dict__["timers"])

    def __deepcopy__(self, memo: dict[int, Any]) -> MjData:
        return _restored(self.model.copy(), self.values(), self.__dict__["timers"])

    def __reduce__(self) -> Any:
        return _restored, (self.model, self.values(), self.__dict__["timers"])

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            if name in absent.EMPTY_DATA:
                dtype, shape = absent.EMPTY_DATA[name]
                return np.zeros(shape, dtype)
            if name in absent.BY_ISLAND:
                return _by_island(self, *absent.BY_ISLAND[name])
            if name in absent.ZERO_DATA:
                return 0
            if name == "nbuffer":
                return self._buffer.nbytes
            if name == "bvh_active":
                # MuJoCo marks nodes that it has visited, for pictures; the engine marks none
                return np.zeros(self.model.nbvh, bool)
            if name in absent.MISSING_DATA:
                raise AttributeError(f"MjData has no {name}: {absent.MISSING_DATA[name]}")
            return super().__getattr__(name)

        def __setattr__(self, name: str, value: Any) -> None:
            array = self.__dict__.get(name)
            if type(array) is np.ndarray:
                array[...] = value
            else:
                super().__setattr__(name, value)

    def __dir__(self) -> list[str]:
        methods = {"bind", "model", *KINDS, *ALIASES}
        return sorted({*super().__dir__(), *MjData._fields, *methods})


def _list_of(name: str) -> property:
    """A list of records, made when it is first asked for and kept."""
    key, make = f"_{name}", LISTS[name]

    def get(self: MjData) -> Any:
        own = self.__dict__
        found = own.get(key)
        return found if found is not None else own.setdefault(key, make(self))

    return property(get)


def _growing(name: str, counted_by: str) -> property:
    """The rows in use of an array that grows; what has none is an array of its own, as in the bindings."""

    def get(self: MjData) -> np.ndarray:
        array, rows = self.array(name), self.read(counted_by)
        return array[:rows] if rows else np.zeros((0, *array.shape[1:]), array.dtype)

    return property(get)


for _name, _count in DATA_LAYOUT.growing.items():
    if "." not in _name:
        setattr(MjData, _name, _growing(_name, _count))
for _kind in (*KINDS, *ALIASES):
    setattr(MjData, _kind, lookup(_kind))
for _list in LISTS:
    setattr(MjData, _list, _list_of(_list))


def _by_island(d: MjData, field: str, order: str) -> np.ndarray:
    """A copy of a field in the order of islands; empty if there are none."""
    rows: np.ndarray = getattr(d, order) if d.nisland else np.zeros(0, np.int32)
    if order == "map_idof2dof":
        rows = rows[: d.nidof]
    values: np.ndarray = getattr(d, field)[rows]
    values.flags.writeable = False
    return values


def _restored(model: MjModel, values: Any, timers: Any) -> MjData:
    made = MjData(model)
    made.assign(values)
    return _timed(made, timers)


def _timed(d: Any, timers: Any) -> Any:
    for name, cell in timers.items():
        d.__dict__["timers"][name][...] = cell
    return d
