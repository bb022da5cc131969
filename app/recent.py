"""Files opened lately: a list of paths among the user's settings, the newest in front."""

from __future__ import annotations

import json
from pathlib import Path

from app import settings
from app.resources import is_bundled

FILE = "recent.json"
MOST = 10


def recent_files() -> list[Path]:
    """Those that still exist."""
    return [path for path in map(Path, _read()) if path.is_file()]


def remember(path: Path) -> None:
    """Put a file in front; bundled scenes are in the gallery anyway."""
    folder = settings.folder()
    if folder is None or is_bundled(path):
        return
    name = str(path.resolve())
    names = [name, *(other for other in _read() if other != name)][:MOST]
    try:
        (folder / FILE).write_text(json.dumps(names, indent=1), encoding="utf-8")
    except OSError:
        return


def _read() -> list[str]:
    folder = settings.folder()
    try:
        names = json.loads((folder / FILE).read_text(encoding="utf-8")) if folder is not None else []
    except (OSError, ValueError):
        return []
    return [name for name in names if isinstance(name, str)] if isinstance(names, list) else []
