"""Tactile sensors: penetration depth and slip at each vertex of a mesh.

(contact, geom_xpos, geom_xmat, cvel) -> (sensordata). For each geom in contact with the body of the mesh: how deep each
vertex penetrates it, and the slip velocity along the vertex's two tangents. First all depths, then all speeds along the
first tangents, then along the second. Where several geoms reach a vertex, the largest depth counts and speeds add up.
Meshes and height fields have no signed distance here and are ignored, as in MuJoCo without SDFs.
"""

from math import sqrt

from sim.enums import (
    GEOM_BOX,
    GEOM_CAPSULE,
    GEOM_CYLINDER,
    GEOM_ELLIPSOID,
    GEOM_HFIELD,
    GEOM_PLANE,
    MINVAL,
    SENS_TACTILE,
)
from sim.jit import helper, inline, kernel
from sim.math.quat import get9, mat_vec, mat_vec_t
from sim.math.vec import add3, dot3, get3, norm3, normalize3, sub3
from sim.stages.sensor.reading import measures, put_reading
from sim.stages.smooth.jacobian import point_velocity


@helper
def depth_in_box(p, size):
    """Depth of a point in a box along a direction that blends between the face normals; 0 outside."""
    x, y, z = size[0] - abs(p[0]), size[1] - abs(p[1]), size[2] - abs(p[2])
    if x <= 0.0 or y <= 0.0 or z <= 0.0:
        return 0.0
    out = normalize3((size[0] / x, size[1] / y, size[2] / z))
    return min(x / out[0], y / out[1], z / out[2])


@helper
def signed_distance(kind, size, p):
    """Signed distance of a point from a shape, negative inside; exact for all shapes only on the surface."""
    if kind == GEOM_PLANE:
        return p[2]
    if kind == GEOM_BOX:
        return -depth_in_box(p, size)
    if kind == GEOM_CYLINDER:
        x, y = sqrt(p[0] * p[0] + p[1] * p[1]) - size[0], abs(p[2]) - size[1]
        return min(max(x, y), 0.0) + norm3((max(x, 0.0), max(y, 0.0), 0.0))
    if kind == GEOM_ELLIPSOID:
        q = (p[0] / size[0], p[1] / size[1], p[2] / size[2])
        gradient = norm3((q[0] / size[0], q[1] / size[1], q[2] / size[2]))
        return norm3(q) * (norm3(q) - 1.0) / max(gradient, MINVAL)
    z = p[2]
    if kind == GEOM_CAPSULE:
        z -= min(max(z, -size[1]), size[1])
    return norm3((p[0], p[1], z)) - size[0]


@helper
def touches_before(m, d, c, weld, g):
    """Whether geom g touches a body, or one welded to it, in a contact before c."""
    for k in range(c):
        if other_geom(m, d, k, weld, 0) == g or other_geom(m, d, k, weld, 1) == g:
            return True
    return False


@helper
def other_geom(m, d, c, weld, side):
    """The geom opposite to one side of a contact, or -1 if that side does not belong to the body."""
    mine = d.contact.geom[c, side]
    return d.contact.geom[c, 1 - side] if m.body_weldid[m.geom_bodyid[mine]] == weld else -1


@inline
def has_tangents(m, mesh):
    """Whether each vertex of a mesh has a normal and two tangents; without them slip is not measured."""
    return m.mesh_normalnum[mesh] == 3 * m.mesh_vertnum[mesh]


@helper
def add_tactile(m, d, s, g):
    """Add the depth and slip of all vertices against one geom."""
    mesh, pad = m.sensor_objid[s], m.sensor_refid[s]
    weld = m.body_weldid[m.geom_bodyid[pad]]
    frame, other = get9(d.geom_xmat, pad), get9(d.geom_xmat, g)
    n, at = m.mesh_vertnum[mesh], m.sensor_adr[s]
    for j in range(n):
        point = add3(mat_vec(frame, get3(m.mesh_vert, m.mesh_vertadr[mesh] + j)), get3(d.geom_xpos, pad))
        local = mat_vec_t(other, sub3(point, get3(d.geom_xpos, g)))
        depth = signed_distance(m.geom_type[g], get3(m.geom_size, g), local)
        if depth >= 0.0:
            continue
        d.sensordata[at + j] = max(-depth, d.sensordata[at + j])
        if not has_tangents(m, mesh):
            continue
        _, mine = point_velocity(m, d, weld, point)
        _, theirs = point_velocity(m, d, m.geom_bodyid[g], point)
        slip = mat_vec_t(frame, sub3(mine, theirs))
        row = m.mesh_normaladr[mesh] + 3 * j
        d.sensordata[at + n + j] += abs(dot3(slip, get3(m.mesh_normal, row + 1)))
        d.sensordata[at + 2 * n + j] += abs(dot3(slip, get3(m.mesh_normal, row + 2)))


@kernel(when=measures(SENS_TACTILE))
def tactile(m, d, s: int):
    """(contact, geom_xpos, geom_xmat, cvel) -> (sensordata)"""
    for k in range(m.sensor_dim[s]):
        put_reading(m, d, s, k, 0.0)
    weld = m.body_weldid[m.geom_bodyid[m.sensor_refid[s]]]
    for c in range(d.ncon):
        for side in range(2):
            g = other_geom(m, d, c, weld, side)
            if g >= 0 and has_depth(m.geom_type[g]) and not touches_before(m, d, c, weld, g):
                add_tactile(m, d, s, g)


@helper
def has_depth(kind):
    """Whether a geom type has a signed distance function here."""
    return kind == GEOM_PLANE or GEOM_HFIELD < kind <= GEOM_BOX
