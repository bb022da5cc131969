"""Show or clear the compiled kernels."""

from __future__ import annotations

import argparse

from app.cli import EXIT_OK


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """--clear."""
    parser.add_argument("--clear", action="store_true", help="delete all compiled kernels")


def run(options: argparse.Namespace) -> int:
    """List the compiled kernels, or delete them."""
    from sim.jit import cache

    if options.clear:
        print(f"deleted {cache.clear()} compiled kernels in {cache.folder()}")
        return EXIT_OK
    entries = cache.entries()
    for name, size in entries:
        print(f"{size / 1024:8.1f} kB  {name}")
    print(f"{len(entries)} compiled kernels, {sum(size for _, size in entries) / 1e6:.1f} MB, in {cache.folder()}")
    return EXIT_OK
