"""Gymnasium's environments run unmodified on our engine: they observe the same, and their pictures show the same."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

ROOT = Path(__file__).resolve().parents[3]
NAMES = (
    "Ant-v5", "HalfCheetah-v5", "Hopper-v5", "Humanoid-v5", "HumanoidStandup-v5", "InvertedDoublePendulum-v5",
    "InvertedPendulum-v5", "Pusher-v5", "Reacher-v5", "Swimmer-v5", "Walker2d-v5",
)  # fmt: skip
# observations of MuJoCo move by so much more than its start does, at most, and may differ from ours by that
GROWTH = 100.0


def child(*arguments: str) -> Any:
    command = [sys.executable, "-P", str(Path(__file__).with_name("gymnasium_child.py")), *arguments]
    env = {**os.environ, "PYTHONPATH": str(ROOT), "MUJOCO_GL": "egl"}
    done = subprocess.run(command, env=env, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.splitlines()[-1])


@pytest.fixture(scope="module")
def runs() -> tuple[Any, Any, Any]:
    """With our engine, with MuJoCo, and with MuJoCo from a start that is moved by rounding."""
    return child("--ours", *NAMES), child(*NAMES), child("--eps", "1e-15", *NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_observations(name: str, runs: tuple[Any, Any, Any]) -> None:
    ours, theirs, moved = (np.array(run[name]) for run in runs)
    own = np.abs(moved - theirs).max(axis=1)
    own = np.maximum.accumulate(own)
    scale = np.maximum(np.abs(theirs).max(axis=1), 1.0)
    error = np.abs(ours - theirs).max(axis=1)
    assert (error <= GROWTH * own + 1e-11 * scale).all(), (error, own)
    assert error[0] <= 1e-9 * scale[0]


def test_pictures() -> None:
    ours, theirs = child("--ours", "--image"), child("--image")
    for mode, shade in (("rgb_array", 15.0), ("depth_array", 1e-3)):
        assert ours[mode]["shape"] == theirs[mode]["shape"]
        assert ours[mode]["mean"] == pytest.approx(theirs[mode]["mean"], abs=shade)
    # how far away the hopper is
    assert ours["depth_array"]["middle"] == pytest.approx(theirs["depth_array"]["middle"], abs=1e-4)
    # the sky: MuJoCo draws it with a depth, on a prism; ours is on the cylinder about that
    assert 1.0 - ours["depth_array"]["corner"] == pytest.approx(1.0 - theirs["depth_array"]["corner"], rel=0.02)
    assert ours["depth_array"]["corner"] < 1.0
