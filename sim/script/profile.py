"""Time per stage of a step: the stages of `pipeline/forward.py`, one native call each, on a copy of Data.

A round makes the step once as a whole and once stage by stage, from the same state, and is rolled back. The median of
the rounds counts, minus the cost of an empty call from Python. What the whole step takes longer than its stages (the
checkpoint, checks of the state, waking trees) is the rest, so that all times together are the time of the step. User
callbacks are called too, with the copy.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from statistics import median
from time import perf_counter
from typing import Any, NamedTuple

from sim.arguments import check_fit
from sim.callback import user_control
from sim.enums import (
    ENBL_ENERGY,
    INT_EULER,
    INT_IMPLICIT,
    INT_IMPLICITFAST,
    INT_RK4,
    INT_SPRINGDAMPER,
    STAGE_ACC,
    STAGE_POS,
    STAGE_VEL,
)
from sim.jit.kernel import Kernel
from sim.model import Data, Model
from sim.pipeline.forward import checkpoint, forward, rollback, run, runge_kutta, sleep_slow_trees
from sim.pipeline.integrate import euler, implicit, implicitfast, step_acc
from sim.pipeline.inverse_force import compare_fwd_inv
from sim.stages.actuation import fwd_actuation
from sim.stages.collision.driver import collision
from sim.stages.collision.speculative import speculative_contacts
from sim.stages.constraint.assemble import make_constraint
from sim.stages.constraint.discrete import discretize_rows
from sim.stages.constraint.island import island
from sim.stages.constraint.reference import reference_constraint
from sim.stages.sensor.sensors import any_sensors, sensor_acc, sensor_pos, sensor_vel
from sim.stages.sleep.awake import sleeps
from sim.stages.smooth.acceleration import discrete_smooth_acc, fwd_acceleration
from sim.stages.smooth.articulated import factor_articulated, is_articulated, make_articulated
from sim.stages.smooth.camlight import camera_poses, light_poses
from sim.stages.smooth.com import com_pos, com_vel, subtree_coms
from sim.stages.smooth.energy import energy_pos, energy_vel, invalidate_energy
from sim.stages.smooth.inertia import crb, defer_inertia, factor_m, tendon_armature
from sim.stages.smooth.kinematics import kinematics
from sim.stages.smooth.passive import passive
from sim.stages.smooth.perturb_force import perturb_force
from sim.stages.smooth.rne import invalidate_forces, rne, tendon_bias
from sim.stages.smooth.subtree import invalidate_subtrees
from sim.stages.smooth.tendon import tendon, tendon_velocity
from sim.stages.smooth.transmission import transmission, transmission_velocity
from sim.stages.smooth.yielding import yield_springs
from sim.stages.solver.metric import free_bodies_acc, make_metric
from sim.stages.solver.solve import fwd_constraint
from sim.stages.solver.springdamper import springdamper_acc
from sim.state.advance import advance

# rounds, and empty calls per round
ROUNDS, EMPTY_CALLS = 7, 4
# the name of what belongs to no stage
REST = "rest"
Test = Callable[[Model], Any]


class Call(NamedTuple):
    """One kernel of a step, the stage that its time counts for, and whether a model calls it."""

    stage: str
    kernel: Kernel
    when: Test | None = None
    arguments: tuple[int, ...] = ()

    def is_made(self, m: Model) -> bool:
        """Whether steps of a model make this call; by default the kernel's own condition."""
        when = self.when or self.kernel.when
        return when is None or bool(when(m))


def _has_energy(m: Model) -> bool:
    return m.opt.enableflags & ENBL_ENERGY != 0


def _senses(stage: int) -> Test:
    return lambda m: any_sensors(m, stage)


def _integrates(kind: int) -> Test:
    return lambda m: m.opt.integrator == kind


def _one_evaluation(m: Model) -> bool:
    return m.opt.integrator != INT_RK4


def _yields(m: Model) -> bool:
    return _one_evaluation(m) and m.nplastic > 0


def _has_rows(m: Model) -> bool:
    return not is_articulated(m)


# the kernels of a step in order; those of one stage need not be adjacent
STEP = (
    Call("kinematics", kinematics),
    Call("centres of mass", subtree_coms),
    Call("cameras and lights", camera_poses),
    Call("cameras and lights", light_poses),
    Call("centres of mass", com_pos),
    Call("tendons", tendon),
    Call("inertia", make_articulated),
    Call("inertia", factor_articulated),
    Call("inertia", defer_inertia, is_articulated),
    Call("inertia", crb, _has_rows),
    Call("inertia", tendon_armature),
    Call("inertia", factor_m, _has_rows),
    Call("collision", collision),
    Call("collision", speculative_contacts),
    Call("constraint rows", make_constraint),
    Call("islands", island),
    Call("transmission", transmission),
    Call("sensors", sensor_pos, _senses(STAGE_POS)),
    Call("energy", energy_pos, _has_energy),
    Call("velocities", com_vel),
    Call("tendons", tendon_velocity),
    Call("transmission", transmission_velocity),
    Call("passive forces", passive),
    Call("constraint rows", reference_constraint),
    Call("bias forces", rne),
    Call("bias forces", tendon_bias),
    Call("sensors", sensor_vel, _senses(STAGE_VEL)),
    Call("energy", energy_vel, _has_energy),
    Call("actuation", fwd_actuation),
    Call("acceleration", perturb_force),
    Call("acceleration", fwd_acceleration),
    Call("integration", make_metric),
    Call("constraint rows", discretize_rows),
    Call("acceleration", discrete_smooth_acc),
    Call("solver", fwd_constraint),
    Call("solver", free_bodies_acc),
    Call("integration", springdamper_acc, _integrates(INT_SPRINGDAMPER), (1,)),
    Call("sensors", sensor_acc, _senses(STAGE_ACC)),
    Call("forward against inverse", compare_fwd_inv),
    Call("integration", runge_kutta, _integrates(INT_RK4)),
    Call("integration", implicit, _integrates(INT_IMPLICIT)),
    Call("integration", implicitfast, _integrates(INT_IMPLICITFAST)),
    Call("integration", step_acc),
    Call("integration", euler, _integrates(INT_EULER), (1,)),
    Call("sleep", sleep_slow_trees, sleeps),
    Call("integration", advance, _one_evaluation),
    Call("integration", yield_springs, _yields),
)


def stage_times(m: Model, d: Data) -> dict[str, float]:
    """Seconds per stage of a step from the state of `d`, in the order of the step; the last one is the rest."""
    check_fit(m, d)
    scratch = d.scratch(0)
    scratch.assign(d.values())
    scratch.retry_on_overflow(lambda: forward(m, scratch))
    calls = [call for call in STEP if call.is_made(m)]
    overheads: list[float] = []
    whole: list[float] = []
    taken: list[list[float]] = [[] for _ in calls]
    for _ in range(ROUNDS):
        scratch.clear_required()
        # user_control itself is empty: a callback that replaces it is called by other kernels only
        overheads += [_seconds(user_control, m, scratch) for _ in range(EMPTY_CALLS)]
        whole.append(_seconds(run, m, scratch, 1))
        rollback(m, scratch)
        checkpoint(m, scratch)
        invalidate_energy(scratch)
        invalidate_subtrees(scratch)
        invalidate_forces(scratch)
        for call, seconds in zip(calls, taken, strict=True):
            seconds.append(_seconds(call.kernel, m, scratch, *call.arguments))
        rollback(m, scratch)
    overhead = median(overheads)
    times: dict[str, float] = {}
    for call, seconds in zip(calls, taken, strict=True):
        times[call.stage] = times.get(call.stage, 0.0) + max(median(seconds) - overhead, 0.0)
    return with_rest(times, [seconds - overhead for seconds in whole])


def with_rest(stages: Mapping[str, float], whole: Sequence[float]) -> dict[str, float]:
    """Stages and the rest of a step, which took `whole` seconds in each of several rounds: the median counts."""
    return {**stages, REST: max(median(whole) - sum(stages.values()), 0.0)}


def _seconds(kernel: Kernel, *arguments: Any) -> float:
    """The duration of one call."""
    began = perf_counter()
    kernel(*arguments)
    return perf_counter() - began
