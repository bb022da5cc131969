"""Filming the window: the pictures it draws, as a video at a constant rate of simulated or of wall time.

Frames are taken where they are drawn, with or without panels, and encoded on a thread of their own. A picture that
stays on the screen for longer than a frame is written again, one that is replaced sooner is left out, so that the
video runs as fast as the clock that was chosen, however fast the window draws. In simulated time the run waits at
the moment of each frame until it is drawn: every frame is a picture of its own.
"""

from __future__ import annotations

import queue
import threading
import time
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from app.commands import HoldAt
from app.files import dated, place, reason
from app.render.device import read_screen
from app.state import FilmOptions
from app.video import Pixels, VideoError, VideoWriter

if TYPE_CHECKING:
    from app.application import Application

# pictures that may wait for the encoder before the window waits too
WAITING_FRAMES = 8
# longer gaps are cuts: the clock was set back, or the user was away
LONGEST_REPEAT = 10.0


class Film:
    """One video in the making."""

    def __init__(self, path: Path, size: tuple[int, int], options: FilmOptions) -> None:
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

    def take(self, pixels: Pixels, count: int) -> None:
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


def toggle(app: Application) -> None:
    """Begin to film, or end it; says so in the status line."""
    if app.view.film is not None:
        end(app)
        return
    # the menu may change them for the next one meanwhile
    options = replace(app.view.film_options)
    _, _, width, height = _box(app, options.panels)
    suffix = "gif" if options.gif else "mp4"
    try:
        path = dated("kinetoscope", suffix)
        app.view.film = Film(path, (max(width, 2), max(height, 2)), options)
        app.view.say(f"recording {path}")
    except VideoError as error:
        app.report("The video could not be recorded", str(error))
    except OSError as error:
        app.report("The video could not be recorded", f"{place()}: {reason(error)}")


def end(app: Application) -> None:
    """End the video, if there is one."""
    film, app.view.film = app.view.film, None
    if film is not None:
        app.send(HoldAt(None))
        film.finish()
        app.view.say(f"saved {film.path}" if film.seconds else "nothing was recorded")
        if film.error:
            app.report("The video was cut off", film.error)


def shoot(app: Application, panels: bool) -> None:
    """Take the picture that has just been drawn, if the film wants it in this state of the frame."""
    film = app.view.film
    if film is None or film.options.panels != panels:
        return
    if film.error:
        end(app)
        return
    box = _box(app, panels)
    count = film.due(time.perf_counter() if film.options.wall_time else app.snapshot.run.time)
    if not film.options.wall_time:
        app.send(HoldAt(film.next_due))
    if count and min(box[2:]) > 0:
        film.take(read_screen(app.context, app.window.get_framebuffer_size(), box), count)


def _box(app: Application, panels: bool) -> tuple[int, int, int, int]:
    """What is filmed of the window, in pixels from the lower left: all of it, or the picture alone."""
    width, height = app.window.get_framebuffer_size()
    return (0, 0, width, height) if panels else app.pixels(app.rect)
