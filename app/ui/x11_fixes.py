"""X11 repairs for pyglet 2.1: dropped files, clipboard, keys under Shift, keys released while unfocused.

Each method says what pyglet does and what that breaks. All of them reach into pyglet's private attributes, so check
this file first when pyglet is upgraded. On other platforms they do nothing.
"""

from __future__ import annotations

import ctypes
import time
from collections.abc import Container
from typing import Any

import pyglet

# how long another program may take to answer a paste
CLIPBOARD_SECONDS = 0.5


class X11Fixes(pyglet.window.Window):  # type: ignore[misc]
    """pyglet's window with its X11 bugs worked around."""

    # keys that are reported by their unshifted symbol
    unshifted_keys: Container[int] = ()

    def _event_drag_enter(self, event: Any) -> None:
        """A drag enters the window. pyglet raises TypeError if the source offers three types or fewer.

        The message holds up to three types itself and points to a longer list only if bit 0 is set; pyglet adds a
        number to the ctypes array of the message as if it were a pointer.
        """
        message = event.xclient.data.l
        if message[1] & 1:
            super()._event_drag_enter(event)
            return
        files = self._xdnd_atoms["text/uri-list"]
        self._xdnd_source, self._xdnd_version = message[0], message[1] >> 24
        self._xdnd_format = files if files in message[2:5] else None

    def finish_drop(self) -> None:
        """Send XdndFinished to the source of a drop. pyglet sends it to the root window, and the source keeps waiting.

        To be called from `on_file_drop`.
        """
        source = getattr(self, "_xdnd_source", None)
        if not source:
            return
        from pyglet.libs.x11 import xlib

        event = xlib.XEvent()
        event.xclient.type, event.xclient.format = xlib.ClientMessage, 32
        event.xclient.window = source
        event.xclient.message_type = self._xdnd_atoms["XdndFinished"]
        event.xclient.data.l[:3] = [self._window, 1, self._xdnd_atoms["XdndActionCopy"]]
        xlib.XSendEvent(self._x_display, source, False, xlib.NoEventMask, ctypes.byref(event))
        xlib.XFlush(self._x_display)

    def get_clipboard_text(self) -> str:
        """The clipboard's text. pyglet blocks forever if its owner does not answer, and raises if it is not UTF-8."""
        clipboard = getattr(self, "_clipboard_atom", None)
        if clipboard is None or self._clipboard_str is not None:
            return str(super().get_clipboard_text())
        from pyglet.libs.x11 import xlib

        display, utf8 = self._x_display, self._utf8_atom
        xlib.XConvertSelection(display, clipboard, utf8, clipboard, self._window, xlib.CurrentTime)
        answer, end = xlib.XEvent(), time.monotonic() + CLIPBOARD_SECONDS
        while not xlib.XCheckTypedWindowEvent(display, self._window, xlib.SelectionNotify, ctypes.byref(answer)):
            if time.monotonic() > end:
                return ""
            time.sleep(0.001)
        if not answer.xselection.property:
            return ""
        data, size, actual = self.get_single_property(self._window, clipboard, utf8)
        text = ctypes.string_at(data, size) if data and actual == utf8 else b""
        xlib.XFree(data)
        return text.decode("utf-8", "replace")

    def _event_text_symbol(self, event: Any) -> tuple[str | None, int]:
        """The text and symbol of a key event. pyglet reports the shifted symbol, `)` for Shift+0.

        Shortcuts are bound to keys, and a release after Shift is up would not match its press.
        """
        from pyglet.libs.x11 import xlib

        text, symbol = super()._event_text_symbol(event)
        unshifted = xlib.XKeycodeToKeysym(self._x_display, event.xkey.keycode, 0)
        return text, unshifted if unshifted in self.unshifted_keys else symbol

    def take_lost_releases(self) -> list[int]:
        """Symbols of keys that were released while another window had the focus.

        pyglet keeps them in `pressed_keys` and would drop the next press of each as an auto-repeat.
        """
        pressed: set[int] = getattr(self, "pressed_keys", set())
        if not pressed:
            return []
        from pyglet.libs.x11 import xlib

        down = ctypes.create_string_buffer(32)
        xlib.XQueryKeymap(self._x_display, down)
        lost = []
        for symbol in pressed:
            code = xlib.XKeysymToKeycode(self._x_display, symbol)
            if not down.raw[code // 8] >> code % 8 & 1:
                lost.append(symbol)
        pressed.difference_update(lost)
        return lost
