"""Thousands of mutated models: each loads or raises MjcfError with a line; what loads is computed once, checked.

    KINETOSCOPE_CHECK=1 python -m tests.soak.fuzz_mjcf [--count 2000] [--start 0] [--no-forward]

The models are those of the tests, the scenes and the models that come with pip packages. A worker process tries them
one after the other and says before each which one it is, so that a crash or a hang is known by its seed; then a new
worker goes on. One in three is abused besides: long names, huge sizes, deep nesting, bytes that are not text.
`--seed N` prints the mutated model of one seed.
"""

from __future__ import annotations

import argparse
import os
import random
import resource
import selectors
import subprocess
import sys
import time
import warnings
from collections import Counter
from functools import cache
from pathlib import Path

from rich.console import Console
from rich.table import Table

from tests.sim.mjcf.mutate import abused, mutated
from tests.sim.mjcf.pip_models import LARGE, pip_models

ROOT = Path(__file__).resolve().parents[2]
# one model may take this long, compilation of kernels included
PATIENCE = 600.0
# as much as a model may ask for, a few times over
MEMORY = 12 << 30
# one in so many is a model with large meshes
RARE = 40


@cache
def sources() -> tuple[list[tuple[Path, str]], list[tuple[Path, str]]]:
    """Folder and text of all models: small ones, and large ones."""
    from tests.sim.mjcf.test_mutated import INLINE, SCENES

    small = [(ROOT, text) for text in INLINE]
    large = []
    for path in [*SCENES, *pip_models()]:
        (large if LARGE.search(str(path)) else small).append((path.parent, path.read_text("utf-8", "replace")))
    return small, large


def model_of(seed: int) -> tuple[Path, str | bytes]:
    pick = random.Random(seed)
    small, large = sources()
    folder, text = pick.choice(large if large and seed % RARE == 0 else small)
    text = mutated(text, pick)
    return folder, abused(text, pick) if seed % 3 == 0 else text


def work(start: int, count: int, forward: bool) -> None:
    """Try models; one line before each and one after."""
    import sim
    from sim.mjcf import compile_text

    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    warnings.simplefilter("ignore")
    for seed in range(start, start + count):
        folder, text = model_of(seed)
        os.chdir(folder)
        print("try", seed, flush=True)
        try:
            m = sim.loads(text) if isinstance(text, str) else compile_text(text)
        except sim.MjcfError as error:
            print("done", seed, "refused" if error.line and str(error) else "refused without a line", flush=True)
            continue
        if forward and isinstance(m, sim.Model):
            d = sim.Data(m)
            sim.forward(m, d)
        print("done", seed, "loaded", flush=True)


def supervise(start: int, count: int, forward: bool) -> tuple[Counter[str], dict[int, str]]:
    """Let workers try all models; what became of them, and what went wrong with which."""
    outcomes: Counter[str] = Counter()
    failures: dict[int, str] = {}
    at = start
    while at < start + count:
        command = [sys.executable, "-m", "tests.soak.fuzz_mjcf", "--worker", "--start", str(at)]
        command += ["--count", str(start + count - at), *([] if forward else ["--no-forward"])]
        environment = {**os.environ, "PYTHONPATH": str(ROOT)}
        with subprocess.Popen(
            command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        ) as worker:
            trying, what = _follow(worker, outcomes)
        if what:
            failures[trying] = what
            at = trying + 1
        else:
            at = start + count
    return outcomes, failures


def _follow(worker: subprocess.Popen[str], outcomes: Counter[str]) -> tuple[int, str]:
    """Read what a worker says until it ends; the seed it ended at and why, if it did not end well."""
    assert worker.stdout is not None and worker.stderr is not None
    trying, since = -1, time.monotonic()
    chooser = selectors.DefaultSelector()
    chooser.register(worker.stdout, selectors.EVENT_READ)
    while True:
        if not chooser.select(timeout=5.0):
            if time.monotonic() - since > PATIENCE:
                worker.kill()
                return trying, f"took longer than {PATIENCE:g} s"
            continue
        line = worker.stdout.readline()
        if not line:
            break
        word, seed, *rest = line.split()
        trying, since = int(seed), time.monotonic()
        if word == "done":
            outcomes[" ".join(rest)] += 1
    errors = worker.stderr.read().strip()
    return (trying, errors or f"ended with {worker.returncode}") if worker.wait() else (trying, "")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--count", type=int, default=2000)
    parser.add_argument("--start", type=int, default=0)
    parser.add_argument("--no-forward", action="store_true", help="only load")
    parser.add_argument("--seed", type=int, help="print the model of one seed")
    parser.add_argument("--worker", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.seed is not None:
        folder, text = model_of(options.seed)
        print(f"in {folder}\n{text!r}" if isinstance(text, bytes) else f"in {folder}\n{text}")
        return 0
    if options.worker:
        work(options.start, options.count, not options.no_forward)
        return 0
    begin = time.monotonic()
    outcomes, failures = supervise(options.start, options.count, not options.no_forward)
    table = Table(title=f"{options.count} mutated models, {time.monotonic() - begin:.0f} s")
    table.add_column("outcome")
    table.add_column("models", justify="right")
    for outcome, number in outcomes.most_common():
        table.add_row(outcome, str(number))
    table.add_row("failed", str(len(failures)))
    console = Console()
    console.print(table)
    for seed, what in failures.items():
        console.print(f"seed {seed}: {what}", highlight=False, markup=False)
    return 1 if failures or outcomes["refused without a line"] else 0


if __name__ == "__main__":
    sys.exit(main())
