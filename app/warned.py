"""Python's warnings, heard by the viewer: each goes where it would go anyway, and to those who listen.

The engine and the reader of files warn as any library does, on whichever thread they run.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

Hear = Callable[[str], None]

_listeners: list[Hear] = []
_usual: Callable[..., Any] = warnings.showwarning


def listen(hear: Hear) -> None:
    """From now on, tell `hear` the words of every warning, on the thread that it comes from."""
    global _usual
    _listeners.append(hear)
    if warnings.showwarning is not _show:
        _usual, warnings.showwarning = warnings.showwarning, _show


def leave(hear: Hear) -> None:
    """No longer tell `hear`."""
    if hear in _listeners:
        _listeners.remove(hear)
    if not _listeners and warnings.showwarning is _show:
        warnings.showwarning = _usual


def repeat() -> None:
    """Let what was warned of be warned of once more; otherwise each place in the code says a thing only once."""
    # any change of the filters does, and this one changes nothing else
    warnings.simplefilter("default", append=True)


def _show(message: Any, *rest: Any, **options: Any) -> None:
    _usual(message, *rest, **options)
    for hear in tuple(_listeners):
        hear(str(message))
