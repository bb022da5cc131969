"""Arguments that several commands share: models, image sizes, visual flags; and the progress bar."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from app.engine.names import KINETOSCOPE, NAMES
from app.files.resources import bundled_scenes, find_scene

MAX_LENGTH = 16384
MAX_FPS = 240
IMAGE_SUFFIXES = (".png", ".jpg", ".jpeg", ".webp", ".bmp", ".tif", ".tiff")


# called with done, total and a label
Progress = Callable[[int, int, str], None]


def add_model(parser: argparse.ArgumentParser, optional: bool = False) -> None:
    """The positional MODEL."""
    parser.add_argument(
        "model",
        nargs="?" if optional else None,
        metavar="MODEL",
        help="bundled scene, or model file: MJCF, URDF or archive; or a recording, .ktr",
    )


def add_engine(parser: argparse.ArgumentParser) -> None:
    """Which engine."""
    parser.add_argument(
        "--engine",
        choices=NAMES,
        default=KINETOSCOPE,
        help="what simulates: Kinetoscope's own engine, or the installed MuJoCo; default: ours where it can",
    )


def add_image_options(parser: argparse.ArgumentParser, size: tuple[int, int]) -> None:
    """Size, camera and visual flags of an image."""
    default = f"size in pixels; default {size[0]}x{size[1]}"
    parser.add_argument("--size", type=size_of, default=size, metavar="WxH", help=default)
    parser.add_argument("--camera", metavar="NAME", help="a camera of the model; default: the free camera")
    parser.add_argument(
        "--show",
        type=shown,
        default=(),
        metavar="A,B",
        help="visual flags: contacts, forces, islands, cones, ...",
    )


def existing(text: str) -> Path:
    """The model file; FileNotFoundError names what was searched for."""
    path = find_scene(text)
    if path.is_dir():
        raise IsADirectoryError(f"'{path}' is a folder: name a model file in it")
    if not path.is_file():
        names = ", ".join(scene.name for scene in bundled_scenes())
        raise FileNotFoundError(f"file '{path}' does not exist; bundled scenes: {names}")
    return path


def size_of(text: str) -> tuple[int, int]:
    """1280x800 -> (1280, 800)."""
    width, _, height = text.lower().partition("x")
    if not all(part.isdigit() and 0 < int(part) <= MAX_LENGTH for part in (width, height)):
        raise argparse.ArgumentTypeError(f"'{text}' is not a size such as 1280x800")
    return int(width), int(height)


def shown(text: str) -> tuple[str, ...]:
    """contacts,forces -> (contacts, forces)."""
    from app.capture.recorder import SHOW

    names = tuple(name.strip() for name in text.split(",") if name.strip())
    unknown = [name for name in names if name not in SHOW]
    if unknown:
        raise argparse.ArgumentTypeError(f"'{unknown[0]}' is not one of {', '.join(SHOW)}")
    return names


def positive(text: str) -> float:
    """A number above zero."""
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 0 < value < float("inf"):
        raise argparse.ArgumentTypeError(f"'{text}' is not a number above zero")
    return value


def not_negative(text: str) -> float:
    """A number of at least zero."""
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0 <= value < float("inf"):
        raise argparse.ArgumentTypeError(f"'{text}' is not a number of at least zero")
    return value


def frame_rate(text: str) -> int:
    """Frames per second."""
    if not (text.isdecimal() and 1 <= int(text) <= MAX_FPS):
        raise argparse.ArgumentTypeError(f"'{text}' is not a whole number from 1 to {MAX_FPS}")
    return int(text)


def image_file(text: str) -> Path:
    """A file with the suffix of an image format."""
    path = Path(text)
    if path.suffix.lower() not in IMAGE_SUFFIXES:
        raise argparse.ArgumentTypeError(f"'{text}' must end in one of {', '.join(IMAGE_SUFFIXES)}")
    return path


@contextmanager
def progress_bar(what: str) -> Iterator[Progress]:
    """A progress bar on stderr, if that is a terminal; yields the function that moves it."""
    from rich.console import Console
    from rich.progress import Progress

    console = Console(stderr=True)
    with Progress(console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task(what, total=None)

        def move(done: int, total: int, label: str) -> None:
            bar.update(task, completed=done, total=total or None, description=label)

        yield move
