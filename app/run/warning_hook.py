"""Python's warnings, heard by the viewer: each goes where it would go anyway, and to those who listen.

The engine and the reader of files warn as any library does, on whichever thread they run.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

Hear = Callable[[str], None]

Show = Callable[..., Any]

_listeners: list[Hear] = []
# what shows warnings while somebody listens, and what did so before
_ours: Show | None = None
_usual: Show = warnings.showwarning


def listen(hear: Hear) -> None:
    """From now on, tell `hear` the words of every warning, on the thread that it comes from."""
    global _ours, _usual
    _listeners.append(hear)
    if warnings.showwarning is not _ours:
        _usual = warnings.showwarning
        _ours = warnings.showwarning = _telling(_usual)


def leave(hear: Hear) -> None:
    """No longer tell `hear`."""
    if hear in _listeners:
        _listeners.remove(hear)
    if not _listeners and warnings.showwarning is _ours:
        warnings.showwarning = _usual


def repeat() -> None:
    """Let what was warned of be warned of once more; otherwise each place in the code says a thing only once."""
    # any change of the filters does, and this one changes nothing else
    warnings.simplefilter("default", append=True)


def _telling(usual: Show) -> Show:
    """Shows a warning as usual, and tells those who listen."""

    def show(message: Any, *rest: Any, **options: Any) -> None:
        usual(message, *rest, **options)
        # another library may still call one that was left behind
        for hear in tuple(_listeners) if show is _ours else ():
            hear(str(message))

    return show
