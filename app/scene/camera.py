"""Cameras: the free orbit camera, the cameras of a model, and their view and projection matrices.

The free camera has MuJoCo's parameters: lookat (m), distance (m), azimuth and elevation (degrees), with
    forward = (cos e cos a, cos e sin a, sin e),   eye = lookat - distance forward.
Mouse motions are given in fractions of the view's height, so that they feel the same at every window size.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from app.model.views import ModelView, StateView

Array = NDArray[np.float64]

# a drag over the whole height of the view rotates by 180 degrees
DEGREES_PER_HEIGHT = 180.0
ELEVATION_LIMIT = 89.9
# turning about the eye is slower by this factor
LOOK_AROUND = 0.5
ZOOM_PER_HEIGHT = 3.0
# a zoom to a point behind lookat moves the camera as if it were this far away, in distances of lookat
ZOOM_DEPTH = 1.5
# the camera travels in distances of lookat, at least this many extents of the model
NEAREST_PACE = 0.02
# a flight has arrived with angles this near
ARRIVED_DEGREES = 0.05
UP = np.array([0.0, 0.0, 1.0])
# of the free camera, in extents of the model
DISTANCE_RANGE = (1e-4, 1e6)
# of the free camera when a model opens, in extents of the model
START_DISTANCE = 1.5
# largest distance of the free camera from the origin, in extents of the model
MAX_DISTANCE = 1e5
# a flight to an object ends where the view is this high, in radii of the object; between the other two heights it keeps
# its distance
FLIGHT_HEIGHT = 5.0
GOOD_HEIGHTS = (1.0, 20.0)
# of the picture of a camera that does not say
USUAL_ASPECT = 4 / 3
# a value of cam_projection
ORTHOGRAPHIC = 1

# camera_id of the free camera
FREE_CAMERA = -1


@dataclass(frozen=True)
class View:
    """Pose and projection of a camera: columns of `axes` are right, up and backward in the world."""

    eye: Array
    axes: Array
    # degrees; height of the view in metres if orthographic
    fovy: float
    near: float
    far: float
    orthographic: bool = False
    # left, right, lower and upper edge at unit distance, of a camera with a sensor size
    sensor: tuple[float, float, float, float] | None = None
    # distance of what the camera looks at, m
    focus: float = math.inf

    def edges(self, aspect: float) -> tuple[float, float, float, float]:
        """Left, right, lower and upper edge of the frustum at unit distance; at any distance if orthographic."""
        if self.sensor is not None:
            return self.sensor
        half = self.fovy / 2 if self.orthographic else math.tan(math.radians(self.fovy) / 2)
        return -half * aspect, half * aspect, -half, half

    def height_at(self, depth: float) -> float:
        """Height of the view in metres, at a distance from the eye."""
        _, _, bottom, top = self.edges(1.0)
        return (top - bottom) * (1.0 if self.orthographic else depth)

    def ray(self, x: float, y: float, aspect: float) -> tuple[Array, Array]:
        """Origin and direction of the ray through a point of the view, x and y from -1 to 1, right and up."""
        left, right, bottom, top = self.edges(aspect)
        side, above = left + (right - left) * (x + 1) / 2, bottom + (top - bottom) * (y + 1) / 2
        if self.orthographic:
            return self.eye + self.axes @ np.array([side, above, 0.0]), -self.axes[:, 2]
        direction = self.axes @ np.array([side, above, -1.0])
        return self.eye, direction / np.linalg.norm(direction)

    def depth(self, distances: NDArray[Any]) -> NDArray[np.float32]:
        """Distance from the camera plane of each pixel of an image, from distances to the eye; 0 becomes `far`."""
        height, width = distances.shape
        left, right, bottom, top = self.edges(width / height)
        x = left + (right - left) * (np.arange(width) + 0.5) / width
        y = top - (top - bottom) * (np.arange(height) + 0.5) / height
        radial = x**2 + y[:, None] ** 2
        depth = np.sqrt(np.maximum(distances**2 - radial, 0)) if self.orthographic else distances / np.sqrt(1 + radial)
        return np.where(distances > 0, depth, self.far).astype(np.float32)

    def view_matrix(self) -> Array:
        """World to eye, 4 x 4."""
        matrix = np.eye(4)
        matrix[:3, :3] = self.axes.T
        matrix[:3, 3] = -self.axes.T @ self.eye
        return matrix

    def project(self, point: Array, aspect: float) -> tuple[float, float] | None:
        """Project a point: x and y from -1 to 1, right and up; None if it is behind the eye."""
        x, y, backward = self.axes.T @ (point - self.eye)
        if not backward < -self.near:
            return None
        left, right, bottom, top = self.edges(aspect)
        side, above = (x, y) if self.orthographic else (x / -backward, y / -backward)
        return float((2 * side - left - right) / (right - left)), float((2 * above - bottom - top) / (top - bottom))

    def sees_any(self, positions: Array, radii: Array, aspect: float = 1.0) -> bool:
        """Whether any of the spheres is at least partly in the view, or in its central square."""
        x, y, backward = self.axes.T @ (positions - self.eye).T
        left, right, bottom, top = (edge * (1.0 if self.orthographic else -backward) for edge in self.edges(aspect))
        across = (x > left - radii) & (x < right + radii) & (y > bottom - radii) & (y < top + radii)
        return bool((across & (-backward > self.near) & (-backward < self.far)).any())

    def projection_matrix(self, aspect: float) -> Array:
        """Eye to clip space, 4 x 4."""
        left, right, bottom, top = self.edges(aspect)
        sx, sy = 2 / (right - left), 2 / (top - bottom)
        cx, cy = (right + left) / (right - left), (top + bottom) / (top - bottom)
        n, f = self.near, self.far
        if self.orthographic:
            return np.array([
                [sx, 0, 0, -cx],
                [0, sy, 0, -cy],
                [0, 0, 2 / (n - f), (f + n) / (n - f)],
                [0, 0, 0, 1],
            ])  # fmt: skip
        return np.array([
            [sx, 0, cx, 0],
            [0, sy, cy, 0],
            [0, 0, (f + n) / (n - f), 2 * f * n / (n - f)],
            [0, 0, -1, 0],
        ])  # fmt: skip


@dataclass(frozen=True)
class Flight:
    """Target of an animated move of the free camera: lookat and distance, m; azimuth and elevation, degrees.

    None stays as it is.
    """

    lookat: Array | None = None
    distance: float | None = None
    azimuth: float | None = None
    elevation: float | None = None


@dataclass(frozen=True)
class ZoomAnchor:
    """The point that a zoom keeps in its place, None for lookat; the pointer and the camera for which it was found."""

    point: Array | None
    spot: tuple[float, float]
    pose: tuple[float, ...]


@dataclass(slots=True)
class OrbitCamera:
    """The free camera, moved by the mouse or by a script; bad values raise at once."""

    lookat: Array = field(default_factory=lambda: np.zeros(3))
    distance: float = 2.0
    azimuth: float = 90.0
    elevation: float = -45.0
    fovy: float = 45.0
    orthographic: bool = False
    # of the model, m
    extent: float = 1.0

    def __setattr__(self, name: str, value: Any) -> None:
        if name == "lookat":
            value = np.array(value, dtype=float)
            if value.shape != (3,):
                raise ValueError(f"lookat must be three numbers, not an array of shape {value.shape}")
        elif name in ("distance", "azimuth", "elevation", "fovy"):
            value = float(value)
        object.__setattr__(self, name, value)

    def axes(self) -> Array:
        """Columns: right, up and backward in the world."""
        a, e = math.radians(self.azimuth), math.radians(self.elevation)
        forward = np.array([math.cos(e) * math.cos(a), math.cos(e) * math.sin(a), math.sin(e)])
        up = np.array([-math.sin(e) * math.cos(a), -math.sin(e) * math.sin(a), math.cos(e)])
        return np.column_stack([np.cross(forward, up), up, -forward])

    def pose(self) -> tuple[float, ...]:
        """All that decides what it sees, to compare."""
        return (*self.lookat.tolist(), self.distance, self.azimuth, self.elevation, self.fovy)

    def eye(self) -> Array:
        """Position of the eye."""
        return self.lookat + self.distance * self.axes()[:, 2]

    def orbit(self, dx: float, dy: float) -> None:
        """Rotate about lookat; positive dx drags the scene to the right, dy downwards."""
        self._turn(self.azimuth - DEGREES_PER_HEIGHT * dx, self.elevation - DEGREES_PER_HEIGHT * dy)

    def pan(self, dx: float, dy: float) -> None:
        """Move in the vertical plane that faces the camera: dx to the side, dy up and down."""
        self._move(dx, dy, UP)

    def pan_horizontal(self, dx: float, dy: float) -> None:
        """Move in the horizontal plane: dx to the side, dy forward and back."""
        a = math.radians(self.azimuth)
        self._move(dx, dy, np.array([math.cos(a), math.sin(a), 0.0]))

    def zoom(self, amount: float) -> None:
        """Scale the distance by exp(-3 amount)."""
        distance = self.distance * math.exp(-ZOOM_PER_HEIGHT * amount)
        nearest, farthest = (self.extent * limit for limit in DISTANCE_RANGE)
        self._approach(min(max(distance, nearest), farthest))

    def flight(self, lookat: Array, radius: float = 0.0, near: float = 0.0) -> Flight:
        """A flight to an object: at the current distance, or a few radii if it would look too small or too large."""
        height, distance = self._height(), self.distance
        if 0 < radius < math.inf and not GOOD_HEIGHTS[0] * radius <= height <= GOOD_HEIGHTS[1] * radius:
            # the near plane does not cut it
            distance = max(distance * FLIGHT_HEIGHT * radius / height, near + 2 * radius)
        nearest, farthest = (self.extent * limit for limit in DISTANCE_RANGE)
        return Flight(lookat, min(max(distance, nearest), farthest))

    def fly(self, flight: Flight, share: float) -> bool:
        """Go a share of the remaining way; returns whether it has arrived."""
        way = np.zeros(3) if flight.lookat is None else flight.lookat - self.lookat
        zoom = 1.0 if flight.distance is None else flight.distance / self.distance
        # the short way round
        turn = 0.0 if flight.azimuth is None else (flight.azimuth - self.azimuth + 180.0) % 360.0 - 180.0
        tilt = 0.0 if flight.elevation is None else flight.elevation - self.elevation
        near = float(np.linalg.norm(way)) < 1e-3 * zoom * self.distance and abs(zoom - 1.0) < 1e-3
        arrived = near and max(abs(turn), abs(tilt)) < ARRIVED_DEGREES
        share = 1.0 if arrived else share
        self.lookat = self.lookat + share * way
        self._approach(self.distance * zoom**share)
        self._turn(self.azimuth + share * turn, self.elevation + share * tilt)
        return arrived

    def look_around(self, dx: float, dy: float) -> None:
        """Turn about the eye instead of lookat."""
        eye = self.eye()
        self.orbit(LOOK_AROUND * dx, LOOK_AROUND * dy)
        self.lookat = eye - self.distance * self.axes()[:, 2]

    def travel(self, way: Any) -> None:
        """Move by `way` (right, up, ahead), in distances from lookat, at least a small part of the extent."""
        right, up, ahead = way
        if self.orthographic:
            # there, what is ahead looks no nearer
            self.zoom(ahead / ZOOM_PER_HEIGHT)
            ahead = 0.0
        axes, scale = self.axes(), max(self.distance, NEAREST_PACE * self.extent)
        self.lookat = self.lookat + scale * (right * axes[:, 0] + up * UP - ahead * axes[:, 2])

    def zoom_at(self, amount: float, point: Array) -> None:
        """Zoom so that a point, and all others on its line of sight, stay in their place on the screen."""
        eye, before, forward = self.eye(), self.distance, -self.axes()[:, 2]
        # anything else on that line stays too: what is far behind lookat would move the camera too far
        depth = float((point - eye) @ forward)
        excess = max(depth - ZOOM_DEPTH * before, 0.0)
        near = point - excess * (forward if self.orthographic else (point - eye) / max(depth, 1e-9))
        self.zoom(amount)
        self.lookat = near + (self.distance / before) * (self.lookat - near)

    def take(self, view: View) -> None:
        """Take the pose and field of view of another camera; the free camera stays upright."""
        x, y, z = -view.axes[:, 2]
        # straight up or down, the top of the picture says where ahead is
        level = (x, y) if math.hypot(x, y) > 1e-6 else -math.copysign(1.0, z) * view.axes[:2, 1]
        _, _, bottom, top = view.edges(1.0)
        self.fovy = top - bottom if view.orthographic else math.degrees(2 * math.atan((top - bottom) / 2))
        self.orthographic = view.orthographic
        self.distance = view.focus if math.isfinite(view.focus) else self.distance
        self._turn(math.degrees(math.atan2(level[1], level[0])), math.degrees(math.asin(min(max(z, -1.0), 1.0))))
        self.lookat = view.eye - self.distance * self.axes()[:, 2]

    def view(self, model: ModelView) -> View:
        """The view of `model` through this camera."""
        near, far = clip_planes(model, self.distance)
        return View(self.eye(), self.axes(), self.fovy, near, far, self.orthographic, focus=self.distance)

    def update_projection(self, before: ModelView, after: ModelView) -> None:
        """Follow an edit of the model's field of view or projection."""
        old, new = before.vis.global_, after.vis.global_
        if (old.fovy, old.orthographic) != (new.fovy, new.orthographic):
            self.fovy, self.orthographic = float(new.fovy), bool(new.orthographic)

    def _turn(self, azimuth: float, elevation: float) -> None:
        """Set the angles, within their limits."""
        self.azimuth = (azimuth + 180.0) % 360.0 - 180.0
        self.elevation = min(max(elevation, -ELEVATION_LIMIT), ELEVATION_LIMIT)

    def _move(self, dx: float, dy: float, ahead: Array) -> None:
        """Move lookat so that it follows the pointer sideways and along `ahead`."""
        a = math.radians(self.azimuth)
        side = np.array([math.sin(a), -math.cos(a), 0.0])
        self.lookat = self.lookat + self._height() * (dy * ahead - dx * side)

    def _height(self) -> float:
        """Height of the view in metres, at lookat."""
        if self.orthographic:
            return self.fovy
        return 2 * self.distance * math.tan(math.radians(self.fovy) / 2)

    def _approach(self, distance: float) -> None:
        """Set the distance; an orthographic view scales with it."""
        if self.orthographic:
            self.fovy *= distance / self.distance
        self.distance = distance


def default_free_camera(model: ModelView) -> OrbitCamera:
    """The free camera of a model when it opens, from its visual and statistic settings."""
    return OrbitCamera(
        lookat=np.array(model.stat.center, dtype=float),
        distance=START_DISTANCE * float(model.stat.extent),
        azimuth=float(model.vis.global_.azimuth),
        elevation=float(model.vis.global_.elevation),
        fovy=float(model.vis.global_.fovy),
        orthographic=bool(model.vis.global_.orthographic),
        extent=float(model.stat.extent),
    )


def overview_camera(model: ModelView, state: StateView) -> OrbitCamera:
    """The default view; if all moving geoms have left it, the same view of where they are now."""
    camera = default_free_camera(model)
    bodies = np.asarray(model.geom_bodyid)
    moving = (np.asarray(model.body_weldid)[bodies] > 0) & np.isfinite(state.geom_xpos).all(axis=1)
    positions, radii = np.asarray(state.geom_xpos)[moving], np.asarray(model.geom_rbound)[moving]
    if not len(positions):
        return camera
    # the middle of those that are together; it may be empty space: then look at the nearest geom
    away = np.linalg.norm(positions - np.median(positions, axis=0), axis=1)
    together = away <= max(float(model.stat.extent), away.min())
    low, high = (positions - radii[:, None])[together], (positions + radii[:, None])[together]
    middle = (low.min(axis=0) + high.max(axis=0)) / 2
    nearest = positions[np.argmin(np.linalg.norm(positions - middle, axis=1))]
    for lookat in (middle, nearest):
        if not camera.view(model).sees_any(positions, radii) and in_reach(model, lookat):
            camera.lookat = lookat
    return camera


def nearest_body(model: ModelView, state: StateView, point: Array) -> int:
    """The body that can move whose centre of mass is nearest to a point, or -1."""
    away = np.linalg.norm(np.asarray(state.xipos) - point, axis=1)
    away[(np.asarray(model.body_weldid) == 0) | ~np.isfinite(away)] = np.inf
    return int(np.argmin(away)) if np.isfinite(away).any() else -1


def in_reach(model: ModelView, point: Any) -> bool:
    """Whether a point is finite, and near enough for single precision."""
    return bool(np.abs(point).max() < MAX_DISTANCE * max(float(model.stat.extent), 1.0))


def model_camera_view(model: ModelView, state: StateView, camera_id: int) -> View:
    """The view through camera `camera_id` of the model, at the poses of `state`."""
    near, far = clip_planes(model, 0.0)
    axes = np.asarray(state.cam_xmat[camera_id], dtype=float).reshape(3, 3)
    eye = np.asarray(state.cam_xpos[camera_id], dtype=float)
    # the camera is on a body that has diverged
    if not (np.isfinite(axes).all() and np.isfinite(eye).all()):
        axes, eye = np.eye(3), np.zeros(3)
    orthographic = int(model.cam_projection[camera_id]) == ORTHOGRAPHIC
    sensor = None if orthographic else sensor_edges(model.cam_sensorsize[camera_id], model.cam_intrinsic[camera_id])
    focus = max(START_DISTANCE * float(model.stat.extent), float(np.linalg.norm(eye - np.asarray(model.stat.center))))
    return View(eye, axes, float(model.cam_fovy[camera_id]), near, far, orthographic, sensor, focus)


def camera_aspect(model: ModelView, camera_id: int) -> float:
    """Width over height of a camera's picture: of its resolution, of its sensor, or a usual one."""
    if 0 <= camera_id < model.ncam:
        for width, height in (model.cam_resolution[camera_id].tolist(), model.cam_sensorsize[camera_id].tolist()):
            # a resolution of one pixel is the default: none
            if width > 0 and height > 0 and (width, height) != (1, 1):
                return float(width) / float(height)
    return USUAL_ASPECT


def sensor_edges(size: Any, intrinsic: Any) -> tuple[float, float, float, float] | None:
    """Left, right, lower and upper edge of a sensor at unit distance; None if the camera has none.

    The principal point is relative to the middle of the sensor, to the right and, as in images, downwards.
    """
    width, height = (float(x) for x in size)
    focal_x, focal_y, x, y = (float(v) for v in intrinsic)
    if not (width > 0 and height > 0):
        return None
    left, right = (x - width / 2) / focal_x, (x + width / 2) / focal_x
    return left, right, -(y + height / 2) / focal_y, (height / 2 - y) / focal_y


def clip_planes(model: ModelView, distance: float) -> tuple[float, float]:
    """Near and far plane in metres; the far one recedes with a camera that moves away."""
    extent = float(model.stat.extent)
    near = float(model.vis.map.znear) * extent
    far = max(float(model.vis.map.zfar) * extent, 4 * distance)
    return max(near, far * 1e-5), far
