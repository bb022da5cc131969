"""Forces on a body, each with its point: weight, contacts, applied forces, the mouse, equalities, joints.

They sum to mass times acceleration. The force of joints is that of d.cfrc_int: what passes between a body and its
parent or child, including actuators, springs, fixed tendons, fluid and gravity compensation. Spatial tendons are forces
from outside, as in MuJoCo 4: they are what is missing from the sum. An engine that counts them to d.cfrc_int has none.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from sim.analysis.contact_state import contact_bodies
from sim.analysis.force_sources import Source
from sim.enums import DSBL_GRAVITY, EQ_CONNECT, EQ_DISTANCE, EQ_WELD, PERT_TRANSLATE
from sim.script.contact_force import contact_forces
from sim.stages.constraint.equality import anchors
from sim.stages.sensor.frame import point_acceleration
from sim.stages.sleep.awake import equality_bodies

if TYPE_CHECKING:
    from sim.model import Data, Model


# kind of the source of what a neighbour passes on
JOINTS = "joints"
# and of what the sum of all others lacks, if that is more than this part of the largest
TENDONS, ROUNDING = "tendons", 1e-6


class BodyForce(NamedTuple):
    """A force at a point, in world axes, and its source."""

    source: Source
    point: np.ndarray
    force: np.ndarray


def body_forces(m: Model, d: Data, body: int) -> list[BodyForce]:
    """The forces on a body, of Data after `rne_post_constraint`."""
    outside = (*_weight(m, d, body), *_contacts(m, d, body), *_applied(m, d, body), *_equalities(m, d, body))
    found = [part for part in (*outside, *_joints(m, d, body)) if part.force.any()]
    return [*found, *_tendons(m, d, body, found)]


def _tendons(m: Model, d: Data, body: int, others: list[BodyForce]) -> Iterator[BodyForce]:
    """What the sum lacks."""
    tree = int(m.body_treeid[body])
    if not m.ntendon or tree < 0 or not d.tree_awake[tree]:
        return
    missing = _inertial_force(m, d, body) - sum(part.force for part in others)
    if np.abs(missing).max() > ROUNDING * max((float(np.abs(part.force).max()) for part in others), default=0.0):
        yield BodyForce(Source(TENDONS), d.xipos[body].copy(), missing)


def _inertial_force(m: Model, d: Data, body: int) -> np.ndarray:
    """Mass times acceleration of the centre of mass."""
    # d.cacc is what an accelerometer measures
    _, measured = point_acceleration(m, d, body, tuple(d.xipos[body]))
    gravity = m.opt.gravity if not m.opt.disableflags & DSBL_GRAVITY else 0.0
    return np.asarray(m.body_mass[body] * (np.array(measured) + gravity))


def _joints(m: Model, d: Data, body: int) -> Iterator[BodyForce]:
    """From the parent, and from each child."""
    children = [int(child) for child in np.flatnonzero(m.body_parentid == body) if child]
    for moving in (body, *children):
        other, sign = (int(m.body_parentid[body]), 1.0) if moving == body else (moving, -1.0)
        joint = int(m.body_jntadr[moving])
        point = d.xanchor[joint] if joint >= 0 else d.xpos[moving]
        yield BodyForce(Source(JOINTS, "body", other), point.copy(), sign * d.cfrc_int[moving, 3:])


def _weight(m: Model, d: Data, body: int) -> Iterator[BodyForce]:
    if not m.opt.disableflags & DSBL_GRAVITY:
        weight = m.body_mass[body] * m.opt.gravity
        yield BodyForce(Source("gravity"), d.xipos[body].copy(), weight)


def _contacts(m: Model, d: Data, body: int) -> Iterator[BodyForce]:
    if d.ncon == 0:
        return
    sides = contact_bodies(m, d) == body
    forces = contact_forces(d)
    # a contact of a body with itself pushes it nowhere
    for c in np.flatnonzero(sides.sum(axis=1) == 1).tolist():
        force = forces[c, :3] @ d.contact.frame[c].reshape(3, 3)
        yield BodyForce(Source("contact", "contact", c), d.contact.pos[c].copy(), force if sides[c, 1] else -force)


def _applied(m: Model, d: Data, body: int) -> Iterator[BodyForce]:
    yield BodyForce(Source("applied force", "body", body), d.xipos[body].copy(), d.xfrc_applied[body, :3].copy())
    if d.perturb.active & PERT_TRANSLATE and d.perturb.select == body:
        point = d.xpos[body] + d.xmat[body].reshape(3, 3) @ d.perturb.localpos
        yield BodyForce(Source("mouse", "body", body), point, d.perturb.xfrc[:3].copy())


def _equalities(m: Model, d: Data, body: int) -> Iterator[BodyForce]:
    """The forces of connects and welds at their anchors, of distances at the centres of their geoms."""
    row = 0
    while row < d.ne:
        equality = int(d.efc_id[row])
        kind = int(m.eq_type[equality])
        rows = {EQ_CONNECT: 3, EQ_WELD: 6}.get(kind, 1)
        if kind in (EQ_CONNECT, EQ_WELD, EQ_DISTANCE):
            if kind == EQ_DISTANCE:
                points = d.geom_xpos[[m.eq_obj1id[equality], m.eq_obj2id[equality]]]
                apart = points[0] - points[1]
                force = d.efc_force[row] * apart / (np.linalg.norm(apart) or 1.0)
            else:
                points, force = np.array(anchors(m, d, equality)), d.efc_force[row : row + 3].copy()
            for owner, point, sign in zip(equality_bodies(m, equality), points, (1.0, -1.0), strict=True):
                if owner == body:
                    yield BodyForce(Source("equality", "equality", equality), point, sign * force)
        row += rows
