"""Doctor: masses, inertias and centres of mass that do not fit the geoms of their body or the rest of the model."""

from __future__ import annotations

from collections.abc import Iterator
from math import log10

import numpy as np

from app.instruments.doctor import structure
from app.instruments.doctor.finding import Finding, Fix, Severity, elements
from app.instruments.doctor.subject import Floats, Subject
from app.model.selection import Selection
from app.run.commands import SetField

# kg/m³: osmium, the densest element; air. The box around the geoms is larger than they are
OSMIUM, AIR = 22600.0, 1.2
# kg/m³: things, over the box around them
USUAL = 400.0
# how many times denser than the rest a body may be; a factor of 1000 in a unit is far beyond
DENSER = 200.0
# radius of gyration over half the diagonal of the body: a rod has 0.58, a shell 1
THIN, WIDE = 0.02, 20.0
# distance of the centre of mass from the geoms, over the diagonal
FAR, VERY_FAR = 2.0, 20.0
# product of the diagonals of M and its inverse: how much more inertia a joint has than it would have alone
COUPLED = 1e4
ROUNDING = 1e-3


def check_inertia(subject: Subject) -> Iterator[Finding]:
    """Inertias by themselves, against the geoms, against other bodies."""
    m, whole = subject.model, list(_all_densities(subject))
    yield from whole
    for body in subject.moving:
        if m.body_mass[body] > 0:
            yield from _impossible(subject, body)
            yield from _gyration(subject, body)
            yield from _centre(subject, body)
            if not whole:
                yield from _density(subject, body)
    yield from _chain(subject)


def _impossible(subject: Subject, body: int) -> Iterator[Finding]:
    small, middle, large = sorted(float(value) for value in subject.model.body_inertia[body])
    if small + middle < large * (1 - ROUNDING):
        yield Finding(
            "inertia-impossible",
            Severity.ERROR,
            Selection("body", body),
            f"{subject.name('body', body)} has an impossible inertia: {small:.3g} + {middle:.3g} < {large:.3g} kg m²",
            "No distribution of mass has a principal moment larger than the sum of the other two. The body gains "
            "energy as it tumbles.",
            3 + log10(large / max(small + middle, 1e-12 * large)),
            (_recompute(subject, body, "set valid moments in <inertial>, or leave it out"),),
            attribute="inertia",
        )


def _gyration(subject: Subject, body: int) -> Iterator[Finding]:
    m = subject.model
    length = _length(subject, body)
    if length == 0:
        return
    radius = float(np.sqrt(np.sum(m.body_inertia[body]) / 2 / m.body_mass[body]))
    ratio = radius / length
    # a point mass is fine where it is fixed to what has inertia
    if THIN < ratio < WIDE or (radius == 0 and m.body_dofnum[body] == 0):
        return
    ratio = max(ratio, 1e-6)
    large, off = ratio >= WIDE, ratio / 0.5
    severe = not 1e-4 < off**2 < 1e4
    yield Finding(
        "inertia-large" if large else "inertia-small",
        Severity.ERROR if severe else Severity.WARNING,
        Selection("body", body),
        f"the inertia of {subject.name('body', body)} is {off**2:.1e} times that of a body of its mass and size",
        f"Its mass of {m.body_mass[body]:.3g} kg would have to be {radius:.2g} m away from its centre, but the body "
        f"extends only {length:.2g} m. "
        + ("It hardly turns." if large else "Even a tiny torque spins it too fast for the timestep."),
        abs(log10(off**2)) - 1,
        (_recompute(subject, body, f"multiply the inertia in <inertial> by {1 / off**2:.1g}, or leave it out"),),
        attribute="inertia",
    )


def _recompute(subject: Subject, body: int, otherwise: str) -> Fix:
    """The inertia of the geoms, where they can say it; otherwise what the user can do."""
    edits = structure.inertia_from_geoms(subject, body)
    return Fix("compute centre and inertia from its geoms, with its mass", tree=edits) if edits else Fix(otherwise)


def _length(subject: Subject, body: int) -> float:
    """Half the diagonal of a body, as far as its geoms and its children show it; 0 if nothing is known."""
    m = subject.model
    if subject.sizes[body] == 0:
        return 0.0
    half = float(np.linalg.norm(subject.boxes[body, 1] - subject.boxes[body, 0])) / 2
    children = np.flatnonzero(np.asarray(m.body_parentid) == body)
    reach = max((float(np.linalg.norm(m.body_pos[child])) for child in children if child != body), default=0.0)
    return max(half, min(reach, 3 * subject.size) / 2, subject.size / 8)


def _centre(subject: Subject, body: int) -> Iterator[Finding]:
    length = _length(subject, body)
    if length == 0:
        return
    low, high = subject.boxes[body]
    centre = np.asarray(subject.model.body_ipos[body])
    away = float(np.linalg.norm(np.maximum(np.maximum(low - centre, centre - high), 0)))
    if away > FAR * 2 * length:
        yield Finding(
            "com-outside",
            Severity.ERROR if away > VERY_FAR * 2 * length else Severity.WARNING,
            Selection("body", body),
            f"the centre of mass of {subject.name('body', body)} is {away:.3g} m outside its geoms",
            f"The body is only {2 * length:.2g} m long. Its weight acts at the end of a lever arm that does not "
            "exist; a position in millimetres has this effect.",
            1 + log10(away / length),
            (_recompute(subject, body, "correct the pos of <inertial>, or leave <inertial> out"),),
            attribute="pos",
        )


def _density(subject: Subject, body: int) -> Iterator[Finding]:
    m, density = subject.model, float(subject.densities[body])
    if not np.isfinite(density):
        return
    usual = _usual_density(subject, body)
    dense, off = density > usual, density / usual
    half = float(np.linalg.norm(subject.boxes[body, 1] - subject.boxes[body, 0])) / 2
    gyration = float(np.sqrt(np.sum(m.body_inertia[body]) / 2 / m.body_mass[body])) / half
    absurd = density > OSMIUM if dense else density < AIR
    # a mass that is far too small for the inertia is said of the inertia
    likely = DENSER / 10 if density > OSMIUM else DENSER
    if 1 / DENSER < off < likely or (not dense and gyration < THIN):
        return
    light = not dense and _shielded(subject, body)
    sure = dense and absurd and off > DENSER
    severity = Severity.ERROR if sure else Severity.NOTE if light else Severity.WARNING
    unit = "grams taken for kilograms?" if dense else "a mass in tonnes, or a density in g/cm³?"
    comparison = f"{off:.3g} times" if dense else f"1/{1 / off:.3g} of"
    mass = float(m.body_mass[body])
    yield Finding(
        "density",
        severity,
        Selection("body", body),
        f"{subject.name('body', body)} has a mass of {mass:.3g} kg: {density:.2g} kg/m³, {comparison} the "
        f"rest ({unit})",
        "A body that is this much heavier or lighter than its neighbours makes the constraints between them hard to "
        "solve, and servos sized for one throw the other or cannot move it.",
        abs(log10(off)),
        (Fix(f"set its mass to {mass / off:.3g} kg, as dense as the rest", _scale_mass(body, mass / off)),),
        attribute="mass",
    )


def _usual_density(subject: Subject, body: int) -> float:
    """The median density of the other moving bodies, and of usual things, lest one of two could be either."""
    others = subject.densities[[other for other in subject.moving if other != body]]
    others = others[np.isfinite(others)]
    if 5 < np.linalg.norm(subject.model.opt.gravity) < 20 or not len(others):
        others = np.append(others, USUAL)
    return float(10 ** np.median(np.log10(others)))


def _shielded(subject: Subject, body: int) -> bool:
    """Whether armature or what it carries makes the body's own mass irrelevant."""
    m = subject.model
    first, number = int(m.body_dofadr[body]), int(m.body_dofnum[body])
    own = slice(first, first + number)
    carried = float(m.body_subtreemass[body]) > 10 * float(m.body_mass[body])
    armed = number > 0 and bool((np.asarray(m.dof_armature[own]) > 0.5 * np.asarray(m.dof_M0[own])).all())
    return armed or carried or number == 0


def _scale_mass(body: int, mass: float) -> tuple[SetField, ...]:
    return (SetField("body_mass", mass, (body,)),)


def _all_densities(subject: Subject) -> Iterator[Finding]:
    """All bodies too dense or too light, with gravity as in SI."""
    known = [body for body in subject.moving if np.isfinite(subject.densities[body])]
    gravity = float(np.linalg.norm(subject.model.opt.gravity))
    density = subject.density
    alike = all(0.05 < subject.densities[body] / density < 20 for body in known)
    if len(known) < 2 or not alike or 0.5 < density < OSMIUM or not 5 < gravity < 20:
        return
    worst = max(known, key=lambda body: float(subject.model.body_mass[body]))
    dense = density > OSMIUM
    yield Finding(
        "mass-unit",
        Severity.WARNING,
        Selection("body", worst),
        f"the median density of the bodies is {density:.2g} kg/m³: "
        + ("denser than osmium; masses in grams?" if dense else "lighter than air; masses in tonnes?"),
        "MJCF has no units, but with gravity 9.81 lengths are in metres and forces in newtons, so masses must be in "
        "kilograms. Contacts and servos with usual parameters do not suit such masses.",
        abs(log10(density / USUAL)),
        (Fix("multiply all masses and inertias by " + ("0.001" if dense else "1000")),),
        others=elements("body", known, worst),
        attribute="mass",
    )


def _chain(subject: Subject) -> Iterator[Finding]:
    """Bodies with next to no inertia between two joints."""
    m = subject.model
    coupling: Floats = np.asarray(m.dof_M0) * np.asarray(m.dof_invweight0)
    for body in subject.moving:
        first, number = int(m.body_dofadr[body]), int(m.body_dofnum[body])
        if number == 0 or coupling[first : first + number].max() < COUPLED:
            continue
        own, carried = float(m.body_mass[body]), float(m.body_subtreemass[body])
        if own > carried / 1e4:
            continue
        yield Finding(
            "mass-chain",
            Severity.WARNING,
            Selection("body", body),
            f"{subject.name('body', body)} has {own:.2g} kg of mass and carries {carried / own:.1g} times that",
            "Inertias that differ by more than 1e4 along a chain make the inertia matrix nearly singular: joint forces "
            "turn into huge accelerations of the light part.",
            log10(carried / own) - 3,
            (Fix(f"set its mass to {carried / 100:.2g} kg", _scale_mass(body, carried / 100)),),
            attribute="mass",
        )
