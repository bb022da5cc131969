"""The shadow map of one light: where its camera stands, and the depth it sees.

The camera is fitted around the sphere of all casters. Its size goes in steps and its place in whole texels,
so that shadow edges do not crawl while things move.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import moderngl
import numpy as np
from numpy.typing import NDArray

from app.scene import DIRECTIONAL, Light

Array = NDArray[np.float64]

SIZE_STEP = 1.25
MAX_HALF_ANGLE = math.radians(70)
# width of the penumbra per distance: the angular size of the light
SPREAD = 0.045
# edge of the blocks of texels in which blockers are searched, as in nearest.frag
BLOCK = 16


@dataclass(frozen=True)
class LightCamera:
    """World to clip space, and the lens as the shaders want it."""

    matrix: Array
    near: float
    far: float
    width: float
    perspective: bool


def light_camera(light: Light, center: NDArray[np.float32], radius: float, resolution: int) -> LightCamera:
    """Fit a camera at `light` around the sphere of casters."""
    # radius in steps of a geometric series
    radius = SIZE_STEP ** math.ceil(math.log(max(radius, 1e-6)) / math.log(SIZE_STEP))
    target = center.astype(float)
    if light.kind == DIRECTIONAL:
        return _parallel(light, target, radius, resolution)
    return _central(light, target, radius)


def _parallel(light: Light, target: Array, radius: float, resolution: int) -> LightCamera:
    """Parallel rays: an orthographic box, moved by whole texels."""
    axes = _axes(-light.direction.astype(float))
    texel = 2 * radius / resolution
    local = axes.T @ target
    local[:2] = np.round(local[:2] / texel) * texel
    near, far = 0.0, 4 * radius
    eye = axes @ local + axes[:, 2] * 2 * radius
    projection = np.diag([1 / radius, 1 / radius, -2 / (far - near), 1.0])
    projection[2, 3] = -(far + near) / (far - near)
    return LightCamera(projection @ _look(eye, axes), near, far, 2 * radius, False)


def _central(light: Light, target: Array, radius: float) -> LightCamera:
    """Rays from one point: a perspective lens that covers the casters, or as much as it can."""
    eye = light.position.astype(float)
    away = float(np.linalg.norm(target - eye))
    if away > 1.05 * radius:
        backward, half = (eye - target) / away, math.asin(radius / away)
    else:
        backward, half = -light.direction.astype(float), math.radians(light.cutoff)
    half = min(half, MAX_HALF_ANGLE)
    far = away + 2 * radius
    near = max(away - radius, 0.01 * far)
    f = 1 / math.tan(half)
    projection = np.zeros((4, 4))
    projection[0, 0] = projection[1, 1] = f
    projection[2, 2:] = (far + near) / (near - far), 2 * far * near / (near - far)
    projection[3, 2] = -1
    return LightCamera(projection @ _look(eye, _axes(backward)), near, far, 2 / f, True)


def _axes(backward: Array) -> Array:
    """Columns right, up and backward for a camera that looks against `backward`."""
    length = float(np.linalg.norm(backward))
    backward = backward / length if length > 1e-9 else np.array([0.0, 0, 1])
    helper = np.array([0.0, 0, 1]) if abs(backward[2]) < 0.95 else np.array([0.0, 1, 0])
    right = np.cross(helper, backward)
    right /= np.linalg.norm(right)
    return np.column_stack([right, np.cross(backward, right), backward])


def _look(eye: Array, axes: Array) -> Array:
    matrix = np.eye(4)
    matrix[:3, :3] = axes.T
    matrix[:3, 3] = -axes.T @ eye
    return matrix


class ShadowMap:
    """The depth texture to compare with, and coarse ones of the nearest depths to search in."""

    def __init__(self, context: moderngl.Context, resolution: int) -> None:
        self.resolution = resolution
        self._depth = context.depth_texture((resolution, resolution))
        coarse = (resolution // BLOCK, resolution // BLOCK)
        self._nearest = context.texture(coarse, 1, dtype="f4")
        self._around = context.texture(coarse, 1, dtype="f4")
        for texture in (self._depth, self._nearest, self._around):
            texture.repeat_x = texture.repeat_y = False
        for texture in (self._nearest, self._around):
            texture.filter = (moderngl.NEAREST, moderngl.NEAREST)
        self.framebuffer = context.framebuffer(depth_attachment=self._depth)
        self._nearest_framebuffer = context.framebuffer([self._nearest])
        self._around_framebuffer = context.framebuffer([self._around])

    def summarise(self, unit: int, draw: Callable[..., None]) -> None:
        """Make the coarse maps; `draw` covers the target with `nearest.frag` in a variant."""
        self._depth.compare_func = ""
        self._depth.use(unit)
        self._nearest_framebuffer.use()
        draw()
        self._nearest.use(unit)
        self._around_framebuffer.use()
        draw("DILATE")
        self._depth.compare_func = "<="

    def bind(self, compare_unit: int, nearest_unit: int, around_unit: int) -> None:
        """Let shaders look up shadows."""
        self._depth.use(compare_unit)
        self._nearest.use(nearest_unit)
        self._around.use(around_unit)

    def release(self) -> None:
        """Give the memory back."""
        for target in (self.framebuffer, self._nearest_framebuffer, self._around_framebuffer):
            target.release()
        for texture in (self._depth, self._nearest, self._around):
            texture.release()


def shadow_uniforms(camera: LightCamera, resolution: int) -> dict[str, object]:
    """What `shadow.glsl` needs to know of the map."""
    to_texture = np.array([[0.5, 0, 0, 0.5], [0, 0.5, 0, 0.5], [0, 0, 0.5, 0.5], [0, 0, 0, 1]])
    return {
        "u_shadow_matrix": (to_texture @ camera.matrix).T,
        "u_shadow_lens": (camera.near, camera.far, camera.width, float(camera.perspective)),
        "u_shadow_texel": camera.width / resolution,
        "u_shadow_spread": SPREAD,
    }
