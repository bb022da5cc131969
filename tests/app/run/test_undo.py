"""Undo and redo in a run: edits of the model here and now, changes of the state by going back in time."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

import sim
from app.model.editable import BY_PATH, FLAGS
from app.run import commands as cmd
from app.run.status import PAUSED
from tests.app.live import RICH_MODEL, SMALL, Hand
from tests.app.model.test_editable import edits_of
from tests.app.random_edits import random_edit
from tests.app.run.test_sim_thread import wait_for


def pull(height: float) -> cmd.Perturbation:
    """A pull of the ball upwards."""
    return cmd.Perturbation(1, (0.0, 0.0, 0.0), (0.0, 0.0, height))


def said(hand: Hand) -> str:
    """What the status line says."""
    return hand.thread.latest.run.notification


def test_an_edit_is_undone_and_redone_with_a_word(hand: Hand) -> None:
    hand.send(cmd.SetField("geom_friction", 0.5, (0,), 0))
    hand.send(cmd.SetFlag("opt.disableflags", FLAGS[0].bit, True))
    hand.send(cmd.Undo())
    assert said(hand) == f"undone: flag {FLAGS[0].name}: on → off{PAUSED}"
    assert hand.model.geom_friction[0, 0] == 0.5
    hand.send(cmd.Undo())
    assert said(hand) == f"undone: friction of geom floor: 1 → 0.5{PAUSED}"
    assert hand.model.geom_friction[0, 0] == 1.0
    assert not hand.thread.latest.file_values
    hand.send(cmd.Redo())
    assert said(hand) == f"redone: friction of geom floor: 1 → 0.5{PAUSED}"
    assert hand.model.geom_friction[0, 0] == 0.5
    assert [*hand.thread.latest.file_values] == ["geom_friction"]


def test_there_is_an_end_to_undo_and_redo(hand: Hand) -> None:
    while hand.thread.latest.journal.next_undo() is not None:
        hand.send(cmd.Undo())
    hand.send(cmd.Undo())
    assert said(hand) == "nothing to undo"
    hand.send(cmd.SetField("opt.timestep", 0.001))
    hand.send(cmd.Redo())
    assert said(hand) == "nothing to redo"
    assert hand.model.opt.timestep == 0.001


def test_scattered_numbers_are_one_change(hand: Hand) -> None:
    before, number = hand.state.qpos.copy(), len(hand.thread.latest.journal.entries)
    hand.send(cmd.SetData("qpos", 0, (2.5, 0.25), places=(0, 14)))
    after = hand.state.qpos
    assert np.flatnonzero(after != before).tolist() == [0, 14]
    assert (after[0], after[14]) == (2.5, 0.25)
    assert len(hand.thread.latest.journal.entries) == number + 1
    hand.send(cmd.Undo())
    assert np.array_equal(hand.state.qpos, before)


def test_time_goes_on_when_an_edit_is_undone(hand: Hand) -> None:
    hand.send(cmd.SetField("opt.gravity", 5.0, (2,)))
    hand.send(cmd.StepOnce(3))
    state = hand.state.qpos.copy()
    hand.send(cmd.Undo())
    assert hand.model.opt.gravity[2] == -10
    assert hand.thread.latest.run.history.now == 3
    assert np.array_equal(hand.state.qpos, state)
    assert hand.thread.latest.run.history.markers[-1].text == "undone: gravity: -10 → 5"


def test_a_control_is_undone_here_and_now(hand: Hand) -> None:
    hand.send(cmd.SetData("ctrl", 0, (0.25,)))
    hand.send(cmd.StepOnce(3))
    for value in (0.3, 0.5):
        hand.send(cmd.SetData("ctrl", 0, (value,), gesture=7))
    hand.thread.send(cmd.SetPaused(False))
    wait_for(hand.thread, lambda s: s.run.history.now > 12)
    branches = len(hand.thread.latest.run.history.branches)
    shown = hand.send(cmd.Undo())
    assert shown.state.ctrl[0] == 0.25 and not shown.run.paused and shown.run.history.now > 12
    assert said(hand) == "undone: ctrl of actuator motor: 0.25 → 0.5"
    hand.send(cmd.SetPaused(True))
    now = hand.thread.latest.run.history.now
    for command, value in ((cmd.Redo(), 0.5), (cmd.Undo(), 0.25), (cmd.Undo(), 0.0)):
        shown = hand.send(command)
        assert (shown.state.ctrl[0], shown.run.history.now) == (value, now)
    assert len(shown.run.history.branches) == branches
    # what the steps had is what is recorded
    hand.send(cmd.GoTo(3))
    assert hand.send(cmd.StepOnce(1)).state.ctrl[0] == 0.5


def test_a_state_set_while_paused_is_undone_to_the_bit(hand: Hand) -> None:
    hand.send(cmd.StepOnce(3))
    before = sim.copy_state(hand.thread.live.model, hand.thread.live.data)
    hand.send(cmd.SetData("qpos", 14, (0.3,)))
    after = sim.copy_state(hand.thread.live.model, hand.thread.live.data)
    hand.send(cmd.Undo())
    assert np.array_equal(sim.copy_state(hand.thread.live.model, hand.thread.live.data)["state"], before["state"])
    # the history shows it too
    hand.send(cmd.GoTo(1))
    hand.send(cmd.GoTo(3))
    assert np.array_equal(hand.state.qpos, before["state"][1 : 1 + len(hand.state.qpos)])
    hand.send(cmd.Redo())
    assert np.array_equal(sim.copy_state(hand.thread.live.model, hand.thread.live.data)["state"], after["state"])


def test_a_pull_is_undone_by_going_back_in_time(hand: Hand) -> None:
    hand.send(cmd.StepOnce(2))
    before = hand.state.qpos.copy()
    hand.thread.send(cmd.SetPaused(False))
    hand.thread.send(cmd.Perturb(pull(3.0)))
    wait_for(hand.thread, lambda s: s.run.history.now > 12)
    hand.thread.send(cmd.Perturb(None))
    hand.send(cmd.SetPaused(True))
    span = hand.thread.latest.run.history
    after = hand.state.qpos.copy()
    assert not np.array_equal(after, before)
    pulled = next(marker.moment for marker in span.markers if marker.text == "pull: body ball")
    shown = hand.send(cmd.Undo())
    assert said(hand).startswith("undone: pull: body ball; back at ") and said(hand).endswith(f", before it{PAUSED}")
    assert shown.run.paused
    # the future is still there, on a branch of its own
    timeline = shown.run.history
    assert (timeline.now, timeline.last) == (pulled, pulled)
    assert timeline.branch != span.branch and timeline.find(span.branch).last == span.last
    assert not shown.state.perturb.active  # type: ignore[union-attr]
    shown = hand.send(cmd.Redo())
    assert (shown.run.history.branch, shown.run.history.now) == (span.branch, span.last)
    # nothing was done on the other one
    assert len(shown.run.history.branches) == len(span.branches)
    assert np.array_equal(hand.state.qpos, after)


def test_a_redo_after_time_went_on_from_the_past(hand: Hand) -> None:
    hand.send(cmd.SetData("qpos", 14, (0.3,)))
    hand.send(cmd.StepOnce(5))
    after = hand.state.qpos.copy()
    hand.send(cmd.Undo())
    hand.send(cmd.StepOnce(1))
    hand.send(cmd.Redo())
    assert np.array_equal(hand.state.qpos, after)


def test_a_reset_is_undone(hand: Hand) -> None:
    hand.send(cmd.StepOnce(7))
    before = hand.state.qpos.copy()
    hand.send(cmd.Reset())
    assert not np.array_equal(hand.state.qpos, before)
    hand.send(cmd.Undo())
    assert np.array_equal(hand.state.qpos, before)
    assert hand.thread.latest.run.time == pytest.approx(7 * 0.002)


def test_a_drag_is_one_entry(hand: Hand) -> None:
    count = len(hand.thread.latest.journal.entries)
    for k in range(5):
        hand.thread.send(cmd.SetField("geom_friction", 0.5 + k, (0,), 0, gesture=11))
    for k in range(5):
        hand.thread.send(cmd.SetData("ctrl", 0, (0.1 * k,), gesture=12))
    shown = hand.settle()
    texts = [entry.text for entry in shown.journal.entries[count:]]
    assert texts == ["friction of geom floor: 1 → 4.5", "ctrl of actuator motor: 0 → 0.4"]
    assert len([marker for marker in shown.run.history.markers if "friction" in marker.text]) == 1


def test_an_equality_is_switched_in_the_model_and_at_run_time(hand: Hand) -> None:
    hand.send(cmd.SetField("eq_active0", 1.0, (0,)))
    assert hand.state.eq_active[0] and hand.field("eq_active0")[0]
    hand.send(cmd.StepOnce(2))
    hand.send(cmd.Undo())
    assert not hand.state.eq_active[0] and not hand.field("eq_active0")[0]


def test_a_keyframe_that_was_overwritten_is_undone(hand: Hand) -> None:
    before = hand.field("key_qpos")
    hand.send(cmd.StepOnce(4))
    hand.send(cmd.SaveKey(0))
    assert np.array_equal(hand.field("key_qpos")[0], hand.state.qpos)
    assert hand.thread.latest.journal.entries[-1].text == "state stored in keyframe start"
    assert "key_qpos" in hand.thread.latest.file_values
    hand.send(cmd.Undo())
    assert np.array_equal(hand.field("key_qpos"), before)
    hand.send(cmd.Redo())
    hand.send(cmd.ResetEdits())
    assert np.array_equal(hand.field("key_qpos"), before)


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("xml", [RICH_MODEL, SMALL], ids=["rich", "small"])
def test_the_model_is_the_file_and_what_is_on(xml: str, seed: int) -> None:
    """After any sequence of edits, undo, redo, switching and resets: bit for bit a fresh model with the journal."""
    rng = random.Random(seed)
    model = sim.loads(xml)
    edits = edits_of(model)
    edits.compile_ahead = lambda: None  # type: ignore[method-assign]
    for k in range(60):
        number = rng.randint(1, max(len(edits.journal.entries), 1))
        command = rng.choice(
            [
                random_edit(rng, model, rng.choice([0, k // 4])), random_edit(rng, model, 0), cmd.Undo(), cmd.Redo(),
                cmd.SwitchEdit(number, rng.random() < 0.5), cmd.ResetField(rng.choice([*edits.edited, *BY_PATH])),
                *([cmd.ResetEdits()] if rng.random() < 0.1 else []),
            ]
        )  # fmt: skip
        edits.apply(command)  # type: ignore[arg-type]
    fresh = sim.loads(xml)
    edits_of(fresh).adopt(edits.journal)
    for name in model.layout.places:
        assert np.array_equal(model.read(name), fresh.read(name), equal_nan=True), name
    # and with nothing on, it is the file
    while edits.journal.next_undo() is not None:
        edits.apply(cmd.Undo())
    for name, value in model.file_values.items():
        assert np.array_equal(model.read(name), value), name


def test_a_state_is_stored_as_a_new_keyframe(tmp_path: Any) -> None:
    hand = Hand(tmp_path)
    hand.send(cmd.StepOnce(4))
    shown = hand.send(cmd.AddKey("landing"))
    assert shown.model is not None
    assert shown.model.names["key"] == ("start", "landing")
    assert np.array_equal(hand.field("key_qpos")[1], hand.state.qpos)
    assert shown.file_values
    hand.send(cmd.StepOnce(2))
    hand.send(cmd.SaveKey(1))
    again = hand.field("key_qpos")
    hand.send(cmd.Undo())
    assert not np.array_equal(hand.field("key_qpos"), again)
    # the name is taken
    assert hand.send(cmd.AddKey("landing")).run.problem is not None
    hand.send(cmd.DismissProblem())
    hand.send(cmd.Undo())
    assert hand.model.names["key"] == ("start",)
    assert not hand.thread.latest.file_values
    hand.send(cmd.Redo())
    hand.send(cmd.Redo())
    assert np.array_equal(hand.field("key_qpos"), again)
    hand.send(cmd.ResetEdits())
    assert hand.model.names["key"] == ("start",)
    assert not hand.thread.latest.file_values
    hand.send(cmd.Undo())
    assert np.array_equal(hand.field("key_qpos"), again)
    # a reset goes there
    hand.send(cmd.Reset(1))
    assert np.array_equal(hand.state.qpos, again[1])
    hand.thread.close()
