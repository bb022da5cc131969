"""Which source text this process runs: compiler processes import it, even where a file says something else by now.

`reload.py` takes up changed kernels without a restart. From then on text and file can differ: while a change is being
compiled, after one that failed, and after going back. A compiler process runs this file before it imports the engine,
so it needs nothing but the standard library.
"""

from __future__ import annotations

import json
import sys
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from pathlib import Path
from types import CodeType
from typing import Any

# module -> its file and text, for those whose text was changed in this process, or in its file
_running: dict[str, tuple[Path, str]] = {}


class InUse:
    """Which kernels are in use: empty for those of the start, a digest after a change; equal again after going back."""

    version = ""


def run_from_now_on(module: str, file: Path, text: str) -> None:
    """This process runs a text as a module."""
    _running[module] = file, text


def text_of(module: str, file: Path) -> str | None:
    """The text that this process runs as a module, as far as that is known."""
    return _running[module][1] if module in _running else read(file)


def other_than_files() -> dict[str, str]:
    """The texts of modules, by name, that differ from their files."""
    return {module: text for module, (file, text) in _running.items() if read(file) != text}


def read(file: Path) -> str | None:
    """The text of a file; None if there is none that can be read."""
    try:
        return file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return None


# ---------------------------------------------------------------- in a compiler process


class TextLoader(SourceFileLoader):
    """Loads a module from a text in place of its file's."""

    def __init__(self, name: str, path: str, text: str) -> None:
        super().__init__(name, path)
        self._text = text

    def get_code(self, fullname: str) -> CodeType:
        """The code of the text; no byte code is kept of it."""
        code: CodeType = compile(self._text, self.path, "exec", dont_inherit=True)
        return code


class TextFinder:
    """Finds modules whose text is given."""

    def __init__(self, texts: dict[str, str]) -> None:
        self._texts = texts

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> ModuleSpec | None:
        """The module as Python finds it, but with the given text."""
        spec = PathFinder.find_spec(name, path, target) if name in self._texts else None
        if spec is not None and spec.origin is not None:
            spec.loader = TextLoader(name, spec.origin, self._texts[name])
        return spec


def install(file: str) -> None:
    """Import modules from the texts in a JSON file, from now on."""
    with open(file, encoding="utf-8") as stored:
        finder: Any = TextFinder(json.load(stored))
    sys.meta_path.insert(0, finder)
