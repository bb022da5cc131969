"""Time per stage of a step of MuJoCo: its own functions, one call each, on a copy of Data.

MuJoCo's timers in mjData need a clock that is called while it computes; one in Python would wait for other threads.
So its functions are timed from outside, as those of `sim` are: once in a whole step, once each.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from statistics import median
from time import perf_counter
from typing import Any

from sim.enums import INT_EULER, INT_RK4
from sim.script.profile import EMPTY_CALLS, with_rest

ROUNDS = 5
# the functions of a step in order, by the stage that their time counts for
STEP = (
    ("kinematics", "mj_kinematics"), ("centres of mass", "mj_comPos"), ("cameras and lights", "mj_camlight"),
    ("flexes", "mj_flex"), ("tendons", "mj_tendon"), ("inertia", "mj_makeM"), ("inertia", "mj_factorM"),
    ("collision", "mj_collision"), ("constraint rows", "mj_makeConstraint"), ("islands", "mj_island"),
    ("constraint rows", "mj_projectConstraint"), ("transmission", "mj_transmission"), ("sensors", "mj_sensorPos"),
    ("velocities", "mj_fwdVelocity"), ("sensors", "mj_sensorVel"), ("actuation", "mj_fwdActuation"),
    ("acceleration", "mj_fwdAcceleration"), ("solver", "mj_fwdConstraint"), ("sensors", "mj_sensorAcc"),
)  # fmt: skip
# stages of models that have something of the kind
SIZES = {
    "flexes": "nflex", "tendons": "ntendon", "transmission": "nu", "sensors": "nsensor", "actuation": "nu",
}  # fmt: skip
RK4_STAGES = 4


def stage_times(module: Any, m: Any, d: Any) -> dict[str, float]:
    """Seconds per stage of a step of an MjModel from the state of its MjData; the last one is the rest."""
    scratch = module.MjData(m)
    calls = [*_calls(module, m)]
    whole: list[float] = []
    overheads: list[float] = []
    taken: list[list[float]] = [[] for _ in calls]
    for _ in range(ROUNDS):
        module.mj_copyData(scratch, m, d)
        # a call that does next to nothing
        overheads += [_seconds(module.mj_stateSize, m, 0) for _ in range(EMPTY_CALLS)]
        whole.append(_seconds(module.mj_step, m, scratch))
        module.mj_copyData(scratch, m, d)
        for (_, function, arguments), seconds in zip(calls, taken, strict=True):
            seconds.append(_seconds(function, m, scratch, *arguments))
    overhead = median(overheads)
    times: dict[str, float] = {}
    for (stage, _, _), seconds in zip(calls, taken, strict=True):
        times[stage] = times.get(stage, 0.0) + max(median(seconds) - overhead, 0.0)
    return with_rest(times, [seconds - overhead for seconds in whole])


def _calls(module: Any, m: Any) -> Iterator[tuple[str, Callable[..., Any], tuple[int, ...]]]:
    """Stage, function and further arguments of each call."""
    for stage, name in STEP:
        if stage not in SIZES or getattr(m, SIZES[stage]):
            yield stage, getattr(module, name), ()
    integrator = int(m.opt.integrator)
    if integrator == INT_RK4:
        yield "integration", module.mj_RungeKutta, (RK4_STAGES,)
    else:
        yield "integration", module.mj_Euler if integrator == INT_EULER else module.mj_implicit, ()


def _seconds(function: Callable[..., Any], *arguments: Any) -> float:
    """The duration of one call."""
    began = perf_counter()
    function(*arguments)
    return perf_counter() - began
