"""The part of `kinetoscope export` that writes replays: a page, animated glTF, or a folder with all bundled scenes."""

from __future__ import annotations

import argparse
import sys
import warnings
from pathlib import Path
from typing import TYPE_CHECKING, Any

from app.cli import EXIT_OK
from app.cli.arguments import existing, frame_rate, positive, progress_bar

if TYPE_CHECKING:
    from sim.model import Model

FPS = 60
# options of a moment, and their defaults
OF_MOMENT: dict[str, Any] = {"time": None, "ask": [], "steps": 10, "tolerance": 1e-6, "text": "", "no_check": False}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Range, frame rate, plots, gallery."""
    group = parser.add_argument_group("for a replay (.html, .glb)")
    group.add_argument("--seconds", type=positive, metavar="T", help="simulated seconds; default 5, or all")
    group.add_argument("--fps", type=frame_rate, metavar="N", help=f"frames per second; default {FPS}")
    group.add_argument("--from", dest="start", type=float, metavar="T", help="of a recording: time of the first frame")
    group.add_argument("--to", dest="end", type=float, metavar="T", help="of a recording: time of the last frame")
    group.add_argument("--plot", action="append", default=[], metavar="EXPR", help="an expression to plot; repeatable")
    group.add_argument("--title", default="", help="page title; default: the model's name")
    group.add_argument("--doctor", action="store_true", help="include the doctor's findings about the model")
    group.add_argument(
        "--gallery", type=Path, metavar="FOLDER", help="export replays of all bundled scenes, and an index page"
    )


def is_replay(options: argparse.Namespace) -> bool:
    """Whether a replay is asked for."""
    from app.web.replay import SUFFIXES

    return options.gallery is not None or options.out.suffix.lower() in SUFFIXES


def check_moment(options: argparse.Namespace) -> None:
    """UserError if a moment is exported with options of a replay."""
    from sim.user_error import UserError

    names = {"start": "from", "end": "to"}
    for name in ("seconds", "fps", "start", "end", "plot", "title", "doctor"):
        if getattr(options, name):
            raise UserError(f"--{names.get(name, name)} is for a replay: set --out to a .html or .glb file")


def run(options: argparse.Namespace) -> int:
    """Write one replay, and say how large it is and how exact; or the gallery."""
    from app.web.replay import Replay
    from sim.user_error import UserError

    for name, default in OF_MOMENT.items():
        if getattr(options, name) != default:
            raise UserError(
                f"--{name.replace('_', '-')} is for a single state: a replay takes --seconds, --from and --to"
            )
    if options.gallery is not None:
        return _gallery(options)
    path = existing(options.model)
    branch = int(options.branch) if options.branch and options.branch.isdecimal() else options.branch
    with progress_bar("loading") as progress:
        replay = Replay(
            path,
            options.seconds,
            start=options.start,
            end=options.end,
            branch=branch,
            fps=options.fps or FPS,
            plots=options.plot,
            title=options.title,
            key=options.key,
            engine=options.engine,
            progress=progress,
            remarks=_findings if options.doctor else None,
        )
        replay.save(options.out)
    for warning in replay.warnings:
        print(f"kinetoscope: {warning}", file=sys.stderr)
    print(f"{options.out} ({summary(replay, options.out)})")
    return EXIT_OK


def summary(replay: Any, out: Path) -> str:
    """Frames, bytes and errors of a replay."""
    content, errors = replay.content, replay.content.errors
    count = content.header["time"]["count"]
    size = f"{out.stat().st_size / 1e6:.2f} MB"
    return f"{count} frame{'s' * (count != 1)}, {size}, to {1e3 * errors.position:.2g} mm and {errors.angle:.2g}°"


def _findings(model: Model) -> list[tuple[str, str]]:
    """What the doctor finds: severity and sentence."""
    from app.instruments.doctor.examine import examine

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return [(finding.severity.name.lower(), finding.title) for finding in examine(model)]


def _gallery(options: argparse.Namespace) -> int:
    """All bundled scenes, and a page that lists them."""
    from app.web.gallery import write_gallery
    from sim.user_error import UserError

    if options.model is not None or options.out is not None:
        raise UserError("--gallery exports all bundled scenes: leave out MODEL and --out")
    remarks = _findings if options.doctor else None
    with progress_bar("scenes") as progress:
        files = write_gallery(options.gallery, options.seconds, options.fps or FPS, progress, remarks)
    total = sum(file.stat().st_size for file in files)
    print(f"{options.gallery / 'index.html'} ({len(files)} files, {total / 1e6:.1f} MB)")
    return EXIT_OK
