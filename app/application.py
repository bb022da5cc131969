"""The application: one loop that turns input into actions, draws the picture and the panels.

Each frame takes the newest snapshot, lets panels and bindings react, and draws. Nothing here touches Data or
waits for the simulation; what input does is in the table of actions. When nothing moves and nobody touches
anything, no frame is drawn.
"""

from __future__ import annotations

import math
import time
import traceback
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import astuple, replace
from pathlib import Path
from typing import Any

import numpy as np
from imgui_bundle import imgui, implot

from app import layout
from app.capture.video import Pixels
from app.files import config
from app.files.recent import remember
from app.input import film, mouse
from app.input.actions import take_outcome
from app.input.bindings import find
from app.input.desk import Action, Box
from app.input.gesture import Gesture
from app.model.selection import followed
from app.overlays import gallery
from app.overlays.labels import draw_labels
from app.overlays.pull_label import pull_label
from app.overlays.script_layer import script_panels
from app.panels import docking
from app.render.device import GpuTimer, RenderTexture, read_screen, shader_fault, window_context
from app.render.gui import SHADERS, GuiRenderer
from app.render.quality import AdaptiveQuality
from app.render.renderer import Picked, Renderer
from app.run.commands import Command, Perturb, Report, SetSpeed, open_command
from app.run.error_text import describe
from app.run.run_state import RunState
from app.run.simulation import Simulation
from app.run.snapshot import ModelView
from app.scene.camera import FREE_CAMERA, View, default_free_camera, in_reach
from app.scene.decor.user_geoms import UserGeom
from app.scene.labels import labels
from app.scene.picking import without_decor
from app.scene.scene import Scene
from app.session.restart import Restart
from app.session.session import Shape
from app.ui import layout_text, theme
from app.ui.error_boundary import attempt, guarded
from app.ui.gestures import GestureReader
from app.ui.window import TITLE, NoScreen, Window, open_window
from app.view import settings
from app.view.perturb_drag import grasp_marks
from app.view.rect import Rect
from app.view.script_layer import Guest
from app.view.view_state import ViewState

# a new major layout of panels starts from its own default
LAYOUT_FILE = "layout-3.ini"
# frames drawn after the last event, for hover delays and fading
TRAILING_FRAMES = 40
# in which a layout shows that it is broken
FIRST_FRAMES = 10
# what ImGui may take for the time between two turns, s
SHORTEST_TURN, LONGEST_TURN = 1e-4, 0.5
DOUBLE_CLICK_SECONDS = 0.3
FLIGHT_SECONDS = 0.09


class Application:
    """Window, renderer, panels and the simulation behind them."""

    def __init__(self, simulation: Simulation, guest: Guest | None = None, restart: Restart | None = None) -> None:
        self._simulation = simulation
        self.restart = restart
        self._guest = Guest() if guest is None else guest
        self.view = ViewState()
        _make_gui_context()
        try:
            self.window: Window = open_window()
        except NoScreen:
            _end_gui_context()
            raise
        if restart is not None and restart.session is not None and restart.session.window is not None:
            self.window.restore_shape(*restart.session.window)
        settings.load(self.view)
        self._theme = (0.0, False)
        self._apply_theme()
        self.context = window_context()
        self._renderer = Renderer(self.context)
        self._adaptive = AdaptiveQuality(len(self._renderer.presets))
        self._gpu_timer = GpuTimer(self.context)
        self._gui = GuiRenderer(self.context)
        self.input = GestureReader()
        self.snapshot = simulation.latest
        self._model: ModelView | None = None
        self.scene: Scene | None = None
        self._drawn_options: tuple[Any, ...] = ()
        self._drawn_serial = -1
        self._drawn_events = 0
        self._trailing = TRAILING_FRAMES
        self._frame_times: deque[float] = deque(maxlen=30)
        self._turned = time.perf_counter()
        self.rect = Rect(0, 0, 1, 1)
        # the simulation was told of a perturbation, and not yet of its end
        self._perturbing = False
        # geoms that a script adds to the picture
        self.extra: tuple[UserGeom, ...] = ()
        # of the model that is shown; empty for one that a script gave
        self._path: str | None = None
        # a script's model is there before the first frame: it may move the camera at once
        self._take_snapshot()

    def run(self) -> None:
        """Draw frames until the window is closed."""
        try:
            self.window.run(self._tick)
        except RuntimeError as error:
            # places of panels that ImGui cannot make sense of would end every start
            if "IM_ASSERT" in str(error) and imgui.get_frame_count() <= FIRST_FRAMES:
                config.set_aside(LAYOUT_FILE, str(error))
            raise
        else:
            _save_layout(self.view)
            if self.restart is not None:
                self.restart.close()
        finally:
            film.end(self)
            settings.save(self.view)
            self._simulation.close()
            self._renderer.release()
            self._gui.release()
            theme.unload()
            _end_gui_context()
            self.window.close()

    def close(self) -> None:
        """Leave `run` with the next frame."""
        self.window.closed = True

    def open(self, path: str) -> None:
        """Open a model file."""
        self.send(open_command(Path(path)))

    def send(self, command: Command) -> None:
        """Ask something of the simulation."""
        self._simulation.send(command)

    def report(self, title: str, text: str) -> None:
        """Say that something failed: at once in the status line, on a card once the simulation takes it up."""
        self.view.feedback.show_message(f"{title}: {text}", lasting=True)
        self.send(Report(title, text))

    def shader_fault(self) -> str:
        """Why what is on the screen could not be drawn with the shaders as they are on disk; empty if it could."""
        return shader_fault(self.context, (SHADERS, *self._renderer.variants))

    @property
    def run_state(self) -> RunState:
        """How the run goes at this very moment, newer than the frame's snapshot."""
        return self._simulation.latest.run

    # frames

    def _tick(self) -> None:
        """One turn of the loop: draw, if there is something new to see."""
        if self.window.closed:
            self.window.stop()
            return
        take_outcome(self)
        if self._news():
            self._frame()
        self._perturb(self.window.button_held)

    def _perturb(self, held: bool) -> None:
        """Tell the simulation what the mouse does to the model, again and again while its button is held.

        With each thing that the user did, so that no part of a drag is lost; and with each turn of the event loop, so
        that a release counts at once, however slow frames are.
        """
        wanted = mouse.perturbation(self) if held else None
        if wanted is not None or self._perturbing:
            self.send(Perturb(wanted))
        self._perturbing = wanted is not None

    def _news(self) -> bool:
        """Whether a frame is worth drawing."""
        serial, events = self._simulation.latest.serial, self.window.events
        run = self._simulation.latest.run
        if self.restart is not None and (changed := self.restart.take_changed()):
            self.view.feedback.changed_source = changed
            self._trailing = TRAILING_FRAMES
        if self.view.feedback.expire_message(time.monotonic()):
            self._trailing = TRAILING_FRAMES
        moving = self.window.busy or self.view.flight is not None or run.progress or not self._renderer.at_best_quality
        if events != self._drawn_events or moving:
            self._trailing = TRAILING_FRAMES
        fresh = serial != self._drawn_serial or self._trailing > 0
        self._trailing = max(self._trailing - 1, 0)
        self._drawn_serial, self._drawn_events = serial, events
        # a film goes on in a window that is minimised
        seen = self.window.visible and not self.window.hidden
        return fresh and (seen or self.view.film is not None)

    def _frame(self) -> None:
        """GestureReader, panels, picture: as many turns as there is input, one picture."""
        began = time.perf_counter()
        self._measure()
        self.window.update_display_size()
        if min(self.window.get_framebuffer_size()) < 1:
            return
        with self._timed("panels"):
            while self._turn() and not self.window.closed:
                pass
            imgui.render()
        if self.window.closed:
            return
        screen = self.context.screen
        screen.use()
        screen.clear(*theme.BACKGROUND[:3])
        with self._timed("picture"), self._gpu_timer:
            changed = self._show_picture(screen)
        film.shoot(self, panels=False)
        with self._timed("to the screen"):
            self._gui.draw(screen, imgui.get_draw_data())
            film.shoot(self, panels=True)
            self.window.update_cursor()
            # neither much input nor the wait for the screen is a reason for less quality
            worked = time.perf_counter() - self._turned
            self.window.flip()
        if imgui.get_io().want_save_ini_settings:
            _save_layout(self.view)
        # a picture that is only shown again says nothing about drawing
        if changed:
            self._gpu_timer.commit()
            self._adaptive.add_frame(max(worked, self._gpu_timer.seconds))
        _wait_for_clicks(time.perf_counter() - began)

    def _turn(self) -> bool:
        """Panels and bindings meet the next thing that the user did; whether there is more."""
        self._take_snapshot()
        self._apply_theme()
        more = self.window.feed()
        self._pass_time(more)
        imgui.new_frame()
        self.rect = layout.draw(self.snapshot, self.view, self._simulation.send, self.act)
        script_panels(self._guest, self.rect)
        layout.drop_focus()
        theme.ensure_typed_glyphs()
        self._take_input()
        self._perturb(self.input.dragging)
        imgui.end_frame()
        return more

    def _show_picture(self, screen: Any) -> bool:
        """The picture on the screen, whether it has changed; one that fails is tried again with other options."""
        drawn: list[bool] = []
        if self._drawn_options != astuple(self.view.options):
            self.view.feedback.faults.pop("The picture", None)

        def draw() -> None:
            drawn.append(self.draw_picture(screen, self._pixels(self.rect), self._preset()))

        attempt(self.view.feedback.faults, "The picture", draw)
        return any(drawn)

    def _preset(self) -> int:
        """The quality preset of this frame; recordings, and users who turn adaptation off, get the best."""
        preset = self._adaptive.preset if self.view.prefs.adaptive and self.view.film is None else 0
        self.view.feedback.quality_note = str(self._renderer.presets[preset]) if preset else ""
        return preset

    def _take_snapshot(self) -> None:
        """What the simulation published last, what is new about it, and what a script adds."""
        self.extra = self._guest.shown
        self.view.extra = bool(self.extra)
        snapshot = self._simulation.latest
        if snapshot.serial != self.snapshot.serial:
            self.view.plots.take(snapshot.run.time, snapshot.watches)
        # the same words may be news again: each time they are another object
        if snapshot.run.notification is not self.snapshot.run.notification:
            self.view.feedback.show_message(snapshot.run.notification)
        before, self.snapshot = self.snapshot.state, snapshot
        if snapshot.model != self._model:
            self._meet_model(snapshot.model)
        elif before is not None and snapshot.state is not None and before is not snapshot.state:
            self.view.selection = followed(self.view.selection, before, snapshot.state)
        if snapshot.model is not self._model:
            # after an edit: the same model, to be laid out anew
            self.view.camera.update_projection(self._model, snapshot.model)
            self._model, self.scene = snapshot.model, None

    def _take_input(self) -> None:
        """What the user does with the view."""
        for gesture in self.input.events(self.rect, self.view.ui.show_palette, self.view.prefs.shortcuts):
            if not gallery.captures_key(self.view, gesture.trigger):
                self._dispatch(gesture)
        for path in self.window.take_dropped()[:1]:
            self._dispatch(Gesture("Drop a file", path=path))
        mouse.follow_selection(self)
        mouse.release(self)
        pull_label(self.snapshot, self.view, self.rect)
        guarded(self.view.feedback.faults, "Labels", self._write_labels)
        self._move_camera()

    @contextmanager
    def _timed(self, part: str) -> Iterator[None]:
        """Measure what a part of a frame costs, for the profiler."""
        began = time.perf_counter()
        yield
        seconds, before = time.perf_counter() - began, self.view.feedback.frame_seconds.get(part, 0.0)
        self.view.feedback.frame_seconds[part] = seconds if not before else 0.9 * before + 0.1 * seconds

    def _measure(self) -> None:
        """Frames per second for the status line."""
        now = time.perf_counter()
        self._frame_times.append(now)
        span = now - self._frame_times[0]
        self.view.feedback.fps = (len(self._frame_times) - 1) / span if span > 0 else 0.0

    def _pass_time(self, more: bool) -> None:
        """Tell ImGui with the last turn of a frame what time went by: a key released before was not held so long."""
        now = time.perf_counter()
        imgui.get_io().delta_time = SHORTEST_TURN if more else min(max(now - self._turned, SHORTEST_TURN), LONGEST_TURN)
        self._turned = self._turned if more else now

    def _apply_theme(self) -> None:
        """Fonts and colours as the user wants them now."""
        wanted = (self.window.dpi_scale * self.view.prefs.font_scale, self.view.prefs.light_theme)
        if wanted != self._theme:
            self._theme = wanted
            theme.apply(*wanted)

    def _move_camera(self) -> None:
        """Fly on to where the camera was sent, or go along with the body that it tracks."""
        view, model, state = self.view, self.snapshot.model, self.snapshot.state
        if model is None or state is None:
            return
        if view.flight is not None and not in_reach(model, view.flight.lookat):
            view.flight = None
        if 0 < view.tracked < len(state.xipos):
            # a body that has exploded is not followed to where nothing can be seen
            if in_reach(model, state.xipos[view.tracked]):
                view.camera.lookat = np.array(state.xipos[view.tracked])
        elif view.flight is not None:
            share = 1.0 - math.exp(-imgui.get_io().delta_time / FLIGHT_SECONDS)
            view.flight = None if view.camera.fly(view.flight, share) else view.flight

    def _meet_model(self, model: ModelView | None) -> None:
        """Look at a new model from its own start view, at its own speed; a file read again keeps the user's."""
        self._model, self.scene = model, None
        self.view.grasp = self.view.flight = None
        self.view.ui.sensor_scale.clear()
        self.view.feedback.faults.clear()
        if model is None:
            return
        path, before = self.snapshot.run.path, self._path
        theme.ensure_glyphs(path, *(name for names in model.names.values() for name in names))
        self._path = path
        self.window.set_caption(f"{Path(path).name} – {TITLE}" if path else TITLE)
        if path != before:
            if path:
                remember(Path(path))
            self.view.selection, self.view.tracked, self.view.feedback.message = None, -1, ""
            self.view.ui.unfolded.clear()
            self.view.camera = default_free_camera(model)
            self.view.camera_id = int(model.vis.global_.cameraid)
            self.send(SetSpeed(float(model.vis.global_.realtime)))
            left = self.restart.session if self.restart is not None and before is None else None
            if left is not None and left.path == path:
                left.unpack(self.view, model, self.send)
        if self.view.camera_id >= model.ncam:
            self.view.camera_id = FREE_CAMERA
        if self.view.tracked >= model.nbody:
            self.view.tracked = -1

    def _pixels(self, rect: Rect) -> Box:
        """A rectangle of the layout in pixels from the lower left."""
        scale_x, scale_y = imgui.get_io().display_framebuffer_scale
        height = self.window.get_framebuffer_size()[1]
        x, y = round(rect.x * scale_x), round(rect.y * scale_y)
        w, h = round(rect.width * scale_x), round(rect.height * scale_y)
        return x, height - y - h, w, h

    def draw_picture(self, target: Any, viewport: tuple[int, int, int, int], preset: int = 0) -> bool:
        """The scene into a rectangle of a framebuffer, with a quality preset; returns whether it has changed."""
        model, state = self.snapshot.model, self.snapshot.state
        if model is None or state is None:
            return False
        options = astuple(self.view.options)
        if self.scene is None or self._drawn_options != options:
            self.scene, self._drawn_options = None, options
            self.scene = Scene(model, self.view.options)
        view = self.view.current_view(model, state)
        grasp = self.view.grasp
        scene = self.scene.draw_list(state, view.eye, self.view.selection, self.extra)
        if grasp is not None and self.view.options.perturb_object:
            scene = replace(scene, overlay=scene.overlay + grasp_marks(model, state, grasp))
        return self._renderer.draw(model, scene, view, target, viewport, preset)

    def _write_labels(self) -> None:
        """Names and numbers beside things in the picture."""
        model, state, grasp = self.snapshot.model, self.snapshot.state, self.view.grasp
        if model is not None and state is not None:
            made = labels(model, state, self.view.options, grasp.body if grasp else -1, self.extra)
            draw_labels(made, self.view.current_view(model, state), self.rect)

    # what actions use (`input/desk.py`)

    def current_view(self) -> View | None:
        """The pose of the eye, if there is something to look at."""
        model, state = self.snapshot.model, self.snapshot.state
        return None if model is None or state is None else self.view.current_view(model, state)

    def drawn_at(self, x: float, y: float, marks: bool = True) -> Picked | None:
        """What the picture shows at a place, x and y from -1 to 1, right and up; or would without marks."""
        model, state, view = self.snapshot.model, self.snapshot.state, self.current_view()
        if model is None or state is None or view is None or self.scene is None:
            return None
        scene = self.scene.draw_list(state, view.eye)
        return self._renderer.pick(model, scene if marks else without_decor(scene), view, self.rect.aspect, x, y)

    @property
    def dragging(self) -> bool:
        """Whether a drag in the view is going on."""
        return self.input.dragging

    def screenshot(self) -> Pixels:
        """The picture without panels, in the size it has on the screen."""
        width, height = (max(length, 1) for length in self.frame_box(panels=False)[2:])
        picture = RenderTexture(self.context, (width, height))
        self.draw_picture(picture.framebuffer, (0, 0, width, height))
        pixels = picture.pixels()
        picture.release()
        return pixels

    def frame_box(self, panels: bool) -> Box:
        """All of the window, or the picture alone."""
        return (0, 0, *self.window.get_framebuffer_size()) if panels else self._pixels(self.rect)

    def read_frame(self, box: Box) -> Pixels:
        """What has been drawn of this frame."""
        return read_screen(self.context, self.window.get_framebuffer_size(), box)

    def copy_text(self, text: str) -> None:
        """To the clipboard."""
        self.window.set_clipboard_text(text)

    def toggle_full_screen(self) -> None:
        """Between the whole screen and a window."""
        self.window.toggle_full_screen()

    def window_shape(self) -> Shape:
        """Width, height, and whether it is the whole screen."""
        return self.window.shape

    # actions

    def act(self, action: Action) -> None:
        """Do what a key or a button of the toolbar asks for."""
        self._do(action, Gesture(""))

    def _dispatch(self, gesture: Gesture) -> None:
        binding = find(gesture.trigger)
        if binding is not None:
            self._do(binding.action, gesture)

    def _do(self, action: Action, gesture: Gesture) -> None:
        """One that fails says so, and the window stays."""
        try:
            action(self, gesture)
        except Exception as error:
            traceback.print_exc()
            self.report("This could not be done", describe(error))


def _save_layout(view: ViewState) -> None:
    """Remember the places of panels; ImGui itself would leave half a file behind on a disk that is full."""
    config.write(LAYOUT_FILE, docking.layout_ini(layout.PANELS, view))
    imgui.get_io().want_save_ini_settings = False


def _wait_for_clicks(frame_seconds: float) -> None:
    """How far apart the clicks of a double-click may be: the second may have come while a frame was drawn."""
    io = imgui.get_io()
    io.mouse_double_click_time = DOUBLE_CLICK_SECONDS + frame_seconds
    io.mouse_single_click_delay = 1.5 * io.mouse_double_click_time


def _end_gui_context() -> None:
    implot.destroy_context()
    imgui.destroy_context()


def _make_gui_context() -> None:
    """ImGui with docking, its layout kept among the user's settings."""
    imgui.create_context()
    implot.create_context()
    io = imgui.get_io()
    io.config_flags |= imgui.ConfigFlags_.docking_enable
    # the window reports no more at once than a frame can take
    io.config_input_trickle_event_queue = False
    io.config_windows_move_from_title_bar_only = True
    io.set_ini_filename("")
    imgui.load_ini_settings_from_memory(config.read(LAYOUT_FILE, layout_text.fault))
