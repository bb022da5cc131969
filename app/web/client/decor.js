// @ts-check
// Decor: contact points, forces, frames, tendons as instance rows, as the desktop viewer builds them.

import { along, cross, minus, norm, plus, times, unit } from "./math.js";
import { ID_STEP, KIND } from "./draw.js";

/** @typedef {import("./draw.js").Batch} Batch */

// specular, shininess, emission, reflectance: visible in any light
const GLOWING = [0.2, 0.3, 0.45, 0];
const HEAD_RADIUS = 2, HEAD_LENGTH = 5, HEAD_SHARE = 0.4;
const SELECTED = [0.36, 0.66, 0.96, 1];
const AXES = [[0.86, 0.22, 0.24, 1], [0.42, 0.72, 0.22, 1], [0.25, 0.5, 0.92, 1]];

/** Instance rows that grow, of one shape. */
export class Rows {
  constructor() {
    /** @type {number[]} */
    this.values = [];
  }

  /**
   * @param {number[]} position @param {ArrayLike<number>} rotation row-major @param {number[]} scale x y z, half length
   * @param {ArrayLike<number>} colour @param {ArrayLike<number>} material @param {number} id
   */
  add(position, rotation, scale, colour, material = GLOWING, id = 0) {
    const [x, y, z, half = 0] = scale, row = [...position, ...Array.from(rotation), x, y, z, half];
    if (!row.every((v) => Math.abs(v) < 1e15)) return;
    this.values.push(...row, ...Array.from(colour), ...Array.from(material), 1, 1, 1, 1, 1, -1, -1, id);
  }

  /** @param {string} shape @param {number} lod @param {number} widthScale @returns {Batch[]} */
  batches(shape, lod, widthScale = 1) {
    if (!this.values.length) return [];
    return [{ shape, texture: -1, material: -1, rows: new Float32Array(this.values), lod, mirror: null, shadow: true, widthScale }];
  }
}

/** A capsule between two points. @param {Rows} rows @param {number[]} start @param {number[]} end @param {number} radius @param {ArrayLike<number>} colour @param {ArrayLike<number>} [material] @param {number} [id] */
export function addRod(rows, start, end, radius, colour, material, id) {
  const way = minus(end, start);
  rows.add(times(0.5, plus(start, end)), along(way), [radius, radius, radius, norm(way) / 2], colour, material, id);
}

/** Arrows: shafts and heads. */
class Arrows {
  constructor() {
    this.shafts = new Rows();
    this.heads = new Rows();
  }

  /** An arrow from a point along a vector; thinner if short. @param {number[]} start @param {number[]} vector @param {number} radius @param {ArrayLike<number>} colour @param {number} id */
  add(start, vector, radius, colour, id = 0) {
    const length = norm(vector), way = unit(vector), rotation = along(vector);
    const width = Math.min(radius, length / 4), head = Math.min(HEAD_LENGTH * width, HEAD_SHARE * length);
    const half = (length - head) / 2, wide = HEAD_RADIUS * width;
    this.shafts.add(plus(start, times(half, way)), rotation, [width, width, half], colour, GLOWING, id);
    this.heads.add(plus(start, times(length - head / 2, way)), rotation, [wide, wide, head / 2], colour, GLOWING, id);
  }

  batches() {
    return [...this.shafts.batches("cylinder", 0), ...this.heads.batches("cone", 0)];
  }
}

/**
 * A contact of one frame.
 * @typedef {object} Contact
 * @property {number} index its row in the table of contacts
 * @property {number[]} geom two; -1 for a flex
 * @property {number[]} position
 * @property {number[]} frame row-major; its rows are the normal and two tangents
 * @property {number[]} force in that frame, N
 * @property {number} dist
 * @property {number} state 0 within the gap, 1 without force, 2 sticks, 3 slips
 * @property {number} dim
 * @property {number[]} friction
 * @property {boolean} second the arrow shows the force on the second geom's body
 */

/**
 * Sizes in metres and colours.
 * @typedef {object} Visual
 * @property {number} contactwidth
 * @property {number} contactheight
 * @property {number} forcewidth
 * @property {number} framelength
 * @property {number} framewidth
 * @property {number} newton metres per newton
 * @property {number} longest
 * @property {Record<string, number[]>} rgba
 * @property {number[]} stick
 * @property {number[]} slip
 * @property {number[]} open
 */

/** Discs at contacts; by state, or by whether they are within the gap. @param {Contact[]} contacts @param {Visual} visual @param {boolean} byState */
export function contactDiscs(contacts, visual, byState) {
  const rows = new Rows(), width = visual.contactwidth, size = [width, width, visual.contactheight / 2];
  for (const contact of contacts) {
    const touching = contact.state > 0 ? visual.rgba.contactpoint : visual.rgba.contactgap;
    const colour = byState ? [visual.open, visual.open, visual.stick, visual.slip][contact.state] : touching;
    rows.add(contact.position, along(contact.frame), size, colour, GLOWING, KIND.CONTACT * ID_STEP + contact.index);
  }
  return rows.batches("cylinder", 1);
}

/** A wider disc at the contact that is selected. @param {Contact} contact @param {Visual} visual */
export function selectedDisc({ position, frame, index }, visual) {
  const rows = new Rows(), width = 1.4 * visual.contactwidth, size = [width, width, visual.contactheight / 4];
  rows.add(position, along(frame), size, SELECTED, GLOWING, KIND.CONTACT * ID_STEP + index);
  return rows.batches("cylinder", 1);
}

/** The force of a contact in the world, on the body that moves. @param {Contact} contact */
export function drawnForce({ frame, force, second }) {
  const world = [0, 1, 2].map((k) => frame[k] * force[0] + frame[3 + k] * force[1] + frame[6 + k] * force[2]);
  return second ? world : times(-1, world);
}

/** Arrows of contact forces, except those too short to see. @param {Contact[]} contacts @param {Visual} visual @param {number} least m */
export function forceArrows(contacts, visual, least) {
  const arrows = new Arrows();
  for (const contact of contacts) {
    const vector = times(visual.newton, drawnForce(contact)), length = norm(vector);
    if (!(length > least)) continue;
    const shown = times(Math.min(1, visual.longest / length), vector);
    arrows.add(contact.position, shown, visual.forcewidth, visual.rgba.contactforce, KIND.CONTACT * ID_STEP + contact.index);
  }
  return arrows.batches();
}

/** Red, green and blue axes. @param {{position: ArrayLike<number>, rotation: ArrayLike<number>}[]} poses @param {Visual} visual @param {number} scale */
export function frameAxes(poses, visual, scale) {
  const arrows = new Arrows();
  for (const { position, rotation } of poses) {
    AXES.forEach((colour, k) => {
      const axis = [rotation[k], rotation[3 + k], rotation[6 + k]];
      arrows.add(Array.from(position), times(scale * visual.framelength, axis), 0.5 * scale * visual.framewidth, colour);
    });
  }
  return arrows.batches();
}

/** Smooth vertex normals of a deformed mesh, into columns 3 to 5. @param {Float32Array} vertices @param {ArrayLike<number>} triangles */
export function setNormals(vertices, triangles) {
  for (let at = 0; at < vertices.length; at += 9) vertices.fill(0, at + 3, at + 6);
  for (let k = 0; k < triangles.length; k += 3) {
    const corners = [9 * triangles[k], 9 * triangles[k + 1], 9 * triangles[k + 2]];
    const [a, b, c] = corners.map((at) => vertices.subarray(at, at + 3)), normal = cross(minus(b, a), minus(c, a));
    for (const at of corners) for (let i = 0; i < 3; i++) vertices[at + 3 + i] += normal[i];
  }
  for (let at = 0; at < vertices.length; at += 9) {
    const length = Math.max(Math.hypot(vertices[at + 3], vertices[at + 4], vertices[at + 5]), 1e-30);
    for (let i = 3; i < 6; i++) vertices[at + i] /= length;
  }
}
