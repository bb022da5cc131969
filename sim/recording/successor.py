"""Files that are written little by little: one that is there already stays until its successor is whole.

A new file has its name from the start, so that what a killed process leaves can be read. The successor of an old one
grows beside it, as NAME.part.SUFFIX.
"""

from __future__ import annotations

import os
import shutil
from itertools import chain, count
from pathlib import Path


def begin(path: Path) -> Path:
    """Where to write: an empty file with that name, or with another one if it is taken. OSError if that fails."""
    # through a symbolic link
    target = Path(os.path.realpath(path))
    if target.exists():
        # what may not be written is not replaced either
        target.open("r+b").close()
        if not target.is_file():
            # a pipe or a device
            return target
    beside = (target.with_stem(f"{target.stem}.part{k or ''}") for k in count())
    for place in chain([target], beside):
        try:
            place.open("xb").close()
        except FileExistsError:
            continue
        return place
    raise AssertionError


def finish(place: Path, path: Path) -> None:
    """What `begin` gave is whole: it takes the place of the old file, if there is one. OSError if that fails."""
    target = Path(os.path.realpath(path))
    if place == target:
        return
    shutil.copymode(target, place)
    with place.open("r+b") as file:
        os.fsync(file.fileno())
    place.replace(target)
