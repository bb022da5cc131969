"""A short slice of the viewer's soak: random input in a real window, no crash, no GL error."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from tests.app.window_driver import PATIENCE, ROOT, x_server

pytestmark = pytest.mark.window


def test_random_input() -> None:
    with x_server() as display:
        result = subprocess.run(
            [sys.executable, "-m", "tests.soak.viewer", "--frames", "400", "--seed", "7", "--display", display],
            cwd=ROOT, env={**os.environ, "PYTHONPATH": str(ROOT)}, capture_output=True, text=True, timeout=PATIENCE,
            check=False,
        )  # fmt: skip
    assert result.returncode == 0, result.stdout + result.stderr
    assert "frames" in result.stdout
