"""MjsFlex: it keeps its values; deformable bodies are not simulated, and a spec with one does not compile."""

from __future__ import annotations

from typing import Any

import numpy as np

DEFAULTS: dict[str, Any] = {
    "contype": 1, "conaffinity": 1, "condim": 3, "priority": 0, "friction": [1, 0.005, 0.0001], "solmix": 1.0,
    "solref": [0.02, 1], "solimp": [0.9, 0.95, 0.001, 0.5, 2], "margin": 0.0, "gap": 0.0, "dim": 2, "radius": 0.005,
    "size": [0, 0, 0], "rgba": [0.5, 0.5, 0.5, 1], "group": 0, "young": 0.0, "poisson": 0.0, "damping": 0.0,
    "thickness": -1.0,
}  # fmt: skip
LISTS = ("material", "nodebody", "vertbody", "node", "vert", "elem", "texcoord", "elemtexcoord")


class MjsFlex:
    """A flex, with the values that it was given."""

    def __init__(self, **values: Any) -> None:
        self.name = self.info = ""
        self.id, self.signature = -1, 0
        for name, value in DEFAULTS.items():
            setattr(self, name, np.array(value, float) if isinstance(value, list) else value)
        for name in LISTS:
            setattr(self, name, [])
        for name, value in values.items():
            setattr(self, name, np.array(value, float) if isinstance(DEFAULTS.get(name), list) else value)
