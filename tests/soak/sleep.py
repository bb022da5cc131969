"""Sleep for a long time, side by side with MuJoCo: for how long the two agree, and how often trees sleep and wake.

    python -m tests.soak.sleep [STEPS]

The scenes of the tests, each body that stands freely kicked at random now and then. The first figure is the step at
which the trajectories part by 1e-6, if they do, or at which they are apart enough for something to be on either side of
a threshold; who sleeps and which islands there are has to be the same until then. Afterwards only counts can be
compared. The tests run the first 600 steps of each scene.
"""

from __future__ import annotations

import sys
from typing import Any

import mujoco
import numpy as np
from rich.console import Console
from rich.table import Table

import sim
from sim.enums import JNT_FREE
from tests import oracle
from tests.sim.sleep_scenes import SCENES, Scene

APART, DOUBTFUL, EVERY = 1e-6, 1e-9, 250


def kick(rng: np.random.Generator, m: sim.Model, *states: Any) -> None:
    """One body gets a push, the same in all states."""
    free = np.flatnonzero(m.jnt_type == JNT_FREE)
    v = m.jnt_dofadr[rng.choice(free)]
    push = rng.normal(size=6) * (1, 1, 1, 3, 3, 3)
    for d in states:
        d.qvel[v : v + 6] += push


def run(scene: Scene, steps: int) -> list[str]:
    """A row of the table; AssertionError where the same motion comes with another sleep."""
    mj = mujoco.MjModel.from_xml_string(scene.xml)
    dj = mujoco.MjData(mj)
    m = oracle.model_of(mj)
    d = sim.Data(m)
    rng = np.random.default_rng(1)
    parted = 0
    counts = np.zeros((2, 2), int)
    asleep = [np.zeros(m.ntree, bool), np.zeros(m.ntree, bool)]
    for step in range(steps):
        scene.act(step, d)
        scene.act(step, dj)
        if step >= 600 and step % EVERY == 0:
            kick(rng, m, d, dj)
        sim.step(m, d)
        mujoco.mj_step(mj, dj)
        if not parted:
            apart = np.abs(d.qpos - dj.qpos).max()
            islands = d.nisland == dj.nisland and (d.nisland == 0 or (d.tree_island == dj.tree_island).all())
            same = islands and (d.tree_asleep == dj.tree_asleep).all()
            assert same or apart > DOUBTFUL, f"step {step}: {d.tree_asleep} and {dj.tree_asleep}"
            if apart > APART or not same:
                parted = step
        for k, data in enumerate((d, dj)):
            now = np.asarray(data.tree_asleep) >= 0
            counts[k] += (now & ~asleep[k]).sum(), (asleep[k] & ~now).sum()
            asleep[k] = now
    both = [f"{a}, {b}" for a, b in counts.T]
    return [f"{parted or 'never'}", *both, f"{asleep[0].sum()}, {asleep[1].sum()} of {m.ntree}"]


def main() -> None:
    steps = int(sys.argv[1]) if len(sys.argv) > 1 else 10000
    table = Table("scene", f"parted within {steps} steps", "fell asleep: ours, MuJoCo's", "woke", "asleep in the end")
    for name, scene in SCENES.items():
        table.add_row(name, *run(scene, steps))
    Console().print(table)


if __name__ == "__main__":
    main()
