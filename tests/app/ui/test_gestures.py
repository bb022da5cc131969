"""Flight: keys that are held with the right button; keys beside a text field; app/ui/gestures.py."""

from __future__ import annotations

import pytest
from imgui_bundle import imgui

from app.ui.gestures import FLIGHT_KEYS, RIGHT, GestureReader
from app.view.input.bindings import FLIGHT, FLIGHT_SPEED
from app.view.input.gesture import Gesture
from app.view.rect import Rect
from tests.app.gui_driver import Gui

VIEW = Rect(100, 50, 1000, 500)


class Flight:
    """A reader of gestures, with the right button held in the view."""

    def __init__(self, gui: Gui) -> None:
        self.gui, self.input, self.events = gui, GestureReader(), list[Gesture]()
        self.typing, self.text = False, ""
        gui.io.add_mouse_pos_event(600, 300)
        self.frame()
        self.button(True)

    def frame(self) -> list[Gesture]:
        """The events of one frame."""

        def draw() -> None:
            self.events = self.input.events(VIEW, self.typing)

        self.gui.frame(draw)
        return self.events

    def button(self, down: bool) -> list[Gesture]:
        """The right button goes down or up."""
        self.gui.io.add_mouse_button_event(RIGHT, down)
        return self.frame()

    def key(self, key: imgui.Key, down: bool = True) -> list[Gesture]:
        """A key goes down or up."""
        self.gui.io.add_key_event(key, down)
        return self.frame()


@pytest.fixture
def flight(gui: Gui) -> Flight:
    """The right button is held."""
    return Flight(gui)


@pytest.mark.parametrize("key", FLIGHT_KEYS)
def test_each_key_flies_and_switches_nothing(flight: Flight, key: imgui.Key) -> None:
    """For as long as it is held; its meaning without the button comes back."""
    flight.gui.io.delta_time = 0.25
    expected = [Gesture(FLIGHT, way=FLIGHT_KEYS[key], seconds=0.25)]
    assert flight.key(key) == expected
    assert flight.frame() == expected
    assert flight.key(key, False) == []
    flight.button(False)
    (gesture,) = flight.key(key)
    assert gesture.trigger == key.name.upper()


def test_keys_together(flight: Flight) -> None:
    flight.key(imgui.Key.w)
    (gesture,) = flight.key(imgui.Key.d)
    assert gesture.way == (1, 0, 1)
    # opposite keys are no flight
    flight.key(imgui.Key.a)
    assert flight.key(imgui.Key.s) == []


def test_the_mouse_turns_in_flight_and_pans_without(flight: Flight) -> None:
    flight.gui.io.add_mouse_pos_event(650, 275)
    assert [gesture.trigger for gesture in flight.frame()] == ["Right drag"]
    flight.key(imgui.Key.w)
    flight.gui.io.add_mouse_pos_event(700, 250)
    (gesture,) = flight.frame()
    assert (gesture.trigger, gesture.dx, gesture.dy) == (FLIGHT, 0.1, -0.05)


def test_shift_is_another_row(flight: Flight) -> None:
    flight.gui.io.add_key_event(imgui.Key.mod_shift, True)
    assert [gesture.trigger for gesture in flight.key(imgui.Key.w)] == [f"Shift+{FLIGHT}"]


def test_ctrl_is_for_pulling_bodies(flight: Flight) -> None:
    flight.gui.io.add_key_event(imgui.Key.mod_ctrl, True)
    assert flight.key(imgui.Key.w) == []


def test_the_wheel_sets_the_speed(flight: Flight) -> None:
    flight.gui.io.add_mouse_wheel_event(0, 1)
    assert [gesture.trigger for gesture in flight.frame()] == [FLIGHT_SPEED]
    flight.button(False)
    flight.gui.io.add_mouse_wheel_event(0, 1)
    assert [gesture.trigger for gesture in flight.frame()] == ["Scroll"]


def test_it_ends_with_the_button(flight: Flight) -> None:
    flight.key(imgui.Key.w)
    # until it is released it flies; then a key that is still held does nothing
    flight.button(False)
    assert flight.frame() == []


def test_it_ends_without_the_focus(flight: Flight) -> None:
    flight.key(imgui.Key.w)
    flight.gui.io.add_focus_event(False)
    flight.frame()
    flight.gui.io.add_focus_event(True)
    assert flight.frame() == []


def test_it_ends_while_something_is_typed(flight: Flight) -> None:
    flight.key(imgui.Key.w)
    flight.typing = True
    assert flight.frame() == []


def test_another_model_ends_it_until_the_button_is_pressed_again(flight: Flight) -> None:
    flight.key(imgui.Key.w)
    flight.input.end_flight()
    assert flight.frame() == []
    # the switches stay out of the way until the button is released
    flight.key(imgui.Key.w, False)
    assert flight.key(imgui.Key.w) == []
    flight.button(False)
    flight.frame()
    flight.button(True)
    assert [gesture.trigger for gesture in flight.frame()] == [FLIGHT]


@pytest.mark.parametrize(
    ("keys", "trigger"),
    [
        ((imgui.Key.mod_ctrl, imgui.Key.k), "Ctrl+K"), ((imgui.Key.f8,), "F8"),
        # a text field has its own undo, and its letters
        ((imgui.Key.mod_ctrl, imgui.Key.z), ""), ((imgui.Key.c,), ""), ((imgui.Key.space,), ""),
    ],
)  # fmt: skip
def test_keys_beside_a_text_field(gui: Gui, keys: tuple[imgui.Key, ...], trigger: str) -> None:
    """A field that kept the focus does not keep the palette from opening."""
    reader, events = GestureReader(), list[Gesture]()

    def draw() -> None:
        events.extend(reader.events(VIEW))
        imgui.begin("fields")
        imgui.set_keyboard_focus_here()
        imgui.input_text("##expression", "")
        imgui.end()

    gui.frame(draw, 3)
    assert gui.io.want_text_input
    for key in keys:
        gui.io.add_key_event(key, True)
    gui.frame(draw, 2)
    assert [event.trigger for event in events] == [trigger] * bool(trigger)
