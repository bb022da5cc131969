"""Queue of input events, passed to ImGui in order, one per ImGui frame.

ImGui samples keys and buttons once per frame, so a key pressed and released between two frames would be lost. Each
ImGui frame therefore gets one event. Such a frame need not reach the screen, and does not where drawing is slow: no
event is dropped, and none waits for the display.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import NamedTuple

from imgui_bundle import imgui

# ImGui frames that a key waits at most for a field that is about to get the focus; ImGui needs two
FOCUS_FRAMES = 6
MODIFIERS = (imgui.Key.mod_ctrl, imgui.Key.mod_shift, imgui.Key.mod_alt)


class Pointer(NamedTuple):
    """The mouse moved, and how far the wheel turned meanwhile."""

    x: float
    y: float
    wheel_x: float = 0.0
    wheel_y: float = 0.0


class Button(NamedTuple):
    """A mouse button went down or up, with the modifiers held then."""

    button: int
    down: bool
    modifiers: frozenset[imgui.Key] = frozenset()


class KeyEvent(NamedTuple):
    """A key went down or up, with the text it typed; an auto-repeat has only text."""

    key: imgui.Key | None = None
    down: bool = False
    modifiers: frozenset[imgui.Key] = frozenset()
    text: str = ""
    # pyglet's key code; 0 for an auto-repeat
    symbol: int = 0
    # Ctrl, Shift or Alt itself
    is_modifier: bool = False

    @property
    def up(self) -> bool:
        """Whether a key was released."""
        return bool(self.symbol) and not self.down


class Focus(NamedTuple):
    """The window got or lost the keyboard focus; without it, key releases are not reported."""

    gained: bool


InputEvent = Pointer | Button | KeyEvent | Focus


def typing() -> bool:
    """Whether a text field has the keyboard in ImGui's next frame."""
    return bool(imgui.get_current_context().want_text_input_next_frame > 0)


def _focus_pending() -> bool:
    """Whether a focus request is pending."""
    context = imgui.get_current_context()
    return bool(context.nav_move_submitted or context.nav_init_request or context.nav_next_activate_id)


class InputQueue:
    """Input events that ImGui has not seen yet."""

    def __init__(self, listener: Callable[[int], None]) -> None:
        # called with each key press, unless the user types into a field
        self._listener = listener
        self._waiting: deque[InputEvent] = deque()
        self._held: set[imgui.Key | int] = set()
        # the last event was a press, and panels have not been drawn since
        self._pressed = False
        self._waited = 0

    @property
    def holds(self) -> bool:
        """Whether a key or button is held."""
        return bool(self._held)

    def put(self, event: InputEvent) -> None:
        """Append an event; consecutive mouse moves are merged."""
        last = self._waiting[-1] if self._waiting else None
        if isinstance(event, Pointer) and isinstance(last, Pointer):
            wheel = last.wheel_x + event.wheel_x, last.wheel_y + event.wheel_y
            self._waiting[-1] = Pointer(event.x, event.y, *wheel)
        else:
            self._waiting.append(event)

    def put_text(self, text: str) -> None:
        """Append typed text: to the press it belongs to, or alone if it comes from an auto-repeat."""
        last = self._waiting[-1] if self._waiting else None
        if isinstance(last, KeyEvent) and last.down and not (last.text or last.is_modifier):
            self._waiting[-1] = last._replace(text=text)
        else:
            self._waiting.append(KeyEvent(text=text))

    def feed(self) -> bool:
        """Pass the next event to ImGui, or a whole run of typed text; returns whether more events wait."""
        settled, self._pressed = not (self._pressed or _focus_pending()), False
        types, typed = typing(), False
        while self._waiting and not self._must_wait(self._waiting[0], settled):
            text, shares = self._classify(self._waiting[0], types)
            if typed and not (text or shares):
                break
            self._report(self._waiting.popleft(), types)
            typed |= text
            if not (text or shares):
                break
        return bool(self._waiting)

    def _must_wait(self, event: InputEvent, settled: bool) -> bool:
        """Whether a key press must wait because the press before it may move the focus."""
        waits = not settled and isinstance(event, KeyEvent) and not event.up and self._waited < FOCUS_FRAMES
        self._waited = self._waited + 1 if waits else 0
        return waits

    def _classify(self, event: InputEvent, types: bool) -> tuple[bool, bool]:
        """Whether an event is text for a field, and whether it may share an ImGui frame with other events.

        Modifiers may, which matter only together with another key, and releases of keys whose press went in as text.
        """
        if not isinstance(event, KeyEvent):
            return False, False
        return bool(types and event.text), event.is_modifier or (event.up and event.key not in self._held)

    def _report(self, event: InputEvent, types: bool) -> None:
        io = imgui.get_io()
        match event:
            case Pointer():
                io.add_mouse_pos_event(event.x, event.y)
                io.add_mouse_wheel_event(event.wheel_x, event.wheel_y)
            case Button():
                _modify(event.modifiers)
                self._hold(event.button, event.down)
                io.add_mouse_button_event(event.button, event.down)
            case Focus():
                self._held = self._held if event.gained else set()
                io.add_focus_event(event.gained)
            case KeyEvent():
                self._key(event, types)

    def _key(self, event: KeyEvent, types: bool) -> None:
        """Report a key with its modifiers, or only its text if a field takes that."""
        io = imgui.get_io()
        if event.symbol:
            _modify(event.modifiers)
        if event.key is not None and not (event.text and types):
            self._hold(event.key, event.down)
            io.add_key_event(event.key, event.down)
            self._pressed = event.down and not event.is_modifier
        for character in event.text if types else "":
            io.add_input_character(ord(character))
        if event.down and not types:
            self._listener(event.symbol)

    def _hold(self, what: imgui.Key | int, down: bool) -> None:
        (self._held.add if down else self._held.discard)(what)


def _modify(held: frozenset[imgui.Key]) -> None:
    """Report which modifiers are held."""
    for modifier in MODIFIERS:
        imgui.get_io().add_key_event(modifier, modifier in held)
