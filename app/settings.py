"""What the viewer remembers of the user's taste: theme, font size, shortcuts, which panels are open.

A small JSON file among the user's settings; ImGui keeps the places of panels in a file beside it. A file that cannot
be read or written is no reason to stop.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import platformdirs

from app.state import MAX_FONT_SCALE, MIN_FONT_SCALE, ViewState

FILE = "settings.json"
REMEMBERED = ("light_theme", "font_scale", "shortcuts", "show_left", "show_right", "show_bottom", "show_info")


def folder() -> Path | None:
    """Where settings are kept, made if need be; None if it cannot be."""
    path = Path(platformdirs.user_config_dir("kinetoscope"))
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError:
        return None
    return path


def load(view: ViewState) -> None:
    """Take over what was remembered."""
    for name, value in _read().items():
        if name in REMEMBERED and type(value) is type(getattr(view, name)):
            setattr(view, name, value)
    view.font_scale = min(max(view.font_scale, MIN_FONT_SCALE), MAX_FONT_SCALE)


def save(view: ViewState) -> None:
    """Remember how things are."""
    place = folder()
    if place is None:
        return
    values = {name: getattr(view, name) for name in REMEMBERED}
    try:
        (place / FILE).write_text(json.dumps(values, indent=1), encoding="utf-8")
    except OSError:
        return


def _read() -> dict[str, Any]:
    place = folder()
    try:
        values = json.loads((place / FILE).read_text(encoding="utf-8")) if place is not None else {}
    except (OSError, ValueError):
        return {}
    return values if isinstance(values, dict) else {}
