"""MjData: the engine's Data under MuJoCo's names. Every function of `sim` takes it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from sim.fields import DATA_LAYOUT
from sim.model import Data
from sim.mujoco.model import MjModel
from sim.mujoco.structs import absent
from sim.mujoco.structs.bind import Common
from sim.mujoco.structs.stats import LISTS, new_timers
from sim.mujoco.structs.views import lookup
from sim.named import ALIASES, KINDS


class MjData(Common, Data):
    """The state and all results."""

    model: MjModel
    _made_fields: ClassVar = {
        **absent.EMPTY_DATA, **absent.ZERO_DATA, **absent.BY_ISLAND, "nbuffer": lambda d: d._buffer.nbytes,
        # MuJoCo marks nodes that it has visited, for pictures; the engine marks none
        "bvh_active": lambda d: np.zeros(d.model.nbvh, bool),
    }  # fmt: skip
    _missing = absent.MISSING_DATA
    _fields = frozenset({*(name.partition(".")[0] for name in DATA_LAYOUT.places), *_made_fields, "timer"})
    _methods = ("model",)

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

        def __setattr__(self, name: str, value: Any) -> None:
            array = self.__dict__.get(name)
            if type(array) is np.ndarray:
                array[...] = value
            else:
                super().__setattr__(name, value)


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


def _restored(model: MjModel, values: Any, timers: Any) -> MjData:
    made = MjData(model)
    made.assign(values)
    return _timed(made, timers)


def _timed(d: Any, timers: Any) -> Any:
    for name, cell in timers.items():
        d.__dict__["timers"][name][...] = cell
    return d
