"""What a text is about: an element of the model, or a line of a file."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import warnings
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from app.model.selection import COUNTS, Selection
from app.model.views import ModelView

# a kind and a name or number: body torso, geom 'floor', key:3; key and tree are common words
KINDS = tuple(kind for kind in COUNTS if kind not in ("key", "tree"))
NAMED = re.compile(rf"\b({'|'.join(KINDS)})(?:\s+|:)(?:'([^']+)'|\"([^\"]+)\"|([^\s'\",;:]+))")
QUOTED = re.compile(r"'([^'\s]+)'|\"([^\"\s]+)\"")
# as Python, compilers and our own errors write it
PLACES = (
    re.compile(r'File "(?P<file>[^"]+)", line (?P<line>\d+)'),
    re.compile(r"(?P<file>(?:[A-Za-z]:)?[^\s:'\"]+\.[A-Za-z]\w{0,4}):(?P<line>\d+)"),
    re.compile(r"(?P<file>[^\s'\"]+\.[A-Za-z]\w{0,4}), line (?P<line>\d+)"),
)


class FileLine(NamedTuple):
    """A line of a file."""

    path: str
    line: int

    def __str__(self) -> str:
        return f"{self.path}:{self.line}"

    @property
    def exists(self) -> bool:
        """Whether the file is there."""
        return Path(self.path).is_file()

    def open(self) -> None:
        """Open the file with the program that the desktop has for it; a warning says if that cannot be started."""
        if sys.platform == "win32":
            os.startfile(self.path)
            return
        opener = ["open" if sys.platform == "darwin" else "xdg-open", self.path]
        try:
            subprocess.Popen(opener, start_new_session=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        except OSError as error:
            warnings.warn(f"{opener[0]} could not be started: {error.strerror or error}", stacklevel=2)


@lru_cache(maxsize=512)
def named_element(text: str, model: ModelView) -> Selection | None:
    """The first element that a text names: with its kind, or in quotes if only one element is called so."""
    for found in NAMED.finditer(text):
        kind, name = found[1], found[2] or found[3] or found[4]
        names = model.names.get(kind, ())
        for candidate in (name, name.rstrip(".)]")):
            if candidate in names:
                return Selection(kind, names.index(candidate))
            if candidate.isdecimal() and int(candidate) < int(getattr(model, COUNTS[kind], 0)):
                return Selection(kind, int(candidate))
    for found in QUOTED.finditer(text):
        name = found[1] or found[2]
        owners = [kind for kind in KINDS if name in model.names.get(kind, ())]
        if len(owners) == 1:
            return Selection(owners[0], model.names[owners[0]].index(name))
    return None


def named_line(text: str) -> FileLine | None:
    """The line of a file that a text names; of a traceback the last one, where it happened."""
    found = _place(text)
    # not remembered: the file may appear later
    return FileLine(_whole_path(text, found), int(found["line"])) if found is not None else None


@lru_cache(maxsize=512)
def _place(text: str) -> re.Match[str] | None:
    """Where a text names a line of a file."""
    for pattern in PLACES:
        found = list(pattern.finditer(text))
        if found:
            return found[-1]
    return None


def _whole_path(text: str, found: re.Match[str]) -> str:
    """The file of a match; with the words before it if it is an absolute path with spaces of a file that exists."""
    for start in re.finditer(r"(?<!\S)(?=/|[A-Za-z]:)", text[: found.start("file")]):
        path = text[start.start() : found.end("file")]
        if Path(path).is_file():
            return path
    return found["file"]
