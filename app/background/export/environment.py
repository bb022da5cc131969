"""Versions for a bug report: programs, Python, packages, system and GPU; nothing that names the user or the machine."""

from __future__ import annotations

import contextlib
import platform
import sys
from importlib.metadata import PackageNotFoundError, version

import sim

PACKAGES = ("numpy", "numba", "llvmlite", "mujoco", "moderngl", "imgui-bundle", "pyglet")


def versions(engine: str, gpu: str = "") -> dict[str, str]:
    """What made the export, by name."""
    found = {"Kinetoscope": sim.__version__, "engine": engine, "Python": sys.version.partition(" ")[0]}
    for name in PACKAGES:
        with contextlib.suppress(PackageNotFoundError):
            found[name] = version(name)
    system = (platform.system(), platform.release(), platform.machine())
    return {**found, "system": " ".join(part for part in system if part), **({"GPU": gpu} if gpu else {})}


def versions_text(found: dict[str, str]) -> str:
    """One line each."""
    return "".join(f"{name:<14}{value}\n" for name, value in found.items())
