"""The window: a pyglet window with a GL context that passes its events to ImGui.

It handles keys, mouse, text, clipboard, cursor, file drops, resizing and high-DPI screens. What they do is decided by
the bindings.
"""

from __future__ import annotations

import os
import sys
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass

import pyglet

# pyglet's own hidden window would cost a second GL context
pyglet.options.shadow_window = False

from imgui_bundle import imgui  # noqa: E402
from pyglet.window import key, mouse  # noqa: E402

from app.ui import x11_loop  # noqa: E402
from app.ui.input_queue import Button, Focus, InputEvent, InputQueue, KeyEvent, Pointer  # noqa: E402
from app.ui.turns import turn  # noqa: E402
from app.ui.x11_fixes import X11Fixes  # noqa: E402
from sim.user_error import UserError  # noqa: E402

TITLE = "Kinetoscope"
START_SIZE = (1400, 900)
MIN_SIZE = (480, 320)
X11 = sys.platform.startswith("linux")
# windows that a process can have at a time; without X11 they would share one event loop
MOST_WINDOWS = 32 if X11 else 1

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
# the modifier bit of a modifier key: pyglet reports its own press without it
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
    """ImGui's keys for pyglet's modifier bits."""
    return frozenset(name for bit, name in _MODIFIERS.items() if bits & bit)


# error text for pyglet's exceptions
_REASONS = {
    "NoSuchDisplayException": "no X server responds at {}",
    "NoSuchConfigException": "display {} has no OpenGL 3.3",
    "ContextException": "display {} has no OpenGL 3.3",
}


@dataclass(frozen=True)
class WindowWish:
    """What a script wants of its window: a title instead of the model's name, and a size on the screen."""

    title: str = ""
    size: tuple[int, int] | None = None

    def __post_init__(self) -> None:
        if self.size is not None and not (len(self.size) == 2 and all(int(n) == n > 0 for n in self.size)):
            raise ValueError(f"size must be a width and a height in pixels, not {self.size!r}")


class NoScreen(UserError):
    """No window can be opened; the message says why."""


class Window(X11Fixes):
    """One window with a GL 3.3 context. Create the ImGui context first."""

    unshifted_keys = _KEYS

    def __init__(self, size: tuple[int, int] | None = None) -> None:
        config = pyglet.gl.Config(  # type: ignore[abstract]
            major_version=3, minor_version=3, forward_compatible=True, double_buffer=True, depth_size=0
        )
        display = x11_loop.open_display() if X11 else pyglet.display.get_display()
        self.clock = pyglet.clock.Clock() if X11 else pyglet.clock.get_default()
        self._ended = False
        screen = display.get_default_screen()
        # sizes are in screen pixels, except on macOS, where they are scaled already
        scale = 1.0 if sys.platform == "darwin" else max(float(screen.get_scale()), 1.0)
        smallest = tuple(int(scale * length) for length in MIN_SIZE)
        if size is None:
            # at most 90 % of the screen
            size = (
                min(int(scale * START_SIZE[0]), int(0.9 * screen.width)),
                min(int(scale * START_SIZE[1]), int(0.9 * screen.height)),
            )
        # set before super().__init__: it may already dispatch events
        self.dropped: list[str] = []
        self._input = InputQueue(self._listen)
        self._buttons: set[int] = set()
        self.events = 1
        self.closed = False
        # the user has pressed the close button
        self.asked_to_close = False
        # minimised: drawing is pointless
        self.hidden = False
        # called with code and name of each key press, unless the user types into a field
        self.key_listener: Callable[[int, str], None] | None = None
        # it shares nothing with the window that was current last
        pyglet.gl.current_context = None
        super().__init__(
            *size, caption=TITLE, resizable=True, config=config, screen=screen, file_drops=True, vsync=True
        )
        self.set_minimum_size(min(smallest[0], size[0]), min(smallest[1], size[1]))
        self._cursor: int | None = None
        self._connect_clipboard()
        self.update_display_size()

    # ---- for the application

    def run(self, frame: Callable[[], None], begin: Callable[[], None]) -> None:
        """Call `frame` at the refresh rate of the screen until it calls `stop` or raises; `begin` begins its turns."""
        rate = getattr(self.screen.get_mode(), "rate", None) or 60

        def tick(_: float) -> None:
            frame()

        self.clock.schedule_interval(tick, 1 / max(rate, 30))
        try:
            if X11:
                x11_loop.run(self.display, self.clock, begin, lambda: self._ended)
            else:
                with turn(begin):
                    pyglet.app.run(interval=None)
        finally:
            # where the clock is the process's, the next window schedules again
            self.clock.unschedule(tick)

    def stop(self) -> None:
        """Leave `run`."""
        self._ended = True
        pyglet.app.exit()

    def close(self) -> None:
        """Close it, and the connection that it has had for itself."""
        display = self.display
        super().close()
        if X11:
            x11_loop.close_display(display)

    @property
    def dpi_scale(self) -> float:
        """Scale of fonts and spacing on this screen."""
        width, _ = self.get_size()
        pixels, _ = self.get_framebuffer_size()
        return max(float(self.scale), 1.0) if pixels == width else 1.0

    @property
    def busy(self) -> bool:
        """Whether a key or button is held: then frames are needed even without events."""
        return self._input.holds

    def feed(self) -> bool:
        """Pass the next event to ImGui; returns whether more events wait for its next frame."""
        return self._input.feed()

    @property
    def button_held(self) -> bool:
        """Whether a mouse button is held, as of the newest event."""
        return bool(self._buttons)

    def take_dropped(self) -> list[str]:
        """Files dropped since the last call."""
        paths, self.dropped = self.dropped, []
        return paths

    def update_display_size(self) -> None:
        """Pass the size of the window to ImGui."""
        io = imgui.get_io()
        width, height = self.get_size()
        pixels_x, pixels_y = self.get_framebuffer_size()
        io.display_size = imgui.ImVec2(width, height)
        io.display_framebuffer_scale = imgui.ImVec2(pixels_x / max(width, 1), pixels_y / max(height, 1))

    def update_cursor(self) -> None:
        """Show the mouse cursor that ImGui asks for."""
        cursor = imgui.get_mouse_cursor()
        if cursor != self._cursor:
            self._cursor = cursor
            self.set_mouse_cursor(self.get_system_mouse_cursor(_CURSORS.get(cursor, self.CURSOR_DEFAULT)))

    @property
    def shape(self) -> tuple[int, int, bool]:
        """Width, height, and whether it is full screen."""
        return *self.get_size(), self.fullscreen

    def restore_shape(self, width: int, height: int, full_screen: bool) -> None:
        """Take the size of an earlier window."""
        if full_screen != self.fullscreen:
            self.toggle_full_screen()
        if not full_screen:
            self.set_size(width, height)

    def toggle_full_screen(self) -> None:
        """Switch between full screen and a window."""
        self.set_fullscreen(not self.fullscreen)
        # pyglet recreates the window: it may lose the focus, and misses what is released meanwhile
        self.activate()
        self.hidden = False
        self.events += 1
        self._release_lost_keys()
        for index in _BUTTONS.values():
            self._input.put(Button(index, False))

    def _connect_clipboard(self) -> None:
        platform = imgui.get_platform_io()
        platform.platform_get_clipboard_text_fn = lambda _: self.get_clipboard_text()
        platform.platform_set_clipboard_text_fn = lambda _, text: self.set_clipboard_text(text)

    # ---- pyglet's event handlers

    def on_close(self) -> None:
        self.asked_to_close = True
        # the answer may be a question, which has to be seen
        self.hidden = False
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
        # a hidden window gets no release events
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
        text = "".join(char for char in text if unicodedata.category(char) != "Cc")
        if text:
            self._input.put_text(text)

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

    def on_file_drop(self, x: int, y: int, paths: list[str]) -> None:
        self.events += 1
        self.dropped += paths
        self.finish_drop()

    def _put(self, event: InputEvent) -> None:
        """Queue an event for ImGui."""
        self.events += 1
        self._input.put(event)

    def _key(self, symbol: int, modifiers: int, down: bool) -> None:
        """Queue a key with the modifiers as they are after it went down or up."""
        own = _OWN_MODIFIER.get(symbol, 0)
        held = _held_modifiers(modifiers | own if down else modifiers & ~own)
        self._put(KeyEvent(_KEYS.get(symbol), down, held, symbol=symbol, is_modifier=bool(own)))

    def _listen(self, symbol: int) -> None:
        """A key was pressed outside text fields."""
        if self.key_listener is not None:
            self.key_listener(symbol, key.symbol_string(symbol))

    def _release_lost_keys(self) -> None:
        """Report keys that were released while another window had the focus."""
        for symbol in self.take_lost_releases():
            self._key(symbol, 0, False)

    def _button(self, x: int, y: int, button: int, modifiers: int, down: bool) -> None:
        """Queue a mouse button with its position and modifiers."""
        self.on_mouse_motion(x, y, 0, 0)
        (self._buttons.add if down else self._buttons.discard)(button)
        if button in _BUTTONS:
            self._input.put(Button(_BUTTONS[button], down, _held_modifiers(modifiers)))


def open_window(size: tuple[int, int] | None = None) -> Window:
    """Open a window, of this size on the screen; raises NoScreen with the reason."""
    screen = os.environ.get("DISPLAY")
    if sys.platform.startswith("linux") and not screen:
        raise NoScreen("there is no screen (DISPLAY is not set)")
    try:
        return Window(size)
    except Exception as error:
        reason = _REASONS.get(type(error).__name__, str(error) or type(error).__name__)
        raise NoScreen(f"cannot open a window ({reason.format(screen)})") from error
