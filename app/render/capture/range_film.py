"""A film of recorded moments: which step each frame shows, at a constant rate of simulated time.

Frame k shows the last step at or before start + k * speed / fps, so the same range gives the same frames.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import floor

from app.render.capture.recording import VideoRecording
from app.run.history.timeline import Timeline


@dataclass
class RangeFilm:
    """A film that is being made of the line that was present at the start, from one time of it to another, s."""

    recording: VideoRecording
    timeline: Timeline
    start: float
    end: float
    # the last step at or before a time
    step_at: Callable[[float], int]
    # of the model; and the camera to which the view returns, if it is filmed through another one
    path: str = ""
    camera: int | None = None
    # frames that are captured, and when the next one was asked for, by time.monotonic
    done: int = 0
    asked: float = 0.0

    @property
    def frames(self) -> int:
        """How many frames it will have."""
        return max(floor((self.end - self.start) / self._seconds_per_frame + 1e-6), 0) + 1

    @property
    def step(self) -> int:
        """The step that the next frame shows."""
        return self.step_at(self.start + self.done * self._seconds_per_frame)

    @property
    def progress(self) -> str:
        """How much of the range is filmed."""
        length = self.end - self.start
        return f"filming {min(self.done * self._seconds_per_frame, length):.1f} of {length:.1f} s"

    @property
    def _seconds_per_frame(self) -> float:
        return self.recording.options.speed / self.recording.fps
