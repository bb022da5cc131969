"""Random input for the viewer in a real window: keys, mouse, resizes, files, edits.

    python -m tests.soak.viewer [--minutes 30 | --frames 1000] [--seed 0]

Starts an X server without a screen (Xvfb), and drives the application's own loop with events as the window would
report them. Fails on an exception, on an error of GL, on a simulation that no longer answers, and if memory in use
keeps growing in the second half; before that, edits bring in more and more of the engine's native code.
"""

from __future__ import annotations

import argparse
import ctypes
import gc
import os
import random
import sys
import time
from collections.abc import Callable
from contextlib import nullcontext
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT))

from tests.app.window_driver import x_server  # noqa: E402

SCENES = ("double_pendulum", "dominoes", "ball_chain", "spinning_handle")
BROKEN = "<mujoco><worldbody><geom tipe='sphere'/></worldbody></mujoco>"
# in the second half; a short run is still loading native code, textures and fonts then
GROWTH_BYTES, SHORT_GROWTH_BYTES, SHORT_MINUTES = 30e6, 250e6, 10.0
REST_SIZE, REST_FRAMES, PATIENCE = (900, 600), 20, 900.0

# pictures that Mesa's software renderer may have under way, and what makes one of them slow
PICTURES_UNDER_WAY, SLOW_TURNS = 64, 6000
CORNERS = """
#version 330
void main() { gl_Position = vec4(vec2(gl_VertexID & 1, gl_VertexID >> 1) * 4.0 - 1.0, 0.0, 1.0); }
"""
TURNS = """
#version 330
uniform int turns;
out vec4 colour;
void main() {
    float x = gl_FragCoord.x;
    for (int n = 0; n < turns; n++) x = sin(x) + cos(1.1 * x);
    colour = vec4(x);
}
"""


def memory_in_use() -> int:
    """Resident bytes, without what the C library keeps of freed memory: of 380 MB that is 50, now more, now less."""
    from app.window.overlays.info import memory_bytes

    gc.collect()
    library = ctypes.CDLL(None)
    if hasattr(library, "malloc_trim"):
        library.malloc_trim(0)
    return memory_bytes()


def forget_pictures(context: Any) -> None:
    """Make a software renderer forget the triangles of its last pictures.

    Mesa's has up to 64 pictures under way, and each keeps its triangles, up to 36 MB, until its place is taken by
    another one: which of them were full when the renderer last fell behind would decide over 100 MB. So small
    pictures take every place while a slow one holds the queue up.
    """
    program = context.program(CORNERS, TURNS)
    corners = context.vertex_array(program, [])
    targets = [context.simple_framebuffer((128, 128)) for _ in range(PICTURES_UNDER_WAY + 6)]
    for n, target in enumerate(targets):
        program["turns"].value = 1 if n else SLOW_TURNS
        target.use()
        corners.render(vertices=3)
    context.screen.use()
    context.finish()
    for target in targets:
        for part in (*target.color_attachments, target.depth_attachment, target):
            part.release()
    corners.release()
    program.release()


class Monkey:
    """A user without a plan."""

    def __init__(self, application: Any, simulation: Any, folder: Path, seed: int) -> None:
        from app.files.resources import find_scene
        from app.model.editable import ELEMENTS, FLAGS, OPTIONS
        from app.run import commands as cmd
        from app.run.commands import open_command

        self._app, self._simulation, self._cmd = application, simulation, cmd
        self._options, self._elements, self._flags = OPTIONS, ELEMENTS, FLAGS
        self._random = random.Random(seed)
        self._held: list[int] = []
        self._files = [open_command(find_scene(name)) for name in SCENES]
        broken = folder / "broken.xml"
        broken.write_text(BROKEN)
        self._files.append(cmd.LoadModel(str(broken)))
        self.counts: dict[str, int] = {}

    def act(self) -> None:
        """Do one thing."""
        doings: list[tuple[int, Callable[[], None]]] = [
            (30, self._move), (14, self._press), (14, self._release), (30, self._key), (6, self._scroll),
            (3, self._resize), (2, self._load), (12, self._edit), (6, self._data), (3, self._type), (2, self._calm),
        ]  # fmt: skip
        weights = [weight for weight, _ in doings]
        _, doing = self._random.choices(doings, weights)[0]
        self.counts[doing.__name__] = self.counts.get(doing.__name__, 0) + 1
        doing()

    def _move(self) -> None:
        width, height = self._app.window.get_size()
        self._app.window.on_mouse_motion(self._random.randrange(width), self._random.randrange(height), 0, 0)

    def _press(self) -> None:
        from pyglet.window import mouse

        button = self._random.choice((mouse.LEFT, mouse.LEFT, mouse.RIGHT, mouse.MIDDLE))
        modifiers = self._random.choice((0, 0, 0, 1, 2, 3))
        width, height = self._app.window.get_size()
        x, y = self._random.randrange(width), self._random.randrange(height)
        self._held.append(button)
        self._app.window.on_mouse_press(x, y, button, modifiers)

    def _release(self) -> None:
        if self._held:
            self._app.window.on_mouse_release(100, 100, self._held.pop(0), 0)

    def _key(self) -> None:
        from pyglet.window import key

        from app.ui.window import _KEYS

        symbol = self._random.choice(list(_KEYS))
        # files belong to the user: no pictures, videos, models or dialogs; and it goes on
        modifiers = self._random.choice((0, 0, key.MOD_SHIFT, key.MOD_CTRL))
        if modifiers == key.MOD_CTRL and symbol in (key.P, key.R, key.O, key.S, key.Q):
            return
        self._app.window.on_key_press(symbol, modifiers)
        self._app.window.on_key_release(symbol, 0)

    def _scroll(self) -> None:
        self._app.window.on_mouse_scroll(400, 300, 0, self._random.choice((-2, -1, 1, 2)))

    def _type(self) -> None:
        self._app.window.on_text(self._random.choice("d.qpos[2] 0123456789norm()"))

    def _resize(self) -> None:
        if not self._app.window.fullscreen:
            self._app.window.set_size(self._random.randrange(480, 1000), self._random.randrange(320, 700))

    def _load(self) -> None:
        self._simulation.send(self._random.choice(self._files))

    def _edit(self) -> None:
        """Any option or property, anywhere in its range."""
        from app.model.editable import rows_of
        from app.model.number_drag import moved
        from app.model.selection import COUNTS
        from app.run.linked_edits import set_alone

        model = self._simulation.latest.model
        if model is None:
            return
        if self._random.random() < 0.3:
            flag = self._random.choice(self._flags)
            self._simulation.send(self._cmd.SetFlag(flag.path, flag.bit, self._random.random() < 0.5))
            return
        row = self._random.choice((*self._options, *self._elements))
        rows: tuple[int, ...] = ()
        if row.counted_by:
            count = int(getattr(model, COUNTS[row.section]))
            rows = rows_of(row, model, self._random.randrange(count)) if count else ()
            if not rows:
                return
        part = self._random.choice(row.numbers(model, rows))
        far = moved(float(row.vector(model, rows)[part.at]), self._random.gauss(0, 100), part.rule)
        wanted = self._random.choice([float(v) for _, v in row.choices] or [far])
        self._simulation.send(set_alone(row, rows, part.at, wanted))

    def _data(self) -> None:
        """State, time, history."""
        cmd, last = self._cmd, self._simulation.latest.run.history.last
        model = self._simulation.latest.model
        if model is None:
            return
        choices = [
            cmd.Reset(), cmd.StepOnce(self._random.randrange(-20, 20)), cmd.GoTo(self._random.randrange(last + 1)),
            cmd.SetSpeed(self._random.choice((0.1, 1.0, 8.0))), cmd.SetPaused(False), cmd.DismissProblem(),
        ]  # fmt: skip
        if model.nv:
            choices.append(cmd.SetData("qvel", self._random.randrange(model.nv), (self._random.gauss(0, 1),)))
        self._simulation.send(self._random.choice(choices))

    def _calm(self) -> None:
        """Let go of everything, and go back to the file."""
        while self._held:
            self._release()
        self._simulation.send(self._cmd.DismissProblem())
        self._simulation.send(self._cmd.ResetEdits())
        self._simulation.send(self._cmd.Reset())
        self._simulation.send(self._cmd.SetPaused(False))

    def frame(self) -> None:
        """What the window's loop does, whether there is news or not."""
        self._app.window.dispatch_events()
        self._app.window.closed = False
        self._app._frame()
        assert self._app.screen.context.error == "GL_NO_ERROR", self._app.screen.context.error

    def rest(self) -> int:
        """Look at the first scene as at the start, in a window of a certain size; the memory in use then."""
        from app.view.preferences import Preferences
        from app.view.ui_state import UiState
        from app.view.view_state import ViewState

        self._calm()
        # which overlays, fonts, panels and qualities the keys have left switched on is worth fifty megabytes
        self._app.view = ViewState(
            prefs=Preferences(adaptive=False), ui=UiState(thumbnails=self._app.view.ui.thumbnails)
        )
        if self._app.window.fullscreen:
            self._app.window.toggle_full_screen()
        self._app.window.set_size(*REST_SIZE)
        for file in (self._files[1], self._files[0]):
            self._open(file)
        forget_pictures(self._app.screen.context)
        return memory_in_use()

    def tour(self) -> None:
        """Open every bundled scene: the gallery leads to any of them, and what each brings along is no leak."""
        from app.files.resources import bundled_scenes
        from app.run.commands import open_command

        for scene in bundled_scenes():
            self._open(open_command(scene.path))

    def _open(self, file: Any) -> None:
        """Open a model and look at it."""
        self._simulation.send(file)
        deadline = time.monotonic() + PATIENCE
        while not ((run := self._simulation.latest.run).path == file.path and run.ready):
            self.frame()
            assert time.monotonic() < deadline, "the simulation no longer answers"
        for _ in range(REST_FRAMES):
            self.frame()


def _stay_at_home(simulation: Any, folder: Path) -> None:
    """Open nothing but bundled scenes and files of the soak: the dialog leads to whatever is on this machine."""
    from app.files.resources import bundled_scenes
    from app.run.commands import LoadModel

    homes = {folder, *(scene.path.parent for scene in bundled_scenes())}
    send = simulation.send

    def send_if_home(command: Any) -> None:
        if not isinstance(command, LoadModel) or Path(command.path).parent in homes:
            send(command)

    simulation.send = send_if_home


def soak(minutes: float, most: int, seed: int, report: Callable[[str], None] = print) -> None:
    """Run for so long, or for so many frames, under the current display; AssertionError on any fault."""
    import sim
    from app.application import Application
    from app.files.resources import find_scene
    from app.run.commands import open_command
    from app.run.sim_thread import SimThread

    for name in SCENES:
        sim.prepare(sim.load(str(find_scene(name))))
    with TemporaryDirectory() as folder:
        os.environ["XDG_CONFIG_HOME"] = folder
        # a history that fills up would look like a leak
        simulation = SimThread(sim, history_bytes=4 << 20)
        simulation.start()
        simulation.send(open_command(find_scene(SCENES[0])))
        application = Application(simulation)
        monkey = Monkey(application, simulation, Path(folder), seed)
        _stay_at_home(simulation, Path(folder))
        long = minutes >= SHORT_MINUTES and not most
        if long:
            monkey.tour()
        began = said = time.monotonic()
        settled = frames = 0
        # how much of it is done, from 0 to 1
        while (done := frames / most if most else (time.monotonic() - began) / (60 * minutes)) < 1:
            for _ in range(3):
                monkey.act()
            monkey.frame()
            frames += 1
            if not settled and done > 0.5:
                settled = monkey.rest()
            if (now := time.monotonic()) > said + 60:
                said = now
                name, megabytes = Path(simulation.latest.run.path).stem, memory_in_use() / 1e6
                report(f"{now - began:6.0f} s  {frames} frames  {megabytes:.0f} MB  {name}  {monkey.counts}")
        grown = monkey.rest() - settled
        application.close()
        application.run()
        report(f"{frames} frames, memory grew by {grown / 1e6:.1f} MB in the second half, {monkey.counts}")
        limit = GROWTH_BYTES if long else SHORT_GROWTH_BYTES
        assert grown < limit, f"memory grew by {grown / 1e6:.0f} MB"


def main() -> None:
    """From the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--minutes", type=float, default=30.0)
    parser.add_argument("--frames", type=int, default=0, help="so many frames, however long they take")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--display", help="an X server that runs already")
    options = parser.parse_args()
    # with an arena for every thread, what the C library keeps of freed memory looks like a leak
    if "MALLOC_ARENA_MAX" not in os.environ:
        os.environ["MALLOC_ARENA_MAX"] = "1"
        os.execv(sys.executable, [sys.executable, "-m", "tests.soak.viewer", *sys.argv[1:]])
    with nullcontext(options.display) if options.display else x_server() as display:
        os.environ["DISPLAY"] = display
        soak(options.minutes, options.frames, options.seed)


if __name__ == "__main__":
    main()
