"""Cost of a step while some of 100 ragdolls sleep: ours, MuJoCo's with sleep, and both against all awake.

    python -m tests.bench.bench_sleep

The dolls drop, come to rest and fall asleep; then 0, 1, 10 and all of them are kept awake by their policy. The first
row is a step with sleep switched off. Both engines step many times a call; the best of 20 calls counts, in time of the
processor. The cost of a sleeping doll is the time of a step in which all sleep, less that of an empty world, over 100.
"""

from __future__ import annotations

import time

import mujoco
import numpy as np
from rich.console import Console
from rich.table import Table

import sim
from sim.enums import ENBL_SLEEP, SLEEP_AUTO_ALLOWED, SLEEP_NEVER
from tests import oracle
from tests.bench.timing import best

DOLLS, ROUNDS, SETTLE = 100, 20, 1500
LIMB = '<geom type="capsule" size=".025" fromto="0 0 0 {end}"/>'


def limb(at: str, end: str) -> str:
    """An arm or a leg: two capsules, a ball joint and a hinge."""
    return f"""<body pos="{at}"><joint type="ball" range="0 1.4" limited="true"/>{LIMB.format(end=end)}
    <body pos="{end}"><joint axis="0 1 0" range="0 2.2" limited="true"/>{LIMB.format(end=end)}</body></body>"""


def doll(x: float, y: float) -> str:
    """28 dofs."""
    return f"""<body pos="{x} {y} .3" euler="{20 * x + 10} 80 {30 * y}"><freejoint/>
    <geom type="capsule" size=".06" fromto="0 -.05 0 0 .05 0"/>
    <body pos="0 0 .1"><joint type="ball" range="0 .6" limited="true"/><geom size=".06" pos="0 0 .06"/></body>
    <body pos="0 0 -.1"><joint type="ball" range="0 .6" limited="true"/>
    <geom type="capsule" size=".05" fromto="0 -.03 -.05 0 .03 -.05"/></body>
    {limb("0 .12 .05", "0 .15 0")}{limb("0 -.12 .05", "0 -.15 0")}
    {limb("0 .05 -.22", "0 0 -.17")}{limb("0 -.05 -.22", "0 0 -.17")}</body>"""


def world(dolls: int) -> str:
    side = int(np.ceil(np.sqrt(max(1, dolls))))
    bodies = "".join(doll(1.2 * (k % side), 1.2 * (k // side)) for k in range(dolls))
    return f"""<mujoco><option timestep="0.004" sleep_tolerance=".05"><flag sleep="enable"/></option>
    <default><joint damping=".05" frictionloss=".02" armature=".002"/></default>
    <worldbody><geom type="plane" size="0 0 .1"/>{bodies}</worldbody></mujoco>"""


class Both:
    """The same model in both engines."""

    def __init__(self, dolls: int) -> None:
        self.mj = mujoco.MjModel.from_xml_string(world(dolls))
        self.dj = mujoco.MjData(self.mj)
        self.m = oracle.model_of(self.mj)
        self.d = sim.Data(self.m)
        sim.prepare(self.m, edits=False)

    def run(self, steps: int) -> None:
        sim.step(self.m, self.d, steps)
        mujoco.mj_step(self.mj, self.dj, steps)

    def keep_awake(self, count: int) -> None:
        for policy in (self.m.tree_sleep_policy, self.mj.tree_sleep_policy):
            policy[:] = SLEEP_AUTO_ALLOWED
            policy[:count] = SLEEP_NEVER

    def time(self, steps: int) -> list[float]:
        """Microseconds a step: ours, MuJoCo's."""
        runs = (lambda: sim.step(self.m, self.d, steps), lambda: mujoco.mj_step(self.mj, self.dj, steps))
        return [t / steps * 1e6 for t in best(*runs, rounds=ROUNDS, clock=time.thread_time)]


def main() -> None:
    console = Console()
    both = Both(DOLLS)
    both.run(SETTLE)
    table = Table("awake", "asleep: ours, MuJoCo", "ours us", "MuJoCo us", "ours / MuJoCo", "ours / all awake")
    times: dict[object, list[float]] = {}
    for count in ("no sleep", DOLLS, 10, 1, 0):
        flag = 0 if count == "no sleep" else ENBL_SLEEP
        both.m.opt.enableflags = both.mj.opt.enableflags = flag
        both.keep_awake(DOLLS if count == "no sleep" else int(count))
        both.run(100)
        times[count] = both.time(10 if flag == 0 or count == DOLLS else 200)
        ours, theirs = times[count]
        asleep = f"{(both.d.tree_asleep >= 0).sum()}, {(both.dj.tree_asleep >= 0).sum()}"
        share = ours / times["no sleep"][0]
        table.add_row(str(count), asleep, f"{ours:.2f}", f"{theirs:.2f}", f"{ours / theirs:.2f}", f"{share:.4f}")
    console.print(table)
    empty = Both(0).time(2000)
    each = [(times[0][k] - empty[k]) / DOLLS * 1000 for k in range(2)]
    console.print(f"a sleeping doll costs {each[0]:.0f} ns a step, MuJoCo's {each[1]:.0f} ns")


if __name__ == "__main__":
    main()
