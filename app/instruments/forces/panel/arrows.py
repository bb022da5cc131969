"""Arrows of the Forces instrument: forces on a body at their points, or the shares of its acceleration as forces."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from app.instruments.forces.question import ForceAnswer
from app.model.views import ModelView, StateView
from app.scene.contacts import MAX_LENGTH, metres_per_newton
from app.scene.decor.user_geoms import ARROW, LABEL, UserGeom
from app.ui.quantities import si
from app.ui.source_tints import tint_of

# the shortest arrow, as a fraction of the longest, and how many there are
SHORTEST, MOST = 0.02, 24
# the longest arrow is at least so many radii of the body, and extents of the model; its radius in its lengths
OUTSIDE, VISIBLE, WIDTH = 1.6, 0.08, 0.02
# labels are at least so many lengths of the longest arrow from one another
APART = 0.12
WHITE = (1.0, 1.0, 1.0, 1.0)
TOTAL = "mass × acceleration"

# name, kind of source, point, force
Vector = tuple[str, str, np.ndarray, np.ndarray]


def arrow_geoms(model: ModelView, answer: ForceAnswer, arrows: str, scale: float, size: float) -> list[UserGeom]:
    """Arrows in the scale of contact forces, with names and newtons; the longest comes out of a body of this size."""
    found = [*_vectors(answer, arrows)]
    longest = max((float(np.linalg.norm(force)) for *_, force in found), default=0.0)
    if longest == 0.0:
        return []
    length = max(scale * metres_per_newton(model) * longest, OUTSIDE * size, VISIBLE * float(model.stat.extent))
    metres = min(length, MAX_LENGTH * float(model.stat.extent)) / longest
    radius = WIDTH * metres * longest
    kept = [part for part in found if float(np.linalg.norm(part[3])) > SHORTEST * longest]
    kept = sorted(kept, key=lambda part: -float(np.linalg.norm(part[3])))[:MOST]
    geoms, labelled = list[UserGeom](), list[np.ndarray]()
    for name, kind, point, force in kept:
        tip, tint = point + metres * force, tint_of(kind) if kind else WHITE
        geoms.append(UserGeom.between(ARROW, radius, point, tip, tint))
        # where several end, the largest has its name
        if all(float(np.linalg.norm(tip - other)) > APART * metres * longest for other in labelled):
            labelled.append(tip)
            text = f"{name}  {_newtons(force)}"
            geoms.append(UserGeom(LABEL, (radius, radius, radius), tip, rgba=tint, label=text))
    return geoms


def body_size(model: ModelView, state: StateView, body: int) -> float:
    """The radius of the body's geoms about its centre of mass, m."""
    mine = np.asarray(model.geom_bodyid) == body
    away = np.linalg.norm(np.asarray(state.geom_xpos)[mine] - state.xipos[body], axis=1)
    return float((away + np.asarray(model.geom_rbound)[mine]).max(initial=0.0))


def _vectors(answer: ForceAnswer, arrows: str) -> Iterator[Vector]:
    """What is drawn."""
    if answer.centre is None or arrows == "none":
        return
    if arrows == "forces":
        for name, part in zip(answer.direct_names, answer.direct, strict=True):
            yield name, part.source.kind, part.point, part.force
    else:
        for name, source, force in zip(answer.names, answer.shares.sources, answer.shares.force, strict=True):
            yield name, source.kind, answer.centre, force[:3]
    yield TOTAL, "", answer.centre, answer.shares.total_force[:3]


def _newtons(force: np.ndarray) -> str:
    number, prefix = si(float(np.linalg.norm(force)))
    return f"{number} {prefix}N"
