"""Measure how fast a model steps, next to MuJoCo if that is installed.

Both engines start in the same state and alternate in blocks of steps, so that both meet the same noise. Processor time
is measured, without compilation.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from app.cli import EXIT_OK
from app.cli.arguments import add_model, existing, positive, progress_bar
from app.files.resources import start_key
from app.run.engine.installed import NoMujoco, load_mujoco, mujoco

BLOCKS = 10


@dataclass
class Runner:
    """One engine with the model."""

    name: str
    step: Callable[[int], None]
    data: Any
    seconds: float = 0.0

    def run(self, steps: int) -> None:
        """Make steps, and time them."""
        began = time.thread_time()
        self.step(steps)
        self.seconds += time.thread_time() - began


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Which model, for how long."""
    add_model(parser)
    parser.add_argument("--seconds", type=positive, default=2.0, metavar="T", help="simulated seconds; default 2")


def run(options: argparse.Namespace) -> int:
    """Print a table, one row per engine."""
    from rich.console import Console
    from rich.table import Table

    path = existing(options.model)
    with progress_bar("compiling") as progress:
        timestep, runners = _runners(path, progress)
        steps = max(round(options.seconds / timestep / BLOCKS), 1)
        for block in range(BLOCKS):
            progress(block, BLOCKS, "stepping")
            for runner in runners:
                runner.run(steps)
    table = Table(title=f"{path.name}, {steps * BLOCKS} steps", title_justify="left")
    table.add_column("engine")
    for heading in ("µs / step", "steps / s", "x real time", "contacts", "constraints"):
        table.add_column(heading, justify="right")
    for runner in runners:
        each = max(runner.seconds, 1e-9) / (steps * BLOCKS)
        counts = [str(int(runner.data.ncon)), str(int(runner.data.nefc))]
        table.add_row(runner.name, f"{1e6 * each:.2f}", f"{1 / each:,.0f}", f"{timestep / each:,.1f}", *counts)
    Console().print(table)
    if len(runners) == 2:
        print(f"time relative to MuJoCo: {runners[0].seconds / max(runners[1].seconds, 1e-9):.2f}")
    return EXIT_OK


def _runners(path: Path, progress: Callable[[int, int, str], None]) -> tuple[float, list[Runner]]:
    """Our engine, compiled, and MuJoCo if it is installed, in the state in which the viewer opens the file."""
    import sim

    ours = sim.load(str(path))
    data = sim.Data(ours)
    sim.prepare(ours, progress, edits=False)
    key = start_key(path, ours.names["key"])
    sim.reset(ours, data, key)
    runners = [Runner("Kinetoscope", lambda count: sim.step(ours, data, count), data)]
    try:
        module, theirs = mujoco(), load_mujoco(path)
    except NoMujoco as reason:
        print(f"kinetoscope: no comparison: {reason}", file=sys.stderr)
        return float(ours.opt.timestep), runners
    state = module.MjData(theirs)
    if key is not None:
        module.mj_resetDataKeyframe(theirs, state, key)
    runners.append(Runner(f"MuJoCo {module.__version__}", lambda count: module.mj_step(theirs, state, count), state))
    return float(ours.opt.timestep), runners
