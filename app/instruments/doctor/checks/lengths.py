"""Doctor: millimetres taken for metres, in the whole model, in one geom, or in the position of one body."""

from __future__ import annotations

from collections.abc import Iterator
from math import log10

import numpy as np

from app.instruments.doctor.finding import Finding, Fix, Severity, elements
from app.instruments.doctor.subject import Floats, Subject
from app.model.selection import Selection
from sim.enums import GEOM_HFIELD, GEOM_MESH, GEOM_PLANE

# m: sizes of bodies under gravity of about 9.81 m/s² that are not believed
GIANT, DWARF = 8.0, 2e-4
# how many times larger or smaller than the others a geom may be, a position farther; a wrong unit makes 1000
UNLIKE, SURELY = 60.0, 250.0


def check_lengths(subject: Subject) -> Iterator[Finding]:
    """Sizes and positions against gravity and against each other."""
    if subject.size == 0:
        return
    whole = list(_whole(subject))
    yield from whole
    if not whole:
        yield from _geoms(subject)
    yield from _positions(subject)


def _whole(subject: Subject) -> Iterator[Finding]:
    size, gravity = subject.size, float(np.linalg.norm(subject.model.opt.gravity))
    if DWARF < size < GIANT or not (gravity == 0 or 5 < gravity < 20):
        return
    sized = [body for body in subject.moving if subject.sizes[body] > 0]
    if size >= GIANT and sum(subject.sizes[body] > GIANT / 4 for body in sized) < 0.7 * len(sized):
        return
    first = max(sized, key=lambda body: float(subject.sizes[body]))
    unit = "millimetres taken for metres?" if size > 1 else "metres taken for millimetres?"
    yield Finding(
        "length-unit",
        Severity.WARNING,
        Selection("body", first),
        f"the median length of the bodies is {size:.3g} m ({unit})",
        "Lengths are in metres where gravity is 9.81. Objects of this size fall, swing and topple "
        f"{'far more slowly' if size > 1 else 'far faster'} than is probably intended.",
        2 + abs(log10(size / 0.2)),
        (Fix(f"scale the model by {'0.001' if size > 1 else '1000'}: positions, sizes, mesh scales, masses"),),
        others=elements("body", sized, first),
    )


def _geoms(subject: Subject) -> Iterator[Finding]:
    m = subject.model
    plain = (GEOM_PLANE, GEOM_HFIELD, GEOM_MESH)
    static = np.asarray(m.body_weldid)[np.asarray(m.geom_bodyid)] == 0
    radii = np.asarray(m.geom_rbound)
    # what does not move may be long and wide, but not in all directions
    bulk = np.asarray(m.geom_aabb)[:, 3:].min(axis=1)
    static &= bulk < UNLIKE * subject.size
    others = _median_of_others(np.where(static | (radii <= 0), np.nan, radii), _scale(subject))
    for geom in range(int(m.ngeom)):
        if static[geom] or m.geom_type[geom] in plain or radii[geom] <= 0 or not others[geom] > 0:
            continue
        off, near = float(radii[geom] / others[geom]), _near(subject, geom)
        if 1 / UNLIKE < off < UNLIKE:
            continue
        # compared with its neighbours too
        close = near > 0 and not 1 / UNLIKE < radii[geom] / near < UNLIKE
        sure = close and not 1 / SURELY < off < SURELY
        yield Finding(
            "size-unit",
            Severity.ERROR if sure else Severity.WARNING,
            Selection("geom", geom),
            f"{subject.name('geom', geom)} has a radius of {radii[geom]:.3g} m, "
            + (f"{off:.3g} times" if off > 1 else f"1/{1 / off:.3g} of")
            + f" the other geoms ({'millimetres taken for metres' if off > 1 else 'a unit that is too large'}?)",
            "Its mass and inertia grow with the third and fifth power of its size, and it collides with everything "
            "nearby."
            if off > 1
            else "It has next to no mass, and nothing can touch it.",
            abs(log10(off)) + (1 if sure else 0),
            (Fix(f"multiply its size by {'0.001' if off > 1 else '1000'}"),),
            attribute="size",
        )


def _scale(subject: Subject) -> list[float]:
    """Lengths that are about as large as the geoms should be, lest one of two geoms could be either: the distances
    of bodies, and what one can hold in the hands."""
    m = subject.model
    away = [float(np.linalg.norm(m.body_pos[body])) for body in subject.moving if m.body_parentid[body] != 0]
    away = [length for length in away if length > 0]
    usual = [0.1] if 5 < np.linalg.norm(m.opt.gravity) < 20 else []
    return [*([float(np.median(away))] if away else []), *usual]


def _median_of_others(values: Floats, more: list[float]) -> Floats:
    """For each value the median of all others that are numbers, and of some more; nan if there are none."""
    known = np.sort(np.log10(values[np.isfinite(values)]))
    found = np.full(len(values), np.nan)
    for index, value in enumerate(values):
        if np.isfinite(value) and len(known) + len(more) > 1:
            others = np.delete(known, np.searchsorted(known, np.log10(value)))
            found[index] = 10 ** np.median([*others, *np.log10(more)])
    return found


def _near(subject: Subject, geom: int) -> float:
    """The median radius of the other geoms of its body, its parent and its children; else how far those are away."""
    m = subject.model
    body = int(m.geom_bodyid[geom])
    family = {body, int(m.body_parentid[body]), *np.flatnonzero(np.asarray(m.body_parentid) == body).tolist()} - {0}
    radii = [
        float(m.geom_rbound[other])
        for other in range(int(m.ngeom))
        if other != geom and int(m.geom_bodyid[other]) in family and m.geom_rbound[other] > 0
    ]
    if radii:
        return float(np.median(radii))
    away = [float(np.linalg.norm(m.body_pos[other])) for other in family if m.body_parentid[other] != 0]
    return max(away, default=0.0)


def _positions(subject: Subject) -> Iterator[Finding]:
    """Bodies that are far from their parent."""
    m = subject.model
    lengths: Floats = np.linalg.norm(np.asarray(m.body_pos), axis=1)
    linked = [body for body in subject.moving if m.body_parentid[body] != 0 and lengths[body] > 0]
    free = [body for body in range(1, int(m.nbody)) if m.body_parentid[body] == 0 and lengths[body] > 0]
    for body in linked + free:
        others = [float(lengths[other]) for other in (linked if body in linked else linked + free) if other != body]
        usual = max(float(np.median(others)) if others else 0.0, subject.size)
        parent = int(m.body_parentid[body])
        usual = max(usual, float(subject.sizes[body]), float(subject.sizes[parent]) if parent else 0.0)
        limit = UNLIKE if body in linked else 4 * UNLIKE
        if lengths[body] < limit * usual or lengths[body] < max(4 * np.median(others) if others else 0.0, 3.0):
            continue
        yield Finding(
            "position-unit",
            Severity.ERROR if lengths[body] > (1 if body in linked else 4) * SURELY * usual else Severity.WARNING,
            Selection("body", body),
            f"{subject.name('body', body)} is {lengths[body]:.3g} m away from its parent, {lengths[body] / usual:.3g} "
            "times the usual size here (millimetres taken for metres?)",
            "It hangs on an invisible arm: its inertia about the joints of its parents grows with the square of the "
            "distance.",
            log10(lengths[body] / usual) + 1,
            (Fix("multiply its pos by 0.001"),),
            attribute="pos",
        )
