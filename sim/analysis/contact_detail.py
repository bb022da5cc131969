"""One contact in detail: its force against the friction cone, slip margin, slip velocity, constraint rows.

Forces are in the contact frame, on the second body: normal, two tangential forces, torsional and two rolling torques.
The slip margin is the tangential force that can be added, in the direction of the present friction, before the force
reaches the boundary of the cone; torsion and rolling keep their share of the cone meanwhile.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from sim.analysis.arms import row_arms
from sim.analysis.contact_state import (
    LEAST_FRICTION,
    OPEN,
    SLIP,
    SLIPS,
    SMOOTH,
    STICK,
    contact_motion,
    contact_states,
)
from sim.arguments import checked
from sim.enums import CNSTR_CONTACT_PYRAMIDAL
from sim.script.contact_force import contact_forces

if TYPE_CHECKING:
    from sim.model import Data, Model

Array = NDArray[np.float64]

AXES = ("normal", "tangent 1", "tangent 2", "torsion", "roll 1", "roll 2")
# the two tangential forces, and torques after them
TANGENTS = 2
# smaller coefficients and forces, as a fraction of the largest, are rounding noise
NOISE = 1e-9
ELLIPTIC, PYRAMIDAL, FRICTIONLESS = "elliptic", "pyramidal", "frictionless"


@dataclass(frozen=True)
class FrictionAxis:
    """One axis of friction: its force (N, or N m), how large it may get alone, and how much is left now."""

    name: str
    unit: str
    coefficient: float
    force: float
    limit: float
    margin: float


@dataclass(frozen=True)
class Push:
    """A dof that a row pushes, and its coefficient in J: the force on the dof for a force of 1 in the row."""

    dof: int
    coefficient: float


@dataclass(frozen=True)
class ContactRow:
    """One constraint row of a contact; `axis` names its axis, or the edge of the pyramid."""

    row: int
    axis: str
    pos: float
    margin: float
    vel: float
    aref: float
    acc: float
    R: float
    D: float
    impedance: float
    force: float
    state: int
    pushes: tuple[Push, ...]


@dataclass(frozen=True)
class ContactDetail:
    """What there is to know about a contact."""

    index: int
    geoms: tuple[int, int]
    bodies: tuple[int, int]
    island: int
    position: Array
    frame: Array
    distance: float
    cone: str
    dim: int
    friction: Array
    force: Array
    adhesion: float
    state: str
    utilization: float
    limit: float
    margin: float
    axes: tuple[FrictionAxis, ...]
    motion: Array
    rows: tuple[ContactRow, ...]
    # dofs and the forces Jᵀf of all rows on them, largest first
    joint_forces: tuple[tuple[int, float], ...]

    @property
    def normal(self) -> float:
        """The force that presses the surfaces together, N: adhesion does too."""
        return float(self.force[0]) + self.adhesion

    @property
    def tangential(self) -> float:
        """Magnitude of the sliding friction, N."""
        return float(np.linalg.norm(self.force[1:3]))

    @property
    def slip(self) -> Array:
        """Sliding velocity along the two tangents, m/s."""
        return self.motion[1:3]

    @property
    def spin(self) -> float:
        """Spin about the normal, rad/s."""
        return float(self.motion[3])


@checked
def contact_detail(m: Model, d: Data, contact: int) -> ContactDetail:
    """Contact number `contact` of a state."""
    c, dim = d.contact, int(d.contact.dim[contact])
    force, adhesion = contact_forces(d)[contact], float(c.adhesion[contact])
    friction = np.array(c.friction[contact, : dim - 1])
    address, first, second = int(c.efc_address[contact]), int(c.geom[contact, 0]), int(c.geom[contact, 1])
    normal, pyramidal = float(force[0]) + adhesion if address >= 0 else 0.0, is_pyramidal(d, address)
    return ContactDetail(
        index=contact,
        geoms=(first, second),
        bodies=(int(m.geom_bodyid[first]), int(m.geom_bodyid[second])),
        island=int(d.efc_island[address]) if d.nisland and address >= 0 else -1,
        position=np.array(c.pos[contact]),
        frame=np.array(c.frame[contact]).reshape(3, 3),
        distance=float(c.dist[contact]),
        cone=FRICTIONLESS if dim == 1 else PYRAMIDAL if pyramidal else ELLIPTIC,
        dim=dim,
        friction=friction,
        adhesion=adhesion if address >= 0 else 0.0,
        state=str(contact_states(d)[contact]),
        **_use(force, friction, normal, pyramidal),
        motion=contact_motion(m, d)[contact],
        rows=tuple(contact_row(d, address + k, row_axis(k, dim, pyramidal)) for k in range(_row_count(d, contact))),
        joint_forces=_joint_forces(d, address, _row_count(d, contact)),
    )


def with_force(contact: ContactDetail, force: Array) -> ContactDetail:
    """The same contact with another force, such as one on the solver's way to it; its rows stay as they are."""
    normal, pyramidal = float(force[0]) + contact.adhesion, contact.cone == PYRAMIDAL
    use = _use(force, contact.friction, normal, pyramidal)
    carries = SMOOTH if contact.dim == 1 else SLIP if use["utilization"] > SLIPS else STICK
    return replace(contact, state=carries if normal > 0 else OPEN, **use)


def _use(force: Array, friction: Array, normal: float, pyramidal: bool) -> dict[str, Any]:
    """How a force uses the friction cone, as fields of ContactDetail."""
    used, limit, across = 0.0, 0.0, force[1 : 1 + len(friction)]
    if len(friction) and normal > 0:
        used = cone_norm(across / np.maximum(friction, LEAST_FRICTION), pyramidal) / normal
        limit = slip_limit(across, friction, normal, pyramidal)
    margin = max(limit - float(np.linalg.norm(force[1:3])), 0.0)
    axes = tuple(_friction_axes(across, friction, normal, pyramidal))
    return {"force": force, "utilization": used, "limit": limit, "margin": margin, "axes": axes}


def is_pyramidal(d: Data, address: int) -> bool:
    """Whether the rows at an address are edges of a pyramid: the model may have been edited since."""
    return address >= 0 and bool(d.efc_type[address] == CNSTR_CONTACT_PYRAMIDAL)


def cone_norm(shares: Array, pyramidal: bool) -> float:
    """The norm of fᵢ / μᵢ that the normal force bounds."""
    return float(np.abs(shares).sum() if pyramidal else np.linalg.norm(shares))


def cone_room(taken: float, normal: float, pyramidal: bool) -> float:
    """What the cone leaves to further components where others have a norm of `taken`."""
    return max(normal - taken, 0.0) if pyramidal else float(np.sqrt(max(normal**2 - taken**2, 0.0)))


def slip_limit(friction_force: Array, friction: Array, normal: float, pyramidal: bool) -> float:
    """The largest tangential force in the present direction, N; in the weakest one if there is none."""
    tangential, mu = friction_force[:TANGENTS], np.maximum(friction, LEAST_FRICTION)
    length = float(np.linalg.norm(tangential))
    # of a pyramid, the weakest direction is along its axes or between them
    weakest = 1.0 / np.abs(mu[:TANGENTS]) if pyramidal else np.eye(TANGENTS)[int(np.argmin(mu[:TANGENTS]))]
    direction = tangential / length if length > 0 else weakest / np.linalg.norm(weakest)
    room = cone_room(cone_norm(friction_force[TANGENTS:] / mu[TANGENTS:], pyramidal), normal, pyramidal)
    return room / cone_norm(direction / mu[:TANGENTS], pyramidal)


def _friction_axes(force: Array, friction: Array, normal: float, pyramidal: bool) -> list[FrictionAxis]:
    """Each axis of friction, with what the others leave to it."""
    shares, axes = force / np.maximum(friction, LEAST_FRICTION), []
    for k, (f, mu) in enumerate(zip(force.tolist(), friction.tolist(), strict=True)):
        room = mu * cone_room(cone_norm(np.delete(shares, k), pyramidal), normal, pyramidal)
        unit = "N" if k < TANGENTS else "N m"
        axes.append(FrictionAxis(AXES[k + 1], unit, mu, f, mu * max(normal, 0.0), max(room - abs(f), 0.0)))
    return axes


def _row_count(d: Data, contact: int) -> int:
    """Number of rows of a contact."""
    address, dim = int(d.contact.efc_address[contact]), int(d.contact.dim[contact])
    if address < 0:
        return 0
    return 2 * (dim - 1) if is_pyramidal(d, address) else dim


def row_axis(k: int, dim: int, pyramidal: bool) -> str:
    """What row k of a contact is: an axis, or an edge of the pyramid, normal ± μ axis."""
    if not pyramidal or dim == 1:
        return AXES[k]
    return f"normal {'-' if k % 2 else '+'} μ {AXES[k // 2 + 1]}"


def contact_row(d: Data, row: int, axis: str) -> ContactRow:
    """A constraint row with the dofs that it pushes."""
    dofs, coefficients = row_arms(d, row)
    force = float(d.efc_force[row])
    return ContactRow(
        row, axis, float(d.efc_pos[row]), float(d.efc_margin[row]), float(d.efc_vel[row]), float(d.efc_aref[row]),
        float(coefficients @ d.qacc[dofs]), float(d.efc_R[row]), float(d.efc_D[row]), float(d.efc_KBIP[row, 2]), force,
        int(d.efc_state[row]), tuple(Push(int(dofs[k]), float(coefficients[k])) for k in _largest(coefficients)),
    )  # fmt: skip


def _joint_forces(d: Data, address: int, rows: int) -> tuple[tuple[int, float], ...]:
    """The dofs that all rows together push, and the forces on them."""
    if not rows:
        return ()
    # all rows of a contact have the same dofs
    dofs, _ = row_arms(d, address)
    forces = np.sum([row_arms(d, address + k).values * d.efc_force[address + k] for k in range(rows)], axis=0)
    return tuple((int(dofs[k]), float(forces[k])) for k in _largest(forces))


def _largest(values: Array) -> list[int]:
    """Indices in descending order of magnitude, without what is rounding noise."""
    size = np.abs(values)
    least = NOISE * size.max(initial=0.0)
    return [k for k in np.argsort(-size, kind="stable").tolist() if size[k] > least]
