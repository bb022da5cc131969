"""Kinetoscope's engine: MuJoCo's pipeline in Python, compiled to native code.

    m = sim.load("scene.xml")
    d = sim.Data(m)
    sim.step(m, d, nstep=100)

Names, shapes and values are those of MuJoCo 3.12; `m` and `d` hold numpy arrays.
"""

from __future__ import annotations

from collections.abc import Callable

from sim import forward as pipeline
from sim.jit import CompileError
from sim.model import Data, Model

__all__ = ["CompileError", "Data", "Model", "forward", "prepare", "reset", "step"]

Progress = Callable[[int, int, str], None]


def prepare(m: Model, progress: Progress | None = None) -> None:
    """Have the native code that a model needs at hand; `progress(done, total, what)` is told of compilation."""
    from sim.jit.loader import loader

    loader.load([pipeline.run, pipeline.forward], m, progress)


def step(m: Model, d: Data, nstep: int = 1) -> None:
    """Advance by `nstep` timesteps in one native call. Grows Data where a step needs more room."""
    done = 0
    while True:
        done += pipeline.run(m, d, nstep - done)
        if done >= nstep:
            return
        if not d.make_room():
            raise RuntimeError("a step asked for room it already has")


def forward(m: Model, d: Data) -> None:
    """Compute everything that follows from the state, without advancing it."""
    while True:
        d.want.ncon = d.want.nefc = 0
        pipeline.forward(m, d)
        if not d.make_room():
            return


def reset(m: Model, d: Data, key: int | None = None) -> None:
    """Back to the initial state, or to a keyframe."""
    d.clear()
    if key is not None:
        if not 0 <= key < m.nkey:
            raise ValueError(f"keyframe {key} of {m.nkey}")
        d.time = m.key_time[key]
        d.qpos = m.key_qpos[key]
        d.qvel = m.key_qvel[key]
        d.mocap_pos = m.key_mpos[key].reshape(-1, 3)
        d.mocap_quat = m.key_mquat[key].reshape(-1, 4)
