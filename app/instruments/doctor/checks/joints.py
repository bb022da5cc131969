"""Doctor: joints that gain energy, cannot move, are doubled, or lack the armature that the others have."""

from __future__ import annotations

from collections.abc import Iterator
from math import log10

import numpy as np

from app.instruments.doctor.finding import Finding, Fix, Severity
from app.instruments.doctor.subject import Floats, Subject
from app.model.selection import Selection
from app.run.commands import SetField
from sim import Model
from sim.enums import EQ_JOINT, JNT_HINGE, JNT_SLIDE

# friction may be this many times all forces that act on a joint
LOCKS = 10.0
# s: a joint that needs longer to cross its range, with all that moves it, does not move
SLOW, MEANT = 200.0, 1e7
PARALLEL = 0.9999


def check_joints(subject: Subject) -> Iterator[Finding]:
    """Damping, friction, axes and armature."""
    m = subject.model
    for joint in range(int(m.njnt)):
        yield from _negative(subject, joint)
        if joint in subject.scalar_joints:
            yield from _friction(subject, joint)
            yield from _damping(subject, joint)
            yield from _twice(subject, joint)
    yield from _armature(subject)


def _negative(subject: Subject, joint: int) -> Iterator[Finding]:
    m, dofs = subject.model, subject.dofs(joint)
    for path, rows in (("dof_damping", dofs), ("jnt_stiffness", (joint,))):
        value, word = float(np.min(getattr(m, path)[list(rows)])), path.partition("_")[2]
        if value < 0:
            yield Finding(
                f"{word}-negative",
                Severity.ERROR,
                Selection("joint", joint),
                f"{subject.name('joint', joint)} has negative {word}: {value:.3g}",
                "It pushes in the direction of motion, so its energy grows without bound."
                if word == "damping"
                else "It pushes away from its rest position.",
                4.0,
                (Fix(f"make it positive: {-value:.3g}", (SetField(path, -value, rows),)),),
                attribute=word,
            )


def _only_one(subject: Subject, joint: int, values: Floats) -> bool:
    """Whether friction or damping is far larger than that of all other dofs of a tree, of which there are some."""
    m = subject.model
    dof = int(m.jnt_dofadr[joint])
    tree = np.flatnonzero(np.asarray(m.dof_treeid) == m.dof_treeid[dof])
    others = values[tree[tree != dof]]
    return len(others) >= 4 and bool(values[dof] > 100 * others.max())


def _most_force(subject: Subject, joint: int, pushed: bool = True) -> float:
    """The largest of the forces that can move a joint: gravity, actuators, springs, a push with the model's weight."""
    m = subject.model
    push = 9.81 * float(np.sum(np.asarray(m.body_mass)[subject.moving]))
    push *= subject.size if m.jnt_type[joint] == JNT_HINGE else 1.0
    push *= pushed
    limits = [subject.force_limit(actuator) for actuator in subject.drives.get(joint, ())]
    spring = float(m.jnt_stiffness[joint]) * subject.span(joint)
    return max([subject.gravity_load(joint), spring, push, *limits])


def _friction(subject: Subject, joint: int) -> Iterator[Finding]:
    dof = int(subject.model.jnt_dofadr[joint])
    loss, force = float(subject.model.dof_frictionloss[dof]), _most_force(subject, joint)
    bound = LOCKS * force
    if _only_one(subject, joint, np.asarray(subject.model.dof_frictionloss)):
        force = _most_force(subject, joint, pushed=False)
        bound = 3 * force
    if force == 0 or not np.isfinite(force) or loss < bound:
        return
    unit = subject.unit(joint)
    yield Finding(
        "friction-locks",
        Severity.ERROR if loss > LOCKS**2 * force else Severity.WARNING,
        Selection("joint", joint),
        f"{subject.name('joint', joint)} has a friction of {loss:.3g} {unit}, {loss / force:.2g} times "
        "the force that moves it",
        f"The force on it reaches {force:.2g} {unit}: the joint is stuck.",
        1 + log10(loss / force),
        (Fix(f"reduce frictionloss to {force / 100:.2g}", (SetField("dof_frictionloss", force / 100, (dof,)),)),),
        attribute="frictionloss",
    )


def _damping(subject: Subject, joint: int) -> Iterator[Finding]:
    dof = int(subject.model.jnt_dofadr[joint])
    damping, force = float(subject.model.dof_damping[dof]), _most_force(subject, joint)
    if _only_one(subject, joint, np.asarray(subject.model.dof_damping)):
        force = _most_force(subject, joint, pushed=False)
    seconds = damping * subject.span(joint) / force if force > 0 else 0.0
    if not np.isfinite(seconds) or seconds < SLOW:
        return
    usual = 10 * force / subject.span(joint) / 100
    yield Finding(
        "damping-locks",
        # nobody gives such a damping but to lock the joint
        Severity.NOTE if seconds > MEANT else Severity.WARNING,
        Selection("joint", joint),
        f"{subject.name('joint', joint)} has a damping of {damping:.3g}: it takes {seconds:.2g} s to cross its range",
        f"The force that moves it, {force:.2g} {subject.unit(joint)}, is used up at a speed of {force / damping:.1g} "
        "per second. It is practically fixed.",
        log10(seconds) - 2.5,
        (Fix(f"reduce damping to {usual:.2g}", (SetField("dof_damping", usual, (dof,)),)),),
        attribute="damping",
    )


def _twice(subject: Subject, joint: int) -> Iterator[Finding]:
    m, d = subject.model, subject.data
    body, kind = int(m.jnt_bodyid[joint]), int(m.jnt_type[joint])
    first = int(m.body_jntadr[body])
    for other in range(first, joint):
        along = float(np.asarray(d.xaxis[joint]) @ np.asarray(d.xaxis[other]))
        if m.jnt_type[other] != kind or abs(along) < PARALLEL:
            continue
        # parallel hinges at a distance make a plane motion
        apart = np.cross(np.asarray(d.xanchor[joint]) - np.asarray(d.xanchor[other]), np.asarray(d.xaxis[joint]))
        if kind == JNT_HINGE and np.linalg.norm(apart) > 1e-3 * max(subject.size, 1e-6):
            continue
        armature = np.asarray(m.dof_armature)[[*subject.dofs(joint), *subject.dofs(other)]]
        # a polynomial in another joint says where one of them is, in the knees of muscle models say
        coupled = bool({joint, other} & _coupled(m))
        yield Finding(
            "axis-twice",
            Severity.NOTE if coupled else Severity.WARNING if armature.any() else Severity.ERROR,
            Selection("joint", joint),
            f"{subject.name('joint', joint)} has the same axis as {subject.name('joint', other)} of the same body",
            "Both move the body in the same way: the inertia matrix is singular except for armature, and neither "
            "position is determined.",
            3.0,
            (Fix("choose a different axis, or remove it"),),
            others=(Selection("joint", other), Selection("body", body)),
            attribute="axis",
        )


def _coupled(m: Model) -> set[int]:
    """The joints that an equality of joints holds."""
    held = (np.asarray(m.eq_type) == EQ_JOINT) & np.asarray(m.eq_active0).astype(bool)
    return {int(joint) for joints in (m.eq_obj1id, m.eq_obj2id) for joint in np.asarray(joints)[held]}


def _armature(subject: Subject) -> Iterator[Finding]:
    """Driven joints without armature, where nearly all others have it and their inertia is small without."""
    m = subject.model
    # a root of slides and hinges has none
    driven = [joint for joint in subject.scalar_joints if joint in subject.drives]
    scalar = driven if len(driven) > 2 else subject.scalar_joints
    dofs = {joint: int(m.jnt_dofadr[joint]) for joint in scalar}
    armed = [float(m.dof_armature[dof]) for dof in dofs.values() if m.dof_armature[dof] > 0]
    bare = [joint for joint in scalar if m.dof_armature[dofs[joint]] == 0]
    if not armed or len(bare) > 0.2 * len(scalar):
        return
    usual = float(np.median(armed))
    for joint in bare:
        inertia = 1 / float(m.dof_invweight0[dofs[joint]])
        if inertia > usual / 3:
            continue
        yield Finding(
            "armature",
            Severity.WARNING,
            Selection("joint", joint),
            f"{subject.name('joint', joint)} has no armature; {len(armed)} other joints have a median of {usual:.2g}",
            f"Its inertia is {inertia:.2g} {'kg' if m.jnt_type[joint] == JNT_SLIDE else 'kg m²'} without it: a servo "
            "that is stable elsewhere can be too stiff here. Armature models the inertia of the rotor.",
            1 + log10(usual / inertia),
            (Fix(f"add armature {usual:.2g}", (SetField("dof_armature", usual, (dofs[joint],)),)),),
            attribute="armature",
        )
