"""Time of making constraint rows, ours over MuJoCo's, from the same contacts in one process.

    python -m tests.bench.bench_constraint

A humanoid on the floor and heaps of bodies, after some steps: both engines make all rows of that state, then their
velocities and reference accelerations. The time of a call without rows is taken off; the best of 30 rounds counts.
"""

from __future__ import annotations

import time

import mujoco
import numpy as np
from rich.console import Console
from rich.table import Table

import sim
from sim.stages.constraint.assemble import make_constraint
from sim.stages.constraint.reference import reference_constraint
from tests import oracle
from tests.bench.bench_solver import HUMANOID
from tests.bench.timing import best
from tests.sim.stages.constraint import rows
from tests.sim.stages.solver.rows import pile, settle

SCENES = {
    "humanoid": (HUMANOID, 1500),
    "heap of 5": (pile(5), 400),
    "heap of 50": (pile(50), 400),
    "heap of 50, rolling": (pile(50, 6), 400),
}
CONES = {"pyramidal": 0, "elliptic": 1}


def measure(scene: str, steps: int, cone: int) -> tuple[int, int, list[float]]:
    """(dofs, rows, microseconds: our rows, MuJoCo's, our references, MuJoCo's)."""
    mj, dj = settle(scene, steps, cone=cone)
    dj.qvel += np.random.default_rng(0).normal(size=mj.nv) * 0.02
    m, d = rows.engines(mj, dj)
    rows.make(m, d)
    idle_mj = mujoco.MjModel.from_xml_string("<mujoco/>")
    idle_dj = mujoco.MjData(idle_mj)
    idle_m = oracle.model_of(idle_mj)
    idle = sim.Data(idle_m)
    times = best(
        lambda: make_constraint(m, d),
        lambda: mujoco.mj_makeConstraint(mj, dj),
        lambda: reference_constraint(m, d),
        lambda: mujoco.mj_referenceConstraint(mj, dj),
        lambda: make_constraint(idle_m, idle),
        lambda: mujoco.mj_makeConstraint(idle_mj, idle_dj),
        calls=max(1, int(5e-4 / best(lambda: mujoco.mj_makeConstraint(mj, dj))[0])),
        clock=time.thread_time,
    )
    return mj.nv, dj.nefc, [(t - times[4 + k % 2]) * 1e6 for k, t in enumerate(times[:4])]


def main() -> None:
    table = Table(
        "scene", "cone", "dofs", "rows", "make: ours us", "MuJoCo", "reference: ours us", "MuJoCo", "ours / MuJoCo"
    )
    for name, (scene, steps) in SCENES.items():
        for cone, value in CONES.items():
            nv, nefc, t = measure(scene, steps, value)
            ratio = (t[0] + t[2]) / (t[1] + t[3])
            table.add_row(name, cone, str(nv), str(nefc), *(f"{x:.2f}" for x in t), f"{ratio:.2f}")
    Console(width=130).print(table)


if __name__ == "__main__":
    main()
