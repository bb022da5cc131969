"""MuJoCo as the referee: models and states for both engines, and comparison field by field."""

from __future__ import annotations

import mujoco
import numpy as np

import sim
from sim.fields import MODEL_LAYOUT

STATE = (
    "time",
    "qpos",
    "qvel",
    "act",
    "ctrl",
    "qacc_warmstart",
    "mocap_pos",
    "mocap_quat",
    "qfrc_applied",
    "xfrc_applied",
)


def read(struct, name: str):
    """A field of a MuJoCo struct, groups dotted."""
    for part in name.split("."):
        struct = getattr(struct, part)
    return struct


def model_of(mj: mujoco.MjModel) -> sim.Model:
    """Our Model with MuJoCo's values: stages are tested apart from the MJCF compiler."""
    values = {
        name: np.array(read(mj, name)) for name in MODEL_LAYOUT.places if not name.startswith(("vis.", "text_data"))
    }
    return sim.Model(values, {})


def disable(mj: mujoco.MjModel, names) -> None:
    """Switch parts of the pipeline off, by the names of their flags."""
    for name in names:
        mj.opt.disableflags |= getattr(mujoco.mjtDisableBit, f"mjDSBL_{name}")


def random_state(mj: mujoco.MjModel, dj: mujoco.MjData, seed: int) -> None:
    """Coordinates away from qpos0, velocities, applied forces, a warm start; all of them generic."""
    rng = np.random.default_rng(seed)
    mujoco.mj_resetData(mj, dj)
    mujoco.mj_integratePos(mj, dj.qpos, rng.normal(size=mj.nv), 0.5)
    dj.qvel[:] = rng.normal(size=mj.nv)
    dj.qfrc_applied[:] = rng.normal(size=mj.nv)
    dj.xfrc_applied[1:] = rng.normal(size=(mj.nbody - 1, 6)) * (rng.random((mj.nbody - 1, 1)) < 0.5)
    dj.mocap_pos[:] += rng.normal(size=dj.mocap_pos.shape)
    dj.mocap_quat[:] += rng.normal(size=dj.mocap_quat.shape)
    dj.qacc_warmstart[:] = rng.normal(size=mj.nv)
    dj.time = 1.5


def copy_fields(dj: mujoco.MjData, d: sim.Data, names) -> None:
    for name in names:
        d.write(name, read(dj, name))


def poison(d: sim.Data, names) -> None:
    """Outputs that a stage fails to write are seen."""
    for name in names:
        d.read(name)[...] = np.nan


def error(ours, theirs) -> float:
    """Largest difference over the field's largest magnitude."""
    ours, theirs = np.asarray(ours, float), np.asarray(theirs, float)
    if ours.shape != theirs.shape:
        return np.inf
    if theirs.size == 0:
        return 0.0
    difference = np.abs(ours - theirs).max() / max(np.abs(theirs).max(), 1e-8)
    return float(difference) if np.isfinite(difference) else np.inf


def assert_same(d: sim.Data, dj: mujoco.MjData, names, tolerance: float = 1e-10) -> None:
    """Every field, by name; quaternions up to sign."""
    wrong = {}
    for name in names:
        ours, theirs = d.read(name), read(dj, name)
        if name == "xquat":
            ours = ours * np.where((ours * theirs).sum(1) < 0, -1, 1)[:, None]
        if (e := error(ours, theirs)) > tolerance:
            wrong[name] = e
    assert not wrong, f"differ from MuJoCo by more than {tolerance:g}: {wrong}"
