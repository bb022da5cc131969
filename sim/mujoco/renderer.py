"""`mujoco.Renderer`: the viewer's renderer without a window, with the checks and messages of MuJoCo's.

What it draws, and how: `app/render/capture/offscreen.py`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from app.render.capture import offscreen
from app.scene.camera import default_free_camera
from sim.mujoco.model import MjModel
from sim.mujoco.pictures import MjvCamera
from sim.mujoco.scene import FIXED, is_orthographic


class Renderer(offscreen.Renderer):
    """Renders a model off screen; use it in a `with`, or close it."""

    # the context is the renderer's own
    _gl_context = _mjr_context = None
    _closed = True

    def __init__(
        self, model: MjModel, height: int = 240, width: int = 320, max_geom: int = 10_000, font_scale: int = 150
    ) -> None:
        frame: Any = model.vis.global_  # type: ignore[attr-defined]
        for name, size, most in (("width", width, frame.offwidth), ("height", height, frame.offheight)):
            if size > most:
                raise ValueError(
                    f"Image {name} {size} > framebuffer {name} {most}. Either reduce the image or specify a larger "
                    f'framebuffer in the model XML: <visual><global off{name}="{size}"/></visual>'
                )
        super().__init__(model, height, width, max_geom=max_geom)

    def update_scene(self, data: Any, camera: Any = -1, scene_option: Any = None) -> None:
        """Read what the next image shows."""
        if not isinstance(camera, MjvCamera):
            camera = self._camera(camera)
        super().update_scene(data, camera, scene_option)
        self.scene.camera[0].orthographic = is_orthographic(self.model, camera)

    def render(self, *, out: Any = None) -> Any:
        """The image, in `out` if that is given; before `update_scene`, nothing."""
        if self._shown is None and not self._closed:
            shape = (self.height, self.width, *SHAPES.get(self._mode, (3,)))
            if out is not None and out.shape != shape:
                raise ValueError(f"Expected `out.shape == {shape}`. Got `out.shape={out.shape}` instead.")
            return np.zeros(shape, np.uint8) if out is None else out
        return super().render(out=out)

    def _camera(self, camera: Any) -> MjvCamera:
        """A camera of the model by name or number, or the free camera."""
        made: Any = MjvCamera()
        m = self.model
        if isinstance(camera, str):
            names = self._constants.names["camera"]
            if camera not in names:
                raise ValueError(f'The camera "{camera}" does not exist.')
            camera = names.index(camera)
        if not -1 <= camera < m.ncam:
            raise ValueError(f"The camera id {camera} is out of range [-1, {m.ncam}).")
        if camera < 0:
            free = default_free_camera(self._constants)
            made.lookat, made.distance = free.lookat, free.distance
            made.azimuth, made.elevation = free.azimuth, free.elevation
        else:
            made.type, made.fixedcamid = FIXED, camera
        return made

    def __del__(self) -> None:
        self.close()


# extents of a pixel
SHAPES: dict[str, tuple[int, ...]] = {offscreen.DEPTH: (), offscreen.SEGMENTATION: (2,)}
