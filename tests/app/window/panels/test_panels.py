"""Panels, headless: what they show, and what a click sends."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import astuple, dataclass, field, replace
from typing import Any

import pytest
from imgui_bundle import imgui

from app.manual.manual_view import ManualView
from app.model.problem import Problem
from app.model.views import ModelView, StateView
from app.run import commands as cmd
from app.run.history.timeline import BranchView, Timeline
from app.run.run_state import Progress, RunState
from app.run.snapshot import Snapshot
from app.scene.camera import FREE_CAMERA, default_free_camera
from app.scene.visual_options import VisualOptions
from app.ui import docking, layout_text
from app.ui.gestures import GestureReader, imgui_key
from app.ui.quantities import si
from app.ui.widgets import speed_text
from app.view.input import actions
from app.view.input.bindings import BINDINGS
from app.view.input.desk import Action
from app.view.mjcf_text import camera_xml
from app.view.preferences import Preferences
from app.view.rect import Rect
from app.view.script.layer import ScriptLayer
from app.view.ui_state import UiState
from app.view.view_state import ViewState
from app.window import layout
from app.window.overlays.script.layer import script_panels
from app.window.panel_list import panels
from tests.app.conftest import Views
from tests.app.gui_driver import Gui

MODEL = """
<worldbody>
  <camera name="far" pos="0 -9 1"/><camera name="near" pos="0 -1 1"/>
  <body><freejoint/><geom size="0.1"/></body>
</worldbody>
<keyframe><key name="high" qpos="0 0 2 1 0 0 0"/></keyframe>
"""


@dataclass
class Desk:
    """All panels around a snapshot, with everything they send."""

    gui: Gui
    model: ModelView
    state: StateView
    run: RunState = field(default_factory=lambda: RunState(path="robot.xml", ready=True))
    view: ViewState = field(default_factory=ViewState)
    sent: list[cmd.Command] = field(default_factory=list)
    acted: list[Action] = field(default_factory=list)
    layer: ScriptLayer = field(default_factory=ScriptLayer)
    rect: Rect = field(default_factory=lambda: Rect(0, 0, 0, 0))

    def draw(self) -> None:
        """One frame of everything."""
        snapshot = Snapshot(1, self.run, self.model, self.state)
        self.rect = layout.draw(snapshot, self.view, self.sent.append, self.acted.append)
        script_panels(self.layer, self.rect)
        layout.drop_focus()

    def reveal(self, name: str) -> None:
        """Bring a panel to the front, in a window so high that all of it is seen."""
        self.gui.io.display_size = imgui.ImVec2(1400, 2400)
        self.view.ui.reveal = name

    def resize(self, width: float, height: float) -> None:
        """Give the window another size, and time to settle."""
        self.gui.io.display_size = imgui.ImVec2(width, height)
        self.gui.frame(self.draw, 5)

    def click(self, label: str, button: int = 0) -> None:
        """Click on an item of any panel."""
        self.gui.click(self.draw, label, button)


@pytest.fixture
def desk(gui: Gui, views: Views) -> Desk:
    """Panels around a small model."""
    return Desk(gui, *views(MODEL))


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"paused": True}, "viewing the past"),
        ({"replaying": True}, "replaying"),
        ({"history": Timeline()}, "running"),
        ({"history": Timeline(), "paused": True}, "paused"),
    ],
)
def test_the_status_line_says_which_time_it_is(desk: Desk, changes: dict[str, Any], words: str) -> None:
    desk.run = replace(desk.run, **{"history": Timeline((BranchView(0, last=9),), now=4), **changes})
    desk.gui.frame(desk.draw, 2)
    assert words in desk.gui.texts


def test_pause_and_run(desk: Desk) -> None:
    desk.click("###run")
    assert desk.sent == [cmd.SetPaused(True)]
    desk.run = RunState(path="robot.xml", ready=True, paused=True)
    desk.click("###run")
    assert desk.sent[1:] == [cmd.SetPaused(False)]


def test_step_only_while_paused(desk: Desk) -> None:
    desk.click("###step")
    assert desk.sent == []
    desk.run = RunState(path="robot.xml", ready=True, paused=True)
    desk.click("###step")
    assert desk.sent == [cmd.StepOnce()]


def test_reset_and_keyframe(desk: Desk) -> None:
    desk.click("###reset")
    desk.click("high##key0")
    assert desk.sent == [cmd.Reset(), cmd.Reset(0)]


def test_speed_slider(desk: Desk) -> None:
    desk.gui.frame(desk.draw, 3)
    left, top, right, bottom = desk.gui.rects["##speed"]
    desk.gui.click_at(desk.draw, left + 0.9 * (right - left), (top + bottom) / 2)
    assert isinstance(desk.sent[0], cmd.SetSpeed)
    assert 1.0 < desk.sent[0].speed <= 8.0
    desk.sent.clear()
    desk.click("##speed", button=1)
    assert desk.sent == [cmd.SetSpeed(1.0)]


def test_speed_is_greyed_out_where_a_script_sets_the_pace(desk: Desk) -> None:
    desk.run = RunState(ready=True, paced=False)
    for button in (0, 1):
        desk.click("##speed", button)
    desk.click(f"##{actions.faster.__name__}")
    assert (desk.sent, desk.acted) == ([], [])
    assert "a script's model" in desk.gui.texts


def test_contact_switches(desk: Desk) -> None:
    desk.reveal("Rendering")
    for label, name in (("Contact point", "contact_point"), ("Contact force", "contact_force")):
        desk.click(label)
        assert getattr(desk.view.options, name) is True
    desk.gui.frame(desk.draw, 2)
    left, top, right, bottom = desk.gui.rects["##force scale"]
    desk.gui.click_at(desk.draw, left + 0.9 * (right - left), (top + bottom) / 2)
    assert desk.view.options.force_scale > 3
    desk.click("##force scale", button=1)
    assert desk.view.options.force_scale == 1.0


@pytest.mark.parametrize("switch", ["Shadow", "Texture", "Skybox", "Haze"])
def test_picture_switches(desk: Desk, switch: str) -> None:
    desk.reveal("Rendering")
    desk.click(switch)
    assert getattr(desk.view.options, switch.lower()) is False
    desk.click(switch)
    assert getattr(desk.view.options, switch.lower()) is True


def test_right_click_puts_the_usual_picture_back(desk: Desk) -> None:
    desk.reveal("Rendering")
    desk.click("Wireframe")
    assert "•" in desk.gui.texts
    for label, option in (("Wireframe", "wireframe"), ("Shadow", "shadow"), ("Frames", "frame"), ("Labels", "label")):
        setattr(desk.view.options, option, {"frame": "body", "label": "geom"}.get(option, option == "wireframe"))
        desk.click(label, button=1)
        assert getattr(desk.view.options, option) == getattr(VisualOptions(), option)
    desk.view.options.geom_group = [False] * 6
    desk.click("##geom_group1", button=1)
    assert desk.view.options.geom_group == [False, True, False, False, False, False]
    desk.gui.frame(desk.draw, 2)
    assert "•" not in desk.gui.texts


def test_camera_buttons(desk: Desk) -> None:
    copied: list[str] = []
    imgui.get_platform_io().platform_set_clipboard_text_fn = lambda _, text: copied.append(text)
    desk.reveal("Simulation")
    desk.view.camera_id, desk.view.tracked, desk.view.camera.distance = 1, 1, 77.0
    desk.click("Align")
    assert (desk.view.camera_id, desk.view.tracked) == (FREE_CAMERA, -1)
    assert str(desk.view.camera) == str(default_free_camera(desk.model))
    desk.click("Copy as MJCF##camera")
    assert copied == [camera_xml(desk.view.current_view(desk.model, desk.state))]
    # a tracked body is named where the camera is chosen
    chosen: list[list[str]] = []
    desk.view.tracked = 1
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(imgui, "combo", lambda _, index, names: (chosen.append(names), (False, index))[1])
        desk.gui.frame(desk.draw)
    assert ["Tracking body 1", "far", "near"] in chosen


def test_speed_can_be_typed_and_snaps_when_dragged(desk: Desk) -> None:
    left, top, right, bottom = desk.gui.find(desk.draw, "##speed")
    y = (top + bottom) / 2
    desk.gui.io.add_key_event(imgui.Key.mod_ctrl, True)
    desk.gui.click_at(desk.draw, left + 30, y)
    desk.gui.io.add_key_event(imgui.Key.mod_ctrl, False)
    desk.gui.type(desk.draw, "0.7")
    assert desk.sent[-1] == cmd.SetSpeed(pytest.approx(0.7))
    # real time is two thirds of the way, between 1/64 and 8
    desk.gui.click_at(desk.draw, left + 0.66 * (right - left), y)
    assert desk.sent[-1] == cmd.SetSpeed(1.0)


def test_geom_groups(desk: Desk) -> None:
    desk.reveal("Rendering")
    desk.click("##geom_group4")
    assert desk.view.options.geom_group == [True, True, True, False, True, False]


def test_choice_of_camera(desk: Desk) -> None:
    desk.view.camera_id = 1
    desk.click("##panel camera")
    _, top, _, bottom = desk.gui.rects["##panel camera"]
    left = desk.gui.rects["##panel camera"][0]
    # the list opens below: free camera, far, near
    row = imgui.get_style().font_size_base + imgui.get_style().item_spacing.y
    desk.gui.click_at(desk.draw, left + 20, bottom + 1.5 * row + imgui.get_style().window_padding.y)
    assert desk.view.camera_id == 0
    assert top < bottom


@pytest.mark.parametrize(
    "action",
    [
        actions.play_pause,
        actions.step,
        actions.reset,
        actions.faster,
        actions.slower,
        actions.screenshot,
        actions.manual,
    ],
)
def test_toolbar_does_what_keys_do(desk: Desk, action: Action) -> None:
    desk.click(f"##{action.__name__}")
    assert desk.acted == [action]


def test_scenes_can_be_opened(desk: Desk) -> None:
    desk.view.ui.show_gallery = True
    desk.click("card double_pendulum")
    (command,) = desk.sent
    assert isinstance(command, cmd.LoadModel)
    assert command.path.endswith("double_pendulum.xml")


def test_problem_is_shown_copied_and_dismissed(desk: Desk) -> None:
    copied: list[str] = []
    imgui.get_platform_io().platform_set_clipboard_text_fn = lambda _, text: copied.append(text)
    desk.run = RunState(problem=Problem("robot.xml cannot be opened", "line 3: no such attribute"))
    desk.gui.frame(desk.draw, 2)
    assert any("robot.xml cannot be opened" in text for text in desk.gui.texts)
    assert "line 3: no such attribute" in desk.gui.texts
    desk.click("Copy")
    assert copied == ["robot.xml cannot be opened\nline 3: no such attribute"]
    desk.click("Dismiss")
    assert desk.sent == [cmd.DismissProblem()]


@pytest.mark.parametrize("progress", [Progress("reading"), Progress("compiling rne", 3, 12)])
def test_progress_is_shown(desk: Desk, progress: Progress) -> None:
    desk.run = RunState(progress=progress)
    desk.gui.frame(desk.draw, 2)
    assert progress.label in desk.gui.texts
    desk.click("Cancel")
    assert desk.sent == [cmd.Cancel()]


def test_status_and_info(desk: Desk) -> None:
    desk.run = RunState(
        time=12.5, rate=0.97, step_seconds=43e-6, history=Timeline((BranchView(0, last=1234),), now=1234), ready=True
    )
    desk.view.prefs.show_info, desk.view.feedback.message = True, "saved x.png"
    desk.gui.frame(desk.draw, 2)
    for words in ("12.500", "0.97", "43.0", "1 234", "saved x.png", "0 contacts", "0 constraints", "0 islands"):
        assert any(words in text for text in desk.gui.texts), words


def test_the_switch_of_sleep_is_in_its_section(desk: Desk) -> None:
    desk.reveal("Physics")
    desk.view.ui.search = "sleep"
    desk.gui.frame(desk.draw, 4)
    header, switch = desk.gui.rects["Sleep"], desk.gui.rects["sleep##flag"]
    assert 0 <= switch[1] - header[3] < header[3] - header[1]


def test_a_message_is_whole_though_it_takes_the_room_of_numbers(desk: Desk) -> None:
    desk.gui.io.display_size = imgui.ImVec2(1000, 700)
    desk.run = RunState(replaying=True, direction=-1, sought_from=500, ready=True,
                        history=Timeline((BranchView(0, last=500),), now=125))  # fmt: skip
    desk.view.feedback.message = "undone: pull: body ball; back at 0.100 s, before it; paused, Space continues"
    desk.gui.frame(desk.draw, 2)
    assert desk.view.feedback.message in desk.gui.texts
    assert "searching back for a breakpoint: 75 %" in desk.gui.texts


HIDDEN = "<geom size='.1' group='3'/>"
MOVING = "<body><freejoint/><geom size='.1'/></body>"


@pytest.mark.parametrize(
    ("bodies", "options", "line"),
    [
        (MOVING, {}, ""),
        (HIDDEN, {}, "The only geom is in a hidden group: press 3 to show group 3"),
        (3 * HIDDEN, {}, "All 3 geoms are in a hidden group: press 3 to show group 3"),
        (HIDDEN + "<geom size='.1' group='5'/>", {},
         "Both geoms are in hidden groups: press 3 and 5 to show groups 3 and 5"),
        (MOVING + HIDDEN, {}, ""),
        (HIDDEN, {"geom_group": [True] * 6}, ""),
        (HIDDEN + "<site/>", {}, ""),
        ("<geom size='.1'/>", {"static": False}, "The only geom is static: press D to show static bodies"),
        ("<geom size='.1'/>" + MOVING, {"static": False}, ""),
        ("", {}, "This model has no geoms: J shows joints, I shows inertia, M shows centres of mass"),
        ("", {"joint": True}, ""),
    ],
)  # fmt: skip
def test_an_empty_picture_says_why(
    gui: Gui, views: Views, monkeypatch: pytest.MonkeyPatch, bodies: str, options: dict[str, Any], line: str
) -> None:
    written: list[str] = []
    monkeypatch.setattr(
        "app.window.overlays.view.marks.readable_text", lambda _draw, _x, _y, text, _wrap: written.append(text)
    )
    desk = Desk(gui, *views(f"<worldbody>{bodies}</worldbody>"))
    for name, value in options.items():
        setattr(desk.view.options, name, value)
    gui.frame(desk.draw)
    assert written == ([line] if line else [])
    # geoms of a script are something to see
    written.clear()
    desk.view.has_user_geoms = True
    gui.frame(desk.draw)
    assert not written


def test_picture_is_beside_the_panels_and_follows_the_window(desk: Desk) -> None:
    desk.gui.frame(desk.draw, 3)
    first = desk.rect
    assert first.x > 200
    assert first.y > 20
    assert first.x + first.width < 1200
    # a small window leaves the picture its share
    desk.resize(900, 600)
    assert desk.rect.width > 0.4 * 900
    assert 0 < desk.rect.x < desk.rect.x + desk.rect.width < 900
    # each side can be hidden, and comes back as it was
    small = desk.rect
    for side, place in (("show_left", lambda r: r.x == 0), ("show_right", lambda r: r.x + r.width == 900)):
        setattr(desk.view.prefs, side, False)
        desk.gui.frame(desk.draw, 3)
        assert place(desk.rect)
        assert desk.rect.width > small.width
        setattr(desk.view.prefs, side, True)
        desk.gui.frame(desk.draw, 3)
        assert desk.rect == small
    desk.view.prefs.show_bottom = True
    desk.gui.frame(desk.draw, 3)
    assert desk.rect.height < small.height


def test_profiler_shows_what_stages_cost(desk: Desk) -> None:
    desk.view.ui.show_profiler = True
    desk.run = RunState(ready=True, stage_seconds=(("collision", 3e-6), ("solver", 9e-6), ("energy", 0.0)))
    desk.gui.frame(desk.draw, 3)
    texts = desk.gui.texts
    for line in (["collision", "3.0 µs", "25%"], ["solver", "9.0 µs", "75%"], ["energy", "0.0 µs", "0%"]):
        assert line in [texts[first : first + 3] for first in range(len(texts))]


@pytest.mark.parametrize("focus", ["##opt.timestep()", "Shadow", "##row", "##panel camera"])
def test_keys_work_while_a_panel_has_the_focus(desk: Desk, focus: str) -> None:
    desk.view.ui.reveal = "Rendering" if focus == "Shadow" else ""
    keys = GestureReader()
    happened: list[str] = []

    def draw() -> None:
        desk.draw()
        happened.extend(event.trigger for event in keys.events(desk.rect))

    def press(key: str) -> list[str]:
        happened.clear()
        for down in (True, False):
            desk.gui.io.add_key_event(imgui_key(key), down)
            desk.gui.frame(draw)
        return happened

    desk.gui.click(draw, focus)
    # if a list has opened, this closes it
    press("Escape")
    gestures = ("drag", "click", "Scroll", "file", "fingers")
    plain = [b.trigger for b in BINDINGS if not b.trigger.endswith(gestures) and "+" not in b.trigger]
    assert len(plain) > 50
    for key in plain:
        assert press(key) == [key]


def test_mouse_belongs_to_the_view_over_the_picture_only(desk: Desk) -> None:
    desk.gui.frame(desk.draw, 3)
    for x, captured in ((100.0, True), (700.0, False), (1300.0, True)):
        desk.gui.io.add_mouse_pos_event(x, 450)
        desk.gui.frame(desk.draw, 2)
        assert desk.gui.io.want_capture_mouse is captured


def test_panels_without_a_model(gui: Gui) -> None:
    view = ViewState(
        prefs=Preferences(show_info=True, show_bottom=True),
        ui=UiState(manual=ManualView(open=True), show_profiler=True, show_sensors=True, show_palette=True),
    )
    draw: Callable[[], Rect] = lambda: layout.draw(Snapshot(0, RunState()), view, print, print)  # noqa: E731
    gui.frame(draw, 3)
    assert "no model" in gui.texts
    assert view.camera_id == FREE_CAMERA


@pytest.mark.parametrize("size", [(1, 1), (60, 40), (480, 320), (4000, 200)])
def test_any_window_size(desk: Desk, size: tuple[int, int]) -> None:
    desk.gui.io.display_size = imgui.ImVec2(*size)
    desk.view.ui.manual.open = desk.view.prefs.show_info = desk.view.prefs.show_bottom = desk.view.ui.show_profiler = (
        True
    )
    desk.view.ui.show_sensors = desk.view.ui.show_palette = True
    desk.run = RunState(problem=Problem("x", "y"))
    desk.gui.frame(desk.draw, 3)
    assert desk.rect.width <= size[0]


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (43e-6, ("43.0", "µ")), (0.002, ("2.00", "m")), (1.0, ("1.00", "")), (1234.0, ("1.23", "k")),
        (0.0, ("0", "")), (999e-6, ("999", "µ")), (1e-3, ("1.00", "m")), (5e-13, ("0.50", "p")),
    ],
)  # fmt: skip
def test_si(value: float, text: tuple[str, str]) -> None:
    assert si(value) == text


def test_speed_text() -> None:
    assert [speed_text(s) for s in (1 / 64, 0.5, 0.7, 1.0, 8.0)] == ["1/64x", "1/2x", "0.7x", "1x", "8x"]


def test_a_window_that_closes_leaves_the_tabs_alone(desk: Desk) -> None:
    desk.view.prefs.show_bottom = desk.view.ui.show_palette = True
    desk.gui.frame(desk.draw, 3)
    desk.gui.io.add_key_event(imgui.Key.escape, True)
    desk.gui.frame(desk.draw, 5)
    assert not desk.view.ui.show_palette
    found = [imgui.internal.find_window_by_name(panel.name) for panel in panels()]
    # instruments are closed
    windows = [window for window in found if window is not None]
    front = [window.name for window in windows if window.dock_node.selected_tab_id == window.tab_id]
    assert front == ["Simulation", "Model tree", "Physics", "Timeline"]


def with_bottom(desk: Desk) -> Rect:
    """Open the panels below the picture; where that is then."""
    desk.view.prefs.show_bottom = True
    desk.gui.frame(desk.draw, 5)
    return desk.rect


def test_panels_come_back_from_a_tiny_window(desk: Desk) -> None:
    before = with_bottom(desk)
    for size in ((1, 1), (300, 40), (40, 600), (900, 600), (1400, 900)):
        desk.resize(*size)
    assert astuple(desk.rect) == pytest.approx(astuple(before), abs=2)


def test_a_click_in_a_small_window_does_not_make_panels_small(desk: Desk) -> None:
    before = with_bottom(desk)
    desk.resize(700, 500)
    desk.gui.click_at(desk.draw, desk.rect.x + desk.rect.width / 2, desk.rect.y + desk.rect.height / 2)
    desk.resize(1400, 900)
    assert astuple(desk.rect) == pytest.approx(astuple(before), abs=2)


def test_a_small_window_is_not_remembered_in_sizes_of_panels(desk: Desk) -> None:
    before = with_bottom(desk)
    desk.resize(480, 320)
    small = desk.rect
    kept = docking.layout_ini(panels(), desk.view)
    assert layout_text.fault(kept) == ""
    desk.gui.frame(desk.draw, 5)
    assert desk.rect == small
    # the next start
    imgui.load_ini_settings_from_memory(kept)
    desk.view = ViewState(prefs=Preferences(show_bottom=True))
    desk.resize(1400, 900)
    assert astuple(desk.rect) == pytest.approx(astuple(before), abs=2)


def test_a_panel_that_is_dragged_smaller_stays_so(desk: Desk) -> None:
    desk.gui.frame(desk.draw, 5)
    x, y = desk.rect.x, desk.rect.y + 10
    desk.gui.io.add_mouse_pos_event(x, y)
    desk.gui.frame(desk.draw, 2)
    desk.gui.io.add_mouse_button_event(0, True)
    desk.gui.frame(desk.draw, 2)
    desk.gui.io.add_mouse_pos_event(x - 60, y)
    desk.gui.frame(desk.draw, 2)
    desk.gui.io.add_mouse_button_event(0, False)
    desk.gui.frame(desk.draw, 2)
    assert desk.rect.x == pytest.approx(x - 60, abs=2)
    for size in ((480, 320), (1400, 900)):
        desk.resize(*size)
    assert desk.rect.x == pytest.approx(x - 60, abs=2)


def test_a_panel_of_a_script_takes_what_is_typed_and_dragged(desk: Desk) -> None:
    got: dict[str, Any] = {"words": "", "number": 0.0}

    def panel() -> None:
        _, got["words"] = imgui.input_text_with_hint("##layer words", "words", got["words"])
        _, got["number"] = imgui.slider_float("##layer number", got["number"], 0.0, 1.0)

    desk.layer.panels["Mine"] = panel
    desk.gui.frame(desk.draw, 6)
    desk.click("##layer words")
    desk.gui.type(desk.draw, "abc")
    assert got["words"] == "abc"
    desk.gui.drag(desk.draw, "##layer number", 60.0)
    assert 0.5 < got["number"] <= 1.0


CUT_OFF = """[Docking][Data]
DockSpace       ID=0x7039376F Window=0x1BBC0F80 Pos=0,40 Size=900,558 Split=X
  DockNode      ID=0x00000001 Parent=0x7039376F SizeRef=242,630 Split=Y
    DockNode    ID=0x00000007 Parent=0x00000001 SizeRef=242,283 Selected=0xCA59C0CF
"""


def test_a_layout_that_was_cut_off_is_made_anew(desk: Desk) -> None:
    assert "not split in two" in layout_text.fault(CUT_OFF)
    imgui.load_ini_settings_from_memory(CUT_OFF)
    desk.gui.frame(desk.draw, 4)
    assert 200 < desk.rect.x < desk.rect.x + desk.rect.width < 1200
