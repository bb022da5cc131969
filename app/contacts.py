"""Contacts as discs and arrows: where bodies touch, and the forces of the step that ran.

Forces come from the constraint rows of that step, nothing is computed again. A force is drawn as it acts on the
body that moves; on the second body if both do.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from app.instances import NO_TEXTURE, Batch, along, placed
from app.snapshot import ModelView, StateView

Array = NDArray[np.float64]

PYRAMIDAL = 0
DIMENSIONS = (1, 3, 4, 6)
# an arrow for the weight of a mean body is so many mean sizes long, if vis.map.force has its default
LENGTH = 2.0
DEFAULT_MAP_FORCE = 0.005
GRAVITY = 9.81
# and none is longer than so many extents
LONGEST = 1.0
# head of an arrow, in radii of its shaft, and at most this share of its length
HEAD_RADIUS, HEAD_LENGTH, HEAD_SHARE = 2.2, 6.0, 0.5
# specular, shininess, emission, reflectance: readable in any light
GLOWING = (0.2, 0.3, 0.45, 0.0)


def contact_forces(cone: int, state: StateView) -> Array:
    """Force and torque of every contact in its own frame, (ncon, 6): normal, two tangents, and about them."""
    contact = state.contact
    forces = np.zeros((len(contact.dim), 6))
    for dim in DIMENSIONS:
        chosen = np.flatnonzero((contact.dim == dim) & (contact.efc_address >= 0))
        start = contact.efc_address[chosen][:, None]
        if cone != PYRAMIDAL or dim == 1:
            forces[chosen, :dim] = state.efc_force[start + np.arange(dim)]
            continue
        # a pyramid's edges lean to both sides along each axis of friction
        edges = state.efc_force[start + np.arange(2 * (dim - 1))]
        forces[chosen, 0] = edges.sum(axis=1)
        forces[chosen, 1:dim] = (edges[:, ::2] - edges[:, 1::2]) * contact.friction[chosen, : dim - 1]
    return forces


def contact_discs(model: ModelView, state: StateView) -> list[Batch]:
    """A flat disc at every contact; another colour where bodies are only near each other."""
    count = len(state.contact.dim)
    if not count:
        return []
    size = float(model.stat.meansize)
    radius, height = size * float(model.vis.scale.contactwidth), size * float(model.vis.scale.contactheight)
    acts = (state.contact.efc_address >= 0)[:, None]
    colour = np.where(acts, model.vis.rgba.contactpoint, model.vis.rgba.contactgap)
    scale = np.tile((radius, radius, height / 2, 0.0), (count, 1))
    rows = placed(state.contact.pos, along(state.contact.frame[:, :3]), scale, colour, GLOWING)
    return [Batch("cylinder", NO_TEXTURE, rows)]


def force_arrows(model: ModelView, state: StateView, factor: float) -> list[Batch]:
    """An arrow for every contact force, `factor` times as long as usual."""
    contact = state.contact
    force = contact_forces(int(model.opt.cone), state)[:, :3]
    world = np.einsum("nij,ni->nj", contact.frame.reshape(-1, 3, 3), force)
    # the force on the first body, where the second is fixed
    fixed = model.body_weldid[model.geom_bodyid[contact.geom[:, 1]]] == 0
    world[fixed] *= -1
    size, extent = float(model.stat.meansize), float(model.stat.extent)
    vector = world * factor * _metres_per_newton(model)
    length = np.linalg.norm(vector, axis=1, keepdims=True)
    vector *= np.minimum(1.0, LONGEST * extent / np.maximum(length, 1e-30))
    shown = length[:, 0] > 1e-3 * size
    radius = size * float(model.vis.scale.forcewidth)
    return arrows(contact.pos[shown], vector[shown], radius, model.vis.rgba.contactforce)


def arrows(start: NDArray[Any], vector: NDArray[Any], radius: float, colour: NDArray[Any]) -> list[Batch]:
    """Shafts and heads of arrows from points along vectors; thin ones where they are short."""
    if not len(start):
        return []
    length = np.linalg.norm(vector, axis=1)
    unit = vector / np.maximum(length, 1e-30)[:, None]
    thick = np.minimum(radius, length / 4)
    head = np.minimum(HEAD_LENGTH * thick, HEAD_SHARE * length)
    rotation, colours = along(vector), np.tile(np.asarray(colour, float), (len(start), 1))
    shaft, wide, zero = length - head, HEAD_RADIUS * thick, np.zeros_like(length)
    batches = []
    for shape, middle, half, across in (
        ("cylinder", shaft / 2, shaft / 2, thick),
        ("cone", shaft + head / 2, head / 2, wide),
    ):
        scale = np.column_stack([across, across, half, zero])
        rows = placed(start + unit * middle[:, None], rotation, scale, colours, GLOWING)
        batches.append(Batch(shape, NO_TEXTURE, rows))
    return batches


def _metres_per_newton(model: ModelView) -> float:
    """The scale of arrows, from the size and weight of the model's bodies."""
    gravity = float(np.linalg.norm(model.opt.gravity)) or GRAVITY
    weight = max(float(model.stat.meanmass) * gravity, 1e-30)
    return LENGTH * float(model.stat.meansize) / weight * float(model.vis.map.force) / DEFAULT_MAP_FORCE
