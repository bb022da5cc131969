"""The window of a viewer that is shown in browsers: what the driver does comes from a server, what is shown goes there.

It has no context and no screen. A turn is made when there is input, when a page can take a frame, and at least every
now and then; while nobody looks, nothing is drawn.
"""

from __future__ import annotations

import time
import unicodedata
from collections.abc import Callable
from pathlib import Path
from typing import Any

from imgui_bundle import imgui

from app.ui.input_queue import Button, Focus, InputEvent, InputQueue, KeyEvent, Pointer
from app.ui.turns import turn
from app.ui.windows import START_SIZE
from app.web.live import messages
from app.web.live.server import Driver, Dropped, LiveServer

# turns per second while frames are taken, and the longest time without one, s
RATE, LONGEST = 60.0, 0.1
# KeyboardEvent.code -> ImGui's key, without letters, digits and F1 to F12
CODES = {
    "Tab": "tab", "Backspace": "backspace", "Enter": "enter", "Escape": "escape", "Space": "space",
    "Insert": "insert", "Delete": "delete", "ArrowLeft": "left_arrow", "ArrowRight": "right_arrow",
    "ArrowUp": "up_arrow", "ArrowDown": "down_arrow", "PageUp": "page_up", "PageDown": "page_down", "Home": "home",
    "End": "end", "Equal": "equal", "Minus": "minus", "BracketLeft": "left_bracket",
    "BracketRight": "right_bracket", "Backslash": "backslash", "IntlBackslash": "backslash",
    "Semicolon": "semicolon", "Quote": "apostrophe", "Comma": "comma", "Period": "period", "Slash": "slash",
    "Backquote": "grave_accent", "NumpadEnter": "keypad_enter", "NumpadAdd": "keypad_add",
    "NumpadSubtract": "keypad_subtract", "ControlLeft": "left_ctrl", "ControlRight": "right_ctrl",
    "ShiftLeft": "left_shift", "ShiftRight": "right_shift", "AltLeft": "left_alt", "AltRight": "right_alt",
    "MetaLeft": "left_super", "MetaRight": "right_super",
}  # fmt: skip
MODIFIERS = (imgui.Key.mod_ctrl, imgui.Key.mod_shift, imgui.Key.mod_alt)
# the bit of a modifier key
OWN_BITS = {"Control": 1, "Shift": 2, "Alt": 4}
CURSORS: dict[int, str] = {
    imgui.MouseCursor_.text_input: "text",
    imgui.MouseCursor_.resize_all: "move",
    imgui.MouseCursor_.resize_ns: "ns-resize",
    imgui.MouseCursor_.resize_ew: "ew-resize",
    imgui.MouseCursor_.hand: "pointer",
}
# names that scripts know keys by, as pyglet has them, where they are not those of ImGui
SCRIPT_NAMES = {
    "arrowleft": "LEFT", "arrowright": "RIGHT", "arrowup": "UP", "arrowdown": "DOWN", "controlleft": "LCTRL",
    "controlright": "RCTRL", "shiftleft": "LSHIFT", "shiftright": "RSHIFT", "altleft": "LALT", "altright": "RALT",
    "numpadenter": "NUM_ENTER", "numpadadd": "NUM_ADD", "numpadsubtract": "NUM_SUBTRACT",
}  # fmt: skip


def key_of(code: str) -> imgui.Key | None:
    """ImGui's key of a KeyboardEvent.code."""
    name = CODES.get(code)
    if code.startswith("Key") and len(code) == 4:
        name = code[3].lower()
    elif code.startswith("Digit") and len(code) == 6:
        name = f"_{code[5]}"
    elif code[:1] == "F" and code[1:].isdigit():
        name = code.lower()
    found: imgui.Key | None = getattr(imgui.Key, name, None) if name else None
    return found


def _held(bits: int) -> frozenset[imgui.Key]:
    return frozenset(key for number, key in enumerate(MODIFIERS) if bits & (1 << number))


class WebWindow:
    """The window that the pages of a server show together."""

    def __init__(self, server: LiveServer, size: tuple[int, int] | None = None) -> None:
        self._server = server
        self._size, self._dpr = size or START_SIZE, 1.0
        self._input = InputQueue(self._listen)
        self._buttons: set[int] = set()
        self._keys: dict[str, tuple[imgui.Key | None, int]] = {}
        self._dropped: list[str] = []
        self._clip = ""
        self._cursor = -1
        self._typing: Any = None
        self._caption = ""
        self._ended = False
        self.events = 1
        self.closed = self.asked_to_close = self.hidden = self.goes_on = False
        self.key_listener: Callable[[int, str], None] | None = None
        # the newest input message, whether a visitor drives, and what two fingers did
        self.heard = 0
        self.visitor_drives = False
        self._pinches: list[tuple[float, float, float]] = []
        platform = imgui.get_platform_io()
        platform.platform_get_clipboard_text_fn = lambda _: self._clip
        platform.platform_set_clipboard_text_fn = lambda _, text: self.set_clipboard_text(text)

    # for the application: `windows.py`

    @property
    def visible(self) -> bool:
        """Whether anybody looks."""
        return self._server.watched

    @property
    def dpi_scale(self) -> float:
        """Sizes are in CSS pixels."""
        return 1.0

    @property
    def busy(self) -> bool:
        """Whether a key or button is held."""
        return self._input.holds

    @property
    def button_held(self) -> bool:
        """Whether a mouse button is held, as of the newest event."""
        return bool(self._buttons)

    @property
    def shape(self) -> tuple[int, int, bool]:
        """Width and height; full screen is the browser's."""
        return *self._size, False

    def run(self, frame: Callable[[], None], begin: Callable[[], None]) -> None:
        """Call `frame` until it calls `stop` or raises."""
        due = last = time.monotonic()
        while not self._ended:
            now = time.monotonic()
            news = self._server.take()
            if news or self.busy or self._server.takes or now - last >= LONGEST:
                last = now
                with turn(begin):
                    self._hear(news)
                    frame()
            # what wakes it before does not put off the next turn
            due = max(due + 1 / RATE, now) if now >= due else due
            self._server.news.wait(max(due - time.monotonic(), 0.0) if self._server.watched else LONGEST)

    def stop(self) -> None:
        """Leave `run`."""
        self._ended = True

    def close(self) -> None:
        """Tell the pages, unless they are to connect to another process."""
        self._server.close("" if self.goes_on else "the viewer was closed")

    def flip(self) -> None:
        """Pictures go to the server as they are made."""

    def feed(self) -> bool:
        """Pass the next event to ImGui; returns whether more events wait for its next frame."""
        return self._input.feed()

    def take_dropped(self) -> list[str]:
        """Files dropped since the last call."""
        paths, self._dropped = self._dropped, []
        return paths

    def take_pinches(self) -> list[tuple[float, float, float]]:
        """What two fingers did: to the side, down, and by how much they zoom."""
        pinches, self._pinches = self._pinches, []
        return pinches

    def update_display_size(self) -> None:
        """Pass the size of the driver's page to ImGui; glyphs are drawn for its pixels."""
        io = imgui.get_io()
        io.display_size = imgui.ImVec2(*self._size)
        io.display_framebuffer_scale = imgui.ImVec2(self._dpr, self._dpr)

    def update_cursor(self) -> None:
        """Show the mouse cursor that ImGui asks for, and where text is typed."""
        cursor = imgui.get_mouse_cursor()
        if cursor != self._cursor:
            self._cursor = cursor
            self._server.tell({"t": "cursor", "c": CURSORS.get(cursor, "default")})
        wanted = imgui.get_io().want_text_input
        at = imgui.get_current_context().platform_ime_data if wanted else None
        typing = {
            "t": "typing", "on": wanted, "x": at.input_pos.x if at else 0.0, "y": at.input_pos.y if at else 0.0,
            "h": at.input_line_height if at else 0.0,
        }  # fmt: skip
        if typing != self._typing:
            self._typing = typing
            self._server.tell(typing)

    def restore_shape(self, width: int, height: int, full_screen: bool) -> None:
        """The page has its size."""

    def toggle_full_screen(self) -> None:
        """The browser asks its user first."""
        self._server.tell({"t": "screen"}, driver_only=True)

    def get_framebuffer_size(self) -> tuple[int, int]:
        """In pixels of the driver's screen."""
        return round(self._size[0] * self._dpr), round(self._size[1] * self._dpr)

    def set_caption(self, caption: str) -> None:
        """The title of the pages."""
        self._server.tell({"t": "title", "s": caption})

    def set_clipboard_text(self, text: str) -> None:
        """Copy on the host, and where the driver is."""
        self._clip = text
        self._server.tell({"t": "copy", "s": text}, driver_only=True)

    def offer(self, path: Path) -> None:
        """A file was made for the user: the driver may fetch it."""
        self._server.offer(path)

    # what comes

    def _hear(self, news: list[Any]) -> None:
        for item in news:
            match item:
                case messages.Input(number, events):
                    self.heard = number
                    for event in events:
                        self._take(event)
                case messages.Size(width, height, dpr):
                    self._resize(width, height, dpr)
                case messages.Clip(text):
                    self._clip = text
                case messages.Close():
                    self.asked_to_close = True
                    self.events += 1
                case Dropped(path):
                    self._dropped.append(str(path))
                    self.events += 1
                case Driver(owner, size):
                    self._change_driver(owner, size)

    def _resize(self, width: int, height: int, dpr: float) -> None:
        self._size, self._dpr = (width, height), dpr
        self.events += 1

    def _change_driver(self, owner: bool | None, size: messages.Size | None) -> None:
        """Whoever drove holds nothing any more."""
        for code in list(self._keys):
            self._key(code, False, 0)
        for button in list(self._buttons):
            self._button(button, False, 0)
        self._put(Focus(size is not None))
        self.visitor_drives, self.heard = owner is False, 0
        if size is not None:
            self._resize(*size)

    def _take(self, event: tuple[Any, ...]) -> None:
        """One input event."""
        match event:
            case "m", x, y:
                self._put(Pointer(x, y))
            case "b", button, down, x, y, mods:
                self._put(Pointer(x, y))
                self._button(button, bool(down), mods)
            case "w", dx, dy, x, y:
                self._put(Pointer(x, y, dx, dy))
            case "p", _, _, dx, dy, zoom:
                self._pinches.append((dx, dy, zoom))
                self.events += 1
            case "k", code, _, down, mods:
                self._key(code, bool(down), mods)
            case "t", text:
                self.events += 1
                text = "".join(char for char in text if unicodedata.category(char) != "Cc")
                if text:
                    self._input.put_text(text)
            case "f", focused:
                self._put(Focus(focused))

    def _put(self, event: InputEvent) -> None:
        self.events += 1
        self._input.put(event)

    def _button(self, button: int, down: bool, mods: int) -> None:
        (self._buttons.add if down else self._buttons.discard)(button)
        self._put(Button(button, down, _held(mods)))

    def _key(self, code: str, down: bool, mods: int) -> None:
        """A key with the modifiers as they are after it went down or up."""
        own = next((bit for name, bit in OWN_BITS.items() if code.startswith(name)), 0)
        key = key_of(code)
        if down:
            # a repeat of a key that is held is text alone
            if code in self._keys:
                return
            self._keys[code] = key, mods
        elif self._keys.pop(code, None) is None:
            return
        held = _held(mods | own if down else mods & ~own)
        self._put(KeyEvent(key, down, held, symbol=_symbol(code), is_modifier=bool(own)))

    def _listen(self, symbol: int) -> None:
        """A key was pressed outside text fields."""
        if self.key_listener is None:
            return
        code = next((code for code in self._keys if _symbol(code) == symbol), "")
        if code:
            self.key_listener(symbol, _script_name(code))


def _symbol(code: str) -> int:
    """A number of a key, never 0: that of its letter or digit, if it has one."""
    last = code[-1:].lower() if code.startswith(("Key", "Digit")) else ""
    return ord(last) if last else 1 << 16 | (hash(code) & 0xFFFF)


def _script_name(code: str) -> str:
    """The name of a key as pyglet has it."""
    lower = code.lower()
    if lower.startswith("numpad") and lower[6:].isdigit():
        return f"NUM_{lower[6:]}"
    return SCRIPT_NAMES.get(lower, code.upper())
