"""Doctor: springs, dampers and servos that are too stiff for the timestep."""

from __future__ import annotations

from collections.abc import Iterator
from math import log10, sqrt

from app.doctor.finding import Finding, Fix, Severity
from app.doctor.patient import Patient
from app.doctor.remedies import discrete
from app.doctor.stability import Growth, growths
from app.run.commands import SetField
from sim.enums import INT_IMPLICITFAST

# squared phase per step to which a stiffness is reduced: twenty steps a period
GENTLE = 0.1


def check_stability(patient: Patient) -> Iterator[Finding]:
    """What makes a mode of the linear model grow by the step alone."""
    for growth in growths(patient):
        yield _finding(patient, growth)


def _finding(patient: Patient, growth: Growth) -> Finding:
    element, h = growth.element, float(patient.model.opt.timestep)
    kind, index = element.selection.kind, element.selection.index
    name = patient.name(kind, index)
    stiff = growth.frequency >= growth.decay
    number = (
        f"sqrt(k/I)·h = {sqrt(growth.frequency):.3g}, where 2 is the limit"
        if stiff
        else f"b·h/I = {growth.decay:.3g}, where 2 is the limit"
    )
    what = {"actuator": "servo", "joint": "spring" if stiff else "damper"}.get(kind, "spring" if stiff else "damper")
    return Finding(
        "unstable",
        Severity.WARNING if element.bounded else Severity.ERROR,
        element.selection,
        f"the {what} of {name} is too stiff for the timestep: {number}"
        if kind != "actuator"
        else f"{name} throws its joint faster than the timestep sees: {number}",
        f"{'Stiffness' if stiff else 'Damping'} {element.stiffness if stiff else element.damping:.3g} acts on an "
        f"inertia of {growth.inertia:.2g}. An error grows {growth.factor:.3g} times in every step of {h:g} s"
        + (", until the force limit stops it: it chatters." if element.bounded else ": it explodes."),
        2 + min(log10(growth.factor) + 0.5 * abs(log10(max(growth.frequency, growth.decay))), 4),
        tuple(_fixes(patient, growth, stiff)),
        attribute=_attribute(kind, stiff),
    )


def _attribute(kind: str, stiff: bool) -> str:
    if kind == "actuator":
        return "kp" if stiff else "kv"
    return "stiffness" if stiff else "damping"


def _fixes(patient: Patient, growth: Growth, stiff: bool) -> Iterator[Fix]:
    element, m = growth.element, patient.model
    kind, index = element.selection.kind, element.selection.index
    if not stiff and not element.implicit:
        yield Fix("use the integrator implicitfast", (SetField("opt.integrator", float(INT_IMPLICITFAST)),))
    scale = GENTLE / (growth.frequency if stiff else growth.decay)
    value = (element.stiffness if stiff else element.damping) * scale
    if kind == "actuator":
        edits: tuple[SetField, ...] = (SetField("actuator_biasprm", -value, (index,), 1 if stiff else 2),)
        if stiff or element.stiffness == 0:
            edits += (SetField("actuator_gainprm", float(m.actuator_gainprm[index, 0]) * scale, (index,), 0),)
        yield Fix(f"reduce {'kp' if stiff else 'kv'} to {value:.2g}", edits)
    elif kind == "tendon":
        path = "tendon_stiffness" if stiff else "tendon_damping"
        yield Fix(f"reduce it to {value:.2g}", (SetField(path, value, (index,)),))
    elif stiff:
        yield Fix(f"reduce it to {value:.2g}", (SetField("jnt_stiffness", value, (index,)),))
    else:
        yield Fix(f"reduce it to {value:.2g}", (SetField("dof_damping", value, patient.dofs(index)),))
    if stiff:
        timestep = float(m.opt.timestep) * sqrt(scale)
        yield Fix(f"shorten the timestep to {timestep:.2g} s", (SetField("opt.timestep", timestep),))
        yield from discrete(m)
