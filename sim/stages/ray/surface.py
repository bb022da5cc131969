"""Ray intersection with meshes and height fields, in the frame of the geom.

mesh: traversal of the bounding volume hierarchy, pruning boxes beyond the best hit so far.
height field: the triangles of the cells below the ray, the sides up to their upper edges, and the base.
A triangle is projected along the ray: it is hit if the projected ray is inside it.
"""

from math import ceil, floor
from typing import Any

from sim.enums import GEOM_HFIELD, GEOM_MESH, MINVAL
from sim.jit import helper, inline, kernel
from sim.math.vec import add3, cross, dot3, get3, normalize3, put3, scale3, sub3
from sim.stages.ray.shape import face_normal, is_first, ray_box, ray_faces

INFINITE = 1e300
GRAZING = 1e-12  # rounding of the position of a box [m]


def has(kind: int) -> Any:
    """Predicate: whether a model has geoms of this type, and so needs the kernel."""
    return lambda m: bool((m.geom_type == kind).any())


@helper
def view_plane(v):
    """Two unit vectors that span the plane perpendicular to a ray."""
    x, y, z = abs(v[0]), abs(v[1]), abs(v[2])
    other = (1.0, 1.0, 0.0)
    if x >= y and x >= z:
        other = (0.0, 1.0, 1.0)
    elif y >= z:
        other = (1.0, 0.0, 1.0)
    b1 = normalize3(add3(other, scale3(v, -dot3(v, other) / dot3(v, v))))
    return normalize3(cross(b1, v)), b1


@helper
def ray_triangle(a, b, c, p, v, b0, b1):
    """(x, unnormalized normal) of a triangle; its vertices are counter-clockwise seen from outside."""
    miss = (0.0, 0.0, 0.0)
    pa, pb, pc = sub3(a, p), sub3(b, p), sub3(c, p)
    ax, bx, cx = dot3(b0, pa), dot3(b0, pb), dot3(b0, pc)
    if (ax > 0.0 and bx > 0.0 and cx > 0.0) or (ax < 0.0 and bx < 0.0 and cx < 0.0):
        return -1.0, miss
    ay, by, cy = dot3(b1, pa), dot3(b1, pb), dot3(b1, pc)
    if (ay > 0.0 and by > 0.0 and cy > 0.0) or (ay < 0.0 and by < 0.0 and cy < 0.0):
        return -1.0, miss
    # barycentric coordinates of the projected ray: t0 a + t1 b + (1 - t0 - t1) c
    a00, a01, a10, a11 = ax - cx, bx - cx, ay - cy, by - cy
    det = a00 * a11 - a01 * a10
    if abs(det) < MINVAL:
        return -1.0, miss
    t0, t1 = (a11 * -cx - a01 * -cy) / det, (-a10 * -cx + a00 * -cy) / det
    if t0 < 0.0 or t1 < 0.0 or t0 + t1 > 1.0:
        return -1.0, miss
    # intersection with the plane
    n = cross(sub3(a, c), sub3(b, c))
    across = dot3(v, n)
    if abs(across) < MINVAL:
        return -1.0, miss
    return -dot3(sub3(p, c), n) / across, n


# ---------------------------------------------------------------- mesh


@inline
def slab(low, high, p, inverse, enters, leaves):
    """Clip an interval of the ray to the slab between two parallel planes; 0 · ∞ is handled as in MuJoCo."""
    t1, t2 = (low - p) * inverse, (high - p) * inverse
    first = t1 if t1 < t2 else t2
    last = t2 if t1 < t2 else t1
    return (enters if enters > first else first), (leaves if leaves < last else last)


@inline
def hits_box(m, node, p, inverse, best):
    """Whether a ray hits a bounding box, not beyond x = best."""
    enters, leaves = 0.0, INFINITE
    for k in range(3):
        centre, half = m.bvh_aabb[node, k], m.bvh_aabb[node, 3 + k]
        enters, leaves = slab(centre - half, centre + half, p[k], inverse[k], enters, leaves)
    return enters <= leaves and enters <= best


@inline
def corner(m, mesh, face, k):
    i = m.mesh_vertadr[mesh] + m.mesh_face[face, k]
    return m.mesh_vert[i, 0], m.mesh_vert[i, 1], m.mesh_vert[i, 2]


@kernel(when=has(GEOM_MESH), exact=True)
def ray_mesh(m, d, g: int, best: float, px: float, py: float, pz: float, vx: float, vy: float, vz: float) -> float:
    """(mesh) -> (ray.normal: row 1): x of the first triangle hit before x = best, if that is not -1; or -1"""
    mesh = m.geom_dataid[g]
    root = m.mesh_bvhadr[mesh]
    p, v = (px, py, pz), (vx, vy, vz)
    inverse = (1.0 / vx, 1.0 / vy, 1.0 / vz)
    b0, b1 = view_plane(v)
    # where a ray enters a box that it grazes is known to this distance
    slack = GRAZING * max(abs(inverse[0]), max(abs(inverse[1]), abs(inverse[2])))
    found = -1.0
    d.ray.stack[0] = 0
    n = 1
    while n > 0:
        n -= 1
        node = root + d.ray.stack[n]
        if not hits_box(m, node, p, inverse, best + slack if best >= 0.0 else INFINITE):
            continue
        if m.bvh_nodeid[node] < 0:
            for k in range(2):
                if m.bvh_child[node, k] >= 0:
                    d.ray.stack[n] = m.bvh_child[node, k]
                    n += 1
            continue
        face = m.mesh_faceadr[mesh] + m.bvh_nodeid[node]
        a, b, c = corner(m, mesh, face, 0), corner(m, mesh, face, 1), corner(m, mesh, face, 2)
        x, normal = ray_triangle(a, b, c, p, v, b0, b1)
        if is_first(x, best):
            best, found = x, x
            put3(d.ray.normal, 1, normal)
    if found >= 0.0:
        put3(d.ray.normal, 1, normalize3(get3(d.ray.normal, 1)))
    return found


# ---------------------------------------------------------------- height field


@inline
def grid_point(m, h, r, c):
    """Grid point of a height field."""
    nrow, ncol = m.hfield_nrow[h], m.hfield_ncol[h]
    x, y = m.hfield_size[h, 0], m.hfield_size[h, 1]
    height = m.hfield_data[m.hfield_adr[h] + r * ncol + c] * m.hfield_size[h, 2]
    return (2.0 * x) / (ncol - 1) * c - x, (2.0 * y) / (nrow - 1) * r - y, height


@helper
def ray_cell(m, h, r, c, p, v, b0, b1, best, normal):
    """(x, normal) of the best hit so far and the two triangles of a cell."""
    low, high = grid_point(m, h, r, c), grid_point(m, h, r + 1, c + 1)
    x, n = ray_triangle(low, grid_point(m, h, r, c + 1), high, p, v, b0, b1)
    if is_first(x, best):
        best, normal = x, normalize3(n)
    x, n = ray_triangle(low, high, grid_point(m, h, r + 1, c), p, v, b0, b1)
    if is_first(x, best):
        best, normal = x, normalize3(n)
    return best, normal


@inline
def cells_between(a, b, n):
    """(first, one past the last) cell in a range of grid coordinates, padded by one at each end."""
    return max(0, floor(min(a, b)) - 1), min(n - 1, ceil(max(a, b)) + 1)


@helper
def ray_top(m, h, p, v, start, end, best, normal):
    """(x, normal) of the best hit so far and the upper surface, for x from start to end."""
    nrow, ncol = m.hfield_nrow[h], m.hfield_ncol[h]
    sx, sy = m.hfield_size[h, 0], m.hfield_size[h, 1]
    dx, dy = 2.0 * sx / (ncol - 1), 2.0 * sy / (nrow - 1)
    x0, x1 = (p[0] + start * v[0] + sx) / dx, (p[0] + end * v[0] + sx) / dx
    y0, y1 = (p[1] + start * v[1] + sy) / dy, (p[1] + end * v[1] + sy) / dy
    b0, b1 = view_plane(v)
    first, last = cells_between(y0, y1, nrow)
    for r in range(first, last):
        # the part of the ray near this row
        xa, xb = x0, x1
        if abs(y1 - y0) > 1.0:
            slope = (x1 - x0) / (y1 - y0)
            low, high = min(y0, y1), max(y0, y1)
            xa = x0 + slope * (min(max(r - 1.0, low), high) - y0)
            xb = x0 + slope * (min(max(r + 2.0, low), high) - y0)
        left, right = cells_between(xa, xb, ncol)
        for c in range(left, right):
            best, normal = ray_cell(m, h, r, c, p, v, b0, b1, best, normal)
    return best, normal


@helper
def edge_height(m, h, k, y):
    """Normalized elevation of the upper edge of side k at a grid coordinate along it."""
    ncol, adr = m.hfield_ncol[h], m.hfield_adr[h]
    count = m.hfield_nrow[h] if k < 2 else ncol
    i = max(0, min(count - 2, floor(y)))
    step = ncol if k < 2 else 1
    first = 0
    if k == 1:
        first = ncol - 1
    elif k == 3:
        first = (m.hfield_nrow[h] - 1) * ncol
    at = adr + first + i * step
    return m.hfield_data[at] * (i + 1.0 - y) + m.hfield_data[at + step] * (y - i)


@helper
def ray_sides(m, h, p, v, faces, best, normal):
    """(x, normal) of the best hit so far and the four sides, up to their upper edges."""
    for k in range(4):
        x = faces[k]
        if is_first(x, best):
            axis, count = (1, m.hfield_nrow[h]) if k < 2 else (0, m.hfield_ncol[h])
            half = m.hfield_size[h, axis]
            y = (p[axis] + x * v[axis] + half) / (2.0 * half / (count - 1))
            if (p[2] + x * v[2]) / m.hfield_size[h, 2] < edge_height(m, h, k, y):
                best, normal = x, face_normal(k)
    return best, normal


@kernel(when=has(GEOM_HFIELD), exact=True)
def ray_hfield(m, d, g: int, px: float, py: float, pz: float, vx: float, vy: float, vz: float) -> float:
    """(hfield) -> (ray.normal: row 1): x of the first hit of a height field, or -1"""
    h = m.geom_dataid[g]
    p, v = (px, py, pz), (vx, vy, vz)
    sx, sy = m.hfield_size[h, 0], m.hfield_size[h, 1]
    top, base = 0.5 * m.hfield_size[h, 2], 0.5 * m.hfield_size[h, 3]
    best, normal = ray_box((px, py, pz + base), v, (sx, sy, base))
    # the box above the base, and the interval of the ray inside it
    faces = ray_faces((px, py, pz - top), v, (sx, sy, top))
    enters, leaves = -1.0, -1.0
    for k in range(6):
        if is_first(faces[k], enters):
            enters = faces[k]
        leaves = max(leaves, faces[k])
    if enters >= 0.0:
        start = enters if leaves > enters else 0.0
        best, normal = ray_top(m, h, p, v, start, leaves, best, normal)
        best, normal = ray_sides(m, h, p, v, faces, best, normal)
    put3(d.ray.normal, 1, normal)
    return best
