"""A viewer in a process of its own, for tests with a real window: answers questions about its state.

Each line on standard input is a question, the answer is its state as JSON: `state` after the next turn of its loop,
`settle` once it has taken in whatever the X server has sent, `reset PATH` once it is as if it had just been started
with that model, `moments BRANCH` once it has copied all moments of a branch's line. `x` presses the close button.
`hold` keeps it from drawing, as if a frame took for ever; `frame` lets it draw one more, `go` lets it go on. `close`
closes the window.
"""

from __future__ import annotations

import hashlib
import json
import queue
import sys
import threading
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
from imgui_bundle import imgui
from pyglet.libs.x11 import xlib

import sim
from app.application import Application
from app.manual.manual_view import ManualView
from app.run import commands as cmd
from app.run.commands import open_command
from app.run.history.taken_rows import TakenRows
from app.run.sim_thread import SimThread
from app.scene.decor.handles import MOVE
from app.ui.input_queue import typing
from app.view.input import recording
from app.view.tools import handles_of
from app.view.ui_state import UiState
from app.view.view_state import ViewState
from app.window.layout import DOCK_NAME
from app.window.panel_list import panels

# in the first the X server's events may come too late, in the second they are taken in, in the third seen
SETTLING_BEATS = 3


class Watched(Application):
    """An application whose turns and frames are counted, and that can be held."""

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        # panels on both sides, however small the window is
        self.view.ui.layout = ""
        self.beats = self.frames = 0
        # rows of a branch, once they are asked for
        self.taken: tuple[TakenRows, ...] = ()
        # the step that was asked for last
        self.gone_to = -1
        # frames that may be drawn
        self.leave: float = float("inf")
        self.size = self.window.get_size()
        # sliders, fields of numbers, buttons and areas of the last frame that can be used, by label
        self.sliders: dict[str, list[float]] = {}
        self.numbers: dict[str, list[float]] = {}
        self.buttons: dict[str, list[float]] = {}
        self.areas: dict[str, list[float]] = {}
        imgui.slider_float = self._recording(imgui.slider_float, self.sliders)
        imgui.drag_float = self._recording(imgui.drag_float, self.numbers)
        imgui.button = self._recording(imgui.button, self.buttons)
        imgui.invisible_button = self._recording(imgui.invisible_button, self.areas)
        imgui.selectable = self._recording(imgui.selectable, self.areas)
        imgui.input_text_with_hint = self._recording(imgui.input_text_with_hint, self.areas)

    def _recording(self, item: Callable[..., Any], rects: dict[str, list[float]]) -> Callable[..., Any]:
        def call(label: str, *arguments: Any) -> Any:
            result = item(label, *arguments)
            # a question that nobody could have read yet has buttons that do nothing
            if not imgui.get_current_context().current_item_flags & imgui.ItemFlags_.disabled:
                rects[label] = corners(imgui.get_item_rect_min(), imgui.get_item_rect_max())
            return result

        return call

    def send(self, command: cmd.Command) -> None:
        if isinstance(command, cmd.GoTo):
            self.gone_to = command.moment
        super().send(command)

    def _tick(self) -> None:
        self.beats += 1
        if self.leave > 0 or self.window.closed:
            super()._tick()
        # all that the server has sent by now is dispatched before the next one
        xlib.XSync(self.window._x_display, False)

    def _frame(self) -> None:
        self.sliders.clear()
        self.numbers.clear()
        self.buttons.clear()
        self.areas.clear()
        super()._frame()
        self.frames += 1
        self.leave -= 1

    def reset(self, path: str) -> Callable[[], bool]:
        """As if it had just been started; returns what tells whether it has come to that."""
        recording.stop(self)
        if self.window.fullscreen:
            self.window.toggle_full_screen()
        if self.window.get_size() != self.size:
            self.window.set_size(*self.size)
        old = self._simulation.latest.model
        # textures of ImGui's last as long as it does
        self.leave, self.view, self._path = (
            float("inf"),
            ViewState(
                ui=UiState(thumbnails=self.view.ui.thumbnails, manual=ManualView(textures=self.view.ui.manual.textures))
            ),
            None,
        )
        forget_panels()
        for command in (cmd.SetPaused(True), cmd.DismissProblem(), cmd.DismissWarnings(), cmd.SetBreakpoints(())):
            self.send(command)
        self.send(open_command(Path(path)))

        def done() -> bool:
            newest, run = self._simulation.latest, self._simulation.latest.run
            loaded = run.path == path and run.ready and run.progress is None and newest.model is not old
            return bool(loaded and self.snapshot.model is newest.model and self.rect.x > 100)

        return done


def corners(low: Any, high: Any) -> list[float]:
    """Left, top, right and bottom of a rectangle."""
    return [low.x, low.y, high.x, high.y]


def tabs() -> dict[str, list[float]]:
    """Where the tabs of the docked panels are."""
    windows = {panel.name: imgui.internal.find_window_by_name(panel.name) for panel in panels()}
    found = {name: window.dc.dock_tab_item_rect for name, window in windows.items() if window is not None}
    return {name: corners(rect.min, rect.max) for name, rect in found.items()}


def forget_panels() -> None:
    """Places, focus and open menus of panels as at a first start."""
    internal = imgui.internal
    internal.clear_active_id()
    context = imgui.get_current_context()
    if context.open_popup_stack.size():
        internal.close_popup_to_level(0, False)
    imgui.set_window_focus(None)
    # the next click is not the second of a double-click
    context.time += 60.0
    internal.dock_builder_remove_node(internal.im_hash_str(DOCK_NAME, 0, internal.im_hash_str("Debug##Default")))


def spots(application: Watched) -> list[list[float]]:
    """Where the bodies are on the screen."""
    rect, state, seen = application.rect, application.snapshot.state, application.current_view()
    if state is None or seen is None or min(rect.width, rect.height) < 1:
        return []
    places = np.column_stack([state.xpos, np.ones(len(state.xpos))])
    found = (seen.projection_matrix(rect.aspect) @ seen.view_matrix() @ places.T).T
    x, y = found[:, 0] / found[:, 3], found[:, 1] / found[:, 3]
    return [*map(list, zip(rect.x + (x + 1) / 2 * rect.width, rect.y + (1 - y) / 2 * rect.height, strict=True))]


def handle_tips(application: Watched) -> list[list[Any]]:
    """What each handle does, and where its tip is on the screen."""
    rect, view, seen = application.rect, application.view, application.current_view()
    model, state = application.snapshot.model, application.snapshot.state
    if model is None or state is None or seen is None:
        return []
    handles, length = handles_of(model, state, seen, view.tools, view.selection)
    found = []
    for handle in handles:
        spot = seen.project(handle.place + (0.85 * length * handle.axis if handle.does == MOVE else 0.0), rect.aspect)
        if spot is not None:
            place = [rect.x + (1 + spot[0]) / 2 * rect.width, rect.y + (1 - spot[1]) / 2 * rect.height]
            found.append([handle.does, *place])
    return found


def state_of(application: Watched) -> dict[str, object]:
    """What tests ask about."""
    # one snapshot for all: the simulation goes on meanwhile
    latest, view, window = application._simulation.latest, application.view, application.window
    run, camera, rect, model, state, perturb = (
        latest.run, view.camera, application.rect, latest.model, latest.state, view.perturb,
    )  # fmt: skip
    return {
        "path": run.path, "paused": run.paused, "ready": run.ready, "steps": run.steps, "speed": run.speed,
        "problem": run.problem.text if run.problem else None, "message": view.feedback.message,
        "azimuth": camera.azimuth, "elevation": camera.elevation, "distance": camera.distance,
        "lookat": list(camera.lookat), "camera": view.camera_id, "manual": view.ui.manual.open,
        "info": view.prefs.show_info, "instruments": view.prefs.instruments,
        "panels": view.prefs.show_left, "full_screen": window.fullscreen, "hidden": window.hidden,
        "size": window.get_size(),
        "body": perturb.body if perturb else -1, "pulls": bool(perturb and perturb.active),
        "places": state.xpos.tolist() if state else [], "forces": state.xfrc_applied.tolist() if state else [],
        "options": asdict(view.options), "right": view.prefs.show_right, "bottom": view.prefs.show_bottom,
        "profiler": view.ui.show_profiler, "sensors": view.ui.show_sensors, "palette": view.ui.show_palette,
        "light": view.prefs.light_theme, "font": view.prefs.font_scale, "tracked": view.tracked,
        "selection": str(view.selection), "time": run.time, "timestep": model.opt.timestep if model else 0.0,
        "recording": view.recording.seconds if view.recording else None, "gallery": view.ui.show_gallery,
        "browse": str(view.ui.browse.folder) if view.ui.browse else None,
        "frames": application.frames, "typing": typing(), "watches": view.plots.expressions(),
        "picture": [rect.x, rect.y, rect.width, rect.height], "error": application.screen.context.error,
        "qpos": state.qpos.tolist() if state else [], "sliders": application.sliders, "tabs": tabs(),
        "buttons": application.buttons, "unsaved": latest.unsaved, "caption": window.caption,
        "numbers": application.numbers, "options_now": {
            name: float(getattr(model.opt, name)) for name in ("timestep", "impratio", "ls_tolerance")
        } if model else {},
        "journal": [(entry.text, entry.in_force) for entry in latest.journal.entries],
        "notification": run.notification, "last": run.history.last,
        "asks": view.asks, "markers": [marker.text for marker in run.history.markers], "areas": application.areas,
        "qvel": state.qvel.tolist() if state else [], "branch": run.history.branch, "loop": run.history.loop,
        "branches": {
            branch.id: {
                "parent": branch.parent, "fork": branch.fork, "last": branch.last, "colour": branch.colour,
                "end": branch.time_of(branch.last),
            } for branch in run.history.branches
        },
        "breakpoints": [(point.expression, point.on, point.hits) for point in run.breakpoints],
        "gone_to": application.gone_to, "refining": application._viewport.refining,
        "replaying": run.replaying, "ghost": run.history.ghost, "filming": view.film is not None,
        "ghost_places": latest.ghost.xpos.tolist() if latest.ghost else [], "spots": spots(application),
        "handles": handle_tips(application), "geom_pos": model.geom_pos.tolist() if model else [],
        "tool": view.tools.tool, "snaps": view.tools.snap,
    }  # fmt: skip


def moments_of(taken: tuple[TakenRows, ...]) -> dict[int, list[object]]:
    """What is recorded, by step: a hash of all of it, time, qpos, qvel, and the edits in force."""
    moments: dict[int, list[object]] = {}
    for part in taken:
        model, data = part.model, sim.Data(part.model)
        edits = {field: [*map(list, cells)] for field, cells in part.edits.cells.items()}
        for step, row in zip(part.steps.tolist(), part.rows, strict=True):
            sim.set_state(model, data, row, sim.record_signature(model), check=False)
            digest = hashlib.sha256(row.tobytes()).hexdigest()
            moments[step] = [digest, data.time, data.qpos.tolist(), data.qvel.tolist(), edits]
    return moments


class Answers:
    """One question after another, between two frames."""

    def __init__(self, application: Watched) -> None:
        self._application = application
        self._questions: queue.SimpleQueue[str] = queue.SimpleQueue()
        self._ready: Callable[[], bool] | None = None
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self) -> None:
        for line in sys.stdin:
            self._questions.put(line.strip())

    def give(self, _: float) -> None:
        """Take up a question, or answer the one that was taken up, if that can be answered by now."""
        if self._ready is None and not self._questions.empty():
            self._ready = self._take_up(*self._questions.get().split(" ", 1))
        elif self._ready is not None and self._ready():
            self._ready = None
            moments = {"moments": moments_of(self._application.taken)}
            print(json.dumps(state_of(self._application) | moments), flush=True)
            self._application.taken = ()

    def _take_up(self, word: str, path: str = "") -> Callable[[], bool] | None:
        application = self._application
        match word:
            case "close":
                application.close()
                return None
            case "reset":
                done = application.reset(path)
                # laid out again, and drawn like that
                frames = application.frames + SETTLING_BEATS
                return lambda: done() and application.frames >= frames
            case "moments":
                known = [branch for branch in application.snapshot.run.history.branches if branch.id == int(path)]
                steps = tuple(range(known[0].last + 1))
                application.send(cmd.TakeRows(int(path), steps, lambda rows: setattr(application, "taken", rows)))
                return lambda: bool(application.taken)
            case "x":
                # as the window manager's button does
                application.window.dispatch_event("on_close")
            case "hold":
                application.leave = 0
            case "frame":
                application.leave = application._trailing = 1
                return lambda: application.leave == 0 or application.window.closed
            case "go":
                application.leave = float("inf")
        beats = application.beats + (1 if word == "state" else SETTLING_BEATS)
        return lambda: application.beats >= beats


def main() -> None:
    """Open the file named on the command line, paused."""
    simulation = SimThread(sim, paused=True)
    simulation.start()
    simulation.send(open_command(Path(sys.argv[1])))
    application = Watched(simulation)
    application.window.clock.schedule_interval(Answers(application).give, 0.005)
    application.run()
    print("closed after", application.frames, flush=True)


if __name__ == "__main__":
    main()
