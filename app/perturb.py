"""The pull of the mouse: a spring with critical damping between a point of a body and the pointer.

    force = m (k (target - point) - 2 sqrt(k) velocity),   torque likewise about the body's centre of mass,
with k from vis.map and m the mass (inertia) with which the body resists at qpos0, so that one k suits all bodies.
While the run is paused the pull moves the pose itself, of bodies that are free to be anywhere.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from app.commands import Pull
from app.rotation import rotation_vector
from app.velocity import point_velocity
from sim.enums import JNT_FREE

Array = NDArray[np.float64]


def wrench(model: Any, data: Any, pull: Pull) -> Array:
    """Force and torque to apply at the centre of mass of the pulled body, (6,)."""
    b = pull.body
    rotation = data.xmat[b].reshape(3, 3)
    result = np.zeros(6)
    spin = np.array(data.cvel[b, :3])
    if pull.target is not None:
        point = data.xpos[b] + rotation @ pull.point
        velocity = point_velocity(model, data, b, point)
        stiffness = float(model.vis.map.stiffness)
        mass = _resistance(model.body_invweight0[b, 0])
        result[:3] = mass * (stiffness * (np.array(pull.target) - point) - 2 * math.sqrt(stiffness) * velocity)
        result[3:] = np.cross(point - data.xipos[b], result[:3])
    if pull.rotation is not None:
        stiffness = float(model.vis.map.stiffnessrot)
        angle = rotation_vector(_quaternion(np.reshape(pull.rotation, (3, 3)) @ rotation.T))
        inertia = _resistance(model.body_invweight0[b, 1])
        result[3:] += inertia * (stiffness * angle - 2 * math.sqrt(stiffness) * spin)
    return result


def move(model: Any, data: Any, pull: Pull) -> bool:
    """Put a free or mocap body where the pull wants it; whether there is one to be put."""
    b = pull.body
    mocap, joint = int(model.body_mocapid[b]), int(model.body_jntadr[b])
    free = joint >= 0 and int(model.jnt_type[joint]) == JNT_FREE
    if mocap < 0 and not free:
        return False
    rotation = data.xmat[b].reshape(3, 3)
    place, turn = np.array(data.xpos[b]), rotation
    if pull.rotation is not None:
        turn = np.reshape(pull.rotation, (3, 3))
    if pull.target is not None:
        place = np.array(pull.target) - turn @ pull.point
    if mocap >= 0:
        data.mocap_pos[mocap], data.mocap_quat[mocap] = place, _quaternion(turn)
    else:
        start = int(model.jnt_qposadr[joint])
        data.qpos[start : start + 3], data.qpos[start + 3 : start + 7] = place, _quaternion(turn)
    return True


def rotation_about(axis: Any, angle: float) -> Array:
    """The matrix that turns by `angle` (rad) about a unit axis."""
    x, y, z = axis
    cross = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    turn: Array = np.eye(3) + math.sin(angle) * cross + (1 - math.cos(angle)) * cross @ cross
    return turn


def _resistance(inverse: float) -> float:
    """Mass from inverse mass; nothing that cannot move is pulled."""
    return 1.0 / float(inverse) if inverse > 1e-12 else 0.0


def _quaternion(turn: Array) -> Array:
    """The unit quaternion of a rotation matrix."""
    # the largest of the four products is never small
    w = 1 + turn[0, 0] + turn[1, 1] + turn[2, 2]
    x, y, z = (2 + 2 * turn[k, k] - w for k in range(3))
    a, b, c = turn[2, 1] - turn[1, 2], turn[0, 2] - turn[2, 0], turn[1, 0] - turn[0, 1]
    p, q, r = turn[0, 1] + turn[1, 0], turn[0, 2] + turn[2, 0], turn[1, 2] + turn[2, 1]
    rows = np.array([[w, a, b, c], [a, x, p, q], [b, p, y, r], [c, q, r, z]])
    chosen = rows[int(np.argmax(np.diag(rows)))]
    unit: Array = chosen / np.linalg.norm(chosen)
    return unit
