"""The follower along rows: changes of the user, interpolated times, divergence, states carried by names."""

from __future__ import annotations

import numpy as np
import pytest

import sim
from app.instruments.ab.follower import Carried, Ended, Follower, predicted
from app.instruments.ab.side import Side
from app.run.commands import SetField
from sim.edits import NO_EDITS

XML = """<mujoco><option gravity='0 0 -10' timestep='.002'/><worldbody>
  <body name='ball' pos='0 0 5'><freejoint/><geom name='ball' size='.1'/></body>
  <body name='arm' pos='1 0 1'><joint name='hinge' axis='0 1 0'/><geom name='arm' size='.1' pos='.3 0 0'/></body>
</worldbody><actuator><motor joint='hinge'/></actuator></mujoco>"""
# another order, one more body
OTHER = """<mujoco><option gravity='0 0 -10' timestep='.002'/><worldbody>
  <body name='arm' pos='1 0 1'><joint name='hinge' axis='0 1 0'/><geom name='arm' size='.1' pos='.3 0 0'/></body>
  <body name='new' pos='5 0 1'><joint name='new'/><geom size='.1'/></body>
  <body name='ball' pos='0 0 5'><freejoint/><geom name='ball' size='.1'/></body>
</worldbody><actuator><motor joint='hinge'/></actuator></mujoco>"""


def rows_of(model: sim.Model, count: int, control: float = 0.0) -> np.ndarray:
    data, signature = sim.Data(model), sim.record_signature(model)
    data.ctrl[:] = control
    rows = [sim.get_state(model, data, signature)]
    for _ in range(count):
        sim.step(model, data)
        rows.append(sim.get_state(model, data, signature))
    return np.array(rows)


def test_what_the_user_moves_in_a_is_moved_in_b() -> None:
    model = sim.loads(XML)
    rows = rows_of(model, 20)
    run = Follower(model.copy(), (SetField("opt.gravity", -5.0, (2,)),))
    run.begin(rows[0], NO_EDITS)
    before = list(run.advance(rows))[-1]
    moved = rows[-1].copy()
    moved[8] = 0.7
    after = run.change(rows[-1], moved, NO_EDITS)
    # the hinge is set, the ball stays where it was in B
    assert after[8] == 0.7 and after[3] == before[3] != rows[-1][3]
    assert np.array_equal(after[9:15], before[9:15])


def test_between_two_steps_positions_are_interpolated() -> None:
    model = sim.loads(XML)
    rows = rows_of(model, 30)
    run = Follower(model.copy(), (SetField("opt.timestep", 0.005),))
    run.begin(rows[0], NO_EDITS)
    found = np.array(list(run.advance(rows)))
    assert found[:, 0] == pytest.approx(rows[1:, 0])
    assert run.interpolates
    # at its own times: g h² k (k + 1) / 2, and straight between
    own = [5.0 - 10.0 * 0.005**2 * k * (k + 1) / 2 for k in range(13)]
    assert found[:, 3] == pytest.approx(np.interp(rows[1:, 0], 0.005 * np.arange(13), own))


def test_divergence_ends_it() -> None:
    model = sim.loads(XML)
    rows = rows_of(model, 400, control=1.0)
    run = Follower(model.copy(), (SetField("actuator_gear", 1e13, (0,), 0),))
    run.begin(rows[0], NO_EDITS)
    made = []
    with pytest.raises(Ended, match="B diverged after"):
        for row in run.advance(rows):
            made.append(row)
    assert len(made) < 400 and np.isfinite(made).all()


def test_states_are_carried_by_names() -> None:
    model, other = sim.loads(XML), sim.loads(OTHER)
    rows = rows_of(model, 50, control=0.3)
    run = Follower(other.copy(), carried=Carried(model, other))
    run.begin(rows[0], NO_EDITS)
    last = list(run.advance(rows))[-1]
    side, mine = Side(other), Side(model)
    poses, there = mine.poses(rows[-1]), side.poses(last)
    for name in ("ball", "arm"):
        a, b = model.name2id("body", name), other.name2id("body", name)
        assert there.xipos[b] == pytest.approx(poses.xipos[a], abs=1e-12), name


def test_prediction_is_the_next_row() -> None:
    model = sim.loads(XML)
    rows = rows_of(model, 5, control=0.3)
    assert np.array_equal(predicted(model.copy(), NO_EDITS, rows[3]), rows[4])


def test_values_and_reasons_of_a_side() -> None:
    model = sim.loads(XML)
    rows = rows_of(model, 5, control=0.3)
    values, reasons = Side(model).values([*rows], ("d.time", "energy()", "d.nope"))
    assert values[:, 0] == pytest.approx(rows[:, 0]) and np.isfinite(values[:, 1]).all()
    assert np.isnan(values[:, 2]).all() and "nope" in reasons["d.nope"]
