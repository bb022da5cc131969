"""A key press has one answer: whoever takes it first in a turn has it, and overlays are drawn from front to back.

A question that has just appeared is answered by nothing, neither a key nor a click, until a person could have seen it:
what was pressed before was meant for something else. One question is asked at a time: that of the foremost dialog.
"""

from __future__ import annotations

from collections import deque
from typing import ClassVar

from imgui_bundle import imgui

ENTER = (imgui.Key.enter, imgui.Key.keypad_enter)
# how long a question is on the screen before it takes an answer, s, and in how many pictures at least
READ_SECONDS, READ_PICTURES = 0.3, 3


class Pictures:
    """The pictures of a window that were drawn: how many, and when the last ones were begun."""

    def __init__(self) -> None:
        self.count = 0
        self.began: deque[float] = deque(maxlen=1000)


class _Now:
    """The keys that were taken in the current turn, the dialog that asks, and the window whose turn it is."""

    taken: ClassVar[set[imgui.Key]] = set()
    asking = ""
    pictures = Pictures()


def begin_turn(pictures: Pictures) -> None:
    """New input for a window with these pictures: nothing is taken yet."""
    _Now.taken.clear()
    _Now.asking, _Now.pictures = "", pictures


def taken(key: imgui.Key) -> bool:
    """Whether a key has been answered in this turn."""
    return key in _Now.taken


def take(*keys: imgui.Key) -> bool:
    """Whether one of these keys was pressed in this turn, not held, and nobody has answered it yet."""
    pressed = [key for key in keys if imgui.is_key_pressed(key, False) and not taken(key)]
    _Now.taken.update(pressed)
    return bool(pressed)


def count_picture() -> None:
    """A picture of the window was drawn."""
    _Now.pictures.count += 1
    _Now.pictures.began.append(imgui.get_time())


def may_ask(dialog: str) -> bool:
    """Whether a dialog asks in this turn: the first one that wants to. Two would close each other forever."""
    _Now.asking = _Now.asking or dialog
    return _Now.asking == dialog


class Question:
    """Since when a question can be seen."""

    def __init__(self) -> None:
        self._pictures, self._before = _Now.pictures, _Now.pictures.count

    @property
    def readable(self) -> bool:
        """Whether a person could have seen it before pressing what is answered now.

        It can be seen once the next picture begins, and what is answered was pressed after the last one began: where
        pictures take long, more time than that has passed since it was asked.
        """
        drawn, began = self._pictures.count - self._before, self._pictures.began
        if drawn < READ_PICTURES:
            return False
        return drawn > len(began) or began[-1] - began[1 - drawn] >= READ_SECONDS
