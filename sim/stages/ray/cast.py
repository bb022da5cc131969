"""Ray casting against all visible geoms of a model.

(geom_xpos, geom_xmat) -> (ray). `select_geoms` lists the geoms to test, `set_origin` sets the origin of the rays, and
`cast` casts one ray from there. Invisible geoms are not hit; geom groups, static geoms and one body can be excluded.
"""

from __future__ import annotations

from sim.enums import GEOM_BOX, GEOM_CAPSULE, GEOM_CYLINDER, GEOM_HFIELD, GEOM_MESH, MINVAL
from sim.jit import inline, kernel
from sim.math.quat import get9, mat_vec, mat_vec_t
from sim.math.vec import dot3, get3, put3, sub3
from sim.stages.ray.shape import is_first, ray_shape
from sim.stages.ray.surface import ray_hfield, ray_mesh

NGROUP = 6
ALL_GROUPS = (1 << NGROUP) - 1
UNBOUNDED = -1e300  # ray.outside of a geom without bounding sphere


@inline
def is_visible(m, g):
    """Whether a geom's alpha is not zero."""
    material = m.geom_matid[g]
    if material < 0:
        return m.geom_rgba[g, 3] != 0.0
    return m.mat_rgba[material, 3] != 0.0


@inline
def bounding_radius2(m, g):
    """Squared radius of the bounding sphere, 0 if there is none. Computed as in MuJoCo, so that grazing rays agree."""
    kind, size = m.geom_type[g], get3(m.geom_size, g)
    if kind == GEOM_CAPSULE:
        return (size[0] + size[1]) * (size[0] + size[1])
    if kind == GEOM_CYLINDER:
        return size[0] * size[0] + size[1] * size[1]
    if kind == GEOM_BOX:
        return dot3(size, size)
    return m.geom_rbound[g] * m.geom_rbound[g]


@kernel
def select_geoms(m, d, groups: int, flg_static: int, bodyexclude: int):
    """() -> (ray.count, ray.target): the geoms to test; `groups` has one bit per geom group"""
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
def set_origin(m, d, px: float, py: float, pz: float):
    """(ray.target, geom_xpos) -> (ray.offset, ray.outside): origin of the rays, relative to each geom"""
    for i in range(d.ray.count):
        g = d.ray.target[i]
        offset = sub3((px, py, pz), get3(d.geom_xpos, g))
        put3(d.ray.offset, i, offset)
        radius2 = bounding_radius2(m, g)
        d.ray.outside[i] = dot3(offset, offset) - radius2 if radius2 > 0.0 else UNBOUNDED


@inline
def misses_sphere(offset, outside, v, vv, best):
    """Whether a ray misses a bounding sphere, points away from it, or enters it beyond x = best, if that is not -1."""
    b = dot3(v, offset)
    det = b * b - vv * outside
    if det < 0.0 or (outside > 0.0 and b > 0.0):
        return True
    # -b - √det > vv · best, without the root
    rest = -b - vv * best
    return best >= 0.0 and rest > 0.0 and rest * rest > det


@kernel(exact=True)
def cast(m, d, vx: float, vy: float, vz: float) -> float:
    """(ray.target, ray.offset, geom_xmat) -> (ray.geom, ray.normal: row 0): x of the first hit, or -1"""
    direction = (vx, vy, vz)
    vv = dot3(direction, direction)
    best = -1.0
    d.ray.geom = -1
    put3(d.ray.normal, 0, (0.0, 0.0, 0.0))
    for i in range(d.ray.count):
        offset = get3(d.ray.offset, i)
        if misses_sphere(offset, d.ray.outside[i], direction, vv, best):
            continue
        g = d.ray.target[i]
        r = get9(d.geom_xmat, g)
        p, v = mat_vec_t(r, offset), mat_vec_t(r, direction)
        kind = m.geom_type[g]
        if kind == GEOM_MESH:
            x = ray_mesh(m, d, g, best, p[0], p[1], p[2], v[0], v[1], v[2])
            normal = get3(d.ray.normal, 1)
        elif kind == GEOM_HFIELD:
            x = ray_hfield(m, d, g, p[0], p[1], p[2], v[0], v[1], v[2])
            normal = get3(d.ray.normal, 1)
        else:
            x, normal = ray_shape(kind, p, v, get3(m.geom_size, g))
        if is_first(x, best):
            best = x
            d.ray.geom = g
            put3(d.ray.normal, 0, mat_vec(r, normal))
    return best


@kernel
def cast_many(m, d):
    """(ray.target, ray.offset, rays.vec) -> (rays.dist, rays.geom, rays.normal)"""
    for i in range(d.nray):
        v = get3(d.rays.vec, i)
        d.rays.dist[i] = -1.0
        d.rays.geom[i] = -1
        put3(d.rays.normal, i, (0.0, 0.0, 0.0))
        if dot3(v, v) >= MINVAL:
            d.rays.dist[i] = cast(m, d, v[0], v[1], v[2])
            d.rays.geom[i] = d.ray.geom
            put3(d.rays.normal, i, get3(d.ray.normal, 0))
