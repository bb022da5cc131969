"""Doctor: contacts that start in penetration, at qpos0 and in keyframes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from math import log10
from typing import NamedTuple

import numpy as np

from app.instruments.doctor import structure
from app.instruments.doctor.collidable import Collidable
from app.instruments.doctor.finding import Finding, Fix, Severity, elements, length_text
from app.instruments.doctor.subject import Subject
from app.model.selection import Selection
from app.run.commands import SetField
from app.run.fix import set_numbers
from sim import Data
from sim.enums import JNT_FREE

# depth over half of the thickness of the thinner geom
DEEP = 0.3
# relatives up to this far apart in the tree overlap near their joints
NEAR = 2
# s, the time constant of a contact that pushes gently
SLOWLY = 0.2

# by what is in what; `THROWN` for all else
WHY = {
    "near": "They are two joints apart, so nothing filters this contact: it pushes all the time, and works "
    "against the joints between them.",
    "base": "MuJoCo filters contacts of parent and child, but not where the parent is fixed to the world: this one "
    "pushes all the time, and works against the joints between them.",
}
THROWN = (
    "The contact throws them apart in the first steps, faster the deeper they overlap: the overlap has to vanish "
    "within a few time constants."
)


class Overlap(NamedTuple):
    """Two geoms, how deep they are in each other, and that over half of the thickness of the thinner one."""

    first: int
    second: int
    depth: float
    share: float
    normal: tuple[float, ...]


def check_overlaps(subject: Subject) -> Iterator[Finding]:
    """One finding for each reason: in the ground, in other trees, in relatives; and one for each keyframe."""
    collidable = subject.collidable
    if not collidable.enabled:
        return
    start = overlaps(collidable, subject.data)
    keys = {key: overlaps(collidable, data) for key, data in subject.key_states.items()}
    # a model with keyframes is not meant to start at qpos0
    elsewhere = any(_worst(found) < _worst(start) / 2 for found in keys.values())
    for reason, found in _grouped(subject, collidable, start).items():
        yield _finding(subject, collidable, reason, found, Severity.NOTE if elsewhere else None)
    known = {(overlap.first, overlap.second) for overlap in start}
    for key, found in keys.items():
        new = [one for one in found if (one.first, one.second) not in known and one.share > DEEP]
        if new:
            yield _key_finding(subject, key, new)


def overlaps(collidable: Collidable, data: Data) -> list[Overlap]:
    """Pairs of geoms that are deep in each other, the deepest first."""
    found: dict[tuple[int, int], Overlap] = {}
    count = int(data.ncon)
    geoms, distances = np.asarray(data.contact.geom)[:count], np.asarray(data.contact.dist)[:count]
    for (first, second), distance, frame in zip(geoms, distances, np.asarray(data.contact.frame)[:count], strict=True):
        if first < 0 or second < 0:
            continue
        size = float(min(collidable.thickness[first], collidable.thickness[second]))
        share = -float(distance) / size if 0 < size < np.inf else 0.0
        pair = int(first), int(second)
        if share > DEEP and (pair not in found or share > found[pair].share):
            normal = tuple(np.ravel(frame)[:3].tolist())
            found[pair] = Overlap(*pair, -float(distance), share, normal)
    return sorted(found.values(), key=lambda overlap: -overlap.share)


def _worst(found: list[Overlap]) -> float:
    return max((overlap.share for overlap in found), default=0.0)


def _grouped(subject: Subject, collidable: Collidable, found: list[Overlap]) -> dict[str, list[Overlap]]:
    """Overlaps by what is in what."""
    groups: dict[str, list[Overlap]] = {}
    for overlap in found:
        geoms = [overlap.first, overlap.second]
        trees = [collidable.tree_of(geom) for geom in geoms]
        fixed = min(trees) < 0
        if steps_between(subject, *collidable.body[geoms].tolist()) <= NEAR and not collidable.ground[geoms].any():
            reason = "base" if fixed else "near"
        elif fixed:
            reason = "ground"
        else:
            reason = "own" if trees[0] == trees[1] else "other"
        groups.setdefault(reason, []).append(overlap)
    return groups


def steps_between(subject: Subject, first: int, second: int) -> int:
    """How many joints are between two bodies; many if they are in two trees, or one is free."""
    m, paths = subject.model, []
    for body in (first, second):
        path = [body]
        while path[-1]:
            path.append(int(m.body_parentid[path[-1]]))
        paths.append(path)
    common = next(body for body in paths[0] if body in paths[1])
    between = [body for path in paths for body in path[: path.index(common)] if m.body_jntnum[body]]
    free = any(m.jnt_type[m.body_jntadr[body]] == JNT_FREE for body in between)
    apart = not common and min(m.body_treeid[first], m.body_treeid[second]) >= 0
    return len(m.body_parentid) if free or apart else len(between)


def _finding(
    subject: Subject, collidable: Collidable, reason: str, found: list[Overlap], severity: Severity | None
) -> Finding:
    worst = found[0]
    moving = worst.first if collidable.fixed[worst.second] else worst.second
    partner = worst.second if moving == worst.first else worst.first
    more = f", and {len(found) - 1} more" if len(found) > 1 else ""
    one, other = subject.name("geom", moving), subject.name("geom", partner)
    exclude = reason in ("near", "base", "own")
    fixes = _exclude(subject, partner, moving, found) if exclude else _apart(subject, collidable, moving, worst)
    return Finding(
        "overlap",
        severity or (Severity.NOTE if reason in WHY else Severity.WARNING),
        Selection("geom", moving),
        f"{one} starts {length_text(worst.depth)} inside {other}{more}",
        WHY.get(reason, THROWN),
        log10(worst.share / DEEP) + 0.5,
        fixes,
        others=_others(found, moving),
        attribute="pos",
    )


def _exclude(subject: Subject, partner: int, moving: int, found: list[Overlap]) -> tuple[Fix, ...]:
    """No contact of two bodies; an <exclude> of the world would be one of the floor too."""
    m, origins = subject.model, subject.origins
    first, second = (int(m.geom_bodyid[geom]) for geom in (partner, moving))
    base = origins.body_of(partner)
    one, other = subject.name("body", first), subject.name("body", second)
    if first == 0 and base == "world":
        return (Fix(f"put {subject.name('geom', partner)} into a body of its own, and <exclude> it and {other}"),)
    if first == 0:
        one = f"body {base}"
    pairs = structure.pairs_of(subject, ((overlap.first, overlap.second) for overlap in found))
    more = f", and {len(pairs) - 1} more" if len(pairs) > 1 else ""
    add = Fix(f"add an <exclude> of {one} and {other}{more}", tree=structure.exclude(subject, pairs))
    urdf = origins.root is not None and origins.root.file.endswith(".urdf")
    # there is none in a URDF
    return (Fix(f"convert it to MJCF with an <exclude> of {one} and {other}: convert --exclude"),) if urdf else (add,)


def _apart(subject: Subject, collidable: Collidable, moving: int, overlap: Overlap) -> tuple[Fix, ...]:
    """Move the tree of a geom out, along the normal of the contact; or let the contact do it slowly."""
    m, tree = subject.model, collidable.tree_of(moving)
    root = int(m.tree_bodyadr[tree])
    # the normal points from the first geom to the second
    away = np.array(overlap.normal) * overlap.depth * (1 if moving == overlap.second else -1)
    new = np.asarray(subject.data.xpos[root]) + away
    place = f", to {new[0]:.4g} {new[1]:.4g} {new[2]:.4g}" if m.body_parentid[root] == 0 else ""
    slow = set_numbers("geom_solref", (moving,), (SLOWLY, 1.0))
    return (
        Fix(f"move {subject.name('body', root)} out by {length_text(overlap.depth)}{place}"),
        Fix(
            f"let the contact push it out slowly: solref {SLOWLY:g} 1",
            (replace(slow, also=(*slow.also, SetField("geom_priority", 1.0, (moving,)))),),
        ),
    )


def _key_finding(subject: Subject, key: int, found: list[Overlap]) -> Finding:
    worst = found[0]
    more = f", and {len(found) - 1} more" if len(found) > 1 else ""
    return Finding(
        "overlap-key",
        Severity.WARNING if worst.share > 1 else Severity.NOTE,
        Selection("key", key),
        f"in {subject.name('key', key)} {subject.name('geom', worst.second)} is {length_text(worst.depth)} inside "
        f"{subject.name('geom', worst.first)}{more}",
        "A reset to this keyframe starts in penetration, and the contact throws them apart.",
        log10(worst.share / DEEP),
        (Fix("move them apart, let it come to rest, and save the keyframe again"),),
        others=_others(found, -1),
    )


def _others(found: list[Overlap], but: int) -> tuple[Selection, ...]:
    geoms = dict.fromkeys(geom for overlap in found for geom in (overlap.first, overlap.second))
    return elements("geom", geoms, but)
