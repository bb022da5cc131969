"""Runs the tests of MuJoCo's wheel against `sim.mujoco`: python -m tests.sim.mujoco.wheel_tests bindings_test

Each file runs in a process of its own in which `import mujoco` gives our module. `not_expected.py` lists the tests that
are not expected to pass, with reasons; test_wheel.py holds that table to be exact.
"""

from __future__ import annotations

import importlib.util
import io
import json
import os
import subprocess
import sys
import unittest
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).resolve().parents[3]
MARK = "RESULTS "


class Outcome(NamedTuple):
    """Tests of a file by name; those that failed with the end of their traceback."""

    passed: list[str]
    failed: dict[str, str]
    skipped: dict[str, str]


def wheel() -> Path:
    """The folder of the installed MuJoCo, which is not imported."""
    spec = importlib.util.find_spec("mujoco")
    assert spec and spec.origin
    return Path(spec.origin).parent


class _Result(unittest.TestResult):
    def __init__(self) -> None:
        super().__init__()
        self.passed: list[str] = []
        self.broken: dict[str, str] = {}

    def addSuccess(self, test: Any) -> None:
        super().addSuccess(test)
        self.passed.append(_name(test))

    def _note(self, test: Any, error: Any) -> None:
        self.broken[_name(test)] = self._exc_info_to_string(error, test)[-2500:]  # type: ignore[attr-defined]

    def addError(self, test: Any, err: Any) -> None:
        super().addError(test, err)
        self._note(test, err)

    def addFailure(self, test: Any, err: Any) -> None:
        super().addFailure(test, err)
        self._note(test, err)

    def addSubTest(self, test: Any, subtest: Any, err: Any) -> None:
        super().addSubTest(test, subtest, err)
        if err is not None:
            self._note(test, err)


def _name(test: Any) -> str:
    return ".".join(test.id().split(".")[-2:])


def run_here(file: str, only: str = "") -> Outcome:
    """Run a file in this process, which does nothing else."""
    from sim.mujoco import stand_in

    folder = wheel()
    stand_in()
    _serve_testdata(folder)
    spec = importlib.util.spec_from_file_location(file, folder / f"{file}.py")
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    sys.modules[file] = module
    spec.loader.exec_module(module)
    from absl import flags

    flags.FLAGS.mark_as_parsed()
    result = _Result()
    suite = unittest.defaultTestLoader.loadTestsFromModule(module)
    chosen = unittest.TestSuite(test for test in _flat(suite) if only in test.id())
    chosen.run(result)
    skipped = {_name(test): why for test, why in result.skipped}
    passed = [name for name in result.passed if name not in result.broken]
    return Outcome(sorted(passed), dict(sorted(result.broken.items())), skipped)


def _flat(suite: Any) -> Any:
    for test in suite:
        if isinstance(test, unittest.TestSuite):
            yield from _flat(test)
        else:
            yield test


def _serve_testdata(folder: Path) -> None:
    """Tests look for their models in the package `mujoco`; they are in the wheel."""
    from etils import epath

    original = epath.resource_path
    epath.resource_path = lambda package: epath.Path(folder) if package == "mujoco" else original(package)


def run(file: str, only: str = "", timeout: float = 1800) -> Outcome:
    """Run a file in a process of its own."""
    command = [sys.executable, "-m", "tests.sim.mujoco.wheel_tests", "--child", file, only]
    done = subprocess.run(command, cwd=ROOT, env={**os.environ}, capture_output=True, text=True, timeout=timeout)
    for line in done.stdout.splitlines():
        if line.startswith(MARK):
            return Outcome(**json.loads(line.removeprefix(MARK)))
    raise RuntimeError(f"{file} did not run:\n{done.stdout[-2000:]}\n{done.stderr[-4000:]}")


def main(arguments: list[str]) -> None:
    if arguments[0] == "--child":
        out, sys.stdout = sys.stdout, io.StringIO()
        found = run_here(*arguments[1:3])
        print(MARK + json.dumps(found._asdict()), file=out)
        return
    found = run(*arguments[:2])
    for name, trace in found.failed.items():
        last = trace.strip().splitlines()[-1]
        print(f"{name}: {last[:200]}")
        if len(arguments) > 1:
            print(trace)
    total = len(found.passed) + len(found.failed)
    print(f"{arguments[0]}: {len(found.passed)} of {total} pass, {len(found.skipped)} are skipped")


if __name__ == "__main__":
    main(sys.argv[1:])
