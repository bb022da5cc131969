"""Checks states from files for what native code must not see: numbers that become indices, out of their range."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from sim import enums
from sim.enums import MINAWAKE, STATE_FULLPHYSICS
from sim.fields import DATA_LAYOUT
from sim.script.state_vector import split_state
from sim.stages.sleep.awake import FULLY_AWAKE, READY
from sim.state.signature import HALVES, SLEEP_PARTS

if TYPE_CHECKING:
    from sim.model import Model

# cause or reason -> the size that counts its index; the others have no index
WAKE_COUNTS = {
    "QPOS": "nq", "QVEL": "nv", "QFRC": "nv", "XFRC": "nbody", "MOCAP": "nbody", "CONTACT": "ngeom",
    "EQUALITY": "neq", "TENDON": "ntendon",
}  # fmt: skip
AWAKE_COUNTS = {"MOVING": "nv", "QFRC": "nv", "XFRC": "nbody", "ISLAND": "ntree"}

# whole numbers of a row are within this
LARGEST = 2.0**32


def check_row(m: Model, row: Any, sig: int = STATE_FULLPHYSICS) -> None:
    """Raise ValueError unless a state vector from a file can be set: other numbers than indices need not be finite."""
    parts = split_state(m, row, sig, check=False)
    found = {}
    for name, part in parts.items():
        kind = DATA_LAYOUT.places[name].field.dtype[0]
        if kind != "f":
            found[name] = _whole(name, part)
    if "eq_active" in found and not np.isin(found["eq_active"], (0, 1)).all():
        raise ValueError("eq_active has a number that is neither 0 nor 1")
    for low, high in [found[name] for name in HALVES if name in found]:
        if not (0 <= low < 1 << 32 and -1 << 31 <= high < 1 << 31):
            raise ValueError(f"noise.seed has the invalid halves {low}, {high}")
    if "history" in parts:
        _check_delays(m, parts["history"])
    check_perturb(m, found)
    check_sleep(m, {**parts, **found})


def check_perturb(m: Model, found: Mapping[str, Any]) -> None:
    """The selected body exists, and the perturbation has valid bits."""
    bits = sum(value for name, value in vars(enums).items() if name.startswith("PERT_"))
    for name, most in (("perturb.select", m.nbody - 1), ("perturb.active", bits)):
        if name in found and not 0 <= found[name] <= most:
            raise ValueError(f"{name} is {found[name]}, not between 0 and {most}")


def check_sleep(m: Model, found: Mapping[str, Any]) -> None:
    """Trees are awake and counting down, or form sleep cycles."""
    if "tree_asleep" not in found:
        return
    missing = [name for name in SLEEP_PARTS if name not in found]
    if missing:
        raise ValueError(f"it has tree_asleep, but not {', '.join(missing)}")
    following = found["tree_asleep"]
    if following.size and not FULLY_AWAKE <= following.min() <= following.max() < m.ntree:
        raise ValueError(f"tree_asleep has a number that is not between {FULLY_AWAKE} and {m.ntree - 1}")
    asleep = np.flatnonzero(following > READY)
    # a permutation consists of cycles
    if not np.array_equal(np.sort(following[asleep]), asleep):
        raise ValueError("tree_asleep does not consist of cycles")
    _check_causes(m, found, "tree_wakecause", "WAKE_", WAKE_COUNTS)
    _check_causes(m, found, "tree_restless", "AWAKE_", AWAKE_COUNTS)


def _check_causes(m: Model, found: Mapping[str, Any], name: str, prefix: str, counts: Mapping[str, str]) -> None:
    """Pairs of a cause and an index within its range."""
    most = {value: 0 for word, value in vars(enums).items() if word.startswith(prefix)}
    most |= {getattr(enums, prefix + word): int(m.read(size)) - 1 for word, size in counts.items()}
    if prefix == "AWAKE_":
        most[enums.AWAKE_WAITING] = MINAWAKE
    for what, which in found[name].tolist():
        if what not in most or not 0 <= which <= most[what]:
            raise ValueError(f"{name} has the invalid pair {what}, {which}")


def _check_delays(m: Model, history: NDArray[np.float64]) -> None:
    """The index of the newest sample in each delay buffer is a number."""
    actuators = m.actuator_historyadr[m.actuator_history[:, 0] > 0]
    sensors = m.sensor_historyadr[m.sensor_history[:, 0] > 0]
    _whole("history", history[1 + np.concatenate([actuators, sensors])])


def _whole(name: str, part: NDArray[np.float64]) -> NDArray[np.int64]:
    """Whole numbers, which a part of a row must consist of."""
    # not a comparison that NaN passes
    if not (np.abs(part) <= LARGEST).all() or (part != np.floor(part)).any():
        raise ValueError(f"{name} has a number that is not a whole one, or too large")
    return part.astype(np.int64)
