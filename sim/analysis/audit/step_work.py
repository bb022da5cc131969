"""Work by source from one state to the next; all of it sums to the change of energy.

A step changes velocities by impulses at the configuration where it begins: M Δv = Σ p, where p = h f for a source with
force f, and has the implicit part of forces that the integrator takes at its end (implicit_terms.py). With the mean v̄
of the velocities before and after, kinetic energy at that configuration changes by exactly Σ v̄·p: this is the work of
a source, for any size of the step, also through an impact. What is left is the integrator's: what gravity and springs
do in that sense, against the change of potential energy; and the forces of velocities, against the change of M on
the way. It is of order h² in a step.
RK4 takes the mean of forces at four stages. The work of smooth forces is the same mean of v·f; that of constraints,
which may act like impacts, is v̄·p with the mean impulse. The integrator's part is what is left of the change of
energy: of order h⁵ where all is smooth.
Where forces leave something of M Δv, that is a source too: of trees that fall asleep, "sleep"; else "implicit
integration": derivatives by the velocity that no element has alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from sim.analysis.audit.instant import Energies, Instant, energies
from sim.analysis.audit.work_source import (
    CONSERVATIVE,
    CONSTRAINTS,
    FLUID,
    IMPLICIT,
    INTEGRATOR,
    RESIDUAL,
    YIELD,
    WorkSource,
)
from sim.analysis.force_sources import mul_symmetric
from sim.enums import INT_DISCRETE, INT_IMPLICITFAST, INT_RK4

if TYPE_CHECKING:
    from sim.model import Data, Model

# weights of the stages of RK4
WEIGHTS = (1 / 6, 1 / 3, 1 / 3, 1 / 6)
# what the force of a contact is split into
CONTACT_KINDS = ("contact", "friction", "moving surface")


@dataclass(eq=False)
class StepWork:
    """Work (J) and impulses (N s, N m s) of each source; `rounding` is what the sum lacked before it was closed."""

    before: Energies
    after: Energies
    work: dict[WorkSource, float] = field(default_factory=dict)
    impulse: dict[WorkSource, np.ndarray] = field(default_factory=dict)
    rounding: float = 0.0

    @property
    def size(self) -> float:
        """The scale of its work: kinetic energies, and work by absolute values."""
        return abs(self.before.kinetic) + abs(self.after.kinetic) + sum(map(abs, self.work.values()))

    def add(self, source: WorkSource, work: float, impulse: np.ndarray | None = None) -> None:
        """Add to a source."""
        self.work[source] = self.work.get(source, 0.0) + work
        if impulse is not None:
            self.impulse[source] = self.impulse.get(source, 0.0) + impulse

    def drop(self, source: WorkSource) -> None:
        """Leave a source out."""
        self.work.pop(source, None)
        self.impulse.pop(source, None)


def power(here: Instant) -> dict[WorkSource, float]:
    """The power of each source at a state, W; of gravity and springs too."""
    found = StepWork(here.energies, here.energies)
    _add_forces(here, 1.0, here.qvel, here.qvel, found)
    found.work.pop(WorkSource("velocity"), None)
    return found.work


def step_work(m: Model, before: Instant, after: Instant, later: Data, stages: Sequence[Instant] = ()) -> StepWork:
    """Work of one step; `later` is the Data of `after`, `stages` are those of RK4 but the first."""
    h, ends = before.timestep, after.energies
    mean = (before.qvel + after.qvel) / 2
    found, lost = StepWork(before.energies, ends), 0.0
    if m.nplastic and not np.array_equal(before.plastic, after.plastic):
        lost = ends.springs - _springs_at_rest(m, later, before.plastic)
        found.add(YIELD, lost)
    if before.integrator == INT_RK4:
        for weight, stage in zip(WEIGHTS, (before, *stages), strict=True):
            _add_forces(stage, weight * h, stage.qvel, mean, found)
        conservative = sum(found.work.pop(source) for source in [*found.work] if source.kind in CONSERVATIVE)
        left = 0.0
    else:
        _add_forces(before, h, mean, mean, found)
        if before.drop_residual:
            found.drop(RESIDUAL)
        _add_implicit(m, before, after, mean, found)
        conservative = sum(found.work.pop(source) for source in [*found.work] if source.kind in CONSERVATIVE)
        stored = ends.potential - lost - before.energies.potential
        left = conservative + stored + _inertia_change(m, before, after)
        found.add(INTEGRATOR, left)
    open_end = ends.total - before.energies.total - sum(found.work.values())
    found.add(INTEGRATOR, open_end)
    _add_drift(before, after, found)
    found.rounding = 0.0 if before.integrator == INT_RK4 else open_end
    return found


def jump(before: Energies, after: Energies, change: np.ndarray, source: WorkSource) -> StepWork:
    """The user changed the model or the state: all of the change is his."""
    return StepWork(before, after, {source: after.total - before.total}, {source: change})


def _add_forces(here: Instant, h: float, smooth: np.ndarray, hard: np.ndarray, found: StepWork) -> None:
    """Add work and impulses of forces for a time h, of smooth ones with one velocity, of constraints with another."""
    is_hard = np.array([source.kind in CONSTRAINTS for source in here.sources], bool)
    velocity = np.where(is_hard[here.source], hard[here.dof], smooth[here.dof]) if len(here.source) else np.zeros(0)
    work = h * np.bincount(here.source, here.force * velocity, len(here.sources))
    impulse = h * _wrenches(here, here.source, here.dof, here.force, len(here.sources))
    for k, source in enumerate(here.sources):
        found.add(source, float(work[k]), impulse[k])
    if here.rows is None:
        return
    friction, brought = here.rows.friction(hard)
    for k, pair in enumerate(here.rows.pairs):
        normal, friction_of, surface = (WorkSource(kind, "contact", pair) for kind in CONTACT_KINDS)
        # a contact whose forces are all zero is no source
        if normal in found.work:
            found.add(normal, -h * float(friction[k]))
            found.add(friction_of, h * float(friction[k] - brought[k]))
            if brought[k]:
                found.add(surface, h * float(brought[k]))


def _wrenches(here: Instant, source: np.ndarray, dof: np.ndarray, force: np.ndarray, count: int) -> np.ndarray:
    """Forces along the momenta, by source."""
    out = np.zeros((count, len(here.momenta)))
    if not len(here.frame.dofs) or not len(source):
        return out
    place = np.full(len(here.qvel), -1)
    place[here.frame.dofs] = np.arange(len(here.frame.dofs))
    at = place[dof]
    kept = at >= 0
    for c in range(out.shape[1]):
        out[:, c] = np.bincount(source[kept], force[kept] * here.frame.map[c, at[kept]], count)
    return out


def _add_implicit(m: Model, before: Instant, after: Instant, mean: np.ndarray, found: StepWork) -> None:
    """Add the implicit part of forces, by element; and what all of them leave of M Δv."""
    change, h = after.qvel - before.qvel, before.timestep
    left = mul_symmetric(m, before.inertia, change)
    forces = before.force
    if before.drop_residual and RESIDUAL in before.sources:
        forces = np.where(before.source == before.sources.index(RESIDUAL), 0.0, forces)
    lumped = IMPLICIT in before.sources
    if lumped:
        # force_sources has it in one piece
        forces = np.where(before.source == before.sources.index(IMPLICIT), 0.0, forces)
        found.drop(IMPLICIT)
    np.subtract.at(left, before.dof, h * forces)
    terms = before.terms
    both = zip((terms.dampers, terms.springs), terms.impulses(h, change, after.qvel), strict=True)
    way = terms.along(mean)
    for sources, impulse in both:
        along = impulse[terms.term] * terms.arm
        wrench = _wrenches(before, terms.term, terms.dof, along, len(sources))
        for k in np.flatnonzero(impulse).tolist():
            found.add(sources[k], float(impulse[k] * way[k]), wrench[k])
        np.subtract.at(left, terms.dof, along)
    left = np.where(before.awake, left, 0.0).astype(float)
    asleep = before.awake & ~after.awake
    for body in np.unique(before.tree_body[asleep]).tolist():
        of_tree = np.flatnonzero(asleep & (before.tree_body == body))
        _add_left(before, WorkSource("sleep", "body", (body,)), of_tree, left, mean, found)
    rest = np.flatnonzero(~asleep)
    fast = before.integrator in (INT_IMPLICITFAST, INT_DISCRETE)
    _add_left(before, FLUID if fast and before.has_fluid else IMPLICIT, rest, left, mean, found)


def _add_left(
    before: Instant, source: WorkSource, dofs: np.ndarray, left: np.ndarray, mean: np.ndarray, to: StepWork
) -> None:
    impulse = _wrenches(before, np.zeros(len(dofs), int), dofs, left[dofs], 1)[0]
    to.add(source, float(left[dofs] @ mean[dofs]), impulse)


def _inertia_change(m: Model, before: Instant, after: Instant) -> float:
    """The kinetic energy that the change of M gives to the velocity at the end."""
    return after.energies.kinetic - float(after.qvel @ mul_symmetric(m, before.inertia, after.qvel)) / 2


def _springs_at_rest(m: Model, later: Data, plastic: np.ndarray) -> float:
    """Energy of springs at the end of a step, if they had not yielded in it."""
    kept = np.array(later.plastic)
    later.plastic[:] = plastic
    try:
        return energies(m, later).springs
    finally:
        later.plastic[:] = kept


def _add_drift(before: Instant, after: Instant, found: StepWork) -> None:
    """What impulses leave of the change of momenta is the integrator's; forces of velocities have no part in it."""
    found.impulse.pop(WorkSource("velocity"), None)
    total = sum(found.impulse.values(), np.zeros(len(before.momenta)))
    found.add(INTEGRATOR, 0.0, after.momenta - before.momenta - total)
