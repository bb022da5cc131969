"""The real window under Xvfb, driven by real mouse and key events."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from app.files.resources import folder
from tests.app.window_driver import Viewer, own_viewer

pytestmark = pytest.mark.window

BALL = """<mujoco><option gravity='0 0 0'/><statistic center='0 0 0' extent='1'/>
<visual><global azimuth='90' elevation='0'/></visual>
<worldbody><body name='ball'><freejoint/><geom size='.2'/></body>
<body name='far' pos='0 0 4'><freejoint/><geom size='.2'/></body></worldbody></mujoco>"""


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Viewer]:
    """A viewer for all tests here."""
    home = tmp_path_factory.mktemp("home")
    (home / "ball.xml").write_text(BALL)
    with own_viewer(home / "ball.xml") as shown:
        yield shown


@pytest.fixture
def viewer(shared: Viewer) -> Viewer:
    """A paused viewer on a bundled scene."""
    shared.reset(folder("scenes") / "sculpture.xml")
    return shared


@pytest.fixture
def balls(shared: Viewer) -> Viewer:
    """A paused viewer on two balls, one in the middle of the view."""
    shared.reset()
    return shared


def test_space_plays_and_pauses(viewer: Viewer) -> None:
    viewer.key("space")
    viewer.wait(lambda s: not s["paused"] and s["steps"] > 0)
    viewer.key("space")
    viewer.wait(lambda s: s["paused"])


def test_step_and_reset(viewer: Viewer) -> None:
    before = viewer.state()["steps"]
    viewer.key("Right")
    viewer.wait(lambda s: s["steps"] > before)
    viewer.key("BackSpace")
    viewer.wait(lambda s: s["steps"] == 0)


def test_speed(viewer: Viewer) -> None:
    viewer.key("equal")
    viewer.wait(lambda s: s["speed"] == 2.0)
    viewer.key("minus")
    viewer.wait(lambda s: s["speed"] == 1.0)


def test_left_drag_orbits(viewer: Viewer) -> None:
    before = viewer.state()
    viewer.drag(1, 80, 40)
    azimuth = pytest.approx(before["azimuth"] - 180 * 80 / viewer.height, abs=0.5)
    elevation = pytest.approx(before["elevation"] - 180 * 40 / viewer.height, abs=0.5)
    after = viewer.wait(lambda s: s["azimuth"] == azimuth and s["elevation"] == elevation)
    assert after["lookat"] == before["lookat"]


def test_right_drag_pans(viewer: Viewer) -> None:
    before = viewer.state()
    viewer.drag(3, 0, 60)
    viewer.wait(lambda s: s["lookat"][2] > before["lookat"][2])
    assert viewer.state()["azimuth"] == before["azimuth"]


def test_shift_pans_in_the_horizontal_plane(viewer: Viewer) -> None:
    before = viewer.state()["lookat"]
    viewer.do("keydown", "shift")
    viewer.drag(3, 0, 60)
    viewer.do("keyup", "shift")
    after = viewer.wait(lambda s: s["lookat"] != before)["lookat"]
    assert after[2] == before[2]


def test_scroll_and_middle_drag_zoom(viewer: Viewer) -> None:
    before = viewer.state()["distance"]
    viewer.do("click", 4)
    farther = viewer.wait(lambda s: s["distance"] > before)["distance"]
    viewer.drag(2, 0, 60)
    viewer.wait(lambda s: s["distance"] < farther)


def test_cameras_of_the_model(viewer: Viewer) -> None:
    viewer.key("bracketright")
    viewer.wait(lambda s: s["camera"] == 0)
    viewer.key("bracketright")
    viewer.wait(lambda s: s["camera"] == 1)
    viewer.key("bracketleft")
    viewer.wait(lambda s: s["camera"] == 0)
    viewer.key("Escape")
    viewer.wait(lambda s: s["camera"] == -1)


@pytest.mark.parametrize(("name", "what"), [("F1", "manual"), ("F2", "info"), ("Tab", "panels")])
def test_overlays(viewer: Viewer, name: str, what: str) -> None:
    before = viewer.state()[what]
    viewer.key(name)
    viewer.wait(lambda s: s[what] is not before)
    viewer.key(name)
    viewer.wait(lambda s: s[what] is before)


def test_screenshot(viewer: Viewer) -> None:
    viewer.key("ctrl+p")
    message = viewer.wait(lambda s: "saved" in s["message"])["message"]
    from PIL import Image

    with Image.open(message.removeprefix("saved ")) as picture:
        assert picture.size == tuple(round(v) for v in viewer.state()["picture"][2:])
        assert max(high for _, high in picture.convert("RGB").getextrema()) > 100


def test_resizing(viewer: Viewer) -> None:
    start = viewer.state()["size"]
    for size in ([700, 500], [480, 320], start):
        viewer.do("windowsize", viewer.window(), *size)
        viewer.wait(lambda s, size=size: s["size"] == size)  # type: ignore[misc]
    viewer.wait(lambda s: s["picture"][2] > 100)


def test_broken_file_then_fixed(shared: Viewer, tmp_path: Path) -> None:
    model = tmp_path / "model.xml"
    good = "<mujoco><worldbody><body><freejoint/><geom size='.1'/></body></worldbody></mujoco>"
    model.write_text(good)
    viewer = shared
    viewer.reset(model)
    model.write_text(good.replace("size", "sighs"))
    viewer.key("ctrl+l")
    assert "sighs" in viewer.wait(lambda s: s["problem"])["problem"]
    viewer.drag(1, 40, 0)
    model.write_text(good)
    viewer.key("ctrl+l")
    viewer.wait(lambda s: s["problem"] is None and s["ready"])


def test_select_and_pull(balls: Viewer) -> None:
    viewer = balls
    x, y = viewer.middle
    # a double-click on nothing, then on the ball
    viewer.do("mousemove", x - 200, y - 150)
    viewer.double_click(1)
    assert viewer.state()["body"] == -1
    viewer.do("mousemove", x, y)
    viewer.double_click(1)
    viewer.wait(lambda s: s["body"] == 1 and "ball" in s["message"])
    # paused: the pose follows the pointer, upwards and to the right
    viewer.do("keydown", "ctrl")
    viewer.drag(3, 60, -60)
    viewer.do("keyup", "ctrl")
    moved = viewer.wait(lambda s: s["places"][1][2] > 0.05 and not s["pulls"])["places"][1]
    assert moved[0] == pytest.approx(moved[2], rel=0.1)
    assert moved[1] == pytest.approx(0, abs=1e-6)
    # running: a force pulls it back down, and ends with the drag
    viewer.key("space")
    viewer.wait(lambda s: not s["paused"])
    viewer.do("keydown", "ctrl")
    viewer.do("mousemove", x, y)
    viewer.do("mousedown", 3)
    viewer.do("mousemove", x, y + 60)
    viewer.wait(lambda s: s["pulls"] and s["places"][1][2] < moved[2] - 0.02)
    viewer.do("mouseup", 3)
    viewer.do("keyup", "ctrl")
    viewer.wait(lambda s: not s["pulls"] and not any(map(any, s["forces"])))
    # another body is left alone
    assert viewer.state()["places"][2] == [0, 0, 4]
