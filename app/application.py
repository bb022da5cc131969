"""The application: one loop that turns input into actions, draws the picture and the panels.

Each frame takes the newest snapshot, lets panels and bindings react, and draws. Nothing here touches Data or
waits for the simulation: what changes the run is a command, what changes the view is done here, by a table
from action to method. When nothing moves and nobody touches anything, no frame is drawn.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable
from dataclasses import astuple, replace
from datetime import datetime
from pathlib import Path
from typing import Any

import platformdirs
from imgui_bundle import imgui
from PIL import Image

from app import commands as cmd
from app.bindings import Action, Event, find
from app.camera import View, model_camera_view, start_camera
from app.grasp import Grasp, grasp_marks
from app.panels import layout, theme
from app.panels.input import Input
from app.panels.pull import pull_label
from app.picking import Hit, pick, pointer_ray
from app.render.device import Picture, window_context
from app.render.gui import GuiRenderer
from app.render.model_meshes import model_meshes
from app.render.renderer import Renderer
from app.resources import open_command
from app.scene import Scene
from app.sim_thread import SimThread
from app.snapshot import ModelView, StateView
from app.state import FREE_CAMERA, Rect, ViewState
from app.step_clock import next_speed
from app.window import TITLE, Window, open_window

# a new major layout of panels starts from its own default
LAYOUT_FILE = "layout-1.ini"
# frames drawn after the last event, for hover delays and fading
TRAILING_FRAMES = 40
SCROLL_STEP = 0.02
DOUBLE_CLICK_SECONDS = 0.3


class Application:
    """Window, renderer, panels and the simulation behind them."""

    def __init__(self, simulation: SimThread) -> None:
        self._simulation = simulation
        self.view = ViewState()
        _make_gui_context()
        self.window: Window = open_window()
        theme.apply(self.window.density)
        self._context = window_context()
        self._renderer = Renderer(self._context)
        self._gui = GuiRenderer(self._context)
        self._input = Input()
        self._snapshot = simulation.latest
        self._model: ModelView | None = None
        self._scene: Scene | None = None
        self._scene_options: tuple[Any, ...] = ()
        self._drawn_serial = -1
        self._drawn_events = 0
        self._trailing = TRAILING_FRAMES
        self._frame_times: deque[float] = deque(maxlen=30)
        self._rect = Rect(0, 0, 1, 1)
        self._path = ""

    def run(self) -> None:
        """Draw frames until the window is closed."""
        try:
            self.window.run(self._tick)
        finally:
            self._simulation.close()
            self._renderer.release()
            self._gui.release()
            imgui.destroy_context()
            self.window.close()

    def open(self, path: str) -> None:
        """Open a model file."""
        self._simulation.send(open_command(Path(path)))

    # frames

    def _tick(self) -> None:
        """One turn of the loop: draw, if there is something new to see."""
        if self.window.closed:
            self.window.stop()
            return
        if self._news():
            self._frame()

    def _news(self) -> bool:
        """Whether a frame is worth drawing."""
        serial, events = self._simulation.latest.serial, self.window.events
        if events != self._drawn_events or self.window.busy or self._simulation.latest.run.progress:
            self._trailing = TRAILING_FRAMES
        fresh = serial != self._drawn_serial or self._trailing > 0
        self._trailing = max(self._trailing - 1, 0)
        self._drawn_serial, self._drawn_events = serial, events
        return fresh and self.window.visible

    def _frame(self) -> None:
        """Input, panels, picture."""
        snapshot = self._snapshot = self._simulation.latest
        self._measure()
        self.window.update_display_size()
        if min(self.window.get_framebuffer_size()) < 1:
            return
        if snapshot.model is not self._model:
            self._meet_model(snapshot.model)
        imgui.new_frame()
        rect = layout.draw(snapshot, self.view, self._simulation.send, self.act)
        self._rect = rect
        for event in self._input.events(rect):
            self._dispatch(event)
        self._end_pull()
        self._label_pull(rect)
        for path in self.window.take_dropped()[:1]:
            self._dispatch(Event("Drop a file", path=path))
        imgui.render()
        screen = self._context.screen
        screen.use()
        screen.clear(*theme.GROUND[:3])
        self._draw_picture(screen, self._pixels(rect))
        self._gui.draw(screen, imgui.get_draw_data())
        self.window.update_cursor()
        self.window.flip()

    def _measure(self) -> None:
        """Time since the last frame for ImGui, frames per second for the status line."""
        now = time.perf_counter()
        if self._frame_times:
            io = imgui.get_io()
            io.delta_time = min(max(now - self._frame_times[-1], 1e-4), 0.5)
            # ImGui takes one press or release a frame: where frames are slow, so are double-clicks
            io.mouse_double_click_time = max(DOUBLE_CLICK_SECONDS, 3 * io.delta_time)
            io.mouse_single_click_delay = 1.5 * io.mouse_double_click_time
        self._frame_times.append(now)
        span = now - self._frame_times[0]
        self.view.fps = (len(self._frame_times) - 1) / span if span > 0 else 0.0

    def _meet_model(self, model: ModelView | None) -> None:
        """Look at a new model from its own start view; a file read again keeps the user's camera."""
        self._model, self._scene = model, None
        self.view.grasp = None
        if model is None:
            return
        path, before = self._snapshot.run.path, self._path
        self._path = path
        self.window.set_caption(f"{Path(path).name} – {TITLE}")
        if path != before:
            self.view.camera = start_camera(model)
            self.view.camera_id = int(model.vis.global_.cameraid)
        if self.view.camera_id >= model.ncam:
            self.view.camera_id = FREE_CAMERA

    def _pixels(self, rect: Rect) -> tuple[int, int, int, int]:
        """A rectangle of the layout in pixels from the lower left."""
        scale_x, scale_y = imgui.get_io().display_framebuffer_scale
        height = self.window.get_framebuffer_size()[1]
        x, y = round(rect.x * scale_x), round(rect.y * scale_y)
        w, h = round(rect.width * scale_x), round(rect.height * scale_y)
        return x, height - y - h, w, h

    def _draw_picture(self, target: Any, viewport: tuple[int, int, int, int]) -> None:
        """The scene into a rectangle of a framebuffer."""
        model, state = self._snapshot.model, self._snapshot.state
        if model is None or state is None:
            return
        options = astuple(self.view.options)
        if self._scene is None or self._scene_options != options:
            self._scene, self._scene_options = Scene(model, self.view.options), options
        view = self._current_view(model, state)
        grasp = self.view.grasp
        scene = self._scene.draw_list(state, view.eye, grasp.body if grasp else -1)
        if grasp is not None:
            scene = replace(scene, overlay=scene.overlay + grasp_marks(model, state, grasp))
        self._renderer.draw(model, scene, view, target, viewport, self.view.options.shadow)

    def _current_view(self, model: ModelView, state: StateView) -> View:
        if self.view.camera_id == FREE_CAMERA:
            return self.view.camera.view(model)
        return model_camera_view(model, state, self.view.camera_id)

    # the hand

    def _under_pointer(self, event: Event) -> Hit | None:
        """What a click in the view meets."""
        model, state = self._snapshot.model, self._snapshot.state
        if model is None or state is None or self._scene is None:
            return None
        view = self._current_view(model, state)
        ray = pointer_ray(view, event.x, event.y, self._rect.width / max(self._rect.height, 1.0))
        return pick(model, state, self._scene.geoms, lambda: model_meshes(model), *ray)

    def _drag_body(self, drag: Callable[[Grasp, StateView, View], None]) -> None:
        """Let a drag move the target of the selection, and tell the simulation."""
        model, state, grasp = self._snapshot.model, self._snapshot.state, self.view.grasp
        if model is None or state is None or grasp is None:
            self.view.message = "select a body first: double-click on it"
            return
        drag(grasp, state, self._current_view(model, state))
        self._simulation.send(grasp.command())

    def _end_pull(self) -> None:
        """Let go when the button is released."""
        grasp = self.view.grasp
        if grasp is not None and grasp.pulls and not self._input.dragging:
            grasp.let_go()
            self._simulation.send(cmd.LetGo())

    def _label_pull(self, rect: Rect) -> None:
        """The strength of the pull beside its point, while there is one."""
        model, state, grasp = self._snapshot.model, self._snapshot.state, self.view.grasp
        if model is None or state is None or grasp is None or not grasp.pulls or self._snapshot.run.paused:
            return
        place = grasp.at(state) if grasp.target is None else grasp.target
        spot = self._current_view(model, state).project(place, rect.width / max(rect.height, 1.0))
        if spot is not None:
            x, y = rect.x + (1 + spot[0]) / 2 * rect.width, rect.y + (1 - spot[1]) / 2 * rect.height
            pull_label(grasp.label(state), x, y)

    def _grab(self, body: int, point: Any) -> None:
        """Select a body at a point of the world; the world itself is no selection."""
        model, state = self._snapshot.model, self._snapshot.state
        if model is None or state is None or body <= 0:
            self.view.grasp = None
            return
        self.view.grasp = Grasp(body, state.xmat[body].reshape(3, 3).T @ (point - state.xpos[body]))
        name = model.id2name("body", body)
        self.view.message = f"selected body '{name}'" if name else f"selected body {body}"

    # actions

    def act(self, action: Action) -> None:
        """Do what a key or a button of the toolbar asks for."""
        ACTIONS[action](self, Event(""))

    def _dispatch(self, event: Event) -> None:
        binding = find(event.trigger)
        if binding is not None:
            ACTIONS[binding.action](self, event)

    def _move_camera(self, motion: Callable[[], None]) -> None:
        """The mouse moves the free camera only; those of the model are where the model says."""
        if self.view.camera_id == FREE_CAMERA:
            motion()

    def _orbit(self, event: Event) -> None:
        self._move_camera(lambda: self.view.camera.orbit(event.dx, event.dy))

    def _pan(self, event: Event) -> None:
        self._move_camera(lambda: self.view.camera.pan(event.dx, event.dy))

    def _pan_horizontal(self, event: Event) -> None:
        self._move_camera(lambda: self.view.camera.pan_horizontal(event.dx, event.dy))

    def _zoom_drag(self, event: Event) -> None:
        self._move_camera(lambda: self.view.camera.zoom(event.dy))

    def _zoom_scroll(self, event: Event) -> None:
        self._move_camera(lambda: self.view.camera.zoom(-SCROLL_STEP * event.dy))

    def _play_pause(self, _: Event) -> None:
        self._simulation.send(cmd.SetPaused(not self._simulation.latest.run.paused))

    def _step(self, _: Event) -> None:
        self._simulation.send(cmd.StepOnce())

    def _reset(self, _: Event) -> None:
        self._simulation.send(cmd.Reset())

    def _faster(self, _: Event) -> None:
        self._simulation.send(cmd.SetSpeed(next_speed(self._simulation.latest.run.speed, +1)))

    def _slower(self, _: Event) -> None:
        self._simulation.send(cmd.SetSpeed(next_speed(self._simulation.latest.run.speed, -1)))

    def _open_dropped(self, event: Event) -> None:
        self.open(event.path)

    def _reload(self, _: Event) -> None:
        self._simulation.send(cmd.Reload())

    def _screenshot(self, _: Event) -> None:
        """Save the picture without panels, in the size it has on the screen."""
        width, height = (max(length, 1) for length in self._pixels(self._rect)[2:])
        picture = Picture(self._context, (width, height))
        self._draw_picture(picture.framebuffer, (0, 0, width, height))
        name = datetime.now().strftime("kinetoscope-%Y%m%d-%H%M%S.png")
        try:
            Image.fromarray(picture.pixels()).save(name)
            self.view.message = f"saved {Path(name).resolve()}"
        except OSError as error:
            self.view.message = f"the picture could not be saved: {error}"
        picture.release()

    def _free_camera(self, _: Event) -> None:
        self.view.show_help = False
        self.view.camera_id = FREE_CAMERA

    def _previous_camera(self, _: Event) -> None:
        self._cycle_camera(-1)

    def _next_camera(self, _: Event) -> None:
        self._cycle_camera(+1)

    def _cycle_camera(self, direction: int) -> None:
        """Through the model's cameras, leaving out the free one."""
        count = self._model.ncam if self._model is not None else 0
        if count:
            first = 0 if direction > 0 else count - 1
            free = self.view.camera_id == FREE_CAMERA
            self.view.camera_id = first if free else (self.view.camera_id + direction) % count
        else:
            self.view.message = "this model has no cameras of its own"

    def _panels(self, _: Event) -> None:
        self.view.show_panels = not self.view.show_panels

    def _help(self, _: Event) -> None:
        self.view.show_help = not self.view.show_help

    def _info(self, _: Event) -> None:
        self.view.show_info = not self.view.show_info

    def _select(self, event: Event) -> None:
        hit = self._under_pointer(event)
        self._grab(hit.body if hit else 0, hit.point if hit else None)

    def _select_parent(self, _: Event) -> None:
        model, state, grasp = self._snapshot.model, self._snapshot.state, self.view.grasp
        if model is not None and state is not None and grasp is not None:
            parent = int(model.body_parentid[grasp.body])
            self._grab(parent, state.xpos[parent])

    def _look_at(self, event: Event) -> None:
        hit = self._under_pointer(event)
        if hit is not None and self.view.camera_id == FREE_CAMERA:
            self.view.camera.lookat = hit.point

    def _turn_body(self, event: Event) -> None:
        self._drag_body(lambda grasp, state, view: grasp.turn(state, view, event.dx, event.dy))

    def _pull_body(self, event: Event) -> None:
        self._drag_body(lambda grasp, state, view: grasp.translate(state, view, event.dx, event.dy, False))

    def _pull_body_horizontal(self, event: Event) -> None:
        self._drag_body(lambda grasp, state, view: grasp.translate(state, view, event.dx, event.dy, True))

    def _tendons(self, _: Event) -> None:
        self.view.options.tendon = not self.view.options.tendon

    def _contact_points(self, _: Event) -> None:
        self.view.options.contact_point = not self.view.options.contact_point

    def _contact_forces(self, _: Event) -> None:
        self.view.options.contact_force = not self.view.options.contact_force

    def _full_screen(self, _: Event) -> None:
        self.window.toggle_full_screen()


ACTIONS: dict[Action, Callable[[Application, Event], None]] = {
    Action.ORBIT: Application._orbit,
    Action.PAN: Application._pan,
    Action.PAN_HORIZONTAL: Application._pan_horizontal,
    Action.ZOOM_DRAG: Application._zoom_drag,
    Action.ZOOM_SCROLL: Application._zoom_scroll,
    Action.PLAY_PAUSE: Application._play_pause,
    Action.STEP: Application._step,
    Action.RESET: Application._reset,
    Action.FASTER: Application._faster,
    Action.SLOWER: Application._slower,
    Action.OPEN_DROPPED: Application._open_dropped,
    Action.RELOAD: Application._reload,
    Action.SCREENSHOT: Application._screenshot,
    Action.FREE_CAMERA: Application._free_camera,
    Action.PREVIOUS_CAMERA: Application._previous_camera,
    Action.NEXT_CAMERA: Application._next_camera,
    Action.PANELS: Application._panels,
    Action.HELP: Application._help,
    Action.INFO: Application._info,
    Action.FULL_SCREEN: Application._full_screen,
    Action.SELECT: Application._select,
    Action.SELECT_PARENT: Application._select_parent,
    Action.LOOK_AT: Application._look_at,
    Action.TURN_BODY: Application._turn_body,
    Action.PULL_BODY: Application._pull_body,
    Action.PULL_BODY_HORIZONTAL: Application._pull_body_horizontal,
    Action.TENDONS: Application._tendons,
    Action.CONTACT_POINTS: Application._contact_points,
    Action.CONTACT_FORCES: Application._contact_forces,
}


def _make_gui_context() -> None:
    """ImGui with docking, its layout kept among the user's settings."""
    imgui.create_context()
    io = imgui.get_io()
    io.config_flags |= imgui.ConfigFlags_.docking_enable
    io.config_windows_move_from_title_bar_only = True
    folder = Path(platformdirs.user_config_dir("kinetoscope"))
    try:
        folder.mkdir(parents=True, exist_ok=True)
        io.set_ini_filename(str(folder / LAYOUT_FILE))
    except OSError:
        io.set_ini_filename("")
