"""Records a video of the window: start, capture frames, stop.

Frames are captured where they are drawn, with or without panels. In simulated time the run holds at the time of each
frame until it is drawn, so that no two frames are the same.
"""

from __future__ import annotations

import time

from app.run.commands import HoldAt
from app.view.input import film, run_recording
from app.view.input.desk import Desk
from app.view.input.video_frames import begin, take_frame


def toggle(desk: Desk) -> None:
    """Start or stop recording; the status line shows which."""
    if desk.view.video is not None:
        stop(desk)
        return
    recording = begin(desk, "The video could not be recorded")
    if recording is not None:
        desk.view.recording = recording
        desk.view.feedback.show_message(f"recording {recording.path}, {recording.described}")


def stop(desk: Desk) -> None:
    """Finish the video or film, if one is being made."""
    film.stop(desk)
    recording, desk.view.recording = desk.view.recording, None
    if recording is not None:
        desk.send(HoldAt(None))
        recording.finish()
        if recording.seconds:
            desk.view.feedback.show_saved(recording.path)
        else:
            desk.view.feedback.show_message("nothing was recorded")
        if recording.error:
            desk.report("The video was cut short", recording.error)
        elif recording.options.with_recording and recording.seconds:
            run_recording.attach(desk, recording.path)


def capture_frame(desk: Desk, panels: bool) -> None:
    """Capture the frame that was just drawn, `panels` with them, if that is what is recorded and a frame is due."""
    film.capture(desk, panels)
    recording = desk.view.recording
    if recording is None or recording.options.panels != panels:
        return
    if recording.error:
        stop(desk)
        return
    count = recording.due(time.perf_counter() if recording.options.wall_time else desk.snapshot.run.time)
    if not recording.options.wall_time:
        desk.send(HoldAt(recording.next_due))
    pixels = take_frame(desk, recording) if count else None
    if pixels is not None:
        recording.append(pixels, count)
