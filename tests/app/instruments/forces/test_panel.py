"""The Forces instrument: bars of the selection, what a click selects, plots, arrows and what is said without bars."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import pytest
from imgui_bundle import imgui

import sim
from app.background.probe import Answer, Answers, Moment
from app.instruments.forces.panel import HINTS, INERTIAL, OUTSIDE, PLOTTED, SHORTEST, VISIBLE, arrow_geoms, forces_panel
from app.instruments.forces.state import ARROWS, ForcesState
from app.model.selection import Selection
from app.run.history.taken_rows import TakenMoment
from app.run.run_state import RunState
from app.run.snapshot import Snapshot, view_model, view_state
from app.scene.decor.user_geoms import ARROW
from app.ui.source_tints import TINTS
from app.view.view_state import ViewState
from app.window.panels.inspector.panel import inspector_panel
from sim.analysis.body_forces import JOINTS, TENDONS
from sim.analysis.force_sources import KINDS
from sim.script.expression import evaluate
from sim.script.model_edits import edits_of
from tests.app.gui_driver import Gui

XML = """<mujoco><option><flag sleep='enable'/></option><worldbody><geom name='floor' type='plane' size='9 9 .1'/>
  <body name='box' pos='0 0 .099'><freejoint/><geom name='crate' type='box' size='.1 .1 .1'/></body>
  <body name='arm' pos='2 0 1'><joint name='elbow' axis='0 1 0' damping='3' stiffness='5'/>
    <geom type='capsule' fromto='0 0 0 .3 0 0' size='.04'/></body>
  <body name='post' pos='5 0 1'><geom size='.1'/></body>
</worldbody><actuator><motor name='lift' joint='elbow'/></actuator></mujoco>"""


@dataclass
class Bench:
    """The panel in a window of its own; questions are answered between frames."""

    gui: Gui
    model: sim.Model
    data: sim.Data
    snapshot: Snapshot
    view: ViewState = field(default_factory=ViewState)
    panel: Any = forces_panel
    answers: Answers = field(default_factory=Answers)
    # the moment of the answers
    at: int = 0

    def draw(self) -> None:
        self.view.instruments.begin(self.snapshot.model, self.answers)
        imgui.set_next_window_pos((0, 0))
        imgui.set_next_window_size((360, 900))
        imgui.begin("forces")
        self.panel(self.snapshot, self.view, lambda _: None)
        imgui.end()
        taken = TakenMoment(self.model, edits_of(self.model), sim.copy_state(self.model, self.data), None, 0, 0, 0.0)
        for question in self.view.instruments.end():
            if question not in self.answers.answers:
                value = question.answer(Moment(taken, self.model.copy(), sim.Data(self.model)))
                identity = self.snapshot.model.identity if self.snapshot.model is not None else None
                self.answers = Answers({question: Answer(value, "", 0, self.at, 0.1 * self.at)}, identity, 1)

    def step(self) -> None:
        """The next moment."""
        sim.step(self.model, self.data)
        self.at += 1
        self.answers = Answers()

    def shown(self) -> set[str]:
        """Texts and labels after some frames."""
        self.gui.frame(self.draw, 3)
        return {*self.gui.texts, *self.gui.rects}

    def arrows(self) -> list[str]:
        """Labels of the arrows of a frame."""
        self.gui.frame(self.draw, 3)
        return [geom.label for geom in self.view.instruments.geoms if geom.type != ARROW]


@pytest.fixture
def bench(gui: Gui) -> Bench:
    m = sim.loads(XML)
    d = sim.Data(m)
    d.qvel[6], d.ctrl = 2.0, 0.7
    d.qpos[7] = 0.3
    sim.forward(m, d)
    snapshot = Snapshot(1, RunState(path="a.xml", ready=True), view_model(m), view_state(d))
    return Bench(gui, m, d, snapshot)


def bars(shown: set[str]) -> set[str]:
    return {label for label in shown if label.startswith("###")}


def test_without_a_selection_it_says_what_it_is_for(bench: Bench) -> None:
    assert any("Select a joint or a body" in text for text in bench.shown())
    assert bench.view.instruments.end() == frozenset()


def test_bars_of_a_joint_with_the_total_below(bench: Bench) -> None:
    bench.view.select("joint", 1)
    shown = bench.shown()
    assert {f"###bar{k}" for k in range(4)} | {"###residual", "###total", "###applied"} <= bars(shown)
    # a hinge has one axis
    assert not {"x", "rz"} & shown


def test_click_selects_the_element_and_keeps_the_subject(bench: Bench) -> None:
    bench.view.select("joint", 1)
    bench.shown()
    seen = set()
    for k in range(4):
        bench.gui.click(bench.draw, f"###bar{k}")
        bench.shown()
        seen.add(bench.view.selection)
        assert bench.view.of(ForcesState).subject == Selection("joint", 1)
        assert bench.view.ui.reveal != "Inspector" or bench.view.of(ForcesState).clicked is None
    assert Selection("actuator", 0) in seen


def test_axis_unit_and_kind_are_chosen(bench: Bench) -> None:
    forces = bench.view.of(ForcesState)
    bench.view.select("body", 1)
    bench.shown()
    bench.gui.click(bench.draw, "rx")
    assert forces.axis == 3
    bench.gui.click(bench.draw, "z")
    bench.gui.click(bench.draw, "force")
    assert (forces.axis, forces.as_force) == (2, True)
    bench.gui.click(bench.draw, "acceleration")
    assert not forces.as_force
    assert "###bar4" in bars(bench.shown())
    bench.gui.click(bench.draw, "by kind")
    assert "###bar2" not in bars(bench.shown())


def test_plot_adds_the_largest_and_the_total(bench: Bench) -> None:
    bench.view.select("joint", 1)
    bench.shown()
    bench.gui.click(bench.draw, "Plot over time")
    expressions = bench.view.plots.expressions()
    assert 2 < len(expressions) <= PLOTTED + 1
    assert expressions[-1] == 'push("elbow", "total")'
    values = [evaluate(text, bench.model, bench.data) for text in expressions]
    assert values[-1] == pytest.approx(bench.data.qacc[6])
    assert abs(values[0]) >= abs(values[1])
    assert (bench.view.prefs.show_bottom, bench.view.ui.reveal) == (True, "Plots")


def test_chart_of_the_moments_that_were_seen(bench: Bench) -> None:
    bench.view.select("joint", 1)
    assert "##history" not in bench.shown()
    seen = []
    for _ in range(3):
        seen.append(bench.data.qacc[6])
        bench.step()
        assert "##history" in bench.shown()
    times, values = bench.view.of(ForcesState).history.series([], 0, False, False)
    assert times == pytest.approx([0.0, 0.1, 0.2, 0.3])
    assert len(set(values[-1].tolist())) == 4
    assert values[-1, 0] == pytest.approx(seen[0])


def test_arrows_of_a_body(bench: Bench) -> None:
    bench.view.select("body", 1)
    labels = bench.arrows()
    assert any(label.startswith("gravity  ") and label.endswith("N") for label in labels)
    assert sum(label.startswith("floor  ") for label in labels) == 4
    assert any(label.startswith(INERTIAL) for label in labels)
    arrows = [geom for geom in bench.view.instruments.geoms if geom.type == ARROW]
    lengths = [float(geom.size[2]) for geom in arrows]
    assert min(lengths) > SHORTEST * max(lengths) > 0
    centre = bench.data.xipos[1]
    assert not all(np.allclose(geom.pos, centre) for geom in arrows)
    bench.view.of(ForcesState).arrows = "shares"
    bench.arrows()
    shares = [geom for geom in bench.view.instruments.geoms if geom.type == ARROW]
    assert len(shares) > 2 and all(np.allclose(geom.pos, centre) for geom in shares)
    bench.view.of(ForcesState).arrows = "none"
    assert bench.arrows() == []
    assert set(ARROWS) == {"none", "forces", "shares"}


def test_labels_do_not_pile_up(bench: Bench) -> None:
    """Of arrows that end at one place the largest is named."""
    bench.view.select("body", 1)
    bench.arrows()
    model, answer = bench.snapshot.model, next(iter(bench.answers.answers.values())).value
    again = replace(answer, direct=answer.direct * 2, direct_names=tuple(answer.direct_names) * 2)
    assert model is not None
    once, twice = ([geom.label for geom in arrow_geoms(model, part, "forces", 1.0, 0.2)] for part in (answer, again))
    assert [text for text in twice if text] == [text for text in once if text]
    assert twice.count("") > once.count("")


def test_longest_arrow_comes_out_of_a_body_of_any_size(bench: Bench) -> None:
    bench.view.select("body", 1)
    bench.arrows()
    model, answer = bench.snapshot.model, next(iter(bench.answers.answers.values())).value
    assert model is not None
    least = VISIBLE * float(model.stat.extent)
    for size in (0.001, 1.3):
        arrows = [geom for geom in arrow_geoms(model, answer, "forces", 1e-9, size) if geom.type == ARROW]
        assert max(float(geom.size[2]) for geom in arrows) == pytest.approx(max(OUTSIDE * size, least))
    assert OUTSIDE * 1.3 > least > OUTSIDE * 0.001


def test_what_sleeps_or_is_fixed_has_no_bars(bench: Bench) -> None:
    bench.view.select("body", 3)
    assert "It is fixed to the world." in bench.shown()
    sim.step(bench.model, bench.data, 2000)
    assert not bench.data.tree_awake[0]
    bench.view.select("body", 1)
    assert any(text.startswith("It is asleep") for text in bench.shown())


def test_inspector_opens_it(bench: Bench) -> None:
    bench.panel = inspector_panel
    bench.view.select("joint", 1)
    bench.shown()
    bench.gui.click(bench.draw, "Forces")
    assert bench.view.instruments.requested == ["Forces"]
    bench.view.select("body", 3)
    assert "Forces" not in bench.shown()


def test_everything_has_a_tooltip_and_every_kind_a_colour(bench: Bench) -> None:
    bench.view.select("body", 1)
    bench.shown()
    assert bench.gui.unexplained(bench.draw) == []
    assert set(TINTS) == {*KINDS, JOINTS, TENDONS}
    assert set(HINTS) == {"others", "residual", "total", "applied"}
