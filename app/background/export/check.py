"""Runs an exported file in a process of its own, with each engine that is installed: does it show what was seen?

    python -m app.background.export.check FILE.py

prints the result as JSON. The file is run as whoever gets it would run it; a test needs no pytest here.
"""

from __future__ import annotations

import importlib
import json
import os
import runpy
import subprocess
import sys
import tempfile
import types
from collections.abc import Callable
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

SECONDS = 600.0
# a difference that is allowed, but said to be
NOTEWORTHY = 1e-6


@dataclass(frozen=True)
class Checked:
    """One number: how far it is from what was seen, and may be; or why it could not be computed."""

    label: str
    apart: float
    tolerance: float
    fault: str = ""

    @property
    def same(self) -> bool:
        return not self.fault and self.apart <= self.tolerance


@dataclass(frozen=True)
class Reproduced:
    """What an engine makes of the file: each number, or why it does not load it."""

    engine: str
    version: str
    checks: tuple[Checked, ...] = ()
    fault: str = ""

    @property
    def same(self) -> bool:
        return not self.fault and all(check.same for check in self.checks)

    @property
    def text(self) -> str:
        """A part of a sentence."""
        if self.fault:
            return f"not with {self.version}, which cannot run it:  {self.fault}"
        wrong = next((check for check in self.checks if not check.same), None)
        if wrong is not None:
            return f"NOT with {self.version}: {wrong.label} {wrong.fault or f'differs by {wrong.apart:.2g}'}"
        if not self.checks:
            return f"with {self.version}"
        worst = max(self.checks, key=lambda check: check.apart)
        how = f"{worst.label} differs by {worst.apart:.2g}" if worst.apart else "to the bit"
        if worst.apart > NOTEWORTHY:
            how += f" where rounding errors allow {worst.tolerance:.2g}"
        return f"with {self.version}: {how}"


def reproduce(path: Path) -> list[Reproduced]:
    """Run a file in another process; RuntimeError if that ends without an answer."""
    with tempfile.TemporaryDirectory(prefix="kinetoscope-") as folder:
        # MuJoCo writes its log into the current folder
        command = [sys.executable, "-P", "-m", __name__, str(path.resolve())]
        environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[3])}
        try:
            run = subprocess.run(
                command, cwd=folder, env=environment, capture_output=True, text=True, timeout=SECONDS, check=False
            )
        except subprocess.TimeoutExpired:
            raise RuntimeError(f"it did not finish in {SECONDS:g} s") from None
    lines = run.stdout.splitlines()
    if run.returncode or not lines:
        raise RuntimeError((run.stderr.strip().splitlines() or ["it exited without a result"])[-1])
    return [
        Reproduced(row["engine"], row["version"], tuple(Checked(*check) for check in row["checks"]), row["fault"])
        for row in json.loads(lines[-1])
    ]


def summary(found: list[Reproduced]) -> str:
    """What came of it, as the end of a sentence."""
    if not found:
        return "not reproduced: no engine that can run it is installed"
    good, bad = ([one.text for one in found if one.same is same] for same in (True, False))
    texts = [f"reproduced {'; '.join(good)}"] if good else []
    return "; ".join([*texts, *bad]) if good else f"not reproduced: {'; '.join(bad)}"


# ---- in the other process


def main(path: str) -> list[dict[str, Any]]:
    """Run a file with all of its engines; rows for `Reproduced`."""
    if find_spec("pytest") is None:
        sys.modules["pytest"] = _no_pytest()
    file = runpy.run_path(path)
    found = []
    for name in file["ENGINES"]:
        try:
            engine = importlib.import_module(name)
        except ImportError:
            continue
        version = f"MuJoCo {engine.__version__}" if name == "mujoco" else f"Kinetoscope {_own_version()}"
        checks: list[tuple[str, float, float, str]] = []
        fault = ""
        try:
            _run(file, engine, checks)
        except Exception as error:
            fault = f"{type(error).__name__}: {error}"
        found.append({"engine": name, "version": version, "checks": checks, "fault": fault})
    return found


def _run(file: dict[str, Any], engine: Any, checks: list[tuple[str, float, float, str]]) -> None:
    """All checks with one engine; those that fail do not end it."""

    def check(label: str, value: Any, expected: Any, tolerance: float) -> None:
        checks.append((label, float(file["difference"](value, expected)), float(tolerance), ""))

    m, d = file["load"](engine)
    engine.mj_forward(m, d)
    _each(file["seen"], check, checks, engine, m, d)
    m, d = file["load"](engine)
    engine.mj_step(m, d, file["STEPS"])
    file["later"](m, d, check)


def _each(seen: Callable[..., None], check: Any, checks: list[Any], engine: Any, m: Any, d: Any) -> None:
    """Run the function that checks what was asked; an error names the line that has it."""
    try:
        seen(engine, m, d, check)
    except Exception as error:
        trace = error.__traceback__
        line = ""
        while trace is not None:
            code = trace.tb_frame.f_code
            if code.co_name == "seen":
                source = Path(code.co_filename).read_text(encoding="utf-8").splitlines()
                line = source[trace.tb_lineno - 1].strip()
            trace = trace.tb_next
        checks.append((line or "seen", 0.0, 0.0, f"cannot be evaluated:  {type(error).__name__}: {error}"))


def _own_version() -> str:
    import sim

    return sim.__version__


def _no_pytest() -> types.ModuleType:
    """What a test uses of pytest when it is imported."""
    module: Any = types.ModuleType("pytest")
    module.fixture = lambda **_: lambda function: function
    return module  # type: ignore[no-any-return]


if __name__ == "__main__":
    print("\n" + json.dumps(main(sys.argv[1])))
