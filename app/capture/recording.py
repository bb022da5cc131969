"""A video of the window in the making: pictures at a constant rate of simulated or of wall time.

Frames are encoded on a thread of their own. A picture that stays on the screen for longer than a frame is written
again, one that is replaced sooner is left out, so that the video runs as fast as the clock that was chosen, however
fast the window draws.
"""

from __future__ import annotations

import queue
import threading
from dataclasses import dataclass
from pathlib import Path

from app.capture.video import Pixels, VideoError, VideoWriter

# pictures that may wait for the encoder before the window waits too
WAITING_FRAMES = 8
# longer gaps are cuts: the clock was set back, or the user was away
LONGEST_REPEAT = 10.0


@dataclass
class RecordingOptions:
    """How the next video is made."""

    fps: int = 60
    gif: bool = False
    wall_time: bool = False
    panels: bool = False


class VideoRecording:
    """One video in the making."""

    def __init__(self, path: Path, size: tuple[int, int], options: RecordingOptions) -> None:
        self.path = path
        self.options = options
        self.error: str = ""
        self._video = VideoWriter(path, size, options.fps)
        self._clock: float | None = None
        self._owed = 0.0
        self._frames: queue.Queue[tuple[Pixels, int] | None] = queue.Queue(WAITING_FRAMES)
        self._thread = threading.Thread(target=self._encode, name="film", daemon=True)
        self._thread.start()

    @property
    def seconds(self) -> float:
        """How long the video is so far."""
        return self._video.frames / self._video.fps

    def due(self, now: float) -> int:
        """How many frames the clock asks for since the last call; the first picture is always wanted."""
        before, self._clock = self._clock, now
        if before is None:
            return 1
        gap = now - before
        self._owed += gap * self._video.fps if 0 < gap < LONGEST_REPEAT else 0.0
        count = int(self._owed + 1e-6)
        self._owed -= count
        return count

    @property
    def next_due(self) -> float:
        """The time at which the clock will ask for a frame."""
        return (self._clock or 0.0) + (1.0 - self._owed) / self._video.fps

    def append(self, pixels: Pixels, count: int) -> None:
        """Append a picture, `count` times."""
        if not self.error:
            self._frames.put((pixels, count))

    def finish(self) -> None:
        """Write what is waiting and close the file."""
        self._frames.put(None)
        self._thread.join()

    def _encode(self) -> None:
        """Take pictures from the queue until there are no more; after an error they are thrown away."""
        while (item := self._frames.get()) is not None:
            pixels, count = item
            try:
                for _ in range(0 if self.error else count):
                    self._video.write(pixels)
            except Exception as error:
                # whatever it is: the window must not wait for a thread that has ended
                self.error = str(error) or type(error).__name__
        try:
            self._video.close()
        except VideoError as error:
            self.error = str(error)
