"""Batches: against rollouts from the same states, on the software adapter of Vulkan and without one."""

from __future__ import annotations

import signal
import sys
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import sim
from sim.enums import (
    INT_DISCRETE,
    INT_EULER,
    INT_IMPLICIT,
    INT_IMPLICITFAST,
    INT_RK4,
    INT_SPRINGDAMPER,
    STATE_USER,
)
from sim.script import batch as batch_module
from sim.script import gpu
from tests.sim.script.test_interrupt import interrupted

SCENES = Path(__file__).resolve().parents[3] / "scenes"
# model -> how far float32 may be from float64 after 1, 10 and 100 steps, relative to numbers above 1
BOUNDS = {
    "humanoid": (1e-7, 2e-7, 1e-6),
    "double_pendulum": (1e-7, 2e-7, 2e-6),
    "quadruped": (1e-6, 2e-6, 1e-5),
    "muscle_arm": (1e-7, 1e-7, 1e-6),
    "tendon_arm": (1e-7, 1e-6, 1e-5),
    "delay_and_lag": (1e-6, 1e-6, 1e-6),
    "servos": (1e-7, 1e-6, 2e-6),
    "gripper": (1e-7, 1e-6, 5e-6),
    "drone": (1e-6, 1e-5, 1e-4),
    "sleepers": (1e-6, 1e-5, 1e-5),
    "pile": (1e-6, 1e-6, 2e-4),
    # whether a joint yields is decided by the last digit
    "bent_wire": (1e-6, 2e-2, 5e-2),
}
INTEGRATORS = (INT_EULER, INT_IMPLICIT, INT_IMPLICITFAST, INT_DISCRETE, INT_SPRINGDAMPER)
BOXES = """
<mujoco>
  <option><flag sleep="enable"/></option>
  <worldbody>
    <geom type="plane" size="1 1 1"/>
    <body pos="0 0 .1"><freejoint/><geom type="box" size=".1 .1 .1"/></body>
    <body pos="1 0 .1"><freejoint/><geom type="box" size=".1 .1 .1"/></body>
  </worldbody>
</mujoco>
"""


@pytest.fixture(autouse=True)
def software_adapter(monkeypatch: pytest.MonkeyPatch) -> None:
    """A real GPU may fuse products and sums, or have no 64-bit floats."""
    if sys.platform.startswith("linux"):
        monkeypatch.setenv("WGPUPY_WGPU_ADAPTER_NAME", "llvmpipe")


def case(m: Any, n: int = 3) -> tuple[np.ndarray, np.ndarray]:
    """Noisy states, and controls that stay the same."""
    rng = np.random.default_rng(0)
    states = np.repeat(sim.get_state(m, sim.Data(m))[None], n, 0)
    states[:, 1 + m.nq : 1 + m.nq + m.nv] += 0.1 * rng.normal(size=(n, m.nv))
    return states, 0.3 * rng.normal(size=(n, m.nu))


def rollout(m: Any, states: np.ndarray, ctrl: np.ndarray, nstep: int) -> Any:
    return sim.rollout(m, states, np.repeat(ctrl[:, None], nstep, 1) if m.nu else None, nstep=nstep)


def batch_of(m: Any, states: np.ndarray, ctrl: np.ndarray, **options: Any) -> sim.GpuBatch:
    found = sim.GpuBatch(m, len(states), **options)
    found.reset(states=states)
    found.ctrl = ctrl
    return found


def compare(m: Any, bounds: tuple[float, ...]) -> None:
    """A batch follows rollouts: to the bit, with float32 within the bounds after 1, 10 and 100 steps."""
    states, ctrl = case(m)
    kinds: tuple[dict[str, Any], ...] = {"device": "cpu"}, {"dtype": np.float64}, {}
    batches = [batch_of(m, states, ctrl, **kind) for kind in kinds]
    expected, done = rollout(m, states, ctrl, 10 ** (len(bounds) - 1)), 0
    for place, bound in enumerate(bounds):
        for one in batches:
            one.step(10**place - done)
        done = 10**place
        state, sensordata = expected.state[:, done - 1], expected.sensordata[:, done - 1]
        for one in batches[:2]:
            assert np.array_equal(one.state(), state)
            assert np.array_equal(one.sensordata, sensordata)
        error = np.abs(batches[2].state() - state) / np.maximum(1, np.abs(state))
        assert 0 < error.max() < bound
    assert not batches[0].diverged.any()


@pytest.mark.parametrize("name", BOUNDS)
def test_against_rollouts(name: str) -> None:
    compare(sim.load(SCENES / f"{name}.xml"), BOUNDS[name])


@pytest.mark.parametrize("integrator", INTEGRATORS)
def test_all_integrators(integrator: int) -> None:
    m = sim.load(SCENES / "quadruped.xml")
    m.opt.integrator = integrator
    compare(m, BOUNDS["quadruped"][:2])


def test_rk4_runs_on_the_cpu_and_says_so() -> None:
    m = sim.load(SCENES / "double_pendulum.xml")
    m.opt.integrator = INT_RK4
    states, ctrl = case(m)
    with pytest.warns(UserWarning, match="RK4 has no separate velocity update"):
        found = batch_of(m, states, ctrl)
    with pytest.warns(UserWarning, match="the CPU makes its steps"):
        found.step(10)
    assert np.array_equal(found.state(), rollout(m, states, ctrl, 10).state[:, -1])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        batch_of(m, states, ctrl, device="cpu").step()
    assert found.device == "cpu"
    # the integrator may be changed at any time
    m.opt.integrator = INT_EULER
    found.step()
    assert "llvmpipe" in found.device or not sys.platform.startswith("linux")
    assert found.seconds["dispatch"] > 0


@pytest.mark.parametrize("device", ["cpu", "gpu"])
def test_environments_sleep_diverge_and_restart_one_by_one(device: str) -> None:
    m = sim.loads(BOXES)
    states = np.repeat(sim.get_state(m, sim.Data(m))[None], 4, 0)
    states[1, -6:] = 0.3
    states[2, -1] = 1e12
    found = sim.GpuBatch(m, 4, device=device, dtype=np.float64)
    found.reset(states=states)
    found.step(120)
    expected = sim.rollout(m, states, nstep=200).state
    assert np.array_equal(found.state(), expected[:, 119])
    assert found.diverged.tolist() == [False, False, True, False]
    assert (found.env(0).tree_asleep >= 0).all()
    # a push wakes, a reset starts again; the others are not disturbed
    found.qvel[3, 0] = 0.5
    found.reset([False, False, True, False])
    found.reset([])
    found.step(80)
    assert np.array_equal(found.state()[:2], expected[:2, 199])
    assert np.array_equal(found.state()[2], expected[0, 79])
    assert found.qpos[3, 0] > 1e-3 and not found.diverged.any()
    d = sim.Data(m)
    sim.step(m, d, 120)
    d.qvel[0] = 0.5
    sim.step(m, d, 80)
    assert np.array_equal(found.qpos[3], d.qpos)


def test_an_environment_as_data() -> None:
    m = sim.load(SCENES / "quadruped.xml")
    found = batch_of(m, *case(m), dtype=np.float64)
    found.step(20)
    d = found.env(1)
    assert d.ncon > 0 and np.array_equal(d.ctrl, found.ctrl[1])
    found.step()
    sim.step(m, d)
    assert np.array_equal(d.qpos, found.qpos[1]) and d.time == found.time[1]
    with pytest.raises(IndexError):
        found.env(3)


def test_threads_overflow_and_inputs() -> None:
    """More contacts than there is room for; other inputs than controls; as many threads as wanted."""
    body = "<body pos='{} {} .102'><freejoint/><geom type='box' size='.1 .1 .1'/></body>"
    bodies = "".join(body.format(x, y) for x in range(6) for y in range(5))
    m = sim.loads(f"<mujoco><worldbody><geom type='plane' size='1 1 1'/>{bodies}</worldbody></mujoco>")
    states, _ = case(m, 5)
    inputs = np.zeros((5, 1, sim.state_size(m, STATE_USER)))
    inputs[:, 0, : m.nv] = np.random.default_rng(1).normal(size=(5, m.nv))
    expected = sim.rollout(m, states, inputs.repeat(20, 1), control_spec=STATE_USER).state[:, -1]
    for options in ({"nthread": 1}, {"nthread": 3}, {"nthread": 2, "device": "cpu"}):
        found = sim.GpuBatch(m, 5, dtype=np.float64, **options)
        found.reset(states=states)
        found.qfrc_applied = inputs[:, 0, : m.nv]
        found.step(20)
        assert np.array_equal(found.state(), expected)


@pytest.mark.parametrize("device", ["cpu", "gpu"])
def test_ctrl_c_ends_at_a_whole_step(device: str) -> None:
    m = sim.load(SCENES / "double_pendulum.xml")
    states, ctrl = case(m, 9)
    found = batch_of(m, states, ctrl, device=device, dtype=np.float64)
    found.step()
    with interrupted():
        found.step(2**60)
    steps = round(found.time[0] / m.opt.timestep)
    assert steps > 1 and (found.time == found.time[0]).all()
    assert np.array_equal(found.state(), rollout(m, states, ctrl, steps).state[:, -1])


def test_a_handler_that_returns_does_not_end_it() -> None:
    m = sim.load(SCENES / "double_pendulum.xml")
    found, heard = sim.GpuBatch(m, 1, device="cpu"), []
    before = signal.signal(signal.SIGINT, lambda *_: heard.append(True))
    sim.callbacks.control = lambda m, d: None if heard else signal.raise_signal(signal.SIGINT)
    try:
        found.step(5)
    finally:
        sim.callbacks.control = None
        signal.signal(signal.SIGINT, before)
    assert heard and found.time[0] == pytest.approx(5 * m.opt.timestep)


def test_an_error_of_a_callback_leaves_whole_steps() -> None:
    m = sim.load(SCENES / "double_pendulum.xml")
    states, ctrl = case(m, 6)
    found = batch_of(m, states, ctrl, dtype=np.float64)
    found.step(2)

    def fail(m: Any, d: Any) -> None:
        if np.array_equal(d.qpos, found.qpos[4]):
            raise KeyError("broken")

    sim.callbacks.control = fail
    try:
        with pytest.raises(KeyError, match="broken"):
            found.step()
    finally:
        sim.callbacks.control = None
    expected = rollout(m, states, ctrl, 3).state
    steps = np.round(found.time / m.opt.timestep).astype(int)
    assert steps[4] == 2 and {*steps} <= {2, 3}
    assert all(np.array_equal(found.state()[i], expected[i, steps[i] - 1]) for i in range(6))


def test_progress(capsys: pytest.CaptureFixture[str]) -> None:
    m = sim.load(SCENES / "double_pendulum.xml")
    found = sim.GpuBatch(m, 2)
    found.step(7, progress=True)
    assert "7/7" in capsys.readouterr().err
    found.step(7)
    assert capsys.readouterr().err == ""


# ---------------------------------------------------------------- the GPU


class FakeDevice:
    """Counts what is copied to it."""

    def __init__(self) -> None:
        self.copied: list[tuple[int, int]] = []

    def create_buffer(self, size: int, usage: Any) -> None:
        return None

    def write_buffer(self, buffer: Any, offset: int, rows: np.ndarray) -> None:
        self.copied.append((offset, rows.nbytes))


def test_only_what_has_changed_is_copied() -> None:
    device = FakeDevice()
    mirror = gpu.Mirror(device, (100, 3), np.dtype(np.float32), 0)
    rows = np.zeros((100, 3))
    assert not mirror.send(device, rows)
    rows[[40, 42], 1] = 1.0, np.nan
    assert mirror.send(device, rows) and device.copied == [(40 * 12, 3 * 12)]
    rows[42] = 0
    assert mirror.send(device, rows) and not mirror.send(device, rows)


def test_nothing_is_dispatched_while_all_stand_still() -> None:
    m = sim.loads(BOXES)
    found = sim.GpuBatch(m, 2)
    found.step(150)
    before = found.seconds["dispatch"]
    found.step(10)
    assert found.seconds["dispatch"] == before > 0


def test_a_lost_gpu() -> None:
    m = sim.load(SCENES / "double_pendulum.xml")
    states, ctrl = case(m)
    found = batch_of(m, states, ctrl, dtype=np.float64)
    found.step(3)
    found._gpu.device.destroy()
    with pytest.raises(gpu.GpuError, match=r"was lost \(.*completed the step: step again to continue on the CPU"):
        found.step(5)
    found.step(6)
    assert found.device == "cpu"
    assert np.array_equal(found.state(), rollout(m, states, ctrl, 10).state[:, -1])


def test_no_package(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "wgpu", None)
    m = sim.load(SCENES / "double_pendulum.xml")
    with pytest.raises(
        gpu.GpuError, match=r'not installed: run `pip install kinetoscope\[gpu\]`, or pass device="cpu"'
    ):
        sim.GpuBatch(m, 2)
    sim.GpuBatch(m, 2, device="cpu").step()


def test_no_adapter(monkeypatch: pytest.MonkeyPatch) -> None:
    import wgpu

    def refuse(**_: Any) -> None:
        raise RuntimeError("Request adapter failed")

    monkeypatch.setattr(wgpu.gpu, "request_adapter_sync", refuse)
    with pytest.raises(gpu.GpuError, match=r'driver was found: install one .*, or pass device="cpu"'):
        sim.GpuBatch(sim.load(SCENES / "double_pendulum.xml"), 2)


def test_too_large(monkeypatch: pytest.MonkeyPatch) -> None:
    m = sim.load(SCENES / "double_pendulum.xml")
    with pytest.raises(
        gpu.GpuError, match=r"supports buffers of up to [\d,]+ bytes.*at most [\d,]+ environments, or pass"
    ):
        gpu.VelocityUpdate(10**9, 4, np.dtype(np.float32), {})
    monkeypatch.setattr(batch_module, "free_memory", lambda: 1e6)
    with pytest.raises(
        ValueError, match=r"n is 100,000: an environment needs .* 0\.0 GB are free.*at most \d+,?\d* env"
    ):
        sim.GpuBatch(m, 100_000, device="cpu")


def test_an_adapter_without_64_bit_floats(monkeypatch: pytest.MonkeyPatch) -> None:
    real = gpu._adapter()

    class Small:
        info, limits, features = real.info, real.limits, frozenset[str]()

    monkeypatch.setattr(gpu, "_adapter", Small)
    with pytest.raises(gpu.GpuError, match=r"has no 64-bit floats: pass dtype=numpy\.float32"):
        gpu.VelocityUpdate(2, 4, np.dtype(np.float64), {})


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"n": 0}, "n is 0"),
        ({"nthread": 0}, "nthread is 0"),
        ({"device": "tpu"}, "device is 'tpu': it must be one of 'gpu', 'cpu'"),
        ({"dtype": np.int32}, "dtype is int32"),
    ],
)
def test_bad_options(options: dict[str, Any], message: str) -> None:
    m = sim.load(SCENES / "double_pendulum.xml")
    with pytest.raises(ValueError, match=message):
        sim.GpuBatch(m, **{"n": 2, "device": "cpu"} | options)


def test_bad_states_and_steps() -> None:
    m = sim.loads(BOXES)
    found = sim.GpuBatch(m, 3, device="cpu")
    with pytest.raises(ValueError, match=r"states must be of shape \(2, 27\), not \(3, 27\)"):
        found.reset([0, 1], found.state())
    with pytest.raises(ValueError, match="not finite"):
        found.reset(states=np.full(27, np.nan))
    with pytest.raises(ValueError, match="nstep is -1"):
        found.step(-1)
    m.opt.enableflags = 0
    with pytest.raises(ValueError, match="sleep was enabled or disabled after the batch was created"):
        found.step()
