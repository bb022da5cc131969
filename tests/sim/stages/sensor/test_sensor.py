"""Sensors against MuJoCo: every type, data field, reference and reduction; delays; what they need; what they cost."""

from __future__ import annotations

from collections.abc import Iterator

import mujoco
import numpy as np
import pytest

import sim
from sim.enums import CONE_ELLIPTIC, CONE_PYRAMIDAL, DSBL_SENSOR, INT_EULER, INT_IMPLICITFAST, INT_RK4
from sim.jit.kernel import reachable
from sim.pipeline.forward import run
from sim.script.contact_force import contact_forces
from sim.stages.smooth.rne import rne_postconstraint
from sim.stages.smooth.subtree import subtree_vel
from tests import oracle
from tests.sim.sensor_scenes import DELAYS, LENS, PUPPET, SENSORS, SLEEPERS, TACTILE, scene

TOLERANCE = 1e-6


def states(mj: mujoco.MjModel, dj: mujoco.MjData, after: tuple[int, ...]):
    """States on the way, with noisy controls and a push."""
    rng = np.random.default_rng(3)
    mujoco.mj_resetData(mj, dj)
    dj.qvel[:] = 0.3 * rng.normal(size=mj.nv)
    for n in np.diff((0, *after)):
        for _ in range(n):
            dj.ctrl[:] = 0.3 * rng.normal(size=mj.nu)
            mujoco.mj_step(mj, dj)
        dj.xfrc_applied[1:] = 0.1 * rng.normal(size=(mj.nbody - 1, 6))
        yield


def wrong_sensors(mj: mujoco.MjModel, ours: np.ndarray, theirs: np.ndarray) -> dict[str, float]:
    """Sensors that differ, each relative to its own size."""
    wrong = {}
    for s in range(mj.nsensor):
        part = slice(mj.sensor_adr[s], mj.sensor_adr[s] + mj.sensor_dim[s])
        error = np.abs(ours[part] - theirs[part]).max() / max(np.abs(theirs[part]).max(), 1e-2)
        if not error < TOLERANCE:
            wrong[f"{s} {mujoco.mjtSensor(mj.sensor_type[s]).name}"] = error
    return wrong


def both(xml: str) -> tuple[mujoco.MjModel, mujoco.MjData, sim.Model, sim.Data]:
    mj = mujoco.MjModel.from_xml_string(xml)
    m = oracle.model_of(mj)
    return mj, mujoco.MjData(mj), m, sim.Data(m)


@pytest.mark.parametrize("cone", [CONE_PYRAMIDAL, CONE_ELLIPTIC])
@pytest.mark.parametrize("which", SENSORS)
def test_every_sensor(which: str, cone: int) -> None:
    """In flight, landing and at rest, whatever was in sensordata before."""
    mj, dj, m, d = both(scene(which))
    mj.opt.cone = m.opt.cone = cone
    most = 0
    for _ in states(mj, dj, (0, 60, 200, 420)):
        oracle.copy_fields(dj, d, oracle.STATE)
        oracle.poison(d, ["sensordata"])
        mujoco.mj_forward(mj, dj)
        sim.forward(m, d)
        most = max(most, d.ncon)
        assert wrong_sensors(mj, d.sensordata, dj.sensordata) == {}
    assert most > 5, "nothing touches: the scene does not test what it is for"


def test_all_types_are_tested() -> None:
    """The scenes have every type but plugins; the user's own and tactile ones are tested by themselves."""
    used = {int(t) for which in SENSORS for t in mujoco.MjModel.from_xml_string(scene(which)).sensor_type}
    names = {t.name.removeprefix("mjSENS_") for t in map(mujoco.mjtSensor, range(49)) if t.value not in used}
    assert names == {"PLUGIN", "USER", "TACTILE"}


@pytest.mark.parametrize("integrator", [INT_EULER, INT_RK4, INT_IMPLICITFAST])
def test_delays(integrator: int) -> None:
    """What sensors say, and what they keep, over a trajectory with a contact."""
    mj, dj, m, d = both(DELAYS)
    mj.opt.integrator = m.opt.integrator = integrator
    touched = 0.0
    for k in range(150):
        dj.ctrl[:] = d.ctrl[:] = 0.05 * np.sin(0.1 * k)
        mujoco.mj_step(mj, dj)
        sim.step(m, d)
        assert wrong_sensors(mj, d.sensordata, dj.sensordata) == {}, f"step {k}"
        assert oracle.error(d.history, dj.history) < TOLERANCE, f"step {k}"
        touched = max(touched, d.sensordata.max())
    assert touched > 1.0


@pytest.mark.parametrize(
    "shape",
    ['type="box" size=".1 .08 .06"', 'type="capsule" size=".05 .1"', 'type="cylinder" size=".09 .07"',
     'type="ellipsoid" size=".1 .12 .08"', 'type="mesh" mesh="lump"'],
)  # fmt: skip
def test_tactile(shape: str) -> None:
    """Depth and slip at every vertex, for a finger that is held against several things at a time."""
    mj, dj, m, d = both(TACTILE.format(shape=shape))
    rng = np.random.default_rng(5)
    felt = 0
    for _ in range(20):
        dj.qpos[:3] = 0.1, -0.25, 0.02
        dj.qpos[8:] = rng.normal(size=7)
        dj.qpos[8:11] *= 0.2 / np.linalg.norm(dj.qpos[8:11])
        dj.qvel[:] = rng.normal(size=mj.nv)
        oracle.copy_fields(dj, d, oracle.STATE)
        mujoco.mj_forward(mj, dj)
        sim.forward(m, d)
        felt += np.count_nonzero(d.sensordata)
        np.testing.assert_allclose(d.sensordata, dj.sensordata, atol=1e-12)
    assert felt > 300


# a tetrahedron, and one normal for each corner of each face: more than three for a vertex
CORNERS = "v 0 0 0\nv .4 0 0\nv 0 .3 0\nv 0 0 .5\n"
FACES = ((1, 3, 2), (1, 2, 4), (1, 4, 3), (2, 3, 4))


@pytest.mark.parametrize("normals", [0, 1, 4])
def test_tactile_without_tangents(normals: int) -> None:
    """A mesh whose vertices have no tangents feels depths alone, however many normals it has."""
    lines = [CORNERS, *(f"vn 1 {i} 2\n" for i in range(12 * normals))]
    for k, face in enumerate(FACES * max(1, normals)):
        corners = [f"{v}//{3 * k + i + 1}" if normals else str(v) for i, v in enumerate(face)]
        lines.append(f"f {' '.join(corners)}\n")
    assets = {"pad.obj": "".join(lines).encode()}
    xml = TACTILE.format(shape='type="box" size=".4 .4 .4"').replace(
        'builtin="wedge" params="12 9 60 40 .3" scale=".2 .2 .2"', 'file="pad.obj"'
    )
    mj, m = mujoco.MjModel.from_xml_string(xml, assets), sim.loads(xml, assets)
    dj, d = mujoco.MjData(mj), sim.Data(m)
    dj.qvel[:] = d.qvel[:] = 0.1 + np.arange(mj.nv)
    mujoco.mj_forward(mj, dj)
    sim.forward(m, d)
    assert np.count_nonzero(dj.sensordata[:4]) > 1
    np.testing.assert_allclose(d.sensordata, dj.sensordata, atol=1e-12)


def test_flat_pad() -> None:
    """A plate has no volume, and weighs what its surface does; a pad on a body that nothing touches is an error."""
    xml = TACTILE.format(shape='size=".1"').replace(
        'builtin="wedge" params="12 9 60 40 .3"', 'builtin="plate" params="9 7"'
    )
    np.testing.assert_allclose(sim.loads(xml).body_mass, mujoco.MjModel.from_xml_string(xml).body_mass)
    with pytest.raises(sim.MjcfError, match="the body of geom 'skin' has no geom that collides"):
        sim.loads(xml.replace('<geom type="sphere" size=".2"/>', ""))


def test_lens() -> None:
    """Lenses are numbers of single precision, and so are the pixels that they give."""
    mj, dj, m, d = both(LENS)
    mujoco.mj_forward(mj, dj)
    sim.forward(m, d)
    assert (d.sensordata[2::2] > 0).any(), "no ray hits: the scene does not test what it is for"
    np.testing.assert_allclose(d.sensordata, dj.sensordata, rtol=1e-12, atol=1e-12)


def test_accelerations_of_what_does_not_move_by_itself() -> None:
    """The world, what is fixed to it, puppets and what hangs on them feel gravity as a body at rest does."""
    mj, dj, m, d = both(PUPPET)
    mujoco.mj_forward(mj, dj)
    sim.forward(m, d)
    np.testing.assert_allclose(d.sensordata, dj.sensordata, atol=1e-12)
    np.testing.assert_allclose(d.sensordata.reshape(-1, 3), [(0, 0, 9.81)] * 10, atol=1e-12)


def test_asleep() -> None:
    """Sensors about what is asleep keep their readings, whatever these are; the others do not."""
    mj, dj, m, d = both(SLEEPERS)
    for k in range(400):
        # what sleeps is made to say something that it would not
        if k == 250:
            assert 0 < d.ntree_awake < m.ntree, "nothing sleeps, or everything: the scene does not test what it is for"
            d.sensordata = dj.sensordata[:] = 7.0
        d.ctrl = dj.ctrl[:] = 0.0
        if k % 40 == 0:
            d.qvel[-3:] = dj.qvel[-3:] = 1.0
        mujoco.mj_step(mj, dj)
        sim.step(m, d)
        assert (d.ntree_awake, wrong_sensors(mj, d.sensordata, dj.sensordata)) == (dj.ntree_awake, {}), f"step {k}"
    assert 0.2 < (d.sensordata == 7.0).mean() < 0.8


def test_what_forces_need() -> None:
    """cacc, cfrc_ext and cfrc_int with contacts, applied forces, connects and welds; subtree velocities."""
    mj, dj, m, d = both(scene("every"))
    for _ in states(mj, dj, (0, 200)):
        oracle.copy_fields(dj, d, oracle.STATE)
        mujoco.mj_forward(mj, dj)
        sim.forward(m, d)
        names = ["cacc", "cfrc_ext", "cfrc_int", "subtree_linvel", "subtree_angmom"]
        oracle.poison(d, names)
        mujoco.mj_rnePostConstraint(mj, dj)
        mujoco.mj_subtreeVel(mj, dj)
        rne_postconstraint(m, d)
        subtree_vel(m, d)
        oracle.assert_same(d, dj, names, 1e-7)
        for c in range(d.ncon):
            force = np.zeros(6)
            mujoco.mj_contactForce(mj, dj, c, force)
            np.testing.assert_allclose(sim.contact_force(m, d, c), force, atol=1e-6)


STICKY = """
<mujoco>
  <worldbody>
    <geom type="plane" size="1 1 .1" adhesion=".5"/>
    <body pos="0 0 .099"><freejoint/><geom name="ball" size=".1" adhesion="60" condim="6"/>
      <site name="in" size=".2"/></body>
    <body pos="1 0 .0999"><freejoint/><geom type="box" size=".2 .1 .1"/><site name="on" size=".3"/></body>
    <body pos="2 0 .11"><freejoint/><geom size=".1" margin=".02" gap=".015" condim="1"/></body>
  </worldbody>
  <sensor>
    <touch site="in"/><touch site="on"/><accelerometer site="in"/><force site="on"/>
    <contact geom1="ball" num="2" data="found force torque"/><contact num="9" reduce="maxforce" data="found force"/>
    <contact reduce="netforce" data="force torque"/>
  </sensor>
</mujoco>
"""


@pytest.mark.parametrize("cone", [CONE_PYRAMIDAL, CONE_ELLIPTIC])
def test_adhesion_pulls_against_the_rows(cone: int) -> None:
    """Forces as seen from outside are less by the adhesion; a ball that is pulled up touches nothing."""
    mj, dj, m, d = both(STICKY)
    mj.opt.cone = m.opt.cone = cone
    least = 0.0
    for step in range(40):
        dj.xfrc_applied[1, 2] = 4.0 * step
        oracle.copy_fields(dj, d, oracle.STATE)
        mujoco.mj_forward(mj, dj)
        sim.forward(m, d)
        assert wrong_sensors(mj, d.sensordata, dj.sensordata) == {}, f"step {step}"
        oracle.assert_same(d, dj, ["cfrc_ext"], 1e-7)
        every = contact_forces(d)
        for c in range(d.ncon):
            force = np.zeros(6)
            mujoco.mj_contactForce(mj, dj, c, force)
            np.testing.assert_allclose(sim.contact_force(m, d, c), force, atol=1e-6)
            np.testing.assert_allclose(every[c], force, atol=1e-6)
            least = min(least, force[0])
        mujoco.mj_step(mj, dj)
    assert least < -1.0


@pytest.mark.parametrize("sensors", ["", "<e_potential/>", "<e_kinetic/>", "<e_kinetic/><e_potential/>"])
def test_energy_without_the_flag(sensors: str) -> None:
    """d.energy is 0, but where a sensor of potential energy has been at work."""
    mj, dj, m, d = both(
        f"""<mujoco><worldbody><body pos="0 0 1"><freejoint/><geom size=".1"/></body></worldbody>
        <sensor>{sensors}</sensor></mujoco>"""
    )
    d.qvel = dj.qvel[:] = 1.0
    for disabled in (0, DSBL_SENSOR):
        m.opt.disableflags = mj.opt.disableflags = disabled
        sim.forward(m, d)
        mujoco.mj_forward(mj, dj)
        np.testing.assert_allclose(d.sensordata, dj.sensordata, rtol=1e-12)
        np.testing.assert_allclose(d.energy, dj.energy, rtol=1e-12)


def test_disabled() -> None:
    """Readings stay as they are."""
    _, _, m, d = both(scene("every"))
    m.opt.disableflags |= DSBL_SENSOR
    d.sensordata = 7.0
    sim.forward(m, d)
    sim.step(m, d, 2)
    assert (d.sensordata == 7.0).all()


@pytest.mark.parametrize("integrator", [INT_EULER, INT_RK4])
def test_disabled_sensors_go_on_recording(integrator: int) -> None:
    """What they keep for later is of the step, the forces between bodies too."""
    mj, dj, m, d = both(DELAYS)
    mj.opt.integrator = m.opt.integrator = integrator
    m.opt.disableflags = mj.opt.disableflags = DSBL_SENSOR
    for step in range(20):
        mujoco.mj_step(mj, dj)
        sim.step(m, d)
        assert oracle.error(d.history, dj.history) < TOLERANCE, f"step {step}"


# ---- laws that need no oracle

HANGING = """
<mujoco>
  <worldbody>
    <body pos="0 0 3"><geom size=".1" mass="2"/><site name="root"/>
      <body pos="0 0 -1"><geom size=".1" mass="3"/><site name="wrist" pos="0 0 .5" euler="90 0 0"/></body></body>
    <body name="ball" pos="3 0 1"><freejoint/><geom size=".1" mass="1.5"/><site name="pad" size=".2"/></body>
    <geom type="plane" size="5 5 .1" pos="0 0 .9"/>
  </worldbody>
  <sensor>
    <force name="neck" site="wrist"/><force name="all" site="root"/><accelerometer name="fixed" site="root"/>
    <touch name="pad" site="pad"/><accelerometer name="free" site="pad"/>
    <contact name="floor" body1="ball" data="found force normal"/>
  </sensor>
</mujoco>
"""


def test_weight() -> None:
    """What hangs weighs, what rests or is fixed is pushed, what falls feels nothing; all by name."""
    m = sim.loads(HANGING)
    d = sim.Data(m)
    d.qpos[2] = 2.0
    sim.forward(m, d)
    np.testing.assert_allclose(d.sensor("neck").data, (0, 3 * 9.81, 0), atol=1e-5)
    np.testing.assert_allclose(d.sensor("all").data, (0, 0, 5 * 9.81), atol=1e-5)
    np.testing.assert_allclose(d.sensor("fixed").data, (0, 0, 9.81))
    np.testing.assert_allclose(d.sensor("free").data, 0, atol=1e-9)
    assert d.sensor("pad").data[0] == 0.0
    sim.reset(m, d)
    sim.step(m, d, 2000)
    assert d.sensor("pad").data[0] == pytest.approx(1.5 * 9.81, rel=1e-3)
    found, force, *_ = d.sensor("floor").data
    assert (found, d.sensor("floor").data[6]) == (1.0, pytest.approx(-1.0))
    assert force == pytest.approx(1.5 * 9.81, rel=1e-3)
    np.testing.assert_allclose(d.sensor("free").data, (0, 0, 9.81), atol=1e-3)


# ---- the user's own

USERS = """
<mujoco>
  <worldbody><body><freejoint/><geom size=".1"/></body></worldbody>
  <sensor>
    <user name="p" dim="2" needstage="pos"/><user name="v" dim="1" needstage="vel"/>
    <user name="a" dim="3" needstage="acc" cutoff="1"/><clock/>
  </sensor>
</mujoco>
"""


@pytest.fixture
def no_callbacks() -> Iterator[None]:
    """Whatever a test puts in is taken out again."""
    yield
    sim.callbacks.sensor = None


@pytest.mark.usefixtures("no_callbacks")
def test_user_sensors() -> None:
    """The callback is asked once a stage, may look at what its stage has, and is cut off; without one: 0."""
    m = sim.loads(USERS)
    d = sim.Data(m)
    d.qvel[:3] = 1, 2, 3
    sim.forward(m, d)
    assert not d.sensordata.any()
    asked = []

    def sensor(m: sim.Model, d: sim.Data, stage: int) -> None:
        asked.append(stage)
        d.sensor("pva"[stage - 1]).data = [d.qpos[0], d.subtree_linvel[1, 2], d.cacc[1, 3:].sum()][stage - 1]

    sim.callbacks.sensor = sensor
    sim.forward(m, d)
    assert asked == [1, 2, 3]
    assert d.sensor("v").data[0] == pytest.approx(3.0)
    d.qfrc_applied[:3] = 100
    sim.step(m, d)
    np.testing.assert_allclose(d.sensor("a").data, 1.0)


def test_a_model_compiles_what_it_uses() -> None:
    """No sensor: no unit of this folder; a clock: the stage alone."""
    without = sim.loads("<mujoco><worldbody><body><freejoint/><geom size='.1'/></body></worldbody></mujoco>")
    assert not [k.name for k in reachable([run], without) if "sensor" in k.name or "ray" in k.name]
    clock = sim.loads("<mujoco><sensor><clock/></sensor></mujoco>")
    names = [k.name for k in reachable([run], clock) if "sensor" in k.name or "ray" in k.name]
    assert names == ["sim.stages.sensor.sensors.sensor_pos"]
