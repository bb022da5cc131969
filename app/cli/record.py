"""Record a video off screen, of a model or of a recording; or a recording of a run."""

from __future__ import annotations

import argparse
from pathlib import Path

from app.cli import EXIT_OK
from app.cli.arguments import (
    Progress,
    add_engine,
    add_image_options,
    add_model,
    existing,
    frame_rate,
    free_camera,
    positive,
    progress_bar,
)
from app.files.recordings import SUFFIX, VIDEO_SUFFIXES, is_recording

SIZE, FPS = (1280, 720), 60
# a gif is for pages and mails: small, unless more is asked for
GIF_SIZE, GIF_FPS = (640, 360), 25
SECONDS = 5.0


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Which model or recording, for how long, how."""
    add_model(parser)
    add_engine(parser)
    files = "file to write: a video (.mp4, .gif) or a recording (.ktr)"
    parser.add_argument("--out", "-o", type=Path, required=True, metavar="FILE", help=files)
    parser.add_argument("--seconds", type=positive, metavar="T", help=f"simulated seconds; default {SECONDS:g}, or all")
    parser.add_argument(
        "--fps", type=frame_rate, metavar="N", help=f"frames per second; default {FPS}, for a gif {GIF_FPS}"
    )
    add_image_options(parser, f"{SIZE[0]}x{SIZE[1]}, for a gif {GIF_SIZE[0]}x{GIF_SIZE[1]}")
    group = parser.add_argument_group("for a recording (MODEL is a .ktr, or a video with one embedded)")
    group.add_argument("--from", dest="start", type=float, metavar="T", help="simulated time of the first frame")
    group.add_argument("--to", dest="end", type=float, metavar="T", help="simulated time of the last frame")
    group.add_argument("--branch", metavar="NAME", help="name or number of a branch; default: the latest")
    group.add_argument("--carry", action="store_true", help="embed the recording in the video")


def run(options: argparse.Namespace) -> int:
    """Record one file, with a progress bar."""
    from app.render.capture.gif_palette import exact_rate
    from app.run.engine.choice import engine_named
    from sim.user_error import UserError

    path = existing(options.model)
    recorded, recording = is_recording(path), options.out.suffix.lower() == SUFFIX
    given = [name for name in ("start", "end", "branch", "carry") if getattr(options, name) not in (None, False)]
    if given and not recorded:
        raise UserError(f"--{'from' if given[0] == 'start' else given[0].replace('end', 'to')} is for recordings")
    if recorded and options.key is not None:
        raise UserError("--key is for models: for a recording, use --from")
    gif = options.out.suffix.lower() == ".gif"
    options.size = options.size or (GIF_SIZE if gif else SIZE)
    options.fps = options.fps or (GIF_FPS if gif else FPS)
    if options.out.suffix.lower() not in (*VIDEO_SUFFIXES, SUFFIX):
        raise UserError(f"'{options.out.name}' should end in one of {', '.join(VIDEO_SUFFIXES)} or {SUFFIX}")
    if recorded and recording:
        raise UserError(f"'{path}' is already a recording: set --out to a video file, .mp4 or .gif")
    with progress_bar("loading") as progress:
        if recorded:
            count, what = _film(options, path, progress), "frames"
        elif recording:
            from app.render.capture.recording_film import record_run

            engine, seconds = engine_named(options.engine), options.seconds or SECONDS
            count, what = record_run(engine, path, options.out, seconds, progress, options.key), "steps"
        else:
            count, what = _video(options, path, progress), "frames"
    print(f"{options.out} ({count} {what if count != 1 else what.removesuffix('s')})")
    if gif and exact_rate(options.fps) != options.fps:
        print(
            f"gif frames last whole hundredths of a second: the rate can be {exact_rate(options.fps)} frames/s, but "
            f"not {options.fps}"
        )
    return EXIT_OK


def _video(options: argparse.Namespace, path: Path, progress: Progress) -> int:
    """A video of a model."""
    from app.render.capture.recorder import CaptureOptions, record_video
    from app.run.engine.choice import engine_named

    capture = CaptureOptions(options.size, options.camera, options.show, free_camera(options), options.key)
    seconds = options.seconds or SECONDS
    return record_video(engine_named(options.engine), path, options.out, capture, seconds, options.fps, progress)


def _film(options: argparse.Namespace, path: Path, progress: Progress) -> int:
    """A video of a recording."""
    from app.render.capture.recorder import CaptureOptions
    from app.render.capture.recording_film import FilmRange, film_recording

    capture = CaptureOptions(options.size, options.camera, options.show, free_camera(options))
    end = options.end
    if options.seconds is not None:
        end = (options.start or 0.0) + options.seconds
    branch = int(options.branch) if options.branch and options.branch.isdecimal() else options.branch
    range_ = FilmRange(options.start, end, branch)
    return film_recording(path, options.out, capture, range_, options.fps, progress, options.carry)
