// @ts-check
// A replay: poses, contacts and all else of a payload at a moment, as a scene that can be drawn.

import { minus, norm, plus, rotated, rotationOf, times } from "./math.js";
import { ID_STEP, KIND, ROW } from "./draw.js";
import { Instances } from "./scene.js";
import { Rows, addRod, contactDiscs, drawnForce, forceArrows, frameAxes, selectedDisc, setNormals } from "./decor.js";
import { Payload, imageFrom, meshFrom } from "./payload.js";

/** @typedef {import("./camera.js").View} View */
/** @typedef {import("./draw.js").Scene} Scene */
/** @typedef {import("./draw.js").Batch} Batch */
/** @typedef {import("./decor.js").Contact} Contact */
/** @typedef {import("./meshes.js").Mesh} Mesh */
/** A body, or a contact by its row in the table. @typedef {{kind: "body" | "contact", index: number}} Selection */

/**
 * What is drawn.
 * @typedef {object} Shown
 * @property {boolean} contacts
 * @property {boolean} forces
 * @property {boolean} state colours of contacts by stick and slip
 * @property {boolean} islands
 * @property {boolean} transparent
 * @property {boolean} shadows
 * @property {boolean} reflections
 * @property {boolean} textures
 * @property {boolean} skybox
 * @property {boolean} haze
 * @property {boolean} fog
 * @property {boolean} skins
 * @property {boolean} tendons
 * @property {boolean} rangefinders
 * @property {string} frames
 * @property {string} names
 * @property {boolean[]} geomGroups
 * @property {boolean[]} siteGroups
 */

export const FRAMES = ["none", "body", "geom", "site", "contact", "world"];
export const NAMES = ["none", "body", "joint", "geom", "site", "contact", "contact force"];
const WORLD_SCALE = 2;
const START_DISTANCE = 1.5;
// shorter arrows than this share of the mean size are left out
const LEAST_ARROW = 1e-3;
// rays are long: they need a width of three pixels
const RAY_WIDTH_SCALE = 2.5;

/** Quaternion of a rotation vector. @param {ArrayLike<number>} v @param {number} at */
function quaternionOf(v, at) {
  const angle = Math.hypot(v[at], v[at + 1], v[at + 2]), s = angle > 1e-12 ? Math.sin(angle / 2) / angle : 0.5;
  return [Math.cos(angle / 2), s * v[at], s * v[at + 1], s * v[at + 2]];
}

/** Between two quaternions, the shorter way. @param {number[]} a @param {number[]} b @param {number} share */
function between(a, b, share) {
  const sign = a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3] < 0 ? -1 : 1;
  return a.map((value, k) => (1 - share) * value + share * sign * b[k]);
}

/** @param {ArrayLike<number>} a @param {number} at @param {number[]} b */
function quaternionProduct(a, at, b) {
  const w = a[at], x = a[at + 1], y = a[at + 2], z = a[at + 3];
  return [
    w * b[0] - x * b[1] - y * b[2] - z * b[3], w * b[1] + x * b[0] + y * b[3] - z * b[2],
    w * b[2] - x * b[3] + y * b[0] + z * b[1], w * b[3] + x * b[2] - y * b[1] + z * b[0],
  ];
}

/** Rows of a table, frame by frame. */
class Frames {
  /** @param {ArrayLike<number>} when the frame of each row @param {number} count of frames */
  constructor(when, count) {
    this.offsets = new Uint32Array(count + 1);
    for (let i = 0; i < when.length; i++) this.offsets[when[i] + 1]++;
    for (let k = 0; k < count; k++) this.offsets[k + 1] += this.offsets[k];
    const next = this.offsets.slice();
    this.order = new Uint32Array(when.length);
    for (let i = 0; i < when.length; i++) this.order[next[when[i]]++] = i;
  }

  /** The rows of a frame. @param {number} frame */
  rows(frame) {
    return Array.from(this.order.subarray(this.offsets[frame], this.offsets[frame + 1]));
  }
}

/** The skin of a model. */
class Skin {
  /** @param {Payload} payload @param {any} entry @param {string} name */
  constructor(payload, entry, name) {
    this.name = name;
    this.entry = entry;
    this.mesh = meshFrom(payload, entry.shape);
    this.bind = this.mesh.vertices.slice();
    this.row = Float32Array.from(payload.array(entry.row));
    this.row.set([0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 1, 1, 1, 0]);
    const { bones } = entry;
    this.bodies = bones.body;
    this.position = payload.array(bones.position);
    this.quaternion = payload.array(bones.quaternion);
    this.start = payload.array(bones.start);
    this.vertex = payload.array(entry.vertex);
    this.weight = payload.array(entry.weight);
  }

  /** Vertices by linear blending. @param {Float64Array} position @param {Float64Array} rotation of all nodes */
  deformed(position, rotation) {
    const { vertices, triangles } = this.mesh, { bind, vertex, weight } = this, turn = new Array(9).fill(0);
    for (let at = 0; at < vertices.length; at += 9) vertices.fill(0, at, at + 3);
    for (let bone = 0; bone < this.bodies.length; bone++) {
      const body = this.bodies[bone], back = new Array(9);
      rotationOf(this.quaternion, 4 * bone, back, 0);
      for (let i = 0; i < 3; i++) {
        for (let j = 0; j < 3; j++) {
          turn[3 * i + j] = 0;
          for (let k = 0; k < 3; k++) turn[3 * i + j] += rotation[9 * body + 3 * i + k] * back[3 * j + k];
        }
      }
      const bindPlace = this.position.subarray(3 * bone, 3 * bone + 3);
      const shift = minus(position.subarray(3 * body, 3 * body + 3), rotated(turn, 0, bindPlace));
      for (let n = this.start[bone]; n < this.start[bone + 1]; n++) {
        const at = 9 * vertex[n], w = weight[n], x = bind[at], y = bind[at + 1], z = bind[at + 2];
        for (let i = 0; i < 3; i++) {
          vertices[at + i] += w * (turn[3 * i] * x + turn[3 * i + 1] * y + turn[3 * i + 2] * z + shift[i]);
        }
      }
    }
    setNormals(vertices, triangles);
    const inflate = this.entry.inflate;
    if (inflate) for (let at = 0; at < vertices.length; at += 9) for (let k = 0; k < 3; k++) vertices[at + k] += inflate * vertices[at + 3 + k];
    return vertices;
  }

  /** @param {number} alpha @returns {Batch} */
  batch(alpha) {
    const rows = this.row.slice();
    rows[ROW.ALPHA] *= alpha;
    const { texture, material } = this.entry;
    return { shape: this.name, texture, material, rows, lod: 0, mirror: null, shadow: true };
  }
}

/** A replay, at one moment. */
export class Replay {
  /** @param {ArrayBuffer} buffer */
  static async open(buffer) {
    const payload = new Payload(buffer), replay = new Replay(payload);
    await replay.decodeImages(payload);
    return replay;
  }

  /** @param {Payload} payload */
  constructor(payload) {
    const header = payload.header, array = payload.array.bind(payload);
    this.header = header;
    /** @type {{start: number, fps: number, count: number}} */
    this.time = header.time;
    this.names = header.names;
    /** @type {Map<string, Mesh>} */
    this.shapes = new Map(header.shapes.map((/** @type {any} */ entry) => [entry.name, meshFrom(payload, entry)]));
    /** @type {Map<number, import("./gl.js").Image>} */
    this.textures = new Map();
    this.layers = new Map(Object.entries(header.materials).map(([id, roles]) => [Number(id), /** @type {Record<string, number>} */ (roles)]));
    const nodes = header.nodes;
    this.parent = array(nodes.parent);
    this.rest = array(nodes.rest);
    this.moving = array(nodes.moving);
    this.pivot = array(nodes.pivot);
    this.positions = array(nodes.position);
    this.rotations = array(nodes.rotation);
    // poses of nodes in the world
    this.position = new Float64Array(3 * nodes.count);
    this.rotation = new Float64Array(9 * nodes.count);
    this.slots = new Int32Array(nodes.count).fill(-1);
    this.moving.forEach((/** @type {number} */ node, /** @type {number} */ j) => (this.slots[node] = j));
    const { bodies } = header;
    this.bodies = {
      count: bodies.count, weld: array(bodies.weld), tree: array(bodies.tree), mass: array(bodies.mass),
      com: array(bodies.com), parent: array(bodies.parent),
    };
    this.node = array(header.instances.node);
    this.local = Float32Array.from(array(header.instances.rows));
    this.instances = this.readInstances(header.instances, array);
    this.readContacts(header.contacts, array);
    this.islands = header.islands && { ...header.islands, value: array(header.islands.value), colours: array(header.islands.colours) };
    this.readTendons(header.tendons, array);
    this.skins = (header.skins ?? []).map((/** @type {any} */ entry, /** @type {number} */ k) => new Skin(payload, entry, `skin ${k}`));
    for (const skin of this.skins) this.shapes.set(skin.name, skin.mesh);
    /** @type {{label: string, unit: string, values: Float32Array, dim: number}[]} */
    this.series = [...(header.plots ?? []), ...(header.sensors ?? [])]
      .map(({ label, unit, values, dim }) => ({ label, unit, dim: dim ?? 1, values: array(values) }));
    /** @type {{time: number, until?: number | null, text: string, kind: string}[]} */
    this.marks = header.marks ?? [];
    this.place = -1;
    this.version = 0;
    this.arranged = "";
    this.setPlace(0);
  }

  /** @param {any} instances @param {(entry: any) => any} array */
  readInstances(instances, array) {
    const { node, local: rows } = this, shape = array(instances.shape), names = instances.names;
    const shapes = Array.from({ length: instances.count }, (_, i) => names[shape[i]]);
    const moves = Uint8Array.from(shapes, (_, i) => Number(node[i] < this.bodies.count && this.bodies.weld[node[i]] > 0));
    const [texture, material, group, mirror, shadow, bound] = ["texture", "material", "group", "mirror", "shadow", "bound"].map((name) => array(instances[name]));
    return new Instances(
      { count: instances.count, shape: shapes, texture, material, group, mirror, shadow, moves, bound }, rows.slice(),
    );
  }

  /** @param {any} contacts @param {(entry: any) => any} array */
  readContacts(contacts, array) {
    this.contactTable = null;
    if (!contacts) return;
    const [geom, position, frame, force, dist, state, kind] = ["geom", "position", "frame", "force", "dist", "state", "kind"].map((name) => array(contacts[name]));
    this.contactTable = {
      frames: new Frames(array(contacts.when), this.time.count), when: array(contacts.when), geom, position, frame, force, dist,
      state, kind, kinds: contacts.kinds, body: array(this.header.geoms.body),
    };
  }

  /** @param {any} tendons @param {(entry: any) => any} array */
  readTendons(tendons, array) {
    this.tendonTable = null;
    if (!tendons) return;
    const { segments } = tendons, [rows, width, shown, tendon, start, end] =
      [tendons.rows, tendons.width, tendons.shown, segments.tendon, segments.start, segments.end].map(array);
    this.tendonTable = { frames: new Frames(array(segments.when), this.time.count), rows, width, shown, tendon, start, end };
  }

  /** @param {Payload} payload */
  async decodeImages(payload) {
    const found = /** @type {any[]} */ (payload.header.textures ?? []);
    await Promise.all(found.map(async (entry, id) => {
      if (entry) this.textures.set(id, await imageFrom(payload, entry));
    }));
  }

  // time

  /** Simulated time of the last frame. */
  get end() {
    return this.time.start + (this.time.count - 1) / this.time.fps;
  }

  /** The current frame. */
  get frame() {
    return Math.floor(this.place + 1e-6);
  }

  /** Go to a frame, or between two. @param {number} place */
  setPlace(place) {
    if (place === this.place) return;
    this.place = place;
    this.version++;
    const { position, rotation, rest, time } = this, frame = this.frame, share = place - frame > 1e-4 ? place - frame : 0;
    const next = Math.min(frame + 1, time.count - 1), width = 3 * this.moving.length, turn = new Array(9).fill(0);
    position.fill(0);
    rotation.set([1, 0, 0, 0, 1, 0, 0, 0, 1]);
    for (let node = 1; node < this.parent.length; node++) {
      const slot = this.slots[node], at = 7 * node, parent = this.parent[node];
      let shift = [rest[at], rest[at + 1], rest[at + 2]];
      if (slot < 0) rotationOf(rest, at + 3, turn, 0);
      else {
        const here = frame * width + 3 * slot, there = next * width + 3 * slot;
        let spin = quaternionOf(this.rotations, here);
        let moved = [0, 1, 2].map((k) => this.positions[here + k]);
        if (share) {
          spin = between(spin, quaternionOf(this.rotations, there), share);
          moved = moved.map((value, k) => (1 - share) * value + share * this.positions[there + k]);
        }
        rotationOf(quaternionProduct(rest, at + 3, spin), 0, turn, 0);
        shift = minus(plus(shift, moved), rotated(turn, 0, this.pivot.subarray(3 * slot, 3 * slot + 3)));
      }
      const world = rotated(rotation, 9 * parent, shift);
      for (let i = 0; i < 3; i++) {
        position[3 * node + i] = position[3 * parent + i] + world[i];
        for (let j = 0; j < 3; j++) {
          let sum = 0;
          for (let k = 0; k < 3; k++) sum += rotation[9 * parent + 3 * i + k] * turn[3 * k + j];
          rotation[9 * node + 3 * i + j] = sum;
        }
      }
    }
  }

  // things of the moment

  /** A point of a node's frame in the world. @param {number} node @param {ArrayLike<number>} local */
  point(node, local) {
    return plus(this.position.subarray(3 * node, 3 * node + 3), rotated(this.rotation, 9 * node, local));
  }

  /** Centre of mass of a body. @param {number} body */
  centre(body) {
    return this.point(body, this.bodies.com.subarray(3 * body, 3 * body + 3));
  }

  /** @param {string} kind @param {number} index */
  name(kind, index) {
    return this.names[kind]?.[index] || (kind === "body" && index === 0 ? "world" : `${kind} ${index}`);
  }

  /** @param {number} index row of the table @returns {Contact} */
  contact(index) {
    const table = this.contactTable;
    if (!table) throw new Error("this replay has no contacts");
    const three = (/** @type {any} */ values) => [values[3 * index], values[3 * index + 1], values[3 * index + 2]];
    const frame = new Array(9).fill(0), geom = [table.geom[2 * index], table.geom[2 * index + 1]], { dim, friction } = table.kinds[table.kind[index]];
    rotationOf(quaternionOf(table.frame, 3 * index), 0, frame, 0);
    const second = !(geom[1] >= 0 && this.bodies.weld[table.body[geom[1]]] === 0);
    return {
      index, geom, position: three(table.position), frame, force: three(table.force), dist: table.dist[index],
      state: table.state[index], dim, friction, second,
    };
  }

  /** Contacts of the current frame. */
  contacts() {
    return (this.contactTable?.frames.rows(this.frame) ?? []).map((index) => this.contact(index));
  }

  /** The contact of the current frame that continues another: of the same geoms, the nearest; or -1. @param {number} index */
  sameContact(index) {
    const table = this.contactTable;
    if (!table || table.when[index] === this.frame) return index;
    const { geom, position } = this.contact(index);
    let best = -1, least = Infinity;
    for (const other of this.contacts()) {
      const distance = norm(minus(other.position, position));
      if (String(other.geom) === String(geom) && distance < least) best = other.index, least = distance;
    }
    return best;
  }

  /** A camera of the model. @param {number} index @returns {View} */
  cameraView(index) {
    const camera = this.header.cameras[index], { view, stat } = this.header, turn = new Array(9).fill(0), eye = this.point(camera.node, camera.position);
    rotationOf(camera.quaternion, 0, turn, 0);
    const axes = [0, 1, 2].map((k) => rotated(this.rotation, 9 * camera.node, [turn[k], turn[3 + k], turn[6 + k]]));
    const focus = Math.max(START_DISTANCE * stat.extent, norm(minus(eye, stat.center)));
    const { fovy, orthographic, sensor } = camera;
    return { eye, axes, fovy, near: Math.max(view.near, view.far * 1e-5), far: view.far, orthographic: Boolean(orthographic), sensor, focus };
  }

  // the scene

  /** Instances in the world: pose of the node times the local one. */
  poseRows() {
    const { node, local, position, rotation } = this, rows = this.instances.rows;
    for (let i = 0; i < node.length; i++) {
      const at = 32 * i, p = 3 * node[i], r = 9 * node[i];
      for (let a = 0; a < 3; a++) {
        const x = rotation[r + 3 * a], y = rotation[r + 3 * a + 1], z = rotation[r + 3 * a + 2];
        rows[at + a] = position[p + a] + x * local[at] + y * local[at + 1] + z * local[at + 2];
        for (let b = 0; b < 3; b++) {
          rows[at + 3 + 3 * a + b] = x * local[at + 3 + b] + y * local[at + 6 + b] + z * local[at + 9 + b];
        }
      }
    }
  }

  /** Colours by islands, or the model's own. @param {boolean} islands */
  tint(islands) {
    const { instances, node } = this, { rows, colours } = instances;
    for (let i = 0; i < node.length; i++) {
      if (!instances.table.moves[i] || instances.kind(i) !== KIND.GEOM) continue;
      const found = islands ? this.islandColour(node[i]) : colours && colours.subarray(32 * i + ROW.COLOUR, 32 * i + ROW.COLOUR + 3);
      if (found) rows.set(found, 32 * i + ROW.COLOUR);
    }
  }

  /** @param {number} body */
  islandColour(body) {
    const { islands, header } = this, tree = this.bodies.tree[body];
    const value = tree < 0 ? -1 : islands.value[this.frame * islands.trees + tree];
    return value < 0 ? header.visual.alone : [0, 1, 2].map((k) => islands.colours[3 * value + k] / 255);
  }

  /** Instances of the selection. @param {Selection | null} selection */
  selectedRows(selection) {
    if (!selection) return [];
    const { node, instances } = this, found = [];
    const geoms = selection.kind === "contact" ? this.contact(selection.index).geom : [];
    const shown = new Set([...instances.groups.flat(), ...instances.mirrors, ...instances.transparent]);
    for (let i = 0; i < node.length; i++) {
      const code = instances.base[32 * i + ROW.ID];
      const chosen = selection.kind === "body" ? node[i] === selection.index : instances.kind(i) === KIND.GEOM && geoms.includes(code % ID_STEP);
      if (chosen && shown.has(i)) found.push(i);
    }
    return found;
  }

  /**
   * All that is drawn now.
   * @param {View} view @param {Shown} shown @param {Selection | null} selection @returns {Scene}
   */
  scene(view, shown, selection) {
    const { header, instances } = this, { visual, stat } = header, key = JSON.stringify(shown);
    if (key !== this.arranged) {
      instances.arrange(shown, visual.alpha);
      this.arranged = key;
      this.version++;
    }
    this.poseRows();
    this.tint(shown.islands && Boolean(this.islands));
    const parts = instances.batches(view.eye, this.selectedRows(selection), visual.glow);
    const tendons = shown.tendons ? this.tendons() : { opaque: [], transparent: [] };
    /** @type {Map<string, Float32Array>} */
    const deformed = new Map();
    if (shown.skins) {
      for (const skin of this.skins) {
        deformed.set(skin.name, skin.deformed(this.position, this.rotation));
        const batch = skin.batch(shown.transparent ? visual.alpha : 1);
        (batch.rows[ROW.ALPHA] < 0.999 ? parts.transparent : parts.opaque).push(batch);
      }
    }
    return {
      opaque: [...parts.opaque, ...tendons.opaque], transparent: [...parts.transparent, ...tendons.transparent],
      planes: parts.planes, overlay: this.overlay(shown, selection), outlined: parts.outlined, deformed, lights: this.lights(),
      headlight: header.headlight, skybox: shown.skybox ? header.skybox : -1,
      haze: shown.haze && instances.infinite ? header.haze : null, fog: shown.fog ? header.fog : null, casters: parts.casters,
      extent: stat.extent, shadow: shown.shadows, shadowSize: header.view.shadowsize, version: this.version,
    };
  }

  lights() {
    return this.header.lights.map((/** @type {any} */ light) => ({
      ...light, position: this.point(light.node, light.position), direction: rotated(this.rotation, 9 * light.node, light.direction),
    }));
  }

  /** @param {Shown} shown @param {Selection | null} selection */
  overlay(shown, selection) {
    const { visual, stat } = this.header, some = shown.contacts || shown.forces || shown.state;
    const contacts = some || shown.frames === "contact" ? this.contacts() : [];
    return [
      ...(selection?.kind === "contact" ? selectedDisc(this.contact(selection.index), visual) : []),
      ...(shown.contacts || shown.state ? contactDiscs(contacts, visual, shown.state) : []),
      ...(shown.forces ? forceArrows(contacts, visual, LEAST_ARROW * stat.meansize) : []),
      ...(shown.rangefinders ? this.rays() : []),
      ...(shown.frames === "none" ? [] : frameAxes(this.frames(shown.frames, contacts), visual, shown.frames === "world" ? WORLD_SCALE : 1)),
    ];
  }

  /** @param {string} kind @param {Contact[]} contacts */
  frames(kind, contacts) {
    if (kind === "world") return [{ position: [0, 0, 0], rotation: [1, 0, 0, 0, 1, 0, 0, 0, 1] }];
    if (kind === "contact") {
      // rows of a contact's frame are its axes
      return contacts.map(({ position, frame: f }) => ({ position, rotation: [f[0], f[3], f[6], f[1], f[4], f[7], f[2], f[5], f[8]] }));
    }
    if (kind === "body") {
      return Array.from({ length: this.bodies.count - 1 }, (_, k) => ({
        position: this.position.subarray(3 * k + 3, 3 * k + 6), rotation: this.rotation.subarray(9 * k + 9, 9 * k + 18),
      }));
    }
    return this.shownElements(kind).map((i) => ({
      position: this.instances.rows.subarray(32 * i, 32 * i + 3), rotation: this.instances.rows.subarray(32 * i + 3, 32 * i + 12),
    }));
  }

  /** Visible instances of geoms or sites. @param {string} kind */
  shownElements(kind) {
    const { instances } = this, wanted = kind === "geom" ? KIND.GEOM : KIND.SITE;
    const all = [...instances.groups.flat(), ...instances.mirrors, ...instances.transparent, ...instances.planes];
    return all.filter((i) => instances.kind(i) === wanted);
  }

  /** Positions and texts of the names that are shown. @param {string} kind @returns {{position: number[], text: string}[]} */
  labels(kind) {
    const { instances } = this;
    if (kind === "body") {
      return Array.from({ length: this.bodies.count - 1 }, (_, k) => ({ position: this.point(k + 1, [0, 0, 0]), text: this.name("body", k + 1) }));
    }
    if (kind === "joint") {
      const { joints } = this.header;
      return joints.body.map((/** @type {number} */ body, /** @type {number} */ j) => ({ position: this.point(body, joints.position[j]), text: this.name("joint", j) }));
    }
    if (kind === "geom" || kind === "site") {
      return this.shownElements(kind).map((i) => ({
        position: Array.from(instances.rows.subarray(32 * i, 32 * i + 3)), text: this.name(kind, instances.base[32 * i + ROW.ID] % ID_STEP),
      }));
    }
    if (kind === "contact") {
      return this.contacts().map((contact) => ({ position: contact.position, text: `${this.pair(contact)}  ${(1e3 * contact.dist).toFixed(2)} mm` }));
    }
    if (kind === "contact force") {
      return this.contacts().map(({ position, force }) => ({ position, text: norm(force) > 0 ? `${Number(norm(force).toPrecision(3))} N` : "" }));
    }
    return [];
  }

  /** The two things that touch. @param {Contact} contact */
  pair({ geom }) {
    return geom.map((id) => (id < 0 ? "flex" : this.name("geom", id))).join(" – ");
  }

  /** Rods along tendons. */
  tendons() {
    const table = this.tendonTable, opaque = new Rows(), clear = new Rows();
    for (const i of table?.frames.rows(this.frame) ?? []) {
      const tendon = table?.tendon[i];
      if (!table?.shown[tendon]) continue;
      const row = table.rows.subarray(32 * tendon, 32 * tendon + 32), colour = row.subarray(ROW.COLOUR, ROW.COLOUR + 4);
      const [start, end] = [table.start, table.end].map((points) => Array.from(/** @type {Float32Array} */ (points).subarray(3 * i, 3 * i + 3)));
      const rods = colour[3] < 0.999 ? clear : opaque;
      addRod(rods, start, end, table.width[tendon], colour, row.subarray(20, 24), KIND.TENDON * ID_STEP + tendon);
    }
    return { opaque: opaque.batches("capsule", 2), transparent: clear.batches("capsule", 2) };
  }

  /** Rays of rangefinders up to what they hit. */
  rays() {
    const { header, series, rotation } = this, { rangefinders, plots, visual } = header, rows = new Rows();
    for (const { sensor, node, position, axis } of rangefinders ?? []) {
      const length = series[(plots?.length ?? 0) + sensor].values[this.frame], start = this.point(node, position);
      if (length > 0) addRod(rows, start, plus(start, times(length, rotated(rotation, 9 * node, axis))), visual.ray, visual.rgba.rangefinder);
    }
    return rows.batches("capsule", 3, RAY_WIDTH_SCALE);
  }

  /** The body of something that was picked, or -1. @param {number} kind @param {number} index @param {number[]} point */
  bodyOf(kind, index, point) {
    if (kind === KIND.GEOM || kind === KIND.SITE) {
      const code = kind * ID_STEP + index, i = this.node.findIndex((/** @type {number} */ _, /** @type {number} */ k) => this.instances.base[32 * k + ROW.ID] === code);
      return i < 0 || this.node[i] >= this.bodies.count ? -1 : this.node[i];
    }
    if (kind === KIND.SKIN) {
      const away = (/** @type {number} */ body) => norm(minus(this.point(body, [0, 0, 0]), point));
      const bodies = /** @type {number[]} */ (Array.from(this.skins[index]?.bodies ?? []));
      return bodies.reduce((best, body) => (best < 0 || away(body) < away(best) ? body : best), -1);
    }
    return -1;
  }

  /** Numbers of a contact for people. @param {Contact} contact */
  contactNumbers(contact) {
    const { force, friction, dim } = contact, tangential = Math.hypot(force[1], force[2]);
    return {
      normal: force[0], friction: tangential, coefficient: dim > 1 ? friction[0] : 0,
      used: force[0] > 0 && dim > 1 ? tangential / (friction[0] * force[0]) : NaN,
      world: drawnForce(contact),
    };
  }
}
