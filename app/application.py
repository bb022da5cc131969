"""The application: the frame loop that handles input, draws the view and the panels, and sends commands.

Each frame takes the newest snapshot, lets panels and bindings react, and draws. Nothing here touches Data or waits for
the simulation; what input does is in the table of bindings. While nothing moves and there is no input, no frame is
drawn.
"""

from __future__ import annotations

import time
import traceback
from pathlib import Path
from typing import Any

from imgui_bundle import imgui

from app.files.error_text import describe
from app.files.recent import add_recent
from app.instruments.threads import Background
from app.model.model_title import model_title
from app.model.selection import followed
from app.model.views import ModelView
from app.render.capture.video import Pixels
from app.render.device import read_screen, shader_fault, window_context
from app.render.gui import SHADERS, GuiRenderer
from app.render.renderer import Picked
from app.run.commands import Command, Perturb, Report, SetSpeed, in_gesture
from app.run.log import streams
from app.run.passive import PassiveSimulation
from app.run.run_state import RunState
from app.run.simulation import Simulation
from app.scene.camera import View, default_free_camera
from app.scene.decor.user_geoms import UserGeom
from app.ui import docking, imgui_context, theme, turns
from app.ui.error_boundary import attempt
from app.ui.gestures import GestureReader
from app.ui.keys import Pictures, begin_turn, count_picture
from app.ui.window import TITLE, NoScreen, Window, WindowWish, open_window
from app.view import settings
from app.view.camera_motion import move_camera
from app.view.export_plots import finish_export
from app.view.input import breakpoint_actions, film, mouse, recording, run_recording
from app.view.input.actions import finish_restart, quit_program
from app.view.input.bindings import find
from app.view.input.desk import Action, Box
from app.view.input.gesture import Gesture
from app.view.input.run_news import show_news
from app.view.rect import Rect
from app.view.script.layer import ScriptLayer, show_curves
from app.view.script.panel_file import PanelFile, PanelView
from app.view.session.session import Shape, restore_view
from app.view.session.sessions import Sessions
from app.view.view_state import ViewState
from app.viewport import Viewport
from app.window import layout
from app.window.frame_clock import WAITING_INTERVAL, FrameClock
from app.window.frame_pace import FramePace
from app.window.overlays import gallery
from app.window.overlays.script.layer import panel_files, script_panels
from app.window.overlays.view.marks import view_marks
from app.window.panel_list import panels

# frames drawn after the last event, for hover delays and fading
TRAILING_FRAMES = 40
# keys that step while time stands still
STEERING = ("Left arrow", "Right arrow")


class Application:
    """Window, viewport, panels and the simulation behind them."""

    def __init__(
        self,
        simulation: Simulation,
        script_layer: ScriptLayer | None = None,
        sessions: Sessions | None = None,
        wish: WindowWish = WindowWish(),  # noqa: B008
    ) -> None:
        self._simulation = simulation
        self._passive = simulation if isinstance(simulation, PassiveSimulation) else None
        self._pace, self._flip_seconds = FramePace(), 0.0
        # none in a script's viewer
        self.sessions = sessions
        self._script_layer = ScriptLayer() if script_layer is None else script_layer
        self._wish = wish
        self.view = ViewState()
        # a script keeps its model, edits and all
        if self._passive is None:
            self.view.ui.edits_sent = lambda: simulation.edits_sent
        self._theme = (0.0, False)
        self.input = GestureReader()
        self.snapshot = simulation.latest
        self._model: ModelView | None = None
        self._drawn_serial, self._drawn_events, self._pictures = -1, 0, Pictures()
        self._trailing = TRAILING_FRAMES
        self._clock = FrameClock(self.view.feedback)
        self.rect = Rect(0, 0, 1, 1)
        # counts presses: what a drag sends is one gesture
        self._gesture = 1
        self._perturbing, self._caption = False, ""
        self.user_geoms: tuple[UserGeom, ...] = ()
        self._path: str | None = None
        self._added: list[PanelView] = []
        self._contexts = imgui_context.Contexts()
        with turns.turn(self._contexts.use):
            self._open()

    def _open(self) -> None:
        """Open the window."""
        try:
            self.window: Window = open_window(self._wish.size)
        except NoScreen:
            self._contexts.destroy()
            raise
        session = self.sessions.session if self.sessions is not None else None
        if session is not None and session.window is not None:
            self.window.restore_shape(*session.window)
        if not settings.load(self.view):
            # a first start
            self.view.ui.layout = "default"
        if session is None:
            # they were opened to answer a question about another run
            self.view.prefs.instruments = []
        streams.listen(self.view.feedback.log, lambda: self._simulation.latest.run.time)
        self._apply_theme()
        self.context = window_context()
        self._viewport = Viewport(self.context)
        self.view.largest_image, self.view.gpu = self._viewport.largest_image, self._viewport.gpu
        self._gui = GuiRenderer(self.context)
        self._background = Background(self._simulation.send)
        # a script may move the camera before the first frame
        self._take_snapshot()

    def run(self) -> None:
        """Draw frames until the window is closed."""
        begin = self._contexts.use
        try:
            self.window.run(self._tick, begin)
        except RuntimeError as error:
            with turns.turn(begin):
                imgui_context.set_layout_aside(error)
            raise
        else:
            with turns.turn(begin):
                _save_layout(self.view)
        finally:
            with turns.turn(begin):
                self._release()

    def _release(self) -> None:
        """Close everything."""
        recording.stop(self)
        settings.save(self.view)
        streams.stop(self.view.feedback.log)
        self._script_layer.close()
        self._background.close()
        with turns.pause():
            self._simulation.close()
        self._viewport.release()
        self._gui.release()
        theme.unload()
        self._contexts.destroy()
        self.window.close()

    def load_panels(self, path: str | Path) -> PanelFile:
        """Draw panels and overlays from a file, from the next frame on."""
        return self._script_layer.load_panels(path)

    def close(self) -> None:
        """End `run` with the next frame."""
        self.window.closed = True

    def send(self, command: Command) -> None:
        """Send a command to the simulation, unless a film needs the run as it is."""
        if film.keeps_out(self.view, command):
            self.view.feedback.show_message("a video is being rendered: Escape stops it")
        else:
            self._simulation.send(command)

    def _send_from_panel(self, command: Command) -> None:
        """Send a command as part of a gesture: what one press of a button or of Enter does."""
        self.send(in_gesture(command, self._gesture))

    def report(self, title: str, text: str) -> None:
        """Show that something failed: at once in the status line, on a card with the next snapshot."""
        self.view.feedback.show_error(f"{title}: {text}")
        self.send(Report(title, text))

    def shader_fault(self) -> str:
        """The error of the shaders on disk, of those in use; empty if they compile."""
        return shader_fault(self.context, (SHADERS, *self._viewport.shader_variants))

    @property
    def run_state(self) -> RunState:
        """The state of the run now, newer than the frame's snapshot."""
        return self._simulation.latest.run

    # frames

    def _tick(self) -> None:
        """One turn of the event loop: draw a frame, if anything has changed."""
        if self.window.asked_to_close:
            self.window.asked_to_close = False
            self.act(quit_program)
        if self.window.closed:
            self.window.stop()
            return
        finish_restart(self)
        if self._frame_due() and self._needs_frame():
            thread = self._passive.script_thread if self._passive is not None else None
            self._pace.begin(thread, time.perf_counter())
            self._frame()
            self._pace.end(thread, time.perf_counter(), self._flip_seconds)
        if self.sessions is not None:
            self._turn_sessions(self.sessions)
        self._send_perturbation(self.window.button_held)

    def _turn_sessions(self, sessions: Sessions) -> None:
        """Keep the session; one that is taken over brings the shape that its window has had last."""
        if sessions.turn(self.view, self.window.shape):
            self._trailing = TRAILING_FRAMES
        shape, sessions.shape = sessions.shape, None
        if shape is not None and shape != self.window.shape:
            self.window.restore_shape(*shape)

    def _send_perturbation(self, held: bool) -> None:
        """Send what the mouse does to the model, again and again while its button is held.

        With each input event, so that no part of a drag is lost, and with each turn of the event loop, so that a
        release counts at once, however slow frames are.
        """
        wanted = mouse.perturbation(self) if held else None
        if wanted is not None or self._perturbing:
            self.send(Perturb(wanted))
        self._perturbing = wanted is not None

    def _frame_due(self) -> bool:
        """Whether a script that does not sleep has had its time since the last frame."""
        return self._passive is None or self._pace.due_beside(self._passive, self.window.events, self.view.feedback)

    def _needs_frame(self) -> bool:
        """Whether anything has changed since the last frame."""
        serial, events = self._simulation.latest.serial, self.window.events
        run = self._simulation.latest.run
        if self.sessions is not None and (changed := self.sessions.restart.take_changed()):
            self.view.feedback.changed_source = changed
            self._trailing = TRAILING_FRAMES
        if self.view.feedback.expire_message(time.monotonic()):
            self._trailing = TRAILING_FRAMES
        self.view.feedback.endless_seconds = self._simulation.endless_seconds
        moving = self.window.busy or self.view.flight is not None or self._viewport.refining
        moving = moving or self.view.film is not None or self.view.plots.export is not None
        moving = moving or self._background.news(self.view) or self._script_layer.stale
        moving = moving or self._viewport.pictures_due(self._simulation.latest, self.view)
        if events != self._drawn_events or moving:
            self._trailing = TRAILING_FRAMES
        # a bar that moves by itself leaves the processor to what it waits for
        waits = run.progress is not None or self.view.feedback.endless_seconds > 0
        waits = waits and self._clock.since_frame > WAITING_INTERVAL
        # nor do small pictures that play
        waits = waits or self._viewport.pictures_due(self._simulation.latest, self.view, playing=True)
        fresh = serial != self._drawn_serial or self._trailing > 0 or waits
        self._trailing = max(self._trailing - 1, 0)
        self._drawn_serial, self._drawn_events = serial, events
        # a video continues in a minimised window
        seen = self.window.visible and not self.window.hidden
        return fresh and (seen or self.view.video is not None)

    def _frame(self) -> None:
        """One frame: panels once for each input event, then the view, once."""
        began = time.perf_counter()
        self._clock.count_frame()
        self.window.update_display_size()
        if min(self.window.get_framebuffer_size()) < 1:
            return
        with self._clock.timed("panels"):
            while self._turn() and not self.window.closed:
                pass
            imgui.render()
        if self.window.closed:
            return
        screen = self.context.screen
        screen.use()
        screen.clear(*theme.BACKGROUND[:3])
        with self._clock.timed("view"), self._viewport.gpu_timer:
            changed = self._draw_view(screen)
        recording.capture_frame(self, panels=False)
        with self._clock.timed("to the screen"):
            self._gui.draw(screen, imgui.get_draw_data())
            recording.capture_frame(self, panels=True)
            count_picture()
            self.window.update_cursor()
            # neither much input nor the wait for the screen should lower the quality
            worked = self._clock.worked
            flipped = time.perf_counter()
            with turns.pause():
                self.window.flip()
            self._flip_seconds = time.perf_counter() - flipped
        if imgui.get_io().want_save_ini_settings:
            _save_layout(self.view)
        # a view that is only shown again says nothing about the cost of drawing
        if changed:
            self._viewport.adapt(worked)
        imgui_context.allow_slow_clicks(time.perf_counter() - began)
        attempt(self.view.feedback.faults, "Cameras", self._draw_pictures)

    def _draw_pictures(self) -> None:
        """Pictures of cameras, which the next frame shows; their cost does not lower the quality of the view."""
        self._viewport.draw_pictures(self.snapshot, self.view)

    def _turn(self) -> bool:
        """Let panels and bindings handle the next input event; returns whether there are more."""
        self._take_snapshot()
        self._take_curves()
        self._update_caption()
        self._apply_theme()
        more = self.window.feed()
        self._clock.pass_time(more)
        begin_turn(self._pictures)
        imgui.new_frame()
        self._gesture += any(map(imgui.is_mouse_clicked, range(3))) or imgui.is_key_pressed(imgui.Key.enter)
        self._background.begin_frame(self.view, self.snapshot)
        self.rect = layout.draw(self.snapshot, self.view, self._send_from_panel, self.act)
        self.view.shown_size = self._pixels(self.rect)[2:]
        self._background.end_frame(self.view, self.snapshot)
        script_panels(self._script_layer, self.rect)
        self._added = panel_files(self._script_layer, self.snapshot, self.view, self._send_from_panel, self.rect)
        layout.drop_focus()
        theme.ensure_typed_glyphs()
        self._handle_input()
        self._send_perturbation(self.input.dragging)
        imgui.end_frame()
        return more

    def _draw_view(self, screen: Any) -> bool:
        """Draw the view on the screen; returns whether it has changed. After an error, other options are a new try."""
        drawn: list[bool] = []
        if self._viewport.options_changed(self.view):
            self.view.feedback.faults.pop("The view", None)

        def draw() -> None:
            drawn.append(self.draw_view(screen, self._pixels(self.rect), self._viewport.preset(self.view)))

        attempt(self.view.feedback.faults, "The view", draw)
        return any(drawn)

    def draw_view(self, target: Any, box: Box, preset: int = 0) -> bool:
        """Draw the view into a rectangle of a framebuffer; returns whether it has changed."""
        return self._viewport.draw(self.snapshot, self.view, self.user_geoms, target, box, preset)

    def _take_snapshot(self) -> None:
        """Take the newest snapshot and what a script adds, and react to what has changed."""
        layer, added = self._script_layer, self._added
        self.user_geoms = (*layer.shown_geoms, *(geom for view in added for geom in view.geoms))
        self._viewport.ghosts = (*layer.ghosts.values(), *(ghost for view in added for ghost in view.ghosts))
        self.view.has_user_geoms = bool(self.user_geoms)
        snapshot = self._simulation.latest
        show_news(self, self.snapshot, snapshot)
        hit, before, self.snapshot = self.snapshot.run.hit, self.snapshot.state, snapshot
        if snapshot.model != self._model:
            self._show_model(snapshot.model)
        elif before is not None and snapshot.state is not None and before is not snapshot.state:
            self.view.selection = followed(self.view.selection, before, snapshot.state)
        if snapshot.model is not self._model:
            # after an edit: the same model, with another scene
            assert self._model is not None and snapshot.model is not None
            self.view.camera.update_projection(self._model, snapshot.model)
            self._model = snapshot.model
            self._viewport.drop_scene()
        if snapshot.run.hit is not hit:
            breakpoint_actions.show_hit(self.view, snapshot.run.hit)

    def _take_curves(self) -> None:
        """Take what a script plots; with its first curve the panel comes to the front."""
        show_curves(self._script_layer.curves(), self.view)
        finish_export(self.view, self.send)

    def _update_caption(self) -> None:
        """The name of the model in the title bar, with a dot while edits are not saved."""
        path, unsaved = self.snapshot.run.path, " •" if self.snapshot.unsaved else ""
        name = self._wish.title or (model_title(path, self._model.name) if self._model is not None else "")
        caption = f"{name}{unsaved} – {TITLE}" if name else TITLE
        if caption != self._caption:
            self._caption = caption
            self.window.set_caption(caption)

    def _handle_input(self) -> None:
        """Handle keys, gestures and dropped files."""
        typing = self.view.ui.show_palette or self.view.asks
        for gesture in self.input.events(self.rect, typing, self.view.prefs.shortcuts):
            kept = self.view.ui.manual.captures_key(gesture.trigger) or self._is_for_script(gesture)
            if not kept and not gallery.captures_key(self.view, gesture.trigger):
                self._dispatch(gesture)
        for path in self.window.take_dropped()[:1]:
            self._dispatch(Gesture("Drop a file", path=path))
        mouse.follow_selection(self)
        mouse.release(self)
        move_camera(self.view, self.snapshot, imgui.get_io().delta_time)
        view_marks(self.snapshot, self.view, self.rect, self.user_geoms)

    def _is_for_script(self, gesture: Gesture) -> bool:
        """Whether a key is left to a script: it may steer with arrows while it runs."""
        return self._script_layer.key is not None and not self.snapshot.run.paused and gesture.trigger in STEERING

    def _apply_theme(self) -> None:
        """Apply the font size and theme that the user has chosen."""
        wanted = (self.window.dpi_scale * self.view.prefs.font_scale, self.view.prefs.light_theme)
        if wanted != self._theme:
            self._theme = wanted
            theme.apply(*wanted)

    def _show_model(self, model: ModelView | None) -> None:
        """Start a new model with its own camera and speed; a file that was read again keeps the user's."""
        shown, self._model = self._model, model
        self._viewport.drop_scene()
        self.input.end_flight()
        self.view.perturb = None
        self.view.ui.sensor_scale.clear()
        self.view.feedback.faults.clear()
        if model is None:
            return
        path, before = self.snapshot.run.path, self._path
        theme.ensure_glyphs(path, *(name for names in model.names.values() for name in names))
        self._path = path
        if path and path != before:
            add_recent(Path(path))
        elsewhere = bool(before) and before == self.snapshot.run.path_before
        if shown is not None and (path == before or elsewhere):
            self.view.follow_file(shown, model)
        else:
            self.view.flight = None
            self.view.selection, self.view.tracked, self.view.feedback.message = None, -1, ""
            self.view.ui.unfolded.clear()
            self.view.camera = default_free_camera(model)
            self.view.camera_id = int(model.vis.global_.cameraid)
            if self.sessions is None or not self.sessions.awaits(path):
                self.send(SetSpeed(float(model.vis.global_.realtime)))
            run_recording.restore_shown(self, model)
        if self.sessions is not None and self.sessions.awaits(path):
            restore_view(self.sessions.take_view(), self.view, model)

    def _pixels(self, rect: Rect) -> Box:
        """A rectangle of the layout in pixels, from the lower left."""
        scale_x, scale_y = imgui.get_io().display_framebuffer_scale
        height = self.window.get_framebuffer_size()[1]
        x, y = round(rect.x * scale_x), round(rect.y * scale_y)
        w, h = round(rect.width * scale_x), round(rect.height * scale_y)
        return x, height - y - h, w, h

    # for actions (`input/desk.py`)

    def current_view(self) -> View | None:
        """The pose of the camera, if there is a model."""
        model, state = self.snapshot.model, self.snapshot.state
        return None if model is None or state is None else self.view.current_view(model, state)

    def pick(self, x: float, y: float, decor: bool = True) -> Picked | None:
        """What is drawn at a point of the view, x and y from -1 to 1, right and up; `decor` includes decoration."""
        return self._viewport.pick(self.snapshot, self.view, self.rect.aspect, x, y, decor)

    @property
    def dragging(self) -> bool:
        """Whether the mouse is dragging in the view."""
        return self.input.dragging

    def screenshot(self, size: tuple[int, int] | None = None) -> Pixels:
        """The view without panels, in a size, or in its size on the screen."""
        size = size or self.frame_box(panels=False)[2:]
        return self._viewport.image(self.snapshot, self.view, self.user_geoms, size)

    def frame_box(self, panels: bool) -> Box:
        """The whole window, or the view alone."""
        return (0, 0, *self.window.get_framebuffer_size()) if panels else self._pixels(self.rect)

    def read_frame(self, box: Box) -> Pixels:
        """The pixels drawn so far in this frame."""
        return read_screen(self.context, self.window.get_framebuffer_size(), box)

    def copy_text(self, text: str) -> None:
        """Copy text to the clipboard."""
        self.window.set_clipboard_text(text)

    def toggle_full_screen(self) -> None:
        """Switch between full screen and a window."""
        self.window.toggle_full_screen()

    def window_shape(self) -> Shape:
        """Width, height, and whether it is full screen."""
        return self.window.shape

    # actions

    def act(self, action: Action) -> None:
        """Run an action, for a button or a menu."""
        self._do(action, Gesture(""))

    def _dispatch(self, gesture: Gesture) -> None:
        binding = find(gesture.trigger)
        if binding is not None:
            self._do(binding.action, gesture)

    def _do(self, action: Action, gesture: Gesture) -> None:
        """Run an action; an error is shown, and the window stays."""
        try:
            action(self, gesture)
        except Exception as error:
            traceback.print_exc()
            self.report("That did not work", describe(error))


def _save_layout(view: ViewState) -> None:
    """Save the layout of panels."""
    imgui_context.save_layout(docking.layout_ini(panels(), view))
