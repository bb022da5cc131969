"""Every kernel of a package, compiled ahead of time."""

from __future__ import annotations

import importlib
import pkgutil

from sim.jit.build import Progress
from sim.jit.kernel import Kernel


def kernels(package: str) -> list[Kernel]:
    """All kernels defined in a package's modules, compiler processes' own modules left out."""
    root = importlib.import_module(package)
    found = {}
    for info in pkgutil.walk_packages(root.__path__, package + "."):
        if not info.name.startswith(("sim.jit", "sim.mjcf")):
            module = importlib.import_module(info.name)
            for value in vars(module).values():
                if isinstance(value, Kernel):
                    found[value.name] = value
    return [found[name] for name in sorted(found)]


def warmup(package: str = "sim", progress: Progress | None = None) -> int:
    """Load every kernel, compiling those that are not on disk; the number of kernels."""
    from sim.jit.loader import loader

    units = kernels(package)
    loader.load(units, progress=progress)
    return len(units)
