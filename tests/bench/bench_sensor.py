"""Time of sensors and of rays, ours over MuJoCo's, in one process.

    python -m tests.bench.bench_sensor [MODEL.xml ...]

Sensors: the three stages and nothing else, both engines in the same state; ours many times in one native call, as in a
step, MuJoCo's from Python, less what the same calls take with sensors disabled. If no model is named: some of
dm_control, and the scenes of the tests. Rays: 1,000 from one point at a mesh, a height field, and 40 simple geoms.
"""

from __future__ import annotations

import sys
from pathlib import Path

import mujoco
import numpy as np
from rich.console import Console
from rich.table import Table

import sim
from sim.enums import DSBL_SENSOR
from sim.jit.loader import loader
from tests import oracle
from tests.bench.repeated import sensors_repeated
from tests.bench.timing import ROUNDS, best
from tests.sim.mjcf.pip_models import pip_models
from tests.sim.sensor_scenes import SENSORS, scene

REPEAT, RAYS = 50, 1000
MODELS = ("suite/humanoid.xml", "suite/dog.xml", "suite/quadruped.xml", "humanoid_CMU/humanoid_CMU_V2020.xml")

TARGETS = {
    "mesh": '<geom type="mesh" mesh="ball"/>',
    "hfield": '<geom type="hfield" hfield="hills"/>',
    "simple": "".join(
        f'<geom type="{kind}" size=".2 .1 .15" pos="{k % 5 - 2} {k // 5 - 4} {k % 3 / 2}" euler="{9 * k} {7 * k} 0"/>'
        for k, kind in enumerate(("sphere", "capsule", "ellipsoid", "cylinder", "box") * 8)
    ),
}


def sensor_time(mj: mujoco.MjModel) -> tuple[float, float]:
    """Microseconds that sensors cost in a step: ours, MuJoCo's."""
    m, dj = oracle.model_of(mj), mujoco.MjData(mj)
    mujoco.mj_step(mj, dj, 100)
    d = sim.Data(m)
    oracle.copy_fields(dj, d, oracle.STATE)
    mujoco.mj_forward(mj, dj)
    sim.forward(m, d)
    loader.load([sensors_repeated], m)
    flags = int(mj.opt.disableflags)

    def theirs(off: int) -> None:
        mj.opt.disableflags = flags | off
        for _ in range(REPEAT):
            dj.flg_subtreevel = dj.flg_rnepost = dj.flg_energypos = dj.flg_energyvel = False
            mujoco.mj_sensorPos(mj, dj)
            mujoco.mj_sensorVel(mj, dj)
            mujoco.mj_sensorAcc(mj, dj)

    runs = (lambda: sensors_repeated(m, d, REPEAT), lambda: theirs(0), lambda: theirs(DSBL_SENSOR))
    times = best(*runs, rounds=ROUNDS)
    return 1e6 * times[0] / REPEAT, 1e6 * (times[1] - times[2]) / REPEAT


def ray_time(target: str) -> tuple[float, float]:
    """Microseconds of all rays: ours, MuJoCo's."""
    heights = " ".join(f"{z:.3f}" for z in np.random.default_rng(0).random(10000))
    mj = mujoco.MjModel.from_xml_string(
        f"""<mujoco><asset><mesh name="ball" builtin="supersphere" params="100 1 1" scale="2 1 1.5"/>
        <hfield name="hills" nrow="100" ncol="100" size="3 3 1 .1" elevation="{heights}"/>
        </asset><worldbody>{TARGETS[target]}</worldbody></mujoco>"""
    )
    m, dj = oracle.model_of(mj), mujoco.MjData(mj)
    d = sim.Data(m)
    mujoco.mj_forward(mj, dj)
    sim.place(m, d)
    rng = np.random.default_rng(1)
    point = np.array((4.0, 3.0, 3.0))
    vec = rng.normal(size=(RAYS, 3)) - point
    dist, geom, normal = np.zeros(RAYS), np.zeros(RAYS, np.int32), np.zeros(3 * RAYS)
    ours, theirs = best(
        lambda: sim.multi_ray(m, d, point, vec),
        lambda: mujoco.mj_multiRay(mj, dj, point, vec.ravel(), None, True, -1, geom, dist, normal, RAYS, 1e10),
        rounds=ROUNDS,
    )
    np.testing.assert_allclose(sim.multi_ray(m, d, point, vec)[0], dist, atol=1e-9)
    return 1e6 * ours, 1e6 * theirs


def main() -> None:
    known = {"/".join(p.parts[-2:]): p for p in pip_models()}
    paths = [Path(p) for p in sys.argv[1:]] or [known[name] for name in MODELS if name in known]
    models = {path.stem: mujoco.MjModel.from_xml_path(str(path)) for path in paths}
    if not sys.argv[1:]:
        models |= {f"test: {which}": mujoco.MjModel.from_xml_string(scene(which)) for which in SENSORS}
    table = Table("what", "numbers", "ours us", "MuJoCo us", "ours / MuJoCo")
    for name, mj in models.items():
        ours, theirs = sensor_time(mj)
        table.add_row(f"sensors of {name}", str(mj.nsensordata), f"{ours:.2f}", f"{theirs:.2f}", f"{ours / theirs:.2f}")
    for target in TARGETS:
        ours, theirs = ray_time(target)
        table.add_row(f"rays at {target}", str(RAYS), f"{ours:.0f}", f"{theirs:.0f}", f"{ours / theirs:.2f}")
    Console().print(table)


if __name__ == "__main__":
    main()
