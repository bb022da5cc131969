"""Helpers of all sensors: writing outputs, poses of sensorized objects, and which models have a sensor type."""

from collections.abc import Callable
from typing import Any

import numpy as np

from sim.enums import OBJ_BODY, OBJ_CAMERA, OBJ_GEOM, OBJ_SITE
from sim.jit import helper, inline
from sim.math.quat import get9
from sim.math.vec import get3


def measures(*types: int) -> Callable[[Any], bool]:
    """Predicate: whether a model has sensors of these types, and so needs the kernel that measures them."""
    return lambda m: bool(np.isin(m.sensor_type, types).any())


@inline
def put_reading(m, d, s, k, x):
    """Write output k of a sensor."""
    d.sensordata[m.sensor_adr[s] + k] = x


@inline
def put_reading3(m, d, s, k, v):
    """Write outputs k, k + 1 and k + 2 of a sensor."""
    at = m.sensor_adr[s] + k
    d.sensordata[at] = v[0]
    d.sensordata[at + 1] = v[1]
    d.sensordata[at + 2] = v[2]


@helper
def clear_sensors(m, d):
    """Set all sensor outputs to zero."""
    for k in range(m.nsensordata):
        d.sensordata[k] = 0.0


@helper
def load_sensors(m, d, row):
    """(roll.reading) -> (sensordata)"""
    for k in range(m.nsensordata):
        d.sensordata[k] = d.roll.reading[row, k]


@helper
def pose(d, kind, i):
    """(position, orientation) of an object: a body has its inertial frame, an xbody its regular frame."""
    if kind == OBJ_SITE:
        return get3(d.site_xpos, i), get9(d.site_xmat, i)
    if kind == OBJ_GEOM:
        return get3(d.geom_xpos, i), get9(d.geom_xmat, i)
    if kind == OBJ_CAMERA:
        return get3(d.cam_xpos, i), get9(d.cam_xmat, i)
    if kind == OBJ_BODY:
        return get3(d.xipos, i), get9(d.ximat, i)
    return get3(d.xpos, i), get9(d.xmat, i)


@helper
def body_of(m, kind, i):
    """The body that an object belongs to."""
    if kind == OBJ_SITE:
        return m.site_bodyid[i]
    if kind == OBJ_GEOM:
        return m.geom_bodyid[i]
    if kind == OBJ_CAMERA:
        return m.cam_bodyid[i]
    return i
