"""Model and Data, as Python sees them: numpy arrays under MuJoCo's names, one native block underneath."""

from __future__ import annotations

from collections.abc import Mapping
from os import PathLike
from typing import Any, Protocol

import numpy as np

from sim.enums import NWARNING
from sim.fields import DATA_LAYOUT, MODEL_LAYOUT
from sim.history import empty_history
from sim.jit import Struct, interpreted
from sim.named import ALIASES, KINDS, View, view

Values = Mapping[str, Any]


class Source(Protocol):
    """What a model was made from."""

    def save(self, model: Any, path: str | PathLike[str]) -> None: ...


# sizes are the scalars of Model that are in no group
SIZES = [n for n, p in MODEL_LAYOUT.places.items() if n.startswith("n") and not p.field.shape]

# rows that the growing arrays of a new Data have room for
INITIAL_ROOM = 64


class Model(Struct):
    """What does not change while stepping. `m.opt`, `m.stat` and `m.vis` hold options, statistics and looks."""

    names: dict[str, list[str]]

    def __init__(self, values: Values, names: Mapping[str, list[str]]) -> None:
        sizes = {name: int(values.get(name, 0)) for name in SIZES}
        super().__init__(MODEL_LAYOUT, _derived(sizes))
        self.__dict__["names"] = {kind: list(n) for kind, n in names.items()}
        self.__dict__["_ids"] = {kind: {n: i for i, n in enumerate(ns) if n} for kind, ns in self.names.items()}
        for name, value in values.items():
            self.write(name, value)

    @property
    def sizes(self) -> dict[str, int]:
        """Every size that shapes in the table of fields refer to."""
        return _derived({name: self.read(name) for name in SIZES})

    def __reduce__(self) -> Any:
        return Model, (self.values(), self.names)

    def copy(self) -> Model:
        """An independent model with the same values."""
        twin = Model(self.values(), self.names)
        twin.remember_source(self.__dict__.get("source"))
        return twin

    def remember_source(self, source: Source | None) -> None:
        """Keep the MJCF that the model was made from, so that it can be saved."""
        self.__dict__["source"] = source

    def save_xml(self, path: str | PathLike[str]) -> None:
        """Write MJCF that compiles to this model, edits since loading included."""
        source = self.__dict__.get("source")
        if source is None:
            raise ValueError("this model was not made from MJCF, so there is nothing to write")
        source.save(self, path)

    __copy__ = copy

    def __deepcopy__(self, memo: dict[int, Any]) -> Model:
        return self.copy()

    def name2id(self, kind: str, name: str) -> int:
        """The index of a named element; ValueError with the names there are."""
        if kind not in self.names:
            raise ValueError(f"there are no names for {kind!r}, only for {', '.join(sorted(self.names))}")
        index: int | None = self.__dict__["_ids"][kind].get(name)
        if index is None:
            known = ", ".join(map(repr, list(self.__dict__["_ids"][kind])[:20])) or "none"
            raise ValueError(f"no {kind} is named {name!r}; known: {known}")
        return index

    def id2name(self, kind: str, index: int) -> str:
        """The name of an element, "" if it has none."""
        return self.names[kind][index]


class Data(Struct):
    """What changes while stepping. Starts at qpos0, with every body in its place."""

    model: Model

    def __init__(self, model: Model) -> None:
        counts = dict.fromkeys(DATA_LAYOUT.growing.values(), INITIAL_ROOM)
        sizes = {**model.sizes, "nwarning": NWARNING, **counts}
        super().__init__(DATA_LAYOUT, sizes)
        self.__dict__["model"] = model
        self.clear()

    def __reduce__(self) -> Any:
        return _restored, (self.model, self.values())

    def copy(self) -> Data:
        """Independent Data of the same model in the same state."""
        return _restored(self.model, self.values())

    __copy__ = copy

    def __deepcopy__(self, memo: dict[int, Any]) -> Data:
        return self.copy()

    def clear(self) -> None:
        """Put every field back to where it starts; arrays that have grown keep their room."""
        m = self.model
        for name, place in self.layout.places.items():
            array = self._arrays.get(name)
            if array is None:
                self._scalar(place)[0] = place.field.default
            else:
                array[...] = place.field.default
        self.qpos = m.qpos0
        mocap = np.flatnonzero(m.body_mocapid >= 0)
        self.mocap_pos[m.body_mocapid[mocap]] = m.body_pos[mocap]
        self.mocap_quat[m.body_mocapid[mocap]] = m.body_quat[mocap]
        self.eq_active = m.eq_active0
        if m.nhistory > 0:
            with interpreted():
                empty_history(m, self)


def _named(kind: str) -> Any:
    """The method that looks up one kind of element: `m.body(...)`, `d.body(...)`."""

    def lookup(self: Model | Data, key: str | int) -> View:
        return view(self, self if isinstance(self, Model) else self.model, kind, key)

    lookup.__doc__ = f"The {ALIASES.get(kind, kind)} with a name or an index."
    return lookup


for _kind in (*KINDS, *ALIASES):
    setattr(Model, _kind, _named(_kind))
    setattr(Data, _kind, _named(_kind))


def _restored(model: Model, values: Values) -> Data:
    d = Data(model)
    d.assign(values)
    return d


def _derived(sizes: Mapping[str, int]) -> dict[str, int]:
    """Sizes, and products of them that shapes use."""
    return {**sizes, "nmocap3": 3 * sizes.get("nmocap", 0), "nmocap4": 4 * sizes.get("nmocap", 0)}
