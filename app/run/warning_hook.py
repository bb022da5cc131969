"""Forwards Python's warnings to the viewer: each is also shown as it would be without it.

The engine and the MJCF reader warn as any library does, on the thread that they run on.
"""

from __future__ import annotations

import threading
import warnings
from collections.abc import Callable
from typing import Any

Subscriber = Callable[[str], None]

Show = Callable[..., Any]

_lock = threading.Lock()
_subscribers: list[Subscriber] = []
# our replacement of warnings.showwarning, and the function that it replaced
_ours: Show | None = None
_previous: Show = warnings.showwarning


def subscribe(subscriber: Subscriber) -> None:
    """Call `subscriber` with the text of every warning, on the thread that warns."""
    global _ours, _previous
    with _lock:
        _subscribers.append(subscriber)
        if warnings.showwarning is not _ours:
            _previous = warnings.showwarning
            _ours = warnings.showwarning = _forwarding(_previous)


def unsubscribe(subscriber: Subscriber) -> None:
    """Stop calling `subscriber`."""
    with _lock:
        if subscriber in _subscribers:
            _subscribers.remove(subscriber)
        if not _subscribers and warnings.showwarning is _ours:
            warnings.showwarning = _previous


def rearm() -> None:
    """Let warnings that were shown be shown once more: Python shows each only once for each line of code."""
    # any change of the filters does that, and this one changes nothing else
    warnings.simplefilter("default", append=True)


def _forwarding(previous: Show) -> Show:
    """A showwarning that calls the previous one, then the subscribers."""

    def show(message: Any, *rest: Any, **options: Any) -> None:
        previous(message, *rest, **options)
        # another library may still call a replacement that is out of use
        for subscriber in tuple(_subscribers) if show is _ours else ():
            subscriber(str(message))

    return show
