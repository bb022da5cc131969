"""The table of visual flags: every row is an option, keys are those of simulate, and panel and keys toggle the same."""

from __future__ import annotations

from dataclasses import fields

import mujoco
import pytest
from imgui_bundle import imgui

from app.scene.decor import DECOR
from app.scene.visual_flags import BY_OPTION, CHOICES, GROUP_FLAGS, VISUAL_FLAGS, toggle, toggle_by_key
from app.scene.visual_options import FRAMES, LABELS, VisualOptions
from app.view.view_state import ViewState
from app.window.panels.rendering import rendering_panel
from tests.app.gui_driver import Gui

# how simulate calls what is called otherwise here; flexes are not drawn
SIMULATE = {
    "Static Body": "Static bodies", "Body Tree": "Body boxes", "Mesh Tree": "Mesh boxes",
    "Center of Mass": "Centre of mass", "Range Finder": "Rangefinder",
}  # fmt: skip


def test_every_row_is_an_option_and_every_option_has_a_row() -> None:
    options = {field.name for field in fields(VisualOptions)}
    rows = {switch.option for switch in VISUAL_FLAGS} | {row.option for row in GROUP_FLAGS}
    assert rows <= options
    assert options - rows == {"force_scale", "bvh_depth"}
    assert {option for option, _ in DECOR} <= options


def test_keys_are_those_of_simulate() -> None:
    by_label = {switch.label.lower(): switch for switch in VISUAL_FLAGS}
    defaults = VisualOptions()
    for name, start, key in (*mujoco.mjVISSTRING, *mujoco.mjRNDSTRING):
        switch = by_label.get(SIMULATE.get(name, name).lower())
        if key and name != "Segment":
            assert switch is not None, name
            assert switch.key == key
        if switch is not None:
            assert getattr(defaults, switch.option) == bool(int(start)), name
    assert tuple(name.lower() for name in mujoco.mjFRAMESTRING) == FRAMES


@pytest.mark.parametrize("switch", VISUAL_FLAGS, ids=lambda switch: switch.option)
def test_pressing_goes_round(switch: object) -> None:
    option = switch.option  # type: ignore[attr-defined]
    options = VisualOptions()
    before, seen = getattr(options, option), []
    for _ in range(len(CHOICES.get(option, (False, True)))):
        assert toggle(options, option)
        seen.append(getattr(options, option))
    assert seen[-1] == before
    assert len(set(seen)) == len(seen)


def test_digits_switch_groups() -> None:
    options = VisualOptions()
    toggle_by_key(options, "4")
    toggle_by_key(options, "Shift+0")
    assert options.geom_group == [True, True, True, False, True, False]
    assert options.site_group == [False, True, True, False, False, False]
    assert toggle_by_key(options, "F6") == "frames: body"
    assert toggle_by_key(options, "F7") == f"labels: {LABELS[1]}"


class Panel:
    """The rendering panel in a window of its own."""

    def __init__(self, gui: Gui) -> None:
        self.gui, self.view = gui, ViewState()
        gui.io.display_size = imgui.ImVec2(1400, 1600)

    def draw(self) -> None:
        imgui.set_next_window_pos((0, 0))
        imgui.set_next_window_size((400, 1500))
        imgui.begin("Rendering")
        rendering_panel(self.view)
        imgui.end()

    def click(self, label: str) -> None:
        self.gui.click(self.draw, label)


@pytest.fixture
def panel(gui: Gui) -> Panel:
    """The panel, ready to be clicked."""
    return Panel(gui)


@pytest.mark.parametrize("option", [s.option for s in VISUAL_FLAGS if s.option not in CHOICES])
def test_every_switch_is_a_checkbox(panel: Panel, option: str) -> None:
    before = getattr(panel.view.options, option)
    panel.click(BY_OPTION[option].label)
    assert getattr(panel.view.options, option) != before


def test_groups_are_buttons(panel: Panel) -> None:
    for row in GROUP_FLAGS:
        panel.click(f"3##{row.option}3")
        assert getattr(panel.view.options, row.option) == [True, True, True, True, False, False], row.option
