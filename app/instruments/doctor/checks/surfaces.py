"""Doctor: contacts without friction or with an absurd amount of it, and margins larger than the geom."""

from __future__ import annotations

from collections.abc import Iterator
from math import log10

import numpy as np

from app.instruments.doctor.collidable import Collidable
from app.instruments.doctor.finding import Finding, Fix, Severity, elements
from app.instruments.doctor.subject import Subject
from app.model.selection import Selection
from app.run.commands import SetField
from sim.analysis.contact_mixing import BOTH, PAIR, SECOND, mixing
from sim.enums import ENBL_OVERRIDE

# rubber on concrete has 1; healthy models have up to 2
STICKY, SLIPPERY = 5.0, 1e-3
# margin over half of the thickness; healthy models have up to 0.5
WIDE, TOO_WIDE = 1.0, 10.0


def check_surfaces(subject: Subject) -> Iterator[Finding]:
    """Friction and margin of geoms that can touch something."""
    collidable = subject.collidable
    if int(subject.model.opt.enableflags) & ENBL_OVERRIDE:
        return
    touching = [int(geom) for geom in np.flatnonzero(collidable.touching)]
    yield from _sticky(subject, touching)
    yield from _slippery(subject, collidable)
    yield from _margins(subject, collidable, touching)


def _sticky(subject: Subject, touching: list[int]) -> Iterator[Finding]:
    friction = np.asarray(subject.model.geom_friction)[:, 0]
    found = [geom for geom in touching if friction[geom] > STICKY]
    if not found:
        return
    worst = max(found, key=lambda geom: float(friction[geom]))
    yield Finding(
        "friction-large",
        Severity.WARNING,
        Selection("geom", worst),
        f"{subject.name('geom', worst)} has a friction coefficient of {friction[worst]:g}",
        "Rubber on concrete has about 1. Of two geoms the larger coefficient counts, so everything sticks to this one, "
        "and the solver needs more iterations.",
        log10(float(friction[worst]) / STICKY),
        (Fix("set friction to 1", (SetField("geom_friction", 1.0, tuple(found), 0),)),),
        others=elements("geom", found, worst),
        attribute="friction",
    )


def _slippery(subject: Subject, collidable: Collidable) -> Iterator[Finding]:
    """Geoms that what stands on the ground meets without friction."""
    m = subject.model
    friction, condim = np.asarray(m.geom_friction)[:, 0], np.asarray(m.geom_condim)
    guilty: dict[int, int] = {}
    sliding = standing = 0
    for tree in collidable.standing:
        smooth: list[int] = []
        icy = False
        for geom in map(int, collidable.geoms_of(tree)):
            for partner in map(int, np.flatnonzero(collidable.matrix[geom] & collidable.fixed)):
                mixed = mixing(m, geom, partner)
                decides = partner if mixed.decider == SECOND else geom
                if mixed.decider == BOTH and friction[partner] < friction[geom]:
                    decides = partner
                slippery = mixed.decider != PAIR and (mixed.condim == 1 or mixed.friction < SLIPPERY)
                smooth.append(decides if slippery else -1)
                icy |= slippery and mixed.decider == SECOND and bool(collidable.floors[partner])
        standing += bool(smooth)
        # what has friction on something else is a matter of taste, unless a floor has none for all
        if smooth and (min(smooth) >= 0 or icy):
            sliding += 1
            for geom in smooth:
                if geom >= 0:
                    guilty[geom] = guilty.get(geom, 0) + 1
    priority = np.asarray(m.geom_priority)
    for floor in map(int, np.flatnonzero(collidable.floors & collidable.touching)):
        leads = priority[floor] > priority[np.flatnonzero(collidable.matrix[floor])].max()
        if leads and floor not in guilty and (friction[floor] < SLIPPERY or condim[floor] == 1):
            guilty[floor] = 1
    if not guilty:
        return
    worst = max(guilty, key=lambda geom: (guilty[geom], -geom))
    flat = condim[worst] == 1
    value = "condim is 1" if flat else f"friction is {friction[worst]:g}"
    both = (
        (SetField("geom_condim", 3.0, tuple(guilty)),) if flat else (SetField("geom_friction", 1.0, tuple(guilty), 0),)
    )
    yield Finding(
        "friction-none",
        # one of many is meant to slide
        Severity.WARNING if 2 * sliding >= standing else Severity.NOTE,
        Selection("geom", worst),
        f"{subject.name('geom', worst)} has contacts without friction: {value}",
        "What stands on it can neither walk nor stop. Of two geoms the larger coefficient counts, unless one has a "
        "higher priority.",
        1.0,
        (Fix("set condim to 3" if flat else "set friction to 1", both),),
        others=elements("geom", guilty, worst),
        attribute="condim" if flat else "friction",
    )


def _margins(subject: Subject, collidable: Collidable, touching: list[int]) -> Iterator[Finding]:
    margin = np.asarray(subject.model.geom_margin)
    sizes = np.where(np.isfinite(collidable.thickness), collidable.thickness, np.inf)
    shares = {}
    for geom in touching:
        size = min(float(sizes[geom]), float(np.median(sizes[np.flatnonzero(collidable.matrix[geom])])))
        if 0 < size < np.inf and margin[geom] > WIDE * size:
            shares[geom] = float(margin[geom]) / size
    if not shares:
        return
    worst = max(shares, key=lambda geom: shares[geom])
    yield Finding(
        "margin-large",
        Severity.ERROR if shares[worst] > TOO_WIDE else Severity.WARNING,
        Selection("geom", worst),
        f"{subject.name('geom', worst)} has a margin of {margin[worst]:g} m, {shares[worst]:.3g} times half the "
        "thickness of what touches it",
        "Contacts push from that distance on, so that things hover without touching. Lengths are in metres: was it "
        "meant in millimetres?",
        log10(shares[worst]),
        (
            Fix("set margin to 0", (SetField("geom_margin", 0.0, tuple(shares)),)),
            Fix(
                f"read it as millimetres: {margin[worst] / 1000:g} m",
                (SetField("geom_margin", float(margin[worst]) / 1000, (worst,)),),
            ),
        ),
        others=elements("geom", shares, worst),
        attribute="margin",
    )
