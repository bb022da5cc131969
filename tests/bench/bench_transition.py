"""Linear models of a step, ours over MuJoCo's, in one process.

    python -m tests.bench.bench_transition

transition_fd on one thread and on all cores against mjd_transitionFD, which has one thread; then `transition`, which
has formulas for most of its columns where no constraint row is in place. Centred differences, without sensors.
Both start from the same settled state; the best of several calls counts.
"""

from __future__ import annotations

import mujoco
import numpy as np
from rich.console import Console
from rich.table import Table

import sim
from sim.enums import INT_EULER, INT_IMPLICITFAST
from sim.jit.build import cores
from tests import oracle
from tests.bench.bench_smooth import SCENES
from tests.bench.timing import best

MODELS = ("humanoid", "quadruped", "gripper", "tendon_arm", "ball_chain", "double_pendulum")


def measure(name: str, integrator: int) -> list[str]:
    """A row of the table."""
    mj = mujoco.MjModel.from_xml_path(str(SCENES / f"{name}.xml"))
    mj.opt.integrator = integrator
    dj = mujoco.MjData(mj)
    mujoco.mj_step(mj, dj, 300)
    m = oracle.model_of(mj)
    d = sim.Data(m)
    oracle.copy_fields(dj, d, oracle.STATE)
    n = 2 * mj.nv + mj.na
    a, b = np.zeros((n, n)), np.zeros((n, mj.nu))

    def theirs() -> None:
        mujoco.mjd_transitionFD(mj, dj, 1e-6, True, a, b, None, None)

    cells = []
    for ours in (
        lambda: sim.transition_fd(m, d, nthread=1, sensors=False),
        lambda: sim.transition_fd(m, d, nthread=cores(), sensors=False),
        lambda: sim.transition(m, d, nthread=1, sensors=False),
    ):
        ours()
        mine, his = best(ours, theirs)
        cells.append(f"{his / mine:.2f}")
    return [name, str(mj.nv), str(d.nefc or dj.nefc), f"{his * 1e3:.2f}", *cells]


def main() -> None:
    table = Table("model", "nv", "rows", "MuJoCo ms", "1 thread: MuJoCo / ours", f"{cores()} threads", "with formulas")
    for integrator in (INT_EULER, INT_IMPLICITFAST):
        for name in MODELS:
            table.add_row(*measure(name, integrator))
        table.add_section()
    Console().print(table)


if __name__ == "__main__":
    main()
