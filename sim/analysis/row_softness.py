"""Reads the softness of a contact, a limit, an equality or dry friction from a model and its data."""

from __future__ import annotations

from math import inf
from typing import TYPE_CHECKING

import numpy as np

from sim.analysis.arms import row_arms
from sim.analysis.contact_mixing import mixing
from sim.analysis.contact_state import contact_bodies
from sim.analysis.softness import Softness, valid_solimp
from sim.arguments import checked
from sim.enums import (
    CNSTR_CONTACT_PYRAMIDAL,
    CNSTR_EQUALITY,
    CNSTR_FRICTION_DOF,
    CNSTR_FRICTION_TENDON,
    CNSTR_LIMIT_JOINT,
    CNSTR_LIMIT_TENDON,
    CONE_PYRAMIDAL,
    DSBL_REFSAFE,
    EQ_JOINT,
    JNT_SLIDE,
)
from sim.script.inertia import solve_m

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sim.model import Data, Model

CONTACT, JOINT_LIMIT, TENDON_LIMIT, EQUALITY = "contact", "joint limit", "tendon limit", "equality"
JOINT_FRICTION, TENDON_FRICTION = "joint friction", "tendon friction"
# kind -> the type of its rows, the fields of solref and solimp
ROWS = {
    JOINT_LIMIT: (CNSTR_LIMIT_JOINT, "jnt_solref", "jnt_solimp"),
    TENDON_LIMIT: (CNSTR_LIMIT_TENDON, "tendon_solref_lim", "tendon_solimp_lim"),
    EQUALITY: (CNSTR_EQUALITY, "eq_solref", "eq_solimp"),
    JOINT_FRICTION: (CNSTR_FRICTION_DOF, "dof_solref", "dof_solimp"),
    TENDON_FRICTION: (CNSTR_FRICTION_TENDON, "tendon_solref_fri", "tendon_solimp_fri"),
}
# no force, no mass
TINY = 1e-15


@checked
def contact_softness(m: Model, d: Data, contact: int) -> Softness:
    """Softness of a contact of d."""
    solimp = valid_solimp(d.contact.solimp[contact])
    solref = (float(d.contact.solref[contact, 0]), float(d.contact.solref[contact, 1]))
    margin = float(d.contact.includemargin[contact])
    depth = margin - float(d.contact.dist[contact])
    rows = contact_rows(d, contact)
    geoms = d.contact.geom[: d.ncon]
    same = (geoms == geoms[contact]).all(axis=1) & (d.contact.efc_address[: d.ncon] >= 0)
    together = max(int(same.sum()), 1)
    if not len(rows):
        mass = _geom_mass(m, int(geoms[contact, 0]), int(geoms[contact, 1]))
        return Softness(
            CONTACT, contact, solref, solimp, mass, *_options(m), depth=depth, margin=margin, inertia=mass,
            together=together, active=False,
        )  # fmt: skip
    # opposite edges of a pyramid cancel in all but the normal
    speed = -float(d.efc_vel[rows].mean())
    force = float(d.efc_force[rows].sum()) - float(d.contact.adhesion[contact])
    return Softness(
        CONTACT, contact, solref, solimp, _mass(d, rows), *_options(m), depth=depth, force=max(force, 0.0),
        speed=speed, acceleration=_acceleration(m, d, rows), margin=margin,
        inertia=_contact_inertia(m, d, contact, rows), together=together,
    )  # fmt: skip


def geoms_softness(m: Model, first: int, second: int) -> Softness:
    """Softness of a contact that two geoms would have."""
    found, mass = mixing(m, first, second), _geom_mass(m, first, second)
    return Softness(CONTACT, -1, found.solref, found.solimp, mass, *_options(m), inertia=mass, active=False)


def row_softness(m: Model, d: Data, kind: str, index: int) -> Softness:
    """Softness of a limit or of dry friction of a joint, dof or tendon, or of an equality; of its deepest row."""
    row_type, ref, imp = ROWS[kind]
    solref, solimp = getattr(m, ref)[index], valid_solimp(getattr(m, imp)[index])
    wanted = (float(solref[0]), float(solref[1]))
    bound, angular = _bound(m, kind, index), _angular(m, kind, index)
    rows = np.flatnonzero((d.efc_type[: d.nefc] == row_type) & (d.efc_id[: d.nefc] == index))
    if not len(rows):
        mass = _row_mass(m, kind, index)
        return Softness(
            kind, index, wanted, solimp, mass, *_options(m), inertia=mass, angular=angular, active=False, bound=bound
        )
    if kind == EQUALITY and len(rows) > 1:
        return _vector_equality(m, d, index, rows, Softness(kind, index, wanted, solimp, 1.0, *_options(m)))
    row = rows[np.argmin(d.efc_pos[rows])]
    # an equality pulls both ways: its depth is how far it is from where it should be
    sign = -1.0 if kind != EQUALITY or d.efc_pos[row] < 0.0 else 1.0
    speed, push = sign * float(d.efc_vel[row]), -sign * float(d.efc_force[row])
    depth = sign * float(d.efc_pos[row] - d.efc_margin[row])
    return Softness(
        kind, index, wanted, solimp, _mass(d, [row]), *_options(m), depth=depth,
        force=max(push, 0.0), speed=speed, acceleration=-sign * _acceleration(m, d, [row]),
        margin=float(d.efc_margin[row]), inertia=_inertia(m, d, [row]),
        angular=angular, bound=bound,
    )  # fmt: skip


def contact_rows(d: Data, contact: int) -> np.ndarray:
    """The rows that push along the normal: all edges of a pyramid, else the first."""
    first = int(d.contact.efc_address[contact])
    if first < 0:
        return np.arange(0)
    edged = d.efc_type[first] == CNSTR_CONTACT_PYRAMIDAL
    return np.arange(first, first + (2 * (int(d.contact.dim[contact]) - 1) if edged else 1))


def jacobian(m: Model, d: Data, rows: Sequence[int]) -> np.ndarray:
    """J of some rows, dense."""
    full = np.zeros((len(rows), m.nv))
    for out, row in zip(full, rows, strict=True):
        arms = row_arms(d, row)
        out[arms.dofs] = arms.values
    return full


def _vector_equality(m: Model, d: Data, index: int, rows: np.ndarray, found: Softness) -> Softness:
    """A connect or weld: the translation, along the force; the depth is the norm over all its rows."""
    three, depth = rows[:3], float(np.linalg.norm(d.efc_pos[rows]))
    force = float(np.linalg.norm(d.efc_force[three]))
    J = jacobian(m, d, three.tolist())
    # the force pulls back: outwards is along it
    along = d.efc_force[three] / force if force > TINY else np.full(3, 3**-0.5)
    a = float(along @ J @ solve_m(m, d, along @ J))
    mass = _mass(d, three[:1])
    return Softness(
        found.kind, index, found.solref, found.solimp, mass, found.timestep, found.refsafe, depth=depth, force=force,
        acceleration=float(along @ J @ d.qacc), inertia=1.0 / a if a > TINY else inf,
    )  # fmt: skip


def _options(m: Model) -> tuple[float, bool]:
    return float(m.opt.timestep), not m.opt.disableflags & DSBL_REFSAFE


def _mass(d: Data, rows: Sequence[int] | np.ndarray) -> float:
    """1 / efc_diagA of rows that push together."""
    return float((1.0 / np.maximum(np.asarray(d.efc_diagA)[np.asarray(rows)], TINY)).sum())


def _acceleration(m: Model, d: Data, rows: Sequence[int] | np.ndarray) -> float:
    """J qacc, the mean of rows that push together."""
    return float((jacobian(m, d, [int(row) for row in rows]) @ d.qacc).mean())


def _inertia(m: Model, d: Data, rows: Sequence[int]) -> float:
    """The mass that a row moves."""
    J = jacobian(m, d, rows)
    a = float((J @ solve_m(m, d, J).T).mean())
    return 1.0 / a if a > TINY else inf


def _contact_inertia(m: Model, d: Data, contact: int, rows: np.ndarray) -> float:
    """The mass that a contact moves: its part of it, by the present forces of the contacts of the same bodies."""
    bodies = np.sort(contact_bodies(m, d)[: d.ncon], axis=1)
    mates = np.flatnonzero((bodies == bodies[contact]).all(axis=1) & (d.contact.efc_address[: d.ncon] >= 0))
    force = float(d.efc_force[rows].sum())
    if force <= TINY:
        mates, force = np.array([contact]), 1.0
    normal = jacobian(m, d, rows.tolist()).mean(axis=0)
    pushed = np.zeros(m.nv)
    for mate in mates.tolist():
        own = contact_rows(d, mate)
        pushed += jacobian(m, d, own.tolist()).mean(axis=0) * (d.efc_force[own].sum() if len(mates) > 1 else force)
    moved = float(normal @ solve_m(m, d, pushed)) / force
    return 1.0 / moved if moved > TINY else inf


def _geom_mass(m: Model, first: int, second: int) -> float:
    """1 / efc_diagA of a contact of two geoms, all edges together."""
    weight = float(m.body_invweight0[m.geom_bodyid[[first, second]], 0].sum())
    found = mixing(m, first, second)
    mass = 1.0 / max(weight, TINY)
    if m.opt.cone != CONE_PYRAMIDAL or found.condim == 1:
        return mass
    square = found.friction**2
    # 2 (condim - 1) edges with 2 μ² R each, where μ² is scaled by impratio and efc_diagA has 1 + μ²
    return mass * (found.condim - 1) * max(float(m.opt.impratio), TINY) / (square * (1.0 + square))


def _row_mass(m: Model, kind: str, index: int) -> float:
    """1 / efc_diagA of a row that is not there now."""
    weights = {
        JOINT_LIMIT: lambda: m.dof_invweight0[m.jnt_dofadr[index]],
        JOINT_FRICTION: lambda: m.dof_invweight0[index],
        TENDON_LIMIT: lambda: m.tendon_invweight0[index],
        TENDON_FRICTION: lambda: m.tendon_invweight0[index],
        EQUALITY: lambda: 1.0,
    }
    return 1.0 / max(float(weights[kind]()), TINY)


def _bound(m: Model, kind: str, index: int) -> float:
    """The largest force of dry friction; others have no bound."""
    if kind == JOINT_FRICTION:
        return float(m.dof_frictionloss[index])
    return float(m.tendon_frictionloss[index]) if kind == TENDON_FRICTION else inf


def _angular(m: Model, kind: str, index: int) -> bool:
    """Whether the row turns something, rather than moving it."""
    if kind in (JOINT_LIMIT, JOINT_FRICTION):
        return bool(m.jnt_type[index if kind == JOINT_LIMIT else m.dof_jntid[index]] != JNT_SLIDE)
    if kind == EQUALITY and m.eq_type[index] == EQ_JOINT:
        return bool(m.jnt_type[m.eq_obj1id[index]] != JNT_SLIDE)
    return False
