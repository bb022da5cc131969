"""Contacts grouped by pairs of bodies: how many, the force between the bodies, the deepest of them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from app.instruments.contact.table import ContactTable
from sim.analysis.contact_state import OPEN, SLIP, SMOOTH, STICK

Array = NDArray[np.float64]

# the state of a pair is the first of these that one of its contacts has
TELLING = (SLIP, STICK, SMOOTH, OPEN)


@dataclass(frozen=True)
class ContactPairs:
    """Columns with one entry per pair; `members` are the contacts of each, `force` is the vector on the second body."""

    bodies: NDArray[np.int32]
    members: tuple[NDArray[np.int64], ...]
    count: NDArray[np.int64]
    distance: Array
    force: Array
    normal: Array
    slip: Array
    state: NDArray[np.object_]


def contact_pairs(table: ContactTable, contacts: NDArray[np.int64]) -> ContactPairs:
    """The pairs of bodies that some contacts of a table are between."""
    bodies = np.sort(table.bodies[contacts], axis=1)
    pairs, which = np.unique(bodies, axis=0, return_inverse=True)
    which, size = which.ravel(), len(pairs)
    # forces act on the second body of a contact, which may be the first one of the pair
    sign = np.where(table.bodies[contacts, 1] == bodies[:, 1], 1.0, -1.0)
    force, normal = np.zeros((size, 3)), np.zeros(size)
    np.add.at(force, which, table.force[contacts] * sign[:, None])
    np.add.at(normal, which, table.normal[contacts])
    distance, slip = np.full(size, np.inf), np.zeros(size)
    np.minimum.at(distance, which, table.distance[contacts])
    np.maximum.at(slip, which, table.slip[contacts])
    rank = np.full(size, len(TELLING) - 1)
    np.minimum.at(rank, which, [TELLING.index(state) for state in table.state[contacts]])
    count = np.bincount(which, minlength=size)
    members = np.split(contacts[np.argsort(which, kind="stable")], np.cumsum(count)[:-1]) if size else []
    state = np.array(TELLING, object)[rank]
    return ContactPairs(pairs, tuple(members), count, distance, force, normal, slip, state)
