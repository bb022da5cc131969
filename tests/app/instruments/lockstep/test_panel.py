"""The Lockstep instrument: stages and verdicts, what a click selects, marks, the past as a curve, free runs, ghost."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import pytest
from imgui_bundle import imgui

import sim
from app.instruments.lockstep.compare import Difference, StageResult
from app.instruments.lockstep.elements import Element, contact_element, element
from app.instruments.lockstep.free import Point
from app.instruments.lockstep.judge import Comparison, Judged, Verdict
from app.instruments.lockstep.panel import lockstep_panel
from app.instruments.lockstep.stages import STAGES
from app.instruments.lockstep.state import LockstepState
from app.instruments.lockstep.worker import Lockstep
from app.model.selection import Selection
from app.run.commands import Command, GoTo
from app.run.engine.installed import FOLLOWED
from app.run.history.timeline import BranchView, Pace, Timeline
from app.run.run_state import RunState
from app.run.snapshot import Snapshot, view_model, view_state
from app.scene.decor.user_geoms import LABEL
from app.view.view_state import ViewState
from tests.app.gui_driver import Gui

XML = """<mujoco><worldbody><geom name='floor' type='plane' size='9 9 .1'/>
  <body name='box' pos='0 0 .099'><freejoint/><geom name='crate' type='box' size='.1 .1 .1'/></body>
  <body name='arm' pos='2 0 1'><joint name='elbow' axis='0 1 0'/>
    <geom type='capsule' fromto='0 0 0 .3 0 0' size='.04'/></body></worldbody></mujoco>"""


def compared(
    stage: str = "", verdict: Verdict = Verdict.DIFFERS, where: Element | None = None, version: str = FOLLOWED
) -> Comparison:
    """All stages the same, except one."""
    found = []
    for known in STAGES:
        if known.name == stage and where is not None:
            worst = Difference(known.fields[0].name, 0.5, where, "", 1.25, -1.25, (where,), (0.5,))
            found.append(Judged(StageResult(known, worst, (worst,)), verdict, "before 3.13: something"))
        else:
            found.append(Judged(StageResult(known, Difference(known.fields[0].name, 1e-16)), Verdict.SAME))
    return Comparison(tuple(found), version)


@dataclass
class Bench:
    """The panel in a window of its own, with findings that are given."""

    gui: Gui
    model: sim.Model
    snapshot: Snapshot
    view: ViewState = field(default_factory=ViewState)
    sent: list[Command] = field(default_factory=list)

    def draw(self) -> None:
        self.view.instruments.begin(self.snapshot.model, self.view.instruments.answers)
        imgui.set_next_window_pos((0, 0))
        imgui.set_next_window_size((380, 900))
        imgui.begin("lockstep")
        lockstep_panel(self.snapshot, self.view, self.sent.append)
        imgui.end()
        self.view.instruments.end()

    def show(self, **found: Any) -> set[str]:
        """Texts and labels with these findings."""
        assert self.snapshot.model is not None
        self.view.of(LockstepState).found = replace(Lockstep(self.snapshot.model.identity), **found)
        self.gui.frame(self.draw, 3)
        return {*self.gui.texts, *self.gui.rects}


@pytest.fixture
def bench(gui: Gui) -> Bench:
    m = sim.loads(XML)
    d = sim.Data(m)
    sim.forward(m, d)
    line = Timeline((BranchView(0, last=50, paces=(Pace(0, 0.0, 0.002),)),), now=20)
    run = RunState(path="a.xml", ready=True, paused=True, history=line)
    return Bench(gui, m, Snapshot(1, run, view_model(m), view_state(d)))


def test_it_waits_and_says_why_there_is_nothing(bench: Bench) -> None:
    assert any("comparing" in text for text in bench.show())
    assert any("pip install mujoco" in text for text in bench.show(error="MuJoCo is missing: pip install mujoco"))
    request = bench.view.of(LockstepState).take_request()
    assert request is not None and (request.serial, request.running, request.since) == (1, False, None)
    assert bench.view.of(LockstepState).take_request() is None


def test_all_stages_the_same(bench: Bench) -> None:
    shown = bench.show(comparison=compared(), time=0.04)
    assert "the same at every stage" in shown
    assert {f"##stage {stage.name}" for stage in STAGES} <= shown
    assert bench.view.of(LockstepState).marks == frozenset() and bench.view.instruments.geoms == ()


def test_a_difference_is_named_selected_and_marked(bench: Bench) -> None:
    shown = bench.show(comparison=compared("passive", where=element(bench.model, "joint", 1)))
    assert "they differ from the passive stage on" in shown
    assert any("ours 1.25" in text and "MuJoCo -1.25" in text for text in shown)
    label = next(text for text in shown if text.endswith("##details passive"))
    assert "of joint elbow" in label
    bench.gui.click(bench.draw, label)
    assert bench.view.selection == Selection("joint", 1)
    # the joint and its body, for the tree; a ball and a label in the picture
    assert bench.view.of(LockstepState).marks == {("joint", 1), ("body", 2)}
    ball, words = bench.view.instruments.geoms
    assert words.type == LABEL and words.label == "qfrc_spring"
    assert np.allclose(ball.pos, [2, 0, 1])


def test_a_stage_leads_to_its_code(bench: Bench) -> None:
    bench.show(comparison=compared("passive", where=element(bench.model, "joint", 1)))
    bench.gui.click(bench.draw, "##stage kinematics")
    assert bench.view.instruments.about == {"Code": "d.xpos"} and bench.view.instruments.requested == ["Code"]
    bench.gui.click(bench.draw, "##stage passive")
    assert bench.view.instruments.about == {"Code": "d.qfrc_spring"}


def test_a_difference_that_nothing_explains_can_be_reported(bench: Bench) -> None:
    assert "Report this" not in bench.show(comparison=compared(), time=0.04)
    assert "Report this" in bench.show(comparison=compared("passive", where=element(bench.model, "joint", 1)))
    bench.gui.click(bench.draw, "Report this")
    assert bench.view.export_wanted == "zip"


def test_a_contact_is_found_by_its_geoms(bench: Bench) -> None:
    d = sim.Data(bench.model)
    sim.forward(bench.model, d)
    where = contact_element(bench.model, d, 2, -1)
    shown = bench.show(comparison=compared("contacts", where=where))
    bench.gui.click(bench.draw, next(text for text in shown if text.endswith("##details contacts")))
    assert bench.view.selection == Selection("contact", 0)
    assert {("geom", 0), ("geom", 1)} <= bench.view.of(LockstepState).marks
    gone = replace(where, marks=(("geom", 0), ("geom", 2)))
    shown = bench.show(comparison=compared("contacts", where=gone))
    bench.gui.click(bench.draw, next(text for text in shown if text.endswith("##details contacts")))
    assert bench.view.selection == Selection("geom", 2)


@pytest.mark.parametrize(
    ("verdict", "words"),
    [(Verdict.MUJOCO, "MuJoCo's own changes"), (Verdict.UNSTEADY, "where rounding decides")],
)
def test_harmless_differences_say_so(bench: Bench, verdict: Verdict, words: str) -> None:
    shown = bench.show(comparison=compared("contacts", verdict, element(bench.model, "geom", 1)))
    assert any(words in text for text in shown)
    assert any("before 3.13: something" in text for text in shown) is (verdict is Verdict.MUJOCO)


def test_a_newer_mujoco_is_named(bench: Bench) -> None:
    shown = bench.show(comparison=compared(version="99.1.0"))
    assert any(f"MuJoCo 99.1.0 is newer than {FOLLOWED}" in text for text in shown)
    assert not any("is newer than" in text for text in bench.show(comparison=compared()))


def test_free_run_from_the_shown_moment(bench: Bench) -> None:
    bench.show(comparison=compared())
    bench.gui.click(bench.draw, "run free")
    assert bench.view.of(LockstepState).since == 20
    parted = Point(30, 0.06, 1e-3, 2.0)
    points = (*(Point(step, 0.002 * step, 1e-12, 1.5) for step in range(21, 30)), parted)
    shown = bench.show(
        comparison=compared(), points=points, parted=parted, sentence="They diverge at 0.06 s.", time=0.05
    )
    assert any("They diverge at 0.06 s." in text for text in shown) and "##lockstep past" in shown
    assert any("free from 0.04 s on" in text for text in shown)
    bench.gui.click(bench.draw, "##lockstep past")
    (command,) = bench.sent
    assert isinstance(command, GoTo) and 21 <= command.moment <= 30
    bench.gui.click(bench.draw, "same state")
    assert bench.view.of(LockstepState).since is None


def test_curve_of_the_past(bench: Bench) -> None:
    past = {step: (0.002 * step, 1e-6 if step < 9 else 100.0) for step in range(20)}
    assert "##lockstep past" in bench.show(comparison=compared(), past=past)
    assert "##lockstep past" not in bench.show(comparison=compared(), past={0: (0.0, 1.0)})
    bench.show(comparison=compared(), past=past)
    bench.gui.click(bench.draw, "##lockstep past")
    assert isinstance(bench.sent[-1], GoTo) and 5 < bench.sent[-1].moment < 15


def test_ghost_is_shown_while_it_is_wanted(bench: Bench) -> None:
    state = bench.snapshot.state
    bench.show(comparison=compared(), ghost=state)
    assert not bench.view.instruments.ghost
    bench.gui.click(bench.draw, next(text for text in bench.gui.rects if "lockstep ghost" in text))
    bench.show(comparison=compared(), ghost=state)
    ghost = bench.view.instruments.ghost
    assert ghost and ghost.state is state
    bench.show(comparison=compared())
    assert not bench.view.instruments.ghost


def test_findings_about_another_model_are_not_shown(bench: Bench) -> None:
    bench.show(comparison=compared())
    bench.view.of(LockstepState).found = replace(bench.view.of(LockstepState).found, identity=object())
    bench.gui.frame(bench.draw, 3)
    assert any("comparing" in text for text in bench.gui.texts)
