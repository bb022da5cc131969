"""Decor of cameras with their frustums, lights and rangefinders."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from app.model.views import ModelView, StateView
from app.scene.camera import ORTHOGRAPHIC, sensor_edges
from app.scene.instances import GLOWING, LARGEST, NO_TEXTURE, Batch, Kind, along, instance_rows, rods
from app.scene.visual_options import VisualOptions

Array = NDArray[np.float64]

OBJECT_SITE = 6
SENSOR_RANGEFINDER = 7
# half sizes of a camera's box, and length of its frustum, in camera sizes
CAMERA_BODY, FRUSTUM = (0.45, 0.35, 0.6), 2.4
# half height per length of the frustum of an orthographic camera
ORTHOGRAPHIC_HALF = 0.3
# MuJoCo draws the faces of a frustum; edges alone need more alpha to be seen
EDGE_ALPHA = 0.7
# rays are long: they need a width of three pixels; radius in mean sizes
RAY_WIDTH_SCALE, RAY_RADIUS = 2.5, 0.03


def cameras(model: ModelView, state: StateView, _: VisualOptions) -> list[Batch]:
    """A box and the edges of the frustum, which has its own length and colour if the camera has a sensor size."""
    count = int(model.ncam)
    if not count:
        return []
    size = float(model.stat.meansize) * float(model.vis.scale.camera)
    rotation = np.asarray(state.cam_xmat, float).reshape(-1, 3, 3)
    colour = np.broadcast_to(np.asarray(model.vis.rgba.camera, float), (count, 4))
    index = np.arange(count)
    behind = state.cam_xpos + CAMERA_BODY[2] * size * rotation[:, :, 2]
    scale = np.tile(np.array(CAMERA_BODY) * size, (count, 1))
    body = instance_rows(behind, rotation, scale, colour, GLOWING, Kind.CAMERA, index)
    orthographic = np.asarray(model.cam_projection) == ORTHOGRAPHIC
    sensor = (np.asarray(model.cam_sensorsize)[:, 1] > 0) & ~orthographic
    length = np.where(sensor, float(model.stat.meansize) * float(model.vis.scale.frustum), FRUSTUM * size)
    colour = np.where(sensor[:, None], (*model.vis.rgba.frustum[:3], EDGE_ALPHA), colour)
    local = _frustum_corners(model, orthographic) * length[:, None, None]
    corner = state.cam_xpos[:, None] + np.einsum("nij,nkj->nki", rotation, local)
    # an orthographic frustum starts as wide as it ends
    local = local * (orthographic[:, None, None] * (1.0, 1.0, 0.0))
    eye = state.cam_xpos[:, None] + np.einsum("nij,nkj->nki", rotation, local)
    start = np.concatenate([eye, corner], axis=1).reshape(-1, 3)
    end = np.concatenate([corner, np.roll(corner, -1, axis=1)], axis=1).reshape(-1, 3)
    edges = rods(start, end, 0.04 * size, np.repeat(colour, 8, axis=0), GLOWING, Kind.CAMERA, np.repeat(index, 8))
    return [Batch("box", NO_TEXTURE, body), Batch("capsule", NO_TEXTURE, edges, lod=3)]


def _frustum_corners(model: ModelView, orthographic: NDArray[np.bool_]) -> Array:
    """Corners of the frustum of each camera, at unit distance."""
    half = np.where(orthographic, ORTHOGRAPHIC_HALF, np.tan(np.radians(np.asarray(model.cam_fovy, float)) / 2))
    resolution = np.asarray(model.cam_resolution, float)
    aspect = np.where(resolution.min(axis=1) > 1, resolution[:, 0] / np.maximum(resolution[:, 1], 1), 4 / 3)
    left, right, bottom, top = -half * aspect, half * aspect, -half, half
    for i in np.flatnonzero(~orthographic).tolist():
        edges = sensor_edges(model.cam_sensorsize[i], model.cam_intrinsic[i])
        if edges is not None:
            left[i], right[i], bottom[i], top[i] = edges
    across = np.stack([left, right, right, left], axis=1)
    return np.stack([across, np.stack([bottom, bottom, top, top], axis=1), np.full_like(across, -1.0)], axis=2)


def lights(model: ModelView, state: StateView, _: VisualOptions) -> list[Batch]:
    """A cone that opens towards the light direction; dark if the light is inactive."""
    count = int(model.nlight)
    if not count:
        return []
    size = float(model.stat.meansize) * float(model.vis.scale.light)
    # the apex of a cone is at +z
    rotation = along(-np.asarray(state.light_xdir, float))
    colour = np.tile(np.asarray(model.vis.rgba.light, float), (count, 1))
    colour[np.asarray(model.light_active) == 0, :3] *= 0.3
    scale = np.tile((0.7 * size, 0.7 * size, size), (count, 1))
    rows = instance_rows(state.light_xpos, rotation, scale, colour, GLOWING, Kind.LIGHT, np.arange(count))
    return [Batch("cone", NO_TEXTURE, rows)]


def drawn_rangefinders(model: ModelView) -> NDArray[np.int64]:
    """Rangefinders of one ray from a site."""
    simple = (np.asarray(model.sensor_objtype) == OBJECT_SITE) & (np.asarray(model.sensor_dim) == 1)
    return np.flatnonzero((np.asarray(model.sensor_type) == SENSOR_RANGEFINDER) & simple)


def rangefinders(model: ModelView, state: StateView, _: VisualOptions) -> list[Batch]:
    """Rays up to what they hit; none where they hit nothing."""
    if not model.nsensor or not hasattr(state, "sensordata"):
        return []
    ids = drawn_rangefinders(model)
    distance = np.asarray(state.sensordata, float)[np.asarray(model.sensor_adr)[ids]]
    hit = (distance > 0) & (distance < LARGEST)
    site = np.asarray(model.sensor_objid)[ids[hit]]
    start = state.site_xpos[site]
    axis = np.asarray(state.site_xmat).reshape(-1, 3, 3)[site][:, :, 2]
    radius = RAY_RADIUS * float(model.stat.meansize)
    colour = np.broadcast_to(np.asarray(model.vis.rgba.rangefinder, float), (len(site), 4))
    rows = rods(start, start + distance[hit, None] * axis, radius, colour)
    return [Batch("capsule", NO_TEXTURE, rows, lod=3, width_scale=RAY_WIDTH_SCALE)] if len(rows) else []
