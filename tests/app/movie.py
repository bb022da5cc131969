"""Video files, read back."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import av
import numpy as np

from app.render.capture.video import Pixels


def read_frames(path: Path) -> Iterator[Pixels]:
    """The frames of a video file, rows from top to bottom, RGB, up to where the file was cut off."""
    with av.open(str(path)) as container:
        try:
            for frame in container.decode(video=0):
                yield frame.to_ndarray(format="rgb24").astype(np.uint8, copy=False)
        except av.error.InvalidDataError:
            return
