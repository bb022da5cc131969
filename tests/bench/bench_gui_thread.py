"""The simulation's rate beside a GUI thread that is busy in Python for 10 of every 16 ms, relative to its rate alone.

    python tests/bench/bench_gui_thread.py [SCENE] [--seconds S] [--rounds N]

The first row is the viewer's own simulation thread, its clock told to run as fast as it can; the others show
what its two measures are worth: long native calls and a short switch interval. Goal: at least 0.85.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT))

import sim  # noqa: E402
from app import commands as cmd  # noqa: E402
from app.resources import find_scene, open_command  # noqa: E402
from app.sim_thread import SWITCH_INTERVAL, SimThread  # noqa: E402

DEFAULT_INTERVAL = 0.005
FRAME, BUSY = 0.016, 0.010
GOAL = 0.85


def watch(seconds: float, busy: bool) -> float:
    """Be the GUI thread for a while; the time that passed."""
    began = time.perf_counter()
    frame = began
    count = 0
    while frame < began + seconds:
        frame += FRAME
        if busy:
            end = frame - FRAME + BUSY
            while time.perf_counter() < end:
                count += 1
        time.sleep(max(frame - time.perf_counter(), 0.0))
    return time.perf_counter() - began


def viewer_rate(path: Path, seconds: float, busy: bool) -> float:
    """Steps per second of the viewer's simulation thread."""
    simulation = SimThread(sim)
    simulation.start()
    simulation.send(open_command(path))
    while not simulation.latest.run.ready:
        time.sleep(0.01)
    # beyond what commands allow: never wait for wall time
    simulation._clock.speed = 1e6
    watch(0.3, busy)
    before = simulation.latest.run.steps
    elapsed = watch(seconds, busy)
    steps = simulation.latest.run.steps - before
    simulation.send(cmd.SetPaused(True))
    simulation.close()
    return steps / elapsed


def plain_rate(path: Path, seconds: float, busy: bool, chunk: int) -> float:
    """Steps per second of a plain loop on a thread, `chunk` steps per native call."""
    model = sim.load(str(path))
    data = sim.Data(model)
    sim.step(model, data, 1)
    steps, stop = [0], threading.Event()

    def loop() -> None:
        while not stop.is_set():
            sim.step(model, data, chunk)
            steps[0] += chunk

    thread = threading.Thread(target=loop)
    thread.start()
    watch(0.3, busy)
    before = steps[0]
    elapsed = watch(seconds, busy)
    done = steps[0] - before
    stop.set()
    thread.join()
    return done / elapsed


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else "")
    parser.add_argument("scene", nargs="?", default="humanoid")
    parser.add_argument("--seconds", type=float, default=2.0)
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    path = find_scene(options.scene)
    rate_1 = plain_rate(path, 0.5, False, 100)
    chunk = max(round(0.002 * rate_1), 1)
    rows: list[tuple[str, float, Callable[[bool], float]]] = [
        ("viewer's simulation thread", SWITCH_INTERVAL, lambda busy: viewer_rate(path, options.seconds, busy)),
        (f"{chunk} steps a call", SWITCH_INTERVAL, lambda busy: plain_rate(path, options.seconds, busy, chunk)),
        (f"{chunk} steps a call", DEFAULT_INTERVAL, lambda busy: plain_rate(path, options.seconds, busy, chunk)),
        ("1 step a call", SWITCH_INTERVAL, lambda busy: plain_rate(path, options.seconds, busy, 1)),
        ("1 step a call", DEFAULT_INTERVAL, lambda busy: plain_rate(path, options.seconds, busy, 1)),
    ]
    print(f"{path.stem}, GUI thread busy {BUSY * 1e3:.0f} of every {FRAME * 1e3:.0f} ms, goal {GOAL}")
    print(f"{'loop':<28}{'switch ms':>10}{'alone 1/s':>12}{'beside 1/s':>12}{'ratio':>8}")
    for name, interval, measure in rows:
        alone, beside = [], []
        for _ in range(options.rounds):
            for busy, rates in ((False, alone), (True, beside)):
                sys.setswitchinterval(interval)
                rates.append(measure(busy))
        a, b = statistics.median(alone), statistics.median(beside)
        print(f"{name:<28}{interval * 1e3:>10.1f}{a:>12.0f}{b:>12.0f}{b / a:>8.2f}")


if __name__ == "__main__":
    main()
