"""Ten simulated minutes of every bundled scene, controls noisy: no NaN, and no warning that MuJoCo does not give.

    python -m tests.soak.scenes [--minutes 10] [SCENE ...]

A warning of ours is forgiven if MuJoCo, with the same controls, gives one of the same kind within the same time.
The last column is the simulated time over the processor time that it took, loading included.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

import mujoco
import numpy as np

import sim
from app.files.resources import START_KEY, bundled_scenes
from sim.enums import WARN_CNSTRFULL, WARN_CONTACTFULL

PAUSE = 0.25  # seconds between one set of controls and the next
# kinds of warnings both engines have; the last one is ours alone
KINDS = len(mujoco.mjtWarning.__members__) - 1


def controls(m: sim.Model | mujoco.MjModel, first: np.ndarray, seed: int) -> np.ndarray:
    """All over the range of those that are limited, a little off the first ones for others."""
    rng = np.random.default_rng(seed)
    limited = m.actuator_ctrllimited.astype(bool)
    low, high = m.actuator_ctrlrange.T
    return np.where(limited, rng.uniform(np.where(limited, low, 0), np.where(limited, high, 1)), first)


def chunks(m: sim.Model | mujoco.MjModel, seconds: float) -> tuple[int, int]:
    """(sets of controls, steps with each)"""
    steps = max(1, round(PAUSE / m.opt.timestep))
    return max(1, round(seconds / (steps * m.opt.timestep))), steps


def run_ours(path: Path, seconds: float) -> tuple[str, list[int]]:
    """(what went wrong, or "", kinds of warnings that were given)"""
    m = sim.load(path)
    d = sim.Data(m)
    if START_KEY in m.names["key"]:
        sim.reset(m, d, m.name2id("key", START_KEY))
    first = d.ctrl.copy()
    number, steps = chunks(m, seconds)
    for k in range(number):
        d.ctrl = controls(m, first, k)
        sim.step(m, d, steps)
        if not all(np.isfinite(d.read(name)).all() for name in ("qpos", "qvel", "act", "qacc", "xpos", "efc_force")):
            return f"not finite at {d.time:.2f} s", warned(d)
        if d.warning.number[:KINDS].any():
            return f"warned at {d.time:.2f} s", warned(d)
    return "", warned(d)


def warned(d: sim.Data) -> list[int]:
    return np.flatnonzero(d.warning.number[:KINDS]).tolist()


def mujoco_warns(path: Path, seconds: float) -> set[int]:
    """Kinds of warnings that MuJoCo gives; the sizes of its buffers are its own affair."""
    mujoco.set_mju_user_warning(lambda message: None)
    mj = mujoco.MjModel.from_xml_path(str(path))
    dj = mujoco.MjData(mj)
    keys = [mj.key(k).name for k in range(mj.nkey)]
    if START_KEY in keys:
        mujoco.mj_resetDataKeyframe(mj, dj, keys.index(START_KEY))
    first = dj.ctrl.copy()
    number, steps = chunks(mj, seconds)
    kinds: set[int] = set()
    for k in range(number):
        dj.ctrl[:] = controls(mj, first, k)
        mujoco.mj_step(mj, dj, steps)
        kinds |= {kind for kind in range(KINDS) if dj.warning[kind].number}
    mujoco.set_mju_user_warning(None)
    return kinds - {WARN_CONTACTFULL, WARN_CNSTRFULL}


def soak(path: Path, seconds: float) -> str:
    """What is wrong with a scene, or ""."""
    wrong, kinds = run_ours(path, seconds)
    if wrong and kinds and set(kinds) <= mujoco_warns(path, seconds):
        return ""
    return wrong


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("scenes", nargs="*", metavar="SCENE", help="only these")
    parser.add_argument("--minutes", type=float, default=10.0, help="simulated time of each")
    options = parser.parse_args()
    failures = 0
    for scene in bundled_scenes():
        if options.scenes and scene.name not in options.scenes:
            continue
        begin = time.process_time()
        wrong = soak(scene.path, 60 * options.minutes)
        failures += wrong != ""
        speed = 60 * options.minutes / (time.process_time() - begin)
        print(f"{scene.name:16} {wrong or 'fine':24} {speed:6.1f} x real time", flush=True)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
