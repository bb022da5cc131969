"""What scripts do beside steps: callbacks, rollout, minimize, history, models, binary, logs and bind of sim.mujoco."""

from __future__ import annotations

import io
import runpy
from importlib.machinery import PathFinder
from pathlib import Path

import mujoco
import numpy as np
import pytest
from mujoco import minimize as their_minimize
from mujoco import rollout as their_rollout

import sim
from sim import mujoco as ours
from sim.mujoco import minimize, rollout
from tests.sim.mujoco.scenes import RICH, moved, pair

DELAYED = """
<mujoco>
  <worldbody><body><joint name="j" damping="1"/><geom size=".1" pos=".1 0 0"/><site name="s"/></body></worldbody>
  <actuator>
    <position joint="j" delay="0.01" nsample="4"/>
    <pid joint="j" kp="10" kv="2" input="pos vel ff" delay="0.01" nsample="3" interp="linear"/>
    <motor joint="j"/>
  </actuator>
  <sensor><accelerometer site="s" delay="0.01" nsample="3"/><clock/></sensor>
</mujoco>
"""


def test_callbacks() -> None:
    """A controller, passive forces, a contact filter and a clock: the same motion as with MuJoCo; None removes them."""

    def control(m, d) -> None:
        d.ctrl[0] = -d.qpos[7]

    def passive(m, d) -> None:
        d.qfrc_passive[6] -= 0.3 * d.qvel[6]

    def apart(m, d, geom1: int, geom2: int) -> int:
        return int(geom1 == 0)

    both = moved(1)
    ticks = iter(range(10_000))
    for module in (ours, mujoco):
        module.set_mjcb_control(control)
        module.set_mjcb_passive(passive)
        module.set_mjcb_contactfilter(apart)
        assert module.get_mjcb_control() is control
    ours.set_mjcb_time(lambda: next(ticks))
    try:
        for _ in range(10):
            both.call("mj_step")
        both.same("qpos", "qvel", "ctrl", "ncon", tol=1e-7)
        assert both.d.timer[0].duration == 10
    finally:
        ours.mj_resetCallbacks()
        mujoco.mj_resetCallbacks()
    assert ours.get_mjcb_control() is None and ours.get_mjcb_time() is None and sim.callbacks.passive is None
    with pytest.raises(TypeError):
        ours.set_mjcb_control(3)


def test_rollout() -> None:
    """States and sensors of several rollouts with other inputs than controls, and a warmstart: as MuJoCo's."""
    both = pair()
    rng = np.random.default_rng(0)
    size = ours.mj_stateSize(both.m, ours.mjtState.mjSTATE_FULLPHYSICS)
    start = np.zeros(size)
    ours.mj_getState(both.m, both.d, start, ours.mjtState.mjSTATE_FULLPHYSICS)
    spec = int(ours.mjtState.mjSTATE_CTRL | ours.mjtState.mjSTATE_QFRC_APPLIED | ours.mjtState.mjSTATE_MOCAP_POS)
    control = 0.1 * rng.normal(size=(3, 5, ours.mj_stateSize(both.m, spec)))
    warm = 0.1 * rng.normal(size=both.m.nv)
    options = {"control_spec": spec, "initial_warmstart": warm}
    mine = rollout.rollout(both.m, both.d, start, control, **options)
    theirs = their_rollout.rollout(both.their_m, both.their_d, start, control, **options)
    for a, b in zip(mine, theirs, strict=True):
        assert a.shape == b.shape
        np.testing.assert_allclose(a, b, atol=1e-5)
    # threads, chunks and given outputs change nothing
    state, sensors = np.zeros_like(mine[0]), np.zeros_like(mine[1])
    datas = [ours.MjData(both.m) for _ in range(2)]
    found = rollout.rollout(both.m, datas, start, control, state=state, sensordata=sensors, chunk_size=1, **options)
    np.testing.assert_array_equal(state, mine[0])
    assert np.shares_memory(found[0], state)
    # the engine's own
    own = sim.rollout(both.m, start, control, control_spec=spec, warmstart=warm)
    np.testing.assert_array_equal(own.state, mine[0])


def test_rollout_goes_on_exactly() -> None:
    """With the warmstart of a run, a rollout continues it bit for bit; without, not."""
    both = moved(3)
    # so that the solver does not converge
    both.m.opt.iterations = 1
    both.set(xfrc_applied=0.0, qvel=0.0)
    ours.mj_step(both.m, both.d, 3)
    assert both.d.nefc > 4
    state = sim.get_state(both.m, both.d)
    ctrl, warm = both.d.ctrl.copy(), both.d.qacc_warmstart.copy()
    ours.mj_step(both.m, both.d)
    after = sim.get_state(both.m, both.d)
    np.testing.assert_array_equal(sim.rollout(both.m, state, [ctrl], warmstart=warm).state[0, 0], after)
    assert (sim.rollout(both.m, state, [ctrl]).state[0, 0] != after).any()
    for wrong in (
        {"control_spec": int(ours.mjtState.mjSTATE_QPOS)},
        {"warmstart": [1.0]},
        {"warmstart": warm * np.nan},
    ):
        with pytest.raises(ValueError, match=r"control_spec|warmstart"):
            sim.rollout(both.m, state, [ctrl], **wrong)


def test_rollout_without_controls_has_identity_quaternions() -> None:
    """Inputs that are a quaternion are the identity, as in new data, not zeros."""
    m = ours.MjModel.from_xml_string("""
    <mujoco><worldbody><body><joint name="b" type="ball"/><geom size=".1" pos=".2 0 0"/></body></worldbody>
    <actuator><orientation joint="b" kp="5" input="quat"/></actuator></mujoco>""")
    d = ours.MjData(m)
    state = sim.get_state(m, d)
    found = sim.rollout(m, state, nstep=3)
    ours.mj_step(m, d, 3)
    np.testing.assert_array_equal(found.state[0, -1], sim.get_state(m, d))


@pytest.mark.parametrize("bounds", [None, [np.array((-2.0, -2.0)), np.array((0.5, 2.0))]])
@pytest.mark.parametrize("scale", [None, "jac", np.array([2.0, 0.5])])
def test_least_squares(bounds: object, scale: object) -> None:
    """The minimum is MuJoCo's, in about as many iterations."""

    def residual(x: np.ndarray) -> np.ndarray:
        return np.stack([1 - x[0, :], 10 * (x[1, :] - x[0, :] ** 2)])

    out = io.StringIO()
    mine, trace = minimize.least_squares(np.zeros(2), residual, bounds=bounds, x_scale=scale, output=out)
    theirs, their_trace = their_minimize.least_squares(np.zeros(2), residual, bounds=bounds, x_scale=scale, verbose=0)
    np.testing.assert_allclose(mine, theirs, atol=1e-6)
    assert len(trace) <= 2 * len(their_trace) + 5
    assert "Terminated after" in out.getvalue() and trace[-1].objective <= their_trace[-1].objective + 1e-9
    assert minimize.least_squares.__globals__["mujoco"] is ours


def test_least_squares_needs_mujoco(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the package of MuJoCo, the error says how to install it."""
    monkeypatch.setattr(PathFinder, "find_spec", lambda *arguments: None)
    with pytest.raises(ModuleNotFoundError, match="pip install mujoco"):
        runpy.run_path(minimize.__file__)


def test_delay_buffers() -> None:
    """Buffers read at any time, with each interpolation, and filled: as MuJoCo's; the engine's own functions too."""
    both = pair(DELAYED)
    both.set(ctrl=[0.1, 0.2, 0.3, 0.4, 0.5])
    for k in range(6):
        both.set(ctrl=np.arange(5) * 0.1 * k)
        both.call("mj_step")
    both.same("history")
    both.call("mj_initCtrlHistory", 1, [0.0, 0.01, 0.02], np.arange(9.0).reshape(3, 3))
    both.call("mj_initCtrlHistory", 0, None, np.array([[1.0], [2], [3], [4]]))
    both.call("mj_initSensorHistory", 0, [0.0, 0.01, 0.02], np.arange(9.0).reshape(3, 3), 0.25)
    both.same("history")
    for which, count, size in (("Ctrl", 3, [1, 3, 1]), ("Sensor", 2, [3, 1])):
        for number in range(count):
            for interp in (0, 1, 2):
                for time in (-1.0, 0.011, 0.02, 0.0251, 3.0):
                    mine, theirs = np.zeros(size[number]), np.zeros(size[number])
                    found = getattr(ours, f"mj_read{which}")(both.m, both.d, number, time, mine, interp)
                    getattr(mujoco, f"mj_read{which}")(both.their_m, both.their_d, number, time, theirs, interp)
                    np.testing.assert_allclose(mine, theirs, atol=1e-12)
                    np.testing.assert_array_equal(found, mine)
    with pytest.raises(ours.FatalError, match="strictly increasing"):
        ours.mj_initCtrlHistory(both.m, both.d, 1, [0.0, 0.02, 0.01], np.zeros((3, 3)))
    np.testing.assert_array_equal(sim.read_control(both.m, both.d, 2, 0.0), both.d.ctrl[4:])
    np.testing.assert_allclose(sim.read_control(both.m, both.d, 1, 0.025), [4.5, 5.5, 6.5])
    sim.fill_sensor_history(both.m, both.d, 0, np.ones((3, 3)))
    np.testing.assert_array_equal(sim.read_sensor(both.m, both.d, 0, 0.02), [1, 1, 1])
    for wrong in (np.ones((2, 3)), np.ones(9)):
        with pytest.raises(ValueError, match="values must be of shape"):
            sim.fill_control_history(both.m, both.d, 1, wrong)
    with pytest.raises(ValueError, match="times must increase"):
        sim.fill_control_history(both.m, both.d, 1, np.ones((3, 3)), [1, 1, 2])
    with pytest.raises(IndexError):
        sim.read_sensor(both.m, both.d, 9, 0.0)


def test_models_in_files(tmp_path: Path) -> None:
    """From a path and from assets; saved and loaded in our own format; as XML, as text; the files it needs."""
    path = tmp_path / "rich.xml"
    path.write_text(RICH)
    m = ours.MjModel.from_xml_path(str(path))
    assert m.nbody == ours.MjModel.from_xml_path("rich.xml", {"rich.xml": RICH.encode()}).nbody
    # files that are given come before those on the disk
    (tmp_path / "part.xml").write_text('<mujoco><worldbody><geom name="disk" size="1"/></worldbody></mujoco>')
    (tmp_path / "main.xml").write_text('<mujoco><include file="part.xml"/></mujoco>')
    given = {"part.xml": b'<mujoco><worldbody><geom name="given" size="1"/></worldbody></mujoco>'}
    for module in (ours, mujoco):
        assert module.MjModel.from_xml_path(str(tmp_path / "main.xml")).geom("disk").id == 0
        assert module.MjModel.from_xml_path(str(tmp_path / "main.xml"), given).geom("given").id == 0
    for file in ("a.mjb", "b.mjb"):
        ours.mj_saveModel(m, str(tmp_path / file))
    again = ours.MjModel.from_binary_path(str(tmp_path / "a.mjb"))
    assert again.names == m.names and again.opt == m.opt
    np.testing.assert_array_equal(again.mesh_vert, m.mesh_vert)
    d, e = ours.MjData(m), ours.MjData(again)
    ours.mj_step(m, d, 5)
    ours.mj_step(again, e, 5)
    np.testing.assert_array_equal(d.qpos, e.qpos)
    buffer = np.zeros(ours.mj_sizeModel(m), np.uint8)
    ours.mj_saveModel(m, None, buffer)
    assert buffer.tobytes() == (tmp_path / "a.mjb").read_bytes()
    (tmp_path / "other.mjb").write_bytes(b"something else")
    with pytest.raises(ValueError, match="was not saved by"):
        ours.MjModel.from_binary_path(str(tmp_path / "other.mjb"))
    saved = (tmp_path / "a.mjb").read_bytes()
    for damaged in (saved[:2000], saved[:-30], saved[: len(saved) // 2] + saved[len(saved) // 2 + 9 :]):
        (tmp_path / "other.mjb").write_bytes(damaged)
        with pytest.raises(ValueError, match=r"other.mjb is damaged|saved by a different version"):
            ours.MjModel.from_binary_path(str(tmp_path / "other.mjb"))
    with pytest.raises(ValueError, match=r"cannot read .*none.mjb: No such file"):
        ours.MjModel.from_binary_path(str(tmp_path / "none.mjb"))
    with pytest.raises(TypeError, match=r"assets: 'a.stl' should be bytes, not int"):
        ours.MjModel.from_xml_string("<mujoco/>", {"a.stl": 5})
    with pytest.raises(TypeError, match="float"):
        m.body(1.5)
    m.opt.timestep = 0.003
    ours.mj_saveLastXML(str(tmp_path / "saved.xml"), m)
    assert ours.MjModel.from_xml_path(tmp_path / "saved.xml").opt.timestep == 0.003
    for name in ("mj_printModel", "mj_printFormattedModel"):
        more = ("%.3f",) if "Formatted" in name else ()
        getattr(ours, name)(m, str(tmp_path / "out.txt"), *more)
        assert "geom_size" in (tmp_path / "out.txt").read_text()
    for name in ("mj_printData", "mj_printFormattedData"):
        more = ("%.3f",) if "Formatted" in name else ()
        getattr(ours, name)(m, d, str(tmp_path / "out.txt"), *more)
        assert "qpos" in (tmp_path / "out.txt").read_text()
    found = ours.mju_getXMLDependencies(str(path))
    assert found == mujoco.mju_getXMLDependencies(str(path)) == [str(path)]
    for flag in (False, True):
        assert "geom" in ours.mj_printSchema(flag, flag)
    with pytest.raises(ValueError, match="Repeated"):
        ours.MjModel.from_xml_string("<mujoco/>", {"a/x.xml": b"", "b/x.xml": b""})


def test_textures_and_defaults() -> None:
    """Pixels of a texture; defaults of options; length ranges; names of inputs; contacts that are added."""
    both = pair()
    pixels, space = ours.mj_loadTexture(both.m, 0)
    expected, their_space = mujoco.mj_loadTexture(both.their_m, 0)
    np.testing.assert_array_equal(pixels, expected)
    assert space == their_space
    with pytest.raises(ValueError, match="out of range"):
        ours.mj_loadTexture(both.m, 1)
    option, theirs = ours.MjLROpt(), mujoco.MjLROpt()
    ours.mj_defaultLROpt(option)
    mujoco.mj_defaultLROpt(theirs)
    assert repr(option) == repr(theirs)
    both.m.opt.timestep = 9.0
    ours.mj_defaultOption(both.m.opt)
    assert both.m.opt == ours.MjOption()
    both.m.vis.map.force = 7.0
    ours.mj_defaultVisual(both.m.vis)
    assert both.m.vis.map.force == np.float32(0.005)
    option.useexisting = theirs.useexisting = 0
    option.uselimit = theirs.uselimit = 1
    ours.mj_setLengthRange(both.m, both.d, 0, option)
    mujoco.mj_setLengthRange(both.their_m, both.their_d, 0, theirs)
    assert (both.m.actuator_lengthrange[0] == 0).all()
    option.mode = theirs.mode = 3
    ours.mj_setLengthRange(both.m, both.d, 0, option)
    mujoco.mj_setLengthRange(both.their_m, both.their_d, 0, theirs)
    assert (both.m.actuator_lengthrange[0] != 0).all()
    np.testing.assert_allclose(both.m.actuator_lengthrange[0], both.their_m.actuator_lengthrange[0])
    delayed = pair(DELAYED)
    for actuator in range(4):
        for number in range(4):
            mine = ours.mj_actuatorInputName(delayed.m, actuator, number)
            assert mine == mujoco.mj_actuatorInputName(delayed.their_m, actuator, number)
    contact = ours.MjContact()
    contact.dist = -0.5
    assert ours.mj_addContact(both.m, both.d, contact) == 0
    assert both.d.ncon == 1 and both.d.contact[0] == contact
    camera, their_camera = ours.MjvCamera(), mujoco.MjvCamera()
    ours.mjv_defaultFreeCamera(both.m, camera)
    mujoco.mjv_defaultFreeCamera(both.their_m, their_camera)
    np.testing.assert_allclose(camera.lookat, their_camera.lookat)
    np.testing.assert_allclose(camera.distance, their_camera.distance)
    for made, default in (
        (camera, "mjv_defaultCamera"),
        (ours.MjvOption(), "mjv_defaultOption"),
        (ours.MjvPerturb(), "mjv_defaultPerturb"),
    ):
        getattr(ours, default)(made)
        assert made == type(made)()


def test_logs(tmp_path: Path) -> None:
    """Compiling is timed into the log file when that is asked for; a message is added to a log."""
    before = ours.MjLogConfig.get()
    assert before == ours.MjLogConfig() and "logfile" in repr(before)
    try:
        config = ours.MjLogConfig.get()
        config.logfile, config.logto_console = str(tmp_path / "log.txt"), False
        config.topics |= 1 << (ours.mjtLogTopic.mjTOPIC_TIME_CMP - 1)
        config.set()
        pair()
        assert (tmp_path / "log.txt").read_text().count("compile time") == 1
    finally:
        before.set()


def test_bind() -> None:
    """Elements of a spec in a compiled model: one, and several at once."""
    spec = ours.MjSpec.from_string(RICH)
    m = spec.compile()
    d = ours.MjData(m)
    geoms = [spec.geom("box"), spec.geom("ball")]
    assert m.bind(geoms[0]) is m.geom("box") and d.bind(spec.joint("rail")) is d.joint("rail")
    both = m.bind(geoms)
    assert len(both.elements) == 2 and list(both.rbound) == [m.geom("box").rbound[0], m.geom("ball").rbound[0]]
    both.margin = [0.1, 0.2]
    assert m.geom("ball").margin == 0.2
    for wrong in (0.5, [1.0]):
        with pytest.raises(ValueError, match="a value for each of 2"):
            both.margin = wrong
    with pytest.raises(TypeError):
        m.bind(3)
