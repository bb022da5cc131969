"""Times of frames: of their parts for the profiler, frames per second for the status line, seconds for ImGui."""

from __future__ import annotations

import math
import time
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager

from imgui_bundle import imgui

from app.view.feedback import Feedback

# limits of ImGui's delta time, s
SHORTEST_TURN, LONGEST_TURN = 1e-4, 0.5
# between frames that only show that something is under way, s
WAITING_INTERVAL = 0.15


class FrameClock:
    """Measures frames, and tells the user."""

    def __init__(self, feedback: Feedback) -> None:
        self._feedback = feedback
        self._frame_times: deque[float] = deque(maxlen=30)
        self._turned = time.perf_counter()

    @contextmanager
    def timed(self, part: str) -> Iterator[None]:
        """Time a part of a frame, for the profiler."""
        began = time.perf_counter()
        yield
        seconds, before = time.perf_counter() - began, self._feedback.frame_seconds.get(part, 0.0)
        self._feedback.frame_seconds[part] = seconds if not before else 0.9 * before + 0.1 * seconds

    def count_frame(self) -> None:
        """Frames per second for the status line."""
        now = time.perf_counter()
        self._frame_times.append(now)
        span = now - self._frame_times[0]
        self._feedback.fps = (len(self._frame_times) - 1) / span if span > 0 else 0.0

    @property
    def since_frame(self) -> float:
        """Seconds since the last frame began."""
        return time.perf_counter() - self._frame_times[-1] if self._frame_times else math.inf

    def pass_time(self, more: bool) -> None:
        """Pass the time of a frame to ImGui with its last turn: a key released before was not held that long."""
        now = time.perf_counter()
        imgui.get_io().delta_time = SHORTEST_TURN if more else min(max(now - self._turned, SHORTEST_TURN), LONGEST_TURN)
        self._turned = self._turned if more else now

    @property
    def worked(self) -> float:
        """Seconds since the last turn of the frame began."""
        return time.perf_counter() - self._turned
