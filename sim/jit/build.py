"""Compiles units in parallel in worker processes, with progress.

Each worker is a fresh interpreter that imports numba, reads names of kernels from its standard input and writes their
object code into the cache; this process only waits and reports progress. Workers are plain child processes rather than
a multiprocessing pool, so that a user's script needs no `__main__` guard.
"""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Iterable, Mapping
from importlib.util import find_spec
from typing import NamedTuple

from sim.jit import cache, diagnostics
from sim.jit.compiler_process import CompilerProcess, ProcessEnded, explained
from sim.jit.kernel import CompileError, Helper, Kernel, parts
from sim.jit.machine import cores, free_memory

Progress = Callable[[int, int, str], None]
Finished = Callable[[Kernel], None]


class WorkerEnd(NamedTuple):
    """The end of a worker: why it ended early, or an empty string."""

    why: str


class Begun(NamedTuple):
    """A worker has begun to compile a unit."""

    unit: Kernel


Done = queue.SimpleQueue[tuple[Kernel, CompileError | None] | Begun | WorkerEnd]

NEEDS_NUMBA = "{} is not compiled, and numba, which compiles, is not installed: pip install 'kinetoscope[numba]'"
WORKER_MEMORY = 300e6  # bytes that a worker needs at most, of 210 MB for half of the engine's units

_running = 0  # workers of this process, for all threads that compile
_running_lock = threading.Lock()


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
    if find_spec("numba") is None:
        first, *others = sorted(unit.name for unit in units)
        raise CompileError(NEEDS_NUMBA.format(first + (f" (with {len(others)} more)" if others else "")))
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
            found = compile_unit(unit)
        except Exception as error:
            raise explained(unit, error) from None
        try:
            cache.write(unit.name, key, found)
        except OSError as error:
            cache.keep_in_memory(key, found, error)
        finished(unit)


def _compile_elsewhere(units: Mapping[Kernel, str], progress: Progress | None, finished: Finished) -> None:
    """Compile units in worker processes."""
    # progress() may cancel before any process is started
    if progress:
        progress(0, len(units), "starting the compiler")
    todo = UnitQueue(units)
    done: Done = queue.SimpleQueue()
    try:
        threads = _start_threads(todo, done, units)
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


def _start_threads(todo: UnitQueue, done: Done, units: Mapping[Kernel, str]) -> list[threading.Thread]:
    """Start a thread for each worker that the machine has room for; at least one, so that no call waits for another."""
    threads: list[threading.Thread] = []
    granted = _reserve(len(units))
    while len(threads) < granted:
        thread = threading.Thread(target=_feed_worker, args=(todo, done, units), daemon=True)
        try:
            thread.start()
        except RuntimeError:  # the system has no more
            _give_back(granted - len(threads))
            if not threads:
                raise
            break
        threads.append(thread)
    return threads


def _collect(
    done: Done, units: Iterable[Kernel], workers: int, progress: Progress | None, finished: Finished
) -> list[CompileError]:
    """Wait until every unit is done or every worker has ended; returns the errors."""
    missing, reasons = {unit.name for unit in units}, []
    errors: list[CompileError] = []
    total = len(missing)
    under_way: dict[str, None] = {}
    while missing and workers:
        answer = done.get()
        if isinstance(answer, WorkerEnd):
            workers -= 1
            reasons += [answer.why] if answer.why else []
            continue
        if isinstance(answer, Begun):
            under_way[answer.unit.name] = None
            if progress:
                progress(total - len(missing), total, f"compiling {', '.join(under_way)}")
            continue
        unit, error = answer
        missing.discard(unit.name)
        under_way.pop(unit.name, None)
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


def _reserve(wanted: int) -> int:
    """Number of workers to start: as many as there is room for besides those that run, at least one."""
    global _running
    with _running_lock:
        room = int(min(cores(), free_memory() / WORKER_MEMORY)) - _running
        granted = max(1, min(wanted, room))
        _running += granted
    return granted


def _give_back(workers: int) -> None:
    global _running
    with _running_lock:
        _running -= workers


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
        _give_back(1)
        done.put(WorkerEnd(why))


def _use_worker(todo: UnitQueue, done: Done, units: Mapping[Kernel, str]) -> None:
    """Send units to one worker process until none is left."""
    compiled: set[Kernel | Helper] = set()
    with CompilerProcess(units) as process:
        while (unit := todo.take(compiled)) is not None:
            done.put(Begun(unit))
            try:
                error = process.compile(unit, units[unit])
            except ProcessEnded as end:
                # this unit has failed, and no worker gets another
                todo.drop()
                done.put((unit, CompileError(f"{unit.name}: {end}")))
                return
            done.put((unit, error))
