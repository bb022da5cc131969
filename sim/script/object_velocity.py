"""Spatial velocity and acceleration of bodies, geoms, sites and cameras, for scripts.

(cvel, cacc, poses) -> six numbers: angular part first, as in d.cvel, but at the origin of the object, in world axes or
in local axes. An object is given by its type, a name or OBJ_*, and its index. A body means its inertial frame, an xbody
its body frame.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from sim.arguments import check_index, checked
from sim.enums import OBJ_BODY, OBJ_CAMERA, OBJ_GEOM, OBJ_SITE, OBJ_XBODY
from sim.stages.sensor.frame import point_acceleration
from sim.stages.sensor.reading import body_of, pose
from sim.stages.smooth.jacobian import point_velocity
from sim.stages.smooth.rne import rne_postconstraint

if TYPE_CHECKING:
    from sim.model import Data, Model

# type -> OBJ_*, and the size that counts it
OBJECTS = {
    "body": (OBJ_BODY, "nbody"),
    "xbody": (OBJ_XBODY, "nbody"),
    "geom": (OBJ_GEOM, "ngeom"),
    "site": (OBJ_SITE, "nsite"),
    "camera": (OBJ_CAMERA, "ncam"),
}
COUNTS = dict(OBJECTS.values())


def _object(m: Model, kind: str | int, index: int) -> tuple[int, int]:
    """OBJ_* of an object, and its body."""
    number = OBJECTS.get(kind, (-1,))[0] if isinstance(kind, str) else int(kind)
    if number not in COUNTS:
        raise ValueError(f"{kind!r} is not an object type with a frame: use {', '.join(OBJECTS)} or their OBJ_*")
    check_index(str(kind), index, m.read(COUNTS[number]))
    return number, int(body_of(m, number, index))


def _as_six(motion: Any, axes: Any, local: bool) -> np.ndarray:
    """(angular, linear) as six numbers, in the object's axes if `local`."""
    parts = np.array(motion)
    return (parts @ np.reshape(axes, (3, 3)) if local else parts).ravel()


@checked
def object_velocity(m: Model, d: Data, objtype: str | int, objid: int, flg_local: bool = False) -> np.ndarray:
    """(angular, linear) velocity of an object, from the last forward or step."""
    kind, body = _object(m, objtype, objid)
    point, axes = pose(d, kind, objid)
    return _as_six(point_velocity(m, d, body, point), axes, flg_local)


@checked
def object_acceleration(m: Model, d: Data, objtype: str | int, objid: int, flg_local: bool = False) -> np.ndarray:
    """(angular, linear) acceleration of an object, as an accelerometer measures it: 9.81 upwards at rest."""
    kind, body = _object(m, objtype, objid)
    if not d.flg_rnepost:
        rne_postconstraint(m, d)
    point, axes = pose(d, kind, objid)
    return _as_six(point_acceleration(m, d, body, point), axes, flg_local)
