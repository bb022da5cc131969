"""From what is drawn at a place of the picture to the body it belongs to."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from app.run.snapshot import ModelView, StateView
from app.scene.instances import ID, ID_STEP, Batch, Kind
from app.scene.scene import DrawList

Array = NDArray[np.float64]
NO_GEOM = -1
# what is drawn of bodies themselves, rather than to mark something
BODY_KINDS = (Kind.GEOM, Kind.SITE, Kind.SKIN)


@dataclass(frozen=True)
class Hit:
    """A place on a geom, or on something else of a body."""

    geom: int
    body: int
    point: Array


def hit_of(model: ModelView, state: StateView, kind: Kind, index: int, point: Array) -> Hit | None:
    """The place on what is drawn there: a geom, a site of a body, or the bone of a skin that is nearest."""
    if kind == Kind.GEOM:
        return Hit(index, int(model.geom_bodyid[index]), point)
    if kind == Kind.SITE:
        return Hit(NO_GEOM, int(model.site_bodyid[index]), point)
    if kind == Kind.SKIN:
        first = int(model.skin_boneadr[index])
        bones = np.asarray(model.skin_bonebodyid)[first : first + int(model.skin_bonenum[index])]
        away = np.linalg.norm(state.xpos[bones] - point, axis=1)
        return Hit(NO_GEOM, int(bones[np.argmin(away)]), point)
    return None


def without_decor(scene: DrawList) -> DrawList:
    """Only what is drawn of bodies themselves."""
    return replace(
        scene,
        opaque=_of_bodies(scene.opaque),
        transparent=_of_bodies(scene.transparent),
        planes=_of_bodies(scene.planes),
        overlay=_of_bodies(scene.overlay),
        outlined=(),
    )


def _of_bodies(batches: tuple[Batch, ...]) -> tuple[Batch, ...]:
    """The instances of batches that belong to bodies."""
    kept = []
    for batch in batches:
        chosen = np.isin(batch.instances[:, ID] // ID_STEP, BODY_KINDS)
        if chosen.any():
            kept.append(replace(batch, instances=batch.instances[chosen]))
    return tuple(kept)
