"""Reads a session file, and rejects it unless every value has the type that the program writes."""

from __future__ import annotations

import json
import warnings
from collections.abc import Callable, Collection
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np

from app.model.editable import BY_PATH, FLAG_PATHS
from app.scene.visual_options import FRAMES, LABELS
from app.session.session import STATE, Session
from app.view.view_state import ViewState

# limits: bytes of a file, pixels of a window, integers
LARGEST, LARGEST_SIDE, LARGEST_INT = 1 << 28, 1 << 15, 1 << 53
Kind = Callable[[Any], bool]


def read_session(path: Path) -> Session | None:
    """The session in a file; None with a warning if it is not one that `capture` makes."""
    try:
        with open(path, "rb") as file:
            content = file.read(LARGEST + 1)
        if len(content) > LARGEST:
            raise ValueError(f"it is larger than {LARGEST} bytes")
        session = Session(**json.loads(content))
        _check(session)
    except (OSError, ValueError, TypeError, RecursionError) as error:
        warnings.warn(f"{path}: the session cannot be restored: {error}", stacklevel=2)
        return None
    return session


def _check(session: Session) -> None:
    """ValueError if a value does not have the right type."""
    _need(isinstance(session.path, str), "path")
    _need(_is_table(session.sizes, _is_int), "sizes")
    _need(isinstance(session.commands, list) and all(map(_is_saved_command, session.commands)), "commands")
    window = session.window
    _need(window is None or (_is_list(window, _is_int, 3) and all(0 <= n <= LARGEST_SIDE for n in window)), "window")
    _need(isinstance(session.view, dict) and session.view.keys() in (set(), VIEW.keys()), "view")
    if session.view:
        for name, fits in VIEW.items():
            _need(fits(session.view[name]), name)


def _need(fits: bool, name: str) -> None:
    if not fits:
        raise ValueError(f"{name} has the wrong type or value")


def _is_int(value: Any) -> bool:
    return isinstance(value, int) and abs(value) <= LARGEST_INT


def _is_float(value: Any) -> bool:
    return isinstance(value, float) or _is_int(value)


def _is_list(value: Any, of: Kind, length: int | None = None) -> bool:
    return isinstance(value, list) and all(map(of, value)) and length in (None, len(value))


def _is_table(value: Any, of: Kind) -> bool:
    return isinstance(value, dict) and all(isinstance(k, str) and of(v) for k, v in value.items())


def _is_like(value: Any, example: Any) -> bool:
    """Whether a value has the type of an example; a string has to be in the same list of choices."""
    if isinstance(example, str):
        return isinstance(value, str) and any(value in words for words in (FRAMES, LABELS) if example in words)
    if isinstance(example, list):
        return _is_list(value, lambda v: _is_like(v, example[0]), len(example))
    return _is_float(value) if isinstance(example, float) else type(value) is type(example)


def _are_like(example: Any) -> Kind:
    """Whether a table has values of the right types for the fields of an example."""
    known = asdict(example)
    known |= {name: value.tolist() for name, value in known.items() if isinstance(value, np.ndarray)}
    return lambda values: (
        _is_table(values, lambda _: True)
        and all(_is_like(value, known[name]) for name, value in values.items() if name in known)
    )


# part of a view -> whether a value fits
VIEW: dict[str, Kind] = {
    "camera": _are_like(ViewState().camera),
    "options": _are_like(ViewState().options),
    "camera_id": _is_int,
    "tracked": _is_int,
    "watches": lambda value: _is_list(value, lambda v: isinstance(v, str)),
    "selection": lambda v: _is_list(v, lambda _: True, 2) and isinstance(v[0], str) and _is_int(v[1]) and v[1] >= 0,
    "paused": lambda value: isinstance(value, bool),
}
# the commands that are saved: the fields they may change, and their values
SAVED_COMMANDS: dict[str, tuple[Collection[str], dict[str, Kind]]] = {
    "SetSpeed": ((), {"speed": _is_float}),
    "SetFlag": (FLAG_PATHS, {"bit": _is_int, "on": lambda v: isinstance(v, bool)}),
    "SetField": (
        BY_PATH,
        {
            "value": _is_float,
            "rows": lambda value: _is_list(value, _is_int),
            "column": lambda v: v is None or _is_int(v),
            "also": lambda value: value == [],
        },
    ),
    "SetData": (STATE, {"start": _is_int, "values": lambda value: _is_list(value, _is_float)}),
}


def _is_saved_command(command: Any) -> bool:
    """Whether this is the name and the values of a command, for a field that it may change."""
    if not isinstance(command, list) or len(command) != 2 or not isinstance(command[1], dict):
        return False
    name, values = command
    if not isinstance(name, str) or name not in SAVED_COMMANDS:
        return False
    paths, kinds = SAVED_COMMANDS[name]
    if paths and not (isinstance(values.get("path"), str) and values["path"] in paths):
        return False
    return values.keys() == kinds.keys() | ({"path"} if paths else set()) and all(
        fits(values[key]) for key, fits in kinds.items()
    )
