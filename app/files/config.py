"""Reads and writes files in the user's config folder; a broken file is set aside.

A file that cannot be read or written is ignored. One with the wrong content is renamed, with a warning, before a new
one replaces it.
"""

from __future__ import annotations

import json
import os
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import platformdirs

from sim.atomic_file import write_atomic

# bytes of one file
LARGEST = 1 << 20
# returns what is wrong with a text; empty if nothing is
Fault = Callable[[str], str]


def folder() -> Path | None:
    """The config folder, created if necessary; None if that fails."""
    return _created(Path(platformdirs.user_config_dir("kinetoscope")))


def sessions_folder() -> Path | None:
    """The folder of sessions that run or were cut short, created if necessary; None if that fails."""
    return _created(Path(platformdirs.user_state_dir("kinetoscope")) / "sessions")


def _created(path: Path) -> Path | None:
    # a user without a home folder
    if not path.is_absolute():
        return None
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError:
        return None
    return path


def read(name: str, fault: Fault) -> str:
    """The text of a config file; empty if there is none, or `fault` finds something wrong."""
    place = folder()
    if place is None:
        return ""
    try:
        with open(place / name, "rb") as file:
            content = file.read(LARGEST + 1)
    except OSError:
        return ""
    try:
        text = content.decode()
        why = f"it is larger than {LARGEST} bytes" if len(content) > LARGEST else fault(text)
    except UnicodeDecodeError as error:
        why = str(error)
    if why:
        set_aside(name, why)
    return "" if why else text


def set_aside(name: str, why: str) -> None:
    """Rename a broken config file, with a warning: the user may want something back from it."""
    place = folder()
    if place is None:
        return
    aside = place / f"{name}.bad"
    try:
        os.replace(place / name, aside)
    except OSError as error:
        warnings.warn(f"{place / name} is not used: {why}; it cannot be renamed: {error.strerror}", stacklevel=2)
    else:
        warnings.warn(f"{place / name} is not used: {why}; it was renamed to {aside.name}", stacklevel=2)


def write(name: str, text: str) -> None:
    """Write a config file, if possible."""
    place = folder()
    if place is None:
        return
    try:
        write_atomic(place / name, text.encode())
    except OSError:
        return


def read_json(name: str, kind: type) -> Any:
    """The value in a JSON config file; None if there is none, or it has another type."""

    def fault(text: str) -> str:
        if not text.strip():
            return ""
        try:
            value = json.loads(text)
        except (ValueError, RecursionError) as error:
            return str(error)
        return "" if isinstance(value, kind) else f"it must be a {kind.__name__}"

    text = read(name, fault)
    return json.loads(text) if text.strip() else None
