// @ts-check
// The viewer of a replay: time, camera, selection and options, and when to draw.

import { OrbitCamera, projected } from "./camera.js";
import { clamp, minus, norm, plus } from "./math.js";
import { KIND, Renderer } from "./draw.js";
import { MAX_PIXELS, Pace, STILL } from "./pace.js";

/** @typedef {import("./replay.js").Replay} Replay */
/** @typedef {import("./replay.js").Selection} Selection */
/** @typedef {import("./replay.js").Shown} Shown */
/** @typedef {import("./camera.js").View} View */

export const SPEEDS = [0.02, 0.05, 0.1, 0.25, 0.5, 1, 2, 4, 8];
const MAX_LABELS = 400;

/** @returns {Shown} */
function defaults() {
  const groups = () => [true, true, true, false, false, false];
  return {
    contacts: false, forces: false, state: false, islands: false, transparent: false, shadows: true, reflections: true,
    textures: true, skybox: true, haze: true, fog: false, skins: true, tendons: true, rangefinders: true, frames: "none", names: "none",
    geomGroups: groups(), siteGroups: groups(),
  };
}

/** What the page shows of a replay. */
export class Viewer {
  /**
   * @param {Replay} replay @param {Record<string, string>} shaders
   * @param {HTMLCanvasElement} canvas @param {HTMLCanvasElement} labels
   */
  constructor(replay, shaders, canvas, labels) {
    this.replay = replay;
    this.shaders = shaders;
    this.canvas = canvas;
    this.labels = labels;
    const { view, stat } = replay.header;
    this.start = { ...view, extent: stat.extent };
    this.camera = this.firstCamera();
    this.cameraIndex = -1;
    this.follow = 0;
    /** @type {Selection | null} */
    this.selection = null;
    this.shown = defaults();
    this.now = replay.time.start;
    this.playing = false;
    this.loop = true;
    this.speed = 1;
    /** called after each picture @type {(() => void)[]} */
    this.listeners = [];
    // when a frame was asked for, ms; 0 for not yet
    this.asked = 0;
    this.last = 0;
    this.stale = true;
    this.best = false;
    this.pictures = 0;
    this.timer = 0;
    this.renderer = this.createRenderer();
    // a software renderer takes a second for the first picture of the best quality
    this.pace = new Pace(this.renderer.presets.length, this.renderer.software ? 1 : 0);
    canvas.addEventListener("webglcontextlost", (event) => event.preventDefault());
    canvas.addEventListener("webglcontextrestored", () => {
      this.renderer = this.createRenderer();
      this.changed();
    });
    new ResizeObserver(() => this.changed()).observe(canvas);
    if (view.camera >= 0) this.setCamera(view.camera);
  }

  createRenderer() {
    const options = { alpha: false, antialias: false, depth: false, stencil: false, powerPreference: "high-performance" };
    const gl = /** @type {WebGL2RenderingContext | null} */ (this.canvas.getContext("webgl2", options));
    if (!gl) throw new Error("This page needs WebGL 2, which this browser does not offer, or has switched off.");
    return new Renderer(gl, this.shaders, this.replay);
  }

  // time

  /** Place among the frames, between two while it plays. */
  get place() {
    const { start, fps, count } = this.replay.time, place = clamp((this.now - start) * fps, 0, count - 1);
    return this.playing ? place : Math.round(place);
  }

  /** The time of a frame, s. @param {number} frame */
  timeOf(frame) {
    return this.replay.time.start + frame / this.replay.time.fps;
  }

  /** @param {number} time s */
  seek(time) {
    this.now = clamp(time, this.replay.time.start, this.replay.end);
    this.changed();
  }

  /** @param {number} frame */
  seekFrame(frame) {
    this.seek(this.timeOf(frame));
  }

  /** Go some frames on or back, and stop there. @param {number} frames */
  step(frames) {
    const frame = this.replay.frame;
    this.setPlaying(false);
    this.seekFrame(frame + frames);
  }

  /** @param {boolean} playing */
  setPlaying(playing) {
    if (playing && this.now >= this.replay.end) this.now = this.replay.time.start;
    this.playing = playing && this.replay.time.count > 1;
    if (!playing) this.now = this.timeOf(this.replay.frame);
    this.last = 0;
    this.changed();
  }

  /** @param {number} direction */
  changeSpeed(direction) {
    const place = SPEEDS.findIndex((speed) => speed >= this.speed);
    this.speed = SPEEDS[clamp(place + direction, 0, SPEEDS.length - 1)];
    this.changed();
  }

  /** @param {number} seconds */
  advance(seconds) {
    const { start } = this.replay.time, length = this.replay.end - start;
    this.now += seconds * this.speed;
    if (this.now <= this.replay.end) return;
    if (this.loop) this.now = start + ((this.now - start) % length);
    else {
      this.now = this.replay.end;
      this.playing = false;
    }
  }

  /** Go to the mark before or after now. @param {number} direction */
  seekMark(direction) {
    const times = this.replay.marks.map(({ time }) => time).sort((a, b) => direction * (a - b));
    const next = times.find((time) => direction * (time - this.now) > 0.5 / this.replay.time.fps);
    if (next !== undefined) this.seek(next);
  }

  // camera

  /** @returns {View} */
  view() {
    return this.cameraIndex >= 0 ? this.replay.cameraView(this.cameraIndex) : this.camera.view();
  }

  get aspect() {
    return this.canvas.width / Math.max(this.canvas.height, 1);
  }

  /** @param {number} index -1 for the free camera */
  setCamera(index) {
    this.cameraIndex = clamp(index, -1, this.replay.header.cameras.length - 1);
    if (this.cameraIndex >= 0) this.follow = 0;
    this.changed();
  }

  /** The next camera of the model. @param {number} direction */
  cycleCamera(direction) {
    const count = this.replay.header.cameras.length, free = this.cameraIndex < 0;
    if (count) this.setCamera(free ? (direction > 0 ? 0 : count - 1) : (this.cameraIndex + direction + count) % count);
  }

  /** Move the free camera; from a camera of the model it continues where that is. @param {(camera: OrbitCamera) => void} motion */
  moveCamera(motion) {
    if (this.cameraIndex >= 0) {
      this.camera.take(this.view());
      this.cameraIndex = -1;
    }
    motion(this.camera);
    this.changed();
  }

  /** Look at a body as it moves. @param {number} body 0 for none */
  setFollow(body) {
    this.follow = body;
    if (body > 0) this.cameraIndex = -1;
    this.changed();
  }

  /** The free camera at first; farther away where the window is higher than wide. */
  firstCamera() {
    const aspect = window.innerWidth / Math.max(window.innerHeight, 1);
    return new OrbitCamera({ ...this.start, distance: this.start.distance * clamp(1 / aspect, 1, 2.5) });
  }

  /** The free camera as it was at first. */
  wholeModel() {
    this.camera = this.firstCamera();
    this.cameraIndex = -1;
    this.follow = 0;
    this.changed();
  }

  // selection

  /** What is drawn at a point of the window. @param {number} x @param {number} y @param {boolean} decor */
  pick(x, y, decor = true) {
    const box = this.canvas.getBoundingClientRect();
    this.update();
    const view = this.view(), scene = this.replay.scene(view, this.shown, null);
    const across = (2 * (x - box.left)) / box.width - 1, up = 1 - (2 * (y - box.top)) / box.height;
    return this.renderer.pick(scene, view, across, up, decor);
  }

  /** Select what is at a point of the window. @param {number} x @param {number} y */
  selectAt(x, y) {
    const found = this.pick(x, y);
    if (found?.kind === KIND.CONTACT) this.select({ kind: "contact", index: found.index });
    else {
      const body = found ? this.replay.bodyOf(found.kind, found.index, found.point) : -1;
      this.select(body > 0 ? { kind: "body", index: body } : null);
    }
  }

  /** @param {Selection | null} selection */
  select(selection) {
    this.selection = selection;
    this.changed();
  }

  selectParent() {
    if (this.selection?.kind !== "body") return;
    const parent = this.replay.bodies.parent[this.selection.index];
    this.select(parent > 0 ? { kind: "body", index: parent } : null);
  }

  /** Another contact of this frame. @param {number} step */
  nextContact(step) {
    const contacts = this.replay.contacts();
    if (!contacts.length) return;
    const { selection } = this, place = selection?.kind === "contact" ? contacts.findIndex(({ index }) => index === selection.index) : -1;
    const next = place < 0 && step < 0 ? contacts.length - 1 : (place + step + contacts.length) % contacts.length;
    this.select({ kind: "contact", index: contacts[next].index });
  }

  /** Change an option. @template {keyof Shown} K @param {K} name @param {Shown[K]} value */
  show(name, value) {
    this.shown[name] = value;
    this.changed();
  }

  // pictures

  /** Something has changed: draw soon. */
  changed() {
    this.stale = true;
    this.request();
  }

  request() {
    if (this.asked) return;
    this.asked = performance.now();
    requestAnimationFrame((time) => this.tick(time));
  }

  /** Poses of this moment, and what depends on them. */
  update() {
    this.replay.setPlace(this.place);
    if (this.follow > 0) this.camera.lookat = this.replay.centre(this.follow);
    if (this.selection?.kind === "contact") {
      const index = this.replay.sameContact(this.selection.index);
      this.selection = index < 0 ? null : { kind: "contact", index };
    }
  }

  /** @param {number} time ms */
  tick(time) {
    const passed = this.last ? time - this.last : 0;
    if (this.last) this.pace.add(performance.now() - this.asked);
    this.asked = 0;
    if (this.playing) {
      // a page in the background gets no frames
      this.advance(Math.min(passed / 1e3, 0.25));
      this.stale = true;
    }
    if (this.stale) {
      this.last = time;
      this.drawNow(this.pace.preset);
    }
    if (this.playing) this.request();
  }

  /** @param {number} preset */
  drawNow(preset) {
    const { canvas, renderer } = this, box = canvas.getBoundingClientRect();
    const wanted = Math.min(window.devicePixelRatio || 1, Math.sqrt(MAX_PIXELS / Math.max(box.width * box.height, 1)));
    const width = Math.round(box.width * wanted), height = Math.round(box.height * wanted);
    this.stale = false;
    if (width < 1 || height < 1 || renderer.gl.isContextLost()) return;
    if (canvas.width !== width || canvas.height !== height) canvas.width = width, canvas.height = height;
    this.update();
    const view = this.view();
    renderer.draw(this.replay.scene(view, this.shown, this.selection), view, renderer.presets[preset]);
    this.drawLabels(view, width, height, wanted);
    this.pictures++;
    for (const listener of this.listeners) listener();
    clearTimeout(this.timer);
    if (!this.playing) this.timer = window.setTimeout(() => this.rest(preset), STILL);
  }

  /** Nothing has changed for a while. @param {number} preset */
  rest(preset) {
    this.last = 0;
    if (preset !== 0 && !this.stale) this.drawNow(0);
  }

  /** Names next to what they name, nearest last. @param {View} view @param {number} width @param {number} height @param {number} ratio */
  drawLabels(view, width, height, ratio) {
    const { labels } = this, context = labels.getContext("2d");
    if (labels.width !== width || labels.height !== height) labels.width = width, labels.height = height;
    else if (this.labelled) context?.clearRect(0, 0, width, height);
    this.labelled = this.shown.names !== "none";
    if (!context || !this.labelled) return;
    const size = parseFloat(getComputedStyle(document.documentElement).fontSize);
    context.font = `${0.85 * size * ratio}px system-ui, sans-serif`;
    context.textBaseline = "middle";
    context.lineJoin = "round";
    context.lineWidth = 3 * ratio;
    context.strokeStyle = "rgb(10 12 15 / 75%)";
    context.fillStyle = "#e6e8ec";
    const found = this.replay.labels(this.shown.names).map(({ position, text }) => ({ text, position, away: norm(minus(position, view.eye)) }));
    found.sort((a, b) => a.away - b.away);
    for (const { text, position } of found.slice(0, MAX_LABELS).reverse()) {
      const at = text && projected(view, position, width / height);
      if (!at || Math.abs(at[0]) > 1.2 || Math.abs(at[1]) > 1.1) continue;
      const x = ((at[0] + 1) / 2) * width + 4 * ratio, y = ((1 - at[1]) / 2) * height;
      context.strokeText(text, x, y);
      context.fillText(text, x, y);
    }
  }

  // links

  /** This moment and view. */
  get link() {
    const round = (/** @type {number} */ v) => String(Number(v.toPrecision(5))), { camera, shown } = this;
    const parts = [`t=${round(this.timeOf(this.replay.frame))}`];
    if (this.cameraIndex >= 0) parts.push(`camera=${encodeURIComponent(this.replay.name("camera", this.cameraIndex))}`);
    else parts.push(`view=${[camera.azimuth, camera.elevation, camera.distance, ...camera.lookat].map(round)}`);
    if (this.follow > 0) parts.push(`follow=${encodeURIComponent(this.replay.name("body", this.follow))}`);
    const on = Object.entries(shown).filter(([name, value]) => value === true && defaults()[/** @type {keyof Shown} */ (name)] === false);
    if (on.length) parts.push(`show=${on.map(([name]) => name)}`);
    return `#${parts.join("&")}`;
  }

  /** Go to the moment and view of a link. @param {string} hash */
  openLink(hash) {
    const values = new URLSearchParams(hash.replace(/^#/, "")), time = Number.parseFloat(values.get("t") ?? "");
    const index = (/** @type {string} */ kind, /** @type {string} */ name) => {
      const names = /** @type {string[]} */ (this.replay.names[kind] ?? []);
      return names.findIndex((_, i) => this.replay.name(kind, i) === name || String(i) === name);
    };
    if (Number.isFinite(time)) {
      this.setPlaying(false);
      this.seek(time);
    }
    const camera = values.get("camera"), numbers = (values.get("view") ?? "").split(",").map(Number.parseFloat);
    if (camera !== null) this.setCamera(camera === "free" ? -1 : index("camera", camera));
    if (numbers.length === 6 && numbers.every(Number.isFinite)) {
      this.cameraIndex = -1;
      this.camera.turn(numbers[0], numbers[1]);
      this.camera.approach(clamp(numbers[2], 1e-4 * this.camera.extent, 1e6 * this.camera.extent));
      this.camera.lookat = plus(numbers.slice(3), [0, 0, 0]);
    }
    const body = values.get("follow");
    if (body !== null) this.setFollow(Math.max(index("body", body), 0));
    for (const name of (values.get("show") ?? "").split(",")) {
      const option = /** @type {keyof Shown} */ (name);
      if (defaults()[option] === false) Object.assign(this.shown, { [option]: true });
    }
    this.changed();
  }
}
