"""Paths for saved images, videos and models: dated, never an existing file; and why writing failed."""

from __future__ import annotations

import os
import sys
from datetime import datetime
from itertools import count
from pathlib import Path


def unused_path(path: Path) -> Path:
    """The path, with a number at the end if the file exists."""
    places = (path if k == 1 else path.with_stem(f"{path.stem}-{k}") for k in count(1))
    return next(place for place in places if not os.path.lexists(place))


def dated_path(stem: str, suffix: str) -> Path:
    """A path with date and time in the current folder; OSError if that was deleted."""
    return unused_path(Path.cwd() / f"{stem}-{datetime.now():%Y%m%d-%H%M%S}.{suffix}")


def output_folder() -> str:
    """The folder of `dated_path`, for messages."""
    try:
        return str(Path.cwd())
    except OSError:
        return "the folder where the program was started"


def make_folder(file: Path) -> None:
    """Make the folder of a file that is asked for, and say so: it may be a mistyped one."""
    if not file.parent.is_dir():
        file.parent.mkdir(parents=True, exist_ok=True)
        print(f"kinetoscope: created the folder '{file.parent}'", file=sys.stderr)


def reason(error: OSError) -> str:
    """The system's message, in lower case."""
    if isinstance(error, FileExistsError | NotADirectoryError):
        return f"'{error.filename}' is not a folder"
    text = error.strerror or str(error)
    return text[:1].lower() + text[1:]
