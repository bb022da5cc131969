"""A short slice of the viewer's soak: random input in a real window, no crash, no GL error."""

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
