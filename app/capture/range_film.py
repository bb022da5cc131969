"""A film of recorded moments: which step each frame shows, at a constant rate of simulated time.

Frame k shows the last step at or before start + k * speed / fps, so the same range gives the same frames.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from math import floor

from app.capture.recording import VideoRecording
from app.history.timeline import Timeline


@dataclass
class RangeFilm:
    """A film that is being made of a line, as it was known at the start: of its loop, or else of all of it."""

    recording: VideoRecording
    timeline: Timeline
    # of the model; and the camera to which the view returns, if it is filmed through another one
    path: str
    camera: int | None = None
    # frames that are captured, and when the next one was asked for, by time.monotonic
    done: int = 0
    asked: float = 0.0
    start: float = field(init=False)
    end: float = field(init=False)

    def __post_init__(self) -> None:
        first, last = self.timeline.loop or (self.timeline.first, self.timeline.last)
        self.start, self.end = self.timeline.time_of(first), self.timeline.time_of(last)

    @property
    def frames(self) -> int:
        """How many frames it will have."""
        return max(floor((self.end - self.start) / self._seconds_per_frame + 1e-6), 0) + 1

    @property
    def step(self) -> int:
        """The step that the next frame shows."""
        return self.timeline.step_at(self.start + self.done * self._seconds_per_frame)

    @property
    def progress(self) -> str:
        """How much of the range is filmed."""
        length = self.end - self.start
        return f"filming {min(self.done * self._seconds_per_frame, length):.1f} of {length:.1f} s"

    @property
    def _seconds_per_frame(self) -> float:
        return self.recording.options.speed / self.recording.fps
