"""A slice of the soak of kills: files are whole, and the session is offered with all that was written of it."""

from __future__ import annotations

import os
import sys

import pytest

from tests.app.window_driver import ROOT
from tests.patience import finished

pytestmark = [pytest.mark.window, pytest.mark.release]


def test_a_few_kills() -> None:
    """How much is lost depends on how busy the machine is: the soak itself looks at that."""
    command = [sys.executable, "-m", "tests.soak.kill", "--kills", "3", "--seed", "7", "--lag", "inf"]
    result = finished(command, cwd=ROOT, env={**os.environ, "PYTHONPATH": str(ROOT)})
    assert result.returncode == 0, result.stdout + result.stderr
    assert "3 kills" in result.stdout
