"""The velocity update of many environments on a GPU: qvel += h · qacc, in one dispatch of a compute shader by wgpu.

Buffers are made once. What they hold is known here too, so only rows that have changed are copied to the GPU.
"""

from __future__ import annotations

import time
from contextlib import suppress
from importlib import import_module
from types import ModuleType
from typing import Any

import numpy as np

from sim.user_error import UserError

# one thread of the GPU for each velocity; groups of a dispatch have at most this many along an axis
GROUP, MOST_GROUPS = 64, 65535
SHADER = f"""
struct Step {{ h: REAL, count: u32 }}
@group(0) @binding(0) var<storage, read> step: Step;
@group(0) @binding(1) var<storage, read> qacc: array<REAL>;
@group(0) @binding(2) var<storage, read_write> qvel: array<REAL>;

@compute @workgroup_size({GROUP})
fn advance_vel(@builtin(global_invocation_id) at: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {{
    let v = at.x + at.y * groups.x * {GROUP}u;
    if (v < step.count) {{ qvel[v] += step.h * qacc[v]; }}
}}
"""
ON_CPU = 'pass device="cpu"'
BACKENDS = ("Vulkan", "Metal", "DX12")
SIZES = ("max-storage-buffer-binding-size", "max-buffer-size")


class GpuError(UserError, RuntimeError):
    """There is no GPU to compute on, it was lost, or it is too small; the message names the cure."""


def _wgpu() -> ModuleType:
    """The package, which is imported here alone."""
    try:
        import wgpu
    except ImportError as error:
        cure = f"run `pip install kinetoscope[gpu]`, or {ON_CPU}"
        raise GpuError(f"the package wgpu, which computes on a GPU, is not installed: {cure}") from error
    return wgpu


def _adapter() -> Any:
    """The fastest GPU, or a driver that computes on the CPU."""
    wgpu = _wgpu()
    # that of OpenGL would meddle with the contexts of a window; whoever uses wgpu besides may have chosen already
    with suppress(RuntimeError):
        import_module("wgpu.backends.wgpu_native.extras").set_instance_extras(backends=BACKENDS)
    try:
        return wgpu.gpu.request_adapter_sync(power_preference="high-performance")
    except (RuntimeError, OSError, ValueError) as error:
        cure = f"install one (on Debian mesa-vulkan-drivers, which also works without a GPU), or {ON_CPU}"
        raise GpuError(f"no Vulkan, Metal or DirectX driver was found: {cure}") from error


class Mirror:
    """A buffer of the GPU, in rows, and what it holds."""

    def __init__(self, device: Any, shape: tuple[int, int], dtype: np.dtype[Any], usage: Any) -> None:
        # a new buffer is all 0
        self.held, self._given = np.zeros(shape, dtype), np.zeros(shape, dtype)
        self.buffer = device.create_buffer(size=max(self.held.nbytes, 16), usage=usage)

    def send(self, queue: Any, rows: np.ndarray) -> bool:
        """Copy the rows from the first to the last that differs from what the GPU has; False: none does."""
        with np.errstate(over="ignore"):
            self._given[:] = rows
        changed = np.flatnonzero((self._given != self.held).any(axis=1))
        if not changed.size:
            return False
        first, end = changed[0], changed[-1] + 1
        self.held[first:end] = self._given[first:end]
        queue.write_buffer(self.buffer, first * self.held[0].nbytes, self.held[first:end])
        return True


class VelocityUpdate:
    """qvel += h · qacc of n environments on a GPU; `seconds` counts what copies and dispatches have taken."""

    def __init__(self, n: int, nv: int, dtype: np.dtype[Any], seconds: dict[str, float]) -> None:
        adapter = _adapter()
        self.name, self.seconds = str(adapter.info["device"]), seconds
        double = dtype == np.float64
        if double and "shader-f64" not in adapter.features:
            raise GpuError(f"{self.name} has no 64-bit floats: pass dtype=numpy.float32, or {ON_CPU}")
        limits = {name: adapter.limits[name] for name in SIZES}
        most, row = min(limits.values()), max(nv * dtype.itemsize, 1)
        if n * row > most:
            raise GpuError(
                f"{self.name} supports buffers of up to {most:,} bytes, but the velocities of {n:,} environments "
                f"need {n * row:,}: make batches of at most {most // row:,} environments, or {ON_CPU}"
            )
        usage = _wgpu().BufferUsage
        try:
            self.device = adapter.request_device_sync(
                required_features=["shader-f64"] if double else [], required_limits=limits
            )
            self._qacc = Mirror(self.device, (n, nv), dtype, usage.STORAGE | usage.COPY_DST)
            self._qvel = Mirror(self.device, (n, nv), dtype, usage.STORAGE | usage.COPY_SRC | usage.COPY_DST)
            size = self._qvel.buffer.size
            self._result = self.device.create_buffer(size=size, usage=usage.MAP_READ | usage.COPY_DST)
            self._step = self.device.create_buffer(size=16, usage=usage.STORAGE | usage.COPY_DST)
        except Exception as error:
            cure = f"make a smaller batch, close other programs that use it, or {ON_CPU}"
            raise GpuError(
                f"{self.name} has too little memory for {n:,} environments ({_line(error)}): {cure}"
            ) from error
        self._timestep = np.zeros(1, np.dtype([("h", dtype), ("count", "u4")], align=True))
        self._make_pipeline("f64" if double else "f32")

    def _make_pipeline(self, real: str) -> None:
        shader = self.device.create_shader_module(code=SHADER.replace("REAL", real))
        stage = {"module": shader, "entry_point": "advance_vel"}
        self._pipeline = self.device.create_compute_pipeline(layout="auto", compute=stage)
        buffers = self._step, self._qacc.buffer, self._qvel.buffer
        entries = [{"binding": place, "resource": {"buffer": buffer}} for place, buffer in enumerate(buffers)]
        layout = self._pipeline.get_bind_group_layout(0)
        self._binding = self.device.create_bind_group(layout=layout, entries=entries)

    def update(self, qvel: np.ndarray, qacc: np.ndarray, h: float) -> None:
        """Update velocities in place; raises GpuError, and leaves them as they are, if the GPU is lost."""
        began = time.perf_counter()
        try:
            if not qacc.any():
                return
            self._send(qvel, qacc, h)
            sent = time.perf_counter()
            self.seconds["transfer"] += sent - began
            self._dispatch()
            began = time.perf_counter()
            self.seconds["dispatch"] += began - sent
            held = self._qvel.held
            held[:] = np.frombuffer(self._result.read_mapped(copy=False), held.dtype, held.size).reshape(held.shape)
            self._result.unmap()
            qvel[:] = held
        except Exception as error:
            raise GpuError(f"{self.name} was lost ({_line(error)})") from error
        finally:
            self.seconds["transfer"] += time.perf_counter() - began

    def _send(self, qvel: np.ndarray, qacc: np.ndarray, h: float) -> None:
        queue = self.device.queue
        self._qacc.send(queue, qacc)
        self._qvel.send(queue, qvel)
        before = self._timestep.copy()
        self._timestep["h"], self._timestep["count"] = h, qvel.size
        if self._timestep != before:
            queue.write_buffer(self._step, 0, self._timestep)

    def _dispatch(self) -> None:
        """Update the velocities on the GPU, and wait until they are there to be read."""
        encoder = self.device.create_command_encoder()
        work = encoder.begin_compute_pass()
        work.set_pipeline(self._pipeline)
        work.set_bind_group(0, self._binding)
        groups = -(-self._qvel.held.size // GROUP)
        work.dispatch_workgroups(min(groups, MOST_GROUPS), -(-groups // MOST_GROUPS))
        work.end()
        encoder.copy_buffer_to_buffer(self._qvel.buffer, 0, self._result, 0, self._result.size)
        self.device.queue.submit([encoder.finish()])
        self._result.map_sync("READ")


def _line(error: Exception) -> str:
    """The last line of what wgpu says: the cause."""
    return (str(error).strip().splitlines() or [type(error).__name__])[-1].strip()
