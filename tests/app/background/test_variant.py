"""A variant beside a recorded run: the same to the bit without edits, as theory says with one; what cannot be."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

import sim
from app.background.variant import Variant, VariantRun
from app.run.commands import SetField, SetFlag
from sim.edits import NO_EDITS, CellValue, ModelEdits
from sim.enums import ENBL_SLEEP

FALLING = """<mujoco><option gravity='0 0 -10' timestep='.002'/><worldbody><body name='ball' pos='0 0 100'><freejoint/>
<geom size='.1'/></body></worldbody></mujoco>"""
ARM = """<mujoco><worldbody><geom type='plane' size='9 9 .1'/>
  <body name='box' pos='0 0 .3' euler='10 20 0'><freejoint/><geom type='box' size='.1 .1 .1'/></body>
  <body name='arm' pos='2 0 1'><joint name='elbow' axis='0 1 0' damping='.1'/>
    <geom type='capsule' fromto='0 0 0 .3 0 0' size='.04'/></body>
</worldbody><actuator><motor joint='elbow'/></actuator>
<equality><joint name='hold' joint1='elbow' active='false'/></equality></mujoco>"""
SLEEPY = ARM.replace("<worldbody>", "<option><flag sleep='enable'/></option><worldbody>", 1)


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
    run = VariantRun(model.copy(), NO_EDITS, Variant("the same"))
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
    run = VariantRun(model.copy(), NO_EDITS, Variant("g/2", (SetField("opt.gravity", -5.0, (2,)),)))
    run.start(start)
    rows = run.trace(500)
    # semi-implicit Euler: h² g k (k + 1) / 2
    assert run.data.qpos[2] - data.qpos[2] == pytest.approx(5.0 * 0.002**2 * 500 * 501 / 2, rel=1e-9)
    assert rows.shape[0] == 500 and np.array_equal(rows[-1], run.row())
    assert model.opt.gravity[2] == -10.0


def test_edits_of_the_simulation_are_below_those_of_the_variant() -> None:
    model = sim.loads(ARM)
    variant = Variant("damped", (SetField("dof_damping", 2.0, (6,)),))
    run = VariantRun(model.copy(), NO_EDITS, variant)
    gravity = ModelEdits({"opt.gravity": (CellValue(2, 0, -1.0),), "dof_damping": (CellValue(6, 0, 5.0),)})
    run.set_edits(gravity)
    assert (run.model.opt.gravity[2], run.model.dof_damping[6]) == (-1.0, 2.0)
    run.set_edits(NO_EDITS)
    assert (run.model.opt.gravity[2], run.model.dof_damping[6]) == (-9.81, 2.0)


def test_an_equality_that_the_variant_switches_stays_so() -> None:
    model = sim.loads(ARM)
    rows = recorded(model, 20)
    run = VariantRun(model.copy(), NO_EDITS, Variant("held", (SetField("eq_active0", 1.0, (0,)),)))
    run.start(rows[0])
    for row in rows:
        run.take_inputs(row)
        assert run.data.eq_active[0]
        run.step()
    assert abs(run.data.qpos[7]) < 0.5 * abs(rows[-1][8])


@pytest.mark.parametrize("on", [True, False])
def test_sleep_can_be_switched_by_a_variant(on: bool) -> None:
    """A state has more numbers with sleep: rows of either kind are understood."""
    model = sim.loads(ARM if on else SLEEPY)
    rows = recorded(model, 30)
    run = VariantRun(model.copy(), NO_EDITS, Variant("sleep", (SetFlag("opt.enableflags", ENBL_SLEEP, on),)))
    run.start(rows[0])
    for row in rows[:-1]:
        run.take_inputs(row)
        run.step()
    assert len(run.row()) != rows.shape[1]
    assert np.allclose(run.data.qpos, rows[-1][1 : 1 + model.nq], atol=1e-12)


def test_what_sleeps_wakes_only_for_a_variant_with_edits() -> None:
    model = sim.loads(SLEEPY)
    data = sim.Data(model)
    sim.step(model, data, 3000)
    assert data.tree_asleep[0] >= 0
    row = sim.get_state(model, data, sim.record_signature(model))
    for edits, asleep in (((), True), ((SetField("opt.gravity", -5.0, (2,)),), False)):
        run = VariantRun(model.copy(), NO_EDITS, Variant("x", edits))
        run.start(row)
        assert (run.data.tree_asleep[0] >= 0) == asleep


def test_what_cannot_be_says_so() -> None:
    model = sim.loads(ARM)
    with pytest.raises(ValueError, match=r"^heavy: .*mass must be a finite number"):
        VariantRun(model.copy(), NO_EDITS, Variant("heavy", (SetField("body_mass", np.inf, (2,)),)))
    with pytest.raises(ValueError, match=r"^of another model: .*outside"):
        VariantRun(model.copy(), ModelEdits({"body_mass": (CellValue(99, 0, 1.0),)}), Variant("of another model"))
    run = VariantRun(model.copy(), NO_EDITS, Variant("x"))
    with pytest.raises(ValueError, match="its states are not those of the simulation"):
        run.start(np.zeros(3))


def test_divergence_is_noticed() -> None:
    model = sim.loads(FALLING)
    run = VariantRun(model.copy(), NO_EDITS, Variant("x"))
    row = sim.get_state(model, sim.Data(model), sim.record_signature(model))
    row[10] = 1e12
    run.start(row)
    run.step(2)
    assert run.diverged
