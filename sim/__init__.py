"""Kinetoscope's engine: MuJoCo's pipeline in Python, compiled to native code.

    m = sim.load("scene.xml")
    d = sim.Data(m)
    sim.step(m, d, nstep=100)

Names, shapes and values are those of MuJoCo 3.12; `m` and `d` hold numpy arrays.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from os import PathLike
from pathlib import Path

from sim import forward as pipeline
from sim.actuation.callback import callbacks
from sim.enums import INT_EULER, INT_IMPLICIT, INT_IMPLICITFAST, INT_RK4, INT_SPRINGDAMPER
from sim.fields import DATA_LAYOUT
from sim.jacobian import jac, jac_body, jac_body_com, jac_geom, jac_point_axis, jac_site, jac_subtree_com
from sim.jit import CompileError, interpreted
from sim.mjcf import MjcfError, compile_file, compile_text
from sim.mjcf.lengthrange import set_length_ranges, settings
from sim.mjcf.save import Source
from sim.mjcf.setconst import set_constants
from sim.model import Data, Model, Values

__all__ = [
    "CompileError",
    "Data",
    "MjcfError",
    "Model",
    "callbacks",
    "forward",
    "jac",
    "jac_body",
    "jac_body_com",
    "jac_geom",
    "jac_point_axis",
    "jac_site",
    "jac_subtree_com",
    "load",
    "loads",
    "place",
    "prepare",
    "reset",
    "step",
]

Progress = Callable[[int, int, str], None]
INTEGRATORS = (INT_EULER, INT_RK4, INT_IMPLICIT, INT_IMPLICITFAST, INT_SPRINGDAMPER)


def load(path: str | PathLike[str]) -> Model:
    """Compile an MJCF file. Bad input raises MjcfError, which names file, line, element and cure."""
    return _model(*compile_file(Path(path)))


def loads(text: str, assets: Mapping[str, bytes | str] | None = None) -> Model:
    """Compile MJCF given as text; files it refers to are looked up in `assets` first."""
    return _model(*compile_text(text, assets))


def _model(values: Values, names: Mapping[str, list[str]]) -> Model:
    m = Model({name: value for name, value in values.items() if not name.startswith("input.")}, names)
    set_constants(m, given=values)
    set_length_ranges(m, settings(values), values.get("input.actuators", ()))
    m.remember_source(Source(values["input.spec"], m))
    return m


def prepare(m: Model, progress: Progress | None = None) -> None:
    """Have the native code that a model needs at hand; `progress(done, total, what)` is told of compilation."""
    from sim.jit.loader import loader

    loader.load([pipeline.run, pipeline.forward], m, progress)


def place(m: Model, d: Data) -> None:
    """World poses of everything, for a picture that does not wait for native code: runs as plain Python."""
    with interpreted():
        pipeline.fwd_picture(m, d)


def step(m: Model, d: Data, nstep: int = 1) -> None:
    """Advance by `nstep` timesteps in one native call. Grows Data where a step needs more room."""
    if m.opt.integrator not in INTEGRATORS:
        raise ValueError(f"opt.integrator is {m.opt.integrator}: there are {', '.join(map(str, INTEGRATORS))}")
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
        for size in set(DATA_LAYOUT.growing.values()):
            d.write(f"want.{size}", 0)
        pipeline.forward(m, d)
        if not d.make_room():
            return


def reset(m: Model, d: Data, key: int | None = None) -> None:
    """Back to the initial state, or to a keyframe."""
    d.clear()
    if key is not None:
        if not 0 <= key < m.nkey:
            raise ValueError(f"there is no keyframe {key}: the model has {m.nkey}")
        d.time = m.key_time[key]
        d.qpos = m.key_qpos[key]
        d.qvel = m.key_qvel[key]
        d.act = m.key_act[key]
        d.ctrl = m.key_ctrl[key]
        d.mocap_pos = m.key_mpos[key].reshape(-1, 3)
        d.mocap_quat = m.key_mquat[key].reshape(-1, 4)
