"""The force between two bodies: the sum over all their contacts, with its point of application."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sim.analysis.contact_state import Bodies, Touching, contact_bodies
from sim.script.contact_force import contact_forces

Array = NDArray[np.float64]


@dataclass(frozen=True)
class PairForce:
    """What the contacts of two bodies do together, on the second one, in world axes.

    `normal` is the sum of the normal forces, `friction` the length of the summed friction, `limit` the friction that
    all contacts could bear in one direction; `torque` is about `point`, the centre of pressure.
    """

    bodies: tuple[int, int]
    contacts: tuple[int, ...]
    force: Array
    torque: Array
    point: Array
    normal: float
    friction: float
    limit: float
    deepest: float

    @property
    def margin(self) -> float:
        """Friction that is left before all of it slides, N."""
        return max(self.limit - self.friction, 0.0)


def contacts_between(m: Bodies, d: Touching, first: int, second: int) -> list[int]:
    """The contacts of two bodies, either way round."""
    bodies = contact_bodies(m, d)
    same = ((bodies == (first, second)) | (bodies == (second, first))).all(axis=1)
    found: list[int] = np.flatnonzero(same).tolist()
    return found


def pair_force(m: Bodies, d: Touching, first: int, second: int) -> PairForce:
    """What the first body does to the second one through all contacts between them."""
    return summed_force(m, d, contacts_between(m, d, first, second), second)


def summed_force(m: Bodies, d: Touching, contacts: Sequence[int], onto: int) -> PairForce:
    """The sum over some contacts, each of which touches the body `onto`."""
    chosen, c = np.asarray(contacts, int), d.contact
    bodies = contact_bodies(m, d)[chosen]
    # the force of a contact acts on its second body
    sign = np.where(bodies[:, 1] == onto, 1.0, -1.0)[:, None]
    wrench = contact_forces(d)[chosen]
    frame = c.frame[chosen].reshape(-1, 3, 3)
    force, torque = (np.einsum("nij,ni->nj", frame, wrench[:, part]) * sign for part in (slice(3), slice(3, 6)))
    friction = np.einsum("nij,ni->nj", frame[:, 1:], wrench[:, 1:3]) * sign
    pressing = np.maximum(wrench[:, 0] + np.where(c.efc_address[chosen] >= 0, c.adhesion[chosen], 0.0), 0.0)
    weight = pressing if pressing.sum() > 0 else np.ones(len(chosen))
    position = c.pos[chosen]
    point = (position * weight[:, None]).sum(axis=0) / max(weight.sum(), 1e-300)
    others = bodies[bodies != onto]
    return PairForce(
        bodies=(int(others[0]) if len(others) else onto, onto),
        contacts=tuple(chosen.tolist()),
        force=force.sum(axis=0),
        torque=(torque + np.cross(position - point, force)).sum(axis=0),
        point=point,
        normal=float(wrench[:, 0].sum()),
        friction=float(np.linalg.norm(friction.sum(axis=0))),
        limit=float((np.where(c.dim[chosen] > 1, c.friction[chosen, 0], 0.0) * pressing).sum()),
        deepest=float(-c.dist[chosen].min(initial=0.0)),
    )
