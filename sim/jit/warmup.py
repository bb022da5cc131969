"""Ahead-of-time compilation of every kernel of a package."""

from __future__ import annotations

import importlib
import pkgutil

from sim.jit.build import Progress
from sim.jit.kernel import Kernel, defined_in


def kernels(package: str, mjcf: bool = False) -> list[Kernel]:
    """All kernels in a package's modules; those of MJCF on request. MuJoCo's names have none, and need the window."""
    root = importlib.import_module(package)
    found: dict[str, Kernel] = {}
    without = ("sim.jit", "sim.mujoco") if mjcf else ("sim.jit", "sim.mujoco", "sim.mjcf")
    for info in pkgutil.walk_packages(root.__path__, package + "."):
        if not info.name.startswith(without):
            module = importlib.import_module(info.name)
            found |= {unit.name: unit for unit in defined_in(module) if isinstance(unit, Kernel)}
    return [found[name] for name in sorted(found)]


def warmup(package: str = "sim", progress: Progress | None = None) -> int:
    """Load every kernel, compiling those that are not on disk; returns their number."""
    from sim.jit.loader import loader

    units = kernels(package)
    loader.load(units, progress=progress)
    return len(units)
