"""Stamps of files: whether a file on disk is still the one that was read."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

# modification time, size, inode and mode of a file; None if there is none
Stamp = tuple[int, int, int, int] | None
# absolute paths of files, in the order in which they were read or looked for -> their stamps at that time
Stamps = dict[Path, Stamp]


def stamp(path: Path) -> Stamp:
    """The stamp of a file as it is now."""
    try:
        seen = os.stat(path)
    except (OSError, ValueError):
        return None
    # the mode too: a file that could not be read may become readable
    return seen.st_mtime_ns, seen.st_size, seen.st_ino, seen.st_mode


def stamps(files: Iterable[Path]) -> Stamps:
    """The stamps of files as they are now."""
    return {file: stamp(file) for file in files}


def note(path: Path, seen: Stamps) -> None:
    """Add a file that is about to be read, or looked for; what is saved from now on changes its stamp."""
    place = absolute(path)
    if place not in seen:
        seen[place] = stamp(place)


def absolute(path: Path) -> Path:
    """An absolute path, without `..` unless that follows a symbolic link, which may lead anywhere."""
    whole = path.absolute()
    if ".." not in whole.parts:
        return whole
    plain = os.path.normpath(whole)
    return Path(plain) if os.path.realpath(plain) == os.path.realpath(whole) else whole
