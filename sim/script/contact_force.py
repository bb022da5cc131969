"""Forces and torques of contacts in the contact frame, for scripts and for the viewer."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

import numpy as np
from numpy.typing import NDArray

from sim.arguments import checked
from sim.enums import CNSTR_CONTACT_PYRAMIDAL

if TYPE_CHECKING:
    from sim.model import Data, Model


class Contacts(Protocol):
    """The fields of d.contact that forces depend on."""

    @property
    def dim(self) -> NDArray[np.int32]: ...
    @property
    def efc_address(self) -> NDArray[np.int32]: ...
    @property
    def friction(self) -> NDArray[np.float64]: ...
    @property
    def adhesion(self) -> NDArray[np.float64]: ...


class ContactState(Protocol):
    """Data, or a copy of its contacts and constraint forces."""

    @property
    def contact(self) -> Contacts: ...
    @property
    def efc_type(self) -> NDArray[np.int32]: ...
    @property
    def efc_force(self) -> NDArray[np.float64]: ...


@checked
def contact_force(m: Model, d: Data, contact: int) -> np.ndarray:
    """Force and torque of a contact in its frame, six numbers: normal and two tangential forces, torques about them."""
    wrench = np.zeros(6)
    first, dim = int(d.contact.efc_address[contact]), int(d.contact.dim[contact])
    if first < 0:
        return wrench
    rows = d.efc_force
    if dim > 1 and d.efc_type[first] == CNSTR_CONTACT_PYRAMIDAL:
        edges = rows[first : first + 2 * (dim - 1)]
        wrench[0] = edges.sum()
        wrench[1:dim] = (edges[::2] - edges[1::2]) * d.contact.friction[contact, : dim - 1]
    else:
        wrench[:dim] = rows[first : first + dim]
    wrench[0] -= d.contact.adhesion[contact]
    return wrench


def has_pyramids(d: ContactState) -> bool:
    """Whether friction cones are pyramidal, according to the rows: the model may have been edited since."""
    rows = d.contact.efc_address
    return bool((d.efc_type[rows[rows >= 0]] == CNSTR_CONTACT_PYRAMIDAL).any())


def contact_forces(d: ContactState) -> np.ndarray:
    """Force and torque of every contact, (ncon, 6); by the fields that `d` has."""
    return forces_of_rows(d, d.efc_force)


def forces_of_rows(d: ContactState, rows: NDArray[np.float64]) -> np.ndarray:
    """What `contact_forces` would be with other forces of the constraint rows."""
    contact = d.contact
    # each field is read once: this is called between steps
    dims, first = contact.dim, contact.efc_address
    forces = np.zeros((len(dims), 6))
    active = first >= 0
    if not active.any():
        return forces
    edged = has_pyramids(d)
    for dim in np.unique(dims[active]).tolist():
        chosen = np.flatnonzero((dims == dim) & active)
        start = first[chosen][:, None]
        if dim == 1 or not edged:
            forces[chosen, :dim] = rows[start + np.arange(dim)]
            continue
        edges = rows[start + np.arange(2 * (dim - 1))]
        forces[chosen, 0] = edges.sum(axis=1)
        forces[chosen, 1:dim] = (edges[:, ::2] - edges[:, 1::2]) * contact.friction[chosen, : dim - 1]
    forces[:, 0] -= np.where(active, contact.adhesion, 0.0)
    return forces
