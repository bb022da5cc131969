"""Decor of joints and actuators: axes as arrows, spheres and boxes; actuators coloured by control or activation."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from app.model.views import ModelView, StateView
from app.scene.instances import GLOWING, NO_TEXTURE, Batch, Kind, arrows, instance_rows, rods
from app.scene.tendons import tendon_segments
from app.scene.visual_options import VisualOptions
from sim.enums import (
    JNT_BALL,
    JNT_FREE,
    JNT_HINGE,
    JNT_SLIDE,
    TRN_BODY,
    TRN_JOINT,
    TRN_JOINTINPARENT,
    TRN_SITE,
    TRN_SLIDERCRANK,
    TRN_TENDON,
)

Array = NDArray[np.float64]
Ids = NDArray[np.int32] | NDArray[np.int64]

# half size of spheres and boxes, in lengths of an arrow
SOLID_SIZE = 0.3


def joints(model: ModelView, state: StateView, options: VisualOptions) -> list[Batch]:
    """The axes of joints."""
    if not model.njnt:
        return []
    shown = np.array(options.joint_group)[np.clip(model.jnt_group, 0, len(options.joint_group) - 1)]
    ids = np.flatnonzero(shown)
    size = float(model.stat.meansize)
    length, width = size * float(model.vis.scale.jointlength), size * float(model.vis.scale.jointwidth)
    colour = np.broadcast_to(np.asarray(model.vis.rgba.joint, float), (len(ids), 4))
    return _axes(model, state, ids, length, width, colour, Kind.JOINT, ids)


def _axes(
    model: ModelView, state: StateView, joint: Ids, length: float, width: float, colour: Array, kind: Kind, index: Ids
) -> list[Batch]:
    """Hinges and slides as arrows, ball joints as spheres, free joints as boxes."""
    types = np.asarray(model.jnt_type)[joint]
    batches = []
    for group, heads in ((types == JNT_HINGE, 1), (types == JNT_SLIDE, 2)):
        which = joint[group]
        start = state.xanchor[which] - (0.5 * length * state.xaxis[which] if heads == 2 else 0.0)
        batches += arrows(start, length * state.xaxis[which], width, colour[group], kind, index[group], heads)
    for group, shape in ((types == JNT_BALL, "sphere"), (types == JNT_FREE, "box")):
        if group.any():
            body = np.asarray(model.jnt_bodyid)[joint[group]]
            scale = np.full((int(group.sum()), 3), SOLID_SIZE * length)
            rotation = state.xmat[body]
            rows = instance_rows(
                state.xanchor[joint[group]], rotation, scale, colour[group], GLOWING, kind, index[group]
            )
            batches.append(Batch(shape, NO_TEXTURE, rows, lod=1))
    return batches


def normalised_control(model: ModelView, state: StateView, activation: bool) -> Array:
    """Control of each actuator, or its activation if it has one, normalised to -1 to 1 by its range."""
    value = np.asarray(state.ctrl, float)[np.asarray(model.actuator_ctrladr)]
    limits = np.asarray(model.actuator_ctrlrange, float)[np.asarray(model.actuator_ctrladr)]
    if activation:
        last = np.asarray(model.actuator_actadr) + np.asarray(model.actuator_actnum) - 1
        has = np.asarray(model.actuator_actadr) >= 0
        value[has] = np.asarray(state.act)[last[has]]
        limits[has] = np.asarray(model.actuator_actrange)[has]
    largest = np.abs(limits).max(axis=1)
    scaled: Array = np.clip(value / np.where((largest > 0) & np.isfinite(largest), largest, 1.0), -1.0, 1.0)
    return scaled


def control_colours(model: ModelView, value: Array) -> Array:
    """Interpolated between the colours of actuator, actuatornegative and actuatorpositive."""
    rgba = model.vis.rgba
    rest, minus, plus = (np.asarray(c, float) for c in (rgba.actuator, rgba.actuatornegative, rgba.actuatorpositive))
    end = np.where(value[:, None] < 0, minus, plus)
    mixed: Array = rest + np.abs(value)[:, None] * (end - rest)
    return mixed


def actuators(model: ModelView, state: StateView, options: VisualOptions) -> list[Batch]:
    """The transmission target of each actuator, coloured by control or activation."""
    if not model.nactuator:
        return []
    shown = np.array(options.actuator_group)[np.clip(model.actuator_group, 0, len(options.actuator_group) - 1)]
    colour = control_colours(model, normalised_control(model, state, options.activation))
    size, target = float(model.stat.meansize), np.asarray(model.actuator_trnid)[:, 0]
    length, width = size * float(model.vis.scale.actuatorlength), size * float(model.vis.scale.actuatorwidth)
    trntype = np.asarray(model.actuator_trntype)
    batches: list[Batch] = []
    ids = np.flatnonzero(shown & np.isin(trntype, (TRN_JOINT, TRN_JOINTINPARENT)))
    batches += _axes(model, state, target[ids], length, width, colour[ids], Kind.ACTUATOR, ids)
    positions: tuple[tuple[int, Any], ...] = ((TRN_SITE, "site_xpos"), (TRN_BODY, "xipos"))
    for target_type, field in positions:
        ids = np.flatnonzero(shown & (trntype == target_type))
        if len(ids):
            at, scale = getattr(state, field)[target[ids]], np.full((len(ids), 3), SOLID_SIZE * length)
            rotation = np.broadcast_to(np.eye(3), (len(ids), 3, 3))
            rows = instance_rows(at, rotation, scale, colour[ids], GLOWING, Kind.ACTUATOR, ids)
            batches.append(Batch("sphere", NO_TEXTURE, rows, lod=1))
    batches += _on_tendons(model, state, np.flatnonzero(shown & (trntype == TRN_TENDON)), colour)
    return batches + _slider_cranks(model, state, np.flatnonzero(shown & (trntype == TRN_SLIDERCRANK)))


def _on_tendons(model: ModelView, state: StateView, ids: Ids, colour: Array) -> list[Batch]:
    """Tendons with an actuator: thicker, in its colour."""
    if not len(ids):
        return []
    paths, tendon = tendon_segments(model, state), np.asarray(model.actuator_trnid)[ids, 0]
    owner = np.full(int(model.ntendon), -1)
    owner[tendon] = ids
    used = owner[paths.tendon] >= 0
    actuator = owner[paths.tendon[used]]
    radius = float(model.vis.map.actuatortendon) * np.asarray(model.tendon_width)[paths.tendon[used]]
    look = (colour[actuator], GLOWING, Kind.ACTUATOR, actuator)
    return [Batch("capsule", NO_TEXTURE, rods(paths.start[used], paths.end[used], radius, *look), lod=2)]


def _slider_cranks(model: ModelView, state: StateView, ids: Ids) -> list[Batch]:
    """The rod from the crank to the slider's axis; rgba.crankbroken where it is too short."""
    if not len(ids):
        return []
    crank, slider = np.asarray(model.actuator_trnid)[ids].T
    pin, origin = state.site_xpos[crank], state.site_xpos[slider]
    axis = np.asarray(state.site_xmat).reshape(-1, 3, 3)[slider][:, :, 2]
    rod = np.asarray(model.actuator_cranklength)[ids]
    offset = pin - origin
    along = np.sum(offset * axis, axis=1)
    discriminant = rod**2 - np.sum(offset**2, axis=1) + along**2
    slide = along - np.sqrt(np.maximum(discriminant, 0.0))
    end = origin + slide[:, None] * axis
    rgba = model.vis.rgba
    colour = np.where(
        (discriminant < 0)[:, None], np.asarray(rgba.crankbroken, float), np.asarray(rgba.slidercrank, float)
    )
    radius = float(model.stat.meansize) * float(model.vis.scale.slidercrank)
    parts = [
        rods(a, b, radius * factor, colour, GLOWING, Kind.ACTUATOR, ids)
        for a, b, factor in ((origin, end, 0.5), (end, pin, 0.35))
    ]
    return [Batch("capsule", NO_TEXTURE, np.concatenate(parts), lod=2)]
