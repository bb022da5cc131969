"""Keys that type a number where no field has the keyboard, as during a drag in the view."""

from __future__ import annotations

from imgui_bundle import imgui

ESCAPE, BACKSPACE = "\x1b", "\b"
_DIGITS = {getattr(imgui.Key, f"_{digit}"): str(digit) for digit in range(10)}
_DIGITS |= {getattr(imgui.Key, f"keypad{digit}"): str(digit) for digit in range(10)}
KEYS = {
    **_DIGITS,
    imgui.Key.period: ".", imgui.Key.keypad_decimal: ".", imgui.Key.minus: "-", imgui.Key.keypad_subtract: "-",
    imgui.Key.space: " ", imgui.Key.backspace: BACKSPACE, imgui.Key.escape: ESCAPE,
}  # fmt: skip


def typed_keys() -> str:
    """What was typed in this turn: digits, point, minus, space, backspace and escape."""
    return "".join(text for key, text in KEYS.items() if imgui.is_key_pressed(key, text == BACKSPACE))


def held_keys() -> tuple[bool, bool]:
    """Whether Ctrl and Shift are held."""
    io = imgui.get_io()
    return io.key_ctrl, io.key_shift
