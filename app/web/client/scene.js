// @ts-check
// From instance rows with poses in the world to batches: groups of equal shape and textures, levels of detail, planes and
// mirrors, transparent ones sorted far to near. It knows of no replay: any source of rows will do.

import { clamp, dot, minus, norm } from "./math.js";
import { ID_STEP, KIND, ROW } from "./draw.js";
import { MAX_LOD, PRIMITIVES } from "./meshes.js";

/** @typedef {import("./draw.js").Batch} Batch */

/**
 * What is constant of instances, one entry each.
 * @typedef {object} Table
 * @property {number} count
 * @property {string[]} shape
 * @property {ArrayLike<number>} texture
 * @property {ArrayLike<number>} material
 * @property {ArrayLike<number>} group
 * @property {ArrayLike<number>} mirror planes and boxes that reflect
 * @property {ArrayLike<number>} shadow casts one
 * @property {ArrayLike<number>} moves is on a body that can move
 * @property {Float32Array} bound radius of the bounding sphere, m
 */

/**
 * What is drawn, by choice.
 * @typedef {object} Options
 * @property {boolean[]} geomGroups
 * @property {boolean[]} siteGroups
 * @property {boolean} transparent moving bodies
 * @property {boolean} textures
 * @property {boolean} reflections
 */

const OPAQUE_ALPHA = 0.999;
const BACK_ALPHA = 0.5;
// a round shape of this angular radius (rad) or more is drawn with LOD 0, then 1, 2 and so on
const LOD_ANGLES = [0.12, 0.025, 0.004, 0.0015];

/** @param {number[]} eye @param {ArrayLike<number>} rows @param {number} at @param {number} radius @param {number} reach */
function lodOf(eye, rows, at, radius, reach) {
  const distance = norm([rows[at] - eye[0], rows[at + 1] - eye[1], rows[at + 2] - eye[2]]) - reach;
  if (distance <= 0) return 0;
  const angle = radius / Math.max(distance, 1e-6), lod = LOD_ANGLES.findIndex((least) => angle >= least);
  return lod < 0 ? MAX_LOD : lod;
}

/** The mirror of a plane or of the top of a box: normal and distance from the origin. @param {Float32Array} rows @param {number} at @param {boolean} box */
function mirrorOf(rows, at, box) {
  const normal = [5, 8, 11].map((k) => rows[at + k]), place = [rows[at], rows[at + 1], rows[at + 2]];
  return [...normal, dot(normal, place) + (box ? rows[at + ROW.SHAPE + 2] : 0)].map((v) => Math.round(1e6 * v) / 1e6);
}

/** The instances of one model. */
export class Instances {
  /** @param {Table} table @param {Float32Array} rows complete but for the pose */
  constructor(table, rows) {
    this.table = table;
    this.base = rows;
    this.rows = new Float32Array(rows);
    /** @type {number[]} */ this.planes = [];
    /** @type {number[]} */ this.mirrors = [];
    /** @type {number[]} */ this.transparent = [];
    /** @type {number[]} */ this.casters = [];
    /** @type {number[][]} */ this.groups = [];
    /** @type {string[]} */ this.keys = [];
    this.textures = true;
    this.reflections = true;
  }

  /** The kind of object of an instance. @param {number} i */
  kind(i) {
    return Math.floor(this.base[32 * i + ROW.ID] / ID_STEP);
  }

  /** Sort the visible instances. @param {Options} options @param {number} alpha of moving bodies that are transparent */
  arrange(options, alpha) {
    const { table, base, rows } = this;
    this.planes = [], this.mirrors = [], this.transparent = [], this.casters = [];
    this.textures = options.textures, this.reflections = options.reflections;
    rows.set(base);
    /** @type {Map<string, number[]>} */
    const groups = new Map();
    this.keys = table.shape.map((shape, i) => `${shape} ${this.textures ? `${table.texture[i]} ${table.material[i]}` : ""} ${table.shadow[i]}`);
    for (let i = 0; i < table.count; i++) {
      const at = 32 * i, shown = this.kind(i) === KIND.SITE ? options.siteGroups : options.geomGroups;
      if (!shown[clamp(table.group[i], 0, shown.length - 1)]) continue;
      if (options.transparent && table.moves[i]) rows[at + ROW.ALPHA] *= alpha;
      const plane = table.shape[i] === "plane", clear = !plane && rows[at + ROW.ALPHA] < OPAQUE_ALPHA;
      if (!plane && table.shadow[i]) this.casters.push(i);
      if (plane) this.planes.push(i);
      else if (clear) this.transparent.push(i);
      else if (table.shape[i] === "box" && rows[at + ROW.REFLECTANCE] > 0 && options.reflections) this.mirrors.push(i);
      else {
        const group = groups.get(this.keys[i]);
        if (group) group.push(i);
        else groups.set(this.keys[i], [i]);
      }
    }
    this.groups = [...groups.values()];
    this.colours = new Float32Array(rows);
  }

  /** Whether an infinite plane is shown. */
  get infinite() {
    return this.planes.some((i) => this.rows[32 * i + ROW.SHAPE] <= 0 || this.rows[32 * i + ROW.SHAPE + 1] <= 0);
  }

  /** @param {number[]} chosen @param {number} lod @param {number[] | null} mirror @returns {Batch} */
  batch(chosen, lod, mirror = null) {
    const { table } = this, rows = new Float32Array(32 * chosen.length), first = chosen[0];
    chosen.forEach((i, k) => rows.set(this.rows.subarray(32 * i, 32 * i + 32), 32 * k));
    return {
      shape: table.shape[first], texture: this.textures ? table.texture[first] : -1, material: this.textures ? table.material[first] : -1,
      rows, lod, mirror, shadow: Boolean(table.shadow[first]),
    };
  }

  /** A batch of one, a mirror if it reflects. @param {number} i */
  single(i) {
    const reflects = this.reflections && this.rows[32 * i + ROW.REFLECTANCE] > 0;
    return this.batch([i], 0, reflects ? mirrorOf(this.rows, 32 * i, this.table.shape[i] === "box") : null);
  }

  /** Neighbours of equal shape and textures as one batch. @param {number[]} order @param {number} lod */
  runs(order, lod) {
    /** @type {number[][]} */
    const found = [];
    order.forEach((i, k) => {
      if (k && this.keys[order[k - 1]] === this.keys[i]) found[found.length - 1].push(i);
      else found.push([i]);
    });
    return found.map((run) => this.batch(run, lod));
  }

  /**
   * The batches of a frame. `rows` have their poses; `selected` glow and are outlined.
   * @param {number[]} eye @param {number[]} selected @param {number} glow
   */
  batches(eye, selected, glow) {
    const { rows, table } = this, away = (/** @type {number} */ i) => norm(minus(rows.subarray(32 * i, 32 * i + 3), eye));
    const shown = selected.filter((i) => table.shape[i] !== "plane").sort((a, b) => (this.keys[a] < this.keys[b] ? -1 : 1));
    for (const i of shown) rows[32 * i + ROW.EMISSION] += glow;
    /** @type {number[]} */
    const behind = [];
    for (const i of this.planes) {
      const at = 32 * i, normal = [5, 8, 11].map((k) => rows[at + k]);
      const finite = rows[at + ROW.SHAPE] > 0 && rows[at + ROW.SHAPE + 1] > 0;
      if (finite && dot(normal, minus(eye, rows.subarray(at, at + 3))) < 0) behind.push(i);
    }
    const planes = this.planes.map((i) => this.single(i));
    for (const i of behind) rows[32 * i + ROW.ALPHA] *= BACK_ALPHA;
    const opaque = this.mirrors.map((i) => this.single(i));
    for (const group of this.groups) {
      /** @type {number[][]} */
      const levels = [];
      for (const i of group) {
        const at = 32 * i, radius = Math.max(rows[at + ROW.SHAPE], rows[at + ROW.SHAPE + 1]);
        const lod = PRIMITIVES.includes(table.shape[i]) ? lodOf(eye, rows, at, radius, table.bound[i]) : 0;
        (levels[lod] ??= []).push(i);
      }
      levels.forEach((level, lod) => opaque.push(this.batch(level, lod)));
    }
    const clear = [...this.transparent, ...behind].sort((a, b) => away(b) - away(a));
    const transparent = this.runs(clear, 1), outlined = this.runs(shown, 1);
    for (const i of behind) rows[32 * i + ROW.ALPHA] /= BACK_ALPHA;
    for (const i of shown) rows[32 * i + ROW.EMISSION] -= glow;
    const casters = new Float32Array(4 * this.casters.length);
    this.casters.forEach((i, k) => casters.set([rows[32 * i], rows[32 * i + 1], rows[32 * i + 2], table.bound[i]], 4 * k));
    return { opaque, planes, transparent, outlined, casters };
  }
}
