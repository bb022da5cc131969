"""Equality constraints: what they hold together, and how far it is apart.

A connect or weld has a ball at each of its anchors, a distance one in each geom; joints have a pin along their axes, as
they are mostly inside a body, and tendons are thick along their paths. A rod leads from the first to the second.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from app.run.snapshot import ModelView, StateView
from app.scene.instances import NO_TEXTURE, Batch, instance_rows, rods
from app.scene.tendons import tendon_segments
from app.scene.visual_options import VisualOptions
from sim.enums import EQ_CONNECT, EQ_DISTANCE, EQ_JOINT, EQ_TENDON, EQ_WELD, OBJ_SITE

Array = NDArray[np.float64]
Ids = NDArray[np.int64]
# the rod between the two, in radii of the balls; the pin of a joint, in lengths of one; tendons, in their widths
ROD, PIN, THICK = 0.4, 0.6, 1.6


def equalities(model: ModelView, state: StateView, _: VisualOptions) -> list[Batch]:
    """All that are active."""
    active = np.asarray(getattr(state, "eq_active", np.ones(int(model.neq))), bool)
    shown = np.flatnonzero(active).tolist()
    if not shown:
        return []
    places = [equality_ends(model, state, e) for e in shown]
    points = np.array([point for ends in places for point in ends])
    pairs = np.array([ends for ends in places if len(ends) == 2]).reshape(-1, 2, 3)
    size = float(model.stat.meansize) * float(model.vis.scale.constraint)
    scale, turn = np.full((len(points), 3), size), np.broadcast_to(np.eye(3), (len(points), 3, 3))
    balls = instance_rows(points, turn, scale, _colours(model, len(points)))
    rows = [rods(pairs[:, 0], pairs[:, 1], ROD * size, _colours(model, len(pairs)))]
    for kind, draw in ((EQ_JOINT, _pins), (EQ_TENDON, _paths)):
        held = _elements(model, [e for e in shown if model.eq_type[e] == kind])
        rows += [draw(model, state, held)] if len(held) else []
    return [
        Batch("sphere", NO_TEXTURE, balls, lod=1),
        Batch("capsule", NO_TEXTURE, np.concatenate(rows), lod=2),
    ]


def _colours(model: ModelView, count: int) -> Array:
    return np.broadcast_to(np.asarray(model.vis.rgba.constraint, float), (count, 4))


def _elements(model: ModelView, shown: list[int]) -> Ids:
    """The joints or tendons that equalities hold."""
    both = np.array([(model.eq_obj1id[e], model.eq_obj2id[e]) for e in shown], np.int64).ravel()
    return both[both >= 0]


def _pins(model: ModelView, state: StateView, joint: Ids) -> NDArray[np.float32]:
    """The axes of joints."""
    size = float(model.stat.meansize)
    middle, way = state.xanchor[joint], PIN * size * float(model.vis.scale.jointlength) * state.xaxis[joint]
    radius = ROD * size * float(model.vis.scale.constraint)
    return rods(middle - way, middle + way, radius, _colours(model, len(joint)))


def _paths(model: ModelView, state: StateView, tendon: Ids) -> NDArray[np.float32]:
    """The paths of tendons; those of joints have none."""
    pieces = tendon_segments(model, state)
    mine = np.isin(pieces.tendon, tendon)
    width = THICK * np.asarray(model.tendon_width, float)[pieces.tendon[mine]]
    return rods(pieces.start[mine], pieces.end[mine], width, _colours(model, int(mine.sum())))


# ---- where they are


def equality_ends(model: ModelView, state: StateView, e: int) -> list[Array]:
    """The two points that an equality is about, or one if it holds a joint or tendon by itself."""
    return ENDS[int(model.eq_type[e])](model, state, e)


def _anchors(model: ModelView, state: StateView, e: int) -> list[Array]:
    """The points that a connect or weld wants together."""
    first, second, data = int(model.eq_obj1id[e]), int(model.eq_obj2id[e]), np.asarray(model.eq_data[e], float)
    if model.eq_objtype[e] == OBJ_SITE:
        return [state.site_xpos[first], state.site_xpos[second]]
    # a connect names its anchor in both bodies; a weld in the second, and where that body is in the first
    local = (data[0:3], data[3:6]) if model.eq_type[e] == EQ_CONNECT else (data[3:6], data[0:3])
    rotation = np.asarray(state.xmat, float).reshape(-1, 3, 3)
    return [state.xpos[body] + rotation[body] @ at for body, at in zip((first, second), local, strict=True)]


def _geoms(model: ModelView, state: StateView, e: int) -> list[Array]:
    """The middles of two geoms."""
    return [state.geom_xpos[int(ids[e])] for ids in (model.eq_obj1id, model.eq_obj2id)]


def _joints(model: ModelView, state: StateView, e: int) -> list[Array]:
    """The anchors of joints."""
    return [state.xanchor[joint] for joint in _elements(model, [e])]


def _tendons(model: ModelView, state: StateView, e: int) -> list[Array]:
    """The middles of tendons; one of joints is at the first of them."""
    return [_middle(model, state, int(tendon)) for tendon in _elements(model, [e])]


def _middle(model: ModelView, state: StateView, tendon: int) -> Array:
    pieces = tendon_segments(model, state)
    mine = np.flatnonzero(pieces.tendon == tendon)
    if not len(mine):
        return np.asarray(state.xanchor[int(model.wrap_objid[int(model.tendon_adr[tendon])])])
    length = np.cumsum(np.linalg.norm(pieces.end[mine] - pieces.start[mine], axis=1))
    piece = mine[int(np.searchsorted(length, length[-1] / 2))]
    return np.asarray((pieces.start[piece] + pieces.end[piece]) / 2)


ENDS: dict[int, Callable[[ModelView, StateView, int], list[Array]]] = {
    EQ_CONNECT: _anchors, EQ_WELD: _anchors, EQ_JOINT: _joints, EQ_TENDON: _tendons, EQ_DISTANCE: _geoms,
}  # fmt: skip
