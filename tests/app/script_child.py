"""A script with a passive viewer, for tests with a real window.

Each line on standard input is a Python expression about `v`, the handle, `m`, `d` and `seen`; its value after the next
turn of the viewer's loop is printed as JSON. `close` closes the viewer; the script then opens and closes a second one,
and ends with one that blocks.
"""

from __future__ import annotations

import json
import queue
import sys
import threading
from collections.abc import Callable
from typing import Any

import numpy as np
from imgui_bundle import imgui

import sim
from app import viewer
from app.run import commands as cmd
from app.view.input import bindings
from tests.app.window_child import Watched

START_DISTANCE = 2.5
# a loop that takes longer for a turn has ended
ENDED_SECONDS = 60.0

BALL = """<mujoco><option gravity='0 0 0'/><statistic center='0 0 0' extent='1'/>
<visual><global azimuth='90' elevation='0'/></visual><worldbody><light pos='0 -2 2' dir='0 1 -1'/>
<camera name='side' pos='0 -3 0' xyaxes='1 0 0 0 0 1' fovy='30'/>
<body name='ball'><freejoint/><geom size='.2'/></body></worldbody></mujoco>"""


class Seen:
    """What the script notices."""

    def __init__(self) -> None:
        self.keys: list[int] = []
        self.frames = 0
        self.steps = 0
        self.threads: set[str] = set()

    def panel(self) -> None:
        """A panel of the script's own."""
        self.frames += 1
        self.threads.add(threading.current_thread().name)
        imgui.text("from the script")


def broken_panel() -> None:
    """A panel that stops in the middle."""
    imgui.begin_child("never ended")
    imgui.push_item_width(10)
    raise KeyError("no such thing")


class Kept:
    """What something was before it was made to fail."""

    what: tuple[Any, str, Any]

    @classmethod
    def swap(cls, owner: Any, name: str, value: object) -> None:
        """Have another value for a while."""
        cls.what = owner, name, getattr(owner, name)
        setattr(owner, name, value)

    @classmethod
    def back(cls) -> None:
        """The one from before."""
        setattr(*cls.what)


def start_over(v: viewer.Handle, m: sim.Model, seen: Seen) -> None:
    """As the script was when it began; what `sync` must not be disturbed in is asked of the simulation."""
    v.panels.clear()
    v.panels["Mine"] = seen.panel
    v.texts.clear()
    v._script_layer.key = seen.keys.append
    seen.keys.clear()
    v.look_through(None)
    v.track(None)
    v.cam.lookat[:], v.cam.distance = 0.0, START_DISTANCE
    v.cam.azimuth, v.cam.elevation = 90.0, 0.0
    v.perturb.select = 0
    v.view.feedback.message = ""
    for command in (cmd.Perturb(), cmd.DismissProblem(), cmd.Reset(), cmd.SetPaused(False)):
        v._simulation.send(command)


def complaint(function: Callable[[], object]) -> str:
    """What is said about something that cannot be done."""
    try:
        function()
    except (AttributeError, KeyError, IndexError) as error:
        return str(error)
    return "it can be done"


class Noted(Watched):
    """A viewer that can be found, and whose turns can be waited for."""

    newest: Noted
    turn = threading.Condition()

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        Noted.newest = self

    def _tick(self) -> None:
        super()._tick()
        with Noted.turn:
            Noted.turn.notify_all()


class Closed(Noted):
    """A viewer whose user closes it once it has run for a while."""

    def _tick(self) -> None:
        super()._tick()
        if self.run_state.time > self.until:
            self.window.on_close()

    until = 0.0


def turns(count: int) -> None:
    """Wait for so many turns of the newest viewer's loop; for none if it has ended."""
    with Noted.turn:
        for _ in range(count):
            Noted.turn.wait(ENDED_SECONDS)


def plain(value: object) -> object:
    """As JSON can say it."""
    return np.asarray(value).tolist() if isinstance(value, np.ndarray | np.generic) else value


def main() -> None:
    """Step until told to stop."""
    m = sim.loads(BALL)
    d = sim.Data(m)
    seen, questions = Seen(), queue.SimpleQueue[str]()

    def listen() -> None:
        for line in sys.stdin:
            questions.put(line.strip())

    def answer() -> None:
        while (question := questions.get()) != "close":
            turns(1)
            value = eval(question, {**globals(), "bindings": bindings, "v": v, "m": m, "d": d, "seen": seen})
            print(json.dumps(plain(value)), flush=True)
        v.close()

    viewer.Application = Noted
    with viewer.launch_passive(m, d, key_callback=seen.keys.append) as v:
        threading.Thread(target=listen, daemon=True).start()
        threading.Thread(target=answer, daemon=True).start()
        # before the first frame: this is where it starts
        v.cam.distance = START_DISTANCE
        v.panels["Mine"] = seen.panel
        v.set_texts([(None, 3, "over", "the picture"), (100, None, "small", None)])
        with v.lock():
            v.geoms.append(viewer.UserGeom(2, (0.1, 0.0, 0.0), (0.0, 0.0, 0.4), rgba=(1.0, 0.0, 0.0, 1.0)))
            v.texts["answer"] = "42"
        while v.is_running():
            sim.step(m, d)
            seen.steps += 1
            v.plot("speed", float(np.abs(d.qvel).max()))
            v.sync()
    with viewer.launch_passive(m, d, show_left_ui=False) as again:
        again.sync()
    viewer.Application, Closed.until = Closed, d.time + 0.1
    print("closed", again.is_running(), again.view.prefs.show_left, flush=True)
    viewer.launch(m, d)
    print("returned", d.time > 0.1, flush=True)


if __name__ == "__main__":
    main()
