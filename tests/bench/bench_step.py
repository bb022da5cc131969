"""Time of whole steps, ours over MuJoCo's, on the same models and states in one process.

    python -m tests.bench.bench_step [--plot FILE.svg] [NAME ...]

Each model is stepped by MuJoCo until it has settled; then both engines step on from that state, again and again:
without controls, and with noisy ones. The best round counts, in time of the processor: other work on the machine
does not. Sensors and sleep are off. `--plot` draws the cost of a step as it grows with the number of bodies, of
contacts and of the dofs of one chain.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from pathlib import Path

import mujoco
import numpy as np
from rich.console import Console
from rich.table import Table

import sim
from tests import oracle
from tests.bench import scenes
from tests.bench.plot import log_plot
from tests.sim.mjcf.pip_models import pip_models, short_name

SCENES = Path(__file__).parents[2] / "scenes"
ELLIPTIC = '<option cone="elliptic"/>'
ROUNDS = 12
ROUND = 0.03  # seconds of MuJoCo's time that a round takes at least
# the end of a pip model's path -> seconds until it has settled
PIP = {
    "mujoco/assets/ant.xml": 3.0,
    "dm_control/suite/humanoid.xml": 3.0,
    "dm_control/suite/humanoid_CMU.xml": 3.0,
    "dm_control/suite/dog.xml": 2.0,
    "dm_control/suite/quadruped.xml": 3.0,
    "hand/manipulate_block.xml": 1.0,
    "adroit_hand/adroit_pen.xml": 1.0,
    "mujoco/assets/half_cheetah.xml": 2.0,
    "mujoco/assets/hopper.xml": 2.0,
    "mujoco/assets/walker2d.xml": 2.0,
    "mujoco/assets/pusher_v5.xml": 1.0,
    "fruitfly_v2/fruitfly.xml": 0.3,
    "walkers/assets/rodent.xml": 0.5,
    "walkers/assets/humanoid_CMU_V2020.xml": 2.0,
    "suite/fish.xml": 1.0,
    "suite/manipulator.xml": 1.0,
    "suite/stacker.xml": 1.0,
    "fetch/pick_and_place.xml": 1.0,
    "kitchen_assets/kitchen_env_model.xml": 0.5,
}
# bundled scenes -> seconds until they have settled
BUNDLED = {
    "arch": 1.0,
    "ball_chain": 1.0,
    "bin": 2.0,
    "bridge": 1.0,
    "car": 1.0,
    "cards": 1.0,
    "conveyor": 2.0,
    "dominoes": 0.5,
    "gripper": 1.0,
    "humanoid": 2.0,
    "muscle_arm": 1.0,
    "newtons_cradle": 1.0,
    "noslip": 1.0,
    "pile": 2.0,
    "puppet": 1.0,
    "quadruped": 2.0,
    "radial_engine": 1.0,
    "ragdolls": 2.0,
    "rovers": 1.0,
    "swimmer": 1.0,
    "tendon_arm": 1.0,
    "wall": 0.5,
    "windlass": 1.0,
}
# our own scenes: MJCF and seconds until it has settled
OWN: dict[str, tuple[Callable[[], str], float]] = {
    "1 ragdoll": (lambda: scenes.ragdolls(1), 3.0),
    "22 ragdolls": (lambda: scenes.ragdolls(22), 3.0),
    "100 ragdolls": (lambda: scenes.ragdolls(100), 2.0),
    "wall of 200 boxes": (lambda: scenes.wall(200), 0.5),
    "50 meshes in a bin": (lambda: scenes.mesh_bin(50), 2.0),
    "20 bodies on hills": (lambda: scenes.hills(20), 2.0),
    "40 stones in a bin, elliptic": (lambda: scenes.mesh_bin(40, ELLIPTIC), 2.0),
    "wall of 40 boxes, elliptic": (lambda: scenes.wall(40, ELLIPTIC), 0.5),
    "chain of 10": (lambda: scenes.chain(10), 0.5),
    "chain of 50": (lambda: scenes.chain(50), 0.5),
    "chain of 200": (lambda: scenes.chain(200), 0.5),
    "chain of 100, limits": (lambda: scenes.chain(100, 'damping=".01" range="-10 10"'), 0.5),
    "chain of 100 on the floor": (lambda: scenes.chain(100, height=0.1), 0.5),
}
# what grows -> scenes of several sizes, and where the size is read
SERIES: dict[str, tuple[Callable[[int], str], tuple[int, ...], Callable[[mujoco.MjModel, mujoco.MjData], int]]] = {
    "bodies of ragdolls": (scenes.ragdolls, (1, 3, 10, 30, 100), lambda mj, dj: mj.nbody - 1),
    "contacts of bricks": (scenes.wall, (3, 10, 30, 100, 300), lambda mj, dj: dj.ncon),
    "contacts of stones": (scenes.mesh_bin, (3, 10, 30, 100), lambda mj, dj: dj.ncon),
    "dofs of a chain": (scenes.chain, (10, 30, 100, 200, 400), lambda mj, dj: mj.nv),
}


def models() -> dict[str, tuple[Callable[[], mujoco.MjModel], float]]:
    """Name -> model, and seconds until it has settled."""
    table: dict[str, tuple[Callable[[], mujoco.MjModel], float]] = {}
    for path in pip_models():
        for end, seconds in PIP.items():
            if str(path).endswith(end) and "gymnasium_robotics/envs/mujoco" not in str(path):
                table[short_name(path)] = (lambda path=path: mujoco.MjModel.from_xml_path(str(path)), seconds)
    for name, seconds in BUNDLED.items():
        path = SCENES / f"{name}.xml"
        table[name] = (lambda path=path: mujoco.MjModel.from_xml_path(str(path)), seconds)
    for name, (xml, seconds) in OWN.items():
        table[name] = (lambda xml=xml: mujoco.MjModel.from_xml_string(xml()), seconds)
    return table


def noisy(mj: mujoco.MjModel, seed: int) -> np.ndarray:
    """Controls all over their ranges."""
    rng = np.random.default_rng(seed)
    low, high = np.where(mj.actuator_ctrllimited[:, None], mj.actuator_ctrlrange, [-1.0, 1.0]).T
    return rng.uniform(low, high)


def advance(mj: mujoco.MjModel, dj: mujoco.MjData, seconds: float, noise: bool) -> None:
    """MuJoCo alone, with other controls every tenth of a second."""
    for k in range(round(10 * seconds)):
        if noise:
            dj.ctrl[:] = noisy(mj, k)
        mujoco.mj_step(mj, dj, max(1, round(0.1 / mj.opt.timestep)))


def measure(mj: mujoco.MjModel, dj: mujoco.MjData) -> tuple[float, float]:
    """Microseconds a step from the state that MuJoCo is in: ours, MuJoCo's."""
    m = oracle.model_of(mj)
    d = sim.Data(m)
    start = {name: np.array(getattr(dj, name)) for name in oracle.STATE}
    mujoco.mj_step(mj, dj, 10)
    begin = time.thread_time()
    mujoco.mj_step(mj, dj, 10)
    steps = max(10, round(10 * ROUND / (time.thread_time() - begin)))
    best = [np.inf, np.inf]
    for _ in range(ROUNDS):
        for name, value in start.items():
            d.write(name, value)
            if name == "time":
                dj.time = float(value)
            else:
                getattr(dj, name)[...] = value
        for k, run in enumerate((lambda: sim.step(m, d, steps), lambda: mujoco.mj_step(mj, dj, steps))):
            begin = time.thread_time()
            run()
            best[k] = min(best[k], time.thread_time() - begin)
    return best[0] / steps * 1e6, best[1] / steps * 1e6


def compare(names: list[str]) -> None:
    """The table."""
    table = Table("model", "controls", "dofs", "contacts", "rows", "ours us", "MuJoCo us", "ours / MuJoCo")
    ratios: dict[str, float] = {}
    for name, (load, seconds) in models().items():
        if names and name not in names:
            continue
        for noise in (False, True):
            mj = load()
            mj.opt.disableflags |= mujoco.mjtDisableBit.mjDSBL_SENSOR
            mj.opt.enableflags &= ~int(mujoco.mjtEnableBit.mjENBL_SLEEP)
            dj = mujoco.MjData(mj)
            if noise and not mj.nu:
                continue
            advance(mj, dj, seconds, noise)
            ncon, nefc = dj.ncon, dj.nefc
            ours, theirs = measure(mj, dj)
            label = "noisy" if noise else "none"
            ratio = ratios[f"{name}, {label}"] = ours / theirs
            table.add_row(
                *(name, label, str(mj.nv), str(ncon), str(nefc)), f"{ours:.1f}", f"{theirs:.1f}", f"{ratio:.2f}"
            )
    Console().print(table)
    mean, largest = np.exp(np.mean(np.log(list(ratios.values())))), max(ratios, key=lambda name: ratios[name])
    print(f"{len(ratios)} runs: geometric mean {mean:.2f}, largest {ratios[largest]:.2f} ({largest})")


def plot(path: Path) -> None:
    """How the cost of a step grows, both engines."""
    lines: dict[str, list[tuple[float, float]]] = {}
    for name, (scene, counts, size) in SERIES.items():
        for count in counts:
            mj = mujoco.MjModel.from_xml_string(scene(count))
            dj = mujoco.MjData(mj)
            advance(mj, dj, 1.0, False)
            at = size(mj, dj)
            ours, theirs = measure(mj, dj)
            lines.setdefault(name, []).append((at, ours))
            lines.setdefault(f"{name}, MuJoCo, dashed", []).append((at, theirs))
    path.write_text(log_plot("Cost of a step", "bodies, contacts, dofs", "us a step", lines))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAME", help="only these models")
    parser.add_argument("--plot", type=Path, metavar="FILE.svg", help="draw how the cost grows instead")
    arguments = parser.parse_args()
    if arguments.plot:
        plot(arguments.plot)
    else:
        compare(arguments.names)


if __name__ == "__main__":
    main()
