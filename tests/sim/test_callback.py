"""The user's functions in the pipeline: Python's against MuJoCo, native ones against Python's."""

import os
import subprocess
import sys
import weakref
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
def none_of_mujoco():
    yield
    for name in dir(sim.callbacks):
        # MuJoCo's table of pair routines is for C alone
        if name != "collision":
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
    with pytest.raises(TypeError, match="parameters differ"):
        sim.callbacks.control = native_gain
    assert sim.callbacks.control is None
    assert set(dir(sim.callbacks)) == {*PYTHON, "contactfilter", "collision"}


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


def test_a_function_is_freed_when_another_takes_its_place():
    _, _, m, d = both()

    class Controller:
        def __call__(self, m, d):
            self.called = True

    gone = []
    for _ in range(3):
        controller = Controller()
        gone.append(weakref.ref(controller))
        sim.callbacks.control = controller
        sim.step(m, d)
        assert controller.called
    for taking_its_place in (control, native_control, control, None):
        sim.callbacks.control = taking_its_place
        controller = None
        assert [alive for alive in gone if alive() is not None] == []
        sim.step(m, d)


def test_a_function_may_put_another_in_its_own_place():
    _, _, m, d = both()
    called = []

    def first(m, d):
        called.append("first")
        sim.callbacks.control = second

    def second(m, d):
        called.append("second")
        sim.callbacks.control = None

    sim.callbacks.control = first
    sim.step(m, d, 4)
    assert called == ["first", "second"]


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


# ---------------------------------------------------------------- collision

# pairs that touch: one by one, of bodies with several geoms, with bits that differ, and an explicit one
TOUCHING = """
<mujoco>
  <worldbody>
    <geom name="floor" type="plane" size="9 9 1"/>
    <body pos="0 0 .09"><freejoint/><geom name="a" size=".1"/>
      <geom name="b" size=".1" pos=".3 0 0" contype="0" conaffinity="0"/></body>
    <body pos="2 0 .09"><freejoint/><geom name="c" size=".1" contype="0" conaffinity="0"/></body>
    <body pos="3 0 .09"><freejoint/><geom name="e" size=".1" contype="2" conaffinity="2"/></body>
    <body pos="3.1 0 .09"><freejoint/><geom name="f" size=".1"/></body>
    <body pos="4 0 .09"><freejoint/><geom name="p" size=".1"/></body>
    <body pos="6 0 .09"><freejoint/><geom name="q" type="box" size=".1 .1 .1"/>
      <geom name="r" size=".1" pos=".3 0 0" contype="2" conaffinity="2"/></body>
    <body pos="6 0 .28"><freejoint/><geom name="s" type="box" size=".1 .1 .1"/></body>
  </worldbody>
  <contact><pair geom1="floor" geom2="p"/></contact>
</mujoco>
"""


def touching():
    mj = mujoco.MjModel.from_xml_string(TOUCHING)
    m = sim.loads(TOUCHING)
    return mj, mujoco.MjData(mj), m, sim.Data(m)


def pairs(d):
    """Names of the geoms of each contact."""
    return [tuple(d.model.geom(g).name for g in row) for row in d.contact.geom]


FILTERS = {
    "nothing": lambda m, d, geom1, geom2: 0,
    "everything": lambda m, d, geom1, geom2: True,
    "some": lambda m, d, geom1, geom2: m.geom(geom2).name in "aq",
    "by the state": lambda m, d, geom1, geom2: d.geom_xpos[geom2, 0] > 5,
    "first": lambda m, d, geom1, geom2: m.geom(geom1).name != "floor",
}


@pytest.mark.parametrize("name", FILTERS)
def test_contactfilter_against_mujoco(name):
    mj, dj, m, d = touching()
    sim.callbacks.contactfilter = FILTERS[name]
    mujoco.set_mjcb_contactfilter(FILTERS[name])
    for _ in range(3):
        sim.step(m, d)
        mujoco.mj_step(mj, dj)
        assert d.contact.geom.tolist() == dj.contact.geom.tolist()
    oracle.assert_same(d, dj, ["qpos", "qvel", "contact.dist"], 1e-8)
    assert ("floor", "r") in pairs(d) or name != "nothing"
    # explicit pairs are not asked about, nor is what nothing may touch
    assert ("floor", "p") in pairs(d) and not {"b", "c"} & {geom for pair in pairs(d) for geom in pair}
    sim.callbacks.contactfilter = None
    sim.forward(m, d)
    assert ("floor", "a") in pairs(d) and ("floor", "r") not in pairs(d)


@sim.kernel
def native_filter(m, d, geom1: int, geom2: int) -> int:
    return 1 if d.geom_xpos[geom2, 0] > 5 else 0


def test_a_native_contactfilter(monkeypatch):
    ends = []
    for function in (FILTERS["by the state"], native_filter):
        _, _, m, d = touching()
        sim.callbacks.contactfilter = function
        sim.step(m, d, 5)
        ends.append(d.qpos.copy())
    assert np.array_equal(*ends)
    monkeypatch.setattr(loader, "_python", None)
    sim.step(m, d, 5)


def sphere_on_plane(m, d, geom1, geom2, margin):
    """What the built-in routine does."""
    normal = d.geom_xmat[geom1].reshape(3, 3)[:, 2]
    radius = m.geom_size[geom2, 0]
    dist = (d.geom_xpos[geom2] - d.geom_xpos[geom1]) @ normal - radius
    return [(dist, d.geom_xpos[geom2] - normal * (radius + dist / 2), 3 * normal)]


@sim.kernel
def native_sphere_on_plane(m, d, g1: int, g2: int, margin: float) -> int:
    dist = d.geom_xpos[g2, 2] - m.geom_size[g2, 0]
    d.manifold.dist[0] = dist
    for k in range(3):
        d.manifold.pos[0, k] = d.geom_xpos[g2, k] - (m.geom_size[g2, 0] + 0.5 * dist if k == 2 else 0.0)
        d.manifold.normal[0, k] = 1.0 if k == 2 else 0.0
        d.manifold.tangent[0, k] = 0.0
    return 1 if dist <= margin else 0


@pytest.mark.parametrize("routine", [sphere_on_plane, native_sphere_on_plane])
def test_a_pair_routine_of_the_user(routine):
    _, _, m, d = touching()
    sim.step(m, d, 5)
    calls = []

    def counted(*args):
        calls.append(args[2:4])
        return routine(*args)

    sim.callbacks.collision["sphere", "plane"] = counted
    other = sim.Data(m)
    sim.step(m, other, 5)
    assert len(calls) >= 15 and all(m.geom_type[g1] < m.geom_type[g2] for g1, g2 in calls)
    assert np.allclose(other.qpos, d.qpos, rtol=0, atol=1e-12) and pairs(other) == pairs(d)


def test_pair_routines_are_switched_off_and_on_again():
    _, _, m, d = touching()
    table = sim.callbacks.collision
    sim.forward(m, d)
    before = pairs(d)
    table[sim.enums.GEOM_BOX, sim.enums.GEOM_PLANE] = None
    sim.forward(m, d)
    assert pairs(d) == [pair for pair in before if pair != ("floor", "q")]
    table["box", "box"] = lambda m, d, geom1, geom2, margin: []
    # beyond the margin, or nothing at all
    table["plane", "sphere"] = lambda m, d, geom1, geom2, margin: [(margin + 1e-9, np.zeros(3), np.ones(3))]
    sim.forward(m, d)
    assert pairs(d) == [] and table["plane", "box"] is None and len(table) == 3
    del table["plane", "box"], table["plane", "sphere"]
    sim.forward(m, d)
    assert pairs(d) == [pair for pair in before if "s" not in pair]
    sim.callbacks.collision = None
    sim.forward(m, d)
    assert pairs(d) == before and not table and table is sim.callbacks.collision


@pytest.mark.parametrize(
    ("hits", "message"),
    [
        ([(0.0, np.zeros(3), np.zeros(3))], "an invalid hit"),
        ([(np.nan, np.zeros(3), np.ones(3))], "an invalid hit"),
        ([(0.0, (0, 0, np.inf), np.ones(3))], "an invalid hit"),
        ([(0.0, np.zeros(3), np.ones(3))] * 51, "51 hits: the limit is 50"),
    ],
)
def test_hits_that_are_not(hits, message):
    _, _, m, d = touching()
    sim.callbacks.collision["plane", "sphere"] = lambda m, d, geom1, geom2, margin: hits
    with pytest.raises(ValueError, match=message):
        sim.step(m, d)


def test_tables_take_types_and_functions():
    table = sim.callbacks.collision
    with pytest.raises(KeyError, match="not a pair of geom types"):
        table["sphere", "cube"] = None
    with pytest.raises(KeyError, match="not a pair of geom types"):
        table["sphere"] = None
    with pytest.raises(TypeError, match="must be a function or None"):
        table["sphere", "box"] = 3
    with pytest.raises(TypeError, match="is a table"):
        sim.callbacks.collision = sphere_on_plane
    with pytest.raises(KeyError):
        del table["sphere", "box"]
    assert len(table) == 0


def test_an_error_in_a_filter_ends_the_step():
    _, _, m, d = touching()
    before = sim.get_state(m, d)

    def fail(m, d, geom1, geom2):
        raise ValueError("not this pair")

    sim.callbacks.contactfilter = fail
    with pytest.raises(ValueError, match="not this pair"):
        sim.step(m, d)
    assert np.array_equal(sim.get_state(m, d), before)


def test_without_them_no_pair_asks():
    """Neither slot is called while nothing is in it."""
    _, _, m, d = touching()
    sim.callbacks.contactfilter = FILTERS["nothing"]
    sim.callbacks.contactfilter = None
    sim.step(m, d)
    assert d.hooked == 0
    sim.callbacks.collision["box", "box"] = None
    sim.step(m, d)
    assert d.hooked == 1


def test_every_callback_is_typed():
    """Type checkers know callbacks by their annotations."""
    assert sim.callbacks.__annotations__.keys() == {*dir(sim.callbacks)}
