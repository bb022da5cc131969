"""Cost of a step while the mouse pulls a body, against the same without, in one run.

    python -m tests.bench.bench_perturb

The way of the viewer: steps of its simulation, in chunks of a frame, from the same state each time. All dofs move in
it, since those whose forces are exactly zero cost less, and any force ends that. The best of many rounds counts, in
time of the processor.
"""

from __future__ import annotations

import time
from pathlib import Path

import numpy as np
from rich.console import Console
from rich.table import Table

import sim
from app.run import commands as cmd
from app.run.passive import PassiveSimulation
from tests.bench.timing import ROUNDS, best

SCENES = Path(__file__).parents[2] / "scenes"
# steps of a chunk, and chunks of a run
STEPS, CHUNKS = 8, 50


def main() -> None:
    table = Table("scene", "us a step", "pulled", "steps per second, pulled / not")
    for name in ("humanoid", "double_pendulum", "pile", "gripper"):
        m = sim.load(SCENES / f"{name}.xml")
        d = sim.Data(m)
        d.qvel[:] = 0.1 * np.random.default_rng(0).normal(size=m.nv)
        sim.step(m, d, 200)
        start = sim.get_state(m, d)
        simulation = PassiveSimulation(sim, m, d)
        while not simulation.status.run.ready:
            simulation.handle(simulation._inbox.get())
        body = m.nbody - 1
        target = tuple((d.xpos[body] + (0.0, 0.0, 0.05)).tolist())
        pull = cmd.Perturb(cmd.Perturbation(body, (0.0, 0.0, 0.0), target))

        def run(command: cmd.Perturb, simulation=simulation, m=m, d=d, start=start) -> None:
            sim.set_state(m, d, start)
            simulation.handle(command)
            for _ in range(CHUNKS):
                simulation.travel.step(STEPS)

        free, pulled = best(lambda: run(cmd.Perturb()), lambda: run(pull), rounds=ROUNDS, clock=time.thread_time)  # noqa: B023
        simulation.release()
        each = (f"{1e6 * seconds / (STEPS * CHUNKS):.2f}" for seconds in (free, pulled))
        table.add_row(name, *each, f"{free / pulled:.3f}")
    Console().print(table)


if __name__ == "__main__":
    main()
