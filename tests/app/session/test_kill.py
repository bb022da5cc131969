"""A slice of the soak of kills: files are whole, and the session is offered with all that was written of it."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from tests.app.window_driver import PATIENCE, ROOT

pytestmark = pytest.mark.window


def test_a_few_kills() -> None:
    """How much is lost depends on how busy the machine is: the soak itself looks at that."""
    result = subprocess.run(
        [sys.executable, "-m", "tests.soak.kill", "--kills", "3", "--seed", "7", "--lag", "inf"],
        cwd=ROOT, env={**os.environ, "PYTHONPATH": str(ROOT)}, capture_output=True, text=True, timeout=PATIENCE,
        check=False,
    )  # fmt: skip
    assert result.returncode == 0, result.stdout + result.stderr
    assert "3 kills" in result.stdout
