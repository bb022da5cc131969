"""An interactive viewer for MJCF models with its own physics engine.

Without a model it opens on the gallery of bundled scenes. Without a screen it says so in one sentence, leaves a
short video beside it instead, and ends well.
"""

from __future__ import annotations

import argparse
import os
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from app import __version__
from app.cli import EXIT_BAD_INPUT, EXIT_OK
from app.cli.arguments import add_model, existing, progress_bar
from app.files.resources import bundled_scenes
from app.run.commands import open_command

if TYPE_CHECKING:
    from app.session.restart import Restart

# a file that takes longer to read gets its window first
FIRST_LOAD_SECONDS = 2.0
VIDEO_SIZE, VIDEO_SECONDS, VIDEO_FPS = (640, 400), 3.0, 25
# Ctrl+C, a polite kill, and the terminal being closed
ENDINGS = [getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """MODEL, and how to start."""
    parser.add_argument("--version", action="version", version=f"kinetoscope {__version__}")
    add_model(parser, optional=True)
    parser.add_argument("--paused", action="store_true", help="open paused")
    # what a run before this one has left: app/session/restart.py
    parser.add_argument("--resume", type=Path, help=argparse.SUPPRESS)


def run(options: argparse.Namespace) -> int:
    """The window, or a video where there is none."""
    bare = options.model is None
    # who was at work when the file went or broke wants to see that in the window
    named = existing if options.resume is None else Path
    path = bundled_scenes()[0].path if bare else named(options.model)
    if sys.platform.startswith("linux") and not (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")):
        return _video_instead(path, "there is no screen (DISPLAY is not set)")
    from app.session.restart import Restart

    # watched first: what is saved while the rest is read is noticed
    restart = Restart(options.resume)
    try:
        return _window(path, options.paused, bare, restart)
    except Exception:
        if restart.resume_command:
            print(f"kinetoscope: what was on the screen can be had again:\n{restart.resume_command}", file=sys.stderr)
        raise


def _window(path: Path, paused: bool, bare: bool, restart: Restart) -> int:
    """The window, until it is closed or has to be another one."""
    import sim
    from app.run.sim_thread import SimThread

    # the file is read while the window's libraries are
    simulation = SimThread(sim, paused=paused)
    simulation.start()
    simulation.send(open_command(path))
    from app.application import Application
    from app.ui.window import NoScreen

    first = simulation.wait_for_model(FIRST_LOAD_SECONDS)
    if first.model is None and first.run.problem is not None and restart.session is None:
        print(f"kinetoscope: {first.run.problem.title}\n{first.run.problem.text}", file=sys.stderr)
        return EXIT_BAD_INPUT
    try:
        application = Application(simulation, restart=restart)
    except NoScreen as reason:
        simulation.close()
        return _video_instead(path, str(reason))
    application.view.ui.show_gallery = bare
    with _closed_by_signals(application.close):
        application.run()
    restart.exec_()
    return EXIT_OK


@contextmanager
def _closed_by_signals(close: Callable[[], None]) -> Iterator[None]:
    """What ends the process closes the window first, so that films and settings are saved; the second time, at once."""

    def end(number: int, _: object) -> None:
        signal.signal(number, before[number])
        close()

    # what the user had ignored, by nohup for example, stays so
    minded = [number for number in ENDINGS if signal.getsignal(number) not in (signal.SIG_IGN, None)]
    before = {number: signal.signal(number, end) for number in minded}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _video_instead(path: Path, reason: str) -> int:
    """Without a screen: say so in one sentence and leave a video."""
    import sim
    from app.capture.recorder import CaptureOptions, record_video
    from app.files.output import unused_path
    from app.render.device import DeviceError

    out = unused_path(Path.cwd() / f"{path.stem}.mp4")
    try:
        with progress_bar("reading") as progress:
            record_video(sim, path, out, CaptureOptions(VIDEO_SIZE), VIDEO_SECONDS, VIDEO_FPS, progress)
    except DeviceError as error:
        raise DeviceError(f"{reason}, and {error}") from error
    print(f"kinetoscope: {reason}, so {VIDEO_SECONDS:g} s of the scene were recorded in {out} instead.")
    return EXIT_OK
