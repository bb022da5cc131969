"""A second run: the same to the bit without edits, as theory says with one; how it starts; what cannot be.

What a start does is the table STARTS. The second runs of A/B and Sweep (V), of trials of fixes (T) and of Lockstep (L)
were classes of their own and differed in it; the doctor's short run starts from a keyframe.
- Sleep is as recorded, to the bit (T woke all), but edits on top wake what sleeps, which may need it (L: not).
- If an edit switches sleep, the state is what both have of it, awake (T refused, L cut it or refused).
- Equalities that the edits on top set are as these say, even if that is what the file says, at the start and whenever
  inputs are taken (T: where it differs from the file, at the start; L: never). All others are as recorded.
- A run that diverges continues with bad numbers and says so. L leaves the reset to the model: it is part of a step.
- Each start clears the warnings (L: not; those of MuJoCo stayed), and its marks of what is up to date (L alone).
- A row that is not of the model is refused; L first cuts off what only the other engine has.
"""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest

import sim
from app.background.second_run import Edit, SecondRun
from app.run.commands import SetField, SetFlag
from app.run.engine.mujoco_engine import mujoco_engine
from app.run.history.recorded_inputs import row_places
from sim.edits import NO_EDITS, CellValue, ModelEdits
from sim.enums import ENBL_SLEEP, STATE_RECORD, STATE_SLEEP

HALF = (SetField("opt.gravity", -5.0, (2,)),)
HELD, LOOSE = ((SetField("eq_active0", value, (0,)),) for value in (1.0, 0.0))
LOWER = ModelEdits({"opt.gravity": (CellValue(2, 0, -5.0),)})

FALLING = """<mujoco><option gravity='0 0 -10' timestep='.002'/><worldbody><body name='ball' pos='0 0 100'><freejoint/>
<geom size='.1'/></body></worldbody></mujoco>"""
ARM = """<mujoco><worldbody><geom type='plane' size='9 9 .1'/>
  <body name='box' pos='0 0 .3' euler='10 20 0'><freejoint/><geom type='box' size='.1 .1 .1'/></body>
  <body name='arm' pos='2 0 1'><joint name='elbow' axis='0 1 0' damping='.1'/>
    <geom type='capsule' fromto='0 0 0 .3 0 0' size='.04'/></body>
</worldbody><actuator><motor joint='elbow'/></actuator>
<equality><joint name='hold' joint1='elbow' active='false'/></equality></mujoco>"""
SLEEPY = ARM.replace("<worldbody>", "<option><flag sleep='enable'/></option><worldbody>", 1)


ENGINES = ["kinetoscope", "mujoco"]


class Start(NamedTuple):
    """A state, what is on top of it, and what is to be: which trees sleep, the equality, the width of its rows."""

    edits: tuple[Edit, ...] = ()
    base: ModelEdits = NO_EDITS
    # of the recorded state
    sleeps: bool = False
    held: bool = False
    # of the run
    asleep: bool = False
    holds: bool = False
    wide: bool = False


SLEEP_ON, SLEEP_OFF = ((SetFlag("opt.enableflags", ENBL_SLEEP, on),) for on in (True, False))
STARTS = {
    "as recorded": Start(),
    "asleep": Start(sleeps=True, asleep=True, wide=True),
    "asleep, edit on top": Start(HALF, sleeps=True, wide=True),
    "asleep, edit below": Start(base=LOWER, sleeps=True, asleep=True, wide=True),
    "sleep switched off": Start(SLEEP_OFF, sleeps=True),
    "sleep switched on": Start(SLEEP_ON, wide=True),
    "equality switched on": Start(HELD, holds=True),
    "equality switched off, as in the file": Start(LOOSE, held=True),
    "equality as recorded": Start(HALF, held=True, holds=True),
    "equality edited below": Start(HALF, ModelEdits({"eq_active0": (CellValue(0, 0, 1.0),)})),
    "another timestep": Start((SetField("opt.timestep", 0.005),)),
}


def recorded(model: sim.Model, steps: int) -> np.ndarray:
    """Rows of a run with controls that change and a pull in the middle; the first one is that of the start."""
    data, rng = sim.Data(model), np.random.default_rng(0)
    signature = sim.record_signature(model)
    rows = [sim.get_state(model, data, signature)]
    data.noise.scale, data.noise.rate, data.noise.seed = 0.1, 0.05, 12
    for k in range(steps):
        if k % 10 == 0 and model.nu:
            data.ctrl[:] = rng.standard_normal(model.nu)
        data.perturb.select, data.perturb.active = (1, 1) if 300 < k < 500 else (0, 0)
        data.perturb.refselpos[:] = (0.0, 0.5, 0.6)
        rows[-1] = sim.get_state(model, data, signature)
        sim.step(model, data)
        rows.append(sim.get_state(model, data, signature))
    return np.array(rows)


@pytest.mark.parametrize("xml", [ARM, SLEEPY])
def test_copy_without_edits_is_the_same_to_the_bit(xml: str) -> None:
    model = sim.loads(xml)
    rows = recorded(model, 1000)
    run = SecondRun(model.copy())
    run.start(rows[0])
    for before, after in pairwise(rows):
        run.take_inputs(before)
        run.step()
        run.take_inputs(after)
        assert np.array_equal(run.row(), after)
    assert np.ptp(rows[:, 3]) > 0.1 and not run.diverged


def test_gravity_of_half_falls_half_as_far() -> None:
    model = sim.loads(FALLING)
    data = sim.Data(model)
    start = sim.get_state(model, data, sim.record_signature(model))
    sim.step(model, data, 500)
    run = SecondRun(model.copy(), HALF)
    run.start(start)
    rows = run.trace(500)
    # semi-implicit Euler: h² g k (k + 1) / 2
    assert run.data.qpos[2] - data.qpos[2] == pytest.approx(5.0 * 0.002**2 * 500 * 501 / 2, rel=1e-9)
    assert rows.shape[0] == 500 and np.array_equal(rows[-1], run.row())
    assert model.opt.gravity[2] == -10.0


def test_edits_of_the_simulation_are_below_those_on_top() -> None:
    model = sim.loads(ARM)
    run = SecondRun(model.copy(), (SetField("dof_damping", 2.0, (6,)),))
    gravity = ModelEdits({"opt.gravity": (CellValue(2, 0, -1.0),), "dof_damping": (CellValue(6, 0, 5.0),)})
    run.set_edits(gravity)
    assert (run.model.opt.gravity[2], run.model.dof_damping[6]) == (-1.0, 2.0)
    run.set_edits(NO_EDITS)
    assert (run.model.opt.gravity[2], run.model.dof_damping[6]) == (-9.81, 2.0)


def test_an_equality_that_an_edit_switches_stays_so() -> None:
    model = sim.loads(ARM)
    rows = recorded(model, 20)
    run = SecondRun(model.copy(), HELD)
    run.start(rows[0])
    for row in rows:
        run.take_inputs(row)
        assert run.data.eq_active[0]
        run.step()
    assert abs(run.data.qpos[7]) < 0.5 * abs(rows[-1][8])


@pytest.mark.parametrize("on", [True, False])
def test_sleep_can_be_switched_by_an_edit(on: bool) -> None:
    """A state has more numbers with sleep: rows of either kind are understood."""
    model = sim.loads(ARM if on else SLEEPY)
    rows = recorded(model, 30)
    run = SecondRun(model.copy(), (SetFlag("opt.enableflags", ENBL_SLEEP, on),))
    run.start(rows[0])
    for row in rows[:-1]:
        run.take_inputs(row)
        run.step()
    assert len(run.row()) != rows.shape[1]
    assert np.allclose(run.data.qpos, rows[-1][1 : 1 + model.nq], atol=1e-12)


def test_what_cannot_be_says_so() -> None:
    model = sim.loads(ARM)
    with pytest.raises(ValueError, match=r"^heavy: .*mass must be a finite number"):
        SecondRun(model.copy(), (SetField("body_mass", np.inf, (2,)),), label="heavy")
    with pytest.raises(ValueError, match=r"^of another model: .*outside"):
        SecondRun(model.copy(), (), ModelEdits({"body_mass": (CellValue(99, 0, 1.0),)}), label="of another model")
    run = SecondRun(model.copy())
    with pytest.raises(ValueError, match="its states differ from those of the simulation"):
        run.start(np.zeros(3))


def loaded(folder: Path, engine: str, xml: str) -> sim.Model:
    """A model of an engine."""
    path = folder / "model.xml"
    path.write_text(xml)
    return sim.load(path) if engine == "kinetoscope" else mujoco_engine().load(str(path))


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("name", STARTS)
def test_start(name: str, engine: str, tmp_path: Path) -> None:
    wanted = STARTS[name]
    model = loaded(tmp_path, engine, SLEEPY if wanted.sleeps else ARM)
    data = model.engine.Data(model)
    model.engine.step(model, data, 3000 if wanted.sleeps else 20)
    data.eq_active[0] = wanted.held
    row = model.engine.get_state(model, data, model.engine.record_signature(model))
    run = SecondRun(model.copy(), wanted.edits, wanted.base)
    run.start(row)
    assert (bool(run.data.tree_asleep[0] >= 0) if wanted.wide else False) == wanted.asleep
    assert bool(run.data.eq_active[0]) == wanted.holds
    assert len(run.row()) == run.engine.state_size(model, STATE_RECORD | STATE_SLEEP * wanted.wide)
    assert run.row()[: 1 + model.nq + model.nv] == pytest.approx(row[: 1 + model.nq + model.nv], abs=0.0)
    if not wanted.edits:
        assert np.array_equal(run.row(), row)
    run.take_inputs(row)
    assert bool(run.data.eq_active[0]) == wanted.holds
    run.step()
    assert run.data.time == pytest.approx(row[0] + float(run.model.opt.timestep))
    assert not run.diverged


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("autoreset", [False, True])
def test_divergence_is_noticed_and_a_start_forgets_it(engine: str, autoreset: bool, tmp_path: Path) -> None:
    model = loaded(tmp_path, engine, FALLING)
    run = SecondRun(model, autoreset=autoreset)
    row = run.row()
    bad = row.copy()
    bad[0], bad[10] = 1.0, 1e12
    run.start(bad)
    run.step(2)
    assert run.diverged and (float(run.data.time) < 1.0) == autoreset
    run.start(row)
    run.step()
    assert not run.diverged


def test_a_change_sets_what_no_step_computes() -> None:
    """Columns are those of the recorded rows, whether the run has the same or not."""
    model = sim.loads(SLEEPY)
    row = recorded(model, 5)[-1]
    places = row_places(model, sim.record_signature(model))
    columns = np.array([0, places["qpos"].start, places["ctrl"].start, places["eq_active"].start, len(row) - 1])
    for edits in ((), SLEEP_OFF):
        run = SecondRun(model.copy(), (*HELD, *edits))
        run.start(row)
        run.change(columns, np.array([9.0, 8.0, 7.0, 0.0, 6.0]), len(row))
        assert (run.data.time, run.data.qpos[0], run.data.ctrl[0], run.data.eq_active[0]) == (row[0], 8.0, 7.0, 1)
