"""Doctor: equality constraints that are violated at the start, and would yank what they hold together."""

from __future__ import annotations

from collections.abc import Iterator
from math import log10
from typing import NamedTuple

import numpy as np

from app.instruments.doctor.finding import Finding, Fix, Severity, elements
from app.instruments.doctor.subject import Floats, Subject
from app.model.selection import Selection
from app.run.commands import SetField
from sim import Data
from sim.analysis.element_types import TYPES
from sim.enums import CNSTR_EQUALITY, EQ_CONNECT, EQ_JOINT, EQ_TENDON, EQ_WELD, JNT_SLIDE

# of the size of the model's bodies, or rad
FAR, TURNED = 0.1, 0.1


class Violation(NamedTuple):
    """An equality, how far it is off over what is normal, and in which unit."""

    share: float
    equality: int
    amount: float
    unit: str


def check_equalities(subject: Subject) -> Iterator[Finding]:
    """One finding for each type of equality that is far off at qpos0; less important if some keyframe satisfies it."""
    m = subject.model
    start = violations(subject, subject.data)
    if not start:
        return
    keys = [violations(subject, data) for data in subject.key_states.values()]
    groups: dict[tuple[int, bool], list[Violation]] = {}
    for equality, (amount, unit) in start.items():
        limit = _limit(subject, unit)
        if amount > limit:
            held = any(key.get(equality, (0.0, unit))[0] < amount / 2 for key in keys)
            found = Violation(amount / limit, equality, amount, unit)
            groups.setdefault((int(m.eq_type[equality]), held), []).append(found)
    for (_, held), violated in groups.items():
        yield _finding(subject, sorted(violated, reverse=True), held)


def violations(subject: Subject, data: Data) -> dict[int, tuple[float, str]]:
    """Each active equality, how far it is off, and in which unit: m or rad, whichever is worse."""
    rows = np.flatnonzero(np.asarray(data.efc_type)[: int(data.nefc)] == CNSTR_EQUALITY)
    numbers: dict[int, list[float]] = {}
    for row in rows:
        numbers.setdefault(int(data.efc_id[row]), []).append(float(data.efc_pos[row]))
    return {equality: _amount(subject, equality, np.array(errors)) for equality, errors in numbers.items()}


def _amount(subject: Subject, equality: int, errors: Floats) -> tuple[float, str]:
    m, kind = subject.model, int(subject.model.eq_type[equality])
    if kind == EQ_WELD:
        moved, turned = float(np.linalg.norm(errors[:3])), 2 * float(np.linalg.norm(errors[3:]))
        scale = float(m.eq_data[equality, 10]) or 1.0
        turned = min(turned / scale, np.pi)
        return (moved, "m") if moved / _limit(subject, "m") > turned / TURNED else (turned, "rad")
    if kind == EQ_JOINT:
        joint = int(m.eq_obj1id[equality])
        return float(np.abs(errors).max()), "m" if m.jnt_type[joint] == JNT_SLIDE else "rad"
    return float(np.linalg.norm(errors)), "m"


def _limit(subject: Subject, unit: str) -> float:
    return TURNED if unit == "rad" else FAR * (subject.size or 1.0)


def _finding(subject: Subject, violated: list[Violation], held: bool) -> Finding:
    m, (share, equality, amount, unit) = subject.model, violated[0]
    rows = tuple(one.equality for one in violated)
    more = f", and {len(rows) - 1} more" if len(rows) > 1 else ""
    kind = int(m.eq_type[equality])
    word = TYPES["equality"][1].get(kind, "equality")
    off = f"{np.degrees(amount):.3g}°" if unit == "rad" else f"{amount * 1000:.4g} mm"
    advice = {
        EQ_CONNECT: "move the anchor, or the bodies, so that the anchors coincide",
        EQ_WELD: "leave out relpose: the weld then keeps the pose at qpos0",
        EQ_JOINT: "make polycoef and ref agree",
        EQ_TENDON: "make polycoef and the lengths at qpos0 agree",
    }.get(kind, "change its data, or the pose at qpos0")
    severity = Severity.NOTE if held else Severity.ERROR if share > 10 else Severity.WARNING
    return Finding(
        "equality-violated",
        severity,
        Selection("equality", equality),
        f"{subject.name('equality', equality)} ({word}) is off by {off} at the start{more}",
        "It pulls at full force from the first step: the error has to vanish within a few time constants."
        + (" A keyframe satisfies it." if held else ""),
        log10(share) + 0.5,
        (Fix(advice), Fix("switch it off", (SetField("eq_active0", 0.0, rows),))),
        others=elements("equality", rows[1:]),
        attribute={EQ_WELD: "relpose", EQ_JOINT: "polycoef", EQ_TENDON: "polycoef", EQ_CONNECT: "anchor"}.get(kind, ""),
    )
