"""The Contact instrument around a live simulation: what it asks, shows and draws, and what its buttons do."""

from __future__ import annotations

import numpy as np
import pytest

import sim
from app.background.probe import Probe, Request
from app.instruments.contact.panel import LENGTH, OFFERED, pushed_joints
from app.instruments.contact.question import PathQuestion, TouchQuestion
from app.run import commands as cmd
from app.run.snapshot import view_model
from app.scene.contacts import metres_per_newton
from app.ui import theme
from app.ui.contact_cone import cone_section, state_colour
from app.ui.plots.small import MOST_TICKS, iteration_ticks
from app.view.plots import curves_of
from sim.analysis.contact_detail import cone_norm, contact_detail
from sim.analysis.contact_state import SLIP
from tests.app.gui_driver import Gui
from tests.app.live import Hand, LiveDesk

FLOOR, BALL, BOX = 0, 1, 2


class Bench(LiveDesk):
    """Panels with a probe whose thread is the test's."""

    def __init__(self, gui: Gui, hand: Hand) -> None:
        super().__init__(gui, hand)
        self.probe = Probe(hand.thread.send)
        self.asked: frozenset[object] = frozenset()

    def draw(self) -> None:
        snapshot = self.hand.thread.latest
        self.view.instruments.begin(snapshot.model, self.probe.latest)
        super().draw()
        asked = self.view.instruments.end()
        self.asked = asked
        self.probe.want(Request(asked, snapshot.serial, running=False))

    def answer(self) -> None:
        """Let the probe answer what is asked now."""
        self.frames()
        version = self.probe.latest.version
        while self.probe.latest.version == version:
            assert self.probe.turn(wait=0.05)
        self.frames()


@pytest.fixture
def bench(gui: Gui, hand: Hand) -> Bench:
    """A ball and a box that rest on the floor; the ball's contact is selected and under the microscope."""
    hand.restart()
    hand.send(cmd.StepOnce(1000))
    made = Bench(gui, hand)
    geoms = hand.state.contact.geom.tolist()
    made.view.select("contact", geoms.index([FLOOR, BALL]))
    made.view.instruments.open("Contact")
    made.answer()
    return made


def test_the_selected_contact_is_shown(bench: Bench) -> None:
    assert bench.asked == {TouchQuestion(FLOOR, BALL), PathQuestion(FLOOR, BALL)}
    texts = bench.gui.texts
    assert "stick" in texts and "pyramidal cone, condim 3" in texts
    assert "ON BALL FROM WORLD" in texts
    # its weight, alone and as the sum
    assert texts.count("10.0") >= 2
    assert {"n + μ t1###0", "n - μ t2###3"} <= set(bench.gui.rects)
    assert any(text.startswith("free ") and "z +1" in text for text in texts)


def test_the_force_between_the_bodies_is_an_arrow_with_its_newtons(bench: Bench) -> None:
    arrow, label = bench.view.instruments.geoms
    assert label.label == "10.0 N on ball"
    # from the contact upwards, and the label is at the tip
    direction = np.reshape(arrow.mat, (3, 3))[:, 2]
    assert direction == pytest.approx((0, 0, 1), abs=1e-6)
    assert arrow.pos[2] == pytest.approx(0, abs=1e-3)
    assert label.pos == pytest.approx(np.asarray(arrow.pos) + direction * arrow.size[2])
    assert arrow.size[2] == pytest.approx(10 * LENGTH * metres_per_newton(bench.hand.model), rel=1e-3)


def test_nothing_is_asked_while_it_is_closed(bench: Bench) -> None:
    bench.view.prefs.instruments = []
    bench.frames()
    assert bench.asked == frozenset() and bench.view.instruments.geoms == ()


def test_what_is_folded_is_not_computed(bench: Bench) -> None:
    bench.click("Solver iterations")
    bench.frames()
    assert bench.asked == {TouchQuestion(FLOOR, BALL)}


def test_other_contacts_are_offered(bench: Bench) -> None:
    bench.click("Other contacts")
    bench.view.select("body", 2)
    bench.view.ui.reveal = "Contact"
    bench.frames()
    assert bench.asked == frozenset()
    # those of the selected body come first
    offered = [label for label in bench.gui.rects if "  –  " in label and label.endswith(tuple("01234"))]
    assert len(offered) == 5 < OFFERED and "box / box" in offered[0]
    bench.click(offered[0])
    chosen = bench.view.selection
    assert chosen is not None and chosen.kind == "contact"
    assert bench.hand.state.contact.geom[chosen.index].tolist() == [FLOOR, BOX]


def test_what_is_under_the_microscope_stays_there_when_the_contact_ends(bench: Bench) -> None:
    """And the history says when it was."""
    bench.hand.send(cmd.GoTo(100))
    bench.view.deselect()
    bench.answer()
    assert bench.asked == {TouchQuestion(FLOOR, BALL)}
    assert "They are not in contact now." in bench.gui.texts and "Normal force##plot" in bench.gui.rects
    assert bench.view.instruments.geoms == ()
    bench.hand.send(cmd.GoTo(1000))
    bench.answer()
    assert "stick" in bench.gui.texts


def test_history_and_plots(bench: Bench) -> None:
    expression = 'normal_force("floor", "geom:ball")'
    bench.sample()
    timeline = bench.hand.thread.latest.run.history
    curves = curves_of(bench.view.plots, timeline, timeline.branch, expression)
    times, values = (np.concatenate([getattr(curve, name) for curve in curves]) for name in ("times", "values"))
    # in the air, and at rest
    assert (times < 0.4).any() and values[times < 0.4] == pytest.approx(0)
    assert values[-1] == pytest.approx(10, rel=1e-3)
    assert bench.view.plots.watches == []
    bench.click("Normal force##plot")
    assert [watch.expression for watch in bench.view.plots.watches] == [expression]


def test_buttons_where_the_question_comes_up(bench: Bench) -> None:
    for panel in ("Inspector", "Contacts"):
        bench.view.prefs.instruments = []
        bench.frames()
        bench.reveal(panel)
        bench.click("Microscope")
        bench.frames()
        assert bench.view.prefs.instruments == ["Contact"]


def test_a_click_in_the_table_keeps_the_microscope_in_front(bench: Bench) -> None:
    bench.view.select("contact", 0)
    assert bench.view.ui.reveal == "Contact"
    bench.view.select("body", 1)
    assert bench.view.ui.reveal == "Inspector"
    bench.view.prefs.instruments = []
    bench.view.select("contact", 0)
    assert bench.view.ui.reveal == "Inspector"


def test_ticks_are_whole_iterations() -> None:
    assert iteration_ticks(1) == [0, 1] and iteration_ticks(4) == [0, 1, 2, 3, 4]
    for last in (9, 76, 1000):
        ticks = iteration_ticks(last)
        assert ticks[0] == 0 and ticks[-1] <= last and len(ticks) <= MOST_TICKS + 1


@pytest.mark.parametrize("cone", ["elliptic", "pyramidal"])
def test_the_section_is_the_boundary_of_the_cone(cone: str) -> None:
    m = sim.loads(f"""<mujoco><option cone='{cone}'/><worldbody><geom type='plane' size='9 9 .1'/>
      <body pos='0 0 .099'><freejoint name='ball'/><geom size='.1' condim='4' friction='.5 .1 .1'/></body>
      </worldbody></mujoco>""")
    d = sim.Data(m)
    d.qvel[5] = 0.05
    sim.forward(m, d)
    contact = contact_detail(m, d, 0)
    assert abs(contact.force[3]) > 0
    for tangential in cone_section(contact):
        shares = np.array([*tangential, contact.force[3]]) / contact.friction
        assert cone_norm(shares, cone == "pyramidal") == pytest.approx(contact.normal)
    assert state_colour(SLIP) == theme.WARNING
    (name, parts), *others = pushed_joints(view_model(m), contact.rows[0])
    assert name == "ball" and "z +1" in parts and not others
