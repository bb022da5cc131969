"""The viewer from a script: `launch`, `launch_passive` and its handle, as in mujoco.viewer.

    from app import viewer
    viewer.launch(m, d)                       # blocks until the window is closed; the viewer steps

    with viewer.launch_passive(m, d) as v:    # the script steps in its own loop
        while v.is_running():
            sim.step(m, d)
            v.sync()

`sync` exchanges state with the window, writes the mouse perturbation into d.perturb, and waits while the user has
paused. The window has its own thread; macOS requires windows in the main thread, so only `launch` works there.

With models of MuJoCo, scripts for mujoco.viewer run as they are. With those of `sim` the names are the same, with these
differences: m and d are only used inside `sync`, so `lock` guards only what the script draws; `geoms` replaces
`user_scn`, `plot` replaces `set_figures`; `opt` has a named flag for all that is drawn; `cam` is the free camera,
`track` and `look_through` replace its type, trackbodyid and fixedcamid. `Renderer` draws without a window.
"""

from __future__ import annotations

import atexit
import queue
import sys
import threading
import traceback
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, TypedDict, Unpack, overload

import sim
from app.application import Application
from app.render.capture.offscreen import Renderer
from app.run.commands import open_command
from app.run.engine.choice import adopt
from app.run.engine.installed import structs_for
from app.run.passive import PassiveSimulation
from app.run.sim_thread import SimThread
from app.scene.camera import FREE_CAMERA, OrbitCamera
from app.scene.decor.user_geoms import UserGeom
from app.scene.visual_options import VisualOptions
from app.script_drawing import ScriptDrawing
from app.ui import turns
from app.ui.window import MOST_WINDOWS, WindowWish
from app.view.rect import Rect
from app.view.script.layer import FONT_PERCENT, Overlay, ScriptLayer
from app.view.script.panel_file import PanelFile, PanelView, overlay, panel
from app.view.view_state import ViewState

__all__ = [
    "Handle",
    "OrbitCamera",
    "PanelFile",
    "PanelView",
    "Perturb",
    "Renderer",
    "UserGeom",
    "VisualOptions",
    "launch",
    "launch_from_path",
    "launch_passive",
    "overlay",
    "panel",
]

# special keys: name in pyglet -> the code that MuJoCo's callbacks get
SPECIAL_KEYS = {
    "ESCAPE": 256, "ENTER": 257, "RETURN": 257, "TAB": 258, "BACKSPACE": 259, "INSERT": 260, "DELETE": 261,
    "RIGHT": 262, "LEFT": 263, "DOWN": 264, "UP": 265, "PAGEUP": 266, "PAGEDOWN": 267, "HOME": 268, "END": 269,
    **{f"F{k}": 289 + k for k in range(1, 13)},
    **{f"NUM_{k}": 320 + k for k in range(10)},
    "NUM_DECIMAL": 330, "NUM_DIVIDE": 331, "NUM_MULTIPLY": 332, "NUM_SUBTRACT": 333, "NUM_ADD": 334, "NUM_ENTER": 335,
    "LSHIFT": 340, "LCTRL": 341, "LALT": 342, "RSHIFT": 344, "RCTRL": 345, "RALT": 346,
}  # fmt: skip
# attributes of mujoco.viewer that this does not have -> what to use instead
INSTEAD = {
    "user_scn": "the list `geoms` of viewer.UserGeom",
    "set_figures": "`plot`, one value at a time",
    "clear_figures": "`plot`, one value at a time",
}
CLOSE_SECONDS = 10.0
_places = threading.BoundedSemaphore(MOST_WINDOWS)

Text = tuple[int | None, int | None, str | None, str | None]


def launch(
    model: Any = None,
    data: Any = None,
    *,
    loader: Callable[[], tuple[Any, ...]] | None = None,
    panels: str | Path | None = None,
    show_left_ui: bool = True,
    show_right_ui: bool = True,
    title: str = "",
    size: tuple[int, int] | None = None,
) -> None:
    """Open the viewer on a Model, with its Data or in the default state, or on a path; blocks until it is closed.

    Model and Data are those of `sim` or of `mujoco`, whose engine then steps; `loader` is a function that returns both.
    `title` replaces the name of the model in the title bar, `size` is that of the window in pixels. `panels` is a file
    with panels of your own (`Handle.load_panels`).
    """
    if callable(model):
        model, loader = None, model
    if (loader is not None and model is not None) or (model is None and data is not None):
        raise ValueError("pass a model, with its Data, or a loader, not both")
    if loader is not None:
        model, data = loader()[:2]
    wish = WindowWish(title, size)
    _take_place()
    try:
        simulation = SimThread(sim)
        path = isinstance(model, str | Path)
        if model is not None and not path:
            simulation.adopt(*adopt(model, data))
        simulation.start()
        if path:
            simulation.send(open_command(Path(model)))
        try:
            application = Application(simulation, None, None, wish)
        except BaseException:
            # without a window nothing would stop it
            simulation.close()
            raise
        if panels is not None:
            application.load_panels(panels)
        application.view.ui.show_gallery = model is None
        _hide(application.view, show_left_ui, show_right_ui)
        application.run()
    finally:
        _places.release()


def launch_from_path(path: str | Path) -> None:
    """Open the viewer on a file; blocks until it is closed."""
    launch(path)


class PassiveOptions(TypedDict, total=False):
    """Options of `launch_passive`."""

    key_callback: Callable[[int], None] | None
    realtime: bool
    show_left_ui: bool
    show_right_ui: bool
    title: str
    size: tuple[int, int] | None


@overload
def launch_passive(model: sim.Model, data: sim.Data, **options: Unpack[PassiveOptions]) -> Handle: ...


@overload
def launch_passive(model: object, data: object, **options: Unpack[PassiveOptions]) -> Any: ...


def launch_passive(
    model: Any,
    data: Any,
    *,
    key_callback: Callable[[int], None] | None = None,
    realtime: bool = False,
    show_left_ui: bool = True,
    show_right_ui: bool = True,
    title: str = "",
    size: tuple[int, int] | None = None,
) -> Any:
    """Open a viewer next to the caller's own loop, on Model and Data of `sim` or of `mujoco`.

    Of MuJoCo's, the handle has MuJoCo's structs: scripts for mujoco.viewer run as they are (`mujoco_handle.py`).
    `key_callback` gets key codes, on the viewer's thread. The loop sets the pace; with `realtime`, `sync` waits so that
    d.time follows the clock, at the speed that the user chooses in the window.
    """
    if data is None:
        raise ValueError("data must be the Data that your loop steps, not None")
    ours = adopt(model, data)
    if key_callback is not None and not callable(key_callback):
        raise ValueError(f"key_callback must be callable, not {key_callback!r}")
    if sys.platform == "darwin":
        raise RuntimeError("macOS requires windows in the main thread: use viewer.launch")
    handle_class: Callable[..., Handle] = Handle
    if structs_for(model) is not None:
        from app.mujoco_handle import MujocoHandle, ScriptHandle

        handle_class = ScriptHandle if model is ours[0] else MujocoHandle
    handle = handle_class(*ours, key_callback, realtime, WindowWish(title, size))
    _hide(handle.view, show_left_ui, show_right_ui)
    return handle


class Handle(ScriptDrawing):
    """A passive viewer."""

    simulation_class: ClassVar[Callable[..., PassiveSimulation]] = PassiveSimulation

    def __init__(
        self,
        model: sim.Model,
        data: sim.Data,
        key_callback: Callable[[int], None] | None,
        realtime: bool = False,
        wish: WindowWish = WindowWish(),  # noqa: B008
    ) -> None:
        _take_place()
        self.m, self.d = model, data
        self._wish = wish
        self._script_layer = ScriptLayer(key=key_callback)
        try:
            self._simulation = self.simulation_class(model.engine, model, data, realtime)
        except BaseException:
            _places.release()
            raise
        self._application: Application | None = None
        # whether its thread has ended
        self._over = False
        # why the window could not be opened, or None if it is open
        opened: queue.SimpleQueue[BaseException | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._run, args=(opened,), name="viewer", daemon=True)
        self._thread.start()
        with turns.pause():
            failure = opened.get()
        if failure is not None:
            self._thread.join()
            self._simulation.release()
            raise failure
        # a script that ends without closing it must not leave a drawing thread behind
        atexit.register(self.close)

    # the loop

    def sync(self, state_only: bool = False) -> None:
        """Exchange state with the window; returns when the script may continue. `state_only` skips changes of `m`."""
        if self.is_running():
            if self._script_layer.trails:
                self._script_layer.sample_trails(float(self._simulation.data.time))
            self._script_layer.show_geoms()
            self._simulation.sync(state_only)

    def set_model(self, model: Any, data: Any) -> None:
        """Go on with another model and its Data, of the same engine; the timeline, the view and the user's edits stay.

        Call it where `sync` is called. Older moments are shown with the model that they had.
        """
        ours = adopt(model, data)
        if ours[0].engine is not self._simulation.model.engine:
            raise ValueError("the new model belongs to another engine: open another viewer for it")
        self._simulation.set_model(*ours)
        self.m, self.d = ours

    def is_running(self) -> bool:
        """Whether the window is open; False from the moment that anyone closes it."""
        # loops ask before every step: this takes 0.1 us
        if not self._over and self._application is not None and not self._application.window.closed:
            return True
        self._simulation.release()
        return False

    def close(self) -> None:
        """Close the window, and wait until it is closed; a warning says if its thread does not answer.

        On whatever thread: the one that steps then takes Data over when it next comes here, to `is_running` or `sync`.
        """
        atexit.unregister(self.close)
        if self._application is not None:
            self._application.close()
        # a paused script goes on, though the window's thread may not
        self._simulation.close()
        if self._thread is not threading.current_thread():
            # it closes in its own turn: another viewer's callback may be what closes it
            with turns.pause():
                self._thread.join(CLOSE_SECONDS)
            if self._thread.is_alive():
                warnings.warn(f"the viewer's window did not close within {CLOSE_SECONDS:g} s", stacklevel=2)
            self._simulation.release()

    def lock(self) -> Any:
        """A lock for changing `texts` or `panels` in several steps; `geoms`, `m` and `d` are only used in `sync`."""
        return self._script_layer.lock

    def update_mesh(self, _: int) -> None:
        """Show changes of a mesh, a height field or a texture."""
        self._simulation.show_model()

    update_hfield = update_texture = update_mesh

    # what is shown

    @property
    def geoms(self) -> list[UserGeom]:
        """Geoms to draw with the model, as of the last `sync`."""
        return self._script_layer.geoms

    @property
    def texts(self) -> dict[str, str]:
        """Texts by label, shown in the script's panel."""
        return self._script_layer.texts

    def set_texts(self, texts: Text | list[Text]) -> None:
        """Texts over the view: (font, gridpos, left column, right column), with MuJoCo's values or None."""
        self._script_layer.overlays = tuple(
            Overlay(FONT_PERCENT if font is None else int(font), int(place or 0), str(left or ""), str(right or ""))
            for font, place, left, right in ([texts] if isinstance(texts, tuple) else texts)
        )

    def clear_texts(self) -> None:
        """Remove the texts over the view."""
        self._script_layer.overlays = ()

    @property
    def panels(self) -> dict[str, Callable[[], None]]:
        """Panels by title: functions that call ImGui, once a frame, on the viewer's thread."""
        return self._script_layer.panels

    def load_panels(self, path: str | Path) -> PanelFile:
        """Draw panels and overlays from a file, now and whenever it is saved.

        Its functions are marked with `@viewer.panel("Title")` or `@viewer.overlay` and get a `PanelView`
        (`app/view/script/panel_file.py`).
        """
        return self._running().load_panels(path)

    def plot(self, name: str, value: float) -> None:
        """Add a value, at d.time, to a curve in the panel Plots."""
        self._script_layer.sample(name, float(self.d.time), float(value))

    @property
    def view(self) -> ViewState:
        """The user's view: camera, tracked body, selection, open panels."""
        return self._running().view

    @property
    def cam(self) -> OrbitCamera:
        """The free camera: lookat, distance, azimuth, elevation."""
        return self.view.camera

    def track(self, body: int | str | None) -> None:
        """Let the free camera track a body, by name or id; None stops it."""
        self.view.camera_id, self.view.tracked = FREE_CAMERA, -1 if body is None else self.m.body(body).id

    def look_through(self, camera: int | str | None) -> None:
        """Look through a camera of the model, by name or id; None is the free camera."""
        self.view.camera_id = FREE_CAMERA if camera is None else self.m.camera(camera).id

    @property
    def opt(self) -> VisualOptions:
        """What is drawn."""
        return self.view.options

    @property
    def perturb(self) -> Perturb:
        """The selected body, and whether the mouse perturbs it."""
        return Perturb(self.view, self.m.nbody)

    @property
    def viewport(self) -> Rect:
        """The rectangle of the view in the window."""
        return self._running().rect

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            """For missing attributes: names the replacement of one of MuJoCo's."""
            hint = f": use {INSTEAD[name]}" if name in INSTEAD else ""
            raise AttributeError(f"a passive viewer has no {name!r}{hint}")

    # with

    def __enter__(self) -> Handle:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # the viewer's thread

    def _running(self) -> Application:
        assert self._application is not None
        return self._application

    def _run(self, opened: queue.SimpleQueue[BaseException | None]) -> None:
        """Open the window and draw until it is closed."""
        try:
            try:
                self._application = Application(self._simulation, self._script_layer, None, self._wish)
            except BaseException as error:
                opened.put(error)
                return
            opened.put(None)
            if self._script_layer.key is not None:
                self._application.window.key_listener = self._key
            self._application.run()
        finally:
            self._over = True
            _places.release()

    def _key(self, symbol: int, name: str) -> None:
        """Call the script's key callback; an error there does not close the window."""
        code = SPECIAL_KEYS.get(name, ord(chr(symbol).upper()) if symbol < 128 else 0)
        if not code or self._script_layer.key is None:
            return
        try:
            self._script_layer.key(code)
        except Exception as error:
            traceback.print_exc()
            self.view.feedback.show_message(f"key_callback failed: {error}", lasting=True)


class Perturb:
    """The selected body, in the form of mujoco.MjvPerturb."""

    def __init__(self, view: ViewState, nbody: int) -> None:
        self._view, self._nbody = view, nbody

    @property
    def select(self) -> int:
        """The id of the body, 0 if none is selected."""
        return self._view.perturb.body if self._view.perturb is not None else 0

    @select.setter
    def select(self, body: int) -> None:
        if body >= self._nbody:
            raise IndexError(f"body id {body} is out of range: the model has {self._nbody} bodies")
        if body > 0:
            self._view.select("body", body)
        else:
            self._view.deselect()

    @property
    def active(self) -> bool:
        """Whether the mouse perturbs it now."""
        return self._view.perturb is not None and self._view.perturb.active


def _take_place() -> None:
    """Count a window of this process."""
    if not _places.acquire(blocking=False):
        raise RuntimeError(f"a process can have {MOST_WINDOWS} viewers at a time: close one first")


def _hide(view: ViewState, left: bool, right: bool) -> None:
    """Hide the panels of a side for this script; the user's settings stay as they are."""
    for name, wanted in (("show_left", left), ("show_right", right)):
        if not wanted:
            setattr(view.prefs, name, False)
            view.unsaved.add(name)
