"""The table of bindings, and input that is dispatched by it."""

from __future__ import annotations

import inspect
from types import SimpleNamespace
from typing import Any

import pytest
from imgui_bundle import imgui

from app.ui.gestures import GestureReader, imgui_key
from app.view.input import actions, breakpoint_actions, building_actions, camera_actions, time_actions, tool_actions
from app.view.input.bindings import BINDINGS, find, help_table, modified
from app.view.input.gesture import Gesture
from app.view.rect import Rect
from app.view.view_state import ViewState
from tests.app.gui_driver import Gui

VIEW = Rect(100, 50, 1000, 500)


def test_triggers_are_unique() -> None:
    triggers = [binding.trigger for binding in BINDINGS]
    assert len(set(triggers)) == len(triggers)


def test_every_action_is_bound() -> None:
    written = {
        function
        for module in (actions, breakpoint_actions, building_actions, camera_actions, time_actions, tool_actions)
        for name, function in inspect.getmembers(module, inspect.isfunction)
        if function.__module__ == module.__name__ and not name.startswith("_")
        if list(inspect.signature(function).parameters.values())[-1].annotation == "Gesture"
    }
    assert {binding.action for binding in BINDINGS} == written


def test_help_lists_every_binding_once() -> None:
    listed = [binding for _, bindings in help_table() for binding in bindings]
    assert sorted(listed, key=lambda b: b.trigger) == sorted(BINDINGS, key=lambda b: b.trigger)
    assert all(binding.help for binding in listed)


def test_modifiers_are_written_in_one_order() -> None:
    assert modified("L", ctrl=True) == "Ctrl+L"
    assert modified("Right drag", shift=True) == "Shift+Right drag"
    assert modified("X", True, True, True) == "Ctrl+Shift+Alt+X"
    assert find("Ctrl+L") is not None
    assert find("Alt+L") is None


class Keyboard:
    """Feeds keys and mouse to an GestureReader."""

    def __init__(self, gui: Gui) -> None:
        self.gui, self.input, self.events = gui, GestureReader(), list[Gesture]()
        self.shortcuts = True

    def frame(self) -> list[Gesture]:
        """The events of one frame."""

        def draw() -> None:
            self.events = self.input.events(VIEW, shortcuts=self.shortcuts)

        self.gui.frame(draw)
        return self.events

    def press(self, trigger: str) -> list[Gesture]:
        """Press a chord as the table writes it."""
        *modifiers, key = trigger.split("+") if trigger != "+" else ["+"]
        self.frame()
        for name in modifiers:
            self.gui.io.add_key_event(getattr(imgui.Key, f"mod_{name.lower()}"), True)
        self.gui.io.add_key_event(imgui_key(key), True)
        events = self.frame()
        self.gui.io.add_key_event(imgui_key(key), False)
        for name in modifiers:
            self.gui.io.add_key_event(getattr(imgui.Key, f"mod_{name.lower()}"), False)
        self.frame()
        return events


KEYS = [b.trigger for b in BINDINGS if not b.trigger.endswith(("drag", "click", "Scroll", "file", "fingers"))]


@pytest.mark.parametrize("trigger", KEYS)
def test_each_key_gives_its_event(gui: Gui, trigger: str) -> None:
    assert Keyboard(gui).press(trigger) == [Gesture(trigger)]


def test_other_modifiers_do_not_trigger(gui: Gui) -> None:
    keyboard = Keyboard(gui)
    assert keyboard.press("Alt+L") == []
    assert keyboard.press("Ctrl+Shift+L") == []


def test_shortcuts_switched_off_leave_three_keys_and_the_mouse(gui: Gui) -> None:
    keyboard = Keyboard(gui)
    keyboard.shortcuts = False
    assert [trigger for trigger in KEYS if keyboard.press(trigger)] == ["Escape", "Ctrl+K", "F1"]
    gui.io.add_mouse_wheel_event(0.0, 1.0)
    assert [(gesture.trigger, gesture.dy) for gesture in keyboard.frame()] == [("Scroll", 1.0)]


def test_held_keys_repeat_only_where_the_table_says(gui: Gui) -> None:
    for trigger, repeats in (("Right arrow", True), ("Space", False)):
        keyboard = Keyboard(gui)
        gui.io.add_key_event(imgui_key(trigger), True)
        count = sum(len(keyboard.frame()) for _ in range(60))
        assert (count > 1) == repeats
        gui.io.add_key_event(imgui_key(trigger), False)
        keyboard.frame()


def test_shortcuts_are_off_while_typing(gui: Gui) -> None:
    keyboard, text = Keyboard(gui), [""]

    def draw() -> None:
        imgui.set_next_window_pos((0, 0))
        imgui.begin("typing")
        imgui.set_keyboard_focus_here()
        text[0] = imgui.input_text("field", text[0])[1]
        imgui.end()
        keyboard.events = keyboard.input.events(VIEW)

    gui.frame(draw, 4)
    gui.io.add_key_event(imgui.Key.space, True)
    gui.frame(draw)
    assert keyboard.events == []


@pytest.mark.parametrize(
    ("button", "shift", "trigger"),
    [(0, False, "Left drag"), (1, False, "Right drag"), (1, True, "Shift+Right drag"), (2, False, "Middle drag")],
)
def test_drags(gui: Gui, button: int, shift: bool, trigger: str) -> None:
    keyboard = Keyboard(gui)
    gui.io.add_mouse_pos_event(300, 300)
    gui.io.add_key_event(imgui.Key.mod_shift, shift)
    keyboard.frame()
    gui.io.add_mouse_button_event(button, True)
    keyboard.frame()
    gui.io.add_mouse_pos_event(350, 275)
    assert keyboard.frame() == [Gesture(trigger, 0.1, -0.05)]
    gui.io.add_mouse_button_event(button, False)
    gui.io.add_mouse_pos_event(400, 275)
    keyboard.frame()
    assert keyboard.frame() == []


def test_a_slow_frame_takes_nothing_from_a_drag_and_adds_nothing(gui: Gui) -> None:
    keyboard = Keyboard(gui)
    gui.io.add_mouse_pos_event(300, 300)
    keyboard.frame()
    # where the pointer came from before it was pressed is no drag
    gui.io.add_mouse_pos_event(500, 300)
    gui.io.add_mouse_button_event(0, True)
    assert keyboard.frame() == []
    # where it went until it was released is
    gui.io.add_mouse_pos_event(550, 275)
    gui.io.add_mouse_button_event(0, False)
    assert keyboard.frame() == [Gesture("Left drag", 0.1, -0.05)]
    assert not keyboard.input.dragging


def test_drag_that_began_on_a_panel_stays_there(gui: Gui) -> None:
    keyboard = Keyboard(gui)

    def draw() -> None:
        imgui.set_next_window_pos((0, 0))
        imgui.set_next_window_size((200, 200))
        imgui.begin("panel")
        imgui.end()
        keyboard.events = keyboard.input.events(VIEW)

    gui.io.add_mouse_pos_event(100, 100)
    gui.frame(draw, 3)
    gui.io.add_mouse_button_event(0, True)
    gui.frame(draw, 2)
    gui.io.add_mouse_pos_event(600, 600)
    gui.frame(draw)
    assert keyboard.events == []


def test_scroll(gui: Gui) -> None:
    keyboard = Keyboard(gui)
    gui.io.add_mouse_pos_event(350, 425)
    keyboard.frame()
    gui.io.add_mouse_wheel_event(0, 2)
    assert keyboard.frame() == [Gesture("Scroll", dy=2, x=-0.5, y=-0.5)]


@pytest.mark.parametrize(("button", "name"), [(0, "Left"), (1, "Right")])
def test_double_clicks_say_where(gui: Gui, button: int, name: str) -> None:
    keyboard, events = Keyboard(gui), list[Gesture]()
    gui.io.add_mouse_pos_event(350, 425)
    keyboard.frame()
    for down in (True, False, True, False):
        gui.io.add_mouse_button_event(button, down)
        events += keyboard.frame()
    assert events == [Gesture(f"{name} double-click", x=-0.5, y=-0.5)]


@pytest.mark.parametrize(
    ("modifiers", "button", "trigger"),
    [
        (("ctrl",), 0, "Ctrl+Left drag"), (("ctrl",), 1, "Ctrl+Right drag"),
        (("ctrl", "shift"), 1, "Ctrl+Shift+Right drag"), (("ctrl", "alt"), 0, "Ctrl+Alt+Left drag"),
    ],
)  # fmt: skip
def test_drags_of_the_selection(gui: Gui, modifiers: tuple[str, ...], button: int, trigger: str) -> None:
    keyboard = Keyboard(gui)
    gui.io.add_mouse_pos_event(300, 300)
    for name in modifiers:
        gui.io.add_key_event(getattr(imgui.Key, f"mod_{name}"), True)
    keyboard.frame()
    gui.io.add_mouse_button_event(button, True)
    keyboard.frame()
    gui.io.add_mouse_pos_event(350, 300)
    assert keyboard.frame() == [Gesture(trigger, 0.1, 0.0)]
    assert find(trigger) is not None


def test_quitting_is_closing() -> None:
    closed: list[bool] = []
    desk: Any = SimpleNamespace(close=lambda: closed.append(True), view=ViewState(), send=pytest.fail)
    actions.quit_program(desk, Gesture("Ctrl+Q"))
    assert closed == [True]
