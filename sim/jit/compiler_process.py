"""The near side of a compiler process: starts a worker, sends it units, and says why one failed or ended.

A worker is a fresh interpreter that runs `worker.py`. Its replies are marked, because anything may print to a
standard output: sitecustomize, or a module of the user's that holds a kernel.
"""

from __future__ import annotations

import base64
import contextlib
import json
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from sim.jit import cache, diagnostics
from sim.jit.kernel import CompileError, Kernel

REPLY = "\x02kinetoscope reply "  # before each reply of a worker
LOG_LINES = 20  # of what a process that ended has printed last


class ProcessEnded(Exception):
    """A compiler process ended without a reply; the message says how."""


class CompilerProcess:
    """One worker that compiles units into the cache, one after the other."""

    def __init__(self, units: Iterable[Kernel]) -> None:
        with contextlib.ExitStack() as opened:
            self._log = opened.enter_context(tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace"))
            self._process = opened.enter_context(_start(units, self._log))
            self._opened = opened.pop_all()

    def __enter__(self) -> CompilerProcess:
        return self

    def __exit__(self, *_: object) -> None:
        """Wait for the end of the process: it ends with its input."""
        self._opened.close()

    def compile(self, unit: Kernel, key: str) -> CompileError | None:
        """Compile a unit into the cache, or into memory; returns the error, if any. ProcessEnded: there is no reply."""
        job = json.dumps({"module": unit.module, "name": unit.name, "key": key})
        try:
            reply = self._ask(job)
        except (OSError, ValueError, KeyError) as error:
            self._process.kill()
            raise ProcessEnded(f"{self._how_it_ended()} ({error})\n{self._printed()}") from error
        if reply["error"] is None:
            return None
        if reply["code"] is None:
            return explained(unit, reply["error"])
        compiled = cache.Unit(base64.b64decode(reply["code"]), reply["seconds"])
        cache.keep_in_memory(key, compiled, reply["error"])
        return None

    def _ask(self, job: str) -> dict[str, Any]:
        assert self._process.stdin and self._process.stdout
        self._process.stdin.write(job + "\n")
        self._process.stdin.flush()
        for line in self._process.stdout:
            _, mark, reply = line.partition(REPLY)
            if mark:
                found: dict[str, Any] = json.loads(reply)
                return {"error": found["error"], "code": found.get("code"), "seconds": found.get("seconds")}
        raise OSError("no reply")

    def _how_it_ended(self) -> str:
        code = self._process.wait()
        if code >= 0:
            return f"the compiler process ended with exit code {code}"
        try:
            name = signal.Signals(-code).name
        except ValueError:
            name = f"signal {-code}"
        why = ", as the system does when memory runs out" if name == "SIGKILL" else ""
        return f"the compiler process was ended by {name}{why}"

    def _printed(self) -> str:
        self._log.seek(0)
        return "".join(self._log.readlines()[-LOG_LINES:])


def explained(unit: Kernel, error: Exception | str) -> CompileError:
    """The compiler's message explained by the source; unchanged if that fails."""
    try:
        return diagnostics.explain(unit, error)
    except Exception as why:
        return CompileError(f"{unit.name}: {error} ({type(why).__name__}: {why})")


def _start(units: Iterable[Kernel], log: Any) -> subprocess.Popen[str]:
    """Start a worker that imports the same packages and uses the same cache.

    The user's working directory may hold anything: it is neither on the worker's path nor its working directory, where
    numba would read its settings. Settings of numba in the environment are left out too.
    """
    environment = {k: v for k, v in os.environ.items() if not k.startswith("NUMBA_")}
    environment["KINETOSCOPE_CACHE"] = str(cache.folder())
    start = f"import sys; sys.path[:] = {_path(units)!r}; from sim.jit.worker import main; main({REPLY!r})"
    return subprocess.Popen(
        [sys.executable, "-P", "-c", start],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=log,
        encoding="utf-8",
        errors="replace",
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
