"""The offscreen renderer on MuJoCo's models: Data, cameras, options and scenes of a script, as mujoco.Renderer."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from typing import Any

import mujoco
import numpy as np
import pytest

from app.render.capture.offscreen import Renderer
from app.scene.visual_options import VisualOptions

SCENE = """<mujoco><visual><global fovy='38' azimuth='120' elevation='-20'/></visual>
<statistic center='0 0 .3' extent='1.5'/><worldbody><light pos='0 0 3'/>
<camera name='side' pos='0 -3 .5' xyaxes='1 0 0 0 0 1' fovy='30'/>
<camera name='lens' pos='2 0 1' xyaxes='0 1 0 0 0 1' resolution='320 240' sensorsize='.032 .024' focal='.05 .05'/>
<geom name='floor' type='plane' size='2 2 .1' rgba='.3 .3 .3 1'/>
<body name='ball' pos='0 0 .4'><freejoint/><geom size='.2' rgba='0 1 0 1'/>
<geom type='box' size='.1 .1 .1' pos='0 0 .3' group='3' rgba='0 0 1 1'/></body></worldbody></mujoco>"""


class Rig:
    """A model of MuJoCo, its Data, and a renderer."""

    def __init__(self) -> None:
        self.m = mujoco.MjModel.from_xml_string(SCENE)
        self.d = mujoco.MjData(self.m)
        mujoco.mj_forward(self.m, self.d)
        self.renderer = Renderer(self.m, 96, 128)

    def share(self, channel: int, *arguments: Any) -> float:
        """The share of the image in which a colour is the strongest by far, %."""
        if arguments:
            self.renderer.update_scene(*arguments)
        pixels = self.renderer.render().astype(int)
        others = np.delete(pixels, channel, axis=2).max(axis=2)
        return 100.0 * float((pixels[..., channel] > others + 40).mean())


@pytest.fixture(scope="module")
def shared() -> Iterator[Rig]:
    """One renderer for all."""
    rig = Rig()
    yield rig
    rig.renderer.close()


@pytest.fixture
def rig(shared: Rig) -> Rig:
    """At the initial state, without anything that a script adds."""
    mujoco.mj_resetData(shared.m, shared.d)
    mujoco.mj_forward(shared.m, shared.d)
    shared.renderer.scene.ngeom = 0
    return shared


def free() -> mujoco.MjvCamera:
    """From the other side."""
    camera = mujoco.MjvCamera()
    camera.lookat[:], camera.distance, camera.azimuth, camera.elevation = (0.1, 0.2, 0.3), 2.5, 30, -15
    return camera


def tracking() -> mujoco.MjvCamera:
    """About the ball."""
    camera = free()
    camera.type, camera.trackbodyid = mujoco.mjtCamera.mjCAMERA_TRACKING, 1
    return camera


def fixed() -> mujoco.MjvCamera:
    """The camera of the model."""
    camera = mujoco.MjvCamera()
    camera.type, camera.fixedcamid = mujoco.mjtCamera.mjCAMERA_FIXED, 0
    return camera


def default(m: mujoco.MjModel) -> mujoco.MjvCamera:
    """What mujoco.Renderer takes for -1."""
    camera = mujoco.MjvCamera()
    mujoco.mjv_defaultFreeCamera(m, camera)
    return camera


@pytest.mark.parametrize("kind", ["free", "tracking", "fixed", "default", "name", "lens"])
def test_pose_and_field_of_view_are_those_of_mujocos_renderer(rig: Rig, kind: str) -> None:
    fixed_lens = fixed()
    fixed_lens.fixedcamid = 1
    cameras: dict[str, tuple[Any, mujoco.MjvCamera]] = {
        "free": (free(), free()), "tracking": (tracking(), tracking()), "fixed": (fixed(), fixed()),
        "default": (-1, default(rig.m)), "name": ("side", fixed()), "lens": ("lens", fixed_lens),
    }  # fmt: skip
    ours, theirs = cameras[kind]
    rig.renderer.update_scene(rig.d, ours)
    assert rig.renderer._shown is not None
    view = rig.renderer._shown.view
    scene = mujoco.MjvScene(rig.m, 100)
    everything = int(mujoco.mjtCatBit.mjCAT_ALL)
    mujoco.mjv_updateScene(rig.m, rig.d, mujoco.MjvOption(), None, theirs, everything, scene)
    # the eyes of both cameras of a scene are a little apart
    eye = (scene.camera[0].pos + scene.camera[1].pos) / 2
    assert view.eye == pytest.approx(eye, abs=1e-5)
    assert -view.axes[:, 2] == pytest.approx(scene.camera[0].forward, abs=1e-6)
    assert view.axes[:, 1] == pytest.approx(scene.camera[0].up, abs=1e-6)
    _, _, bottom, top = view.edges(128 / 96)
    near = scene.camera[0].frustum_near
    assert (bottom, top) == pytest.approx(
        (scene.camera[0].frustum_bottom / near, scene.camera[0].frustum_top / near), rel=1e-5
    )


def test_what_moves_is_seen(rig: Rig) -> None:
    assert rig.share(1, rig.d, "side") > 2
    rig.d.qpos[2] = 10
    mujoco.mj_forward(rig.m, rig.d)
    assert rig.share(1, rig.d, "side") == 0
    # other Data of the same model, and a copy
    other = mujoco.MjData(rig.m)
    mujoco.mj_forward(rig.m, other)
    assert rig.share(1, other, "side") > 2
    assert rig.share(1, copy.copy(rig.d), "side") == 0
    rig.m.geom_rgba[1] = (1, 0, 0, 1)
    assert rig.share(0, other, "side") > 2
    rig.m.geom_rgba[1] = (0, 1, 0, 1)


def test_options_of_mujoco_and_ours(rig: Rig) -> None:
    assert rig.share(2, rig.d, "side") == 0
    option = mujoco.MjvOption()
    option.geomgroup[3] = 1
    assert rig.share(2, rig.d, "side", option) > 0.3
    ours = VisualOptions()
    ours.geom_group[3] = True
    assert rig.share(2, rig.d, "side", ours) > 0.3
    option.geomgroup[:] = 0
    assert rig.share(1, rig.d, "side", option) == 0


def test_a_script_adds_to_the_scene_between_update_and_render(rig: Rig) -> None:
    scene = rig.renderer.scene
    assert rig.share(0, rig.d, "side") == 0
    scene.ngeom += 1
    mujoco.mjv_initGeom(
        scene.geoms[scene.ngeom - 1],
        type=mujoco.mjtGeom.mjGEOM_SPHERE,
        size=np.array([0.2, 0, 0]),
        pos=np.array([0.6, 0, 0.5]),
        mat=np.eye(3).ravel(),
        rgba=np.array([1, 0, 0, 1], np.float32),
    )
    assert rig.share(0) > 1
    # the next state has what is added to it
    assert rig.share(0, rig.d, "side") == 0


def test_rendering_flags_of_the_scene(rig: Rig) -> None:
    rig.renderer.update_scene(rig.d, "side")
    flags, before = rig.renderer.scene.flags, rig.renderer.render()
    flags[mujoco.mjtRndFlag.mjRND_WIREFRAME] = 1
    wires = rig.renderer.render()
    flags[mujoco.mjtRndFlag.mjRND_WIREFRAME] = 0
    assert np.abs(wires.astype(int) - before).mean() > 1


def test_depth_and_segmentation(rig: Rig) -> None:
    rig.renderer.update_scene(rig.d, "side")
    rig.renderer.enable_segmentation_rendering()
    found = rig.renderer.render()
    rig.renderer.disable_segmentation_rendering()
    ball = found[48, 64].tolist()
    assert ball == [1, int(mujoco.mjtObj.mjOBJ_GEOM)]
    rig.renderer.enable_depth_rendering()
    assert rig.renderer.render()[48, 64] == pytest.approx(2.8, abs=0.05)
    rig.renderer.disable_depth_rendering()
