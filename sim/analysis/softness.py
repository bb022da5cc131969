"""Softness of constraints in SI units: stiffness, damping, depth at rest, and what the timestep can bear.

At rest a row pushes with the force aref / R, and solref and solimp make that a function of the depth x alone:
F(x) = m k d² x / (1 - d), with the impedance d(x), the k of solref and m = 1 / efc_diagA. In motion it is a spring of
that force, a damper b / R and an added mass 1 / R: F = F(x) + (b / R) ẋ + (1 / R) ẍ. So a mass M on it swings with
ω² = F' / (M + 1 / R) and the damping ratio b / (2 R ω (M + 1 / R)). All of this is exact for one row, whatever else
acts; rows that share a load each have their part of M. The edges of a pyramid act as one row of the sum of their
1 / efc_diagA, which depends on friction.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from math import inf, sqrt
from typing import Any

import numpy as np

from sim.stages.constraint.impedance import DEFAULT_REF, damping, get_solimp, impedance, stiffness

# a time constant has to be at least so many timesteps (refsafe)
SAFE_STEPS = 2.0
# F grows along with the depth: bisection ends at the rounding of a number
HALVINGS = 200

Solimp = tuple[float, float, float, float, float]
Solref = tuple[float, float]


@dataclass(frozen=True)
class Law:
    """How hard a row pushes: k (1/s²) and b (1/s) of its reference acceleration, its impedance and 1 / efc_diagA."""

    k: float
    b: float
    solimp: Solimp
    mass: float

    def impedance(self, depth: float) -> tuple[float, float]:
        """Impedance and its slope at a depth."""
        d, slope = impedance(self.solimp, depth)
        return float(d), float(slope)

    def regularizer(self, depth: float) -> float:
        """R of the row, or of all edges of a pyramid together."""
        d, _ = self.impedance(depth)
        return (1.0 - d) / (d * self.mass)

    def force(self, depth: float) -> float:
        """The force at rest, N."""
        d, _ = self.impedance(depth)
        return self.mass * self.k * d * d * depth / (1.0 - d)

    def stiffness(self, depth: float) -> float:
        """The slope of the force at rest, N/m."""
        d, slope = self.impedance(depth)
        return self.mass * self.k * d / (1.0 - d) * (d + slope * depth * (2.0 - d) / (1.0 - d))

    def damping(self, depth: float) -> float:
        """The damper beside the spring, N s/m."""
        return self.b / self.regularizer(depth)

    def depth(self, load: float) -> float:
        """The depth at which it carries a load."""
        if load <= 0.0 or self.k <= 0.0:
            return 0.0
        least, most = sorted(self.solimp[:2])
        low, high = (load * (1.0 - d) / (self.mass * self.k * d * d) for d in (most, least))
        return bisect(lambda depth: self.force(depth) - load, low, high)

    def step_load(self, depth: float, inertia: float, timestep: float) -> float:
        """How much of what a step can bear this needs with a mass on it at a depth; above 1, a step overshoots.

        The step v += h a, x += h v of a spring K and a damper B per mass does not grow if h² K + 2 h B < 4.
        """
        if inertia <= 0.0 or inertia == inf:
            inertia = self.mass
        total = inertia + 1.0 / self.regularizer(depth)
        spring, damper = self.stiffness(depth) / total, self.damping(depth) / total
        return (timestep * timestep * spring + 2.0 * timestep * damper) / 4.0


@dataclass(frozen=True)
class Softness:
    """The softness of one constraint at the present moment: its parameters, where it is, and what that means in SI.

    `depth` is measured from the margin, `force` without adhesion, `acceleration` is outwards. `inertia` is the mass
    that the row moves; contacts of the same two bodies that carry a load together each have their part of it.
    """

    kind: str
    index: int
    solref: Solref
    solimp: Solimp
    mass: float
    timestep: float
    refsafe: bool
    depth: float = 0.0
    force: float = 0.0
    speed: float = 0.0
    acceleration: float = 0.0
    margin: float = 0.0
    inertia: float = 0.0
    angular: bool = False
    # how many contacts of the same two geoms push together
    together: int = 1
    # whether there is a row for it at this moment
    active: bool = True
    # dry friction has no spring, and its force is bounded
    bound: float = inf
    # a load to reckon with instead of the present one
    assumed: float | None = None

    @cached_property
    def safe_solref(self) -> Solref:
        """solref as it acts: both numbers of one sign, and a time constant of two timesteps if that is smaller."""
        return safe(self.solref, self.timestep if self.refsafe else 0.0)

    @property
    def direct(self) -> bool:
        """Whether solref is (-stiffness, -damping)."""
        return self.safe_solref[0] <= 0.0

    @property
    def clamped(self) -> bool:
        """Whether the timestep is too long for the time constant of the file."""
        return self.refsafe and 0.0 < self.solref[0] < SAFE_STEPS * self.timestep

    @property
    def has_spring(self) -> bool:
        return self.bound == inf

    @cached_property
    def law(self) -> Law:
        """What solref and solimp make of it."""
        law = law_of(self.safe_solref, self.solimp, self.mass)
        return law if self.has_spring else replace(law, k=0.0)

    @property
    def load(self) -> float:
        """What it would have to carry at rest: its force, less what accelerates the mass."""
        if self.assumed is not None:
            return self.assumed
        pushed = self.inertia * self.acceleration if self.inertia < inf else 0.0
        return max(self.force - pushed, 0.0) if self.force > 0.0 else 0.0

    @cached_property
    def rest(self) -> float:
        """The depth at rest under the load."""
        return self.law.depth(self.load)

    @property
    def stiffness(self) -> float:
        """At rest under the load, N/m."""
        return self.law.stiffness(self.rest)

    @property
    def damping(self) -> float:
        """At rest under the load, N s/m."""
        return self.law.damping(self.rest)

    @property
    def time_constant(self) -> float:
        """1 / (damping ratio · natural frequency) at full impedance, s, whichever form solref has."""
        return 2.0 / (self.law.b * self.solimp[1]) if self.law.b > 0.0 else inf

    @property
    def damping_ratio(self) -> float:
        """Of the reference acceleration: what solref asks for."""
        return self.law.b / (2.0 * sqrt(self.law.k)) if self.law.k > 0.0 else inf

    @property
    def frequency(self) -> float:
        """Natural frequency with what it carries, rad/s."""
        total = self.inertia + 1.0 / self.law.regularizer(self.rest)
        return sqrt(self.stiffness / total)

    @property
    def swing_damping(self) -> float:
        """Damping ratio with what it carries: that of solref if efc_diagA is 1 / inertia."""
        total = self.inertia + 1.0 / self.law.regularizer(self.rest)
        return self.damping / (2.0 * sqrt(self.stiffness * total)) if self.stiffness > 0.0 else inf

    @property
    def step_load(self) -> float:
        """How much of what a step can bear it needs, at rest under the load; above 1 it overshoots."""
        return self.law.step_load(self.rest, self.inertia, self.timestep)


def safe(solref: Solref, timestep: float) -> Solref:
    """solref as the engine takes it, where the time constant has to be two timesteps."""
    if (solref[0] > 0.0) != (solref[1] > 0.0):
        solref = DEFAULT_REF
    return (max(solref[0], SAFE_STEPS * timestep), solref[1]) if solref[0] > 0.0 else solref


def valid_solimp(solimp: Any) -> Solimp:
    """solimp, clamped to its valid range."""
    dmin, dmax, width, midpoint, power = (float(x) for x in get_solimp(np.array([solimp], float), 0))
    return dmin, dmax, width, midpoint, power


def law_of(solref: Solref, solimp: Solimp, mass: float) -> Law:
    """The law of a row from parameters that are valid."""
    return Law(float(stiffness(solref, solimp[1])), float(damping(solref, solimp[1])), solimp, mass)


def bisect(f: Callable[[float], float], low: float, high: float) -> float:
    """Where a function that is negative at one end and positive at the other changes its sign."""
    rising = f(high) > f(low)
    for _ in range(HALVINGS):
        middle = 0.5 * (low + high)
        if middle in (low, high):
            break
        if (f(middle) < 0.0) == rising:
            low = middle
        else:
            high = middle
    return 0.5 * (low + high)
