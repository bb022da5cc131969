"""Decor of equality constraints: their two ends, and a rod between them that shows the violation.

A connect or weld has a sphere at each anchor, a distance constraint one in each geom; joints have a pin along their
axes, as they are mostly inside a body, and tendons a thick path.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from app.model.views import ModelView, StateView
from app.scene.instances import NO_TEXTURE, Batch, instance_rows, rods
from app.scene.tendons import tendon_segments
from app.scene.visual_options import VisualOptions
from sim.enums import (
    EQ_CONNECT,
    EQ_DISTANCE,
    EQ_FLEX,
    EQ_FLEXSTRAIN,
    EQ_FLEXVERT,
    EQ_JOINT,
    EQ_TENDON,
    EQ_WELD,
    OBJ_SITE,
)

Array = NDArray[np.float64]
Ids = NDArray[np.int64]
# radius of the rod in radii of the spheres; length of a pin in joint lengths; width of a tendon in tendon widths
ROD, PIN, THICK = 0.4, 0.6, 1.6


def equalities(model: ModelView, state: StateView, _: VisualOptions) -> list[Batch]:
    """All active equality constraints."""
    active = np.asarray(getattr(state, "eq_active", np.ones(int(model.neq))), bool)
    shown = np.flatnonzero(active).tolist()
    if not shown:
        return []
    ends_of = [equality_ends(model, state, e) for e in shown]
    points = np.array([point for ends in ends_of for point in ends])
    pairs = np.array([ends for ends in ends_of if len(ends) == 2]).reshape(-1, 2, 3)
    size = float(model.stat.meansize) * float(model.vis.scale.constraint)
    scale, rotation = np.full((len(points), 3), size), np.broadcast_to(np.eye(3), (len(points), 3, 3))
    spheres = instance_rows(points, rotation, scale, _colours(model, len(points)))
    rows = [rods(pairs[:, 0], pairs[:, 1], ROD * size, _colours(model, len(pairs)))]
    for eq_type, draw in ((EQ_JOINT, _pins), (EQ_TENDON, _paths)):
        elements = _elements(model, [e for e in shown if model.eq_type[e] == eq_type])
        rows += [draw(model, state, elements)] if len(elements) else []
    return [
        Batch("sphere", NO_TEXTURE, spheres, lod=1),
        Batch("capsule", NO_TEXTURE, np.concatenate(rows), lod=2),
    ]


def _colours(model: ModelView, count: int) -> Array:
    return np.broadcast_to(np.asarray(model.vis.rgba.constraint, float), (count, 4))


def _elements(model: ModelView, shown: list[int]) -> Ids:
    """The joints or tendons of equalities."""
    both = np.array([(model.eq_obj1id[e], model.eq_obj2id[e]) for e in shown], np.int64).ravel()
    return both[both >= 0]


def _pins(model: ModelView, state: StateView, joint: Ids) -> NDArray[np.float32]:
    """The axes of joints."""
    size = float(model.stat.meansize)
    middle, half = state.xanchor[joint], PIN * size * float(model.vis.scale.jointlength) * state.xaxis[joint]
    radius = ROD * size * float(model.vis.scale.constraint)
    return rods(middle - half, middle + half, radius, _colours(model, len(joint)))


def _paths(model: ModelView, state: StateView, tendon: Ids) -> NDArray[np.float32]:
    """The paths of tendons; fixed tendons have none."""
    segments = tendon_segments(model, state)
    chosen = np.isin(segments.tendon, tendon)
    width = THICK * np.asarray(model.tendon_width, float)[segments.tendon[chosen]]
    return rods(segments.start[chosen], segments.end[chosen], width, _colours(model, int(chosen.sum())))


# ---- their ends


def equality_ends(model: ModelView, state: StateView, e: int) -> list[Array]:
    """The two ends of an equality, or one if it fixes a single joint, tendon or flex."""
    return ENDS[int(model.eq_type[e])](model, state, e)


def _anchors(model: ModelView, state: StateView, e: int) -> list[Array]:
    """The anchors that a connect or weld keeps together."""
    first, second, data = int(model.eq_obj1id[e]), int(model.eq_obj2id[e]), np.asarray(model.eq_data[e], float)
    if model.eq_objtype[e] == OBJ_SITE:
        return [state.site_xpos[first], state.site_xpos[second]]
    # eq_data of a connect: the anchor in both bodies; of a weld: the anchor in body 2, the relative position in body 1
    local = (data[0:3], data[3:6]) if model.eq_type[e] == EQ_CONNECT else (data[3:6], data[0:3])
    rotation = np.asarray(state.xmat, float).reshape(-1, 3, 3)
    return [state.xpos[body] + rotation[body] @ anchor for body, anchor in zip((first, second), local, strict=True)]


def _geoms(model: ModelView, state: StateView, e: int) -> list[Array]:
    """The centres of two geoms."""
    return [state.geom_xpos[int(ids[e])] for ids in (model.eq_obj1id, model.eq_obj2id)]


def _joints(model: ModelView, state: StateView, e: int) -> list[Array]:
    """The anchors of joints."""
    return [state.xanchor[joint] for joint in _elements(model, [e])]


def _flex(model: ModelView, state: StateView, e: int) -> list[Array]:
    """The middle of a flex whose edges or elements keep their shape."""
    flex = int(model.eq_obj1id[e])
    first, count = int(model.flex_vertadr[flex]), int(model.flex_vertnum[flex])
    return [state.flexvert_xpos[first : first + count].mean(axis=0)]


def _tendons(model: ModelView, state: StateView, e: int) -> list[Array]:
    """The middles of tendons; a fixed tendon is at its first joint."""
    return [_middle(model, state, int(tendon)) for tendon in _elements(model, [e])]


def _middle(model: ModelView, state: StateView, tendon: int) -> Array:
    segments = tendon_segments(model, state)
    chosen = np.flatnonzero(segments.tendon == tendon)
    if not len(chosen):
        return np.asarray(state.xanchor[int(model.wrap_objid[int(model.tendon_adr[tendon])])])
    length = np.cumsum(np.linalg.norm(segments.end[chosen] - segments.start[chosen], axis=1))
    segment = chosen[int(np.searchsorted(length, length[-1] / 2))]
    return np.asarray((segments.start[segment] + segments.end[segment]) / 2)


ENDS: dict[int, Callable[[ModelView, StateView, int], list[Array]]] = {
    EQ_CONNECT: _anchors, EQ_WELD: _anchors, EQ_JOINT: _joints, EQ_TENDON: _tendons, EQ_DISTANCE: _geoms,
    EQ_FLEX: _flex, EQ_FLEXVERT: _flex, EQ_FLEXSTRAIN: _flex,
}  # fmt: skip
