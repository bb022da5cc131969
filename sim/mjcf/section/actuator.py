"""Compiles actuators: transmission targets, numbers of controls, activations and outputs, limits.

Left to `set_const`, which has inertia and lengths: actuator_acc0, actuator_length0, a lengthrange that is not given,
and biasprm[2] > 0 of a position servo, which is a dampratio.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from sim import enums
from sim.mjcf.body_tree import NV
from sim.mjcf.columns import starts
from sim.mjcf.errors import check_not_negative, check_positive
from sim.mjcf.place import ASCENDING, resolve_limit
from sim.mjcf.records import (
    FALSE,
    TRUE,
    Actuator,
    Compiler,
    Ids,
    Joint,
    Lists,
    MemoryBudget,
    Parsed,
    Tendon,
    Values,
    find,
    target_kind,
)
from sim.mjcf.section.tendon import body_dofs, tendon_dofs

LARGEST_HISTORY = 1 << 24


def compile_actuators(actuators: Sequence[Actuator], parsed: Parsed, lists: Lists, ids: Ids) -> None:
    for actuator in actuators:
        _targets(actuator, ids)
        if actuator.gaintype == enums.GAIN_SO3 or actuator.biastype == enums.BIAS_SO3:
            _so3(actuator, lists["joint"])
        elif actuator.gaintype == enums.GAIN_PID:
            _pid(actuator)
        elif actuator.gaintype == enums.GAIN_DCMOTOR:
            _dcmotor(actuator)
        elif actuator.control:
            _declared_input(actuator)
        if actuator.dyntype == enums.DYN_PID and actuator.gaintype != enums.GAIN_PID:
            raise actuator.error('dyntype="pid" without gaintype="pid"', "set both or neither")
        _check_load(actuator, lists["tendon"])
        _inherit_range(actuator, lists)
        _limits(actuator, parsed.compiler_of(actuator))
        _activations(actuator)
        _muscle(actuator)
        _history(actuator, parsed.budget)


# ---- transmission


def _targets(actuator: Actuator, ids: Ids) -> None:
    if actuator.trntype == enums.TRN_UNDEFINED:
        raise actuator.error("it has no transmission", "name a joint, tendon, site or body")
    second = -1
    if actuator.trntype == enums.TRN_SLIDERCRANK:
        if not actuator.slidersite:
            raise actuator.error("missing attribute 'slidersite'")
        second = find(actuator, "site", actuator.slidersite, ids)
        check_positive(actuator, "cranklength", actuator.cranklength)
    elif actuator.trntype == enums.TRN_SITE and actuator.refsite:
        second = find(actuator, "site", actuator.refsite, ids)
    actuator.trnid = (find(actuator, target_kind(actuator), actuator.target, ids), second)


def _check_load(actuator: Actuator, tendons: Sequence[Tendon]) -> None:
    """Check damping and armature, which are added to those of the joint or tendon."""
    if actuator.trntype not in (enums.TRN_JOINT, enums.TRN_JOINTINPARENT, enums.TRN_TENDON):
        for what in ("damping", "armature"):
            if np.any(getattr(actuator, what)):
                raise actuator.error(f"{what} is for actuators of joints and tendons", f"remove {what}")
    if actuator.trntype == enums.TRN_TENDON and actuator.armature:
        if any(wrap.type in (enums.WRAP_SPHERE, enums.WRAP_CYLINDER) for wrap in tendons[actuator.trnid[0]].path):
            raise actuator.error(
                "its tendon wraps around geoms and cannot have armature", "remove the actuator's armature"
            )


# ---- types with several controls


def _declared_input(actuator: Actuator) -> None:
    """What the control of a fixed or affine gain is; the simulation does not depend on it."""
    if actuator.gaintype not in (enums.GAIN_FIXED, enums.GAIN_AFFINE):
        raise actuator.error("an actuator with this gaintype does not take the attribute `input`", "remove input")
    if actuator.control not in (enums.INPUT_POS, enums.INPUT_VEL, enums.INPUT_PRESSURE):
        raise actuator.error("the control of this gaintype is one number", 'set input to "pos", "vel" or "pressure"')
    actuator.ctrlspec = actuator.control


def _so3(actuator: Actuator, joints: Sequence[Joint]) -> None:
    """An orientation servo: three outputs, three or four controls."""
    if actuator.gaintype != enums.GAIN_SO3 or actuator.biastype != enums.BIAS_SO3:
        raise actuator.error('only one of gaintype and biastype is "so3"', "set both or neither")
    if actuator.dyntype not in (enums.DYN_NONE, enums.DYN_INTEGRATOR):
        raise actuator.error("gaintype so3 cannot be combined with this dyntype", 'use "none" or "integrator"')
    if actuator.gainprm[0] != -actuator.biasprm[1]:
        raise actuator.error(
            f"gainprm[0] is {actuator.gainprm[0]:g}, biasprm[1] is {actuator.biasprm[1]:g}",
            "for so3, one must be minus the other",
        )
    ball = actuator.trntype == enums.TRN_JOINT and joints[actuator.trnid[0]].type == enums.JNT_BALL
    if not ball and not (actuator.trntype == enums.TRN_SITE and actuator.refsite):
        raise actuator.error("its transmission has no orientation", "use a ball joint, or site and refsite")
    if actuator.dyntype == enums.DYN_INTEGRATOR:
        if actuator.actdim > 0 and actuator.actdim != 3:
            raise actuator.error(f"actdim is {actuator.actdim}", "it must be 3 for so3 with an integrator")
        actuator.actdim = 3
        if actuator.actlimited == TRUE and not any(actuator.actrange):
            actuator.actlimited = 0
    actuator.ctrlspec = actuator.input or enums.CHART_EXPMAP
    if actuator.ctrlspec not in (enums.CHART_EXPMAP, enums.CHART_QUAT):
        raise actuator.error("input is not a chart of orientations", 'use "expmap" or "quat"')
    if actuator.ctrlspec == enums.CHART_QUAT and actuator.dyntype != enums.DYN_NONE:
        raise actuator.error('input="quat" cannot be combined with this dyntype', 'use dyntype="none"')
    low, high = actuator.forcerange
    if low and (actuator.forcelimited == TRUE or low < high):
        raise actuator.error(
            f"forcerange starts at {low:g}", "it limits the magnitude of the torque and must start at 0"
        )
    actuator.ctrlnum, actuator.outnum = 4 if actuator.ctrlspec == enums.CHART_QUAT else 3, 3
    actuator.trntype = enums.TRN_SO3


def _pid(actuator: Actuator) -> None:
    """PID controller: inputs pos, vel and ff; states for the slew rate limit and the integral."""
    if actuator.biastype != enums.BIAS_AFFINE:
        raise actuator.error('gaintype="pid" cannot be combined with this biastype', 'use "affine"')
    if actuator.dyntype not in (enums.DYN_NONE, enums.DYN_PID):
        raise actuator.error('gaintype="pid" cannot be combined with this dyntype', 'use "none" or "pid"')
    if actuator.trntype == enums.TRN_BODY:
        raise actuator.error("a pid actuator cannot act on a body", "name a joint, tendon or site")
    stateful = actuator.dyntype == enums.DYN_PID
    if actuator.gainprm[0] and not stateful:
        raise actuator.error(f"the integral gain gainprm[0] is {actuator.gainprm[0]:g}", 'it needs dyntype="pid"')
    if stateful:
        for k, what in enumerate(("imax", "slewmax")):
            check_not_negative(actuator, what, actuator.dynprm[k])
        states = (actuator.dynprm[1] > 0) + (actuator.gainprm[0] > 0)
        if actuator.actdim > 0 and actuator.actdim != states:
            raise actuator.error(f"actdim is {actuator.actdim}", f"it must be {states} for these parameters")
        actuator.actdim = states
    actuator.ctrlspec = actuator.input or enums.INPUT_POS | enums.INPUT_VEL
    if actuator.ctrlspec & ~(enums.INPUT_POS | enums.INPUT_VEL | enums.INPUT_FF):
        raise actuator.error("a pid actuator does not have this input", "use any of pos, vel and ff")
    if stateful and not actuator.ctrlspec & enums.INPUT_POS:
        raise actuator.error("ki and slewmax act on the input pos", "add pos to input")
    actuator.ctrlnum = actuator.ctrlspec.bit_count()


def _dcmotor(actuator: Actuator) -> None:
    """DC motor: the control is a voltage, or setpoints of its controller."""
    actuator.ctrlspec = actuator.input or enums.INPUT_VOLTAGE
    known = enums.INPUT_POS | enums.INPUT_VEL | enums.INPUT_FF | enums.INPUT_VOLTAGE
    if actuator.ctrlspec != enums.INPUT_NONE and actuator.ctrlspec & ~known:
        raise actuator.error("a dcmotor does not have this input", "use none, or any of pos, vel, ff and voltage")
    setpoints = actuator.ctrlspec & (enums.INPUT_POS | enums.INPUT_VEL | enums.INPUT_FF)
    gains, integral, slew = any(actuator.gainprm[4:7]), actuator.gainprm[5], actuator.dynprm[7]
    if setpoints and actuator.gainprm[1] <= 0:
        raise actuator.error(f"the motor constant is {actuator.gainprm[1]:g}", "a controller needs a positive one")
    if not setpoints and (gains or slew > 0):
        raise actuator.error("its controller has no input", "add pos, vel or ff to input")
    if integral > 0 and not actuator.ctrlspec & enums.INPUT_POS:
        raise actuator.error("the integral gain acts on the input pos", "add pos to input")
    actuator.ctrlnum = (actuator.ctrlspec & known).bit_count()
    # states: slew rate limit, integral, temperature, bristle deflection, current
    dyn = actuator.dynprm
    states = sum(x > 0 for x in (slew, integral, dyn[2], dyn[5], dyn[0]))
    own = actuator.actdim if actuator.actdim >= 0 else int(actuator.dyntype not in (enums.DYN_NONE, enums.DYN_DCMOTOR))
    if own != states:
        raise actuator.error(f"actdim is {own}", f"it must be {states} for these parameters")
    if actuator.shortcut == "dcmotor":
        actuator.actlimited = FALSE


# ---- ranges


def _inherit_range(actuator: Actuator, lists: Lists) -> None:
    """Apply inheritrange: set ctrlrange, or actrange, from the range of the joint or tendon."""
    if not inherits(actuator):
        return
    if actuator.dyntype not in (enums.DYN_NONE, enums.DYN_FILTEREXACT, enums.DYN_PID, enums.DYN_INTEGRATOR):
        raise actuator.error(
            "inheritrange cannot be combined with this dyntype", "use a position, intvelocity or pid actuator"
        )
    if actuator.trntype not in (enums.TRN_JOINT, enums.TRN_TENDON):
        raise actuator.error("inheritrange needs a joint or tendon transmission", "set the actuator's own range")
    target = lists[target_kind(actuator)][actuator.trnid[0]]
    if actuator.trntype == enums.TRN_JOINT and target.type not in (enums.JNT_HINGE, enums.JNT_SLIDE):
        raise actuator.error(f"inheritrange: joint '{actuator.target}' is neither a hinge nor a slide")
    low, high = target.range
    if low == high:
        raise actuator.error(f"inheritrange: '{actuator.target}' has no range", "set its range")
    where = "actrange" if actuator.dyntype == enums.DYN_INTEGRATOR else "ctrlrange"
    setattr(actuator, where, inherited_range(low, high, actuator.inheritrange))


def inherits(actuator: Actuator) -> bool:
    """Whether it has the range of its joint or tendon: a position servo with inheritrange."""
    servo = actuator.gaintype == enums.GAIN_FIXED and actuator.gainprm[0] == -actuator.biasprm[1]
    return (
        actuator.inheritrange > 0
        and actuator.biastype == enums.BIAS_AFFINE
        and (servo or actuator.gaintype == enums.GAIN_PID)
    )


def inherited_range(low: float, high: float, inherit: float) -> tuple[float, float]:
    """The range of a joint, wider or narrower about its middle."""
    middle, radius = 0.5 * (high + low), 0.5 * (high - low) * inherit
    return (middle - radius, middle + radius)


def _limits(actuator: Actuator, compiler: Compiler) -> None:
    """Resolve forcelimited, ctrllimited and actlimited; the limit of each control."""
    if actuator.shortcut == "intvelocity":
        # by its range alone, whatever the attribute says
        actuator.actlimited = TRUE if any(actuator.actrange) else FALSE
    for what in ("force", "ctrl", "act"):
        resolve_limit(actuator, f"{what}range", compiler)
    if actuator.actlimited == TRUE and actuator.dyntype == enums.DYN_NONE:
        raise actuator.error("actrange is set, but the actuator has no activation", "set dyntype, or remove actrange")
    common = (actuator.ctrllimited == TRUE, actuator.ctrlrange)
    if actuator.gaintype == enums.GAIN_PID:
        own = {
            enums.INPUT_POS: common,
            enums.INPUT_VEL: _limit(actuator.velrange),
            enums.INPUT_FF: _limit(actuator.ffrange),
        }
        actuator.limits = tuple(limit for bit, limit in own.items() if actuator.ctrlspec & bit)
    else:
        actuator.limits = (common,) * actuator.ctrlnum


def _limit(interval: Any) -> tuple[bool, Any]:
    return interval[0] < interval[1], interval


# ---- activations, muscles, delays


def _activations(actuator: Actuator) -> None:
    dyntype = actuator.dyntype
    if (
        actuator.actdim > 1
        and dyntype not in (enums.DYN_USER, enums.DYN_DCMOTOR, enums.DYN_PID)
        and actuator.trntype != enums.TRN_SO3
    ):
        raise actuator.error(f"actdim is {actuator.actdim}", "only dyntype user, dcmotor and pid can have more than 1")
    if actuator.actdim == 1 and dyntype == enums.DYN_NONE:
        raise actuator.error("actdim is 1, but the actuator has no dynamics", "set dyntype")
    if actuator.actdim == 0 and dyntype not in (enums.DYN_NONE, enums.DYN_DCMOTOR):
        raise actuator.error("actdim is 0, but its dynamics have an activation", "remove actdim")
    if actuator.actdim < 0:
        actuator.actdim = int(dyntype not in (enums.DYN_NONE, enums.DYN_DCMOTOR))
    if dyntype == enums.DYN_DCMOTOR and not actuator.actearly:
        raise actuator.error("a dcmotor needs actearly", 'set actearly="true"')


def _muscle(actuator: Actuator) -> None:
    for muscle, prm in (
        (actuator.gaintype == enums.GAIN_MUSCLE, actuator.gainprm),
        (actuator.biastype == enums.BIAS_MUSCLE, actuator.biasprm),
    ):
        if not muscle:
            continue
        if prm[0] >= prm[1]:
            raise actuator.error(f"range of the muscle is {prm[0]:g} {prm[1]:g}", ASCENDING)
        if not prm[4] < 1 < prm[5]:
            raise actuator.error(f"lmin is {prm[4]:g}, lmax is {prm[5]:g}", "1 must be between them")
        if min(prm[3], *prm[6:9]) <= 0:
            raise actuator.error("scale, vmax, fpmax or fvmax is not positive", "all four must be")


def _history(actuator: Actuator, budget: MemoryBudget) -> None:
    if actuator.delay > 0 and actuator.nsample <= 0:
        raise actuator.error("a delay needs a history buffer", "set nsample")
    if actuator.nsample > LARGEST_HISTORY:
        raise actuator.error(f"nsample is {actuator.nsample}", f"the maximum is {LARGEST_HISTORY}")
    budget.reserve(actuator, 8 * (actuator.actdim + max(actuator.nsample, 0) * (actuator.ctrlnum + 1)))
    if actuator.ctrlnum == 0 and (actuator.delay > 0 or actuator.nsample > 0):
        raise actuator.error("without an input there is nothing to delay", "remove delay and nsample")


# ---- fields


def fill_actuators(m: Values, actuators: Sequence[Actuator], tendons: Sequence[Tendon]) -> None:
    """Addresses, fields of controls and outputs, sizes."""
    for name, size in (("ctrl", "nu"), ("out", "nout"), ("act", "na")):
        m[f"actuator_{name}adr"], counts = starts(m[f"actuator_{name}num"])
        m[size] = int(counts.sum())
    m["actuator_actadr"][m["actuator_actnum"] == 0] = -1
    limits = [limit for actuator in actuators for limit in actuator.limits]
    m["actuator_ctrllimited"] = np.array([limited for limited, _ in limits], bool)
    m["actuator_ctrlrange"] = np.array([interval for _, interval in limits], float).reshape(-1, 2)
    outputs = [actuator for actuator in actuators for _ in range(actuator.outnum)]
    m["actuator_gear"] = np.array([actuator.gear for actuator in outputs], float).reshape(-1, 6)
    m["actuator_lengthrange"] = np.array([actuator.lengthrange for actuator in outputs], float).reshape(-1, 2)
    m["actuator_acc0"], m["actuator_length0"] = np.zeros(len(outputs)), np.zeros(len(outputs))
    # history buffer: user value, cursor, times, values
    m["nhistory"] = 0
    m["actuator_historyadr"] = np.full(len(actuators), -1, np.int32)
    for a, actuator in enumerate(actuators):
        if actuator.nsample > 0:
            m["actuator_historyadr"][a] = m["nhistory"]
            m["nhistory"] += 2 + actuator.nsample * (1 + actuator.ctrlnum)
    m["nJmom"] = sum(_moment_entries(m, actuator, tendons) for actuator in actuators)


def _moment_entries(m: Values, actuator: Actuator, tendons: Sequence[Tendon]) -> int:
    """Number of entries in the actuator's rows of actuator_moment."""
    first, second = actuator.trnid
    kind = actuator.trntype
    if kind == enums.TRN_SO3:
        return 3 * int(m["nv"]) if second >= 0 else 3
    if kind in (enums.TRN_JOINT, enums.TRN_JOINTINPARENT):
        return NV[int(m["jnt_type"][first])]
    if kind == enums.TRN_TENDON:
        return len(tendon_dofs(m, tendons[first]))
    if kind == enums.TRN_BODY:
        return int(m["nv"])
    chains = [set(body_dofs(m, int(m["site_bodyid"][site]))) if site >= 0 else set() for site in (first, second)]
    return len(chains[0] | chains[1] if kind == enums.TRN_SLIDERCRANK else chains[0] ^ chains[1])
