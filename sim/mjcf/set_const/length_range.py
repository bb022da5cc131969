"""actuator_lengthrange (mj_setLengthRange), which muscles need: given, from a limit, or by simulation.

The simulation pushes an actuator in each direction with a force that accelerates its dofs by `accel`, with velocities
damped by `timeconst`, for `inttotal` seconds; only limits and equalities are active. The result is the extreme length
of the last `interval`, in which it must not vary by more than `tolrange` of the range. This is the only part of loading
that needs native code.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import exp, inf
from typing import Any

from sim import enums
from sim.mjcf.errors import MjcfError
from sim.mjcf.records import LengthRange
from sim.mjcf.set_const.length_range_pull import STOP_DIVERGED, STOP_OVERFLOW, pull_until
from sim.model import Data, Model

DISABLED = (
    enums.DSBL_FRICTIONLOSS
    | enums.DSBL_CONTACT
    | enums.DSBL_SPRING
    | enums.DSBL_DAMPER
    | enums.DSBL_GRAVITY
    | enums.DSBL_ACTUATION
)


def set_length_ranges(m: Model, how: LengthRange, sources: Sequence[Any] = ()) -> None:
    """Set actuator_lengthrange as <lengthrange> asks; `sources` are the elements, whose errors have file and line."""
    simulated = []
    for i in range(m.nactuator):
        if not included(m, i, how.mode):
            continue
        given = m.actuator_lengthrange[m.actuator_outadr[i]]
        if how.useexisting and given[0] < given[1]:
            continue
        limit = target_range(m, i) if how.uselimit else None
        if limit is None:
            simulated.append(i)
        else:
            given[:] = limit
    if not simulated:
        return
    limited = only_limits(m, how.timestep)
    d = Data(limited)
    for i in simulated:
        try:
            simulate_range(limited, d, i, how)
        except MjcfError as why:
            raise (sources[i].error(why.message, why.cure) if sources else why) from None


def included(m: Model, i: int, mode: int) -> bool:
    """Whether the mode includes an actuator."""
    gain, bias = m.actuator_gaintype[i], m.actuator_biastype[i]
    muscle = gain == enums.GAIN_MUSCLE or bias == enums.BIAS_MUSCLE
    user = gain == enums.GAIN_USER or bias == enums.BIAS_USER
    return bool(
        {
            enums.LRMODE_NONE: False,
            enums.LRMODE_MUSCLE: muscle,
            enums.LRMODE_MUSCLEUSER: muscle or user,
            enums.LRMODE_ALL: True,
        }[mode]
    )


def target_range(m: Model, i: int) -> Any:
    """The range of the actuator's joint or tendon, without the gear; None if it is not limited."""
    kind, target = m.actuator_trntype[i], m.actuator_trnid[i, 0]
    if kind in (enums.TRN_JOINT, enums.TRN_JOINTINPARENT) and m.jnt_limited[target]:
        return m.jnt_range[target]
    if kind == enums.TRN_TENDON and m.tendon_limited[target]:
        return m.tendon_range[target]
    return None


def only_limits(m: Model, timestep: float) -> Model:
    """The model with only limits and equalities active, and with another timestep; it shares all arrays."""
    limited = m.with_own(())
    limited.opt.disableflags = DISABLED
    if timestep > 0:
        limited.opt.timestep = timestep
    if m.opt.integrator == enums.INT_RK4:
        limited.opt.integrator = enums.INT_EULER
    return limited


# ---------------------------------------------------------------- simulation


def simulate_range(m: Model, d: Data, i: int, how: LengthRange) -> None:
    """Compute the range of one actuator."""
    r = int(m.actuator_outadr[i])
    (low, high), (below, above) = pull_to_end(m, d, r, -how.accel, how), pull_to_end(m, d, r, how.accel, how)
    m.actuator_lengthrange[r] = low, above
    name = f"actuator {i} {m.names.get('actuator', [''] * m.nactuator)[i]}".rstrip()
    cure = "limit its joint or tendon, or set its lengthrange"
    if above <= low:
        raise MjcfError(
            f"no lengthrange found for {name}: pulling in both directions gave {low:g} and {above:g}", cure=cure
        )
    for first, last in ((low, high), (below, above)):
        if last - first > how.tolrange * (above - low):
            still = f"between {first:g} and {last:g}, in a range of {low:g} to {above:g}"
            what = f"no lengthrange found for {name}: its length still varies {still}"
            raise MjcfError(what, cure=cure)


def pull_to_end(m: Model, d: Data, r: int, accel: float, how: LengthRange) -> tuple[float, float]:
    """Shortest and longest length in the last `interval`, when pushed in one direction."""
    d.clear()
    d.length_pull = inf, -inf
    decay = exp(-m.opt.timestep / max(0.01, how.timeconst))
    since, end = how.inttotal - how.interval, how.inttotal
    stopped = pull_until(m, d, r, accel, how.maxforce, decay, since, end, 0)
    while stopped == STOP_OVERFLOW:
        d.grow_required()
        stopped = pull_until(m, d, r, accel, how.maxforce, decay, since, end, 1)
    if stopped == STOP_DIVERGED:
        raise MjcfError(
            "no lengthrange found: its simulation diverges",
            cure="reduce timestep or accel of <lengthrange>, or set lengthrange in the actuator",
        )
    low, high = d.length_pull.tolist()
    return (low, high) if low <= high else (0.0, 0.0)
