"""What the audit keeps of a state: energies, momenta, and forces by source."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from sim.analysis.audit.implicit_terms import Terms, from_forces, implicit_terms
from sim.analysis.audit.momentum import Charge, Frame, frame
from sim.analysis.audit.work_source import WorkSource
from sim.analysis.energy import gravity_energy, kinetic_energy, spring_energy
from sim.analysis.force_sources import Source, force_sources, mul_inertia
from sim.enums import CNSTR_CONTACT_ELLIPTIC, CNSTR_CONTACT_PYRAMIDAL

if TYPE_CHECKING:
    from sim.model import Data, Model


@dataclass(frozen=True)
class Energies:
    """Kinetic energy, and potential energy of gravity and of springs, J."""

    kinetic: float = 0.0
    gravity: float = 0.0
    springs: float = 0.0

    @property
    def potential(self) -> float:
        """Of gravity and springs."""
        return self.gravity + self.springs

    @property
    def total(self) -> float:
        """All of it."""
        return self.kinetic + self.gravity + self.springs


@dataclass(frozen=True, eq=False)
class ContactRows:
    """Constraint rows of contacts with friction: entries of J, forces, and velocities of moving surfaces."""

    # the geoms of each contact
    pairs: tuple[tuple[int, ...], ...]
    # one for each row: the contact among `pairs`; its force; the velocity of a moving surface along it
    contact: np.ndarray
    force: np.ndarray
    surface: np.ndarray
    # of two rows of a pyramid the other one, of an elliptic cone's normal row itself; -1: a friction row of its own
    other: np.ndarray
    # entries of J
    row: np.ndarray
    dof: np.ndarray
    value: np.ndarray

    def friction(self, velocity: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Power of friction of each contact by the velocities of dofs, and of that what moving surfaces bring."""
        speed = np.bincount(self.row, self.value * velocity[self.dof], len(self.force))
        n, paired = len(self.pairs), self.other >= 0
        other = np.maximum(self.other, 0)
        power, brought = self.force * speed, -self.force * self.surface
        # along the edges of a pyramid, normal and tangential velocity are v_n ± μ v_t
        power = np.where(paired, self.force * (speed - speed[other]) / 2, power)
        brought = np.where(paired, -self.force * (self.surface - self.surface[other]) / 2, brought)
        return np.bincount(self.contact, power, n), np.bincount(self.contact, brought, n)


@dataclass(frozen=True, eq=False)
class Instant:
    """A state after `forward`: pure numbers, so that Data can go on."""

    time: float
    timestep: float
    integrator: int
    qvel: np.ndarray
    plastic: np.ndarray
    energies: Energies
    # entries (source, dof, force); their sum is M qacc
    sources: tuple[WorkSource, ...]
    source: np.ndarray
    dof: np.ndarray
    force: np.ndarray
    rows: ContactRows | None
    terms: Terms
    # the solver's residual has no part in the step
    drop_residual: bool
    has_fluid: bool
    awake: np.ndarray
    # root bodies of trees by dof
    tree_body: np.ndarray
    # M, as it is stored; and its product with qvel in the metric of momenta
    inertia: np.ndarray
    frame: Frame
    momenta: np.ndarray

    @property
    def scale(self) -> np.ndarray:
        """The largest momenta that the kinetic energy allows, linear and angular."""
        return np.sqrt(2 * self.energies.kinetic * np.array([self.frame.mass, self.frame.inertia]))


def instant(m: Model, d: Data, trees: list[int], charges: list[Charge]) -> Instant:
    """Of Data after `forward`; momenta are those of some trees."""
    found = force_sources(m, d)
    awake = np.asarray(d.tree_awake, bool)
    of_dofs = awake[m.dof_treeid] if m.nv else np.zeros(0, bool)
    terms = implicit_terms(m, d)
    here = frame(m, d, trees, charges)
    momentum = mul_inertia(m, d, d.qvel).astype(float)
    tree_body = m.dof_bodyid[m.tree_dofadr] if m.ntree else np.zeros(0, int)
    return Instant(
        float(d.time), float(m.opt.timestep), int(m.opt.integrator), d.qvel.copy(), np.array(d.plastic), energies(m, d),
        work_sources(d, found.sources), found.source, found.dof, found.force,
        _contact_rows(m, d), terms, from_forces(m, terms), m.opt.density > 0 or m.opt.viscosity > 0, of_dofs,
        tree_body[m.dof_treeid] if m.nv else np.zeros(0, int), d.M.copy(), here, here.map @ momentum[here.dofs],
    )  # fmt: skip


def energies(m: Model, d: Data) -> Energies:
    """Of Data after `forward`."""
    return Energies(kinetic_energy(m, d), gravity_energy(m, d), spring_energy(m, d))


def work_sources(d: Data, sources: Sequence[Source]) -> tuple[WorkSource, ...]:
    """Sources of force as those of work."""
    geoms = d.contact.geom.tolist() if d.ncon else []
    return tuple(
        WorkSource("contact", "contact", tuple(geoms[source.id]))
        if source.kind == "contact"
        else WorkSource(source.kind, source.element, (source.id,) if source.element else ())
        for source in sources
    )


def _contact_rows(m: Model, d: Data) -> ContactRows | None:
    """The rows of contacts that have friction."""
    n = int(d.nefc)
    types = d.efc_type[:n]
    chosen = np.flatnonzero((types == CNSTR_CONTACT_PYRAMIDAL) | (types == CNSTR_CONTACT_ELLIPTIC))
    if not len(chosen):
        return None
    ids = d.efc_id[chosen]
    first = np.flatnonzero(np.r_[True, ids[1:] != ids[:-1]])
    contact = np.repeat(np.arange(len(first)), np.diff(np.r_[first, len(ids)]))
    place = np.arange(len(ids)) - first[contact]
    pyramid = types[chosen] == CNSTR_CONTACT_PYRAMIDAL
    here = np.arange(len(ids))
    other = np.where(pyramid, here + 1 - 2 * (place % 2), np.where(place == 0, here, -1))
    pairs = tuple(tuple(pair) for pair in d.contact.geom[ids[first]].tolist())
    number = np.full(n, -1)
    number[chosen] = here
    width = d.efc_J_rownnz[:n]
    count = int(width.sum())
    row = number[np.repeat(np.arange(n), width)]
    kept = row >= 0
    return ContactRows(
        pairs, contact, d.efc_force[chosen], _surface_speeds(m, d, ids, place, pyramid), other,
        row[kept], d.efc_J_colind[:count][kept], d.efc_J[:count][kept],
    )  # fmt: skip


def _surface_speeds(m: Model, d: Data, ids: np.ndarray, place: np.ndarray, pyramid: np.ndarray) -> np.ndarray:
    """How fast moving surfaces go along each row: in both tangents, and about the normal."""
    speeds = np.zeros(len(ids))
    if not getattr(m, "flg_surfacevel", False):
        return speeds
    direction = np.where(pyramid, place // 2, place - 1)
    moves = (direction >= 0) & (direction < 3)
    at = ids[moves], direction[moves]
    sign = np.where(place[moves] % 2, -1.0, 1.0) * d.contact.friction[at]
    speeds[moves] = d.contact.surfacevel[at] * np.where(pyramid[moves], sign, 1.0)
    return speeds
