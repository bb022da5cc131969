"""Doctor: degrees taken for radians and the reverse, in ranges, spring references, controls, and orientations."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from math import degrees, log10, pi, radians
from statistics import median

from app.instruments.doctor import structure
from app.instruments.doctor.finding import Finding, Fix, Severity
from app.instruments.doctor.subject import Subject
from app.model.selection import Selection
from app.run.commands import SetField
from app.run.fix import set_numbers
from sim.enums import JNT_HINGE
from sim.mjcf.source import Node

TURN = 2 * pi
# rad: a hinge with more is wound up, one with less is locked
WOUND, LOCKED, NEARLY_LOCKED = 2.02 * TURN, 0.056, 0.1
# how many times narrower than those of the others a range may be
UNLIKE = 30.0
# how many times the range of its joint a servo may be told to go
FARTHER = 15.0
# a number of degrees that people write is a multiple of this, to this accuracy
ROUND, ACCURACY = 5.0, 0.2


def check_angles(subject: Subject) -> Iterator[Finding]:
    """Angles that make sense only in the other unit."""
    m = subject.model
    hinges = [j for j in range(int(m.njnt)) if m.jnt_type[j] == JNT_HINGE]
    for found, unit in ((_wide(subject, hinges), "degree"), (_narrow(subject, hinges), "radian")):
        yield from _with_unit(subject, [*found], unit)
    yield from _springs(subject, hinges)
    yield from _controls(subject)
    yield from _orientations(subject)


def _with_unit(subject: Subject, found: list[Finding], unit: str) -> Iterator[Finding]:
    """Findings about ranges; where all ranges of the file are in another unit, the first fix says so."""
    joints = [joint for joint in range(int(subject.model.njnt)) if subject.model.jnt_type[joint] == JNT_HINGE]
    limited = [joint for joint in joints if subject.bounded(joint)]
    edits = structure.angle_unit(subject, unit) if found and len(found) == len(limited) else ()
    for finding in found:
        whole = (Fix(f'say that the angles of the file are in {unit}s: <compiler angle="{unit}">', tree=edits),)
        yield replace(finding, fixes=(*whole, *finding.fixes)) if edits else finding


def _round(values: Iterable[float]) -> bool:
    """Whether some angles are round numbers of degrees, and not all zero."""
    found = [value for value in values if abs(value) > 1e-9]
    return bool(found) and all(abs(value - ROUND * round(value / ROUND)) < ACCURACY for value in found)


def _range(subject: Subject, joint: int) -> tuple[float, float]:
    low, high = subject.model.jnt_range[joint]
    return float(low), float(high)


def _width(subject: Subject, joint: int) -> float:
    low, high = _range(subject, joint)
    return high - low


def _wide(subject: Subject, hinges: list[int]) -> Iterator[Finding]:
    for joint in hinges:
        low, high = _range(subject, joint)
        if not subject.bounded(joint) or max(-low, high) < WOUND:
            continue
        sure = _round((low, high)) and max(-low, high) < 721
        yield Finding(
            "angle-unit",
            Severity.ERROR if sure else Severity.WARNING,
            Selection("joint", joint),
            f"{subject.name('joint', joint)} can turn from {low:.4g} to {high:.4g} rad, "
            f"{(high - low) / TURN:.3g} turns (degrees taken for radians?)",
            'With <compiler angle="radian"> ranges are in radians. The joint is practically unlimited.',
            2 + log10((high - low) / TURN),
            (
                Fix(
                    f"read it as degrees: {low:.4g}° to {high:.4g}°",
                    (set_numbers("jnt_range", (joint,), (radians(low), radians(high))),),
                ),
            ),
            attribute="range",
        )


def _narrow(subject: Subject, hinges: list[int]) -> Iterator[Finding]:
    limited = [joint for joint in hinges if subject.bounded(joint)]
    for joint in limited:
        low, high = _range(subject, joint)
        written = degrees(low), degrees(high)
        meant = degrees(written[0]), degrees(written[1])
        believable = 4 < meant[1] - meant[0] < 725 and max(-meant[0], meant[1]) < 725
        if not (0 < high - low < NEARLY_LOCKED and believable):
            continue
        looks_round = _round(meant)
        others = [_width(subject, other) for other in limited if other != joint]
        odd = bool(others) and high - low < median(others) / UNLIKE
        if not looks_round and not odd and high - low > LOCKED:
            continue
        yield Finding(
            "angle-unit",
            Severity.WARNING,
            Selection("joint", joint),
            f"{subject.name('joint', joint)} can turn only from {written[0]:.3g}° to {written[1]:.3g}° "
            "(radians taken for degrees?)",
            'Ranges are in degrees unless <compiler angle="radian"> is set. The joint is practically locked.',
            (3 if looks_round else 2 if odd else 1.5) + log10(NEARLY_LOCKED / (high - low)),
            (
                Fix(
                    f"read it as radians: {meant[0]:.4g}° to {meant[1]:.4g}°",
                    (set_numbers("jnt_range", (joint,), [*map(radians, meant)]),),
                ),
            ),
            attribute="range",
        )


def _springs(subject: Subject, hinges: list[int]) -> Iterator[Finding]:
    m = subject.model
    for joint in hinges:
        at, (low, high) = int(m.jnt_qposadr[joint]), _range(subject, joint)
        spring = float(m.qpos_spring[at])
        if m.jnt_stiffness[joint] == 0:
            continue
        outside = max(low - spring, spring - high) if m.jnt_limited[joint] else abs(spring - m.qpos0[at]) - TURN
        if outside < (max(high - low, 0.5) if m.jnt_limited[joint] else TURN):
            continue
        unit = " (degrees taken for radians?)" if _round((spring,)) and abs(spring) > WOUND / 2 else ""
        yield Finding(
            "springref",
            Severity.ERROR if unit else Severity.WARNING,
            Selection("joint", joint),
            f"the spring of {subject.name('joint', joint)} rests at {spring:.4g} rad, {outside:.3g} rad "
            f"outside its range{unit}",
            "It constantly presses the joint against its limit at full force.",
            1 + log10(max(outside, 1.0)),
            (Fix("let it rest at qpos0", (SetField("qpos_spring", float(m.qpos0[at]), (at,)),)),),
            attribute="springref",
        )


def _controls(subject: Subject) -> Iterator[Finding]:
    """Ranges of position servos: the compiler does not convert them to radians."""
    m = subject.model
    for joint, actuators in subject.drives.items():
        if m.jnt_type[joint] != JNT_HINGE:
            continue
        for actuator in actuators:
            targets = subject.targets(actuator)
            if targets is None:
                continue
            low, high = _range(subject, joint)
            limited = subject.bounded(joint)
            far = max(abs(targets[0]), abs(targets[1]))
            if far < WOUND and not (limited and targets[1] - targets[0] > FARTHER * (high - low) and far > pi):
                continue
            row = int(m.actuator_ctrladr[actuator])
            control = float(m.actuator_ctrlrange[row, 0]), float(m.actuator_ctrlrange[row, 1])
            sure = limited or _round(control)
            yield Finding(
                "servo-range-unit",
                Severity.ERROR if sure else Severity.WARNING,
                Selection("actuator", actuator),
                f"{subject.name('actuator', actuator)} can be commanded to {control[1]:.4g} rad, "
                + (f"but its joint ends at {high:.4g} rad" if limited else f"{abs(targets[1]) / TURN:.3g} turns")
                + " (degrees taken for radians?)",
                "Controls of servos are in radians, whatever <compiler angle> says. Most of the range is beyond the "
                "limits of the joint.",
                2 + log10(far / pi),
                (Fix("read it as degrees", (set_numbers("actuator_ctrlrange", (row,), [*map(radians, control)]),)),),
                others=(Selection("joint", joint),),
                attribute="ctrlrange",
            )


def _orientations(subject: Subject) -> Iterator[Finding]:
    """Euler angles, as they are in the file."""
    origins = subject.origins
    if origins.root is None or origins.root.tag != "mujoco":
        return
    degree = True
    for section in origins.root.children:
        if section.tag == "compiler":
            degree = section.attrib.get("angle", "degree" if degree else "radian") != "radian"
    for kind, number in (("body", int(subject.model.nbody)), ("geom", int(subject.model.ngeom))):
        for index in range(kind == "body", number):
            node = origins.node(kind, index)
            if node is not None and "euler" in node.attrib and node.document.origin == 0:
                yield from _euler(subject, kind, index, node, degree)


def _euler(subject: Subject, kind: str, index: int, node: Node, degree: bool) -> Iterator[Finding]:
    text = node.attrib["euler"]
    values = [float(word) for word in text.split()]
    largest = max(abs(value) for value in values)
    # nobody writes an angle of a degree or two this finely
    fine = any(re.search(r"\.\d\d\d", word) for word in text.split())
    multiples = all(abs(v) < 1e-9 or abs(v - pi / 12 * round(12 * v / pi)) < 2e-3 * abs(v) for v in values)
    if degree and 0.2 < largest < TURN and (fine or (multiples and largest < 3.2)):
        meaning, severity, score = "radians taken for degrees?", Severity.WARNING, 3.0 if multiples else 1.2
        unit = "°"
    elif not degree and largest > TURN + 0.1:
        meaning, severity, score = "degrees taken for radians?", Severity.WARNING, 2.0
        unit = " rad"
        if _round(values):
            severity, score = Severity.ERROR, 3.0
    else:
        return
    yield Finding(
        "orientation-unit",
        severity,
        Selection(kind, index),
        f"{subject.name(kind, index)} is rotated by {text}{unit} ({meaning})",
        'Angles are in degrees unless <compiler angle="radian"> is set. It points in an unintended direction.',
        score,
        (
            Fix(
                "convert the angles, or change <compiler angle>",
                tree=_other_unit(subject, "radian" if degree else "degree"),
            ),
        ),
        attribute="euler",
    )


def _other_unit(subject: Subject, unit: str) -> structure.Edits:
    """The other unit for all angles of the file, unless a range fits the one that it has."""
    limited = [joint for joint in subject.scalar_joints if subject.bounded(joint)]
    hinges = [joint for joint in limited if subject.model.jnt_type[joint] == JNT_HINGE]
    return () if hinges else structure.angle_unit(subject, unit)
