"""Forces that an integrator takes at the end of the step: how those of each element change with the velocity.

Along the moment arms j of an element, its force at the end of the step is f - b j·Δv - h k j·v', where v' is the
velocity at the end and Δv its change. Euler takes joint dampers so (b); implicit and implicitfast dampers of joints and
tendons, and actuators (b); springdamper dampers and springs of joints (b, k); discrete all of these (b, k), where they
are positive. What these integrators do beside is in the source "implicit integration".
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from sim.analysis.arms import output_arms, tendon_arms
from sim.analysis.audit.work_source import WorkSource
from sim.enums import (
    DSBL_ACTUATION,
    DSBL_DAMPER,
    DSBL_EULERDAMP,
    DSBL_SPRING,
    INT_DISCRETE,
    INT_EULER,
    INT_IMPLICIT,
    INT_IMPLICITFAST,
    INT_RK4,
    INT_SPRINGDAMPER,
    SOL_PGS,
)
from sim.stages.actuation.activation import is_disabled
from sim.stages.derivative.actuator import at_limit, force_derivative, target_at_limit
from sim.stages.derivative.smooth import tendon_damping_derivative
from sim.stages.sleep.awake import actuator_sleeps, tendon_sleeps
from sim.stages.smooth.inertia import damping_derivative
from sim.stages.smooth.passive import spring_derivative, spring_slope
from sim.stages.solver.metric import actuator_stiffness, tendon_stiffness

if TYPE_CHECKING:
    from sim.model import Data, Model


class Term(NamedTuple):
    """Damping and stiffness along moment arms, of a damper and a spring."""

    damper: WorkSource
    spring: WorkSource
    dofs: np.ndarray
    arms: np.ndarray
    damping: float
    stiffness: float


@dataclass(frozen=True, eq=False)
class Terms:
    """All terms; entries (term, dof, arm)."""

    dampers: tuple[WorkSource, ...]
    springs: tuple[WorkSource, ...]
    damping: np.ndarray
    stiffness: np.ndarray
    term: np.ndarray
    dof: np.ndarray
    arm: np.ndarray

    def along(self, velocity: np.ndarray) -> np.ndarray:
        """The velocity of each term."""
        return np.bincount(self.term, self.arm * velocity[self.dof], len(self.damping))

    def impulses(self, h: float, change: np.ndarray, end: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Of dampers and springs, beyond their forces at the start: by the change of qvel, and by qvel at the end."""
        return -h * self.damping * self.along(change), -h * h * self.stiffness * self.along(end)


def implicit_terms(m: Model, d: Data) -> Terms:
    """The terms of all elements that are awake, in Data after `forward`."""
    integrator, off = m.opt.integrator, m.opt.disableflags
    terms: list[Term] = []
    if integrator != INT_RK4 and not (integrator == INT_EULER and off & DSBL_EULERDAMP):
        terms += _joints(m, d)
        if integrator in (INT_IMPLICIT, INT_IMPLICITFAST) or (integrator == INT_DISCRETE and m.opt.solver != SOL_PGS):
            terms += [*_tendons(m, d), *([] if off & DSBL_ACTUATION else _actuators(m, d))]
    width = [len(term.dofs) for term in terms]
    return Terms(
        tuple(term.damper for term in terms),
        tuple(term.spring for term in terms),
        np.array([term.damping for term in terms]),
        np.array([term.stiffness for term in terms]),
        np.repeat(np.arange(len(terms)), width),
        np.concatenate([term.dofs for term in terms] or [np.zeros(0, int)]).astype(int),
        np.concatenate([term.arms for term in terms] or [np.zeros(0)]),
    )


def from_forces(m: Model, terms: Terms) -> bool:
    """Whether the step solves for its acceleration from forces; the solver's residual then has no part in it."""
    return m.opt.integrator in (INT_IMPLICIT, INT_IMPLICITFAST) or (
        m.opt.integrator == INT_EULER and len(terms.damping) > 0
    )


def _joints(m: Model, d: Data) -> Iterator[Term]:
    integrator, off, one = m.opt.integrator, m.opt.disableflags, np.ones(1)
    awake = np.asarray(d.tree_awake, bool)[m.dof_treeid] if m.nv else np.zeros(0, bool)
    damping = np.zeros(m.nv) if off & DSBL_DAMPER else _joint_damping(m, d)
    damping = np.maximum(damping, 0.0) if integrator == INT_DISCRETE else damping
    stiffness = np.zeros(m.nv)
    if integrator in (INT_SPRINGDAMPER, INT_DISCRETE) and not off & DSBL_SPRING:
        slope = spring_slope if integrator == INT_DISCRETE else spring_derivative
        sprung = (m.jnt_stiffness != 0.0) | m.jnt_stiffnesspoly.any(axis=1)
        for v in np.flatnonzero(awake & sprung[m.dof_jntid]).tolist():
            stiffness[v] = slope(m, d, v)
    for v in np.flatnonzero(awake & ((damping != 0.0) | (stiffness != 0.0))).tolist():
        ids = (int(m.dof_jntid[v]),)
        yield Term(WorkSource("joint damper", "joint", ids), WorkSource("joint spring", "joint", ids),
                   np.array([v]), one, float(damping[v]), float(stiffness[v]))  # fmt: skip


def _joint_damping(m: Model, d: Data) -> np.ndarray:
    """-d(damper force)/d(velocity) of all dofs, with what actuators add."""
    found = np.zeros(m.nv)
    damped = (m.dof_damping != 0.0) | m.dof_dampingpoly.any(axis=1) | (m.jnt_actuatorid[m.dof_jntid] != -1)
    for v in np.flatnonzero(damped).tolist():
        found[v] = damping_derivative(m, d, v)
    return found


def _tendons(m: Model, d: Data) -> Iterator[Term]:
    discrete, off = m.opt.integrator == INT_DISCRETE, m.opt.disableflags
    for t in range(m.ntendon):
        if tendon_sleeps(m, d, t):
            continue
        b = 0.0 if off & DSBL_DAMPER else -float(tendon_damping_derivative(m, d, t))
        k = float(tendon_stiffness(m, d, t)) if discrete else 0.0
        b = max(b, 0.0) if discrete else b
        if b or k:
            yield Term(WorkSource("tendon damper", "tendon", (t,)), WorkSource("tendon spring", "tendon", (t,)),
                       *tendon_arms(m, d, t), b, k)  # fmt: skip


def _actuators(m: Model, d: Data) -> Iterator[Term]:
    discrete = m.opt.integrator == INT_DISCRETE
    for i in range(m.nactuator):
        r = int(m.actuator_outadr[i])
        if is_disabled(m, i) or actuator_sleeps(m, d, i) or at_limit(m, d, i, r) or target_at_limit(m, d, i):
            continue
        b = -float(force_derivative(m, d, i, r))
        k = max(float(actuator_stiffness(m, d, i, r)), 0.0) if discrete else 0.0
        b = max(b, 0.0) if discrete else b
        if not b and not k:
            continue
        source = WorkSource("actuator", "actuator", (i,))
        for out in range(r, r + int(m.actuator_outnum[i])):
            yield Term(source, source, *output_arms(d, out), b, k)
