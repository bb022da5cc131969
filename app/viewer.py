"""The viewer from a script.

    from app import viewer
    viewer.launch(m, d)                       # blocks until the window is closed; the viewer steps

    with viewer.launch_passive(m, d) as v:    # beside the script's own loop
        while v.is_running():
            sim.step(m, d)
            v.sync()

`sync` exchanges state with the window, applies the pull of the mouse to d.xfrc_applied, and waits while the user has
paused. The window lives in a thread of its own; only macOS wants windows in the main thread, so there only `launch`
works.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import sim
from app.application import Application
from app.camera import OrbitCamera
from app.decor.extra import ExtraGeom
from app.guest import Guest
from app.passive import PassiveSimulation
from app.resources import open_command
from app.sim_thread import SimThread
from app.state import VisualOptions

__all__ = ["ExtraGeom", "Handle", "launch", "launch_passive"]

# keys that are no letters or signs, by their names in pyglet, to the codes that MuJoCo's callbacks get
SPECIAL_KEYS = {
    "ESCAPE": 256, "ENTER": 257, "RETURN": 257, "TAB": 258, "BACKSPACE": 259, "INSERT": 260, "DELETE": 261,
    "RIGHT": 262, "LEFT": 263, "DOWN": 264, "UP": 265, "PAGEUP": 266, "PAGEDOWN": 267, "HOME": 268, "END": 269,
}  # fmt: skip
CLOSE_SECONDS = 10.0


def launch(model: Any = None, data: Any = None) -> None:
    """Open the viewer on a Model, with its Data or from the start, or on a path; blocks until it is closed."""
    simulation = SimThread(sim)
    if isinstance(model, sim.Model):
        simulation.adopt(model, sim.Data(model) if data is None else data)
    simulation.start()
    if model is not None and not isinstance(model, sim.Model):
        simulation.send(open_command(Path(model)))
    application = Application(simulation)
    application.view.show_gallery = model is None
    application.run()


def launch_passive(model: Any, data: Any, *, key_callback: Callable[[int], None] | None = None) -> Handle:
    """Open a viewer beside the caller's own loop; `key_callback` gets the codes of keys, on the viewer's thread."""
    if sys.platform == "darwin":
        raise RuntimeError("on macOS a window has to live in the main thread: use viewer.launch")
    return Handle(model, data, key_callback)


class Handle:
    """A viewer that runs beside a script."""

    def __init__(self, model: Any, data: Any, key_callback: Callable[[int], None] | None) -> None:
        self._data = data
        self._guest = Guest(key=key_callback)
        self._simulation = PassiveSimulation(sim, model, data)
        self._application: Application | None = None
        self._failure: BaseException | None = None
        self._ready = threading.Event()
        self._thread = threading.Thread(target=self._run, name="viewer", daemon=True)
        self._thread.start()
        self._ready.wait()
        if self._failure is not None:
            raise self._failure

    # the loop

    def sync(self) -> None:
        """Exchange state with the window; returns when the script may go on."""
        if self.is_running():
            self._simulation.sync()

    def is_running(self) -> bool:
        """Whether the window is open."""
        return self._thread.is_alive() and self._application is not None and not self._application.window.closed

    def close(self) -> None:
        """Close the window, and wait until it is gone."""
        if self._application is not None:
            self._application.window.closed = True
        if self._thread is not threading.current_thread():
            self._thread.join(CLOSE_SECONDS)

    def lock(self) -> Any:
        """A lock to hold while changing `geoms`, `texts` or `panels` in several steps."""
        return self._guest.lock

    # what is shown

    @property
    def geoms(self) -> list[ExtraGeom]:
        """Geoms of the script's own, drawn with the model."""
        return self._guest.geoms

    @property
    def texts(self) -> dict[str, str]:
        """Texts by their labels, in the panel of the script."""
        return self._guest.texts

    @property
    def panels(self) -> dict[str, Callable[[], None]]:
        """Panels by their titles: functions that call ImGui, once a frame, on the viewer's thread."""
        return self._guest.panels

    def plot(self, name: str, value: float) -> None:
        """Add a value, at d.time, to a plot in the panel of the script."""
        self._guest.sample(name, float(self._data.time), float(value))

    @property
    def cam(self) -> OrbitCamera:
        """The free camera."""
        return self._running().view.camera

    @property
    def opt(self) -> VisualOptions:
        """What is drawn."""
        return self._running().view.options

    # with

    def __enter__(self) -> Handle:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # the viewer's thread

    def _running(self) -> Application:
        assert self._application is not None
        return self._application

    def _run(self) -> None:
        """Make the window and draw until it is closed."""
        try:
            self._application = Application(self._simulation, self._guest)
        except BaseException as error:
            self._failure = error
            return
        finally:
            self._ready.set()
        if self._guest.key is not None:
            self._application.window.key_listener = self._key
        self._application.run()

    def _key(self, symbol: int, name: str) -> None:
        """Tell the script of a key."""
        code = SPECIAL_KEYS.get(name, ord(chr(symbol).upper()) if symbol < 128 else 0)
        if code and self._guest.key is not None:
            self._guest.key(code)
