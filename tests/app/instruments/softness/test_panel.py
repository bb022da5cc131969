"""The instrument Softness by clicking and typing: what was typed is what the engine then measures."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from imgui_bundle import imgui

import sim
from app.background.probe import Answer, Answers
from app.instruments.softness.panel import NOTHING, charts, fields, reached, softness_panel, target_row, units
from app.instruments.softness.state import SoftnessState
from app.model.selection import Selection
from app.run.commands import Command, ResetField, SetField, Undo, in_gesture
from app.run.live_edits import LiveEdits
from app.run.run_state import RunState
from app.run.snapshot import Snapshot, view_model, view_state
from app.view.view_state import ViewState
from sim.analysis.row_softness import JOINT_LIMIT, row_softness
from tests.app.fake_engine import PreparedEngine
from tests.app.gui_driver import Gui

SCENE = """<mujoco>
<option timestep='.002' tolerance='1e-14'/>
<worldbody>
  <geom name='floor' type='plane' size='5 5 .1' {floor}/>
  <body name='ball' pos='0 0 .099'><freejoint/><geom name='ball' size='.1' mass='10' {ball}/></body>
  <body name='arm' pos='3 0 2'>
    <joint name='hinge' axis='0 1 0' range='-60 60' limited='true' frictionloss='.3'/>
    <geom name='arm' size='.1' pos='.3 0 0' mass='1'/>
  </body>
</worldbody>
</mujoco>"""
WEIGHT = 98.1


class Bench:
    """The panel alone, with an engine behind it that answers and is edited between two frames."""

    def __init__(self, gui: Gui, floor: str = "", ball: str = "") -> None:
        self.gui, self.view = gui, ViewState()
        self.model = sim.loads(SCENE.format(floor=floor, ball=ball))
        self.data = sim.Data(self.model)
        engine: Any = PreparedEngine()
        self.edits = LiveEdits(engine, self.model, lambda _: None)
        self.sent: list[Command] = []
        self.gesture, self._serial = 0, 0
        self._identity = object()
        self.rest()
        gui.io.display_size = imgui.ImVec2(500, 1400)

    def rest(self) -> None:
        """Let everything come to rest."""
        sim.step(self.model, self.data, nstep=4000)
        sim.forward(self.model, self.data)

    @property
    def depth(self) -> float:
        """How deep the ball is, mm."""
        return float(-self.data.contact.dist[0]) * 1e3

    def send(self, command: Command) -> None:
        self.sent.append(command)
        assert isinstance(command, SetField | ResetField | Undo)
        self.edits.apply(in_gesture(command, self.gesture))  # type: ignore[arg-type]
        sim.forward(self.model, self.data)

    def draw(self) -> None:
        """One frame: the answers are those to the questions of the last one."""
        model = view_model(self.model)
        model.__dict__["identity"] = self._identity
        moment: Any = SimpleNamespace(model=self.model, data=self.data)
        asked = self.view.instruments.end()
        answers = {question: Answer(question.answer(moment), "", 0, 0, 0.0) for question in asked}
        self.view.instruments.begin(model, Answers(answers, self._identity, self._serial))
        snapshot = Snapshot(
            1, RunState(ready=True), model, view_state(self.data), self.edits.file_values, self.edits.journal
        )
        imgui.set_next_window_pos((0, 0))
        imgui.set_next_window_size((500, 1400))
        if imgui.begin("Softness")[0]:
            softness_panel(snapshot, self.view, self.send)
        imgui.end()

    def type(self, label: str, text: str) -> None:
        """Type a number into a field."""
        self.gesture += 1
        left, top, right, bottom = self.gui.find(self.draw, label)
        self.gui.io.add_key_event(imgui.Key.mod_ctrl, True)
        self.gui.click_at(self.draw, (left + right) / 2, (top + bottom) / 2)
        self.gui.io.add_key_event(imgui.Key.mod_ctrl, False)
        self.gui.type(self.draw, text)

    def click(self, label: str, button: int = 0) -> None:
        self.gesture += 1
        self.gui.click(self.draw, label, button)

    def drag(self, label: str, dx: float) -> None:
        self.gesture += 1
        # two presses in a moment would be a double-click
        self.gui.frame(self.draw, 30)
        self.gui.drag(self.draw, label, dx)

    def drag_there_and_back(self, label: str, dx: float) -> None:
        """Drag far, and back to where it began, without letting go."""
        self.gesture += 1
        left, top, right, bottom = self.gui.find(self.draw, label)
        x, y = (left + right) / 2, (top + bottom) / 2
        self.gui.io.add_mouse_pos_event(x, y)
        self.gui.frame(self.draw, 2)
        self.gui.io.add_mouse_button_event(0, True)
        self.gui.frame(self.draw, 2)
        for to in (dx / 2, dx, dx / 2, 0.0):
            self.gui.io.add_mouse_pos_event(x + to, y)
            self.gui.frame(self.draw, 3)
        self.gui.io.add_mouse_button_event(0, False)
        self.gui.frame(self.draw, 2)

    def texts(self) -> str:
        self.gui.frame(self.draw, 3)
        return "\n".join(self.gui.texts)


@pytest.fixture
def bench(gui: Gui) -> Bench:
    return Bench(gui)


def test_a_typed_depth_is_where_the_ball_comes_to_rest(bench: Bench) -> None:
    bench.type("##softness depth at rest", "2.5")
    assert len(bench.sent) == 1
    bench.rest()
    assert bench.depth == pytest.approx(2.5, rel=1e-6)
    # one entry, which undo takes back
    assert len(bench.edits.journal.entries) == 1
    assert "solref of geom floor: 0.02 1 → " in bench.edits.journal.entries[0].text
    bench.send(Undo())
    assert bench.model.geom_solref.tolist() == [[0.02, 1.0]] * 3


def test_a_typed_stiffness_is_measured_by_pressing(bench: Bench) -> None:
    bench.type("##softness stiffness", "54321")
    found = []
    for extra in (-0.01, 0.01):
        bench.data.xfrc_applied[1, 2] = -extra
        bench.rest()
        found.append(bench.depth * 1e-3)
    assert 0.02 / (found[1] - found[0]) == pytest.approx(54321, rel=1e-5)


def test_a_drag_is_one_entry_and_depends_only_on_where_it_began(bench: Bench) -> None:
    bench.drag("##softness stiffness", 60.0)
    assert len(bench.sent) > 1
    assert len(bench.edits.journal.entries) == 1
    assert bench.edits.journal.entries[0].gesture == bench.gesture
    stiffer = bench.model.geom_solref.copy()
    assert (stiffer[:2, 0] < 0.02).all()
    # so far that the impedance has to be raised, and back
    bench.drag("##softness stiffness", 600.0)
    assert (bench.model.geom_solimp[:2, 1] > 0.95).all()
    assert "solimp was raised" in bench.texts() or "out of reach" in bench.texts()
    assert len(bench.edits.journal.entries) == 2
    bench.drag("##softness stiffness", -900.0)
    assert (bench.model.geom_solref[:2, 0] > 0.004).all()


def test_a_drag_that_comes_back_leaves_all_as_it_was(bench: Bench) -> None:
    solref, solimp = bench.model.geom_solref.copy(), bench.model.geom_solimp.copy()
    raised = []
    send = bench.send
    bench.send = lambda command: (send(command), raised.append(bench.model.geom_solimp[1, 1]))  # type: ignore
    bench.drag_there_and_back("##softness stiffness", 700.0)
    # on the way the impedance had to be raised
    assert max(raised) > 0.96
    assert np.array_equal(bench.model.geom_solimp, solimp)
    np.testing.assert_allclose(bench.model.geom_solref, solref, rtol=1e-4)


def test_buttons(bench: Bench) -> None:
    before = bench.model.geom_solref.copy()
    bench.click("As stiff as this timestep allows")
    assert bench.model.geom_solref[:2].tolist() == [[0.004, 1.0]] * 2
    assert bench.model.geom_solimp[1, :2].tolist() == [0.95, 0.99]
    bench.rest()
    assert np.abs(bench.data.qvel[:6]).max() < 1e-9
    bench.click("Revert to file")
    assert np.array_equal(bench.model.geom_solref, before)
    assert not bench.edits.edited


def test_the_other_form_of_solref_is_the_same_contact(bench: Bench) -> None:
    rest = bench.depth
    bench.click("as -stiffness, -damping")
    assert (bench.model.geom_solref[:2] < 0).all()
    bench.rest()
    assert bench.depth == pytest.approx(rest, rel=1e-6)
    bench.type("##softness damping ratio", "0.5")
    assert (bench.model.geom_solref[:2] < 0).all()
    bench.rest()
    assert bench.depth == pytest.approx(rest, rel=1e-6)
    bench.click("as -stiffness, -damping")
    np.testing.assert_allclose(bench.model.geom_solref[:2, 1], 0.5, rtol=1e-6)


def test_one_geom_alone_can_be_edited(bench: Bench) -> None:
    bench.view.of(SoftnessState).target = "ball / ball"
    bench.texts()
    assert "##target" in bench.gui.rects
    bench.view.of(SoftnessState).target = "ball / ball"
    bench.type("##softness depth at rest", "0.9")
    bench.rest()
    assert bench.depth == pytest.approx(0.9, rel=1e-6)
    assert bench.model.geom_solref[0].tolist() == [0.02, 1.0]


def test_what_one_geom_cannot_do_is_said(gui: Gui) -> None:
    bench = Bench(gui, floor="solref='.04 1' solmix='99'")
    bench.gui.frame(bench.draw, 3)
    bench.view.of(SoftnessState).target = "ball / ball"
    bench.type("##softness time constant", "0.02")
    assert bench.sent == []
    assert "cannot outweigh" in bench.texts()


def test_another_load_can_be_assumed(bench: Bench) -> None:
    bench.type("##load", "500")
    assert bench.view.of(SoftnessState).assumed == 500.0
    assert bench.sent == []
    bench.type("##softness depth at rest", "3")
    bench.data.xfrc_applied[1, 2] = -(500.0 - WEIGHT)
    bench.rest()
    assert bench.depth == pytest.approx(3.0, rel=1e-6)
    bench.click("##load", button=1)
    assert bench.view.of(SoftnessState).assumed is None


def test_the_geom_that_decides_is_the_one_that_is_edited(gui: Gui) -> None:
    bench = Bench(gui, ball="priority='2'")
    bench.type("##softness time constant", "0.05")
    assert bench.model.geom_solref[:2, 0].tolist() == [0.02, 0.05]
    assert "geom 2 decides: its priority is 2, the other's is 0" in bench.texts()
    assert "affects no other contact right now" in bench.texts()


def test_a_time_constant_that_is_too_short_is_shown(gui: Gui) -> None:
    bench = Bench(gui, floor="solref='.001 1'", ball="solref='.001 1'")
    assert "the time constant 0.001 s is below two timesteps: 0.004 s is used instead" in bench.texts()


def test_a_joint_limit(bench: Bench) -> None:
    bench.view.selection = Selection("joint", 1)
    assert "not active now" not in bench.texts()
    load = row_softness(bench.model, bench.data, JOINT_LIMIT, 1).load
    bench.type("##softness depth at rest", "40")
    found = row_softness(bench.model, bench.data, JOINT_LIMIT, 1)
    assert found.law.depth(load) == pytest.approx(0.040, rel=1e-6)
    # dry friction has a damper alone
    bench.click("##soft")
    bench.gui.click(bench.draw, "dry friction of hinge")
    assert "creep" in bench.texts()
    assert "##softness stiffness" not in bench.gui.rects
    assert "##softness damping" in bench.gui.rects


def test_nothing_soft(bench: Bench) -> None:
    bench.view.selection = Selection("camera", 0)
    bench.data.qpos[2] = 3.0
    bench.data.qpos[7] = 0.0
    sim.forward(bench.model, bench.data)
    assert NOTHING in bench.texts()


def test_every_item_is_explained(bench: Bench) -> None:
    assert bench.gui.unexplained(bench.draw) == []


def test_parts(bench: Bench) -> None:
    """The parts that the panel is made of are those of a softness."""
    bench.gui.frame(bench.draw, 3)
    answer = next(iter(bench.view.instruments.answers.answers.values())).value
    now = answer.contacts[0].softness
    assert units(now) == ("mm", "N")
    assert [entry.label for entry in fields(now)] == [
        "stiffness", "depth at rest", "time constant", "damping ratio", "damping",
    ]  # fmt: skip
    assert callable(charts) and callable(target_row)
    assert reached(answer, SimpleNamespace(places=())) == 0  # type: ignore[arg-type]
    shown = SoftnessState(note="x", question=bench.view.of(SoftnessState).question)
    assert shown.question is not None
    shown.choose("same", shown.question)
    assert shown.note == "x"
