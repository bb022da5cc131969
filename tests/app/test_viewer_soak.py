"""Short slices of the soaks of windows: random input, dialogs over unsaved edits, viewers opened and closed."""

from __future__ import annotations

import os
import sys

import pytest

from tests.app.window_driver import ROOT, x_server
from tests.patience import finished

pytestmark = [pytest.mark.window, pytest.mark.release]


def test_random_input() -> None:
    with x_server() as display:
        command = [sys.executable, "-m", "tests.soak.viewer", "--frames", "400", "--seed", "7", "--display", display]
        result = finished(command, cwd=ROOT, env={**os.environ, "PYTHONPATH": str(ROOT)})
    assert result.returncode == 0, result.stdout + result.stderr
    assert "frames" in result.stdout


def test_dialogs() -> None:
    with x_server() as display:
        command = [sys.executable, "-m", "tests.soak.dialogs", "--presses", "150", "--seed", "7", "--display", display]
        result = finished(command, cwd=ROOT, env={**os.environ, "PYTHONPATH": str(ROOT)})
    assert result.returncode == 0, result.stdout + result.stderr
    assert "0 faults" in result.stdout


def test_viewers_are_opened_and_closed() -> None:
    command = [sys.executable, "-m", "tests.soak.closing", "--count", "8", "--each", "8", "--busy", "1"]
    result = finished(command, cwd=ROOT, env={**os.environ, "PYTHONPATH": str(ROOT)})
    assert result.returncode == 0, result.stdout + result.stderr
    assert "8 viewers closed" in result.stdout
