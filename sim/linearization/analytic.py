"""Analytic linearization of a step where formulas exist, finite differences for the rest.

With Euler's or the implicit spring-damper integrator v' = v + h H⁻¹ (M a - h K v), H = M, M + h B or M + h B + h² K.
The acceleration a solves M a = forces + Jᵀ f(J a - aref), so with S the derivative of -f
  (M + Jᵀ S J) da = d(forces) + Jᵀ S daref,   daref/dv = -b J   (b the damping of a row),
and with d(forces)/dv = qDeriv, d(forces)/d(act or ctrl) = momentᵀ gain:
  dv'/dv = 1 + h H⁻¹ (M da/dv - h K - (v' - v) dB/dv),   dv'/d(act or ctrl) = h H⁻¹ M da,   dq' = J(h v') h dv';
dact'/dact is 1, 1 - h/τ or exp(-h/τ). Positions, sensors, muscles, motors, active limits and everything else without a
formula here are finite differences; `differenced` of the result says why. The purpose is accuracy, not speed: positions
are most of the work, and up to at least 84 dofs the formulas cost more than the differences they replace.
`max_relative_error`, `formula_error` and `difference_error` measure the accuracy of both.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import exp
from typing import TYPE_CHECKING, Any

import numpy as np

from sim.arguments import check_fit
from sim.callback import SLOTS
from sim.enums import (
    BIAS_AFFINE,
    BIAS_NONE,
    CNSTRSTATE_CONE,
    CNSTRSTATE_QUADRATIC,
    DSBL_ACTUATION,
    DYN_FILTER,
    DYN_FILTEREXACT,
    DYN_INTEGRATOR,
    DYN_MUSCLE,
    DYN_NONE,
    EQ_CONNECT,
    EQ_WELD,
    GAIN_AFFINE,
    GAIN_FIXED,
    INT_EULER,
    INT_SPRINGDAMPER,
    JNT_BALL,
    JNT_FREE,
    MINVAL,
)
from sim.linearization.transition import Transition, step_derivatives, transition_fd
from sim.math.so3 import quat_integrate_derivatives
from sim.pipeline.forward import forward
from sim.pipeline.inverse_force import implicit_coefficients
from sim.script.inertia import full_m
from sim.stages.constraint.row import is_sparse
from sim.stages.derivative.bias import bias_vel
from sim.stages.derivative.smooth import smooth_vel
from sim.state.copy import copy_state

if TYPE_CHECKING:
    from sim.model import Data, Model

# callbacks whose forces may depend on anything
FORCE_CALLBACKS = ("control", "passive")


class NoFormulaError(Exception):
    """The reason why there is no formula."""


def transition(
    m: Model,
    d: Data,
    eps: float = 1e-6,
    centered: bool = True,
    analytic: bool = True,
    nthread: int | None = None,
    sensors: bool = True,
) -> Transition:
    """Linearize a step: A and B from formulas where they exist; `differenced` lists the rest and the reasons."""
    try:
        known = _formulas(m, d, analytic)
    except NoFormulaError as reason:
        return transition_fd(m, d, eps, centered, nthread, sensors).with_reason(str(reason))
    exact, given, why = known
    n, nsensor = given.shape[1], len(d.sensordata) if sensors else 0
    # sensors may depend on every input
    inputs = np.arange(len(exact)) if nsensor else np.flatnonzero(~exact)
    columns = step_derivatives(m, d, inputs[::-1].astype(np.int32), eps, centered, nthread, nsensor > 0)
    given[~exact] = columns[~exact, :n]
    matrix, sensed = given.T.copy(), columns[:, n : n + nsensor].T.copy()
    found = Transition(matrix[:, :n], matrix[:, n:], sensed[:, :n], sensed[:, n:])
    found.differenced = why | ({"sensors": "they have no formulas"} if nsensor else {})
    return found


# ---------------------------------------------------------------- formulas


def _formulas(m: Model, d: Data, analytic: bool) -> tuple[np.ndarray, np.ndarray, dict[str, str]]:
    """(mask of inputs with a formula, derivatives of the next state by input, why the others have none)"""
    _check(m, d, analytic)
    scratch = d.scratch(0)
    if not copy_state(m, scratch, d):
        raise NoFormulaError("the state is not finite")
    scratch.wake_all()
    scratch.retry_on_overflow(lambda: forward(m, scratch))
    nv, na, h = m.nv, m.na, m.opt.timestep
    stiffening = _damping_slope(m, scratch)
    implicit_coefficients(m, scratch)
    inertia, stiffness = full_m(m, scratch), np.diag(scratch.inverse.stiffness)
    reach = h * np.linalg.inv(inertia + h * np.diag(scratch.inverse.damping) + h * h * stiffness)
    forces = scratch.qfrc_smooth + scratch.qfrc_constraint - h * stiffness @ scratch.qvel
    gain = reach @ forces
    along = _position_jacobian(m, scratch.qvel + gain)
    transmitted, damping = _constrained(m, scratch, inertia)
    exact, given = np.zeros(2 * nv + na + m.nu, bool), np.zeros((2 * nv + na + m.nu, 2 * nv + na))
    why = {"positions": "they have no formulas"}
    try:
        velocity = transmitted @ (_velocity_derivatives(m, scratch) - damping)
        given[nv : 2 * nv, nv : 2 * nv] = (
            np.eye(nv) + (reach @ (velocity - h * stiffness - np.diag(gain * stiffening))).T
        )
        exact[nv : 2 * nv] = True
    except NoFormulaError as reason:
        why["velocities"] = str(reason)
    for c, force, activation in _actuator_derivatives(m, scratch):
        exact[c] = True
        given[c, nv : 2 * nv] = reach @ transmitted @ force
        given[c, 2 * nv :] = activation
    given[:, :nv] = given[:, nv : 2 * nv] @ along.T
    return exact, given, why | _differenced_actuators(exact[2 * nv :], na)


def _check(m: Model, d: Data, analytic: bool) -> None:
    """Raise NoFormulaError if nothing can have a formula."""
    check_fit(m, d)
    if not analytic:
        raise NoFormulaError("as requested")
    if m.opt.integrator not in (INT_EULER, INT_SPRINGDAMPER):
        raise NoFormulaError("analytic derivatives exist only for the integrators Euler and implicitspringdamper")
    if m.nv == 0:
        raise NoFormulaError("nothing moves")
    for name in FORCE_CALLBACKS:
        if SLOTS[name].stand_in is not None:
            raise NoFormulaError(f"callbacks.{name} is set, and its forces may depend on anything")
    if m.jnt_actfrclimited.any() or m.tendon_actfrclimited.any():
        raise NoFormulaError("actuatorfrcrange limits forces of several actuators together")


def _damping_slope(m: Model, d: Data) -> np.ndarray:
    """dB/dv of every dof: of a polynomial of the second degree, whose difference over any interval is exact."""
    velocity = d.qvel.copy()
    damping = []
    for scale in (1.5, 0.5):
        d.qvel = scale * velocity
        implicit_coefficients(m, d)
        damping.append(d.inverse.damping.copy())
    d.qvel = velocity
    return np.divide(damping[0] - damping[1], velocity, out=np.zeros_like(velocity), where=velocity != 0)


def _differenced_actuators(exact: np.ndarray, na: int) -> dict[str, str]:
    """The activations and controls without a formula."""
    why = "no formula for the dynamics, gain or limits of their actuators"
    parts = (("activations", exact[:na]), ("controls", exact[na:]))
    return {name: f"{np.flatnonzero(~part).tolist()}: {why}" for name, part in parts if not part.all()}


def _position_jacobian(m: Model, velocity: np.ndarray) -> np.ndarray:
    """Derivative of the positions after a step with respect to the velocity that they are integrated with."""
    h = m.opt.timestep
    along = h * np.eye(len(velocity))
    for j in np.flatnonzero(m.jnt_type <= JNT_BALL):
        v = m.jnt_dofadr[j] + (3 if m.jnt_type[j] == JNT_FREE else 0)
        along[v : v + 3, v : v + 3] = quat_integrate_derivatives(velocity[v : v + 3], h)[1]
    return along


# ---------------------------------------------------------------- constraints


def _constrained(m: Model, d: Data, inertia: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(M (M + Jᵀ S J)⁻¹: the part of a force that constraints transmit, Jᵀ S b J: their damping matrix)"""
    if d.nefc == 0:
        return np.eye(m.nv), np.zeros_like(inertia)
    if m.opt.noslip_iterations > 0:
        raise NoFormulaError("the noslip solver has no formulas")
    if (d.solver_niter >= m.opt.iterations).any():
        raise NoFormulaError("the solver did not converge")
    rows = _dense_jacobian(m, d)
    stiff = _constraint_stiffness(d, rows, np.linalg.solve(inertia, d.qfrc_smooth + d.qfrc_constraint))
    transmitted = np.linalg.solve(inertia + stiff @ rows, inertia).T
    return transmitted, stiff @ (d.efc_KBIP[:, 1:2] * rows)


def _dense_jacobian(m: Model, d: Data) -> np.ndarray:
    """J as a dense matrix."""
    full = np.zeros((d.nefc, m.nv))
    if is_sparse(m):
        full[np.repeat(np.arange(d.nefc), d.efc_J_rownnz), d.efc_J_colind[: d.nJ]] = d.efc_J[: d.nJ]
        return full
    return d.efc_J[: full.size].reshape(full.shape).copy()


def _constraint_stiffness(d: Data, rows: np.ndarray, acceleration: np.ndarray) -> np.ndarray:
    """Jᵀ S: S is D for quadratic rows, and a block for each contact in the middle zone of its cone"""
    stiff = rows.T * np.where(d.efc_state == CNSTRSTATE_QUADRATIC, d.efc_D, 0.0)
    x = rows @ acceleration - d.efc_aref
    for c in np.flatnonzero(d.contact.efc_address >= 0).tolist():
        r = d.contact.efc_address[c]
        if d.efc_state[r] == CNSTRSTATE_CONE:
            block = slice(r, r + d.contact.dim[c])
            stiff[:, block] = rows[block].T @ _cone_hessian(d, c, x[block])
    return stiff


def _cone_hessian(d: Data, c: int, x: np.ndarray) -> np.ndarray:
    """Hessian of ½ Dm (N - μT)² by x"""
    mu, n = d.contact.mu[c], d.contact.dim[c]
    scale = np.array([mu, *d.contact.friction[c, : n - 1]])
    normal, *across = scale * x
    t = np.linalg.norm(across)
    u = np.array(across) / t
    gradient = np.array([1.0, *(-mu * u)])
    hessian = np.outer(gradient, gradient)
    hessian[1:, 1:] -= (normal - mu * t) * mu / t * (np.eye(n - 1) - np.outer(u, u))
    return d.efc_D[d.contact.efc_address[c]] / (mu * mu * (1 + mu * mu)) * scale[:, None] * hessian * scale


# ---------------------------------------------------------------- smooth forces


def _velocity_derivatives(m: Model, d: Data) -> np.ndarray:
    """Derivative of smooth forces by velocities; NoFormulaError if qDeriv or activations leave something out."""
    bias, gain = m.actuator_biastype, m.actuator_gaintype
    plain = ((bias == BIAS_NONE) | (bias == BIAS_AFFINE)) & ((gain == GAIN_FIXED) | (gain == GAIN_AFFINE))
    if not plain.all() or (m.actuator_dyntype > DYN_MUSCLE).any():
        raise NoFormulaError("actuators have gains, biases or dynamics without formulas")
    if m.actuator_forcelimited.any() or m.nhistory > 0 or not np.array_equal(d.ctrl, d.actuator_input):
        raise NoFormulaError("actuators have limits or delays")
    if m.tendon_armature.any():
        raise NoFormulaError("tendons have inertia")
    if np.isin(m.eq_type[d.efc_id[: d.ne]], (EQ_CONNECT, EQ_WELD)).any():
        raise NoFormulaError("connect or weld: no formula for how its reference changes with velocity")
    smooth_vel(m, d)
    bias_vel(m, d)
    full, has = np.zeros((m.nv, m.nv)), np.zeros((m.nv, m.nv), bool)
    rows = np.repeat(np.arange(m.nv), m.D_rownnz)
    full[rows, m.D_colind], has[rows, m.D_colind] = d.qDeriv, True
    spans = [(m.ten_J_rowadr[t], m.ten_J_rownnz[t], m.ten_J_colind) for t in range(m.ntendon)]
    spans += [(d.moment_rowadr[r], d.moment_rownnz[r], d.moment_colind) for r in range(m.nout)]
    for first, n, columns in spans:
        dofs = columns[first : first + n]
        if not has[np.ix_(dofs, dofs)].all():
            raise NoFormulaError("tendons or actuators couple branches of a tree, for which qDeriv has no entries")
    return full


def _actuator_derivatives(m: Model, d: Data) -> Iterator[tuple[int, np.ndarray, np.ndarray]]:
    """(input, derivative of forces on dofs, derivative of activations) of actuators that have formulas."""
    h, n = m.opt.timestep, 2 * m.nv
    if m.opt.disableflags & DSBL_ACTUATION or m.opt.disableactuator or m.nhistory > 0:
        return
    for i in range(m.nactuator):
        dynamics, prm, r = m.actuator_dyntype[i], m.actuator_gainprm[i], m.actuator_outadr[i]
        simple = m.actuator_ctrlnum[i] == 1 and m.actuator_outnum[i] == 1 and not m.actuator_forcelimited[i]
        if not simple or m.actuator_gaintype[i] not in (GAIN_FIXED, GAIN_AFFINE):
            continue
        gain = prm[0]
        if m.actuator_gaintype[i] == GAIN_AFFINE:
            gain += prm[1] * d.actuator_length[r] + prm[2] * d.actuator_velocity[r]
        moment = np.zeros(m.nv)
        row = slice(d.moment_rowadr[r], d.moment_rowadr[r] + d.moment_rownnz[r])
        moment[d.moment_colind[row]] = d.actuator_moment[row]
        activation = np.zeros(m.na)
        if dynamics == DYN_NONE:
            u = m.actuator_ctrladr[i]
            yield n + m.na + u, gain * (d.ctrl[u] == d.actuator_input[u]) * moment, activation
        elif dynamics in (DYN_INTEGRATOR, DYN_FILTER, DYN_FILTEREXACT) and not m.actuator_actlimited[i]:
            a, tau = m.actuator_actadr[i] + m.actuator_actnum[i] - 1, max(MINVAL, m.actuator_dynprm[i, 0])
            rest = {DYN_INTEGRATOR: 1.0, DYN_FILTER: 1 - h / tau, DYN_FILTEREXACT: exp(-h / tau)}[int(dynamics)]
            activation[a] = rest
            yield n + a, gain * (rest if m.actuator_actearly[i] else 1.0) * moment, activation


# ---------------------------------------------------------------- accuracy


def max_relative_error(found: Any, wanted: Any) -> float:
    """Largest difference of two arrays, relative to the expected value or to 1, whichever is larger."""
    found, wanted = np.asarray(found, float), np.asarray(wanted, float)
    if found.shape != wanted.shape:
        raise ValueError(f"arrays of shapes {found.shape} and {wanted.shape} cannot be compared")
    return float((np.abs(found - wanted) / np.maximum(1.0, np.abs(wanted))).max(initial=0.0))


def formula_error(m: Model, d: Data, eps: float = 1e-6) -> float:
    """Error of A and B from formulas, relative to finite differences."""
    ours, theirs = transition(m, d, eps, sensors=False), transition_fd(m, d, eps, sensors=False)
    return max(max_relative_error(a, b) for a, b in zip(ours[:2], theirs[:2], strict=True))


def difference_error(m: Model, d: Data, eps: float = 1e-5) -> float:
    """Error of A and B by finite differences, relative to those with a tenth of eps: large where a step has a kink."""
    coarse, fine = (transition_fd(m, d, e, sensors=False) for e in (eps, eps / 10))
    return max(max_relative_error(a, b) for a, b in zip(coarse[:2], fine[:2], strict=True))
