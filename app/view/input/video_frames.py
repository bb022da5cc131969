"""Begins a video of the window, and takes its frames: from the screen, or drawn again in a size of their own."""

from __future__ import annotations

from dataclasses import replace

from app.files.error_text import describe
from app.files.output import dated_path, output_folder, reason
from app.render.capture.frame_size import size_fault
from app.render.capture.recording import VideoRecording
from app.render.capture.video import Pixels, VideoError
from app.view.input.desk import Desk


def begin(desk: Desk, failed: str) -> VideoRecording | None:
    """A video with the options of the menu, to a file with date and time; what goes wrong is reported as `failed`."""
    # a copy: the menu may change them for the next video meanwhile
    options = replace(desk.view.recording_options)
    _, _, width, height = desk.frame_box(options.panels)
    size = max(width, 2), max(height, 2)
    if not options.panels:
        size = options.frame_size(size)
    if fault := size_fault(size, desk.view.largest_image):
        desk.report(failed, fault)
        return None
    try:
        return VideoRecording(dated_path("kinetoscope", "gif" if options.gif else "mp4"), size, options)
    except VideoError as error:
        desk.report(failed, str(error))
    except OSError as error:
        desk.report(failed, f"{output_folder()}: {reason(error)}")
    return None


def take_frame(desk: Desk, recording: VideoRecording) -> Pixels | None:
    """The frame that was just drawn, as the video wants it; None if there is none, or the GPU cannot draw it."""
    options = recording.options
    try:
        if options.size and not options.panels:
            return desk.screenshot(recording.size)
        box = desk.frame_box(options.panels)
        return desk.read_frame(box) if min(box[2:]) > 0 else None
    except Exception as error:
        # out of memory, for example: the video ends, the window stays
        recording.error = describe(error)
        return None
