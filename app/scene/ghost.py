"""The ghost: the moving geoms and tendons of a model once more, at the poses of another branch of the run.

It is translucent, in the colour of its branch, and shows what the model is not: parts at the same pose are left out.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from app.model.views import StateView
from app.run.history.branch_colours import Rgb
from app.scene.instances import ALPHA, COLOUR, EMISSION, METALLIC_ROUGHNESS, NO_METALLIC_ROUGHNESS, REFLECTANCE, Floats

OPACITY = 0.45
# share of the branch's colour in that of a geom
TINT = 0.8
# seen in the dark too
GLOW = 0.35


@dataclass(frozen=True)
class Ghost:
    """The state of another branch, and the branch's colour."""

    state: StateView
    colour: Rgb


def as_ghost(rows: Floats, colour: Rgb) -> Floats:
    """Instances in the colours of a ghost; those that nearly cannot be seen stay so."""
    rows = rows.copy()
    tinted = rows[:, COLOUR][:, :3]
    tinted += TINT * (np.asarray(colour, np.float32) - tinted)
    rows[:, ALPHA] *= OPACITY
    rows[:, EMISSION], rows[:, REFLECTANCE], rows[:, METALLIC_ROUGHNESS] = GLOW, 0.0, NO_METALLIC_ROUGHNESS
    return rows
