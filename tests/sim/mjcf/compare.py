"""Our compiled values against MuJoCo's Model, field by field: names, types, shapes and numbers."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import mujoco
import numpy as np

from sim.mjcf import Compiled

# computed by kernels after compiling
LATER = {
    "dof_M0",
    "dof_invweight0",
    "body_invweight0",
    "stat.meaninertia",
    "tendon_length0",
    "tendon_invweight0",
    "actuator_acc0",
    "actuator_length0",
}
# computed so where MuJoCo was not given a value: field -> which of our values are not the last word
UNFINISHED: dict[str, Callable[[Compiled], np.ndarray]] = {
    "tendon_lengthspring": lambda ours: ours.values["tendon_lengthspring"] == -1,
    "actuator_lengthrange": lambda ours: ours.values["actuator_lengthrange"] == 0,
    "actuator_biasprm": lambda ours: _dampratio(ours.values),
    "dof_damping": lambda ours: _springdamper(ours)[ours.values["dof_jntid"]],
    "jnt_stiffness": lambda ours: _springdamper(ours),
}
# MuJoCo's own memory, and two colours that its bindings show as empty
NOT_COMPARED = {"signature", "nbuffer", "vis.rgba.bv", "vis.rgba.bvactive"}
# sizes and arrays of what Model does not have: flexes, plugins, octrees, one text of all names, MuJoCo's memory
ABSENT = ("flex", "nflex", "efm", "nefm", "oct", "noct", "plugin", "nplugin", "nJf", "name", "nname", "paths", "npaths")
ABSENT += ("narena",)
GROUPS = {"opt", "stat", "vis", "global_", "quality", "headlight", "map", "scale", "rgba"}


def fields(struct: Any, prefix: str = "") -> Iterator[tuple[str, Any]]:
    """Every field of a MuJoCo struct, groups dotted."""
    for name in dir(struct):
        if name.startswith("_"):
            continue
        value = getattr(struct, name)
        if name in GROUPS:
            yield from fields(value, f"{prefix}{name}.")
        elif isinstance(value, int | float | bytes | np.ndarray):
            yield prefix + name, value


def _dampratio(ours: dict[str, Any]) -> np.ndarray:
    """A position servo keeps its dampratio as a positive number in place of its damping."""
    waiting = np.zeros_like(ours["actuator_biasprm"], bool)
    servo = ours["actuator_gainprm"][:, 0] == -ours["actuator_biasprm"][:, 1]
    servo |= ours["actuator_gaintype"] == mujoco.mjtGain.mjGAIN_PID
    waiting[:, 2] = servo & (ours["actuator_biasprm"][:, 2] > 0)
    return waiting


def _springdamper(ours: Compiled) -> np.ndarray:
    return (ours.inputs.springdamper > 0).all(axis=1)


def differences(compiled: Compiled, reference: mujoco.MjModel) -> list[str]:
    """One line for each field that is missing, unknown, or different."""
    found, ours = [], compiled.values
    known = dict(fields(reference))
    for name, wanted in known.items():
        if name in LATER | NOT_COMPARED or name.startswith(ABSENT):
            continue
        if name not in ours:
            # a field of something that the model does not have
            if not isinstance(wanted, bytes | np.ndarray) or len(wanted):
                found.append(f"{name} is missing")
            continue
        if name in UNFINISHED and len(wanted):
            wanted = np.where(UNFINISHED[name](compiled), ours[name], wanted)
        what = _difference(name, ours[name], wanted)
        if what:
            found.append(f"{name}: {what}")
    return found + [f"{name} is not a field" for name in ours if name not in known]


def hull_vertices(graph: np.ndarray, start: int) -> set[int]:
    """Vertices of a hull: where many lie in a plane, their order and the triangles are the hull library's own."""
    n = graph[start]
    return set(graph[start + 2 + n : start + 2 + 2 * n].tolist())


def _difference(name: str, ours: Any, wanted: Any) -> str:
    # texts are bytes in the bindings, and numbers here
    if isinstance(wanted, bytes) and isinstance(ours, np.ndarray) and ours.dtype == np.uint8:
        ours = ours.tobytes()
    if not isinstance(wanted, np.ndarray):
        if isinstance(wanted, float):
            same = isinstance(ours, float) and abs(ours - wanted) <= 1e-10 * abs(wanted) + 1e-13
        else:
            same = isinstance(ours, type(wanted)) and ours == wanted
        return "" if same else f"{ours!r} instead of {wanted!r}"
    if not isinstance(ours, np.ndarray) or ours.dtype != wanted.dtype or ours.shape != wanted.shape:
        kind = (getattr(ours, "dtype", type(ours)), getattr(ours, "shape", ()))
        return f"{kind} instead of {(wanted.dtype, wanted.shape)}"
    if wanted.dtype != np.float64:
        return "" if np.array_equal(ours, wanted) else f"{ours} instead of {wanted}"
    # a box around an infinite plane is exact only to its own size
    scale = np.abs(wanted).max(axis=-1, keepdims=True) if name == "bvh_aabb" and wanted.size else np.abs(wanted)
    with np.errstate(invalid="ignore"):
        near = (np.abs(ours - wanted) <= 1e-10 * scale + 1e-13) & np.isfinite(wanted)
    bad = ~near & (ours != wanted)
    return f"{ours[bad]} instead of {wanted[bad]} at {np.argwhere(bad).tolist()}" if bad.any() else ""
