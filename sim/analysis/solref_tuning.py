"""Finds solref, and if need be solimp, for a stiffness, a depth at rest, a time constant or a damping that is wanted.

solimp stays as it is unless refsafe forbids the time constant that would be needed: then dmin and dmax move towards 1
together, as the force at rest grows with 1 / (1 - d). If even that is not enough, the nearest is the answer.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from math import exp, inf, log, sqrt

from sim.analysis.softness import SAFE_STEPS, Law, Softness, Solimp, Solref, bisect, law_of

# an impedance that solvers still converge with, and those of "as stiff as the timestep can bear"
LARGEST_IMPEDANCE, STIFF_DMIN, STIFF_DMAX = 0.999, 0.95, 0.99
# the span of k that is searched, 1/s²
LEAST_K, MOST_K = 1e-9, 1e18
# relative error above which a wish is not fulfilled
MISSED = 1e-6

# what is wanted of a law under a load: its depth or its stiffness
Measure = Callable[[Law, float], float]


@dataclass(frozen=True)
class Tuned:
    """solref and solimp for a wish, and why it is not fulfilled, if it is not, or what to beware of."""

    solref: Solref
    solimp: Solimp
    note: str = ""

    def applied_to(self, softness: Softness) -> Softness:
        """The softness with these parameters."""
        return replace(softness, solref=self.solref, solimp=self.solimp)


def rest_depth(law: Law, load: float) -> float:
    """Depth at rest under a load."""
    return law.depth(load)


def rest_stiffness(law: Law, load: float) -> float:
    """Stiffness at rest under a load."""
    return law.stiffness(law.depth(load))


def tune_depth(now: Softness, depth: float, direct: bool) -> Tuned:
    """The damping ratio stays."""
    if now.load <= 0.0:
        return _kept(now, direct, "nothing presses on it, so it has no depth at rest: enter a load")
    return _tune(now, rest_depth, depth, direct)


def tune_stiffness(now: Softness, stiffness: float, direct: bool) -> Tuned:
    """At the depth that it has at rest under the load; the damping ratio stays."""
    return _tune(now, rest_stiffness, stiffness, direct)


def tune_time_constant(now: Softness, seconds: float, direct: bool) -> Tuned:
    """The damping ratio stays, so it gets stiffer or softer."""
    seconds = max(seconds, 1e-9)
    k = (1.0 / (now.solimp[1] * seconds * now.damping_ratio)) ** 2
    return _checked(now, k, now.damping_ratio, now.solimp, direct)


def tune_damping_ratio(now: Softness, ratio: float, direct: bool) -> Tuned:
    """The stiffness stays."""
    return _checked(now, now.law.k, max(ratio, 1e-9), now.solimp, direct)


def tune_damping(now: Softness, damping: float, direct: bool) -> Tuned:
    """N s/m at rest under the load; the stiffness stays."""
    b = max(damping, 1e-12) * now.law.regularizer(now.rest)
    if not now.has_spring:
        return _friction_ref(now, b, direct)
    return _checked(now, now.law.k, b / (2.0 * sqrt(now.law.k)), now.solimp, direct)


def stiffest(now: Softness) -> Tuned:
    """As stiff as the timestep can bear: a time constant of two timesteps, critically damped, a high impedance."""
    dmin, dmax, *rest = now.solimp
    solref, (width, midpoint, power) = (SAFE_STEPS * now.timestep, 1.0), rest
    # the steeper the impedance rises, the more the spring stiffens on the way
    for raised in ((max(dmin, STIFF_DMIN), max(dmax, STIFF_DMAX)), (max(dmax, STIFF_DMAX),) * 2, (dmin, dmax)):
        solimp = (*raised, width, midpoint, power)
        if peak_load(law_of(solref, solimp, now.mass), now.inertia, now.timestep, now.load) < 1.0:
            return Tuned(solref, solimp)
    return Tuned(
        solref,
        now.solimp,
        "it still overshoots at this timestep: the impedance rises too steeply; increase its width",
    )


def peak_load(law: Law, inertia: float, timestep: float, load: float) -> float:
    """The largest share of what a step can bear, at any depth up to that under twice the load and across the width."""
    deepest = max(law.depth(2.0 * load), law.solimp[2])
    return max(law.step_load(deepest * k / 64.0, inertia, timestep) for k in range(65))


def limit_law(now: Softness) -> Law:
    """The stiffest law of the same damping ratio and impedance that a step can bear."""
    ratio = now.damping_ratio if now.damping_ratio < inf else 1.0
    if now.refsafe and not now.direct:
        return law_of((SAFE_STEPS * now.timestep, ratio), now.solimp, now.mass)
    law, h = now.law, now.timestep

    def excess(k: float) -> float:
        trial = replace(law, k=exp(k), b=2.0 * ratio * exp(0.5 * k))
        return trial.step_load(trial.depth(now.load), now.inertia, h) - 1.0

    k = exp(bisect(excess, log(LEAST_K), log(MOST_K)))
    return replace(law, k=k, b=2.0 * ratio * sqrt(k))


def to_direct(solref: Solref, dmax: float) -> Solref:
    """(time constant, damping ratio) as (-stiffness, -damping), with the same k and b."""
    law = law_of(solref, (dmax, dmax, 0.0, 0.5, 1.0), 1.0)
    return -law.k * dmax * dmax, -law.b * dmax


def _tune(now: Softness, measure: Measure, wanted: float, direct: bool) -> Tuned:
    """Find k, and where the time constant would be too short, an impedance."""
    if not (wanted > 0.0 and now.has_spring):
        return _kept(now, direct, "" if now.has_spring else "dry friction has no stiffness")
    ratio = now.damping_ratio if 0.0 < now.damping_ratio < inf else 1.0

    def missing(k: float) -> float:
        return log(max(measure(replace(now.law, k=exp(k)), now.load), 1e-300) / wanted)

    k = exp(bisect(missing, log(LEAST_K), log(MOST_K)))
    if direct or not now.refsafe or _time_constant(k, ratio, now.solimp) >= SAFE_STEPS * now.timestep:
        return _checked(now, k, ratio, now.solimp, direct)
    return _raise_impedance(now, measure, wanted, ratio)


def _raise_impedance(now: Softness, measure: Measure, wanted: float, ratio: float) -> Tuned:
    """With the shortest time constant: dmin and dmax nearer to 1."""
    solref = (SAFE_STEPS * now.timestep, ratio)

    def raised(share: float) -> Solimp:
        dmin, dmax, width, midpoint, power = now.solimp
        return 1.0 - share * (1.0 - dmin), 1.0 - share * (1.0 - dmax), width, midpoint, power

    def missing(share: float) -> float:
        return measure(law_of(solref, raised(share), now.mass), now.load) / wanted - 1.0

    least = min((1.0 - LARGEST_IMPEDANCE) / max(1.0 - now.solimp[1], 1e-12), 1.0)
    h = now.timestep * 1e3
    if (missing(least) > 0.0) == (missing(1.0) > 0.0):
        solimp = raised(least)
        best = measure(law_of(solref, solimp, now.mass), now.load)
        unit = "m" if measure is rest_depth else "N/m"
        return Tuned(solref, solimp, f"out of reach with a timestep of {h:.3g} ms: {best:.3g} {unit} is the limit")
    solimp = raised(bisect(missing, least, 1.0))
    note = f"needs a time constant below two timesteps ({2 * h:.3g} ms), so solimp was raised to {solimp[1]:.4g}"
    return Tuned(solref, solimp, note)


def _checked(now: Softness, k: float, ratio: float, solimp: Solimp, direct: bool) -> Tuned:
    """solref of k and a damping ratio, with a warning if the timestep cannot bear it."""
    dmax, limit = solimp[1], SAFE_STEPS * now.timestep
    if direct:
        tuned = Tuned((-k * dmax * dmax, -2.0 * ratio * sqrt(k) * dmax), solimp)
    else:
        seconds = _time_constant(k, ratio, solimp)
        if now.refsafe and seconds < limit * (1.0 - MISSED):
            note = f"a time constant of {seconds:.3g} s is below two timesteps: {limit:.3g} s is used instead"
            return Tuned((limit, ratio), solimp, note)
        tuned = Tuned((seconds, ratio), solimp)
    load = tuned.applied_to(now).step_load
    if load >= 1.0:
        return replace(tuned, note=f"too stiff for this timestep,  {load:.2g} times the limit: it will shake")
    return tuned


def _time_constant(k: float, ratio: float, solimp: Solimp) -> float:
    return 1.0 / (solimp[1] * ratio * sqrt(k))


def _friction_ref(now: Softness, b: float, direct: bool) -> Tuned:
    """solref of dry friction: only the damper counts."""
    if direct:
        return Tuned((min(now.solref[0], -1.0), -b * now.solimp[1]), now.solimp)
    return Tuned((2.0 / (now.solimp[1] * b), now.solref[1] if now.solref[1] > 0.0 else 1.0), now.solimp)


def _kept(now: Softness, direct: bool, note: str) -> Tuned:
    solref = now.safe_solref
    return Tuned(to_direct(solref, now.solimp[1]) if direct and solref[0] > 0.0 else solref, now.solimp, note)
