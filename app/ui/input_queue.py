"""Input in the order in which it came, handed to ImGui in turns.

ImGui looks at keys and buttons once a frame: what goes down and up again between two looks was never there. So one
event is reported a turn, and panels are drawn once for each; the screen need not be, and where drawing is slow it is
not. Nothing is dropped, and nothing waits for a frame of the screen.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import NamedTuple

from imgui_bundle import imgui

# turns that a key waits at most for a field that is about to get the keyboard: ImGui needs two
FOCUS_TURNS = 6
MODIFIERS = (imgui.Key.mod_ctrl, imgui.Key.mod_shift, imgui.Key.mod_alt)


class Pointer(NamedTuple):
    """Where the pointer went, and how far the wheel turned on the way."""

    x: float
    y: float
    wheel_x: float = 0.0
    wheel_y: float = 0.0


class Button(NamedTuple):
    """A mouse button that went down or up, and the modifiers that were held."""

    number: int
    down: bool
    modifiers: frozenset[imgui.Key] = frozenset()


class Stroke(NamedTuple):
    """A key that went down or up, and what it wrote; a repetition only writes."""

    key: imgui.Key | None = None
    down: bool = False
    modifiers: frozenset[imgui.Key] = frozenset()
    text: str = ""
    # what the window system calls it; 0 for a repetition
    symbol: int = 0
    # whether it is a modifier itself
    modifies: bool = False

    @property
    def up(self) -> bool:
        """Whether a key was released."""
        return bool(self.symbol) and not self.down


class Focus(NamedTuple):
    """The window got the keyboard, or lost it: then keys that are released are not reported."""

    gained: bool


InputEvent = Pointer | Button | Stroke | Focus


def typing() -> bool:
    """Whether a field has the keyboard, as ImGui's next frame will find it."""
    return bool(imgui.get_current_context().want_text_input_next_frame > 0)


def _focus_moves() -> bool:
    """Whether a panel has asked for the keyboard and has not got it yet."""
    context = imgui.get_current_context()
    return bool(context.nav_move_submitted or context.nav_init_request or context.nav_next_activate_id)


class InputQueue:
    """What the user did and ImGui does not know yet."""

    def __init__(self, listener: Callable[[int], None]) -> None:
        # told of each key that is pressed, unless the user types
        self._listener = listener
        self._waiting: deque[InputEvent] = deque()
        self._held: set[imgui.Key | int] = set()
        # the last turn was a press, and panels have not been drawn since
        self._pressed = False
        self._waited = 0

    @property
    def holds(self) -> bool:
        """Whether a key or button is held."""
        return bool(self._held)

    def put(self, event: InputEvent) -> None:
        """Something happened; ways of the pointer between two other things are one way."""
        last = self._waiting[-1] if self._waiting else None
        if isinstance(event, Pointer) and isinstance(last, Pointer):
            wheel = last.wheel_x + event.wheel_x, last.wheel_y + event.wheel_y
            self._waiting[-1] = Pointer(event.x, event.y, *wheel)
        else:
            self._waiting.append(event)

    def write(self, text: str) -> None:
        """The key that was pressed last wrote something; a key that repeats itself has not been pressed."""
        last = self._waiting[-1] if self._waiting else None
        if isinstance(last, Stroke) and last.down and not (last.text or last.modifies):
            self._waiting[-1] = last._replace(text=text)
        else:
            self._waiting.append(Stroke(text=text))

    def feed(self) -> bool:
        """Report the next event, or all that is typed into a field; whether more is waiting for another turn."""
        settled, self._pressed = not (self._pressed or _focus_moves()), False
        types, typed = typing(), False
        while self._waiting and not self._waits(self._waiting[0], settled):
            text, light = self._kind(self._waiting[0], types)
            if typed and not (text or light):
                break
            self._report(self._waiting.popleft(), types)
            typed |= text
            if not (text or light):
                break
        return bool(self._waiting)

    def _waits(self, event: InputEvent, settled: bool) -> bool:
        """Whether a key waits: what was pressed before it may give the keyboard to another field."""
        waits = not settled and isinstance(event, Stroke) and not event.up and self._waited < FOCUS_TURNS
        self._waited = self._waited + 1 if waits else 0
        return waits

    def _kind(self, event: InputEvent, types: bool) -> tuple[bool, bool]:
        """Whether an event is typed into a field, and whether it is one that others may share a turn with.

        Those are modifiers, which only matter to what comes with them, and releases of keys that were typed.
        """
        if not isinstance(event, Stroke):
            return False, False
        return bool(types and event.text), event.modifies or (event.up and event.key not in self._held)

    def _report(self, event: InputEvent, types: bool) -> None:
        io = imgui.get_io()
        match event:
            case Pointer():
                io.add_mouse_pos_event(event.x, event.y)
                io.add_mouse_wheel_event(event.wheel_x, event.wheel_y)
            case Button():
                _modify(event.modifiers)
                self._hold(event.number, event.down)
                io.add_mouse_button_event(event.number, event.down)
            case Focus():
                self._held = self._held if event.gained else set()
                io.add_focus_event(event.gained)
            case Stroke():
                self._stroke(event, types)

    def _stroke(self, event: Stroke, types: bool) -> None:
        """Report a key with the modifiers as they were, or only what it wrote, if that goes into a field."""
        io = imgui.get_io()
        if event.symbol:
            _modify(event.modifiers)
        if event.key is not None and not (event.text and types):
            self._hold(event.key, event.down)
            io.add_key_event(event.key, event.down)
            self._pressed = event.down and not event.modifies
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
