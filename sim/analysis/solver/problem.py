"""The problem that the constraint solver has with an island: its rows and dofs, cost, forces and gradient.

cost(a) = ½ (a - a₀)ᵀ M (a - a₀) + Σ s(J a - aref), with a₀ = qacc_smooth, and -ds/dx the force of a row: see
sim/stages/solver/primal.py, which has the same formulas as native code. Here they are plain numpy, for whole arrays of
accelerations at once, so that each can check the other.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from sim.analysis.arms import couplings
from sim.enums import (
    CNSTR_CONTACT_ELLIPTIC,
    CNSTR_EQUALITY,
    CNSTR_FRICTION_DOF,
    CNSTR_FRICTION_TENDON,
    CNSTRSTATE_CONE,
    CNSTRSTATE_LINEARNEG,
    CNSTRSTATE_LINEARPOS,
    CNSTRSTATE_QUADRATIC,
    CNSTRSTATE_SATISFIED,
    MINVAL,
)
from sim.script.inertia import inertia_rows
from sim.stages.constraint.row import is_discrete

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

    from sim.model import Data, Model

Array = NDArray[np.float64]
Ints = NDArray[np.int64]

# the island of a problem that has all rows
WHOLE = -1


@dataclass(frozen=True, eq=False)
class Cones:
    """Contacts with elliptic cones of one dimension: their rows (contacts, dim), and friction."""

    rows: Ints
    mu: Array
    # what makes the cones circular, (contacts, dim): mu itself for the normal
    scale: Array

    def point(self, x: Array) -> tuple[Array, Array]:
        """(N, T) of each contact: along its normal and across, as the cone sees them."""
        u = x[self.rows] * _spread(self.scale, x)
        return u[:, 0], np.sqrt((u[:, 1:] ** 2).sum(axis=1))

    def zone(self, x: Array) -> NDArray[np.int8]:
        """The state of each contact."""
        normal, tangent = self.point(x)
        mu = _spread(self.mu, x)
        zone = np.full(normal.shape, CNSTRSTATE_CONE, np.int8)
        zone[mu * normal + tangent <= 0] = CNSTRSTATE_QUADRATIC
        zone[normal >= mu * tangent] = CNSTRSTATE_SATISFIED
        return zone

    def stiffness(self, D: Array) -> Array:
        """Dm of each contact."""
        square = self.mu**2
        found: Array = D[self.rows[:, 0]] / (square * (1 + square))
        return found


@dataclass(frozen=True, eq=False)
class Problem:
    """What the solver solves together: rows of efc_* and dofs, with J and M of these."""

    island: int
    rows: Ints
    dofs: Ints
    J: csr_matrix
    M: csr_matrix
    # M of A = J M⁻¹ Jᵀ: of the terms that couple dofs in the effective metric only the diagonal
    factored: csr_matrix
    # M a₀ and a₀; where terms couple dofs, a₀ is as exact as the tolerance asks for
    smooth: Array
    acc_smooth: Array
    aref: Array
    D: Array
    R: Array
    floss: Array
    # types of the rows, and what each comes from
    types: Ints
    ids: Ints
    cones: tuple[Cones, ...]
    # of costs and gradients: 1 / trace M
    scale: float

    @property
    def two_sided(self) -> NDArray[np.bool_]:
        """Which rows are equalities."""
        return np.asarray(self.types == CNSTR_EQUALITY)

    @property
    def dry(self) -> NDArray[np.bool_]:
        """Which rows are dry friction."""
        return np.isin(self.types, (CNSTR_FRICTION_DOF, CNSTR_FRICTION_TENDON))

    @property
    def one_sided(self) -> NDArray[np.bool_]:
        """Which rows only push, and are not part of an elliptic cone."""
        return ~self.two_sided & ~self.dry & (self.types != CNSTR_CONTACT_ELLIPTIC)

    @property
    def b(self) -> Array:
        """J a₀ - aref: what each row lacks without constraint forces."""
        return self.residual(self.acc_smooth)

    # ---- as a function of the acceleration

    def residual(self, acc: Array) -> Array:
        """J a - aref; for columns of accelerations too, here and below."""
        found: Array = self.J @ acc - _spread(self.aref, acc)
        return found

    def inertial_cost(self, acc: Array) -> Array:
        """½ (a - a₀)ᵀ (M a - M a₀), with the second factor as the solver has it"""
        away, push = acc - _spread(self.acc_smooth, acc), self.M @ acc - _spread(self.smooth, acc)
        return 0.5 * np.asarray((away * push).sum(axis=0))

    def row_cost(self, x: Array) -> Array:
        """Σ s(x), with x = J a - aref"""
        D, one, dry = _spread(self.D, x), self.one_sided, self.dry
        cost = 0.5 * (D * x * x)[self.two_sided].sum(axis=0)
        cost = cost + 0.5 * (D * np.minimum(x, 0.0) ** 2)[one].sum(axis=0)
        if dry.any():
            limit, bound = (_spread(part[dry], x) for part in (self.floss, self.R * self.floss))
            beyond = limit * (np.abs(x[dry]) - 0.5 * bound)
            cost = cost + np.where(np.abs(x[dry]) < bound, 0.5 * D[dry] * x[dry] ** 2, beyond).sum(axis=0)
        for cones in self.cones:
            (normal, tangent), zone = cones.point(x), cones.zone(x)
            full = 0.5 * (D[cones.rows] * x[cones.rows] ** 2).sum(axis=1)
            part = 0.5 * _spread(cones.stiffness(self.D), x) * (normal - _spread(cones.mu, x) * tangent) ** 2
            both = np.where(zone == CNSTRSTATE_QUADRATIC, full, part)
            cost = cost + np.where(zone == CNSTRSTATE_SATISFIED, 0.0, both).sum(axis=0)
        return np.asarray(cost)

    def forces(self, x: Array) -> tuple[Array, NDArray[np.int8]]:
        """(forces, states) of the rows at x = J a - aref, of one acceleration"""
        force, state = -self.D * x, np.full(len(x), CNSTRSTATE_QUADRATIC, np.int8)
        lets_go = self.one_sided & ~(x < 0)
        force[lets_go], state[lets_go] = 0.0, CNSTRSTATE_SATISFIED
        bound = self.R * self.floss
        for beyond, sign, name in (
            (self.dry & (x <= -bound), 1, CNSTRSTATE_LINEARNEG),
            (self.dry & (x >= bound), -1, CNSTRSTATE_LINEARPOS),
        ):
            force[beyond], state[beyond] = sign * self.floss[beyond], name
        for cones in self.cones:
            zone, (normal, tangent) = cones.zone(x), cones.point(x)
            state[cones.rows] = zone[:, None]
            force[cones.rows[zone == CNSTRSTATE_SATISFIED]] = 0.0
            middle = np.flatnonzero(zone == CNSTRSTATE_CONE)
            pull = (cones.stiffness(self.D) * (normal - cones.mu * tangent))[middle]
            slope = cone_slope(cones, middle, x)
            force[cones.rows[middle]] = -pull[:, None] * slope * cones.scale[middle]
        return force, state

    def gradient(self, acc: Array) -> Array:
        """M a - qfrc_smooth - Jᵀ force of one acceleration, by dof"""
        found: Array = self.M @ acc - self.smooth - self.J.T @ self.forces(self.residual(acc))[0]
        return found

    # ---- as a function of forces

    def dual_cost(self, force: Array, acc: Array, regularized: bool = True) -> float:
        """½ fᵀ (A + R) f + bᵀ f, A = J M⁻¹ Jᵀ, where `acc` is a₀ + M⁻¹ Jᵀ f; noslip drops R."""
        push = float((self.J.T @ force) @ (acc - self.acc_smooth))
        return 0.5 * push + 0.5 * regularized * float(self.R @ force**2) + float(self.b @ force)


def cone_slope(cones: Cones, which: Ints, x: Array) -> Array:
    """Derivatives of N - μT of some contacts by their scaled rows."""
    u = x[cones.rows[which]] * cones.scale[which]
    slope = -cones.mu[which][:, None] * u / np.linalg.norm(u[:, 1:], axis=1)[:, None]
    slope[:, 0] = 1.0
    return np.asarray(slope)


def _spread(values: Array, like: Array) -> Array:
    """Values of rows, for a column or columns of numbers."""
    return values[..., None] if like.ndim > 1 else values


# ---------------------------------------------------------------- from Model and Data


def blocks_of(m: Model, d: Data) -> list[int]:
    """The islands that are solved by themselves; WHOLE if all rows are solved together, none without rows."""
    if not d.nefc:
        return []
    return np.flatnonzero(d.island_nefc[: d.nisland] > 0).tolist() if d.nisland else [WHOLE]


def problem_of(m: Model, d: Data, island: int = WHOLE) -> Problem:
    """The problem of an island, or of all that is awake, of a state that was forwarded.

    ValueError for the discrete integrator of an engine that does not report its metric.
    """
    if is_discrete(m) and m.nv and not d.metric.M.any():
        raise ValueError(f"{m.engine.ENGINE} does not report the metric of the discrete integrator: choose another one")
    rows, dofs = rows_of(d, island), dofs_of(d, island)
    columns = np.full(m.nv, -1)
    columns[dofs] = np.arange(len(dofs))
    M, factored = _metric(m, d, columns, _inertia(m, d, columns, len(dofs)))
    trace = float(np.asarray(d.M)[(np.asarray(m.M_rowadr) + m.M_rownnz - 1)[dofs]].sum())
    smooth = d.qfrc_smooth[dofs] - (d.metric.shift[dofs] if is_discrete(m) else 0.0)
    return Problem(
        island=island,
        rows=rows,
        dofs=dofs,
        J=_jacobian(d, rows, columns, len(dofs)),
        M=M,
        factored=factored,
        smooth=smooth,
        acc_smooth=np.array(d.qacc_smooth[dofs]),
        aref=np.array(d.efc_aref[rows]),
        D=np.array(d.efc_D[rows]),
        R=np.array(d.efc_R[rows]),
        floss=np.array(d.efc_frictionloss[rows]),
        types=np.array(d.efc_type[rows], np.int64),
        ids=np.array(d.efc_id[rows], np.int64),
        cones=tuple(_cones(d, rows)),
        scale=1.0 / max(trace, MINVAL),
    )


def rows_of(d: Data, island: int) -> Ints:
    """The constraint rows of an island, or all."""
    if island == WHOLE:
        return np.arange(int(d.nefc))
    return np.flatnonzero(np.asarray(d.efc_island[: d.nefc]) == island)


def dofs_of(d: Data, island: int) -> Ints:
    """The dofs of an island, or all that are awake."""
    if island == WHOLE:
        return np.array(d.dof_awake_ind[: d.nv_awake], np.int64)
    return np.flatnonzero(np.asarray(d.dof_island) == island)


def _jacobian(d: Data, rows: Ints, columns: Ints, width: int) -> csr_matrix:
    """J of some rows, sparse, in columns of its own."""
    from scipy.sparse import csr_matrix

    counts = np.asarray(d.efc_J_rownnz)[rows].astype(np.int64)
    ends = np.cumsum(counts)
    # places of all entries, row by row
    places = np.arange(int(ends[-1]) if len(ends) else 0) + np.repeat(d.efc_J_rowadr[rows] - (ends - counts), counts)
    values, column = np.asarray(d.efc_J)[places], columns[np.asarray(d.efc_J_colind)[places]]
    kept = (column >= 0) & (values != 0.0)
    where = np.repeat(np.arange(len(rows)), counts)[kept]
    return csr_matrix((values[kept], (where, column[kept])), shape=(len(rows), width))


def _inertia(m: Model, d: Data, columns: Ints, width: int) -> csr_matrix:
    """The inertia matrix of some dofs, or the effective metric in its pattern; both triangles."""
    row = columns[inertia_rows(m)]
    column = columns[np.asarray(m.M_colind)[: len(row)]]
    values = np.asarray(d.metric.M if is_discrete(m) else d.M)[: len(row)]
    kept = (row >= 0) & (column >= 0)
    row, column, values = row[kept], column[kept], values[kept]
    off = row != column
    parts = [(values, row, column), (values[off], column[off], row[off])]
    return _matrix(parts, width)


def _metric(m: Model, d: Data, columns: Ints, own: csr_matrix) -> tuple[csr_matrix, csr_matrix]:
    """(with terms that couple dofs, with the diagonal of these, which is what the solver has a factor of)"""
    from scipy.sparse import diags

    terms = couplings(m, d) if is_discrete(m) and d.metric.ncouple else ()
    # the dofs of a term are in one block, all of them
    own_terms = [(s, columns[dofs], arms) for s, (dofs, arms) in terms if columns[dofs[0]] >= 0]
    parts = [(s * np.outer(arms, arms).ravel(), *_pairs(dofs)) for s, dofs, arms in own_terms]
    if not parts:
        return own, own
    extra = np.asarray(d.metric.extra)[columns >= 0]
    return own + _matrix(parts, len(extra)), own + diags(extra, format="csr")


def _matrix(parts: list[tuple[Array, Ints, Ints]], width: int) -> csr_matrix:
    """A matrix from its entries, rows and columns; what is at the same place adds up."""
    from scipy.sparse import csr_matrix

    entries, first, second = (np.concatenate(part) for part in zip(*parts, strict=True))
    return csr_matrix((entries, (first, second)), shape=(width, width))


def _pairs(dofs: Ints) -> tuple[Ints, Ints]:
    first, second = np.meshgrid(dofs, dofs, indexing="ij")
    return first.ravel(), second.ravel()


def _cones(d: Data, rows: Ints) -> Iterator[Cones]:
    """The contacts with elliptic cones among some rows, those of one dimension together."""
    elliptic = np.flatnonzero(np.asarray(d.efc_type)[rows] == CNSTR_CONTACT_ELLIPTIC)
    contacts, first = np.unique(np.asarray(d.efc_id)[rows[elliptic]], return_index=True)
    contact: Any = d.contact
    dims = np.asarray(contact.dim)[contacts]
    for dim in np.unique(dims).tolist():
        chosen = contacts[dims == dim]
        mu = np.array(contact.mu[chosen])
        scale = np.column_stack([mu, np.asarray(contact.friction)[chosen, : dim - 1]])
        yield Cones(elliptic[first[dims == dim]][:, None] + np.arange(dim), mu, scale)
