"""Saving and leaving by clicking, with the engine behind it: what is asked, what is written, how the run goes on.

Files: save_dialog.py, modal.py, unsaved.py, file_dialog.py, app/view/saving.py,
app/run/saving.py, app/run/journal/unsaved.py.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from imgui_bundle import imgui

import sim
from app.files import browse
from app.files.resources import find_scene
from app.model.parameters import parameters_of
from app.run import commands as cmd
from app.run.history.markers import MarkerType
from app.run.linked_edits import set_parameter
from app.run.live_edits import LiveEdits
from app.run.model_source import ModelSource
from app.run.snapshot import Snapshot
from app.ui import theme
from app.view import saving
from app.view.input import actions
from app.view.input.desk import Action
from app.view.input.gesture import Gesture
from app.window.overlays.palette.entries import entries
from app.window.overlays.palette.ranking import search
from app.window.overlays.save_dialog import line_colour
from sim.enums import INT_SPRINGDAMPER
from tests.app.gui_driver import Gui
from tests.app.live import Hand, LiveDesk
from tests.app.run.test_sim_thread import wait_for
from tests.patience import PATIENCE

MAIN = """<mujoco>
  <!-- as fast as it can be -->
  <option timestep="0.01"/>
  <default><default class="soft"><geom solref=".1 1"/></default></default>
  <worldbody>
    <geom name="floor" type="plane" size="1 1 1"/>
    <body name="a" pos="0 0 1"><freejoint/><geom name="g" class="soft" size=".1"/></body>
    <body name="b" pos="1 0 1"><freejoint/><geom name="h" class="soft" size=".1"/></body>
    <replicate count="3" offset="0 1 0"><body pos="2 0 1"><freejoint/><geom name="k" size=".2"/></body></replicate>
    <include file="PART"/>
  </worldbody>
</mujoco>
"""
PART = "<mujocoinclude><geom name='p' pos='9 0 0' size='.3'/></mujocoinclude>\n"


def show_save(desk: Any, _: Gesture) -> None:
    """What the palette does."""
    (entry,) = search(entries(desk.snapshot, desk.view, desk.send, pytest.fail), "show what would be saved")
    entry.do()


class SavingDesk(LiveDesk):
    """Panels whose actions are done."""

    def __init__(self, gui: Gui, hand: Hand, file: Path) -> None:
        super().__init__(gui, hand)
        self.file, self.quit = file, False
        gui.io.display_size = imgui.ImVec2(1200, 800)

    def draw(self) -> None:
        super().draw()
        for action in self.acted:
            self.do(action)
        self.acted.clear()

    def do(self, action: Action, path: str = "") -> None:
        """What a key does."""
        latest = self.hand.thread.latest

        def close() -> None:
            self.quit = True

        desk: Any = SimpleNamespace(
            view=self.view, snapshot=latest, run_state=latest.run, send=self.hand.thread.send, close=close
        )
        action(desk, Gesture("", path=path))

    def ask(self, action: Action, path: str = "") -> None:
        """The same, and frames until what it leads to is drawn."""
        self.frames()
        self.do(action, path)
        self.settle()

    def settle(self) -> Snapshot:
        """Frames until nothing is under way."""
        for _ in range(4):
            self.hand.settle()
            self.gui.read(self.draw)
        return self.hand.thread.latest

    def press(self, label: str) -> Snapshot:
        """Click a button of a dialog, and frames until what it leads to is drawn."""
        self.gui.click(self.draw, label)
        return self.settle()

    def escape(self) -> None:
        """Press Escape, and frames until what it leads to is drawn."""
        for down in (True, False):
            self.gui.io.add_key_event(imgui.Key.escape, down)
            self.frames(1)
        self.settle()

    def name(self, text: str) -> None:
        """Replace the name in the file dialog."""
        assert self.view.ui.browse is not None
        imgui.internal.clear_active_id()
        self.view.ui.browse.text = text

    @property
    def dialog(self) -> bool:
        """Whether the dialog before a save is shown."""
        return self.view.ui.saving is not None and self.view.ui.saving.shown

    def read_again(self) -> Snapshot:
        """Once the model is the one that was saved."""
        found = wait_for(self.hand.thread, lambda s: any(m.type is MarkerType.FILE for m in s.run.history.markers))
        self.frames()
        return found

    def geom(self, name: str) -> int:
        return int(self.hand.model.names["geom"].index(name))


@pytest.fixture
def desk(gui: Gui, tmp_path: Path) -> Iterator[SavingDesk]:
    """Panels around a model that comes from two files."""
    (tmp_path / "part.xml").write_text(PART)
    hand = Hand(tmp_path, MAIN.replace("PART", str(tmp_path / "part.xml")))
    yield SavingDesk(gui, hand, tmp_path / "model.xml")
    hand.thread.close()


def test_a_file_is_shown_once_and_then_saved(desk: SavingDesk) -> None:
    text = desk.file.read_text()
    desk.hand.send(cmd.StepOnce(5))
    desk.hand.send(cmd.SetField("opt.timestep", 0.002))
    before = desk.hand.thread.latest
    desk.ask(actions.save)
    assert desk.dialog
    assert {"Save model.xml", "option  timestep", "0.01", "0.002", "line 3"} <= set(desk.gui.texts)
    # nothing is written yet
    assert desk.file.read_text() == text
    desk.press("Save")
    after = desk.read_again()
    assert desk.file.read_text() == text.replace("0.01", "0.002")
    assert (desk.file.parent / "model.xml~").read_text() == text
    # the run goes on as it was, and nothing is left to save
    assert after.run.notification == "saved model.xml, backup model.xml~"
    assert [m.text for m in after.run.history.markers if m.type is MarkerType.FILE] == ["saved model.xml"]
    assert (after.unsaved, after.file_values, after.journal.clashes) == ((), {}, ())
    assert after.state is not None
    assert before.state is not None
    assert np.array_equal(after.state.qpos, before.state.qpos)
    assert (after.run.time, after.run.history.now) == (before.run.time, before.run.history.now)
    # a second save of the same file asks nothing
    desk.hand.send(cmd.SetField("opt.timestep", 0.003))
    desk.ask(actions.save)
    assert not desk.dialog
    wait_for(desk.hand.thread, lambda s: s.model is not None and not s.unsaved)
    assert desk.file.read_text() == text.replace("0.01", "0.003")
    # undo goes back past both
    desk.hand.send(cmd.Undo())
    desk.hand.send(cmd.Undo())
    assert desk.hand.model.opt.timestep == 0.01
    assert desk.hand.thread.latest.unsaved == ("timestep: 0.003 → 0.01",)


def test_cancelled_and_nothing_to_save(desk: SavingDesk) -> None:
    text = desk.file.read_text()
    desk.ask(actions.save)
    assert not desk.dialog
    assert desk.view.feedback.message.startswith("nothing to save")
    desk.hand.send(cmd.SetField("opt.timestep", 0.002))
    desk.ask(actions.save)
    desk.press("Cancel")
    assert not desk.dialog
    assert desk.file.read_text() == text
    # it is asked again, and Escape is as good as a click
    desk.ask(actions.save)
    assert desk.dialog
    for down in (True, False):
        desk.gui.io.add_key_event(imgui.Key.escape, down)
        desk.frames(1)
    assert not desk.dialog
    # Enter saves
    desk.ask(actions.save)
    for down in (True, False):
        desk.gui.io.add_key_event(imgui.Key.enter, down)
        desk.frames(1)
    desk.settle()
    desk.read_again()
    assert desk.file.read_text() != text


def test_the_diff_is_behind_a_button(desk: SavingDesk) -> None:
    desk.hand.send(cmd.SetField("opt.timestep", 0.002))
    desk.ask(show_save)
    assert '+  <option timestep="0.002"/>' not in desk.gui.texts
    desk.press("##diff")
    assert {'-  <option timestep="0.01"/>', '+  <option timestep="0.002"/>'} <= set(desk.gui.texts)
    colours = [line_colour(line) for line in ("+ a", "- a", "  a", "@@ 1 @@", "--- a")]
    assert colours == [theme.ADDED, theme.ERROR, theme.DIM, theme.ACCENT, theme.TEXT]
    desk.press("##diff")
    assert "option  timestep" in desk.gui.texts


def test_ways_are_chosen_before_it_can_be_saved(desk: SavingDesk) -> None:
    text = desk.file.read_text()
    desk.hand.send(cmd.SetField("geom_rgba", 0.125, (desk.geom("k1"),), 0))
    desk.ask(actions.save)
    assert "Choose how to save an edit." in desk.gui.texts
    desk.press("Save")
    assert desk.dialog
    assert desk.file.read_text() == text
    desk.press("##way")
    desk.press("all copies")
    assert "Choose how to save an edit." not in desk.gui.texts
    assert desk.view.ui.saving is not None
    assert desk.view.ui.saving.plan is not None
    assert len(desk.view.ui.saving.plan.edits[0].affects) == 3
    desk.press("Save")
    after = desk.read_again()
    assert desk.file.read_text() != text
    assert after.model is not None
    assert [after.model.geom_rgba[desk.geom(name)][0] for name in ("k0", "k1", "k2")] == [0.125] * 3
    assert after.unsaved == ()


def test_an_edit_is_left_out_and_stays_unsaved(desk: SavingDesk) -> None:
    text = desk.file.read_text()
    desk.hand.send(cmd.SetField("opt.timestep", 0.002))
    desk.hand.send(cmd.SetField("geom_rgba", 0.125, (desk.geom("k1"),), 0))
    desk.ask(actions.save)
    desk.press("##way")
    desk.press("leave out")
    desk.press("Save")
    after = desk.read_again()
    assert desk.file.read_text() == text.replace("0.01", "0.002")
    assert len(after.unsaved) == 1
    assert after.unsaved[0].startswith("rgba of geom k1")
    # it is not asked about again, but another one is
    desk.hand.send(cmd.SetField("opt.timestep", 0.003))
    desk.ask(actions.save)
    assert not desk.dialog
    wait_for(desk.hand.thread, lambda s: len(s.unsaved) == 1)
    # but on the way out, where it is lost
    desk.hand.send(cmd.SetField("opt.timestep", 0.0035))
    desk.ask(actions.quit_program)
    desk.press("Save")
    assert desk.dialog and not desk.quit
    desk.press("Cancel")
    desk.hand.send(cmd.SetField("opt.timestep", 0.004))
    desk.hand.send(cmd.SetField("geom_margin", 0.125, (desk.geom("k2"),)))
    desk.ask(actions.save)
    assert desk.dialog
    assert "Choose how to save an edit." in desk.gui.texts
    assert desk.file.read_text() == text.replace("0.01", "0.003")


def test_two_values_cannot_go_into_one_class(desk: SavingDesk) -> None:
    for name, value in (("g", 0.2), ("h", 0.3)):
        desk.hand.send(cmd.SetField("geom_solref", value, (desk.geom(name),), 0))
    desk.ask(actions.save)
    assert desk.view.ui.saving is not None
    for edit in desk.view.ui.saving.plan.edits:  # type: ignore[union-attr]
        saving.choose(desk.view.ui.saving, desk.hand.thread.send, edit.key, "class")
        desk.settle()
    assert any("different solref for their class" in text for text in desk.gui.texts)
    # the choice before it counts
    assert desk.view.ui.saving.plan is not None
    assert [edit.way for edit in desk.view.ui.saving.plan.edits] == ["class", "element"]


def test_a_file_that_changed_meanwhile_is_not_overwritten_unasked(desk: SavingDesk) -> None:
    desk.hand.send(cmd.SetField("opt.timestep", 0.002))
    desk.ask(actions.save)
    # broken, so that it is not read again
    desk.file.write_text("<mujoco> mine")
    wait_for(desk.hand.thread, lambda s: s.run.problem is not None)
    desk.press("Save")
    assert any("changed on disk" in text for text in desk.gui.texts)
    assert desk.file.read_text() == "<mujoco> mine"
    desk.press("Overwrite")
    after = desk.read_again()
    assert sim.load(str(desk.file)).opt.timestep == 0.002
    assert (desk.file.parent / "model.xml~").read_text() == "<mujoco> mine"
    assert after.unsaved == ()


def test_a_failure_is_reported_and_loses_nothing(desk: SavingDesk) -> None:
    desk.hand.send(cmd.SetField("opt.timestep", 0.002))
    desk.do(actions.save_elsewhere)
    desk.frames()
    desk.view.ui.browse = None
    saving.begin_at(desk.view, desk.hand.thread.send, desk.file.parent / "nowhere" / "model.xml")
    desk.settle()
    problem = desk.hand.thread.latest.run.problem
    assert problem is not None
    assert problem.title == saving.FAILED
    assert "nowhere" in problem.text
    assert len(desk.hand.thread.latest.unsaved) == 1


# elsewhere


def test_saved_elsewhere_it_is_the_open_model(desk: SavingDesk) -> None:
    text = desk.file.read_text()
    desk.hand.send(cmd.StepOnce(3))
    desk.hand.send(cmd.SetField("opt.timestep", 0.002))
    qpos = desk.hand.state.qpos
    desk.ask(actions.save_elsewhere)
    assert desk.view.ui.browse is not None
    # a name that no file has yet
    assert desk.view.ui.browse.text == "model-2.xml"
    desk.press("Save")
    desk.read_again()
    other = desk.file.parent / "model-2.xml"
    run = desk.hand.thread.latest.run
    assert (run.path, run.path_before, run.history.now) == (str(other), str(desk.file), 3)
    assert desk.file.read_text() == text
    assert np.array_equal(desk.hand.state.qpos, qpos)
    assert desk.hand.thread.latest.unsaved == ()
    assert sim.load(str(other)).opt.timestep == 0.002
    # from now on it is saved there, without a question
    desk.hand.send(cmd.SetField("opt.timestep", 0.004))
    desk.ask(actions.save)
    wait_for(desk.hand.thread, lambda s: not s.unsaved)
    assert sim.load(str(other)).opt.timestep == 0.004


def test_what_was_saved_elsewhere_but_not_read_yet_leaves_the_first_file_alone(
    desk: SavingDesk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Escape has ended the reading of the new file: the model in memory is still that of the first one."""
    text, other = desk.file.read_text(), desk.file.with_name("model-2.xml")
    desk.hand.send(cmd.SetField("opt.timestep", 0.002))
    desk.ask(actions.save_elsewhere)
    with monkeypatch.context() as patch:
        patch.setattr(ModelSource, "_load_again", lambda *_: None)
        desk.press("Save")
        for value in (0.003, 0.004):
            desk.hand.send(cmd.SetField("opt.timestep", value))
            desk.ask(actions.save)
            desk.settle()
            assert sim.load(other).opt.timestep == value
    assert desk.file.read_text() == text
    # which has its saves again once it is open
    desk.hand.send(cmd.LoadModel(str(desk.file)))
    wait_for(desk.hand.thread, lambda s: s.run.path == str(desk.file) and s.run.ready and s.run.progress is None)
    desk.hand.send(cmd.SetField("opt.timestep", 0.005))
    desk.ask(actions.save)
    desk.press("Save")
    desk.settle()
    assert (sim.load(desk.file).opt.timestep, sim.load(other).opt.timestep) == (0.005, 0.004)


def test_a_file_that_exists_is_asked_about(desk: SavingDesk) -> None:
    other = desk.file.parent / "other.xml"
    other.write_text("mine")
    desk.hand.send(cmd.SetField("opt.timestep", 0.002))
    desk.ask(actions.save_elsewhere)
    desk.press("other.xml")
    assert desk.view.ui.browse is not None
    assert desk.view.ui.browse.text == "other.xml"
    desk.press("Save")
    assert other.read_text() == "mine"
    desk.press("Overwrite")
    desk.read_again()
    assert sim.load(str(other)).opt.timestep == 0.002
    assert (desk.file.parent / "other.xml~").read_text() == "mine"


def test_bundled_scenes_are_saved_elsewhere_only(desk: SavingDesk, tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.chdir(tmp_path)
    scene = find_scene("double_pendulum")
    text = scene.read_bytes()
    desk.hand.thread.send(cmd.open_command(scene))
    wait_for(desk.hand.thread, lambda s: s.run.path == str(scene) and s.run.ready)
    desk.hand.send(cmd.SetField("opt.timestep", 0.0015))
    # what would be saved can be seen, but not saved there
    desk.ask(show_save)
    assert desk.dialog
    assert "Save" not in desk.gui.rects
    desk.press("Cancel")
    desk.ask(actions.save)
    browse = desk.view.ui.browse
    assert browse is not None
    assert browse.folder == tmp_path.resolve()
    desk.name(str(scene))
    desk.press("Save")
    assert any("bundled scenes cannot be overwritten" in text for text in desk.gui.texts)
    desk.name("mine")
    desk.press("Save")
    desk.read_again()
    assert sim.load(str(tmp_path / "mine.xml")).opt.timestep == 0.0015
    assert scene.read_bytes() == text


# leaving


def test_quitting_asks_only_about_unsaved_edits(desk: SavingDesk) -> None:
    text = desk.file.read_text()
    desk.hand.send(cmd.SetField("opt.timestep", 0.002))
    desk.ask(actions.quit_program)
    assert not desk.quit
    assert {"Save the edits of model.xml?", "timestep: 0.01 → 0.002"} <= set(desk.gui.texts)
    assert "1 unsaved edit" in desk.gui.texts
    desk.press("Cancel")
    assert not desk.quit
    assert desk.view.ui.leaving is None
    desk.ask(actions.quit_program)
    desk.press("Discard")
    assert desk.quit
    assert desk.file.read_text() == text
    desk.quit = False
    desk.ask(actions.quit_program)
    desk.press("Save")
    desk.settle()
    assert desk.quit
    assert desk.file.read_text() == text.replace("0.01", "0.002")
    # with nothing unsaved nothing is asked
    wait_for(desk.hand.thread, lambda s: not s.unsaved)
    desk.quit = False
    desk.ask(actions.quit_program)
    assert desk.quit


@pytest.mark.parametrize(
    ("behind", "begin"),
    [
        ("Export this moment", lambda desk: setattr(desk.view, "export_wanted", "test")),
        ("Open a model or a recording", lambda desk: setattr(desk.view.ui, "browse", browse.begin(str(desk.file)))),
    ],
)
def test_one_question_is_asked_at_a_time(desk: SavingDesk, behind: str, begin: Callable[[SavingDesk], None]) -> None:
    """Two dialogs that close each other could not be answered, and the edits could only be lost."""
    desk.hand.send(cmd.SetField("opt.timestep", 0.002))
    begin(desk)
    desk.settle()
    assert behind in desk.gui.texts and desk.view.asks
    # the close button, and the answer of a slow simulation to Ctrl+S, come at any time
    desk.view.ui.leaving = saving.Leaving()
    desk.settle()
    assert "Save the edits of model.xml?" in desk.gui.texts and behind not in desk.gui.texts
    desk.escape()
    assert desk.view.ui.leaving is None and not desk.quit
    assert behind in desk.gui.texts
    desk.escape()
    assert not desk.view.asks


def while_busy(desk: SavingDesk, do: Callable[[], None]) -> None:
    """Do something in the window while the simulation is in the middle of a long step."""
    entered, leave = threading.Event(), threading.Event()

    def busy(_: cmd.SetSpeed) -> None:
        entered.set()
        assert leave.wait(PATIENCE)

    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(desk.hand.thread.handlers, cmd.SetSpeed, busy)
        desk.hand.thread.send(cmd.SetSpeed(2.0))
        assert entered.wait(PATIENCE)
    try:
        do()
    finally:
        leave.set()
    desk.settle()


def test_an_edit_that_is_not_made_yet_is_asked_about(desk: SavingDesk) -> None:
    """The simulation is in the middle of a long step: it has not heard of the last edit."""
    desk.view.ui.edits_sent = lambda: desk.hand.thread.edits_sent
    desk.frames()

    def edit_and_quit() -> None:
        for value in (0.01, 0.002):
            desk.hand.thread.send(cmd.SetField("opt.timestep", value))
        desk.do(actions.quit_program)
        desk.frames()
        assert not desk.quit
        assert "the last edit, which is being made" in desk.gui.texts

    while_busy(desk, edit_and_quit)
    assert not desk.quit
    assert "timestep: 0.01 → 0.002" in desk.gui.texts
    # what has changed nothing keeps nobody
    desk.hand.send(cmd.Undo())
    desk.settle()
    assert desk.quit
    # an edit that is made, but not drawn yet, is asked about too
    desk.quit = False
    desk.hand.send(cmd.SetField("opt.timestep", 0.004))
    desk.do(actions.quit_program)
    assert not desk.quit


def test_an_edit_that_waits_for_kernels_is_asked_about(desk: SavingDesk, monkeypatch: pytest.MonkeyPatch) -> None:
    waiting = cmd.SetField("opt.integrator", 1.0)
    monkeypatch.setattr(LiveEdits, "waiting", (waiting,))
    desk.hand.send(cmd.SetField("opt.gravity", -1.0, (), 2))
    desk.ask(actions.quit_program)
    assert not desk.quit
    assert "integrator: waits for its kernels" in desk.gui.texts
    # a save would leave it behind
    desk.gui.click(desk.draw, "Save")
    desk.settle()
    assert not desk.quit and desk.view.ui.saving is None


@pytest.mark.parametrize("undone", [False, True])
def test_an_edit_that_is_made_during_a_save_is_asked_about(desk: SavingDesk, undone: bool) -> None:
    """No dialog keeps it off while the save on the way out is planned and written."""
    text = desk.file.read_text()
    desk.view.ui.edits_sent = lambda: desk.hand.thread.edits_sent
    desk.hand.send(cmd.SetField("opt.timestep", 0.002))
    desk.ask(actions.quit_program)

    def save_and_edit() -> None:
        if undone:
            # there is nothing to save in the end
            desk.hand.thread.send(cmd.Undo())
        desk.gui.click(desk.draw, "Save")
        desk.hand.thread.send(cmd.SetField("opt.timestep", 0.003))

    while_busy(desk, save_and_edit)
    wait_for(desk.hand.thread, lambda s: len(s.unsaved) == 1)
    desk.settle()
    assert not desk.quit
    assert "Save the edits of model.xml?" in desk.gui.texts
    assert desk.file.read_text() == (text if undone else text.replace("0.01", "0.002"))
    desk.press("Save")
    desk.settle()
    assert desk.quit
    assert desk.file.read_text() == text.replace("0.01", "0.003")


def test_a_second_press_on_save_neither_saves_again_nor_overwrites(desk: SavingDesk) -> None:
    text = desk.file.read_text()
    desk.hand.send(cmd.SetField("opt.timestep", 0.002))
    desk.ask(actions.save)
    left, top, _, bottom = desk.gui.rects["Save"]

    def press(times: int) -> None:
        for _ in range(times):
            desk.gui.click_at(desk.draw, left + 3, (top + bottom) / 2)

    while_busy(desk, lambda: press(2))
    desk.settle()
    assert not desk.dialog and desk.file.read_text() == text.replace("0.01", "0.002")
    # a file that has changed: Overwrite comes where Save was
    desk.hand.send(cmd.SetField("opt.timestep", 0.003))
    desk.ask(show_save)
    desk.file.write_text("<mujoco> mine")
    press(1)
    wait_for(desk.hand.thread, lambda s: s.run.save is not None and bool(s.run.save.overtaken))
    press(2)
    desk.settle()
    assert desk.dialog and desk.file.read_text() == "<mujoco> mine"


@pytest.mark.parametrize("typed", ["quit", "open arch"])
def test_what_opened_a_question_does_not_answer_it(desk: SavingDesk, typed: str) -> None:
    text = desk.file.read_text()
    desk.hand.send(cmd.SetField("opt.timestep", 0.002))
    desk.view.ui.show_palette = True
    desk.frames()
    desk.gui.type(desk.draw, typed)
    # nor does a second press, or a click, before anyone could have read it
    desk.frames(1)
    desk.gui.type(desk.draw, "")
    assert desk.view.ui.leaving is not None and desk.view.ui.saving is None
    for label in ("Save", "Discard"):
        left, top, right, bottom = desk.gui.rects[label]
        desk.gui.click_at(desk.draw, (left + right) / 2, (top + bottom) / 2)
    assert desk.view.ui.leaving is not None and desk.view.ui.saving is None
    assert not desk.quit and desk.file.read_text() == text
    # then it is answered as usual
    desk.settle()
    desk.gui.type(desk.draw, "")
    desk.settle()
    assert desk.file.read_text() == text.replace("0.01", "0.002")


def test_a_file_is_overwritten_by_an_answer_alone(desk: SavingDesk) -> None:
    other = desk.file.with_name("other.xml")
    other.write_text("<mujoco/>")
    desk.ask(actions.save_elsewhere)
    desk.name(other.name)
    desk.gui.read(desk.draw)
    for _ in range(2):
        desk.gui.type(desk.draw, "")
    assert desk.view.ui.browse is not None and desk.view.ui.browse.asks_about == other
    assert other.read_text() == "<mujoco/>"
    desk.press("Overwrite")
    desk.settle()
    assert other.read_text() != "<mujoco/>"


def test_one_press_of_escape_closes_one_thing(desk: SavingDesk) -> None:
    ui = desk.view.ui
    ui.show_gallery = True
    desk.ask(actions.open_dialog)
    for gone in ("browse", "show_gallery"):
        for down in (True, False):
            desk.gui.io.add_key_event(imgui.Key.escape, down)
            desk.frames(1)
        assert not getattr(ui, gone)
        assert gone == "show_gallery" or ui.show_gallery


def test_what_is_behind_a_dialog_does_not_react(desk: SavingDesk) -> None:
    desk.ask(actions.save_elsewhere)
    left, top, right, bottom = next(rect for label, rect in desk.gui.rects.items() if label.endswith("###run"))
    for paused in (True, False):
        desk.gui.click_at(desk.draw, (left + right) / 2, (top + bottom) / 2)
        assert desk.hand.settle().run.paused is paused
        desk.escape()


def test_opening_another_model_asks(desk: SavingDesk) -> None:
    other = desk.file.parent / "other.xml"
    other.write_text("<mujoco model='other'><worldbody/></mujoco>")
    desk.hand.send(cmd.SetField("opt.timestep", 0.002))
    desk.ask(actions.open_dropped, str(other))
    assert desk.hand.thread.latest.run.path == str(desk.file)
    assert any("open other.xml" in text for text in desk.gui.texts)
    desk.press("Discard")
    wait_for(desk.hand.thread, lambda s: s.run.path == str(other))


def test_a_save_on_the_way_out_that_needs_a_choice_asks_for_it(desk: SavingDesk) -> None:
    desk.hand.send(cmd.SetField("geom_rgba", 0.125, (desk.geom("k1"),), 0))
    desk.ask(actions.quit_program)
    desk.press("Save")
    assert desk.dialog
    assert not desk.quit
    desk.press("##way")
    desk.press("all copies")
    desk.press("Save")
    desk.settle()
    assert desk.quit


def test_a_new_keyframe_is_an_unsaved_edit_until_it_is_saved(desk: SavingDesk) -> None:
    # with copies in the model, keyframes cannot be saved
    desk.file.write_text("<mujoco><worldbody><body><freejoint/><geom size='.1'/></body></worldbody></mujoco>")
    wait_for(desk.hand.thread, lambda s: s.model is not None and s.model.nbody == 2)
    assert desk.hand.send(cmd.AddKey("here")).unsaved == ("state stored as new keyframe here",)
    desk.hand.send(cmd.SetField("opt.timestep", 0.004))
    assert desk.hand.send(cmd.Undo()).unsaved == ("state stored as new keyframe here",)
    desk.ask(actions.save)
    desk.press("Save")
    after = wait_for(desk.hand.thread, lambda s: not s.unsaved)
    assert after.model is not None
    assert after.model.names["key"] == ("here",)
    assert "here" in desk.file.read_text()


def wait_until(desk: SavingDesk, condition: Callable[[], bool]) -> None:
    """Frames until something is drawn that another thread works at."""
    until = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < until
        desk.settle()


def test_an_edit_is_counted_as_in_the_status_line(gui: Gui, tmp_path: Path) -> None:
    """A servo's stiffness is in two attributes; the title names the file that it goes to."""
    (tmp_path / "part.xml").write_text(
        "<mujocoinclude><actuator><general joint='j' biastype='affine' gainprm='9' biasprm='0 -9'/></actuator>"
        "</mujocoinclude>"
    )
    hand = Hand(
        tmp_path,
        "<mujoco><default><geom solref='.015 1'/></default><worldbody><body><joint name='j'/><geom size='.1'/></body>"
        f"</worldbody><include file='{tmp_path / 'part.xml'}'/></mujoco>",
    )
    desk = SavingDesk(gui, hand, tmp_path / "model.xml")
    kp = next(row for row in parameters_of(hand.model, "actuator", 0) if row.name == "kp")
    hand.send(set_parameter(kp, 12.0, hand.model))
    desk.ask(actions.save)
    assert {"Save part.xml", "9; 0 -9", "12; 0 -12"} <= set(desk.gui.texts)
    assert any(text.startswith("1 unsaved edit   ") for text in desk.gui.texts)
    desk.press("Cancel")
    # the value that was in force, though the element has none
    hand.send(cmd.SetField("geom_solref", 0.025, (0,), 0))
    desk.ask(actions.save)
    assert {"Save model.xml", ".015 1", "0.025"} <= set(desk.gui.texts)
    assert any(text.startswith("2 unsaved edits in 2 files   ") for text in desk.gui.texts)
    hand.thread.close()


def test_what_mujoco_does_not_read_is_left_out_or_saved(desk: SavingDesk) -> None:
    text = desk.file.read_text()
    desk.hand.send(cmd.SetField("opt.timestep", 0.002))
    desk.ask(actions.save)
    desk.press("Save")
    desk.read_again()
    # though this file was asked about
    desk.hand.send(cmd.SetField("opt.integrator", INT_SPRINGDAMPER))
    desk.ask(actions.save)
    assert desk.dialog
    note = "MuJoCo cannot load this file, because MuJoCo does not support the integrator implicitspringdamper"
    assert note in desk.gui.texts
    desk.hand.send(cmd.SetField("opt.timestep", 0.003))
    desk.press("Leave out##the integrator implicitspringdamper")
    wait_until(desk, lambda: note not in desk.gui.texts)
    desk.press("Save")
    wait_for(desk.hand.thread, lambda s: len(s.unsaved) == 1)
    assert desk.file.read_text() == text.replace("0.01", "0.003")


def test_what_cannot_be_saved_is_named_before(desk: SavingDesk) -> None:
    desk.hand.send(cmd.SetField("dof_damping", 2.0, (1,)))
    desk.hand.send(cmd.SetField("opt.timestep", 0.002))
    desk.ask(actions.save)
    assert "Not saved, because the file cannot express it: dof_damping of joint 0" in desk.gui.texts


def test_what_was_pressed_while_pictures_take_long_answers_nothing(desk: SavingDesk) -> None:
    """The press comes while the first picture with the question is drawn, or the second one."""
    desk.hand.send(cmd.SetField("opt.timestep", 0.002))
    desk.frames()
    desk.gui.io.delta_time = 0.5
    desk.do(actions.quit_program)
    for _ in range(3):
        desk.gui.io.add_key_event(imgui.Key.enter, True)
        desk.frames(1)
        desk.gui.io.add_key_event(imgui.Key.enter, False)
        # released before the next picture
        desk.gui.io.delta_time = 0.0001
        desk.frames(1)
        desk.gui.io.delta_time = 0.1
        assert desk.view.ui.leaving is not None and desk.view.ui.saving is None
