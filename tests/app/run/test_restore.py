"""A run that is captured and goes on elsewhere: the same model and state to the bit, and the journal with its undo."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import sim
from app.run import commands as cmd
from app.run.commands import restore_command
from app.run.history.breakpoints import Breakpoint
from app.run.history.markers import MarkerType
from app.run.journal.journal_file import SavedJournal, journal_data, read_journal
from app.run.journal.saved_run import CapturedRun, SavedRun
from app.run.restore import RESTORED
from app.run.snapshot import Snapshot
from app.run.status import PAUSED
from tests.app.live import MODEL, Hand
from tests.app.run.test_sim_thread import wait_for

ROOT = Path(__file__).parents[3]
Hands = Callable[[str], Hand]


@pytest.fixture
def hands(tmp_path: Path) -> Iterator[Hands]:
    """Simulations, each with a file of its own."""
    made: list[Hand] = []

    def make(xml: str) -> Hand:
        folder = tmp_path / str(len(made))
        folder.mkdir()
        made.append(Hand(folder, xml))
        return made[-1]

    yield make
    for one in made:
        one.thread.close()


def captured(hand: Hand) -> SavedRun:
    """The run, as another process reads it."""
    answers: queue.SimpleQueue[CapturedRun] = queue.SimpleQueue()
    hand.thread.send(cmd.Capture(answers.put))
    run = answers.get(timeout=60).saved(sim.pack_state)
    return replace(run, journal=read_journal(journal_data(run.journal)))


def restored(hand: Hand, saved: SavedRun) -> Snapshot:
    """A simulation that goes on with a run, whose model is in its own file."""
    before = hand.model
    hand.thread.send(restore_command(replace(saved, path=hand.thread.latest.run.path)))
    return wait_for(hand.thread, lambda s: s.model is not before and s.run.ready and s.run.progress is None)


def assert_same(one: Hand, other: Hand) -> None:
    """Models and states are the same, to the bit, now and after some steps."""
    for steps in (0, 1, 60):
        for hand in (one, other):
            hand.send(cmd.StepOnce(steps)) if steps else hand.settle()
        first, second = ((hand.thread.live.model, hand.thread.live.data) for hand in (one, other))
        for name in first[0].layout.places:
            assert np.array_equal(first[0].read(name), second[0].read(name)), name
        states = [sim.copy_state(model, data) for model, data in (first, second)]
        assert states[0].keys() == states[1].keys()
        for name, value in states[0].items():
            assert value.tobytes() == states[1][name].tobytes(), (name, steps)


def test_a_run_goes_on_to_the_bit(hands: Hands) -> None:
    old, new = hands(MODEL), hands(MODEL)
    old.thread.send(cmd.SetField("opt.timestep", 0.003))
    old.thread.send(cmd.SetField("geom_friction", 0.25, (1, 2), 0))
    old.thread.send(cmd.SetFlag("opt.enableflags", int(sim.enums.ENBL_ENERGY), True))
    for path, values in {"ctrl": (0.5,), "noise.scale": (0.1,), "noise.seed": (12345.0,)}.items():
        old.thread.send(cmd.SetData(path, 0, values))
    old.thread.send(cmd.AddKey("here"))
    old.thread.send(cmd.SetSpeed(0.5))
    old.thread.send(cmd.SetBreakpoints((Breakpoint(7, "d.time > 50"), Breakpoint(9, "1 +", on=False))))
    old.thread.send(cmd.StepOnce(50))
    saved = captured(old)
    got = restored(new, saved)
    assert (got.run.speed, got.run.paused, got.run.notification) == (0.5, True, f"{RESTORED}{PAUSED}")
    assert [marker.text for marker in got.run.history.markers] == ["restored"]
    assert got.run.time == pytest.approx(0.15)
    assert got.file_values.keys() == old.thread.latest.file_values.keys()
    assert new.model.names["key"] == ("start", "here")
    assert new.thread.live.data.noise.seed == 12345
    assert [(p.expression, p.on) for p in got.run.breakpoints] == [("d.time > 50", True), ("1 +", False)]
    assert_same(old, new)
    # and back again, past what changed the state
    for _ in range(4):
        new.send(cmd.Undo())
    assert new.thread.latest.run.notification == f"undone: timestep: 0.002 → 0.003{PAUSED}"
    assert not new.thread.latest.file_values


@pytest.mark.parametrize("scene", ["sleepers", "puppet", "delay_and_lag", "dominoes"])
def test_sleep_delays_and_mocap_bodies_go_on(hands: Hands, scene: str) -> None:
    xml = (ROOT / "scenes" / f"{scene}.xml").read_text()
    old, new = hands(xml), hands(xml)
    old.send(cmd.StepOnce(300))
    restored(new, captured(old))
    assert_same(old, new)


def test_time_goes_on_only_from_the_state(hands: Hands) -> None:
    """A run that was not paused makes no step from the start of the file."""
    old, new = hands(MODEL), hands(MODEL)
    old.send(cmd.StepOnce(50))
    got = restored(new, replace(captured(old), paused=False))
    assert not got.run.paused
    assert got.run.history.first_time == pytest.approx(0.1)


def test_edits_meet_a_file_that_has_changed(hands: Hands) -> None:
    old = hands(MODEL)
    new = hands(
        MODEL.replace("gravity='0 0 -10'", "gravity='0 0 -5' timestep='.004'").replace("<geom name='head'", "<geom")
    )
    for edit in (("opt.gravity", -3.0, (2,), None), ("opt.timestep", 0.004, (), None), ("geom_friction", 0.5, (4,), 0)):
        old.thread.send(cmd.SetField(*edit))
    old.send(cmd.StepOnce(20))
    saved = captured(old)
    assert saved.unsaved == 3
    got = restored(new, saved)
    gravity, timestep, friction = got.journal.entries
    assert (gravity.clash, timestep.clash, friction.lost) == (True, False, "geom_friction of head is not in the file")
    assert (new.model.opt.gravity[2], new.model.opt.timestep) == (-5, 0.004)
    assert got.run.notification == f"{RESTORED}; its file has changed; it clashes with 1 edit, see Edits{PAUSED}"
    assert got.run.time == pytest.approx(0.06, abs=0.03) and got.run.time > 0
    # the file has one of them by now
    assert captured(new).unsaved == 0


def test_a_state_of_other_joints_is_left_out(hands: Hands) -> None:
    old, new = hands(MODEL), hands(MODEL.replace("<body name='box' pos='-1 0 .0999'>", "<body name='box'>"))
    other = hands(MODEL.replace("<freejoint name='rest'/>", ""))
    old.thread.send(cmd.SetField("opt.gravity", -3.0, (2,)))
    old.thread.send(cmd.AddKey("here"))
    old.send(cmd.StepOnce(20))
    assert restored(new, captured(old)).run.time > 0
    got = restored(other, captured(old))
    assert got.run.time == 0
    assert f"{RESTORED}, but not the state: it holds the state of another model: nq is" in got.run.notification
    assert other.model.opt.gravity[2] == -3
    assert got.journal.entries[1].lost == "the model now has other joints or actuators"
    assert other.model.names["key"] == ("start",)


def test_what_is_to_be_restored_waits_for_its_file(hands: Hands) -> None:
    old, new = hands(MODEL), hands(MODEL)
    old.thread.send(cmd.SetField("opt.gravity", -3.0, (2,)))
    old.send(cmd.StepOnce(20))
    path = Path(new.thread.latest.run.path)
    path.write_text("<mujoco>")
    new.thread.send(restore_command(replace(captured(old), path=str(path))))
    wait_for(new.thread, lambda s: s.run.problem is not None)
    path.write_text(MODEL)
    wait_for(new.thread, lambda s: s.run.notification.startswith(RESTORED))
    assert new.thread.latest.run.time > 0
    assert new.model.opt.gravity[2] == -3


def test_another_model_is_not_restored_to(hands: Hands, tmp_path: Path) -> None:
    old, new = hands(MODEL), hands(MODEL)
    old.send(cmd.StepOnce(20))
    saved = captured(old)
    new.thread.send(restore_command(saved))
    new.thread.send(cmd.LoadModel(str(tmp_path / "1" / "model.xml")))
    got = wait_for(new.thread, lambda s: s.run.ready and s.run.progress is None and s.run.path.endswith("1/model.xml"))
    assert new.settle().run.time == 0
    assert not got.run.notification.startswith(RESTORED)


def test_a_journal_of_no_edits_has_none_to_save() -> None:
    assert SavedRun("model.xml").unsaved == 0
    assert SavedRun("model.xml").journal == SavedJournal()


def test_an_edit_while_a_save_is_read_again_does_not_clash(hands: Hands, monkeypatch: pytest.MonkeyPatch) -> None:
    hand = hands(MODEL)
    gate, load = threading.Event(), sim.load

    def slow(path: str) -> sim.Model:
        gate.wait()
        return load(path)

    monkeypatch.setattr(sim, "load", slow)
    hand.send(cmd.SetField("geom_friction", 0.5, (0,), 0))
    report = hand.send(cmd.PlanSave(1)).run.save
    assert report is not None
    assert report.plan is not None
    hand.thread.send(cmd.WriteSave(2, report.plan))
    wait_for(hand.thread, lambda s: s.run.save is not None and s.run.save.written)
    hand.thread.send(cmd.SetField("geom_friction", 0.75, (0,), 0))
    # one that is cut short now goes on without a clash too
    saved = captured(hand)
    assert [*saved.journal.in_file.values()] == [0.5]
    assert saved.unsaved == 1
    gate.set()
    got = wait_for(hand.thread, lambda s: any(one.type is MarkerType.FILE for one in s.run.history.markers))
    assert got.journal.clashes == ()
    assert hand.field("geom_friction")[0, 0] == 0.75
    # the next change of the file is compared with what it says by then
    assert hand.thread.saving._written is None
    again = hands(Path(hand.thread.latest.run.path).read_text())
    assert restored(again, saved).journal.clashes == ()
    assert again.field("geom_friction")[0, 0] == 0.75
