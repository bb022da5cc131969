"""A Model that is an MjModel: one memory, both names, and what only one of the two has."""

from __future__ import annotations

import pickle
from pathlib import Path

import numpy as np
import pytest

from app.run.engine.installed import mujoco
from app.run.engine.mujoco_data import MujocoData
from app.run.engine.mujoco_engine import mujoco_engine
from app.run.engine.mujoco_model import MujocoModel
from sim.fields import DATA_LAYOUT, MODEL_LAYOUT

MODELS = Path(__file__).parent / "models"
XML = """<mujoco>
  <option timestep='0.004' gravity='0 0 -5'><flag energy='enable'/></option>
  <custom><text name='hint' data='hello'/></custom>
  <worldbody>
    <geom name='floor' type='plane' size='5 5 .1'/>
    <body name='ball' pos='0 0 .1'><freejoint name='free'/><geom name='ball' size='.1' mass='1'/></body>
    <body name='arm' pos='1 0 1'><joint name='hinge'/><geom name='arm' size='.1' pos='.3 0 0' mass='2'/></body>
  </worldbody>
  <actuator><motor name='motor' joint='hinge'/></actuator>
  <equality><joint name='hold' joint1='hinge' polycoef='.5 1 0 0 0'/></equality>
  <keyframe><key name='high' qpos='0 0 3 1 0 0 0 .2'/></keyframe>
</mujoco>"""


@pytest.fixture
def model() -> MujocoModel:
    """A small model."""
    return MujocoModel(mujoco().MjModel.from_xml_string(XML))


def test_arrays_are_one_memory(model: MujocoModel) -> None:
    model.geom_friction[1, 0] = 0.25
    assert model.mj.geom_friction[1, 0] == 0.25
    model.mj.body_mass[1] = 7.0
    assert model.body_mass[1] == 7.0
    model.opt.gravity = (0, 0, -3)
    assert model.mj.opt.gravity[2] == -3
    outside = [
        name
        for name, place in MODEL_LAYOUT.places.items()
        if place.field.shape and hasattr(model.mj, name) and model.read(name).size
        and not np.shares_memory(model.read(name), np.asarray(getattr(model.mj, name)))
    ]  # fmt: skip
    # bytes in MuJoCo; and from 4.0 on it has another column
    assert set(outside) <= {"text_data", "eq_data"}
    assert bytes(model.text_data).rstrip(b"\0") == b"hello"


def test_settings_go_both_ways(model: MujocoModel) -> None:
    assert model.opt.timestep == 0.004
    model.opt.timestep = 0.001
    assert model.mj.opt.timestep == 0.001
    model.mj.opt.iterations, model.mj.vis.global_.fovy = 7, 60
    model.pull()
    assert (model.opt.iterations, model.vis.global_.fovy, model.opt.timestep) == (7, 60, 0.001)


def test_numbers_of_an_equality_reach_mujoco(model: MujocoModel) -> None:
    # polycoef comes first in eq_data of every version
    assert model.eq_data[0, 0] == 0.5
    model.eq_data[0, 0] = 0.75
    model.push()
    assert model.mj.eq_data[0, 0] == 0.75


def test_tendons_have_a_type_in_every_version() -> None:
    """Before 4.0 MuJoCo has no field for it; our engine needs it when it goes on with such a model."""
    xml = """<mujoco><worldbody><site name='a'/>
      <body><joint name='hinge'/><geom size='.1'/><site name='b'/></body></worldbody>
      <tendon><fixed><joint joint='hinge' coef='1'/></fixed>
        <spatial><site site='a'/><site site='b'/></spatial></tendon></mujoco>"""
    model = MujocoModel(mujoco().MjModel.from_xml_string(xml))
    assert model.tendon_type.tolist() == model.to_sim().tendon_type.tolist() == [0, 1]


def test_names_and_sizes(model: MujocoModel) -> None:
    assert (model.nq, model.nbody, model.ntree) == (8, 3, 2)
    assert model.name2id("body", "arm") == 2 and model.id2name("key", 0) == "high"
    assert model.joint("hinge").id == 1
    assert model.engine is mujoco_engine()


def test_a_copy_is_its_own(model: MujocoModel) -> None:
    copy = model.copy()
    copy.body_mass[1], copy.opt.timestep = 9.0, 0.1
    assert (model.mj.body_mass[1], model.mj.opt.timestep) == (1.0, 0.004)
    assert (copy.mj.body_mass[1], copy.mj.opt.timestep) == (9.0, 0.1)
    again = pickle.loads(pickle.dumps(model))
    assert again.names == model.names and again.mj is not model.mj


def test_fields_of_flexes_are_there() -> None:
    model = mujoco_engine().load(str(MODELS / "cloth.xml"))
    assert model.nflex == 1 and model.flex_vertnum[0] > 0
    data = MujocoData(model)
    assert data.flexvert_xpos.shape == (model.nflexvert, 3)
    with pytest.raises(AttributeError):
        _ = model.no_such_field
    with pytest.raises(ValueError, match="does not support flexes"):
        model.to_sim()


def test_our_engine_steps_the_same_numbers(model: MujocoModel) -> None:
    ours, theirs = model.to_sim(), MujocoData(model)
    data = ours.engine.Data(ours)
    for m, d in ((ours, data), (model, theirs)):
        m.engine.reset(m, d, 0)
        m.engine.step(m, d, 20)
    np.testing.assert_allclose(data.qpos, theirs.qpos, rtol=0, atol=1e-9)


def test_what_is_bound_stays_where_it_is() -> None:
    """MuJoCo moves contacts and islands only: all other results are at the same address after any number of steps."""
    model = MujocoModel(mujoco().MjModel.from_xml_string(XML))
    data = MujocoData(model)
    model.engine.step(model, data, 300)
    assert data.ncon > 0
    shared = [
        name
        for name in DATA_LAYOUT.places
        if name in data.layout.arrays and hasattr(data.mj, name) and data.read(name).size
        and np.shares_memory(data.read(name), np.asarray(getattr(data.mj, name)))
    ]  # fmt: skip
    assert {"qpos", "qvel", "xpos", "qfrc_bias", "sensordata", "M", "cvel"} - {"sensordata"} <= {*shared}
    assert not [name for name in shared if name.startswith(("efc_", "contact", "island_"))]
