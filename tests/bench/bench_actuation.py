"""Step time of models with many actuators, ours over MuJoCo's, in one process; and what a Python callback costs.

    python -m tests.bench.bench_actuation

Constraints and sensors are off in both engines. Both step 1,000 times a call; the best of 30 calls counts.
"""

from __future__ import annotations

import time

import mujoco
import numpy as np
from rich.console import Console
from rich.table import Table

import sim
from tests import oracle
from tests.bench.timing import best

STEPS = 1000
OFF = ("CONSTRAINT", "CONTACT", "SENSOR", "ISLAND")
SEGMENTS, PER_SEGMENT = 20, 5


def trunk(actuators: str, tendons: str = "") -> str:
    """A chain of 20 hinges; ribs carry sites on both sides of every segment."""
    bodies = ""
    for k in range(SEGMENTS):
        sites = "".join(
            f'<site name="s{k}_{n}" pos="{0.1 * np.cos(n):.4f} {0.1 * np.sin(n):.4f} 0"/>' for n in range(PER_SEGMENT)
        )
        axis = "1 0 0" if k % 2 else "0 1 0"
        bodies += (
            f'<body pos="0 0 .1"><joint name="j{k}" axis="{axis}" damping=".1" stiffness="1"/>'
            f'<geom type="capsule" size=".03" fromto="0 0 0 0 0 .1"/>{sites}'
        )
    sites = "".join(f'<site name="w_{n}" pos="{0.1 * np.cos(n):.4f} {0.1 * np.sin(n):.4f} 0"/>' for n in range(5))
    return (
        f"<mujoco><worldbody>{sites}{bodies}{'</body>' * SEGMENTS}</worldbody>"
        f"<tendon>{tendons}</tendon><actuator>{actuators}</actuator></mujoco>"
    )


def spatial_muscles() -> str:
    """100 muscles, each along a tendon over two segments."""
    tendons, muscles = "", ""
    for k in range(SEGMENTS):
        for n in range(PER_SEGMENT):
            first = f"s{k - 2}_{n}" if k > 1 else f"w_{n}"
            via = f'<site site="s{k - 1}_{n}"/>' if k > 0 else ""
            tendons += f'<spatial name="t{k}_{n}"><site site="{first}"/>{via}<site site="s{k}_{n}"/></spatial>'
            muscles += f'<muscle tendon="t{k}_{n}" lengthrange=".1 .4" force="1"/>'
    return trunk(muscles, tendons)


def per_joint(element: str) -> str:
    """100 actuators, five for every joint."""
    return trunk("".join(element.format(j=f"j{k}") for k in range(SEGMENTS) for _ in range(PER_SEGMENT)))


MODELS = {
    "100 muscles on tendons": spatial_muscles(),
    "100 muscles on joints": per_joint('<muscle joint="{j}" lengthrange="-1 1" force="1"/>'),
    "100 position servos": per_joint('<position joint="{j}" kp="1" kv=".1"/>'),
    "100 filters": per_joint('<general joint="{j}" dyntype="filterexact" dynprm=".1" gainprm=".1"/>'),
    "no actuators": trunk(""),
}


def engines(xml: str) -> tuple[mujoco.MjModel, mujoco.MjData, sim.Model, sim.Data]:
    mj = mujoco.MjModel.from_xml_string(xml)
    oracle.disable(mj, OFF)
    m = oracle.model_of(mj)
    dj, d = mujoco.MjData(mj), sim.Data(m)
    dj.ctrl[:] = d.ctrl[:] = np.random.default_rng(0).random(mj.nu)
    sim.prepare(m, edits=False)
    return mj, dj, m, d


def measure(xml: str) -> tuple[float, float]:
    """(our microseconds a step, MuJoCo's)."""
    mj, dj, m, d = engines(xml)
    ours, theirs = best(lambda: sim.step(m, d, STEPS), lambda: mujoco.mj_step(mj, dj, STEPS))
    assert np.isfinite(d.qpos).all()
    return ours / STEPS * 1e6, theirs / STEPS * 1e6


def callback_cost() -> float:
    """Microseconds that one call of a user's Python function adds to a step."""
    *_, m, d = engines(trunk('<general joint="j0" gaintype="user"/>'))
    *_, plain, data = engines(trunk('<general joint="j0"/>'))
    sim.callbacks.act_gain = lambda m, d, i: 1.0
    shortest = [1e9, 1e9]
    for _ in range(20):
        for k, (model, state) in enumerate(((m, d), (plain, data))):
            start = time.perf_counter()
            sim.step(model, state, STEPS)
            shortest[k] = min(shortest[k], time.perf_counter() - start)
    sim.callbacks.act_gain = None
    return (shortest[0] - shortest[1]) / STEPS * 1e6


def main() -> None:
    table = Table("model", "ours us", "MuJoCo us", "ours / MuJoCo")
    for name, xml in MODELS.items():
        ours, theirs = measure(xml)
        table.add_row(name, f"{ours:.2f}", f"{theirs:.2f}", f"{ours / theirs:.2f}")
    Console().print(table)
    Console().print(f"a Python callback: {callback_cost():.1f} us a call")


if __name__ == "__main__":
    main()
