"""New models: files that have no place of their own yet, in the user's state folder, until they are saved elsewhere."""

from __future__ import annotations

import tempfile
from pathlib import Path

import platformdirs

from sim.atomic_file import write_atomic

# how many of them are kept: the oldest is replaced
KEPT = 8


def _folder() -> Path:
    place = Path(platformdirs.user_state_dir("kinetoscope")) / "new"
    return place if place.is_absolute() else Path(tempfile.gettempdir()) / "kinetoscope" / "new"


def write_new_model(text: str) -> Path:
    """A file with a text; OSError if it cannot be written."""
    _folder().mkdir(parents=True, exist_ok=True)
    paths = [_folder() / f"world{number or ''}.xml" for number in range(KEPT)]
    path = min(paths, key=lambda path: path.stat().st_mtime if path.exists() else 0.0)
    write_atomic(path, text.encode())
    return path


def is_new(path: Path) -> bool:
    """Whether a file is one of these."""
    return path.parent == _folder()
