"""The view in a real window: flight, zoom to the pointer, the axes in the corner, pictures of cameras."""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import partial

import numpy as np
import pytest

from tests.app.window_driver import State, Viewer, own_viewer

pytestmark = [pytest.mark.window, pytest.mark.release]

BALL = """<mujoco><option gravity='0 0 0'/><statistic center='0 0 0' extent='1'/>
<visual><global azimuth='90' elevation='-20'/></visual><worldbody>
<camera name='front' pos='0 -3 0' xyaxes='1 0 0 0 0 1'/>
<body name='ball'><freejoint/><geom size='.2' rgba='1 0 0 1'/></body></worldbody></mujoco>"""


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Viewer]:
    """A viewer for all tests here."""
    home = tmp_path_factory.mktemp("home")
    (home / "ball.xml").write_text(BALL)
    with own_viewer(home / "ball.xml", "1200x800") as shown:
        yield shown


@pytest.fixture
def viewer(shared: Viewer) -> Viewer:
    """A paused viewer on a ball and a camera."""
    shared.reset()
    return shared


def eye(state: State) -> np.ndarray:
    """Where the free camera is."""
    azimuth, elevation = math.radians(state["azimuth"]), math.radians(state["elevation"])
    level = math.cos(elevation)
    ahead = np.array([level * math.cos(azimuth), level * math.sin(azimuth), math.sin(elevation)])
    place: np.ndarray = np.array(state["lookat"]) - state["distance"] * ahead
    return place


def _is_elsewhere(start: list[float], state: State) -> bool:
    return bool(state["lookat"] != start)


def test_flight(viewer: Viewer) -> None:
    """Ahead while W is held with the right button; W alone is a switch, before and after."""
    start = viewer.state()
    viewer.do("mousedown", 3)
    viewer.do("keydown", "w")
    there = viewer.wait(lambda s: s["lookat"][1] > start["lookat"][1] + 0.2)
    assert there["distance"] == start["distance"]
    assert (there["azimuth"], there["elevation"]) == (start["azimuth"], start["elevation"])
    viewer.do("keyup", "w")
    assert not viewer.do("mouseup", 3)["options"]["wireframe"]
    still = viewer.state()["lookat"]
    viewer.key("w")
    assert viewer.wait(lambda s: s["options"]["wireframe"])["lookat"] == still


def test_flight_ends_with_the_button_and_with_the_focus(viewer: Viewer) -> None:
    for end in (("mouseup", 3), ("windowfocus", 1)):
        start = viewer.state()["lookat"]
        viewer.do("mousedown", 3)
        viewer.do("keydown", "d")
        viewer.wait(partial(_is_elsewhere, start))
        viewer.do(*end)
        still = viewer.do("mousemove", *viewer.middle)["lookat"]
        assert viewer.do("mousemove", viewer.middle[0] + 30, viewer.middle[1])["lookat"] == still
        viewer.do("windowfocus", "--sync", viewer.window())
        viewer.do("keyup", "d")
        viewer.do("mouseup", 3)
        viewer.do("mousemove", *viewer.middle)
    assert viewer.state()["options"]["static"]


def test_reloading_ends_a_flight(viewer: Viewer) -> None:
    viewer.do("mousedown", 3)
    viewer.do("keydown", "e")
    before = viewer.wait(lambda s: s["lookat"][2] > 0.05)
    viewer.do("keydown", "ctrl")
    viewer.do("key", "l")
    viewer.do("keyup", "ctrl")
    # the key is held, and the camera stands still
    last: list[float] = []

    def stands_still(state: State) -> bool:
        moved = state["lookat"] != last
        last[:] = state["lookat"]
        return not moved

    after = viewer.wait(stands_still)
    assert after["lookat"][2] >= before["lookat"][2]
    assert viewer.do("mousemove", viewer.middle[0] + 1, viewer.middle[1])["options"]["constraint"] is False
    viewer.do("keyup", "e")
    viewer.do("mouseup", 3)


def test_flight_leaves_a_fixed_camera(viewer: Viewer) -> None:
    viewer.key("bracketright")
    viewer.wait(lambda s: s["camera"] == 0)
    viewer.do("mousedown", 3)
    viewer.do("keydown", "d")
    free = viewer.wait(lambda s: s["camera"] == -1)
    viewer.do("keyup", "d")
    viewer.do("mouseup", 3)
    place = eye(free)
    assert place[1:] == pytest.approx((-3.0, 0.0), abs=1e-6)
    assert place[0] >= 0


def test_the_wheel_zooms_to_the_pointer(viewer: Viewer) -> None:
    """What is under the pointer stays there; over the sky, what is looked at."""
    x, y = viewer.state()["spots"][1]
    viewer.do("mousemove", round(x) + 12, round(y) + 9)
    before = viewer.state()
    after = viewer.do("click", "--repeat", 6, "--delay", 0, 5)
    assert after["distance"] < 0.8 * before["distance"]
    assert after["lookat"] != before["lookat"]
    viewer.do("mousemove", viewer.middle[0], viewer.middle[1] - round(0.45 * viewer.height))
    sky = viewer.do("click", 5)
    assert sky["lookat"] == after["lookat"]
    assert sky["distance"] < after["distance"]


def test_the_axes_turn_the_camera(viewer: Viewer) -> None:
    left, top, right, bottom = viewer.state()["areas"]["##axes of the camera"]
    # from the side at elevation -20, +Z is in the upper middle
    viewer.do("mousemove", round((left + right) / 2), round(top + 0.14 * (bottom - top)))
    viewer.do("click", 1)
    viewer.wait(lambda s: s["elevation"] < -89)
    # a drag orbits, and begins no drag of the view
    viewer.do("mousemove", round((left + right) / 2), round((top + bottom) / 2))
    viewer.do("mousedown", 1)
    viewer.do("mousemove", round((left + right) / 2) - 20, round((top + bottom) / 2) - 30)
    viewer.do("mousemove", round((left + right) / 2) - 25, round((top + bottom) / 2) - 40)
    turned = viewer.do("mouseup", 1)
    assert turned["elevation"] > -80
    assert turned["lookat"] == viewer.state()["lookat"]


def test_a_picture_of_a_camera(viewer: Viewer) -> None:
    """From the palette; the red ball is in its middle."""
    viewer.do("mousemove", *viewer.middle)
    viewer.key("ctrl+k")
    viewer.wait(lambda s: s["palette"])
    viewer.type("open Cameras")
    viewer.do("key", "Return")

    def is_red(state: State) -> bool:
        if "##picture" not in state["areas"]:
            return False
        left, top, right, bottom = state["areas"]["##picture"]
        red, green, blue = viewer.screen()[round((top + bottom) / 2), round((left + right) / 2)].astype(int)
        return bool(red > 2 * max(green, blue) and red > 60)

    viewer.do("mousemove", *viewer.middle)
    viewer.wait(is_red)
