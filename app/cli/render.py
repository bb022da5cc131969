"""Render a picture off screen."""

from __future__ import annotations

import argparse

from app.cli import EXIT_OK
from app.cli.arguments import add_model, add_shot, existing, not_negative, picture_file

SIZE = (1280, 800)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Which model, when, how."""
    add_model(parser)
    parser.add_argument(
        "--out", "-o", type=picture_file, required=True, metavar="FILE", help="picture to write, .png or .jpg"
    )
    parser.add_argument(
        "--time", type=not_negative, default=0.0, metavar="T", help="simulated seconds before it; default 0"
    )
    add_shot(parser, SIZE)


def run(options: argparse.Namespace) -> int:
    """One picture."""
    import sim
    from app.capture.recorder import CaptureOptions, render_image

    shot = CaptureOptions(options.size, options.camera, options.show)
    render_image(sim, existing(options.model), options.out, shot, options.time)
    print(options.out)
    return EXIT_OK
