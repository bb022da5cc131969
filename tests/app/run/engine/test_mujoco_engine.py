"""MuJoCo as an engine: its own steps, to the bit, with our rows, pulls, noise and edits around them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import sim
from app.files.resources import find_scene
from app.run import mouse_pull
from app.run.commands import Perturbation
from app.run.engine.installed import mujoco
from app.run.engine.mujoco_data import MujocoData
from app.run.engine.mujoco_engine import LACKS, mujoco_engine
from app.run.engine.mujoco_model import MujocoModel
from sim.edits import NO_EDITS, CellValue, ModelEdits
from sim.enums import PERT_TRANSLATE
from sim.script.profile import REST

MODELS = Path(__file__).parent / "models"
# contacts, sleep, delays, tendons, muscles' relatives, mocap, equalities; then what only MuJoCo has
SCENES = ("humanoid", "pile", "dominoes", "sleepers", "delay_and_lag", "puppet", "servos", "drone")
OWN = ("plugins", "flexes")


def scene(name: str) -> str:
    """The file of a scene, or of a model of these tests."""
    return str(MODELS / f"{name}.xml") if name in OWN else str(find_scene(name))


@pytest.fixture(scope="module")
def models() -> dict[str, MujocoModel]:
    """Models, loaded once; do not edit them."""
    return {}


def loaded(models: dict[str, MujocoModel], name: str) -> tuple[MujocoModel, MujocoData]:
    """A model, and Data at its first keyframe."""
    if name not in models:
        models[name] = mujoco_engine().load(scene(name))
        mujoco_engine().prepare(models[name])
    model = models[name]
    data = MujocoData(model)
    mujoco_engine().reset(model, data, 0 if model.nkey else None)
    return model, data


@pytest.mark.parametrize("name", [*SCENES, *OWN])
def test_steps_are_mujocos_own(name: str, models: dict[str, MujocoModel]) -> None:
    model, data = loaded(models, name)
    module, engine = mujoco(), mujoco_engine()
    own = module.MjData(model.mj)
    if model.nkey:
        module.mj_resetDataKeyframe(model.mj, own, 0)
    module.mj_step(model.mj, own, 40)
    engine.trace(model, data, 64)
    engine.step(model, data, 30)
    engine.trace(model, data, 0)
    engine.step(model, data, 10)
    assert data.time == own.time
    for field in ("qpos", "qvel", "act", "qacc", "sensordata", "cvel"):
        assert np.array_equal(data.read(field), getattr(own, field)), field
    assert (data.ncon, data.nefc, data.nisland) == (own.ncon, own.nefc, own.nisland)
    assert np.array_equal(data.contact.dist, own.contact.dist)
    assert np.array_equal(data.efc_force, own.efc_force)


@pytest.mark.parametrize("name", [*SCENES, *OWN])
def test_a_row_gives_the_next_rows_to_the_bit(name: str, models: dict[str, MujocoModel]) -> None:
    model, data = loaded(models, name)
    engine, sig = mujoco_engine(), sim.record_signature(model)
    engine.trace(model, data, 200)
    engine.step(model, data, 120)
    rows = data.trace.state.copy()
    for start in (10, 70):
        other = MujocoData(model)
        # whatever it did before
        engine.step(model, other, 17)
        engine.set_state(model, other, rows[start], sig, check=False)
        assert np.array_equal(engine.get_state(model, other, sig).view(np.int64), rows[start].view(np.int64))
        engine.trace(model, other, 50)
        engine.step(model, other, 40)
        assert np.array_equal(other.trace.state[:40].view(np.int64), rows[start + 1 : start + 41].view(np.int64))


def test_the_state_of_a_plugin_is_part_of_a_state(models: dict[str, MujocoModel]) -> None:
    model, data = loaded(models, "plugins")
    engine = mujoco_engine()
    # the servos' integrals are activations, or a state of the plugin's own
    integrals = data.plugin_state if model.npluginstate else data.act
    engine.step(model, data, 50)
    kept = engine.copy_state(model, data)
    before = integrals.copy()
    assert before.any()
    engine.step(model, data, 50)
    assert not np.array_equal(integrals, before)
    engine.restore_state(model, data, kept)
    assert np.array_equal(integrals, before)
    content = engine.pack_state(model, kept)
    assert np.array_equal(engine.unpack_state(model, content)["state"], kept["state"])


def test_a_pull_moves_the_body_and_leaves_no_force(models: dict[str, MujocoModel]) -> None:
    model, data = loaded(models, "pile")
    engine = mujoco_engine()
    engine.forward(model, data)
    body = model.nbody - 1
    target = np.array(data.xpos[body]) + np.array([0.0, 0.0, 1.0])
    mouse_pull.apply(data, Perturbation(body, (0.0, 0.0, 0.0), tuple(target.tolist())))
    assert data.perturb.active == PERT_TRANSLATE
    height = float(data.xpos[body, 2])
    engine.step(model, data, 100)
    assert data.xpos[body, 2] > height + 0.2
    assert not data.xfrc_applied.any()
    assert np.abs(data.perturb.xfrc).max() > 0


def test_noise_depends_on_seed_and_time_alone(models: dict[str, MujocoModel]) -> None:
    model, data = loaded(models, "servos")
    engine, found = mujoco_engine(), []
    for seed in (1, 1, 2):
        engine.reset(model, data)
        data.noise.scale, data.noise.rate, data.noise.seed = 0.3, 0.1, seed
        engine.step(model, data, 20)
        found.append(data.ctrl.copy())
    assert np.array_equal(found[0], found[1]) and not np.array_equal(found[0], found[2])


def test_edits_and_their_constants_come_and_go_to_the_bit() -> None:
    engine = mujoco_engine()
    model = engine.load(scene("humanoid"))
    fields = ("body_mass", "dof_invweight0", "body_subtreemass", "geom_friction", "opt.timestep", "stat.meaninertia")
    before = {name: np.copy(model.read(name)) for name in fields}
    edits = ModelEdits({"body_mass": (CellValue(2, 0, 9.0),), "opt.timestep": (CellValue(0, 0, 0.001),)})
    assert "body_mass" in engine.apply_edits(model, edits)
    assert model.mj.body_mass[2] == 9.0 and model.mj.opt.timestep == 0.001
    assert model.mj.body_subtreemass[0] != before["body_subtreemass"][0]
    assert not np.array_equal(model.dof_invweight0, before["dof_invweight0"])
    # what MuJoCo computes from the same numbers
    own, extent = model.copy().mj, float(model.stat.extent)
    mujoco().mj_setConst(own, mujoco().MjData(own))
    assert np.array_equal(own.dof_invweight0, model.dof_invweight0)
    assert model.stat.extent == extent
    engine.apply_edits(model, NO_EDITS)
    assert [name for name, value in before.items() if not np.array_equal(model.read(name), value)] == []


def test_reset_copy_and_wake(models: dict[str, MujocoModel]) -> None:
    engine = mujoco_engine()
    model, data = loaded(models, "sleepers")
    engine.step(model, data, 50)
    asleep = int((data.tree_asleep >= 0).sum())
    assert asleep and data.ntree_awake == model.ntree - asleep
    tree = int(np.flatnonzero(data.tree_asleep >= 0)[0])
    engine.wake(model, data, tree)
    assert data.tree_asleep[tree] < 0 and data.mj.ntree_awake > model.ntree - asleep
    with pytest.raises(ValueError, match=LACKS["put_to_sleep"]):
        engine.put_to_sleep(model, data, tree)
    other = MujocoData(model)
    engine.copy_data(other, model, data)
    assert np.array_equal(other.qpos, data.qpos) and other.time == data.time
    copy = data.copy()
    engine.step(model, data, 5)
    assert copy.time == other.time < data.time
    engine.reset(model, data)
    assert data.time == 0 and np.array_equal(data.qpos, model.qpos0)


def test_stages_take_time(models: dict[str, MujocoModel]) -> None:
    model, data = loaded(models, "pile")
    engine = mujoco_engine()
    engine.step(model, data, 10)
    state = engine.copy_state(model, data)
    times = engine.stage_times(model, data)
    assert {"kinematics", "collision", "solver", "integration"} < set(times) and list(times)[-1] == REST
    assert times["collision"] > 0 and times["solver"] > 0 and min(times.values()) >= 0
    after: dict[str, Any] = engine.copy_state(model, data)
    assert np.array_equal(after["state"], state["state"])
