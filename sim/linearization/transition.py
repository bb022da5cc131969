"""Linear models of a step and of inverse dynamics, by differences, in parallel over their columns.

transition_fd: next state ≈ A · state + B · controls, sensors ≈ C · state + D · controls, all of them changes. The
state is (positions along dofs, velocities, activations), so that a quaternion counts as three.
inverse_fd: how the forces of inverse dynamics change with position, velocity and acceleration.
The work is done on copies of Data, a thread each; Data itself is not touched, whatever happens. Trees that sleep in
it are awake in them.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from math import inf
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from sim.enums import ENBL_INVDISCRETE, INT_RK4, STATE_INTEGRATION
from sim.jit.build import cores
from sim.linearization import finite_difference
from sim.script.check_options import check_options
from sim.script.state_vector import get_state, set_state

if TYPE_CHECKING:
    from concurrent.futures import ThreadPoolExecutor

    from sim.model import Data, Model

# inputs times dofs that make up for the 0.1 ms that another thread costs
WORTH_A_THREAD = 1000


class Matrices(NamedTuple):
    """next state = A · state + B · controls, sensors = C · state + D · controls, for small changes."""

    A: np.ndarray
    B: np.ndarray
    C: np.ndarray
    D: np.ndarray


class Transition(Matrices):
    """The four matrices, and which inputs were differenced for them: part of the inputs, or sensors -> why"""

    differenced: dict[str, str]

    def because(self, why: str) -> Transition:
        """The same, all of it differences for one reason."""
        parts = ("positions", "velocities", "activations", "controls", "sensors")
        self.differenced = dict.fromkeys(parts, why)
        return self


class InverseSlopes(NamedTuple):
    """Change of forces (f), sensors (s) and inertia matrix (m) with positions, velocities and accelerations.

    As in MuJoCo, a row belongs to an input.
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
    """The linear model of a step around the state of d; C and D have no rows if sensors are not wanted.

    As mjd_transitionFD, but for D of centred differences, which MuJoCo 3.12 gives with the wrong sign.
    """
    # lengths of arrays are at hand 50 times sooner than the model's sizes
    n, nu = 2 * len(d.qvel) + len(d.act), len(d.ctrl)
    columns = step_slopes(m, d, _every(d, n + nu), eps, centered, nthread, sensors)
    slopes = columns.T.copy() if sensors else columns[:, :n].T.copy()
    return Transition(slopes[:n, :n], slopes[:n, n:], slopes[n:, :n], slopes[n:, n:]).because("as asked for")


def step_slopes(
    m: Model, d: Data, inputs: np.ndarray, eps: float, centered: bool, nthread: int | None, sensors: bool
) -> np.ndarray:
    """A row for each number of state and controls: how the next state and sensors change with it.

    `inputs` are those asked for, in falling order; what is in the other rows means nothing. The array is written again
    by the next call: arrays that stay the same need not be bound again, which saves 17 of 50 us for a double pendulum.
    """
    n = 2 * len(d.qvel) + len(d.act)
    columns = d.__dict__.get("slopes")
    if columns is None:
        columns = d.__dict__["slopes"] = np.zeros((n + len(d.ctrl), n + len(d.sensordata)))

    def work(twin: Data, first: int, stride: int) -> int:
        twin.bind("fd.input", inputs)
        twin.bind("fd.column", columns)
        return finite_difference.step_columns(m, twin, d, first, stride, eps, int(centered), int(sensors))

    _share(m, d, len(inputs), eps, nthread, work)
    return columns


def _every(d: Data, n: int) -> np.ndarray:
    """All n inputs, in falling order."""
    every: np.ndarray | None = d.__dict__.get("every_input")
    if every is None:
        every = d.__dict__["every_input"] = np.arange(n - 1, -1, -1, dtype=np.int32)
    return every


def inverse_fd(
    m: Model, d: Data, eps: float = 1e-6, actuation: bool = False, nthread: int | None = None
) -> InverseSlopes:
    """How inverse dynamics changes around the state and qacc of d; `actuation`: of its forces less the actuators'."""
    if m.opt.enableflags & ENBL_INVDISCRETE and m.opt.integrator == INT_RK4:
        raise ValueError("opt.enableflags has invdiscrete: there is no discrete inverse of the RK4 integrator")
    nv, ns = m.nv, m.nsensordata
    columns = np.zeros((3 * nv, 2 * nv + m.na + ns))
    inertia = np.zeros((nv, m.nC))

    def work(twin: Data, first: int, stride: int) -> int:
        twin.bind("fd.column", columns)
        twin.bind("fd.inertia", inertia)
        return finite_difference.inverse_columns(m, twin, d, first, stride, eps, int(actuation), int(ns > 0))

    _share(m, d, 3 * nv, eps, nthread, work)
    forces, sensors = columns[:, :nv].reshape(3, nv, nv), columns[:, nv : nv + ns].reshape(3, nv, ns)
    return InverseSlopes(forces[0], forces[1], forces[2], sensors[0], sensors[1], sensors[2], inertia)


# ---------------------------------------------------------------- threads


@cache
def _pool() -> ThreadPoolExecutor:
    from concurrent.futures import ThreadPoolExecutor

    return ThreadPoolExecutor(max_workers=cores(), thread_name_prefix="difference")


def _share(
    m: Model, d: Data, inputs: int, eps: float, nthread: int | None, work: Callable[[Data, int, int], int]
) -> None:
    """Have `work(copy of d, which, of how many)` done on several threads."""
    check_options(m)
    if not 0 < eps < inf:
        raise ValueError(f"eps is {eps}: a difference needs a positive one")
    if nthread is not None and nthread < 1:
        raise ValueError(f"nthread is {nthread}: there has to be a thread at least")
    n = nthread or max(1, min(cores(), inputs * len(d.qvel) // WORTH_A_THREAD))

    def share(which: int) -> None:
        twin = d.twin(which)
        while (outcome := work(twin, which, n)) != finite_difference.DONE:
            if outcome == finite_difference.NOT_FINITE:
                set_state(m, twin, get_state(m, d, STATE_INTEGRATION), STATE_INTEGRATION)  # says what is wrong
            elif not twin.grow_required():
                raise RuntimeError("a step asked for room it already has")

    if n == 1:
        share(0)
        return
    others = [_pool().submit(share, which) for which in range(1, n)]
    try:
        share(0)
    finally:
        for other in others:
            other.result()
