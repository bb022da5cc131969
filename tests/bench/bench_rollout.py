"""Rollouts a second, ours over MuJoCo's, with as many threads, in one process.

    python -m tests.bench.bench_rollout

128 rollouts of 100 steps with noisy controls from noisy states around a settled one. The two engines take turns, so
that whatever else the machine does slows both; the best of several turns counts. The last columns are how much faster
each is than on one thread.
"""

from __future__ import annotations

import time

import mujoco
import mujoco.rollout
import numpy as np
from rich.console import Console
from rich.table import Table

import sim
from sim.enums import STATE_FULLPHYSICS
from sim.jit.build import cores
from tests import oracle
from tests.bench.bench_smooth import SCENES

MODELS = ("humanoid", "quadruped", "gripper", "tendon_arm", "double_pendulum", "ragdolls")
NROLL, NSTEP, TURNS = 128, 100, 5


def start(mj: mujoco.MjModel) -> tuple[np.ndarray, np.ndarray]:
    """States and controls."""
    rng = np.random.default_rng(1)
    dj = mujoco.MjData(mj)
    mujoco.mj_step(mj, dj, 300)
    states = np.zeros((NROLL, mujoco.mj_stateSize(mj, STATE_FULLPHYSICS)))
    settled = dj.qvel.copy()
    for state in states:
        dj.qvel[:] = settled + 0.01 * rng.normal(size=mj.nv)
        mujoco.mj_getState(mj, dj, state, STATE_FULLPHYSICS)
    return states, 0.1 * rng.normal(size=(NROLL, NSTEP, mj.nu))


def measure(name: str, nthread: int) -> tuple[float, float]:
    """Steps a second: ours, MuJoCo's."""
    mj = mujoco.MjModel.from_xml_path(str(SCENES / f"{name}.xml"))
    m = oracle.model_of(mj)
    states, ctrls = start(mj)
    data = [mujoco.MjData(mj) for _ in range(nthread)]
    taken: tuple[list[float], list[float]] = [], []
    for _ in range(TURNS):
        began = time.perf_counter()
        sim.rollout(m, states, ctrls, nthread=nthread)
        between = time.perf_counter()
        mujoco.rollout.rollout(mj, data, states, ctrls if mj.nu else None, nstep=NSTEP)
        taken[0].append(between - began)
        taken[1].append(time.perf_counter() - between)
    return NROLL * NSTEP / min(taken[0]), NROLL * NSTEP / min(taken[1])


def main() -> None:
    table = Table("model", "threads", "ours, steps/s", "MuJoCo, steps/s", "ours / MuJoCo", "speed-up", "MuJoCo's")
    for name in MODELS:
        alone = measure(name, 1)
        for nthread in range(1, cores() + 1):
            ours, theirs = measure(name, nthread) if nthread > 1 else alone
            cells = f"{ours:,.0f}", f"{theirs:,.0f}", f"{ours / theirs:.2f}"
            table.add_row(name, str(nthread), *cells, f"{ours / alone[0]:.2f}", f"{theirs / alone[1]:.2f}")
    Console().print(table)


if __name__ == "__main__":
    main()
