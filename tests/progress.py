"""What a long test run tells: how far it is, how long it will take, what failed and how to repeat that alone.

A plugin of pytest: `python3 app/bootstrap.py test` loads it. `.ci/seconds.txt` has the seconds of each test file on two
quiet cores; `python -m tests.progress` writes it from the last runs.
"""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parent.parent
SECONDS = ROOT / ".ci" / "seconds.txt"
MEASURED = ROOT / ".pytest_cache" / "seconds.json"
# between two lines of a log, s
PAUSE = 20.0


def known_seconds() -> dict[str, float]:
    """Test file -> seconds that it takes."""
    rows = (line.split() for line in SECONDS.read_text(encoding="utf-8").splitlines())
    return {path: float(seconds) for seconds, path in rows}


class Progress:
    """Counts what is done, in seconds that it was known to take."""

    def __init__(self, config: pytest.Config) -> None:
        self._config = config
        self._options = " --other-mujoco" if config.getoption("other_mujoco") else ""
        self._known = known_seconds()
        self._tests: dict[str, int] = {}
        self._total = self._done = 0.0
        self._start = self._last = time.monotonic()
        self.measured: dict[str, float] = {}

    @property
    def _reporter(self) -> Any:
        return self._config.pluginmanager.get_plugin("terminalreporter")

    @pytest.hookimpl(optionalhook=True)
    def pytest_xdist_node_collection_finished(self, ids: list[str]) -> None:
        """All processes collect the same tests."""
        if not self._tests:
            self._start = time.monotonic()
            for name in ids:
                path = name.partition("::")[0]
                self._tests[path] = self._tests.get(path, 0) + 1
            self._total = sum(self._share(path) * count for path, count in self._tests.items())

    def _share(self, path: str) -> float:
        """Seconds of one test of a file."""
        return self._known.get(path, 1.0) / self._tests[path]

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """A failure is told at once; everything else now and then."""
        path = report.nodeid.partition("::")[0]
        self.measured[path] = self.measured.get(path, 0.0) + report.duration
        if report.failed:
            self._write(
                f"{report.nodeid} failed; alone: python3 app/bootstrap.py test{self._options} '{report.nodeid}'"
            )
        if report.when == "teardown" and path in self._tests:
            self._done += self._share(path)
            self._tell(path)

    def _tell(self, path: str) -> None:
        now = time.monotonic()
        live = self._reporter.isatty
        if now - self._last < (0.2 if live else PAUSE):
            return
        self._last = now
        share = self._done / self._total
        left = (now - self._start) * (1 / share - 1)
        line = f"{share:4.0%}, {left // 60:.0f}:{left % 60:02.0f} left, {path}"
        if live:
            self._reporter.rewrite(line, erase=True)
        else:
            self._reporter.write_line(line)
            self._reporter.flush()

    def _write(self, line: str) -> None:
        if self._reporter.isatty:
            self._reporter.rewrite("", erase=True)
        self._reporter.write_line(line)
        self._reporter.flush()


def pytest_configure(config: pytest.Config) -> None:
    if not hasattr(config, "workerinput"):
        config.pluginmanager.register(Progress(config), "progress")


def pytest_report_teststatus(report: pytest.TestReport) -> tuple[str, str, str] | None:
    """No dots: the line says how far it is."""
    return ("passed", "", "") if report.when == "call" and report.passed else None


def pytest_unconfigure(config: pytest.Config) -> None:
    """Keep the seconds of each file."""
    progress = config.pluginmanager.get_plugin("progress")
    if progress is not None:
        MEASURED.parent.mkdir(exist_ok=True)
        MEASURED.write_text(json.dumps({**measured_seconds(), **progress.measured}), encoding="utf-8")


def measured_seconds() -> dict[str, float]:
    """Test file -> seconds that it took in the last run."""
    try:
        found: dict[str, float] = json.loads(MEASURED.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return found


def main() -> None:
    """Write what the last runs have measured."""
    known = {path: seconds for path, seconds in measured_seconds().items() if (ROOT / path).exists()}
    rows = sorted(
        ((f"{seconds:.1f}", path) for path, seconds in known.items() if seconds >= 0.05), key=lambda row: row[1]
    )
    SECONDS.write_text("".join(f"{seconds} {path}\n" for seconds, path in rows), encoding="utf-8")


if __name__ == "__main__":
    main()
