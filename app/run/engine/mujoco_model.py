"""A model of MuJoCo as a Model of `sim`: its arrays are MuJoCo's memory, under the same names.

What is written to an array is written to the MjModel at once, in either direction. Scalars (`opt`, `stat`, `vis`) are
copies: writing one here writes to both, `pull` takes those that a script has set in its MjModel. Fields that `sim` does
not have, those of flexes say, are the MjModel's own.
"""

from __future__ import annotations

import copy
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from app.run.engine.fields import bound_arrays, read_path, scalar_paths, write_path
from app.run.engine.installed import mujoco
from sim.edits import NO_EDITS
from sim.enums import WRAP_JOINT
from sim.file_stamp import Stamps
from sim.model import SIZES, Model
from sim.script.state_vector import KEY_FIELDS

# type of element -> the part of mjtObj's name, the count in Model
NAMED = {
    "body": ("BODY", "nbody"), "joint": ("JOINT", "njnt"), "geom": ("GEOM", "ngeom"), "site": ("SITE", "nsite"),
    "camera": ("CAMERA", "ncam"), "light": ("LIGHT", "nlight"), "mesh": ("MESH", "nmesh"), "skin": ("SKIN", "nskin"),
    "flex": ("FLEX", "nflex"),
    "hfield": ("HFIELD", "nhfield"), "texture": ("TEXTURE", "ntex"), "material": ("MATERIAL", "nmat"),
    "pair": ("PAIR", "npair"), "exclude": ("EXCLUDE", "nexclude"), "equality": ("EQUALITY", "neq"),
    "tendon": ("TENDON", "ntendon"), "actuator": ("ACTUATOR", "nactuator"), "sensor": ("SENSOR", "nsensor"),
    "numeric": ("NUMERIC", "nnumeric"), "text": ("TEXT", "ntext"), "tuple": ("TUPLE", "ntuple"), "key": ("KEY", "nkey"),
}  # fmt: skip

# what a MuJoCo without the field does
ABSENT: Mapping[str, Any] = {
    "geom_castshadow": True, "site_dataid": -1, "jnt_plasticadr": -1, "tendon_plasticadr": -1,
}  # fmt: skip

# parts of a state that `sim` does not have: field of MjData -> its size in MjModel
EXTRA_STATE = {"plugin_state": "npluginstate"}


class MujocoModel(Model):
    """A Model whose arrays are those of an MjModel."""

    mj: Any
    partial: dict[str, int]

    def __init__(self, mj: Any, files: Stamps | None = None) -> None:
        sizes = {name: int(getattr(mj, name, 0)) for name in SIZES}
        super().__init__(sizes, _names(mj), files)
        own = self.__dict__
        own["mj"] = mj
        own["engine"] = _engine()
        # arrays that have more or fewer columns there: how many are in both
        own["partial"] = {}
        for name, array in bound_arrays(self.layout, mj):
            ours = self.array(name)
            if array.shape == ours.shape:
                self.bind(name, array)
            elif array.ndim == ours.ndim == 2 and len(array) == len(ours):
                own["partial"][name] = min(array.shape[1], ours.shape[1])
        for name, value in ABSENT.items():
            if not hasattr(mj, name):
                self.write(name, value)
        if not hasattr(mj, "tendon_type"):
            self.write("tendon_type", self.wrap_type[self.tendon_adr] != WRAP_JOINT)
        if self.ntextdata:
            self.write("text_data", np.frombuffer(mj.text_data, np.uint8)[: self.ntextdata])
        own["extra_state"] = {
            name: (size,) for name, count in EXTRA_STATE.items() if (size := int(getattr(mj, count, 0)))
        }
        # flags that say which features there are: they follow from the arrays
        for name in self.layout.scalars:
            if name.startswith("flg_") and hasattr(mj, name):
                self.word(name)[0] = getattr(mj, name)
        own["settings"] = frozenset(scalar_paths(self.layout, mj))
        self.pull()

    def pull(self) -> None:
        """Take settings that were written to the MjModel."""
        for path in self.__dict__["settings"]:
            self.word(path)[0] = read_path(self.mj, path)
        for name, columns in self.partial.items():
            self.array(name)[:, :columns] = getattr(self.mj, name)[:, :columns]

    def push(self) -> None:
        """Pass on what was written to arrays that cannot share MuJoCo's memory: it has more or fewer columns there."""
        for name, columns in self.partial.items():
            getattr(self.mj, name)[:, :columns] = self.array(name)[:, :columns]

    def copy(self) -> MujocoModel:
        """An independent model with an MjModel of its own."""
        other = MujocoModel(copy.copy(self.mj), self.files)
        for name in KEY_FIELDS:
            # keyframes may have been added: MuJoCo has only its own
            other.bind(name, self.array(name).copy())
        other.set_keys(self.names["key"], self.key_rows)
        kept = {"source": self.__dict__.get("source"), "file_values": self.file_values}
        kept |= {"edits": self.__dict__["edits"]} if "edits" in self.__dict__ else {}
        other.__dict__.update(kept)
        return other

    __copy__ = copy

    def __reduce__(self) -> Any:
        return MujocoModel, (self.mj, self.files)

    def binary(self) -> bytes | None:
        """The model without its edits as an MJB."""
        module, plain = mujoco(), self.copy()
        self.engine.apply_edits(plain, NO_EDITS)
        content = np.zeros(module.mj_sizeModel(plain.mj), np.uint8)
        module.mj_saveModel(plain.mj, None, content)
        return content.tobytes()

    def to_sim(self) -> Model:
        """A model of `sim` with the same values, which our engine steps; ValueError if it cannot."""
        for count, what in UNKNOWN.items():
            if getattr(self.mj, count, 0):
                raise ValueError(f"Kinetoscope's engine does not support {what}")
        return Model(self.values(), self.names, self.files)

    if not TYPE_CHECKING:

        def read(self, name: str) -> Any:
            """The value of a field, of the MjModel where `sim` does not have it."""
            if name in self.layout.places:
                return super().read(name)
            if name.startswith("_"):
                raise AttributeError(name)
            return read_path(self.mj, name)

        def write(self, name: str, value: Any) -> None:
            """Copy a value into a field, and a setting to MuJoCo too."""
            super().write(name, value)
            if name in self.__dict__.get("settings", ()):
                write_path(self.mj, name, self.read(name))


# size in MjModel -> what our engine does not have
UNKNOWN = {"nflex": "flexes", "nplugin": "plugins"}


def _names(mj: Any) -> dict[str, list[str]]:
    """Names of elements by type; empty for those without a name."""
    module = mujoco()
    types = module.mjtObj
    return {
        kind: [
            module.mj_id2name(mj, getattr(types, f"mjOBJ_{obj}"), i) or "" for i in range(int(getattr(mj, count, 0)))
        ]
        for kind, (obj, count) in NAMED.items()
    }


def _engine() -> Any:
    from app.run.engine.mujoco_engine import mujoco_engine

    return mujoco_engine()
