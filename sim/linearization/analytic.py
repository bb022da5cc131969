"""The linear model of a step with what is known exactly put in, and differences for the rest.

With Euler's or the implicit spring-damper integrator v' = v + h H⁻¹ (M a - h K v), H = M, M + h B or M + h B + h² K.
The acceleration a is where M a = forces + Jᵀ f(J a - aref), so that with S the slope of -f
  (M + Jᵀ S J) da = d(forces) + Jᵀ S daref,   daref/dv = -b J   (b the damping of a row),
and with d(forces)/dv = qDeriv, d(forces)/d(act or ctrl) = momentᵀ gain:
  dv'/dv = 1 + h H⁻¹ (M da/dv - h K),   dv'/d(act or ctrl) = h H⁻¹ M da,   dq' = J(h v') h dv';
dact'/dact is 1, 1 - h/τ or exp(-h/τ). Positions, sensors, muscles, motors, limits that bind and whatever else has no
formula here are differences, and `differenced` of what is returned says why. This is for exactness: positions are most
of the work, and up to 84 dofs at least the formulas cost more than the differences they replace.
`max_relative_error`, `formula_error` and `difference_error` tell how far both can be trusted.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import exp
from typing import TYPE_CHECKING, Any

import numpy as np

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
from sim.linearization.transition import Transition, step_slopes, transition_fd
from sim.math.so3 import quat_integrate_derivatives
from sim.pipeline.forward import forward
from sim.pipeline.inverse_force import implicit_slopes
from sim.script.inertia import full_m
from sim.stages.constraint.row import is_sparse
from sim.stages.derivative.bias import bias_vel
from sim.stages.derivative.smooth import smooth_vel
from sim.state.copy import copy_state

if TYPE_CHECKING:
    from sim.model import Data, Model

# callbacks whose forces may follow from anything
ANYTHING = ("control", "passive")


class NoFormulaError(Exception):
    """Why there is none."""


def transition(
    m: Model,
    d: Data,
    eps: float = 1e-6,
    centered: bool = True,
    analytic: bool = True,
    nthread: int | None = None,
    sensors: bool = True,
) -> Transition:
    """A and B from formulas where there are any; what had to be differenced, and why, is in `differenced`."""
    try:
        known = _formulas(m, d, analytic)
    except NoFormulaError as reason:
        return transition_fd(m, d, eps, centered, nthread, sensors).because(str(reason))
    exact, given, why = known
    n, nsensor = given.shape[1], len(d.sensordata) if sensors else 0
    # sensors have to see every input
    inputs = np.arange(len(exact)) if nsensor else np.flatnonzero(~exact)
    columns = step_slopes(m, d, inputs[::-1].astype(np.int32), eps, centered, nthread, nsensor > 0)
    given[~exact] = columns[~exact, :n]
    slopes, seen = given.T.copy(), columns[:, n : n + nsensor].T.copy()
    found = Transition(slopes[:, :n], slopes[:, n:], seen[:, :n], seen[:, n:])
    found.differenced = why | ({"sensors": "they have no formulas"} if nsensor else {})
    return found


# ---------------------------------------------------------------- formulas


def _formulas(m: Model, d: Data, analytic: bool) -> tuple[np.ndarray, np.ndarray, dict[str, str]]:
    """(which inputs have a formula, by input: how the next state changes with it, why the others have none)"""
    _check(m, d, analytic)
    twin = d.twin(0)
    if not copy_state(m, twin, d):
        raise NoFormulaError("the state is not finite")
    twin.wake_all()
    twin.retry_on_overflow(lambda: forward(m, twin))
    nv, na, h = m.nv, m.na, m.opt.timestep
    implicit_slopes(m, twin)
    inertia, stiffness = full_m(m, twin), np.diag(twin.inverse.stiffness)
    reach = h * np.linalg.inv(inertia + h * np.diag(twin.inverse.damping) + h * h * stiffness)
    forces = twin.qfrc_smooth + twin.qfrc_constraint - h * stiffness @ twin.qvel
    along = _moving(m, twin.qvel + reach @ forces)
    held, damped = _held(m, twin, inertia)
    exact, given = np.zeros(2 * nv + na + m.nu, bool), np.zeros((2 * nv + na + m.nu, 2 * nv + na))
    why = {"positions": "they have no formulas"}
    try:
        slopes = held @ (_velocity_slopes(m, twin) - damped)
        given[nv : 2 * nv, nv : 2 * nv] = np.eye(nv) + (reach @ (slopes - h * stiffness)).T
        exact[nv : 2 * nv] = True
    except NoFormulaError as reason:
        why["velocities"] = str(reason)
    for c, force, activation in _actuator_slopes(m, twin):
        exact[c] = True
        given[c, nv : 2 * nv] = reach @ held @ force
        given[c, 2 * nv :] = activation
    given[:, :nv] = given[:, nv : 2 * nv] @ along.T
    return exact, given, why | _left_out(exact[2 * nv :], na)


def _check(m: Model, d: Data, analytic: bool) -> None:
    """Raise NoFormulaError if nothing can have a formula."""
    d.check_fit(m)
    if not analytic:
        raise NoFormulaError("as asked for")
    if m.opt.integrator not in (INT_EULER, INT_SPRINGDAMPER):
        raise NoFormulaError("the integrator has no formulas: Euler and implicitspringdamper have")
    if m.nv == 0:
        raise NoFormulaError("nothing moves")
    for name in ANYTHING:
        if SLOTS[name].stand_in is not None:
            raise NoFormulaError(f"callbacks.{name} is set, whose forces may follow from anything")
    if m.jnt_actfrclimited.any() or m.tendon_actfrclimited.any():
        raise NoFormulaError("actuatorfrcrange limits forces of several actuators together")


def _left_out(exact: np.ndarray, na: int) -> dict[str, str]:
    """Which activations and controls have no formula."""
    why = "no formula for the dynamics, gain or limits of their actuators"
    parts = (("activations", exact[:na]), ("controls", exact[na:]))
    return {name: f"{np.flatnonzero(~part).tolist()}: {why}" for name, part in parts if not part.all()}


def _moving(m: Model, velocity: np.ndarray) -> np.ndarray:
    """How positions after a step change with the velocity they move along."""
    h = m.opt.timestep
    along = h * np.eye(len(velocity))
    for j in np.flatnonzero(m.jnt_type <= JNT_BALL):
        v = m.jnt_dofadr[j] + (3 if m.jnt_type[j] == JNT_FREE else 0)
        along[v : v + 3, v : v + 3] = quat_integrate_derivatives(velocity[v : v + 3], h)[1]
    return along


# ---------------------------------------------------------------- constraints


def _held(m: Model, d: Data, inertia: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(M (M + Jᵀ S J)⁻¹: what constraints leave of a force, Jᵀ S b J: how their dampers resist velocities)"""
    if d.nefc == 0:
        return np.eye(m.nv), np.zeros_like(inertia)
    if m.opt.noslip_iterations > 0:
        raise NoFormulaError("what noslip does has no formulas")
    if (d.solver_niter >= m.opt.iterations).any():
        raise NoFormulaError("the solver did not converge")
    rows = _rows(m, d)
    stiff = _stiff(d, rows, np.linalg.solve(inertia, d.qfrc_smooth + d.qfrc_constraint))
    held = np.linalg.solve(inertia + stiff @ rows, inertia).T
    return held, stiff @ (d.efc_KBIP[:, 1:2] * rows)


def _rows(m: Model, d: Data) -> np.ndarray:
    """J as a full matrix."""
    full = np.zeros((d.nefc, m.nv))
    if is_sparse(m):
        full[np.repeat(np.arange(d.nefc), d.efc_J_rownnz), d.efc_J_colind[: d.nJ]] = d.efc_J[: d.nJ]
        return full
    return d.efc_J[: full.size].reshape(full.shape).copy()


def _stiff(d: Data, rows: np.ndarray, acceleration: np.ndarray) -> np.ndarray:
    """Jᵀ S: S is D of rows that are quadratic, and a block for each contact on the side of its cone"""
    stiff = rows.T * np.where(d.efc_state == CNSTRSTATE_QUADRATIC, d.efc_D, 0.0)
    x = rows @ acceleration - d.efc_aref
    for c in np.flatnonzero(d.contact.efc_address >= 0).tolist():
        r = d.contact.efc_address[c]
        if d.efc_state[r] == CNSTRSTATE_CONE:
            block = slice(r, r + d.contact.dim[c])
            stiff[:, block] = rows[block].T @ _cone_slopes(d, c, x[block])
    return stiff


def _cone_slopes(d: Data, c: int, x: np.ndarray) -> np.ndarray:
    """Curvature of ½ Dm (N - μT)² with x"""
    mu, n = d.contact.mu[c], d.contact.dim[c]
    scale = np.array([mu, *d.contact.friction[c, : n - 1]])
    normal, *across = scale * x
    t = np.linalg.norm(across)
    u = np.array(across) / t
    slope = np.array([1.0, *(-mu * u)])
    curved = np.outer(slope, slope)
    curved[1:, 1:] -= (normal - mu * t) * mu / t * (np.eye(n - 1) - np.outer(u, u))
    return d.efc_D[d.contact.efc_address[c]] / (mu * mu * (1 + mu * mu)) * scale[:, None] * curved * scale


# ---------------------------------------------------------------- smooth forces


def _velocity_slopes(m: Model, d: Data) -> np.ndarray:
    """How smooth forces change with velocities; NoFormulaError if qDeriv leaves something out, or activations do."""
    bias, gain = m.actuator_biastype, m.actuator_gaintype
    plain = ((bias == BIAS_NONE) | (bias == BIAS_AFFINE)) & ((gain == GAIN_FIXED) | (gain == GAIN_AFFINE))
    if not plain.all() or (m.actuator_dyntype > DYN_MUSCLE).any():
        raise NoFormulaError("actuators have gains, biases or dynamics without a formula")
    if m.actuator_forcelimited.any() or m.nhistory > 0 or not np.array_equal(d.ctrl, d.actuator_input):
        raise NoFormulaError("actuators have limits or delays")
    if m.tendon_armature.any():
        raise NoFormulaError("tendons have inertia")
    if np.isin(m.eq_type[d.efc_id[: d.ne]], (EQ_CONNECT, EQ_WELD)).any():
        raise NoFormulaError("what a connect or weld wants changes with velocities as its points do")
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
            raise NoFormulaError("tendons or actuators couple branches of a tree, which qDeriv has no room for")
    return full


def _actuator_slopes(m: Model, d: Data) -> Iterator[tuple[int, np.ndarray, np.ndarray]]:
    """(input, forces on dofs that a unit of it gives, change of activations) of actuators that are simple enough."""
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


# ---------------------------------------------------------------- how good they are


def max_relative_error(found: Any, wanted: Any) -> float:
    """Largest difference of two arrays, over the wanted number or 1, whichever is larger."""
    found, wanted = np.asarray(found, float), np.asarray(wanted, float)
    if found.shape != wanted.shape:
        raise ValueError(f"arrays of shapes {found.shape} and {wanted.shape} cannot be compared")
    return float((np.abs(found - wanted) / np.maximum(1.0, np.abs(wanted))).max(initial=0.0))


def formula_error(m: Model, d: Data, eps: float = 1e-6) -> float:
    """How far A and B from formulas are from those by differences."""
    ours, theirs = transition(m, d, eps, sensors=False), transition_fd(m, d, eps, sensors=False)
    return max(max_relative_error(a, b) for a, b in zip(ours[:2], theirs[:2], strict=True))


def difference_error(m: Model, d: Data, eps: float = 1e-5) -> float:
    """How far A and B by differences are from those with a tenth of the step: large where a step has a kink."""
    coarse, fine = (transition_fd(m, d, e, sensors=False) for e in (eps, eps / 10))
    return max(max_relative_error(a, b) for a, b in zip(coarse[:2], fine[:2], strict=True))
