"""A video recording of the window, at a constant frame rate of simulated or of wall time.

A separate thread encodes. A frame that stays on the screen for longer than 1 / fps is repeated, one that is replaced
sooner is dropped, so that the video runs at the speed of the chosen clock, however fast the window draws.
"""

from __future__ import annotations

import queue
import threading
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from app.render.capture.frame_size import Size, parse_size, scaled_down
from app.render.capture.gif_palette import exact_rate
from app.render.capture.video import Pixels, VideoError, VideoWriter, even

# frames that may wait for the encoder before the window blocks
MAX_QUEUED = 8
# a longer gap, s, is a cut: the clock was reset, or the user was away
MAX_GAP = 10.0
MAX_FPS = 240


# of a gif, unless the user wants more: what is sent by mail plays at once
GIF_WIDTH, GIF_FPS = 640, 25
# kept as a preference
REMEMBERED = ("size", "fps", "gif", "gif_width", "gif_fps", "wall_time", "panels")


@dataclass
class RecordingOptions:
    """Settings of the next recording, and the size of images."""

    fps: int = 60
    gif: bool = False
    wall_time: bool = False
    panels: bool = False
    # the video carries a recording of the run
    with_recording: bool = False
    # of a film of the past: simulated seconds per second
    speed: float = 1.0
    # of images and videos without panels, 1280x720 say; empty: as the view is on the screen
    size: str = ""
    # of gifs: at most this wide, 0 for any width; and the frame rate
    gif_width: int = GIF_WIDTH
    gif_fps: int = GIF_FPS

    @property
    def rate(self) -> int:
        """Frames per second of the next video."""
        return exact_rate(self.gif_fps) if self.gif else self.fps

    def drawn_size(self, shown: Size) -> Size:
        """The size in which images are drawn."""
        return parse_size(self.size) or shown

    def frame_size(self, shown: Size) -> Size:
        """The size in which frames of a video without panels are drawn: of a gif, at most twice its own."""
        drawn = self.drawn_size(shown)
        return scaled_down(drawn, 2 * self.gif_width) if self.gif and self.size else drawn

    def video_size(self, drawn: Size) -> Size:
        """The size of a video of frames that are drawn in a size."""
        return scaled_down(drawn, self.gif_width) if self.gif else even(drawn)

    def to_remember(self) -> dict[str, Any]:
        """What is kept as a preference."""
        return {name: getattr(self, name) for name in REMEMBERED}


def remembered_options(values: dict[str, Any]) -> RecordingOptions:
    """The options that were kept; what is not of the right type, or no size, is the default."""
    options = RecordingOptions()
    for name in REMEMBERED:
        value = values.get(name)
        if type(value) is type(getattr(options, name)):
            setattr(options, name, value)
    if parse_size(options.size) is None:
        options.size = ""
    options.fps, options.gif_width = min(max(options.fps, 1), MAX_FPS), max(options.gif_width, 0)
    return options


class VideoRecording:
    """One recording in progress."""

    def __init__(self, path: Path, size: Size, options: RecordingOptions) -> None:
        self.path = path
        # in which frames are drawn
        self.size = size
        self.options = options
        self.error: str = ""
        self._video = VideoWriter(path, options.video_size(size), options.rate)
        self._clock: float | None = None
        self._owed = 0.0
        self._frames: queue.Queue[tuple[Pixels, int] | None] = queue.Queue(MAX_QUEUED)
        self._thread = threading.Thread(target=self._encode, name="video encoder", daemon=True)
        self._thread.start()

    @property
    def described(self) -> str:
        """Size, frame rate and time of the video."""
        time = "wall" if self.options.wall_time else "simulated"
        return f"{self._video.size[0]} x {self._video.size[1]}, {self._video.fps}/s of {time} time"

    @property
    def fps(self) -> int:
        """Frames per second of the video."""
        return self._video.fps

    @property
    def full(self) -> bool:
        """Whether the next frame would have to wait for the encoder."""
        return self._frames.full()

    @property
    def seconds(self) -> float:
        """Length of the video so far."""
        return self._video.frames / self._video.fps

    def due(self, now: float) -> int:
        """How many frames are due since the last call; the first call is always one."""
        before, self._clock = self._clock, now
        if before is None:
            return 1
        gap = now - before
        self._owed += gap * self._video.fps if 0 < gap < MAX_GAP else 0.0
        count = int(self._owed + 1e-6)
        self._owed -= count
        return count

    @property
    def next_due(self) -> float:
        """The time at which the next frame is due."""
        return (self._clock or 0.0) + (1.0 - self._owed) / self._video.fps

    def append(self, pixels: Pixels, count: int) -> None:
        """Queue a frame, `count` times."""
        if not self.error:
            self._frames.put((pixels, count))

    def finish(self) -> None:
        """Encode what is queued and close the file."""
        self._frames.put(None)
        self._thread.join()

    def _encode(self) -> None:
        """Encode frames from the queue until it ends; after an error they are discarded."""
        while (item := self._frames.get()) is not None:
            pixels, count = item
            try:
                for _ in range(0 if self.error else count):
                    self._video.write(pixels)
            except Exception as error:
                # any error: the window must not wait for a thread that has ended
                self.error = str(error) or type(error).__name__
        try:
            self._video.close()
        except VideoError as error:
            self.error = str(error)
