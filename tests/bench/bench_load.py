"""Load time against MuJoCo's, for the largest models that come with pip packages.

    python -m tests.bench.bench_load [--models 10] [--runs 3] [MODEL.xml ...]

Each load is a process of its own that has loaded a small model before, so that libraries are there and MuJoCo's cache
of meshes is empty. Seconds are of processor time, the best of the runs; the goal is a ratio of at most 5.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from pathlib import Path

import mujoco
from rich.console import Console
from rich.table import Table

from tests.sim.mjcf.pip_models import pip_models, short_name

ROOT = Path(__file__).parents[2]
GOAL = 5.0
SMALL = """<mujoco><asset><mesh name="m" vertex="0 0 0 1 0 0 0 1 0 0 0 1 1 1 1"/></asset><worldbody><body><joint/>
<geom type="mesh" mesh="m"/></body></worldbody></mujoco>"""
CODE = """
import sys, time
small, path = sys.argv[1:]
if {ours}:
    import PIL.PngImagePlugin, sim
    load, loads = sim.load, sim.loads
else:
    import mujoco
    load, loads = mujoco.MjModel.from_xml_path, mujoco.MjModel.from_xml_string
loads(small)
begin = time.process_time()
load(path)
print(time.process_time() - begin)
"""


def seconds(path: Path, ours: bool, runs: int) -> float:
    """Best time of several processes."""
    command = [sys.executable, "-W", "ignore", "-c", CODE.format(ours=ours), SMALL, str(path)]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = (subprocess.run(command, check=True, env=environment, capture_output=True, text=True) for _ in range(runs))
    return min(float(run.stdout) for run in done)


def largest(count: int) -> list[Path]:
    """Models whose compiled form takes most memory; of models that are the same inside, one."""
    sizes: dict[int, Path] = {}
    for path in pip_models():
        try:
            sizes.setdefault(mujoco.MjModel.from_xml_path(str(path)).nbuffer, path)
        except ValueError:
            continue
    return [sizes[size] for size in sorted(sizes, reverse=True)[:count]]


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("files", nargs="*", type=Path, metavar="MODEL.xml")
    parser.add_argument("--models", type=int, default=10)
    parser.add_argument("--runs", type=int, default=3)
    options = parser.parse_args()
    table = Table(title="seconds to load")
    for column in ("model", "MuJoCo", "here", "ratio"):
        table.add_column(column, justify="left" if column == "model" else "right")
    worst = 0.0
    for path in options.files or largest(options.models):
        theirs, ours = seconds(path, False, options.runs), seconds(path, True, options.runs)
        worst = max(worst, ours / theirs)
        table.add_row(short_name(path), f"{theirs:.3f}", f"{ours:.3f}", f"{ours / theirs:.1f}")
    Console().print(table)
    return int(worst > GOAL)


if __name__ == "__main__":
    sys.exit(main())
