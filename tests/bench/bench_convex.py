"""Time of convex collision alone, ours over MuJoCo's, in one process.

    python -m tests.bench.bench_convex [PAIR ...]

200 pairs of geoms of two types in random poses, most of them touching; PAIR is like `cylinder-mesh`. Both engines get
the same poses and run collision detection alone, ours many times in one native call, as in a step; the best counts.
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
from tests.sim.stages.collision import convex_scenes
from tests.sim.stages.collision.scenes import POSES, detect
from tests.sim.stages.collision.test_hfield import scene as field_scene

PAIRS = (
    "plane-mesh",
    "sphere-mesh",
    "capsule-cylinder",
    "capsule-mesh",
    "ellipsoid-ellipsoid",
    "cylinder-cylinder",
    "cylinder-box",
    "box-mesh",
    "mesh-mesh",
    "ball-ball",
    "hfield-sphere",
    "hfield-box",
)
REPEAT = 5


def data(pair: str) -> tuple[mujoco.MjModel, mujoco.MjData]:
    """A scene of such pairs."""
    rng = np.random.default_rng(0)
    kind1, kind2 = pair.split("-")
    if kind1 == "hfield":
        mj = field_scene(kind2, 100, rng, (0.0,), True)
        dj = mujoco.MjData(mj)
        for b in range(1, mj.nbody):
            dj.qpos[7 * b - 7 : 7 * b - 4] = rng.uniform([-2.5, -2, 0.3], [2.5, 2, 0.9])
        mujoco.mj_kinematics(mj, dj)
    else:
        mj = convex_scenes.grid(kind1, kind2, 200, rng)
        dj = mujoco.MjData(mj)
        convex_scenes.scatter(mj, dj, rng, 0.2)
    mujoco.mj_collision(mj, dj)
    return mj, dj


def measure(pair: str) -> tuple[int, float, float]:
    """(contacts, our microseconds, MuJoCo's)."""
    mj, dj = data(pair)
    m = oracle.model_of(mj)
    d = sim.Data(m)
    oracle.copy_fields(dj, d, POSES)
    loader.load([collision_repeated], m)
    detect(m, d)

    def theirs() -> None:
        for _ in range(REPEAT):
            mujoco.mj_collision(mj, dj)

    return d.ncon, *(1e6 * t / REPEAT for t in best(lambda: collision_repeated(m, d, REPEAT), theirs, rounds=ROUNDS))


def main() -> None:
    table = Table("pairs", "contacts", "ours us", "MuJoCo us", "ours / MuJoCo")
    for pair in sys.argv[1:] or PAIRS:
        ncon, ours, theirs = measure(pair)
        table.add_row(pair, str(ncon), f"{ours:.0f}", f"{theirs:.0f}", f"{ours / theirs:.2f}")
    Console().print(table)


if __name__ == "__main__":
    main()
