"""Controls and Joints with 700 actuators: filter, switches, count, keyboard, reset and cost; drive_list.py."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from imgui_bundle import imgui

import sim
from app.model.selection import Selection
from app.run import commands as cmd
from app.run.run_state import RunState
from app.run.snapshot import Snapshot, view_model, view_state
from app.view.view_state import ViewState
from app.window.panels.controls import controls_panel
from app.window.panels.joints import joints_panel
from tests.app.gui_driver import Gui
from tests.app.many_actuators import many_actuators
from tests.sim.infinite_ranges import INFINITE

COUNT = 700
PANELS = {"controls": controls_panel, "joints": joints_panel}


@pytest.fixture(scope="module")
def many() -> Any:
    """A model with many actuators."""
    return sim.loads(many_actuators(COUNT))


class Bench:
    """One of the panels, in a window as narrow as by default."""

    def __init__(self, gui: Gui, m: Any, name: str, size: tuple[float, float] = (284, 420)) -> None:
        self.gui, self.m, self.d, self.name, self.size = gui, m, sim.Data(m), name, size
        self.view, self.sent = ViewState(), list[Any]()
        sim.place(m, self.d)
        self.model, self.state = view_model(m), view_state(self.d)

    def draw(self) -> None:
        """One frame."""
        imgui.set_next_window_pos((0, 0))
        imgui.set_next_window_size(self.size)
        imgui.begin("bench", None, imgui.WindowFlags_.no_title_bar | imgui.WindowFlags_.no_resize)
        PANELS[self.name](Snapshot(1, RunState(ready=True), self.model, self.state), self.view, self.send)
        imgui.end()

    def send(self, command: cmd.Command) -> None:
        """Note a command, and do it if it sets numbers."""
        self.sent.append(command)
        if isinstance(command, cmd.SetData) and command.path in ("ctrl", "qpos"):
            there = list(command.places) or slice(command.start, command.start + len(command.values))
            self.d.read(command.path)[there] = command.values
            self.look()

    def look(self) -> None:
        """See the state as it is now."""
        self.state = view_state(self.d)

    def names(self) -> list[str]:
        """The rows in sight."""
        kind = "actuator" if self.name == "controls" else "joint"
        self.gui.frame(self.draw, 2)
        return [
            name
            for name, _, key in (label.partition("##") for label in self.gui.rects)
            if re.fullmatch(rf"{kind}\d+", key)
        ]

    def heading(self) -> str:
        """The count."""
        self.gui.frame(self.draw, 2)
        return next(text for text in self.gui.texts if " OF " in text)

    def choose(self, switch: str) -> None:
        """Press a switch in the menu of filters, and leave that."""
        self.gui.click(self.draw, f"more {self.name}")
        self.gui.click(self.draw, f"{switch}##{self.name}")
        self.gui.click_at(self.draw, *self.gui.io.display_size)

    def press(self, *keys: imgui.Key) -> None:
        """Press and release keys."""
        for key in keys:
            for down in (True, False):
                self.gui.io.add_key_event(key, down)
                self.gui.frame(self.draw)
        self.gui.frame(self.draw, 2)


@pytest.fixture(params=["controls", "joints"])
def bench(gui: Gui, many: Any, request: pytest.FixtureRequest) -> Bench:
    """Each of the panels."""
    return Bench(gui, many, request.param)


def test_the_filter_takes_several_words_and_counts(bench: Bench) -> None:
    assert bench.heading() == "700 OF 700"
    filters = bench.view.ui.controls if bench.name == "controls" else bench.view.ui.joints
    filters.text = "leg12 7"
    assert bench.heading() == "1 OF 700"
    assert len(bench.names()) == 1
    # by the body, and by what is driven
    filters.text = "LEG3_link"
    assert bench.heading() == "10 OF 700"
    filters.text = "leg3_hinge4"
    assert bench.heading() == "1 OF 700"
    filters.text = "no such thing"
    assert bench.heading() == "0 OF 700"
    assert f"no {bench.name} match" in bench.gui.texts


def test_only_what_is_in_sight_is_drawn(bench: Bench) -> None:
    assert 3 < len(bench.names()) < 20


def test_only_changed(bench: Bench) -> None:
    bench.choose("changed")
    assert bench.heading() == "0 OF 700"
    (bench.d.ctrl if bench.name == "controls" else bench.d.qpos)[[5, 650]] = 0.2
    bench.look()
    assert bench.heading() == "2 OF 700"
    assert [name.replace("drive", "").replace("hinge", "") for name in bench.names()] == ["leg0_5", "leg65_0"]
    # what is shown is reset, and nothing else
    bench.gui.click(bench.draw, f"Reset##{bench.name}")
    (command,) = bench.sent
    assert (command.places, command.values) == ((5, 650), (0.0, 0.0))
    assert bench.heading() == "0 OF 700"


def test_changed_from_a_keyframe(bench: Bench) -> None:
    filters = bench.view.ui.controls if bench.name == "controls" else bench.view.ui.joints
    bench.heading()
    filters.changed, filters.keyframe = True, 0
    assert bench.heading() == "700 OF 700"
    filters.text = "leg9"
    bench.gui.click(bench.draw, f"Reset##{bench.name}")
    assert set(bench.sent[0].values) == {0.2 if bench.name == "controls" else 0.1}
    filters.text = ""
    assert bench.heading() == "690 OF 700"


def test_only_moving(bench: Bench) -> None:
    bench.choose("moving")
    assert bench.heading() == "0 OF 700"
    if bench.name == "controls":
        bench.d.ctrl[7] = 0.1
    else:
        bench.d.qvel[7], bench.d.qvel[8] = 0.1, 1e-9
    bench.look()
    assert bench.heading() == "1 OF 700"
    assert bench.names()[0].endswith("7")


def test_keyboard(bench: Bench) -> None:
    """Type a name, go down to a row, press Enter, type its number."""
    kind = "actuator" if bench.name == "controls" else "joint"
    bench.gui.click(bench.draw, f"##filter {bench.name}")
    for character in "leg5_":
        bench.gui.io.add_input_character(ord(character))
    bench.gui.frame(bench.draw, 2)
    assert bench.heading() == "10 OF 700"
    bench.press(imgui.Key.down_arrow)
    assert bench.view.selection == Selection(kind, 50)
    bench.press(imgui.Key.down_arrow, imgui.Key.down_arrow, imgui.Key.up_arrow)
    assert bench.view.selection == Selection(kind, 51)
    bench.press(imgui.Key.enter)
    bench.gui.frame(bench.draw, 3)
    bench.gui.type(bench.draw, "0.25")
    assert bench.sent[-1].start == 51
    assert bench.sent[-1].values == (pytest.approx(0.25),)


def test_the_number_is_beside_the_slider_and_follows_it(bench: Bench) -> None:
    key = "##ctrl0" if bench.name == "controls" else "##qpos0"
    left, _, right, _ = bench.gui.find(bench.draw, key)
    assert bench.gui.rects[f"{key} number"][0] >= right
    bench.gui.drag(bench.draw, key, 0.3 * (right - left))
    assert bench.sent
    low, high = (bench.model.actuator_ctrlrange if bench.name == "controls" else bench.model.jnt_range)[0]
    assert 0 < bench.sent[-1].values[0] <= high
    # the number is dragged evenly, not by a fraction of itself
    bench.sent.clear()
    bench.gui.drag(bench.draw, f"{key} number", -30)
    assert bench.sent[-1].values[0] < (bench.d.ctrl if bench.name == "controls" else bench.d.qpos)[0] + 1e-9
    assert bench.sent[-1].values[0] >= low
    bench.gui.click(bench.draw, key, button=1)
    assert bench.sent[-1].values == (0.0,)


def test_rows_have_most_of_the_panel_and_a_slider_most_of_a_row(bench: Bench) -> None:
    key = "##ctrl0" if bench.name == "controls" else "##qpos0"
    left, top, right, _ = bench.gui.find(bench.draw, key)
    assert top < 90 and right - left > 0.33 * bench.size[0]


def test_degrees_count_everywhere(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    shown: dict[str, tuple[float, str]] = {}
    original = imgui.drag_float

    def noting(label: str, value: float, *rest: Any) -> Any:
        shown[label] = value, rest[-1]
        return original(label, value, *rest)

    monkeypatch.setattr(imgui, "drag_float", noting)
    key = "##ctrl0 number" if bench.name == "controls" else "##qpos0 number"
    (bench.d.ctrl if bench.name == "controls" else bench.d.qpos)[0] = 0.5
    bench.look()
    bench.gui.frame(bench.draw, 2)
    assert shown[key] == (0.5, "% .3f")
    bench.gui.click(bench.draw, f"deg##angles of {bench.name}")
    assert bench.view.prefs.degrees
    bench.gui.frame(bench.draw, 2)
    assert shown[key] == (pytest.approx(np.degrees(0.5)), "% .1f°")
    # a typed number is in degrees, what is sent is not
    bench.gui.io.add_key_event(imgui.Key.mod_ctrl, True)
    bench.gui.click(bench.draw, key)
    bench.gui.io.add_key_event(imgui.Key.mod_ctrl, False)
    bench.gui.type(bench.draw, "30")
    assert bench.sent[-1].values == (pytest.approx(np.pi / 6, abs=1e-6),)


def test_a_motor_has_no_angle(gui: Gui, many: Any) -> None:
    bench = Bench(gui, many, "controls")
    bench.view.prefs.degrees, bench.view.ui.controls.text = True, "leg0_drive1"
    bench.d.ctrl[1] = 0.5
    bench.look()
    bench.gui.click(bench.draw, "##ctrl1 number", button=1)
    assert bench.sent[-1].values == (0.0,)


@pytest.mark.parametrize("size", [(60, 40), (120, 200), (900, 1200)])
def test_any_size_of_the_panel(gui: Gui, many: Any, size: tuple[float, float]) -> None:
    for name in PANELS:
        bench = Bench(gui, many, name, size)
        gui.frame(bench.draw, 3)


def test_another_model_while_a_filter_is_set(bench: Bench, many: Any) -> None:
    filters = bench.view.ui.controls if bench.name == "controls" else bench.view.ui.joints
    bench.heading()
    filters.text, filters.changed, filters.keyframe, filters.focus = "leg69", True, 0, 690
    bench.gui.frame(bench.draw, 2)
    small = Bench(bench.gui, sim.loads(many_actuators(3)), bench.name)
    small.view = bench.view
    filters.scroll_to = 690
    assert small.heading() == "0 OF 3"
    filters.text, filters.changed = "", False
    assert small.heading() == "3 OF 3"


def drawn_items(gui: Gui, draw: Callable[[], None]) -> int:
    """How many items a frame has."""
    gui.frame(draw, 3)
    return len(gui.rects) + len(gui.texts)


@pytest.mark.parametrize("name", PANELS)
def test_a_frame_does_not_depend_on_the_number_of_rows(gui: Gui, many: Any, name: str) -> None:
    few = drawn_items(gui, Bench(gui, sim.loads(many_actuators(50)), name).draw)
    assert drawn_items(gui, Bench(gui, many, name).draw) == few


def test_names_in_a_namespace_keep_their_end(gui: Gui) -> None:
    hinges = "".join(f'<joint name="robot_on_the_left/{name}"/>' for name in ("waist", "angle", "turn"))
    m = sim.loads(f'<mujoco><worldbody><body>{hinges}<geom size=".1"/></body></worldbody></mujoco>')
    assert Bench(gui, m, "joints", (200, 420)).names() == ["…/waist", "…/angle", "…/turn"]
    assert Bench(gui, m, "joints", (900, 420)).names()[0] == "robot_on_the_left/waist"


@pytest.mark.parametrize("name", ["controls", "joints"])
def test_without_a_finite_range_there_is_no_slider(gui: Gui, name: str) -> None:
    bench = Bench(gui, sim.loads(INFINITE), name)
    gui.frame(bench.draw, 3)
    assert bench.names()
    assert not any(text.strip(" -").startswith(("inf", "nan")) for text in gui.texts)
    assert not bench.sent
