"""Adds keyframes to a model and removes them; a save writes them as new <key> elements."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from sim.arguments import check_fit
from sim.enums import MINVAL
from sim.fields import MODEL_LAYOUT
from sim.model import Data, Model
from sim.script.positions import position_parts
from sim.script.state_vector import KEY_FIELDS

FIELDS = tuple(name for name, place in MODEL_LAYOUT.places.items() if place.field.shape[:1] == ("nkey",))


def key_values(m: Model, d: Data) -> dict[str, np.ndarray]:
    """The state as a keyframe has it when a file is loaded, by field: quaternions are normalized."""
    check_fit(m, d)
    values = {field: np.array(d.read(source), float).reshape(-1) for field, source in KEY_FIELDS.items()}
    own = (values["key_qpos"][place] for place, _ in position_parts(m).quats)
    for quat in (*own, *values["key_mquat"].reshape(-1, 4)):
        length = float(np.sqrt(quat @ quat))
        if abs(length - 1) > MINVAL:
            quat[:] = quat / length if length > MINVAL else (1.0, 0.0, 0.0, 0.0)
    return values


def add_keyframe(m: Model, d: Data, name: str = "") -> int:
    """Save the state as a new keyframe; returns its number."""
    return insert_keyframe(m, key_values(m, d), name)


def insert_keyframe(m: Model, values: Mapping[str, Any], name: str = "") -> int:
    """Add a keyframe with values by field; returns its number.

    That is the last one, but before those that come from attached models, as when the file is loaded again.
    """
    if name and name in m.names["key"]:
        raise ValueError(f"keyframe {name!r} already exists")
    key = m.new_key
    for field in FIELDS:
        m.bind(field, np.insert(m.read(field), key, 0.0, axis=0))
    m.set_keys([*m.names["key"][:key], name, *m.names["key"][key:]], (*m.key_rows[:key], -1, *m.key_rows[key:]))
    for field, value in values.items():
        m.read(field)[key : key + 1] = np.reshape(value, (1, *np.shape(m.read(field))[1:]))
    return key


def remove_keyframe(m: Model, key: int) -> None:
    """Remove a keyframe; those after it move up."""
    if not 0 <= key < m.nkey:
        raise ValueError(f"there is no keyframe {key}: the model has {m.nkey}")
    for field in FIELDS:
        m.bind(field, np.delete(m.read(field), key, axis=0))
    left = [k for k in range(m.nkey) if k != key]
    m.set_keys([m.names["key"][k] for k in left], [m.key_rows[k] for k in left])
