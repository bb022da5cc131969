"""Cameras and range finders.

(poses of sites and cameras, geoms) -> (sensordata). camprojection: the pixel at which a camera sees a site; x to the
right, y down, from the corner of the picture. rangefinder: how far it is along a site's z, or behind each pixel of a
camera, row by row from the top; each ray gives the fields that the sensor asks for.
"""

from math import pi, tan

import numpy as np

from sim.enums import MINVAL, OBJ_SITE, PROJ_PERSPECTIVE, SENS_CAMPROJECTION, SENS_RANGEFINDER
from sim.jit import helper, inline, kernel
from sim.math.quat import get9, mat_vec, mat_vec_t
from sim.math.vec import add3, dot3, get3, normalize3, scale3, sub3
from sim.stages.ray.cast import EVERYTHING, aim, cast, stand
from sim.stages.sensor.reading import measures, put_reading, put_reading3

# fields of a ray, in order
DIST, DIR, ORIGIN, POINT, NORMAL, DEPTH = 0, 1, 2, 3, 4, 5


@inline
def has_lens(m, c):
    """Whether a camera is given by its focal length and sensor; else by its field of view."""
    return m.cam_sensorsize[c, 0] != 0.0 and m.cam_sensorsize[c, 1] != 0.0


@inline
def pixels(m, c, k, axis):
    """Number k of a lens, a length, in pixels along an axis of the picture; in single precision, as the lens is."""
    share = np.float32(m.cam_intrinsic[c, k] / m.cam_sensorsize[c, axis])
    return float(np.float32(share * m.cam_resolution[c, axis]))


@helper
def focal(m, c):
    """Focal lengths of a perspective camera, in pixels."""
    if has_lens(m, c):
        return pixels(m, c, 0, 0), pixels(m, c, 1, 1)
    f = 0.5 / tan(m.cam_fovy[c] * pi / 360.0) * m.cam_resolution[c, 1]
    return f, f


@kernel(when=measures(SENS_CAMPROJECTION))
def camera_projection(m, d, s: int):
    """(site_xpos, cam_xpos, cam_xmat) -> (sensordata)"""
    site, c = m.sensor_objid[s], m.sensor_refid[s]
    p = mat_vec_t(get9(d.cam_xmat, c), sub3(get3(d.site_xpos, site), get3(d.cam_xpos, c)))
    z = p[2]
    if abs(z) < MINVAL:
        z = -MINVAL if z < 0.0 else MINVAL
    fx, fy = focal(m, c)
    put_reading(m, d, s, 0, 0.5 * m.cam_resolution[c, 0] - fx * p[0] / z)
    put_reading(m, d, s, 1, 0.5 * m.cam_resolution[c, 1] + fy * p[1] / z)


# ---------------------------------------------------------------- range finders


@helper
def put_ray(m, d, s, at, origin, direction, x, depth):
    """Fields of one ray, from number `at` of the sensor on; how many numbers there are then."""
    fields = m.sensor_intprm[s, 0]
    hit = x >= 0.0
    nowhere = (0.0, 0.0, 0.0)
    if fields & (1 << DIST):
        put_reading(m, d, s, at, x)
        at += 1
    if fields & (1 << DIR):
        put_reading3(m, d, s, at, direction if hit else nowhere)
        at += 3
    if fields & (1 << ORIGIN):
        put_reading3(m, d, s, at, origin)
        at += 3
    if fields & (1 << POINT):
        put_reading3(m, d, s, at, add3(origin, scale3(direction, x)) if hit else nowhere)
        at += 3
    if fields & (1 << NORMAL):
        put_reading3(m, d, s, at, get3(d.ray.normal, 0) if hit else nowhere)
        at += 3
    if fields & (1 << DEPTH):
        put_reading(m, d, s, at, depth if hit else -1.0)
        at += 1
    return at


@inline
def cast_from(m, d, origin, v):
    stand(m, d, origin[0], origin[1], origin[2])
    return cast(m, d, v[0], v[1], v[2])


@helper
def look_around(m, d, s, c):
    """A ray for each pixel of a camera."""
    width, height = m.cam_resolution[c, 0], m.cam_resolution[c, 1]
    eye, r = get3(d.cam_xpos, c), get9(d.cam_xmat, c)
    back = (r[2], r[5], r[8])
    perspective = m.cam_projection[c] == PROJ_PERSPECTIVE
    fx, fy = focal(m, c)
    cx, cy = 0.5 * width, 0.5 * height
    # a principal point is taken from the corner of the picture, as MuJoCo does
    if perspective and has_lens(m, c):
        cx, cy = pixels(m, c, 2, 0), pixels(m, c, 3, 1)
    stand(m, d, eye[0], eye[1], eye[2])
    at = 0
    for row in range(height):
        for column in range(width):
            x, y = column + 0.5 - cx, row + 0.5 - cy
            origin, v = eye, scale3(back, -1.0)
            if perspective:
                v = mat_vec(r, normalize3((x / fx, -y / fy, -1.0)))
            else:
                # the height of the picture is also taken for its width
                half = 0.5 * m.cam_fovy[c]
                origin = add3(eye, mat_vec(r, (x / cx * half, -y / cy * half, 0.0)))
            dist = cast(m, d, v[0], v[1], v[2]) if perspective else cast_from(m, d, origin, v)
            depth = -dot3(sub3(add3(origin, scale3(v, dist)), eye), back)
            at = put_ray(m, d, s, at, origin, v, dist, depth)


@kernel(when=measures(SENS_RANGEFINDER))
def range_finder(m, d, s: int):
    """(geoms, site_xpos, site_xmat, cam_xpos, cam_xmat) -> (ray, sensordata)"""
    i = m.sensor_objid[s]
    if m.sensor_objtype[s] != OBJ_SITE:
        aim(m, d, EVERYTHING, 1, m.cam_bodyid[i], 1 if m.cam_projection[i] == PROJ_PERSPECTIVE else 0)
        look_around(m, d, s, i)
        return
    aim(m, d, EVERYTHING, 1, m.site_bodyid[i], 0)
    origin = get3(d.site_xpos, i)
    v = (d.site_xmat[i, 2], d.site_xmat[i, 5], d.site_xmat[i, 8])
    x = cast_from(m, d, origin, v)
    put_ray(m, d, s, 0, origin, v, x, x)
