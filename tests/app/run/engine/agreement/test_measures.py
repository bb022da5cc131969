"""Expressions, plots and replays of a model that MuJoCo simulates."""

from __future__ import annotations

import numpy as np
import pytest

import sim
from app.background.row_source import RowSource
from app.files.resources import find_scene
from app.run.engine.mujoco_engine import mujoco_engine
from app.run.engine.mujoco_model import MujocoModel
from app.run.history.taken_rows import TakenRows
from sim.analysis.elements import reference
from sim.edits import NO_EDITS, CellValue, ModelEdits
from sim.recording.evaluate import Columns, values
from sim.recording.replay import Replayer
from sim.recording.run import Array, Block, Branch, Change, Run, Segment
from sim.script.expression import evaluate
from tests.app.run.engine.agreement.both import SCENES, Both, both
from tests.sim.recording.made_runs import InMemory

FIELDS = (
    "norm(d.qpos)", "norm(d.qvel)", "norm(d.qacc)", "sum(d.xpos)", "norm(d.cvel)", "norm(d.qfrc_bias)", "d.energy[0]",
    "norm(d.qfrc_constraint)", "norm(d.actuator_force)", "norm(d.sensordata)", "d.ncon", "d.nefc", "m.opt.timestep",
    "norm(d.subtree_com)", "norm(d.ten_length)", "sum(d.eq_active)", "d.time", "sum(d.ctrl)", "sum(m.body_mass)",
)  # fmt: skip
WHOLE = ("touching()", "normal_force()", "friction_force()", "depth()", "slip_speed()", "energy()", "islands()",
         "iterations()", "converged()")  # fmt: skip


def measures(m: sim.Model) -> list[str]:
    """Every measure, of the elements that a model has."""
    names = {kind: [f'"{reference(m.names, kind, i)}"' for i in range(len(m.names[kind]))] for kind in m.names}
    found = [*WHOLE]
    for body in names["body"][1:4]:
        found += [f"touching({body})", f"normal_force({body})", f"depth({body})", f"awake({body})"]
        found += [f'push({body}, "{kind}")' for kind in ("gravity", "velocity", "contact")]
    for joint in names["joint"][:3]:
        found += [f"limit_distance({joint})", f'push({joint}, "actuator")', f'push({joint}, "joint damper")']
    return found + [f"saturation({actuator})" for actuator in names["actuator"][:3]]


def value(text: str, m: sim.Model, d: sim.Data) -> float | str:
    """The value, or why there is none."""
    try:
        return evaluate(text, m, d)
    except ValueError as why:
        return str(why)


@pytest.fixture(params=SCENES, scope="module")
def same(request: pytest.FixtureRequest) -> Both:
    return both(request.param)


def test_measures_and_fields(same: Both) -> None:
    seen = 0
    for text in (*FIELDS, *measures(same.m)):
        ours, theirs = value(text, same.m, same.d), value(text, same.theirs, same.data)
        if isinstance(ours, str):
            assert ours == theirs, text
        else:
            seen += 1
            assert theirs == pytest.approx(ours, rel=1e-6, abs=1e-6), text
    assert seen > 25


def test_the_residual_is_small(same: Both) -> None:
    """It is rounding in both engines, or what opt.tolerance leaves."""
    bound = max(float(same.m.opt.tolerance), 1e-8)
    ours, theirs = evaluate("residual()", same.m, same.d), evaluate("residual()", same.theirs, same.data)
    assert theirs == pytest.approx(ours, rel=1e-3, abs=bound)


def test_the_state_needs_no_forward(same: Both) -> None:
    """Columns of rows are found in a Data that is marked and thrown away; the model goes on as if nothing was."""
    m, engine = same.theirs, same.theirs.engine
    signature = engine.record_signature(m)
    row = engine.get_state(m, same.data, signature)
    columns = Columns(m, signature)
    for text in ("d.time", "norm(d.qpos)", "d.qvel[0]", "norm(d.qacc_warmstart)"):
        assert columns.values(text, row[None])[0] == pytest.approx(evaluate(text, m, same.data))
    for text in ("d.qacc[0]", "d.xpos[1, 2]", "sum(d.eq_active)", "d.ncon"):
        with pytest.raises(Exception):  # noqa: B017 of any kind
            columns.values(text, row[None])
    found = values(m, engine.Data(m), row[None], signature, ["d.qacc[0]", "d.qpos[0]"])
    assert found.numbers[0] == pytest.approx([same.data.qacc[0], same.data.qpos[0]])


# ---- rows of a run


class Made:
    """Steps of MuJoCo's engine: a push after 40, another gravity after 70; rows of all of them."""

    def __init__(self, m: MujocoModel) -> None:
        self.m, self.engine = m, m.engine
        self.signature = self.engine.record_signature(m)
        self.d = self.engine.Data(m)
        self.rows: list[Array] = []
        self.segments: list[Segment] = []
        self._segment(NO_EDITS)
        self._steps(40)
        self.d.qvel[0] += 0.25
        self._segment(NO_EDITS)
        self._steps(30)
        edits = ModelEdits({"opt.gravity": (CellValue(2, 0, -3.0),)})
        self.engine.apply_edits(m, edits)
        self._segment(edits)
        self._steps(30)
        self.run = Run({0: Branch(0, segments=self.segments)})

    def row(self) -> Array:
        return self.engine.get_state(self.m, self.d, self.signature)

    def _segment(self, edits: ModelEdits) -> None:
        row, timestep, step = self.row(), float(self.m.opt.timestep), max(len(self.rows) - 1, 0)
        segment = Segment(step, step, 0, edits, float(self.d.time), timestep)
        if self.rows:
            indices = np.flatnonzero(row != self.rows[-1]).astype(np.int32)
            segment.change = Change(indices, row[indices])
            self.rows[-1] = row
        else:
            segment.blocks.append(Block(0, 1, InMemory(row[None])))
            self.rows.append(row)
        self.segments.append(segment)

    def _steps(self, count: int) -> None:
        for _ in range(count):
            self.engine.step(self.m, self.d)
            self.rows.append(self.row())
        self.segments[-1].last = len(self.rows) - 1


@pytest.fixture(params=["pile", "muscle_arm", "sleepers", "delay_and_lag"])
def made(request: pytest.FixtureRequest) -> Made:
    return Made(mujoco_engine().load(str(find_scene(request.param))))


def test_a_replay_is_the_run_to_the_bit(made: Made) -> None:
    replayer = Replayer(made.run, lambda version: made.m)
    for step in (100, 3, 70, 41, 40, 99, 0):
        assert replayer.row(0, step).tobytes() == made.rows[step].tobytes()
    m, d = replayer.moment(0, 85)
    assert isinstance(m, MujocoModel) and m is not made.m
    assert m.opt.gravity[2] == m.mj.opt.gravity[2] == -3.0
    # goes on as the run did
    m.engine.step(m, d, 10)
    assert m.engine.get_state(m, d, made.signature).tobytes() == made.rows[95].tobytes()


def test_plots_of_the_run(made: Made) -> None:
    source = RowSource(lambda command: None)
    rows = TakenRows(made.m, made.segments[-1].edits, np.array([80, 90]), np.array([made.rows[80], made.rows[90]]))
    found = source.values((rows,), ("norm(d.qpos)", "norm(d.xpos)", "energy()"))
    assert found.values[0] == pytest.approx([np.linalg.norm(row[1 : 1 + made.m.nq]) for row in rows.rows])
    # our engine says the same of these states
    ours = sim.load(next(iter(made.m.files)))
    sim.apply_edits(ours, rows.edits)
    d = sim.Data(ours)
    for at, row in enumerate(rows.rows):
        sim.set_state(ours, d, row, made.signature)
        sim.forward(ours, d)
        assert found.values[1, at] == pytest.approx(evaluate("norm(d.xpos)", ours, d))
        assert found.values[2, at] == pytest.approx(evaluate("energy()", ours, d))
