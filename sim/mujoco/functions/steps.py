"""mj_step and the rest of the pipeline's entry points: thin, since scripts call them most often."""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter
from typing import Any

import sim
from sim.enums import STAGE_NONE
from sim.model import Data, Model, copy_data
from sim.mujoco import warn
from sim.mujoco.binding import bound, fatal, register, returning
from sim.mujoco.data import MjData
from sim.mujoco.model import MjModel
from sim.script.check_options import CHOICES, check_options
from sim.script.steps import step

# rows of d.timer
STEP, FORWARD, INVERSE = 0, 1, 2

# the clock of the timers: mjcb_time, or the system's
clock: Callable[[], float] = perf_counter

# MuJoCo's messages for unknown options
UNKNOWN = {"solver": "mj_fwdConstraint: unknown solver type", "integrator": "mj_step: invalid integrator"}


def set_clock(function: Callable[[], float] | None) -> None:
    """Set the clock of the timers."""
    global clock
    clock = function or perf_counter


def refusal(m: Any, d: Any, error: Exception) -> Exception:
    """The MuJoCo error for an error of the engine: a wrong type, or fatal; a callback's exception stays as it is."""
    if not isinstance(m, Model) or not isinstance(d, Data):
        return TypeError(f"incompatible function arguments: an MjModel and an MjData, not {m!r} and {d!r}")
    try:
        check_options(m)
        d.check_fit(m)
    except ValueError as wrong:
        for name, choices in CHOICES.items():
            value = m.read(f"opt.{name}")
            if value not in choices and name in UNKNOWN:
                return fatal(f"{UNKNOWN[name]} {value}")
        return fatal(str(wrong))
    return error


def mj_step(m: MjModel, d: MjData, nstep: int = 1) -> None:
    """Advance the simulation. Optionally, repeat nstep times."""
    start = clock()
    try:
        step(m, d, nstep)
    except (ValueError, AttributeError, TypeError) as error:
        raise refusal(m, d, error) from None
    number, duration = d.__dict__["ticks"]
    duration[0] += clock() - start
    number[0] += nstep
    if warn.handlers:
        warn.report(d)


def mj_forward(m: MjModel, d: MjData) -> None:
    """Compute all that depends on the state, without advancing it."""
    start = clock()
    try:
        sim.forward(m, d)
    except (ValueError, AttributeError, TypeError) as error:
        raise refusal(m, d, error) from None
    number, duration = d.__dict__["ticks"]
    duration[1] += clock() - start
    number[1] += 1


def mj_resetData(m: MjModel, d: MjData) -> None:
    """Reset to the initial state."""
    try:
        sim.reset(m, d)
    except (ValueError, AttributeError, TypeError) as error:
        raise refusal(m, d, error) from None


register(mj_step, "mj_step", "m d nstep:int=1", "None", mj_step.__doc__)
register(mj_forward, "mj_forward", "m d", "None", mj_forward.__doc__)
register(mj_resetData, "mj_resetData", "m d", "None", mj_resetData.__doc__)


def _timed(m: Any, d: Any, row: int, stage: Callable[[], None]) -> None:
    """Run a part of the pipeline and count it."""
    start = clock()
    try:
        stage()
    except ValueError as error:
        raise refusal(m, d, error) from None
    number, duration = d.__dict__["ticks"]
    duration[row] += clock() - start
    number[row] += 1


returning({
    "mj_step1 m d": (
        lambda m, d: _timed(m, d, STEP, lambda: sim.step1(m, d)),
        "The first half of a step, before controls and applied forces are set.",
    ),
    "mj_forwardSkip m d skipstage:int skipsensor:int": (
        lambda m, d, stage, skip: _timed(m, d, FORWARD, lambda: sim.forward(m, d, stage, bool(skip))),
        "mj_forward without the stages up to skipstage, an mjtStage.",
    ),
    "mj_inverse m d": (
        lambda m, d: _timed(m, d, INVERSE, lambda: sim.inverse(m, d, STAGE_NONE, False)),
        "Inverse dynamics: the forces that produce d.qacc.",
    ),
    "mj_inverseSkip m d skipstage:int skipsensor:int": (
        lambda m, d, stage, skip: _timed(m, d, INVERSE, lambda: sim.inverse(m, d, stage, bool(skip))),
        "mj_inverse without the stages up to skipstage, an mjtStage.",
    ),
    "mj_resetDataKeyframe m d key:int": (
        lambda m, d, key: sim.reset(m, d, key if 0 <= key < m.nkey else None),
        "Reset to a keyframe, or to the initial state if the keyframe does not exist.",
    ),
    "mj_resetDataDebug m d debug_value:int": (
        lambda m, d, value: sim.reset(m, d),
        "Reset to the initial state. Results are 0 instead of debug_value: the engine leaves nothing undefined.",
    ),
})  # fmt: skip


@bound("m d")
def mj_step2(m: Any, d: Any) -> None:
    """The second half of a step, after controls and applied forces are set."""
    start = clock()
    try:
        sim.step2(m, d)
    except ValueError as error:
        raise refusal(m, d, error) from None
    d.__dict__["ticks"][1][STEP] += clock() - start


@bound("dest:any m src:any")
def mj_copyData(dest: Any, m: Any, src: Any) -> None:
    """Copy data."""
    for d in (dest, src):
        if not isinstance(d, Data):
            raise TypeError(f"mj_copyData: an MjData is needed, not {d!r}")
    try:
        copy_data(dest, m, src)
    except ValueError as error:
        raise fatal(f"mj_copyData: {error}") from None
