"""A session in a file: written atomically; rejected on reading unless every value is one that the program writes."""

from __future__ import annotations

import base64
import binascii
import json
from pathlib import Path
from typing import Any

from app.run.engine.names import KINETOSCOPE, NAMES
from app.run.journal.journal_file import journal_data, read_journal
from app.run.journal.saved_run import SavedRun
from app.run.keep_state import SETTINGS
from app.view.session.checks import Kind, is_bool, is_float, is_int, is_list, is_text, need
from app.view.session.session import Session
from app.view.session.view_note import check_view
from sim.atomic_file import write_atomic

# limits: bytes of a file, pixels of a window
LARGEST, LARGEST_SIDE = 1 << 28, 1 << 15


def write_session(path: Path, session: Session) -> None:
    """Write a session to a file, atomically; OSError if that fails."""
    run = session.run
    data = {
        "path": run.path, "start_key": run.start_key, "speed": run.speed, "paused": run.paused,
        "settings": dict(run.settings), "breakpoints": run.breakpoints, "engine": run.engine,
        "digest": run.digest,
        "state": base64.b64encode(run.state).decode(),
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
    need(isinstance(data, dict), "the session")
    # a version without breakpoints or digest, or with one engine, may have written it
    data = {"breakpoints": [], "engine": KINETOSCOPE, "digest": "", **data}
    need(data.keys() == FIELDS.keys(), "the session")
    for name, fits in FIELDS.items():
        need(fits(data[name]), name)
    check_view(data["view"])
    try:
        state = base64.b64decode(data["state"], validate=True)
    except (binascii.Error, ValueError) as error:
        raise ValueError("state has the wrong type or value") from error
    plain = {name: data[name] for name in ("path", "start_key", "speed", "paused", "settings", "engine", "digest")}
    points = tuple((text, on) for text, on in data["breakpoints"])
    run = SavedRun(**plain, journal=read_journal(data["journal"]), state=state, breakpoints=points)
    return Session(run, data["view"], tuple(data["window"]) if data["window"] is not None else None, data["when"])


def _are_settings(value: Any) -> bool:
    """Settings of Data, by name; the seed is an integer. A run that had not begun has none."""
    return (
        isinstance(value, dict)
        and value.keys() in (set(), {*SETTINGS})
        and all(is_int(number) if name == "noise.seed" else is_float(number) for name, number in value.items())
    )


def _are_breakpoints(value: Any) -> bool:
    """Expressions, and whether each is on."""
    return is_list(value, lambda row: is_list(row, lambda _: True, 2) and is_text(row[0]) and is_bool(row[1]))


def _is_window(value: Any) -> bool:
    """Width, height, and whether it is full screen."""
    return value is None or (
        isinstance(value, list)
        and len(value) == 3
        and all(is_int(side) and 0 <= side <= LARGEST_SIDE for side in value[:2])
        and is_bool(value[2])
    )


FIELDS: dict[str, Kind] = {
    "path": is_text,
    "start_key": lambda value: value is None or is_text(value),
    "speed": is_float,
    "paused": is_bool,
    "settings": _are_settings,
    "breakpoints": _are_breakpoints,
    "engine": lambda value: value in NAMES,
    "digest": is_text,
    "state": is_text,
    # checked by its own reader
    "journal": lambda value: True,
    "view": lambda value: isinstance(value, dict),
    "window": _is_window,
    "when": is_float,
}
