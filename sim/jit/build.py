"""Compiles units in parallel in worker processes, with progress.

Each worker is a fresh interpreter that imports numba, reads names of kernels from its standard input and writes their
object code into the cache; this process only waits and reports progress. Workers are plain child processes rather than
a multiprocessing pool, so that a user's script needs no `__main__` guard.
"""

from __future__ import annotations

import json
import os
import queue
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import IO, NamedTuple

from sim.jit import cache, diagnostics
from sim.jit.kernel import CompileError, Helper, Kernel, parts

Progress = Callable[[int, int, str], None]
Finished = Callable[[Kernel], None]


class WorkerEnd(NamedTuple):
    """The end of a worker: why it ended early, or an empty string."""

    why: str


Done = queue.SimpleQueue[tuple[Kernel, CompileError | None] | WorkerEnd]


class UnitQueue:
    """Queue of units that wait for a worker."""

    def __init__(self, units: Iterable[Kernel]) -> None:
        # the longest first: the last to finish is then a short one
        self._units = sorted(units, key=_weight, reverse=True)
        self._lock = threading.Lock()

    def take(self, compiled: set[Kernel | Helper]) -> Kernel | None:
        """The unit that shares most with what a worker has compiled already, the longest of several; None at the end.

        Shared helpers are then compiled once rather than by each worker (5 % less in total with two workers).
        """
        with self._lock:
            if not self._units:
                return None
            unit = max(self._units, key=lambda u: _weight(u, compiled) / _weight(u))
            self._units.remove(unit)
        compiled.update(parts(unit))
        return unit

    def drop(self) -> list[Kernel]:
        """Empty the queue; returns the units that were left."""
        with self._lock:
            dropped, self._units = self._units, []
        return dropped


def compile_units(
    units: Mapping[Kernel, str], progress: Progress | None = None, finished: Finished = lambda unit: None
) -> None:
    """Compile units into the cache under the given keys; `finished` is called with each that is there."""
    for unit in units:
        # a test checks the engine's own
        if not unit.module.startswith(f"{__name__.partition('.')[0]}."):
            diagnostics.check(unit)
    local = {unit: key for unit, key in units.items() if _is_local(unit)}
    if local:
        _compile_here(local, finished)
        units = {unit: key for unit, key in units.items() if unit not in local}
    if units:
        _compile_elsewhere(units, progress, finished)


def _is_local(unit: Kernel) -> bool:
    """Whether another process cannot import the kernel: it is in a script, a notebook or another function."""
    return unit.module == "__main__" or "<" in unit.name


def _compile_here(units: Mapping[Kernel, str], finished: Finished) -> None:
    """Compile units in this process, which imports numba."""
    from sim.jit.compiler import compile_unit

    for unit, key in units.items():
        try:
            cache.write(unit.name, key, compile_unit(unit))
        except Exception as error:
            raise diagnostics.explain(unit, error) from None
        finished(unit)


def _compile_elsewhere(units: Mapping[Kernel, str], progress: Progress | None, finished: Finished) -> None:
    """Compile units in worker processes."""
    # progress() may cancel before any process is started
    if progress:
        progress(0, len(units), "starting the compiler")
    todo = UnitQueue(units)
    done: Done = queue.SimpleQueue()
    threads = [
        threading.Thread(target=_feed_worker, args=(todo, done, units), daemon=True)
        for _ in range(min(len(units), cores()))
    ]
    for thread in threads:
        thread.start()
    try:
        errors = _collect(done, units, len(threads), progress, finished)
    except BaseException:
        # interrupted, or cancelled by progress(): workers finish their current units only
        todo.drop()
        raise
    for thread in threads:
        thread.join()
    if len(errors) == 1:
        raise errors[0]
    if errors:
        raise CompileError("\n".join(map(str, errors)))


def _collect(
    done: Done, units: Iterable[Kernel], workers: int, progress: Progress | None, finished: Finished
) -> list[CompileError]:
    """Wait until every unit is done or every worker has ended; returns the errors."""
    missing, errors, reasons = {unit.name for unit in units}, [], []
    total = len(missing)
    while missing and workers:
        answer = done.get()
        if isinstance(answer, WorkerEnd):
            workers -= 1
            reasons += [answer.why] if answer.why else []
            continue
        unit, error = answer
        missing.discard(unit.name)
        if error:
            errors.append(error)
        else:
            finished(unit)
        if progress:
            progress(total - len(missing), total, f"compiled {unit.name}")
    # if a unit failed, the remaining ones were dropped because of it
    if missing and not errors:
        why = "; ".join(dict.fromkeys(reasons)) or "it ended without a reply"
        errors.append(CompileError(f"{', '.join(sorted(missing))}: no compiler process: {why}"))
    return errors


def cores() -> int:
    """Number of cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _weight(unit: Kernel, among: set[Kernel | Helper] | None = None) -> int:
    """Size of a unit's bytecode, or of those parts that are in `among`."""
    return sum(len(p.pyfunc.__code__.co_code) for p in parts(unit) if among is None or p in among)


def _feed_worker(todo: UnitQueue, done: Done, units: Mapping[Kernel, str]) -> None:
    """Work through the queue with one worker process, and report its end in any case."""
    why = ""
    try:
        _use_worker(todo, done, units)
    except BaseException as error:
        why = f"{type(error).__name__}: {error}"
    finally:
        done.put(WorkerEnd(why))


def _use_worker(todo: UnitQueue, done: Done, units: Mapping[Kernel, str]) -> None:
    """Send units to one worker process until none is left."""
    compiled: set[Kernel | Helper] = set()
    with tempfile.TemporaryFile("w+") as log, _start_worker(units, log) as worker:
        while (unit := todo.take(compiled)) is not None:
            try:
                error = _request(worker, unit, units[unit])
            except Exception as reply_error:
                # the worker died or sent an invalid reply: this unit has failed, and no worker gets another
                todo.drop()
                worker.kill()
                log.seek(0)
                why = f"the compiler process ended (exit code {worker.wait()}; {reply_error})\n{log.read()}"
                done.put((unit, CompileError(f"{unit.name}: {why}")))
                return
            done.put((unit, _explain(unit, error) if error else None))


def _explain(unit: Kernel, error: str) -> CompileError:
    """The compiler's message explained by the source; unchanged if that fails."""
    try:
        return diagnostics.explain(unit, error)
    except Exception as why:
        return CompileError(f"{unit.name}: {error} ({type(why).__name__}: {why})")


def _request(worker: subprocess.Popen[str], unit: Kernel, key: str) -> str | None:
    """Let a worker compile one unit; returns its error message, if any."""
    assert worker.stdin and worker.stdout
    worker.stdin.write(json.dumps({"module": unit.module, "name": unit.name, "key": key}) + "\n")
    worker.stdin.flush()
    answer: str | None = json.loads(worker.stdout.readline())["error"]
    return answer


def _start_worker(units: Iterable[Kernel], log: IO[str]) -> subprocess.Popen[str]:
    """Start a worker that imports the same packages and uses the same cache.

    The user's working directory may hold anything: it is neither on the worker's path nor its working directory, where
    numba would read its settings. Settings of numba in the environment are left out too.
    """
    environment = {k: v for k, v in os.environ.items() if not k.startswith("NUMBA_")}
    environment["KINETOSCOPE_CACHE"] = str(cache.folder())
    start = f"import sys; sys.path[:] = {_path(units)!r}; from sim.jit.worker import main; main()"
    return subprocess.Popen(
        [sys.executable, "-P", "-c", start],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=log,
        text=True,
        env=environment,
        cwd=cache.folder(),
    )


def _path(units: Iterable[Kernel]) -> list[str]:
    """The worker's sys.path: that of this process, and the folders that the kernels were imported from.

    The working directory (an empty entry, as `python -c` and the prompt have it) comes last, and only if a kernel was
    imported from there, so that nothing in it hides a module of the same name.
    """
    path = [os.path.abspath(entry) for entry in sys.path if entry]
    engine = str(Path(__file__).parents[2])
    homes = {engine, *filter(None, map(_home, units))}.difference(path)
    # first, because another version of the engine may be installed
    return [*({engine} & homes), *path, *sorted(homes - {engine})]


def _home(unit: Kernel) -> str:
    """The folder that holds a kernel's package; empty if it has no file."""
    file = getattr(sys.modules.get(unit.module), "__file__", None)
    if not file:
        return ""
    place = Path(os.path.abspath(file))
    depth = unit.module.count(".") + (place.stem == "__init__")
    return str(place.parents[depth])
