"""Compile all kernels of the engine ahead of time."""

from __future__ import annotations

import argparse

from app.cli import EXIT_OK
from app.cli.arguments import progress_bar


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """None."""


def run(_: argparse.Namespace) -> int:
    """Compile everything, with a progress bar."""
    from sim.jit.warmup import warmup

    with progress_bar("kernels") as progress:
        count = warmup(progress=progress)
    print(f"{count} kernels are compiled.")
    return EXIT_OK
