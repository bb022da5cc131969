"""List the bundled scenes."""

from __future__ import annotations

import argparse

from app.cli import EXIT_OK
from app.files.resources import bundled_scenes


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """None."""


def run(_: argparse.Namespace) -> int:
    """Print name and caption of every bundled scene."""
    for scene in bundled_scenes():
        print(f"{scene.name:<18}{scene.caption}")
    return EXIT_OK
