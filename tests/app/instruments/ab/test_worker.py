"""A/B beside a run: known differences, the same to the bit without any; edits and pulls of A, branches, files, past."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from app.background.field_choice import FieldChoice, choices_of, options_of
from app.instruments.ab.found import Found
from app.instruments.ab.state import ghost_state
from app.instruments.ab.subject import EditedCopy, OtherBranch, OtherFile
from app.instruments.ab.worker import AbWorker, Request
from app.run import commands as cmd
from sim.enums import ENBL_SLEEP
from tests.app.live import MODEL, Hand, let_follow
from tests.app.run.test_sim_thread import wait_for


def request_of(hand: Hand, subject: object, since: int = 0, **choices: object) -> Request:
    snapshot = hand.settle()
    assert snapshot.model is not None
    made = Request(snapshot.run.history, snapshot.serial, subject, since, snapshot.model.identity)  # type: ignore[arg-type]
    return replace(made, **choices)  # type: ignore[arg-type]


def settled(worker: AbWorker, request: Request) -> Found:
    """Let the worker do all that there is to do."""
    let_follow(worker, request)
    return worker.latest


def higher(worker: AbWorker) -> np.ndarray:
    """How much higher the ball is in B, at each moment."""
    assert worker._comparison is not None
    return np.array([moment.b[3] - moment.a[3] for moment in worker._comparison.record.moments])


def option(hand: Hand, name: str) -> FieldChoice:
    return next(choice for choice in options_of(hand.model) if choice.name == name)


def number(hand: Hand, kind: str, index: int, name: str) -> FieldChoice:
    return next(choice for choice in choices_of(hand.model, kind, index) if choice.name == name)


def with_value(choice: FieldChoice, value: float) -> EditedCopy:
    return EditedCopy().with_change(choice, value)


def test_half_the_gravity_is_half_as_far(fresh: Hand) -> None:
    """Semi-implicit Euler falls g h² k (k + 1) / 2 in k steps: at half the gravity the ball is that much / 2 higher."""
    fresh.send(cmd.StepOnce(100))
    worker = AbWorker(fresh.thread.send)
    found = settled(worker, request_of(fresh, with_value(option(fresh, "gravity z"), -5.0)))
    assert not found.error and not found.ended
    assert found.steps.tolist() == [*range(101)]
    ball = 5.0 * 0.002**2 * found.steps * (found.steps + 1) / 2
    assert higher(worker) == pytest.approx(ball, rel=1e-9, abs=1e-12)
    assert found.shown is not None and found.shown.step == 100
    # the end of the arm falls faster than the ball
    by_body = {body: metres for body, metres, _ in found.shown.bodies}
    assert by_body[1] == pytest.approx(ball[-1], rel=1e-9) and found.metres[-1] == max(by_body.values())
    assert found.parted is not None and 0 < found.parted.step < 100


def test_the_same_with_controls_pulls_and_edits_stays_the_same_to_the_bit(fresh: Hand) -> None:
    fresh.send(cmd.StepOnce(200))
    fresh.send(cmd.SetData("ctrl", 0, (0.8,)))
    fresh.send(cmd.StepOnce(200))
    # the mouse pulls, as Perturb does, which ends by itself
    for path, values in {
        "perturb.select": (1.0,),
        "perturb.active": (1.0,),
        "perturb.refselpos": (1.0, 1.0, 2.0),
    }.items():
        fresh.send(cmd.SetData(path, 0, values))
    fresh.send(cmd.StepOnce(200))
    fresh.send(cmd.SetField("opt.gravity", -3.0, (2,)))
    fresh.send(cmd.SetData("qpos", 14, (0.5,)))
    fresh.send(cmd.SetData("noise.scale", 0, (0.3,)))
    fresh.send(cmd.StepOnce(400))
    worker = AbWorker(fresh.thread.send)
    found = settled(worker, request_of(fresh, EditedCopy()))
    assert worker._comparison is not None
    moments = worker._comparison.record.moments
    assert moments[-1].step == 1000 and len(moments) == 1001
    assert all(moment.a.tobytes() == moment.b.tobytes() for moment in moments)
    assert not found.metres.any() and not found.radians.any() and found.parted is None
    assert found.shown is not None
    ghost = ghost_state(found.shown, fresh.state)
    assert np.array_equal(ghost.geom_xpos, fresh.state.geom_xpos)


def test_a_pendulum_with_damping_swings_less(fresh: Hand) -> None:
    fresh.send(cmd.StepOnce(300))
    hinge = number(fresh, "joint", 2, "damping")
    request = request_of(fresh, with_value(hinge, 1.0), expressions=('d.joint("hinge").qvel[0]', "energy()", "d.nope"))
    found = settled(AbWorker(fresh.thread.send), request)
    speed = found.curves['d.joint("hinge").qvel[0]']
    assert len(speed.times) == 301 and not speed.reason
    assert np.abs(speed.b).max() < 0.8 * np.abs(speed.a).max()
    assert speed.a[-1] == pytest.approx(fresh.state.qvel[12])
    assert "nope" in found.curves["d.nope"].reason
    assert found.shown is not None and found.shown.values['d.joint("hinge").qvel[0]'][0] == pytest.approx(speed.a[-1])
    assert found.parted is not None and fresh.model.names["body"][found.parted.body] in ("arm", "head")


def test_edits_of_a_in_the_middle_are_made_in_b_too(fresh: Hand) -> None:
    damping = number(fresh, "joint", 2, "damping")
    subject = with_value(damping, 1.0)
    fresh.send(cmd.StepOnce(50))
    worker = AbWorker(fresh.thread.send)
    settled(worker, request_of(fresh, subject))
    fresh.send(cmd.SetField("opt.gravity", 0.0, (2,)))
    fresh.send(cmd.SetField("dof_damping", 5.0, (12,)))
    # seen at the head, before the next step
    settled(worker, request_of(fresh, subject))
    fresh.send(cmd.StepOnce(50))
    settled(worker, request_of(fresh, subject))
    assert worker._comparison is not None
    moments = worker._comparison.record.moments
    assert [moment.step for moment in moments] == [*range(101)]
    falls = [moment.b[1 + 19 + 2] for moment in moments]
    assert falls[50] < 0 and falls[100] == pytest.approx(falls[51], abs=1e-9)
    model = worker._comparison.side_b.model
    assert (model.opt.gravity[2], model.dof_damping[12]) == (0.0, 1.0)


def test_another_timestep_is_matched_by_time(fresh: Hand) -> None:
    fresh.send(cmd.StepOnce(90))
    for step, exact in ((0.001, True), (0.003, False)):
        worker = AbWorker(fresh.thread.send)
        found = settled(worker, request_of(fresh, with_value(option(fresh, "timestep"), step)))
        assert len(found.times) == 91 and not found.ended
        # Euler with a step h is behind by g h t / 2
        behind = -10.0 * (step - 0.002) * found.times / 2
        assert higher(worker)[30::30] == pytest.approx(behind[30::30], rel=1e-6)
        assert found.shown is not None and found.shown.time == pytest.approx(0.18)
        assert exact or found.metres[1] > 0


def test_another_branch(fresh: Hand) -> None:
    fresh.send(cmd.StepOnce(60))
    fresh.send(cmd.GoTo(20))
    fresh.send(cmd.SetField("opt.gravity", -5.0, (2,)))
    here = fresh.send(cmd.StepOnce(70)).run.history
    assert here.branch != 0 and here.last == 90
    root = here.line()[0].branch.id
    worker = AbWorker(fresh.thread.send)
    found = settled(worker, request_of(fresh, OtherBranch(root), here.first))
    assert not found.metres[:21].any() and found.metres[21] > 0
    assert higher(worker)[60] == pytest.approx(-5.0 * 0.002**2 * 40 * 41 / 2, rel=1e-9)
    assert found.ended == "the other branch ends at 0.12 s" and found.steps[-1] == 60


def test_another_branch_of_a_keeps_what_both_have(fresh: Hand) -> None:
    subject = with_value(option(fresh, "gravity z"), -5.0)
    fresh.send(cmd.StepOnce(60))
    worker = AbWorker(fresh.thread.send)
    settled(worker, request_of(fresh, subject))
    comparison = worker._comparison
    assert comparison is not None
    kept = comparison.record.moments[20]
    fresh.send(cmd.GoTo(20))
    fresh.send(cmd.SetData("ctrl", 0, (1.0,)))
    fresh.send(cmd.StepOnce(30))
    found = settled(worker, request_of(fresh, subject))
    assert worker._comparison is comparison
    assert [moment.step for moment in comparison.record.moments] == [*range(51)]
    assert comparison.record.moments[19].step == 19 and comparison.record.moments[20].time == kept.time
    again = settled(AbWorker(fresh.thread.send), request_of(fresh, subject))
    assert np.array_equal(found.metres, again.metres)


def test_going_back_shows_b_at_that_time(fresh: Hand) -> None:
    subject = with_value(option(fresh, "gravity z"), -5.0)
    fresh.send(cmd.StepOnce(60))
    worker = AbWorker(fresh.thread.send)
    settled(worker, request_of(fresh, subject, 10))
    fresh.send(cmd.GoTo(30))
    found = settled(worker, request_of(fresh, subject, 10))
    assert found.shown is not None and found.shown.step == 30
    ghost = ghost_state(found.shown, fresh.state)
    apart = 5.0 * 0.002**2 * 20 * 21 / 2
    assert ghost.geom_xpos[1, 2] - fresh.state.geom_xpos[1, 2] == pytest.approx(apart, rel=1e-6)
    assert found.steps[0] == 10 and found.steps[-1] == 60


def test_another_file_with_the_state_by_names(fresh: Hand, tmp_path: Path) -> None:
    path = tmp_path / "other.xml"
    text = MODEL.replace("gravity='0 0 -10'", "gravity='0 0 -5'").replace(
        "<body name='ball'", "<body name='new' pos='3 3 3'><geom size='.1'/></body><body name='ball'"
    )
    path.write_text(text)
    fresh.send(cmd.StepOnce(10))
    fresh.send(cmd.SetData("ctrl", 0, (0.5,)))
    fresh.send(cmd.StepOnce(40))
    worker = AbWorker(fresh.thread.send)
    found = settled(worker, request_of(fresh, OtherFile(str(path)), 20))
    assert not found.error and found.matched == (4, 4)
    assert worker._comparison is not None
    last = worker._comparison.record.moments[-1]
    assert last.b[3] - last.a[3] == pytest.approx(5.0 * 0.002**2 * 30 * 31 / 2, rel=1e-9)
    assert worker._comparison._second is not None
    assert worker._comparison._second._run.data.ctrl[0] == 0.5
    assert found.shown is not None and found.shown.state is None
    ghost = ghost_state(found.shown, fresh.state)
    moved = (ghost.geom_xpos != fresh.state.geom_xpos).any(axis=1)
    assert moved[1] and not moved[0]


def test_without_the_users_edits(fresh: Hand) -> None:
    fresh.send(cmd.SetField("opt.gravity", -2.0, (2,)))
    fresh.send(cmd.StepOnce(40))
    worker = AbWorker(fresh.thread.send)
    settled(worker, request_of(fresh, EditedCopy(from_file=True)))
    assert higher(worker)[-1] == pytest.approx(-8.0 * 0.002**2 * 40 * 41 / 2, rel=1e-9)


def test_what_cannot_be_is_said(fresh: Hand, tmp_path: Path) -> None:
    worker = AbWorker(fresh.thread.send)
    broken = tmp_path / "broken.xml"
    broken.write_text("<mujoco><worldbody><body></mujoco>")
    assert settled(worker, request_of(fresh, OtherFile(str(broken)))).error
    assert settled(worker, request_of(fresh, OtherFile(str(tmp_path / "none.xml")))).error
    assert settled(worker, request_of(fresh, OtherBranch(99))).error == "that branch was removed"
    elsewhere = FieldChoice("body_mass", (99,), None, "mass", "body 99")
    assert "B: the model does not contain" in settled(worker, request_of(fresh, with_value(elsewhere, 1.0))).error
    # it goes on with the next
    assert not settled(worker, request_of(fresh, EditedCopy())).error


def test_a_copy_that_diverges_ends(fresh: Hand) -> None:
    gear = next(choice for choice in choices_of(fresh.model, "actuator", 0) if choice.path == "actuator_gear")
    fresh.send(cmd.SetData("ctrl", 0, (1.0,)))
    fresh.send(cmd.StepOnce(300))
    found = settled(AbWorker(fresh.thread.send), request_of(fresh, with_value(gear, 1e13)))
    assert found.ended.startswith("B diverged after") and len(found.times) < 300
    assert np.isfinite(found.metres).all()


SLEEPY = MODEL.replace("<worldbody>", "<option><flag sleep='enable'/></option><worldbody>", 1)


def test_with_sleep_it_is_the_same_to_the_bit_and_sleep_may_be_switched_off(tmp_path: Path) -> None:
    hand = Hand(tmp_path, SLEEPY)
    try:
        hand.send(cmd.StepOnce(1500))
        assert (np.asarray(hand.state.tree_asleep) >= 0).any()
        hand.send(cmd.SetData("ctrl", 0, (0.5,)))
        hand.send(cmd.SetField("geom_friction", 0.3, (0,), 0))
        hand.send(cmd.StepOnce(20))
        hand.send(cmd.SetFlag("opt.enableflags", ENBL_SLEEP, on=False))
        hand.send(cmd.StepOnce(20))
        worker = AbWorker(hand.thread.send)
        assert not settled(worker, request_of(hand, EditedCopy())).ended
        assert worker._comparison is not None
        moments = worker._comparison.record.moments
        assert moments[-1].step == 1540 and all(moment.a.tobytes() == moment.b.tobytes() for moment in moments)
        found = settled(worker, request_of(hand, with_value(option(hand, "gravity z"), -5.0), 1490))
        assert not found.ended and found.steps[-1] == 1540 and found.parted is not None
    finally:
        hand.thread.close()


def test_with_mujoco_as_engine(tmp_path: Path) -> None:
    hand = Hand(tmp_path)
    try:
        hand.thread.send(cmd.SetEngine("mujoco"))
        wait_for(hand.thread, lambda s: s.run.ready and s.model is not None and s.model.engine.startswith("MuJoCo"))
        hand.send(cmd.StepOnce(50))
        hand.send(cmd.SetData("ctrl", 0, (0.5,)))
        hand.send(cmd.StepOnce(50))
        worker = AbWorker(hand.thread.send)
        same = settled(worker, request_of(hand, EditedCopy(), expressions=("energy()",)))
        assert not same.ended and not same.error and len(same.times) == 101 and not same.metres.any()
        assert len(same.curves["energy()"].times) == 101
        settled(worker, request_of(hand, with_value(option(hand, "gravity z"), -5.0)))
        assert higher(worker)[-1] == pytest.approx(5.0 * 0.002**2 * 100 * 101 / 2, rel=1e-9)
    finally:
        hand.thread.close()


def test_a_file_that_is_read_again_ends_b_there(tmp_path: Path) -> None:
    hand = Hand(tmp_path)
    try:
        hand.send(cmd.StepOnce(10))
        before = hand.model.identity
        (tmp_path / "model.xml").write_text(MODEL.replace("mass='1'", "mass='2'", 1))
        hand.thread.send(cmd.Reload())
        wait_for(hand.thread, lambda s: s.model is not None and s.model.identity is not before and s.run.ready)
        hand.send(cmd.StepOnce(10))
        worker = AbWorker(hand.thread.send)
        found = settled(worker, request_of(hand, EditedCopy(), 0))
        assert found.ended == "A's file was reloaded after 0.018 s"
        found = settled(worker, request_of(hand, EditedCopy(), 10))
        assert not found.ended and found.steps.tolist() == [*range(10, 21)]
    finally:
        hand.thread.close()


def test_a_model_in_which_nothing_moves(tmp_path: Path) -> None:
    hand = Hand(tmp_path, "<mujoco><worldbody><geom size='1'/></worldbody></mujoco>")
    try:
        hand.send(cmd.StepOnce(5))
        subject = with_value(option(hand, "gravity z"), -5.0)
        found = settled(AbWorker(hand.thread.send), request_of(hand, subject))
        assert not found.error and len(found.times) == 6 and found.shown is not None and found.shown.bodies == ()
    finally:
        hand.thread.close()


def test_rows_that_come_twice_are_used_once(fresh: Hand, monkeypatch: pytest.MonkeyPatch) -> None:
    """While an answer is awaited, other requests come: one in each frame."""
    fresh.send(cmd.StepOnce(600))
    worker = AbWorker(fresh.thread.send)
    subject, follow = with_value(option(fresh, "gravity z"), -5.0), worker._follow
    monkeypatch.setattr(worker, "_follow", lambda answer: any([follow(answer), follow(answer)]))
    for serial in range(1000, 1040):
        worker.want(request_of(fresh, subject, serial=serial))
        worker.turn(0.0)
    found = settled(worker, request_of(fresh, subject))
    assert worker._comparison is not None
    assert [moment.step for moment in worker._comparison.record.moments] == [*range(601)]
    assert (np.diff(found.times) > 0).all()
