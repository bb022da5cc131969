"""Our compiled values against MuJoCo's Model, field by field: names, types, shapes and numbers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import mujoco
import numpy as np

# computed by kernels after compiling
LATER = {"dof_M0", "dof_invweight0", "body_invweight0", "stat.meaninertia"}
# MuJoCo's own memory, and two colours that its bindings show as empty
NOT_COMPARED = {"signature", "nbuffer", "vis.rgba.bv", "vis.rgba.bvactive"}
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


def differences(ours: dict[str, Any], reference: mujoco.MjModel) -> list[str]:
    """One line for each field that is missing, unknown, or different."""
    found = []
    known = dict(fields(reference))
    for name, wanted in known.items():
        if name in LATER | NOT_COMPARED:
            continue
        if name not in ours:
            # a field of something that the model does not have
            if not isinstance(wanted, bytes | np.ndarray) or len(wanted):
                found.append(f"{name} is missing")
            continue
        what = _difference(name, ours[name], wanted)
        if what:
            found.append(f"{name}: {what}")
    return found + [f"{name} is not a field" for name in ours if name not in known]


def _difference(name: str, ours: Any, wanted: Any) -> str:
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
    bad = np.abs(ours - wanted) > 1e-10 * scale + 1e-13
    return f"{ours[bad]} instead of {wanted[bad]} at {np.argwhere(bad).tolist()}" if bad.any() else ""
