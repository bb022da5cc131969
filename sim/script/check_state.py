"""Checks states from files for what native code must not see: numbers that become indices, out of their range."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from sim import enums
from sim.enums import MINAWAKE, STATE_FULLPHYSICS
from sim.fields import DATA_LAYOUT
from sim.stages.sleep.awake import FULLY_AWAKE, READY
from sim.state.signature import HALVES, SLEEP_PARTS, state_places, state_shapes, state_size

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
    check_rows(m, np.asarray(row, float)[None], sig)


def check_rows(m: Model, rows: NDArray[np.float64], sig: int = STATE_FULLPHYSICS) -> None:
    """Raise ValueError unless all of several state vectors can be set."""
    shapes, size = state_shapes(m, sig), state_size(m, sig)
    parts = dict[str, NDArray[Any]]()
    if rows.ndim != 2 or rows.shape[1] != size:
        raise ValueError(f"states with signature {sig} have {size} numbers in this model, not shape {rows.shape[1:]}")
    for name, columns in state_places(m, sig).items():
        part = rows[:, columns].reshape(len(rows), *shapes[name])
        # another engine may have more than Data has fields
        place = DATA_LAYOUT.places.get(name)
        parts[name] = part if place is None or place.field.dtype[0] == "f" else _whole(name, part)
    if not np.isin(parts.get("eq_active", 0), (0, 1)).all():
        raise ValueError("eq_active has a number that is neither 0 nor 1")
    for name in HALVES.keys() & parts.keys():
        low, high = parts[name].T
        if not ((low >= 0) & (low < 1 << 32) & (high >= -1 << 31) & (high < 1 << 31)).all():
            raise ValueError(f"{name} has halves that are out of range")
    if "history" in parts:
        _check_delays(m, parts["history"])
    check_perturb(m, parts)
    check_sleep(m, parts)


def check_perturb(m: Model, found: Mapping[str, Any]) -> None:
    """The selected body exists, and the perturbation has valid bits; in one state or in several."""
    bits = sum(value for name, value in vars(enums).items() if name.startswith("PERT_"))
    for name, most in (("perturb.select", m.nbody - 1), ("perturb.active", bits)):
        values = np.atleast_1d(found.get(name, 0))
        wrong = values[(values < 0) | (values > most)]
        if wrong.size:
            raise ValueError(f"{name} is {wrong[0]}, not between 0 and {most}")


def check_sleep(m: Model, found: Mapping[str, Any]) -> None:
    """Trees are awake and counting down, or form sleep cycles; in one state or in several."""
    if "tree_asleep" not in found:
        return
    missing = [name for name in SLEEP_PARTS if name not in found]
    if missing:
        raise ValueError(f"it has tree_asleep, but not {', '.join(missing)}")
    following = found["tree_asleep"]
    if following.size and not FULLY_AWAKE <= following.min() <= following.max() < m.ntree:
        raise ValueError(f"tree_asleep has a number that is not between {FULLY_AWAKE} and {m.ntree - 1}")
    # a permutation consists of cycles; who is awake stays in its place
    trees = np.arange(m.ntree)
    if (np.sort(np.where(following > READY, following, trees)) != trees).any():
        raise ValueError("tree_asleep does not consist of cycles")
    _check_causes(m, found["tree_wakecause"], "tree_wakecause", "WAKE_", WAKE_COUNTS)
    _check_causes(m, found["tree_restless"], "tree_restless", "AWAKE_", AWAKE_COUNTS)


def _check_causes(m: Model, pairs: NDArray[Any], name: str, prefix: str, counts: Mapping[str, str]) -> None:
    """Pairs of a cause and an index within its range."""
    most = {value: 0 for word, value in vars(enums).items() if word.startswith(prefix)}
    most |= {getattr(enums, prefix + word): int(m.read(size)) - 1 for word, size in counts.items()}
    if prefix == "AWAKE_":
        most[enums.AWAKE_WAITING] = MINAWAKE
    largest = np.array([most[value] for value in range(len(most))])
    what, which = pairs[..., 0], pairs[..., 1]
    known = (what >= 0) & (what < len(most))
    wrong = ~known | (which < 0) | (which > largest[np.where(known, what, 0)])
    if wrong.any():
        raise ValueError(f"{name} has the invalid pair {what[wrong][0]}, {which[wrong][0]}")


def _check_delays(m: Model, history: NDArray[np.float64]) -> None:
    """The index of the newest sample in each delay buffer is a number."""
    actuators = m.actuator_historyadr[m.actuator_history[:, 0] > 0]
    sensors = m.sensor_historyadr[m.sensor_history[:, 0] > 0]
    _whole("history", history[:, 1 + np.concatenate([actuators, sensors])])


def _whole(name: str, part: NDArray[np.float64]) -> NDArray[np.int64]:
    """Whole numbers, which a part of a row must consist of."""
    # not a comparison that NaN passes
    if not (np.abs(part) <= LARGEST).all() or (part != np.floor(part)).any():
        raise ValueError(f"{name} has a number that is not an integer, or is too large")
    return part.astype(np.int64)
