// @ts-check
// What the host shows, as this page has it: meshes and textures of the model, instance rows, lights, the camera; from the
// frames that app/web/live/protocol.py describes to a scene that can be drawn.

import { minus, norm, rotationOf } from "./math.js";
import { ID_STEP, KIND, ROW } from "./draw.js";
import { PRIMITIVES } from "./meshes.js";
import { imageFrom, meshFrom } from "./payload.js";
import { fetchedAsset } from "./link.js";

/** @typedef {import("./draw.js").Batch} Batch */
/** @typedef {import("./draw.js").Renderer} Renderer */
/** @typedef {import("./draw.js").Scene} Scene */
/** @typedef {import("./camera.js").View} View */
/** @typedef {"opaque" | "transparent" | "planes" | "overlay" | "outlined" | "ghost"} ListName */

/**
 * Rows of equal shape, textures and so on.
 * @typedef {object} Group
 * @property {string} key
 * @property {ListName} list
 * @property {string} shape
 * @property {number} texture
 * @property {number} material
 * @property {number[] | null} mirror
 * @property {boolean} shadow
 * @property {number} widthScale
 * @property {Float32Array} rows
 * @property {Uint8Array} lods
 */

/** @typedef {{serial: number, shapes: Record<string, string>, textures: Record<string, string>, layers: Record<string, Record<string, number>>}} Model */
/** @typedef {{positions: Float32Array, normals: Int8Array}} Deformed */

const FLOATS = ROW.FLOATS;
const BYTE = 127;

/** The scene of the host. */
export class Stage {
  /** @param {() => void} changed something that is drawn has come later than its frame */
  constructor(changed) {
    this.changed = changed;
    /** @type {Renderer | null} */
    this.renderer = null;
    /** @type {Model | null} */
    this.model = null;
    /** @type {Group[]} */
    this.groups = [];
    /** the rows of all groups @type {Float32Array[]} */
    this.places = [];
    /** @type {Map<string, Deformed>} */
    this.deformed = new Map();
    /** @type {any} */
    this.look = null;
    /** parts of the model that are on their way: a new model is shown when all of it is here @type {Set<string>} */
    this.awaited = new Set();
    this.whole = false;
    // counts changes; that from which the lists were made
    this.version = 0;
    this.built = -1;
  }

  /** Begin with nothing, as a new connection does. */
  forget() {
    this.dropAssets();
    this.model = this.look = null;
    this.groups = [];
    this.places = [];
    this.deformed.clear();
    this.version++;
  }

  // frames

  /** Take what has changed. @param {any} header @param {ArrayBuffer} buffer @param {number} start of the blobs */
  take(header, buffer, start) {
    if ("model" in header) this.takeModel(header.model);
    if (header.look) this.look = header.look;
    if (header.batches) this.regroup(header.batches);
    if (header.rows) this.takeRows(header.rows, buffer, start);
    for (const [shape, count, at] of header.deformed ?? []) {
      const positions = new Float32Array(buffer, start + at, 3 * count).slice();
      this.deformed.set(shape, { positions, normals: new Int8Array(buffer, start + at + 12 * count, 4 * count).slice() });
    }
    if ("model" in header || header.look || header.batches || header.rows || header.deformed) this.version++;
  }

  /** @param {any[][]} entries */
  regroup(entries) {
    const before = new Map(this.groups.map((group) => [group.key, group]));
    this.groups = entries.map((entry) => {
      const [list, shape, texture, material, mirror, shadow, widthScale, count] = entry, key = JSON.stringify(entry.slice(0, -1));
      const rows = new Float32Array(FLOATS * count), lods = new Uint8Array(count), known = before.get(key);
      if (known) {
        rows.set(known.rows.subarray(0, rows.length));
        lods.set(known.lods.subarray(0, count));
      }
      return { key, list, shape, texture, material, mirror, shadow: Boolean(shadow), widthScale, rows, lods };
    });
    this.places = this.groups.flatMap(({ rows, lods }) => Array.from(lods, (_, k) => rows.subarray(FLOATS * k, FLOATS * k + FLOATS)));
  }

  /** @param {{count: number, full?: number, shape?: number, pose?: number, lod?: number}} changes @param {ArrayBuffer} buffer @param {number} start */
  takeRows({ count, full, shape, pose, lod }, buffer, start) {
    const { places } = this;
    const masked = (/** @type {number} */ at) => {
      const bits = new Uint8Array(buffer, start + at, Math.ceil(count / 8)), chosen = places.filter((_, i) => bits[i >> 3] & (1 << (i & 7)));
      return { chosen, next: start + at + 4 * Math.ceil(count / 32) };
    };
    if (full !== undefined) {
      const { chosen, next } = masked(full), values = new Float32Array(buffer, next, FLOATS * chosen.length);
      chosen.forEach((row, k) => row.set(values.subarray(FLOATS * k, FLOATS * k + FLOATS)));
    }
    for (const at of [shape, pose]) {
      if (at === undefined) continue;
      const { chosen, next } = masked(at), size = chosen.length, sizes = at === shape ? 16 * size : 0;
      const positions = new Float32Array(buffer, next, 3 * size), turns = new Int16Array(buffer, next + 12 * size + sizes, 4 * size);
      chosen.forEach((row, k) => {
        row.set(positions.subarray(3 * k, 3 * k + 3));
        rotationOf(turns, 4 * k, row, ROW.ROTATION);
      });
      if (!sizes) continue;
      const shapes = new Float32Array(buffer, next + 12 * size, 4 * size);
      chosen.forEach((row, k) => row.set(shapes.subarray(4 * k, 4 * k + 4), ROW.SHAPE));
    }
    if (lod === undefined) return;
    let from = start + lod;
    for (const { lods } of this.groups) {
      lods.set(new Uint8Array(buffer, from, lods.length));
      from += lods.length;
    }
  }

  // assets

  dropAssets() {
    for (const name of this.renderer?.pool.shapes.keys() ?? []) this.renderer?.pool.remove(name);
    for (const id of this.renderer?.textures.keys() ?? []) this.renderer?.removeTexture(id);
  }

  /** @param {Model | null} model */
  takeModel(model) {
    const before = this.model && this.model.serial === model?.serial ? this.model : null;
    if (!before) {
      this.dropAssets();
      this.deformed.clear();
      this.awaited.clear();
      this.whole = false;
    }
    this.model = model && { ...model, shapes: { ...before?.shapes, ...model.shapes }, textures: { ...before?.textures, ...model.textures } };
    if (!model || !this.renderer) return;
    const layers = Object.entries(model.layers).map(([id, roles]) => /** @type {[number, Record<string, number>]} */ ([Number(id), roles]));
    this.renderer.layers = new Map([...(before ? this.renderer.layers : []), ...layers]);
    for (const [name, hash] of Object.entries(model.shapes)) if (before?.shapes[name] !== hash) this.fetchShape(name, hash);
    for (const [id, hash] of Object.entries(model.textures)) if (before?.textures[id] !== hash) this.fetchTexture(id, hash);
    this.whole ||= !this.awaited.size;
  }

  /** @param {string} name @param {string} hash */
  async fetchShape(name, hash) {
    const { renderer, model, awaited } = this;
    awaited.add(name);
    const payload = await fetchedAsset(hash);
    if (renderer !== this.renderer || this.model?.serial !== model?.serial) return;
    if (payload && renderer && this.model?.shapes[name] === hash) {
      renderer.pool.remove(name);
      renderer.pool.shapes.set(name, meshFrom(payload, payload.header.shape));
    }
    this.arrived(name);
  }

  /** @param {string} id @param {string} hash */
  async fetchTexture(id, hash) {
    const { renderer, model, awaited } = this;
    awaited.add(id);
    const payload = await fetchedAsset(hash), image = payload && await imageFrom(payload, payload.header.texture);
    if (renderer !== this.renderer || this.model?.serial !== model?.serial) return;
    if (image && renderer && this.model?.textures[id] === hash) {
      renderer.removeTexture(Number(id));
      renderer.addTexture(Number(id), image);
    }
    this.arrived(id);
  }

  /** A part of the model is here, or is not to be had. @param {string} part */
  arrived(part) {
    this.awaited.delete(part);
    this.whole ||= !this.awaited.size;
    this.version++;
    this.changed();
  }

  // the scene

  /** What can be drawn now, from a view; null without a model. @param {View} view @returns {Scene | null} */
  scene(view) {
    const { look, model } = this;
    if (!look || !model || !this.whole) return null;
    if (this.built !== this.version) this.build();
    const { lists, deformedVertices } = this;
    return {
      ...look, ...lists, transparent: this.sorted(view.eye), deformed: deformedVertices, casters: this.casters, version: this.version,
      skybox: this.renderer?.textures.has(look.skybox) ? look.skybox : -1,
    };
  }

  build() {
    this.built = this.version;
    const known = this.groups.filter(({ shape }) => PRIMITIVES.includes(shape) || this.renderer?.pool.shapes.has(shape));
    /** @type {{opaque: Batch[], planes: Batch[], overlay: Batch[], outlined: Batch[], ghost: Batch[]}} */
    const lists = { opaque: [], planes: [], overlay: [], outlined: [], ghost: [] };
    for (const group of known) {
      if (group.list === "transparent") continue;
      if (group.list === "planes") for (let k = 0; k < group.lods.length; k++) lists.planes.push(batchOf(group, [k]));
      else lists[group.list].push(...byLod(group));
    }
    this.lists = lists;
    this.clear = known.filter(({ list }) => list === "transparent");
    this.casters = this.castersOf(known);
    this.deformedVertices = new Map([...this.deformed].flatMap(([name, values]) => {
      const mesh = this.renderer?.pool.shapes.get(name);
      return mesh ? [/** @type {[string, Float32Array]} */ ([name, deformedMesh(mesh.vertices, values)])] : [];
    }));
  }

  /** Transparent rows far to near; neighbours of a group share a batch. @param {number[]} eye @returns {Batch[]} */
  sorted(eye) {
    const all = (this.clear ?? []).flatMap((group) => Array.from(group.lods, (lod, k) => ({
      group, lod, k, away: norm(minus(group.rows.subarray(FLOATS * k, FLOATS * k + 3), eye)),
    })));
    all.sort((a, b) => b.away - a.away);
    const batches = [];
    for (let i = 0; i < all.length;) {
      const { group, lod } = all[i], run = [];
      for (; i < all.length && all[i].group === group && all[i].lod === lod; i++) run.push(all[i].k);
      batches.push(batchOf(group, run));
    }
    return batches;
  }

  /** Bounding spheres of what casts shadows. @param {Group[]} groups */
  castersOf(groups) {
    /** @type {number[]} */
    const found = [];
    for (const { list, shape, shadow, rows } of groups) {
      if (!shadow || shape === "plane" || (list !== "opaque" && list !== "transparent")) continue;
      const made = PRIMITIVES.includes(shape), radius = made ? 1 : this.renderer?.pool.mesh(shape, 0).radius ?? 1;
      for (let at = 0; at < rows.length; at += FLOATS) {
        const kind = Math.floor(rows[at + ROW.ID] / ID_STEP), [x, y, z, half] = rows.subarray(at + ROW.SHAPE, at + ROW.SHAPE + 4);
        if (kind !== KIND.GEOM && kind !== KIND.SITE) continue;
        found.push(rows[at], rows[at + 1], rows[at + 2], made ? Math.hypot(x, y, z, half) : radius * Math.max(x, y, z));
      }
    }
    return new Float32Array(found);
  }
}

/** @param {Group} group @param {number[]} chosen of one level of detail @returns {Batch} */
function batchOf(group, chosen) {
  const { shape, texture, material, mirror, shadow, widthScale, lods } = group, rows = new Float32Array(FLOATS * chosen.length);
  chosen.forEach((i, k) => rows.set(group.rows.subarray(FLOATS * i, FLOATS * i + FLOATS), FLOATS * k));
  return { shape, texture, material, rows, lod: lods[chosen[0]], mirror, shadow, widthScale };
}

/** @param {Group} group */
function byLod(group) {
  if (group.lods.every((lod) => lod === group.lods[0])) {
    const { shape, texture, material, mirror, shadow, widthScale, rows, lods } = group;
    return rows.length ? [{ shape, texture, material, rows, lod: lods[0], mirror, shadow, widthScale }] : [];
  }
  /** @type {number[][]} */
  const levels = [];
  group.lods.forEach((lod, k) => (levels[lod] ??= []).push(k));
  return levels.filter(Boolean).map((level) => batchOf(group, level));
}

/** @param {Float32Array} base vertices @param {Deformed} values */
function deformedMesh(base, { positions, normals }) {
  const vertices = base.slice(0, 3 * positions.length);
  for (let i = 0; 9 * i < vertices.length; i++) {
    for (let k = 0; k < 3; k++) {
      vertices[9 * i + k] = positions[3 * i + k];
      vertices[9 * i + 3 + k] = normals[4 * i + k] / BYTE;
    }
  }
  return vertices;
}
