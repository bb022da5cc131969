"""Times of frames (app/window/frame_clock.py)."""

from __future__ import annotations

from app.view.feedback import Feedback
from app.window.frame_clock import FrameClock


def test_parts_and_frames_are_measured() -> None:
    feedback = Feedback()
    clock = FrameClock(feedback)
    clock.count_frame()
    assert feedback.fps == 0.0
    with clock.timed("panels"):
        clock.count_frame()
    assert feedback.fps > 0.0
    assert feedback.frame_seconds["panels"] > 0.0
    assert clock.worked > 0.0
