"""The Sweep panel: what is asked, pictures and numbers of values, what a click sends; and ways to it."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np
import pytest
from imgui_bundle import imgui

import sim
from app.background.field_choice import options_of
from app.instruments.ab.state import AbState
from app.instruments.ab.subject import EditedCopy
from app.instruments.sweep.batch import with_distances
from app.instruments.sweep.open import sweep_cell
from app.instruments.sweep.outcome import Outcome, outcome_of
from app.instruments.sweep.panel import sweep_panel
from app.instruments.sweep.quantities import SMALLEST, Quantity
from app.instruments.sweep.start import start_of
from app.instruments.sweep.state import SweepState
from app.instruments.sweep.worker import Sweep
from app.model.editable import BY_PATH
from app.run.commands import Command, ResetField, SetField, TryFix
from app.run.history.timeline import Timeline
from app.run.run_state import RunState
from app.run.snapshot import Snapshot, edited_view, view_model, view_state
from app.view.view_state import ViewState
from app.window.overlays.palette.entries import found_entries
from app.window.panels.field import field_row
from app.window.panels.inspector.panel import inspector_panel
from sim.edits import NO_EDITS
from tests.app.gui_driver import Gui

XML = """<mujoco><worldbody><geom name='floor' type='plane' size='5 5 .1'/><camera name='eye' pos='0 -3 1'/>
  <body name='ball' pos='0 0 1'><freejoint/><geom name='ball' size='.1'/></body>
  <body name='arm' pos='1 0 1'><joint name='hinge' axis='0 1 0' damping='.5'/><geom size='.1' pos='.3 0 0'/></body>
</worldbody><actuator><position name='servo' joint='hinge' kp='30'/></actuator></mujoco>"""
HEIGHT = Quantity("d.qpos[2]", goal=SMALLEST)


@dataclass
class Bench:
    """The panel in a window of its own."""

    gui: Gui
    model: sim.Model
    snapshot: Snapshot
    view: ViewState = field(default_factory=ViewState)
    sent: list[Command] = field(default_factory=list)
    width: float = 380.0

    def draw(self) -> None:
        self.view.instruments.begin(self.snapshot.model, self.view.instruments.answers)
        imgui.set_next_window_pos((0, 0))
        imgui.set_next_window_size((self.width, 900))
        imgui.begin("sweep")
        sweep_panel(self.snapshot, self.view, self.sent.append)
        imgui.end()
        self.view.instruments.end()

    def choose(self, name: str = "gravity z", text: str = "") -> None:
        """As the user would, in the combo."""
        sweep = self.view.of(SweepState)
        assert self.snapshot.model is not None
        choice = next(one for one in options_of(self.snapshot.model) if one.name == name)
        sweep.follow(self.snapshot)
        sweep.choose(choice, self.snapshot.model)
        sweep.text = text or sweep.text

    def finish(self) -> Sweep:
        """All outcomes of what was asked for."""
        sweep = self.view.of(SweepState)
        request = sweep.request
        assert request is not None
        d = sim.Data(self.model)
        start = start_of(self.model, NO_EDITS, [sim.get_state(self.model, d, sim.record_signature(self.model))])
        values = enumerate(request.task.values)
        outcomes = {k: outcome_of(request.task, start, value, lambda share: True) for k, value in values}
        sweep.found = Sweep(request, outcomes, (1.0,) * len(outcomes), done=True, version=1)
        return sweep.found

    def shown(self) -> str:
        """All texts after some frames."""
        self.gui.frame(self.draw, 3)
        return "\n".join((*self.gui.texts, *self.gui.rects))


@pytest.fixture
def bench(gui: Gui) -> Bench:
    m = sim.loads(XML)
    d = sim.Data(m)
    sim.forward(m, d)
    run = RunState(path="a.xml", ready=True, history=Timeline())
    return Bench(gui, m, Snapshot(1, run, view_model(m), view_state(d)))


def test_without_a_model_or_a_field_it_says_what_to_do(bench: Bench) -> None:
    assert "Choose a field of the model" in bench.shown()
    bench.snapshot = replace(bench.snapshot, model=None, state=None)
    assert "no model" in bench.shown()


def test_run_asks_for_the_values(bench: Bench) -> None:
    bench.choose(text="-2 -4")
    bench.gui.click(bench.draw, "Run 3 values")
    request = bench.view.of(SweepState).request
    assert request is not None and request.task.values == (-9.81, -4.0, -2.0)
    assert (request.present, request.timeline) == (-9.81, bench.snapshot.run.history)


def test_stop_cancels(bench: Bench) -> None:
    sweep = bench.view.of(SweepState)
    bench.choose()
    sweep.run(bench.snapshot)
    request = sweep.request
    assert request is not None
    sweep.found = Sweep(request, shares=(0.5,) * 5, version=1)
    assert "50 %" in bench.shown()
    bench.gui.click(bench.draw, "Stop")
    assert request.cancelled.is_set()


def test_wrong_values_are_told_and_not_run(bench: Bench) -> None:
    bench.choose("timestep", "0.001 abc")
    assert "'abc' is not a number" in bench.shown()
    bench.gui.click(bench.draw, "Run")
    assert bench.view.of(SweepState).request is None


def test_values_of_a_range_and_around(bench: Bench) -> None:
    sweep = bench.view.of(SweepState)
    bench.choose("timestep", "1")
    sweep.range = (0.001, 0.004, 3, True)
    bench.gui.click(bench.draw, "range")
    bench.gui.click(bench.draw, "Use these")
    assert sweep.text == "0.001 0.002 0.004"
    bench.gui.click(bench.draw, "around")
    assert sweep.text == "0.0005 0.001 0.002 0.004 0.008"


def test_take_sends_the_command_of_its_value(bench: Bench) -> None:
    sweep = bench.view.of(SweepState)
    bench.choose(text="-2 -4")
    sweep.seconds, sweep.quantities = 0.1, (HEIGHT,)
    sweep.run(bench.snapshot)
    bench.finish()
    shown = bench.shown()
    assert "current" in shown
    bench.gui.click(bench.draw, "Take")
    assert len(bench.sent) == 1
    (command,) = bench.sent
    # of one of the two others, not of the present one
    assert isinstance(command, SetField) and (command.path, command.rows) == ("opt.gravity", (2,))
    assert command.value in (-4.0, -2.0)


def test_a_value_that_was_taken_is_the_present_one(bench: Bench) -> None:
    sweep = bench.view.of(SweepState)
    bench.choose(text="-2")
    sweep.seconds, sweep.quantities = 0.02, (HEIGHT,)
    sweep.run(bench.snapshot)
    bench.finish()
    assert bench.snapshot.model is not None
    bench.model.opt.gravity[2] = -2.0
    bench.snapshot = replace(bench.snapshot, model=edited_view(bench.snapshot.model, bench.model, ("opt.gravity",)))
    bench.gui.click(bench.draw, "Take")
    # back to what it was
    assert [getattr(command, "value", None) for command in bench.sent] == [-9.81]


def test_a_click_shows_a_ghost_and_offers_more(bench: Bench) -> None:
    sweep = bench.view.of(SweepState)
    bench.choose(text="-2")
    sweep.seconds = 0.1
    sweep.run(bench.snapshot)
    found = bench.finish()
    bench.gui.click(bench.draw, "##picture 1")
    assert sweep.chosen == 1
    sweep.reel.position = 99.0
    bench.shown()
    ghost = bench.view.instruments.ghost
    assert ghost is not None and ghost.state is found.outcomes[1].frames[-1].state
    bench.gui.click(bench.draw, "Take -2 m/s²")
    bench.gui.click(bench.draw, "Continue from the start")
    taken = SetField("opt.gravity", -2.0, (2,), None, (), "gravity z")
    assert bench.sent == [taken, TryFix(0, 0, (taken,))]
    bench.gui.click(bench.draw, "A/B")
    assert bench.view.instruments.requested == ["A/B"]
    request = sweep.request
    assert request is not None
    assert bench.view.of(AbState).subject == EditedCopy().with_change(request.task.choice, -2.0)
    bench.gui.click(bench.draw, "##picture 1")
    assert sweep.chosen == -1
    bench.shown()
    assert bench.view.instruments.ghost is None


def test_numbers_and_divergences_are_in_the_table(bench: Bench) -> None:
    sweep = bench.view.of(SweepState)
    bench.choose("timestep", "0.002 0.7")
    sweep.seconds = 60.0
    sweep.quantities = (HEIGHT, Quantity("d.nothing"))
    sweep.run(bench.snapshot)
    request = sweep.request
    assert request is not None
    outcome = replace(bench_outcome(bench), divergence="diverged: qvel[6]", diverged=0.7, seconds=0.7)
    fine = bench_outcome(bench)
    sweep.found = Sweep(request, {0: fine, 1: outcome}, (1.0, 1.0), done=True, version=1)
    bench.width = 900.0
    shown = bench.shown()
    assert "diverged at 0.7 s" in shown and "ok" in shown
    assert "–" in shown


def bench_outcome(bench: Bench) -> Outcome:
    request = bench.view.of(SweepState).request
    assert request is not None
    d = sim.Data(bench.model)
    start = start_of(bench.model, NO_EDITS, [sim.get_state(bench.model, d, sim.record_signature(bench.model))])
    return outcome_of(replace(request.task, seconds=0.01), start, 0.002, lambda share: True)


def test_it_says_that_nothing_depends_on_a_number(bench: Bench) -> None:
    sweep = bench.view.of(SweepState)
    bench.choose("wind x", "5")
    sweep.seconds = 0.02
    sweep.run(bench.snapshot)
    found = bench.finish()
    outcomes = with_distances(tuple(found.outcomes.values()), 0.0)
    sweep.found = replace(found, outcomes=dict(enumerate(outcomes)))
    assert "lead to the same motion" in bench.shown()


def test_quantities_are_edited(bench: Bench) -> None:
    sweep = bench.view.of(SweepState)
    bench.choose()
    bench.gui.click(bench.draw, "Quantities")
    before = sweep.measured(bench.snapshot)
    bench.gui.click(bench.draw, "Add")
    bench.gui.click(bench.draw, "iterations()")
    assert sweep.quantities is not None and sweep.quantities[-1].name == "max iterations"
    assert sweep.quantities is not None and len(sweep.quantities) == len(before) + 1
    bench.gui.click(bench.draw, "remove")
    assert sweep.quantities is not None and len(sweep.quantities) == len(before)


def test_the_slider_holds_the_pictures(bench: Bench) -> None:
    sweep = bench.view.of(SweepState)
    bench.choose(text="-2")
    sweep.run(bench.snapshot)
    sweep.seconds = 0.05
    bench.finish()
    assert sweep.reel.playing
    bench.gui.click(bench.draw, "##time")
    assert not sweep.reel.playing
    assert sweep.reel.time(2.0) == pytest.approx(1.0, abs=0.1)
    bench.gui.click(bench.draw, "play")
    assert sweep.reel.playing


@pytest.mark.parametrize("width", [300.0, 380.0, 1200.0])
def test_pictures_fit_the_panel(bench: Bench, width: float) -> None:
    bench.choose()
    bench.view.of(SweepState).seconds, bench.width = 0.02, width
    bench.view.of(SweepState).run(bench.snapshot)
    bench.finish()
    bench.shown()
    rects = [bench.gui.rects[f"##picture {place}"] for place in range(5)]
    assert max(right for _, _, right, _ in rects) <= width
    assert len({left for left, _, _, _ in rects}) == (2 if width < 400 else 5)
    # buttons are below their own picture
    takes = [rect for label, rect in bench.gui.rects.items() if label == "Take"]
    assert takes and all(any(abs(rect[2] - right) < 2 for _, _, right, _ in rects) for rect in takes)


def test_everything_is_explained(bench: Bench) -> None:
    sweep = bench.view.of(SweepState)
    bench.choose()
    sweep.seconds = 0.02
    sweep.run(bench.snapshot)
    bench.finish()
    sweep.chosen = 1
    assert bench.gui.unexplained(bench.draw) == []


# ---- ways to it


def test_ctrl_right_click_on_a_number_opens_it(bench: Bench) -> None:
    row = BY_PATH["opt.timestep"]

    def draw() -> None:
        imgui.set_next_window_pos((0, 0))
        imgui.set_next_window_size((380, 300))
        imgui.begin("field")
        field_row(row, (), bench.snapshot, bench.view, bench.sent.append)
        imgui.end()

    bench.gui.click(draw, "##opt.timestep", 1)
    assert bench.sent == [ResetField("opt.timestep")] and not bench.view.instruments.requested
    bench.gui.io.add_key_event(imgui.Key.mod_ctrl, True)
    bench.gui.click(draw, "##opt.timestep", 1)
    bench.gui.io.add_key_event(imgui.Key.mod_ctrl, False)
    assert bench.view.instruments.requested == ["Sweep"]
    assert bench.view.of(SweepState).choice is not None and bench.view.of(SweepState).choice.path == "opt.timestep"
    assert len(bench.sent) == 1


def test_parameters_too(bench: Bench) -> None:
    bench.view.select("actuator", 0)

    def draw() -> None:
        imgui.set_next_window_pos((0, 0))
        imgui.set_next_window_size((380, 1200))
        imgui.begin("inspector")
        inspector_panel(bench.snapshot, bench.view, bench.sent.append)
        imgui.end()

    bench.gui.io.add_key_event(imgui.Key.mod_ctrl, True)
    bench.gui.click(draw, "##actuator_gainprm(0,)[0]", 1)
    bench.gui.io.add_key_event(imgui.Key.mod_ctrl, False)
    choice = bench.view.of(SweepState).choice
    assert choice is not None and choice.label == "kp of actuator servo"
    assert bench.view.of(SweepState).text == "7.5 15 30 60 120"
    assert not bench.sent


def test_the_palette_finds_it(bench: Bench) -> None:
    bench.view.select("actuator", 0)
    found, _ = found_entries(bench.snapshot, bench.view, bench.sent.append, lambda _: None, "sweep kp")
    assert found[0].title == "sweep kp of actuator servo"
    found[0].do()
    assert bench.view.of(SweepState).choice is not None and bench.view.of(SweepState).choice.name == "kp"
    found, _ = found_entries(bench.snapshot, bench.view, bench.sent.append, lambda _: None, "timestep")
    assert not found[0].title.startswith("sweep")


def test_softness_leads_to_it(bench: Bench) -> None:
    assert bench.snapshot.model is not None
    sweep_cell("geom_solref", 1, 0, bench.snapshot.model, bench.view)
    choice = bench.view.of(SweepState).choice
    assert choice is not None and (choice.path, choice.rows, choice.column) == ("geom_solref", (1,), 0)
    assert np.isclose(choice.value(bench.snapshot.model), 0.02)
    sweep_cell("geom_rgba", 1, 0, bench.snapshot.model, bench.view)
    assert "nothing to sweep" in bench.view.feedback.message
