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


def check_touching(subject: Subject) -> Iterator[Finding]:
    """One finding for all pairs of bodies; those that overlap far at the start are another finding."""
    pairs = always_touching(subject)
    if not pairs:
        return
    (first, second), *rest = pairs
    more = f", and {len(rest)} more pairs" if len(rest) > 1 else ", and another pair" if rest else ""
    one = subject.name("body", second)
    other = subject.name("body", first) if isinstance(first, int) else f"body {first}"
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
        others=elements("body", dict.fromkeys(b for pair in pairs for b in pair if isinstance(b, int)), second),
    )


def always_touching(subject: Subject) -> list[structure.Pair]:
    """Pairs of bodies near each other in a tree that touch at the start and in random poses, but not far."""
    m, collidable = subject.model, subject.collidable
    if not collidable.enabled or not m.njnt or int(m.nv) > MOST_DOFS:
        return []
    deep = structure.pairs_of(subject, ((one.first, one.second) for one in overlaps(collidable, subject.data)))
    found = [pair for pair in _touching(subject, subject.data) if pair not in deep and _near(subject, pair)]
    random, data = np.random.default_rng(1), m.engine.Data(m) if found else None
    for _ in range(SAMPLES):
        if data is None or not found:
            break
        for joint in subject.scalar_joints:
            low, high = m.jnt_range[joint] if subject.bounded(joint) else (-0.5, 0.5)
            data.qpos[int(m.jnt_qposadr[joint])] = random.uniform(low, high)
        m.engine.forward(m, data)
        touching = _touching(subject, data)
        found = [pair for pair in found if pair in touching]
    return found


def _near(subject: Subject, pair: structure.Pair) -> bool:
    """Whether two bodies are neighbours in one tree; one that is fused with the world is in all of them."""
    first, second = pair[0] if isinstance(pair[0], int) else 0, pair[1]
    trees = [int(subject.model.body_treeid[body]) for body in (first, second)]
    return (trees[0] == trees[1] or min(trees) < 0) and steps_between(subject, first, second) <= NEAR


def _touching(subject: Subject, data: Data) -> list[structure.Pair]:
    """Pairs of bodies with a contact in which they are in each other."""
    count = int(data.ncon)
    geoms, inside = np.asarray(data.contact.geom)[:count], np.asarray(data.contact.dist)[:count] < 0
    found = geoms[inside & (geoms >= 0).all(axis=1)].tolist()
    ground = subject.collidable.ground
    return structure.pairs_of(subject, (pair for pair in found if not ground[pair].any()))
