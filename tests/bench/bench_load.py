"""Load time against MuJoCo's, for the largest models that come with pip packages and some bundled scenes.

    python -m tests.bench.bench_load [--models 10] [--runs 3] [MODEL.xml ...]

Each run is a process of its own that has loaded a small model before, so that libraries are there and nothing is known
of the model's assets; then it loads the model once more, as after an edit of the XML, with the assets in memory.
Milliseconds are of processor time, the best of the runs; the goal is a ratio of at most 5 for the first load.
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
SCENES = ("bin", "sculpture", "rovers")
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
for again in range(4):
    begin = time.process_time()
    load(path)
    print(time.process_time() - begin)
"""


def milliseconds(path: Path, ours: bool, runs: int) -> tuple[float, float]:
    """Best times of several processes: the first load, and one more."""
    command = [sys.executable, "-W", "ignore", "-c", CODE.format(ours=ours), SMALL, str(path)]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    first, again = [], []
    for _ in range(runs):
        run = subprocess.run(command, check=True, env=environment, capture_output=True, text=True)
        times = [1e3 * float(line) for line in run.stdout.split()]
        first.append(times[0])
        again += times[1:]
    return min(first), min(again)


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
    table = Table(title="milliseconds to load")
    for column in ("model", "MuJoCo", "here", "ratio", "MuJoCo again", "here again", "ratio"):
        table.add_column(column, justify="left" if column == "model" else "right")
    worst = 0.0
    for path in options.files or [*largest(options.models), *(ROOT / "scenes" / f"{name}.xml" for name in SCENES)]:
        theirs, ours = (milliseconds(path, here, options.runs) for here in (False, True))
        worst = max(worst, ours[0] / theirs[0])
        cells = [(f"{a:.1f}", f"{b:.1f}", f"{b / a:.1f}") for a, b in zip(theirs, ours, strict=True)]
        table.add_row(short_name(path), *cells[0], *cells[1])
    Console().print(table)
    return int(worst > GOAL)


if __name__ == "__main__":
    sys.exit(main())
