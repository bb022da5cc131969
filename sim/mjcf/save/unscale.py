"""Edits of elements in scaled frames, in the numbers of the file: the inverse of `sim.mjcf.scale`.

None stands for what the file cannot say: a size or surface velocity whose factors depend on an orientation, and what
several instances of an asset share.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from sim.mjcf.records import Equality, Item
from sim.mjcf.rotation import Vec3, rotate_inertia
from sim.mjcf.scale.frame_scale import Scale
from sim.mjcf.scale.scale_keys import scale_keys
from sim.mjcf.scale.scale_tree import map_inertia
from sim.mjcf.set_const.set_const import StructDict
from sim.model import Model


def unscaled(item: Item, name: str, value: Any) -> Any:
    """The value of an attribute before it was scaled."""
    if name not in item.factors:
        return value
    factors = item.factors[name]
    if not factors:
        return None
    return value / np.array(factors[: len(value)]) if np.ndim(value) else value / factors[0]


def unscaled_position(item: Item, pos: Vec3) -> Vec3:
    """A position in the frame of the file."""
    return item.frame_scale.unmap(pos) if item.frame_scale is not None else pos


def unscaled_inertial(scale: Scale | None, values: dict[str, Any]) -> dict[str, Any]:
    """Attributes of an <inertial> from the fields of its body; a stretch needs the full matrix."""
    pos, mass = tuple(values["ipos"].tolist()), float(values["mass"])
    plain = {"pos": pos, "quat": values["iquat"], "mass": (mass,), "diaginertia": values["inertia"]}
    if scale is None:
        return plain
    plain |= {"pos": scale.unmap(pos), "mass": (mass / scale.units.mass,)}
    if scale.uniform or not values["inertia"].any():
        return plain | {"diaginertia": values["inertia"] / (scale.units.mass * scale.units.length**2)}
    quat, inertia = tuple(values["iquat"].tolist()), tuple(values["inertia"].tolist())
    full = map_inertia(scale.inverse(), rotate_inertia(inertia, quat))
    del plain["quat"], plain["diaginertia"]
    return plain | {"fullinertia": full}


def unscaled_data(equality: Equality, data: list[float]) -> list[float]:
    """eq_data before it was scaled; the second position of a connect is computed."""
    data = (np.array(data[:12]) / np.array(equality.factors.get("data", (1.0,) * 12))).tolist()
    for start, scale in zip((0, 3), equality.anchors, strict=True):
        if scale is not None:
            data[start : start + 3] = scale.unmap(tuple(data[start : start + 3]))
    return data


def unscaled_key(m: Model, name: str, k: int, lists: Mapping[str, Sequence[Any]]) -> Any:
    """A state vector of a keyframe before it was scaled."""
    row = np.array(m.read(f"key_{name}")[k], float).reshape(1, -1)
    scale_keys(StructDict(m), name, row, lists["body"], lists["actuator"], lists["tendon"], back=True)
    return row[0]
