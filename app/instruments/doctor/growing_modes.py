"""Which springs, dampers and servos are too stiff for the timestep: modes of one step that grow, and what drives them.

At qpos0, springs and servos are linear: force -K x - B v. Euler's step with implicit damping B_i and explicit B_e is

    (M + h B_i) v' = M v - h K x - h B_e v,    x' = x + h v'

A mode of this map with an eigenvalue below -1 grows with alternating sign: it is the timestep that is too long for it,
not physics that is unstable. RK4 multiplies a mode of the continuous system by a polynomial of h times its eigenvalue.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

import sim
from app.instruments.doctor.stiffness import moment_arms, tendon_arms
from app.instruments.doctor.subject import Floats, Subject
from app.model.selection import Selection
from sim.enums import (
    DSBL_ACTUATION,
    DSBL_DAMPER,
    DSBL_EULERDAMP,
    DSBL_SPRING,
    INT_DISCRETE,
    INT_EULER,
    INT_RK4,
    INT_SPRINGDAMPER,
)

# dofs in one eigenvalue problem
MOST_DOFS = 300
GROWS = 1.01
# squared phase and decay of a step that leave room for poses with less inertia: half of what is the limit of each
HALFWAY = 1.0
ROUNDS = 20
# share of the diagonal of the inertia that keeps it regular
SINGULAR = 1e-9


@dataclass(frozen=True)
class Element:
    """A spring, damper or servo: stiffness and damping along a row of a Jacobian."""

    selection: Selection
    stiffness: float
    damping: float
    row: Floats
    # damping is implicit in the step
    implicit: bool
    # its force cannot grow beyond a limit
    bounded: bool = False

    def weaker(self, part: float, stiff: bool) -> Element:
        """With a part of its stiffness, or of its damping."""
        if stiff:
            return replace(self, stiffness=self.stiffness * part)
        return replace(self, damping=self.damping * part)


@dataclass(frozen=True)
class GrowingMode:
    """An element that drives a growing mode; `factor` is the growth of a step.

    `frequency` and `decay` are its stiffness and explicit damping over the inertia that it feels, times h² and h.
    """

    element: Element
    factor: float
    frequency: float
    decay: float
    inertia: float

    @property
    def stiff(self) -> bool:
        """Whether it is its stiffness that is too large, not its damping."""
        return self.frequency >= self.decay


def growing_modes(subject: Subject) -> list[GrowingMode]:
    """The elements that drive growing modes, one entry each, the fastest first."""
    return _growing_modes(subject, list(elements_of(subject)))


def bearable(subject: Subject, kind: str, stiff: bool) -> dict[Selection, float]:
    """The elements of a kind with too much stiffness, or damping, and the part of it that the timestep bears."""
    elements, parts = list(elements_of(subject)), dict[Selection, float]()
    for _ in range(ROUNDS):
        driving = [
            one for one in _growing_modes(subject, elements) if (one.element.selection.kind, one.stiff) == (kind, stiff)
        ]
        if not driving:
            break
        # several at once may be too much where each alone is not
        less = {
            one.element.selection: min(HALFWAY / max(one.frequency if stiff else one.decay, HALFWAY), 0.5)
            for one in driving
        }
        parts |= {element: parts.get(element, 1.0) * part for element, part in less.items()}
        elements = [element.weaker(less.get(element.selection, 1.0), stiff) for element in elements]
    return parts


def _growing_modes(subject: Subject, elements: list[Element]) -> list[GrowingMode]:
    m = subject.model
    if not elements or m.opt.integrator in (INT_SPRINGDAMPER, INT_DISCRETE):
        return []
    inertia: Floats = sim.full_m(m, subject.data)
    touched = np.array([element.row != 0 for element in elements]).any(axis=0)
    trees = np.asarray(m.dof_treeid)
    dofs = np.flatnonzero(np.isin(trees, trees[touched]))
    parts = [dofs] if len(dofs) <= MOST_DOFS else [np.flatnonzero(trees == tree) for tree in np.unique(trees[dofs])]
    found: dict[Selection, GrowingMode] = {}
    for part in parts:
        for growth in _in_part(subject, elements, inertia, part):
            known = found.get(growth.element.selection)
            if known is None or known.factor < growth.factor:
                found[growth.element.selection] = growth
    return sorted(found.values(), key=lambda growth: -growth.factor)


def elements_of(subject: Subject) -> Iterator[Element]:
    """All springs, dampers and servos with a force."""
    m, d = subject.model, subject.data
    flags = int(m.opt.disableflags)
    implicit = m.opt.integrator not in (INT_EULER, INT_RK4)
    sprung, damped = not flags & DSBL_SPRING, not flags & DSBL_DAMPER
    euler = implicit or (m.opt.integrator == INT_EULER and not flags & DSBL_EULERDAMP)
    unit = np.eye(int(m.nv))
    for joint in range(int(m.njnt)):
        for dof in subject.dofs(joint):
            stiffness, damping = float(m.jnt_stiffness[joint]) * sprung, float(m.dof_damping[dof]) * damped
            if stiffness > 0 or damping > 0:
                yield Element(Selection("joint", joint), stiffness, damping, unit[dof], euler)
    for tendon in range(int(m.ntendon)):
        stiffness, damping = float(m.tendon_stiffness[tendon]) * sprung, float(m.tendon_damping[tendon]) * damped
        if stiffness > 0 or damping > 0:
            yield Element(Selection("tendon", tendon), stiffness, damping, tendon_arms(m, d, tendon), implicit)
    for actuator in range(0 if flags & DSBL_ACTUATION else int(m.nactuator)):
        stiffness, damping = subject.servo(actuator)
        if max(stiffness, damping) > 0:
            arms, bounded = moment_arms(m, d, int(m.actuator_outadr[actuator])), bool(m.actuator_forcelimited[actuator])
            selection = Selection("actuator", actuator)
            yield Element(selection, max(stiffness, 0.0), max(damping, 0.0), arms, implicit, bounded)


def _in_part(
    subject: Subject, elements: list[Element], inertia: Floats, part: NDArray[np.signedinteger]
) -> Iterator[GrowingMode]:
    """Growing modes of some dofs."""
    h = float(subject.model.opt.timestep)
    here = [(element, element.row[part]) for element in elements if element.row[part].any()]
    rows = np.array([row for _, row in here])
    stiffness = rows.T @ (np.array([element.stiffness for element, _ in here])[:, None] * rows)
    explicit = np.array([0.0 if element.implicit else element.damping for element, _ in here])
    implicit = np.array([element.damping if element.implicit else 0.0 for element, _ in here])
    mass = inertia[np.ix_(part, part)]
    # two joints with one axis make it singular, and that is found elsewhere
    mass = mass + np.diag(SINGULAR * np.diag(mass) + 1e-300)
    inverse = np.linalg.inv(mass)
    damping_e, damping_i = rows.T @ (explicit[:, None] * rows), rows.T @ (implicit[:, None] * rows)
    factors, modes = _modes(subject, mass, stiffness, damping_e, damping_i, h)
    for factor, mode in zip(factors, modes.T, strict=True):
        moved = np.abs(rows @ mode) ** 2
        shares = moved * (h * h * np.array([element.stiffness for element, _ in here]) + h * explicit)
        worst = int(np.argmax(shares))
        element, row = here[worst]
        weight = float(row @ inverse @ row)
        yield GrowingMode(
            element, float(factor), h * h * element.stiffness * weight, h * explicit[worst] * weight, 1 / weight
        )


def _modes(
    subject: Subject, mass: Floats, stiffness: Floats, damping_e: Floats, damping_i: Floats, h: float
) -> tuple[Floats, NDArray[Any]]:
    """The factors by which modes grow because of the timestep, and their velocities, which may be complex."""
    count = len(mass)
    if subject.model.opt.integrator == INT_RK4:
        inverse = np.linalg.inv(mass)
        top = np.hstack([np.zeros((count, count)), np.eye(count)])
        system = np.vstack([top, np.hstack([-inverse @ stiffness, -inverse @ (damping_e + damping_i)])])
        values, vectors = np.linalg.eig(system)
        z = h * values
        factors = np.abs(1 + z + z**2 / 2 + z**3 / 6 + z**4 / 24)
        grows = (factors > GROWS) & (z.real < 1e-9)
    else:
        step = np.linalg.inv(mass + h * damping_i)
        forward, back = step @ (mass - h * damping_e), -h * step @ stiffness
        top = np.hstack([np.eye(count) + h * back, h * forward])
        values, vectors = np.linalg.eig(np.vstack([top, np.hstack([back, forward])]))
        factors, grows = np.abs(values), values.real < -GROWS
    return factors[grows], vectors[count:, grows]
