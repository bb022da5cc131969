"""Opening, saving and filming with a real window under Xvfb: keys, a dropped file, files that change on disk."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import mujoco
import numpy as np
import pytest
from PIL import Image

from app.files.resources import find_scene
from tests.app.movie import read_frames
from tests.app.window_driver import ROOT, State, Viewer, own_viewer
from tests.patience import PATIENCE
from tests.sim.mjcf.format.urdf_models import MODELS, joint, link

pytestmark = [pytest.mark.window, pytest.mark.release]

GOOD = """<mujoco>
<worldbody>
<light directional='true' dir='0.3 0.3 -1'/>
<geom type='plane' size='0 0 1' rgba='0.3 0.4 0.3 1'/>
<body pos='0 0 1'><joint type='slide' axis='0 0 1'/><geom size='.2' rgba='0.8 0.3 0.2 1'/></body>
</worldbody>
</mujoco>
"""


def two_models(folder: Path) -> Path:
    """A folder with two models in it."""
    (folder / "first.xml").write_text(GOOD)
    (folder / "second.xml").write_text(GOOD.replace("size='.2'", "size='.3'"))
    return folder


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Viewer]:
    """A viewer for all tests here."""
    with own_viewer(two_models(tmp_path_factory.mktemp("files")) / "first.xml") as shown:
        yield shown


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A test's own folder with two models."""
    return two_models(tmp_path)


@pytest.fixture
def viewer(shared: Viewer, home: Path) -> Viewer:
    """A paused viewer on the first model."""
    shared.reset(home / "first.xml")
    return shared


def test_saved_file_is_read_again_and_a_broken_one_waits(viewer: Viewer, home: Path) -> None:
    model = home / "first.xml"
    model.write_text(GOOD.replace("size='.2'", "sighs='.2'"))
    problem = viewer.wait(lambda s: s["problem"])["problem"]
    for words in ("first.xml", "5", "geom", "sighs"):
        assert words in problem
    # the scene that ran is still there
    assert len(viewer.state()["places"]) == 2
    body = "<body pos='0 1 1'><freejoint/><geom size='.1'/></body>"
    model.write_text(GOOD.replace("</worldbody>", body + "</worldbody>"))
    viewer.wait(lambda s: s["problem"] is None and s["ready"] and len(s["places"]) == 3)
    model.write_text(GOOD)
    viewer.wait(lambda s: s["ready"] and len(s["places"]) == 2)


def test_a_saved_file_keeps_state_and_camera(viewer: Viewer, home: Path) -> None:
    viewer.key("space")
    viewer.wait(lambda s: s["steps"] > 20)
    viewer.key("space")
    viewer.wait(lambda s: s["paused"])
    viewer.drag(1, 40, 0)
    before = viewer.state()
    body = "<body name='new' pos='0 1 1'><freejoint/><geom size='.1'/></body>"
    (home / "first.xml").write_text(GOOD.replace("<worldbody>", "<worldbody>" + body))
    after = viewer.wait(lambda s: "the file has changed: +1 body" in s["message"])
    assert after["qpos"] == [0, 1, 1, 1, 0, 0, 0, *before["qpos"]]
    for what in ("azimuth", "steps", "paused", "time"):
        assert after[what] == before[what], what
    # and by hand
    viewer.key("ctrl+l")
    again = viewer.wait(lambda s: s["message"] == "the file was reloaded; paused, Space continues")
    assert (again["qpos"], again["steps"]) == (after["qpos"], after["steps"])


def drop(viewer: Viewer, path: Path) -> None:
    """Drag a file onto the window."""
    source = [sys.executable, "-m", "tests.app.xdnd", viewer.window(), str(path)]
    done = subprocess.run(source, env=viewer.env, cwd=ROOT, capture_output=True, text=True, timeout=PATIENCE)
    assert (done.returncode, done.stdout) == (0, "finished\n"), done.stderr


def test_dropped_file_opens(viewer: Viewer, home: Path) -> None:
    drop(viewer, home / "second.xml")
    viewer.wait(lambda s: s["path"] == str(home / "second.xml") and s["ready"])


def asked(viewer: Viewer) -> State:
    """The state once a dialog takes an answer: what is pressed before anyone could read it answers nothing."""
    return viewer.wait(lambda s: s["asks"] and "Cancel" in s["buttons"])


def save_elsewhere(viewer: Viewer) -> Path:
    """Save what cannot be saved in place, under the name that the dialog suggests."""
    viewer.key("ctrl+s")
    asked(viewer)
    viewer.do("key", "Return")
    # from then on that is the model
    return Path(viewer.wait(lambda s: s["path"].endswith(".xml") and "saved" in s["markers"][-1])["path"])


def test_urdf_is_dropped_reloaded_and_saved_as_mjcf(viewer: Viewer, home: Path) -> None:
    file = home / "arm.urdf"
    text = MODELS["limits"]
    file.write_text(text)
    drop(viewer, file)
    viewer.wait(lambda s: s["path"] == str(file) and s["ready"] and len(s["places"]) == 2)
    # a second arm
    more = link("second") + joint("revolute", '<origin xyz="0 1 0"/>', "turn2", "base", "second")
    file.write_text(text.replace("</robot>", more + "</robot>"))
    viewer.wait(lambda s: s["ready"] and len(s["places"]) == 3)
    saved = save_elsewhere(viewer)
    reference = mujoco.MjModel.from_xml_path(str(saved))
    assert (reference.nbody, reference.joint("turn2").name) == (3, "turn2")
    assert saved == home / "arm.xml"
    saved.unlink()


def test_robot_of_a_urdf_is_dropped_moved_by_its_joints_and_saved_for_mujoco(viewer: Viewer, home: Path) -> None:
    file = home / "rover.urdf"
    file.write_bytes(find_scene("rocker_bogie").read_bytes())
    theirs = mujoco.MjModel.from_xml_path(str(file))
    drop(viewer, file)
    state = viewer.wait(lambda s: s["path"] == str(file) and s["ready"] and len(s["qpos"]) == theirs.nq)
    assert state["qpos"] == theirs.qpos0.tolist()
    viewer.press(state["tabs"]["Joints"])
    moved = {int(theirs.joint(name).qposadr[0]): pixels for name, pixels in (("left_rocker", 40), ("left_bogie", -30))}
    for address, pixels in moved.items():
        slider = viewer.wait(lambda s, key=f"##qpos{address}": key in s["sliders"])["sliders"][f"##qpos{address}"]
        viewer.press(slider, pixels)
    state = viewer.wait(lambda s: all(s["qpos"][address] for address in moved))
    # to the side of the drag, within the limits, and no other joint
    for address, pixels in moved.items():
        assert 0.05 < np.sign(pixels) * state["qpos"][address] <= 0.6
    still = [k for k in range(theirs.nq) if k not in moved]
    assert np.array_equal(np.array(state["qpos"])[still], theirs.qpos0[still])
    saved = save_elsewhere(viewer)
    ours = mujoco.MjModel.from_xml_path(str(saved))
    saved.unlink()
    for field in ("qpos0", "body_mass", "body_inertia", "body_pos", "jnt_range", "geom_size", "geom_rgba"):
        assert np.allclose(getattr(ours, field), getattr(theirs, field), atol=1e-12), field
    for model in (ours, theirs):
        data = mujoco.MjData(model)
        data.qpos[:] = state["qpos"]
        mujoco.mj_kinematics(model, data)
        assert np.allclose(data.xpos, state["places"], atol=1e-12)


def test_dialog_opens_what_is_typed(viewer: Viewer, home: Path) -> None:
    viewer.key("ctrl+o")
    assert asked(viewer)["browse"] == str(home)
    viewer.type("second")
    viewer.do("key", "Return")
    viewer.wait(lambda s: s["path"] == str(home / "second.xml") and s["ready"] and s["browse"] is None)


def test_gallery_comes_and_goes(viewer: Viewer) -> None:
    viewer.key("ctrl+g")
    viewer.wait(lambda s: s["gallery"])
    viewer.do("key", "Escape")
    viewer.wait(lambda s: not s["gallery"])


def test_film_shows_what_was_on_the_screen(viewer: Viewer) -> None:
    viewer.key("ctrl+r")
    viewer.wait(lambda s: s["recording"] is not None)
    viewer.key("space")
    viewer.wait(lambda s: s["time"] > 0.3)
    viewer.key("space")
    end = viewer.wait(lambda s: s["paused"])
    # the last picture is on the screen before filming ends
    viewer.do("mousemove", viewer.middle[0] + 5, viewer.middle[1])
    viewer.key("ctrl+r")
    message = viewer.wait(lambda s: s["recording"] is None and s["message"].startswith("saved"))["message"]
    frames = list(read_frames(Path(message.removeprefix("saved "))))
    # one second of video is one simulated second
    assert len(frames) == pytest.approx(60 * end["time"] + 1, abs=2)
    viewer.key("ctrl+p")
    path = viewer.wait(lambda s: s["message"].endswith(".png"))["message"].removeprefix("saved ")
    with Image.open(path) as picture:
        screen = np.asarray(picture.convert("RGB")).astype(int)
    height, width = frames[-1].shape[:2]
    errors = [np.abs(frame.astype(int) - screen[:height, :width]).mean() for frame in (frames[0], frames[-1])]
    assert errors[1] < 2.5
    assert errors[0] > 1.2 * errors[1]


def edit(viewer: Viewer, text: str) -> None:
    """Set a number by its name."""
    viewer.key("ctrl+k")
    viewer.wait(lambda s: s["palette"])
    viewer.type(text)
    viewer.do("key", "Return")
    viewer.wait(lambda s: s["unsaved"] and not s["palette"])


def press(viewer: Viewer, label: str) -> None:
    """Click a button."""
    viewer.press(viewer.wait(lambda s: label in s["buttons"])["buttons"][label])


def test_an_edit_is_saved_to_the_file_and_the_run_goes_on(viewer: Viewer, home: Path) -> None:
    viewer.key("space")
    viewer.wait(lambda s: s["steps"] > 20)
    viewer.key("space")
    before = viewer.wait(lambda s: s["paused"])
    edit(viewer, "timestep 0.001")
    assert viewer.wait(lambda s: "•" in s["caption"])["caption"] == "first • – Kinetoscope"
    viewer.key("ctrl+s")
    viewer.wait(lambda s: s["asks"])
    # keys are for the dialog alone
    viewer.key("space")
    assert viewer.state()["paused"]
    assert (home / "first.xml").read_text() == GOOD
    press(viewer, "Save")
    after = viewer.wait(lambda s: not s["asks"] and not s["unsaved"])
    assert (home / "first.xml").read_text() == GOOD.replace("<mujoco>\n", '<mujoco>\n<option timestep="0.001"/>\n')
    assert (home / "first.xml~").read_text() == GOOD
    assert after["message"] == "saved first.xml, backup first.xml~"
    assert after["markers"][-1] == "saved first.xml"
    for what in ("qpos", "steps", "time", "azimuth", "paused"):
        assert after[what] == before[what], what
    viewer.wait(lambda s: s["caption"] == "first – Kinetoscope")
    # and on
    viewer.key("space")
    viewer.wait(lambda s: s["steps"] > before["steps"] + 20)


def test_saved_elsewhere_it_is_the_model(viewer: Viewer, home: Path) -> None:
    viewer.drag(1, 40, 0)
    edit(viewer, "timestep 0.001")
    before = viewer.state()
    viewer.key("ctrl+shift+s")
    assert asked(viewer)["browse"]
    viewer.keys("ctrl+a")
    viewer.type("third")
    viewer.do("key", "Return")
    after = viewer.wait(lambda s: s["path"] == str(home / "third.xml") and not s["unsaved"])
    assert after["azimuth"] == before["azimuth"]
    assert (home / "first.xml").read_text() == GOOD
    assert viewer.wait(lambda s: "third" in s["caption"])["caption"] == "third – Kinetoscope"


def test_quitting_with_an_unsaved_edit_asks(tmp_path: Path) -> None:
    home = two_models(tmp_path)
    with own_viewer(home / "first.xml") as viewer:
        edit(viewer, "timestep 0.001")
        viewer.key("ctrl+q")
        asked(viewer)
        viewer.do("key", "Escape")
        viewer.wait(lambda s: not s["asks"])
        # so does the button of the window
        viewer.ask("x")
        viewer.wait(lambda s: s["asks"])
        press(viewer, "Cancel")
        viewer.wait(lambda s: not s["asks"])
        # and another model
        drop(viewer, home / "second.xml")
        viewer.wait(lambda s: s["asks"])
        press(viewer, "Discard")
        viewer.wait(lambda s: s["path"] == str(home / "second.xml") and s["ready"] and not s["asks"])
        edit(viewer, "timestep 0.001")
        viewer.key("ctrl+q")
        state = viewer.wait(lambda s: s["asks"] and "Discard" in s["buttons"])
        left, top, right, bottom = state["buttons"]["Discard"]
        viewer.do("mousemove", round((left + right) / 2), round((top + bottom) / 2))
        viewer.tell("click", 1)
        assert viewer.process.wait(PATIENCE) == 0
        viewer._last = "closed"
    assert (home / "first.xml").read_text() == GOOD
    assert (home / "second.xml").read_text() == GOOD.replace("size='.2'", "size='.3'")
