// @ts-check
// Vectors, rotations, and 4 x 4 matrices in column-major order.

/** @typedef {ArrayLike<number>} Numbers */

export const DEGREE = Math.PI / 180;

/** @param {Numbers} a @param {Numbers} b */
export function plus(a, b) {
  return [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
}

/** @param {Numbers} a @param {Numbers} b */
export function minus(a, b) {
  return [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
}

/** @param {number} s @param {Numbers} a */
export function times(s, a) {
  return [s * a[0], s * a[1], s * a[2]];
}

/** @param {Numbers} a @param {Numbers} b */
export function dot(a, b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/** @param {Numbers} a @param {Numbers} b */
export function cross(a, b) {
  return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
}

/** @param {Numbers} a */
export function norm(a) {
  return Math.hypot(a[0], a[1], a[2]);
}

/** @param {Numbers} a @returns {number[]} a vector of length 1; z for zero */
export function unit(a) {
  const length = norm(a);
  return length > 1e-30 ? times(1 / length, a) : [0, 0, 1];
}

/** @param {number} x @param {number} low @param {number} high */
export function clamp(x, low, high) {
  return Math.min(Math.max(x, low), high);
}

/**
 * The product of two 4 x 4 matrices.
 * @param {Numbers} a @param {Numbers} b
 */
export function product(a, b) {
  const c = new Array(16).fill(0);
  for (let column = 0; column < 4; column++) {
    for (let row = 0; row < 4; row++) {
      for (let k = 0; k < 4; k++) c[4 * column + row] += a[4 * k + row] * b[4 * column + k];
    }
  }
  return c;
}

/**
 * A 4 x 4 matrix from its rows.
 * @param {number[][]} rows
 */
export function fromRows(rows) {
  return [0, 1, 2, 3].flatMap((column) => rows.map((row) => row[column]));
}

/**
 * World to eye.
 * @param {Numbers} eye @param {number[][]} axes right, up and backward in the world
 */
export function viewMatrix(eye, axes) {
  return fromRows([...axes.map((axis) => [...axis, -dot(axis, eye)]), [0, 0, 0, 1]]);
}

/**
 * The rotation matrix of a quaternion w x y z, row-major; `out` from `at`.
 * @param {Numbers} q @param {number} from @param {Float32Array | number[]} out @param {number} at
 */
export function rotationOf(q, from, out, at) {
  const w = q[from], x = q[from + 1], y = q[from + 2], z = q[from + 3];
  const s = 2 / (w * w + x * x + y * y + z * z || 1);
  out[at] = 1 - s * (y * y + z * z), out[at + 1] = s * (x * y - w * z), out[at + 2] = s * (x * z + w * y);
  out[at + 3] = s * (x * y + w * z), out[at + 4] = 1 - s * (x * x + z * z), out[at + 5] = s * (y * z - w * x);
  out[at + 6] = s * (x * z - w * y), out[at + 7] = s * (y * z + w * x), out[at + 8] = 1 - s * (x * x + y * y);
}

/**
 * A row-major 3 x 3 matrix times a vector.
 * @param {Numbers} m @param {number} at @param {Numbers} v
 */
export function rotated(m, at, v) {
  return [0, 3, 6].map((row) => m[at + row] * v[0] + m[at + row + 1] * v[1] + m[at + row + 2] * v[2]);
}

/**
 * Row-major rotation from z to a direction.
 * @param {Numbers} direction
 */
export function along(direction) {
  const z = unit(direction);
  const x = unit(cross(Math.abs(z[2]) < 0.9 ? [0, 0, 1] : [1, 0, 0], z));
  const y = cross(z, x);
  return [x[0], y[0], z[0], x[1], y[1], z[1], x[2], y[2], z[2]];
}

/** sRGB to linear. @param {Numbers} srgb */
export function toLinear(srgb) {
  return [0, 1, 2].map((i) => (srgb[i] <= 0.04045 ? srgb[i] / 12.92 : ((srgb[i] + 0.055) / 1.055) ** 2.4));
}
