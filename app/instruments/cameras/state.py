"""Which pictures of cameras are open, what the panel asks for in a frame, and the newest images."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from io import BytesIO
from typing import Any

import numpy as np
from PIL import Image

from app.files.output import dated_path, output_folder, reason
from app.render.capture.camera_pictures import CameraImage
from app.render.capture.offscreen import COLOUR, SEGMENTATION, objects
from app.scene.camera import FREE_CAMERA
from app.view.feedback import Feedback
from sim.atomic_file import write_atomic

# open at once
MOST = 9


@dataclass
class CameraPicture:
    """One picture: a camera of the model or the free one, and colours, depth or segmentation."""

    camera: int = FREE_CAMERA
    shows: str = COLOUR
    # pixels that the panel asks for in this frame, None if the picture is not in sight
    wanted: tuple[int, int] | None = None
    image: CameraImage | None = None
    # what the image was made from, and when by time.perf_counter
    made_from: tuple[Any, ...] = ()
    made_at: float = 0.0


@dataclass
class CamerasState:
    """The open pictures; None before the panel was opened first."""

    open: list[CameraPicture] | None = None
    # whether the panel was drawn in this frame, and whether there are images that no frame has shown
    in_sight: bool = False
    unseen: bool = False
    # of ImGui, by picture
    textures: dict[object, tuple[Any, Any]] = field(default_factory=dict)

    @property
    def wanted(self) -> list[CameraPicture]:
        """Pictures that the last frame asked for."""
        return [picture for picture in self.open or () if picture.wanted is not None]

    def begin(self, cameras: int) -> list[CameraPicture]:
        """The panel is drawn, for a model with so many cameras; at first the first camera is shown."""
        if self.open is None and cameras:
            self.open = [CameraPicture(0)]
        for picture in self.open or ():
            picture.wanted = None
            # another model may have fewer cameras
            if picture.camera >= cameras:
                picture.camera = FREE_CAMERA
        self.in_sight, self.unseen = True, False
        return list(self.open or ())

    def end_frame(self) -> None:
        """A frame ends: where the panel was not drawn, nothing is wanted."""
        if not self.in_sight:
            self.unseen = False
            for picture in self.open or ():
                picture.wanted = None
        self.in_sight = False

    def add(self, cameras: int) -> None:
        """One more: the first camera that is not shown."""
        shown = {picture.camera for picture in self.open or ()}
        unshown = [camera for camera in range(cameras) if camera not in shown]
        self.open = [*(self.open or ()), CameraPicture(unshown[0] if unshown else FREE_CAMERA)]

    def follow_elements(self, found: Callable[[str, int], int]) -> None:
        """The cameras have other numbers now; one that is gone closes its picture."""
        for picture in list(self.open or ()):
            if picture.camera != FREE_CAMERA:
                picture.camera = found("camera", picture.camera)
                if picture.camera < 0 and self.open is not None:
                    self.open.remove(picture)


def save_picture(image: CameraImage, name: str, feedback: Feedback) -> None:
    """Save what is shown as png; depth and segmentation also as numbers, npy: metres, or ids and types."""
    stem = f"kinetoscope-{''.join(letter if letter.isalnum() else '_' for letter in name)}-{image.shows}"
    buffer = BytesIO()
    Image.fromarray(image.pixels[..., :3]).save(buffer, "png")
    try:
        path = dated_path(stem, "png")
        write_atomic(path, buffer.getvalue())
        more = ""
        if image.values is not None:
            numbers = BytesIO()
            np.save(numbers, objects(image.values) if image.shows == SEGMENTATION else image.values)
            write_atomic(path.with_suffix(".npy"), numbers.getvalue())
            more = " and .npy"
        feedback.show_saved(path, more)
    except OSError as error:
        feedback.show_message(f"the picture could not be saved: {output_folder()}: {reason(error)}", lasting=True)
