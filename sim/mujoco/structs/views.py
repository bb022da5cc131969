"""Elements by name or number, as MuJoCo's bindings have them: `m.geom("box").size`, `d.joint(3).qpos`.

They are the views of `sim.named`, made once for each element and kept: `m.geom(0) is m.geom("box")`. A view has the
arrays of a struct, not the struct, so a struct that keeps its views is freed with its last reference.
"""

from __future__ import annotations

import operator
from typing import TYPE_CHECKING, Any

import numpy as np

from sim.enums import JNT_BALL
from sim.jit import Struct
from sim.model import Data, Model
from sim.named import ALIASES, KINDS, ElementView

# names of the types of views in the bindings, where they are not those of the elements
TITLES = {"key": "Keyframe"}


class Fields:
    """The fields of a struct, without the struct."""

    read, array = Struct.read, Struct.array

    def __init__(self, struct: Struct) -> None:
        self.layout, self._plan, self._made = struct.layout, struct._plan, struct._made
        self._buffer, self._seen = struct._buffer, struct._seen

    def __getattr__(self, name: str) -> Any:
        return self.read(name)  # type: ignore[misc]


class View(ElementView):
    """One element; its attributes are arrays, kept after the first use."""

    _class: str

    def __init__(self, own: Fields, model: Fields, title: str, kind: str, index: int, name: str) -> None:
        fields = {"_struct": own, "_model": model, "_kind": kind, "id": index, "_name": name, "_class": title}
        self.__dict__.update(fields)

    @property
    def name(self) -> str:
        return str(self.__dict__["_name"])

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            if name.startswith("__"):
                raise AttributeError(name)
            special = SPECIAL.get((self._kind, name)) if self._class == "Data" else None
            if special is not None:
                return special(self)
            # a tendon's fields have two prefixes, and the bindings remove the shorter one
            short = name.removeprefix("_") if self._kind == "tendon" else name
            part = self._part(short)
            self.__dict__[name] = part
            return part

    def __dir__(self) -> list[str]:
        special = [name for kind, name in SPECIAL if kind == self._kind and self._class == "Data"]
        return sorted({*super().__dir__(), *special})

    def _title(self) -> str:
        kind = self.__dict__["_kind"]
        return f"_Mj{self.__dict__['_class']}{TITLES.get(kind, kind.title())}Views"


def _moment(view: Any) -> np.ndarray:
    """The moment arms of an actuator, dense: a row per output; a copy, since they are stored sparse."""
    m, d = view._model, view._struct
    first, count = int(m.actuator_outadr[view.id]), int(m.actuator_outnum[view.id])
    rows = np.zeros((count, m.nv))
    for row in range(count):
        start, number = int(d.moment_rowadr[first + row]), int(d.moment_rownnz[first + row])
        rows[row, d.moment_colind[start : start + number]] = d.actuator_moment[start : start + number]
    found = rows[0] if count == 1 else rows
    found.flags.writeable = False
    return found


def _plastic(view: Any) -> np.ndarray:
    """The rest of a plastic spring: the coordinates of a joint, or the length range of a tendon."""
    m = view._model
    if view._kind == "tendon":
        start, count = int(m.tendon_plasticadr[view.id]), 2
    else:
        start, count = int(m.jnt_plasticadr[view.id]), 4 if m.jnt_type[view.id] == JNT_BALL else 1
    part: np.ndarray = view._struct.plastic[start : start + count] if start >= 0 else view._struct.plastic[:0]
    return part


SPECIAL = {
    ("actuator", "moment"): _moment,
    ("joint", "plastic"): _plastic,
    ("tendon", "plastic"): _plastic,
}


def _find(struct: Model | Data, kind: str, key: Any) -> View:
    """The element with a name or an index, of a struct that keeps its views in `views`."""
    known: dict[Any, View] = struct.__dict__["views"]
    m = struct.model if isinstance(struct, Data) else struct
    count = m.read(KINDS[kind].sizes[0])
    ids: dict[str, int] = m.__dict__["_ids"].get(kind, {})
    if isinstance(key, str):
        if key not in ids:
            raise KeyError(f"Invalid name '{key}'. Valid names: {sorted(ids)}")
        index = ids[key]
    else:
        index = operator.index(key)
        if not 0 <= index < count:
            raise IndexError(f"Invalid index {index}. Valid indices from 0 to {count - 1}")
    found = known.get((kind, index))
    if found is None:
        names = m.names.get(kind)
        name = names[index] if names else ""
        title = "Model" if struct is m else "Data"
        own = Fields(struct)
        found = View(own, own if struct is m else Fields(m), title, kind, index, name)
    # in one assignment each: another thread may be doing the same
    found = known.setdefault((kind, index), found)
    known[kind, key] = found
    return found


def lookup(kind: str) -> Any:
    """The method that looks up elements of one type."""
    kind = ALIASES.get(kind, kind)

    def element(self: Model | Data, name: Any = "") -> View:
        found: View | None = self.__dict__["views"].get((kind, name))
        return found if found is not None else _find(self, kind, name)

    element.__doc__ = f"The {kind} with the given name or index."
    return element
