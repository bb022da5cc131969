"""Programs beside the viewer: started without waiting, no zombie left, failures told."""

from __future__ import annotations

import sys
import threading
from pathlib import Path

from app.instruments.code.launch import launch


def wait() -> None:
    """Wait for the programs that were launched."""
    for thread in threading.enumerate():
        if thread.name == "launch":
            thread.join()


def test_it_runs_and_is_waited_for(tmp_path: Path) -> None:
    faults: list[str] = []
    script = "import os, sys, pathlib; pathlib.Path(sys.argv[1]).write_text(f'{os.getsid(0) == os.getpid()}')"
    launch([sys.executable, "-c", script, str(tmp_path / "out")], faults.append)
    wait()
    # in a session of its own
    assert (tmp_path / "out").read_text() == "True" and faults == []


def test_failures_are_told() -> None:
    faults: list[str] = []
    launch(["/no/such/program"], faults.append)
    wait()
    launch([sys.executable, "-c", "raise SystemExit(3)"], faults.append)
    wait()
    assert faults == [
        "program could not be started: No such file or directory",
        f"{Path(sys.executable).name} ended with exit code 3",
    ]
