"""Files of the user: what they are called, never in place of another, and why one could not be written."""

from __future__ import annotations

import os
from datetime import datetime
from itertools import count
from pathlib import Path


def unused_path(path: Path) -> Path:
    """This path, or with a number at its end if there is such a file already."""
    places = (path if k == 1 else path.with_stem(f"{path.stem}-{k}") for k in count(1))
    return next(place for place in places if not os.path.lexists(place))


def dated_path(stem: str, suffix: str) -> Path:
    """Where something that is saved now goes: the folder in which the program was started; OSError if it is gone."""
    return unused_path(Path.cwd() / f"{stem}-{datetime.now():%Y%m%d-%H%M%S}.{suffix}")


def output_folder() -> str:
    """The folder that `dated_path` would use, in words."""
    try:
        return str(Path.cwd())
    except OSError:
        return "the folder in which the program was started"


def reason(error: OSError) -> str:
    """The system's own words, in lower case."""
    if isinstance(error, FileExistsError | NotADirectoryError):
        return f"'{error.filename}' is no folder"
    text = error.strerror or str(error)
    return text[:1].lower() + text[1:]
