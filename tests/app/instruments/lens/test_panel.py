"""The Lens instrument: colours and their scale, why a tree is awake, its chain of wakes, ways to sleep, islands."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from imgui_bundle import imgui

import sim
from app.background.probe import Answer, Answers, Moment
from app.instruments.lens.modes import ASLEEP, BY_NAME, MODES, NOTHING
from app.instruments.lens.panel import lens_panel
from app.instruments.lens.state import LensState
from app.instruments.lens.wake_search import WakeSearch
from app.model.selection import Selection
from app.run import commands as cmd
from app.run.history.taken_rows import TakenMoment
from app.run.snapshot import Snapshot
from app.scene.decor.islands import island_colours
from app.view.view_state import ViewState
from app.window.panels.inspector.panel import inspector_panel
from app.window.panels.islands import islands_panel
from app.window.panels.status import status_line
from sim import enums
from tests.app.gui_driver import Gui
from tests.app.live import Hand

XML = """<mujoco><option gravity='0 0 0' timestep='.005'><flag sleep='enable'/></option><worldbody>
  <body name='post' pos='0 0 3'><geom size='.1'/></body>
  <body name='b0' pos='0 0 0' sleep='init'><freejoint/><geom name='g0' size='.1' mass='1'/></body>
  <body name='b1' pos='.4 0 0' sleep='init'><freejoint/><geom name='g1' size='.1' mass='1'/></body>
  <body name='b2' pos='.8 0 0' sleep='init'><freejoint/><geom name='g2' size='.1' mass='1'/></body>
  <body name='arm' pos='0 3 0'><joint name='elbow' range='0 1' limited='true'/><geom size='.1' pos='.3 0 0'/></body>
</worldbody><actuator><motor name='hoist' joint='elbow'/></actuator></mujoco>"""
ARM = 3


class Bench:
    """The panel in a window of its own, with a run behind it; questions are answered between frames."""

    def __init__(self, gui: Gui, hand: Hand) -> None:
        self.gui, self.hand, self.view = gui, hand, ViewState()
        self.panel: Any = lens_panel
        self.answers, self.sent = Answers(), list[cmd.Command]()
        self.searcher = WakeSearch(hand.thread.send)
        self.size = (380.0, 1000.0)
        gui.io.display_size = (1000, 1100)  # type: ignore[assignment]

    @property
    def snapshot(self) -> Snapshot:
        return self.hand.thread.latest

    def draw(self) -> None:
        view, snapshot = self.view, self.snapshot
        view.instruments.begin(snapshot.model, self.answers)
        view.of(LensState).found = self.searcher.latest
        imgui.set_next_window_pos((0, 0))
        imgui.set_next_window_size(self.size)
        imgui.begin("lens")
        self.panel(snapshot, view, self.sent.append)
        imgui.end()
        self.asked = view.instruments.end()
        self.request = view.of(LensState).take_request()

    def shown(self) -> set[str]:
        """Texts and labels when all is answered."""
        for _ in range(3):
            self.gui.frame(self.draw, 2)
            self._answer()
        self.gui.frame(self.draw, 2)
        return {*self.gui.texts, *self.gui.rects}

    def _answer(self) -> None:
        taken: list[TakenMoment] = []
        self.hand.send(cmd.TakeMoment(taken.append))
        (moment,) = taken
        model = moment.model.copy()
        here = Moment(moment, model, model.engine.Data(model))
        found = {q: Answer(q.answer(here), "", moment.branch, moment.step, moment.time) for q in self.asked}
        self.answers = Answers(found, moment.identity, self.answers.version + 1)
        self.searcher.want(self.request)
        idle = 0
        while idle < 3:
            before = self.searcher.latest.version
            self.searcher.turn(20.0 if self.searcher._waiting else 0.0)
            idle = idle + 1 if self.searcher.latest.version == before and not self.searcher._waiting else 0

    def colours(self) -> np.ndarray:
        found = self.view.instruments.colours
        assert found is not None
        return found


@pytest.fixture(scope="module")
def hand(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hand]:
    made = Hand(tmp_path_factory.mktemp("lens"), XML)
    yield made
    made.thread.close()


@pytest.fixture
def bench(gui: Gui, hand: Hand) -> Bench:
    """The first ball was pushed at step 10, and has hit the second one."""
    hand.restart()
    hand.send(cmd.StepOnce(10))
    hand.send(cmd.SetData("qvel", 0, (2.0,)))
    hand.send(cmd.StepOnce(30))
    return Bench(gui, hand)


def text_with(shown: set[str], part: str) -> str:
    return next((text for text in shown if part in text), "")


def test_without_a_selection_it_says_what_to_do(bench: Bench) -> None:
    shown = bench.shown()
    assert text_with(shown, "Select a body or choose a tree")
    assert {mode.name for mode in MODES} <= shown
    assert bench.request is None


def test_why_it_is_awake_who_woke_it_and_what_lets_it_sleep(bench: Bench) -> None:
    bench.view.select("body", 3)
    shown = bench.shown()
    assert text_with(shown, "b1 is awake because it")
    lines = [text for text in bench.gui.texts if text.startswith(("b1:", "b0:"))]
    assert lines == ["b1: touched by b0 / g0", "b0: pushed by hand: b0 x"]
    assert text_with(shown, "Raise the sleep tolerance") and "Raise" in shown and "Put to sleep now" in shown
    bench.gui.click(bench.draw, "Raise")
    (raised,) = bench.sent
    assert isinstance(raised, cmd.SetField) and raised.path == "opt.sleep_tolerance"
    # what is said is true: it sleeps
    bench.hand.send(raised)
    bench.hand.send(cmd.StepOnce(11))
    assert bench.hand.state.tree_asleep[1] >= 0


def test_a_click_on_a_wake_goes_there_and_selects_what_did_it(bench: Bench) -> None:
    bench.view.select("body", 3)
    bench.shown()
    woke = bench.searcher.latest.links[0]
    place = bench.gui.text_rects["b1: touched by b0 / g0"]
    bench.gui.click_at(bench.draw, (place[0] + place[2]) / 2, (place[1] + place[3]) / 2)
    assert bench.sent == [cmd.GoTo(woke.step, bench.snapshot.run.history.branch)]
    assert bench.view.selection == Selection("geom", 1)
    # it is still about the same tree, and its chain stays at all moments of it
    first = bench.searcher.latest.links[-1].step
    for step in (woke.step, first, 40):
        bench.hand.send(cmd.GoTo(step))
        bench.shown()
        assert bench.view.of(LensState).tree == 1 and "b1: touched by b0 / g0" in bench.gui.texts
    # another moment has its own
    bench.hand.send(cmd.GoTo(first + 1))
    assert "b1: awake since the start" in bench.shown()


def test_an_actuator_is_named_and_a_click_selects_it(bench: Bench) -> None:
    bench.view.select("tree", ARM)
    shown = bench.shown()
    assert text_with(shown, "the actuator hoist acts on it")
    assert "Put to sleep now" not in shown
    bench.gui.click(bench.draw, "actuator hoist##link0")
    assert bench.view.selection == Selection("actuator", 0)
    bench.gui.click(bench.draw, "Allow")
    assert bench.sent == [cmd.SetField("tree_sleep_policy", float(enums.SLEEP_ALLOWED), (ARM,))]


def test_colours_of_bodies(bench: Bench) -> None:
    bench.shown()
    # islands, as they are shown by N
    model, state = bench.snapshot.model, bench.snapshot.state
    assert model is not None and state is not None
    assert np.array_equal(bench.colours(), island_colours(model, state))
    bench.gui.click(bench.draw, "kinetic")
    assert bench.view.of(LensState).mode == "kinetic"
    bench.shown()
    colours = bench.colours()
    assert colours.shape == (6, 3)
    # the post is fixed, the last ball sleeps, two balls move, the arm is at rest
    assert colours[1].tolist() == pytest.approx(NOTHING) and colours[4].tolist() == pytest.approx(ASLEEP)
    assert colours[2].sum() > colours[5].sum()
    # again: the colours of the model
    bench.gui.click(bench.draw, "kinetic")
    bench.shown()
    assert bench.view.instruments.colours is None


@pytest.mark.parametrize("mode", sorted(BY_NAME))
def test_every_mode_has_a_scale_and_is_explained(bench: Bench, mode: str) -> None:
    bench.view.of(LensState).mode = mode
    bench.view.select("body", 3)
    bench.shown()
    assert len(bench.colours()) == 6
    assert bench.gui.unexplained(bench.draw) == []


def test_colours_stay_while_the_next_answer_is_computed(bench: Bench) -> None:
    bench.view.of(LensState).mode = "constraints"
    bench.shown()
    before = bench.colours()
    # another tree is selected: its sentence is new, the colours are not
    bench.view.select("body", 2)
    bench.gui.frame(bench.draw, 1)
    assert np.array_equal(bench.colours(), before)


def test_a_row_of_the_table_selects_a_tree(bench: Bench) -> None:
    bench.hand.send(cmd.SetData("qpos", 21, (1.1,)))
    shown = bench.shown()
    summary = text_with(shown, " islands, ")
    # a measured time, of any size
    assert re.fullmatch(r"2 islands, \d+ constraints, \S+ [pnµm]?s", summary), (summary, bench.answers, sorted(shown))
    label = next(label for label in bench.gui.rects if label.endswith("###3"))
    bench.gui.click(bench.draw, label)
    assert bench.view.selection == Selection("tree", ARM) and bench.view.of(LensState).tree == ARM


def test_without_islands_it_says_whether_all_is_asleep(bench: Bench) -> None:
    bench.hand.restart()
    assert text_with(bench.shown(), "every awake tree moves independently")
    bench.hand.send(cmd.SetField("tree_sleep_policy", float(enums.SLEEP_ALLOWED), (ARM,)))
    for tree in range(bench.hand.model.ntree):
        bench.hand.send(cmd.PutToSleep(tree))
    assert (bench.hand.state.tree_asleep >= 0).all()
    assert text_with(bench.shown(), "every tree is asleep")


def test_sleep_that_is_off(bench: Bench) -> None:
    bench.hand.send(cmd.SetFlag("opt.enableflags", enums.ENBL_SLEEP, False))
    bench.view.select("body", 4)
    shown = bench.shown()
    assert text_with(shown, "its sleep flag is disabled")
    bench.gui.click(bench.draw, "Enable sleep")
    assert bench.sent == [cmd.SetFlag("opt.enableflags", enums.ENBL_SLEEP, True)]


def test_a_state_of_nan_is_shown(bench: Bench) -> None:
    bench.hand.send(cmd.SetData("qvel", 0, (float("nan"),)))
    bench.view.select("body", 2)
    for mode in BY_NAME:
        bench.view.of(LensState).mode = mode
        assert bench.shown()


def test_models_without_anything_to_show(gui: Gui, tmp_path: Path) -> None:
    hand = Hand(tmp_path, "<mujoco><worldbody><geom size='.1'/></worldbody></mujoco>")
    try:
        assert text_with(Bench(gui, hand).shown(), "Nothing moves in this model")
    finally:
        hand.thread.close()


def test_it_is_opened_where_the_question_comes_up(bench: Bench) -> None:
    view = bench.view
    view.select("body", 3)
    for panel, label in ((inspector_panel, "Why awake"), (islands_panel, "Lens")):
        bench.panel, bench.size = panel, (900.0, 500.0)
        bench.shown()
        bench.gui.click(bench.draw, label)
        assert view.instruments.requested.pop() == "Lens"
    bench.panel = status_line
    bench.shown()
    awake = text_with(set(bench.gui.texts), "awake")
    x0, y0, x1, y1 = bench.gui.text_rects[awake]
    bench.gui.click_at(bench.draw, (x0 + x1) / 2, (y0 + y1) / 2)
    assert view.instruments.requested == ["Lens"]


def test_a_model_of_another_engine(gui: Gui, bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    lens = bench.view.of(LensState)
    lacks = {"why_awake": "it does not tell what woke it", "island_costs": "it does not tell what it costs"}
    model = bench.snapshot.model
    assert model is not None
    monkeypatch.setitem(model.__dict__, "lacks", lacks)
    monkeypatch.setattr(sim, "LACKS", lacks)
    bench.hand.send(cmd.SetData("qpos", 21, (1.1,)))
    bench.view.select("body", 3)
    shown = bench.shown()
    assert "it does not tell what woke it" in shown and text_with(shown, "b1 is awake because")
    assert "it does not tell what it costs" in shown
    assert bench.request is None
    bench.gui.click(bench.draw, "time")
    assert lens.mode == "island"
    # a mode that was chosen with the other engine
    lens.mode = "residual"
    bench.shown()
    assert lens.mode == "island"
