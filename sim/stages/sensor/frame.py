"""Frame sensors: pose, velocity, acceleration, force and torque of bodies, geoms, sites and cameras; subtrees.

(poses, cvel, cacc, cfrc_int, subtree_*) -> (sensordata). Site sensors such as gyro and accelerometer measure in the
site's frame. Frame sensors measure in the world frame or in a reference frame: positions relative to its origin,
velocities relative to the moving and rotating frame, v - v₀ - ω₀ × (x - x₀). Accelerations include gravity, as an
accelerometer measures it.
"""

from sim.enums import (
    OBJ_BODY,
    OBJ_CAMERA,
    OBJ_GEOM,
    OBJ_SITE,
    SENS_ACCELEROMETER,
    SENS_FORCE,
    SENS_FRAMEANGACC,
    SENS_FRAMEANGVEL,
    SENS_FRAMELINACC,
    SENS_FRAMELINVEL,
    SENS_FRAMEPOS,
    SENS_FRAMEQUAT,
    SENS_FRAMEXAXIS,
    SENS_FRAMEYAXIS,
    SENS_FRAMEZAXIS,
    SENS_GYRO,
    SENS_INSIDESITE,
    SENS_MAGNETOMETER,
    SENS_SUBTREEANGMOM,
    SENS_SUBTREECOM,
    SENS_SUBTREELINVEL,
    SENS_TORQUE,
    SENS_VELOCIMETER,
)
from sim.jit import helper, kernel
from sim.math.quat import conjugate, mat_vec_t, mul_quat
from sim.math.spatial import get6
from sim.math.vec import add3, cross, get3, get4, sub3
from sim.stages.sensor.reading import body_of, measures, pose, put_reading, put_reading3
from sim.stages.sensor.zone import in_zone
from sim.stages.smooth.jacobian import point_velocity

POSITIONS = (
    SENS_FRAMEPOS,
    SENS_FRAMEQUAT,
    SENS_FRAMEXAXIS,
    SENS_FRAMEYAXIS,
    SENS_FRAMEZAXIS,
    SENS_SUBTREECOM,
    SENS_MAGNETOMETER,
    SENS_INSIDESITE,
)
VELOCITIES = (
    SENS_VELOCIMETER,
    SENS_GYRO,
    SENS_FRAMELINVEL,
    SENS_FRAMEANGVEL,
    SENS_SUBTREELINVEL,
    SENS_SUBTREEANGMOM,
)
ACCELERATIONS = (SENS_ACCELEROMETER, SENS_FORCE, SENS_TORQUE, SENS_FRAMELINACC, SENS_FRAMEANGACC)


# ---------------------------------------------------------------- position


@helper
def orientation(m, d, kind, i):
    """Quaternion of an object."""
    q = get4(d.xquat, body_of(m, kind, i))
    if kind == OBJ_SITE:
        return mul_quat(q, get4(m.site_quat, i))
    if kind == OBJ_GEOM:
        return mul_quat(q, get4(m.geom_quat, i))
    if kind == OBJ_CAMERA:
        return mul_quat(q, get4(m.cam_quat, i))
    if kind == OBJ_BODY:
        return mul_quat(q, get4(m.body_iquat, i))
    return q


@helper
def put_orientation(m, d, s):
    q = orientation(m, d, m.sensor_objtype[s], m.sensor_objid[s])
    if m.sensor_refid[s] >= 0:
        q = mul_quat(conjugate(orientation(m, d, m.sensor_reftype[s], m.sensor_refid[s])), q)
    for k in range(4):
        put_reading(m, d, s, k, q[k])


@kernel(when=measures(*POSITIONS), exact=True)
def frame_position(m, d, s: int):
    """(poses, subtree_com) -> (sensordata)"""
    kind, i, ref = m.sensor_type[s], m.sensor_objid[s], m.sensor_refid[s]
    if kind == SENS_FRAMEQUAT:
        put_orientation(m, d, s)
        return
    if kind == SENS_SUBTREECOM:
        put_reading3(m, d, s, 0, get3(d.subtree_com, i))
        return
    pos, r = pose(d, m.sensor_objtype[s], i)
    if kind == SENS_MAGNETOMETER:
        field = (m.opt.magnetic[0], m.opt.magnetic[1], m.opt.magnetic[2])
        put_reading3(m, d, s, 0, mat_vec_t(r, field))
        return
    if kind == SENS_INSIDESITE:
        put_reading(m, d, s, 0, 1.0 if in_zone(m, d, ref, pos) else 0.0)
        return
    # a position, or an axis: a column of the orientation
    v = pos
    if kind == SENS_FRAMEXAXIS:
        v = (r[0], r[3], r[6])
    elif kind == SENS_FRAMEYAXIS:
        v = (r[1], r[4], r[7])
    elif kind == SENS_FRAMEZAXIS:
        v = (r[2], r[5], r[8])
    if ref >= 0:
        origin, frame = pose(d, m.sensor_reftype[s], ref)
        v = mat_vec_t(frame, sub3(v, origin) if kind == SENS_FRAMEPOS else v)
    put_reading3(m, d, s, 0, v)


# ---------------------------------------------------------------- velocity


@kernel(when=measures(*VELOCITIES))
def frame_velocity(m, d, s: int):
    """(cvel, poses, subtree_linvel, subtree_angmom) -> (sensordata)"""
    kind, objtype, i, ref = m.sensor_type[s], m.sensor_objtype[s], m.sensor_objid[s], m.sensor_refid[s]
    if kind == SENS_SUBTREELINVEL:
        put_reading3(m, d, s, 0, get3(d.subtree_linvel, i))
        return
    if kind == SENS_SUBTREEANGMOM:
        put_reading3(m, d, s, 0, get3(d.subtree_angmom, i))
        return
    pos, r = pose(d, objtype, i)
    w, v = point_velocity(m, d, body_of(m, objtype, i), pos)
    if kind == SENS_VELOCIMETER or kind == SENS_GYRO:
        w, v = mat_vec_t(r, w), mat_vec_t(r, v)
    elif ref >= 0:
        origin, frame = pose(d, m.sensor_reftype[s], ref)
        w0, v0 = point_velocity(m, d, body_of(m, m.sensor_reftype[s], ref), origin)
        v = sub3(sub3(v, v0), cross(w0, sub3(pos, origin)))
        w, v = mat_vec_t(frame, sub3(w, w0)), mat_vec_t(frame, v)
    put_reading3(m, d, s, 0, w if kind == SENS_GYRO or kind == SENS_FRAMEANGVEL else v)


# ---------------------------------------------------------------- acceleration


@helper
def point_acceleration(m, d, b, point):
    """(angular, linear) acceleration of a point of body b, in world axes."""
    a = get6(d.cacc, b)
    angular = (a[0], a[1], a[2])
    lever = sub3(point, get3(d.subtree_com, m.body_rootid[b]))
    w, v = point_velocity(m, d, b, point)
    return angular, add3(add3((a[3], a[4], a[5]), cross(angular, lever)), cross(w, v))


@kernel(when=measures(*ACCELERATIONS))
def frame_acceleration(m, d, s: int):
    """(cacc, cfrc_int, cvel, poses) -> (sensordata)"""
    kind, objtype, i = m.sensor_type[s], m.sensor_objtype[s], m.sensor_objid[s]
    pos, r = pose(d, objtype, i)
    b = body_of(m, objtype, i)
    if kind == SENS_FORCE or kind == SENS_TORQUE:
        # wrench of the parent on the body, at the site
        f = get6(d.cfrc_int, b)
        force = (f[3], f[4], f[5])
        v = force
        if kind == SENS_TORQUE:
            v = sub3((f[0], f[1], f[2]), cross(sub3(pos, get3(d.subtree_com, m.body_rootid[b])), force))
        put_reading3(m, d, s, 0, mat_vec_t(r, v))
        return
    w, v = point_acceleration(m, d, b, pos)
    if kind == SENS_ACCELEROMETER:
        v = mat_vec_t(r, v)
    put_reading3(m, d, s, 0, w if kind == SENS_FRAMEANGACC else v)
