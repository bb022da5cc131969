"""Filming the window: begin, take what was drawn, end.

Frames are taken where they are drawn, with or without panels. In simulated time the run waits at the moment of each
frame until it is drawn: every frame is a picture of its own.
"""

from __future__ import annotations

import time
from dataclasses import replace

from app.capture.recording import VideoRecording
from app.capture.video import VideoError
from app.files.output import dated, place, reason
from app.input.desk import Desk
from app.run.commands import HoldAt


def toggle(desk: Desk) -> None:
    """Begin to film, or end it; says so in the status line."""
    if desk.view.film is not None:
        end(desk)
        return
    # the menu may change them for the next one meanwhile
    options = replace(desk.view.film_options)
    _, _, width, height = desk.frame_box(options.panels)
    suffix = "gif" if options.gif else "mp4"
    try:
        path = dated("kinetoscope", suffix)
        desk.view.film = VideoRecording(path, (max(width, 2), max(height, 2)), options)
        desk.view.feedback.show_message(f"recording {path}")
    except VideoError as error:
        desk.report("The video could not be recorded", str(error))
    except OSError as error:
        desk.report("The video could not be recorded", f"{place()}: {reason(error)}")


def end(desk: Desk) -> None:
    """End the video, if there is one."""
    film, desk.view.film = desk.view.film, None
    if film is not None:
        desk.send(HoldAt(None))
        film.finish()
        desk.view.feedback.show_message(f"saved {film.path}" if film.seconds else "nothing was recorded")
        if film.error:
            desk.report("The video was cut off", film.error)


def shoot(desk: Desk, panels: bool) -> None:
    """Take the picture that has just been drawn, if the film wants it in this state of the frame."""
    film = desk.view.film
    if film is None or film.options.panels != panels:
        return
    if film.error:
        end(desk)
        return
    box = desk.frame_box(panels)
    count = film.due(time.perf_counter() if film.options.wall_time else desk.snapshot.run.time)
    if not film.options.wall_time:
        desk.send(HoldAt(film.next_due))
    if count and min(box[2:]) > 0:
        film.append(desk.read_frame(box), count)
