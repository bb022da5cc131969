"""Recently opened files: a list of paths in the config folder, newest first."""

from __future__ import annotations

import json
import os
from pathlib import Path

from app.files import config
from app.files.new_model import is_new
from app.files.resources import is_bundled

FILE = "recent.json"
MOST = 10
# characters of a path
LONGEST = 4096


def recent_files() -> list[Path]:
    """The recent files that still exist."""
    return [Path(name) for name in _names() if os.path.isfile(name)]


def add_recent(path: Path) -> None:
    """Put a file first; bundled scenes are in the gallery anyway."""
    if is_bundled(path) or is_new(path):
        return
    name = os.path.realpath(path)
    names = [name, *(other for other in _names() if other != name)][:MOST]
    config.write(FILE, json.dumps(names, indent=1))


def _names() -> list[str]:
    names = config.read_json(FILE, list) or []
    return [name for name in names if isinstance(name, str) and len(name) <= LONGEST][:MOST]
