"""What a planted fault is: a draft of a damaged model, the elements that have to be named, and the case it becomes."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from lxml import etree

import sim
from sim.enums import (
    BIAS_AFFINE,
    GAIN_FIXED,
    JNT_HINGE,
    JNT_SLIDE,
    TRN_JOINT,
    TRN_TENDON,
)
from tests.soak.faults.subject import WHERE, Subject, world_extent

DEGREES = 180 / np.pi
Named = tuple[str, str]


# every element is right: the fault is everywhere
ANY = ("", "")


# checks that compare elements: what they name first is the odd one
UNLIKE = ("twins", "outlier")


class NoElementError(Exception):
    """A model has nothing that could be damaged in this way."""


class Draft:
    """A model that is being damaged: its elements, and which of them are wrong now."""

    def __init__(self, subject: Subject, rng: random.Random) -> None:
        self.subject, self.rng = subject, rng
        self.m, self.d = subject.model, subject.data
        self.root = subject.copy()
        self.right: set[Named] = set()
        self.note = ""
        # what the criterion wants to know
        self.facts: dict[str, Any] = {}
        self._found: dict[str, dict[str, etree._Element]] = {}

    def name(self, kind: str, index: int) -> str:
        """Name of an element."""
        return str(self.m.names[kind][index])

    def element(self, kind: str, index: int) -> etree._Element:
        """The XML of an element."""
        if kind not in self._found:
            self._found[kind] = {str(element.get("name")): element for element in self.root.xpath(WHERE[kind])}
        return self._found[kind][self.name(kind, index)]

    def pick(self, count: int, fits: Callable[[int], Any]) -> int:
        """One of the elements that fit."""
        fitting = [k for k in range(count) if fits(k)]
        if not fitting:
            raise NoElementError
        return self.rng.choice(fitting)

    def value(self, kind: str, index: int, attribute: str, default: str = "") -> str:
        """An attribute of an element or of its class."""
        return self.subject.effective(self.element(kind, index), attribute, default)

    def set(self, kind: str, index: int, **values: Any) -> None:
        """Write attributes; None removes one."""
        self.write(self.element(kind, index), **values)

    def write(self, element: etree._Element, **values: Any) -> None:
        """Write attributes of any element; None removes one."""
        was = {name: element.get(name) for name in values}
        for name, value in values.items():
            if value is None:
                element.attrib.pop(name, None)
            else:
                element.set(name, text(value))
        changes = (f"{name}={element.get(name)} (was {old})" for name, old in was.items() if element.get(name) != old)
        self.note = self.note or f"{element.get('name') or element.tag}: {', '.join(changes)}"

    def section(self, tag: str) -> etree._Element:
        """A section below the root, made if it is not there; the last one counts."""
        found = self.root.findall(tag)
        return found[-1] if found else etree.SubElement(self.root, tag)

    def blame(self, kind: str, *indices: int) -> None:
        """These elements have to be named, or one of them."""
        self.right |= {(kind, self.name(kind, int(k))) for k in indices}

    def blame_body(self, body: int) -> None:
        """A body, or a geom of it."""
        self.blame("body", body)
        self.blame("geom", *np.flatnonzero(self.m.geom_bodyid == body))

    def blame_actuator(self, actuator: int) -> None:
        """An actuator, or what it drives."""
        self.blame("actuator", actuator)
        target = int(self.m.actuator_trnid[actuator, 0])
        if self.m.actuator_trntype[actuator] == TRN_JOINT:
            self.blame("joint", target)
        elif self.m.actuator_trntype[actuator] == TRN_TENDON:
            self.blame("tendon", target)

    def angle(self, joint: int, value: Any) -> Any:
        """A joint's coordinate as the file has to say it."""
        hinge = self.m.jnt_type[joint] == JNT_HINGE
        return np.asarray(value, float) * (DEGREES if hinge and self.subject.degrees else 1.0)

    @property
    def in_frame(self) -> Callable[[str, int], bool]:
        """Whether an element's pose is relative to a frame."""
        return lambda kind, index: self.element(kind, index).getparent().tag == "frame"


@dataclass
class Case:
    """A healthy model and its damaged copy."""

    draft: Draft
    after: sim.Model
    facts: dict[str, Any] = field(default_factory=dict)

    @property
    def before(self) -> sim.Model:
        """The healthy model."""
        return self.draft.m

    @cached_property
    def data(self) -> sim.Data:
        """The damaged model at qpos0."""
        data = sim.Data(self.after)
        sim.forward(self.after, data)
        return data

    @cached_property
    def extent(self) -> float:
        """How large the damaged model is, m."""
        return world_extent(self.after, self.data)


@dataclass(frozen=True)
class Fault:
    """One way to damage a model.

    `checks` are the ids of findings that name it, "check:attribute" where the attribute has to be named too. `plant`
    damages a draft, or raises NoElementError. `matters` says whether the damage can be seen at all, by physics alone:
    not by what the doctor looks at.
    """

    id: str
    what: str
    checks: tuple[str, ...]
    plant: Callable[[Draft], None]
    matters: Callable[[Case], bool]


def text(value: Any) -> str:
    """A value of an attribute."""
    if isinstance(value, str):
        return value
    return " ".join(repr(float(x)) for x in np.atleast_1d(np.asarray(value, float)))


# ---- what several criteria ask


def unlike(*attributes: str) -> tuple[str, ...]:
    """Findings that one of these attributes is unlike that of a twin or of all others."""
    return tuple(f"{check}:{attribute}" for check in UNLIKE for attribute in attributes)


def always(_: Case) -> bool:
    """It matters wherever it can be planted."""
    return True


def dofs(m: sim.Model, joint: int) -> np.ndarray:
    """Dofs of a joint."""
    return np.flatnonzero(m.dof_jntid == joint)


def moving(m: sim.Model, body: int) -> bool:
    """Whether a body can move."""
    return bool(m.body_weldid[body] > 0) and m.body_treeid[body] >= 0


def subtree(m: sim.Model, body: int) -> np.ndarray:
    """Bodies that a body carries, itself included."""
    inside = np.zeros(m.nbody, bool)
    inside[body] = True
    for b in range(body + 1, m.nbody):
        inside[b] |= inside[m.body_parentid[b]]
    return np.flatnonzero(inside)


def collides(m: sim.Model, geom: int) -> bool:
    """Whether a geom can touch anything by its bits."""
    return bool(m.geom_contype[geom] or m.geom_conaffinity[geom])


def worst_weight(m: sim.Model, d: sim.Data, joint: int) -> float:
    """Largest force or torque of the weight of what a hinge or slide carries, over all its poses."""
    carried = subtree(m, int(m.jnt_bodyid[joint]))
    mass, gravity = m.body_mass[carried], np.asarray(m.opt.gravity)
    axis = d.xaxis[joint]
    if m.jnt_type[joint] == JNT_SLIDE:
        return float(abs(axis @ gravity) * mass.sum())
    arm = (mass[:, None] * (d.xipos[carried] - d.xanchor[joint])).sum(axis=0)
    arm -= (arm @ axis) * axis
    # only the part of gravity across the axis turns it
    across = gravity - (gravity @ axis) * axis
    return float(np.linalg.norm(arm) * np.linalg.norm(across))


def drives(m: sim.Model, joint: int) -> np.ndarray:
    """Actuators of a joint."""
    return np.flatnonzero((m.actuator_trntype == TRN_JOINT) & (m.actuator_trnid[:, 0] == joint))


def largest_force(m: sim.Model, actuator: int) -> float:
    """Of an actuator with constant gain, before its gear; infinite if nothing limits it."""
    force = np.inf
    if m.actuator_gaintype[actuator] == GAIN_FIXED and m.actuator_ctrllimited[actuator]:
        force = abs(m.actuator_gainprm[actuator, 0]) * np.abs(m.actuator_ctrlrange[actuator]).max()
    if m.actuator_forcelimited[actuator]:
        force = min(force, np.abs(m.actuator_forcerange[actuator]).max())
    return float(force)


def on_joint(m: sim.Model, actuator: int) -> int:
    """The hinge or slide that an actuator drives, or -1."""
    if m.actuator_trntype[actuator] != TRN_JOINT:
        return -1
    joint = int(m.actuator_trnid[actuator, 0])
    return joint if m.jnt_type[joint] in (JNT_HINGE, JNT_SLIDE) else -1


def is_servo(m: sim.Model, actuator: int) -> bool:
    """Whether it is a position servo on a hinge or slide."""
    kp, bias = m.actuator_gainprm[actuator, 0], m.actuator_biasprm[actuator]
    affine = m.actuator_gaintype[actuator] == GAIN_FIXED and m.actuator_biastype[actuator] == BIAS_AFFINE
    return bool(affine and kp > 0 and np.isclose(bias[1], -kp) and on_joint(m, actuator) >= 0)


def frequency_steps(m: sim.Model, joint: int, stiffness: float) -> float:
    """Natural angular frequency of a joint with a spring, times the timestep: above 2 no explicit step is stable."""
    inertia = float(m.dof_M0[m.jnt_dofadr[joint]])
    return float(np.sqrt(abs(stiffness) / max(inertia, 1e-12)) * m.opt.timestep)


def outside(value: float, low: float, high: float) -> float:
    """How far a value is outside of an interval."""
    return float(max(low - value, value - high, 0.0))


def grown(before: Iterable[float], after: Iterable[float]) -> float:
    """Largest ratio of values after and before."""
    pairs = zip(np.atleast_1d(before), np.atleast_1d(after), strict=True)
    return max((abs(b) / max(abs(a), 1e-300) for a, b in pairs), default=0.0)
