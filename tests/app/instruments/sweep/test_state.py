"""What the Sweep instrument asks for: values of a field, requests, ghosts, commands; and another model."""

from __future__ import annotations

from dataclasses import replace

import pytest

import sim
from app.background.field_choice import FieldChoice, choices_of, options_of
from app.instruments.sweep.outcome import Frame, Outcome
from app.instruments.sweep.state import SweepState
from app.instruments.sweep.values import BadValues
from app.instruments.sweep.worker import Sweep
from app.run.commands import SetField, SetFlag, TryFix
from app.run.history.timeline import BranchView, Pace, Timeline
from app.run.run_state import RunState
from app.run.snapshot import Snapshot, view_model, view_state

XML = """<mujoco><option gravity='0 0 -9.81'/><worldbody><camera/><body name='arm'>
  <joint name='hinge' axis='0 1 0' damping='.5'/><geom size='.1' friction='.7'/></body></worldbody></mujoco>"""


def snapshot_of(xml: str = XML, now: int = 3) -> Snapshot:
    m = sim.loads(xml)
    d = sim.Data(m)
    sim.forward(m, d)
    branch = BranchView(0, last=9, paces=(Pace(0, 0.0, 0.002),))
    return Snapshot(1, RunState(ready=True, history=Timeline((branch,), now=now)), view_model(m), view_state(d))


def choice_named(snapshot: Snapshot, name: str, kind: str = "") -> FieldChoice:
    assert snapshot.model is not None
    known = choices_of(snapshot.model, kind, 0) if kind else options_of(snapshot.model)
    return next(choice for choice in known if choice.name == name)


def asked(name: str, kind: str = "") -> tuple[SweepState, Snapshot]:
    snapshot = snapshot_of()
    view = SweepState()
    view.follow(snapshot)
    assert snapshot.model is not None
    view.choose(choice_named(snapshot, name, kind), snapshot.model)
    view.run(snapshot)
    return view, snapshot


def test_values_around_the_present_one() -> None:
    view, _ = asked("damping", "joint")
    assert view.text == "0.125 0.25 0.5 1 2"
    assert view.request is not None
    assert (view.request.task.values, view.request.present) == ((0.125, 0.25, 0.5, 1.0, 2.0), 0.5)
    assert view.range == (0.125, 2.0, 5, True)


def test_without_damping_there_is_none_that_drives() -> None:
    view, _ = asked("stiffness", "joint")
    assert view.text == "0 0.01 0.1 1 10"


def test_the_present_value_is_one_of_them() -> None:
    view, snapshot = asked("gravity z")
    assert snapshot.model is not None
    view.text = "1 -2"
    assert view.values(snapshot.model) == (-9.81, -2.0, 1.0)


@pytest.mark.parametrize(
    ("name", "kind", "text", "reason"),
    [
        ("timestep", "", "-1 1", "legal values: above 0"),
        ("condim", "geom", "2 3", "legal values: 1 3 4 6"),
        ("iterations", "", "1.5", "legal values"),
        ("timestep", "", "abc", "not a number"),
    ],
)
def test_illegal_values_are_told(name: str, kind: str, text: str, reason: str) -> None:
    view, snapshot = asked(name, kind)
    view.text = text
    assert snapshot.model is not None
    with pytest.raises(BadValues, match=reason):
        view.values(snapshot.model)


def test_choices_and_flags_have_all_their_values() -> None:
    view, _ = asked("integrator")
    assert view.request is not None and set(view.request.task.values) >= {0.0, 1.0, 2.0, 3.0}
    view, _ = asked("flag gravity")
    assert view.request is not None and view.request.task.values == (0.0, 1.0)
    assert view.edit(0) == SetFlag("opt.disableflags", view.request.task.choice.bit, True)


def test_one_click_is_one_command() -> None:
    view, _ = asked("gravity z")
    assert view.request is not None
    place = view.request.task.values.index(-4.905)
    assert view.edit(place) == SetField("opt.gravity", -4.905, (2,), None, (), "gravity z")
    assert view.go_on(place) == TryFix(3, 0, (view.edit(place),))


def test_closed_it_wants_nothing() -> None:
    view, _ = asked("gravity z")
    assert view.take_request() is view.request is not None
    view.drop()
    assert view.take_request() is None
    assert view.request is None and view.shown is None


def test_ghost_follows_the_view_once_that_has_gone_on() -> None:
    view, snapshot = asked("gravity z")
    assert view.request is not None and snapshot.state is not None
    assert view.ghost is None
    frames = (Frame(0.0, snapshot.state), Frame(1.0, snapshot.state))
    view.found = Sweep(view.request, {1: Outcome(-19.62, frames)}, time=0.006)
    view.chosen = 1
    assert view.ghost is view.found.outcomes[1]
    view.reel.position = 0.5
    assert view.ghost_time(0.006) == pytest.approx(0.5)
    assert view.ghost_time(0.106) == pytest.approx(0.1)
    assert view.ghost_time(99.0) == pytest.approx(0.5)
    # of another sweep
    view.run(snapshot)
    assert view.ghost is None and view.shown is None


def test_another_model_ends_it_and_the_same_file_keeps_the_field() -> None:
    view, snapshot = asked("damping", "joint")
    view.camera = 0
    view.follow(snapshot)
    assert view.request is not None
    view.follow(snapshot_of(XML.replace(".7", ".8")))
    assert view.request is None
    assert view.choice is not None and view.choice.label == "damping of joint hinge"
    view.follow(snapshot_of("<mujoco><worldbody><geom size='1'/></worldbody></mujoco>"))
    assert view.choice is None and view.camera == -1
    view.follow(replace(snapshot, model=None))
