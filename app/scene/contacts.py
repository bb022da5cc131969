"""Contact decor: points as discs, forces as arrows, friction cones, of the last step.

Forces come from the constraint rows of that step. A force is drawn as it acts on the body that moves; on the second
body if both do.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from app.model.views import ModelView, StateView
from app.scene.instances import NO_TEXTURE, Batch, Kind, along, arrows, instance_rows
from app.scene.visual_options import VisualOptions
from sim.analysis.contact_state import SLIPS, friction_utilization
from sim.script.contact_force import contact_forces, has_pyramids

Array = NDArray[np.float64]

# length of the arrow for the weight of a body of mean mass, in mean sizes, if vis.map.force has its default
LENGTH = 2.0
DEFAULT_MAP_FORCE = 0.005
GRAVITY = 9.81
# longest arrow, in extents
MAX_LENGTH = 1.0
# sticking, slipping, without force; they differ in lightness too
STICK, SLIP, OPEN = (0.25, 0.50, 0.90, 1.0), (0.98, 0.72, 0.25, 1.0), (0.50, 0.50, 0.53, 1.0)
# opacity of cones, and their largest height in mean sizes
CONE_ALPHA, MAX_CONE_HEIGHT = 0.28, 1.5


def contact_discs(model: ModelView, state: StateView, options: VisualOptions) -> list[Batch]:
    """A disc at every contact, coloured by whether it is within the gap, or by stick and slip."""
    count = len(state.contact.dim)
    size = float(model.stat.meansize)
    radius, height = size * float(model.vis.scale.contactwidth), size * float(model.vis.scale.contactheight)
    acts = (state.contact.efc_address >= 0)[:, None]
    colour = np.where(acts, model.vis.rgba.contactpoint, model.vis.rgba.contactgap)
    if options.contact_state:
        used = friction_utilization(state)[:, None]
        colour = np.where(np.isnan(used), OPEN, np.where(used > SLIPS, SLIP, STICK))
    scale = np.tile((radius, radius, height / 2), (count, 1))
    rotation = along(np.asarray(state.contact.frame).reshape(-1, 9)[:, :3])
    rows = instance_rows(state.contact.pos, rotation, scale, colour, kind=Kind.CONTACT, index=np.arange(count))
    return [Batch("cylinder", NO_TEXTURE, rows, lod=1)]


def force_arrows(model: ModelView, state: StateView, options: VisualOptions) -> list[Batch]:
    """An arrow for every contact force, or one for the normal and one for the friction force."""
    normal, friction = _drawn_forces(model, state, options)
    rgba = model.vis.rgba
    if not options.contact_split:
        return _force_arrows(model, state, normal + friction, rgba.contactforce)
    return [
        batch
        for vector, colour in ((normal, rgba.contactforce), (friction, rgba.contactfriction))
        for batch in _force_arrows(model, state, vector, colour)
    ]


def friction_cones(model: ModelView, state: StateView, options: VisualOptions) -> list[Batch]:
    """Friction cones or pyramids: as high as the normal force, so that the force ends on the base.

    The height is limited, or they would hide everything.
    """
    normal, _ = _drawn_forces(model, state, options)
    height = np.linalg.norm(normal, axis=1)
    shown = np.flatnonzero((height > 1e-3 * float(model.stat.meansize)) & (np.asarray(state.contact.dim) > 1))
    height = height[shown]
    axis = normal[shown] / height[:, None]
    height = np.minimum(height, MAX_CONE_HEIGHT * float(model.stat.meansize))
    frame = np.asarray(state.contact.frame, float).reshape(-1, 3, 3)[shown]
    # the apex of the cone is at +z, the tangents of the contact are its x and y
    z, x = -axis, frame[:, 1]
    rotation = np.stack([x, np.cross(z, x), z], axis=2)
    friction = np.asarray(state.contact.friction, float)[shown]
    scale = np.column_stack([friction[:, 0] * height, friction[:, 1] * height, height / 2])
    colour = np.tile(np.asarray(model.vis.rgba.contactfriction, float), (len(shown), 1))
    colour[:, 3] = CONE_ALPHA
    position = state.contact.pos[shown] + axis * (height / 2)[:, None]
    rows = instance_rows(position, rotation, scale, colour, kind=Kind.CONTACT, index=shown)
    return [Batch("pyramid" if has_pyramids(state) else "cone", NO_TEXTURE, rows, lod=1)]


def _drawn_forces(model: ModelView, state: StateView, options: VisualOptions) -> tuple[Array, Array]:
    """Normal and friction force of every contact in the world frame, in metres of arrow."""
    contact = state.contact
    frame = np.asarray(contact.frame, float).reshape(-1, 3, 3)
    force = contact_forces(state)[:, :3] * options.force_scale * metres_per_newton(model)
    # the force on the first body, where the second is fixed; a flex, which has no geom, is not
    second = contact.geom[:, 1]
    fixed = (model.body_weldid[model.geom_bodyid[second]] == 0) & (second >= 0)
    force[fixed] *= -1
    length = np.linalg.norm(force, axis=1, keepdims=True)
    force *= np.minimum(1.0, MAX_LENGTH * float(model.stat.extent) / np.maximum(length, 1e-30))
    return force[:, :1] * frame[:, 0], np.einsum("nij,ni->nj", frame[:, 1:], force[:, 1:])


def _force_arrows(model: ModelView, state: StateView, vector: Array, colour: NDArray[np.float32]) -> list[Batch]:
    """Arrows from contacts, except those too short to see."""
    size = float(model.stat.meansize)
    shown = np.flatnonzero(np.linalg.norm(vector, axis=1) > 1e-3 * size)
    radius = size * float(model.vis.scale.forcewidth)
    return arrows(state.contact.pos[shown], vector[shown], radius, colour, Kind.CONTACT, shown)


def metres_per_newton(model: ModelView) -> float:
    """The scale of arrows: the weight of the heaviest tree is about as long as a body of that mass is large."""
    gravity = float(np.linalg.norm(model.opt.gravity)) or GRAVITY
    tree, mean = np.asarray(model.body_treeid), max(float(model.stat.meanmass), 1e-30)
    masses = np.bincount(tree[tree >= 0], np.asarray(model.body_mass)[tree >= 0])
    # linear size grows with the cube root of mass
    bodies = max(float(masses.max(initial=0.0)) / mean, 1.0)
    length = LENGTH * float(model.stat.meansize) * np.cbrt(bodies)
    return float(length / (bodies * mean * gravity) * float(model.vis.map.force) / DEFAULT_MAP_FORCE)
