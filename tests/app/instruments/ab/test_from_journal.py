"""Copies without edits of the journal: every kind of number is found again, with the value that it had."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from app.instruments.ab.from_journal import edited_since, start_at, without_edit
from app.run import commands as cmd
from app.run.history.timeline import BranchView, Pace, Timeline
from sim.enums import ENBL_ENERGY
from tests.app.live import RICH_MODEL, Hand


@pytest.fixture(scope="module")
def hand(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hand]:
    made = Hand(tmp_path_factory.mktemp("journal"), RICH_MODEL)
    yield made
    made.thread.close()


@pytest.mark.parametrize(
    ("command", "label", "value"),
    [
        (cmd.SetField("opt.gravity", -3.0, (2,)), "gravity z", -10.0),
        (cmd.SetField("opt.timestep", 0.001), "timestep", 0.002),
        (cmd.SetField("dof_damping", 2.0, (6, 7, 8, 9, 10, 11)), "damping of joint rest", 0.0),
        (cmd.SetField("geom_friction", 0.3, (1,), 0), "friction sliding of geom ball", 1.0),
        (cmd.SetFlag("opt.enableflags", ENBL_ENERGY, True), "flag energy", 0.0),
        (
            cmd.SetField("actuator_gainprm", 7.0, (2,), 0, (cmd.SetField("actuator_biasprm", -7.0, (2,), 1),)),
            "kp of actuator servo",
            30.0,
        ),
    ],
)
def test_value_without_an_edit(hand: Hand, command: cmd.Command, label: str, value: float) -> None:
    hand.restart()
    snapshot = hand.send(command)
    entry = snapshot.journal.entries[-1]
    subject = without_edit(entry, snapshot.journal, hand.model)
    assert subject is not None
    found = {change.choice.label: change.value for change in subject.changes}
    assert found[label] == value


def test_an_earlier_edit_of_the_same_number_stays(hand: Hand) -> None:
    hand.restart()
    hand.send(cmd.SetField("opt.gravity", -3.0, (2,)))
    snapshot = hand.send(cmd.SetField("opt.gravity", -2.0, (2,)))
    subject = without_edit(snapshot.journal.entries[-1], snapshot.journal, hand.model)
    assert subject is not None and subject.changes[0].value == -3.0


def test_what_only_looks_different_is_nothing_to_compare(hand: Hand) -> None:
    hand.restart()
    snapshot = hand.send(cmd.SetField("geom_rgba", 0.5, (1,), 0))
    assert without_edit(snapshot.journal.entries[-1], snapshot.journal, hand.model) is None


def test_time_of_the_oldest_edit_that_is_in_force(hand: Hand) -> None:
    hand.restart()
    assert edited_since(hand.settle().journal) is None
    hand.send(cmd.SetField("opt.gravity", -3.0, (2,)))
    hand.send(cmd.StepOnce(10))
    hand.send(cmd.SetField("opt.timestep", 0.001))
    assert edited_since(hand.settle().journal) == 0.0
    hand.send(cmd.ResetField("opt.gravity"))
    assert edited_since(hand.settle().journal) == pytest.approx(0.02)


def test_step_to_start_at() -> None:
    line = Timeline((BranchView(0, last=100, paces=(Pace(0, 0.0, 0.01),)),), now=50)
    assert [start_at(time, line) for time in (None, 0.2, 0.9, -1.0)] == [0, 20, 50, 0]
