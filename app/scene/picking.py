"""Picking: from the object drawn at a point of the view to its geom and body."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from app.model.flex_bodies import nearest_flex_body
from app.model.selection import subtree_of
from app.model.views import ModelView, StateView
from app.scene.instances import ID, ID_STEP, Batch, Kind
from app.scene.scene import DrawList

Array = NDArray[np.float64]
NO_GEOM = -1
# parts of bodies, as opposed to decor
BODY_KINDS = (Kind.GEOM, Kind.SITE, Kind.SKIN, Kind.FLEX)


@dataclass(frozen=True)
class Picked:
    """What is drawn at a point of the view."""

    kind: Kind
    index: int
    distance: float


@dataclass(frozen=True)
class Hit:
    """A point on a geom, or on a site, skin or flex of a body."""

    geom: int
    body: int
    point: Array


def hit_of(model: ModelView, state: StateView, kind: Kind, index: int, point: Array) -> Hit | None:
    """The geom, the body of a site, the nearest bone of a skin, the nearest vertex of a flex, with the picked point."""
    if kind == Kind.GEOM:
        return Hit(index, int(model.geom_bodyid[index]), point)
    if kind == Kind.SITE:
        return Hit(NO_GEOM, int(model.site_bodyid[index]), point)
    if kind == Kind.SKIN:
        first = int(model.skin_boneadr[index])
        bones = np.asarray(model.skin_bonebodyid)[first : first + int(model.skin_bonenum[index])]
        distance = np.linalg.norm(state.xpos[bones] - point, axis=1)
        return Hit(NO_GEOM, int(bones[np.argmin(distance)]), point)
    if kind == Kind.FLEX:
        return Hit(NO_GEOM, nearest_flex_body(model, state, index, point), point)
    return None


def without_decor(scene: DrawList) -> DrawList:
    """The draw list of bodies alone, without decor."""
    return replace(
        scene,
        opaque=_of_bodies(scene.opaque),
        transparent=_of_bodies(scene.transparent),
        planes=_of_bodies(scene.planes),
        overlay=_of_bodies(scene.overlay),
        outlined=(),
    )


def without_body(scene: DrawList, model: ModelView, body: int) -> DrawList:
    """The draw list without the geoms and sites of a body and of its descendants; of none if it is negative."""
    if body < 0:
        return scene
    inside = subtree_of(model, body)
    codes = [
        kind * ID_STEP + np.flatnonzero(inside[np.asarray(owner)])
        for kind, owner in ((Kind.GEOM, model.geom_bodyid), (Kind.SITE, model.site_bodyid))
    ]
    hidden = np.concatenate(codes)

    def kept(batches: tuple[Batch, ...]) -> tuple[Batch, ...]:
        left = ((batch, ~np.isin(batch.instances[:, ID], hidden)) for batch in batches)
        return tuple(replace(batch, instances=batch.instances[rows]) for batch, rows in left if rows.any())

    return replace(
        scene, opaque=kept(scene.opaque), transparent=kept(scene.transparent), planes=kept(scene.planes), outlined=()
    )


def alone(scene: DrawList, batches: tuple[Batch, ...]) -> DrawList:
    """The draw list of some batches, and nothing else."""
    return replace(scene, opaque=batches, transparent=(), planes=(), overlay=(), outlined=(), ghost=(), deformed={})


def _of_bodies(batches: tuple[Batch, ...]) -> tuple[Batch, ...]:
    """The instances that belong to bodies."""
    kept = []
    for batch in batches:
        chosen = np.isin(batch.instances[:, ID] // ID_STEP, BODY_KINDS)
        if chosen.any():
            kept.append(replace(batch, instances=batch.instances[chosen]))
    return tuple(kept)
