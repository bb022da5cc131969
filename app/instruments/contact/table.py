"""The table of contacts: bodies and geoms, forces, slip, and whether each sticks or slides."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from app.model.views import ModelView, StateView
from sim.analysis.contact_state import contact_bodies, contact_states, friction_utilization, slip_speed
from sim.analysis.element_names import body_name, full_geom_name, geom_name
from sim.script.contact_force import contact_forces

Array = NDArray[np.float64]
Texts = NDArray[np.object_]


@dataclass(frozen=True)
class ContactTable:
    """Columns with one entry per contact; `bodies`, `geoms` have two, `force` is the vector on the second body."""

    bodies: NDArray[np.int32]
    geoms: NDArray[np.int32]
    distance: Array
    force: Array
    normal: Array
    friction: Array
    used: Array
    slip: Array
    state: Texts
    island: NDArray[np.int64]


@dataclass(frozen=True)
class GeomNames:
    """Names of all geoms of a model: with their bodies, their own, and of their bodies."""

    full: Texts
    geom: Texts
    body: Texts


def contact_table(model: ModelView, state: StateView) -> ContactTable:
    """The contacts of a state."""
    contact, forces = state.contact, contact_forces(state)
    frame = contact.frame.reshape(-1, 3, 3)
    rows, island = contact.efc_address, np.full(len(contact.dim), -1)
    has = rows >= 0
    if state.nisland and has.any():
        island[has] = state.efc_island[rows[has]]
    return ContactTable(
        bodies=contact_bodies(model, state),
        geoms=contact.geom,
        distance=contact.dist,
        force=np.einsum("nij,ni->nj", frame, forces[:, :3]),
        normal=forces[:, 0],
        friction=np.linalg.norm(forces[:, 1:3], axis=1),
        used=np.nan_to_num(friction_utilization(state)),
        slip=slip_speed(model, state),
        state=contact_states(state),
        island=island,
    )


@lru_cache(maxsize=2)
def geom_names(model: ModelView) -> GeomNames:
    """The names of all geoms, made once for each model."""
    # of flexes the last one is found, by the index -1
    geoms = [*range(int(model.ngeom)), *([-1] if model.nflex else [])]
    return GeomNames(
        _texts([full_geom_name(model, g) for g in geoms]),
        _texts([geom_name(model, g) for g in geoms]),
        _texts([body_name(model, int(model.geom_bodyid[g])) if g >= 0 else "flex" for g in geoms]),
    )


def _texts(values: list[Any]) -> Texts:
    return np.array(values, object)
