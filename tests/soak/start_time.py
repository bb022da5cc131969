"""Seconds from the command to the first window, picture and motion, for some models.

    python -m tests.soak.start_time [MODEL ...] [--rounds 3] [--cold] [--beside FOLDER]

Each start is a process of its own with fresh settings, on the display in DISPLAY or else on an X server without a
screen (Xvfb). `--cold` begins each start with an empty cache of kernels. `--beside` measures a second source tree in
turns with this one, so that other work on the machine disturbs both. The table shows medians, and in parentheses
seconds of processor time, which other work disturbs less.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time
from contextlib import nullcontext
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from tests.app.window_driver import x_server

ROOT = Path(__file__).resolve().parent.parent.parent
MODELS = ("double_pendulum", "humanoid", "pile")
# a frame of the window, one with the model, one with all of its meshes, one in which time has passed
EVENTS = ("window", "picture", "meshes", "motion")
# a row of the table
ROW = "{:<16} {:<8}" + len(EVENTS) * " {:>14}"
# of a start that does not come, s
PATIENCE = 900.0

# runs in the process that is timed: notes when frames show something for the first time, and ends with the last
CHILD = """
import importlib.abc, importlib.machinery, json, os, sys, time

class Watch(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    def find_spec(self, name, path=None, target=None):
        if name != "app.application":
            return None
        spec = importlib.machinery.PathFinder.find_spec(name, path)
        self.execute, spec.loader.exec_module = spec.loader.exec_module, self.exec_module
        return spec

    def exec_module(self, module):
        self.execute(module)
        drawn, seen = module.Application._frame, {}

        def frame(application):
            drawn(application)
            snapshot = application.snapshot
            model = snapshot.model is not None
            shown = dict(window=True, picture=model, meshes=model and not getattr(snapshot.run, "draft", False))
            for event, happened in (*shown.items(), ("motion", snapshot.run.time > 0)):
                if happened:
                    seen.setdefault(event, (time.monotonic(), time.process_time()))
            if "motion" in seen:
                print(json.dumps(seen), flush=True)
                os._exit(0)

        module.Application._frame = frame

sys.meta_path.insert(0, Watch())
from app.__main__ import main
sys.exit(main(sys.argv[1:]))
"""


def start(tree: Path, model: str, environment: dict[str, str], cold: bool) -> dict[str, tuple[float, float]]:
    """Seconds from the command to each event, and processor time until then, in one process."""
    with TemporaryDirectory() as home:
        own = {**environment, "PYTHONPATH": str(tree), "XDG_CONFIG_HOME": home, "XDG_STATE_HOME": home}
        own |= {"KINETOSCOPE_CACHE": f"{home}/kernels"} if cold else {}
        command = [sys.executable, "-P", "-c", CHILD, model]
        began = time.monotonic()
        done = subprocess.run(command, env=own, cwd=home, capture_output=True, text=True, timeout=PATIENCE)
        if done.returncode or not done.stdout.strip():
            raise SystemExit(f"{model}: {done.stderr or 'the window was closed'}")
        seen = json.loads(done.stdout.splitlines()[-1])
        return {event: (at - began, worked) for event, (at, worked) in seen.items()}


def main() -> None:
    """Measure, and print the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("models", nargs="*", default=MODELS)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--cold", action="store_true")
    parser.add_argument("--beside", type=Path)
    options = parser.parse_args()
    trees = [ROOT] if options.beside is None else [options.beside.resolve(), ROOT]
    print(ROW.format("model", "tree", *EVENTS))
    screen = nullcontext(os.environ["DISPLAY"]) if os.environ.get("DISPLAY") else x_server("1600x1000")
    with screen as display:
        environment = {**os.environ, "DISPLAY": display}
        for model in options.models:
            taken: dict[Path, list[dict[str, tuple[float, float]]]] = {tree: [] for tree in trees}
            for _ in range(options.rounds):
                for tree in trees:
                    taken[tree].append(start(tree, model, environment, options.cold))
            for tree, runs in taken.items():
                medians = {event: [median(run[event][k] for run in runs) for k in (0, 1)] for event in EVENTS}
                numbers = [f"{wall:.2f} ({worked:.2f})" for wall, worked in medians.values()]
                print(ROW.format(Path(model).stem, tree.name, *numbers), flush=True)


if __name__ == "__main__":
    main()
