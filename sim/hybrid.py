"""The linear model of a step with what is known exactly put in, and differences for the rest.

Without constraint rows, and with Euler's or the implicit spring-damper integrator, v' = v + h H⁻¹ (forces), so that
  dv'/dv = 1 + h H⁻¹ (qDeriv - h K),   dv'/d(act or ctrl) = h H⁻¹ momentᵀ gain,   dq' = J(h v') h dv',
with H = M, M + h B or M + h B + h² K; dact'/dact is 1, 1 - h/τ or exp(-h/τ). Positions, muscles, motors, limits that
bind and whatever else has no formula here are differences; with rows in place everything is. This is for exactness:
positions are most of the work, and up to 84 dofs at least the formulas cost more than the differences they replace.
`max_relative_error`, `formula_error` and `difference_error` tell how far both can be trusted.
"""

from __future__ import annotations

from math import exp
from typing import TYPE_CHECKING, Any

import numpy as np

from sim.balance import implicit_slopes
from sim.callback import SLOTS
from sim.derivative.bias import bias_vel
from sim.derivative.smooth import smooth_vel
from sim.enums import (
    BIAS_AFFINE,
    BIAS_NONE,
    DSBL_ACTUATION,
    DYN_FILTER,
    DYN_FILTEREXACT,
    DYN_INTEGRATOR,
    DYN_NONE,
    ENBL_SLEEP,
    GAIN_AFFINE,
    GAIN_FIXED,
    INT_EULER,
    INT_SPRINGDAMPER,
    JNT_BALL,
    JNT_FREE,
    MINVAL,
)
from sim.forward import forward
from sim.math.so3 import quat_integrate_slopes
from sim.state import copy_state
from sim.transition import Transition, step_slopes, transition_fd

if TYPE_CHECKING:
    from sim.model import Data, Model


def transition(
    m: Model,
    d: Data,
    eps: float = 1e-6,
    centered: bool = True,
    analytic: bool = True,
    nthread: int | None = None,
    sensors: bool = True,
) -> Transition:
    """A and B from formulas where there are any; sensors have none, so that with C and D all are differences."""
    known = _formulas(m, d) if analytic and not (sensors and len(d.sensordata) > 0) else None
    if known is None:
        return transition_fd(m, d, eps, centered, nthread, sensors)
    exact, given = known
    n = given.shape[1]
    rest = np.flatnonzero(~exact)[::-1].astype(np.int32)
    given[rest] = step_slopes(m, d, rest, eps, centered, nthread, sensors=False)[rest, :n]
    slopes = given.T.copy()
    return Transition(slopes[:, :n], slopes[:, n:], np.zeros((0, n)), np.zeros((0, len(d.ctrl))))


# ---------------------------------------------------------------- formulas


def _formulas(m: Model, d: Data) -> tuple[np.ndarray, np.ndarray] | None:
    """(which inputs have a formula, by input: how the next state changes with it); None if there is none at all"""
    nv, na, nu = len(d.qvel), len(d.act), len(d.ctrl)
    if m.opt.integrator not in (INT_EULER, INT_SPRINGDAMPER) or nv == 0 or m.opt.enableflags & ENBL_SLEEP:
        return None
    if any(slot.stand_in for slot in SLOTS.values()):
        return None
    twin = d.twin(0)
    if not copy_state(m, twin, d):
        return None
    twin.with_room(lambda: forward(m, twin))
    if twin.nefc > 0 or m.jnt_actfrclimited.any() or m.tendon_actfrclimited.any():
        return None
    h = m.opt.timestep
    implicit_slopes(m, twin)
    stiffness = twin.inverse.stiffness
    matrix = _inertia(m, twin) + np.diag(h * twin.inverse.damping + h * h * stiffness)
    reach = h * np.linalg.inv(matrix)
    along = _moving(m, twin.qvel + reach @ (twin.qfrc_smooth - h * stiffness * twin.qvel))
    exact, given = np.zeros(2 * nv + na + nu, bool), np.zeros((2 * nv + na + nu, 2 * nv + na))
    slopes = _velocity_slopes(m, twin)
    if slopes is not None:
        exact[nv : 2 * nv] = True
        given[nv : 2 * nv, nv : 2 * nv] = np.eye(nv) + (reach @ (slopes - h * np.diag(stiffness))).T
    for c, force, activation in _actuator_slopes(m, twin):
        exact[c] = True
        given[c, nv : 2 * nv] = reach @ force
        given[c, 2 * nv :] = activation
    given[:, :nv] = given[:, nv : 2 * nv] @ along.T
    return exact, given


def _inertia(m: Model, d: Data) -> np.ndarray:
    """M as a full matrix."""
    full = np.zeros((m.nv, m.nv))
    rows = np.repeat(np.arange(m.nv), m.M_rownnz)
    full[rows, m.M_colind] = full[m.M_colind, rows] = d.M
    return full


def _moving(m: Model, velocity: np.ndarray) -> np.ndarray:
    """How positions after a step change with the velocity they move along."""
    h = m.opt.timestep
    along = h * np.eye(len(velocity))
    for j in np.flatnonzero(m.jnt_type <= JNT_BALL):
        v = m.jnt_dofadr[j] + (3 if m.jnt_type[j] == JNT_FREE else 0)
        along[v : v + 3, v : v + 3] = quat_integrate_slopes(velocity[v : v + 3], h)[1]
    return along


def _velocity_slopes(m: Model, d: Data) -> np.ndarray | None:
    """How smooth forces change with velocities; None if qDeriv leaves something out."""
    bias, gain = m.actuator_biastype, m.actuator_gaintype
    plain = ((bias == BIAS_NONE) | (bias == BIAS_AFFINE)) & ((gain == GAIN_FIXED) | (gain == GAIN_AFFINE))
    within = np.array_equal(d.ctrl, d.actuator_input) and not m.actuator_forcelimited.any() and m.nhistory == 0
    if not plain.all() or not within or m.tendon_armature.any():
        return None
    smooth_vel(m, d)
    bias_vel(m, d)
    full, has = np.zeros((m.nv, m.nv)), np.zeros((m.nv, m.nv), bool)
    rows = np.repeat(np.arange(m.nv), m.D_rownnz)
    full[rows, m.D_colind], has[rows, m.D_colind] = d.qDeriv, True
    # rows of tendons and actuators that couple branches of a tree do not fit into its pattern
    spans = [(m.ten_J_rowadr[t], m.ten_J_rownnz[t], m.ten_J_colind) for t in range(m.ntendon)]
    spans += [(d.moment_rowadr[r], d.moment_rownnz[r], d.moment_colind) for r in range(m.nout)]
    for first, n, columns in spans:
        dofs = columns[first : first + n]
        if not has[np.ix_(dofs, dofs)].all():
            return None
    return full


def _actuator_slopes(m: Model, d: Data) -> Any:
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
