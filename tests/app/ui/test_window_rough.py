"""A real window under Xvfb, treated roughly: odd sizes, lost releases, floods of keys, signals, bad neighbours."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from app.ui.imgui_context import LAYOUT_FILE
from tests.app.movie import read_frames
from tests.app.window_driver import ROOT, Viewer, last_words, own_viewer, until, x_server
from tests.patience import PATIENCE

pytestmark = [pytest.mark.window, pytest.mark.release]

BALL = """<mujoco><option gravity='0 0 0'/><statistic center='0 0 0' extent='1'/>
<visual><global azimuth='90' elevation='0'/></visual>
<worldbody><body name='ball'><freejoint/><geom size='.2'/></body></worldbody></mujoco>"""

# another program on the same screen: one that takes the keyboard, or the clipboard without ever answering, or one
# that says how dense the screen is
NEIGHBOUR = """
import ctypes, sys
from pyglet.libs.x11 import xlib
display = xlib.XOpenDisplay(None)
window = xlib.XCreateSimpleWindow(display, xlib.XDefaultRootWindow(display), 0, 0, 9, 9, 0, 0, 0)
xlib.XMapWindow(display, window)
xlib.XSync(display, False)
if "clipboard" in sys.argv:
    xlib.XSetSelectionOwner(display, xlib.XInternAtom(display, b"CLIPBOARD", False), window, 0)
elif "keyboard" in sys.argv:
    xlib.XSetInputFocus(display, window, 0, 0)
else:
    text = ctypes.create_string_buffer(b"Xft.dpi:\\t192\\n")
    text = ctypes.cast(text, ctypes.POINTER(ctypes.c_ubyte))
    xlib.XChangeProperty(display, xlib.XDefaultRootWindow(display), 23, 31, 8, xlib.PropModeReplace, text, 13)
xlib.XSync(display, False)
print("there", flush=True)
sys.stdin.read()
"""

# nodes of a layout whose parents come after them, or not at all
IMPOSSIBLE_LAYOUT = """[Window][Simulation]
DockId=0x00000008,1
[Window][Controls]
DockId=0x00000008,2
[Window][Physics]
DockId=0x00000006
[Docking][Data]
DockSpace       ID=0x7039376F Window=0x1BBC0F80 Pos=0,40 Size=900,558 Split=X
  DockNode      ID=0x00000003 Parent=0x7039376F SizeRef=242,630 Split=Y
    DockNode    ID=0x00000008 Parent=0x00000001 SizeRef=242,346 Selected=0x00000004
      DockNode  ID=0x00000006 Parent=0x00000003 SizeRef=404,225 Selected=0x00000002
"""


@pytest.fixture
def display() -> Iterator[str]:
    """An X server without a screen, for one viewer alone."""
    with x_server() as name:
        yield name


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Viewer]:
    """A viewer for all tests that leave it alive."""
    home = tmp_path_factory.mktemp("rough")
    (home / "ball.xml").write_text(BALL)
    with own_viewer(home / "ball.xml") as shown:
        yield shown


@pytest.fixture
def viewer(shared: Viewer) -> Viewer:
    """A paused viewer on a ball in the middle of the view."""
    shared.reset()
    return shared


@contextmanager
def neighbour(display: str, word: str) -> Iterator[None]:
    """Another program on the same screen."""
    env = {**os.environ, "DISPLAY": display}
    command = [sys.executable, "-c", NEIGHBOUR, word]
    with subprocess.Popen(command, env=env, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == "there\n"
        yield


def test_a_key_released_over_another_window_works_at_once_afterwards(viewer: Viewer) -> None:
    before = viewer.state()["options"]["wireframe"]
    viewer.do("keydown", "w")
    viewer.wait(lambda s: s["options"]["wireframe"] is not before)
    with neighbour(viewer.env["DISPLAY"], "keyboard"):
        viewer.do("keyup", "w")
    viewer.do("windowfocus", "--sync", viewer.window())
    viewer.keys("w")
    viewer.wait(lambda s: s["options"]["wireframe"] is before)


@pytest.mark.parametrize(("button", "modifier"), [(1, None), (3, "ctrl")])
def test_a_drag_ends_when_another_window_takes_over(viewer: Viewer, button: int, modifier: str | None) -> None:
    x, y = viewer.middle
    viewer.double_click(1)
    viewer.wait(lambda s: s["body"] == 1)
    if modifier:
        viewer.do("keydown", modifier)
    viewer.do("mousedown", button)
    viewer.do("mousemove", x + 30, y)
    viewer.wait(lambda s: s["pulls"] is bool(modifier))
    with neighbour(viewer.env["DISPLAY"], "keyboard"):
        at_rest = viewer.wait(lambda s: not s["pulls"])
        viewer.do("mousemove", x + 90, y)
        state = viewer.state()
        viewer.do("mouseup", button)
        if modifier:
            viewer.do("keyup", modifier)
    assert state["azimuth"] == at_rest["azimuth"]
    assert state["places"] == at_rest["places"]
    viewer.do("windowfocus", "--sync", viewer.window())
    # the next drag works as ever
    viewer.drag(1, 20, 0)
    viewer.wait(lambda s: s["azimuth"] != state["azimuth"] and not s["pulls"])


def test_hammered_keys_all_work_and_not_for_long(viewer: Viewer) -> None:
    viewer.ask("hold")
    held = viewer.do("key", "--repeat", 255, "--delay", 0, "w", "key", "F1")
    after = viewer.ask("frame")
    assert after["frames"] == held["frames"] + 1
    assert after["manual"]
    assert after["options"]["wireframe"] is not held["options"]["wireframe"]


def test_a_film_of_a_window_of_every_size(viewer: Viewer) -> None:
    start = viewer.state()["size"]
    viewer.key("ctrl+r")
    viewer.wait(lambda s: s["recording"])
    viewer.key("space")
    for size in ([1, 1], [30, 600], [700, 3], [1800, 1200], start):
        viewer.do("windowsize", viewer.window(), *size)
        time_then = viewer.wait(lambda s, size=size: s["size"] == size)["time"]  # type: ignore[misc]
        viewer.wait(lambda s, then=time_then: s["time"] > then + 0.1)  # type: ignore[misc]
    viewer.keys("space", "ctrl+r")
    state = viewer.wait(lambda s: s["recording"] is None and s["paused"])
    frames = list(read_frames(Path(state["message"].removeprefix("saved "))))
    assert len({frame.shape for frame in frames}) == 1
    assert len(frames) > 6


def test_what_cannot_be_saved_is_said_on_a_card(tmp_path: Path) -> None:
    folder = tmp_path / "gone"
    folder.mkdir()
    (folder / "ball.xml").write_text(BALL)
    with own_viewer(folder / "ball.xml") as viewer:
        shutil.rmtree(folder)
        # first it is noticed that the model is gone
        viewer.wait(lambda s: s["problem"] and "ball.xml" in s["problem"])
        viewer.key("ctrl+p")
        words = "the folder where the program was started: no such file or directory"
        viewer.wait(lambda s: s["problem"] == words)


def test_a_film_that_begins_in_a_window_without_room(viewer: Viewer) -> None:
    viewer.do("windowsize", viewer.window(), 1, 1)
    viewer.wait(lambda s: s["size"] == [1, 1])
    viewer.keys("ctrl+r")
    viewer.wait(lambda s: s["recording"] is not None)
    viewer.keys("ctrl+r")
    viewer.wait(lambda s: s["recording"] is None and s["message"] == "nothing was recorded")


def test_nothing_is_drawn_while_minimised_but_films(viewer: Viewer) -> None:
    viewer.key("space")
    window = viewer.window()
    viewer.tell("windowunmap", "--sync", window)
    before = viewer.wait(lambda s: s["hidden"])
    after = viewer.wait(lambda s: s["time"] > before["time"] + 0.5)
    assert after["frames"] == before["frames"]
    viewer.do("windowmap", "--sync", window)
    viewer.do("windowfocus", "--sync", window)
    viewer.wait(lambda s: s["frames"] > after["frames"])
    viewer.key("ctrl+r")
    viewer.wait(lambda s: s["recording"])
    viewer.tell("windowunmap", "--sync", window)
    length = viewer.wait(lambda s: s["hidden"])["recording"]
    viewer.wait(lambda s: s["recording"] > length + 0.1)
    viewer.do("windowmap", "--sync", window)
    viewer.do("windowfocus", "--sync", window)
    viewer.key("ctrl+r")
    viewer.wait(lambda s: s["recording"] is None)


def test_a_clipboard_whose_owner_hangs(viewer: Viewer) -> None:
    with neighbour(viewer.env["DISPLAY"], "clipboard"):
        viewer.keys("ctrl+k")
        viewer.wait(lambda s: s["palette"] and s["typing"])
        assert viewer.do("key", "ctrl+v")["palette"]
    viewer.keys("Escape")
    viewer.wait(lambda s: not s["palette"])


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT])
def test_signals_close_the_window_and_save(display: str, tmp_path: Path, number: int) -> None:
    env = {**os.environ, "DISPLAY": display, "XDG_CONFIG_HOME": str(tmp_path / "home"), "PYTHONPATH": str(ROOT)}
    (tmp_path / "ball.xml").write_text(BALL)
    # both streams are looked at only in the end: they are empty
    process = subprocess.Popen(
        [sys.executable, "-m", "app", "ball.xml"], env=env, cwd=tmp_path,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        # under nohup it would be ignored
        preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_DFL),
    )  # fmt: skip
    # the key comes as soon as there is a window that takes it; pressed twice it would end the film
    search = ["xdotool", "search", "--onlyvisible", "--name", "Kinetoscope"]
    until(process, lambda: subprocess.run(search, env=env, capture_output=True).stdout)
    press = [*search, "windowfocus", "--sync", "key", "ctrl+r"]
    subprocess.run(press, env=env, check=True, timeout=PATIENCE)
    until(process, lambda: any(path.stat().st_size for path in tmp_path.glob("*.mp4")))
    (film,) = tmp_path.glob("*.mp4")
    process.send_signal(number)
    assert (last_words(process), process.returncode) == ("", 0)
    assert list(read_frames(film))
    assert (tmp_path / "home" / "kinetoscope" / "settings.json").is_file()


OPEN = """
from imgui_bundle import imgui
from app.ui.window import NoScreen, open_window
imgui.create_context()
try:
    open_window()
except NoScreen as reason:
    print(reason)
"""


def test_screens_that_are_of_no_use() -> None:
    def reason(display: str) -> str:
        env = {**os.environ, "DISPLAY": display, "PYTHONPATH": str(ROOT)}
        return subprocess.run([sys.executable, "-c", OPEN], env=env, capture_output=True, text=True).stdout.strip()

    assert reason(":9999") == "cannot open a window (no X server responds at :9999)"
    with x_server("640x480", "-extension", "GLX") as display:
        assert reason(display) == f"cannot open a window (display {display} has no OpenGL 3.3)"


def test_a_dense_screen(tmp_path: Path) -> None:
    second = "<body pos='.45 0 .3'><freejoint/><geom size='.05'/></body></worldbody>"
    (tmp_path / "two.xml").write_text(BALL.replace("</worldbody>", second))
    with x_server("1600x1000") as display, neighbour(display, "density"):
        viewer = Viewer(display, tmp_path / "two.xml", tmp_path)
        state = viewer.state()
        # all that fits of twice the usual size, and letters of twice the height above the picture
        assert state["size"] == [1440, 900]
        x, y, width, height = state["picture"]
        assert y > 70
        # at this distance the picture is 1.5 * tan(22.5 deg) * 2 m high
        metre = height / 1.2426
        viewer.do("mousemove", round(x + width / 2 + 0.45 * metre), round(y + height / 2 - 0.3 * metre))
        viewer.double_click(1)
        viewer.wait(lambda s: s["body"] == 2)
        assert "closed" in viewer.close()


def test_an_impossible_layout_is_set_aside(display: str, tmp_path: Path) -> None:
    layout = tmp_path / "kinetoscope" / LAYOUT_FILE
    layout.parent.mkdir()
    layout.write_text(IMPOSSIBLE_LAYOUT)
    (tmp_path / "ball.xml").write_text(BALL)
    assert "closed" in Viewer(display, tmp_path / "ball.xml", tmp_path).close()
    assert "[Docking]" in layout.read_text()
    assert layout.with_name(f"{LAYOUT_FILE}.bad").read_text() == IMPOSSIBLE_LAYOUT
