"""Linearization of a step and of inverse dynamics by finite differences, in parallel over the inputs.

transition_fd: δ(next state) = A · δ(state) + B · δ(controls), δ(sensors) = C · δ(state) + D · δ(controls). The state is
(positions along dofs, velocities, activations), so a quaternion counts as three.
inverse_fd: derivatives of the forces of inverse dynamics with respect to position, velocity and acceleration.
The work is done on scratch copies of Data, one per thread; Data itself is never changed. All trees are awake in them.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from math import inf
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from sim.arguments import check_fit
from sim.enums import ENBL_INVDISCRETE, INT_RK4, STATE_INTEGRATION
from sim.jit.machine import cores
from sim.linearization import finite_difference
from sim.script.check_options import check_options
from sim.script.state_vector import get_state, set_state

if TYPE_CHECKING:
    from concurrent.futures import ThreadPoolExecutor

    from sim.model import Data, Model

# inputs times dofs that outweigh the 0.1 ms that another thread costs
MIN_WORK_PER_THREAD = 1000


class Matrices(NamedTuple):
    """next state = A · state + B · controls, sensors = C · state + D · controls, for small deviations."""

    A: np.ndarray
    B: np.ndarray
    C: np.ndarray
    D: np.ndarray


class Transition(Matrices):
    """The four matrices, and which parts of the inputs, or sensors, are finite differences, and why."""

    differenced: dict[str, str]

    def with_reason(self, why: str) -> Transition:
        """This transition, all of it finite differences for one reason."""
        parts = ("positions", "velocities", "activations", "controls", "sensors")
        self.differenced = dict.fromkeys(parts, why)
        return self


class InverseDerivatives(NamedTuple):
    """Derivatives of forces (f), sensors (s), inertia matrix (m) by positions (q), velocities (v), accelerations (a).

    As in MuJoCo, each row belongs to one input.
    """

    DfDq: np.ndarray
    DfDv: np.ndarray
    DfDa: np.ndarray
    DsDq: np.ndarray
    DsDv: np.ndarray
    DsDa: np.ndarray
    DmDq: np.ndarray


def transition_fd(
    m: Model, d: Data, eps: float = 1e-6, centered: bool = True, nthread: int | None = None, sensors: bool = True
) -> Transition:
    """Linearize a step around the state of d by finite differences; without `sensors` C and D have no rows.

    The same as mjd_transitionFD, which refuses models that sleep: here all trees are awake in the copies.
    """
    check_fit(m, d)
    # reading lengths of arrays is 50 times faster than reading the model's sizes
    n, nu = 2 * len(d.qvel) + len(d.act), len(d.ctrl)
    columns = step_derivatives(m, d, _all_inputs(d, n + nu), eps, centered, nthread, sensors)
    matrix = columns.T.copy() if sensors else columns[:, :n].T.copy()
    return Transition(matrix[:n, :n], matrix[:n, n:], matrix[n:, :n], matrix[n:, n:]).with_reason("as requested")


def step_derivatives(
    m: Model, d: Data, inputs: np.ndarray, eps: float, centered: bool, nthread: int | None, sensors: bool
) -> np.ndarray:
    """Derivatives of the next state and sensors, one row per number of state and controls.

    Only the rows of `inputs`, which are in descending order, are computed. The next call overwrites the array: arrays
    that stay the same need not be bound again, which saves 17 of 50 us for a double pendulum.
    """
    n = 2 * len(d.qvel) + len(d.act)
    columns = d.__dict__.get("derivatives")
    if columns is None:
        columns = d.__dict__["derivatives"] = np.zeros((n + len(d.ctrl), n + len(d.sensordata)))

    def work(scratch: Data, first: int, stride: int) -> int:
        scratch.bind("fd.input", inputs)
        scratch.bind("fd.column", columns)
        return finite_difference.step_columns(m, scratch, d, first, stride, eps, int(centered), int(sensors))

    _run_parallel(m, d, len(inputs), eps, nthread, work)
    return columns


def _all_inputs(d: Data, n: int) -> np.ndarray:
    """All n inputs, in descending order."""
    every: np.ndarray | None = d.__dict__.get("every_input")
    if every is None:
        every = d.__dict__["every_input"] = np.arange(n - 1, -1, -1, dtype=np.int32)
    return every


def inverse_fd(
    m: Model, d: Data, eps: float = 1e-6, actuation: bool = False, nthread: int | None = None
) -> InverseDerivatives:
    """Linearize inverse dynamics around the state and qacc of d; `actuation`: subtract actuator forces."""
    if m.opt.enableflags & ENBL_INVDISCRETE and m.opt.integrator == INT_RK4:
        raise ValueError("opt.enableflags has invdiscrete: there is no discrete inverse of the RK4 integrator")
    nv, ns = m.nv, m.nsensordata
    columns = np.zeros((3 * nv, 2 * nv + m.na + ns))
    inertia = np.zeros((nv, m.nC))

    def work(scratch: Data, first: int, stride: int) -> int:
        scratch.bind("fd.column", columns)
        scratch.bind("fd.inertia", inertia)
        return finite_difference.inverse_columns(m, scratch, d, first, stride, eps, int(actuation), int(ns > 0))

    _run_parallel(m, d, 3 * nv, eps, nthread, work)
    forces, sensors = columns[:, :nv].reshape(3, nv, nv), columns[:, nv : nv + ns].reshape(3, nv, ns)
    return InverseDerivatives(forces[0], forces[1], forces[2], sensors[0], sensors[1], sensors[2], inertia)


# ---------------------------------------------------------------- threads


@cache
def _pool() -> ThreadPoolExecutor:
    from concurrent.futures import ThreadPoolExecutor

    return ThreadPoolExecutor(max_workers=cores(), thread_name_prefix="difference")


def _run_parallel(
    m: Model, d: Data, inputs: int, eps: float, nthread: int | None, work: Callable[[Data, int, int], int]
) -> None:
    """Run `work(scratch copy of d, first, stride)` on several threads."""
    check_options(m)
    if not 0 < eps < inf:
        raise ValueError(f"eps is {eps}: it must be positive and finite")
    if nthread is not None and nthread < 1:
        raise ValueError(f"nthread is {nthread}: at least one thread is needed")
    # more threads than cores only take memory
    n = max(1, min(cores(), nthread or inputs * len(d.qvel) // MIN_WORK_PER_THREAD))

    def share(which: int) -> None:
        scratch = d.scratch(which)
        while (outcome := work(scratch, which, n)) != finite_difference.DONE:
            if outcome == finite_difference.NOT_FINITE:
                set_state(m, scratch, get_state(m, d, STATE_INTEGRATION), STATE_INTEGRATION)  # raises the error
            elif not scratch.grow_required():
                raise RuntimeError("a step overflowed a buffer that is large enough")

    if n == 1:
        share(0)
        return
    others = [_pool().submit(share, which) for which in range(1, n)]
    try:
        share(0)
    finally:
        for other in others:
            other.result()
