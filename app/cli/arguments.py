"""Arguments that several commands share: models, cameras, image sizes, visual flags; and the progress bar."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from difflib import get_close_matches
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING

from app.files.resources import bundled_scenes, find_scene
from app.run.engine.names import KINETOSCOPE, NAMES

if TYPE_CHECKING:
    from app.render.capture.free_camera import FreeCamera

MAX_FPS = 240
# options whose numbers may be negative
NUMBERS = ("--lookat", "--azimuth", "--elevation")
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
        help="physics engine: Kinetoscope's own, or the installed MuJoCo; default: ours where possible",
    )


def add_key(parser: argparse.ArgumentParser) -> None:
    """--key."""
    parser.add_argument("--key", metavar="NAME", help="keyframe to start in, by name or number")


def add_camera(parser: argparse.ArgumentParser) -> None:
    """A camera of the model, or the numbers of the free camera."""
    group = parser.add_argument_group("camera", "a camera of the model, or the free camera; default: set by the model")
    group.add_argument("--camera", metavar="NAME", help="a camera of the model, by name or number")
    group.add_argument("--lookat", type=point, metavar="X,Y,Z", help="point that the free camera looks at, m")
    group.add_argument("--distance", type=positive, metavar="D", help="distance of the free camera from that point, m")
    group.add_argument("--azimuth", type=number, metavar="A", help="viewing direction, degrees; 90 is along y")
    group.add_argument("--elevation", type=number, metavar="E", help="degrees: 0 level, -90 straight down")
    group.add_argument("--track", metavar="BODY", help="body that the free camera follows, by name or number")


def add_image_options(parser: argparse.ArgumentParser, size: str) -> None:
    """Keyframe, size, visual flags and camera of an image; `size` is the default in words."""
    add_key(parser)
    parser.add_argument("--size", type=size_of, metavar="WxH", help=f"size in pixels; default {size}")
    parser.add_argument(
        "--show",
        type=shown,
        default=(),
        metavar="A,B",
        help="visual flags: contacts, forces, islands, cones, ...",
    )
    add_camera(parser)


def free_camera(options: argparse.Namespace) -> FreeCamera:
    """The free camera that is asked for; UserError if it does not go with --camera."""
    from app.render.capture.free_camera import FreeCamera, check_camera

    free = FreeCamera(options.lookat, options.distance, options.azimuth, options.elevation, options.track)
    check_camera(options.camera, free)
    return free


def joined_numbers(arguments: Sequence[str]) -> list[str]:
    """The arguments, with the numbers of a camera joined to their option: -1,0,2 would be taken for another option.

    `--lookat 1 0 2` becomes `--lookat=1,0,2`.
    """
    joined, rest = list[str](), list(arguments)
    while rest:
        argument = rest.pop(0)
        if argument in NUMBERS:
            most = 3 if argument == "--lookat" and rest and _is_number(rest[0]) else 1
            taken = next((k for k, text in enumerate(rest[:most]) if most == 3 and not _is_number(text)), most)
            values = [rest.pop(0) for _ in range(min(taken, len(rest)))]
            joined.append(f"{argument}={','.join(values)}" if values else argument)
        else:
            joined.append(argument)
    return joined


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def existing(text: str) -> Path:
    """The model file; FileNotFoundError names what was searched for."""
    path = find_scene(text)
    if path.is_dir():
        raise IsADirectoryError(f"'{path}' is a folder: specify a model file in it")
    if not path.is_file():
        beside = [other.name for other in path.parent.iterdir()] if path.parent.is_dir() else []
        near = get_close_matches(path.name, [*beside, *(scene.name for scene in bundled_scenes())], 2)
        meant = f"did you mean {' or '.join(near)}? " if near else ""
        raise FileNotFoundError(f"file '{path}' does not exist; {meant}`kinetoscope scenes` lists the bundled ones")
    return path


def size_of(text: str) -> tuple[int, int]:
    """1280x800 -> (1280, 800)."""
    from app.render.capture.frame_size import parse_size, size_fault

    size = parse_size(text)
    if size is None:
        raise argparse.ArgumentTypeError(f"'{text}' is not a size such as 1280x800")
    if fault := size_fault(size):
        raise argparse.ArgumentTypeError(fault)
    return size


def point(text: str) -> tuple[float, float, float]:
    """0,0,1 or 0 0 1 -> (0, 0, 1)."""
    parts = text.replace(",", " ").split()
    if len(parts) != 3 or not all(_is_number(part) and isfinite(float(part)) for part in parts):
        raise argparse.ArgumentTypeError(f"'{text}' is not a point such as 0,0,1.5")
    return float(parts[0]), float(parts[1]), float(parts[2])


def number(text: str) -> float:
    """A finite number."""
    if not (_is_number(text) and isfinite(float(text))):
        raise argparse.ArgumentTypeError(f"'{text}' is not a number")
    return float(text)


def shown(text: str) -> tuple[str, ...]:
    """contacts,forces -> (contacts, forces)."""
    from app.render.capture.recorder import SHOW

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
        raise argparse.ArgumentTypeError(f"'{text}' is not a positive number")
    return value


def not_negative(text: str) -> float:
    """A number of at least zero."""
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0 <= value < float("inf"):
        raise argparse.ArgumentTypeError(f"'{text}' is not zero or a positive number")
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
