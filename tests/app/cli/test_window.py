"""The command that opens the window: with a model that is broken it waits for the fix."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from app.cli import EXIT_BAD_INPUT
from app.cli.window import ENDINGS
from tests.app.window_driver import ROOT, ended, until, x_server
from tests.patience import PATIENCE, finished

GOOD = "<mujoco><worldbody><body><freejoint/><geom size='.1'/></body></worldbody></mujoco>"
COMMAND = (sys.executable, "-m", "app")


@pytest.mark.window
def test_a_broken_model_opens_a_window_that_waits_for_the_fix(tmp_path: Path) -> None:
    model = tmp_path / "ball.xml"
    model.write_text(GOOD.replace("size", "sighs"))
    with x_server() as display:
        env = {**os.environ, "DISPLAY": display, "XDG_CONFIG_HOME": str(tmp_path), "PYTHONPATH": str(ROOT)}

        def titles() -> str:
            search = ["xdotool", "search", "--name", "Kinetoscope", "getwindowname"]
            return subprocess.run(search, env=env, capture_output=True, text=True, check=False).stdout

        process = subprocess.Popen([*COMMAND, str(model)], env=env, cwd=tmp_path, stderr=subprocess.PIPE, text=True)
        with ended(process):
            until(process, titles)
            assert process.stderr is not None
            assert "cannot be opened" in process.stderr.readline()
            assert "ball.xml:1: <geom>: unknown attribute 'sighs'" in process.stderr.readline()
            assert "ball" not in titles()
            model.write_text(GOOD)
            until(process, lambda: "ball" in titles())
            process.send_signal(ENDINGS[0])
            assert process.wait(PATIENCE) == 0


@pytest.mark.parametrize("display", ["", ":987"])
def test_without_a_screen_it_is_an_error(display: str, tmp_path: Path) -> None:
    (tmp_path / "model.xml").write_text(GOOD.replace("size", "sighs"))
    env = {**os.environ, "DISPLAY": display, "WAYLAND_DISPLAY": "", "PYTHONPATH": str(ROOT)}
    for name, words in (("model.xml", "unknown attribute 'sighs'"), ("none.xml", "none.xml")):
        done = finished([*COMMAND, name], env=env, cwd=tmp_path)
        assert done.returncode == EXIT_BAD_INPUT, done.stderr
        assert words in done.stderr
        assert [path.name for path in tmp_path.iterdir()] == ["model.xml"]
