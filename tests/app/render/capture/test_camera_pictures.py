"""Pictures of cameras: what their colours and numbers say; app/render/capture/camera_pictures.py."""

from __future__ import annotations

from collections.abc import Iterator

import moderngl
import numpy as np
import pytest

from app.render.capture.camera_pictures import (
    NEAR_TO_FAR,
    NOTHING,
    PictureRenderer,
    depth_colours,
    depth_scale,
    segment_colours,
)
from app.render.capture.offscreen import COLOUR, DEPTH, SEGMENTATION
from app.render.renderer import Renderer
from app.scene.camera import model_camera_view
from app.scene.instances import ID_STEP, Kind
from app.scene.scene import Scene
from app.scene.visual_options import VisualOptions
from tests.app.conftest import Views

# a red ball in the middle, 2 m from the camera, in front of a wall 4 m from it that does not fill the picture
XML = """<worldbody><camera pos='0 -2.2 0' xyaxes='1 0 0 0 0 1' fovy='60'/>
<geom name='ball' size='.2' rgba='1 0 0 1'/><geom name='wall' type='box' size='1 .1 1' pos='0 1.9 0'/></worldbody>"""


@pytest.fixture
def easel(gl: moderngl.Context) -> Iterator[PictureRenderer]:
    """A renderer that shares what another one owns."""
    view = Renderer(gl)
    easel = PictureRenderer(gl, view.assets, (80, 60))
    yield easel
    easel.release()
    view.release()


def test_a_ball_in_front_of_a_wall(easel: PictureRenderer, views: Views) -> None:
    model, state = views(XML)
    scene, view = Scene(model, VisualOptions(joint=True)), model_camera_view(model, state, 0)
    colour, depth, segments = (
        easel.render(model, state, scene, view, shows) for shows in (COLOUR, DEPTH, SEGMENTATION)
    )
    assert {image.pixels.shape for image in (colour, depth, segments)} == {(60, 80, 4)}
    red, green, blue, alpha = colour.pixels[30, 40].tolist()
    assert red > 2 * max(green, blue)
    assert alpha == 255
    assert depth.values is not None
    assert depth.values[30, 40] == pytest.approx(2.0, abs=0.01)
    # a wall is equally far everywhere
    assert depth.values[30, 50] == pytest.approx(4.0, abs=1e-3)
    assert depth.values[18, 40] == pytest.approx(4.0, abs=1e-3)
    assert np.isinf(depth.values[0, 0])
    assert depth.scale == (2.0, 4.0)
    assert segments.element(30, 40) == ("geom", 0)
    assert segments.element(30, 50) == ("geom", 1)
    assert segments.element(0, 0) is None
    assert depth.element(30, 40) is None


def test_near_is_bright() -> None:
    depth = np.array([[1.0, 2.0, 4.0, 100.0]])
    colours = depth_colours(depth, np.array([[True, True, True, False]]), (1.0, 4.0)).astype(int)
    assert colours[0, 0].tolist() == [int(255 * part) for part in NEAR_TO_FAR[0]]
    # logarithmic: twice as far is half of the way
    assert colours[0, 1].tolist() == [int(255 * part) for part in NEAR_TO_FAR[2]]
    assert colours[0, 2].tolist() == [int(255 * part) for part in NEAR_TO_FAR[-1]]
    assert colours[0, 3].tolist() == [int(255 * part) for part in NOTHING]


@pytest.mark.parametrize("depth", [[0.31, 0.5, 0.77], [3.0, 3.0], [1e-9, 5.0], [250.0, 90000.0], []])
def test_the_scale_holds_what_is_seen(depth: list[float]) -> None:
    near, far = depth_scale(np.array(depth))
    assert 0 < near < far < np.inf
    if depth:
        assert near <= max(min(depth), far / 1e3)
        assert far >= np.quantile(depth, 0.9)


def test_a_far_floor_does_not_hide_the_rest() -> None:
    depth = np.concatenate([np.linspace(0.5, 2, 990), np.full(10, 1e4)])
    assert depth_scale(depth)[1] <= 2.0


def test_the_colour_of_an_element_is_always_the_same() -> None:
    codes = np.array([[0, Kind.GEOM * ID_STEP + 3], [Kind.GEOM * ID_STEP + 4, Kind.SITE * ID_STEP + 3]])
    colours = segment_colours(codes)
    assert len(np.unique(colours.reshape(-1, 3), axis=0)) == 4
    assert np.array_equal(segment_colours(codes[:, 1:])[0, 0], colours[0, 1])
    # neighbours differ enough to be told apart
    near = segment_colours(Kind.GEOM * ID_STEP + np.arange(30)[None]).astype(int)[0]
    assert np.abs(np.diff(near, axis=0)).max(axis=1).min() > 40
