"""Faults of actuators: gains, gears, ranges, time constants."""

from __future__ import annotations

from typing import Any

import numpy as np

from sim.enums import DYN_FILTER, DYN_FILTEREXACT, DYN_MUSCLE, GAIN_FIXED, INT_EULER, INT_RK4, JNT_HINGE
from tests.soak.faults.fault import (
    DEGREES,
    Case,
    Draft,
    Fault,
    NoElementError,
    drives,
    frequency_steps,
    is_servo,
    largest_force,
    on_joint,
    unlike,
    worst_weight,
)

SLOW = 20.0  # period of a servo, s, at which nobody would call it one
MOST_IN_A_STEP = 0.1  # rad or m


def _actuator(draft: Draft, fits: Any) -> int:
    m = draft.m
    if not m.nactuator == len(m.actuator_gear) == len(m.actuator_ctrlrange):
        # an actuator has several rows
        raise NoElementError
    actuator = draft.pick(int(m.nactuator), fits)
    draft.blame_actuator(actuator)
    draft.facts |= {"actuator": actuator, "joint": on_joint(draft.m, actuator)}
    return actuator


def _set_gains(draft: Draft, actuator: int, kp: float | None = None, kv: float | None = None) -> None:
    """Gains of a servo, in the words of its element."""
    element, m = draft.element("actuator", actuator), draft.m
    if element.tag in ("position", "intvelocity"):
        draft.write(element, **({"kp": kp} if kp is not None else {"kv": kv, "dampratio": None}))
    elif element.tag == "velocity" and kv is not None:
        draft.write(element, kv=kv)
    elif element.tag == "general":
        gain, bias = m.actuator_gainprm[actuator].copy(), m.actuator_biasprm[actuator].copy()
        if kp is not None:
            gain[0], bias[1] = kp, -kp
        else:
            bias[2] = -float(kv or 0)
        draft.write(element, gainprm=gain[:3], biasprm=bias[:3])
    else:
        raise NoElementError


def _kp(factor: float) -> Any:
    def plant(draft: Draft) -> None:
        actuator = _actuator(draft, lambda a: is_servo(draft.m, a))
        _set_gains(draft, actuator, kp=factor * float(draft.m.actuator_gainprm[actuator, 0]))

    return plant


def _kv(draft: Draft) -> None:
    m = draft.m
    actuator = _actuator(draft, lambda a: on_joint(m, a) >= 0 and m.actuator_biasprm[a, 2] < 0)
    _set_gains(draft, actuator, kv=1000 * abs(float(m.actuator_biasprm[actuator, 2])))


def _stiffness(case: Case, m: Any) -> float:
    """Of a servo, at its joint."""
    actuator = case.draft.facts["actuator"]
    return float(-m.actuator_biasprm[actuator, 1] * m.actuator_gear[actuator, 0] ** 2)


def _too_stiff(case: Case) -> bool:
    joint = case.draft.facts["joint"]
    before, after = (frequency_steps(m, joint, _stiffness(case, m)) for m in (case.before, case.after))
    return before < 1 and after > 2


def _too_weak(case: Case) -> bool:
    """It hangs down by more than a radian or metre, or takes very long."""
    joint, m = case.draft.facts["joint"], case.before
    inertia = m.dof_M0[m.jnt_dofadr[joint]]
    weight = worst_weight(m, case.draft.d, joint)

    def weak(stiffness: float) -> bool:
        return weight / stiffness > 1 or 2 * np.pi * np.sqrt(inertia / stiffness) > SLOW

    return not weak(_stiffness(case, case.before)) and weak(_stiffness(case, case.after))


def _pushes_away(case: Case) -> bool:
    return _stiffness(case, case.after) < 0 < _stiffness(case, case.before)


def _too_damped(case: Case) -> bool:
    """More per step than an explicit step can bear, or too slow to arrive."""
    actuator, joint, m = case.draft.facts["actuator"], case.draft.facts["joint"], case.after
    damping = -m.actuator_biasprm[actuator, 2] * m.actuator_gear[actuator, 0] ** 2
    before = -case.before.actuator_biasprm[actuator, 2] * case.before.actuator_gear[actuator, 0] ** 2
    inertia = m.dof_M0[m.jnt_dofadr[joint]]
    stiffness = _stiffness(case, m)
    # the implicit integrators bear any damping of an actuator
    explicit = m.opt.integrator in (INT_EULER, INT_RK4)
    unstable = explicit and damping * m.opt.timestep / inertia > 2 > before * m.opt.timestep / inertia
    return bool(unstable or (stiffness > 0 and damping / stiffness > 5 > before / stiffness))


# ---- gear and ranges


def _gear(draft: Draft) -> None:
    m = draft.m
    actuator = _actuator(
        draft,
        lambda a: on_joint(m, a) >= 0 and (is_servo(m, a) or np.isfinite(largest_force(m, a))),
    )
    draft.set("actuator", actuator, gear=100 * m.actuator_gear[actuator])


def _in_a_step(case: Case, m: Any) -> float:
    """How far a joint moves in one step at full control."""
    actuator, joint = case.draft.facts["actuator"], case.draft.facts["joint"]
    force = abs(m.actuator_gear[actuator, 0]) * largest_force(m, actuator)
    return float(force / m.dof_M0[m.jnt_dofadr[joint]] * m.opt.timestep**2)


def _too_strong(case: Case) -> bool:
    if is_servo(case.before, case.draft.facts["actuator"]):
        return _too_stiff(case)
    return _in_a_step(case, case.before) < MOST_IN_A_STEP / 10 and _in_a_step(case, case.after) > MOST_IN_A_STEP


def _ranges(m: Any, actuator: int, joint: int) -> tuple[np.ndarray, np.ndarray]:
    """Where a servo can be sent, and where its joint can go."""
    return np.sort(m.actuator_ctrlrange[actuator] / m.actuator_gear[actuator, 0]), m.jnt_range[joint]


def _limited_servo(draft: Draft) -> int:
    m = draft.m

    def fits(a: int) -> bool:
        joint = on_joint(m, a)
        hinge = is_servo(m, a) and m.jnt_type[joint] == JNT_HINGE and m.jnt_limited[joint]
        return bool(hinge and m.actuator_ctrllimited[a] and m.actuator_gear[a, 0])

    return _actuator(draft, fits)


def _gear_sign(draft: Draft) -> None:
    actuator = _limited_servo(draft)
    draft.set("actuator", actuator, gear=-draft.m.actuator_gear[actuator], inheritrange=None,
              ctrlrange=draft.m.actuator_ctrlrange[actuator])  # fmt: skip


def _overlap(m: Any, actuator: int, joint: int) -> float:
    """Share of a servo's range that its joint can reach."""
    sent, reached = _ranges(m, actuator, joint)
    return float(max(0.0, min(sent[1], reached[1]) - max(sent[0], reached[0])) / max(np.ptp(sent), 1e-12))


def _wrong_way(case: Case) -> bool:
    actuator, joint = case.draft.facts["actuator"], case.draft.facts["joint"]
    return _overlap(case.before, actuator, joint) > 0.7 and _overlap(case.after, actuator, joint) < 0.3


def _ctrlrange(draft: Draft) -> None:
    actuator = _limited_servo(draft)
    draft.set("actuator", actuator, ctrlrange=DEGREES * draft.m.actuator_ctrlrange[actuator], inheritrange=None)


def _far_targets(case: Case) -> bool:
    actuator, joint = case.draft.facts["actuator"], case.draft.facts["joint"]
    sent, reached = _ranges(case.after, actuator, joint)
    before, _ = _ranges(case.before, actuator, joint)
    return bool(np.ptp(before) < 3 * np.ptp(reached) and np.ptp(sent) > 10 * np.ptp(reached))


def _forcerange(draft: Draft) -> None:
    m = draft.m
    actuator = _actuator(draft, lambda a: on_joint(m, a) >= 0 and m.actuator_forcelimited[a])
    draft.set("actuator", actuator, forcerange=m.actuator_forcerange[actuator] / 1000)


def _cannot_hold(case: Case) -> bool:
    """What was strong enough for the weight has a tenth of what it takes now."""
    joint = case.draft.facts["joint"]
    weight = worst_weight(case.before, case.draft.d, joint)

    def strength(m: Any) -> float:
        return sum(abs(m.actuator_gear[a, 0]) * largest_force(m, a) for a in drives(m, joint))

    return strength(case.before) > weight > 10 * strength(case.after)


def _slow_dynamics(draft: Draft) -> None:
    m = draft.m
    kinds = (DYN_MUSCLE, DYN_FILTER, DYN_FILTEREXACT)
    actuator = _actuator(draft, lambda a: m.actuator_dyntype[a] in kinds and m.actuator_dynprm[a, 0] > 0)
    element, values = draft.element("actuator", actuator), 1000 * m.actuator_dynprm[actuator]
    if element.tag == "muscle":
        draft.write(element, timeconst=values[:2])
    elif element.tag == "general":
        draft.write(element, dynprm=values[:1])
    elif element.tag in ("position", "cylinder"):
        draft.write(element, timeconst=values[:1])
    else:
        raise NoElementError


def _slower_than_seconds(case: Case) -> bool:
    actuator = case.draft.facts["actuator"]
    return bool(case.before.actuator_dynprm[actuator, 0] < 1 and case.after.actuator_dynprm[actuator, 0] > 3)


def _muscle_force(draft: Draft) -> None:
    m = draft.m
    actuator = _actuator(draft, lambda a: m.actuator_dyntype[a] == DYN_MUSCLE and m.actuator_gaintype[a] != GAIN_FIXED)
    # peak force: given, or scale over acc0
    force = float(m.actuator_gainprm[actuator, 2])
    if force <= 0:
        force = float(m.actuator_gainprm[actuator, 3] / m.actuator_acc0[actuator])
    draft.facts["force"] = force
    element = draft.element("actuator", actuator)
    if element.tag != "muscle":
        raise NoElementError
    draft.write(element, force=1000 * force)


def _muscle_too_strong(case: Case) -> bool:
    """At its peak the joint moves by more than 0.1 rad in a step."""
    actuator, m = case.draft.facts["actuator"], case.after
    before, after = (f * case.draft.facts["force"] * m.actuator_acc0[actuator] * m.opt.timestep**2 for f in (1, 1000))
    return bool(before < MOST_IN_A_STEP / 10 and after > MOST_IN_A_STEP)


FAR_TARGET = ("servo-range-unit", "servo-range", *unlike("ctrlrange"))
WEAK = ("force-weak", *unlike("forcerange"))
SLOW_ACTIVATION = ("activation-time", *unlike("dynprm"))
STRONG = ("unstable", "actuator-throws", "servo-narrow")
FAULTS = (
    Fault("kp-up", "kp of a servo x 1000", ("unstable", *unlike("kp")), _kp(1e3), _too_stiff),
    Fault("kp-down", "kp of a servo / 1000", ("servo-weak", *unlike("kp")), _kp(1e-3), _too_weak),
    Fault("kp-negative", "kp of a servo negated", ("servo-feedback",), _kp(-1), _pushes_away),
    Fault("kv-up", "kv of a servo x 1000", ("unstable", "servo-slow", *unlike("kv")), _kv, _too_damped),
    Fault("gear-up", "gear of an actuator x 100", (*STRONG, *unlike("gear")), _gear, _too_strong),
    Fault("gear-sign", "gear of a servo negated", ("servo-range",), _gear_sign, _wrong_way),
    Fault(
        "ctrlrange-degrees",
        "ctrlrange of a servo in degrees",
        FAR_TARGET,
        _ctrlrange,
        _far_targets,
    ),
    Fault("forcerange-small", "forcerange of an actuator / 1000", WEAK, _forcerange, _cannot_hold),
    Fault("timeconst-ms", "time constant of an actuator in ms", SLOW_ACTIVATION, _slow_dynamics, _slower_than_seconds),
    Fault("muscle-strong", "peak force of a muscle x 1000", STRONG, _muscle_force, _muscle_too_strong),
)
