"""The instrument Doctor: findings, links to elements and lines, fixes that are tried, undone and made again."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from imgui_bundle import imgui

import sim
from app.background.probe import Answer, Answers
from app.instruments.doctor.examination import AskExamination, Examination
from app.instruments.doctor.panel.panel import doctor_panel
from app.instruments.doctor.state import DoctorState
from app.model.selection import Selection
from app.run.commands import Command, EditTree, SetField, SetFlag, SwitchEdit, in_gesture
from app.run.live_edits import LiveEdits
from app.run.run_state import RunState
from app.run.snapshot import Snapshot, view_model, view_state
from app.view.view_state import ViewState
from tests.app.fake_engine import PreparedEngine
from tests.app.gui_driver import Gui

SCENE = """<mujoco>
<asset><material name='red'/></asset>
<worldbody>
  <geom name='floor' type='plane' size='5 5 .1'/>
  <body name='ball' pos='0 0 .1'><freejoint/>
    <geom name='ball' size='.1' friction='50'/></body>
</worldbody>
</mujoco>"""
# far longer than an examination takes, whatever else the machine does
LONG = 120.0


class Bench:
    """The panel alone, with an engine behind it that answers and is edited between two frames."""

    start = staticmethod(Examination.start)

    def __init__(self, gui: Gui) -> None:
        self.gui, self.view = gui, ViewState()
        self.examinations: list[Examination] = []
        self.sent: list[Command] = []
        self.gesture = 0
        self.load(SCENE)
        gui.io.display_size = imgui.ImVec2(500, 1400)

    def load(self, text: str) -> None:
        """Another model."""
        self.show(sim.loads(text))

    def show(self, model: sim.Model) -> None:
        """Another model, which may be of a file."""
        self.model = model
        self.data = sim.Data(self.model)
        sim.forward(self.model, self.data)
        engine: Any = PreparedEngine()
        self.edits = LiveEdits(engine, self.model, lambda _: None)
        self.identity = object()

    def send(self, command: Command) -> None:
        self.sent.append(command)
        assert isinstance(command, SetField | SetFlag | SwitchEdit)
        self.edits.apply(in_gesture(command, self.gesture))  # type: ignore[arg-type]

    def draw(self) -> None:
        """One frame: the answers are those to the questions of the last one."""
        model = view_model(self.model)
        model.__dict__["identity"] = self.identity
        moment: Any = SimpleNamespace(model=self.model, data=self.data)
        answers = {}
        for question in self.view.instruments.end():
            assert isinstance(question, AskExamination)
            answers[question] = Answer(question.answer(moment), "", 0, 0, 0.0)
        self.view.instruments.begin(model, Answers(answers, self.identity, 0))
        snapshot = Snapshot(
            1, RunState(ready=True), model, view_state(self.data), self.edits.file_values, self.edits.journal
        )
        imgui.set_next_window_pos((0, 0))
        imgui.set_next_window_size((500, 1400))
        if imgui.begin("Doctor")[0]:
            doctor_panel(snapshot, self.view, self.send)
        imgui.end()

    def started(self, examination: Examination) -> Examination:
        self.examinations.append(examination)
        return self.start(examination)

    def examined(self) -> list[str]:
        """The checks whose findings are shown when all examinations have ended."""
        self.gui.frame(self.draw, 3)
        while self.view.of(DoctorState).examining:
            assert self.examinations[-1].wait(LONG)
            self.gui.frame(self.draw, 3)
        return [finding.check for finding in self.view.of(DoctorState).findings or ()]

    def click(self, label: str) -> None:
        self.gesture += 1
        self.gui.frame(self.draw, 30)
        self.gui.click(self.draw, label)


@pytest.fixture
def bench(gui: Gui, monkeypatch: pytest.MonkeyPatch) -> Bench:
    bench = Bench(gui)
    monkeypatch.setattr(Examination, "start", lambda examination: bench.started(examination))
    return bench


def test_a_model_is_examined_once(bench: Bench) -> None:
    assert bench.view.of(DoctorState) == DoctorState()
    assert bench.examined() == ["friction-large", "unused-asset"]
    bench.gui.frame(bench.draw, 10)
    assert len(bench.examinations) == 1
    # another model is examined anew, and nothing of the first one stays
    bench.load(SCENE.replace("friction='50'", ""))
    assert bench.examined() == ["unused-asset"]
    assert len(bench.examinations) == 2


def test_a_fix_is_tried_taken_back_and_made_again(bench: Bench) -> None:
    bench.examined()
    bench.click("Try##fix0")
    assert bench.model.geom_friction[1, 0] == 1.0
    assert [entry.text for entry in bench.edits.journal.entries] == ["friction of geom ball: 50 → 1"]
    assert bench.examined() == ["unused-asset"]
    bench.click("Undo##tried0")
    assert bench.model.geom_friction[1, 0] == 50.0
    assert bench.examined() == ["friction-large", "unused-asset"]
    bench.click("Redo##tried0")
    assert bench.model.geom_friction[1, 0] == 1.0
    assert bench.examined() == ["unused-asset"]


def test_a_fix_of_several_numbers_is_one_edit(bench: Bench) -> None:
    """One undo takes it back, and so does its switch."""
    joints = "".join(f"<body pos='{y} 0 0'><joint name='{y}'/><geom size='.1'/></body>" for y in range(2))
    servos = "<position name='left' joint='0' kp='1'/><position name='right' joint='1' kp='9'/>"
    bench.load(f"<mujoco><worldbody>{joints}</worldbody><actuator>{servos}</actuator></mujoco>")
    assert bench.examined() == ["twins"]
    bench.click("Try##fix0")
    assert len(bench.edits.journal.entries) == 1
    bench.examined()
    bench.click("Undo##tried0")
    assert bench.model.actuator_gainprm[1, 0] == -bench.model.actuator_biasprm[1, 1] == 9.0


def test_an_element_is_selected_and_the_panel_stays(bench: Bench) -> None:
    bench.examined()
    bench.view.ui.reveal = ""
    bench.click("##element0")
    assert bench.view.selection == Selection("geom", 1) and bench.view.fly
    assert bench.view.ui.reveal == ""


def test_the_line_is_copied(bench: Bench) -> None:
    bench.examined()
    bench.click("##line")
    assert imgui.get_clipboard_text() == "<text>:6"
    assert bench.view.feedback.message == "copied <text>:6"


def test_the_worst_is_unfolded_and_a_click_folds_it(bench: Bench) -> None:
    bench.examined()
    assert any("everything sticks" in text for text in bench.gui.texts)
    bench.click("##finding0")
    bench.gui.frame(bench.draw, 2)
    assert not any("everything sticks" in text for text in bench.gui.texts)
    # a note is folded at first
    bench.click("##finding1")
    bench.gui.frame(bench.draw, 2)
    assert any("misspelled" in text for text in bench.gui.texts)


def test_examine_again(bench: Bench) -> None:
    bench.examined()
    bench.click("##examine again")
    bench.examined()
    assert len(bench.examinations) == 2


def test_a_healthy_model(bench: Bench) -> None:
    bench.load(SCENE.replace("friction='50'", "material='red'"))
    assert bench.examined() == []
    assert any("looks healthy" in text for text in bench.gui.texts)


def test_a_drag_waits_for_its_end(bench: Bench) -> None:
    bench.examined()
    bench.view.ui.editing = "somewhere"  # type: ignore[assignment]
    bench.send(SetField("geom_friction", 2.0, (1,), 0))
    bench.gui.frame(bench.draw, 5)
    assert len(bench.examinations) == 1
    bench.view.ui.editing = None
    assert bench.examined() == ["unused-asset"]


def test_an_examination_that_fails_is_said(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(_: sim.Model) -> None:
        raise ValueError("the subject has left")

    monkeypatch.setattr("app.instruments.doctor.examination.examine", fail)
    assert bench.examined() == []
    assert any("the subject has left" in text for text in bench.gui.texts)


def test_every_control_explains_itself(bench: Bench) -> None:
    bench.examined()
    bench.click("Try##fix0")
    bench.examined()
    bench.click("##finding0")
    assert bench.gui.unexplained(bench.draw) == []


def test_a_fix_of_the_file_shows_its_lines_and_is_one_command(bench: Bench, tmp_path: Path) -> None:
    path = tmp_path / "feet.xml"
    path.write_text("""<mujoco><worldbody>
  <geom name='floor' type='plane' size='2 2 .1'/><light pos='0 0 2'/>
  <body name='ball' pos='0 0 1'><freejoint/><geom size='.1'/></body>
</worldbody><contact>
  <exclude body1='world' body2='ball'/>
</contact></mujoco>""")
    bench.show(sim.load(path))
    sent: list[Command] = []
    bench.send = sent.append  # type: ignore[method-assign]
    assert bench.examined() == ["body-filtered"]
    assert any(text.startswith("-") and "exclude" in text for text in bench.gui.texts)
    bench.click("Apply##fix0")
    (command,) = sent
    assert isinstance(command, EditTree) and [edit.action for edit in command.edits] == ["delete"]


def test_a_bare_model_is_made_usable(bench: Bench, tmp_path: Path) -> None:
    path = tmp_path / "arm.xml"
    path.write_text(
        "<mujoco><worldbody><body><joint axis='0 1 0'/><geom size='.1' pos='.3 0 0'/></body></worldbody></mujoco>"
    )
    bench.show(sim.load(path))
    sent: list[Command] = []
    bench.send = sent.append  # type: ignore[method-assign]
    bench.examined()
    bench.click("Add##lack0")
    bench.click("Add all of them")
    one, everything = sent
    assert isinstance(one, EditTree) and isinstance(everything, EditTree)
    assert [edit.tag for edit in one.edits] == ["texture", "material", "geom"]
    assert [edit.tag for edit in everything.edits if edit.action == "add"][3:] == ["light", "position", "key"]
