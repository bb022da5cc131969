"""A viewer in a process of its own under Xvfb, with a hand on its mouse and keyboard."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import sim

ROOT = Path(__file__).resolve().parent.parent.parent
PATIENCE = 90.0

State = dict[str, Any]


@contextmanager
def x_server(size: str = "1000x700", *options: str) -> Iterator[str]:
    """An X server without a screen; the name of its display."""
    read, write = os.pipe()
    # without a reset when its last client leaves: the next one may be coming just then
    command = ["Xvfb", "-displayfd", str(write), "-screen", "0", f"{size}x24", "-nolisten", "tcp", "-noreset"]
    command += options
    server = subprocess.Popen(command, pass_fds=[write], stderr=subprocess.DEVNULL)
    os.close(write)
    try:
        with os.fdopen(read) as answer:
            yield ":" + answer.readline().strip()
    finally:
        server.terminate()
        server.wait()


@contextmanager
def own_viewer(path: Path) -> Iterator[Viewer]:
    """A paused viewer on a model, on a screen of its own; in the end it has to close as it should."""
    with x_server() as display:
        shown = Viewer(display, path, path.parent)
        yield shown
        assert "closed" in shown.close()
        assert shown.process.returncode == 0


class Viewer:
    """A viewer process and a hand on its mouse and keyboard."""

    def __init__(self, display: str, path: Path, home: Path) -> None:
        # kernels are compiled here, not while the viewer is waited for
        sim.prepare(sim.load(path))
        self.env = {**os.environ, "DISPLAY": display, "XDG_CONFIG_HOME": str(home), "PYTHONPATH": str(ROOT)}
        command = [sys.executable, str(Path(__file__).with_name("window_child.py")), str(path)]
        self.process = subprocess.Popen(
            command, env=self.env, cwd=home, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        # once panels are docked, the picture has its place
        self.wait(lambda s: s["ready"] and s["picture"][0] > 100)
        state = self.state()
        x, y, width, height = state["picture"]
        self.middle = int(x + width / 2), int(y + height / 2)
        self.height = height

    def state(self) -> State:
        """The viewer's state now."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write("state\n")
        self.process.stdin.flush()
        line = self.process.stdout.readline()
        assert line.startswith("{"), f"the viewer ended: {line!r}"
        answer: State = json.loads(line)
        assert answer["error"] == "GL_NO_ERROR"
        return answer

    def wait(self, condition: Callable[[State], bool]) -> State:
        """The first state that meets the condition."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            state = self.state()
            if condition(state):
                return state
            time.sleep(0.05)
        raise AssertionError(f"never happened; the viewer is in {self.state()}")

    def tell(self, *words: object) -> None:
        """One call of xdotool."""
        subprocess.run(["xdotool", *map(str, words)], env=self.env, check=True, timeout=60)

    def do(self, *words: object) -> None:
        """One call of xdotool, and the frames in which the viewer takes it in, however slow they are."""
        start = self.state()["frames"]
        self.tell(*words)
        began = time.monotonic()
        while (drawn := self.state()["frames"] - start) < 3:
            # nothing was drawn at all: it was no news to the viewer
            if time.monotonic() - began > (PATIENCE if drawn else 1.0):
                break
            time.sleep(0.02)

    def window(self) -> str:
        """X's number of the window."""
        search = ["xdotool", "search", "--name", "Kinetoscope"]
        (number,) = subprocess.run(search, env=self.env, check=True, capture_output=True, text=True).stdout.split()
        return number

    def key(self, name: str) -> None:
        """Press and release a key with the pointer over the view."""
        self.do("mousemove", *self.middle)
        self.do("key", name)

    def drag(self, button: int, dx: int, dy: int) -> None:
        """Drag from the middle of the view."""
        x, y = self.middle
        self.do("mousemove", x, y)
        self.do("mousedown", button)
        for part in (1, 2):
            self.do("mousemove", x + dx * part // 2, y + dy * part // 2)
        self.do("mouseup", button)

    def keys(self, *names: str) -> None:
        """Press several keys one after another, each for a frame or two."""
        self.do("key", "--delay", 40, *names)

    def close(self) -> str:
        """Close the window; what the process said last."""
        if self.process.poll() is None:
            assert self.process.stdin is not None
            self.process.stdin.write("close\n")
            self.process.stdin.flush()
        out, _ = self.process.communicate(timeout=PATIENCE)
        return out
