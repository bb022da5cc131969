"""Reads gestures of the bindings table from ImGui's keyboard and mouse state.

Runs once per frame after `new_frame`. Most keys are ignored while the user types into a field. The view gets the mouse
only if the drag began there, and keeps it until the button is released. While the right button drags there, keys fly.
"""

from __future__ import annotations

import re

from imgui_bundle import imgui

from app.ui.keys import taken
from app.view.input.bindings import BINDINGS, FLIGHT, FLIGHT_SPEED, modified
from app.view.input.gesture import Gesture
from app.view.rect import Rect

# the table's names of keys that are not a letter, a digit or F1 to F12
KEYS = {
    "Space": "space", "Right arrow": "right_arrow", "Left arrow": "left_arrow", "Backspace": "backspace",
    "Escape": "escape", "Tab": "tab", "Page up": "page_up", "Home": "home", "End": "end", "Enter": "enter",
    "=": "equal", "-": "minus", "[": "left_bracket",
    "]": "right_bracket", ",": "comma", "'": "apostrophe", ";": "semicolon", "`": "grave_accent",
    "\\": "backslash", "/": "slash",
}  # fmt: skip
# keys that mean nothing in a text field, and work while one has the focus
BESIDE_TEXT = re.compile(r"Ctrl\+K|F\d+")
BUTTONS = ("Left", "Right", "Middle")
RIGHT = 1
# keys of a flight -> right, up, ahead
FLIGHT_KEYS = {
    imgui.Key.w: (0, 0, 1), imgui.Key.s: (0, 0, -1), imgui.Key.a: (-1, 0, 0), imgui.Key.d: (1, 0, 0),
    imgui.Key.e: (0, 1, 0), imgui.Key.q: (0, -1, 0),
}  # fmt: skip


def imgui_key(name: str) -> imgui.Key:
    """ImGui's key for a key name of the table."""
    lower = KEYS.get(name, name.lower())
    return imgui.Key(getattr(imgui.Key, f"_{lower}" if lower.isdigit() else lower))


def _closed_popup() -> bool:
    """Whether Escape closed an open menu or list; then it does nothing else."""
    if not imgui.is_popup_open("", imgui.PopupFlags_.any_popup) or not imgui.is_key_pressed(imgui.Key.escape):
        return False
    imgui.internal.close_popup_to_level(0, True)
    return True


class GestureReader:
    """Reads the gestures of each frame, and tracks which mouse button drags in the view."""

    def __init__(self) -> None:
        self._dragging: int | None = None
        # whether keys may fly: not after the model has changed, until the button is pressed again
        self._may_fly = False
        # where the button was pressed, and whether that has become a drag; a click that may become a double one
        self._pressed, self._moved = (0.0, 0.0), False
        self._click: tuple[Gesture, float] | None = None
        self._keys = [
            (binding, binding.trigger.rpartition("+")[2] or "+")
            for binding in BINDINGS
            if not binding.trigger.endswith(("drag", "click", "Scroll", "file", "fingers"))
        ]

    @property
    def dragging(self) -> bool:
        """Whether a drag that began in the view is going on."""
        return self._dragging is not None

    def events(self, view: Rect, typing: bool = False, shortcuts: bool = True) -> list[Gesture]:
        """Gestures since the last frame; `view` is the rectangle of the 3D view.

        No keys while `typing`; without `shortcuts` only those that always work.
        """
        return ([] if typing else self._key_events(shortcuts)) + self._mouse_events(view, typing)

    def end_flight(self) -> None:
        """End a flight, though its keys are held."""
        self._may_fly = False

    def _key_events(self, shortcuts: bool) -> list[Gesture]:
        io = imgui.get_io()
        if _closed_popup():
            return []
        events = []
        for binding, key in self._keys:
            if not (shortcuts or binding.always) or (io.want_text_input and not BESIDE_TEXT.fullmatch(binding.trigger)):
                continue
            held = modified(key, io.key_ctrl, io.key_shift, io.key_alt)
            if self._dragging == RIGHT and not io.key_ctrl and imgui_key(key) in FLIGHT_KEYS:
                continue
            pressed = held == binding.trigger and imgui.is_key_pressed(imgui_key(key), binding.repeat)
            if pressed and not taken(imgui_key(key)):
                events.append(Gesture(held))
        return events

    def _mouse_events(self, view: Rect, typing: bool) -> list[Gesture]:
        io = imgui.get_io()
        width, height = max(view.width, 1.0), max(view.height, 1.0)
        x, y = 2 * (io.mouse_pos.x - view.x) / width - 1, 1 - 2 * (io.mouse_pos.y - view.y) / height
        events = []
        # within a frame the mouse moves first, then its buttons change
        dx, dy = io.mouse_delta.x / height, io.mouse_delta.y / height
        way = (0, 0, 0) if typing else self._flight()
        if any(way):
            events.append(Gesture(modified(FLIGHT, shift=io.key_shift), dx, dy, way=way, seconds=io.delta_time))
            self._moved = True
        elif self._dragging is not None and (dx or dy):
            away = abs(io.mouse_pos.x - self._pressed[0]) + abs(io.mouse_pos.y - self._pressed[1])
            self._moved = self._moved or away > io.mouse_drag_threshold
            gesture = f"{BUTTONS[self._dragging]} drag"
            events.append(Gesture(modified(gesture, io.key_ctrl, io.key_shift, io.key_alt), dx, dy))
        # a drag of the view must begin in the view
        if self._dragging is None and not io.want_capture_mouse:
            pressed = [b for b in range(len(BUTTONS)) if imgui.is_mouse_clicked(b)]
            self._dragging = pressed[0] if pressed else None
            self._may_fly = self._may_fly or bool(pressed)
            if pressed:
                self._moved, self._pressed = False, (io.mouse_pos.x, io.mouse_pos.y)
            for button in pressed:
                # a second click takes the first one back
                self._click = None
                self._moved = imgui.is_mouse_double_clicked(button)
                if imgui.is_mouse_double_clicked(button):
                    trigger = modified(f"{BUTTONS[button]} double-click", io.key_ctrl, io.key_shift, io.key_alt)
                    events.append(Gesture(trigger, x=x, y=y))
        elif self._dragging is not None and not imgui.is_mouse_down(self._dragging):
            if not self._moved:
                trigger = modified(f"{BUTTONS[self._dragging]} click", io.key_ctrl, io.key_shift, io.key_alt)
                self._click = Gesture(trigger, x=x, y=y), imgui.get_time()
            self._dragging = None
        if io.mouse_wheel and (self._dragging == RIGHT or not io.want_capture_mouse):
            trigger = FLIGHT_SPEED if self._dragging == RIGHT else "Scroll"
            events.append(Gesture(trigger, dy=io.mouse_wheel, x=x, y=y))
        return events + self._clicked()

    def _clicked(self) -> list[Gesture]:
        """A single click: known as such once there can be no second one."""
        if self._click is None or imgui.get_time() - self._click[1] <= imgui.get_io().mouse_double_click_time:
            return []
        click, self._click = self._click[0], None
        return [click]

    def _flight(self) -> tuple[int, int, int]:
        """Where the keys that are held with the right button fly: right, up, ahead."""
        io = imgui.get_io()
        if self._dragging != RIGHT or not self._may_fly or io.want_text_input or io.key_ctrl or io.key_alt:
            return 0, 0, 0
        held = [way for key, way in FLIGHT_KEYS.items() if imgui.is_key_down(key)]
        right, up, ahead = (sum(way[k] for way in held) for k in range(3))
        return right, up, ahead
