"""Time of collision detection alone, ours over MuJoCo's, in one process.

    python -m tests.bench.bench_collision [COUNT]

COUNT bodies (100 if not given) of one kind on a plane: spread out and settled, or in a pile. Both engines get the
same poses and run collision detection alone, ours 50 times in one native call, as in a step; the best of 60 counts.
"""

from __future__ import annotations

import sys

import mujoco
import numpy as np
from rich.console import Console
from rich.table import Table

import sim
from sim.jit.loader import loader
from tests import oracle
from tests.bench.repeated import collision_repeated
from tests.bench.timing import ROUNDS, best
from tests.sim.stages.collision.scenes import POSES, detect

GEOMS = {
    "sphere": "<geom size='.1'/>",
    "capsule": "<geom type='capsule' size='.05 .1'/>",
    "box": "<geom type='box' size='.1 .1 .1'/>",
    "mixed": None,
    "dumbbell": "<geom size='.06' pos='0 0 .1'/><geom size='.06' pos='0 0 -.1'/><geom type='capsule' size='.03 .1'/>",
}
REPEAT = 50


def scene(kind: str, count: int, pile: bool) -> mujoco.MjModel:
    """Bodies in a square on the ground, or thrown on a heap between walls."""
    rng = np.random.default_rng(0)
    side = int(np.ceil(np.sqrt(count)))
    width = 0.25 * np.cbrt(count)
    bodies = []
    for i in range(count):
        geom = GEOMS[kind] or GEOMS[("sphere", "capsule", "box")[i % 3]]
        x, y, z = 0.3 * (i % side), 0.3 * (i // side), 0.11
        if pile:
            x, y, z = *rng.uniform(-width / 2, width / 2, 2), 0.2 + 0.3 * (i // max(1, int(12 * width * width)))
        bodies.append(f"<body pos='{x} {y} {z}'><freejoint/>{geom}</body>")
    return mujoco.MjModel.from_xml_string(
        f"<mujoco><worldbody><geom type='plane' size='9 9 1'/>{''.join(bodies)}</worldbody></mujoco>"
    )


def measure(kind: str, count: int, pile: bool) -> tuple[int, float, float]:
    """(contacts, our microseconds, MuJoCo's)."""
    mj = scene(kind, count, pile)
    dj = mujoco.MjData(mj)
    mujoco.mj_step(mj, dj, 200)
    mujoco.mj_forward(mj, dj)
    m = oracle.model_of(mj)
    d = sim.Data(m)
    oracle.copy_fields(dj, d, POSES)
    loader.load([collision_repeated], m)
    detect(m, d)
    if d.ncon != dj.ncon:
        raise SystemExit(f"{d.ncon} contacts instead of {dj.ncon}")

    def theirs() -> None:
        for _ in range(REPEAT):
            mujoco.mj_collision(mj, dj)

    return d.ncon, *(1e6 * t / REPEAT for t in best(lambda: collision_repeated(m, d, REPEAT), theirs, rounds=ROUNDS))


def main() -> None:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 100
    table = Table("bodies", "contacts", "ours us", "MuJoCo us", "ours / MuJoCo")
    for kind in GEOMS:
        for pile in (False, True):
            ncon, ours, theirs = measure(kind, count, pile)
            name = f"{count} {kind}, {'pile' if pile else 'spread'}"
            table.add_row(name, str(ncon), f"{ours:.1f}", f"{theirs:.1f}", f"{ours / theirs:.2f}")
    Console().print(table)


if __name__ == "__main__":
    main()
