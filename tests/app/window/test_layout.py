"""Panels, cards and bars in small windows and with large fonts: what matters is in sight, and nothing overlaps."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations
from pathlib import Path
from typing import Any
from unittest.mock import MagicMock

import pytest
from imgui_bundle import imgui

from app.files import browse
from app.files.resources import bundled_scenes
from app.model.problem import Problem
from app.run import commands as cmd
from app.run.history.timeline import BranchView, Pace, Timeline
from app.run.run_state import RunState
from app.ui import theme
from app.ui.gestures import GestureReader
from app.ui.widgets import vector_row
from app.view.input import actions
from app.view.input.gesture import Gesture
from app.view.rect import Rect
from app.window.overlays.cards import card
from app.window.overlays.cards.card import Card, corner, draw_cards, draw_hidden_cards
from tests.app.conftest import Views
from tests.app.gui_driver import Gui
from tests.app.window.panels.test_panels import Desk

MODEL = """<worldbody><geom type="plane" size="1 1 1"/>
  <body><freejoint/><geom size="0.1"/><site name="s"/></body><body pos="1 0 0"><freejoint/><geom size="0.1"/></body>
</worldbody><sensor><accelerometer site="s"/><gyro site="s"/></sensor>"""
SIZES = [((1500, 950), 1.0), ((1400, 900), 1.5), ((900, 600), 1.0), ((640, 400), 1.0), ((1500, 950), 2.0)]


@pytest.fixture
def desk(gui: Gui, views: Views) -> Desk:
    """Panels around a model with sensors."""
    return Desk(gui, *views(MODEL))


def resize(desk: Desk, size: tuple[float, float], scale: float = 1.0) -> None:
    """Another window and font."""
    desk.gui.io.display_size = imgui.ImVec2(*size)
    theme.apply(scale)
    desk.gui.frame(desk.draw, 4)


def box(name: str) -> tuple[float, float, float, float] | None:
    """Where an ImGui window is, if it was drawn."""
    window: Any = imgui.internal.find_window_by_name(name)
    if window is None or not window.was_active:
        return None
    return window.pos.x, window.pos.y, window.pos.x + window.size.x, window.pos.y + window.size.y


def inside(inner: tuple[float, ...], outer: tuple[float, ...]) -> bool:
    """Whether one rectangle is in another."""
    return (
        inner[0] >= outer[0] - 1 and inner[1] >= outer[1] - 1 and inner[2] <= outer[2] + 1 and inner[3] <= outer[3] + 1
    )


@pytest.mark.parametrize(("size", "scale"), SIZES)
@pytest.mark.parametrize("bottom", [False, True])
def test_cards_stay_on_the_picture_and_off_each_other(
    desk: Desk, size: tuple[float, float], scale: float, bottom: bool
) -> None:
    desk.view.prefs.show_info = desk.view.ui.show_profiler = desk.view.ui.show_sensors = True
    desk.view.prefs.show_bottom = bottom
    desk.run = RunState(ready=True, stage_seconds=tuple((f"stage {k}", 1e-6 * k) for k in range(16)))
    resize(desk, size, scale)
    rect = desk.rect
    cards = [found for found in map(box, ("##Info", "##Profiler", "##Sensors")) if found is not None]
    for shown in cards:
        assert inside(shown, (rect.x, rect.y, rect.x + rect.width, rect.y + rect.height))
    axes = desk.gui.frame(lambda: corner(rect))
    cards.append((axes.x, axes.y, axes.x + axes.width, axes.y + axes.height))
    for one, other in combinations(cards, 2):
        assert one[2] <= other[0] or other[2] <= one[0] or one[3] <= other[1] or other[3] <= one[1]


def test_all_cards_have_a_place_in_a_window_of_the_usual_size(desk: Desk) -> None:
    desk.view.prefs.show_info = desk.view.ui.show_profiler = desk.view.ui.show_sensors = True
    for size, scale in (((1400, 900), 1.0), ((900, 600), 1.0), ((2560, 1440), 1.5)):
        resize(desk, size, scale)
        assert all(box(name) for name in ("##Info", "##Profiler", "##Sensors")), size


def test_cards_without_a_place_are_named(gui: Gui, monkeypatch: pytest.MonkeyPatch) -> None:
    drawn: list[str] = []
    named: list[str] = []
    monkeypatch.setattr(card, "draw_hidden_cards", lambda titles, rect: named.extend(titles))
    cards = [Card(title, 15.0, 9, lambda _, title=title: drawn.append(title)) for title in ("one", "two", "three")]
    gui.frame(lambda: draw_cards(cards, Rect(0, 0, 400, 200), [], lambda _, draw: draw()))
    assert drawn == ["one"]
    assert named == ["two", "three"]


@pytest.mark.parametrize(("size", "scale"), SIZES)
def test_a_long_error_can_be_read_and_dismissed(desk: Desk, size: tuple[float, float], scale: float) -> None:
    desk.view.prefs.show_bottom = True
    desk.run = RunState(problem=Problem("it broke", "\n".join(f"line {k} of what went wrong" for k in range(200))))
    resize(desk, size, scale)
    card = box("##problem")
    assert card is not None
    assert inside(card, (0, 0, *size))
    desk.click("Dismiss")
    assert desk.sent == [cmd.DismissProblem()]


@pytest.mark.parametrize(("size", "scale"), SIZES)
def test_the_manual_fits_the_window(desk: Desk, size: tuple[float, float], scale: float) -> None:
    desk.view.ui.manual.toggle()
    desk.gui.frame(desk.draw, 2)
    resize(desk, size, scale)
    found = box("Manual")
    assert found is not None
    assert inside(found, (0, 0, *size))


@pytest.mark.parametrize(("size", "scale"), SIZES)
def test_bars_show_what_matters_most(desk: Desk, size: tuple[float, float], scale: float) -> None:
    desk.run = RunState(path="robot.xml", ready=True, paused=True)
    resize(desk, size, scale)
    for action in (actions.play_pause, actions.reset, actions.screenshot, actions.palette, actions.manual):
        _, _, right, _ = desk.gui.find(desk.draw, f"##{action.__name__}")
        assert right <= size[0], action
    assert "paused" in desk.gui.texts
    # numbers that have no room are left out as a whole; at a width of 750 the rounding of glyphs decides
    if size[0] / scale != 750:
        assert any("islands" in text for text in desk.gui.texts) is (size[0] / scale > 800)
    assert any("awake" in text for text in desk.gui.texts) is (size[0] / scale > 800)


@pytest.mark.parametrize(("size", "scale"), SIZES)
def test_tables_scroll_before_they_cut_words_off(desk: Desk, size: tuple[float, float], scale: float) -> None:
    desk.view.prefs.show_bottom, desk.view.ui.reveal = True, "Islands"
    resize(desk, size, scale)
    left, _, right, _ = desk.gui.find(desk.draw, "why awake ###why awake")
    assert right - left >= desk.gui.frame(lambda: imgui.calc_text_size("why awake").x)
    # in a narrow window the policy is out of sight until one scrolls
    if size[0] / scale > 800:
        left, _, right, _ = desk.gui.find(desk.draw, "##policy")
        words, arrow = desk.gui.frame(lambda: (imgui.calc_text_size("allowed (auto)").x, imgui.get_frame_height()))
        assert right - left > words + arrow


@pytest.mark.parametrize(("size", "scale"), SIZES)
def test_numbers_can_be_read_in_narrow_panels(desk: Desk, size: tuple[float, float], scale: float) -> None:
    resize(desk, size, scale)
    for key in ("##opt.timestep()", "##opt.integrator()"):
        left, _, right, _ = desk.gui.find(desk.draw, key)
        assert right - left > 3 * 15 * scale, key


@pytest.mark.parametrize(("size", "scale"), SIZES)
def test_buttons_of_the_inspector_go_to_a_second_line(desk: Desk, size: tuple[float, float], scale: float) -> None:
    desk.view.select("body", 1)
    resize(desk, size, scale)
    panel = box("Inspector")
    assert panel is not None
    for label in ("Focus", "Track", "Deselect"):
        left, _, right, _ = desk.gui.find(desk.draw, label)
        assert panel[0] <= left < right <= panel[2], label


@pytest.mark.parametrize(("size", "scale"), [((1500, 950), 1.0), ((900, 600), 1.0), ((1500, 950), 2.0)])
def test_run_and_pause_are_in_sight_beside_a_long_caption(desk: Desk, size: tuple[float, float], scale: float) -> None:
    scene = next(scene for scene in bundled_scenes() if scene.name == "puppet")
    desk.run = RunState(path=str(scene.path), ready=True)
    resize(desk, size, scale)
    assert scene.caption in desk.gui.texts
    panel = box("Simulation")
    assert panel is not None
    for label in ("###run", "###step", "###reset"):
        assert inside(desk.gui.find(desk.draw, label), panel)


@pytest.mark.parametrize("width", [120, 180, 260, 400])
def test_vectors_go_to_a_second_line(gui: Gui, width: float) -> None:
    def draw() -> None:
        imgui.set_next_window_pos((500, 0))
        imgui.set_next_window_size((width, 400))
        imgui.begin("narrow")
        vector_row("inertia", (0.001, 0.002, 0.003), "kg m²")
        imgui.end()

    gui.frame(draw, 2)
    for text in ("0.0010", "0.0020", "0.0030", "kg m²"):
        left, _, right, _ = gui.text_rects[text]
        assert 500 <= left < right <= 500 + width, text


@pytest.mark.parametrize(("size", "scale"), SIZES)
def test_the_file_dialog_fits_the_window(desk: Desk, size: tuple[float, float], scale: float, tmp_path: Path) -> None:
    desk.view.ui.browse = browse.begin(str(tmp_path / "model.xml"))
    resize(desk, size, scale)
    desk.gui.read(desk.draw)
    found = box("##files")
    assert found is not None
    assert inside(found, (0, 0, *size))
    window: Any = imgui.internal.find_window_by_name("##files")
    assert window.scroll_max.y == 0


def test_what_has_no_place_is_said_in_lines_that_fit(gui: Gui, monkeypatch: pytest.MonkeyPatch) -> None:
    paper = MagicMock()
    monkeypatch.setattr(imgui, "get_background_draw_list", lambda: paper)
    picture = Rect(100, 50, 160, 300)
    gui.frame(lambda: draw_hidden_cards(["Profiler", "Sensors"], picture))
    ground = paper.add_rect_filled.call_args.args
    assert inside((*ground[0], *ground[1]), (100, 50, 260, 350))
    assert 0 < paper.add_text.call_args.kwargs["wrap_width"] < 160


@pytest.mark.parametrize("opened", ["##record", "Open##menu", "##panel camera"])
def test_escape_closes_a_menu_and_nothing_else(desk: Desk, opened: str) -> None:
    keys = GestureReader()
    any_popup = imgui.PopupFlags_.any_popup
    desk.click(opened, button=1 if opened == "##record" else 0)
    events: list[Gesture] = []
    seen: list[bool] = []

    def draw() -> None:
        desk.draw()
        seen.append(imgui.is_popup_open("", any_popup))
        events.extend(keys.events(desk.rect))

    desk.gui.frame(draw)
    assert seen[-1]
    for down in (True, False):
        desk.gui.io.add_key_event(imgui.Key.escape, down)
        desk.gui.frame(draw, 2)
    assert not seen[-1]
    assert events == []
    # with nothing open it is a key again
    for down in (True, False):
        desk.gui.io.add_key_event(imgui.Key.escape, down)
        desk.gui.frame(draw, 2)
    assert [event.trigger for event in events] == ["Escape"]


def test_what_a_panel_asks_for_is_done_once(desk: Desk) -> None:
    desk.view.prefs.show_bottom = True
    timeline = Timeline((BranchView(0, last=100, paces=(Pace(0, 0.0, 0.002),)),), now=50, loop=(20, 60))
    desk.run = replace(desk.run, history=timeline)
    desk.gui.frame(desk.draw, 4)
    desk.gui.click(desk.draw, "##film")
    desk.gui.frame(desk.draw, 3)
    assert desk.acted == [actions.film_range]


def test_a_narrow_window_shows_one_panel_below_the_picture(desk: Desk) -> None:
    """On a hand-held: the picture has all of the width, and panels are chosen from a list."""
    resize(desk, (390, 800))
    assert desk.rect.width == 390 and desk.rect.height > 650
    for name in ("open_menu", "panels", "palette", "manual"):
        if name != "open_menu":
            assert desk.gui.find(desk.draw, f"##{name}")[2] <= 390
    desk.click("##panels")
    desk.click("Joints")
    shown = box("###sheet") or box("Joints###sheet")
    assert shown is not None and shown[2] <= 390 and desk.view.ui.sheet == "Joints"
    assert desk.rect.height == pytest.approx(shown[1] - desk.rect.y, abs=1)
    desk.view.ui.reveal = "Inspector"
    desk.gui.frame(desk.draw, 2)
    assert desk.view.ui.sheet == "Inspector"
    desk.click("##close the panel")
    assert not desk.view.ui.sheet
    # and as it was in a window with room
    resize(desk, (1400, 900))
    assert desk.rect.width < 1000
