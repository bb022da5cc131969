"""Records a video of the window: start, capture frames, stop.

Frames are captured where they are drawn, with or without panels. In simulated time the run holds at the time of each
frame until it is drawn, so that no two frames are the same.
"""

from __future__ import annotations

import time
from dataclasses import replace

from app.capture.recording import VideoRecording
from app.capture.video import VideoError
from app.files.output import dated_path, output_folder, reason
from app.input import film, run_recording
from app.input.desk import Desk
from app.run.commands import HoldAt


def toggle(desk: Desk) -> None:
    """Start or stop recording; the status line shows which."""
    if desk.view.video is not None:
        stop(desk)
        return
    # a copy: the menu may change them for the next video meanwhile
    options = replace(desk.view.recording_options)
    _, _, width, height = desk.frame_box(options.panels)
    suffix = "gif" if options.gif else "mp4"
    try:
        path = dated_path("kinetoscope", suffix)
        desk.view.recording = VideoRecording(path, (max(width, 2), max(height, 2)), options)
        desk.view.feedback.show_message(f"recording {path}")
    except VideoError as error:
        desk.report("The video could not be recorded", str(error))
    except OSError as error:
        desk.report("The video could not be recorded", f"{output_folder()}: {reason(error)}")


def stop(desk: Desk) -> None:
    """Finish the video or film, if one is being made."""
    film.stop(desk)
    recording, desk.view.recording = desk.view.recording, None
    if recording is not None:
        desk.send(HoldAt(None))
        recording.finish()
        desk.view.feedback.show_message(f"saved {recording.path}" if recording.seconds else "nothing was recorded")
        if recording.error:
            desk.report("The video was cut off", recording.error)
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
    box = desk.frame_box(panels)
    count = recording.due(time.perf_counter() if recording.options.wall_time else desk.snapshot.run.time)
    if not recording.options.wall_time:
        desk.send(HoldAt(recording.next_due))
    if count and min(box[2:]) > 0:
        recording.append(desk.read_frame(box), count)
