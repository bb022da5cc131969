"""Loads and saves the user's preferences: theme, font size, shortcuts, open panels. A JSON file."""

from __future__ import annotations

import json
from dataclasses import fields
from typing import Any

from app.files.config import read_json, set_aside, write
from app.render.capture.recording import remembered_options
from app.view.preferences import MAX_FONT_SCALE, MIN_FONT_SCALE, Preferences
from app.view.view_state import ViewState

FILE = "settings.json"
SAVED = tuple(field.name for field in fields(Preferences))


def load(view: ViewState) -> bool:
    """Load the saved preferences; returns whether there are any."""
    wrong, values = [], _values()
    for name, value in values.items():
        if name in SAVED:
            default = getattr(view.prefs, name)
            # an integer will do for a float
            if type(value) is type(default) or (isinstance(default, float) and type(value) is int):
                setattr(view.prefs, name, value)
            else:
                wrong.append(name)
    view.recording_options = remembered_options(view.prefs.video)
    # in this order NaN becomes a number
    view.prefs.font_scale = float(min(max(MIN_FONT_SCALE, view.prefs.font_scale), MAX_FONT_SCALE))
    if wrong:
        set_aside(FILE, f"wrong type for  {', '.join(wrong)}")
    return bool(values)


def save(view: ViewState) -> None:
    """Save the preferences."""
    values = _values() | {name: getattr(view.prefs, name) for name in SAVED if name not in view.unsaved}
    write(FILE, json.dumps(values, indent=1))


def _values() -> dict[str, Any]:
    return read_json(FILE, dict) or {}
