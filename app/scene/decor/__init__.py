"""What is laid over the picture to explain it: contacts, frames, joints, actuators and the like.

One table: an option, and what draws it. Each function takes the model, a state and the options, and returns batches.
"""

from __future__ import annotations

from collections.abc import Callable

from app.run.snapshot import ModelView, StateView
from app.scene.contacts import contact_discs, force_arrows, friction_cones
from app.scene.decor.bodies import body_boxes, centres, connections, inertia, mesh_boxes, outside_forces
from app.scene.decor.cameras_lights import cameras, light_marks, rangefinders
from app.scene.decor.equalities import equalities
from app.scene.decor.frames import frames
from app.scene.decor.joints import actuators, joints
from app.scene.instances import Batch
from app.scene.visual_options import VisualOptions

Decorate = Callable[[ModelView, StateView, VisualOptions], list[Batch]]

DECORATIONS: tuple[tuple[str, Decorate], ...] = (
    ("inertia", inertia),
    ("friction_cone", friction_cones),
    ("body_bvh", body_boxes),
    ("mesh_bvh", mesh_boxes),
    ("auto_connect", connections),
    ("joint", joints),
    ("actuator", actuators),
    ("camera", cameras),
    ("light", light_marks),
    ("constraint", equalities),
    ("rangefinder", rangefinders),
    ("com", centres),
    ("perturb_force", outside_forces),
    ("contact_point", contact_discs),
    ("contact_force", force_arrows),
    ("frame", frames),
)


def overlay(model: ModelView, state: StateView, options: VisualOptions) -> tuple[Batch, ...]:
    """All decorations that the user asked for."""
    return tuple(
        batch
        for option, decorate in DECORATIONS
        if getattr(options, option) not in (False, "none")
        for batch in decorate(model, state, options)
        if len(batch.instances)
    )
