"""Ahead-of-time compilation of every kernel of a package."""

from __future__ import annotations

import importlib
import pkgutil

from sim.jit.build import Progress
from sim.jit.kernel import Kernel, defined_in


def kernels(package: str) -> list[Kernel]:
    """All kernels in a package's modules, except those of the compiler and of MJCF."""
    root = importlib.import_module(package)
    found: dict[str, Kernel] = {}
    for info in pkgutil.walk_packages(root.__path__, package + "."):
        if not info.name.startswith(("sim.jit", "sim.mjcf")):
            module = importlib.import_module(info.name)
            found |= {unit.name: unit for unit in defined_in(module) if isinstance(unit, Kernel)}
    return [found[name] for name in sorted(found)]


def warmup(package: str = "sim", progress: Progress | None = None) -> int:
    """Load every kernel, compiling those that are not on disk; returns their number."""
    from sim.jit.loader import loader

    units = kernels(package)
    loader.load(units, progress=progress)
    return len(units)
