"""Rays against all visible geoms of a model.

(geom_xpos, geom_xmat) -> (ray). `aim` makes the list of geoms that count, `stand` sees them from a point, `cast` sends
a ray at them from there. A geom without colour is not seen; groups, what is fixed to the world and one body can be left
out.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from sim.enums import GEOM_BOX, GEOM_CAPSULE, GEOM_CYLINDER, GEOM_HFIELD, GEOM_MESH, MAXVAL, MINVAL
from sim.jit import inline, kernel
from sim.math.quat import get9, mat_vec, mat_vec_t
from sim.math.vec import add3, dot3, get3, put3, sub3
from sim.stages.ray.shape import ahead, into_ball, is_first, ray_shape
from sim.stages.ray.surface import ray_hfield, ray_mesh

if TYPE_CHECKING:
    from sim.model import Data, Model

NGROUP = 6
EVERYTHING = (1 << NGROUP) - 1  # all groups
EVERYWHERE = -1e300  # how far outside a bounding sphere without end a point is


@inline
def is_visible(m, g):
    """Whether a geom has a colour that can be seen."""
    material = m.geom_matid[g]
    if material < 0:
        return m.geom_rgba[g, 3] != 0.0
    return m.mat_rgba[material, 3] != 0.0


@inline
def bounding_sphere(m, g):
    """Its radius squared; 0 if there is none. As MuJoCo has it: a ray that grazes a rim meets it or not by rounding."""
    kind, size = m.geom_type[g], get3(m.geom_size, g)
    if kind == GEOM_CAPSULE:
        return (size[0] + size[1]) * (size[0] + size[1])
    if kind == GEOM_CYLINDER:
        return size[0] * size[0] + size[1] * size[1]
    if kind == GEOM_BOX:
        return dot3(size, size)
    return m.geom_rbound[g] * m.geom_rbound[g]


@kernel
def aim(m, d, groups: int, flg_static: int, bodyexclude: int, bundled: int):
    """() -> (ray.count, ray.target): the geoms that rays can meet; `groups` has a bit for each group"""
    d.ray.bundled = bundled
    n = 0
    for g in range(m.ngeom):
        b = m.geom_bodyid[g]
        group = min(NGROUP - 1, max(0, m.geom_group[g]))
        fixed = m.body_weldid[b] == 0
        if b != bodyexclude and is_visible(m, g) and (flg_static or not fixed) and groups & (1 << group):
            d.ray.target[n] = g
            n += 1
    d.ray.count = n


@kernel(exact=True)
def stand(m, d, px: float, py: float, pz: float):
    """(ray.target, geom_xpos) -> (ray.point, ray.apart, ray.outside): where rays start, and how geoms see that"""
    put3(d.ray.point, 0, (px, py, pz))
    for i in range(d.ray.count):
        g = d.ray.target[i]
        apart = sub3((px, py, pz), get3(d.geom_xpos, g))
        put3(d.ray.apart, i, apart)
        radius2 = bounding_sphere(m, g)
        d.ray.outside[i] = dot3(apart, apart) - radius2 if radius2 > 0.0 else EVERYWHERE


@inline
def passes_by(apart, outside, v, vv, best):
    """Whether a ray misses a ball, leaves it behind, or enters it beyond x = best, if that is not -1."""
    b = dot3(v, apart)
    det = b * b - vv * outside
    if det < 0.0 or (outside > 0.0 and b > 0.0):
        return True
    # -b - √det > vv · best, without the root
    rest = -b - vv * best
    return best >= 0.0 and rest > 0.0 and rest * rest > det


@inline
def is_overlooked(m, d, g, v):
    """Whether a ray does not see a geom, alone because it is one of a bundle.

    Bundled rays leave out bodies by a sphere about their geoms. MuJoCo puts it where it would be if the body were not
    turned, so that of 18,000 rays at random bodies 10 miss what they meet.
    """
    b = m.geom_bodyid[g]
    node = m.body_bvhadr[b]
    if not d.ray.bundled or node < 0:
        return False
    centre = add3(get3(m.bvh_aabb, node), get3(d.xipos, b))
    half = (m.bvh_aabb[node, 3], m.bvh_aabb[node, 4], m.bvh_aabb[node, 5])
    return ahead(into_ball(sub3(get3(d.ray.point, 0), centre), v, dot3(half, half))) < 0.0


@kernel(exact=True)
def cast(m, d, vx: float, vy: float, vz: float) -> float:
    """(ray.target, ray.apart, geom_xmat) -> (ray.geom, ray.normal: row 0): x of the first geom that is met, or -1"""
    direction = (vx, vy, vz)
    vv = dot3(direction, direction)
    best = -1.0
    d.ray.geom = -1
    put3(d.ray.normal, 0, (0.0, 0.0, 0.0))
    for i in range(d.ray.count):
        apart = get3(d.ray.apart, i)
        if passes_by(apart, d.ray.outside[i], direction, vv, best):
            continue
        g = d.ray.target[i]
        r = get9(d.geom_xmat, g)
        p, v = mat_vec_t(r, apart), mat_vec_t(r, direction)
        kind = m.geom_type[g]
        if kind == GEOM_MESH:
            x = ray_mesh(m, d, g, best, p[0], p[1], p[2], v[0], v[1], v[2])
            normal = get3(d.ray.normal, 1)
        elif kind == GEOM_HFIELD:
            x = ray_hfield(m, d, g, p[0], p[1], p[2], v[0], v[1], v[2])
            normal = get3(d.ray.normal, 1)
        else:
            x, normal = ray_shape(kind, p, v, get3(m.geom_size, g))
        if is_first(x, best) and not is_overlooked(m, d, g, direction):
            best = x
            d.ray.geom = g
            put3(d.ray.normal, 0, mat_vec(r, normal))
    return best


@kernel
def cast_many(m, d):
    """(ray.target, ray.apart, rays.vec) -> (rays.dist, rays.geom, rays.normal)"""
    for i in range(d.nray):
        v = get3(d.rays.vec, i)
        d.rays.dist[i] = -1.0
        d.rays.geom[i] = -1
        put3(d.rays.normal, i, (0.0, 0.0, 0.0))
        if dot3(v, v) >= MINVAL:
            d.rays.dist[i] = cast(m, d, v[0], v[1], v[2])
            d.rays.geom[i] = d.ray.geom
            put3(d.rays.normal, i, get3(d.ray.normal, 0))


# ---------------------------------------------------------------- for Python


def _vector(what: str, value: Sequence[float] | np.ndarray) -> np.ndarray:
    """Three finite numbers."""
    vector = np.asarray(value, np.float64)
    if vector.shape != (3,) or not np.isfinite(vector).all():
        raise ValueError(f"{what} is {value!r}: three finite numbers are needed")
    return vector


def _take_aim(
    m: Model, d: Data, geomgroup: Sequence[bool] | np.ndarray | None, flg_static: bool, bodyexclude: int, bundled: bool
) -> None:
    groups = EVERYTHING
    if geomgroup is not None:
        if len(geomgroup) != NGROUP:
            raise ValueError(f"geomgroup has {len(geomgroup)} entries: there are {NGROUP} groups")
        groups = sum(1 << k for k, seen in enumerate(geomgroup) if seen)
    if not -1 <= bodyexclude < m.nbody:
        raise IndexError(f"body {bodyexclude}: there are {m.nbody}; -1 leaves none out")
    aim(m, d, groups, int(flg_static), bodyexclude, int(bundled))


def ray(
    m: Model,
    d: Data,
    pnt: Sequence[float] | np.ndarray,
    vec: Sequence[float] | np.ndarray,
    geomgroup: Sequence[bool] | np.ndarray | None = None,
    flg_static: bool = True,
    bodyexclude: int = -1,
) -> tuple[float, int, np.ndarray]:
    """(distance in lengths of `vec`, geom, normal) of what a ray meets first; (-1, -1, zeros) if that is nothing.

    `geomgroup` says for each of six groups whether it is seen; `flg_static` whether what is fixed to the world is.
    """
    p, v = _vector("pnt", pnt), _vector("vec", vec)
    if np.linalg.norm(v) < MINVAL:
        raise ValueError("vec has no length, so the ray has no direction")
    _take_aim(m, d, geomgroup, flg_static, bodyexclude, bundled=False)
    stand(m, d, *p.tolist())
    dist = cast(m, d, *v.tolist())
    return dist, d.ray.geom, d.ray.normal[0].copy()


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
    """(distances, geoms, normals) of rays from one point, a row of `vec` each; one without length meets nothing.

    Geoms whose bounding sphere is farther away than `cutoff` are not looked at.
    """
    p, v = _vector("pnt", pnt), np.asarray(vec, np.float64)
    if v.ndim != 2 or v.shape[1] != 3 or not np.isfinite(v).all():
        raise ValueError(f"vec has shape {v.shape}: a row of three finite numbers is needed for each ray")
    _take_aim(m, d, geomgroup, flg_static, bodyexclude, bundled=True)
    _leave_out_far(m, d, p, cutoff)
    d.grow("nray", len(v))
    d.nray = len(v)
    d.rays.vec = v
    stand(m, d, *p.tolist())
    cast_many(m, d)
    return d.rays.dist.copy(), d.rays.geom.copy(), d.rays.normal.copy()


def _leave_out_far(m: Model, d: Data, point: np.ndarray, cutoff: float) -> None:
    """Drop the targets that are beyond a distance."""
    targets = d.ray.target[: d.ray.count]
    near = np.linalg.norm(d.geom_xpos[targets] - point, axis=1) <= cutoff + m.geom_rbound[targets]
    d.ray.count = int(near.sum())
    d.ray.target[: d.ray.count] = targets[near]
