// @ts-check
// Screen rectangles that bound geoms, their shadows and mirror images, to limit expensive shading where the CPU renders.
// All come from bounding spheres (x, y, z, radius) and are conservative, as in app/render/regions.py.

import { edgesOf } from "./camera.js";
import { clamp, dot, minus, norm, plus, times } from "./math.js";
import { DIRECTIONAL, LIGHT_SIZE } from "./shadow.js";

/** @typedef {import("./camera.js").View} View */
/** @typedef {import("./shadow.js").Light} Light */
/** x, y from the lower left, width, height @typedef {number[]} Rect */

// a shadow farther from its caster than this many radii is taken to reach everywhere
const MAX_SHADOW_DISTANCE = 200;
const MARGIN = 3;

/** The smallest rectangle with all spheres; the whole screen if one reaches the near plane. @param {number[][]} spheres @param {View} view @param {number} width @param {number} height @returns {Rect} */
export function screenRect(spheres, view, width, height) {
  const [left, right, bottom, top] = edgesOf(view, width / height);
  const low = [Infinity, Infinity], high = [-Infinity, -Infinity];
  for (const sphere of spheres) {
    const radius = sphere[3], local = view.axes.map((axis) => dot(axis, minus(sphere, view.eye))), depth = -local[2];
    if (depth + radius <= 0) continue;
    if (!(depth - radius > view.near)) return [0, 0, width, height];
    const [front, back] = view.orthographic ? [1, 1] : [depth - radius, depth + radius];
    for (let axis = 0; axis < 2; axis++) {
      const first = local[axis] - radius, last = local[axis] + radius;
      low[axis] = Math.min(low[axis], first / front, first / back), high[axis] = Math.max(high[axis], last / front, last / back);
    }
  }
  if (low[0] > high[0]) return [0, 0, 0, 0];
  const pixel = (/** @type {number} */ value, /** @type {number} */ start, /** @type {number} */ end, /** @type {number} */ size) =>
    Math.floor(clamp((value - start) / (end - start), 0, 1) * size);
  const x = Math.max(pixel(low[0], left, right, width) - MARGIN, 0), y = Math.max(pixel(low[1], bottom, top, height) - MARGIN, 0);
  const endX = Math.min(pixel(high[0], left, right, width) + 1 + MARGIN, width);
  const endY = Math.min(pixel(high[1], bottom, top, height) + 1 + MARGIN, height);
  return [x, y, Math.max(endX - x, 0), Math.max(endY - y, 0)];
}

/** Bounds of the shadows on a plane (an instance row); null if they reach everywhere. @param {number[][]} casters @param {Light[]} lights @param {Float32Array} plane */
export function shadowSpheres(casters, lights, plane) {
  const normal = [plane[5], plane[8], plane[11]], found = [];
  for (const light of lights) {
    const parallel = light.type === DIRECTIONAL;
    for (const caster of casters) {
      const way = parallel ? light.direction : minus(caster, light.position), length = Math.max(norm(way), 1e-9);
      const ray = times(1 / length, way), cosine = -dot(ray, normal), height = dot(minus(caster, plane), normal), radius = caster[3];
      // only casters above the plane, between it and the light
      if (!(height > -radius && cosine > -0.05)) continue;
      const distance = height / Math.max(cosine, 1e-3);
      if (cosine < 0.02 || distance > MAX_SHADOW_DISTANCE * (radius + 1)) return null;
      const growth = parallel ? 1 : 1 + Math.max(distance, 0) / length;
      found.push([...plus(caster, times(distance, ray)), (growth * radius + 2 * LIGHT_SIZE * Math.abs(distance)) / cosine]);
    }
  }
  return found;
}

/** Spheres reflected about a plane. @param {number[][]} spheres @param {number[]} plane normal, distance */
export function mirroredSpheres(spheres, plane) {
  return spheres.map((sphere) => [...minus(sphere, times(2 * (dot(sphere, plane) - plane[3]), plane)), sphere[3]]);
}

/** The rest of the screen: below, above, left and right of a rectangle. @param {Rect} inner @param {number} width @param {number} height @returns {Rect[]} */
export function outside([x, y, w, h], width, height) {
  const parts = [[0, 0, width, y], [0, y + h, width, height - y - h], [0, y, x, h], [x + w, y, width - x - w, h]];
  return parts.filter((part) => part[2] > 0 && part[3] > 0);
}
