"""Files of the user: written whole or not at all, and never in place of another."""

from __future__ import annotations

import os
import secrets
from datetime import datetime
from itertools import count
from pathlib import Path


def write_whole(path: Path, data: bytes) -> None:
    """Write a file; if that fails half-way, what was there before is still there."""
    # a link stays one
    path = Path(os.path.realpath(path))
    # under a name that nobody can have put a link at
    part = path.with_name(f".{path.name}.{secrets.token_hex(8)}")
    part.touch(exist_ok=False)
    try:
        part.write_bytes(data)
        part.replace(path)
    except OSError:
        part.unlink(missing_ok=True)
        raise


def unused(path: Path) -> Path:
    """This path, or with a number at its end if there is such a file already."""
    places = (path if k == 1 else path.with_stem(f"{path.stem}-{k}") for k in count(1))
    return next(place for place in places if not os.path.lexists(place))


def dated(stem: str, suffix: str) -> Path:
    """Where something that is saved now goes: the folder in which the program was started; OSError if it is gone."""
    return unused(Path.cwd() / f"{stem}-{datetime.now():%Y%m%d-%H%M%S}.{suffix}")


def place() -> str:
    """The folder that `dated` would use, in words."""
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
