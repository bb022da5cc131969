"""Pictures for scripts: colours, depth, what is where; what the script changes is seen."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import mujoco
import numpy as np
import pytest

import sim
from app.viewer import OrbitCamera, Renderer, UserGeom, VisualOptions
from sim.enums import GEOM_BOX, OBJ_GEOM, OBJ_SITE

# a square of 1 m, 2 m from a camera that sees 4 m there, and a site in front of its upper left quarter
XML = """
<mujoco>
  <statistic center="0 0 0" extent="1"/>
  <visual><map znear=".01" zfar="10"/><headlight ambient=".5 .5 .5"/></visual>
  <worldbody>
    <camera name="above" pos="0 0 2" fovy="90"/>
    <camera name="flat" pos="0 0 2" fovy="4" projection="orthographic"/>
    <geom name="square" type="box" size=".5 .5 .1" pos="0 0 -.1" rgba="1 0 0 1"/>
    <body name="bead">
      <joint type="slide" axis="1 0 0"/>
      <site name="mark" pos="-.25 .25 .01" size=".1 .1 .005" type="box"/>
      <geom size=".01" mass="1" group="5"/>
    </body>
  </worldbody>
</mujoco>
"""
HEIGHT, WIDTH = 80, 120


@pytest.fixture
def running() -> tuple[sim.Model, sim.Data]:
    m = sim.loads(XML)
    d = sim.Data(m)
    sim.forward(m, d)
    return m, d


def test_colours(running: tuple[sim.Model, sim.Data]) -> None:
    m, d = running
    with Renderer(m, HEIGHT, WIDTH) as renderer:
        renderer.update_scene(d, camera="above")
        picture = renderer.render()
        assert picture.shape == (HEIGHT, WIDTH, 3) and picture.dtype == np.uint8
        red, green, _ = picture[HEIGHT // 2 + 5, WIDTH // 2].astype(int)
        assert red > 2 * green
        # into an array of the script's own
        again = np.zeros_like(picture)
        assert renderer.render(out=again) is again and (again == picture).all()
        with pytest.raises(ValueError, match=r"out has shape \(3,\)"):
            renderer.render(out=np.zeros(3))
        # edits of the model, other options and geoms of the script are in the next picture
        m.geom_rgba[0] = (0, 1, 0, 1)
        renderer.update_scene(d, camera=0)
        red, green, _ = renderer.render()[HEIGHT // 2 + 5, WIDTH // 2].astype(int)
        assert green > 2 * red
        options = VisualOptions()
        options.static = False
        renderer.update_scene(d, "above", options)
        assert (renderer.render()[HEIGHT // 2 + 5, WIDTH // 2] != picture[HEIGHT // 2 + 5, WIDTH // 2]).any()
        renderer.geoms.append(UserGeom(GEOM_BOX, (5, 5, 0.1), (0, 0, 1), rgba=(0, 0, 1, 1)))
        renderer.update_scene(d, "above")
        red, _, blue = renderer.render()[2, 2].astype(int)
        assert blue > 2 * red


@pytest.mark.parametrize("camera", ("above", "flat", 1))
def test_depth(running: tuple[sim.Model, sim.Data], camera: str | int) -> None:
    m, d = running
    with Renderer(m, HEIGHT, WIDTH) as renderer:
        renderer.enable_depth_rendering()
        renderer.update_scene(d, camera)
        depth = renderer.render()
        assert depth.shape == (HEIGHT, WIDTH) and depth.dtype == np.float32
        # the square is a quarter of the picture high and as far away at its corners as in its middle
        inside = np.zeros((HEIGHT, WIDTH), bool)
        inside[HEIGHT * 3 // 8 + 1 : HEIGHT * 5 // 8 - 1, WIDTH // 2 - 9 : WIDTH // 2 + 9] = True
        assert np.allclose(depth[inside & (depth > 1.99)], 2.0, atol=1e-4)
        assert np.isclose(depth[inside].min(), 1.985, atol=1e-4)
        assert np.allclose(depth[:, 0], 10.0)
        renderer.disable_depth_rendering()
        assert renderer.render().shape == (HEIGHT, WIDTH, 3)


def test_what_is_where(running: tuple[sim.Model, sim.Data]) -> None:
    m, d = running
    with Renderer(m, HEIGHT, WIDTH) as renderer:
        renderer.enable_segmentation_rendering()
        renderer.update_scene(d, "above")
        found = renderer.render()
        assert found.shape == (HEIGHT, WIDTH, 2) and found.dtype == np.int32
        assert found[HEIGHT // 2 + 5, WIDTH // 2 + 5].tolist() == [m.geom("square").id, OBJ_GEOM]
        assert found[HEIGHT // 2 - 5, WIDTH // 2 - 5].tolist() == [m.site("mark").id, OBJ_SITE]
        assert found[0, 0].tolist() == [-1, -1]


def test_the_picture_follows_the_state_and_the_free_camera(running: tuple[sim.Model, sim.Data]) -> None:
    m, d = running
    with Renderer(m, HEIGHT, WIDTH) as renderer:
        renderer.enable_segmentation_rendering()
        camera = OrbitCamera(distance=2.0, elevation=-89.9)
        places = []
        for d.qpos[0] in (0.0, 0.3):
            sim.forward(m, d)
            renderer.update_scene(d, camera)
            places.append(np.argwhere(renderer.render()[..., 1] == OBJ_SITE).mean(axis=0))
        assert places[1][1] > places[0][1] + 5


FREE: dict[str, Any] = {"type": mujoco.mjtCamera.mjCAMERA_FREE, "distance": 3, "azimuth": 30, "lookat": (0.1, 0.2, 0)}
TRACKING: dict[str, Any] = {"type": mujoco.mjtCamera.mjCAMERA_TRACKING, "distance": 3, "trackbodyid": 1}
FIXED: dict[str, Any] = {"type": mujoco.mjtCamera.mjCAMERA_FIXED, "fixedcamid": 0}


@pytest.mark.parametrize("pose", [FREE, TRACKING, FIXED])
def test_a_camera_of_mujoco_is_where_mujoco_has_it(running: tuple[sim.Model, sim.Data], pose: dict[str, Any]) -> None:
    m, d = running
    d.qpos[0] = 0.3
    sim.forward(m, d)
    theirs = mujoco.MjModel.from_xml_string(XML)
    data = mujoco.MjData(theirs)
    data.qpos[0] = 0.3
    mujoco.mj_forward(theirs, data)
    camera, scene = mujoco.MjvCamera(), mujoco.MjvScene(theirs, 10)
    for name, value in pose.items():
        setattr(camera, name, value)
    with Renderer(m, HEIGHT, WIDTH) as renderer:
        renderer.update_scene(d, camera)
        assert renderer._shown is not None
        view = renderer._shown.view
    mujoco.mjv_updateScene(theirs, data, mujoco.MjvOption(), None, camera, mujoco.mjtCatBit.mjCAT_ALL, scene)
    # one eye of two, beside the middle
    eye = (np.array(scene.camera[0].pos) + scene.camera[1].pos) / 2
    assert np.allclose(view.eye, eye, atol=1e-6)
    assert np.allclose(-view.axes[:, 2], scene.camera[0].forward, atol=1e-6)
    assert view.edges(1.0)[3] == pytest.approx(scene.camera[0].frustum_top / scene.camera[0].frustum_near)


def test_a_camera_of_the_script(running: tuple[sim.Model, sim.Data]) -> None:
    m, d = running
    with Renderer(m, HEIGHT, WIDTH) as renderer:
        pictures = []
        for made in (OrbitCamera, SimpleNamespace):
            renderer.update_scene(d, made(lookat=np.zeros(3), distance=2.0, azimuth=30.0, elevation=-60.0))
            pictures.append(renderer.render())
        assert (pictures[0] == pictures[1]).all()
        accepted = "a camera is a name, an id, or an object with lookat, distance, azimuth and elevation, not tuple"
        with pytest.raises(TypeError, match=accepted):
            renderer.update_scene(d, (0, 0, 2))  # type: ignore[arg-type]
        lost = mujoco.MjvCamera()
        lost.type, lost.trackbodyid = mujoco.mjtCamera.mjCAMERA_TRACKING, 7
        with pytest.raises(ValueError, match="tracks body 7: the model has 2"):
            renderer.update_scene(d, lost)


SLOPE = """
<mujoco>
  <asset><hfield name="slope" nrow="2" ncol="2" size="2 2 1 .1"/></asset>
  <worldbody><camera pos="0 0 4"/><geom type="hfield" hfield="slope"/></worldbody>
</mujoco>
"""


def test_edited_assets_are_seen_when_it_is_said(running: tuple[sim.Model, sim.Data]) -> None:
    m = sim.loads(SLOPE)
    d = sim.Data(m)
    sim.forward(m, d)
    with Renderer(m, HEIGHT, WIDTH) as renderer:
        renderer.enable_depth_rendering()
        middle = []
        for height, told in ((0.0, False), (1.0, False), (1.0, True)):
            m.hfield_data[:] = height
            if told:
                renderer.update_assets()
            renderer.update_scene(d, 0)
            middle.append(float(renderer.render()[HEIGHT // 2 + 3, WIDTH // 2 + 3]))
    assert middle == pytest.approx([4.0, 4.0, 3.0], abs=1e-2)


def test_several_at_a_time(running: tuple[sim.Model, sim.Data]) -> None:
    m, d = running
    with Renderer(m, HEIGHT, WIDTH) as first, Renderer(m, 2 * HEIGHT, WIDTH) as second:
        for renderer in (first, second, first):
            renderer.update_scene(d, "above")
        pictures = [first.render(), second.render(), first.render()]
    assert (pictures[0] == pictures[2]).all() and pictures[1].shape == (2 * HEIGHT, WIDTH, 3)
    assert all(picture.max() > 100 for picture in pictures)


def test_what_is_wrong_is_said(running: tuple[sim.Model, sim.Data]) -> None:
    m, d = running
    with pytest.raises(ValueError, match="0 pixels wide"):
        Renderer(m, HEIGHT, 0)
    renderer = Renderer(m, HEIGHT, WIDTH)
    with pytest.raises(RuntimeError, match="update_scene first"):
        renderer.render()
    for camera in ("below", 2, -2, "²"):
        with pytest.raises(ValueError, match=f"no camera '{camera}'; its cameras: above, flat"):
            renderer.update_scene(d, camera)
    renderer.close()
    renderer.close()
    with pytest.raises(RuntimeError, match="closed"):
        renderer.render()
