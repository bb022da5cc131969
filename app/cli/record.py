"""Record a video off screen, mp4 or gif."""

from __future__ import annotations

import argparse
from pathlib import Path

from app.cli import EXIT_OK
from app.cli.arguments import add_image_options, add_model, existing, frame_rate, positive, progress_bar

SIZE = (1280, 720)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Which model, for how long, how."""
    add_model(parser)
    parser.add_argument("--out", "-o", type=Path, required=True, metavar="FILE", help="video to write, .mp4 or .gif")
    parser.add_argument("--seconds", type=positive, default=5.0, metavar="T", help="simulated seconds; default 5")
    parser.add_argument("--fps", type=frame_rate, default=60, metavar="N", help="frames per second; default 60")
    add_image_options(parser, SIZE)


def run(options: argparse.Namespace) -> int:
    """Record one video, with a progress bar."""
    import sim
    from app.capture.recorder import CaptureOptions, record_video

    capture = CaptureOptions(options.size, options.camera, options.show)
    with progress_bar("loading") as progress:
        path = existing(options.model)
        frames = record_video(sim, path, options.out, capture, options.seconds, options.fps, progress)
    print(f"{options.out} ({frames} frames)")
    return EXIT_OK
