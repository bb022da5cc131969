"""The event loop of a window on X11: each window has its own connection and its own clock, so each can have a thread.

pyglet has one loop, one clock and one connection for all windows of a process, and remembers one current GL context;
elsewhere than on X11 they are used as they are, and there is one window at a time.
"""

from __future__ import annotations

import select
from collections.abc import Callable
from typing import Any

import pyglet

from app.ui.turns import turn


def open_display() -> Any:
    """A connection of its own to the X server."""
    from pyglet.display.xlib import XlibDisplay
    from pyglet.libs.x11 import xlib

    xlib.XInitThreads()
    return XlibDisplay()  # type: ignore[no-untyped-call]


def close_display(display: Any) -> None:
    """Close the connection of a window that is closed; pyglet would keep it forever."""
    from pyglet.libs.x11 import xlib

    # a window is closed once more when its object goes
    if display._display is not None:
        loop: Any = pyglet.app.platform_event_loop
        loop.select_devices.discard(display)
        xlib.XCloseDisplay(display._display)
        display._display = None


def run(display: Any, clock: pyglet.clock.Clock, begin: Callable[[], None], ended: Callable[[], bool]) -> None:
    """Handle events and what is scheduled, in turns with other windows, until the end."""
    from pyglet.libs.x11 import xlib

    # events go to their handlers at once
    pyglet.window.Window._enable_event_queue = False
    while not ended():
        with turn(begin):
            display.select()
            clock.call_scheduled_functions(clock.update_time())
        if not xlib.XPending(display._display):
            select.select([display], (), (), clock.get_sleep_time(True))
