"""Stiffness against the timestep: springs, dampers, servos and constraints, and whether a step bears them.

An element with the moment arms J acts on the inertia 1 / (J M⁻¹ Jᵀ). With stiffness and damping divided by that, k and
b, explicit steps of length h are stable up to k h² + 2 b h = 4; where the integrator takes the damping implicitly, up
to k h² = 4 + 2 b h; the discrete integrator bears any. `ratio` is the left side divided by the right one. Negative
stiffness or damping is unstable whatever the timestep: `rate` is the rate of its growth. Rows of constraints have k and
b as `efc_KBIP` says.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import sqrt
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from app.model.parameters import parameters_of
from sim import Data, Model, full_m
from sim.analysis.energy import length_ranges
from sim.analysis.force_sources import CONSTRAINTS, Source
from sim.enums import (
    BIAS_AFFINE,
    DSBL_ACTUATION,
    DSBL_DAMPER,
    DSBL_EULERDAMP,
    DSBL_SPRING,
    GAIN_AFFINE,
    GAIN_FIXED,
    INT_DISCRETE,
    INT_EULER,
    INT_IMPLICIT,
    INT_IMPLICITFAST,
    INT_RK4,
    INT_SPRINGDAMPER,
    MINVAL,
    SOL_PGS,
)

Array = NDArray[np.float64]
# RK4 bears a little more than explicit Euler: its stability region ends at 2.8
RK4_STIFFNESS, RK4_DAMPING = 0.5, 0.72


class Stiffness(NamedTuple):
    """An element: its moment arms, stiffness and damping in its units, the inertia it acts on, and its stability."""

    source: Source
    arms: Array
    stiffness: float
    damping: float
    inertia: float
    ratio: float
    rate: float


def stiffnesses(model: Model, data: Data) -> list[Stiffness]:
    """All elements that act like springs or dampers, in a state that is forwarded."""
    if not model.nv:
        return []
    inverse = np.linalg.pinv(full_m(model, data), hermitian=True)
    found = [
        *_actuators(model, data, inverse),
        *_joints(model, inverse),
        *_tendons(model, data, inverse),
        *_constraints(model, data, inverse),
    ]
    return [element for element in found if np.isfinite(element.ratio)]


def _element(
    model: Model, inverse: Array, source: Source, arms: Array, stiffness: float, damping: float, implicit: bool
) -> Stiffness:
    """An element, by what it does to the inertia that it moves."""
    mobility = max(float(arms @ inverse @ arms), MINVAL)
    step = float(model.opt.timestep)
    k, b = stiffness * mobility, damping * mobility
    stiff, damped = max(k, 0.0) * step**2, max(b, 0.0) * step
    if _in_metric(model):
        ratio = 0.0
    elif int(model.opt.integrator) == INT_RK4:
        ratio = max(RK4_STIFFNESS * stiff / 4, RK4_DAMPING * damped / 2)
    elif implicit:
        ratio = stiff / (4 + 2 * damped)
    else:
        # damping of the joint is implicit, and steadies what acts on it
        across = inverse @ arms / sqrt(mobility)
        joint = _joint_damping(model)
        steadied = float(joint @ across**2) * step
        ratio = (stiff + 2 * damped) / (4 + 2 * max(steadied, 0.0))
    rate = max(sqrt(-k) if k < 0 else 0.0, -b if b < 0 else 0.0)
    return Stiffness(source, arms, stiffness, damping, 1 / mobility, ratio, rate)


def _joint_damping(model: Model) -> Array:
    """The damping of the dofs, if the integrator takes it implicitly."""
    explicit = model.opt.disableflags & (DSBL_EULERDAMP | DSBL_DAMPER) and model.opt.integrator == INT_EULER
    return np.zeros(model.nv) if explicit else np.asarray(model.dof_damping)


def _implicit_velocity(model: Model) -> bool:
    """Whether the integrator takes all forces that depend on velocities implicitly."""
    return int(model.opt.integrator) in (INT_IMPLICIT, INT_IMPLICITFAST)


def _in_metric(model: Model) -> bool:
    """Whether the integrator takes springs, dampers and servos implicitly; with PGS only those of joints."""
    return int(model.opt.integrator) == INT_DISCRETE and int(model.opt.solver) != SOL_PGS


def _actuators(model: Model, data: Data, inverse: Array) -> Iterator[Stiffness]:
    """What acts back on length and velocity."""
    if model.opt.disableflags & DSBL_ACTUATION:
        return
    for actuator in range(int(model.nactuator)):
        stiffness, damping = actuator_gains(model, data, actuator)
        if not stiffness and not damping:
            continue
        first, source = int(model.actuator_outadr[actuator]), Source("actuator", "actuator", actuator)
        for output in range(first, first + int(model.actuator_outnum[actuator])):
            arms = moment_arms(model, data, output)
            yield _element(model, inverse, source, arms, stiffness, damping, _implicit_velocity(model))


def moment_arms(model: Model, data: Data, output: int) -> Array:
    """The moment arms of an output of an actuator, as a dense row."""
    place = slice(int(data.moment_rowadr[output]), int(data.moment_rowadr[output] + data.moment_rownnz[output]))
    return _dense(model, data.moment_colind[place], data.actuator_moment[place])


def tendon_arms(model: Model, data: Data, tendon: int) -> Array:
    """The moment arms of a tendon, as a dense row."""
    place = slice(int(model.ten_J_rowadr[tendon]), int(model.ten_J_rowadr[tendon] + model.ten_J_rownnz[tendon]))
    return _dense(model, model.ten_J_colind[place], data.ten_J[place])


def _dense(model: Model, columns: NDArray[Any], values: Array) -> Array:
    row = np.zeros(int(model.nv))
    row[columns] = values
    return row


def actuator_gains(model: Model, data: Data, actuator: int) -> tuple[float, float]:
    """How the force of an actuator falls with length and with velocity; below 0 it is driven on."""
    gain, bias = np.asarray(model.actuator_gainprm[actuator]), np.asarray(model.actuator_biasprm[actuator])
    kinds = int(model.actuator_gaintype[actuator]), int(model.actuator_biastype[actuator])
    if kinds[0] in (GAIN_FIXED, GAIN_AFFINE):
        slope = np.zeros(2)
        if kinds[1] == BIAS_AFFINE:
            slope += bias[1:3]
        if kinds[0] == GAIN_AFFINE and model.actuator_ctrlnum[actuator]:
            slope += gain[1:3] * float(data.ctrl[int(model.actuator_ctrladr[actuator])])
        return float(-slope[0]), float(-slope[1])
    known = {parameter.name: parameter.number(model.read) for parameter in parameters_of(model, "actuator", actuator)}
    return known.get("kp", 0.0), known.get("kv", 0.0)


def _joints(model: Model, inverse: Array) -> Iterator[Stiffness]:
    """Springs and dampers of joints: of several dofs each one."""
    implicit = int(model.opt.integrator) in (INT_SPRINGDAMPER, INT_DISCRETE)
    springs = 0.0 if implicit or model.opt.disableflags & DSBL_SPRING else 1.0
    for dof in range(int(model.nv)):
        joint, arms = int(model.dof_jntid[dof]), np.zeros(int(model.nv))
        arms[dof] = 1.0
        stiffness = springs * float(model.jnt_stiffness[joint])
        damping = 0.0 if model.opt.disableflags & DSBL_DAMPER else float(model.dof_damping[dof])
        if stiffness:
            yield _element(model, inverse, Source("joint spring", "joint", joint), arms, stiffness, 0.0, False)
        if damping:
            explicit = model.opt.integrator == INT_EULER and model.opt.disableflags & DSBL_EULERDAMP
            source = Source("joint damper", "joint", joint)
            yield _element(model, inverse, source, arms, 0.0, damping, not explicit)


def _tendons(model: Model, data: Data, inverse: Array) -> Iterator[Stiffness]:
    """Springs and dampers of tendons."""
    ranges = length_ranges(model, data)
    for tendon in range(int(model.ntendon)):
        arms = tendon_arms(model, data, tendon)
        stiffness, damping = float(model.tendon_stiffness[tendon]), float(model.tendon_damping[tendon])
        low, high = ranges[tendon]
        slack = low < data.ten_length[tendon] < high
        if stiffness and not slack and not model.opt.disableflags & DSBL_SPRING:
            source = Source("tendon spring", "tendon", tendon)
            yield _element(model, inverse, source, arms, stiffness, 0.0, False)
        if damping and not model.opt.disableflags & DSBL_DAMPER:
            source = Source("tendon damper", "tendon", tendon)
            yield _element(model, inverse, source, arms, 0.0, damping, _implicit_velocity(model))


def _constraints(model: Model, data: Data, inverse: Array) -> Iterator[Stiffness]:
    """Of each contact, limit and equality the stiffest row."""
    found: dict[Source, Stiffness] = {}
    step = float(model.opt.timestep)
    for row in range(int(data.nefc)):
        kind, element = CONSTRAINTS[int(data.efc_type[row])]
        index = int(data.efc_id[row])
        source = Source(kind, element, int(model.dof_jntid[index]) if kind == "joint friction" else index)
        stiffness, damping, impedance, _ = (float(number) for number in data.efc_KBIP[row])
        # a row has these for a unit of its own acceleration
        ratio = impedance * (max(stiffness, 0.0) * step**2 + 2 * max(damping, 0.0) * step) / 4
        # the discrete integrator has them as they are at the end of the step
        ratio = 0.0 if int(model.opt.integrator) == INT_DISCRETE else ratio
        if source not in found or ratio > found[source].ratio:
            place = slice(int(data.efc_J_rowadr[row]), int(data.efc_J_rowadr[row] + data.efc_J_rownnz[row]))
            arms = _dense(model, data.efc_J_colind[place], data.efc_J[place])
            mobility = max(float(arms @ inverse @ arms), MINVAL)
            found[source] = Stiffness(source, arms, stiffness, damping, 1 / mobility, ratio, 0.0)
    yield from found.values()
