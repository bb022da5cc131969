"""The table of contacts: normal and friction forces, slip, and whether each sticks or slides.

slip = |tangential part of v₂ - v₁| at the contact, v = v₀ + ω × r from the bodies' spatial velocities; a contact slides
if its friction force is on the boundary of the cone, |fᵢ / μᵢ| = normal force.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from app.insight.velocity import point_velocity
from app.model.views import ModelView, StateView
from app.scene.contacts import SLIPS, friction_utilization
from sim.script.contact_force import contact_forces

Array = NDArray[np.float64]

OPEN, STICK, SLIP, SMOOTH = "open", "stick", "slip", "smooth"
# a force below this fraction of the largest counts as zero
NOTHING = 1e-9


@dataclass(frozen=True)
class ContactTable:
    """Columns with one entry per contact."""

    geom1: NDArray[Any]
    geom2: NDArray[Any]
    distance: Array
    normal: Array
    friction: Array
    slip: Array
    state: NDArray[Any]
    island: NDArray[Any]


def contact_table(model: ModelView, state: StateView) -> ContactTable:
    """The contacts of a state."""
    contact = state.contact
    forces = contact_forces(state)
    normal, friction = forces[:, 0], np.linalg.norm(forces[:, 1:3], axis=1)
    rows, island = contact.efc_address, np.full(len(contact.dim), -1)
    has = rows >= 0
    if state.nisland and has.any():
        island[has] = state.efc_island[rows[has]]
    return ContactTable(
        contact.geom[:, 0], contact.geom[:, 1], contact.dist, normal, friction, slip_speed(model, state),
        _states(model, state, forces), island,
    )  # fmt: skip


def slip_speed(model: ModelView, state: StateView) -> Array:
    """The slip speed at every contact, m/s."""
    contact = state.contact
    if not len(contact.dim):
        return np.zeros(0)
    bodies = model.geom_bodyid[np.maximum(contact.geom, 0)]
    first, second = (point_velocity(model, state, bodies[:, side], contact.pos) for side in (0, 1))
    relative = second - first
    axis = contact.frame[:, :3]
    tangential = relative - np.sum(relative * axis, axis=1, keepdims=True) * axis
    speed: Array = np.linalg.norm(tangential, axis=1)
    return speed


def _states(model: ModelView, state: StateView, forces: Array) -> NDArray[Any]:
    """The state of each contact: open, stick, slip, or smooth if it has no friction."""
    contact = state.contact
    carries = forces[:, 0] > NOTHING * max(float(forces[:, 0].max(initial=0.0)), 1e-30)
    found = np.where(friction_utilization(state) > SLIPS, SLIP, STICK).astype(object)
    found[contact.dim == 1] = SMOOTH
    found[~carries] = OPEN
    return found
