"""The volume of a site: whether a point is inside, and whether a ray meets it.

(site_xpos, site_xmat) -> (). The volume of a mesh is that of its convex hull. Poses of sites are those of the file, so
that the compiled mesh, which is centred and aligned, is offset by mesh_pos and mesh_quat.
"""

from typing import Any

from sim.enums import GEOM_MESH
from sim.jit import helper, inline, kernel
from sim.math.quat import conjugate, get9, mat_vec_t, rotate
from sim.math.vec import dot3, get3, get4, sub3
from sim.stages.ray.shape import is_inside, ray_shape

INFINITE = 1e300


def has_mesh_sites(m: Any) -> bool:
    """Predicate: whether a model has sites with a mesh."""
    return bool((m.site_type == GEOM_MESH).any())


@inline
def to_mesh(m, mesh, p):
    """A point in the frame of the file, in that of the compiled mesh."""
    return rotate(conjugate(get4(m.mesh_quat, mesh)), sub3(p, get3(m.mesh_pos, mesh)))


@inline
def height_above(m, mesh, k, p):
    """Height of a point above hull polygon k, and the polygon's normal."""
    normal = get3(m.mesh_polynormal, k)
    i = m.mesh_vertadr[mesh] + m.mesh_polyvert[m.mesh_polyvertadr[k]]
    vertex = (m.mesh_vert[i, 0], m.mesh_vert[i, 1], m.mesh_vert[i, 2])
    return dot3(normal, sub3(p, vertex)), normal


@kernel(when=has_mesh_sites, exact=True)
def in_hull(m, d, mesh: int, x: float, y: float, z: float) -> int:
    """(mesh) -> (): whether a point, in the frame of the file, is inside the hull of a mesh"""
    p = to_mesh(m, mesh, (x, y, z))
    first = m.mesh_polyadr[mesh]
    for k in range(first, first + m.mesh_polynum[mesh]):
        height, _ = height_above(m, mesh, k, p)
        if height > 0.0:
            return 0
    return 1


@kernel(when=has_mesh_sites, exact=True)
def ray_meets_hull(m, d, mesh: int, x: float, y: float, z: float, vx: float, vy: float, vz: float) -> int:
    """(mesh) -> (): whether a ray, in the frame of the file, meets the hull of a mesh"""
    p = to_mesh(m, mesh, (x, y, z))
    v = rotate(conjugate(get4(m.mesh_quat, mesh)), (vx, vy, vz))
    first = m.mesh_polyadr[mesh]
    enters, leaves = 0.0, INFINITE
    for k in range(first, first + m.mesh_polynum[mesh]):
        height, normal = height_above(m, mesh, k, p)
        rise = dot3(normal, v)
        if rise < 0.0:
            enters = max(enters, -height / rise)
        elif rise > 0.0:
            leaves = min(leaves, -height / rise)
        elif height > 0.0:
            return 0
    return 1 if enters <= leaves else 0


@helper
def in_zone(m, d, site, point):
    """Whether a point is inside the volume of a site."""
    p = mat_vec_t(get9(d.site_xmat, site), sub3(point, get3(d.site_xpos, site)))
    if m.site_type[site] == GEOM_MESH:
        return in_hull(m, d, m.site_dataid[site], p[0], p[1], p[2]) == 1
    return is_inside(m.site_type[site], get3(m.site_size, site), p)


@helper
def ray_meets_zone(m, d, site, point, direction):
    """Whether a ray meets the volume of a site."""
    r = get9(d.site_xmat, site)
    p, v = mat_vec_t(r, sub3(point, get3(d.site_xpos, site))), mat_vec_t(r, direction)
    if m.site_type[site] == GEOM_MESH:
        return ray_meets_hull(m, d, m.site_dataid[site], p[0], p[1], p[2], v[0], v[1], v[2]) == 1
    x, _ = ray_shape(m.site_type[site], p, v, get3(m.site_size, site))
    return x >= 0.0
