"""One compiler process: reads jobs from standard input, one JSON object per line, and replies likewise.

Started by `sim.jit.build` with the sys.path of the process that needs the kernels.
"""

from __future__ import annotations

import importlib
import json
import os
import sys
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


def compile_one(job: dict[str, str]) -> None:
    """Compile a unit into the cache, unless another process has done so."""
    unit = _resolve(job["module"], job["name"])
    key = job["key"]
    if unit_key(unit, abi.platform()) != key:
        raise RuntimeError(f"{unit.name} was edited while the program was running; start it again")
    with cache.lock(unit.name, key):
        if cache.read(unit.name, key) is None:
            from sim.jit.compiler import compile_unit

            cache.write(unit.name, key, compile_unit(unit))


def main() -> None:
    # output printed during compilation must not mix with the replies
    replies = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    for line in sys.stdin:
        job = json.loads(line)
        error = None
        try:
            compile_one(job)
        except Exception as e:
            # numba's errors quote the source line; others need a traceback
            ours = type(e).__module__.startswith("numba")
            error = str(e) if ours else traceback.format_exc()
        print(json.dumps({"name": job["name"], "error": error}), file=replies, flush=True)
    # all output is written: shutting numba down properly would cost a third of a small unit's time
    os._exit(0)
