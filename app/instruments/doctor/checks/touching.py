"""Doctor: neighbours in a tree that touch wherever their joints are."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from app.instruments.doctor import structure
from app.instruments.doctor.checks.overlaps import NEAR, overlaps, steps_between
from app.instruments.doctor.finding import Finding, Fix, Severity, elements
from app.instruments.doctor.subject import Subject
from app.model.selection import Selection
from sim import Data

# positions that are looked at, and dofs of a model for which they are
SAMPLES, MOST_DOFS = 12, 300
Pair = tuple[int, int]


def check_touching(subject: Subject) -> Iterator[Finding]:
    """One finding for all pairs of bodies; those that overlap far at the start are another finding."""
    pairs = always_touching(subject)
    if not pairs:
        return
    (first, second), *rest = sorted(pairs)
    more = f", and {len(rest)} more pairs" if len(rest) > 1 else ", and another pair" if rest else ""
    one, other = subject.name("body", second), subject.name("body", first)
    fix = Fix(f"add an <exclude> of {one} and {other}{more}", tree=structure.exclude(subject, pairs))
    yield Finding(
        "touch-always",
        Severity.NOTE,
        Selection("body", second),
        f"{one} always touches {other}{more}",
        "They touched at the start and in all of some random poses, so this contact says nothing: it costs time, and "
        "works against the joints between them.",
        0.3,
        (fix,) if fix.tree else (Fix(f"exclude contacts of {one} and {other}"),),
        others=elements("body", dict.fromkeys(body for pair in pairs for body in pair if body), second),
    )


def always_touching(subject: Subject) -> set[Pair]:
    """Pairs of bodies near each other in a tree that touch at the start and in random poses, but not far."""
    m, collidable = subject.model, subject.collidable
    if not collidable.enabled or not m.njnt or int(m.nv) > MOST_DOFS:
        return set()
    deep = {(one.first, one.second) for one in overlaps(collidable, subject.data)}
    known = {tuple(sorted(collidable.body[list(pair)].tolist())) for pair in deep}
    found = {pair for pair in _touching(subject, subject.data) if pair not in known and _near(subject, pair)}
    if not found:
        return set()
    random, data = np.random.default_rng(1), m.engine.Data(m)
    for _ in range(SAMPLES):
        for joint in subject.scalar_joints:
            low, high = m.jnt_range[joint] if subject.bounded(joint) else (-0.5, 0.5)
            data.qpos[int(m.jnt_qposadr[joint])] = random.uniform(low, high)
        m.engine.forward(m, data)
        found &= _touching(subject, data)
        if not found:
            break
    return found


def _near(subject: Subject, pair: Pair) -> bool:
    """Whether two bodies are neighbours in one tree."""
    trees = np.asarray(subject.model.body_treeid)[list(pair)]
    return min(pair) > 0 and (trees[0] == trees[1] or min(trees) < 0) and steps_between(subject, *pair) <= NEAR


def _touching(subject: Subject, data: Data) -> set[Pair]:
    """Pairs of bodies with a contact in which they are in each other."""
    count = int(data.ncon)
    geoms, inside = np.asarray(data.contact.geom)[:count], np.asarray(data.contact.dist)[:count] < 0
    bodies = np.asarray(subject.model.geom_bodyid)[geoms[inside & (geoms >= 0).all(axis=1)]]
    return {(min(pair), max(pair)) for pair in bodies.tolist()}
