"""MuJoCo as the referee: models and states for both engines, and comparison field by field."""

from __future__ import annotations

import mujoco
import numpy as np

import sim
from sim.fields import MODEL_LAYOUT


def read(struct, name: str):
    """A field of a MuJoCo struct, groups dotted."""
    for part in name.split("."):
        struct = getattr(struct, part)
    return struct


def model_of(mj: mujoco.MjModel) -> sim.Model:
    """Our Model with MuJoCo's values: stages are tested apart from the MJCF compiler."""
    values = {name: np.array(read(mj, name)) for name in MODEL_LAYOUT.places if not name.startswith("vis.")}
    return sim.Model(values, {})
