"""The rate of a script's loop beside a passive viewer, relative to its rate alone.

    python tests/bench/bench_passive.py [MODEL ...] [--seconds S] [--rounds N] [--sleep S]

The loop steps and syncs as fast as it can, or sleeps after each step. Needs a screen. Alone and beside are measured in
turns, and the medians compared: other work on the machine disturbs both. Goal for a loop without sleep: at least 0.9.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT))

import sim  # noqa: E402
from app import viewer  # noqa: E402
from app.files.resources import find_scene  # noqa: E402

GOAL = 0.9
# a window that was just opened draws more
SETTLING_SECONDS = 3.0


def rate(m: sim.Model, d: sim.Data, seconds: float, sleep: float, v: viewer.Handle | None = None) -> float:
    """Steps per second."""
    began = time.perf_counter()
    steps = 0
    while time.perf_counter() < began + seconds:
        sim.step(m, d)
        steps += 1
        if v is not None:
            v.sync()
        if sleep:
            time.sleep(sleep)
    return steps / (time.perf_counter() - began)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else "")
    parser.add_argument("models", nargs="*", default=["humanoid", "ragdolls"])
    parser.add_argument("--seconds", type=float, default=4.0)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--sleep", type=float, default=0.0)
    options = parser.parse_args()
    print(f"{'model':<16}{'alone 1/s':>12}{'beside 1/s':>12}{'ratio':>8}{'fps':>8}   goal {GOAL}")
    for name in options.models:
        m = sim.load(str(find_scene(name)))
        d = sim.Data(m)
        sim.step(m, d, 100)
        alone, beside, fps = [], [], []
        for _ in range(options.rounds):
            alone.append(rate(m, d, options.seconds, options.sleep))
            with viewer.launch_passive(m, d) as v:
                rate(m, d, SETTLING_SECONDS, options.sleep, v)
                beside.append(rate(m, d, options.seconds, options.sleep, v))
                fps.append(v.view.feedback.fps)
        a, b, f = (statistics.median(values) for values in (alone, beside, fps))
        print(f"{name:<16}{a:>12.0f}{b:>12.0f}{b / a:>8.2f}{f:>8.1f}")


if __name__ == "__main__":
    main()
