"""The Log panel and its badge (app/window/panels/log.py; app/run/log/log_view.py)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from imgui_bundle import imgui

from app.model.selection import Selection
from app.run.log import log_view as texts
from app.run.log.links import FileLine
from app.run.log.log import Level
from app.run.run_state import RunState
from app.run.snapshot import Snapshot
from app.view.view_state import ViewState
from app.window.panels.log import log_badge, log_panel
from tests.app.conftest import Views
from tests.app.gui_driver import Gui

ARM = "<worldbody><body name='arm'><joint name='elbow'/><geom size='.1'/></body></worldbody>"


class Panel:
    """The panel with an entry of each level."""

    def __init__(self, gui: Gui, model: Any) -> None:
        self.gui, self.view = gui, ViewState()
        self.snapshot = Snapshot(1, RunState(), model)
        self.log = self.view.feedback.log
        self.log.clock = lambda: 1.25
        self.log.add(Level.PRINT, "stdout", "torque 3")
        self.log.add(Level.MESSAGE, "viewer", "saved /x/y.png")
        self.log.add(Level.WARNING, "engine", "qpos[0], joint elbow")
        self.log.add(
            Level.ERROR, "stderr", 'Traceback (most recent call last):\n  File "/x/a.py", line 7\nValueError: no'
        )

    def draw(self) -> None:
        imgui.set_next_window_pos((0, 0))
        imgui.set_next_window_size((1200, 400))
        imgui.begin("Log")
        log_panel(self.snapshot, self.view, lambda _: None)
        imgui.end()

    def rows(self) -> list[str]:
        """The lines that are shown."""
        self.gui.frame(self.draw, 2)
        return [label.partition("##")[0] for label in self.gui.rects if label.rpartition("##")[2].isdigit()]


@pytest.fixture
def log(gui: Gui, views: Views) -> Panel:
    return Panel(gui, views(ARM)[0])


def test_entries(log: Panel) -> None:
    assert log.rows() == ["torque 3", "saved /x/y.png", "qpos[0], joint elbow", "ValueError: no"]
    assert log.gui.texts.count("1.250 s") == 4 and "4 entries" in log.gui.texts


def test_levels_and_words(log: Panel) -> None:
    log.gui.click(log.draw, "##print")
    log.gui.click(log.draw, "##error")
    assert log.rows() == ["saved /x/y.png", "qpos[0], joint elbow"]
    log.gui.click(log.draw, "##error")
    log.view.feedback.log_view.words = "value STDERR"
    assert log.rows() == ["ValueError: no"]
    log.view.feedback.log_view.words = "nowhere"
    assert log.rows() == [] and "no matching entries" in log.gui.texts


def test_repeats_and_new_entries_appear(log: Panel) -> None:
    log.rows()
    for _ in range(3):
        log.log.add(Level.PRINT, "stdout", "again")
    assert log.rows()[-1] == "x 3  again"


def test_a_click_selects_the_element_or_copies_the_line(log: Panel, monkeypatch: pytest.MonkeyPatch) -> None:
    copied = list[str]()
    monkeypatch.setattr(imgui, "set_clipboard_text", copied.append)
    log.gui.click(log.draw, "qpos[0], joint elbow")
    assert log.view.selection == Selection("joint", 0) and copied == []
    log.gui.click(log.draw, "ValueError: no")
    assert copied == ["/x/a.py:7"] and log.view.feedback.message == "copied /x/a.py:7"
    log.gui.click(log.draw, "torque 3")
    assert copied == ["/x/a.py:7"]


def test_menu_of_an_entry(log: Panel, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    copied, opened = list[str](), list[str]()
    monkeypatch.setattr(imgui, "set_clipboard_text", copied.append)
    monkeypatch.setattr(FileLine, "open", lambda line: opened.append(line.path))
    (tmp_path / "a.py").touch()
    log.log.add(Level.PRINT, "stdout", f"{tmp_path}/a.py:3: look")
    log.gui.click(log.draw, "a.py:3: look", button=1)
    log.gui.click(log.draw, "Open the file")
    assert opened == [str(tmp_path / "a.py")]
    log.gui.click(log.draw, "ValueError: no", button=1)
    # a file that is not there cannot be opened
    assert "Open the file" not in log.gui.rects
    log.gui.click(log.draw, "Copy text")
    assert copied[0].startswith("Traceback")


def test_copy_save_clear(log: Panel, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    copied = list[str]()
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(imgui, "set_clipboard_text", copied.append)
    log.gui.click(log.draw, "##message")
    log.gui.click(log.draw, "Copy")
    lines = copied[0].splitlines()
    assert len(lines) == 5 and "torque 3" in lines[0] and "1.250 s" in lines[0] and "saved" not in copied[0]
    log.gui.click(log.draw, "Save")
    (path,) = tmp_path.iterdir()
    assert path.suffix == ".txt" and path.read_text() == copied[0]
    assert log.view.feedback.message == f"saved {path}"
    log.gui.click(log.draw, "Clear")
    assert log.rows() == [] and log.log.entries() == ()


def test_it_follows_until_the_user_scrolls(log: Panel) -> None:
    for number in range(200):
        log.log.add(Level.PRINT, "stdout", f"line {number}")
    assert "line 199" in log.rows()
    log.gui.io.add_mouse_pos_event(600, 300)
    log.gui.frame(log.draw, 2)
    log.gui.io.add_mouse_wheel_event(0, 5)
    log.gui.frame(log.draw, 3)
    log.log.add(Level.PRINT, "stdout", "newest")
    assert "newest" not in log.rows()
    log.gui.click(log.draw, "To the end")
    assert "newest" in log.rows()


def test_the_badge_counts_what_is_new(log: Panel) -> None:
    def draw() -> None:
        imgui.begin("status")
        log_badge(log.view)
        imgui.end()

    log.gui.frame(draw, 2)
    assert len(log.gui.texts) == 1 and log.gui.texts[0].endswith(" 2")
    left, top, right, bottom = log.gui.text_rects[log.gui.texts[0]]
    log.gui.click_at(draw, (left + right) / 2, (top + bottom) / 2)
    assert log.view.ui.reveal == "Log" and log.view.prefs.show_bottom
    log.gui.frame(log.draw)
    log.gui.frame(draw, 2)
    assert log.gui.texts == []


def test_everything_has_a_tooltip(log: Panel) -> None:
    assert log.gui.unexplained(log.draw) == []


def test_the_whole_entry_in_words(log: Panel) -> None:
    log.log.add(Level.WARNING, "engine", "a")
    log.log.add(Level.WARNING, "engine", "a")
    said = texts.explained(log.log.entries()[-1])
    assert said.startswith("a\n\nwarning of engine; 2 times; first ") and "last" in said


def test_the_filter_follows_what_changes(log: Panel) -> None:
    """Entries that are replaced are looked at again, and those that are gone are forgotten."""
    log.view.feedback.log_view.words = "needle"
    assert log.rows() == []
    number = log.log.add(Level.PRINT, "stdout", "hay")
    assert log.rows() == []
    log.log.extend(number, "needle")
    assert log.rows() == ["hay"]
    log.log.clear()
    assert log.rows() == [] and len(log.view.feedback.log_view._known) == 0
