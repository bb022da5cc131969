"""Seconds from process start to the first step, cold and warm, and what each unit took to compile.

    python -m tests.bench.bench_startup [MODEL.xml]

Cold: an empty cache. Warm: every later start, best of five. Each is a fresh interpreter that loads the model and
makes one step.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from rich.console import Console
from rich.table import Table

ROOT = Path(__file__).parents[2]
CODE = """
import sys, sim
m = sim.load(sys.argv[1])
d = sim.Data(m)
sim.step(m, d)
assert "numba" not in sys.modules
"""


def start(model: str, folder: str) -> float:
    """Seconds of one process."""
    environment = {**os.environ, "KINETOSCOPE_CACHE": folder, "PYTHONPATH": str(ROOT)}
    begin = time.perf_counter()
    subprocess.run([sys.executable, "-c", CODE, model], check=True, env=environment)
    return time.perf_counter() - begin


def compile_seconds(folder: str) -> dict[str, float]:
    """Seconds each stored unit took, from the headers of the files."""
    headers = [json.loads(p.read_bytes().split(b"\n", 2)[1]) for p in Path(folder).glob("*.unit")]
    return {h["name"]: h["seconds"] for h in headers}


def main() -> None:
    model = sys.argv[1] if len(sys.argv) > 1 else str(ROOT / "scenes" / "humanoid.xml")
    with tempfile.TemporaryDirectory() as folder:
        cold = start(model, folder)
        warm = min(start(model, folder) for _ in range(5))
        units = compile_seconds(folder)
    table = Table("unit", "compile s")
    for name, seconds in sorted(units.items(), key=lambda u: -u[1]):
        table.add_row(name, f"{seconds:.2f}")
    table.add_row("all units, one core", f"{sum(units.values()):.2f}")
    table.add_row("process to first step, cold", f"{cold:.2f}")
    table.add_row("process to first step, warm", f"{warm:.2f}")
    Console().print(table)


if __name__ == "__main__":
    main()
