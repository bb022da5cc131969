"""The probe: answers about exactly the moment that is shown, past or present, edits and pulls included; else idle."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

import sim
from app.background.probe import Moment, Probe, Request
from app.run import commands as cmd
from app.run.history.taken_rows import TakenMoment
from sim.script.model_edits import edits_of
from tests.app.live import Hand

XML = """<mujoco><option timestep='.01'/><worldbody><geom type='plane' size='1 1 1'/>
<body name='ball' pos='0 0 .2'><freejoint/><geom size='.1'/></body></worldbody></mujoco>"""


@dataclass(frozen=True)
class Acceleration:
    """qacc, as an array."""

    dof: int = 2

    def answer(self, moment: Moment) -> Any:
        return float(moment.data.qacc[self.dof])


@dataclass(frozen=True)
class Broken:
    def answer(self, moment: Moment) -> Any:
        raise ValueError("no such joint")


class Fake:
    """A simulation that hands out a state, and counts how often."""

    def __init__(self, xml: str = XML) -> None:
        self.model = sim.loads(xml)
        self.data = sim.Data(self.model)
        self.asked = 0
        self.identity = object()

    def send(self, command: cmd.Command) -> None:
        assert isinstance(command, cmd.TakeMoment)
        self.asked += 1
        state = sim.copy_state(self.model, self.data)
        command.reply(TakenMoment(self.model, edits_of(self.model), state, self.identity, 0, 7, float(self.data.time)))


def turns(probe: Probe, count: int = 4) -> None:
    for _ in range(count):
        assert probe.turn(wait=0.0)


def test_answers_are_those_of_forward_at_the_state() -> None:
    fake = Fake()
    sim.step(fake.model, fake.data, 20)
    probe = Probe(fake.send)
    probe.want(Request(frozenset([Acceleration()]), 1, running=False))
    turns(probe)
    expected = sim.Data(fake.model)
    sim.restore_state(fake.model, expected, sim.copy_state(fake.model, fake.data))
    sim.forward(fake.model, expected)
    answer = probe.latest.answers[Acceleration()]
    assert (answer.value, answer.error, answer.step) == (expected.qacc[2], "", 7)
    assert answer.value > -5.0, "the ball touches the floor"
    assert probe.latest.identity is fake.identity


def test_a_question_is_answered_once_for_a_snapshot() -> None:
    fake = Fake()
    probe = Probe(fake.send)
    for serial, expected in ((1, 1), (1, 1), (2, 2)):
        probe.want(Request(frozenset([Acceleration()]), serial, running=False))
        turns(probe)
        assert fake.asked == expected
    probe.want(Request(frozenset([Acceleration(), Acceleration(1)]), 2, running=False))
    turns(probe)
    assert fake.asked == 3 and len(probe.latest.answers) == 2


def test_nothing_is_asked_of_the_simulation_without_questions() -> None:
    fake = Fake()
    probe = Probe(fake.send)
    for serial in range(5):
        probe.want(Request(frozenset(), serial, running=True))
        turns(probe)
    assert fake.asked == 0


def test_a_question_that_fails_says_why_and_the_others_are_answered() -> None:
    fake = Fake()
    probe = Probe(fake.send)
    probe.want(Request(frozenset([Acceleration(), Broken()]), 1, running=False))
    turns(probe)
    assert "no such joint" in probe.latest.answers[Broken()].error
    assert probe.latest.answers[Acceleration()].value == pytest.approx(-9.81)


def test_scratch_is_at_the_same_state_each_time() -> None:
    fake = Fake()
    sim.step(fake.model, fake.data, 3)
    state = sim.copy_state(fake.model, fake.data)
    moment = Moment(
        TakenMoment(fake.model, edits_of(fake.model), state, None, 0, 3, 0.03), fake.model, sim.Data(fake.model)
    )
    first = moment.scratch()[1]
    sim.step(fake.model, first, 5)
    model, second = moment.scratch()
    assert np.array_equal(second.qpos, fake.data.qpos) and second.time == fake.data.time
    assert np.array_equal(moment.data.qpos, fake.data.qpos)
    assert model is moment.model


def test_rests_while_the_simulation_runs() -> None:
    fake, rests = Fake(), list[float]()
    probe = Probe(fake.send, rests.append)
    probe.want(Request(frozenset([Acceleration()]), 1, running=True))
    turns(probe)
    assert len(rests) == 1 and rests[0] >= 0.03


@pytest.fixture(scope="module")
def hand(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hand]:
    made = Hand(tmp_path_factory.mktemp("probe"))
    yield made
    made.thread.close()


def test_past_and_present_of_a_run_with_its_edits(hand: Hand) -> None:
    probe = Probe(hand.thread.send)
    expected = [-10.0, -10.0, -5.0, -10.0]
    commands = (
        cmd.StepOnce(10), cmd.StepOnce(10), cmd.SetField("opt.gravity", -5.0, (2,)), cmd.GoTo(4)
    )  # fmt: skip
    for command, falls in zip(commands, expected, strict=True):
        snapshot = hand.send(command)
        probe.want(Request(frozenset([Acceleration()]), snapshot.serial, running=False))
        version = probe.latest.version
        while probe.latest.version == version:
            probe.turn(wait=0.05)
        answer = probe.latest.answers[Acceleration()]
        assert answer.value == pytest.approx(falls)
        assert answer.step == snapshot.run.history.now and answer.time == pytest.approx(snapshot.run.time)
        assert snapshot.model is not None and probe.latest.identity is snapshot.model.identity
