// @ts-check
// Views: the free camera, with MuJoCo's parameters and the gestures of the desktop viewer, and projections.
// Mouse motions are in fractions of the view's height, so that they feel the same at every size.

import { DEGREE, clamp, cross, dot, fromRows, minus, norm, plus, times, viewMatrix } from "./math.js";

/**
 * Pose and projection of a camera.
 * @typedef {object} View
 * @property {number[]} eye
 * @property {number[][]} axes right, up and backward in the world
 * @property {number} fovy degrees; height of the view in metres if orthographic
 * @property {number} near
 * @property {number} far
 * @property {boolean} orthographic
 * @property {number[] | null} sensor left, right, lower and upper edge at unit distance, of a camera with a sensor size
 * @property {number} focus distance of what the camera looks at, m
 */

const DEGREES_PER_HEIGHT = 180;
const ELEVATION_LIMIT = 89.9;
const ZOOM_PER_HEIGHT = 3;
// a zoom to a point behind lookat moves the camera as if it were this far away, in distances of lookat
const ZOOM_DEPTH = 1.5;
const NEAREST_EXTENTS = 1e-4, FARTHEST_EXTENTS = 1e6;

/**
 * Left, right, lower and upper edge of the frustum at unit distance; at any distance if orthographic.
 * @param {View} view @param {number} aspect
 */
export function edgesOf(view, aspect) {
  if (view.sensor) return view.sensor;
  const half = view.orthographic ? view.fovy / 2 : Math.tan((view.fovy * DEGREE) / 2);
  return [-half * aspect, half * aspect, -half, half];
}

/** @param {View} view @param {number} aspect */
export function projectionMatrix(view, aspect) {
  const [left, right, bottom, top] = edgesOf(view, aspect);
  const sx = 2 / (right - left), sy = 2 / (top - bottom);
  const cx = (right + left) / (right - left), cy = (top + bottom) / (top - bottom);
  const n = view.near, f = view.far;
  if (view.orthographic) {
    return fromRows([[sx, 0, 0, -cx], [0, sy, 0, -cy], [0, 0, 2 / (n - f), (f + n) / (n - f)], [0, 0, 0, 1]]);
  }
  return fromRows([[sx, 0, cx, 0], [0, sy, cy, 0], [0, 0, (f + n) / (n - f), (2 * f * n) / (n - f)], [0, 0, -1, 0]]);
}

/** World to eye. @param {View} view */
export function worldToEye(view) {
  return viewMatrix(view.eye, view.axes);
}

/**
 * A point of the world on the screen, x and y from -1 to 1, right and up; null behind the eye.
 * @param {View} view @param {number[]} point @param {number} aspect
 */
export function projected(view, point, aspect) {
  const [x, y, backward] = view.axes.map((axis) => dot(axis, minus(point, view.eye)));
  if (!(backward < -view.near)) return null;
  const [left, right, bottom, top] = edgesOf(view, aspect), depth = view.orthographic ? 1 : -backward;
  return [(2 * x / depth - left - right) / (right - left), (2 * y / depth - bottom - top) / (top - bottom)];
}

/**
 * Origin and direction of the ray through a point of the view, x and y from -1 to 1, right and up.
 * @param {View} view @param {number} x @param {number} y @param {number} aspect
 */
export function rayOf(view, x, y, aspect) {
  const [left, right, bottom, top] = edgesOf(view, aspect);
  const side = left + ((right - left) * (x + 1)) / 2, above = bottom + ((top - bottom) * (y + 1)) / 2;
  const across = plus(times(side, view.axes[0]), times(above, view.axes[1]));
  if (view.orthographic) return { origin: plus(view.eye, across), direction: times(-1, view.axes[2]) };
  const direction = minus(across, view.axes[2]);
  return { origin: view.eye, direction: times(1 / norm(direction), direction) };
}

/** The free camera: forward = (cos e cos a, cos e sin a, sin e), eye = lookat - distance forward. */
export class OrbitCamera {
  /**
   * @param {{lookat: number[], distance: number, azimuth: number, elevation: number, fovy: number,
   *   orthographic?: boolean, extent: number, znear: number, zfar: number}} start
   */
  constructor(start) {
    this.lookat = [...start.lookat];
    this.distance = start.distance;
    this.azimuth = start.azimuth;
    this.elevation = start.elevation;
    this.fovy = start.fovy;
    this.orthographic = Boolean(start.orthographic);
    this.extent = start.extent;
    this.znear = start.znear;
    this.zfar = start.zfar;
  }

  /** Right, up and backward in the world. */
  axes() {
    const a = this.azimuth * DEGREE, e = this.elevation * DEGREE;
    const forward = [Math.cos(e) * Math.cos(a), Math.cos(e) * Math.sin(a), Math.sin(e)];
    const up = [-Math.sin(e) * Math.cos(a), -Math.sin(e) * Math.sin(a), Math.cos(e)];
    return [cross(forward, up), up, times(-1, forward)];
  }

  /** @returns {View} */
  view() {
    const axes = this.axes();
    return {
      eye: plus(this.lookat, times(this.distance, axes[2])), axes, fovy: this.fovy, ...this.clipPlanes(this.distance),
      orthographic: this.orthographic, sensor: null, focus: this.distance,
    };
  }

  /** Near and far plane, m; the far one recedes with a camera that moves away. @param {number} distance */
  clipPlanes(distance) {
    const far = Math.max(this.zfar * this.extent, 4 * distance);
    return { near: Math.max(this.znear * this.extent, far * 1e-5), far };
  }

  /** Rotate about lookat; positive dx drags the scene to the right, dy downwards. @param {number} dx @param {number} dy */
  orbit(dx, dy) {
    this.turn(this.azimuth - DEGREES_PER_HEIGHT * dx, this.elevation - DEGREES_PER_HEIGHT * dy);
  }

  /** Move in the vertical plane that faces the camera. @param {number} dx @param {number} dy */
  pan(dx, dy) {
    this.move(dx, dy, [0, 0, 1]);
  }

  /** Move in the horizontal plane. @param {number} dx @param {number} dy */
  panHorizontal(dx, dy) {
    const a = this.azimuth * DEGREE;
    this.move(dx, dy, [Math.cos(a), Math.sin(a), 0]);
  }

  /** Scale the distance by exp(-3 amount). @param {number} amount */
  zoom(amount) {
    const distance = this.distance * Math.exp(-ZOOM_PER_HEIGHT * amount);
    this.approach(clamp(distance, NEAREST_EXTENTS * this.extent, FARTHEST_EXTENTS * this.extent));
  }

  /** Zoom so that a point stays in its place on the screen. @param {number} amount @param {number[]} point */
  zoomAt(amount, point) {
    const { eye, axes } = this.view(), before = this.distance, way = minus(point, eye), depth = -dot(way, axes[2]);
    const excess = Math.max(depth - ZOOM_DEPTH * before, 0);
    const near = minus(point, times(excess, this.orthographic ? times(-1, axes[2]) : times(1 / Math.max(depth, 1e-9), way)));
    this.zoom(amount);
    this.lookat = plus(near, times(this.distance / before, minus(this.lookat, near)));
  }

  /** Take the pose and field of view of another camera. @param {View} view */
  take(view) {
    const [x, y, z] = times(-1, view.axes[2]);
    const level = Math.hypot(x, y) > 1e-6 ? [x, y] : times(z > 0 ? -1 : 1, view.axes[1]);
    const [, , bottom, top] = edgesOf(view, 1);
    this.fovy = view.orthographic ? top - bottom : (2 * Math.atan((top - bottom) / 2)) / DEGREE;
    this.orthographic = view.orthographic;
    if (Number.isFinite(view.focus)) this.distance = view.focus;
    this.turn(Math.atan2(level[1], level[0]) / DEGREE, Math.asin(clamp(z, -1, 1)) / DEGREE);
    this.lookat = minus(view.eye, times(this.distance, this.axes()[2]));
  }

  /** @param {number} azimuth @param {number} elevation */
  turn(azimuth, elevation) {
    this.azimuth = ((((azimuth + 180) % 360) + 360) % 360) - 180;
    this.elevation = clamp(elevation, -ELEVATION_LIMIT, ELEVATION_LIMIT);
  }

  /** @param {number} dx @param {number} dy @param {number[]} ahead */
  move(dx, dy, ahead) {
    const a = this.azimuth * DEGREE, side = [Math.sin(a), -Math.cos(a), 0];
    const height = this.orthographic ? this.fovy : 2 * this.distance * Math.tan((this.fovy * DEGREE) / 2);
    this.lookat = plus(this.lookat, times(height, minus(times(dy, ahead), times(dx, side))));
  }

  /** Set the distance; an orthographic view scales with it. @param {number} distance */
  approach(distance) {
    if (this.orthographic) this.fovy *= distance / this.distance;
    this.distance = distance;
  }
}
