"""What a page says, checked: whatever does not keep to the protocol is refused, and nothing else gets through."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from typing import Any, NamedTuple

# of a browser's window, CSS pixels, and device pixels per CSS pixel
SMALLEST, LARGEST, MOST_DPR = 100, 16384, 8.0
# of one message
MOST_EVENTS, MOST_TYPED, MOST_CLIP = 400, 4096, 60_000
MOST_NAME = 40
MOST_FILES, MOST_PATH = 200, 240
BUTTONS, MODIFIERS = 3, 8
# beyond any screen, and more notches than any wheel has
FARTHEST, MOST_NOTCHES = 1e5, 100.0
LARGEST_NUMBER = 1 << 53


class BadMessage(ValueError):
    """The message does not keep to the protocol."""


class Hello(NamedTuple):
    """The first message."""

    width: int
    height: int
    dpr: float
    protocol: int


class Size(NamedTuple):
    """Of the browser's window."""

    width: int
    height: int
    dpr: float


class Input(NamedTuple):
    """What the driver does."""

    number: int
    events: tuple[tuple[Any, ...], ...]


class Ack(NamedTuple):
    """The newest frame that was drawn."""

    serial: int


class Clip(NamedTuple):
    """What the clipboard of the page has."""

    text: str


class Name(NamedTuple):
    """How others see this visitor."""

    text: str


class Drive(NamedTuple):
    """Ask for control."""


class Give(NamedTuple):
    """Hand control over."""

    to: int


class Deny(NamedTuple):
    """Do not."""

    to: int


class Close(NamedTuple):
    """Close the viewer for good."""


class UploadBegin(NamedTuple):
    """Names and sizes of dropped files."""

    files: tuple[tuple[str, int], ...]


Message = Hello | Size | Input | Ack | Clip | Name | Drive | Give | Deny | Close | UploadBegin


def parse(text: str) -> Message:
    """A text message of a page."""
    try:
        said = json.loads(text, parse_constant=_refuse)
    except (ValueError, RecursionError) as error:
        raise BadMessage("not JSON") from error
    if not isinstance(said, dict):
        raise BadMessage("not an object")
    kind = said.get("t")
    read = READERS.get(kind) if isinstance(kind, str) else None
    if read is None:
        raise BadMessage("of no known type")
    try:
        return read(said)
    except (KeyError, TypeError, OverflowError) as error:
        raise BadMessage("incomplete, or of wrong types") from error


def _refuse(word: str) -> None:
    raise BadMessage(f"{word} is not JSON")


def _number(value: Any, low: float, high: float) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise BadMessage("not a number")
    return min(max(float(value), low), high)


def _whole(value: Any, low: int = 0, high: int = LARGEST_NUMBER) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
        raise BadMessage("not a whole number in its range")
    return value


def _text(value: Any, most: int) -> str:
    if not isinstance(value, str) or len(value) > most:
        raise BadMessage("not a text, or too long")
    # lone surrogates, which no encoding can hold
    return value.encode("utf-8", "replace").decode("utf-8")


def _size(said: dict[str, Any]) -> tuple[int, int, float]:
    width, height = (int(_number(said[name], SMALLEST, LARGEST)) for name in ("w", "h"))
    return width, height, _number(said["dpr"], 0.25, MOST_DPR)


def _place(values: Any) -> tuple[float, ...]:
    return tuple(_number(value, -FARTHEST, FARTHEST) for value in values)


def _event(event: Any) -> tuple[Any, ...]:
    """One input event."""
    match event:
        case ["m", x, y]:
            return "m", *_place((x, y))
        case ["b", button, down, x, y, mods]:
            return "b", _whole(button, 0, BUTTONS - 1), _whole(down, 0, 1), *_place((x, y)), _whole(mods, 0, MODIFIERS)
        case ["w", dx, dy, x, y]:
            notches = (_number(value, -MOST_NOTCHES, MOST_NOTCHES) for value in (dx, dy))
            return "w", *notches, *_place((x, y))
        case ["p", x, y, dx, dy, zoom]:
            return "p", *_place((x, y)), *(_number(value, -10, 10) for value in (dx, dy, zoom))
        case ["k", code, key, down, mods]:
            return "k", _text(code, MOST_NAME), _text(key, MOST_NAME), _whole(down, 0, 1), _whole(mods, 0, MODIFIERS)
        case ["t", text]:
            return "t", _text(text, MOST_TYPED)
        case ["f", focused]:
            return "f", bool(focused)
    raise BadMessage("no such input event")


def _input(said: dict[str, Any]) -> Input:
    events = said["e"]
    if not isinstance(events, list) or len(events) > MOST_EVENTS:
        raise BadMessage("not a list of events, or too many")
    return Input(_whole(said["n"]), tuple(map(_event, events)))


def _upload(said: dict[str, Any]) -> UploadBegin:
    files = said["files"]
    if not isinstance(files, list) or not 1 <= len(files) <= MOST_FILES:
        raise BadMessage("no files, or too many")
    return UploadBegin(tuple((safe_path(_text(file["name"], MOST_PATH)), _whole(file["size"])) for file in files))


def safe_path(name: str) -> str:
    """A path below a folder, as a page names a dropped file."""
    parts = name.replace("\\", "/").split("/")
    odd = any(part in ("", ".", "..") or part.startswith("~") or ":" in part for part in parts)
    if odd or not all(char.isprintable() for char in name):
        raise BadMessage("no name for a file")
    return "/".join(parts)


READERS: dict[str, Callable[[dict[str, Any]], Message]] = {
    "hello": lambda said: Hello(*_size(said), _whole(said["protocol"])),
    "size": lambda said: Size(*_size(said)),
    "in": _input,
    "ack": lambda said: Ack(_whole(said["n"])),
    "clip": lambda said: Clip(_text(said["s"], MOST_CLIP)),
    "name": lambda said: Name("".join(char for char in _text(said["s"], MOST_NAME) if char.isprintable()).strip()),
    "drive": lambda _: Drive(),
    "give": lambda said: Give(_whole(said["to"])),
    "deny": lambda said: Deny(_whole(said["to"])),
    "close": lambda _: Close(),
    "up": _upload,
}
