"""Step time of models with many tendons, ours over MuJoCo's, in one process.

    python -m tests.bench.bench_tendon

Constraints, actuators and sensors are off in both engines, so that tendons weigh; both step 200 times a call from
the same state, and the best of 30 calls counts.
"""

from __future__ import annotations

import mujoco
import numpy as np
from rich.console import Console
from rich.table import Table

import sim
from tests import oracle
from tests.bench.bench_smooth import OFF
from tests.bench.timing import best
from tests.sim import tendon_models

STEPS = 200

MODELS = {
    "52 muscles, cylinders": tendon_models.muscles(4, 13),
    "50 muscles, spheres": tendon_models.muscles(2, 25, 1, "sphere"),
    "sites and pulleys": tendon_models.SITES,
    "fixed": tendon_models.FIXED,
}


def measure(xml: str) -> tuple[int, float, float]:
    """(tendons, our microseconds a step, MuJoCo's)."""
    mj = mujoco.MjModel.from_xml_string(xml)
    oracle.disable(mj, OFF)
    dj = mujoco.MjData(mj)
    m = oracle.model_of(mj)
    d = sim.Data(m)
    sim.prepare(m, edits=False)
    start = np.array(mj.qpos0)

    def ours() -> None:
        d.qpos, d.qvel = start, 0.0
        sim.step(m, d, STEPS)

    def theirs() -> None:
        dj.qpos[:], dj.qvel[:] = start, 0.0
        mujoco.mj_step(mj, dj, STEPS)

    a, b = best(ours, theirs)
    return mj.ntendon, a / STEPS * 1e6, b / STEPS * 1e6


def main() -> None:
    table = Table("model", "tendons", "ours us", "MuJoCo us", "ours / MuJoCo")
    for name, xml in MODELS.items():
        n, ours, theirs = measure(xml)
        table.add_row(name, str(n), f"{ours:.2f}", f"{theirs:.2f}", f"{ours / theirs:.2f}")
    Console().print(table)


if __name__ == "__main__":
    main()
