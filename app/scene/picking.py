"""Picking: from the object drawn at a point of the view to its geom and body."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from app.model.flex_bodies import nearest_flex_body
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


def _of_bodies(batches: tuple[Batch, ...]) -> tuple[Batch, ...]:
    """The instances that belong to bodies."""
    kept = []
    for batch in batches:
        chosen = np.isin(batch.instances[:, ID] // ID_STEP, BODY_KINDS)
        if chosen.any():
            kept.append(replace(batch, instances=batch.instances[chosen]))
    return tuple(kept)
