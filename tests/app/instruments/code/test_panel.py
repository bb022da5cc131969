"""The Code instrument: stages, search, links, history, source, editor, debugger, and the ways that lead to it."""

from __future__ import annotations

import os
import re
import tempfile
import threading
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from imgui_bundle import imgui

import sim
from app.background.probe import Answer, Answers, Moment
from app.instruments.code import code_questions
from app.instruments.code.panel import panel, source
from app.instruments.code.panel.facts import field_hint, row_of, short_path, unit_text, value_text
from app.instruments.code.panel.panel import WIDE_EM, code_panel
from app.instruments.code.state import CodeState, Subject
from app.instruments.forces.panel import forces_panel
from app.model.selection import Selection
from app.run.history.taken_rows import TakenMoment
from app.run.run_state import RunState
from app.run.snapshot import Snapshot, view_model, view_state
from app.view.input import actions
from app.view.rect import Rect
from app.view.view_state import ViewState
from app.window.overlays.cards.card import Card, draw_cards
from app.window.overlays.palette.entries import found_entries
from app.window.overlays.profiler import profiler_card
from app.window.panels.inspector.panel import inspector_panel
from sim.script.model_edits import edits_of
from tests.app.gui_driver import Gui

XML = """<mujoco><worldbody><geom type='plane' size='9 9 .1'/>
  <body name='box' pos='0 0 .099'><freejoint/><geom type='box' size='.1 .1 .1'/></body>
  <body name='arm' pos='2 0 1'><joint name='elbow' axis='0 1 0' damping='3' stiffness='5'/>
    <geom type='capsule' fromto='0 0 0 .3 0 0' size='.04'/></body>
</worldbody></mujoco>"""
WIDTH = 380


@dataclass
class Bench:
    """A panel in a window of its own; questions are answered between frames."""

    gui: Gui
    model: sim.Model
    data: sim.Data
    snapshot: Snapshot
    view: ViewState = field(default_factory=ViewState)
    panel: Any = code_panel
    width: float = WIDTH
    sent: list[Any] = field(default_factory=list)
    answers: Answers = field(default_factory=Answers)
    asked: list[Any] = field(default_factory=list)

    def draw(self) -> None:
        self.view.instruments.begin(self.snapshot.model, self.answers)
        imgui.set_next_window_pos((0, 0))
        imgui.set_next_window_size((self.width, 880))
        imgui.begin("code")
        self.panel(self.snapshot, self.view, self.sent.append)
        imgui.end()
        questions = self.view.instruments.end()
        self.asked = [*questions]
        if not questions - self.answers.answers.keys():
            return
        taken = TakenMoment(self.model, edits_of(self.model), sim.copy_state(self.model, self.data), None, 0, 0, 1.25)
        moment = Moment(taken, self.model.copy(), sim.Data(self.model))
        identity = self.snapshot.model.identity if self.snapshot.model is not None else None
        found = {question: self._answer(question, moment) for question in questions}
        self.answers = Answers(found, identity, self.answers.version + 1)

    def _answer(self, question: Any, moment: Moment) -> Answer:
        try:
            return Answer(question.answer(moment), "", 0, 0, 1.25)
        except ValueError as error:
            return Answer(None, str(error), 0, 0, 1.25)

    def show(self, subject: Subject) -> list[str]:
        """Texts and labels with a subject."""
        self.view.of(CodeState).show(subject)
        return self.shown()

    def shown(self) -> list[str]:
        self.gui.frame(self.draw, 4)
        return [*self.gui.texts, *self.gui.rects]

    def click(self, label: str, button: int = 0) -> None:
        self.gui.click(self.draw, label, button)
        self.gui.frame(self.draw, 3)


@pytest.fixture
def bench(gui: Gui, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Bench:
    # moments are written there
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    m = sim.loads(XML)
    d = sim.Data(m)
    d.qpos[7] = 0.3
    sim.forward(m, d)
    run = RunState(path="a.xml", ready=True, stage_seconds=(("solver", 3e-5), ("collision", 1e-5)))
    return Bench(gui, m, d, Snapshot(1, run, view_model(m), view_state(d)))


def has(shown: list[str], *words: str) -> bool:
    return all(any(word in text for text in shown) for word in words)


def test_without_a_model(bench: Bench) -> None:
    bench.snapshot = replace(bench.snapshot, model=None, state=None)
    assert has(bench.shown(), "Open a model") and bench.asked == []


def test_it_begins_with_the_stages_and_then_asks_nothing(bench: Bench) -> None:
    shown = bench.shown()
    assert has(shown, "kinematics##stage", "solver##stage", "75%", "25%", "fwd_constraint")
    assert bench.asked == []
    bench.click("solver##stage")
    assert bench.view.of(CodeState).subject == Subject(stage="solver")
    assert has(bench.shown(), "stage: solver, 75% of the step", "free_bodies_acc##choice", "def fwd_constraint"[4:])


def test_a_field_leads_to_the_kernel_with_its_formula(bench: Bench) -> None:
    shown = bench.show(Subject(field="d.qfrc_passive"))
    assert has(
        shown, "d.qfrc_passive", "total passive force [N or N·m]", "Damper: -(b + p₀ |v| + p₁ v²) v", "passive(m, d)"
    )
    assert has(shown, "sim/stages/smooth/passive.py:", "d.qfrc_damper##reads", "d.qfrc_passive##writes")
    assert has(shown, "springs##calls", "fwd_velocity##called by", "WRITES THROUGH ITS CALLS")
    assert bench.asked == []


def test_links_and_history(bench: Bench) -> None:
    code = bench.view.of(CodeState)
    bench.width = 1200
    bench.show(Subject(field="d.qfrc_passive"))
    bench.click("d.qfrc_damper##reads")
    assert code.subject == Subject(field="d.qfrc_damper")
    bench.click("code back")
    bench.click("springs##calls")
    assert code.subject == Subject(function="sim.stages.smooth.passive.springs")
    bench.click("code back")
    assert code.subject == Subject(field="d.qfrc_passive")
    bench.click("code forward")
    bench.click("code stages")
    assert code.subject is None and has(bench.shown(), "kinematics##stage")


def test_one_of_several_writers_is_chosen(bench: Bench) -> None:
    bench.show(Subject(field="d.qacc"))
    bench.click("no_rows##choice")
    subject = bench.view.of(CodeState).subject
    assert subject is not None and subject.field == "d.qacc" and subject.function.endswith("no_rows")
    assert has(bench.shown(), "no_rows(m, d)")


def test_search(bench: Bench) -> None:
    code = bench.view.of(CodeState)
    code.search = "qfrc_pass"
    assert has(bench.shown(), "##field d.qfrc_passive")
    bench.click("##field d.qfrc_passive")
    assert code.subject == Subject(field="d.qfrc_passive") and code.search == ""
    code.search = "no such thing"
    assert has(bench.shown(), "No match in the code.")


def test_what_no_kernel_writes(bench: Bench) -> None:
    assert has(bench.show(Subject(field="d.perturb.select")), "No kernel writes it", "perturb_force##read by")
    assert has(bench.show(Subject(field="d.nonsense")), "There is no field, stage or function")
    # a field of the model
    assert has(bench.show(Subject(field="m.body_mass")), "No kernel writes it")


def test_the_source_is_scrolled_to_the_function(bench: Bench) -> None:
    shown = bench.show(Subject(function="passive"))
    code = bench.view.of(CodeState).known.index.named("passive")  # type: ignore[union-attr]
    assert code is not None
    numbers = [int(text) for text in shown if re.fullmatch(r" *\d+  ", text)]
    assert code.line in numbers and 1 not in numbers
    assert "passive" in shown and "def" in shown


@pytest.mark.parametrize("width", [200, 380, 1200])
def test_any_width(bench: Bench, width: float) -> None:
    bench.width = width
    shown = bench.show(Subject(field="d.qfrc_passive"))
    assert has(shown, "passive(m, d)")
    edges = [right for _, _, right, _ in bench.gui.rects.values()]
    assert max(edges) <= width + 1
    assert (width > WIDE_EM * imgui.get_style().font_size_base) == (width == 1200)


def test_a_link_has_its_value(bench: Bench) -> None:
    bench.show(Subject(field="d.xpos"))
    index = bench.view.of(CodeState).known.index  # type: ignore[union-attr]
    hints: list[str] = []
    bench.panel = lambda *_: hints.append(field_hint(bench.view, index, "d.qfrc_spring"))
    bench.gui.frame(bench.draw, 3)
    assert hints[0].endswith("\n...")
    assert "d.qfrc_spring = 0  0  0  0\n0  0  -1.5" in hints[-1] and "[N or N·m]" in hints[-1]
    bench.view.select("body", 2)
    bench.panel = lambda *_: hints.append(field_hint(bench.view, index, "d.xpos"))
    bench.gui.frame(bench.draw, 3)
    assert hints[-1].endswith("d.xpos[2] = 2  0  1")


def test_texts_of_values() -> None:
    value = code_questions.FieldValue((20,), -1, (1.0, 2.0))
    assert value_text("d.qpos", value) == "d.qpos = 1  2\n... 20 numbers"
    assert value_text("d.qpos", code_questions.FieldValue((0, 3), -1, ())) == "it is empty now"
    assert unit_text("q/s²") == " [m/s² or rad/s²]" and unit_text("m") == " [m]" and unit_text("") == ""
    field_of = {f.name: f for f in sim.fields.DATA}  # type: ignore[attr-defined]
    assert row_of(field_of["contact.dist"], Selection("contact", 1)) == 1
    assert row_of(field_of["xpos"], Selection("joint", 1)) == row_of(field_of["time"], Selection("body", 1)) == -1


def test_the_editor_opens_at_the_line(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    launched: list[list[str]] = []
    monkeypatch.setattr(source, "launch", lambda command, failed: launched.append(command))
    monkeypatch.setattr(source, "editor_command", lambda file, line, *_: ["ed", str(file), str(line)])
    bench.show(Subject(function="passive"))
    code = bench.view.of(CodeState).known.index.named("passive")  # type: ignore[union-attr]
    assert code is not None and short_path(code) == "sim/stages/smooth/passive.py"
    bench.click("##place")
    assert launched == [["ed", str(code.file), str(code.line)]]
    monkeypatch.setattr(source, "editor_command", lambda *_: "No editor was found.")
    bench.click("##place")
    assert len(launched) == 1 and bench.view.feedback.message == "No editor was found."


def test_the_editor_is_chosen(bench: Bench) -> None:
    bench.show(Subject(function="passive"))
    bench.click("choose editor")
    bench.click("##editor")
    bench.gui.type(bench.draw, "nosuch")
    assert bench.view.prefs.editor == "nosuch"
    assert has(bench.shown(), "nosuch is not installed")


@pytest.mark.parametrize("terminal", [True, False])
def test_debug_here(bench: Bench, monkeypatch: pytest.MonkeyPatch, terminal: bool) -> None:
    launched: list[list[str]] = []
    monkeypatch.setattr(panel, "launch", lambda command, failed: launched.append(command))
    monkeypatch.setattr(panel, "in_terminal", lambda command, _: ["term", *command] if terminal else None)
    bench.show(Subject(function="passive"))
    bench.click("Debug here")
    shown = bench.shown()
    asked = bench.view.of(CodeState).debugging
    assert asked is not None and asked.time == 1.25 and asked.fault == ""
    assert Path(asked.command[-3]).is_file() and asked.command[-2:] == ["--kernel", "passive"]
    assert has(shown, "is in the debugger" if terminal else "run this in a terminal")
    # once
    assert launched == ([["term", *asked.command, "--wait"]] if terminal else [])
    assert bench.asked == []
    bench.click("copy command")
    bench.click("forget debugger")
    assert bench.view.of(CodeState).debugging is None


def test_one_click_debugs_in_a_terminal(bench: Bench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    terminal, out = tmp_path / "x-terminal-emulator", tmp_path / "said"
    # runs what comes after -e, and types for the user
    terminal.write_text(f'#!/bin/sh\nshift\nprintf "d.qpos[7]\\nn\\nc\\n\\n" | "$@" >"{out}" 2>&1\n', encoding="utf-8")
    terminal.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    monkeypatch.setenv("DISPLAY", ":0")
    monkeypatch.delenv("TERMINAL", raising=False)
    bench.show(Subject(function="springs"))
    bench.click("Debug here")
    bench.shown()
    for thread in threading.enumerate():
        if thread.name == "launch":
            thread.join()
    said = out.read_text(encoding="utf-8")
    assert "springs()\n-> for s in range(d.span.ndof):" in said
    assert f"(Pdb) {bench.data.qpos[7]!r}" in said and "Native code " in said
    assert bench.sent == []


def test_why_there_is_no_debugger(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: object) -> None:
        raise ValueError("it was not compiled from files or a text")

    monkeypatch.setattr("app.instruments.code.debug_command.save_moment", fails)
    bench.view.of(CodeState).debug("passive")
    assert has(bench.shown(), "it was not compiled from files")
    assert bench.asked == []


def test_with_mujoco(bench: Bench) -> None:
    bench.snapshot = replace(bench.snapshot, run=replace(bench.snapshot.run, engine="mujoco"))
    assert has(bench.shown(), "MuJoCo is simulating", "kinematics##stage")


def test_an_edit_asks_again_what_the_model_uses(bench: Bench) -> None:
    bench.show(Subject(function="runge_kutta"))
    assert has(bench.shown(), "not used by this model")
    bench.model.opt.integrator = 1
    bench.snapshot = replace(bench.snapshot, model=view_model(bench.model))
    assert not has(bench.shown(), "not used by this model")


def test_every_item_is_explained(bench: Bench) -> None:
    bench.view.of(CodeState).debug("passive")
    for subject in (Subject(field="d.qacc"), Subject(stage="integration"), Subject()):
        bench.show(subject)
        assert bench.gui.unexplained(bench.draw) == []


# ---- ways that lead here


def test_a_quantity_of_the_inspector(bench: Bench) -> None:
    bench.panel = inspector_panel
    bench.view.select("body", 2)
    bench.gui.frame(bench.draw, 3)
    left, top, right, bottom = bench.gui.text_rects["position"]
    bench.gui.click_at(bench.draw, (left + right) / 2, (top + bottom) / 2)
    assert bench.view.instruments.requested == ["Code"]
    bench.panel = code_panel
    bench.shown()
    assert bench.view.of(CodeState).subject == Subject(field="d.xpos")


def test_a_source_of_a_force(bench: Bench) -> None:
    bench.panel = forces_panel
    bench.view.select("joint", 1)
    bench.shown()
    fields = set()
    for k in range(2):
        bench.click(f"###bar{k}", button=1)
        fields.add(bench.view.instruments.about["Code"])
    assert {"d.qfrc_bias", "d.qfrc_spring"} <= fields


def test_a_stage_of_the_profiler(bench: Bench) -> None:
    view, snapshot = bench.view, bench.snapshot

    def draw() -> None:
        card: Card = profiler_card(snapshot, view)
        draw_cards([card], Rect(0, 0, 900, 800), [], lambda _, content: content())

    bench.gui.frame(draw, 3)
    left, top, right, bottom = bench.gui.text_rects["solver"]
    bench.gui.click_at(draw, (left + right) / 2, (top + bottom) / 2)
    assert view.of(CodeState).subject == Subject(stage="solver") and "Code" in view.instruments.requested
    # a drag turns the camera
    view.of(CodeState).close()
    bench.gui.io.add_mouse_button_event(0, True)
    bench.gui.frame(draw, 2)
    bench.gui.io.add_mouse_pos_event(left + 200, top + 200)
    bench.gui.frame(draw, 2)
    bench.gui.io.add_mouse_pos_event((left + right) / 2, (top + bottom) / 2)
    bench.gui.frame(draw, 2)
    bench.gui.io.add_mouse_button_event(0, False)
    bench.gui.frame(draw, 2)
    assert view.of(CodeState).subject is None


def test_the_palette(bench: Bench) -> None:
    code = bench.view.of(CodeState)

    def first(text: str) -> Any:
        return found_entries(bench.snapshot, bench.view, bench.sent.append, lambda _: None, text)[0][0]

    first("code qfrc_passive").do()
    assert code.subject == Subject(field="d.qfrc_passive")
    first("code stage solver").do()
    assert code.subject == Subject(stage="solver")
    first("debug passive").do()
    assert code.debugging is not None
    assert code.debugging.function == "sim.stages.smooth.passive.passive"
    assert bench.view.instruments.requested == ["Code"] * 3


def test_f12_leads_from_a_tooltip(bench: Bench) -> None:
    desk: Any = bench
    bench.view.ui.hint = "1.5 m\nin the world; d.geom_xpos"
    actions.code(desk, desk)
    bench.gui.frame(bench.draw)
    assert bench.view.of(CodeState).subject == Subject(field="d.geom_xpos")
    bench.view.ui.hint = "nothing that is a field"
    actions.code(desk, desk)
    bench.gui.frame(bench.draw)
    assert bench.view.of(CodeState).subject == Subject(field="d.geom_xpos")
    assert bench.view.instruments.requested == ["Code", "Code"]


def test_a_state_that_is_not_finite(bench: Bench) -> None:
    bench.data.qpos[0] = np.nan
    index_hints: list[str] = []
    bench.show(Subject(field="d.xpos"))
    index = bench.view.of(CodeState).known.index  # type: ignore[union-attr]
    bench.panel = lambda *_: index_hints.append(field_hint(bench.view, index, "d.qpos"))
    bench.gui.frame(bench.draw, 3)
    assert "nan" in index_hints[-1]
