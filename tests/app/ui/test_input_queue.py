"""Input in turns: nothing is lost, mixed up or late, however much comes between two frames."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
from imgui_bundle import imgui

from app.ui.input_queue import Button, Focus, InputQueue, KeyEvent, Pointer
from app.window.frame_clock import SHORTEST_TURN, FrameClock
from tests.app.gui_driver import Gui

Key = imgui.Key
LETTERS = {letter: getattr(Key, letter) for letter in "abcdefghijklmnopqrstuvwxyz"}
CTRL, NONE = frozenset({Key.mod_ctrl}), frozenset[imgui.Key]()


class Desk:
    """A field that goes on after Enter, one that Ctrl+K opens, and what is seen of keys and mouse beside them."""

    def __init__(self, gui: Gui, greedy: bool = False) -> None:
        self.gui, self.greedy = gui, greedy
        self.told: list[int] = []
        self.queue = InputQueue(self.told.append)
        self.text, self.lines = "", list[str]()
        self.wants, self.opens, self.turns = False, False, 0
        self.pressed: list[tuple[str, bool]] = []
        self.clicks: list[tuple[float, float]] = []
        self.wheel = 0.0
        self.turn()

    def _draw(self) -> None:
        imgui.begin("desk")
        if self.wants or self.greedy:
            imgui.set_keyboard_focus_here()
            self.wants = False
        if self.opens or self.lines or self.greedy:
            entered, self.text = imgui.input_text("field", self.text, imgui.InputTextFlags_.enter_returns_true)
            if entered:
                self.lines.append(self.text)
                self.text = ""
                imgui.set_keyboard_focus_here(-1)
        imgui.end()
        io = imgui.get_io()
        if not io.want_text_input:
            for letter, key in LETTERS.items():
                if imgui.is_key_pressed(key, False):
                    self.pressed.append((letter, io.key_ctrl))
                    if (letter, io.key_ctrl) == ("k", True):
                        self.wants = self.opens = True
        if imgui.is_mouse_clicked(0):
            self.clicks.append((io.mouse_pos.x, io.mouse_pos.y))
        self.wheel += io.mouse_wheel

    def turn(self) -> bool:
        """One frame of ImGui."""
        more = self.queue.feed()
        self.gui.frame(self._draw)
        self.turns += 1
        return more

    def catch_up(self) -> int:
        """Take in all that waits; the number of turns it took."""
        before = self.turns
        while self.turn():
            pass
        return self.turns - before

    def press(self, key: imgui.Key, modifiers: frozenset[imgui.Key] = NONE, text: str = "") -> None:
        """A key goes down and up."""
        self.queue.put(KeyEvent(key, True, modifiers, symbol=int(key)))
        if text:
            self.queue.put_text(text)
        self.queue.put(KeyEvent(key, False, modifiers, symbol=int(key)))

    def type(self, text: str) -> None:
        """Keys that write."""
        for letter in text:
            self.press(LETTERS[letter], text=letter)

    def chord(self, letter: str) -> None:
        """Ctrl and a letter, ctrl released first."""
        ctrl = KeyEvent(Key.left_ctrl, True, CTRL, symbol=1, is_modifier=True)
        self.queue.put(ctrl)
        self.queue.put(KeyEvent(LETTERS[letter], True, CTRL, symbol=2))
        self.queue.put(ctrl._replace(down=False, modifiers=NONE))
        self.queue.put(KeyEvent(LETTERS[letter], False, NONE, symbol=2))


@pytest.fixture
def desk(gui: Gui) -> Desk:
    """Nothing has happened yet."""
    return Desk(gui)


def test_what_is_typed_after_a_chord_goes_into_the_field_that_it_opens(desk: Desk) -> None:
    desk.chord("k")
    desk.type("hello")
    desk.catch_up()
    assert desk.text == "hello"
    assert desk.pressed == [("k", True)]


def test_lines_follow_each_other_into_a_field_that_goes_on(desk: Desk) -> None:
    desk.chord("k")
    for line in ("one", "two", "three"):
        desk.type(line)
        desk.press(Key.enter)
    desk.type("four")
    desk.catch_up()
    assert desk.lines == ["one", "two", "three"]
    assert desk.text == "four"
    assert desk.pressed == [("k", True)]


def test_what_is_typed_into_a_field_is_reported_at_once(desk: Desk) -> None:
    desk.chord("k")
    desk.catch_up()
    desk.turn()
    desk.type("alphabet")
    desk.queue.put(KeyEvent(Key.left_shift, True, NONE, symbol=1, is_modifier=True))
    desk.type("soup")
    assert desk.catch_up() == 1
    assert desk.text == "alphabetsoup"


def test_letters_and_other_keys_stay_in_order(desk: Desk) -> None:
    desk.chord("k")
    desk.type("fastex")
    desk.press(Key.backspace)
    desk.type("r")
    desk.catch_up()
    assert desk.text == "faster"


def test_a_key_that_repeats_itself_writes_again(desk: Desk) -> None:
    desk.chord("k")
    desk.queue.put(KeyEvent(LETTERS["a"], True, NONE, symbol=3))
    for _ in range(3):
        desk.queue.put_text("a")
    desk.catch_up()
    assert desk.text == "aaa"


def test_every_press_of_many_is_seen_with_its_own_modifiers(desk: Desk) -> None:
    for _ in range(20):
        desk.type("w")
        desk.chord("w")
    desk.catch_up()
    assert desk.pressed == 20 * [("w", False), ("w", True)]
    assert not desk.queue.holds
    # a script hears of each, of ctrl too
    assert len(desk.told) == 60


def test_ways_of_the_pointer_are_one_turn_and_clicks_keep_their_places(desk: Desk) -> None:
    for x in range(500):
        desk.queue.put(Pointer(x, 5, 0.0, 1.0))
    assert desk.catch_up() == 1
    assert desk.wheel == 500
    for x in (100, 200, 300):
        desk.queue.put(Pointer(x, 400))
        desk.queue.put(Button(0, True))
        desk.queue.put(Pointer(x + 50, 400))
        desk.queue.put(Button(0, False))
    desk.catch_up()
    assert desk.clicks == [(100, 400), (200, 400), (300, 400)]


def test_keys_before_the_loss_of_the_keyboard_count_and_none_stays_held(desk: Desk) -> None:
    desk.type("ab")
    desk.queue.put(KeyEvent(LETTERS["c"], True, NONE, symbol=3))
    desk.queue.put(Focus(False))
    desk.catch_up()
    assert [letter for letter, _ in desk.pressed] == ["a", "b", "c"]
    assert not desk.queue.holds
    assert not imgui.is_key_down(LETTERS["c"])


def test_time_goes_by_with_the_last_turn(gui: Gui, monkeypatch: pytest.MonkeyPatch) -> None:
    app: Any = SimpleNamespace(_turned=10.0)
    monkeypatch.setattr("app.window.frame_clock.time", SimpleNamespace(perf_counter=lambda: 10.3))
    for more, seconds in ((True, SHORTEST_TURN), (True, SHORTEST_TURN), (False, 0.3)):
        FrameClock.pass_time(app, more)
        assert gui.io.delta_time == pytest.approx(seconds)
    assert app._turned == 10.3


def test_a_field_that_asks_for_the_keyboard_all_the_time_does_not_stop_it(gui: Gui) -> None:
    desk = Desk(gui, greedy=True)
    desk.type("abc")
    desk.press(Key.backspace)
    desk.type("d")
    desk.catch_up()
    assert desk.text == "abd"
