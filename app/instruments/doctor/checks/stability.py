"""Doctor: springs, dampers and servos that are too stiff for the timestep."""

from __future__ import annotations

from collections.abc import Iterator
from math import log10, sqrt

import numpy as np

from app.instruments.doctor.finding import Finding, Fix, Severity
from app.instruments.doctor.growing_modes import HALFWAY, GrowingMode, bearable, growing_modes
from app.instruments.doctor.remedies import discrete
from app.instruments.doctor.subject import Subject
from app.model.parameters import parameters_of
from app.model.selection import Selection
from app.run.commands import SetField
from app.run.linked_edits import set_parameter
from sim.enums import INT_IMPLICITFAST


def check_stability(subject: Subject) -> Iterator[Finding]:
    """What makes a mode of the linear model grow by the step alone."""
    weaker: dict[tuple[str, bool], Fix] = {}
    for growth in growing_modes(subject):
        alike = growth.element.selection.kind, growth.stiff
        if alike not in weaker:
            weaker[alike] = _weaker(subject, *alike)
        yield _finding(subject, growth, weaker[alike])


def _finding(subject: Subject, growth: GrowingMode, weaker: Fix) -> Finding:
    element, h = growth.element, float(subject.model.opt.timestep)
    kind, index = element.selection.kind, element.selection.index
    name = subject.name(kind, index)
    stiff, attribute = growth.stiff, _attribute(kind, growth.stiff)
    number = (
        f"sqrt(k/I)·h = {sqrt(growth.frequency):.3g}; the stability limit is 2"
        if stiff
        else f"b·h/I = {growth.decay:.3g}; the stability limit is 2"
    )
    return Finding(
        "unstable",
        Severity.WARNING if element.bounded else Severity.ERROR,
        element.selection,
        f"{attribute} of {name} is too large for the timestep: {number}",
        f"{'Stiffness' if stiff else 'Damping'} {element.stiffness if stiff else element.damping:.3g} acts on an "
        f"inertia of {growth.inertia:.2g}. An error grows {growth.factor:.3g} times in every step of {h:g} s"
        + (", until the force limit stops it: it chatters." if element.bounded else ": it explodes."),
        2 + min(log10(growth.factor) + 0.5 * abs(log10(max(growth.frequency, growth.decay))), 4),
        tuple(_fixes(subject, growth, weaker)),
        attribute=attribute,
    )


def _attribute(kind: str, stiff: bool) -> str:
    if kind == "actuator":
        return "kp" if stiff else "kv"
    return "stiffness" if stiff else "damping"


def _fixes(subject: Subject, growth: GrowingMode, weaker: Fix) -> Iterator[Fix]:
    if not growth.stiff and not growth.element.implicit:
        yield Fix("use the integrator implicitfast", (SetField("opt.integrator", float(INT_IMPLICITFAST)),))
    yield weaker
    if growth.stiff:
        timestep = float(subject.model.opt.timestep) * sqrt(HALFWAY / growth.frequency)
        yield Fix(f"shorten the timestep to {timestep:.2g} s", (SetField("opt.timestep", timestep),))
        yield from discrete(subject.model)


def _weaker(subject: Subject, kind: str, stiff: bool) -> Fix:
    """What the timestep bears, for all of a kind that have too much: after one of them the next would be found."""
    found = {element: _set(subject, element, stiff, part) for element, part in bearable(subject, kind, stiff).items()}
    numbers = [float(f"{number:.2g}") for number, _ in found.values()]
    whose = f" of {len(found)} {kind}s" if len(found) > 1 else ""
    ends = f"{min(numbers):g} .. {max(numbers):g}" if min(numbers) < max(numbers) else f"{numbers[0]:g}"
    return Fix(
        f"reduce {_attribute(kind, stiff)}{whose} to {ends}", tuple(e for _, edits in found.values() for e in edits)
    )


def _set(subject: Subject, element: Selection, stiff: bool, part: float) -> tuple[float, tuple[SetField, ...]]:
    """A part of the stiffness or damping of an element: the number, and how it is set."""
    m, index, attribute = subject.model, element.index, _attribute(element.kind, stiff)
    if element.kind == "actuator":
        gains = subject.servo(index)
        value = gains[0 if stiff else 1] * part
        known = {parameter.name: parameter for parameter in parameters_of(m, "actuator", index)}
        if attribute in known:
            return value, (set_parameter(known[attribute], value, m),)
        edits: tuple[SetField, ...] = (SetField("actuator_biasprm", -value, (index,), 1 if stiff else 2),)
        if stiff or gains[0] == 0:
            edits += (SetField("actuator_gainprm", float(m.actuator_gainprm[index, 0]) * part, (index,), 0),)
        return value, edits
    if element.kind == "tendon":
        path, rows = f"tendon_{attribute}", [index]
    else:
        path, rows = ("jnt_stiffness", [index]) if stiff else ("dof_damping", [*subject.dofs(index)])
    value = float(np.max(np.asarray(m.read(path))[rows])) * part
    return value, (SetField(path, value, tuple(rows)),)
