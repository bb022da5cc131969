"""Every contact of a state at once: friction in use, relative motion of the surfaces, stick or slip.

The friction cone says ‖fᵢ / μᵢ‖ ≤ f_n: the Euclidean norm for an elliptic cone, the sum of magnitudes for a pyramidal
one. A contact slips where its friction is on the boundary. Everything is in the contact frame, normal first, and is of
the second body relative to the first.
"""

from __future__ import annotations

from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from sim.script.contact_force import Contacts, contact_forces, has_pyramids

Array = NDArray[np.float64]

OPEN, STICK, SLIP, SMOOTH = "open", "stick", "slip", "smooth"
# a contact slips if it uses more than this fraction of its friction
SLIPS = 0.995
# a force below this fraction of the largest counts as zero
NOTHING = 1e-9
# lower bound of friction coefficients, against division by zero
LEAST_FRICTION = 1e-12


class Bodies(Protocol):
    """The fields of m that relate geoms to the motion of bodies."""

    @property
    def geom_bodyid(self) -> NDArray[np.int32]: ...
    @property
    def body_rootid(self) -> NDArray[np.int32]: ...


class PlacedContacts(Contacts, Protocol):
    """The fields of d.contact that say where and between what it is."""

    @property
    def geom(self) -> NDArray[np.int32]: ...
    @property
    def pos(self) -> Array: ...
    @property
    def frame(self) -> Array: ...
    @property
    def dist(self) -> Array: ...


class Touching(Protocol):
    """Data, or a copy of what contacts need."""

    @property
    def contact(self) -> PlacedContacts: ...
    @property
    def efc_type(self) -> NDArray[np.int32]: ...
    @property
    def efc_force(self) -> Array: ...
    @property
    def efc_vel(self) -> Array: ...
    @property
    def cvel(self) -> Array: ...
    @property
    def subtree_com(self) -> Array: ...


def friction_utilization(d: Touching) -> Array:
    """Friction of each contact as a fraction of its limit, 0 to 1; NaN without a normal force."""
    forces = contact_forces(d)
    share = np.abs(forces[:, 1:]) / np.maximum(d.contact.friction, LEAST_FRICTION)
    total = share.sum(axis=1) if has_pyramids(d) else np.linalg.norm(share, axis=1)
    # adhesion presses the surfaces together too
    normal = forces[:, 0] + d.contact.adhesion
    used: Array = np.where(normal > 0, total / np.maximum(normal, 1e-30), np.nan)
    return used


def contact_bodies(m: Bodies, d: Touching) -> NDArray[np.int32]:
    """Both bodies of each contact, (ncon, 2); -1 for a flex of MuJoCo's, which consists of many."""
    found: NDArray[np.int32] = np.append(m.geom_bodyid, np.int32(-1))[d.contact.geom]
    return found


def contact_motion(m: Bodies, d: Touching) -> Array:
    """Relative motion at each contact, (ncon, 6): velocity along normal and tangents, then spin about them."""
    contact = d.contact
    bodies = contact_bodies(m, d)
    angular, linear = np.zeros((len(bodies), 3)), np.zeros((len(bodies), 3))
    for side, sign in ((1, 1.0), (0, -1.0)):
        body = bodies[:, side]
        arm = contact.pos - d.subtree_com[m.body_rootid[body]]
        angular += sign * d.cvel[body, :3]
        linear += sign * (d.cvel[body, 3:] + np.cross(d.cvel[body, :3], arm))
    frame = contact.frame.reshape(-1, 3, 3)
    motion: Array = np.concatenate([np.einsum("nij,nj->ni", frame, part) for part in (linear, angular)], axis=1)
    for flexible in np.flatnonzero((bodies < 0).any(axis=1)).tolist():
        motion[flexible] = _row_motion(d, flexible)
    return motion


def _row_motion(d: Touching, contact: int) -> Array:
    """The motion at a contact as its constraint rows have it; nothing without rows."""
    motion, first, dim = np.zeros(6), int(d.contact.efc_address[contact]), int(d.contact.dim[contact])
    if first < 0:
        return motion
    if dim == 1 or not has_pyramids(d):
        motion[:dim] = d.efc_vel[first : first + dim]
        return motion
    # opposite edges of a pyramid: normal ± friction * tangent
    edges = d.efc_vel[first : first + 2 * (dim - 1)].reshape(-1, 2)
    motion[0] = edges.mean()
    motion[1:dim] = (edges[:, 0] - edges[:, 1]) / 2 / np.maximum(d.contact.friction[contact, : dim - 1], LEAST_FRICTION)
    return motion


def slip_speed(m: Bodies, d: Touching) -> Array:
    """The sliding speed of the surfaces at every contact, m/s."""
    speed: Array = np.linalg.norm(contact_motion(m, d)[:, 1:3], axis=1)
    return speed


def contact_states(d: Touching) -> NDArray[np.object_]:
    """The state of each contact: open (no force), stick, slip, or smooth if it has no friction."""
    normal = contact_forces(d)[:, 0] + d.contact.adhesion
    carries = normal > NOTHING * max(float(normal.max(initial=0.0)), 1e-30)
    found = np.where(friction_utilization(d) > SLIPS, SLIP, STICK).astype(object)
    found[d.contact.dim == 1] = SMOOTH
    found[~carries] = OPEN
    return found
