"""Show what is compiled, list it, or clear it.

A unit is the native code of one kernel. Its key covers the source, the layout of Model and Data, the versions and the
CPU level: a unit with another key than today's is stale, and is never loaded. Units that came with the installation
are in a pack of their own, and are not compiled here.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import dataclass

from app.cli import EXIT_OK

ENGINE = "sim"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """--list, --clear."""
    choice = parser.add_mutually_exclusive_group()
    choice.add_argument("--list", action="store_true", help="list all units with their sizes")
    choice.add_argument("--clear", action="store_true", help="delete all units; they are compiled again when needed")


def run(options: argparse.Namespace) -> int:
    """Summarise the cache, list its units, or delete them."""
    from sim.jit import cache

    if options.clear:
        print(f"deleted {cache.clear()} units in {cache.folder()}")
    elif options.list:
        for name, size in cache.entries():
            print(f"{size / 1024:8.1f} kB  {name}")
    else:
        for label, value in summary():
            print(f"{label:<14}{value}")
    return EXIT_OK


@dataclass
class Units:
    """Some of the units: how many, how large, and how long they took to compile."""

    count: int = 0
    bytes: int = 0
    seconds: float = 0.0

    def add(self, size: int, seconds: float) -> None:
        """Count one more."""
        self.count, self.bytes, self.seconds = self.count + 1, self.bytes + size, self.seconds + seconds

    def __str__(self) -> str:
        units = "1 unit" if self.count == 1 else f"{self.count} units"
        return f"{units}, {self.bytes / 1e6:.1f} MB, {self.seconds:.0f} s compile time"


def summary() -> Iterator[tuple[str, str]]:
    """Labels and values."""
    from sim.jit import cache

    wanted, installed, compiled = _wanted(), _installed(), set()
    everything, fresh, scripts, stale = Units(), Units(), Units(), Units()
    for file, size in cache.entries():
        name, _, key = file.removesuffix(cache.SUFFIX).rpartition("-")
        stored = cache.read(name, key)
        belongs = stale if stored is None else scripts
        if stored is not None and name in wanted:
            belongs = fresh if wanted[name] == key else stale
            compiled |= {name} if belongs is fresh else set()
        for group in (everything, belongs):
            group.add(size, stored.seconds if stored is not None else 0.0)
    missing = len(wanted.keys() - installed - compiled)
    yield "folder", str(cache.folder())
    yield "installed", f"{len(installed)} of {len(wanted)} kernels came precompiled"
    yield "all", str(everything)
    yield "engine", f"{fresh}; {'complete' if not missing else f'{missing} of {len(wanted)} kernels are not compiled'}"
    yield "scripts", f"{scripts}: kernels for scripts and for reading models"
    yield "stale", f"{stale}: from a different source, version or machine, or damaged"
    yield "compile", "kinetoscope warmup           compile all kernels of the engine"
    yield "list", "kinetoscope cache --list     every unit with its size"
    yield "clear", "kinetoscope cache --clear    delete all; compiled again when needed"


def _wanted() -> dict[str, str]:
    """The kernels of the engine, with the keys that their units have today."""
    from sim.jit import abi
    from sim.jit.kernel import unit_key
    from sim.jit.warmup import kernels

    platform = abi.platform()
    return {unit.name: unit_key(unit, platform) for unit in kernels(ENGINE)}


def _installed() -> set[str]:
    """The kernels of the engine whose object code came with the installation."""
    from sim.jit import pack
    from sim.jit.warmup import kernels

    return {unit.name for unit in pack.object_code(kernels(ENGINE))}
