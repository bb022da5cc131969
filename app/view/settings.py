"""What the viewer remembers of the user's taste: theme, font size, shortcuts, which panels are open. A JSON file."""

from __future__ import annotations

import json
from dataclasses import fields
from typing import Any

from app.files.config import set_aside, values_of, write
from app.view.preferences import MAX_FONT_SCALE, MIN_FONT_SCALE, Preferences
from app.view.view_state import ViewState

FILE = "settings.json"
REMEMBERED = tuple(field.name for field in fields(Preferences))


def load(view: ViewState) -> None:
    """Take over what was remembered."""
    odd = []
    for name, value in _values().items():
        if name in REMEMBERED:
            usual = getattr(view.prefs, name)
            # whole numbers are numbers too
            if type(value) is type(usual) or (isinstance(usual, float) and type(value) is int):
                setattr(view.prefs, name, value)
            else:
                odd.append(name)
    # in this order, what is no number becomes one
    view.prefs.font_scale = float(min(max(MIN_FONT_SCALE, view.prefs.font_scale), MAX_FONT_SCALE))
    if odd:
        set_aside(FILE, f"it makes no sense of {', '.join(odd)}")


def save(view: ViewState) -> None:
    """Remember how things are."""
    values = _values() | {name: getattr(view.prefs, name) for name in REMEMBERED if name not in view.passing}
    write(FILE, json.dumps(values, indent=1))


def _values() -> dict[str, Any]:
    return values_of(FILE, dict) or {}
