"""The shortest and longest length of actuators, which muscles need: given, taken from a limit, or found by pulling.

An actuator is pulled to each side with a force that accelerates its dofs by `accel`, velocities dying away with
`timeconst`, for `inttotal` seconds; only limits and equalities act besides. The extreme of the last `interval` counts,
if the length kept within `tolrange` of the range meanwhile. This is the one part of loading that needs native code.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from math import exp, inf
from typing import Any

from sim.enums import (
    BIAS_MUSCLE,
    BIAS_USER,
    DSBL_ACTUATION,
    DSBL_CONTACT,
    DSBL_DAMPER,
    DSBL_FRICTIONLOSS,
    DSBL_GRAVITY,
    DSBL_SPRING,
    GAIN_MUSCLE,
    GAIN_USER,
    INT_EULER,
    INT_RK4,
    LRMODE_ALL,
    LRMODE_MUSCLE,
    LRMODE_MUSCLEUSER,
    LRMODE_NONE,
    TRN_JOINT,
    TRN_JOINTINPARENT,
    TRN_TENDON,
)
from sim.mjcf.errors import MjcfError
from sim.mjcf.set_const.length_range_pull import STOP_BAD, STOP_ROOM, pull_until
from sim.mjcf.spec import LengthRange
from sim.model import Data, Model

STILL = DSBL_FRICTIONLOSS | DSBL_CONTACT | DSBL_SPRING | DSBL_DAMPER | DSBL_GRAVITY | DSBL_ACTUATION


def set_length_ranges(m: Model, how: LengthRange, sources: Sequence[Any] = ()) -> None:
    """Fill in actuator_lengthrange where it is wanted. `sources` are the elements; their `error` knows the line."""
    pulled = []
    for i in range(m.nactuator):
        if not wanted(m, i, how.mode):
            continue
        given = m.actuator_lengthrange[m.actuator_outadr[i]]
        if how.useexisting and given[0] < given[1]:
            continue
        limit = own_limit(m, i) if how.uselimit else None
        if limit is None:
            pulled.append(i)
        else:
            given[:] = limit
    if not pulled:
        return
    with nothing_else(m, how.timestep):
        d = Data(m)
        for i in pulled:
            try:
                pull(m, d, i, how)
            except MjcfError as why:
                raise (sources[i].error(why.message, why.cure) if sources else why) from None


def wanted(m: Model, i: int, mode: int) -> bool:
    """Whether the mode asks for the range of an actuator."""
    gain, bias = m.actuator_gaintype[i], m.actuator_biastype[i]
    muscle = gain == GAIN_MUSCLE or bias == BIAS_MUSCLE
    user = gain == GAIN_USER or bias == BIAS_USER
    return bool({LRMODE_NONE: False, LRMODE_MUSCLE: muscle, LRMODE_MUSCLEUSER: muscle or user, LRMODE_ALL: True}[mode])


def own_limit(m: Model, i: int) -> Any:
    """The range of the joint or tendon that an actuator acts on, whatever its gear; None if it has none."""
    kind, target = m.actuator_trntype[i], m.actuator_trnid[i, 0]
    if kind in (TRN_JOINT, TRN_JOINTINPARENT) and m.jnt_limited[target]:
        return m.jnt_range[target]
    if kind == TRN_TENDON and m.tendon_limited[target]:
        return m.tendon_range[target]
    return None


@contextmanager
def nothing_else(m: Model, timestep: float) -> Iterator[None]:
    """Meanwhile only limits and equalities act, and steps are of another length."""
    before = m.opt.disableflags, m.opt.timestep, m.opt.integrator
    m.opt.disableflags = STILL
    if timestep > 0:
        m.opt.timestep = timestep
    if m.opt.integrator == INT_RK4:
        m.opt.integrator = INT_EULER
    try:
        yield
    finally:
        m.opt.disableflags, m.opt.timestep, m.opt.integrator = before


# ---------------------------------------------------------------- pulling


def pull(m: Model, d: Data, i: int, how: LengthRange) -> None:
    """Find the range of one actuator."""
    r = int(m.actuator_outadr[i])
    (low, high), (below, above) = pull_to_end(m, d, r, -how.accel, how), pull_to_end(m, d, r, how.accel, how)
    m.actuator_lengthrange[r] = low, above
    name = f"actuator {i} {m.names.get('actuator', [''] * m.nactuator)[i]}".rstrip()
    cure = "limit what it acts on, or give it a lengthrange"
    if above <= low:
        raise MjcfError(f"the lengthrange ({low:g}, {above:g}) of {name} is invalid", cure=cure)
    for first, last in ((low, high), (below, above)):
        if last - first > how.tolrange * (above - low):
            what = f"the lengthrange of {name} did not converge: at last ({first:g}, {last:g}) of ({low:g}, {above:g})"
            raise MjcfError(what, cure=cure)


def pull_to_end(m: Model, d: Data, r: int, accel: float, how: LengthRange) -> tuple[float, float]:
    """Shortest and longest length of the last `interval`, when pulled to one side."""
    d.clear()
    d.length_pull = inf, -inf
    slowing = exp(-m.opt.timestep / max(0.01, how.timeconst))
    since, end = how.inttotal - how.interval, how.inttotal
    stopped = pull_until(m, d, r, accel, how.maxforce, slowing, since, end, 0)
    while stopped == STOP_ROOM:
        d.grow_required()
        stopped = pull_until(m, d, r, accel, how.maxforce, slowing, since, end, 1)
    if stopped == STOP_BAD:
        raise MjcfError(f"the simulation for the lengthrange of output {r} is unstable")
    low, high = d.length_pull.tolist()
    return (low, high) if low <= high else (0.0, 0.0)
