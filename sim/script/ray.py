"""Rays against the geoms of a model, for scripts: the nearest geom, the distance and the surface normal."""

from __future__ import annotations

from collections.abc import Sequence
from math import hypot, isfinite
from typing import TYPE_CHECKING

import numpy as np

from sim.enums import MAXVAL, MINVAL
from sim.stages.ray.cast import ALL_GROUPS, NGROUP, cast, cast_many, select_geoms, set_origin

if TYPE_CHECKING:
    from sim.model import Data, Model


def _vector(what: str, value: Sequence[float] | np.ndarray) -> list[float]:
    """Three finite numbers."""
    vector = np.asarray(value, np.float64)
    numbers: list[float] = vector.tolist()
    if vector.shape != (3,) or not all(map(isfinite, numbers)):
        raise ValueError(f"{what} is {value!r}: it must be three finite numbers")
    return numbers


def _select_geoms(
    m: Model, d: Data, geomgroup: Sequence[bool] | np.ndarray | None, flg_static: bool, bodyexclude: int
) -> None:
    groups = ALL_GROUPS
    if geomgroup is not None:
        if len(geomgroup) != NGROUP:
            raise ValueError(f"geomgroup has {len(geomgroup)} entries: it must have {NGROUP}")
        groups = sum(1 << k for k, seen in enumerate(geomgroup) if seen)
    if not -1 <= bodyexclude < m.nbody:
        raise IndexError(f"body {bodyexclude}: there are {m.nbody}; -1 excludes none")
    select_geoms(m, d, groups, int(flg_static), bodyexclude)


def ray(
    m: Model,
    d: Data,
    pnt: Sequence[float] | np.ndarray,
    vec: Sequence[float] | np.ndarray,
    geomgroup: Sequence[bool] | np.ndarray | None = None,
    flg_static: bool = True,
    bodyexclude: int = -1,
) -> tuple[float, int, np.ndarray]:
    """(distance in lengths of `vec`, geom, normal) of the nearest intersection; (-1, -1, zeros) if there is none.

    `geomgroup` includes or excludes each of the six groups, `flg_static` geoms that are fixed to the world.
    """
    p, v = _vector("pnt", pnt), _vector("vec", vec)
    if hypot(*v) < MINVAL:
        raise ValueError("vec is zero: a ray needs a direction")
    _select_geoms(m, d, geomgroup, flg_static, bodyexclude)
    set_origin(m, d, *p)
    dist = cast(m, d, *v)
    return dist, d.read("ray.geom"), d.read("ray.normal")[0].copy()


def multi_ray(
    m: Model,
    d: Data,
    pnt: Sequence[float] | np.ndarray,
    vec: Sequence[Sequence[float]] | np.ndarray,
    geomgroup: Sequence[bool] | np.ndarray | None = None,
    flg_static: bool = True,
    bodyexclude: int = -1,
    cutoff: float = MAXVAL,
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """(distances, geoms, normals) of rays from one point, one per row of `vec`; a zero row intersects nothing.

    Geoms whose bounding sphere is farther away than `cutoff` are skipped.
    """
    p, v = _vector("pnt", pnt), np.asarray(vec, np.float64)
    if v.ndim != 2 or v.shape[1] != 3 or not np.isfinite(v).all():
        raise ValueError(f"vec has shape {v.shape}: it must have a row of three finite numbers per ray")
    _select_geoms(m, d, geomgroup, flg_static, bodyexclude)
    _drop_far_geoms(m, d, np.array(p), cutoff)
    d.grow("nray", len(v))
    d.nray = len(v)
    d.rays.vec = v
    set_origin(m, d, *p)
    cast_many(m, d)
    return d.rays.dist.copy(), d.rays.geom.copy(), d.rays.normal.copy()


def _drop_far_geoms(m: Model, d: Data, point: np.ndarray, cutoff: float) -> None:
    """Drop the geoms that are farther away than `cutoff`; planes have no bounding sphere."""
    targets = d.ray.target[: d.ray.count]
    bound = m.geom_rbound[targets]
    near = (np.linalg.norm(d.geom_xpos[targets] - point, axis=1) <= cutoff + bound) | (bound == 0)
    d.ray.count = int(near.sum())
    d.ray.target[: d.ray.count] = targets[near]
