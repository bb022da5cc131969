"""Pack a model and all files that it needs into one archive."""

from __future__ import annotations

import argparse
from pathlib import Path

from app.cli import EXIT_OK
from app.cli.arguments import add_model, existing


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Which model, and the archive."""
    add_model(parser)
    parser.add_argument("-o", "--output", type=Path, metavar="FILE", help="archive; default: the model's name, .mjz")


def run(options: argparse.Namespace) -> int:
    """Write the archive."""
    import sim
    from sim.mjcf.format.table import ARCHIVE
    from sim.user_error import UserError

    path = existing(options.model)
    output = options.output or Path(f"{path.stem}.mjz")
    if output.suffix.lower() not in ARCHIVE.suffixes:
        raise UserError(f"'{output}' must end in {' or '.join(ARCHIVE.suffixes)}")
    sim.load(path).pack(output)
    print(f"{output}: {output.stat().st_size:,} bytes")
    return EXIT_OK
