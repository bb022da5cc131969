"""An interactive viewer for MJCF and URDF models with its own physics engine.

Without a model it opens the gallery of bundled scenes. Without a screen it is shown in a browser; where nobody reads
what it prints, as in CI, it records a short video instead.
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
from getpass import getpass
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
    from app.ui.windows import WebWish
    from app.view.input.opening import Opening
    from app.view.session.restart import Handover, Restart
    from app.view.session.session import Session

# a file that takes longer to load gets its window first
FIRST_LOAD_SECONDS = 2.0
# options that mean nothing without --web
WEB_OPTIONS = ("port", "host", "password", "token", "origin", "tls_cert", "tls_key")
# characters of a password
LEAST_PASSWORD = 8
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
    _add_web(parser)
    # a session that goes on, and the process that has it now: app/view/session/restart.py
    parser.add_argument("--resume", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--handover", default="", help=argparse.SUPPRESS)


def _add_web(parser: argparse.ArgumentParser) -> None:
    """How to be shown in a browser."""
    web = parser.add_argument_group("in a browser")
    web.add_argument("--web", action="store_true", help="show the viewer in a browser, at the address that is printed")
    web.add_argument("--port", type=_port, metavar="N", help="the port, if not the first free one from 8765 on")
    web.add_argument("--host", default="", metavar="ADDRESS", help="let other machines in, by this address of yours")
    web.add_argument("--password", default="", metavar="WORD", help="what others have to know; - asks for it")
    web.add_argument("--token", action="store_true", help="or only the address that is printed, with its secret")
    web.add_argument(
        "--origin", action="append", default=[], metavar="URL", help="where a proxy shows the page, if it is refused"
    )
    web.add_argument("--tls-cert", type=Path, metavar="FILE", help="serve https with this certificate")
    web.add_argument("--tls-key", type=Path, metavar="FILE", help="its key, if that is another file")


def _port(text: str) -> int:
    """A number of a port."""
    if not (text.isascii() and text.isdigit() and int(text) < 1 << 16):
        raise argparse.ArgumentTypeError(f"{text} is not a port: 0 to 65535")
    return int(text)


def web_wish(options: argparse.Namespace) -> WebWish | None:
    """How to be shown in a browser; None: in a window."""
    given = [name for name in WEB_OPTIONS if getattr(options, name)]
    if not options.web:
        if given:
            raise UserError(f"--{given[0].replace('_', '-')} is for a viewer in a browser: add --web")
        return None
    if options.password and options.token:
        raise UserError("--password or --token, not both")
    if bool(options.host) != bool(options.password or options.token):
        raise UserError(
            "--host lets other machines in: add --password WORD, or --token to let in who has the printed address"
            if options.host
            else "--password and --token are for other machines: add --host, 0.0.0.0 for any address of this one"
        )
    password = getpass("password: ") if options.password == "-" else options.password
    if options.password and len(password) < LEAST_PASSWORD:
        raise UserError(f"the password is too easily guessed: it needs {LEAST_PASSWORD} characters")
    from app.ui.windows import LOOPBACK, WebWish

    return WebWish(
        options.host or LOOPBACK,
        options.port,
        password,
        tuple(options.origin),
        options.tls_cert,
        options.tls_key,
        bool(options.handover),
    )


def run(options: argparse.Namespace) -> int:
    """Open the window, or show it in a browser."""
    web = web_wish(options)
    session = _session(options.resume) if options.resume is not None else None
    bare = options.model is None and session is None
    if session is not None:
        # a file that is gone or broken is reported in the window
        path = Path(session.run.path)
    else:
        path = bundled_scenes()[0].path if bare else existing(options.model)
    screen = os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")
    if web is None and sys.platform.startswith("linux") and not screen:
        reason = "there is no screen (DISPLAY is not set)"
        if not _is_read():
            return _video_instead(path, options, reason)
        from app.ui.windows import WebWish

        print(f"kinetoscope: {reason}, so the viewer is shown in a browser.")
        web = WebWish(resumes=bool(options.handover))
    from app.view.session.restart import Handover, Restart

    # watched first: a file that is saved while the rest is imported is noticed
    restart = Restart()
    handover = Handover(options.resume, options.handover) if options.handover else None
    return _window(path, options, bare, restart, session, handover, web)


def _is_read() -> bool:
    """Whether somebody reads what is printed, and can open an address."""
    return sys.stdout.isatty() and not os.environ.get("CI")


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
    web: WebWish | None,
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
    opened = replace(open_command(path, options.engine), **({} if options.key is None else {"start_key": options.key}))
    simulation.send(opened if session is None or handover is not None else restore_command(session.run))
    from app.application import Application
    from app.ui.windows import NoScreen, WindowWish
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
        application = Application(simulation, sessions=sessions, wish=WindowWish(web=web))
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
