"""A small package of kernels in a folder of its own, to be edited by a test."""

from __future__ import annotations

import importlib
import itertools
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType

from sim.jit import sources
from sim.jit.reload import Reload

NUMBERS = itertools.count()

CONSTANTS = """SCALE = 2.0
TABLE = [1, 2]
FIRST = (1.0,)
FIRST += (2.0,)
"""
HELPERS = '''"""Helpers."""

from sim.jit import helper
from {name}.constants import SCALE


@helper
def scaled(x):
    """Doc."""
    return x * SCALE


@helper
def more(x):
    return scaled(x) + 1.0


def plain(x):
    return x
'''
UNITS = """from __future__ import annotations

from sim.jit import kernel
from tests.sim.jit.toy import MODEL
from {name}.helpers import more


@kernel
def left(m: MODEL, x: float) -> float:
    return more(x)


@kernel
def right(m: MODEL, x: float) -> float:
    return more(x)


@kernel
def apart(m: MODEL, x: float) -> float:
    \"\"\"How often the two differ, of many calls.\"\"\"
    differ = 0.0
    for i in range(20000):
        if left(m, x) != right(m, x):
            differ += 1.0
    return differ


@kernel
def late(m: MODEL, x: float) -> float:
    return more(x) * 10.0
"""


class Package:
    """Its modules, and edits of their files."""

    def __init__(self, folder: Path) -> None:
        self.name = f"edited_{next(NUMBERS)}"
        self.folder = folder / self.name
        self.folder.mkdir()
        for file, text in (("__init__", ""), ("constants", CONSTANTS), ("helpers", HELPERS), ("units", UNITS)):
            (self.folder / f"{file}.py").write_text(text.replace("{name}", self.name))
        self.units, self.helpers, self.constants = map(self.module, ("units", "helpers", "constants"))
        self.reload = Reload(self.folder)

    def module(self, name: str) -> ModuleType:
        return importlib.import_module(f"{self.name}.{name}")

    def edit(self, file: str, old: str, new: str) -> None:
        path = self.folder / f"{file}.py"
        text = path.read_text()
        assert old in text
        path.write_text(text.replace(old, new))


@contextmanager
def package(folder: Path) -> Iterator[Package]:
    """A package that is forgotten in the end."""
    sys.path.insert(0, str(folder))
    made = Package(folder)
    try:
        yield made
    finally:
        sys.path.remove(str(folder))
        for module in [name for name in sys.modules if name.partition(".")[0] == made.name]:
            del sys.modules[module]
            sources._running.pop(module, None)
        sources.InUse.version = ""
