"""The handle of a passive viewer on MuJoCo's model (mujoco_handle.py), with a real window under Xvfb."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import mujoco
import numpy as np
import pytest
from PIL import Image

from app import viewer
from tests.app.test_viewer import Script
from tests.app.window_driver import ROOT, last_words, x_server

# the MuJoCo of the test is that of the script too
PATHS = os.pathsep.join(filter(None, (str(ROOT), os.environ.get("PYTHONPATH"))))

FLAGS = mujoco.mjtVisFlag


class MujocoScript(Script):
    """The process, and a hand on its mouse and keyboard."""

    def __init__(self, display: str, home: Path) -> None:
        self._env = {**os.environ, "DISPLAY": display, "XDG_CONFIG_HOME": str(home), "PYTHONPATH": PATHS}
        command = [sys.executable, str(Path(__file__).with_name("mujoco_child.py"))]
        self.process = subprocess.Popen(
            command, env=self._env, cwd=home, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def set(self, *statements: str) -> None:
        """Assignments in the script: `v.cam.distance = 3`."""
        for statement in statements:
            target, _, value = statement.partition(" = ")
            owner, _, name = target.rpartition(".")
            self.ask(f"setattr({owner}, '{name}', {value})")

    def picture(self) -> Any:
        """The view without panels, as colours."""
        self.do("key", "ctrl+p")
        message = self.wait("v.view.feedback.message", lambda text: text.endswith(".png"))
        self.set("v.view.feedback.message = ''")
        with Image.open(message.removeprefix("saved ")) as picture:
            return np.asarray(picture.convert("RGB")).astype(int)


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[MujocoScript]:
    """A script for all tests here."""
    with x_server() as display:
        running = MujocoScript(display, tmp_path_factory.mktemp("home"))
        running.wait("v.is_running() and v._simulation.latest.run.ready and seen.steps > 20")
        yield running
        out = last_words(running.process, "close\n")
        assert out == "closed False True\n"
        assert running.process.returncode == 0


@pytest.fixture
def script(shared: MujocoScript) -> MujocoScript:
    """A script that runs, with a ball at rest in the middle of the view."""
    shared.ask("start_over(v, seen)")
    shared.do("mousemove", 400, 300)
    shared.wait("v.view.camera.distance == 2.5 and v._simulation.latest.run.steps < 500 and v.view.selection is None")
    return shared


@pytest.mark.window
def test_its_objects_are_mujocos(script: MujocoScript) -> None:
    assert script.ask("v.m is m and v.d is d")
    kinds = "[type(x).__name__ for x in (v.cam, v.opt, v.perturb, v.pert, v.user_scn, v.viewport)]"
    assert script.ask(kinds) == ["MjvCamera", "MjvOption", "MjvPerturb", "MjvPerturb", "MjvScene", "MjrRect"]
    assert script.ask("v.user_scn.maxgeom") == 10_000
    left, bottom, width, height = script.ask(
        "[v.viewport.left, v.viewport.bottom, v.viewport.width, v.viewport.height]"
    )
    assert (left, bottom) == (0, 0) and width > 200 and height > 200


@pytest.mark.window
def test_the_camera_goes_both_ways(script: MujocoScript) -> None:
    # the script had set its distance before the first frame, and nothing else
    assert script.ask("[v.cam.azimuth, v.cam.elevation, v.cam.distance, int(v.cam.type)]") == [90, 0, 2.5, 0]
    script.set("v.cam.azimuth = 120", "v.cam.elevation = -30", "v.cam.lookat = (0.1, 0, 0.2)")
    script.wait("[v.view.camera.azimuth, v.view.camera.elevation, *v.view.camera.lookat.tolist()]",
                lambda pose: pose == [120, -30, 0.1, 0, 0.2])  # fmt: skip
    script.do("mousedown", 1)
    script.do("mousemove_relative", 60, 30)
    script.do("mouseup", 1)
    script.wait("v.cam.azimuth != 120 and v.cam.elevation != -30")
    script.wait("v.cam.azimuth == v.view.camera.azimuth and v.cam.distance == 2.5")
    # a camera of the model, a body to track, and back
    script.ask("[setattr(v.cam, 'fixedcamid', 0), setattr(v.cam, 'type', mujoco.mjtCamera.mjCAMERA_FIXED)] and 0")
    script.wait("v._application.current_view().fovy == 30")
    script.ask("[setattr(v.cam, 'trackbodyid', 1), setattr(v.cam, 'type', mujoco.mjtCamera.mjCAMERA_TRACKING)] and 0")
    script.wait("v.view.tracked == 1 and v.view.camera_id == -1")
    script.wait("abs(v.cam.lookat).max() < 1e-3")
    script.set("v.cam.type = 0")
    script.wait("v.view.tracked == -1")
    # in the window it is changed with a key
    script.do("key", "bracketright")
    script.wait("[int(v.cam.type), v.cam.fixedcamid]", lambda mode: mode == [2, 0])


@pytest.mark.window
def test_flags_go_both_ways(script: MujocoScript) -> None:
    script.ask("v.opt.flags.__setitem__(FLAGS.mjVIS_TRANSPARENT, 1)")
    script.ask("v.user_scn.flags.__setitem__(mujoco.mjtRndFlag.mjRND_WIREFRAME, 1)")
    script.set("v.opt.frame = mujoco.mjtFrame.mjFRAME_BODY")
    script.wait("v.view.options.transparent and v.view.options.wireframe and v.view.options.frame == 'body'")
    script.do("key", "t")
    script.do("key", "c")
    flags = "[int(v.opt.flags[flag]) for flag in (FLAGS.mjVIS_TRANSPARENT, FLAGS.mjVIS_CONTACTPOINT)]"
    script.wait(flags, lambda flags: flags == [0, 1])
    script.do("key", "w")
    script.wait("int(v.user_scn.flags[mujoco.mjtRndFlag.mjRND_WIREFRAME])", lambda flag: flag == 0)
    assert script.ask("seen.keys") == [ord(key) for key in "TCW"]


@pytest.mark.window
def test_geoms_of_its_scene_and_its_figure_are_drawn(script: MujocoScript) -> None:
    def red(pixels: Any) -> int:
        return int((pixels[..., 0] > 2 * pixels[..., 1:].max(axis=2) + 40).sum())

    assert red(script.picture()) == 0
    script.ask("[sphere(v, 0, 0.5), sphere(v, 1, -0.5)] and 0")
    script.wait("len(v._application.user_geoms) == 2")
    both = red(script.picture())
    script.set("v.user_scn.ngeom = 1")
    script.wait("len(v._application.user_geoms) == 1")
    assert both > 1.5 * red(script.picture()) > 100
    # over the view, where it was put; the picture of the view is without it
    assert (
        script.ask(
            "v.set_figures([(mujoco.MjrRect(v.viewport.left + 10, v.viewport.bottom + 10, 200, 150), figure())])"
        )
        is None
    )
    script.ask("turns(5)")
    left, bottom, _, _ = script.ask("v._application.frame_box(panels=False)")
    box = [left + 10, bottom + 10, 200, 150]
    shown = screen(script, box)
    blue = (shown[..., 2] > shown[..., :2].max(axis=2) + 40).mean()
    yellow = (shown[..., :2].min(axis=2) > shown[..., 2] + 80).mean()
    assert blue > 0.7
    assert yellow > 0.005
    assert script.ask("v.clear_figures() or len(v._script_layer.figures)") == 0
    script.ask("turns(5)")
    assert (screen(script, box)[..., 2] > screen(script, box)[..., :2].max(axis=2) + 40).mean() < 0.1


def screen(script: MujocoScript, box: list[int]) -> Any:
    """A rectangle of the window as it is on the screen, from the lower left; read on the viewer's thread."""
    script.ask("shots.take(v, " + repr(box) + ")")
    return np.array(script.wait("shots.pixels"), int)


@pytest.mark.window
def test_arrows_steer_the_script_while_it_runs(script: MujocoScript) -> None:
    script.do("key", "Left")
    script.do("key", "Right")
    script.do("key", "F5")
    script.wait("seen.keys", lambda keys: keys == [263, 262, 294])
    assert not script.ask("v._simulation.latest.run.paused")
    # while time stands still they step
    script.do("key", "space")
    script.wait("v._simulation.latest.run.paused")
    steps = script.ask("seen.steps")
    script.do("key", "Right")
    script.wait("seen.steps", lambda now: now == steps + 1)
    script.do("key", "space")
    script.wait("seen.steps", lambda now: now > steps + 5)


@pytest.mark.window
def test_the_mouse_pulls_the_body_that_is_selected(script: MujocoScript) -> None:
    x, y, width, height = script.ask("[getattr(v._application.rect, n) for n in ('x', 'y', 'width', 'height')]")
    middle = int(x + width / 2), int(y + height / 2)
    script.do("mousemove", *middle)
    script.do("click", "--repeat", 2, "--delay", 0, 1)
    script.wait("v.perturb.select", lambda body: body == 1)
    script.do("keydown", "ctrl", "mousedown", 3)
    script.do("mousemove", middle[0], middle[1] - 60)
    script.wait("int(v.perturb.active)", lambda active: active == 1)
    assert script.wait("v.perturb.refselpos[2]", lambda height: height > 0.05)
    script.wait("d.qpos[2]", lambda height: height > 0.02)
    script.do("mouseup", 3, "keyup", "ctrl")
    script.wait("int(v.perturb.active)", lambda active: active == 0)
    script.wait("abs(d.xfrc_applied).max()", lambda force: force == 0)
    # the script selects, and pulls
    script.set("v.perturb.select = 0")
    script.wait("v.view.selection is None")
    script.ask("start_over(v, seen)")
    script.set("v.perturb.select = 1", "v.perturb.refselpos = (0, 0, 0.5)", "v.perturb.active = 1")
    script.wait("d.qpos[2]", lambda height: height > 0.02)
    script.set("v.perturb.active = 0")
    script.wait("abs(d.xfrc_applied).max()", lambda force: force == 0)


@pytest.mark.window
def test_a_drag_on_the_timeline_goes_back_and_the_loop_goes_on_from_there(script: MujocoScript) -> None:
    script.ask("d.qvel.__setitem__(0, 0.1)")
    script.set("v.view.prefs.show_bottom = True", "v.view.ui.reveal = 'Timeline'")
    script.wait("v._simulation.latest.run.steps > 400")
    # time stands still, so that nothing moves under the mouse
    script.do("key", "space")
    script.wait("v._simulation.latest.run.paused")
    last = script.ask("v._simulation.latest.run.steps")
    # runs of other tests may be longer: the strip shows this one
    script.set(f"v.view.timeline.span = (0.0, {0.002 * last})")
    script.ask("turns(10)")
    x, y, width, height = script.ask("[getattr(v._application.rect, n) for n in ('x', 'y', 'width', 'height')]")
    # left of the right end of the strip below the view, where the playhead is
    script.do("mousemove", int(x + 0.75 * width), int(y + height + 102))
    script.wait("v.view.timeline.hovered")
    script.do("mousedown", 1)
    script.wait(f"v._simulation.latest.run.steps < {last}")
    pressed = script.ask("v._simulation.latest.run.steps")
    script.do("mousemove_relative", "--", -60, 0)
    script.wait(f"v._simulation.latest.run.steps < {pressed}")
    script.do("mouseup", 1)
    script.wait("v.view.timeline.drag is None and v.view.timeline.asked is None")
    past, when, place = script.ask("[v._simulation.latest.run.steps, d.time, d.qpos[0]]")
    assert 0 < past < pressed
    # a busy machine has fewer rows than steps
    assert 0 < when < script.ask("v._simulation.live._left[1].time")
    # the ball flies to the right: it is back where it was
    recorded = script.ask(f"v._simulation.live.history.row(v._simulation.live.history.branch, {past})[:2]")
    assert [when, place] == recorded
    assert 0 < place < script.ask("v._simulation.live._left[1].qpos[0]")
    steps = script.ask("seen.steps")
    script.do("mousemove", 400, 200)
    script.do("key", "ctrl+Return")
    script.wait("seen.steps", lambda now: now > steps + 20)
    assert script.ask("d.time") < when + 60
    forks = script.wait("[b.fork for b in v._simulation.latest.run.history.branches]", lambda forks: past in forks)
    assert len(forks) > 1
    script.set("v.view.prefs.show_bottom = False")


@pytest.mark.window
def test_a_script_goes_on_with_another_model(script: MujocoScript) -> None:
    script.set("v.cam.azimuth = 77")
    script.wait("v.view.camera.azimuth == 77")
    assert script.ask("other(v)") is None
    script.wait("v.m is not m and v.d.time > 0.05 and v._simulation.latest.run.problem is None")
    assert script.ask("[v.cam.azimuth, v.m.nbody, v._simulation.latest.model.nbody]") == [77, 4, 4]
    assert "the script replaced its model" in str(
        script.ask("[x.text for x in v._simulation.latest.run.history.markers]")
    )
    script.set("v.perturb.select = 3")
    script.wait("v.view.selection is not None and v.view.selection.index == 3")
    assert script.ask("back(v, m, d)") is None
    script.wait("v.m is m")


def test_launch_takes_a_model_or_a_loader_not_both() -> None:
    m = mujoco.MjModel.from_xml_string("<mujoco/>")
    for arguments, options in (((m,), {"loader": lambda: (m, None)}), ((None, mujoco.MjData(m)), {})):
        with pytest.raises(ValueError, match="pass a model, with its Data, or a loader"):
            viewer.launch(*arguments, **options)
