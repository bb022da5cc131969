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
import tempfile
import threading
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import IO, NamedTuple

from sim.jit import cache, mistakes
from sim.jit.kernel import CompileError, Helper, Kernel, parts

Progress = Callable[[int, int, str], None]


class End(NamedTuple):
    """The last word about a worker: why it ended before the work did, or nothing."""

    why: str


Done = queue.SimpleQueue[tuple[Kernel, CompileError | None] | End]


class Todo:
    """Units that wait for a worker."""

    def __init__(self, units: Iterable[Kernel]) -> None:
        # the longest first: the last to finish is then a short one
        self._units = sorted(units, key=_weight, reverse=True)
        self._lock = threading.Lock()

    def take(self, compiled: set[Kernel | Helper]) -> Kernel | None:
        """The unit of which a worker has compiled most already, the longest of several; None if none is left.

        Helpers that units share are then compiled once rather than by each worker (5 % less in all, with two).
        """
        with self._lock:
            if not self._units:
                return None
            unit = max(self._units, key=lambda u: _weight(u, compiled) / _weight(u))
            self._units.remove(unit)
        compiled.update(parts(unit))
        return unit

    def drop(self) -> list[Kernel]:
        """Units that no worker will take any more."""
        with self._lock:
            dropped, self._units = self._units, []
        return dropped


def compile_units(units: Mapping[Kernel, str], progress: Progress | None = None) -> None:
    """Compile units into the cache under the given keys."""
    for unit in units:
        # the engine's own are looked at by a test
        if not unit.module.startswith(f"{__name__.partition('.')[0]}."):
            mistakes.check(unit)
    local = {unit: key for unit, key in units.items() if _is_local(unit)}
    if local:
        _compile_here(local)
        units = {unit: key for unit, key in units.items() if unit not in local}
    if units:
        _compile_elsewhere(units, progress)


def _is_local(unit: Kernel) -> bool:
    """Another process cannot find the kernel by its name: it is in a script, a notebook or another function."""
    return unit.module == "__main__" or "<" in unit.name


def _compile_here(units: Mapping[Kernel, str]) -> None:
    """Compile units in this process, which then has to import numba."""
    from sim.jit.compiler import compile_unit

    for unit, key in units.items():
        try:
            cache.write(unit.name, key, compile_unit(unit))
        except Exception as error:
            raise mistakes.explain(unit, error) from None


def _compile_elsewhere(units: Mapping[Kernel, str], progress: Progress | None) -> None:
    """Compile units in processes of their own."""
    # nobody may want it any more: then no process is started
    if progress:
        progress(0, len(units), "starting the compiler")
    todo = Todo(units)
    done: Done = queue.SimpleQueue()
    threads = [
        threading.Thread(target=_feed_worker, args=(todo, done, units), daemon=True)
        for _ in range(min(len(units), cores()))
    ]
    for thread in threads:
        thread.start()
    try:
        errors = _collect(done, units, len(threads), progress)
    except BaseException:
        # interrupted, or progress() called it off: what has begun is finished, the rest is not
        todo.drop()
        raise
    for thread in threads:
        thread.join()
    if len(errors) == 1:
        raise errors[0]
    if errors:
        raise CompileError("\n".join(map(str, errors)))


def _collect(done: Done, units: Iterable[Kernel], workers: int, progress: Progress | None) -> list[CompileError]:
    """Wait until every unit is answered for, or every worker has gone; the errors there were."""
    missing, errors, reasons = {unit.name for unit in units}, [], []
    total = len(missing)
    while missing and workers:
        answer = done.get()
        if isinstance(answer, End):
            workers -= 1
            reasons += [answer.why] if answer.why else []
            continue
        unit, error = answer
        missing.discard(unit.name)
        if error:
            errors.append(error)
        if progress:
            progress(total - len(missing), total, f"compiled {unit.name}")
    # a unit that nobody took is not the one at fault
    if missing and not errors:
        why = "; ".join(dict.fromkeys(reasons)) or "it ended without an answer"
        errors.append(CompileError(f"{', '.join(sorted(missing))}: no compiler process: {why}"))
    return errors


def cores() -> int:
    """Cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _weight(unit: Kernel, among: set[Kernel | Helper] | None = None) -> int:
    """Bytes of bytecode in a unit, or in those of its parts that are in a set."""
    return sum(len(p.pyfunc.__code__.co_code) for p in parts(unit) if among is None or p in among)


def _feed_worker(todo: Todo, done: Done, units: Mapping[Kernel, str]) -> None:
    """Work through the queue with one worker process. Its end is told, whatever brought it about."""
    why = ""
    try:
        _use_worker(todo, done, units)
    except BaseException as error:
        why = f"{type(error).__name__}: {error}"
    finally:
        done.put(End(why))


def _use_worker(todo: Todo, done: Done, units: Mapping[Kernel, str]) -> None:
    """Hand units to one worker process until none is left."""
    compiled: set[Kernel | Helper] = set()
    with tempfile.TemporaryFile("w+") as complaints, _start_worker(units, complaints) as worker:
        while (unit := todo.take(compiled)) is not None:
            try:
                error = _ask(worker, unit, units[unit])
            except Exception as nonsense:
                # the worker died or talks nonsense: this unit has failed, and nobody gets another
                todo.drop()
                worker.kill()
                complaints.seek(0)
                why = f"the compiler process ended ({worker.wait()}; {nonsense})\n{complaints.read()}"
                done.put((unit, CompileError(f"{unit.name}: {why}")))
                return
            done.put((unit, _explain(unit, error) if error else None))


def _explain(unit: Kernel, error: str) -> CompileError:
    """The compiler's complaint in the words of the source; as it is if those cannot be found."""
    try:
        return mistakes.explain(unit, error)
    except Exception as why:
        return CompileError(f"{unit.name}: {error} ({type(why).__name__}: {why})")


def _ask(worker: subprocess.Popen[str], unit: Kernel, key: str) -> str | None:
    """Have a worker compile one unit; its error, if there is one."""
    assert worker.stdin and worker.stdout
    worker.stdin.write(json.dumps({"module": unit.module, "name": unit.name, "key": key}) + "\n")
    worker.stdin.flush()
    answer: str | None = json.loads(worker.stdout.readline())["error"]
    return answer


def _start_worker(units: Iterable[Kernel], complaints: IO[str]) -> subprocess.Popen[str]:
    """A worker that imports the same packages and uses the same cache.

    The folder that the user stands in may hold anything: it is neither on the worker's path nor where it runs, for
    numba reads its settings there; those in the environment are left out too.
    """
    environment = {k: v for k, v in os.environ.items() if not k.startswith("NUMBA_")}
    environment["KINETOSCOPE_CACHE"] = str(cache.folder())
    start = f"import sys; sys.path[:] = {_path(units)!r}; from sim.jit.worker import main; main()"
    return subprocess.Popen(
        [sys.executable, "-P", "-c", start],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=complaints,
        text=True,
        env=environment,
        cwd=cache.folder(),
    )


def _path(units: Iterable[Kernel]) -> list[str]:
    """Where a worker finds modules: where this process does, and where the kernels themselves came from.

    An empty entry is the folder one stands in, as `python -c` and the prompt have it: a kernel that was imported from
    there is found, but nothing there hides a module of the same name.
    """
    path = [os.path.abspath(entry) for entry in sys.path if entry]
    engine = str(Path(__file__).parents[2])
    homes = {engine, *filter(None, map(_home, units))}.difference(path)
    # another engine may be installed
    return [*({engine} & homes), *path, *sorted(homes - {engine})]


def _home(unit: Kernel) -> str:
    """The folder that holds the package of a kernel; empty if it is in no file."""
    file = getattr(sys.modules.get(unit.module), "__file__", None)
    if not file:
        return ""
    place = Path(os.path.abspath(file))
    depth = unit.module.count(".") + (place.stem == "__init__")
    return str(place.parents[depth])
