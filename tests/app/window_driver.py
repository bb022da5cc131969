"""A viewer in a process of its own under Xvfb, with a hand on its mouse and keyboard.

Waits are counted in turns of the viewer's loop, so a slow machine gets as long as it needs. Only a process that no
longer answers at all is given up.
"""

from __future__ import annotations

import json
import os
import select
import struct
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import IO, Any

import numpy as np

import sim
from app.render.capture.video import Pixels
from tests.patience import PATIENCE, given_up

ROOT = Path(__file__).resolve().parent.parent.parent
# between two looks at what cannot be waited for otherwise, s
LOOK = 0.02
# turns of the viewer's loop after which what was waited for never happens
TURNS = 10_000
# what xdotool presses, and how it is released
RELEASES = {"keydown": "keyup", "mousedown": "mouseup"}

State = dict[str, Any]
XWD = struct.Struct(">25I")


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


def ask(process: subprocess.Popen[str], question: str) -> str:
    """A process's answer to a line on its standard input; empty if it has ended."""
    source: IO[str] | None = process.stdout
    assert process.stdin is not None
    assert source is not None
    try:
        process.stdin.write(question + "\n")
        process.stdin.flush()
    except BrokenPipeError:
        return ""
    since = time.monotonic()
    while not select.select([source], [], [], 1.0)[0]:
        assert not given_up(process.pid, since), f"no answer to {question}"
    return source.readline()


@contextmanager
def ended(process: subprocess.Popen[Any]) -> Iterator[None]:
    """Whatever comes of a test, its process ends with it."""
    try:
        yield
    finally:
        process.kill()


def until(process: subprocess.Popen[Any], condition: Callable[[], object]) -> None:
    """Look until a condition holds, as long as a process lives."""
    since = time.monotonic()
    while not condition():
        assert process.poll() is None, process.communicate()
        assert not given_up(process.pid, since)
        time.sleep(LOOK)


def last_words(process: subprocess.Popen[str], said: str | None = None) -> str:
    """What a process that should end prints until then, after a line on its standard input."""
    since = time.monotonic()
    while True:
        try:
            return process.communicate(said, timeout=1.0)[0]
        except subprocess.TimeoutExpired:
            said = None
            assert not given_up(process.pid, since), "it does not end"


@contextmanager
def own_viewer(path: Path, size: str = "1000x700") -> Iterator[Viewer]:
    """A paused viewer on a model, on a screen of its own; in the end it has to close as it should."""
    with TemporaryDirectory() as memory, x_server(size, "-fbdir", memory) as display:
        shown = Viewer(display, path, path.parent, Path(memory))
        yield shown
        assert "closed" in shown.close()
        assert shown.process.returncode == 0


class Viewer:
    """A viewer process and a hand on its mouse and keyboard."""

    def __init__(self, display: str, path: Path, home: Path, memory: Path | None = None) -> None:
        # kernels are compiled here, not while the viewer is waited for
        sim.prepare(sim.load(path))
        self.env = {**os.environ, "DISPLAY": display, "XDG_CONFIG_HOME": str(home), "PYTHONPATH": str(ROOT)}
        self._home, self._path, self._memory = home, path, memory
        self._held: list[tuple[str, str]] = []
        self._start()

    def _start(self) -> None:
        self._last: str | None = None
        command = [sys.executable, str(Path(__file__).with_name("window_child.py")), str(self._path)]
        self.process = subprocess.Popen(
            command, env=self.env, cwd=self._home, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        # once panels are docked, the picture has its place
        self._look(self.wait(lambda s: s["ready"] and s["picture"][0] > 100))

    def _look(self, state: State) -> None:
        x, y, width, height = state["picture"]
        self.middle = int(x + width / 2), int(y + height / 2)
        self.height = height

    def reset(self, path: Path | None = None) -> None:
        """As if it had just been started, with this model or the first one, the pointer over the view."""
        if self.process.poll() is not None:
            # another test has ended it
            self._held.clear()
            self._start()
        for word, what in reversed(self._held.copy()):
            self.tell(RELEASES[word], what)
        if self.state()["hidden"]:
            self.tell("windowmap", "--sync", self.window())
        self.tell("windowfocus", "--sync", self.window())
        self._look(self.ask(f"reset {path or self._path}"))
        self.do("mousemove", *self.middle)

    def ask(self, question: str) -> State:
        """The viewer's state, as the answer to a question."""
        line = ask(self.process, question)
        assert line.startswith("{"), f"the viewer ended: {line!r}"
        answer: State = json.loads(line)
        assert answer["error"] == "GL_NO_ERROR"
        return answer

    def state(self) -> State:
        """The viewer's state after the next turn of its loop."""
        return self.ask("state")

    def wait(self, condition: Callable[[State], bool]) -> State:
        """The first state that meets the condition."""
        for _ in range(TURNS):
            state = self.state()
            if condition(state):
                return state
        raise AssertionError(f"never happened; the viewer is in {state}")

    def tell(self, *words: object) -> None:
        """One call of xdotool; what it presses is known."""
        said = [str(word) for word in words]
        subprocess.run(["xdotool", *said], env=self.env, check=True, timeout=PATIENCE)
        for word, what in pairwise(said):
            if word in RELEASES:
                self._held.append((word, what))
            for press, release in RELEASES.items():
                if word == release and (press, what) in self._held:
                    self._held.remove((press, what))

    def do(self, *words: object) -> State:
        """One call of xdotool; the state once the viewer has taken it in."""
        self.tell(*words)
        return self.ask("settle")

    def window(self) -> str:
        """X's number of the window."""
        search = ["xdotool", "search", "--name", "Kinetoscope"]
        (number,) = subprocess.run(search, env=self.env, check=True, capture_output=True, text=True).stdout.split()
        return number

    def screen(self) -> Pixels:
        """What the X server shows, rows from top to bottom, RGB."""
        assert self._memory is not None, "the server does not keep its screen in a file"
        dump = (self._memory / "Xvfb_screen0").read_bytes()
        # X window dump: size of the header, width, height, bytes per line, count of colours
        header, width, height, stride, colours = (XWD.unpack_from(dump)[k] for k in (0, 4, 5, 12, 19))
        rows = np.frombuffer(dump, np.uint8, height * stride, header + 12 * colours).reshape(height, stride)
        return rows[:, : 4 * width].reshape(height, width, 4)[:, :, 2::-1]

    def key(self, name: str) -> None:
        """Press and release a key with the pointer over the view."""
        self.do("mousemove", *self.middle)
        self.do("key", name)

    def double_click(self, button: int) -> None:
        """Click twice, as fast as the X server takes it."""
        self.do("click", "--repeat", 2, "--delay", 0, button)

    def drag(self, button: int, dx: int, dy: int) -> None:
        """Drag from the middle of the view."""
        x, y = self.middle
        self.do("mousemove", x, y)
        self.do("mousedown", button)
        for part in (1, 2):
            self.do("mousemove", x + dx * part // 2, y + dy * part // 2)
        self.do("mouseup", button)

    def press(self, rect: list[float], dx: int = 0) -> None:
        """Press in the middle of a rectangle, drag to the side, release."""
        x, y = round((rect[0] + rect[2]) / 2), round((rect[1] + rect[3]) / 2)
        self.do("mousemove", x, y)
        self.do("mousedown", 1)
        if dx:
            self.do("mousemove", x + dx // 2, y)
            self.do("mousemove", x + dx, y)
        self.do("mouseup", 1)

    def keys(self, *names: str) -> None:
        """Press several keys one after another, as fast as the X server takes them."""
        self.do("key", "--delay", 0, *names)

    def type(self, text: str) -> None:
        """Type a text, as fast as the X server takes it."""
        self.do("type", "--delay", 0, text)

    def close(self, word: str = "close") -> str:
        """Close the window, if it is open, or say what will; what the process said last."""
        if self._last is None:
            self._last = last_words(self.process, word + "\n")
        return self._last
