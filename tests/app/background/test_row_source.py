"""Rows of a run, evaluated with copies: the model as it was then, whatever is done to the simulation's own since."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import sim
from app.background.row_source import RowSource
from app.run.commands import Command, TakeRows
from app.run.history.taken_rows import TakenRows
from sim.recording.run import CellValue, ModelEdits

XML = """<mujoco><option gravity='0 0 -10'/><worldbody>
<body name='ball' pos='0 0 1'><freejoint/><geom size='.1'/></body></worldbody></mujoco>"""
HEAVIER = ModelEdits({"opt.gravity": (CellValue(2, 0, -20.0),)})


def recorded(model: sim.Model, count: int = 5) -> np.ndarray:
    """Rows of some steps."""
    data, sig = sim.Data(model), sim.record_signature(model)
    rows = []
    for _ in range(count):
        rows.append(sim.get_state(model, data, sig))
        sim.step(model, data)
    return np.array(rows)


def source_of(answers: list[tuple[TakenRows, ...]]) -> RowSource:
    def send(command: Command) -> None:
        assert isinstance(command, TakeRows)
        command.reply(answers.pop(0))

    return RowSource(send)


def take(source: RowSource, *steps: int) -> tuple[TakenRows, ...]:
    got: list[Any] = []
    source.ask(3, steps, got.append)
    return tuple(got[0])


def test_values_are_what_forward_gives_with_the_edits_of_then() -> None:
    model = sim.loads(XML)
    rows = recorded(model)
    answer = (
        TakenRows(model, ModelEdits(), np.array([0, 1]), rows[:2]),
        TakenRows(model, HEAVIER, np.array([2, 3]), rows[2:4]),
    )
    source = source_of([answer])
    taken = take(source, 0, 1, 2, 3)
    # edits and steps of the simulation do not matter any more
    model.opt.gravity[2] = 7.0
    found = source.values(taken, ("d.qacc[2]", "d.qpos[2]", "d.nonsense"))
    assert found.steps.tolist() == [0, 1, 2, 3]
    assert found.times.tolist() == rows[:4, 0].tolist()
    assert found.values[0] == pytest.approx([-10, -10, -20, -20])
    assert found.values[1, 0] == 1.0 and np.all(np.diff(found.values[1]) < 0)
    assert np.isnan(found.values[2]).all()
    assert found.reasons == ("", "", "'d.nonsense' is not a field")
    assert model.opt.gravity[2] == 7.0


def test_of_segments_that_meet_at_a_step_the_last_counts() -> None:
    model = sim.loads(XML)
    rows = recorded(model)
    changed = rows[2:3].copy()
    changed[0, 3] = 9.0
    answer = (
        TakenRows(model, ModelEdits(), np.array([1, 2]), rows[1:3]),
        TakenRows(model, ModelEdits(), np.array([2, 3]), np.concatenate([changed, rows[3:4]])),
    )
    found = source_of([]).values(answer, ("d.qpos[2]",))
    assert found.steps.tolist() == [1, 2, 3] and found.values[0, 1] == 9.0


def test_no_rows() -> None:
    found = source_of([]).values((), ("d.qpos[2]", "d.time"))
    assert len(found.steps) == 0 and found.values.shape == (2, 0) and found.reasons == ("", "")
