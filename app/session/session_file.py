"""A session in a file: written atomically; rejected on reading unless every value is one that the program writes."""

from __future__ import annotations

import base64
import binascii
import json
from collections.abc import Callable
from dataclasses import asdict
from math import isfinite
from pathlib import Path
from typing import Any

import numpy as np

from app.journal.journal_file import journal_data, read_journal
from app.journal.saved_run import SavedRun
from app.run.keep_state import SETTINGS
from app.scene.camera import OrbitCamera
from app.scene.visual_options import FRAMES, LABELS, VisualOptions
from app.session.session import Session
from sim.atomic_file import write_atomic

# limits: bytes of a file, pixels of a window, integers
LARGEST, LARGEST_SIDE, LARGEST_INT = 1 << 28, 1 << 15, 1 << 53
Kind = Callable[[Any], bool]


def write_session(path: Path, session: Session) -> None:
    """Write a session to a file, atomically; OSError if that fails."""
    run = session.run
    data = {
        "path": run.path, "start_key": run.start_key, "speed": run.speed, "paused": run.paused,
        "settings": dict(run.settings), "state": base64.b64encode(run.state).decode(),
        "journal": journal_data(run.journal), "view": session.view, "window": session.window, "when": session.when,
    }  # fmt: skip
    write_atomic(path, json.dumps(data).encode())


def read_session(path: Path) -> Session:
    """The session in a file; ValueError if it is not one that `write_session` makes, OSError if it cannot be read."""
    with open(path, "rb") as file:
        content = file.read(LARGEST + 1)
    if len(content) > LARGEST:
        raise ValueError(f"it is larger than {LARGEST} bytes")
    try:
        data = json.loads(content)
    except RecursionError as error:
        raise ValueError("it is nested too deeply") from error
    _need(isinstance(data, dict) and data.keys() == FIELDS.keys(), "the session")
    for name, fits in FIELDS.items():
        _need(fits(data[name]), name)
    view = data["view"]
    _need(view.keys() in (set(), VIEW.keys()), "view")
    for name in view:
        _need(VIEW[name](view[name]), name)
    try:
        state = base64.b64decode(data["state"], validate=True)
    except (binascii.Error, ValueError) as error:
        raise ValueError("state has the wrong type or value") from error
    plain = {name: data[name] for name in ("path", "start_key", "speed", "paused", "settings")}
    run = SavedRun(**plain, journal=read_journal(data["journal"]), state=state)
    return Session(run, view, tuple(data["window"]) if data["window"] is not None else None, data["when"])


def _need(fits: bool, name: str) -> None:
    if not fits:
        raise ValueError(f"{name} has the wrong type or value")


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


def _is_bool(value: Any) -> bool:
    return isinstance(value, bool)


def _is_int(value: Any) -> bool:
    return type(value) is int and abs(value) <= LARGEST_INT


def _is_float(value: Any) -> bool:
    return (isinstance(value, float) and isfinite(value)) or _is_int(value)


def _is_list(value: Any, of: Kind, length: int | None = None) -> bool:
    return isinstance(value, list) and all(map(of, value)) and length in (None, len(value))


def _are_settings(value: Any) -> bool:
    """Settings of Data, by name; the seed is an integer."""
    return (
        isinstance(value, dict)
        and value.keys() == {*SETTINGS}
        and all(_is_int(number) if name == "noise.seed" else _is_float(number) for name, number in value.items())
    )


def _is_window(value: Any) -> bool:
    """Width, height, and whether it is full screen."""
    return value is None or (
        isinstance(value, list)
        and len(value) == 3
        and all(_is_int(side) and 0 <= side <= LARGEST_SIDE for side in value[:2])
        and _is_bool(value[2])
    )


def _is_like(value: Any, example: Any) -> bool:
    """Whether a value has the type of an example; a string has to be in the same list of choices."""
    if isinstance(example, str):
        return isinstance(value, str) and any(value in words for words in (FRAMES, LABELS) if example in words)
    if isinstance(example, list | tuple):
        return _is_list(value, lambda v: _is_like(v, example[0]), len(example))
    return _is_float(value) if isinstance(example, float) else type(value) is type(example)


def _are_like(example: Any) -> Kind:
    """Whether a table has values of the right types for the fields of an example."""
    known = asdict(example)
    known |= {name: value.tolist() for name, value in known.items() if isinstance(value, np.ndarray)}
    return lambda values: (
        isinstance(values, dict)
        and all(_is_like(value, known[name]) for name, value in values.items() if name in known)
    )


FIELDS: dict[str, Kind] = {
    "path": _is_text,
    "start_key": lambda value: value is None or _is_text(value),
    "speed": _is_float,
    "paused": _is_bool,
    "settings": _are_settings,
    "state": _is_text,
    # checked by its own reader
    "journal": lambda value: True,
    "view": lambda value: isinstance(value, dict),
    "window": _is_window,
    "when": _is_float,
}
# part of a view -> whether a value fits
VIEW: dict[str, Kind] = {
    "camera": _are_like(OrbitCamera()),
    "options": _are_like(VisualOptions()),
    "camera_id": _is_int,
    "tracked": _is_int,
    "watches": lambda value: _is_list(value, _is_text),
    "selection": lambda v: _is_list(v, lambda _: True, 2) and _is_text(v[0]) and _is_int(v[1]) and v[1] >= 0,
}
