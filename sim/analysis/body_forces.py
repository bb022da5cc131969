"""Forces that act on a body directly, each with its point: weight, contacts, applied forces, the mouse, equalities."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from sim.analysis.force_sources import Source
from sim.enums import DSBL_GRAVITY, EQ_CONNECT, EQ_WELD, OBJ_BODY, PERT_TRANSLATE
from sim.script.contact_force import contact_forces

if TYPE_CHECKING:
    from sim.model import Data, Model


class BodyForce(NamedTuple):
    """A force at a point, in world axes, and its source."""

    source: Source
    point: np.ndarray
    force: np.ndarray


def body_forces(m: Model, d: Data, body: int) -> list[BodyForce]:
    """The forces on a body; not those that its joints and tendons pass on."""
    found = [*_weight(m, d, body), *_contacts(m, d, body), *_applied(m, d, body), *_equalities(m, d, body)]
    return [part for part in found if part.force.any()]


def _weight(m: Model, d: Data, body: int) -> Iterator[BodyForce]:
    if not m.opt.disableflags & DSBL_GRAVITY:
        weight = m.body_mass[body] * m.opt.gravity
        yield BodyForce(Source("gravity"), d.xipos[body].copy(), weight)
        yield BodyForce(Source("gravity compensation"), d.xipos[body].copy(), -m.body_gravcomp[body] * weight)


def _contacts(m: Model, d: Data, body: int) -> Iterator[BodyForce]:
    if d.ncon == 0:
        return
    sides = m.geom_bodyid[d.contact.geom] == body
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
    """The forces of connects and welds at their anchors."""
    row = 0
    while row < d.ne:
        equality = int(d.efc_id[row])
        rows = {EQ_CONNECT: 3, EQ_WELD: 6}.get(int(m.eq_type[equality]), 1)
        if rows > 1:
            force = d.efc_force[row : row + 3].copy()
            for side, sign in ((0, 1.0), (1, -1.0)):
                owner, point = _anchor(m, d, equality, side)
                if owner == body:
                    yield BodyForce(Source("equality", "equality", equality), point, sign * force)
        row += rows


def _anchor(m: Model, d: Data, equality: int, side: int) -> tuple[int, np.ndarray]:
    """(body, point) of one side of a connect or weld."""
    index = int((m.eq_obj1id, m.eq_obj2id)[side][equality])
    if m.eq_objtype[equality] != OBJ_BODY:
        return int(m.site_bodyid[index]), d.site_xpos[index].copy()
    # eq_data has the anchors of bodies 1, 2 for connect, of bodies 2, 1 for weld
    first = 3 * (side if m.eq_type[equality] == EQ_CONNECT else 1 - side)
    return index, d.xpos[index] + d.xmat[index].reshape(3, 3) @ m.eq_data[equality, first : first + 3]
