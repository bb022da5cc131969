"""Several viewers in one process: each in its own turn, with its own window, loop and ImGui (app/ui/x11_loop.py)."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import sim
from tests.app.script_child import BALL
from tests.app.several_child import SIZE
from tests.app.window_driver import ROOT, TURNS, ask, x_server
from tests.patience import PATIENCE

pytestmark = pytest.mark.release


class Several:
    """The process, and a hand on its mouse and keyboard."""

    def __init__(self, display: str, home: Path) -> None:
        sim.prepare(sim.loads(BALL))
        self._env = {**os.environ, "DISPLAY": display, "XDG_CONFIG_HOME": str(home), "PYTHONPATH": str(ROOT)}
        command = [sys.executable, str(Path(__file__).with_name("several_child.py"))]
        self.process = subprocess.Popen(
            command, env=self._env, cwd=home, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def ask(self, expression: str) -> Any:
        """The value of an expression in the process."""
        return json.loads(ask(self.process, expression))

    def wait(self, expression: str) -> None:
        """Until an expression is true."""
        assert any(self.ask(expression) for _ in range(TURNS)), expression

    def focus(self, name: str) -> None:
        """Without a window manager nobody else gives a window the keyboard."""
        self.ask(f"Placed.made['{name}'].take_focus()")
        self.wait(f"Placed.made['{name}'].window._active")

    def do(self, *words: object) -> str:
        """One call of xdotool, and turns in which it is taken in."""
        out = subprocess.run(
            ["xdotool", *map(str, words)],
            env=self._env,
            check=True,
            timeout=PATIENCE,
            stdout=subprocess.PIPE,
            text=True,
        ).stdout
        self.ask("turns()")
        return out


@pytest.fixture
def several(tmp_path: Path) -> Iterator[Several]:
    """Three viewers, all of which have drawn."""
    with x_server() as display:
        running = Several(display, tmp_path)
        running.wait("all(one.frames > 5 for one in Placed.made.values())")
        yield running
        running.process.kill()
        running.process.communicate()


@pytest.mark.window
def test_three_viewers_are_drawn_used_and_closed_one_by_one(several: Several) -> None:
    assert several.ask("[one.window.caption for one in Placed.made.values()]") == [
        "a – Kinetoscope", "b – Kinetoscope", "c – Kinetoscope",
    ]  # fmt: skip
    assert several.ask("[one.window.get_size() for one in Placed.made.values()]") == [list(SIZE)] * 3
    # what the user does in one window stays there
    several.do("mousemove", *several.ask("b._application.middle"))
    several.do("click", "--repeat", 2, "--delay", 0, 1)
    several.wait("b.perturb.select == 1")
    assert several.ask("(a.perturb.select, c.view.perturb is None)") == [0, True]
    several.focus("b")
    several.do("key", "space")
    several.wait("b._simulation.latest.run.paused")
    assert several.ask("(a._simulation.latest.run.paused, c.run_state.paused)") == [False, False]
    several.focus("c")
    several.do("key", "space")
    several.wait("c.run_state.paused")
    # so do fonts and colours
    several.ask("setattr(a.view.prefs, 'light_theme', True)")
    several.wait("a._application._contexts._look.palette != c._contexts._look.palette")
    assert several.ask("b._application._contexts._look.palette == c._contexts._look.palette")
    # one is closed, the others go on: a runs, c draws what is done to it
    assert several.ask("b.close() or b.is_running()") is False
    steps, frames = several.ask("(a._simulation.latest.run.steps, c.frames)")
    several.focus("c")
    several.do("key", "space")
    several.wait(f"a._simulation.latest.run.steps > {steps} and c.frames > {frames} and not c.run_state.paused")
    assert several.ask("[one.context.error for one in (a._application, c)]") == ["GL_NO_ERROR"] * 2
    # `launch` returns when its own window is closed
    several.ask("c.window.dispatch_event('on_close')")
    assert several.process.stdout is not None
    assert several.process.stdout.readline() == "launch has returned True False\n"
    # at its end the script closes what is open
    assert several.process.wait(PATIENCE) == 0


@pytest.mark.window
def test_a_viewer_is_opened_and_closed_from_the_callback_of_another(several: Several) -> None:
    """In the turn of one window another one gets its turns."""
    several.ask("a.panels.update(Opens=lambda: Placed.open_another(a.m))")
    several.wait("bool(Placed.others) and Placed.others[0].is_running()")
    several.ask("a.panels.update(Opens=lambda: Placed.others[0].close())")
    several.wait("not Placed.others[0].is_running()")
    frames = several.ask("a._application.frames")
    several.wait(f"a._application.frames > {frames + 3} and not a._script_layer.faults")
