"""The window: pyglet's events become ImGui's input, and its frames reach the screen.

It knows nothing of simulations. Keys, mouse, text, clipboard, cursor, file drops, resizing and screens of
high density are handled here; what they mean is decided by the bindings.
"""

from __future__ import annotations

import ctypes
import os
import sys
import time
import unicodedata
from collections.abc import Callable
from typing import Any

import pyglet

# pyglet's own hidden window would cost a second GL context
pyglet.options.shadow_window = False

from imgui_bundle import imgui  # noqa: E402
from pyglet.window import key, mouse  # noqa: E402

from app.ui.input_queue import Button, Focus, InputEvent, InputQueue, Pointer, Stroke  # noqa: E402
from sim.user_error import UserError  # noqa: E402

TITLE = "Kinetoscope"
START_SIZE = (1400, 900)
MIN_SIZE = (480, 320)
# how long another program may take to hand over what it has copied
CLIPBOARD_SECONDS = 0.5

_NAMED_KEYS = {
    "TAB": "tab", "BACKSPACE": "backspace", "RETURN": "enter", "ESCAPE": "escape", "SPACE": "space",
    "INSERT": "insert", "DELETE": "delete", "LEFT": "left_arrow", "RIGHT": "right_arrow", "UP": "up_arrow",
    "DOWN": "down_arrow", "PAGEUP": "page_up", "PAGEDOWN": "page_down", "HOME": "home", "END": "end",
    "EQUAL": "equal", "MINUS": "minus", "BRACKETLEFT": "left_bracket", "BRACKETRIGHT": "right_bracket",
    "BACKSLASH": "backslash", "SEMICOLON": "semicolon", "APOSTROPHE": "apostrophe", "COMMA": "comma",
    "PERIOD": "period", "SLASH": "slash", "GRAVE": "grave_accent", "NUM_ENTER": "keypad_enter",
    "NUM_ADD": "keypad_add", "NUM_SUBTRACT": "keypad_subtract", "LCTRL": "left_ctrl", "RCTRL": "right_ctrl",
    "LSHIFT": "left_shift", "RSHIFT": "right_shift", "LALT": "left_alt", "RALT": "right_alt",
    "LWINDOWS": "left_super", "RWINDOWS": "right_super", "LCOMMAND": "left_super", "RCOMMAND": "right_super",
}  # fmt: skip
_MODIFIERS = {
    key.MOD_CTRL: imgui.Key.mod_ctrl, key.MOD_SHIFT: imgui.Key.mod_shift, key.MOD_ALT: imgui.Key.mod_alt,
}  # fmt: skip
# what a modifier key adds by itself: its own press is reported without it
_OWN_MODIFIER = {
    key.LCTRL: key.MOD_CTRL, key.RCTRL: key.MOD_CTRL, key.LSHIFT: key.MOD_SHIFT, key.RSHIFT: key.MOD_SHIFT,
    key.LALT: key.MOD_ALT, key.RALT: key.MOD_ALT,
}  # fmt: skip
_BUTTONS = {mouse.LEFT: 0, mouse.RIGHT: 1, mouse.MIDDLE: 2}
_CURSORS: dict[int, str] = {
    imgui.MouseCursor_.text_input: pyglet.window.Window.CURSOR_TEXT,
    imgui.MouseCursor_.resize_all: pyglet.window.Window.CURSOR_SIZE,
    imgui.MouseCursor_.resize_ns: pyglet.window.Window.CURSOR_SIZE_UP_DOWN,
    imgui.MouseCursor_.resize_ew: pyglet.window.Window.CURSOR_SIZE_LEFT_RIGHT,
    imgui.MouseCursor_.hand: pyglet.window.Window.CURSOR_HAND,
}


def _key_table() -> dict[int, imgui.Key]:
    """pyglet's key codes to ImGui's keys."""
    names = dict(_NAMED_KEYS)
    names |= {letter: letter.lower() for letter in "ABCDEFGHIJKLMNOPQRSTUVWXYZ"}
    names |= {f"_{digit}": f"_{digit}" for digit in range(10)}
    names |= {f"F{n}": f"f{n}" for n in range(1, 13)}
    return {getattr(key, ours): getattr(imgui.Key, theirs) for ours, theirs in names.items()}


_KEYS = _key_table()


def _held_modifiers(bits: int) -> frozenset[imgui.Key]:
    """ImGui's names of pyglet's modifiers."""
    return frozenset(name for bit, name in _MODIFIERS.items() if bits & bit)


# what pyglet's exceptions mean
_REASONS = {
    "NoSuchDisplayException": "no X server answers at {}",
    "NoSuchConfigException": "the screen {} has no OpenGL 3.3",
    "ContextException": "the screen {} has no OpenGL 3.3",
}


class NoScreen(UserError):
    """No window can be made here; the message says why."""


class Window(pyglet.window.Window):  # type: ignore[misc]
    """One window with a GL 3.3 context. Create the ImGui context first."""

    def __init__(self, size: tuple[int, int] = START_SIZE) -> None:
        config = pyglet.gl.Config(  # type: ignore[abstract]
            major_version=3, minor_version=3, forward_compatible=True, double_buffer=True, depth_size=0
        )
        screen = pyglet.display.get_display().get_default_screen()
        # sizes are in pixels of the screen, but on macOS, where they are larger on a dense one
        scale = 1.0 if sys.platform == "darwin" else max(float(screen.get_scale()), 1.0)
        # a small screen gets a small window
        size = min(int(scale * size[0]), int(0.9 * screen.width)), min(int(scale * size[1]), int(0.9 * screen.height))
        # events that come before these are set would fail
        self.dropped: list[str] = []
        self._input = InputQueue(self._listen)
        self._buttons: set[int] = set()
        self.events = 1
        self.closed = False
        # minimised: nobody sees what is drawn
        self.hidden = False
        # told of each key that is pressed, with its name, unless the user types
        self.key_listener: Callable[[int, str], None] | None = None
        super().__init__(*size, caption=TITLE, resizable=True, config=config, file_drops=True, vsync=True)
        self.set_minimum_size(*(int(scale * length) for length in MIN_SIZE))
        self._cursor: int | None = None
        self._connect_clipboard()
        self.update_display_size()

    # what the application asks for

    def run(self, frame: Callable[[], None]) -> None:
        """Call `frame` at the rate of the screen until it calls `stop` or raises."""
        rate = getattr(self.screen.get_mode(), "rate", None) or 60

        def tick(_: float) -> None:
            frame()

        pyglet.clock.schedule_interval(tick, 1 / max(rate, 30))
        try:
            pyglet.app.run(interval=None)
        finally:
            # the next window of this process has a clock of its own
            pyglet.clock.unschedule(tick)

    def stop(self) -> None:
        """Leave `run`."""
        pyglet.app.exit()

    @property
    def density(self) -> float:
        """How much larger than usual things should be drawn."""
        width, _ = self.get_size()
        pixels, _ = self.get_framebuffer_size()
        return max(float(self.scale), 1.0) if pixels == width else 1.0

    @property
    def busy(self) -> bool:
        """Whether a key or button is held, so that frames are needed though no event comes."""
        return self._input.holds

    def feed(self) -> bool:
        """Tell ImGui what happened next; whether there is more to tell after its frame."""
        return self._input.feed()

    @property
    def button_held(self) -> bool:
        """Whether a button of the mouse is held, as of the newest event."""
        return bool(self._buttons)

    def take_dropped(self) -> list[str]:
        """Files dropped since the last call."""
        paths, self.dropped = self.dropped, []
        return paths

    def update_display_size(self) -> None:
        """Tell ImGui how large the window is."""
        io = imgui.get_io()
        width, height = self.get_size()
        pixels_x, pixels_y = self.get_framebuffer_size()
        io.display_size = imgui.ImVec2(width, height)
        io.display_framebuffer_scale = imgui.ImVec2(pixels_x / max(width, 1), pixels_y / max(height, 1))

    def update_cursor(self) -> None:
        """Show the pointer that ImGui wants."""
        cursor = imgui.get_mouse_cursor()
        if cursor != self._cursor:
            self._cursor = cursor
            self.set_mouse_cursor(self.get_system_mouse_cursor(_CURSORS.get(cursor, self.CURSOR_DEFAULT)))

    @property
    def shape(self) -> tuple[int, int, bool]:
        """Width, height, and whether it is the whole screen."""
        return *self.get_size(), self.fullscreen

    def take_shape(self, width: int, height: int, full_screen: bool) -> None:
        """As large as another window was."""
        if full_screen:
            self.toggle_full_screen()
        else:
            self.set_size(width, height)

    def toggle_full_screen(self) -> None:
        """Between the whole screen and a window."""
        self.set_fullscreen(not self.fullscreen)
        # the window is made anew: it may have lost the keyboard, and was not told what was released meanwhile
        self.activate()
        self.hidden = False
        self.events += 1
        self._release_lost_keys()
        for number in _BUTTONS.values():
            self._input.put(Button(number, False))

    def _connect_clipboard(self) -> None:
        platform = imgui.get_platform_io()
        platform.platform_get_clipboard_text_fn = lambda _: self.get_clipboard_text()
        platform.platform_set_clipboard_text_fn = lambda _, text: self.set_clipboard_text(text)

    def get_clipboard_text(self) -> str:
        """On X11, pyglet waits for ever for a program that does not answer, and fails on text that is not UTF-8."""
        clipboard = getattr(self, "_clipboard_atom", None)
        if clipboard is None or self._clipboard_str is not None:
            return str(super().get_clipboard_text())
        from pyglet.libs.x11 import xlib

        display, kind = self._x_display, self._utf8_atom
        xlib.XConvertSelection(display, clipboard, kind, clipboard, self._window, xlib.CurrentTime)
        answer, end = xlib.XEvent(), time.monotonic() + CLIPBOARD_SECONDS
        while not xlib.XCheckTypedWindowEvent(display, self._window, xlib.SelectionNotify, ctypes.byref(answer)):
            if time.monotonic() > end:
                return ""
            time.sleep(0.001)
        if not answer.xselection.property:
            return ""
        data, size, given = self.get_single_property(self._window, clipboard, kind)
        text = ctypes.string_at(data, size) if data and given == kind else b""
        xlib.XFree(data)
        return text.decode("utf-8", "replace")

    # events of pyglet

    def on_close(self) -> None:
        self.closed = True
        self.events += 1

    def on_resize(self, width: int, height: int) -> None:
        self.events += 1

    def on_expose(self) -> None:
        self.events += 1

    def on_show(self) -> None:
        self.hidden = False
        self.events += 1

    def on_hide(self) -> None:
        self.hidden = True
        # a window that is gone is not told of releases
        for button in self._buttons & _BUTTONS.keys():
            self._put(Button(_BUTTONS[button], False))
        self._buttons.clear()

    def on_deactivate(self) -> None:
        self._put(Focus(False))

    def on_activate(self) -> None:
        self._put(Focus(True))
        self._release_lost_keys()

    def on_key_press(self, symbol: int, modifiers: int) -> None:
        self._key(symbol, modifiers, True)

    def on_key_release(self, symbol: int, modifiers: int) -> None:
        self._key(symbol, modifiers, False)

    def on_text(self, text: str) -> None:
        self.events += 1
        text = "".join(letter for letter in text if unicodedata.category(letter) != "Cc")
        if text:
            self._input.write(text)

    def on_mouse_motion(self, x: int, y: int, dx: int, dy: int) -> None:
        self._put(Pointer(x, self.get_size()[1] - y))

    def on_mouse_drag(self, x: int, y: int, dx: int, dy: int, buttons: int, modifiers: int) -> None:
        self.on_mouse_motion(x, y, dx, dy)

    def on_mouse_leave(self, x: int, y: int) -> None:
        self.events += 1

    def on_mouse_press(self, x: int, y: int, button: int, modifiers: int) -> None:
        self._button(x, y, button, modifiers, True)

    def on_mouse_release(self, x: int, y: int, button: int, modifiers: int) -> None:
        self._button(x, y, button, modifiers, False)

    def on_mouse_scroll(self, x: int, y: int, scroll_x: float, scroll_y: float) -> None:
        self._put(Pointer(x, self.get_size()[1] - y, scroll_x, scroll_y))

    def _event_drag_enter(self, event: Any) -> None:
        """On X11, a file comes over the window; pyglet fails where the source offers no more than three types."""
        offer = event.xclient.data.l
        if offer[1] & 1:
            super()._event_drag_enter(event)
            return
        files = self._xdnd_atoms["text/uri-list"]
        self._xdnd_source, self._xdnd_version = offer[0], offer[1] >> 24
        self._xdnd_format = files if files in offer[2:5] else None

    def on_file_drop(self, x: int, y: int, paths: list[str]) -> None:
        self.events += 1
        self.dropped += paths
        if getattr(self, "_xdnd_source", None):
            self._finish_drop()

    def _finish_drop(self) -> None:
        """On X11, tell the source that it may end its drag; pyglet tells the root window, and sources wait in vain."""
        from pyglet.libs.x11 import xlib

        event = xlib.XEvent()
        event.xclient.type, event.xclient.format = xlib.ClientMessage, 32
        event.xclient.window = self._xdnd_source
        event.xclient.message_type = self._xdnd_atoms["XdndFinished"]
        event.xclient.data.l[:3] = [self._window, 1, self._xdnd_atoms["XdndActionCopy"]]
        xlib.XSendEvent(self._x_display, self._xdnd_source, False, xlib.NoEventMask, ctypes.byref(event))
        xlib.XFlush(self._x_display)

    def _event_text_symbol(self, event: Any) -> tuple[str | None, int]:
        """X names what a key writes, `)` for shift and 0; bindings want the key itself."""
        from pyglet.libs.x11 import xlib

        text, symbol = super()._event_text_symbol(event)
        key_itself = xlib.XKeycodeToKeysym(self._x_display, event.xkey.keycode, 0)
        return text, key_itself if key_itself in _KEYS else symbol

    def _put(self, event: InputEvent) -> None:
        """Something to tell ImGui."""
        self.events += 1
        self._input.put(event)

    def _key(self, symbol: int, modifiers: int, down: bool) -> None:
        """Keep a key with the modifiers as they are once it went down or up."""
        own = _OWN_MODIFIER.get(symbol, 0)
        held = _held_modifiers(modifiers | own if down else modifiers & ~own)
        self._put(Stroke(_KEYS.get(symbol), down, held, symbol=symbol, modifies=bool(own)))

    def _listen(self, symbol: int) -> None:
        """A key was pressed, and not to type."""
        if self.key_listener is not None:
            self.key_listener(symbol, key.symbol_string(symbol))

    def _release_lost_keys(self) -> None:
        """On X11, release what was released over another window: pyglet would take its next press for a repetition."""
        held: set[int] = getattr(self, "pressed_keys", set())
        if not held:
            return
        from pyglet.libs.x11 import xlib

        down = ctypes.create_string_buffer(32)
        xlib.XQueryKeymap(self._x_display, down)
        for symbol in tuple(held):
            code = xlib.XKeysymToKeycode(self._x_display, symbol)
            if not down.raw[code // 8] >> code % 8 & 1:
                held.remove(symbol)
                self._key(symbol, 0, False)

    def _button(self, x: int, y: int, button: int, modifiers: int, down: bool) -> None:
        """Report a mouse button at its place, and the modifiers as they are with it."""
        self.on_mouse_motion(x, y, 0, 0)
        (self._buttons.add if down else self._buttons.discard)(button)
        if button in _BUTTONS:
            self._input.put(Button(_BUTTONS[button], down, _held_modifiers(modifiers)))


def open_window() -> Window:
    """A window, or NoScreen with the reason."""
    screen = os.environ.get("DISPLAY")
    if sys.platform.startswith("linux") and not screen:
        raise NoScreen("there is no screen (DISPLAY is not set)")
    try:
        return Window()
    except Exception as error:
        reason = _REASONS.get(type(error).__name__, str(error) or type(error).__name__)
        raise NoScreen(f"no window can be opened ({reason.format(screen)})") from error
