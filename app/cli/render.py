"""Render an image off screen."""

from __future__ import annotations

import argparse

from app.cli import EXIT_OK
from app.cli.arguments import (
    add_engine,
    add_image_options,
    add_model,
    existing,
    free_camera,
    image_file,
    not_negative,
)

SIZE = (1280, 800)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Which model, when, how."""
    add_model(parser)
    add_engine(parser)
    parser.add_argument(
        "--out", "-o", type=image_file, required=True, metavar="FILE", help="image to write, .png or .jpg"
    )
    parser.add_argument(
        "--time", type=not_negative, default=0.0, metavar="T", help="simulated seconds before the image; default 0"
    )
    add_image_options(parser, f"{SIZE[0]}x{SIZE[1]}")


def run(options: argparse.Namespace) -> int:
    """Write one image."""
    from app.render.capture.recorder import CaptureOptions, render_image
    from app.run.engine.choice import engine_named

    capture = CaptureOptions(options.size or SIZE, options.camera, options.show, free_camera(options), options.key)
    render_image(engine_named(options.engine), existing(options.model), options.out, capture, options.time)
    print(options.out)
    return EXIT_OK
