"""Step time with each integrator, ours over MuJoCo's, in one process.

    python -m tests.bench.bench_integrate

Constraints and sensors are off in both engines, so the integrator and what it asks of the pipeline stand out. The
last columns are the cost of the integrator alone: the step less that of Euler without damping. Both step 1,000
times a call, from the same state every time; the best of 30 calls counts.
"""

from __future__ import annotations

import mujoco
import numpy as np
from rich.console import Console
from rich.table import Table

import sim
from sim.enums import DSBL_EULERDAMP, INT_EULER, INT_IMPLICIT, INT_IMPLICITFAST, INT_RK4
from tests import oracle
from tests.bench.bench_actuation import spatial_muscles, trunk
from tests.bench.bench_smooth import OFF, SCENES
from tests.bench.timing import best
from tests.sim import models

STEPS = 200
INTEGRATORS = {"Euler": INT_EULER, "RK4": INT_RK4, "implicit": INT_IMPLICIT, "implicitfast": INT_IMPLICITFAST}


def boxes() -> str:
    """100 free bodies."""
    body = "<body pos='{} 0 0'><freejoint/><geom type='box' size='.1 .2 .3'/></body>"
    return f"<mujoco><worldbody>{''.join(body.format(k) for k in range(100))}</worldbody></mujoco>"


def scenes() -> dict[str, str]:
    """Name -> MJCF."""
    servos = "".join(f'<position joint="j{k}" kp="10" kv="1"/>' for k in range(20))
    return {
        "humanoid": (SCENES / "humanoid.xml").read_text(),
        "20 servos": trunk(servos),
        "100 muscles": spatial_muscles(),
        "100 boxes": boxes(),
        "ball chain": (SCENES / "ball_chain.xml").read_text(),
        "in a medium": models.MEDIUM,
    }


def measure(xml: str, integrator: int, flags: int = 0) -> tuple[float, float]:
    """Microseconds a step: ours, MuJoCo's."""
    mj = mujoco.MjModel.from_xml_string(xml)
    oracle.disable(mj, set(OFF) - {"ACTUATION"})
    mj.opt.disableflags |= flags
    mj.opt.integrator = integrator
    dj = mujoco.MjData(mj)
    dj.qvel[:] = 0.01 * np.random.default_rng(1).normal(size=mj.nv)
    start = dj.qpos.copy(), dj.qvel.copy()
    m = oracle.model_of(mj)
    d = sim.Data(m)
    sim.prepare(m, edits=False)

    def ours() -> None:
        d.qpos, d.qvel = start
        sim.step(m, d, STEPS)

    def theirs() -> None:
        dj.qpos[:], dj.qvel[:] = start
        mujoco.mj_step(mj, dj, STEPS)

    a, b = best(ours, theirs)
    return a / STEPS * 1e6, b / STEPS * 1e6


def main() -> None:
    table = Table("model", "integrator", "ours us", "MuJoCo us", "ours / MuJoCo", "alone, ours us", "MuJoCo us")
    for name, xml in scenes().items():
        plain = measure(xml, INT_EULER, DSBL_EULERDAMP)
        for label, integrator in INTEGRATORS.items():
            a, b = measure(xml, integrator)
            alone = [f"{max(0.0, x - y):.2f}" for x, y in zip((a, b), plain, strict=True)]
            table.add_row(name, label, f"{a:.2f}", f"{b:.2f}", f"{a / b:.2f}", *alone)
    Console().print(table)


if __name__ == "__main__":
    main()
