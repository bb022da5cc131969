"""Doctor: ranges of joints, tendons and servos that are empty, cannot be reached, or are left at the start."""

from __future__ import annotations

from collections.abc import Iterator
from math import degrees, log10

import numpy as np

from app.instruments.doctor.finding import Finding, Fix, Severity
from app.instruments.doctor.subject import Subject
from app.model.selection import Selection
from app.run.commands import SetField
from app.run.fix import set_numbers
from sim.enums import JNT_HINGE, JNT_SLIDE

# how far a start may be outside of a range: fraction of its width, and rad or m
OUTSIDE, LITTLE = 0.05, 0.01
# rad or m by which zero is outside of a range in models that are well made otherwise
SMALL = 0.16
DEGREES = degrees(1.0)


def check_ranges(subject: Subject) -> Iterator[Finding]:
    """Ranges against the start, keyframes and controls."""
    m = subject.model
    for joint in (joint for joint in subject.scalar_joints if m.jnt_limited[joint]):
        low, high = (float(value) for value in m.jnt_range[joint])
        if high - low <= 1e-9:
            yield _empty(subject, joint, low)
        else:
            yield from _start(subject, joint, low, high)
            yield from _keys(subject, joint, low, high)
            for actuator in subject.drives.get(joint, ()):
                yield from _servo(subject, joint, actuator, low, high)
    yield from _tendons(subject)


def _unit(subject: Subject, joint: int) -> str:
    return "m" if subject.model.jnt_type[joint] == JNT_SLIDE else "rad"


def _empty(subject: Subject, joint: int, low: float) -> Finding:
    return Finding(
        "range-empty",
        Severity.ERROR,
        Selection("joint", joint),
        f"{subject.name('joint', joint)} is limited to a single position, {low:.3g} {_unit(subject, joint)}",
        "A joint that cannot move costs time, and its two limits fight each other. A body without a joint is fixed "
        "anyway.",
        3.0,
        (Fix("do not limit it", (SetField("jnt_limited", 0.0, (joint,)),)),),
        attribute="range",
    )


def _start(subject: Subject, joint: int, low: float, high: float) -> Iterator[Finding]:
    m = subject.model
    at = int(m.jnt_qposadr[joint])
    start = float(m.qpos0[at])
    outside = max(low - start, start - high)
    if outside < max(OUTSIDE * (high - low), LITTLE):
        return
    kept = any(low - LITTLE <= float(key[at]) <= high + LITTLE for key in np.asarray(m.key_qpos).reshape(-1, int(m.nq)))
    unit = _unit(subject, joint)
    fixes = [Fix("widen its range", (SetField("jnt_range", start, (joint,), 0 if start < low else 1),))]
    if -high <= start <= -low:
        mirrored = set_numbers("jnt_range", (joint,), (-high, -low))
        fixes.insert(0, Fix(f"mirror its range: {-high:.4g} to {-low:.4g} {unit}", (mirrored,)))
    yield Finding(
        "range-start",
        Severity.NOTE if kept or outside < SMALL else Severity.WARNING,
        Selection("joint", joint),
        f"{subject.name('joint', joint)} starts at {start:.3g} {unit}, outside its range {low:.4g} to {high:.4g}",
        "The limit pushes it back in the first steps, faster the farther it is outside."
        + (" A keyframe is inside." if kept else ""),
        1 + log10(1 + 10 * outside / (high - low)),
        tuple(fixes),
        attribute="range",
    )


def _keys(subject: Subject, joint: int, low: float, high: float) -> Iterator[Finding]:
    m = subject.model
    at = int(m.jnt_qposadr[joint])
    for key in range(int(m.nkey)):
        value = float(m.key_qpos[key, at])
        outside = max(low - value, value - high)
        # what starts outside is said once
        if outside < max(OUTSIDE * (high - low), LITTLE) or value == m.qpos0[at]:
            continue
        turned = m.jnt_type[joint] == JNT_HINGE and low - 0.1 <= value / DEGREES <= high + 0.1 and abs(value) > 3.2
        unit = _unit(subject, joint)
        yield Finding(
            "key-range",
            Severity.ERROR if turned else Severity.WARNING,
            Selection("key", key),
            f"{subject.name('key', key)} has {subject.name('joint', joint)} at {value:.4g} {unit}, outside its "
            f"range {low:.4g} to {high:.4g}" + (" (degrees taken for radians?)" if turned else ""),
            "Keyframes are in radians whatever <compiler angle> says. After a reset to it the limit throws the joint "
            "back.",
            1 + log10(1 + 10 * outside / (high - low)) + (1 if turned else 0),
            (Fix(f"write {value / DEGREES:.4g} in its qpos" if turned else "correct its qpos"),),
            others=(Selection("joint", joint),),
            attribute="qpos",
        )


def _servo(subject: Subject, joint: int, actuator: int, low: float, high: float) -> Iterator[Finding]:
    m = subject.model
    targets = subject.targets(actuator)
    if targets is None:
        return
    reached = (min(high, targets[1]) - max(low, targets[0])) / min(high - low, max(targets[1] - targets[0], 1e-9))
    mirrored = (min(high, -targets[0]) - max(low, -targets[1])) / min(high - low, max(targets[1] - targets[0], 1e-9))
    if reached > 0.3:
        return
    unit, row = _unit(subject, joint), int(m.actuator_outadr[actuator])
    gear, turned = subject.gear(actuator), mirrored > 0.7
    controls = set_numbers("actuator_ctrlrange", (m.actuator_ctrladr[actuator],), sorted((low * gear, high * gear)))
    fixes = [Fix("use its joint's range", (controls,))]
    if turned:
        fixes.insert(0, Fix(f"reverse the gear: {-gear:g}", (SetField("actuator_gear", -gear, (row,), 0),)))
    yield Finding(
        "servo-range",
        Severity.ERROR if turned and reached < 0.1 else Severity.WARNING,
        Selection("actuator", actuator),
        f"{subject.name('actuator', actuator)} can be commanded from {targets[0]:.3g} to {targets[1]:.3g} {unit}, but "
        f"{subject.name('joint', joint)} moves from {low:.3g} to {high:.3g}" + (" (wrong sign?)" if turned else ""),
        "Most of the commanded range cannot be reached: the servo presses the joint against its limit.",
        2.0 + (1 - max(reached, 0.0)),
        tuple(fixes),
        others=(Selection("joint", joint),),
        attribute="gear" if gear < 0 else "ctrlrange",
    )


def _tendons(subject: Subject) -> Iterator[Finding]:
    m = subject.model
    for tendon in range(int(m.ntendon)):
        low, high = (float(value) for value in m.tendon_range[tendon])
        length = float(m.tendon_length0[tendon])
        outside = max(low - length, length - high)
        if not m.tendon_limited[tendon] or outside < 0.15 * max(high - low, 1e-3 * length):
            continue
        column = 0 if length < low else 1
        yield Finding(
            "tendon-range",
            Severity.WARNING,
            Selection("tendon", tendon),
            f"{subject.name('tendon', tendon)} is {length:.4g} long at the start, outside its range {low:.4g} to "
            f"{high:.4g}",
            "The limit is violated from the first step and pulls on everything along the path of the tendon.",
            1.5 + log10(1 + 10 * outside / max(high - low, 1e-3 * length)),
            (Fix("widen its range", (SetField("tendon_range", length, (tendon,), column),)),),
            attribute="range",
        )
