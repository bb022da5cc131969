"""Depth and slip on a surface that is given by the vertices of a mesh.

(contact, geom_xpos, geom_xmat, cvel) -> (sensordata). Of each geom that touches the body of the surface: how deep each
vertex is inside it, and how fast it slips along the vertex's two tangents. First all depths, then all speeds along the
first tangents, then along the second. Where several geoms reach a vertex the largest depth counts, and speeds add up.
Meshes and height fields have no depth and are not felt, as in MuJoCo without distance fields.
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
from sim.math.quat import get9, mat_vec, mat_vec_t, rotate
from sim.math.vec import add3, dot3, get3, get4, norm3, normalize3, sub3
from sim.stages.sensor.reading import measures, put_reading
from sim.stages.smooth.jacobian import point_velocity


@helper
def depth_in_box(p, size):
    """How far it is out of a box along a direction that turns from the middle's to the faces'; 0 outside."""
    x, y, z = size[0] - abs(p[0]), size[1] - abs(p[1]), size[2] - abs(p[2])
    if x <= 0.0 or y <= 0.0 or z <= 0.0:
        return 0.0
    out = normalize3((size[0] / x, size[1] / y, size[2] / z))
    return min(x / out[0], y / out[1], z / out[2])


@helper
def signed_distance(kind, size, p):
    """How far a point is outside a shape, less than 0 inside; only where that is 0 is it exact for all of them."""
    if kind == GEOM_PLANE:
        return p[2]
    if kind == GEOM_BOX:
        return -depth_in_box(p, size)
    if kind == GEOM_CYLINDER:
        x, y = sqrt(p[0] * p[0] + p[1] * p[1]) - size[0], abs(p[2]) - size[1]
        return min(max(x, y), 0.0) + norm3((max(x, 0.0), max(y, 0.0), 0.0))
    if kind == GEOM_ELLIPSOID:
        q = (p[0] / size[0], p[1] / size[1], p[2] / size[2])
        slope = norm3((q[0] / size[0], q[1] / size[1], q[2] / size[2]))
        return norm3(q) * (norm3(q) - 1.0) / max(slope, MINVAL)
    z = p[2]
    if kind == GEOM_CAPSULE:
        z -= min(max(z, -size[1]), size[1])
    return norm3((p[0], p[1], z)) - size[0]


@helper
def touches_before(m, d, c, weld, g):
    """Whether geom g touches a body, or what is fixed to it, in a contact before c."""
    for k in range(c):
        if other_geom(m, d, k, weld, 0) == g or other_geom(m, d, k, weld, 1) == g:
            return True
    return False


@helper
def other_geom(m, d, c, weld, side):
    """The geom that touches a body's geom on one side of a contact, or -1 if that is not the body's."""
    mine = d.contact.geom[c, side]
    return d.contact.geom[c, 1 - side] if m.body_weldid[m.geom_bodyid[mine]] == weld else -1


@inline
def has_tangents(m, mesh):
    """Whether each vertex of a mesh has a normal and two tangents; without them it does not feel slip."""
    return m.mesh_normalnum[mesh] == 3 * m.mesh_vertnum[mesh]


@helper
def feel(m, d, s, g):
    """What all vertices feel of a geom."""
    mesh, skin = m.sensor_objid[s], m.sensor_refid[s]
    weld = m.body_weldid[m.geom_bodyid[skin]]
    frame, turn = get9(d.geom_xmat, skin), get4(m.mesh_quat, mesh)
    other, n, at = get9(d.geom_xmat, g), m.mesh_vertnum[mesh], m.sensor_adr[s]
    _, drift = point_velocity(m, d, m.geom_bodyid[g], get3(d.geom_xpos, g))
    for j in range(n):
        point = add3(mat_vec(frame, get3(m.mesh_vert, m.mesh_vertadr[mesh] + j)), get3(d.geom_xpos, skin))
        local = mat_vec_t(other, sub3(point, get3(d.geom_xpos, g)))
        depth = signed_distance(m.geom_type[g], get3(m.geom_size, g), local)
        if depth >= 0.0:
            continue
        d.sensordata[at + j] = max(-depth, d.sensordata[at + j])
        if not has_tangents(m, mesh):
            continue
        _, v = point_velocity(m, d, weld, point)
        slip = sub3(v, drift)
        row = m.mesh_normaladr[mesh] + 3 * j
        d.sensordata[at + n + j] += abs(dot3(slip, rotate(turn, get3(m.mesh_normal, row + 1))))
        d.sensordata[at + 2 * n + j] += abs(dot3(slip, rotate(turn, get3(m.mesh_normal, row + 2))))


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
                feel(m, d, s, g)


@helper
def has_depth(kind):
    """Whether there is a formula for how deep a point is in a shape."""
    return kind == GEOM_PLANE or GEOM_HFIELD < kind <= GEOM_BOX
