"""Which contact and which constraint row of one engine is which of the other: their order and number may differ."""

from __future__ import annotations

from collections import defaultdict
from typing import Any, NamedTuple

import numpy as np

from sim import Data, Model
from sim.enums import CNSTR_CONTACT_FRICTIONLESS, CNSTR_LIMIT_JOINT, GEOM_CAPSULE, GEOM_SPHERE

# a contact or limit so near to the distance at which it begins, in lengths of the model, may be there or not
THRESHOLD = 1e-7
# weight of normals in the distance of two contacts, in lengths of the model
NORMALS = 0.1


class Side(NamedTuple):
    """One of the two engines: its model and its data."""

    m: Model
    d: Data


class Matched(NamedTuple):
    """Indices in ours and theirs, pair by pair; what has no partner; and what rounding decides, because it just begins
    to act or has no defined normal."""

    ours: list[int]
    theirs: list[int]
    only_ours: list[int]
    only_theirs: list[int]
    borderline: list[int]


def match_contacts(ours: Side, theirs: Side) -> Matched:
    """Contacts of the same geoms, the nearest to each other first."""
    extent = max(float(theirs.m.read("stat.extent")), 1e-3)
    first, second = _by_geoms(ours.d), _by_geoms(theirs.d)
    found = Matched([], [], [], [], [])
    for geoms in dict.fromkeys((*first, *second)):
        a, b = first.get(geoms, []), second.get(geoms, [])
        costs = _costs(ours.d, theirs.d, a, b, extent) if a and b else np.zeros((0, 0))
        taken: tuple[set[int], set[int]] = set(), set()
        for place in np.argsort(costs, axis=None, kind="stable").tolist():
            i, j = divmod(place, len(b))
            if i not in taken[0] and j not in taken[1]:
                taken[0].add(i)
                taken[1].add(j)
                if _any_normal(ours, theirs, a[i], b[j], extent):
                    found.borderline.append(a[i])
                    continue
                found.ours.append(a[i])
                found.theirs.append(b[j])
        for i, contact in enumerate(a):
            if i not in taken[0]:
                (found.borderline if _begins(ours.d, contact, extent) else found.only_ours).append(contact)
        for j, contact in enumerate(b):
            if j not in taken[1]:
                (found.borderline if _begins(theirs.d, contact, extent) else found.only_theirs).append(contact)
    return found


def _by_geoms(d: Data) -> dict[tuple[int, ...], list[int]]:
    """The contacts of each pair of geoms."""
    found: dict[tuple[int, ...], list[int]] = defaultdict(list)
    for contact, geoms in enumerate(np.asarray(d.read("contact.geom")).reshape(-1, 2).tolist()):
        found[tuple(sorted(geoms))].append(contact)
    return found


def _costs(ours: Data, theirs: Data, a: list[int], b: list[int], extent: float) -> Any:
    """How far each of the contacts `a` is from each of `b`."""

    def far(name: str, columns: int) -> Any:
        left, right = (np.asarray(d.read(name), float)[kept] for d, kept in ((ours, a), (theirs, b)))
        left, right = (values.reshape(len(values), 1, -1)[:, :, :columns] for values in (left, right))
        return np.linalg.norm(left - right.transpose(1, 0, 2), axis=2)

    return far("contact.pos", 3) + far("contact.dist", 1) + NORMALS * extent * far("contact.frame", 3)


def _any_normal(ours: Side, theirs: Side, i: int, j: int, extent: float) -> bool:
    """Whether the normals of a contact differ because none is defined: centres or axes of the geoms meet."""
    geoms = ours.d.read("contact.geom")[i]
    if not np.isin(ours.m.geom_type[geoms], (GEOM_SPHERE, GEOM_CAPSULE)).all():
        return False
    deepest = -float(ours.m.geom_size[geoms, 0].sum()) + THRESHOLD * extent
    both = ((ours.d, i), (theirs.d, j))
    first, second = (np.ravel(d.read("contact.frame")[place])[:3] for d, place in both)
    depths = (float(d.read("contact.dist")[place]) for d, place in both)
    return max(depths) < deepest and not np.allclose(first, second, atol=THRESHOLD)


def _begins(d: Data, contact: int, extent: float) -> bool:
    """Whether a contact is just where contacts begin."""
    return bool(abs(d.read("contact.dist")[contact] - d.read("contact.includemargin")[contact]) < THRESHOLD * extent)


def match_rows(ours: Side, theirs: Side, contacts: Matched) -> Matched:
    """Rows of the same element in order; those of contacts through the contacts."""
    first, second = _by_element(ours.d), _by_element(theirs.d)
    partner = dict(zip(contacts.ours, contacts.theirs, strict=True))
    found = Matched([], [], [], [], [])
    for key, rows in first.items():
        contact = key[0] >= CNSTR_CONTACT_FRICTIONLESS
        other = (key[0], partner.get(key[1], -1)) if contact else key
        others = second.get(other, [])
        # rows of a cone stand for its axes only if there are as many
        same = min(len(rows), len(others)) if not contact or len(rows) == len(others) else 0
        if same:
            second[other] = others[same:]
        found.ours.extend(rows[:same])
        found.theirs.extend(others[:same])
        for row in rows[same:]:
            (found.borderline if _starts(ours.d, row) else found.only_ours).append(row)
    for row in (row for rows in second.values() for row in rows):
        (found.borderline if _starts(theirs.d, row) else found.only_theirs).append(row)
    return found


def _by_element(d: Data) -> dict[tuple[int, int], list[int]]:
    """The rows of each element, by type of row and id."""
    found: dict[tuple[int, int], list[int]] = defaultdict(list)
    for row, key in enumerate(zip(d.read("efc_type").tolist(), d.read("efc_id").tolist(), strict=True)):
        found[key].append(row)
    return found


def _starts(d: Data, row: int) -> bool:
    """Whether a limit or contact is just where it begins to act."""
    near = abs(d.read("efc_pos")[row] - d.read("efc_margin")[row]) < THRESHOLD
    return bool(d.read("efc_type")[row] >= CNSTR_LIMIT_JOINT and near)
