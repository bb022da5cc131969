"""Single stages of the pipeline: each reads the results of earlier ones from data and changes nothing else."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

import sim
from sim import enums
from sim.mujoco import warn
from sim.mujoco.binding import bound, fatal, returning
from sim.pipeline import forward as pipeline
from sim.pipeline.inverse_force import compare_fwd_inv
from sim.stages.actuation import fwd_actuation
from sim.stages.constraint.assemble import make_constraint
from sim.stages.constraint.island import island
from sim.stages.constraint.reference import reference_constraint
from sim.stages.sensor.sensors import any_sensors, sensor_acc, sensor_pos, sensor_vel
from sim.stages.smooth.acceleration import fwd_acceleration
from sim.stages.smooth.energy import energy_pos, energy_vel
from sim.stages.smooth.inertia import crb, factor_m, tendon_armature
from sim.stages.smooth.passive import passive
from sim.stages.smooth.perturb_force import perturb_force
from sim.stages.smooth.tendon import tendon, tendons_have_inertia
from sim.stages.smooth.transmission import transmission
from sim.stages.solver.block import gather_all
from sim.stages.solver.inverse import force_from_acc, save_forces, scatter_force
from sim.stages.solver.primal import rows_cost, update_forces

Stage = Callable[[Any, Any], Any]


def _growing(stage: Stage) -> Stage:
    """A stage that is run again if a buffer overflows."""

    def run(m: Any, d: Any) -> None:
        d.retry_on_overflow(lambda: stage(m, d))

    return run


def _make_m(m: Any, d: Any) -> None:
    crb(m, d)
    if tendons_have_inertia(m):
        tendon_armature(m, d)


def _where(size: str, stage: Stage) -> Stage:
    """A stage for models that have such elements."""

    def run(m: Any, d: Any) -> None:
        if m.read(size):
            stage(m, d)

    return run


TENDON = _where("ntendon", tendon)


def _kinematics(m: Any, d: Any) -> None:
    sim.kinematics(m, d)
    sim.com_pos(m, d)
    sim.camlight(m, d)
    TENDON(m, d)


def _acceleration(m: Any, d: Any) -> None:
    perturb_force(m, d)
    fwd_acceleration(m, d)


def _inverse_constraint(m: Any, d: Any) -> None:
    force_from_acc(m, d)
    save_forces(m, d)


def _sensors(stage: int, compute: Stage) -> Stage:
    def run(m: Any, d: Any) -> None:
        if any_sensors(m, stage):
            compute(m, d)

    return run


STAGES: dict[str, tuple[Stage, str]] = {
    "mj_kinematics": (sim.kinematics, "Poses of bodies, joints, geoms and sites."),
    "mj_comPos": (sim.com_pos, "Centres of mass, inertias and motion axes about them."),
    "mj_camlight": (sim.camlight, "Poses of cameras and lights."),
    "mj_tendon": (TENDON, "Lengths and moment arms of tendons."),
    "mj_transmission": (_where("nactuator", transmission), "Lengths and moment arms of actuators."),
    "mj_crb": (crb, "The inertia matrix, by composite bodies."),
    "mj_makeM": (_make_m, "The inertia matrix."),
    "mj_factorM": (factor_m, "The factorization of the inertia matrix."),
    "mj_collision": (sim.collision, "Contacts."),
    "mj_makeConstraint": (_growing(make_constraint), "The rows of all constraints."),
    "mj_island": (_growing(island), "Islands of constraints."),
    "mj_comVel": (sim.com_vel, "Spatial velocities of bodies."),
    "mj_passive": (passive, "Passive forces."),
    "mj_referenceConstraint": (reference_constraint, "Velocities and reference accelerations of constraint rows."),
    "mj_subtreeVel": (sim.subtree_vel, "Momenta of subtrees."),
    "mj_rnePostConstraint": (sim.rne_post_constraint, "Accelerations of bodies, and forces on them."),
    "mj_energyPos": (energy_pos, "The potential energy."),
    "mj_energyVel": (energy_vel, "The kinetic energy."),
    "mj_sensorPos": (_sensors(enums.STAGE_POS, sensor_pos), "Sensors that depend on positions."),
    "mj_sensorVel": (_sensors(enums.STAGE_VEL, sensor_vel), "Sensors that depend on velocities."),
    "mj_sensorAcc": (_sensors(enums.STAGE_ACC, sensor_acc), "Sensors that depend on accelerations and forces."),
    "mj_fwdKinematics": (_kinematics, "Poses, centres of mass and tendons."),
    "mj_fwdPosition": (sim.fwd_position, "Everything that depends on positions."),
    "mj_fwdVelocity": (sim.fwd_velocity, "Everything that depends on velocities."),
    "mj_fwdActuation": (_where("nactuator", fwd_actuation), "Actuator forces."),
    "mj_fwdAcceleration": (_acceleration, "All forces except constraint forces, and the unconstrained acceleration."),
    "mj_fwdConstraint": (sim.fwd_constraint, "The constraint solver."),
    "mj_invPosition": (sim.fwd_position, "The position-dependent part of inverse dynamics."),
    "mj_invVelocity": (sim.fwd_velocity, "The velocity-dependent part of inverse dynamics."),
    "mj_invConstraint": (_inverse_constraint, "Constraint forces for the acceleration qacc."),
    "mj_compareFwdInv": (compare_fwd_inv, "The discrepancy between forward and inverse dynamics."),
}


returning({f"{name} m d": row for name, row in STAGES.items()})


@bound("m d jar:in* cost:out?1 flg_coneHessian:int")
def mj_constraintUpdate(m: Any, d: Any, jar: Any, cost: Any, flg_coneHessian: int) -> None:
    """Constraint forces and states for J qacc - aref, and their cost; Hessians of cones are not computed."""
    if len(jar) != d.nefc:
        raise TypeError("jar should be of length nefc")
    value = 0.0
    if d.nefc:
        gather_all(m, d)
        d.array("block.jar")[: d.nefc] = jar
        value = float(rows_cost(m, d))
        update_forces(m, d)
        scatter_force(m, d)
        save_forces(m, d)
    if cost is not None:
        cost[0] = value


# ---------------------------------------------------------------- integrators


@bound("m d")
def mj_Euler(m: Any, d: Any) -> None:
    """Euler integrator, semi-implicit in velocity."""
    before = m.opt.integrator
    m.opt.integrator = enums.INT_EULER
    try:
        pipeline.integrate(m, d, enums.STAGE_NONE)
    finally:
        m.opt.integrator = before


@bound("m d")
def mj_implicit(m: Any, d: Any) -> None:
    """Integrators that are implicit in velocity."""
    if m.opt.integrator not in (enums.INT_IMPLICIT, enums.INT_IMPLICITFAST):
        raise fatal("mj_implicit: integrator must be implicit or implicitfast")
    pipeline.integrate(m, d, enums.STAGE_NONE)


@bound("m d N:int")
def mj_RungeKutta(m: Any, d: Any, N: int) -> None:
    """The Runge-Kutta integrator of order 4."""
    if N != 4:
        raise fatal("mj_RungeKutta: supported RK orders: N=4")
    d.retry_on_overflow(lambda: pipeline.runge_kutta(m, d))


# ---------------------------------------------------------------- checks


def _check(m: Any, d: Any, values: np.ndarray, warning: int) -> None:
    """Reset the data if a number is bad, and warn."""
    bad = np.flatnonzero(~(np.abs(values) <= enums.MAXVAL))
    if not bad.size:
        return
    first, time = int(bad[0]), d.time
    if not m.opt.disableflags & enums.DSBL_AUTORESET:
        d.clear()
    d.warning.number[warning] += 1
    d.warning.lastinfo[warning] = first
    for handler in warn.handlers:
        handler(f"{warn.text(warning, first)} Time = {time:.4f}.")


returning({
    "mj_checkPos m d": (
        lambda m, d: _check(m, d, d.qpos, enums.WARN_BADQPOS), "Reset if a position is not finite or too large.",
    ),
    "mj_checkVel m d": (
        lambda m, d: _check(m, d, d.qvel, enums.WARN_BADQVEL), "Reset if a velocity is not finite or too large.",
    ),
})  # fmt: skip


@bound("m d")
def mj_checkAcc(m: Any, d: Any) -> None:
    """Reset if an acceleration is not finite or too large, and compute it again."""
    before = d.warning.number[enums.WARN_BADQACC]
    _check(m, d, d.qacc, enums.WARN_BADQACC)
    if d.warning.number[enums.WARN_BADQACC] != before and not m.opt.disableflags & enums.DSBL_AUTORESET:
        sim.forward(m, d)
