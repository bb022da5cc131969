"""Files in the user's folder of settings: read with care, written whole, set aside when they make no sense.

A file that cannot be read or written is no reason to stop. One that makes no sense is not used: it is set
aside under another name, with a warning, before a new one takes its place.
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
# what is wrong with a text; empty if nothing is
Fault = Callable[[str], str]


def folder() -> Path | None:
    """Where settings are kept, made if need be; None if it cannot be."""
    path = Path(platformdirs.user_config_dir("kinetoscope"))
    # a user without a home
    if not path.is_absolute():
        return None
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError:
        return None
    return path


def read(name: str, fault: Fault) -> str:
    """The text of a file of settings; empty if there is none in which `fault` finds nothing wrong."""
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
    """Move a file of settings out of the way, and say so: it may hold something that somebody wants back."""
    place = folder()
    if place is None:
        return
    aside = place / f"{name}.bad"
    try:
        os.replace(place / name, aside)
    except OSError as error:
        warnings.warn(f"{place / name} is not used: {why}; it cannot be set aside: {error.strerror}", stacklevel=2)
    else:
        warnings.warn(f"{place / name} is not used: {why}; it is {aside.name} now", stacklevel=2)


def write(name: str, text: str) -> None:
    """Write a file of settings, if that is possible."""
    place = folder()
    if place is None:
        return
    try:
        write_atomic(place / name, text.encode())
    except OSError:
        return


def read_json(name: str, kind: type) -> Any:
    """What a file of settings in JSON says; None if it says nothing, or nothing of this kind."""

    def fault(text: str) -> str:
        if not text.strip():
            return ""
        try:
            value = json.loads(text)
        except (ValueError, RecursionError) as error:
            return str(error)
        return "" if isinstance(value, kind) else f"it should be a {kind.__name__}"

    text = read(name, fault)
    return json.loads(text) if text.strip() else None
