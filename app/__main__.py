"""The command line: `kinetoscope [MODEL]` opens the viewer, sub-commands work without a window.

Errors that a user can cause are one readable message and exit code 1. Without a screen, opening a model
says so in one sentence, leaves a picture instead and ends well.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from app import __version__
from app.resources import bundled_scenes, find_scene, open_command

COMMANDS = ("render", "scenes", "warmup", "cache")
EXIT_OK, EXIT_BAD_INPUT = 0, 1
# a file that takes longer to read gets its window first
FIRST_LOAD_SECONDS = 2.0


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; returns the exit code."""
    arguments = list(sys.argv[1:] if arguments is None else arguments)
    command = arguments[0] if arguments and arguments[0] in COMMANDS else "open"
    options = _parser(command).parse_args(arguments if command == "open" else arguments[1:])
    try:
        return RUN[command](options)
    except KeyboardInterrupt:
        return EXIT_OK
    except Exception as error:
        if type(error).__name__ not in USER_ERRORS:
            raise
        print(f"kinetoscope: {error}", file=sys.stderr)
        return EXIT_BAD_INPUT


# what a user can cause; anything else is a defect and keeps its trace
USER_ERRORS = {
    "MjcfError", "FileNotFoundError", "IsADirectoryError", "PermissionError", "DeviceError", "NoSuchCamera",
    "CompileError",
}  # fmt: skip


def _parser(command: str) -> argparse.ArgumentParser:
    """The parser of one command."""
    if command == "open":
        parser = argparse.ArgumentParser(prog="kinetoscope", description=OPEN_HELP, epilog=EPILOG)
        parser.add_argument("--version", action="version", version=f"kinetoscope {__version__}")
        parser.add_argument("model", nargs="?", metavar="MODEL", help="MJCF file or bundled scene")
        parser.add_argument("--paused", action="store_true", help="do not start running")
        return parser
    parser = argparse.ArgumentParser(prog=f"kinetoscope {command}", description=HELP[command])
    if command == "render":
        parser.add_argument("model", metavar="MODEL", help="MJCF file or bundled scene")
        parser.add_argument("--out", "-o", type=Path, required=True, metavar="FILE", help="PNG to write")
        parser.add_argument("--size", type=_size, default=(1280, 800), metavar="WxH", help="default 1280x800")
        parser.add_argument("--time", type=float, default=0.0, metavar="T", help="simulated seconds before it")
        parser.add_argument("--camera", metavar="NAME", help="a camera of the model; default the free camera")
        parser.add_argument("--show", type=_shown, default=(), metavar="A,B", help="any of contacts, forces")
    if command == "cache":
        parser.add_argument("--clear", action="store_true", help="delete all compiled kernels")
    return parser


OPEN_HELP = "An interactive viewer for MJCF models with its own physics engine."
HELP = {
    "render": "Render a picture off screen.",
    "scenes": "List the bundled scenes.",
    "warmup": "Compile all kernels of the engine now.",
    "cache": "Show or clear the compiled kernels.",
}
EPILOG = "commands: " + "; ".join(f"{name}: {text}" for name, text in HELP.items())


def _size(text: str) -> tuple[int, int]:
    """1280x800 -> (1280, 800)."""
    width, _, height = text.lower().partition("x")
    if not (width.isdigit() and height.isdigit() and 0 < int(width) <= 16384 and 0 < int(height) <= 16384):
        raise argparse.ArgumentTypeError(f"'{text}' is not a size such as 1280x800")
    return int(width), int(height)


def _shown(text: str) -> tuple[str, ...]:
    """contacts,forces -> (contacts, forces)."""
    names = tuple(name.strip() for name in text.split(",") if name.strip())
    unknown = [name for name in names if name not in ("contacts", "forces")]
    if unknown:
        raise argparse.ArgumentTypeError(f"'{unknown[0]}' is none of contacts, forces")
    return names


def _existing(text: str | None) -> Path:
    """The file that is meant, or the first bundled scene; FileNotFoundError names what was looked for."""
    path = find_scene(text) if text is not None else bundled_scenes()[0].path
    if not path.is_file():
        names = ", ".join(scene.name for scene in bundled_scenes())
        raise FileNotFoundError(f"there is no file '{path}'; bundled scenes: {names}")
    return path


def _open(options: argparse.Namespace) -> int:
    """The window, or a picture where there is none."""
    import sim

    path = _existing(options.model)
    if sys.platform.startswith("linux") and not (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")):
        return _picture_instead(path, "there is no screen (DISPLAY is not set)")
    from app.sim_thread import SimThread

    # the file is read while the window's libraries are
    simulation = SimThread(sim, paused=options.paused)
    simulation.start()
    simulation.send(open_command(path))
    from app.application import Application
    from app.window import NoScreen

    first = simulation.wait_for_model(FIRST_LOAD_SECONDS)
    if first.model is None and first.run.problem is not None:
        print(f"kinetoscope: {first.run.problem.title}\n{first.run.problem.text}", file=sys.stderr)
        return EXIT_BAD_INPUT
    try:
        application = Application(simulation)
    except NoScreen as reason:
        simulation.close()
        return _picture_instead(path, str(reason))
    application.run()
    return EXIT_OK


def _picture_instead(path: Path, reason: str) -> int:
    """Without a screen: say so in one sentence and leave a picture."""
    import sim
    from app.recorder import render_picture

    out = Path.cwd() / f"{path.stem}.png"
    render_picture(sim, path, out)
    print(f"kinetoscope: {reason}, so the scene was drawn to {out} instead.")
    return EXIT_OK


def _render(options: argparse.Namespace) -> int:
    """One picture, off screen."""
    import sim
    from app.recorder import render_picture

    render_picture(sim, _existing(options.model), options.out, options.size, options.time, options.camera, options.show)
    print(options.out)
    return EXIT_OK


def _scenes(_: argparse.Namespace) -> int:
    """Name and caption of every bundled scene."""
    for scene in bundled_scenes():
        print(f"{scene.name:<18}{scene.caption}")
    return EXIT_OK


def _warmup(_: argparse.Namespace) -> int:
    """Compile everything, with a bar."""
    from rich.progress import Progress

    from sim.jit.warmup import warmup

    with Progress() as bar:
        task = bar.add_task("kernels", total=None)

        def progress(done: int, total: int, label: str) -> None:
            bar.update(task, completed=done, total=total, description=label)

        count = warmup(progress=progress)
    print(f"{count} kernels are ready.")
    return EXIT_OK


def _cache(options: argparse.Namespace) -> int:
    """What is compiled, or nothing any more."""
    from sim.jit import cache

    if options.clear:
        print(f"deleted {cache.clear()} compiled kernels in {cache.folder()}")
        return EXIT_OK
    entries = cache.entries()
    for name, size in entries:
        print(f"{size / 1024:8.1f} kB  {name}")
    print(f"{len(entries)} compiled kernels, {sum(size for _, size in entries) / 1e6:.1f} MB, in {cache.folder()}")
    return EXIT_OK


RUN: dict[str, Callable[[argparse.Namespace], int]] = {
    "open": _open,
    "render": _render,
    "scenes": _scenes,
    "warmup": _warmup,
    "cache": _cache,
}

if __name__ == "__main__":
    sys.exit(main())
