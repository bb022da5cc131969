"""Time of the constraint solvers, ours over MuJoCo's, on the same rows in one process.

    python -m tests.bench.bench_solver [--islands] [SOLVER ...]

A humanoid on the floor and heaps of bodies, after some steps; both engines solve the rows of that state, in one
block or by islands. The time of a call without rows is taken off; the best of 30 rounds counts, in time of the
processor: other work on the machine does not.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

import mujoco
import numpy as np
from rich.console import Console
from rich.table import Table

import sim
from sim.stages.constraint.island import island
from sim.stages.solver.solve import fwd_constraint
from tests.bench.timing import best
from tests.sim.stages.solver import rows

# the weightless figure of scenes/, with weight and a floor that holds it
HUMANOID = (Path(__file__).parents[2] / "scenes" / "humanoid.xml").read_text()
HUMANOID = HUMANOID.replace('contype="0" conaffinity="0"', "").replace('gravity="0 0 0"', "")
SCENES = {"humanoid": (HUMANOID, 1500), "heap of 5": (rows.pile(5), 400), "heap of 50": (rows.pile(50), 400)}
SOLVERS = {"newton": 2, "cg": 1, "pgs": 0}
CONES = {"pyramidal": 0, "elliptic": 1}
ROUNDS = 30


def projection(mj: mujoco.MjModel, dj: mujoco.MjData) -> float:
    """Shortest time in which MuJoCo makes J M⁻¹ Jᵀ: a stage of its own there, part of the solver here."""
    shortest = float("inf")
    for _ in range(ROUNDS):
        mujoco.mj_fwdPosition(mj, dj)  # takes back what the last call allocated
        start = time.thread_time()
        mujoco.mj_projectConstraint(mj, dj)
        shortest = min(shortest, time.thread_time() - start)
    return shortest


def measure(scene: str, steps: int, solver: int, cone: int, islands: bool) -> tuple[int, int, int, float, float]:
    """(dofs, rows, iterations, our microseconds, MuJoCo's)."""
    mj, dj = rows.settle(scene, steps, cone=cone, solver=solver, islands=islands)
    dj.qvel += np.random.default_rng(0).normal(size=mj.nv) * 0.02
    dj.qacc_warmstart[:] = 0
    m, d = rows.engines(mj, dj)
    d.grow("nisland", m.ntree)
    island(m, d)
    rows.solve(m, d)
    idle_mj = mujoco.MjModel.from_xml_string("<mujoco/>")
    idle_dj = mujoco.MjData(idle_mj)
    idle = sim.Data(m)
    times = best(
        lambda: fwd_constraint(m, d),
        lambda: mujoco.mj_fwdConstraint(mj, dj),
        lambda: fwd_constraint(m, idle),
        lambda: mujoco.mj_fwdConstraint(idle_mj, idle_dj),
        calls=max(1, int(2e-3 / best(lambda: mujoco.mj_fwdConstraint(mj, dj))[0])),
        clock=time.thread_time,
    )
    ours, theirs = times[0] - times[2], times[1] - times[3]
    if solver == SOLVERS["pgs"]:
        theirs += projection(mj, dj) - times[3]
    return mj.nv, dj.nefc, int(d.solver_niter.sum()), ours * 1e6, theirs * 1e6


def main() -> None:
    table = Table("scene", "dofs", "rows", "solver", "cones", "iterations", "ours us", "MuJoCo us", "ours / MuJoCo")
    for scene, (text, steps) in SCENES.items():
        for solver in [a for a in sys.argv[1:] if a in SOLVERS] or SOLVERS:
            for cone, code in CONES.items():
                nv, nefc, niter, ours, theirs = measure(text, steps, SOLVERS[solver], code, "--islands" in sys.argv)
                numbers = (f"{ours:.1f}", f"{theirs:.1f}", f"{ours / theirs:.2f}")
                table.add_row(scene, str(nv), str(nefc), solver, cone, str(niter), *numbers)
    Console().print(table)


if __name__ == "__main__":
    main()
