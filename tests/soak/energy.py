"""The audit of energy closes to rounding: on the bundled scenes and on models in files, with every integrator.

    python -m tests.soak.energy [--steps 200] [--limit 1e-12] [MODEL ...]

Without models, on all bundled scenes. Errors are what a step's work, by the formulas of each integrator, leaves of the
change of energy, relative to the energies and the work of the step. RK4 closes by definition; what is said of it is how
much of the energy it changes itself.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

import numpy as np

import sim
from app.files.resources import bundled_scenes
from sim.enums import (
    INT_DISCRETE,
    INT_EULER,
    INT_IMPLICIT,
    INT_IMPLICITFAST,
    INT_RK4,
    INT_SPRINGDAMPER,
)
from tests.sim.analysis.audit.audited import Audited, audited
from tests.soak.scenes import controls

INTEGRATORS = {
    "euler": INT_EULER, "rk4": INT_RK4, "implicit": INT_IMPLICIT, "implicitfast": INT_IMPLICITFAST,
    "discrete": INT_DISCRETE, "springdamper": INT_SPRINGDAMPER,
}  # fmt: skip


def look_at(m: sim.Model, steps: int) -> Audited:
    """Audit some steps from the first keyframe on, with controls that change."""
    d = sim.Data(m)
    sim.reset(m, d, 0 if m.nkey else None)
    first = d.ctrl.copy()

    def each(step: int) -> None:
        if m.nu and step % 10 == 0:
            d.ctrl = controls(m, first, step)

    return audited(m, d, steps, each=each)


def closes(found: Audited) -> float:
    """What the sum of all work leaves of the change of energy, relative to all that was moved."""
    total = found.total
    moved = sum(total.work_in.values()) - sum(total.work_out.values()) + total.most_kinetic
    moved += abs(total.end.potential) + abs(total.start.potential)
    left = total.change - sum(total.work_in.values()) - sum(total.work_out.values())
    return abs(left) / moved if moved else 0.0


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("models", nargs="*", type=Path)
    parser.add_argument("--steps", type=int, default=200)
    parser.add_argument("--limit", type=float, default=1e-12)
    given = parser.parse_args()
    bad = 0
    worst = 0.0
    for path in given.models or [scene.path for scene in bundled_scenes()]:
        m = sim.load(path)
        own = m.opt.integrator
        for name, integrator in {"as it is": own, **INTEGRATORS}.items():
            start = time.perf_counter()
            m.opt.integrator = integrator
            try:
                found = look_at(m, given.steps)
                error = max(found.total.rounding, closes(found))
            except Exception as problem:
                bad += 1
                print(f"{path.stem:<24}{name:<14}{type(problem).__name__}: {str(problem)[:100]}", flush=True)
                continue
            worst, complaint = max(worst, error), "" if error <= given.limit else "   <<<"
            bad += bool(complaint)
            part = found.work("integrator") / max(found.total.most_kinetic, np.finfo(float).tiny)
            figures = f"{error:9.1e}  integrator {part:+9.1e}  largest {found.largest().kind:<20}"
            seconds = time.perf_counter() - start
            print(f"{path.stem:<24}{name:<14}{figures} {seconds:.1f} s{complaint}", flush=True)
    print(f"largest {worst:.1e}, {bad} complaints")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
