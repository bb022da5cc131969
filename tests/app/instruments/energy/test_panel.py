"""The Energy instrument: energies, sources that unfold and select, how it closes, laws that a click follows."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import pytest
from imgui_bundle import imgui

import sim
from app.background.probe import Answer, Answers, Moment
from app.instruments.energy.curves import curves_of
from app.instruments.energy.panel import energy_lines, energy_panel, tint_of, work_lines
from app.instruments.energy.state import EnergyState
from app.instruments.energy.worker import Audit
from app.model.selection import Selection
from app.run.commands import Command, GoTo
from app.run.history.taken_rows import TakenMoment
from app.run.history.timeline import BranchView, Pace, Timeline
from app.run.run_state import RunState
from app.run.snapshot import Snapshot, view_model, view_state
from app.ui import theme
from app.view.view_state import ViewState
from sim.analysis.audit.laws import least_energy
from sim.script.model_edits import edits_of
from tests.app.gui_driver import Gui
from tests.sim.analysis.audit.audited import Audited, audited

XML = """<mujoco><option timestep="0.002"/><worldbody><geom name="floor" type="plane" size="9 9 1"/>
  <body name="box" pos="0 0 .1"><freejoint/><geom name="crate" type="box" size=".1 .1 .1"/></body>
  <body name="arm" pos="3 0 1"><joint name="shoulder" axis="0 1 0" damping=".2"/>
    <geom type="capsule" fromto="0 0 0 .3 0 0" size=".03"/><body pos=".3 0 0"><joint name="elbow" axis="0 1 0"
    damping=".1"/><geom type="capsule" fromto="0 0 0 .3 0 0" size=".03"/></body></body></worldbody></mujoco>"""
STEPS = 150


@dataclass
class Bench:
    """The panel in a window of its own, with an audit that is given; questions are answered between frames."""

    gui: Gui
    found: Audited
    snapshot: Snapshot
    view: ViewState = field(default_factory=ViewState)
    answers: Answers = field(default_factory=Answers)
    sent: list[Command] = field(default_factory=list)

    def draw(self) -> None:
        self.view.instruments.begin(self.snapshot.model, self.answers)
        imgui.set_next_window_pos((0, 0))
        imgui.set_next_window_size((360, 1100))
        imgui.begin("energy")
        energy_panel(self.snapshot, self.view, self.sent.append)
        imgui.end()
        m, d = self.found.model, self.found.data
        for question in self.view.instruments.end():
            if question not in self.answers.answers:
                taken = TakenMoment(m, edits_of(m), sim.copy_state(m, d), None, 0, 0, 0.0)
                value = question.answer(Moment(taken, m.copy(), sim.Data(m)))
                identity = self.snapshot.model.identity if self.snapshot.model is not None else None
                self.answers = Answers({question: Answer(value, "", 0, 0, 0.0)}, identity, 1)

    def give(self) -> None:
        """Let the worker have found all of it."""
        self.shown()
        request = self.view.of(EnergyState).take_request()
        assert request is not None
        found, least = self.found, least_energy(self.found.model, [0, 1])
        self.view.of(EnergyState).found = Audit(
            request.identity, request.key, tuple(found.parts), found.total, tuple(found.laws), least,
            curves_of(found.parts), version=1,
        )  # fmt: skip

    def shown(self) -> set[str]:
        """Texts and labels after some frames."""
        self.gui.frame(self.draw, 3)
        return {*self.gui.texts, *self.gui.rects}


@pytest.fixture
def bench(gui: Gui) -> Bench:
    m = sim.loads(XML)
    d = sim.Data(m)
    d.qvel[0] = 1.0
    found = audited(m, d, STEPS)
    sim.forward(m, d)
    branch = BranchView(0, last=STEPS, paces=(Pace(0, 0.0, 0.002),))
    run = RunState(path="a.xml", ready=True, time=0.3, history=Timeline((branch,), 0, STEPS))
    return Bench(gui, found, Snapshot(1, run, view_model(m), view_state(d)))


def test_before_the_audit_it_adds_up(bench: Bench) -> None:
    shown = bench.shown()
    assert any("adding up" in text for text in shown)
    assert bench.view.of(EnergyState).take_request() is not None


def test_sources_unfold_and_select(bench: Bench) -> None:
    bench.give()
    shown = bench.shown()
    assert {"###joint damper", "###friction", "###integrator"} <= shown
    assert "###joint damper 0" not in shown
    bench.gui.click(bench.draw, "###joint damper")
    assert {"###joint damper 0", "###joint damper 1"} <= bench.shown()
    bench.gui.click(bench.draw, "###joint damper 0")
    assert bench.view.selection == Selection("joint", 1)
    assert bench.view.ui.reveal == ""
    bench.gui.click(bench.draw, "###friction")
    assert bench.view.selection == Selection("geom", 1)


def test_it_says_how_it_closes(bench: Bench) -> None:
    bench.give()
    line = next(text for text in bench.shown() if text.startswith("work "))
    assert "integrator" in line and "change of energy -" in line


def test_it_warns_only_of_a_range_that_is_there(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not while its beginning is still added: what begins within a contact has only what that gives back."""
    monkeypatch.setattr("app.instruments.energy.panel.warning", lambda *_: "Energy grows: a lot")
    bench.give()
    assert any("Energy grows" in text for text in bench.shown())
    found = bench.view.of(EnergyState).found
    assert found.total is not None
    bench.view.of(EnergyState).found = replace(found, total=replace(found.total, first=64))
    shown = bench.shown()
    assert any("going back" in text for text in shown) and not any("Energy grows" in text for text in shown)


def test_a_law_that_is_broken_leads_to_what_breaks_it(bench: Bench) -> None:
    bench.give()
    bench.shown()
    bench.gui.click(bench.draw, "###law 0")
    breaker = bench.found.laws[0].breakers[0]
    assert breaker.source.kind == "friction" and bench.view.selection == Selection("geom", 1)
    assert bench.sent[-1] == GoTo(breaker.step)
    # momenta that the shoulder takes are in one row
    assert not any(text.startswith("###law 1") for text in bench.shown())
    assert any("is tied to the world" in text for text in bench.shown())


def test_the_chart_shows_energies_or_work(bench: Bench) -> None:
    curves = curves_of(bench.found.parts)
    times, lines = energy_lines(curves)
    assert [name for name, _, _ in lines] == ["total", "kinetic", "gravity"]
    assert all(len(values) == len(times) for _, values, _ in lines)
    bench.give()
    bench.shown()
    bench.gui.click(bench.draw, "work##Over time")
    assert bench.view.of(EnergyState).chart == "work"
    bench.shown()
    _, lines = work_lines(curves, [])
    assert lines == []
    bench.gui.click(bench.draw, "##energy over time")
    assert isinstance(bench.sent[-1], GoTo)


def test_power_is_plotted_by_kind(bench: Bench) -> None:
    bench.give()
    bench.shown()
    bench.gui.click(bench.draw, "Plot power")
    added = [*bench.view.plots.expressions()]
    assert added == ['power("contact")', 'power("joint damper")']
    assert bench.view.ui.reveal == "Plots"


def test_what_is_said_without_anything_to_audit(bench: Bench) -> None:
    bench.snapshot = Snapshot(1, RunState(), None, None)
    assert any("Open a model" in text for text in bench.shown())
    still = sim.loads("<mujoco><worldbody><geom size='.1'/></worldbody></mujoco>")
    bench.snapshot = Snapshot(1, RunState(ready=True), view_model(still), view_state(sim.Data(still)))
    assert any("no joints" in text for text in bench.shown())
    m = bench.found.model
    bench.snapshot = Snapshot(1, RunState(ready=True), view_model(m), view_state(bench.found.data))
    assert any("Run the simulation" in text for text in bench.shown())


def test_a_state_that_is_not_finite_is_said(bench: Bench) -> None:
    bench.give()
    question = next(iter(bench.answers.answers))
    error = Answer(None, "The state is not finite here", 0, 0, 0.0)
    bench.answers = Answers({question: error}, bench.answers.identity, 2)
    shown = bench.shown()
    assert "The state is not finite here" in shown and "###joint damper" in shown


def test_every_kind_has_a_colour() -> None:
    kinds = {"friction", "integrator", "contact", "moving surface", "edit"}
    assert all(tint_of(kind) != theme.DIM for kind in kinds)
