"""Step time of contact-free models, ours over MuJoCo's, in one process.

    python -m tests.bench.bench_smooth [MODEL.xml ...]

Constraints, actuators and sensors are off in both engines, so both do kinematics, centres of mass, inertia, its
factor, bias and passive forces, acceleration and Euler. Both step 1,000 times a call; the best of 30 calls counts.
"""

from __future__ import annotations

import sys
from pathlib import Path

import mujoco
from rich.console import Console
from rich.table import Table

import sim
from tests import oracle
from tests.bench.timing import best
from tests.sim.models import OURS_ALONE

SCENES = Path(__file__).parents[2] / "scenes"
STEPS = 1000
OFF = ("CONSTRAINT", "CONTACT", "ACTUATION", "SENSOR", "ISLAND")


def measure(path: Path) -> tuple[int, float, float]:
    """(dofs, our microseconds a step, MuJoCo's)."""
    mj = mujoco.MjModel.from_xml_path(str(path))
    oracle.disable(mj, OFF)
    dj = mujoco.MjData(mj)
    m = oracle.model_of(mj)
    d = sim.Data(m)
    sim.prepare(m, edits=False)
    ours, theirs = best(lambda: sim.step(m, d, STEPS), lambda: mujoco.mj_step(mj, dj, STEPS))
    return mj.nv, ours / STEPS * 1e6, theirs / STEPS * 1e6


def main() -> None:
    paths = [Path(p) for p in sys.argv[1:]] or [p for p in sorted(SCENES.glob("*.xml")) if p.stem not in OURS_ALONE]
    table = Table("model", "dofs", "ours us", "MuJoCo us", "ours / MuJoCo")
    for path in paths:
        nv, ours, theirs = measure(path)
        table.add_row(path.stem, str(nv), f"{ours:.2f}", f"{theirs:.2f}", f"{ours / theirs:.2f}")
    Console().print(table)


if __name__ == "__main__":
    main()
