"""Doctor: gravity in the wrong unit or direction, a timestep in milliseconds or too long."""

from __future__ import annotations

from collections.abc import Iterator
from math import log10

import numpy as np

from app.instruments.doctor.finding import Finding, Fix, Severity
from app.instruments.doctor.subject import Floats, Subject
from app.model.selection import Selection
from app.run.commands import SetField
from sim.enums import DSBL_GRAVITY, GEOM_HFIELD, GEOM_PLANE

EARTH = 9.81
# gravity of celestial bodies, m/s²: the Moon has 1.6, Jupiter 25
WEAKEST, STRONGEST = 0.3, 60.0
# systems of units other than SI: gravity of the Earth in them, and the densities of things, from foam to lead
SYSTEMS = ((981.0, 0.01, 20.0), (9810.0, 1e-5, 2e-2), (9810.0, 1e-8, 2e-5), (9810.0, 1e-11, 2e-8))
# s; beyond the first, contacts with the default solref are softened, beyond the second they are not seen
LONG, TOO_LONG, IN_MS = 0.0101, 0.021, 0.25
OPTION = Selection("option", 0)


def check_options(subject: Subject) -> Iterator[Finding]:
    """Gravity and timestep."""
    yield from _gravity(subject)
    yield from _timestep(subject)


def _gravity(subject: Subject) -> Iterator[Finding]:
    m = subject.model
    gravity = np.array(m.opt.gravity)
    strength = float(np.linalg.norm(gravity))
    if strength == 0 or int(m.opt.disableflags) & DSBL_GRAVITY or not subject.moving:
        return
    if not WEAKEST < strength < STRONGEST and not _other_units(subject, strength):
        yield Finding(
            "gravity-unit",
            Severity.ERROR,
            OPTION,
            f"gravity is {strength:.4g} m/s², {strength / EARTH:.3g} times that of the Earth",
            "MJCF has no units, but with lengths in metres gravity is 9.81. With lengths in millimetres (9810), "
            "masses, inertias and gains would have to be in matching units, and they are not.",
            abs(log10(strength / EARTH)) + 2,
            (_set_gravity("set gravity to 9.81 m/s²", gravity * EARTH / strength),),
            attribute="gravity",
        )
    down, floors = gravity / strength, _floors(subject)
    facing = max((float(-normal @ down) for normal in floors), default=0.0)
    if facing < 0.3 and (floors or down[2] > 0.9):
        where = "away from the floor" if floors else "upwards"
        if floors and facing > -0.3:
            where = "along the floor"
        yield Finding(
            "gravity-direction",
            Severity.ERROR if floors else Severity.WARNING,
            OPTION,
            f"gravity ({gravity[0]:g} {gravity[1]:g} {gravity[2]:g}) pulls {where}",
            "Nothing will come to rest on the floor. Gravity is usually 0 0 -9.81; a model whose y axis points up has "
            "to be rotated, or its gravity changed to match.",
            3.0,
            (_set_gravity("make gravity point down", np.array([0.0, 0.0, -strength])),),
            attribute="gravity",
        )


def _other_units(subject: Subject, strength: float) -> bool:
    """Whether gravity and densities fit together in a common system of units other than SI."""
    density = subject.density
    return any(strength / 3 < g < strength * 3 and low < density < high for g, low, high in SYSTEMS)


def _floors(subject: Subject) -> list[Floats]:
    """The normals of planes and height fields that do not move."""
    m, d = subject.model, subject.data
    static = [g for g in range(int(m.ngeom)) if m.body_weldid[m.geom_bodyid[g]] == 0]
    kinds = (GEOM_PLANE, GEOM_HFIELD)
    return [np.asarray(d.geom_xmat[g]).reshape(3, 3)[:, 2] for g in static if m.geom_type[g] in kinds]


def _set_gravity(text: str, gravity: Floats) -> Fix:
    return Fix(text, tuple(SetField("opt.gravity", float(value), (axis,)) for axis, value in enumerate(gravity)))


def _timestep(subject: Subject) -> Iterator[Finding]:
    m = subject.model
    timestep = float(m.opt.timestep)
    if timestep <= LONG or int(m.nv) == 0:
        return
    short = 0.002
    severity = Severity.ERROR if timestep > TOO_LONG else Severity.NOTE
    unit = " (milliseconds taken for seconds?)" if timestep > IN_MS else ""
    yield Finding(
        "timestep",
        severity,
        OPTION,
        f"the timestep is {timestep:g} s, {timestep / short:.3g} times the usual {short:g} s{unit}",
        "Contacts, limits and servos react within about 0.02 s; a step that is not much shorter misses them. "
        "Contacts become soft, stiff springs and servos unstable.",
        log10(timestep / short) + (2 if severity == Severity.ERROR else -1),
        (Fix(f"set the timestep to {short:g} s", (SetField("opt.timestep", short),)),),
        attribute="timestep",
    )
