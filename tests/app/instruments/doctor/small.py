"""Small models for the doctor's checks, and what a check finds in them."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import sim
from app.instruments.doctor.finding import Finding
from app.instruments.doctor.subject import Subject


def arm(
    option: str = "",
    upper: str = "",
    lower: str = "",
    joint: str = "",
    elbow: str = "",
    shape: str = "type='capsule' fromto='0 0 0 .3 0 0' size='.03'",
    rest: str = "",
) -> sim.Model:
    """Two links on hinges; arguments are attributes of the option, bodies, joints and lower geom, and further XML."""
    return sim.loads(f"""<mujoco><option {option}/><worldbody>
        <body name='upper' {upper}><joint name='shoulder' axis='0 1 0' {joint}/>
        <geom type='capsule' fromto='0 0 0 .3 0 0' size='.03'/>
        <body name='lower' pos='.3 0 0' {lower}><joint name='elbow' axis='0 1 0' {elbow}/><geom {shape}/>
        </body></body></worldbody>{rest}</mujoco>""")


def actuated(actuator: str, **others: str) -> sim.Model:
    """The arm with an actuator named `a` on its elbow."""
    tag, _, rest = actuator.partition(" ")
    return arm(rest=f"<actuator><{tag} name='a' joint='elbow' {rest}/></actuator>", **others)


Check = Callable[[Subject], Iterable[Finding]]


def found(check: Check, model: sim.Model) -> list[str]:
    """What a check finds: id of the check and element."""
    subject = Subject(model)
    return [f"{finding.check}: {subject.name(*_element(finding))}" for finding in check(subject)]


def _element(finding: Finding) -> tuple[str, int]:
    return finding.selection.kind, finding.selection.index


def first(check: Check, model: sim.Model) -> Finding:
    """Its first finding."""
    return next(iter(check(Subject(model))))
