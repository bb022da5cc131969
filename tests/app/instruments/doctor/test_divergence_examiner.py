"""The examiner: reports and trials of runs in the simulation's history, on copies; also retrace.py."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

import sim
from app.background.model_copies import ModelCopies
from app.instruments.doctor import divergence_examiner as module
from app.instruments.doctor.divergence_examiner import Case, DivergenceExaminer, Examined, Request
from app.instruments.doctor.post_mortem_state import PostMortemState
from app.instruments.doctor.retrace import retrace
from app.model.problem import Problem
from app.model.selection import Selection
from app.run import commands as cmd
from app.run.fix import as_one
from app.run.history.excerpt import Excerpt
from app.run.passive import PassiveSimulation
from sim.enums import DSBL_AUTORESET
from tests.app.instruments.doctor.exploding import arm
from tests.app.live import Hand
from tests.app.run.test_sim_thread import wait_for

WRIST = Selection("actuator", 2)
CALM, WILD = (
    as_one((cmd.SetField("actuator_gainprm", kp, (2,), 0), cmd.SetField("actuator_biasprm", -kp, (2,), 1)))[0]
    for kp in (1.0, 2000.0)
)


@pytest.fixture(scope="module")
def loaded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hand]:
    """One simulation for all tests here."""
    hand = Hand(tmp_path_factory.mktemp("examiner"), arm())
    yield hand
    hand.thread.close()


@pytest.fixture
def hand(loaded: Hand) -> Hand:
    """The simulation at its start, as the file has it."""
    loaded.restart()
    return loaded


def explode(hand: Hand, calm_steps: int = 150) -> Problem:
    """A while in which the user sets a control, then a gain that is far too high."""
    hand.send(cmd.StepOnce(calm_steps))
    hand.send(cmd.SetData("ctrl", 1, (0.4,)))
    hand.send(cmd.StepOnce(calm_steps))
    hand.send(cmd.SetData("ctrl", 2, (0.3,)))
    hand.send(WILD)
    problem = hand.send(cmd.StepOnce(60)).run.problem
    assert problem is not None
    assert problem.moment is not None
    return problem


def case_of(hand: Hand, problem: Problem) -> Case:
    assert problem.moment is not None
    return Case(hand.thread.latest.run.history.run, problem.branch, problem.moment)


def turns(examiner: DivergenceExaminer) -> Examined:
    """Let it do all that there is to do."""
    while examiner.busy:
        assert examiner.turn(20.0)
    return examiner.latest


@pytest.mark.parametrize("autoreset", [True, False])
def test_the_culprit_is_found_in_the_history(hand: Hand, autoreset: bool) -> None:
    hand.send(cmd.SetFlag("opt.disableflags", DSBL_AUTORESET, not autoreset))
    problem = explode(hand)
    examiner = DivergenceExaminer(hand.thread.send)
    case = case_of(hand, problem)
    examiner.want(Request(case))
    found = turns(examiner)
    assert found.error == ""
    assert found.found is not None
    assert found.found.findings[0].selection == WRIST
    assert problem.moment is not None
    assert 300 <= found.sane <= problem.moment
    # a second before is before the start
    assert found.start == 0
    assert found.seconds == pytest.approx(0.002 * (problem.moment + 1))
    examiner.want(Request(case, begin_trials=True))
    tried = turns(examiner)
    assert not tried.trying
    assert len(tried.verdicts) == tried.total == len(found.found.fixes)
    survived = tried.verdict(found.found.findings[0].fixes[0])
    assert survived is not None
    assert survived.survived
    # the control that was set meanwhile was set again: to the last sane step it moves as it did
    timestep = next(verdict for verdict in tried.verdicts if verdict.fixes[0].text.startswith("timestep / 10"))
    assert 0 < timestep.differs < 0.02
    # nothing has changed in the run
    assert hand.field("actuator_gainprm")[2, 0] == 2000
    assert hand.thread.latest.run.history.branch == problem.branch


def test_trials_are_the_same_each_time_and_can_be_ended(hand: Hand) -> None:
    examiner = DivergenceExaminer(hand.thread.send)
    case = case_of(hand, explode(hand))
    examiner.want(Request(case))
    turns(examiner)
    examiner.want(Request(case, begin_trials=True))
    first = turns(examiner).verdicts
    examiner.want(Request(case, begin_trials=True))
    assert turns(examiner).verdicts == first
    examiner.want(Request(case, begin_trials=True))
    examiner.want(Request(case, end_trials=True))
    assert turns(examiner).verdicts == first
    assert not examiner.latest.trying


def test_try_begins_a_branch_and_the_old_future_stays(hand: Hand) -> None:
    problem = explode(hand)
    before = hand.thread.latest.run.history
    rows = [hand.thread.live.history.row(before.branch, step) for step in range(before.last + 1)]
    examiner = DivergenceExaminer(hand.thread.send)
    examiner.want(Request(case_of(hand, problem)))
    found = turns(examiner)
    assert found.found is not None
    fix = found.found.findings[0].fixes[0]
    hand.send(cmd.TryFix(found.start, problem.branch, as_one(fix.edits)))
    wait_for(hand.thread, lambda snapshot: snapshot.run.history.now > found.start)
    after = hand.send(cmd.SetPaused(True)).run
    assert after.history.branch != problem.branch
    assert after.history.find(after.history.branch).fork == found.start
    assert after.history.now > found.start
    old = hand.thread.live.history
    assert all(np.array_equal(old.row(problem.branch, step), row) for step, row in enumerate(rows))
    assert hand.field("actuator_gainprm")[2, 0] < 100
    # one undo takes it back, here and now
    hand.send(cmd.Undo())
    assert hand.field("actuator_gainprm")[2, 0] == 1
    assert hand.thread.latest.run.history.branch == after.history.branch


def test_a_fix_that_waits_for_kernels_goes_on_once_it_is_made(hand: Hand) -> None:
    problem = explode(hand)
    integrator = cmd.SetField("opt.integrator", 3.0)
    hand.send(cmd.TryFix(100, problem.branch, (CALM, integrator)))
    history = hand.send(cmd.SetPaused(True)).run.history
    assert hand.field("opt.integrator") == 3
    assert history.branch != problem.branch
    assert hand.thread.live.history.run.find(history.branch, history.now).edits.cells["opt.integrator"]


def test_steps_that_are_missing_are_asked_for(hand: Hand, monkeypatch: pytest.MonkeyPatch) -> None:
    problem = explode(hand)
    asked: list[int] = []

    def send(command: cmd.Command) -> None:
        assert isinstance(command, cmd.TakeExcerpt)
        asked.append(command.last - command.first)
        hand.thread.send(command)

    # too few to see anything but absurd speeds
    monkeypatch.setattr(module, "FIRST_STEPS", 1)
    examiner = DivergenceExaminer(send)
    examiner.want(Request(case_of(hand, problem)))
    found = turns(examiner)
    assert asked[:2] == [1, 4]
    assert found.found is not None
    assert found.found.findings[0].selection == WRIST


def test_a_course_begins_where_a_branch_does(hand: Hand) -> None:
    explode(hand)
    hand.send(cmd.GoTo(200))
    hand.send(WILD)
    hand.send(cmd.SetData("ctrl", 2, (0.3,)))
    problem = hand.send(cmd.StepOnce(60)).run.problem
    assert problem is not None
    examiner = DivergenceExaminer(hand.thread.send)
    examiner.want(Request(case_of(hand, problem)))
    assert turns(examiner).start == 200


def test_a_branch_that_is_gone() -> None:
    examiner = DivergenceExaminer(lambda command: command.reply(None))  # type: ignore[attr-defined]
    examiner.want(Request(Case(1, 7, 10)))
    assert "no longer recorded" in turns(examiner).error


def test_what_a_script_did_cannot_be_repeated() -> None:
    model = sim.loads(arm(servo="kp='2000'"))
    data = sim.Data(model)
    passive = PassiveSimulation(sim, model, data)
    while not passive.latest.run.ready:
        passive.sync()
    data.ctrl[2] = 0.3
    for _ in range(20):
        sim.step(model, data)
        passive.publisher.published = passive._looked = -1.0
        passive.sync()
    problem = passive.latest.run.problem
    assert problem is not None
    examiner = DivergenceExaminer(passive.send)
    examiner.want(Request(Case(passive.latest.run.history.run, problem.branch, problem.moment or 0)))
    assert examiner.turn(1.0)
    passive.sync()
    found = turns(examiner)
    passive.close()
    assert found.found is not None
    assert found.found.findings[0].selection == WRIST
    assert not found.same_inputs


def test_retrace_starts_after_the_last_reset(hand: Hand) -> None:
    hand.send(cmd.SetData("ctrl", 2, (0.3,)))
    hand.send(WILD)
    # it diverges again and again
    hand.send(cmd.StepOnce(100))
    taken: list[Excerpt | None] = []
    copies = ModelCopies()

    def take(part: Excerpt | None) -> None:
        assert part is not None
        copies.of(part.models[0])
        taken.append(part)

    rows = [hand.thread.live.history.row(hand.thread.live.history.branch, step)[0] for step in range(101)]
    resets = np.flatnonzero(np.diff(rows) <= 0)
    assert len(resets) > 1
    hand.send(cmd.TakeExcerpt(hand.thread.live.history.branch, 0, int(resets[1]), take))
    assert taken[0] is not None
    found = retrace(taken[0], copies)
    assert found.start == int(resets[0]) + 1
    assert not found.too_short


def test_the_card_asks_once_for_trials() -> None:
    shown, case = PostMortemState(folded=True), Case(1, 0, 5)
    assert shown.take_request() is None
    assert shown.show(case).found is None
    assert not shown.folded
    shown.begin_trials = True
    assert shown.take_request() == Request(case, begin_trials=True)
    shown.end_trials = True
    assert shown.take_request() == Request(case, end_trials=True)
    assert shown.take_request() == Request(case)
    shown.found = Examined(case, sane=3)
    assert shown.show(case).sane == 3
    assert shown.show(Case(1, 0, 6)).sane == 0
