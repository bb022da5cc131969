"""Shadows of high objects: where they fall, how dark they are, what they cost the others; app/render/shadow.py."""

from __future__ import annotations

from collections.abc import Iterator

import moderngl
import numpy as np
import pytest

from app.render.device import RenderTexture
from app.render.renderer import Renderer
from app.render.shadow import light_cameras, shadow_region, widest_penumbra
from app.scene.camera import OrbitCamera, View
from app.scene.lights import KEY_LIGHT
from app.scene.scene import Scene
from app.scene.visual_options import VisualOptions
from tests.app.conftest import Views, world

SIZE = (120, 90)
LIGHT = "<light type='directional' dir='.3 .2 -1' diffuse='.8 .8 .8'/>"
SPOT = "<light pos='0 0 40' dir='0 0 -1' cutoff='70' diffuse='.9 .9 .9'/>"
FLOOR = "<geom type='plane' size='0 0 1' rgba='.6 .6 .6 1'/>"


def view_of(lookat: np.ndarray, distance: float) -> View:
    """From straight above, nearly."""
    camera = OrbitCamera(lookat, distance, 90.0, -80.0)
    return View(camera.eye(), camera.axes(), 45.0, 0.01, 100.0, focus=distance)


@pytest.fixture
def renderer(gl: moderngl.Context) -> Iterator[Renderer]:
    """A renderer of the context."""
    made = Renderer(gl)
    yield made
    made.release()


@pytest.mark.parametrize("height", [2.0, 5.0, 20.0])
@pytest.mark.parametrize("light", [LIGHT, SPOT], ids=["directional", "spot"])
@pytest.mark.parametrize("spread", [0.0, 30.0])
def test_high_boxes_have_shadows(
    gl: moderngl.Context, views: Views, renderer: Renderer, height: float, light: str, spread: float
) -> None:
    """The shadow is dark where it falls, seen from near; also in a large scene."""
    far = "".join(f"<geom size='.3' pos='{spread} {x} 0'/>" for x in (-30, 30)) if spread else ""
    box = f"<body pos='1 0 {height}'><freejoint/><geom type='box' size='.15 .15 .15'/></body>"
    model, state = views(world(f"{light}{FLOOR}{far}{box}"))
    place = np.array([1 + 0.3 * height, 0.2 * height, 0.0]) if light == LIGHT else np.array([40 / (40 - height), 0, 0])
    target = RenderTexture(gl, SIZE)
    view = view_of(place, 2.5)
    scene = Scene(model, VisualOptions()).draw_list(state, view.eye)
    renderer.draw(model, scene, view, target.framebuffer, (0, 0, *SIZE))
    pixels = target.pixels().astype(int).sum(axis=2)
    target.release()
    middle, corner = pixels[44:47, 59:62].mean(), pixels[:10, :10].mean()
    assert middle < 0.8 * corner


def test_the_region_has_the_shadows_of_high_casters() -> None:
    """A caster far above counts where its shadow falls; one beside it does not."""
    view = view_of(np.zeros(3), 2.0)
    low = np.array([[0.0, 0, 0, 0.1], [0.5, 0, 0, 0.1]])
    away = 100 * KEY_LIGHT.direction.astype(float)
    high = np.vstack([low, [*(np.array([1.5, 0, 0]) - away), 0.1]])
    beside = np.vstack([low, [*(np.array([50.0, 0, 0]) - away), 0.1]])
    plain, region = (shadow_region(casters, KEY_LIGHT, view, 1.0) for casters in (low, high))
    assert shadow_region(beside, KEY_LIGHT, view, 1.0).radius == plain.radius
    # no coarser than a caster down there would make it
    assert plain.radius < region.radius < 1.5
    assert region.reach == pytest.approx(100 * np.linalg.norm(KEY_LIGHT.direction), rel=0.02)
    (camera,) = light_cameras(KEY_LIGHT, region, 1024)
    clip = camera.matrix @ [*high[2, :3], 1.0]
    assert (np.abs(clip[:3]) < 1.0).all()


def test_penumbras_are_no_wider_than_what_casts_them() -> None:
    casters = np.column_stack([np.zeros((8, 3)), [0.1] * 7 + [50.0]])
    assert 0 < widest_penumbra(casters) <= 0.1
    assert widest_penumbra(casters[:0]) > 0
