"""The simulation's rate beside the GUI thread, relative to its rate alone.

    python tests/bench/bench_gui_thread.py [SCENE] [--seconds S] [--rounds N]

In the first row the GUI thread draws the viewer's own frames 60 times a second into a null target: all panels, and
everything that is decided about the picture, without a GPU. In the others it is busy in Python for 10 of every 16 ms:
beside the viewer's simulation thread, its clock told to run as fast as it can, and beside plain loops, which show
what the two measures of that thread are worth: long native calls and a short switch interval. Goal: at least 0.85.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT))

from imgui_bundle import imgui, implot  # noqa: E402

import sim  # noqa: E402
from app.files.resources import find_scene  # noqa: E402
from app.run import commands as cmd  # noqa: E402
from app.run.commands import open_command  # noqa: E402
from app.run.sim_thread import SimThread  # noqa: E402
from app.run.thread_switching import SHORT  # noqa: E402
from app.scene.camera import default_free_camera  # noqa: E402
from app.scene.scene import Scene  # noqa: E402
from app.ui import theme  # noqa: E402
from app.view.preferences import Preferences  # noqa: E402
from app.view.view_state import ViewState  # noqa: E402
from app.window import layout  # noqa: E402

DEFAULT_INTERVAL = 0.005
FRAME, BUSY = 0.016, 0.010
GOAL = 0.85


def watch(seconds: float, busy: bool) -> float:
    """Be the GUI thread for a while; the time that passed."""
    began = time.perf_counter()
    frame = began
    count = 0
    while frame < began + seconds:
        frame += FRAME
        if busy:
            end = frame - FRAME + BUSY
            while time.perf_counter() < end:
                count += 1
        time.sleep(max(frame - time.perf_counter(), 0.0))
    return time.perf_counter() - began


class NullViewer:
    """The viewer's frames without a window: panels and the list of what to draw, and nothing drawn."""

    def __init__(self, simulation: SimThread) -> None:
        self._simulation = simulation
        self._view = ViewState(prefs=Preferences(show_bottom=True))
        self._scene: Scene | None = None
        imgui.create_context()
        implot.create_context()
        io = imgui.get_io()
        io.display_size = imgui.ImVec2(1400, 900)
        io.config_flags |= imgui.ConfigFlags_.docking_enable
        io.backend_flags |= imgui.BackendFlags_.renderer_has_textures
        io.set_ini_filename("")
        theme.apply()

    def frame(self) -> None:
        """One frame."""
        snapshot = self._simulation.latest
        imgui.new_frame()
        layout.draw(snapshot, self._view, self._simulation.send, lambda _: None)
        imgui.render()
        if snapshot.model is not None and snapshot.state is not None:
            if self._scene is None:
                self._scene = Scene(snapshot.model, self._view.options)
                self._view.camera = default_free_camera(snapshot.model)
            eye = self._view.camera.view(snapshot.model).eye
            self._scene.draw_list(snapshot.state, eye)

    def close(self) -> None:
        """Give back ImGui's memory."""
        theme.unload()
        implot.destroy_context()
        imgui.destroy_context()


def draw_frames(viewer: NullViewer, seconds: float) -> float:
    """Draw 60 frames a second for a while; the time that passed."""
    began = time.perf_counter()
    frame = began
    while frame < began + seconds:
        viewer.frame()
        frame = max(frame + 1 / 60, time.perf_counter())
        time.sleep(max(frame - time.perf_counter(), 0.0))
    return time.perf_counter() - began


def drawing_rate(path: Path, seconds: float, busy: bool) -> float:
    """Steps per second of the viewer's simulation thread, with or without a viewer that draws."""
    simulation = started(path)
    viewer = NullViewer(simulation)
    (draw_frames(viewer, 0.5) if busy else time.sleep(0.5))
    before = simulation.latest.run.steps
    began = time.perf_counter()
    (draw_frames(viewer, seconds) if busy else time.sleep(seconds))
    # the newest snapshot may be a display interval old
    steps, elapsed = simulation.latest.run.steps - before, time.perf_counter() - began
    simulation.send(cmd.SetPaused(True))
    simulation.close()
    viewer.close()
    return steps / elapsed


def started(path: Path) -> SimThread:
    """The viewer's simulation thread, on a scene, as fast as it can."""
    simulation = SimThread(sim)
    simulation.start()
    simulation.send(open_command(path))
    while not simulation.latest.run.ready:
        time.sleep(0.01)
    # beyond what commands allow: never wait for wall time
    simulation.live.clock.speed = 1e6
    return simulation


def viewer_rate(path: Path, seconds: float, busy: bool) -> float:
    """Steps per second of the viewer's simulation thread."""
    simulation = started(path)
    watch(0.3, busy)
    before = simulation.latest.run.steps
    elapsed = watch(seconds, busy)
    steps = simulation.latest.run.steps - before
    simulation.send(cmd.SetPaused(True))
    simulation.close()
    return steps / elapsed


def plain_rate(path: Path, seconds: float, busy: bool, chunk: int) -> float:
    """Steps per second of a plain loop on a thread, `chunk` steps per native call."""
    model = sim.load(str(path))
    data = sim.Data(model)
    sim.step(model, data, 1)
    steps, stop = [0], threading.Event()

    def loop() -> None:
        while not stop.is_set():
            sim.step(model, data, chunk)
            steps[0] += chunk

    thread = threading.Thread(target=loop)
    thread.start()
    watch(0.3, busy)
    before = steps[0]
    elapsed = watch(seconds, busy)
    done = steps[0] - before
    stop.set()
    thread.join()
    return done / elapsed


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else "")
    parser.add_argument("scene", nargs="?", default="humanoid")
    parser.add_argument("--seconds", type=float, default=2.0)
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    path = find_scene(options.scene)
    rate_1 = plain_rate(path, 0.5, False, 100)
    chunk = max(round(0.002 * rate_1), 1)
    rows: list[tuple[str, float, Callable[[bool], float]]] = [
        ("viewer that draws at 60 Hz", SHORT, lambda busy: drawing_rate(path, options.seconds, busy)),
        ("viewer's simulation thread", SHORT, lambda busy: viewer_rate(path, options.seconds, busy)),
        (f"{chunk} steps a call", SHORT, lambda busy: plain_rate(path, options.seconds, busy, chunk)),
        (f"{chunk} steps a call", DEFAULT_INTERVAL, lambda busy: plain_rate(path, options.seconds, busy, chunk)),
        ("1 step a call", SHORT, lambda busy: plain_rate(path, options.seconds, busy, 1)),
        ("1 step a call", DEFAULT_INTERVAL, lambda busy: plain_rate(path, options.seconds, busy, 1)),
    ]
    print(f"{path.stem}, GUI thread busy {BUSY * 1e3:.0f} of every {FRAME * 1e3:.0f} ms, goal {GOAL}")
    print(f"{'loop':<28}{'switch ms':>10}{'alone 1/s':>12}{'beside 1/s':>12}{'ratio':>8}")
    for name, interval, measure in rows:
        alone, beside = [], []
        for _ in range(options.rounds):
            for busy, rates in ((False, alone), (True, beside)):
                sys.setswitchinterval(interval)
                rates.append(measure(busy))
        a, b = statistics.median(alone), statistics.median(beside)
        print(f"{name:<28}{interval * 1e3:>10.1f}{a:>12.0f}{b:>12.0f}{b / a:>8.2f}")


if __name__ == "__main__":
    main()
