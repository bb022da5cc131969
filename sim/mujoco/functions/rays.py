"""Rays, distances and zones."""

from __future__ import annotations

from math import hypot
from typing import Any

import numpy as np

import sim
from sim.enums import (
    DSBL_MULTICCD,
    DSBL_NATIVECCD,
    GEOM_BOX,
    GEOM_CAPSULE,
    GEOM_CYLINDER,
    GEOM_ELLIPSOID,
    GEOM_HFIELD,
    GEOM_MESH,
    GEOM_PLANE,
    GEOM_SPHERE,
    MINVAL,
)
from sim.mujoco.binding import bound, fatal, returning
from sim.stages.ray.shape import ray_shape
from sim.stages.ray.surface import ray_hfield, ray_mesh, ray_triangle, view_plane
from sim.stages.sensor.zone import in_zone


def _direction(function: str, vec: np.ndarray) -> None:
    if hypot(*vec.tolist()) < MINVAL:
        raise fatal(f"{function}: vector length is too small")


@bound("m d pnt:in3 vec:in3 geomgroup:inu?6 flg_static:bool bodyexclude:int geomid:outi?1 normal:out?3=None", "float")
def mj_ray(
    m: Any, d: Any, pnt: Any, vec: Any, geomgroup: Any, flg_static: bool, bodyexclude: int, geomid: Any, normal: Any
) -> float:
    """The distance, in lengths of vec, to the nearest geom that a ray meets; -1 if there is none."""
    _direction("mj_ray", vec)
    dist, geom, across = sim.ray(m, d, pnt, vec, geomgroup, flg_static, _body(m, bodyexclude))
    if geomid is not None:
        geomid[0] = geom
    if normal is not None:
        normal[:] = across
    return float(dist)


def _body(m: Any, body: int) -> int:
    """A body to exclude; none if there is no such body."""
    return body if 0 <= body < m.nbody else -1


@bound(
    "m d pnt:in3 vec:in* geomgroup:inu?6 flg_static:bool bodyexclude:int geomid:outi?* dist:out* normal:out?* nray:int "
    "cutoff:float"
)
def mj_multiRay(
    m: Any,
    d: Any,
    pnt: Any,
    vec: Any,
    geomgroup: Any,
    flg_static: bool,
    bodyexclude: int,
    geomid: Any,
    dist: Any,
    normal: Any,
    nray: int,
    cutoff: float,
) -> None:
    """Rays from one point: distances, geoms and normals; geoms farther away than cutoff are ignored."""
    for name, array, size in (("vec", vec, 3), ("geomid", geomid, 1), ("dist", dist, 1), ("normal", normal, 3)):
        if array is not None and len(array) != size * nray:
            raise TypeError(f"mj_multiRay: {name} should have {size * nray} elements, not {len(array)}")
    found = sim.multi_ray(m, d, pnt, vec.reshape(nray, 3), geomgroup, flg_static, _body(m, bodyexclude), cutoff)
    dist[:] = found[0]
    if geomid is not None:
        geomid[:] = found[1]
    if normal is not None:
        normal[:] = found[2].ravel()


def _surface(function: str, kind: int, meet: Any) -> Any:
    """A function of a ray and a geom of one type."""

    def ray(m: Any, d: Any, geomid: int, pnt: Any, vec: Any, normal: Any) -> Any:
        if not 0 <= geomid < m.ngeom or m.geom_type[geomid] != kind:
            raise fatal(f"{function}: geom {geomid} is of another type")
        axes = d.geom_xmat[geomid].reshape(3, 3)
        dist = meet(m, d, geomid, *(axes.T @ (pnt - d.geom_xpos[geomid])).tolist(), *(axes.T @ vec).tolist())
        if normal is not None:
            normal[:] = axes @ d.ray.normal[1] if dist >= 0 else 0.0
        return dist

    return ray


returning({
    "mj_rayMesh m d geomid:int pnt:in3 vec:in3 normal:out?3=None -> float": (
        _surface("mj_rayMesh", GEOM_MESH, lambda m, d, geom, *ray: ray_mesh(m, d, geom, -1.0, *ray)),
        "The distance to a mesh geom; -1 if the ray misses it.",
    ),
    "mj_rayHfield m d geomid:int pnt:in3 vec:in3 normal:out?3=None -> float": (
        _surface("mj_rayHfield", GEOM_HFIELD, ray_hfield), "The distance to a height field; -1 if the ray misses it.",
    ),
})  # fmt: skip


@bound("pos:in3 mat:in9 size:in3 pnt:in3 vec:in3 geomtype:int normal:out?3=None", "float")
def mju_rayGeom(pos: Any, mat: Any, size: Any, pnt: Any, vec: Any, geomtype: int, normal: Any) -> float:
    """The distance to a shape; -1 if the ray misses it."""
    if geomtype not in (0, 2, 3, 4, 5, 6):
        raise fatal(f"mju_rayGeom: unexpected geom type {geomtype}")
    axes = mat.reshape(3, 3)
    point, direction = axes.T @ (pnt - pos), axes.T @ vec
    dist, across = ray_shape(geomtype, tuple(point.tolist()), tuple(direction.tolist()), tuple(size.tolist()))
    if normal is not None:
        normal[:] = axes @ np.array(across) if dist >= 0 else 0.0
    return float(dist)


@bound("nface:int nvert:int face:any vert:any pnt:in3 vec:in3 vertid:outi?1", "float")
def mju_raySkin(nface: int, nvert: int, face: Any, vert: Any, pnt: Any, vec: Any, vertid: Any) -> float:
    """The distance to triangles, and the vertex nearest to the hit; -1 if the ray misses them."""
    if nface < 0 or nvert < 0:
        raise ValueError("mju_raySkin: nface and nvert cannot be negative")
    for name, array, count in (("face", face, nface), ("vert", vert, nvert)):
        if np.ndim(array) == 0 or np.size(array) != 3 * count:
            raise TypeError(f"mju_raySkin: {name} should have {3 * count} elements")
    faces = np.asarray(face, np.int32).reshape(nface, 3)
    points = np.asarray(vert, float).reshape(nvert, 3)
    if nface and not 0 <= faces.min() <= faces.max() < nvert:
        raise ValueError("mju_raySkin: a face has a vertex that does not exist")
    best, nearest = -1.0, -1
    p, v = tuple(pnt.tolist()), tuple(vec.tolist())
    b0, b1 = view_plane(v)
    for corners in faces.tolist():
        x, _ = ray_triangle(*(tuple(points[corner].tolist()) for corner in corners), p, v, b0, b1)
        if x >= 0 and (best < 0 or x < best):
            hit = pnt + x * vec
            best, nearest = x, min(corners, key=lambda corner: float(np.linalg.norm(points[corner] - hit)))
    if vertid is not None:
        vertid[0] = nearest
    return float(best)


@bound("m d geom1:int geom2:int distmax:float fromto:out?*=None", "float")
def mj_geomDistance(m: Any, d: Any, geom1: int, geom2: int, distmax: float, fromto: Any) -> float:
    """The signed distance of two geoms, and the segment between them; distmax if they are farther away."""
    if fromto is not None and fromto.size != 6:
        raise TypeError(f"mj_geomDistance: fromto should have 6 elements, not {fromto.size}")
    dist, segment = sim.geom_distance(m, d, geom1, geom2, distmax)
    if fromto is not None:
        fromto[...] = segment if dist < distmax else 0.0
    return float(dist)


# most contacts of two geoms, by their types: of a plane, and of shapes with functions of their own
PLANE = {GEOM_SPHERE: 1, GEOM_CAPSULE: 2, GEOM_ELLIPSOID: 1, GEOM_CYLINDER: 4, GEOM_BOX: 4, GEOM_MESH: 4}
OWN = {(GEOM_CAPSULE, GEOM_CAPSULE): 2, (GEOM_CAPSULE, GEOM_BOX): 4, (GEOM_BOX, GEOM_BOX): 8}
MAXCONPAIR = 50


@bound("m g1:int g2:int has_margin:int", "int")
def mj_maxContact(m: Any, g1: int, g2: int, has_margin: int) -> int:
    """The most contacts that two geoms can have; none of them depends on margins."""
    low, high = sorted((int(m.geom_type[g1]), int(m.geom_type[g2])))
    if low == GEOM_PLANE:
        return PLANE.get(high, 0)
    if low == GEOM_HFIELD:
        return 0 if high == GEOM_HFIELD else MAXCONPAIR
    if (low, high) in OWN:
        return OWN[low, high]
    if {low, high} & {GEOM_SPHERE, GEOM_ELLIPSOID} or m.opt.disableflags & DSBL_MULTICCD:
        return 1
    if m.opt.disableflags & DSBL_NATIVECCD:
        return 5
    return 2 if low == GEOM_CAPSULE else 4


@bound("m d siteid:int point:in3", "int")
def mj_insideSite(m: Any, d: Any, siteid: int, point: Any) -> int:
    """Whether a point is inside a site."""
    if not 0 <= siteid < m.nsite:
        raise fatal(f"mj_insideSite: invalid site id {siteid}")
    return int(in_zone(m, d, siteid, tuple(point.tolist())))
