"""The dialog "Export this moment" by keys and clicks, with a simulation behind it.

Files: export_dialog.py, app/window/exporting.py, app/background/export/dialog_state.py.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from zipfile import ZipFile

import numpy as np
import pytest
from imgui_bundle import imgui

from app.background.export.check import Checked, Reproduced
from app.background.export.job import ExportJob
from app.run import commands as cmd
from app.ui import theme
from app.view.input import actions, page_export
from app.view.input.bindings import find
from app.view.input.desk import Action
from app.view.input.gesture import Gesture
from app.window import exporting
from app.window.overlays.export_dialog import value_text
from app.window.overlays.palette.entries import entries
from app.window.overlays.palette.ranking import search
from tests.app.gui_driver import Gui
from tests.app.live import Hand, LiveDesk

SAME = Reproduced("kinetoscope.mujoco", "Kinetoscope 0.1.0", (Checked("d.ncon", 0.0, 0.0),))
OTHER = Reproduced("mujoco", "MuJoCo 4.0.0", (Checked("d.qacc", 0.5, 1e-6),))


class ExportDesk(LiveDesk):
    """Panels whose actions are done; the thread of an export is the test's."""

    def __init__(self, gui: Gui, hand: Hand) -> None:
        super().__init__(gui, hand)
        self.reports: list[str] = []
        gui.io.display_size = imgui.ImVec2(1200, 800)

    def draw(self) -> None:
        super().draw()
        for action in [*self.acted]:
            self.do(action)
        self.acted.clear()

    def do(self, action: Action) -> None:
        """What a key does."""
        latest = self.hand.thread.latest
        desk: Any = SimpleNamespace(
            view=self.view, snapshot=latest, run_state=latest.run, send=self.hand.thread.send,
            report=lambda title, text: self.reports.append(text), screenshot=lambda: np.zeros((4, 6, 3), np.uint8),
        )  # fmt: skip
        action(desk, Gesture(""))

    def turn(self) -> None:
        """Let the export do what it was told, and draw what came of it."""
        self.hand.settle()
        assert self.view.export is not None
        assert self.view.export.job.turn()
        self.frames()

    def open(self) -> None:
        """Press the key, and wait for the moment."""
        binding = find("Ctrl+E")
        assert binding is not None
        self.do(binding.action)
        self.frames()
        self.turn()
        self.gui.read(self.draw)

    def press(self, label: str) -> None:
        self.gui.click(self.draw, label)


@pytest.fixture
def desk(gui: Gui, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[ExportDesk]:
    """Panels around a model, ten steps after its start; exports are not run."""
    monkeypatch.setattr(ExportJob, "start", ExportJob.take)
    monkeypatch.setattr(ExportJob.__init__, "__defaults__", ("", lambda path: [SAME]))
    (tmp_path / "out").mkdir()
    monkeypatch.chdir(tmp_path / "out")
    hand = Hand(tmp_path)
    hand.send(cmd.StepOnce(10))
    yield ExportDesk(gui, hand)
    hand.thread.close()


def test_buttons_are_in_sight_in_a_low_window_with_a_large_font(desk: ExportDesk) -> None:
    desk.gui.io.display_size = imgui.ImVec2(1024, 700)
    theme.apply(1.4)
    desk.open()
    assert {"Export", "Cancel"} <= desk.gui.visible
    assert desk.gui.rects["Export"][3] < 700 - 2.1 * imgui.get_font_size()


def test_a_test_is_written(desk: ExportDesk, tmp_path: Path) -> None:
    desk.view.select("body", desk.hand.model.names["body"].index("ball"))
    desk.view.plots.add("d.qpos[2]")
    desk.frames()
    desk.open()
    assert {"Export this moment", "model.xml at 0.02 s, step 10", "one file, for pytest"} <= set(desk.gui.texts)
    assert {'d.body("ball").xpos', "d.qpos[2]", "d.ncon"} <= set(desk.gui.texts)
    desk.press("##asked")
    desk.press("Export")
    desk.turn()
    place = tmp_path / "out" / "test_moment_model_at_0_020s.py"
    source = place.read_text()
    assert "check('d.qpos[2]'" in source
    assert """check('d.body("ball").xpos'""" in source
    # the last one was clicked away
    assert "check('d.ncon'" not in source
    assert any("checked: reproduced with Kinetoscope 0.1.0: to the bit" in text for text in desk.gui.texts)
    assert desk.view.feedback.message.startswith(f"saved {place}")
    assert "test_moment_model_at_0_020s.py" in desk.gui.rects
    desk.press("Close")
    assert desk.view.export is None


def test_a_zip_with_words_and_a_picture(desk: ExportDesk, tmp_path: Path) -> None:
    desk.view.export_wanted = "zip"
    desk.frames(1)
    desk.turn()
    assert desk.view.export is not None
    assert desk.view.export.kind == "zip"
    desk.view.export.text = "It falls."
    desk.press("Export")
    desk.turn()
    with ZipFile(tmp_path / "out" / "moment_model_at_0_020s.zip") as archive:
        names = {name.partition("/")[2] for name in archive.namelist()}
        assert {"view.png", "last_seconds.ktr", "README.txt", "versions.txt"} <= names
        assert b"It falls." in archive.read("moment_model_at_0_020s/README.txt")


def test_a_file_that_exists_is_overwritten_by_an_answer_alone(desk: ExportDesk, tmp_path: Path) -> None:
    file = tmp_path / "out" / "test_mine.py"
    file.write_text("mine")
    desk.open()
    assert desk.view.export is not None
    desk.view.export.path = str(file)
    # nor does a second press that comes before anyone could have read it
    desk.press("Export")
    left, top, right, bottom = desk.gui.rects["Overwrite"]
    desk.gui.click_at(desk.draw, (left + right) / 2, (top + bottom) / 2)
    assert "test_mine.py exists already." in desk.gui.texts
    assert not desk.view.export.busy
    assert file.read_text() == "mine"
    desk.press("Overwrite")
    desk.turn()
    assert "The moment: step 10." in file.read_text()
    # its own file is written again without a question
    desk.view.export.text = "It falls."
    desk.press("Export")
    desk.turn()
    assert "It falls." in file.read_text()


def test_a_page_is_made_elsewhere(desk: ExportDesk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is asked for it; the dialog closes, and the run is saved on the way."""
    exported: list[Path | None] = []
    monkeypatch.setattr(page_export, "export", lambda desk, path: exported.append(path))
    desk.open()
    desk.press("Page")
    desk.frames()
    assert "What is wrong?" not in desk.gui.texts
    desk.press("Export")
    assert exported == [tmp_path / "out" / "run_model_at_0_020s.html"] and desk.view.export is None


def test_a_running_simulation_waits_and_goes_on(desk: ExportDesk) -> None:
    desk.hand.send(cmd.SetPaused(False))
    desk.open()
    assert desk.hand.thread.latest.run.paused
    desk.press("Cancel")
    desk.hand.settle()
    assert not desk.hand.thread.latest.run.paused
    assert desk.view.export is None


def test_escape_closes_it_and_a_paused_run_stays(desk: ExportDesk) -> None:
    desk.open()
    for down in (True, False):
        desk.gui.io.add_key_event(imgui.Key.escape, down)
        desk.frames(1)
    assert desk.view.export is None
    desk.hand.settle()
    assert desk.hand.thread.latest.run.paused


def test_another_expression_is_typed(desk: ExportDesk) -> None:
    desk.open()
    desk.press("##ask")
    desk.gui.type(desk.draw, "d.time * 2")
    desk.turn()
    assert {"d.time * 2", "0.04", "typed"} <= set(desk.gui.texts)


def test_faults_are_said(desk: ExportDesk, tmp_path: Path) -> None:
    """A folder that is gone, a name that does not fit, a disk that is full."""
    desk.open()
    dialog = desk.view.export
    assert dialog is not None
    for path, text in (
        ("/nowhere/test_a.py", "the folder does not exist"),
        ("a.txt", "'a.txt' must end in .py, .zip or .html"),
    ):
        dialog.path = path
        desk.frames()
        assert any(text in shown for shown in desk.gui.texts)
    dialog.path = str(tmp_path / "out" / "test_a.py")
    desk.press("Export")
    dialog.job.fault, dialog.job.under_way = "/disk: no space left on device", ""
    desk.frames()
    assert any("no space left on device" in shown for shown in desk.gui.texts)


def test_a_dialog_that_was_closed_reports_at_the_end(desk: ExportDesk, tmp_path: Path) -> None:
    desk.open()
    desk.press("Export")
    desk.press("Cancel")
    assert desk.view.export is not None
    assert not desk.view.export.shown
    desk.do(exporting.export_test)
    assert desk.view.feedback.message == "an export is already running"
    desk.turn()
    assert desk.view.export is None
    assert "test_moment_model_at_0_020s.py" in desk.view.feedback.message
    # one that fails has a card
    desk.open()
    assert desk.view.export is not None
    (tmp_path / "out" / "file").write_text("")
    desk.press("Export")
    desk.press("Cancel")
    desk.view.export.job.fault, desk.view.export.job.under_way = "no space", ""
    desk.frames(1)
    assert (desk.view.export, desk.reports) == (None, ["no space"])


def test_a_difference_is_not_green(desk: ExportDesk) -> None:
    desk.open()
    assert desk.view.export is not None
    desk.view.export.job._check = lambda path: [SAME, OTHER]
    desk.press("Export")
    desk.turn()
    assert any("NOT with MuJoCo 4.0.0: d.qacc differs by 0.5" in text for text in desk.gui.texts)


def test_every_control_explains_itself(desk: ExportDesk) -> None:
    desk.open()
    desk.gui.point_at(desk.draw, (0, 0, 2, 2))
    labels = "Test Script Zip ##asked ##ask ##steps ##tolerance ##words ##path Export Cancel"
    for label in labels.split():
        desk.gui.point_at(desk.draw, desk.gui.find(desk.draw, label))
        assert desk.gui.tooltips, label


def test_without_a_model_it_says_what_to_do(desk: ExportDesk) -> None:
    empty: Any = SimpleNamespace(
        view=desk.view, snapshot=SimpleNamespace(model=None, state=None), run_state=desk.hand.thread.latest.run
    )
    exporting.export_test(empty, Gesture(""))
    assert desk.view.export is None
    assert desk.view.feedback.message == "open a model first: there is no state to export"


@pytest.mark.parametrize("words", ["export this moment", "bug report", "reproduce", "pytest"])
def test_the_palette_finds_it(desk: ExportDesk, words: str) -> None:
    latest = desk.hand.thread.latest
    found = search(entries(latest, desk.view, desk.hand.thread.send, desk.acted.append), words)
    found[0].do()
    assert desk.acted == [actions.export_moment]


def test_values_are_short() -> None:
    assert value_text(np.array([1.23456789, -2.0])) == "1.2346 -2"
    assert value_text(3) == "3"
    assert value_text(np.array([True, False])) == "1 0"
