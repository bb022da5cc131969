"""Camera projections and rangefinders.

(poses of sites and cameras, geoms) -> (sensordata). camprojection: the pixel coordinates of a site in a camera image;
x to the right, y down, from the top left corner. rangefinder: the distance along a site's z axis, or along a ray
through each pixel of a camera, row by row from the top; each ray has the data fields that the sensor selects.
"""

from math import pi, tan

import numpy as np

from sim.enums import MINVAL, OBJ_SITE, PROJ_PERSPECTIVE, SENS_CAMPROJECTION, SENS_RANGEFINDER
from sim.jit import helper, inline, kernel
from sim.math.quat import get9, mat_vec, mat_vec_t
from sim.math.vec import add3, dot3, get3, normalize3, scale3, sub3
from sim.stages.ray.cast import ALL_GROUPS, cast, select_geoms, set_origin
from sim.stages.sensor.reading import measures, put_reading, put_reading3

# data fields of a ray, in order
DIST, DIR, ORIGIN, POINT, NORMAL, DEPTH = 0, 1, 2, 3, 4, 5


@inline
def has_intrinsics(m, c):
    """Whether a camera is given by its focal length and sensor size, not by its field of view."""
    return m.cam_sensorsize[c, 0] != 0.0 and m.cam_sensorsize[c, 1] != 0.0


@inline
def intrinsic_in_pixels(m, c, k, axis):
    """Intrinsic parameter k, a length, in pixels along an image axis; in single precision, as it is stored."""
    share = np.float32(m.cam_intrinsic[c, k] / m.cam_sensorsize[c, axis])
    return float(np.float32(share * m.cam_resolution[c, axis]))


@helper
def focal_lengths(m, c):
    """(x, y) focal lengths of a perspective camera, in pixels."""
    if has_intrinsics(m, c):
        return intrinsic_in_pixels(m, c, 0, 0), intrinsic_in_pixels(m, c, 1, 1)
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
    fx, fy = focal_lengths(m, c)
    put_reading(m, d, s, 0, 0.5 * m.cam_resolution[c, 0] - fx * p[0] / z)
    put_reading(m, d, s, 1, 0.5 * m.cam_resolution[c, 1] + fy * p[1] / z)


# ---------------------------------------------------------------- rangefinders


@helper
def put_ray(m, d, s, at, origin, direction, x, depth):
    """Write the data fields of one ray at offset `at` of the sensor; returns the offset of the next ray."""
    fields = m.sensor_intprm[s, 0]
    hit = x >= 0.0
    zero = (0.0, 0.0, 0.0)
    if fields & (1 << DIST):
        put_reading(m, d, s, at, x)
        at += 1
    if fields & (1 << DIR):
        put_reading3(m, d, s, at, direction if hit else zero)
        at += 3
    if fields & (1 << ORIGIN):
        put_reading3(m, d, s, at, origin)
        at += 3
    if fields & (1 << POINT):
        put_reading3(m, d, s, at, add3(origin, scale3(direction, x)) if hit else zero)
        at += 3
    if fields & (1 << NORMAL):
        put_reading3(m, d, s, at, get3(d.ray.normal, 0) if hit else zero)
        at += 3
    if fields & (1 << DEPTH):
        put_reading(m, d, s, at, depth if hit else -1.0)
        at += 1
    return at


@inline
def cast_from(m, d, origin, v):
    set_origin(m, d, origin[0], origin[1], origin[2])
    return cast(m, d, v[0], v[1], v[2])


@helper
def cast_pixels(m, d, s, c):
    """Cast a ray through each pixel of a camera."""
    width, height = m.cam_resolution[c, 0], m.cam_resolution[c, 1]
    eye, r = get3(d.cam_xpos, c), get9(d.cam_xmat, c)
    back = (r[2], r[5], r[8])
    perspective = m.cam_projection[c] == PROJ_PERSPECTIVE
    fx, fy = focal_lengths(m, c)
    cx, cy = 0.5 * width, 0.5 * height
    # the principal point is measured from the corner of the image, as in MuJoCo
    if perspective and has_intrinsics(m, c):
        cx, cy = intrinsic_in_pixels(m, c, 2, 0), intrinsic_in_pixels(m, c, 3, 1)
    set_origin(m, d, eye[0], eye[1], eye[2])
    at = 0
    for row in range(height):
        for column in range(width):
            x, y = column + 0.5 - cx, row + 0.5 - cy
            origin, v = eye, scale3(back, -1.0)
            if perspective:
                v = mat_vec(r, normalize3((x / fx, -y / fy, -1.0)))
            else:
                # fovy is the height of the image, and here also its width
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
        select_geoms(m, d, ALL_GROUPS, 1, m.cam_bodyid[i])
        cast_pixels(m, d, s, i)
        return
    select_geoms(m, d, ALL_GROUPS, 1, m.site_bodyid[i])
    origin = get3(d.site_xpos, i)
    v = (d.site_xmat[i, 2], d.site_xmat[i, 5], d.site_xmat[i, 8])
    x = cast_from(m, d, origin, v)
    put_ray(m, d, s, 0, origin, v, x, x)
