"""One compiler process: reads jobs from standard input, one JSON object per line, and replies likewise.

Started by `compiler_process.py` with the sys.path of the process that needs the kernels.
"""

from __future__ import annotations

import base64
import importlib
import json
import os
import traceback
from typing import Any

from sim.jit import abi, cache
from sim.jit.kernel import Kernel, unit_key


def _resolve(module: str, name: str) -> Kernel:
    found: Any = importlib.import_module(module)
    for attribute in name[len(module) + 1 :].split("."):
        found = getattr(found, attribute)
    assert isinstance(found, Kernel)
    return found


class NotStored(Exception):
    """The cache cannot be written: a full disk, or a folder without permission. Why, and what was compiled."""


def compile_one(job: dict[str, str]) -> None:
    """Compile a unit into the cache, unless another process has done so."""
    unit = _resolve(job["module"], job["name"])
    key = job["key"]
    if unit_key(unit, abi.platform()) != key:
        raise RuntimeError(f"{unit.name} was edited while the program was running; start it again")
    found = None
    try:
        with cache.lock(unit.name, key):
            if cache.read(unit.name, key) is None:
                found = _compile(unit)
                cache.write(unit.name, key, found)
    except OSError as error:
        raise NotStored(str(error), found or _compile(unit)) from error


def _compile(unit: Kernel) -> cache.Unit:
    from sim.jit.compiler import compile_unit

    try:
        return compile_unit(unit)
    except OSError as error:
        raise RuntimeError(f"{type(error).__name__}: {error}") from error


def reply_to(job: dict[str, str]) -> dict[str, Any]:
    """Do a job; the reply has the error, if any, and if it is one of storing, what was compiled. Nothing passes by: a
    unit's module may exit, and a compiler may run out of memory or stack."""
    try:
        compile_one(job)
    except NotStored as error:
        why, unit = error.args
        return {"error": why, "code": base64.b64encode(unit.code).decode(), "seconds": unit.seconds}
    except BaseException as error:
        try:
            # numba's errors quote the source line; others need a traceback
            ours = type(error).__module__.startswith("numba")
            text = str(error) if ours else traceback.format_exc()
        except BaseException:
            text = type(error).__name__
        return {"error": text}
    return {"error": None}


def main(mark: str) -> None:
    """Reply to jobs until the input ends; `mark` precedes each reply."""
    # what runs during compilation must neither read jobs nor print between replies
    jobs, replies = os.fdopen(os.dup(0)), os.fdopen(os.dup(1), "w")
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.dup2(2, 1)
    for line in jobs:
        print(mark + json.dumps(reply_to(json.loads(line))), file=replies, flush=True)
    # all output is written: shutting numba down properly would cost a third of a small unit's time
    os._exit(0)
