"""Doctor: actuators with positive feedback, without effect, too weak for their load, or too slow."""

from __future__ import annotations

from collections.abc import Iterator
from math import isfinite, log10

from app.instruments.doctor.finding import Finding, Fix, Severity
from app.instruments.doctor.subject import Subject
from app.model.selection import Selection
from app.run.commands import SetField
from app.run.fix import set_numbers
from sim.enums import (
    BIAS_AFFINE,
    DYN_FILTER,
    DYN_FILTEREXACT,
    DYN_MUSCLE,
    GAIN_MUSCLE,
    TRN_JOINT,
    TRN_JOINTINPARENT,
    TRN_TENDON,
)

# fraction of the gravity load that a servo or a force range must reach; motors may be made to swing up
WEAK, POWERLESS = 0.5, 0.05
# of its range, that a joint may move in one step from rest at full force
THROWN = 3.0
# rad or m that a muscle may move a joint in one step
FAR = 0.1
# fraction of its joint's range that a servo should reach
NARROW = 0.03
# s: time constants of muscles and filters; the defaults of muscles are 0.01 and 0.04
SLOW_MUSCLE, SLOW_FILTER = 1.0, 3.0


def check_actuators(subject: Subject) -> Iterator[Finding]:
    """Signs, gears, forces and time constants."""
    m = subject.model
    for actuator in range(int(m.nactuator)):
        yield from _feedback(subject, actuator)
        yield from _gear(subject, actuator)
        yield from _slow(subject, actuator)
        yield from _strong(subject, actuator)
    for joint, actuators in subject.drives.items():
        if joint in subject.scalar_joints:
            for actuator in actuators:
                yield from _weak(subject, joint, actuator)
                yield from _throws(subject, joint, actuator)
                yield from _narrow(subject, joint, actuator)


def _feedback(subject: Subject, actuator: int) -> Iterator[Finding]:
    m = subject.model
    if m.actuator_biastype[actuator] != BIAS_AFFINE:
        return
    for column, word in ((1, "kp"), (2, "kv")):
        value = float(m.actuator_biasprm[actuator, column])
        if value <= 0:
            continue
        edits = [SetField("actuator_biasprm", -value, (actuator,), column)]
        gain = float(m.actuator_gainprm[actuator, 0])
        if gain == -value:
            edits.append(SetField("actuator_gainprm", value, (actuator,), 0))
        yield Finding(
            "servo-feedback",
            Severity.ERROR,
            Selection("actuator", actuator),
            f"{subject.name('actuator', actuator)} has a negative {word}: {-value:.3g}",
            "Its force increases the error instead of reducing it: it runs away from its target."
            if word == "kp"
            else "It pushes in the direction of motion, so its energy grows without bound.",
            4.0,
            (Fix(f"make {word} positive: {value:.3g}", tuple(edits)),),
            attribute=word,
        )


def _gear(subject: Subject, actuator: int) -> Iterator[Finding]:
    m = subject.model
    out = int(m.actuator_outadr[actuator])
    kinds = (TRN_JOINT, TRN_JOINTINPARENT, TRN_TENDON)
    if m.actuator_trntype[actuator] in kinds and not m.actuator_gear[out].any():
        yield Finding(
            "gear-zero",
            Severity.ERROR,
            Selection("actuator", actuator),
            f"{subject.name('actuator', actuator)} has gear 0",
            "It does nothing, whatever its control.",
            3.0,
            (Fix("set gear to 1", (SetField("actuator_gear", 1.0, (out,), 0),)),),
            attribute="gear",
        )


def _slow(subject: Subject, actuator: int) -> Iterator[Finding]:
    m = subject.model
    kind = int(m.actuator_dyntype[actuator])
    muscle = kind == DYN_MUSCLE
    if not muscle and kind not in (DYN_FILTER, DYN_FILTEREXACT):
        return
    columns = (0, 1) if muscle else (0,)
    slowest = max(float(m.actuator_dynprm[actuator, column]) for column in columns)
    if slowest < (SLOW_MUSCLE if muscle else SLOW_FILTER):
        return
    edits = tuple(
        SetField("actuator_dynprm", float(m.actuator_dynprm[actuator, column]) / 1000, (actuator,), column)
        for column in columns
    )
    yield Finding(
        "activation-time",
        Severity.ERROR if muscle and slowest >= 5 else Severity.WARNING,
        Selection("actuator", actuator),
        f"{subject.name('actuator', actuator)} needs {slowest:.3g} s to activate (milliseconds taken for seconds?)",
        "Muscles react within 0.01 to 0.1 s. It will hardly do anything before the control changes again.",
        1.5 + log10(slowest),
        (Fix(f"set it to {slowest / 1000:.3g} s", edits),),
        attribute="timeconst" if not muscle else "dynprm",
    )


def _strong(subject: Subject, actuator: int) -> Iterator[Finding]:
    """Muscles whose peak force moves things far in one step."""
    m = subject.model
    if m.actuator_gaintype[actuator] != GAIN_MUSCLE:
        return
    force, out = abs(float(m.actuator_gainprm[actuator, 2])), int(m.actuator_outadr[actuator])
    moved = force * float(m.actuator_acc0[out]) * float(m.opt.timestep) ** 2
    if moved < FAR:
        return
    column = (actuator,), 2
    gentle = force * FAR / 100 / moved
    edits = (SetField("actuator_gainprm", gentle, *column), SetField("actuator_biasprm", gentle, *column))
    yield Finding(
        "actuator-throws",
        Severity.WARNING,
        Selection("actuator", actuator),
        f"the peak force of {subject.name('actuator', actuator)}, {force:.3g} N, moves its joints by {moved:.2g} in a "
        "step",
        "The simulation misses everything in between: limits and contacts are passed before they can act.",
        2 + log10(moved / FAR),
        (Fix(f"reduce its force to {gentle:.2g} N", edits),),
        attribute="force",
    )


def _weak(subject: Subject, joint: int, actuator: int) -> Iterator[Finding]:
    m = subject.model
    load, limit = subject.gravity_load(joint), subject.force_limit(actuator)
    stiffness = subject.servo(actuator)[0]
    limited = bool(m.actuator_forcelimited[actuator])
    if not (stiffness > 0 or limited) or load == 0 or limit > WEAK * load or len(subject.drives[joint]) > 1:
        return
    unit, gear = subject.unit(joint), abs(subject.gear(actuator))
    by_force = limited and gear > 0 and abs(m.actuator_forcerange[actuator]).max() * gear <= limit * 1.001
    wanted = 10 * load / max(limit, 1e-12 * load)
    if by_force:
        low, high = (float(value) * wanted for value in m.actuator_forcerange[actuator])
        edits: tuple[SetField, ...] = (set_numbers("actuator_forcerange", (actuator,), (low, high)),)
        fix = Fix(f"widen its force range to {low:.3g} to {high:.3g}", edits)
    else:
        gain, bias = float(m.actuator_gainprm[actuator, 0]), float(m.actuator_biasprm[actuator, 1])
        edits = (
            SetField("actuator_gainprm", gain * wanted, (actuator,), 0),
            SetField("actuator_biasprm", bias * wanted, (actuator,), 1),
        )
        fix = Fix(f"raise kp to {stiffness * wanted:.3g}", edits)
    what = "its force range" if by_force else f"kp {stiffness:.3g}"
    yield Finding(
        "force-weak" if by_force else "servo-weak",
        Severity.WARNING,
        Selection("actuator", actuator),
        f"{subject.name('actuator', actuator)} reaches {limit:.2g} {unit} with {what}, but gravity pulls with up to "
        f"{load:.2g} {unit}",
        f"It cannot hold {subject.name('joint', joint)} against the weight of what it carries"
        + (", even at the other end of its range." if not by_force else "."),
        1 + log10(load / max(limit, 1e-9 * load)),
        (fix,),
        others=(Selection("joint", joint),),
        attribute="forcerange" if by_force else "kp",
    )


def _throws(subject: Subject, joint: int, actuator: int) -> Iterator[Finding]:
    m = subject.model
    if m.actuator_gaintype[actuator] == GAIN_MUSCLE:
        return
    force, h = subject.force_limit(actuator), float(m.opt.timestep)
    dof = int(m.jnt_dofadr[joint])
    # damping is implicit with Euler
    weight = 1 / (1 / float(m.dof_invweight0[dof]) + h * float(m.dof_damping[dof]))
    moved = force * weight * h * h / subject.span(joint)
    if not isfinite(moved) or moved < THROWN:
        return
    out, gear = int(m.actuator_outadr[actuator]), subject.gear(actuator)
    yield Finding(
        "actuator-throws",
        Severity.WARNING,
        Selection("actuator", actuator),
        f"{subject.name('actuator', actuator)} moves its joint by {moved:.2g} times its range in one step",
        f"{force:.2g} {subject.unit(joint)} act on an inertia of {1 / float(m.dof_invweight0[dof]):.1g}. The joint "
        "passes its limit before the limit can act.",
        1 + log10(moved),
        (Fix(f"set gear to {gear / moved / 100:.2g}", (SetField("actuator_gear", gear / moved / 100, (out,), 0),)),),
        others=(Selection("joint", joint),),
        attribute="gear",
    )


def _narrow(subject: Subject, joint: int, actuator: int) -> Iterator[Finding]:
    targets = subject.targets(actuator)
    if targets is None or not subject.bounded(joint):
        return
    part = (targets[1] - targets[0]) / subject.span(joint)
    if part > NARROW:
        return
    gear = subject.gear(actuator)
    yield Finding(
        "servo-narrow",
        Severity.WARNING,
        Selection("actuator", actuator),
        f"{subject.name('actuator', actuator)} can command only {part:.1%} of the range of its joint",
        f"Its control range, divided by its gear {gear:g}, is {targets[0]:.2g} to {targets[1]:.2g}. A gear scales "
        "lengths as well as forces.",
        2 + log10(NARROW / max(part, 1e-9)),
        (Fix("correct gear or ctrlrange"),),
        others=(Selection("joint", joint),),
        attribute="gear" if gear != 1 else "ctrlrange",
    )
