"""Doctor: solref and solimp that a timestep cannot bear, that it shortens, or that let things sink into each other."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import log10
from typing import NamedTuple

import numpy as np

from app.instruments.doctor.finding import Finding, Fix, Severity, elements, length_text
from app.instruments.doctor.subject import Subject
from app.model.selection import Selection
from app.run.commands import SetField
from app.run.fix import set_numbers
from sim import Model
from sim.analysis.contact_mixing import mixing
from sim.analysis.softness import SAFE_STEPS, Softness, valid_solimp
from sim.enums import DSBL_CONSTRAINT, DSBL_EQUALITY, DSBL_LIMIT, DSBL_REFSAFE, INT_DISCRETE

# how many times a time constant is below two timesteps: many models have a short one for "as stiff as possible", and
# refsafe makes it that
CLAMPED, CLAMPED_BADLY = 1.01, 8.0
# healthy models come up to 0.8 of the bound
UNSTABLE = 1.0
# depth at rest over half of the thickness; a scene that shows soft contacts has 1.1
SINKS, DROWNS = 1.5, 4.0
# part of a body that may sink into the ground, which nothing falls through
SEEN = 0.05
# impedance that does next to nothing
POWERLESS = 0.05
SHOWN = 0.02, 1.0


class Sinking(NamedTuple):
    """A geom, how deep it sinks in at rest, and that over half of its thickness."""

    share: float
    depth: float
    geom: int


@dataclass(frozen=True)
class Family:
    """Constraints of one type: whose solref it is, and its fields."""

    kind: str
    what: str
    solref: str
    solimp: str
    attribute: str
    check: str
    rows: tuple[int, ...]


def check_softness(subject: Subject) -> Iterator[Finding]:
    """Contacts, limits and equalities."""
    for family in _families(subject):
        groups: dict[tuple[float, ...], list[int]] = {}
        refs, imps = (np.asarray(subject.model.read(path)) for path in (family.solref, family.solimp))
        for row in family.rows:
            groups.setdefault((*refs[row].tolist(), *imps[row].tolist()), []).append(row)
        for numbers, rows in groups.items():
            yield from _findings(subject, family, numbers[:2], numbers[2:], rows)
    yield from _sinking(subject)


def _families(subject: Subject) -> Iterator[Family]:
    m, flags = subject.model, int(subject.model.opt.disableflags)
    if flags & DSBL_CONSTRAINT:
        return
    geoms = tuple(int(g) for g in np.flatnonzero(subject.collidable.touching))
    yield Family("geom", "contacts", "geom_solref", "geom_solimp", "solref", "contact", geoms)
    if not flags & DSBL_LIMIT:
        joints = tuple(int(j) for j in np.flatnonzero(m.jnt_limited))
        yield Family("joint", "limits", "jnt_solref", "jnt_solimp", "solreflimit", "limit", joints)
        tendons = tuple(int(t) for t in np.flatnonzero(m.tendon_limited))
        solref, solimp = "tendon_solref_lim", "tendon_solimp_lim"
        yield Family("tendon", "limits", solref, solimp, "solreflimit", "limit", tendons)
    if not flags & DSBL_EQUALITY:
        active = tuple(int(e) for e in np.flatnonzero(m.eq_active0))
        yield Family("equality", "equalities", "eq_solref", "eq_solimp", "solref", "equality", active)


def _findings(
    subject: Subject, family: Family, solref: Sequence[float], solimp: Sequence[float], rows: list[int]
) -> Iterator[Finding]:
    """What is wrong with one pair of solref and solimp that some elements have."""
    soft = _softness(subject.model, solref, solimp)
    share = SAFE_STEPS * soft.timestep / solref[0] if soft.clamped else 1.0
    if (solref[0] > 0) != (solref[1] > 0):
        yield _mixed(subject, family, solref, rows)
    elif subject.model.opt.integrator == INT_DISCRETE:
        # constraints are as they are at the end of the step: none is too stiff for it
        return
    elif _bound(soft) > UNSTABLE:
        yield _unstable(subject, family, soft, rows)
    elif share > CLAMPED:
        yield _clamped(subject, family, soft, share, rows)


def _softness(m: Model, solref: Sequence[float], solimp: Sequence[float]) -> Softness:
    """What a constraint with these numbers does to a mass of 1 kg."""
    safe = not int(m.opt.disableflags) & DSBL_REFSAFE
    first, second = float(solref[0]), float(solref[1])
    return Softness("", 0, (first, second), valid_solimp(solimp), 1.0, float(m.opt.timestep), safe)


def _bound(soft: Softness) -> float:
    """How much of what a step can bear it needs when it is deep in."""
    return soft.law.step_load(10 * max(soft.solimp[2], 1e-3), 1.0, soft.timestep)


def _mixed(subject: Subject, family: Family, solref: Sequence[float], rows: list[int]) -> Finding:
    return Finding(
        f"{family.check}-solref",
        Severity.ERROR,
        _first(family, rows),
        f"{_named(subject, family, rows)}: solref {solref[0]:g} {solref[1]:g} has both signs and is ignored",
        "Both numbers are positive (time constant, damping ratio) or both are negative (stiffness, damping). With one "
        "of each the engine uses the default, 0.02 1.",
        1.0,
        (_set_solref(family, rows, SHOWN, "use the default, 0.02 1"),),
        others=elements(family.kind, rows[1:]),
        attribute=family.attribute,
    )


def _clamped(subject: Subject, family: Family, soft: Softness, share: float, rows: list[int]) -> Finding:
    solref, shortest, needed = soft.solref, SAFE_STEPS * soft.timestep, soft.solref[0] / SAFE_STEPS
    return Finding(
        f"{family.check}-timeconst",
        Severity.WARNING if share >= CLAMPED_BADLY else Severity.NOTE,
        _first(family, rows),
        f"{_named(subject, family, rows)}: time constant of {solref[0]:g} s is {_number(share)} times shorter than two "
        f"timesteps ({shortest:g} s)",
        f"The engine makes it {shortest:g} s, so that these {family.what} are {_number(share**2)} times softer than "
        "the file says. Without that safeguard (flag refsafe) they would explode.",
        log10(share),
        (
            _set_solref(family, rows, (shortest, solref[1]), f"set the time constant to two timesteps, {shortest:g} s"),
            Fix(f"shorten the timestep to {needed:.3g} s", (SetField("opt.timestep", needed),)),
        ),
        others=elements(family.kind, rows[1:]),
        attribute=family.attribute,
    )


def _unstable(subject: Subject, family: Family, soft: Softness, rows: list[int]) -> Finding:
    timestep, solref, bound = soft.timestep, soft.solref, _bound(soft)
    kind = "stiffness" if solref[0] <= 0 else "time constant and damping ratio"
    # of the direct format the bound is quadratic in the timestep as long as stiffness dominates
    needed = timestep / max(bound, np.sqrt(bound)) / 2
    return Finding(
        f"{family.check}-unstable",
        Severity.ERROR,
        _first(family, rows),
        f"{_named(subject, family, rows)}: solref {solref[0]:g} {solref[1]:g} is {_number(bound)} times stiffer than a "
        f"timestep of {timestep:g} s allows",
        f"Its {kind} give {soft.law.k:.3g} /s² and {soft.law.b:.3g} /s: in each step these {family.what} push back "
        "further than they were displaced, and the motion grows.",
        1.0 + log10(bound),
        (
            _set_solref(
                family, rows, (2 * timestep, 1.0), f"set solref to {2 * timestep:g} 1, the stiffest that is safe"
            ),
            Fix(f"shorten the timestep to {needed:.2g} s", (SetField("opt.timestep", needed),)),
        ),
        others=elements(family.kind, rows[1:]),
        attribute=family.attribute,
    )


def _sinking(subject: Subject) -> Iterator[Finding]:
    """Geoms whose contacts give way under their own weight, or whose impedance is next to nothing."""
    collidable, m = subject.collidable, subject.model
    if not collidable.falls:
        return
    gravity = float(np.linalg.norm(m.opt.gravity))
    whole = np.maximum(collidable.thickness, SEEN * subject.sizes[collidable.body])
    groups: dict[tuple[float, ...], list[Sinking]] = {}
    for geom in map(int, np.flatnonzero(collidable.touching)):
        partners = collidable.matrix[geom]
        fixed = partners & collidable.fixed
        partner = int(np.flatnonzero(fixed if fixed.any() else partners)[0])
        thickness = whole if collidable.ground[[geom, partner]].any() else collidable.thickness
        size = min(float(thickness[geom]), float(np.median(thickness[partners])))
        mixed = mixing(m, geom, partner)
        depth = _softness(m, mixed.solref, mixed.solimp).law.depth(gravity)
        solref, solimp = np.asarray(m.geom_solref[geom]), np.asarray(m.geom_solimp[geom])
        if 0 < size < np.inf and (depth > SINKS * size or solimp[1] < POWERLESS):
            found = Sinking(depth / size, depth, geom)
            groups.setdefault((*solref.tolist(), *solimp.tolist()), []).append(found)
    for numbers, sinking in groups.items():
        # what is soft only because its partner is has no fault of its own
        own = _softness(m, numbers[:2], numbers[2:]).law.depth(gravity)
        if own >= max(sinking).depth / 2:
            yield _sinks(subject, numbers, sinking)


def _sinks(subject: Subject, numbers: tuple[float, ...], found: list[Sinking]) -> Finding:
    share, depth, _ = max(found)
    rows = [one.geom for one in found]
    family = Family("geom", "contacts", "geom_solref", "geom_solimp", "solref", "contact", ())
    softened = numbers[3] < 0.5
    value = f"dmax of solimp is {numbers[3]:g}" if softened else f"solref is {numbers[0]:g} {numbers[1]:g}"
    fixes = (
        Fix("set solimp to 0.9 0.95 0.001", (set_numbers("geom_solimp", rows, (0.9, 0.95, 0.001)),)),
        _set_solref(family, rows, SHOWN, "set solref to the default, 0.02 1"),
    )
    return Finding(
        "contact-soft",
        Severity.ERROR if share >= DROWNS else Severity.WARNING,
        _first(family, rows),
        f"{_named(subject, family, rows)} sinks in by {length_text(depth)} at rest: {value}",
        f"Under its own weight alone that is {share:.3g} times half its thickness: it disappears into its support, or "
        "falls through."
        if share > SINKS
        else "Where the impedance is close to 0, contacts have hardly any force: with several together, or a heavy "
        "body on top, things drift through each other. Impedances are between 0 and 1, and usually 0.9 to 0.99.",
        max(log10(share), 0.0) + (0.5 if share > SINKS else max(-log10(numbers[3]), 0.5)),
        fixes if softened else fixes[::-1],
        others=elements(family.kind, rows[1:]),
        attribute="solimp" if softened else "solref",
    )


def _set_solref(family: Family, rows: list[int], solref: Sequence[float], text: str) -> Fix:
    return Fix(text, (set_numbers(family.solref, rows, solref),))


def _first(family: Family, rows: list[int]) -> Selection:
    return Selection(family.kind, rows[0])


def _named(subject: Subject, family: Family, rows: list[int]) -> str:
    """The first element, and how many more."""
    more = f" and {len(rows) - 1} more" if len(rows) > 1 else ""
    return subject.name(family.kind, rows[0]) + more


def _number(value: float) -> str:
    """Three digits, without an exponent where that is short."""
    return f"{float(f'{value:.3g}'):,.0f}".replace(",", " ") if 1000 <= value < 1e7 else f"{value:.3g}"
