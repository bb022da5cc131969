"""A program that drags a file onto a window: the source side of the XDND protocol, version 5.

    python -m tests.app.xdnd WINDOW PATH

It does what a file manager does when the button is released over WINDOW: offers, asks, drops, hands over the path when
asked for it, and waits until the window has finished.
"""

from __future__ import annotations

import sys
from ctypes import POINTER, byref, c_ubyte, cast
from pathlib import Path

from pyglet.libs.x11 import xlib

VERSION = 5
ANY_EVENT = 0
ATOMS = ("XdndSelection", "XdndEnter", "XdndPosition", "XdndStatus", "XdndDrop", "XdndFinished", "XdndActionCopy",
         "text/uri-list")  # fmt: skip


class Source:
    """A window that offers one file."""

    def __init__(self, target: int, path: Path) -> None:
        self.display = xlib.XOpenDisplay(None)
        self.atom = {name: xlib.XInternAtom(self.display, name.encode(), 0) for name in ATOMS}
        root = xlib.XDefaultRootWindow(self.display)
        self.window = xlib.XCreateSimpleWindow(self.display, root, 0, 0, 1, 1, 0, 0, 0)
        self.target = target
        self.content = (path.as_uri() + "\r\n").encode()
        xlib.XSetSelectionOwner(self.display, self.atom["XdndSelection"], self.window, 0)

    def tell(self, kind: str, *values: int) -> None:
        """A message to the target."""
        event = xlib.XEvent()
        event.xclient.type = xlib.ClientMessage
        event.xclient.window = self.target
        event.xclient.message_type = self.atom[kind]
        event.xclient.format = 32
        for place, value in enumerate((self.window, *values)):
            event.xclient.data.l[place] = value
        xlib.XSendEvent(self.display, self.target, 0, ANY_EVENT, byref(event))
        xlib.XFlush(self.display)

    def wait(self, kind: int, message: str = "") -> xlib.XEvent:
        """The next event of a kind, of a client's messages one of that name."""
        while True:
            event = xlib.XEvent()
            xlib.XNextEvent(self.display, byref(event))
            if event.type == kind and (not message or event.xclient.message_type == self.atom[message]):
                return event

    def hand_over(self, request: xlib.XSelectionRequestEvent) -> None:
        """Put the path where the target wants it, and say so."""
        content = cast((c_ubyte * len(self.content))(*self.content), POINTER(c_ubyte))
        xlib.XChangeProperty(
            self.display, request.requestor, request.property, request.target, 8, 0, content, len(self.content)
        )
        answer = xlib.XEvent()
        answer.xselection.type = xlib.SelectionNotify
        answer.xselection.requestor = request.requestor
        answer.xselection.selection = request.selection
        answer.xselection.target = request.target
        answer.xselection.property = request.property
        answer.xselection.time = request.time
        xlib.XSendEvent(self.display, request.requestor, 0, ANY_EVENT, byref(answer))
        xlib.XFlush(self.display)


def main() -> None:
    """Drag, ask, drop."""
    source = Source(int(sys.argv[1]), Path(sys.argv[2]))
    source.tell("XdndEnter", VERSION << 24, source.atom["text/uri-list"])
    source.tell("XdndPosition", 0, (100 << 16) | 100, 0, source.atom["XdndActionCopy"])
    accepted = source.wait(xlib.ClientMessage, "XdndStatus").xclient.data.l[1] & 1
    if not accepted:
        raise SystemExit("the window does not want it")
    source.tell("XdndDrop", 0, 0)
    source.hand_over(source.wait(xlib.SelectionRequest).xselectionrequest)
    source.wait(xlib.ClientMessage, "XdndFinished")
    print("finished")


if __name__ == "__main__":
    main()
