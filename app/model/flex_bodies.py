"""The bodies of flexes, and the flexes of contacts; a model of `sim` has none."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from app.model.views import ModelView, StateView

NO_FLEX = (-1, -1)


def flex_bodies(model: ModelView, index: int) -> NDArray[np.int32]:
    """The bodies of the vertices of a flex, or those of its nodes if its vertices are interpolated."""
    nodes = int(model.flex_nodenum[index])
    if nodes:
        first = int(model.flex_nodeadr[index])
        return model.flex_nodebodyid[first : first + nodes]
    first = int(model.flex_vertadr[index])
    return model.flex_vertbodyid[first : first + int(model.flex_vertnum[index])]


def nearest_flex_body(model: ModelView, state: StateView, index: int, point: NDArray[np.float64]) -> int:
    """The body of the vertex or node of a flex that is nearest to a point."""
    bodies = flex_bodies(model, index)
    first, count = int(model.flex_vertadr[index]), int(model.flex_vertnum[index])
    # vertices may be anywhere on their body, nodes are where their bodies are
    places = state.xpos[bodies] if model.flex_nodenum[index] else state.flexvert_xpos[first : first + count]
    return int(bodies[np.argmin(np.linalg.norm(places - point, axis=1))])


def touching_flexes(state: StateView, contact: int) -> tuple[int, int]:
    """The flex on each side of a contact, -1 where there is a geom."""
    flexes = getattr(state.contact, "flex", None)
    if flexes is None:
        return NO_FLEX
    first, second = flexes[contact].tolist()
    return first, second
