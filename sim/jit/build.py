"""Compiles units side by side in processes of their own, with progress.

Each worker is a fresh interpreter that imports numba, takes kernels by name over its standard input and
writes their object code into the cache; this process only waits and reports. Workers are plain child
processes rather than a multiprocessing pool, so that a user's script needs no `__main__` guard.
"""

from __future__ import annotations

import json
import os
import queue
import subprocess
import sys
import threading
from collections.abc import Callable, Mapping
from pathlib import Path

from sim.jit.kernel import Kernel, parts

Progress = Callable[[int, int, str], None]


class CompileError(RuntimeError):
    """A kernel that does not compile; the message carries the compiler's own words."""


def compile_units(units: Mapping[Kernel, str], progress: Progress | None = None) -> None:
    """Compile units into the cache under the given keys."""
    # the longest first: the last to finish is then a short one
    todo: queue.SimpleQueue[Kernel] = queue.SimpleQueue()
    for unit in sorted(units, key=_weight, reverse=True):
        todo.put(unit)
    done: queue.SimpleQueue[tuple[Kernel, str | None]] = queue.SimpleQueue()
    threads = [
        threading.Thread(target=_feed_worker, args=(todo, done, units), daemon=True)
        for _ in range(min(len(units), os.cpu_count() or 1))
    ]
    for thread in threads:
        thread.start()
    errors = []
    for count in range(len(units)):
        if progress:
            progress(count, len(units), "compiling")
        unit, error = done.get()
        if error:
            errors.append(error)
    for thread in threads:
        thread.join()
    if progress:
        progress(len(units), len(units), "compiled")
    if errors:
        raise CompileError("\n".join(errors))


def _weight(unit: Kernel) -> int:
    return sum(len(part.pyfunc.__code__.co_code) for part in parts(unit))


def _feed_worker(
    todo: queue.SimpleQueue[Kernel], done: queue.SimpleQueue[tuple[Kernel, str | None]], units: Mapping[Kernel, str]
) -> None:
    """Hand units to one worker process until none is left. A worker that dies fails the unit it was at."""
    worker = subprocess.Popen(
        [sys.executable, "-m", "sim.jit.worker"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=_environment(),
    )
    assert worker.stdin and worker.stdout and worker.stderr
    while True:
        try:
            unit = todo.get_nowait()
        except queue.Empty:
            break
        try:
            worker.stdin.write(json.dumps({"module": unit.module, "name": unit.name, "key": units[unit]}) + "\n")
            worker.stdin.flush()
            reply = worker.stdout.readline()
        except OSError:
            reply = ""
        if reply:
            done.put((unit, json.loads(reply)["error"]))
        else:
            done.put((unit, f"{unit.name}: the compiler process ended (exit code {worker.wait()})\n{worker.stderr.read()}"))
            _fail_rest(todo, done)
    worker.stdin.close()
    worker.wait()


def _fail_rest(todo: queue.SimpleQueue[Kernel], done: queue.SimpleQueue[tuple[Kernel, str | None]]) -> None:
    try:
        while True:
            done.put((todo.get_nowait(), None))
    except queue.Empty:
        pass


def _environment() -> dict[str, str]:
    """The environment of a worker: it imports the same packages as this process and compiles on one thread."""
    paths = [str(Path(__file__).parents[2]), *(p for p in sys.path if p)]
    return {**os.environ, "PYTHONPATH": os.pathsep.join(paths), "OMP_NUM_THREADS": "1"}
