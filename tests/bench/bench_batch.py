"""Batches: steps a second next to rollouts and MuJoCo's, where the time goes, and what else a GPU could do.

    python -m tests.bench.bench_batch [--share]

Environments start at rest with noisy velocities and constant noisy controls. Four ways to make the same steps take
turns: the batch on the GPU, the batch on the CPU, `rollout` and `mujoco.rollout`; the best of several turns counts.
With --share: which share of a step the stages have that need no contacts, and what of their results the rest reads.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable

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

MODELS = ("humanoid", "quadruped", "double_pendulum")
# environments -> steps
SIZES = {1: 2000, 64: 100, 4096: 5}
TURNS = 7
# steps until bodies that fall have met the ground
SETTLE = 2000

SHARES = (
    "humanoid", "quadruped", "double_pendulum", "tendon_arm", "muscle_arm", "gripper", "drone", "puppet", "pile",
    "ragdolls",
)  # fmt: skip
SMOOTH = (
    "kinematics", "centres of mass", "tendons", "inertia", "transmission", "velocities", "passive forces",
    "bias forces", "actuation", "acceleration", "integration",
)  # fmt: skip
# what collision, constraints, the solver and sensors read of them
READ = (
    "xpos", "xquat", "xmat", "xipos", "ximat", "xanchor", "xaxis", "geom_xpos", "geom_xmat", "site_xpos", "site_xmat",
    "subtree_com", "cdof", "cdof_dot", "cvel", "ten_length", "ten_J", "M", "qLD", "qLDiagInv", "actuator_length",
    "actuator_velocity", "actuator_force", "qfrc_actuator", "qfrc_smooth", "qacc_smooth",
)  # fmt: skip


def seconds(run: Callable[[], object]) -> float:
    """What a call takes."""
    began = time.perf_counter()
    run()
    return time.perf_counter() - began


def measure(name: str, n: int, nstep: int) -> tuple[list[float], dict[str, float]]:
    """Steps a second: batch on the GPU, on the CPU, rollouts, MuJoCo's rollouts; and shares of the first."""
    mj = mujoco.MjModel.from_xml_path(str(SCENES / f"{name}.xml"))
    m = oracle.model_of(mj)
    rng = np.random.default_rng(1)
    dj = mujoco.MjData(mj)
    states = np.zeros((n, mujoco.mj_stateSize(mj, STATE_FULLPHYSICS)))
    for state in states:
        dj.qvel[:] = 0.01 * rng.normal(size=mj.nv)
        mujoco.mj_getState(mj, dj, state, STATE_FULLPHYSICS)
    ctrl = 0.1 * rng.normal(size=(n, mj.nu))
    ctrls = np.ascontiguousarray(np.broadcast_to(ctrl[:, None], (n, nstep, mj.nu))) if mj.nu else None
    data = [mujoco.MjData(mj) for _ in range(cores())]
    gpu, cpu = (sim.GpuBatch(m, n, device=device) for device in ("gpu", "cpu"))
    runs = (
        lambda: gpu.step(nstep),
        lambda: cpu.step(nstep),
        lambda: sim.rollout(m, states, ctrls, nstep=nstep),
        lambda: mujoco.rollout.rollout(mj, data, states, ctrls, nstep=nstep),
    )
    taken = [float("inf")] * len(runs)
    for turn in range(TURNS + 1):
        for place, run in enumerate(runs):
            for batch in (gpu, cpu):
                batch.reset(states=states)
                batch.ctrl = ctrl
            if turn == 1 and place == 0:
                gpu.seconds.update(dict.fromkeys(gpu.seconds, 0.0))
            now = seconds(run)
            # the first turn compiles
            taken[place] = min(taken[place], now) if turn else taken[place]
    total = sum(gpu.seconds.values())
    return [n * nstep / each for each in taken], {key: value / total for key, value in gpu.seconds.items()}


def speeds() -> Table:
    """The table of speeds."""
    table = Table(
        "model", "n", "GPU batch, steps/s", "/ rollout", "/ mujoco.rollout", "CPU batch / rollout", "CPU, copies, GPU"
    )
    for name in MODELS:
        for n, nstep in SIZES.items():
            (gpu, cpu, ours, theirs), shares = measure(name, n, nstep)
            cells = f"{gpu / ours:.2f}", f"{gpu / theirs:.2f}", f"{cpu / ours:.2f}"
            parts = ", ".join(f"{100 * share:.0f} %" for share in shares.values())
            table.add_row(name, f"{n:,}", f"{gpu:,.0f}", *cells, parts)
    return table


def share(name: str) -> list[str]:
    """A row of the table of shares."""
    m = sim.load(str(SCENES / f"{name}.xml"))
    d = sim.Data(m)
    sim.step(m, d, SETTLE)
    times = sim.stage_times(m, d)
    whole = sum(times.values())
    smooth = sum(times.get(stage, 0.0) for stage in SMOOTH) / whole
    qvel, qacc = np.zeros((2, 4096, m.nv))
    update = min(seconds(lambda: np.add(qvel, 0.005 * qacc, out=qvel)) for _ in range(20)) / 4096 / whole
    size = sum(d.read(field).size for field in READ) * 4
    cells = f"{1e6 * whole:.1f}", str(d.ncon), f"{100 * update:.1f} %", f"{100 * smooth:.0f} %"
    return [name, *cells, f"{1 / (1 - smooth):.1f}", f"{size:,}", f"{size / 1e4:.1f}"]


def shares() -> Table:
    """The table of what a GPU could do."""
    table = Table("model", "step, us", "contacts", "velocities", "smooth", "at most", "bytes back", "us at 10 GB/s")
    for name in SHARES:
        table.add_row(*share(name))
    return table


if __name__ == "__main__":
    Console().print(shares() if "--share" in sys.argv else speeds())
