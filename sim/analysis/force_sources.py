"""Generalized forces by source: gravity, springs, each actuator, each contact and so on; they sum to M qacc.

A source is a kind of force and, where there are several, its element. Forces are kept as entries (source, dof, force):
most act on a few dofs. What the sum of all forces leaves of M qacc is a source too: under the springdamper and discrete
integrators, whose qacc is that of the whole step, the change of springs, dampers and servos until its end; under all,
the solver's residual: it stops before M qacc is the sum of forces.
Trees that are asleep have no sources: nothing is computed for them, and they stay where they are.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from sim.analysis.arms import couplings, output_arms, tendon_arms
from sim.analysis.contact_state import contact_bodies
from sim.arguments import checked
from sim.callback import user_passive
from sim.enums import (
    CNSTR_CONTACT_ELLIPTIC,
    CNSTR_CONTACT_FRICTIONLESS,
    CNSTR_CONTACT_PYRAMIDAL,
    CNSTR_EQUALITY,
    CNSTR_FRICTION_DOF,
    CNSTR_FRICTION_TENDON,
    CNSTR_LIMIT_JOINT,
    CNSTR_LIMIT_TENDON,
    DSBL_ACTUATION,
    DSBL_DAMPER,
    DSBL_GRAVITY,
    DSBL_SPRING,
    INT_DISCRETE,
    INT_SPRINGDAMPER,
)
from sim.script.inertia import inertia_rows
from sim.script.jacobian import dofs_above
from sim.stages.smooth.inertia import damping_derivative
from sim.stages.smooth.passive import spring_derivative
from sim.stages.smooth.tendon import tendon_damper_force, tendon_spring_force

if TYPE_CHECKING:
    from sim.model import Data, Model

# kind of constraint row -> (kind of source, type of its element); the id of a friction row of a joint is a dof
CONSTRAINTS = {
    CNSTR_EQUALITY: ("equality", "equality"),
    CNSTR_FRICTION_DOF: ("joint friction", "joint"),
    CNSTR_FRICTION_TENDON: ("tendon friction", "tendon"),
    CNSTR_LIMIT_JOINT: ("joint limit", "joint"),
    CNSTR_LIMIT_TENDON: ("tendon limit", "tendon"),
    CNSTR_CONTACT_FRICTIONLESS: ("contact", "contact"),
    CNSTR_CONTACT_PYRAMIDAL: ("contact", "contact"),
    CNSTR_CONTACT_ELLIPTIC: ("contact", "contact"),
}
# what a source can be; "velocity": Coriolis and centrifugal forces, and gyroscopic ones
KINDS = (
    "gravity", "velocity", "joint spring", "joint damper", "tendon spring", "tendon damper", "fluid",
    "gravity compensation", "actuator", "actuator limit", "applied force", "mouse", "callback", "contact", "equality",
    "joint limit", "tendon limit", "joint friction", "tendon friction", "flex", "implicit integration", "residual",
)  # fmt: skip


class Source(NamedTuple):
    """A kind of KINDS; and a type of element with its index, unless there is only one such source."""

    kind: str
    element: str = ""
    id: int = -1


@dataclass(frozen=True)
class ForceSources:
    """Sources of the generalized forces of a moment, and their entries: force[i] of sources[source[i]] on dof[i]."""

    sources: tuple[Source, ...]
    source: np.ndarray
    dof: np.ndarray
    force: np.ndarray
    # d.qacc; zero for dofs that are asleep
    qacc: np.ndarray

    @cached_property
    def qfrc(self) -> np.ndarray:
        """All of it as an array: one row per source, one column per dof."""
        return self.projected(np.arange(len(self.qacc)))

    def projected(self, dofs: np.ndarray) -> np.ndarray:
        """The columns of `qfrc` of some dofs."""
        column = np.full(len(self.qacc), -1)
        column[dofs] = np.arange(len(dofs))
        here = column[self.dof]
        chosen = here >= 0
        out = np.zeros((len(self.sources), len(dofs)))
        np.add.at(out, (self.source[chosen], here[chosen]), self.force[chosen])
        return out


class _Entries:
    """Collects entries of sources."""

    def __init__(self, awake: np.ndarray) -> None:
        self._awake = awake
        self._index: dict[Source, int] = {}
        self._parts: list[tuple[np.ndarray, np.ndarray, np.ndarray]] = []

    def add(self, source: Source, dofs: np.ndarray | list[int], force: np.ndarray) -> None:
        """Add forces on some dofs to a source; without a force it is no source."""
        dofs = np.asarray(dofs, int)
        self.add_groups([source], np.zeros(len(dofs), int), dofs, force)

    def add_dense(self, source: Source, force: np.ndarray) -> None:
        """Add forces on all dofs to a source."""
        self.add(source, np.arange(len(force)), force)

    def add_groups(self, sources: list[Source], group: np.ndarray, dofs: np.ndarray, force: np.ndarray) -> None:
        """Add entries of many sources at once; `group` is an index into `sources`."""
        acts = (force != 0.0) & self._awake[dofs]
        group, dofs, force = group[acts], dofs[acts], force[acts]
        found = np.zeros(len(sources), int)
        for k in np.unique(group):
            found[k] = self._index.setdefault(sources[k], len(self._index))
        if len(group):
            self._parts.append((found[group], dofs, force))

    def finish(self, qacc: np.ndarray) -> ForceSources:
        """All of it, one entry for each source and dof."""
        columns = [np.concatenate(part) for part in zip(*self._parts, strict=True)]
        source, dof, force = columns or (np.zeros(0, int), np.zeros(0, int), np.zeros(0))
        keys, place = np.unique(source * max(len(qacc), 1) + dof, return_inverse=True)
        source, dof = np.divmod(keys, max(len(qacc), 1))
        return ForceSources(tuple(self._index), source, dof, np.bincount(place, force, len(keys)), qacc)


@checked
def force_sources(m: Model, d: Data) -> ForceSources:
    """The generalized forces of Data after `forward`, by source; their sum is M qacc."""
    awake = np.asarray(d.tree_awake, bool)[m.dof_treeid] if m.nv else np.zeros(0, bool)
    entries = _Entries(awake)
    _bias(m, d, entries)
    _passive(m, d, entries)
    _actuators(m, d, entries)
    _applied(m, d, entries)
    _constraints(m, d, entries)
    qacc = np.where(awake, d.qacc, 0.0)
    if m.opt.integrator == INT_SPRINGDAMPER:
        entries.add_dense(Source("implicit integration"), _implicit_force(m, d, qacc))
    elif m.opt.integrator == INT_DISCRETE:
        entries.add_dense(Source("implicit integration"), _discrete_force(m, d, entries.finish(qacc)))
    entries.add_dense(Source("residual"), _residual(m, d, entries.finish(qacc)))
    return entries.finish(qacc)


# ---------------------------------------------------------------- smooth forces


def gravity_force(m: Model, d: Data) -> np.ndarray:
    """Generalized force of gravity: the weight of the subtree of each dof, at its centre of mass."""
    if m.opt.disableflags & DSBL_GRAVITY:
        return np.zeros(m.nv)
    subtree = d.crb[m.dof_bodyid]
    weight = subtree[:, 9:] * m.opt.gravity
    torque = np.cross(subtree[:, 6:9], m.opt.gravity)
    force: np.ndarray = (d.cdof[:, :3] * torque + d.cdof[:, 3:] * weight).sum(axis=1)
    return force


def _bias(m: Model, d: Data, entries: _Entries) -> None:
    """Gravity, and what the bias force has beside it: forces that depend on velocities, if something moves."""
    gravity = gravity_force(m, d)
    entries.add_dense(Source("gravity"), gravity)
    if np.any(d.qvel):
        entries.add_dense(Source("velocity"), -d.qfrc_bias - gravity)


def _passive(m: Model, d: Data, entries: _Entries) -> None:
    """Springs, dampers, gravity compensation, fluid, adhesion and the user's forces."""
    spring, damper = d.qfrc_spring.copy(), d.qfrc_damper.copy()
    for t in range(m.ntendon):
        dofs, arms = tendon_arms(m, d, t)
        for kind, total, force in (
            ("spring", spring, tendon_spring_force(m, d, t)),
            ("damper", damper, tendon_damper_force(m, d, t)),
        ):
            if force != 0.0:
                entries.add(Source(f"tendon {kind}", "tendon", t), dofs, arms * force)
                total[dofs] -= arms * force
    _by_joint(m, "joint spring", _with_springs(m), spring, entries)
    if getattr(m, "nflex", 0):
        _flexes(m, spring, damper, entries)
    _by_joint(m, "joint damper", np.arange(m.njnt), np.where(d.qvel != 0.0, damper, 0.0), entries)
    entries.add_dense(Source("fluid"), d.qfrc_fluid)
    by_actuators = np.asarray(m.jnt_actgravcomp, bool)[m.dof_jntid] if m.nv else np.zeros(0, bool)
    entries.add_dense(Source("gravity compensation"), np.where(by_actuators, 0.0, d.qfrc_gravcomp))
    if d.qfrc_adhesion.any():
        _adhesion(m, d, entries)
    if user_passive.stand_in is not None:
        known = d.qfrc_spring + d.qfrc_damper + d.qfrc_fluid + d.qfrc_adhesion
        entries.add_dense(Source("callback"), d.qfrc_passive - known - np.where(by_actuators, 0.0, d.qfrc_gravcomp))


def _flexes(m: Model, spring: np.ndarray, damper: np.ndarray, entries: _Entries) -> None:
    """Elasticity of MuJoCo's flexes: the springs and dampers of dofs whose joints have none; they are taken off."""
    for part, has in ((spring, np.isin(m.dof_jntid, _with_springs(m))), (damper, m.dof_damping != 0.0)):
        entries.add_dense(Source("flex"), np.where(has, 0.0, part))
        part[~has] = 0.0


def _with_springs(m: Model) -> np.ndarray:
    return np.flatnonzero((m.jnt_stiffness != 0.0) | np.any(m.jnt_stiffnesspoly, axis=1))


def _by_joint(m: Model, kind: str, joints: Iterable[int], force: np.ndarray, entries: _Entries) -> None:
    """Forces on the dofs of joints, each joint as a source."""
    if not force.any():
        return
    sources = [Source(kind, "joint", j) for j in range(m.njnt)]
    chosen = np.isin(m.dof_jntid, np.asarray(joints))
    entries.add_groups(sources, m.dof_jntid, np.arange(m.nv), np.where(chosen, force, 0.0))


def _adhesion(m: Model, d: Data, entries: _Entries) -> None:
    """Adhesion is part of its contact."""
    bodies = contact_bodies(m, d)
    for c in np.flatnonzero(d.contact.adhesion):
        force = d.contact.frame[c, :3] * d.contact.adhesion[c]
        for body, sign in zip(bodies[c].tolist(), (1.0, -1.0), strict=True):
            if body < 0:
                continue
            _wrench(m, d, Source("contact", "contact", int(c)), body,
                    d.contact.pos[c], sign * force, np.zeros(3), entries)  # fmt: skip


def _wrench(
    m: Model, d: Data, source: Source, body: int, point: np.ndarray, force: np.ndarray, torque: np.ndarray, to: _Entries
) -> None:
    """A force and a torque at a point of a body."""
    chain = dofs_above(m, body)
    arm = point - d.subtree_com[m.body_rootid[body]]
    to.add(source, chain, d.cdof[chain, :3] @ (torque + np.cross(arm, force)) + d.cdof[chain, 3:] @ force)


def _actuators(m: Model, d: Data, entries: _Entries) -> None:
    """Each actuator, gravity compensation by actuators, and what the limits of joints take away from their sum."""
    if m.nactuator == 0 or m.opt.disableflags & DSBL_ACTUATION:
        return
    total = np.zeros(m.nv)
    for i in range(m.nactuator):
        source = Source("actuator", "actuator", i)
        for r in range(int(m.actuator_outadr[i]), int(m.actuator_outadr[i] + m.actuator_outnum[i])):
            dofs, arms = output_arms(d, r)
            force = arms * d.actuator_force[r]
            entries.add(source, dofs, force)
            np.add.at(total, dofs, force)
    if not m.opt.disableflags & DSBL_GRAVITY and m.opt.gravity.any() and m.nv:
        compensation = np.where(np.asarray(m.jnt_actgravcomp, bool)[m.dof_jntid], d.qfrc_gravcomp, 0.0)
        entries.add_dense(Source("gravity compensation"), compensation)
        total += compensation
    limited = np.flatnonzero(m.jnt_actfrclimited)
    lost = d.qfrc_actuator - total
    low, high = m.jnt_actfrcrange[m.dof_jntid].T if m.nv else (total, total)
    _by_joint(m, "actuator limit", limited, np.where((total < low) | (total > high), lost, 0.0), entries)


def _applied(m: Model, d: Data, entries: _Entries) -> None:
    """The user's forces on dofs and on bodies, and the mouse."""
    _by_joint(m, "applied force", range(m.njnt), d.qfrc_applied, entries)
    for body in np.flatnonzero(d.xfrc_applied.any(axis=1)).tolist():
        wrench = d.xfrc_applied[body]
        _wrench(m, d, Source("applied force", "body", body), body, d.xipos[body], wrench[:3], wrench[3:], entries)
    held = int(d.perturb.select)
    if d.perturb.active and 0 < held < m.nbody:
        wrench = d.perturb.xfrc
        _wrench(m, d, Source("mouse", "body", held), held, d.xipos[held], wrench[:3], wrench[3:], entries)


# ---------------------------------------------------------------- constraints, and the rest


def _constraints(m: Model, d: Data, entries: _Entries) -> None:
    """Jᵀ f of the rows of each contact, equality, limit and dry friction."""
    n = d.nefc
    if n == 0:
        return
    types, ids = d.efc_type[:n], d.efc_id[:n].copy()
    of_dofs = types == CNSTR_FRICTION_DOF
    ids[of_dofs] = m.dof_jntid[ids[of_dofs]]
    first = np.flatnonzero(np.r_[True, (types[1:] != types[:-1]) | (ids[1:] != ids[:-1])])
    sources = [Source(*CONSTRAINTS[int(types[r])], int(ids[r])) for r in first]
    group = np.repeat(np.arange(len(first)), np.diff(np.r_[first, n]))
    width = d.efc_J_rownnz[:n]
    count = int(width.sum())
    force = d.efc_J[:count] * np.repeat(d.efc_force[:n], width)
    entries.add_groups(sources, np.repeat(group, width), d.efc_J_colind[:count], force)


def _residual(m: Model, d: Data, found: ForceSources) -> np.ndarray:
    """What all forces leave of M qacc; in extended precision, since the inverse of M magnifies rounding."""
    left = mul_inertia(m, d, found.qacc)
    np.subtract.at(left, found.dof, found.force.astype(np.longdouble))
    return left.astype(float)


def _implicit_force(m: Model, d: Data, qacc: np.ndarray) -> np.ndarray:
    """Change of the forces of springs and dampers until the end of the step: -(h B + h² K) qacc - h K qvel."""
    h, dofs = m.opt.timestep, range(m.nv)
    damping = np.array([0.0 if m.opt.disableflags & DSBL_DAMPER else damping_derivative(m, d, v) for v in dofs])
    stiffness = np.array([0.0 if m.opt.disableflags & DSBL_SPRING else spring_derivative(m, d, v) for v in dofs])
    return -h * ((damping + h * stiffness) * qacc + stiffness * d.qvel)


def _discrete_force(m: Model, d: Data, found: ForceSources) -> np.ndarray:
    """The same under the discrete integrator: (M - M̂) qacc - h K qvel, see solver/metric.py.

    Dofs without a constraint have no residual: there it is all that the forces leave, with the gyroscopic forces of
    single bodies; and so it is everywhere in Data of MuJoCo, which does not tell M̂.
    """
    left = _residual(m, d, found)
    if not d.metric.M.any():
        return left
    qacc = found.qacc
    force = mul_inertia(m, d, qacc) - mul_inertia(m, d, qacc, d.metric.M) - d.metric.shift
    for factor, (dofs, arms) in couplings(m, d):
        force[dofs] -= factor * arms * (arms @ qacc[dofs])
    constrained = np.zeros(m.nv, bool)
    constrained[d.efc_J_colind[: int(d.efc_J_rownnz[: d.nefc].sum())]] = True
    return np.where(constrained, force.astype(float), left)


def mul_inertia(m: Model, d: Data, vector: np.ndarray, matrix: np.ndarray | None = None) -> np.ndarray:
    """M times a vector, in extended precision; or another matrix with the pattern of M."""
    return mul_symmetric(m, d.M if matrix is None else matrix, vector)


def mul_symmetric(m: Model, matrix: np.ndarray, vector: np.ndarray) -> np.ndarray:
    """A matrix with the pattern of M times a vector, in extended precision."""
    rows, columns = inertia_rows(m), m.M_colind
    entries, vector = matrix.astype(np.longdouble), vector.astype(np.longdouble)
    out = np.zeros(m.nv, np.longdouble)
    np.add.at(out, rows, entries * vector[columns])
    below = rows != columns
    np.add.at(out, columns[below], (entries * vector[rows])[below])
    return out
