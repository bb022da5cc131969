"""Decor of frames: red, green and blue axes at bodies, geoms, sites, cameras, lights, contacts or the world."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from app.model.views import ModelView, StateView
from app.scene.instances import Batch, along, arrows
from app.scene.visual_options import VisualOptions

Array = NDArray[np.float64]

AXES = np.array([(0.86, 0.22, 0.24, 1.0), (0.42, 0.72, 0.22, 1.0), (0.25, 0.50, 0.92, 1.0)])
# scale of the world frame
WORLD_SCALE = 2.0

# positions and rotations of each kind of frame
POSES: dict[str, Callable[[StateView], tuple[Any, Any]]] = {
    "body": lambda state: (state.xpos[1:], state.xmat[1:]),
    "geom": lambda state: (state.geom_xpos, state.geom_xmat),
    "site": lambda state: (state.site_xpos, state.site_xmat),
    "camera": lambda state: (state.cam_xpos, state.cam_xmat),
    "light": lambda state: (state.light_xpos, along(np.asarray(state.light_xdir))),
    # rows of a contact's frame are its axes, the normal first
    "contact": lambda state: (state.contact.pos, np.asarray(state.contact.frame).reshape(-1, 3, 3).swapaxes(1, 2)),
    "world": lambda state: (np.zeros((1, 3)), np.eye(3)[None]),
}


# elements that have groups, and the prefix of their fields
GROUPED = {
    "geom": "geom", "site": "site", "joint": "jnt", "tendon": "tendon", "actuator": "actuator", "skin": "skin",
    "flex": "flex",
}  # fmt: skip


def in_visible_groups(model: ModelView, kind: str, options: VisualOptions) -> NDArray[np.bool_]:
    """Which elements of a kind are in a visible group."""
    groups = np.array(getattr(options, f"{kind}_group"))
    visible: NDArray[np.bool_] = groups[np.clip(getattr(model, f"{GROUPED[kind]}_group"), 0, len(groups) - 1)]
    return visible


def frames(model: ModelView, state: StateView, options: VisualOptions) -> list[Batch]:
    """The axes of one kind of element."""
    if options.frame not in POSES:
        return []
    position, rotation = POSES[options.frame](state)
    rotation = np.asarray(rotation, float).reshape(-1, 3, 3)
    if options.frame in GROUPED and len(rotation):
        shown = in_visible_groups(model, options.frame, options)
        position, rotation = position[shown], rotation[shown]
    size = float(model.stat.meansize) * (WORLD_SCALE if options.frame == "world" else 1.0)
    start = np.repeat(np.asarray(position, float), 3, axis=0)
    vector = size * float(model.vis.scale.framelength) * rotation.swapaxes(1, 2).reshape(-1, 3)
    radius = 0.5 * size * float(model.vis.scale.framewidth)
    return arrows(start, vector, radius, np.tile(AXES, (len(rotation), 1)))
