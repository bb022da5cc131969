"""Microseconds of a call from Python: MuJoCo's, under its names here, and with the names of `sim`.

    python -m tests.bench.bench_calls [MODEL.xml] [--only NAME ...]

All three take turns in one process; each figure is the shortest of many. The goal is a ratio of at most 1.5.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import mujoco
import numpy as np
from rich.console import Console
from rich.table import Table

import sim
import sim.mujoco
from tests.bench.timing import best

ROOT = Path(__file__).parents[2]
GOAL = 1.5
STEPS = 200
Calls = Mapping[str, Callable[[], object]]


def named(api: Any, m: Any, d: Any) -> Calls:
    """Calls with MuJoCo's names."""
    body, joint, torso = m.nbody - 1, m.joint(m.njnt - 1).name, m.body(m.nbody - 1).name
    jacp, jacr, res, vec = np.zeros((3, m.nv)), np.zeros((3, m.nv)), np.zeros(m.nv), np.ones(m.nv)
    point, down, found = np.array([0.1, 0.2, 1.0]), np.array([0.0, 0.0, -1.0]), np.zeros(1, np.int32)
    six, qpos, configuration = np.zeros(6), m.qpos0.copy(), m.qpos0.copy()
    full = int(api.mjtState.mjSTATE_FULLPHYSICS)
    state = np.zeros(api.mj_stateSize(m, full))
    api.mj_getState(m, d, state, full)
    return {
        "step": lambda: api.mj_step(m, d),
        "forward": lambda: api.mj_forward(m, d),
        "kinematics": lambda: api.mj_kinematics(m, d),
        "jac": lambda: api.mj_jac(m, d, jacp, jacr, point, body),
        "jac_body": lambda: api.mj_jacBody(m, d, jacp, jacr, body),
        "jac_subtree_com": lambda: api.mj_jacSubtreeCom(m, d, jacp, body),
        "get_state": lambda: api.mj_getState(m, d, state, full),
        "set_state": lambda: api.mj_setState(m, d, state, full),
        "ray": lambda: api.mj_ray(m, d, point, down, None, 1, -1, found),
        "mul_m": lambda: api.mj_mulM(m, d, res, vec),
        "object_velocity": lambda: api.mj_objectVelocity(m, d, api.mjtObj.mjOBJ_BODY, body, six, 0),
        "integrate_pos": lambda: api.mj_integratePos(m, configuration, vec, 1e-9),
        "differentiate_pos": lambda: api.mj_differentiatePos(m, res, 0.1, qpos, qpos),
        "name2id": lambda: api.mj_name2id(m, api.mjtObj.mjOBJ_JOINT, joint),
        "d.joint(n).qpos": lambda: d.joint(joint).qpos,
        "d.body(n).xpos": lambda: d.body(torso).xpos,
        "d.qpos[0]": lambda: d.qpos[0],
        "d.time": lambda: d.time,
        "m.opt.timestep": lambda: m.opt.timestep,
        "Data": lambda: api.MjData(m),
    }


def own(m: sim.Model, d: sim.Data) -> Calls:
    """The same with the names of `sim`."""
    body, joint, torso = m.nbody - 1, m.names["joint"][-1], m.names["body"][-1]
    point, down, state = np.array([0.1, 0.2, 1.0]), np.array([0.0, 0.0, -1.0]), sim.get_state(m, d)
    return {
        "step": lambda: sim.step(m, d),
        "forward": lambda: sim.forward(m, d),
        "jac": lambda: sim.jac(m, d, point, body),
        "jac_body": lambda: sim.jac_body(m, d, body),
        "jac_subtree_com": lambda: sim.jac_subtree_com(m, d, body),
        "get_state": lambda: sim.get_state(m, d),
        "set_state": lambda: sim.set_state(m, d, state),
        "ray": lambda: sim.ray(m, d, point, down),
        "d.joint(n).qpos": lambda: d.joint(joint).qpos,
        "d.body(n).xpos": lambda: d.body(torso).xpos,
        "d.qpos[0]": lambda: d.qpos[0],
        "d.time": lambda: d.time,
        "m.opt.timestep": lambda: m.opt.timestep,
        "Data": lambda: sim.Data(m),
    }


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("file", nargs="?", default=ROOT / "scenes" / "humanoid.xml", type=Path, metavar="MODEL.xml")
    parser.add_argument("--only", nargs="*", default=[], metavar="NAME")
    options = parser.parse_args()
    calls: list[Calls] = []
    for api in (mujoco, sim.mujoco):
        m: Any = api.MjModel.from_xml_path(str(options.file))
        d = api.MjData(m)
        for _ in range(STEPS):
            api.mj_step(m, d)
        calls.append(named(api, m, d))
    ours = sim.load(options.file)
    data = sim.Data(ours)
    sim.step(ours, data, nstep=STEPS)
    calls.append(own(ours, data))
    table = Table(title="microseconds of a call")
    for column in ("call", "MuJoCo", "its names here", "ratio", "sim", "ratio"):
        table.add_column(column, justify="left" if column == "call" else "right")
    worst = 0.0
    for name in options.only or calls[0]:
        there = [made[name] for made in calls if name in made]
        theirs, *times = (1e6 * seconds for seconds in best(*there, rounds=20, calls=100))
        worst = max(worst, *(time / theirs for time in times))
        cells = [cell for time in times for cell in (f"{time:.2f}", f"{time / theirs:.1f}")]
        table.add_row(name, f"{theirs:.2f}", *cells)
    Console().print(table)
    return int(worst > GOAL)


if __name__ == "__main__":
    sys.exit(main())
