"""Divergence: found, reported, marked and shown, with the real engine behind the simulation thread."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

import sim
from app.run import commands as cmd
from app.run.history import divergence
from app.run.history.history import History
from app.run.history.markers import MarkerType
from app.scene.camera import in_reach
from sim.edits import NO_EDITS
from sim.enums import DSBL_AUTORESET, MAXVAL
from tests.app.gui_driver import Gui
from tests.app.live import Hand, LiveDesk
from tests.app.run.test_sim_thread import wait_for

# a spring that is far too stiff for its timestep, beside a ball that minds its own business
STIFF = """<mujoco>
<option timestep='.02'/>
<worldbody>
  <body name='ball'><freejoint name='free'/><geom size='.1'/></body>
  <body name='arm' pos='0 0 1'>
    <joint name='hinge' axis='0 1 0' stiffness='30'/><geom size='.02' pos='.5 0 0' mass='.01'/>
    <body name='tip' pos='.5 0 0'>
      <joint name='wrist' axis='0 1 0' stiffness='5'/><geom size='.02' pos='.1 0 0' mass='.01'/><camera pos='0 -1 0'/>
    </body>
  </body>
</worldbody>
</mujoco>"""
PUSH = cmd.SetData("qvel", 6, (0.01,))


@pytest.fixture(scope="module")
def loaded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hand]:
    """One simulation for all tests here."""
    hand = Hand(tmp_path_factory.mktemp("divergence"), STIFF)
    yield hand
    hand.thread.close()


@pytest.fixture
def hand(loaded: Hand) -> Hand:
    """The simulation at its start, as the file has it."""
    loaded.restart()
    return loaded


def diverge(hand: Hand, most: int = 400, push: cmd.Command = PUSH) -> Any:
    """Step until it has happened; the marker."""
    hand.send(push)
    for _ in range(most):
        markers = hand.send(cmd.StepOnce()).run.history.markers
        if markers[-1].type is MarkerType.DIVERGENCE:
            return markers[-1]
    raise AssertionError("it is stable")


def test_starting_over_is_said_and_the_steps_before_can_be_looked_at(hand: Hand) -> None:
    marker = diverge(hand)
    run = hand.thread.latest.run
    assert run.time == pytest.approx(0.02)
    assert marker.moment == run.steps > 5
    problem = run.problem
    assert problem is not None
    assert problem.title == "The simulation has diverged and was reset"
    assert f"In step {marker.moment}, at {0.02 * (marker.moment - 1):.4g} s, the acceleration qacc[" in problem.text
    assert "joint wrist of body tip" in problem.text or "joint hinge of body arm" in problem.text
    assert marker.text.startswith("diverged, reset: qacc[")
    # the last state before it is the fastest of all, and the ball is nobody's fault
    assert problem.moment == marker.shown_moment == marker.moment - 1
    hand.send(cmd.GoTo(problem.moment))
    assert np.abs(hand.state.qvel[6:]).max() > 1e4
    assert np.abs(hand.state.qvel[:6]).max() < 10
    # one step on it diverges again, at the same moment
    assert hand.send(cmd.StepOnce(+1)).run.time == pytest.approx(0.02)


def test_the_status_line_counts_every_divergence(gui: Gui, hand: Hand) -> None:
    hand.send(PUSH)
    for _ in range(4):
        run = hand.send(cmd.StepOnce(100)).run
    timeline = run.history
    times = [hand.thread.live.history.row(timeline.branch, step)[0] for step in range(timeline.last + 1)]
    assert run.divergences == (np.diff(times) <= 0).sum() > 4
    assert hand.state.warning.number.sum() == 1
    LiveDesk(gui, hand).frames()
    assert f"acceleration diverged x {run.divergences}" in gui.texts
    assert hand.send(cmd.Reset()).run.divergences == 0


def test_a_run_from_the_step_before_diverges_again(hand: Hand) -> None:
    marker = diverge(hand)
    hand.thread.send(cmd.DismissProblem())
    hand.send(cmd.GoTo(marker.shown_moment))
    again = hand.send(cmd.SetData("qfrc_applied", 0, (0.0,)))
    assert again.run.history.last == marker.shown_moment
    assert again.run.problem is None
    again = hand.send(cmd.StepOnce())
    assert again.run.history.markers[-1] == marker
    assert again.run.problem is not None


def test_without_autoreset_it_goes_on_and_can_be_looked_at(hand: Hand) -> None:
    hand.send(cmd.SetFlag("opt.disableflags", DSBL_AUTORESET, True))
    marker = diverge(hand)
    problem = hand.thread.latest.run.problem
    assert problem is not None
    assert problem.title == "The simulation has diverged"
    assert "the autoreset flag is off" in problem.text
    shown = hand.send(cmd.StepOnce(300))
    assert not np.isfinite(hand.state.qpos).all()
    assert shown.run.history.markers[-1] == marker
    # every one of these moments can be shown; those before the divergence are sound
    for moment in range(marker.shown_moment - 2, shown.run.history.last, 7):
        assert hand.send(cmd.GoTo(moment)).run.steps == moment
    hand.send(cmd.GoTo(marker.shown_moment))
    assert np.isfinite(hand.state.qpos).all()
    assert np.isfinite(hand.state.xpos).all()
    # and back in the midst of it everything else still works
    hand.send(cmd.GoTo(shown.run.history.last))
    hand.send(cmd.SetField("opt.gravity", 0.0, (2,)))
    assert hand.send(cmd.Reset()).run.problem is None
    assert np.isfinite(hand.state.qpos).all()


@dataclass
class Rig:
    """A model, its state and its history, without a thread."""

    m: Any
    d: Any
    history: History

    @staticmethod
    def of(xml: str, **start: float) -> Rig:
        """At the start, with some coordinates changed."""
        m = sim.loads(xml)
        d = sim.Data(m)
        for name, value in start.items():
            d.read(name)[-1] = value
        history = History(sim, 1 << 20)
        history.show_version(0, m, d)
        history.begin("run 1", "start", NO_EDITS, None)
        return Rig(m, d, history)

    def show(self, moment: int) -> None:
        """Make a moment the present."""
        row = self.history.row(self.history.branch, moment)
        sim.set_state(self.m, self.d, row, sim.record_signature(self.m), check=False)
        sim.forward(self.m, self.d)
        self.history.present(self.history.branch, moment)

    def step(self, count: int) -> Any:
        """Steps, and what is wrong after them."""
        self.history.go_on(NO_EDITS, None)
        sim.step(self.m, self.d, count)
        return self.history.stepped(0.0)


@pytest.mark.parametrize("field", ["qpos", "qvel"])
def test_the_very_first_step(field: str) -> None:
    rig = Rig.of(STIFF, **{field: 1e11})
    problem = rig.step(1)
    assert f"At the start, the {divergence.QUANTITIES[field]} {field}[" in problem.text
    assert "joint wrist of body tip" in problem.text
    assert problem.moment == rig.history.timeline().markers[-1].shown_moment == 0


def test_several_in_one_native_call_are_one_mark() -> None:
    rig = Rig.of(STIFF.replace("stiffness='30'", "stiffness='30' springref='90'"))
    assert rig.step(400) is not None
    start, marker = rig.history.timeline().markers
    assert start.type is MarkerType.START
    assert marker.last > marker.moment > 1
    # it goes on like that, and is not said again
    assert rig.step(400) is None
    assert rig.history.timeline().markers[-1].last > marker.last


@pytest.mark.parametrize("integrator", ["Euler", "RK4", "implicit", "implicitfast"])
@pytest.mark.parametrize("flag", ["enable", "disable"])
@pytest.mark.parametrize("call", [1, 7, 200])
def test_the_moment_to_look_at_is_the_last_sane_one(integrator: str, flag: str, call: int) -> None:
    option = f"<option timestep='.02' integrator='{integrator}'><flag autoreset='{flag}'/></option>"
    stiff = STIFF.replace("<option timestep='.02'/>", option).replace(
        "stiffness='30'", "stiffness='3e4' springref='90'"
    )
    rig = Rig.of(stiff)
    problem = None
    while problem is None:
        problem = rig.step(call)
        assert rig.history.now < 1000
    rig.show(problem.moment)
    # as the engine sees it: neither the state is bad, nor does what follows from it make the one before bad
    assert np.abs(rig.d.qpos).max() <= MAXVAL
    assert np.abs(rig.d.qvel).max() <= MAXVAL
    # and it is the last: a step from here ends in a bad state, or does not end at all
    before = rig.d.time
    sim.step(rig.m, rig.d)
    worst = max(np.abs(part).max() for part in (rig.d.qpos, rig.d.qvel, rig.d.qacc_warmstart))
    assert rig.d.time <= before or not worst <= MAXVAL or problem.moment == 0
    assert f"In step {problem.moment + 1}, at {before:.4g} s" in problem.text


def test_a_ring_that_has_gone_round() -> None:
    rig = Rig.of(STIFF.replace("stiffness='30'", "stiffness='30' springref='90'"))
    rows = len(rig.d.trace.state)
    assert rig.step(3 * rows) is not None
    timeline = rig.history.timeline()
    assert (timeline.first, timeline.last) == (0, 3 * rows)
    # computed again
    rig.show(timeline.markers[-1].shown_moment)
    rig.show(7)
    assert rig.d.time == pytest.approx(rig.history.timeline().time_of(7))


def test_a_script_that_sets_the_time_back_is_not_a_divergence() -> None:
    rig = Rig.of(STIFF)
    assert rig.step(3) is None
    sim.reset(rig.m, rig.d)
    assert rig.step(3) is None
    assert [marker.type for marker in rig.history.timeline().markers] == [MarkerType.START, MarkerType.JUMP]


def test_no_camera_follows_what_has_diverged(hand: Hand) -> None:
    assert in_reach(hand.model, np.ones(3))
    for far in (np.nan, np.inf, -1e12):
        assert not in_reach(hand.model, np.array([0.0, far, 0.0]))


def test_running_into_it_neither_pauses_nor_fails(hand: Hand) -> None:
    hand.send(PUSH)
    hand.send(cmd.SetPaused(False))
    shown = wait_for(hand.thread, lambda s: s.run.problem is not None)
    assert not shown.run.paused
    wait_for(hand.thread, lambda s: s.run.steps > shown.run.steps + 10)
