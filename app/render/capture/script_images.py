"""Images of scripts that draw with MuJoCo's own calls: `mjr_render` and `mjr_readPixels` in `sim/mujoco/scene.py`."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from app.render.capture.offscreen import Renderer
from app.scene import mujoco_options
from app.scene.camera import View
from app.scene.mujoco_geoms import SceneGeoms
from sim import Model
from sim.enums import TEXTURE_SKYBOX
from sim.mujoco.enums import CLASSES

FLAGS: Any = CLASSES["mjtRndFlag"]
# MuJoCo draws the sky on a cylinder about the camera, with an upright axis; its radius and half its height, far planes
SKY_SIZE = 0.7


class ScriptImages:
    """The last image of a context; its renderer is made with the first image, and again for another size."""

    def __init__(self, model: Model) -> None:
        self._model = model
        self._renderer: Renderer | None = None
        self._orthographic = False
        self._sky = False

    def draw(self, scene: Any, width: int, height: int) -> None:
        """Draw what a scene shows, and the geoms that the script has added to it."""
        renderer = self._renderer
        if renderer is None or (renderer.width, renderer.height) != (width, height):
            self.close()
            renderer = self._renderer = Renderer(self._model, height, width)
        shown = scene.shown
        renderer.geoms[:] = SceneGeoms(scene, int(self._model.nmesh)).read()
        options = mujoco_options.visual_options(shown.option)
        mujoco_options.write_own(mujoco_options.read_flags(scene), options)
        renderer.update_scene(shown.data, shown.camera, options)
        self._orthographic = bool(scene.camera[0].orthographic)
        self._sky = bool(scene.flags[FLAGS.mjRND_SKYBOX]) and TEXTURE_SKYBOX in self._model.tex_type

    def colours(self) -> NDArray[Any]:
        """Rows from top to bottom, RGB."""
        renderer = self._drawn()
        renderer.disable_depth_rendering()
        return renderer.render()

    def depths(self, reverse: bool) -> NDArray[Any]:
        """Depths as OpenGL keeps them: 0 at the near plane, 1 at the far plane; or the reverse."""
        renderer = self._drawn()
        renderer.enable_depth_rendering()
        metres, m = renderer.render().astype(np.float64), self._model
        near, far = (float(m.stat.extent) * float(m.read(f"vis.map.{plane}")) for plane in ("znear", "zfar"))
        if self._sky and renderer.view is not None:
            nothing = metres >= np.float32(renderer.view.far)
            metres = np.where(nothing, sky_depth(renderer.view, *metres.shape), metres)
        metres = np.clip(metres, near, far)
        depths = (metres - near) / (far - near) * (1.0 if self._orthographic else far / metres)
        return (1.0 - depths if reverse else depths).astype(np.float32)

    def close(self) -> None:
        """Release the memory of the GPU."""
        if self._renderer is not None:
            self._renderer.close()
            self._renderer = None

    def _drawn(self) -> Renderer:
        if self._renderer is None:
            raise RuntimeError("there is no image: call mjr_render first")
        return self._renderer


def sky_depth(view: View, height: int, width: int) -> NDArray[np.float64]:
    """Distances of the sky from the camera plane, in the pixels of a MuJoCo image where there is nothing else."""
    size = SKY_SIZE * view.far
    left, right, bottom, top = view.edges(width / height)
    across = left + (right - left) * (np.arange(width) + 0.5) / width
    down = top - (top - bottom) * (np.arange(height) + 0.5) / height
    plane = across[:, None] * view.axes[:, 0] + (down[:, None] * view.axes[:, 1])[:, None]
    start, along = np.zeros_like(plane), plane - view.axes[:, 2]
    if view.orthographic:
        start, along = plane, np.broadcast_to(-view.axes[:, 2], plane.shape)
    # |start + t along| = size, in the plane of the ground or across it
    square = (along[..., :2] ** 2).sum(-1)
    half = (start[..., :2] * along[..., :2]).sum(-1)
    rest = size**2 - (start[..., :2] ** 2).sum(-1)
    with np.errstate(divide="ignore", invalid="ignore"):
        side = (np.sqrt(half**2 + square * rest) - half) / square
        cap = (size - start[..., 2] * np.sign(along[..., 2])) / np.abs(along[..., 2])
    reach: NDArray[np.float64] = np.fmin(side, cap)
    # a camera without an orientation, before the first forward, sees none
    return np.where(np.isnan(reach), view.far, reach)
