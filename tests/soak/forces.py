"""Forces by source sum to qacc: on the bundled scenes and on models in files, in many states, with every integrator.

    python -m tests.soak.forces [--limit 1e-10] [--list MODELS.txt ...] [MODEL ...]

Without models, on all bundled scenes. A list has one path per line. Every model is looked at in its initial state, in
its first keyframes and after steps with random controls, with each integrator, with and without sleep, noslip and the
other cone. Errors are relative to the largest term of the same dof; "body" is relative to the largest share in the
acceleration of the body.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import numpy as np

import sim
from app.files.resources import bundled_scenes
from sim.enums import ENBL_SLEEP, INT_EULER, INT_IMPLICIT, INT_IMPLICITFAST, INT_RK4, INT_SPRINGDAMPER
from tests.sim.analysis.force_check import errors
from tests.soak.scenes import controls

INTEGRATORS = {
    "euler": INT_EULER, "rk4": INT_RK4, "implicit": INT_IMPLICIT, "implicitfast": INT_IMPLICITFAST,
    "springdamper": INT_SPRINGDAMPER,
}  # fmt: skip
STEPS = (50, 250)


def variants(m: sim.Model) -> Iterator[str]:
    """Settings of a model to look at, by name; the model has them while it is looked at."""
    given = m.opt.integrator, m.opt.enableflags, m.opt.noslip_iterations, m.opt.cone
    yield "as it is"
    for name, integrator in INTEGRATORS.items():
        m.opt.integrator = integrator
        yield name
    m.opt.integrator, m.opt.enableflags = given[0], given[1] ^ ENBL_SLEEP
    yield "sleep switched"
    m.opt.enableflags, m.opt.noslip_iterations = given[1], 0 if given[2] else 3
    yield "noslip switched"
    m.opt.noslip_iterations, m.opt.cone = given[2], 1 - given[3]
    yield "cone switched"
    m.opt.cone = given[3]


def moments(m: sim.Model) -> Iterator[tuple[str, sim.Data]]:
    """States of a model, forwarded."""
    for key in (None, *range(min(2, m.nkey))):
        d = sim.Data(m)
        sim.reset(m, d, key)
        sim.forward(m, d)
        yield "start" if key is None else f"key {key}", d
    done = 0
    first = d.ctrl.copy()
    for steps in STEPS:
        while done < steps:
            if m.nu:
                d.ctrl = controls(m, first, done)
            if m.nv and done == 40:
                d.xfrc_applied[m.nbody - 1] = (0.1, 0.2, 0.3, 0.01, 0.02, 0.03)
            sim.step(m, d, 10)
            done += 10
        sim.forward(m, d)
        yield f"step {steps}", d


def look_at(path: Path, limit: float) -> tuple[dict[str, float], list[str], int]:
    """(the largest error of each kind, complaints, moments)"""
    worst: Counter[str] = Counter()
    complaints, count = [], 0
    m = sim.load(path)
    for variant in variants(m):
        for moment, d in moments(m):
            if not all(np.isfinite(x).all() for x in (d.qacc, d.qvel, d.qpos)):
                complaints.append(f"{variant}, {moment}: not finite")
                continue
            found = errors(m, d)
            count += 1
            for name, error in found.items():
                worst[name] = max(worst[name], error)
                if not error <= limit:
                    complaints.append(f"{variant}, {moment}: {name} {error:.1e}")
    return dict(worst), complaints, count


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("models", nargs="*", type=Path)
    parser.add_argument("--list", action="append", type=Path, default=[], help="file with one path per line")
    parser.add_argument("--limit", type=float, default=1e-10)
    given = parser.parse_args()
    paths = [*given.models, *(Path(line) for file in given.list for line in file.read_text().split())]
    total: Counter[str] = Counter()
    bad = moments_seen = 0
    for path in paths or [scene.path for scene in bundled_scenes()]:
        start = time.perf_counter()
        try:
            worst, complaints, count = look_at(path, given.limit)
        except Exception as error:
            worst, complaints, count = {}, [f"{type(error).__name__}: {str(error)[:200]}"], 0
        moments_seen += count
        for name, error in worst.items():
            total[name] = max(total[name], error)
        bad += bool(complaints)
        figures = "  ".join(f"{name} {error:.1e}" for name, error in worst.items())
        print(f"{path.stem:<28}{count:>4}  {figures}  {time.perf_counter() - start:.0f} s", flush=True)
        for complaint in complaints[:6]:
            print("    ", complaint, flush=True)
    print(f"{moments_seen} moments, {bad} models with complaints; largest:", dict(total))
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
