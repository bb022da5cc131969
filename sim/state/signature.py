"""State signatures: which fields of Data a state vector holds, and its size.

A signature is a set of bits of sim.enums.STATE_*; the parts follow one another in the order of these bits.
STATE_FULLPHYSICS is what moves, STATE_INTEGRATION everything that determines the next steps while nothing sleeps: a
state restored from it continues bit for bit. STATE_TRACE adds the mouse perturbation, STATE_RECORD the control noise,
STATE_SLEEP which trees sleep and the results that they keep, which cannot be derived. What another engine's state has
besides (`m.extra_state`) comes last in a state that has STATE_INTEGRATION.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import prod
from typing import Any, Protocol

from sim.enums import (
    ENBL_SLEEP,
    STATE_ACT,
    STATE_CTRL,
    STATE_EQ_ACTIVE,
    STATE_FULLPHYSICS,
    STATE_HISTORY,
    STATE_INTEGRATION,
    STATE_MOCAP_POS,
    STATE_MOCAP_QUAT,
    STATE_NOISE,
    STATE_PERTURB,
    STATE_PLASTIC,
    STATE_QFRC_APPLIED,
    STATE_QPOS,
    STATE_QVEL,
    STATE_RECORD,
    STATE_SLEEP,
    STATE_TIME,
    STATE_USERDATA,
    STATE_WARMSTART,
    STATE_XFRC_APPLIED,
)
from sim.fields import DATA_LAYOUT

# signature bit, field of Data
PARTS = (
    (STATE_TIME, "time"),
    (STATE_QPOS, "qpos"),
    (STATE_QVEL, "qvel"),
    (STATE_ACT, "act"),
    (STATE_HISTORY, "history"),
    (STATE_WARMSTART, "qacc_warmstart"),
    (STATE_CTRL, "ctrl"),
    (STATE_QFRC_APPLIED, "qfrc_applied"),
    (STATE_XFRC_APPLIED, "xfrc_applied"),
    (STATE_EQ_ACTIVE, "eq_active"),
    (STATE_MOCAP_POS, "mocap_pos"),
    (STATE_MOCAP_QUAT, "mocap_quat"),
    (STATE_USERDATA, "userdata"),
    (STATE_PLASTIC, "plastic"),
    (STATE_PERTURB, "perturb.select"),
    (STATE_PERTURB, "perturb.active"),
    (STATE_PERTURB, "perturb.localpos"),
    (STATE_PERTURB, "perturb.refselpos"),
    (STATE_PERTURB, "perturb.refquat"),
    (STATE_NOISE, "noise.scale"),
    (STATE_NOISE, "noise.rate"),
    (STATE_NOISE, "noise.seed"),
    (STATE_SLEEP, "tree_asleep"),
    (STATE_SLEEP, "tree_wakecause"),
    (STATE_SLEEP, "tree_restless"),
    (STATE_SLEEP, "sleep.qpos"),
    (STATE_SLEEP, "sleep.mocap_pos"),
    (STATE_SLEEP, "sleep.mocap_quat"),
    (STATE_SLEEP, "act_dot"),
    (STATE_SLEEP, "qfrc_smooth"),
    (STATE_SLEEP, "qacc_smooth"),
    (STATE_SLEEP, "qacc"),
    (STATE_SLEEP, "sensordata"),
)
SLEEP_PARTS = tuple(name for bit, name in PARTS if bit == STATE_SLEEP)

# a seed does not fit in one number: its low and its high half
HALVES = {"noise.seed": (2,)}


class Sized(Protocol):
    """A Model, which is defined in terms of this file."""

    derived: dict[str, Any]

    @property
    def extra_state(self) -> Mapping[str, tuple[int, ...]]: ...

    @property
    def sizes(self) -> dict[str, int]: ...

    def read(self, name: str) -> Any: ...


def state_shapes(m: Sized, sig: int) -> dict[str, tuple[int, ...]]:
    """Field -> shape, for each part of a signature. Cached in the model: shapes never change."""
    known: dict[int, dict[str, tuple[int, ...]]] = m.derived.setdefault("state_parts", {})
    if sig not in known:
        if not 0 <= sig < STATE_SLEEP << 1:
            raise ValueError(f"{sig} is not a state signature: it has bits that are not in any sim.enums.STATE_*")
        sizes = m.sizes
        shapes = {name: HALVES.get(name, DATA_LAYOUT.places[name].field.shape) for bit, name in PARTS if sig & bit}
        own = {n: tuple(e if isinstance(e, int) else sizes[e] for e in shape) for n, shape in shapes.items()}
        known[sig] = {**own, **(m.extra_state if sig & STATE_INTEGRATION == STATE_INTEGRATION else {})}
    return known[sig]


def state_size(m: Sized, sig: int = STATE_FULLPHYSICS) -> int:
    """Length of a state vector with this signature."""
    return sum(map(prod, state_shapes(m, sig).values()))


def state_places(m: Sized, sig: int) -> dict[str, slice]:
    """Field -> its columns in a state vector with this signature. Cached in the model."""
    known: dict[int, dict[str, slice]] = m.derived.setdefault("state_places", {})
    if sig not in known:
        places, at = {}, 0
        for name, shape in state_shapes(m, sig).items():
            places[name] = slice(at, at + prod(shape))
            at += prod(shape)
        known[sig] = places
    return known[sig]


def record_signature(m: Sized) -> int:
    """The signature of all that determines the next steps of a model as it is now."""
    return STATE_RECORD | STATE_SLEEP if m.read("opt.enableflags") & ENBL_SLEEP else STATE_RECORD
