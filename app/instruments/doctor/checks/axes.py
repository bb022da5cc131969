"""Doctor: joints that turn the other way than their twins on the other side, though their ranges are alike."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from app.instruments.doctor import structure
from app.instruments.doctor.checks.twins import twins
from app.instruments.doctor.finding import Finding, Fix, Severity
from app.instruments.doctor.subject import Floats, Subject
from app.model.selection import Selection
from sim.enums import JNT_HINGE

# cosine of axes that are parallel; of the width, how far ranges differ that are unlike, and alike
PARALLEL, UNLIKE, ALIKE = 0.95, 0.2, 0.02


def check_axes(subject: Subject) -> Iterator[Finding]:
    """Pairs whose ranges are mirror images only if one of the axes is turned round."""
    m = subject.model
    scalar = set(subject.scalar_joints)
    for first, second in twins(m.names["joint"]):
        alike = {first, second} <= scalar and m.jnt_type[first] == m.jnt_type[second]
        if alike and subject.bounded(first) and subject.bounded(second) and _opposite(subject, first, second):
            yield _finding(subject, first, second)


def _opposite(subject: Subject, first: int, second: int) -> bool:
    """Whether the second joint moves the other way than the mirror image of the first."""
    m, d = subject.model, subject.data
    anchors, axes = np.asarray(d.xanchor), np.asarray(d.xaxis)
    across = anchors[second] - anchors[first]
    length = float(np.linalg.norm(across))
    if length < 1e-6 or _turned_copy(subject, first, second):
        return False
    mirrored = _mirrored(axes[first], across / length, m.jnt_type[first] == JNT_HINGE)
    sign = float(mirrored @ axes[second])
    if abs(sign) < PARALLEL:
        return False
    low, high = (float(end) for end in m.jnt_range[first] - m.qpos0[m.jnt_qposadr[first]])
    there = np.asarray(m.jnt_range[second] - m.qpos0[m.jnt_qposadr[second]], float)
    same, reverse = np.array((low, high)), np.array((-high, -low))
    meant, other = (same, reverse) if sign > 0 else (reverse, same)
    width = max(high - low, 1e-9)
    return bool(np.abs(there - meant).max() > UNLIKE * width and np.abs(there - other).max() < ALIKE * width)


def _turned_copy(subject: Subject, first: int, second: int) -> bool:
    """Whether the second joint is the first one with its body, moved and turned, as two equal arms have it."""
    m, d = subject.model, subject.data
    frames = [np.asarray(d.xmat[int(m.jnt_bodyid[joint])]).reshape(3, 3) for joint in (first, second)]
    turned = frames[1] @ frames[0].T @ np.asarray(d.xaxis[first])
    return float(turned @ np.asarray(d.xaxis[second])) > PARALLEL


def _mirrored(axis: Floats, normal: Floats, hinge: bool) -> Floats:
    """The axis of the mirror image: a rotation keeps what is along the normal, a translation the rest."""
    along: Floats = 2 * float(axis @ normal) * normal
    return along - axis if hinge else axis - along


def _finding(subject: Subject, first: int, second: int) -> Finding:
    m = subject.model
    # the axis that people turn round has the minus
    minus = [bool(np.asarray(m.jnt_axis[joint]).sum() < 0) for joint in (first, second)]
    odd, twin = (first, second) if minus == [True, False] else (second, first)
    name, other = subject.name("joint", odd), subject.name("joint", twin)
    low, high = m.jnt_range[odd]
    fixes = [("axis", f"turn the axis of {name} round"), ("range", f"turn its range round: {-high:.4g} to {-low:.4g}")]
    return Finding(
        "axis-twin",
        Severity.WARNING,
        Selection("joint", odd),
        f"{name} turns the other way than {other}, but their ranges are alike",
        "Seen in a mirror, one moves where the other cannot. The axis of one, or its range, has the wrong sign.",
        1.0,
        tuple(Fix(text, tree=structure.flip(subject, odd, attribute)) for attribute, text in fixes),
        others=(Selection("joint", twin),),
        attribute="axis",
    )
