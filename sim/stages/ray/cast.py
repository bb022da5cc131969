"""Rays against all visible geoms of a model.

(geom_xpos, geom_xmat) -> (ray). `aim` makes the list of geoms that count, `stand` sees them from a point, `cast` sends
a ray at them from there. A geom without colour is not seen; groups, what is fixed to the world and one body can be left
out.
"""

from __future__ import annotations

from sim.enums import GEOM_BOX, GEOM_CAPSULE, GEOM_CYLINDER, GEOM_HFIELD, GEOM_MESH, MINVAL
from sim.jit import inline, kernel
from sim.math.quat import get9, mat_vec, mat_vec_t
from sim.math.vec import add3, dot3, get3, put3, sub3
from sim.stages.ray.shape import ahead, into_ball, is_first, ray_shape
from sim.stages.ray.surface import ray_hfield, ray_mesh

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
    """(ray.target, geom_xpos) -> (ray.point, ray.offset, ray.outside): where rays start, and how geoms see that"""
    put3(d.ray.point, 0, (px, py, pz))
    for i in range(d.ray.count):
        g = d.ray.target[i]
        apart = sub3((px, py, pz), get3(d.geom_xpos, g))
        put3(d.ray.offset, i, apart)
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
    """(ray.target, ray.offset, geom_xmat) -> (ray.geom, ray.normal: row 0): x of the first geom that is met, or -1"""
    direction = (vx, vy, vz)
    vv = dot3(direction, direction)
    best = -1.0
    d.ray.geom = -1
    put3(d.ray.normal, 0, (0.0, 0.0, 0.0))
    for i in range(d.ray.count):
        apart = get3(d.ray.offset, i)
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
