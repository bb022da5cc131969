"""Decor (MuJoCo: mjCAT_DECOR): contacts, frames, joints, actuators and other abstract geoms of the overlay.

One table: an option, and the function that draws it from model, state and options.
"""

from __future__ import annotations

from collections.abc import Callable

from app.model.views import ModelView, StateView
from app.scene.contacts import contact_discs, force_arrows, friction_cones
from app.scene.decor.bodies import applied_forces, body_boxes, centres_of_mass, connections, inertia, mesh_boxes
from app.scene.decor.cameras_lights import cameras, lights, rangefinders
from app.scene.decor.equalities import equalities
from app.scene.decor.frames import frames
from app.scene.decor.grid import grid
from app.scene.decor.joints import actuators, joints
from app.scene.instances import Batch
from app.scene.visual_options import VisualOptions

DrawDecor = Callable[[ModelView, StateView, VisualOptions], list[Batch]]

DECOR: tuple[tuple[str, DrawDecor], ...] = (
    ("grid", grid),
    ("inertia", inertia),
    ("friction_cone", friction_cones),
    ("body_bvh", body_boxes),
    ("mesh_bvh", mesh_boxes),
    ("auto_connect", connections),
    ("joint", joints),
    ("actuator", actuators),
    ("camera", cameras),
    ("light", lights),
    ("constraint", equalities),
    ("rangefinder", rangefinders),
    ("com", centres_of_mass),
    ("perturb_force", applied_forces),
    ("contact_point", contact_discs),
    ("contact_force", force_arrows),
    ("frame", frames),
)


def overlay(model: ModelView, state: StateView, options: VisualOptions) -> tuple[Batch, ...]:
    """The decor of all options that are on."""
    return tuple(
        batch
        for option, draw in DECOR
        if getattr(options, option) not in (False, "none")
        for batch in draw(model, state, options)
        if len(batch.instances)
    )
