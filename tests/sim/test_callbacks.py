"""The user's functions in the pipeline: Python's against MuJoCo 3.12.0, native ones against Python's."""

import os
import subprocess
import sys
from math import sin
from pathlib import Path

import mujoco
import numpy as np
import pytest

import sim
from sim.jit.loader import loader
from tests import oracle

ROOT = Path(__file__).parents[2]
XML = """
<mujoco>
  <worldbody>
    <body pos="0 0 1"><joint name="a" axis="0 1 0" damping=".1"/><geom type="capsule" fromto="0 0 0 .5 0 0" size=".05"/>
      <body pos=".5 0 0"><joint name="b" axis="0 1 0"/><geom type="capsule" fromto="0 0 0 .3 0 0" size=".04"/></body>
    </body>
  </worldbody>
  <actuator>
    <motor joint="a"/>
    <general joint="b" dyntype="user" actdim="1" gaintype="user" biastype="user"/>
  </actuator>
  <sensor><user dim="2" needstage="vel"/></sensor>
</mujoco>
"""


@pytest.fixture(autouse=True)
def no_callbacks():
    yield
    for name in dir(sim.callbacks):
        setattr(sim.callbacks, name, None)
        getattr(mujoco, f"set_mjcb_{name}")(None)


def both(xml=XML):
    mj = mujoco.MjModel.from_xml_string(xml)
    m = oracle.model_of(mj)
    return mj, mujoco.MjData(mj), m, sim.Data(m)


# each function twice: for MuJoCo and Python, and as a kernel


def control(m, d):
    d.ctrl[0] = -3 * d.qpos[0] - 0.2 * d.qvel[0]
    d.ctrl[1] = sin(5 * d.time)


@sim.kernel
def native_control(m, d):
    d.ctrl[0] = -3 * d.qpos[0] - 0.2 * d.qvel[0]
    d.ctrl[1] = sin(5 * d.time)


def passive(m, d):
    d.qfrc_passive[1] -= 0.3 * d.qvel[1] ** 3


@sim.kernel
def native_passive(m, d):
    d.qfrc_passive[1] -= 0.3 * d.qvel[1] ** 3


def act_dyn(m, d, i):
    return 2 * d.ctrl[i] - d.act[m.actuator_actadr[i]]


@sim.kernel
def native_dyn(m, d, i: int) -> float:
    return 2 * d.ctrl[i] - d.act[m.actuator_actadr[i]]


def act_gain(m, d, i):
    return 1.5 + d.actuator_length[i]


@sim.kernel
def native_gain(m, d, i: int) -> float:
    return 1.5 + d.actuator_length[i]


def act_bias(m, d, i):
    return -0.1 * d.actuator_velocity[i]


@sim.kernel
def native_bias(m, d, i: int) -> float:
    return -0.1 * d.actuator_velocity[i]


def sensor(m, d, stage):
    d.sensordata[0] = d.qvel[1]
    d.sensordata[1] = stage


@sim.kernel
def native_sensor(m, d, stage: int):
    d.sensordata[0] = d.qvel[1]
    d.sensordata[1] = stage


PYTHON = {
    "control": control,
    "passive": passive,
    "act_dyn": act_dyn,
    "act_gain": act_gain,
    "act_bias": act_bias,
    "sensor": sensor,
}
NATIVE = {
    "control": native_control,
    "passive": native_passive,
    "act_dyn": native_dyn,
    "act_gain": native_gain,
    "act_bias": native_bias,
    "sensor": native_sensor,
}
OUTPUT = ["qpos", "qvel", "act", "ctrl", "qfrc_passive", "actuator_force", "sensordata"]


@pytest.mark.parametrize("name", [*PYTHON, "all"])
def test_python_against_mujoco(name):
    mj, dj, m, d = both()
    for each in PYTHON if name == "all" else [name]:
        setattr(sim.callbacks, each, PYTHON[each])
        getattr(mujoco, f"set_mjcb_{each}")(PYTHON[each])
        assert getattr(sim.callbacks, each) is PYTHON[each]
    dj.qpos[:] = d.qpos[:] = [0.3, 0.2]
    mujoco.mj_step(mj, dj, 50)
    sim.step(m, d, 50)
    oracle.assert_same(d, dj, OUTPUT, 1e-10)


@pytest.mark.parametrize("integrator", [0, 1, 2])
def test_where_control_is_asked(integrator):
    """In every evaluation, in step1, and not without actuation."""
    mj, dj, m, d = both()
    mj.opt.integrator = m.opt.integrator = integrator
    calls = {mujoco.MjData: 0, sim.Data: 0}

    def count(m, d):
        calls[type(d)] += 1

    sim.callbacks.control = count
    mujoco.set_mjcb_control(count)
    for data, model, engine in ((dj, mj, mujoco), (d, m, sim)):
        prefix = "mj_" if engine is mujoco else ""
        for stage in ("step", "forward", "step1", "step2", "inverse"):
            getattr(engine, prefix + stage)(model, data)
        model.opt.disableflags |= mujoco.mjtDisableBit.mjDSBL_ACTUATION
        getattr(engine, prefix + "step")(model, data)
    assert calls[sim.Data] == calls[mujoco.MjData] > 0


@pytest.mark.parametrize("name", [*NATIVE, "all"])
def test_native_against_python(name):
    ends = []
    for table in (PYTHON, NATIVE):
        _, _, m, d = both()
        for each in table if name == "all" else [name]:
            setattr(sim.callbacks, each, table[each])
        d.qpos = [0.3, 0.2]
        sim.step(m, d, 50)
        ends.append({n: d.read(n).copy() for n in OUTPUT})
    for field in OUTPUT:
        assert np.allclose(ends[0][field], ends[1][field], rtol=1e-12, atol=1e-13), field


def test_native_functions_stay_in_native_code(monkeypatch):
    """Nothing goes through the door to Python."""
    _, _, m, d = both()
    for each, function in NATIVE.items():
        setattr(sim.callbacks, each, function)
    sim.step(m, d)
    monkeypatch.setattr(loader, "_python", None)
    monkeypatch.setattr(loader, "_bind", None)
    sim.step(m, d, 10)
    assert d.time == pytest.approx(11 * m.opt.timestep)


def test_a_kernel_of_a_script(tmp_path):
    """What another process cannot import is compiled in this one."""
    script = tmp_path / "script.py"
    script.write_text(
        f"""
import sim
m = sim.loads({XML!r})
d = sim.Data(m)

@sim.kernel
def control(m, d):
    d.ctrl[0] = d.time + 7.0

sim.callbacks.control = control
sim.step(m, d, 3)
print(d.ctrl[0])
"""
    )
    answer = subprocess.run(
        [sys.executable, script], cwd=ROOT, env={**os.environ, "PYTHONPATH": str(ROOT)}, capture_output=True, text=True
    )
    assert float(answer.stdout) == pytest.approx(7.004), answer.stderr


def test_functions_that_do_not_fit():
    with pytest.raises(AttributeError, match="no callback 'contol', only control"):
        sim.callbacks.contol = control
    with pytest.raises(TypeError, match="must be a function or None"):
        sim.callbacks.control = 3
    with pytest.raises(TypeError, match="parameters are others"):
        sim.callbacks.control = native_gain
    assert sim.callbacks.control is None
    assert set(dir(sim.callbacks)) == set(PYTHON)


def test_an_error_ends_the_step_and_is_heard_of():
    _, _, m, d = both()
    sim.step(m, d, 5)
    before = sim.get_state(m, d)

    def fail(m, d):
        d.ctrl[0] = 5
        raise ValueError("not now")

    sim.callbacks.control = fail
    with pytest.raises(ValueError, match="not now"):
        sim.step(m, d, 5)
    assert np.array_equal(sim.get_state(m, d), before)
    sim.callbacks.control = None
    sim.step(m, d)


SLEEPY = """<mujoco><option><flag sleep="enable"/></option><worldbody><geom type="plane" size="1 1 1"/>
<body pos="0 0 .1"><freejoint/><geom type="box" size=".1 .1 .1"/><site name="s"/></body></worldbody>
<sensor><accelerometer site="s" nsample="4" interval=".004 0"/></sensor></mujoco>"""


def test_an_error_while_a_tree_falls_asleep():
    """Forces are computed twice in that step: what the first time did to delays and sleep is taken back too."""
    m = sim.loads(SLEEPY)
    d, twin = sim.Data(m), sim.Data(m)
    last = [-1.0]

    def fail_again(m, d):
        if d.time == last[0]:
            raise ValueError("not twice")
        last[0] = d.time

    sim.callbacks.control = fail_again
    with pytest.raises(ValueError, match="not twice"):
        sim.step(m, d, 200)
    sim.callbacks.control = None
    sim.step(m, twin, round(d.time / m.opt.timestep))
    for name in ("time", "qpos", "qvel", "history", "qacc_warmstart", "tree_asleep", "body_awake"):
        assert np.array_equal(d.read(name), twin.read(name)), name
    for _ in range(3):
        sim.step(m, d)
        sim.step(m, twin)
        assert d.tree_asleep[0] == 0
        for name in ("time", "qpos", "qvel", "history", "sensordata", "tree_asleep", "body_awake"):
            assert np.array_equal(d.read(name), twin.read(name)), name


def test_rollouts_use_them():
    _, _, m, d = both()
    sim.callbacks.control = native_control
    found = sim.rollout(m, np.hstack([0, 0.3, 0.2, 0, 0, 0]), np.zeros((4, 30, 2)), nthread=2)
    d.qpos = [0.3, 0.2]
    sim.step(m, d, 30)
    assert all(np.array_equal(state[-1], sim.get_state(m, d)) for state in found.state)
