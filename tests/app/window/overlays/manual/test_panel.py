"""The manual in the window: panel.py and app/manual/manual_view.py, without a screen."""

from __future__ import annotations

from pathlib import Path

import pytest
from imgui_bundle import imgui

from app.manual.manual_view import ManualView
from app.manual.pages import Place
from app.run.run_state import RunState
from app.run.snapshot import Snapshot
from app.view.input import actions
from app.view.ui_state import UiState
from app.view.view_state import ViewState
from app.window import layout
from app.window.overlays import gallery
from app.window.overlays.palette.entries import found_entries
from tests.app.gui_driver import Gui
from tests.app.manual.sample_pages import write_pages


class Reader:
    """A window with the sample pages; actions are obeyed as the application does."""

    def __init__(self, gui: Gui, folder: Path) -> None:
        self.gui, self.view = gui, ViewState(ui=UiState(manual=ManualView(folder=folder)))
        self.manual = self.view.ui.manual
        self.snapshot = Snapshot(0, RunState())
        self.copied: list[str] = []
        imgui.get_platform_io().platform_set_clipboard_text_fn = lambda _, text: self.copied.append(text)
        gui.frame(self.draw, 4)

    def draw(self) -> None:
        """One frame."""
        layout.draw(self.snapshot, self.view, lambda _: None, lambda action: action(self, None))  # type: ignore[arg-type]
        layout.drop_focus()

    def f1(self, at: tuple[float, float] | None = None) -> None:
        """Press F1, with the pointer at a place."""
        if at is not None:
            self.gui.io.add_mouse_pos_event(*at)
        self.gui.frame(self.draw, 3)
        actions.manual(self, None)  # type: ignore[arg-type]
        self.gui.frame(self.draw, 3)

    def click(self, label: str) -> None:
        """Click on an item."""
        self.gui.click(self.draw, label)

    def press(self, *keys: imgui.Key) -> None:
        """Press and release keys together."""
        for down in (True, False):
            for key in keys:
                self.gui.io.add_key_event(key, down)
            self.gui.frame(self.draw, 2)

    def type(self, text: str) -> None:
        """Type into the search field."""
        self.click("##search manual")
        for character in text:
            self.gui.io.add_input_character(ord(character))
        self.gui.frame(self.draw, 2)

    def middle(self, panel: str = "Physics") -> tuple[float, float]:
        """The middle of a panel in front."""
        window = imgui.internal.find_window_by_name(panel)
        return window.pos.x + window.size.x / 2, window.pos.y + window.size.y / 2


@pytest.fixture
def reader(gui: Gui, tmp_path: Path) -> Reader:
    return Reader(gui, write_pages(tmp_path))


VIEW = (700.0, 400.0)


def test_f1_opens_keys_then_the_page_read_last_and_closes(reader: Reader) -> None:
    reader.f1(VIEW)
    assert (reader.manual.open, reader.manual.topic) == (True, "keys")
    reader.manual.show(Place("solver"))
    reader.f1()
    assert not reader.manual.open
    reader.f1(VIEW)
    assert (reader.manual.open, reader.manual.topic) == (True, "solver")


def test_f1_over_a_panel_opens_its_page(reader: Reader) -> None:
    reader.f1(reader.middle())
    assert (reader.manual.open, reader.manual.topic) == (True, "panels")
    reader.f1()
    reader.view.instruments.open("Solver")
    reader.gui.frame(reader.draw, 3)
    reader.f1(reader.middle("Solver"))
    assert (reader.manual.open, reader.manual.topic) == (True, "solver")


def test_the_mark_in_a_tab_bar_opens_the_page_of_the_panel_in_front(reader: Reader) -> None:
    reader.click("?##Physics###manual")
    assert (reader.manual.open, reader.manual.topic) == (True, "panels")
    reader.manual.open = False
    reader.view.instruments.open("Solver")
    reader.gui.frame(reader.draw, 3)
    reader.click("?##Solver###manual")
    assert (reader.manual.open, reader.manual.topic) == (True, "solver")
    assert "?##Inspector###manual" not in reader.gui.rects
    # as a window of its own
    reader.manual.open = False
    imgui.internal.dock_builder_dock_window("Edits", 0)
    reader.gui.frame(reader.draw, 3)
    reader.click("?##Edits###manual")
    assert (reader.manual.open, reader.manual.goal) == (True, None)
    assert reader.manual.topic == "panels"


def test_escape_closes_it_and_nothing_else(reader: Reader) -> None:
    reader.f1(VIEW)
    reader.view.camera_id = 0
    desk = type("Desk", (), {"view": reader.view, "run_state": reader.snapshot.run, "sessions": None})()
    actions.free_camera(desk, None)  # type: ignore[arg-type]
    assert (reader.manual.open, reader.view.camera_id) == (False, 0)
    actions.free_camera(desk, None)  # type: ignore[arg-type]
    assert reader.view.camera_id == -1


def test_links_lead_to_pages_and_back(reader: Reader) -> None:
    reader.manual.show(Place("tour"))
    reader.click("the solver##link")
    assert reader.manual.topic == "solver"
    reader.click("##back")
    assert reader.manual.topic == "tour"
    reader.press(imgui.Key.mod_alt, imgui.Key.right_arrow)
    assert reader.manual.topic == "solver"
    reader.press(imgui.Key.mod_alt, imgui.Key.left_arrow)
    assert reader.manual.topic == "tour"
    reader.click("MuJoCo##link")
    assert reader.copied == ["https://mujoco.org"]
    assert reader.manual.topic == "tour"
    reader.click("##copy")
    assert reader.copied[1:] == ["kinetoscope manual tour"]


def test_search_opens_the_highlighted_hit(reader: Reader) -> None:
    reader.manual.show(Place("tour"))
    reader.type("friction")
    assert {"##solver#friction-cones", "##panels#physics"} <= reader.gui.rects.keys()
    assert "##zebra#" not in reader.gui.rects
    reader.press(imgui.Key.down_arrow)
    reader.press(imgui.Key.enter)
    assert reader.manual.topic == "panels"
    reader.type("x")
    reader.press(imgui.Key.escape)
    assert (reader.manual.query, reader.manual.open) == ("", True)
    reader.click("##search manual")
    reader.press(imgui.Key.escape)
    assert not reader.manual.open


def test_a_click_on_a_topic_or_on_a_hit_opens_it(reader: Reader) -> None:
    reader.manual.show(Place("tour"))
    reader.click("##zebra#")
    assert reader.manual.topic == "zebra"
    reader.type("cone")
    reader.click("##solver#friction-cones")
    assert reader.manual.topic == "solver"


def test_a_long_page_scrolls_to_a_heading_and_draws_what_is_in_sight(reader: Reader) -> None:
    sections = "".join(f"\n## Part {k}\n\nSome text, [link {k}](tour.md).\n" for k in range(300))
    (reader.manual.folder / "long.md").write_text(f"# Long\n{sections}")
    reader.manual.show(Place("long", "part-200"))
    reader.gui.frame(reader.draw, 3)
    links = [label for label in reader.gui.rects if label.startswith("link ")]
    assert 5 < len(links) < 60
    assert any(label.startswith("link 200##") for label in links)
    assert not any(label.startswith("link 199##") for label in links)
    before = reader.manual.scroll
    reader.click("link 201##link")
    reader.click("##back")
    reader.gui.frame(reader.draw, 3)
    assert (reader.manual.topic, reader.manual.scroll) == ("long", before)
    assert reader.manual.captures_key("Page up")
    reader.press(imgui.Key.page_up)
    assert 0 < reader.manual.scroll < before
    reader.press(imgui.Key.home)
    assert reader.manual.scroll == 0


def test_shortcuts_are_switched_on_the_page_of_keys(reader: Reader) -> None:
    reader.manual.show(Place("keys"))
    reader.click("Keyboard shortcuts")
    assert not reader.view.prefs.shortcuts
    assert "off: only Escape, Ctrl+K, F1 and the mouse work" in reader.gui.texts
    reader.click("Keyboard shortcuts")
    assert reader.view.prefs.shortcuts


@pytest.mark.parametrize("size", [(320, 240), (900, 600), (2560, 1440)])
def test_every_window_and_every_page(reader: Reader, size: tuple[int, int]) -> None:
    reader.gui.io.display_size = imgui.ImVec2(*size)
    for topic in (*reader.manual.pages, "nowhere"):
        reader.manual.show(Place(topic))
        reader.gui.frame(reader.draw, 3)
    window = imgui.internal.find_window_by_name("Manual")
    assert window.pos.x >= 0 and window.pos.x + window.size.x <= size[0]
    assert window.pos.y >= 0 and window.pos.y + window.size.y <= size[1]
    assert reader.view.feedback.faults == {}


def test_the_palette_finds_pages_and_headings_below_commands(reader: Reader) -> None:
    found = lambda text: found_entries(reader.snapshot, reader.view, print, print, text)[0]  # noqa: E731
    (cones,) = (entry for entry in found("friction cones") if entry.group == "Manual")
    assert cones.title == "manual: Solver › Friction cones"
    titles = [entry.title for entry in found("solver")]
    assert titles.index("open Solver") < titles.index("manual: Solver")
    cones.do()
    assert (reader.manual.open, reader.manual.topic, reader.manual.goal) == (True, "solver", "friction-cones")


def test_everything_has_a_tooltip(reader: Reader) -> None:
    reader.manual.show(Place("tour"))
    inside = {"the solver##link", "##search manual", "##back", "##zebra#", "##copy", "?##Physics###manual"}
    missing = reader.gui.unexplained(reader.draw)
    assert not [label for label in missing if any(part in label for part in inside)]


def test_over_the_gallery_escape_closes_the_manual_first(reader: Reader) -> None:
    reader.view.ui.show_gallery = True
    reader.f1(VIEW)
    reader.press(imgui.Key.escape)
    assert reader.view.ui.show_gallery
    assert not gallery.captures_key(reader.view, "Escape")
    reader.manual.open = False
    assert gallery.captures_key(reader.view, "Escape")
    reader.press(imgui.Key.escape)
    assert not reader.view.ui.show_gallery
