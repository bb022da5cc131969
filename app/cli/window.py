"""An interactive viewer for MJCF and URDF models with its own physics engine.

Without a model it opens the gallery of bundled scenes. Without a screen it says so and records a short video instead.
"""

from __future__ import annotations

import argparse
import gc
import os
import shlex
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from app import __version__
from app.cli import EXIT_BAD_INPUT, EXIT_OK
from app.cli.arguments import add_camera, add_engine, add_key, add_model, existing, free_camera, progress_bar
from app.files.recordings import is_recording
from app.files.resources import bundled_scenes
from app.run.commands import open_command
from sim.user_error import UserError

if TYPE_CHECKING:
    from app.model.views import ModelView
    from app.run.sim_thread import SimThread
    from app.view.input.opening import Opening
    from app.view.session.restart import Handover, Restart
    from app.view.session.session import Session

# a file that takes longer to load gets its window first
FIRST_LOAD_SECONDS = 2.0
VIDEO_SIZE, VIDEO_SECONDS, VIDEO_FPS = (640, 400), 3.0, 25
# Ctrl+C, kill, and a closed terminal
ENDINGS = [getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """MODEL, and how to start."""
    parser.add_argument("--version", action="version", version=f"kinetoscope {__version__}")
    add_model(parser, optional=True)
    add_engine(parser)
    parser.add_argument("--paused", action="store_true", help="open paused")
    add_key(parser)
    add_camera(parser)
    parser.add_argument("--panels", type=Path, metavar="FILE", help="a Python file with your own panels")
    # a session that goes on, and the process that has it now: app/view/session/restart.py
    parser.add_argument("--resume", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--handover", default="", help=argparse.SUPPRESS)


def run(options: argparse.Namespace) -> int:
    """Open the window, or record a video if there is no screen."""
    session = _session(options.resume) if options.resume is not None else None
    bare = options.model is None and session is None
    if session is not None:
        # a file that is gone or broken is reported in the window
        path = Path(session.run.path)
    else:
        path = bundled_scenes()[0].path if bare else existing(options.model)
    if sys.platform.startswith("linux") and not (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")):
        return _video_instead(path, options, "there is no screen (DISPLAY is not set)")
    from app.view.session.restart import Handover, Restart

    # watched first: a file that is saved while the rest is imported is noticed
    restart = Restart()
    handover = Handover(options.resume, options.handover) if options.handover else None
    return _window(path, options, bare, restart, session, handover)


def _session(file: Path) -> Session:
    """The session to go on with."""
    from app.view.session.session_file import read_session

    try:
        return read_session(file)
    except ValueError as error:
        raise UserError(f"{file}: the session cannot be restored: {error}") from error


def _window(
    path: Path,
    options: argparse.Namespace,
    bare: bool,
    restart: Restart,
    session: Session | None,
    handover: Handover | None,
) -> int:
    """Run the window until it is closed, and let the process go on that has taken over, if one has."""
    # what is imported stays: to look for garbage among it again and again takes a tenth of the start
    gc.disable()
    import sim
    from app.run.commands import restore_command
    from app.run.engine.choice import engine_named
    from app.run.sim_thread import SimThread

    # says at once if it is not there
    engine_named(options.engine)
    free = free_camera(options)
    # the file is loaded while the window's libraries are imported
    simulation = SimThread(sim, paused=options.paused)
    simulation.start()
    if session is not None and handover is None:
        simulation.send(restore_command(session.run))
    else:
        opened = open_command(path, options.engine)
        simulation.send(opened if options.key is None else replace(opened, start_key=options.key))
    from app.application import Application
    from app.ui.window import NoScreen
    from app.view.input.opening import Opening
    from app.view.session.sessions import Sessions

    opening = Opening(options.key, options.camera, free)
    first = simulation.wait_for_model(FIRST_LOAD_SECONDS)
    if first.model is not None:
        _check(opening, first.model, simulation)
    broken = first.run.problem if first.model is None else None
    if broken is not None:
        # the window says so too, and opens the file when it is saved
        print(f"kinetoscope: {broken.title}\n{broken.text}", file=sys.stderr)
    sessions = Sessions(simulation, restart, session, handover)
    try:
        application = Application(simulation, sessions=sessions)
    except NoScreen as reason:
        sessions.close()
        simulation.close()
        return EXIT_BAD_INPUT if broken is not None else _video_instead(path, options, str(reason))
    finally:
        gc.freeze()
        gc.enable()
    opening.begin(application)
    if options.panels is not None:
        application.load_panels(options.panels)
    application.view.ui.show_gallery = bare
    signals: list[int] = []
    with _closed_by_signals(application.close, signals):
        application.run()
    sessions.close(interrupted=bool(signals))
    restart.finish()
    return EXIT_OK


def _check(opening: Opening, model: ModelView, simulation: SimThread) -> None:
    """End at once if the model has no such keyframe, camera or body: the message is better read in the terminal."""
    try:
        opening.check(model)
    except UserError:
        simulation.close()
        raise


@contextmanager
def _closed_by_signals(close: Callable[[], None], received: list[int]) -> Iterator[None]:
    """Let a signal close the window, so that videos and settings are saved; the second one ends the process at once."""

    def end(number: int, _: object) -> None:
        signal.signal(number, before[number])
        received.append(number)
        close()

    # a signal that is ignored, by nohup for example, stays ignored
    handled = [number for number in ENDINGS if signal.getsignal(number) not in (signal.SIG_IGN, None)]
    before = {number: signal.signal(number, end) for number in handled}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _video_instead(path: Path, options: argparse.Namespace, reason: str) -> int:
    """Without a screen: say so, and record a video; a recording is not simulated again."""
    if is_recording(path):
        raise UserError(f"{reason}; kinetoscope record {shlex.quote(str(path))} -o video.mp4 makes a video of it")
    from app.files.output import unused_path
    from app.render.capture.recorder import CaptureOptions, record_video
    from app.render.device import DeviceError
    from app.run.engine.choice import engine_named

    out = unused_path(Path.cwd() / f"{path.stem}.mp4")
    try:
        with progress_bar("loading") as progress:
            capture = CaptureOptions(VIDEO_SIZE, options.camera, (), free_camera(options), options.key)
            record_video(engine_named(options.engine), path, out, capture, VIDEO_SECONDS, VIDEO_FPS, progress)
    except DeviceError as error:
        raise DeviceError(f"{reason}, and {error}") from error
    print(f"kinetoscope: {reason}, so {VIDEO_SECONDS:g} s of the scene were recorded to {out} instead.")
    return EXIT_OK
