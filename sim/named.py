"""Elements by name: `m.body("torso").mass`, `d.joint("knee").qpos`, `d.sensor("touch").data`.

A view holds no values: its attributes are rows of the fields whose leading extent counts the kind, found under the
field's name with or without the kind's prefix. A joint also has its rows of the fields counted by nq and nv, a
sensor its part of sensordata. A field with one number for each element gives an array of one, which can be assigned.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from sim import enums

if TYPE_CHECKING:
    from sim.model import Data, Model


class Kind(NamedTuple):
    """How a kind of element is counted and how its fields begin."""

    sizes: tuple[str, ...]
    prefixes: tuple[str, ...]


KINDS = {
    "body": Kind(("nbody",), ("body_",)),
    "joint": Kind(("njnt", "nv", "nq"), ("jnt_", "dof_")),
    "geom": Kind(("ngeom",), ("geom_",)),
    "site": Kind(("nsite",), ("site_",)),
    "camera": Kind(("ncam",), ("cam_",)),
    "light": Kind(("nlight",), ("light_",)),
    "mesh": Kind(("nmesh",), ("mesh_",)),
    "skin": Kind(("nskin",), ("skin_",)),
    "hfield": Kind(("nhfield",), ("hfield_",)),
    "texture": Kind(("ntex",), ("tex_",)),
    "material": Kind(("nmat",), ("mat_",)),
    "pair": Kind(("npair",), ("pair_",)),
    "exclude": Kind(("nexclude",), ("exclude_",)),
    "equality": Kind(("neq",), ("eq_",)),
    "tendon": Kind(("ntendon",), ("tendon_", "ten_")),
    "actuator": Kind(("nactuator", "nu", "nout"), ("actuator_",)),
    "sensor": Kind(("nsensor", "nsensordata"), ("sensor_", "sensor")),
    "numeric": Kind(("nnumeric",), ("numeric_",)),
    "text": Kind(("ntext",), ("text_",)),
    "tuple": Kind(("ntuple",), ("tuple_",)),
    "key": Kind(("nkey",), ("key_",)),
}

# MuJoCo's numbers of kinds
NUMBERS = {getattr(enums, f"OBJ_{kind.upper()}"): kind for kind in KINDS} | {enums.OBJ_XBODY: "body"}

# other names the bindings know a kind by
ALIASES = {"jnt": "joint", "cam": "camera", "tex": "texture", "mat": "material", "eq": "equality", "ten": "tendon"}
ALIASES |= {"keyframe": "key"}

# (kind, attribute) -> field, where the bindings do not take the first prefix
EXCEPTIONS = {("joint", "bodyid"): "dof_bodyid"}

# sizes that count several rows an element: (first row, number of rows)
SPANS = {
    "nv": ("jnt_dofadr", None),
    "nq": ("jnt_qposadr", None),
    "nu": ("actuator_ctrladr", "actuator_ctrlnum"),
    "nout": ("actuator_outadr", "actuator_outnum"),
    "nsensordata": ("sensor_adr", "sensor_dim"),
}
JOINT_ROWS = {"nv": (6, 3, 1, 1), "nq": (7, 4, 1, 1)}


def word(kind: str | int) -> str:
    """A kind by its name, which may be given by MuJoCo's number of it."""
    return kind if isinstance(kind, str) else NUMBERS.get(kind, str(kind))


class View:
    """One element of a Model or Data."""

    def __init__(self, struct: Model | Data, model: Model, kind: str, index: int) -> None:
        object.__setattr__(self, "_struct", struct)
        object.__setattr__(self, "_model", model)
        object.__setattr__(self, "_kind", kind)
        object.__setattr__(self, "id", index)

    @property
    def name(self) -> str:
        return self._model.id2name(self._kind, self.id) if self._kind in self._model.names else ""

    def _rows(self, size: str) -> slice:
        """The rows of fields counted by `size` that belong to this element."""
        if size not in SPANS:
            return slice(self.id, self.id + 1)
        first, number = SPANS[size]
        start = int(self._model.read(first)[self.id])
        if number is None:
            return slice(start, start + JOINT_ROWS[size][self._model.jnt_type[self.id]])
        return slice(start, start + int(self._model.read(number)[self.id]))

    def __getattr__(self, name: str) -> Any:
        kind = KINDS[self._kind]
        for prefix in (*kind.prefixes, ""):
            field = EXCEPTIONS.get((self._kind, name), prefix + name)
            place = self._struct.layout.places.get(field)
            if place and place.field.shape and place.field.shape[0] in kind.sizes:
                size = str(place.field.shape[0])
                rows: np.ndarray = self._struct.read(field)[self._rows(size)]
                return rows[0] if size not in SPANS and rows.ndim > 1 else rows
        raise AttributeError(f"a {self._kind} has no {name!r} in {type(self._struct).__name__}; try one of {dir(self)}")

    def __setattr__(self, name: str, value: Any) -> None:
        getattr(self, name)[...] = value

    def __dir__(self) -> list[str]:
        kind = KINDS[self._kind]
        names = {"id", "name"}
        for field, place in self._struct.layout.places.items():
            if place.field.shape and place.field.shape[0] in kind.sizes:
                prefix = next((p for p in kind.prefixes if field.startswith(p)), "")
                names.add(field[len(prefix) :])
        return sorted(names)

    def __repr__(self) -> str:
        return f"<{self._kind} {self.id} {self.name!r}>"


def view(struct: Model | Data, model: Model, kind: str, key: str | int) -> View:
    """The element with a name or an index."""
    kind = ALIASES.get(kind, kind)
    count = model.read(KINDS[kind].sizes[0])
    if isinstance(key, str):
        try:
            return View(struct, model, kind, model.name2id(kind, key))
        except ValueError as error:
            raise KeyError(str(error)) from None
    if not 0 <= key < count:
        raise IndexError(f"{kind} {key}: there are {count}")
    return View(struct, model, kind, int(key))
