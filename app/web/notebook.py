"""Videos in notebooks: images that a script has made, as one element that needs no file."""

from __future__ import annotations

import base64
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from app.render.capture.video import VideoWriter


@dataclass(frozen=True)
class Video:
    """An MP4 that a notebook shows: the value of a cell, or an argument of `display`."""

    data: bytes
    width: int
    height: int

    def _repr_html_(self) -> str:
        source = f"data:video/mp4;base64,{base64.b64encode(self.data).decode('ascii')}"
        size = f"width={self.width} style='max-width:100%'"
        return f"<video controls loop autoplay muted playsinline {size} src='{source}'></video>"


def show_video(frames: Iterable[Any], fps: int = 60) -> Video:
    """A video of images, (height, width, 3) of uint8 each, or floats from 0 to 1.

    kinetoscope.show_video(frames, fps=30)
    """
    images = [_pixels(frame) for frame in frames]
    if not images:
        raise ValueError("there are no frames: give at least one image")
    height, width = images[0].shape[:2]
    with tempfile.TemporaryDirectory(prefix="kinetoscope-") as folder:
        path = Path(folder, "video.mp4")
        with VideoWriter(path, (width, height), fps) as video:
            for image in images:
                video.write(image)
        return Video(path.read_bytes(), *video.size)


def _pixels(frame: Any) -> Any:
    image = np.asarray(frame)
    if image.dtype.kind == "f":
        image = np.rint(255 * np.clip(image, 0, 1)).astype(np.uint8)
    if image.ndim != 3 or image.shape[2] != 3 or image.dtype != np.uint8:
        raise ValueError(f"a frame has the shape {image.shape} and the type {image.dtype}: (height, width, 3) of uint8")
    return image
