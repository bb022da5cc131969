"""Pictures of cameras in the window: colours, depth or segmentation, by the renderer of the view.

A picture has the size in which it is shown. Depth and segmentation come with their numbers, for tooltips and files.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from app.model.views import ModelView, StateView
from app.render.assets import Assets
from app.render.capture.offscreen import COLOUR, DEPTH, SEGMENTATION
from app.render.device import RenderTexture
from app.render.quality import Quality
from app.render.renderer import Renderer
from app.scene.camera import View
from app.scene.instances import ID_STEP, Kind
from app.scene.scene import Scene

SHOWS = (COLOUR, DEPTH, SEGMENTATION)
# colours of depths, sRGB, from near to far; of nothing
NEAR_TO_FAR = ((0.99, 0.90, 0.35), (0.45, 0.80, 0.40), (0.14, 0.60, 0.58), (0.22, 0.36, 0.60), (0.22, 0.10, 0.38))
NOTHING = (0.05, 0.05, 0.07)
# the scale of depths ends where this share of what is seen is nearer: a floor may go on for ever
SCALE_SHARE = 0.95
# far over near end of the scale, at most
MOST_RATIO = 1e3
# hues that follow each other are far apart
GOLDEN = 0.6180339887


@dataclass(frozen=True, eq=False)
class CameraImage:
    """RGBA pixels from top to bottom; the depth in m or the id of each pixel; near and far end of the depth scale."""

    shows: str
    pixels: NDArray[np.uint8]
    values: NDArray[Any] | None = None
    scale: tuple[float, float] = (0.0, 0.0)

    def element(self, row: int, column: int) -> tuple[str, int] | None:
        """Kind and index of what a pixel of a segmentation shows."""
        code = int(self.values[row, column]) if self.shows == SEGMENTATION and self.values is not None else 0
        return (Kind(code // ID_STEP).name.lower(), code % ID_STEP) if code else None


class PictureRenderer:
    """Renders one picture, again and again; meshes, textures and programs are those of the view."""

    def __init__(self, context: Any, assets: Assets, size: tuple[int, int], quality: Quality | None = None) -> None:
        self.size = size
        self._renderer = Renderer(context, quality, assets)
        self._target = RenderTexture(context, size)

    def release(self) -> None:
        """Release GPU memory."""
        self._target.release()
        self._renderer.release()

    def render(self, model: ModelView, state: StateView, scene: Scene, view: View, shows: str) -> CameraImage:
        """The picture, without selection and decoration."""
        drawn = replace(scene.draw_list(state, view.eye), overlay=())
        if shows == COLOUR:
            self._renderer.draw(model, drawn, view, self._target.framebuffer, (0, 0, *self.size))
            return CameraImage(shows, _opaque(self._target.pixels()))
        codes, distances = self._renderer.ids(model, drawn, view, self.size)
        if shows == SEGMENTATION:
            return CameraImage(shows, _opaque(segment_colours(codes)), codes)
        depth, hit = view.depth(distances), distances > 0
        scale = depth_scale(depth[hit])
        return CameraImage(shows, _opaque(depth_colours(depth, hit, scale)), np.where(hit, depth, np.inf), scale)


def depth_scale(depth: NDArray[Any]) -> tuple[float, float]:
    """Near and far end of the scale, in round numbers, so that it seldom changes."""
    if not len(depth):
        return 0.1, 1.0
    far = max(float(np.quantile(depth, SCALE_SHARE)), 1e-6)
    near = max(float(depth.min()), far / MOST_RATIO)
    first, last = (_rounded(end, round_) for end, round_ in ((near, math.floor), (far, math.ceil)))
    return first, max(last, 1.5 * first)


def _rounded(value: float, towards: Callable[[float], int]) -> float:
    """To half of the first digit, unless it is nearly there."""
    unit = 10.0 ** math.floor(math.log10(value) + 1e-4) / 2
    near = round(value / unit)
    return unit * (near if abs(value / unit - near) < 1e-3 else towards(value / unit))


def depth_colours(depth: NDArray[Any], hit: NDArray[np.bool_], scale: tuple[float, float]) -> NDArray[np.uint8]:
    """Depths as colours on a logarithmic scale, bright is near: what is near has differences too beside a far floor."""
    near, far = scale
    share = np.clip(np.log(np.maximum(depth, near) / near) / math.log(far / near), 0.0, 1.0)
    places = np.linspace(0, 1, len(NEAR_TO_FAR))
    colours = np.stack([np.interp(share, places, channel) for channel in zip(*NEAR_TO_FAR, strict=True)], -1)
    pixels: NDArray[np.uint8] = (255 * np.where(hit[..., None], colours, NOTHING)).astype(np.uint8)
    return pixels


def segment_colours(codes: NDArray[np.int64]) -> NDArray[np.uint8]:
    """A colour for each element; that of an id is always the same."""
    known, where = np.unique(codes, return_inverse=True)
    hue = (known % ID_STEP * GOLDEN + known // ID_STEP * 0.13) % 1.0
    # neighbours differ in brightness too
    bright = np.array([0.95, 0.72, 0.84])[known % 3]
    wheel = np.clip(np.abs((hue[:, None] * 6 + np.array([0.0, 4.0, 2.0])) % 6 - 3) - 1, 0, 1)
    colours = bright[:, None] * (1 - 0.62 * (1 - wheel))
    colours[known == 0] = NOTHING
    pixels: NDArray[np.uint8] = (255 * colours).astype(np.uint8)[where.reshape(codes.shape)]
    return pixels


def _opaque(pixels: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """RGBA from RGB."""
    return np.concatenate([pixels, np.full((*pixels.shape[:2], 1), 255, np.uint8)], axis=2)
