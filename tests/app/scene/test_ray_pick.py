"""Picking by rays finds what picking by the GPU finds."""

from __future__ import annotations

import moderngl
import numpy as np

from app.render.renderer import Renderer
from app.scene.camera import OrbitCamera
from app.scene.picking import without_decor
from app.scene.ray_pick import ray_pick
from app.scene.scene import Scene
from app.scene.visual_options import VisualOptions
from tests.app.conftest import Views, world

CORNERS = " ".join(f"{x} {y} {z}" for x in (-0.2, 0.2) for y in (-0.1, 0.3) for z in (0, 0.5))
SHAPES = (
    "type='sphere' size='.3'", "type='box' size='.3 .2 .1'", "type='capsule' size='.1 .3'", "type='mesh' mesh='m'",
    "type='cylinder' size='.2 .3'", "type='ellipsoid' size='.3 .2 .1' rgba='1 0 0 .5'",
    "type='box' size='.2 .2 .2' rgba='0 1 0 .3'",
)  # fmt: skip
MODEL = f"<asset><mesh name='m' vertex='{CORNERS}'/></asset>" + world(
    "<geom type='plane' size='0 0 1'/><geom type='plane' pos='0 3 1' size='1 1 .1' euler='90 0 0'/>"
    + "".join(
        f"<body pos='{k % 3 - 1} {k // 3} .5' euler='{20 * k} {30 * k} 0'><joint type='hinge'/><geom {shape}/></body>"
        for k, shape in enumerate(SHAPES)
    )
)


def test_what_is_drawn(gl: moderngl.Context, views: Views) -> None:
    """At random points, except where two surfaces are as near as a pixel is wide."""
    model, state = views(MODEL)
    options = VisualOptions(joint=True)
    dice, renderer = np.random.default_rng(4), Renderer(gl)
    same, found = 0, set()
    for azimuth, elevation, flat in ((90, -30, False), (20, -60, False), (200, -20, True), (-70, 30, False)):
        camera = OrbitCamera(np.array([0, 1, 0.5]), 5.0, azimuth, elevation, 4.0 if flat else 45.0, flat)
        seen = camera.view(model)
        scene = Scene(model, options).draw_list(state, seen.eye)
        for decor in (True, False):
            drawn = scene if decor else without_decor(scene)
            for x, y in dice.uniform(-0.9, 0.9, (40, 2)).tolist():
                by_rays = ray_pick(model, drawn, seen, 1.4, x, y)
                by_gpu = renderer.pick(model, drawn, seen, 1.4, x, y)
                kinds = [None if one is None else (one.kind, one.index) for one in (by_rays, by_gpu)]
                if kinds[0] == kinds[1]:
                    same += 1
                    found.add(kinds[0])
                    if by_rays is not None and by_gpu is not None and by_gpu.distance < 20:
                        assert abs(by_rays.distance - by_gpu.distance) < 0.02 * by_gpu.distance
    renderer.release()
    assert same >= 0.97 * 320 and len(found) > len(SHAPES)
