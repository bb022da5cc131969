"""The view as a note of a recording: JSON, checked on reading, so that who opens it sees what was seen."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Any

import numpy as np

from app.scene.camera import OrbitCamera
from app.scene.visual_options import FRAMES, LABELS, VisualOptions
from app.view.session.checks import Kind, is_float, is_int, is_list, is_text, need
from app.view.session.session import View

# characters of a note
LONGEST = 1 << 16


def view_note(view: View) -> str:
    """What `capture_view` has saved of a view, as text."""
    return json.dumps(view)


def read_view_note(text: str) -> View:
    """The view of a note, for `restore_view`; ValueError if it is not one that `view_note` makes."""
    need(len(text) <= LONGEST, "the view")
    try:
        view = json.loads(text)
    except RecursionError as error:
        raise ValueError("it is nested too deeply") from error
    need(isinstance(view, dict), "the view")
    check_view(view)
    return dict(view)


def check_view(view: dict[str, Any]) -> None:
    """ValueError unless each part of a view is one that the program saves; it may be empty."""
    need(view.keys() in (set(), VIEW.keys()), "view")
    for name in view:
        need(VIEW[name](view[name]), name)


def _is_like(value: Any, example: Any) -> bool:
    """Whether a value has the type of an example; a string has to be in the same list of choices."""
    if isinstance(example, str):
        return isinstance(value, str) and any(value in words for words in (FRAMES, LABELS) if example in words)
    if isinstance(example, list | tuple):
        return is_list(value, lambda v: _is_like(v, example[0]), len(example))
    return is_float(value) if isinstance(example, float) else type(value) is type(example)


def _are_like(example: Any) -> Kind:
    """Whether a table has values of the right types for the fields of an example."""
    known = asdict(example)
    known |= {name: value.tolist() for name, value in known.items() if isinstance(value, np.ndarray)}
    return lambda values: (
        isinstance(values, dict)
        and all(_is_like(value, known[name]) for name, value in values.items() if name in known)
    )


# part of a view -> whether a value fits
VIEW: dict[str, Kind] = {
    "camera": _are_like(OrbitCamera()),
    "options": _are_like(VisualOptions()),
    "camera_id": is_int,
    "tracked": is_int,
    "watches": lambda value: is_list(value, is_text),
    "selection": lambda v: is_list(v, lambda _: True, 2) and is_text(v[0]) and is_int(v[1]) and v[1] >= 0,
}
