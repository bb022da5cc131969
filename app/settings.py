"""What the viewer remembers of the user's taste: theme, font size, shortcuts, which panels are open.

A small JSON file in the user's folder of settings, beside one with the places of panels and one with files opened
lately. A file that cannot be read or written is no reason to stop.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import platformdirs

from app.files import write_whole
from app.state import MAX_FONT_SCALE, MIN_FONT_SCALE, ViewState

FILE = "settings.json"
REMEMBERED = (
    "light_theme", "font_scale", "shortcuts", "show_left", "show_right", "show_bottom", "show_info", "adaptive",
)  # fmt: skip


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


def load(view: ViewState) -> None:
    """Take over what was remembered."""
    for name, value in _values().items():
        if name in REMEMBERED and type(value) is type(getattr(view, name)):
            setattr(view, name, value)
    # in this order, what is no number becomes one
    view.font_scale = min(max(MIN_FONT_SCALE, view.font_scale), MAX_FONT_SCALE)


def save(view: ViewState) -> None:
    """Remember how things are."""
    values = _values() | {name: getattr(view, name) for name in REMEMBERED if name not in view.passing}
    write(FILE, json.dumps(values, indent=1))


def read(name: str) -> str:
    """The text of a file of settings; empty if there is none."""
    place = folder()
    try:
        return (place / name).read_text(encoding="utf-8", errors="replace") if place is not None else ""
    except OSError:
        return ""


def write(name: str, text: str) -> None:
    """Write a file of settings, if that is possible."""
    place = folder()
    if place is None:
        return
    try:
        write_whole(place / name, text.encode())
    except OSError:
        return


def values_of(name: str) -> Any:
    """What a file of settings in JSON says; None if it makes no sense."""
    try:
        return json.loads(read(name))
    except (ValueError, RecursionError):
        return None


def _values() -> dict[str, Any]:
    values = values_of(FILE)
    return values if isinstance(values, dict) else {}
