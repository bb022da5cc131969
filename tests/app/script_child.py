"""A script with a passive viewer, for tests with a real window.

Each line on standard input is a Python expression about `v`, the handle, `m`, `d` and `seen`; its value is printed as
JSON. `close` closes the viewer; the script then opens and closes a second one, and ends with one that blocks.
"""

from __future__ import annotations

import json
import queue
import sys
import threading
import time
from collections.abc import Callable
from typing import Any

import numpy as np
from imgui_bundle import imgui

import sim
from app import bindings, viewer

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


def second_viewer(m: sim.Model) -> str:
    """What becomes of a second viewer at the same time."""
    try:
        viewer.launch_passive(m, sim.Data(m))
    except RuntimeError as error:
        return str(error)
    return "it opens"


def complaint(function: Callable[[], object]) -> str:
    """What is said about something that cannot be done."""
    try:
        function()
    except (AttributeError, KeyError, IndexError) as error:
        return str(error)
    return "it can be done"


class Noted(viewer.Application):
    """A viewer that can be found."""

    newest: Noted | None = None

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        Noted.newest = self


def close_later(d: sim.Data, moment: float) -> None:
    """Close the newest viewer at a moment of the simulation."""
    while d.time < moment or Noted.newest is None:
        time.sleep(0.01)
    Noted.newest.window.on_close()


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
            value = eval(question, {**globals(), "bindings": bindings, "v": v, "m": m, "d": d, "seen": seen})
            print(json.dumps(plain(value)), flush=True)
        v.close()

    with viewer.launch_passive(m, d, key_callback=seen.keys.append) as v:
        threading.Thread(target=listen, daemon=True).start()
        threading.Thread(target=answer, daemon=True).start()
        # before the first frame: this is where it starts
        v.cam.distance = 2.5
        v.panels["Mine"] = seen.panel
        v.set_texts([(None, 3, "over", "the picture"), (100, None, "small", None)])
        with v.lock():
            v.geoms.append(viewer.ExtraGeom(2, (0.1, 0.0, 0.0), (0.0, 0.0, 0.4), rgba=(1.0, 0.0, 0.0, 1.0)))
            v.texts["answer"] = "42"
        while v.is_running():
            sim.step(m, d)
            seen.steps += 1
            v.plot("speed", float(np.abs(d.qvel).max()))
            v.sync()
    with viewer.launch_passive(m, d, show_left_ui=False) as again:
        again.sync()
    viewer.Application = Noted
    print("closed", again.is_running(), again.view.show_left, flush=True)
    # the user closes it once it has run for a while
    threading.Thread(target=close_later, args=(d, d.time + 0.1), daemon=True).start()
    viewer.launch(m, d)
    print("returned", d.time > 0.1, flush=True)


if __name__ == "__main__":
    main()
