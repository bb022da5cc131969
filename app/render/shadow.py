"""The shadow maps of lights: where their cameras stand, and the depths they see.

A camera is fitted around the casters near to what the view looks at. Its size goes in steps and its place in whole
texels, so that shadow edges do not crawl while things move. A light among the casters looks into all six directions.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import moderngl
import numpy as np
from numpy.typing import NDArray

from app.render.device import unbind_framebuffer
from app.scene.camera import View
from app.scene.lights import DIRECTIONAL, SPOT, Light

Array = NDArray[np.float64]

SIZE_STEP = 1.25
# shadows reach so many times as far around what the view looks at as the eye is away from it
COVER = 2.0
# the widest lens; a light that shines wider has six
MAX_HALF_ANGLE = math.radians(60)
# shadows fade out in the outer part of a map: a cone of light is to be inside of that
FADE = 0.88
# half the angle of the narrowest spot, degrees
NARROWEST = 0.1
# how much wider than a quarter turn each of six lenses is, so that a penumbra never reaches beyond its map
OVERLAP = 1.06
# width of the penumbra per distance: the angular size of the light
SPREAD = 0.03
# blocks of texels across a map, in which blockers are searched
BLOCKS = 128
# where six cameras look, in the order of `shadow.glsl`
WAYS = np.array([[1.0, 0, 0], [-1, 0, 0], [0, 1, 0], [0, -1, 0], [0, 0, 1], [0, 0, -1]])


@dataclass(frozen=True)
class LightCamera:
    """World to clip space, and the lens as the shaders want it."""

    matrix: Array
    near: float
    far: float
    width: float
    perspective: bool


def shadow_bounds(casters: NDArray[Any], view: View, extent: float) -> tuple[Array, float]:
    """Centre and radius of what has shadows: the casters in view, of which one far away would coarsen all shadows."""
    reach = max(COVER * view.focus, extent)
    target = view.eye - min(view.focus, view.far) * view.axes[:, 2]
    near = casters[np.linalg.norm(casters[:, :3] - target, axis=1) - casters[:, 3] < reach].astype(float)
    if not len(near):
        return target, min(reach, view.far)
    place, size = near[:, :3], near[:, 3:]
    center = ((place - size).min(axis=0) + (place + size).max(axis=0)) / 2
    radius = float((np.linalg.norm(place - center, axis=1) + size[:, 0]).max())
    return (center, radius) if radius < reach else (target, reach)


def light_cameras(light: Light, center: Array, radius: float, resolution: int) -> list[LightCamera]:
    """Fit a camera at `light` around the sphere of casters, or six cameras if it is among them."""
    # radius in steps of a geometric series
    radius = SIZE_STEP ** math.ceil(math.log(max(radius, 1e-6)) / math.log(SIZE_STEP))
    if light.kind == DIRECTIONAL:
        return [_parallel(light, center, radius, resolution)]
    return _central(light, center, radius)


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


def _central(light: Light, target: Array, radius: float) -> list[LightCamera]:
    """Rays from one point: a lens around the casters or the cone of a spot, whichever is narrower, or one each way."""
    eye = light.position.astype(float)
    away = float(np.linalg.norm(target - eye))
    far = away + 2 * radius
    near = max(away - radius, 0.01 * far)
    backward, tangent = eye - target, math.tan(math.asin(radius / away)) if away > 1.01 * radius else math.inf
    cone = (
        math.tan(math.radians(max(light.cutoff, NARROWEST))) / FADE
        if light.kind == SPOT and light.cutoff < 80
        else math.inf
    )
    if cone < tangent:
        backward, tangent = -light.direction.astype(float), cone
    if tangent <= math.tan(MAX_HALF_ANGLE):
        return [_lens(eye, backward, tangent, near, far)]
    return [_lens(eye, -way, OVERLAP, 0.01 * far, far) for way in WAYS]


def _lens(eye: Array, backward: Array, tangent: float, near: float, far: float) -> LightCamera:
    """A perspective lens, by the tangent of half its angle."""
    projection = np.zeros((4, 4))
    projection[0, 0] = projection[1, 1] = 1 / tangent
    projection[2, 2:] = (far + near) / (near - far), 2 * far * near / (near - far)
    projection[3, 2] = -1
    return LightCamera(projection @ _look(eye, _axes(backward)), near, far, 2 * tangent, True)


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


class ShadowMaps:
    """The depths that lights see, side by side in one texture, and coarse ones of the nearest depths to search in."""

    def __init__(self, context: moderngl.Context) -> None:
        self._context = context
        self._size, self._block = (0, 0), 0
        self._boxes: list[tuple[int, int, int, int]] = []
        self._items: list[Any] = []
        # how many maps each light has
        self.counts: tuple[int, ...] = ()

    def fit(self, lights: list[Light], center: Array, radius: float, resolution: int) -> list[LightCamera]:
        """Make room for the maps of some lights; returns where their cameras stand."""

        def fitted(size: int) -> list[list[LightCamera]]:
            return [light_cameras(light, center, radius, size) for light in lights]

        # how many maps there are decides how large they can be
        self.counts = tuple(len(cameras) for cameras in fitted(resolution))
        size = self._lay_out(resolution)
        return [camera for cameras in fitted(size) for camera in cameras]

    def begin(self) -> None:
        """Forget what the maps show."""
        self._framebuffer.use()
        self._framebuffer.viewport = (0, 0, *self._framebuffer.size)
        self._framebuffer.clear(depth=1.0)

    def aim(self, number: int) -> None:
        """Draw into one map from here on."""
        self._framebuffer.viewport = self._boxes[number]

    def summarise(self, unit: int, draw: Callable[..., None]) -> None:
        """Make the coarse maps; `draw` covers the target with `min_depth.frag` in a variant."""
        self._depth.compare_func = ""
        self._depth.use(unit)
        self._nearest_framebuffer.use()
        draw(f"BLOCK {self._block}")
        self._nearest.use(unit)
        self._around_framebuffer.use()
        draw("DILATE")
        self._depth.compare_func = "<="

    def bind(self, compare_unit: int, nearest_unit: int, around_unit: int) -> None:
        """Let shaders look up shadows."""
        self._depth.use(compare_unit)
        self._nearest.use(nearest_unit)
        self._around.use(around_unit)

    def uniforms(self, cameras: list[LightCamera]) -> dict[str, object]:
        """What `shadow.glsl` needs to know of the maps."""
        to_texture = np.array([[0.5, 0, 0, 0.5], [0, 0.5, 0, 0.5], [0, 0, 0.5, 0.5], [0, 0, 0, 1]])
        width, height = self._size
        return {
            "u_shadow_matrix": np.array([(to_texture @ camera.matrix).T for camera in cameras]),
            "u_shadow_lens": np.array([(c.near, c.far, c.width, float(c.perspective)) for c in cameras]),
            "u_shadow_tile": np.array([(x / width, y / height, w / width, h / height) for x, y, w, h in self._boxes]),
            "u_shadow_spread": SPREAD,
        }

    def release(self) -> None:
        """Give the memory back."""
        for item in self._items:
            item.release()
        self._items, self._size, self._block = [], (0, 0), 0

    def _lay_out(self, resolution: int) -> int:
        """A square for each light, one and a half with six smaller ones for a light that looks all round; returns
        how many texels a square has across."""
        squares = sum(1.5 if count > 1 else 1.0 for count in self.counts)
        resolution = min(resolution, int(self._context.info["GL_MAX_TEXTURE_SIZE"] / squares))
        resolution = max(resolution - resolution % BLOCKS, BLOCKS)
        half, x = resolution // 2, 0
        self._boxes = []
        for count in self.counts:
            if count == 1:
                self._boxes.append((x, 0, resolution, resolution))
            else:
                self._boxes += [(x + half * (k % 3), half * (k // 3), half, half) for k in range(count)]
            x += resolution if count == 1 else 3 * half
        self._allocate((x, resolution), resolution // BLOCKS)
        return resolution

    def _allocate(self, size: tuple[int, int], block: int) -> None:
        """Textures of a size, and coarse ones with a texel for each block."""
        if (size, block) == (self._size, self._block):
            return
        unbind_framebuffer(self._context)
        self.release()
        context, coarse = self._context, (size[0] // block, size[1] // block)
        self._depth = context.depth_texture(size)
        self._nearest, self._around = (context.texture(coarse, 1, dtype="f4") for _ in range(2))
        for texture in (self._depth, self._nearest, self._around):
            texture.repeat_x = texture.repeat_y = False
        for texture in (self._nearest, self._around):
            texture.filter = (moderngl.NEAREST, moderngl.NEAREST)
        self._framebuffer = context.framebuffer(depth_attachment=self._depth)
        self._nearest_framebuffer = context.framebuffer([self._nearest])
        self._around_framebuffer = context.framebuffer([self._around])
        targets = [self._framebuffer, self._nearest_framebuffer, self._around_framebuffer]
        self._items = [*targets, self._depth, self._nearest, self._around]
        self._size, self._block = size, block
