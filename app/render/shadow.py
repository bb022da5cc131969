"""Shadow maps: the cameras of lights, and an atlas of the depths they see.

A light's camera is fitted around the casters near to what the view looks at, and around the shadows that higher ones
cast there. Its size is quantised and its position
snapped to texels, so that shadow edges do not crawl while geoms move. A light among the casters has six cube faces.
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
# radius of the shadowed region about what the view looks at, in distances of the eye from it; and as far as the model
# extends, if that is no more than the second
COVERAGE, MODEL_COVERAGE = 2.0, 8.0
# the widest camera; a light that needs more has six
MAX_HALF_ANGLE = math.radians(60)
# shadows fade out in the outer part of a map: the cone of a spot has to be inside of that
FADE = 0.88
# smallest cutoff of a spot, degrees
MIN_CUTOFF = 0.1
# tangent of half the angle of a cube face: a little more than 90 degrees, so that a penumbra stays within its map
CUBE_TANGENT = 1.06
# penumbra width per distance between blocker and receiver: the angular size of the light
LIGHT_SIZE = 0.03
# the widest penumbra, in radii of the casters larger than this share of them
WIDEST, WIDEST_SHARE = 0.5, 0.75
# blocks of texels across a map, for the blocker search
BLOCKS = 128
# directions of the cube faces, in the order of `shadow.glsl`
CUBE_DIRECTIONS = np.array([[1.0, 0, 0], [-1, 0, 0], [0, 1, 0], [0, -1, 0], [0, 0, 1], [0, 0, -1]])


@dataclass(frozen=True)
class LightCamera:
    """World to clip space, and the frustum in the form that shaders use."""

    matrix: Array
    near: float
    far: float
    width: float
    perspective: bool


@dataclass(frozen=True)
class ShadowRegion:
    """A sphere that a light's maps have to cover, and how far casters reach from its centre towards the light."""

    center: Array
    radius: float
    reach: float = 0.0


def shadow_region(casters: NDArray[Any], light: Light, view: View, extent: float) -> ShadowRegion:
    """The region of a light: casters near the view, and where the shadows of high ones fall near it.

    A caster whose shadow falls elsewhere would coarsen all shadows.
    """
    limit = max(COVERAGE * view.focus, min(extent, MODEL_COVERAGE * view.focus))
    target = view.eye - min(view.focus, view.far) * view.axes[:, 2]
    # each caster at the point of its shadow ray that is nearest to what the view looks at
    ray, origin = _rays(casters[:, :3].astype(float), light)
    along = np.maximum(((target - casters[:, :3]) * ray).sum(axis=1), 0.0)
    near = np.linalg.norm(casters[:, :3] - target, axis=1) - casters[:, 3] < limit
    along[near] = 0.0
    growth = 1 + along / np.maximum(origin, 1e-9)
    shadow = np.column_stack([casters[:, :3] + along[:, None] * ray, casters[:, 3] * growth])
    seen = np.linalg.norm(shadow[:, :3] - target, axis=1) - shadow[:, 3] < limit
    if not seen.any():
        return ShadowRegion(target, min(limit, view.far))
    position, size = shadow[seen, :3], shadow[seen, 3:]
    center = ((position - size).min(axis=0) + (position + size).max(axis=0)) / 2
    radius = float((np.linalg.norm(position - center, axis=1) + size[:, 0]).max())
    if radius >= limit:
        center, radius = target, limit
    backward = light.direction.astype(float) if light.type == DIRECTIONAL else center - light.position
    backward = -backward / max(float(np.linalg.norm(backward)), 1e-9)
    reach = float(((casters[seen, :3] - center) @ backward + casters[seen, 3]).max())
    return ShadowRegion(center, radius, reach)


def widest_penumbra(casters: NDArray[Any]) -> float:
    """The limit of penumbras, m: with a wider one the shadow of a high object would fade away."""
    return WIDEST * float(np.quantile(casters[:, 3], WIDEST_SHARE)) if len(casters) else 1.0


def _rays(position: Array, light: Light) -> tuple[Array, Array]:
    """Directions away from the light at some points, and how far it is; a directional light is infinitely far."""
    if light.type == DIRECTIONAL:
        way = np.broadcast_to(light.direction.astype(float), position.shape)
    else:
        way = position - light.position
    length = np.maximum(np.linalg.norm(way, axis=1), 1e-9)
    return way / length[:, None], np.full(len(position), np.inf) if light.type == DIRECTIONAL else length


def light_cameras(light: Light, region: ShadowRegion, resolution: int) -> list[LightCamera]:
    """Fit a camera at `light` around the region of its shadows, or six cameras if it is inside."""
    # quantised to a geometric series
    radius = SIZE_STEP ** math.ceil(math.log(max(region.radius, 1e-6)) / math.log(SIZE_STEP))
    region = ShadowRegion(region.center, radius, region.reach)
    if light.type == DIRECTIONAL:
        return [_directional_camera(light, region, resolution)]
    return _point_cameras(light, region)


def _directional_camera(light: Light, region: ShadowRegion, resolution: int) -> LightCamera:
    """The orthographic camera of a directional light, snapped to texels."""
    target, radius = region.center, region.radius
    axes = _axes(-light.direction.astype(float))
    texel = 2 * radius / resolution
    local = axes.T @ target
    local[:2] = np.round(local[:2] / texel) * texel
    back = max(2 * radius, region.reach)
    near, far = 0.0, back + 2 * radius
    eye = axes @ local + axes[:, 2] * back
    projection = np.diag([1 / radius, 1 / radius, -2 / (far - near), 1.0])
    projection[2, 3] = -(far + near) / (far - near)
    return LightCamera(projection @ _view_matrix(eye, axes), near, far, 2 * radius, False)


def _point_cameras(light: Light, region: ShadowRegion) -> list[LightCamera]:
    """The camera of a spot or point light, around the casters or the cone, whichever is narrower; or six cube faces."""
    target, radius = region.center, region.radius
    eye = light.position.astype(float)
    distance = float(np.linalg.norm(target - eye))
    far = distance + 2 * radius
    near = max(distance - max(radius, region.reach), 0.01 * far)
    backward, tangent = eye - target, math.tan(math.asin(radius / distance)) if distance > 1.01 * radius else math.inf
    cone = (
        math.tan(math.radians(max(light.cutoff, MIN_CUTOFF))) / FADE
        if light.type == SPOT and light.cutoff < 80
        else math.inf
    )
    if cone < tangent:
        backward, tangent = -light.direction.astype(float), cone
    if tangent <= math.tan(MAX_HALF_ANGLE):
        return [_perspective_camera(eye, backward, tangent, near, far)]
    return [_perspective_camera(eye, -direction, CUBE_TANGENT, 0.01 * far, far) for direction in CUBE_DIRECTIONS]


def _perspective_camera(eye: Array, backward: Array, tangent: float, near: float, far: float) -> LightCamera:
    """A perspective camera, by the tangent of half its field of view."""
    projection = np.zeros((4, 4))
    projection[0, 0] = projection[1, 1] = 1 / tangent
    projection[2, 2:] = (far + near) / (near - far), 2 * far * near / (near - far)
    projection[3, 2] = -1
    return LightCamera(projection @ _view_matrix(eye, _axes(backward)), near, far, 2 * tangent, True)


def _axes(backward: Array) -> Array:
    """Columns right, up and backward of a camera that looks along -`backward`."""
    length = float(np.linalg.norm(backward))
    backward = backward / length if length > 1e-9 else np.array([0.0, 0, 1])
    helper = np.array([0.0, 0, 1]) if abs(backward[2]) < 0.95 else np.array([0.0, 1, 0])
    right = np.cross(helper, backward)
    right /= np.linalg.norm(right)
    return np.column_stack([right, np.cross(backward, right), backward])


def _view_matrix(eye: Array, axes: Array) -> Array:
    matrix = np.eye(4)
    matrix[:3, :3] = axes.T
    matrix[:3, 3] = -axes.T @ eye
    return matrix


class ShadowMaps:
    """The shadow atlas: depth maps side by side in one texture, and coarse minimum depths for the blocker search."""

    def __init__(self, context: moderngl.Context) -> None:
        self._context = context
        self._size, self._block = (0, 0), 0
        self._tiles: list[tuple[int, int, int, int]] = []
        self._items: list[Any] = []
        # how many maps each light has
        self.counts: tuple[int, ...] = ()

    def fit(self, lights: list[Light], regions: list[ShadowRegion], resolution: int) -> list[LightCamera]:
        """Allocate the maps of some lights, each with its region; returns their cameras."""

        def fitted(size: int) -> list[list[LightCamera]]:
            return [light_cameras(light, region, size) for light, region in zip(lights, regions, strict=True)]

        # the number of maps limits their resolution
        self.counts = tuple(len(cameras) for cameras in fitted(resolution))
        size = self._pack(resolution)
        return [camera for cameras in fitted(size) for camera in cameras]

    def begin(self) -> None:
        """Clear all maps."""
        self._framebuffer.use()
        self._framebuffer.viewport = (0, 0, *self._framebuffer.size)
        self._framebuffer.clear(depth=1.0)

    def use_tile(self, index: int) -> None:
        """Set the viewport to one map."""
        self._framebuffer.viewport = self._tiles[index]

    def reduce(self, unit: int, draw: Callable[..., None]) -> None:
        """Compute the coarse maps; `draw` runs a variant of `min_depth.frag` over the target."""
        self._depth.compare_func = ""
        self._depth.use(unit)
        self._min_depth_framebuffer.use()
        draw(f"BLOCK {self._block}")
        self._min_depth.use(unit)
        self._dilated_framebuffer.use()
        draw("DILATE")
        self._depth.compare_func = "<="

    def bind(self, compare_unit: int, min_depth_unit: int, dilated_unit: int) -> None:
        """Bind the maps to texture units."""
        self._depth.use(compare_unit)
        self._min_depth.use(min_depth_unit)
        self._dilated.use(dilated_unit)

    def uniforms(self, cameras: list[LightCamera], casters: NDArray[Any]) -> dict[str, object]:
        """The uniforms of `shadow.glsl`; the sizes of casters limit penumbras."""
        to_texture = np.array([[0.5, 0, 0, 0.5], [0, 0.5, 0, 0.5], [0, 0, 0.5, 0.5], [0, 0, 0, 1]])
        width, height = self._size
        return {
            "u_shadow_matrix": np.array([(to_texture @ camera.matrix).T for camera in cameras]),
            "u_shadow_frustum": np.array([(c.near, c.far, c.width, float(c.perspective)) for c in cameras]),
            "u_shadow_tile": np.array([(x / width, y / height, w / width, h / height) for x, y, w, h in self._tiles]),
            "u_light_size": LIGHT_SIZE,
            "u_widest": widest_penumbra(casters),
        }

    def release(self) -> None:
        """Release GPU memory."""
        for item in self._items:
            item.release()
        self._items, self._size, self._block = [], (0, 0), 0

    def _pack(self, resolution: int) -> int:
        """Pack the atlas: a square for each light, or 3 x 2 of half the size for a cube map; returns the resolution of
        a square."""
        squares = sum(1.5 if count > 1 else 1.0 for count in self.counts)
        resolution = min(resolution, int(self._context.info["GL_MAX_TEXTURE_SIZE"] / squares))
        resolution = max(resolution - resolution % BLOCKS, BLOCKS)
        half, x = resolution // 2, 0
        self._tiles = []
        for count in self.counts:
            if count == 1:
                self._tiles.append((x, 0, resolution, resolution))
            else:
                self._tiles += [(x + half * (k % 3), half * (k // 3), half, half) for k in range(count)]
            x += resolution if count == 1 else 3 * half
        self._allocate((x, resolution), resolution // BLOCKS)
        return resolution

    def _allocate(self, size: tuple[int, int], block: int) -> None:
        """Create the textures, the coarse ones with a texel for each block."""
        if (size, block) == (self._size, self._block):
            return
        unbind_framebuffer(self._context)
        self.release()
        context, coarse = self._context, (size[0] // block, size[1] // block)
        self._depth = context.depth_texture(size)
        self._min_depth, self._dilated = (context.texture(coarse, 1, dtype="f4") for _ in range(2))
        for texture in (self._depth, self._min_depth, self._dilated):
            texture.repeat_x = texture.repeat_y = False
        for texture in (self._min_depth, self._dilated):
            texture.filter = (moderngl.NEAREST, moderngl.NEAREST)
        self._framebuffer = context.framebuffer(depth_attachment=self._depth)
        self._min_depth_framebuffer = context.framebuffer([self._min_depth])
        self._dilated_framebuffer = context.framebuffer([self._dilated])
        targets = [self._framebuffer, self._min_depth_framebuffer, self._dilated_framebuffer]
        self._items = [*targets, self._depth, self._min_depth, self._dilated]
        self._size, self._block = size, block
