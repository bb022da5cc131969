"""What the history of a run and its recording cost: steps, scrubbing, memory, bytes on disk.

    python -m tests.bench.bench_history [SCENE ...] [--minutes 10]

Blocks of steps without a history, with one, and with a recording alternate, so that all meet the same noise; a ratio is
the median over blocks. Then random moments are gone to: those in memory, and those of the whole run.
"""

from __future__ import annotations

import argparse
import random
import tempfile
import time
from pathlib import Path

import numpy as np

import sim
from app.files.resources import find_scene
from app.run import commands as cmd
from app.run.simulation import Simulation

BLOCKS, BLOCK_SECONDS = 30, 0.3
# steps of one native call, as the simulation thread makes them
CALL = 0.006
GOES = 200


def opened(path: Path) -> Simulation:
    """A simulation of a file, at its start, without a thread."""
    simulation = Simulation(sim, paused=True)
    simulation.handle(cmd.LoadModel(str(path)))
    while not simulation.status.run.ready:
        simulation.receive(0.05)
        assert simulation.status.run.problem is None, simulation.status.run.problem
    return simulation


def block(simulation: Simulation, steps: int, call: int, history: bool) -> float:
    """Seconds of processor time of this thread for a block of steps."""
    model, data = simulation.live.model, simulation.live.data
    began = time.thread_time()
    for _ in range(steps // call):
        if history:
            simulation.travel.step(call)
            simulation.publish()
        else:
            sim.step(model, data, call)
    return time.thread_time() - began


def costs(path: Path, folder: Path) -> str:
    """The cost of a step with a history, and with a recording, relative to one without."""
    plain, kept, recorded = (opened(path) for _ in range(3))
    recorded.handle(cmd.StartRecording(str(folder / "cost.ktr")))
    plain.live.history.stop()
    sim.step(plain.live.model, plain.live.data, 200)
    began = time.thread_time()
    sim.step(plain.live.model, plain.live.data, 200)
    each = (time.thread_time() - began) / 200
    call = max(int(CALL / each), 1)
    steps = max(int(BLOCK_SECONDS / each) // call, 1) * call
    ratios = []
    for one in (kept, recorded):
        one.travel.step(400)
    for _ in range(BLOCKS):
        # all from the same state
        state = sim.copy_state(plain.live.model, plain.live.data)
        times = []
        for one in (plain, kept, recorded):
            sim.restore_state(one.live.model, one.live.data, state)
            times.append(block(one, steps, call, one is not plain))
        ratios.append([times[1] / times[0], times[2] / times[0]])
    for one in (plain, kept, recorded):
        one.handle(cmd.Quit())
    history, recording = np.median(ratios, axis=0)
    return f"history {history:.3f}, with a recording {recording:.3f} of the cost of a step ({each * 1e6:.1f} us)"


def long_run(path: Path, minutes: float, folder: Path) -> list[str]:
    """A long run: its recording, its memory, and going to random moments."""
    simulation = opened(path)
    file = folder / "long.ktr"
    simulation.handle(cmd.StartRecording(str(file)))
    steps, call = round(minutes * 60 / float(simulation.live.model.opt.timestep)), 200
    for done in range(0, steps, call):
        simulation.travel.step(min(call, steps - done))
        simulation.publish()
    simulation.handle(cmd.StopRecording())
    timeline = simulation.live.history.timeline()
    memory = timeline.memory
    kept = f"checkpoints {memory.checkpoints / 1e6:.1f} MB, scratch file {memory.disk >> 20} MB"
    lines = [
        f"{minutes:g} min, {steps} steps: {file.stat().st_size / minutes / 1e3:.0f} kB a minute in a file",
        f"memory: tape {memory.tape >> 20} MB ({memory.dense_steps} steps), {kept}",
    ]
    for name, first in (("in memory", max(timeline.last - memory.dense_steps + 10, 0)), ("anywhere", 0)):
        found = []
        for _ in range(GOES):
            began = time.perf_counter()
            simulation.handle(cmd.GoTo(random.randint(first, timeline.last)))
            found.append(time.perf_counter() - began)
        median, most = 1e3 * np.median(found), 1e3 * max(found)
        lines.append(f"to a random moment {name}: median {median:.2f} ms, most {most:.1f} ms")
    simulation.handle(cmd.Quit())
    return lines


def main() -> None:
    """Print a few lines for each scene."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("scenes", nargs="*", default=["humanoid", "ragdolls", "sleepers"])
    parser.add_argument("--minutes", type=float, default=10.0)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        for name in options.scenes:
            path = find_scene(name)
            print(f"{name}: {costs(path, Path(folder))}", flush=True)
            for line in long_run(path, options.minutes, Path(folder)):
                print(f"{name}: {line}", flush=True)


if __name__ == "__main__":
    main()
