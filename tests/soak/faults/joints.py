"""Faults of joints: ranges, angles, springs, dampers, armature, axes."""

from __future__ import annotations

from typing import Any

import numpy as np

from sim.enums import JNT_HINGE, JNT_SLIDE
from tests.soak.faults.fault import (
    DEGREES,
    Case,
    Draft,
    Fault,
    NoElementError,
    always,
    drives,
    frequency_steps,
    grown,
    largest_force,
    outside,
    unlike,
    worst_weight,
)

TURN = 2 * np.pi


def _scalar(draft: Draft, fits: Any) -> int:
    """A hinge or slide that fits."""
    m = draft.m
    joint = draft.pick(m.njnt, lambda j: m.jnt_type[j] in (JNT_HINGE, JNT_SLIDE) and fits(j))
    draft.blame("joint", joint)
    draft.facts["joint"] = joint
    return joint


def _limited_hinge(draft: Draft) -> int:
    m = draft.m
    return _scalar(draft, lambda j: m.jnt_type[j] == JNT_HINGE and m.jnt_limited[j])


# ---- ranges


def _range(factor: float) -> Any:
    def plant(draft: Draft) -> None:
        joint = _limited_hinge(draft)
        draft.set("joint", joint, range=draft.angle(joint, factor * draft.m.jnt_range[joint]))

    return plant


def _span(case: Case) -> tuple[float, float]:
    joint = case.draft.facts["joint"]
    return float(np.ptp(case.before.jnt_range[joint])), float(np.ptp(case.after.jnt_range[joint]))


def _two_turns(case: Case) -> bool:
    before, after = _span(case)
    return before <= TURN * 1.01 and after > 2 * TURN


def _locked(case: Case) -> bool:
    before, after = _span(case)
    return before > 20 / DEGREES and after < 5 / DEGREES


def _range_off(draft: Draft) -> None:
    """The zero of the range is that of another pose: 90 degrees off."""
    joint = _limited_hinge(draft)
    moved = draft.m.jnt_range[joint] + draft.rng.choice([-1, 1]) * np.pi / 2
    draft.set("joint", joint, range=draft.angle(joint, moved))


def _starts_outside(case: Case) -> bool:
    joint = case.draft.facts["joint"]
    start = case.before.qpos0[case.before.jnt_qposadr[joint]]
    before, after = (outside(start, *m.jnt_range[joint]) for m in (case.before, case.after))
    return before < 5 / DEGREES and after > 15 / DEGREES


def _key(draft: Draft) -> None:
    m = draft.m
    key = draft.pick(m.nkey, lambda _: True)
    joint = _scalar(
        draft,
        lambda j: m.jnt_type[j] == JNT_HINGE and m.jnt_limited[j] and abs(m.key_qpos[key, m.jnt_qposadr[j]]) > 0.05,
    )
    row = m.key_qpos[key].copy()
    row[m.jnt_qposadr[joint]] *= DEGREES
    draft.set("key", key, qpos=row)
    draft.note = f"key {draft.name('key', key)}: joint {draft.name('joint', joint)} at {row[m.jnt_qposadr[joint]]:.3g}"
    draft.blame("key", key)
    draft.facts["key"] = key


def _key_outside(case: Case) -> bool:
    joint, key, m = case.draft.facts["joint"], case.draft.facts["key"], case.after
    at = m.jnt_qposadr[joint]
    before, after = (outside(one.key_qpos[key, at], *m.jnt_range[joint]) for one in (case.before, m))
    return before < 0.1 and after > 1.0


def _euler(to_degrees: bool) -> Any:
    def plant(draft: Draft) -> None:
        if draft.subject.degrees == to_degrees:
            raise NoElementError
        kind = draft.rng.choice(["body", "geom"])
        count = int(draft.m.nbody if kind == "body" else draft.m.ngeom)
        first = 1 if kind == "body" else 0
        index = draft.pick(count, lambda k: k >= first and draft.element(kind, k).get("euler"))
        old = np.array(draft.element(kind, index).get("euler", "").split(), float)
        draft.set(kind, index, euler=old * (DEGREES if to_degrees else 1 / DEGREES))
        draft.blame(kind, index)
        if kind == "geom":
            draft.blame("body", int(draft.m.geom_bodyid[index]))
        draft.facts |= {"kind": kind, "index": index}

    return plant


def _turned(case: Case) -> bool:
    kind, index = case.draft.facts["kind"], case.draft.facts["index"]
    before, after = (m.read(f"{kind}_quat")[index] for m in (case.before, case.after))
    return bool(2 * np.arccos(min(1.0, abs(before @ after))) > 15 / DEGREES)


# ---- springs, dampers, friction, armature


def _dof(field: str, factor: float) -> Any:
    """Scale a parameter of a joint that has it."""

    def plant(draft: Draft) -> None:
        m, at = draft.m, field.startswith("dof_")
        index = (lambda j: m.jnt_dofadr[j]) if at else (lambda j: j)
        joint = _scalar(draft, lambda j: m.read(field)[index(j)] > 0)
        value = factor * m.read(field)[index(joint)]
        draft.set("joint", joint, **{field.split("_")[1]: value})
        if field == "dof_armature":
            # without it, a servo is too stiff for what is left
            draft.blame("actuator", *drives(m, joint))

    return plant


def _strongest(case: Case, joint: int, m: Any) -> float:
    """What can move a joint: its weight or its actuators."""
    forces = [abs(m.actuator_gear[a, 0]) * largest_force(m, a) for a in drives(m, joint)]
    return max([worst_weight(m, case.draft.d, joint), *(f for f in forces if np.isfinite(f))])


def _armature_matters(case: Case) -> bool:
    at = case.before.jnt_dofadr[case.draft.facts["joint"]]
    return grown([case.after.dof_M0[at]], [case.before.dof_M0[at]]) > 10


def _grows(case: Case) -> bool:
    """Any motion doubles within ten seconds."""
    at = case.before.jnt_dofadr[case.draft.facts["joint"]]
    damping = case.after.dof_damping[at]
    return bool(damping < 0 and np.log(2) * case.after.dof_M0[at] / -damping < 10)


def _too_slow(case: Case) -> bool:
    """Against its damping, what moves it makes less than 0.01 rad/s or m/s."""
    joint = case.draft.facts["joint"]
    at = case.before.jnt_dofadr[joint]
    force = _strongest(case, joint, case.before)
    before, after = (force / max(m.dof_damping[at], 1e-300) for m in (case.before, case.after))
    return 0 < after < 0.01 < 0.1 < before


def _spring_unstable(case: Case) -> bool:
    joint = case.draft.facts["joint"]
    before, after = (frequency_steps(m, joint, m.jnt_stiffness[joint]) for m in (case.before, case.after))
    return before < 1 and after > 2


def _springref(draft: Draft) -> None:
    m = draft.m
    joint = _scalar(draft, lambda j: m.jnt_type[j] == JNT_HINGE and m.jnt_stiffness[j] > 0)
    rest = float(m.qpos_spring[m.jnt_qposadr[joint]])
    if abs(rest) < 0.1:
        # an angle within its range, or 45 degrees
        rest = float(m.jnt_range[joint, 1]) if m.jnt_limited[joint] and m.jnt_range[joint, 1] > 0.1 else np.pi / 4
    draft.set("joint", joint, springref=draft.angle(joint, rest * DEGREES))


def _spring_far(case: Case) -> bool:
    """Its rest is turns away, or farther outside of its range than that is wide."""
    joint, m = case.draft.facts["joint"], case.after
    rest = float(m.qpos_spring[m.jnt_qposadr[joint]])
    if m.jnt_limited[joint]:
        return outside(rest, *m.jnt_range[joint]) > max(1.0, float(np.ptp(m.jnt_range[joint])))
    return abs(rest) > 2 * TURN


def _stuck(case: Case) -> bool:
    joint = case.draft.facts["joint"]
    at, force = case.before.jnt_dofadr[joint], _strongest(case, joint, case.before)
    return bool(case.before.dof_frictionloss[at] < force < case.after.dof_frictionloss[at] / 3)


def _axis(draft: Draft) -> None:
    """Two hinges of a body with one axis, as after copying a line."""
    m = draft.m

    def twin(j: int) -> bool:
        same = j > 0 and m.jnt_bodyid[j - 1] == m.jnt_bodyid[j] and m.jnt_type[j - 1] == m.jnt_type[j]
        return bool(same and np.allclose(m.jnt_pos[j], m.jnt_pos[j - 1]))

    joint = _scalar(draft, twin)
    if draft.in_frame("joint", joint):
        raise NoElementError
    draft.set("joint", joint, axis=m.jnt_axis[joint - 1])
    draft.blame("joint", joint - 1)
    draft.blame("body", int(m.jnt_bodyid[joint]))


ANGLE = ("angle-unit", *unlike("range"))
ARMATURE = ("armature", "unstable", *unlike("armature"))
NEGATIVE = ("damping-negative",)
DAMPED = ("damping-locks", "unstable", *unlike("damping"))
STIFF = ("unstable", *unlike("stiffness"))
STUCK = ("friction-locks", *unlike("frictionloss"))
FAULTS = (
    Fault("range-degrees", "range of a hinge in degrees for radians", ANGLE, _range(DEGREES), _two_turns),
    Fault("range-radians", "range of a hinge in radians for degrees", ANGLE, _range(1 / DEGREES), _locked),
    Fault("range-off", "range of a hinge 90 degrees off", ("range-start",), _range_off, _starts_outside),
    Fault("key-degrees", "a hinge in a keyframe in degrees", ("key-range",), _key, _key_outside),
    Fault("euler-degrees", "euler in degrees for radians", ("orientation-unit",), _euler(True), _turned),
    Fault("euler-radians", "euler in radians for degrees", ("orientation-unit",), _euler(False), _turned),
    Fault(
        "armature-removed",
        "armature of a joint gone",
        ARMATURE,
        _dof("dof_armature", 0),
        _armature_matters,
    ),
    Fault("damping-negative", "damping of a joint negated", NEGATIVE, _dof("dof_damping", -1), _grows),
    Fault("damping-up", "damping of a joint x 1e4", DAMPED, _dof("dof_damping", 1e4), _too_slow),
    Fault("stiffness-up", "stiffness of a joint x 1e5", STIFF, _dof("jnt_stiffness", 1e5), _spring_unstable),
    Fault("springref-far", "springref of a hinge in degrees", ("springref",), _springref, _spring_far),
    Fault("frictionloss-up", "frictionloss of a joint x 1e3", STUCK, _dof("dof_frictionloss", 1e3), _stuck),
    Fault("axis-twice", "two joints of a body have one axis", ("axis-twice",), _axis, always),
)
