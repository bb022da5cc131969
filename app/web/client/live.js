// @ts-check
// The viewer of another computer in this page: draws what the host sends, and sends what the user does.

import { GuiRenderer } from "./gui.js";
import { Renderer } from "./draw.js";
import { MAX_PIXELS, Pace, STILL } from "./pace.js";
import { Link } from "./link.js";
import { Stage } from "./stage.js";
import { Lists } from "./lists.js";
import { Keys, Pointers } from "./events.js";
import { Camera } from "./predict.js";
import { People, element, ownName } from "./people.js";
import { Clipboard, download, droppedFiles, note, upload } from "./exchange.js";

/** @typedef {import("./events.js").HostEvent} HostEvent */
/** @typedef {import("./camera.js").View} View */

const PROTOCOL = 1;
const DARK = [0.085, 0.092, 0.105];
const CURSORS = ["default", "text", "move", "ns-resize", "ew-resize", "nesw-resize", "nwse-resize", "pointer", "wait", "not-allowed", "none"];

/** The page. */
export class Live {
  /** @param {Record<string, string>} shaders */
  constructor(shaders) {
    this.shaders = shaders;
    this.canvas = /** @type {HTMLCanvasElement} */ (element("picture"));
    this.field = /** @type {HTMLTextAreaElement} */ (element("field"));
    const changed = () => this.changed();
    this.stage = new Stage(changed);
    this.lists = new Lists(changed);
    this.camera = new Camera((x, y) => this.pick(x, y));
    const { renderer, gui } = this.createRenderer();
    this.renderer = renderer;
    this.gui = gui;
    this.pace = new Pace(renderer.presets.length, renderer.software ? 1 : 0);
    this.limits = {};
    this.back = DARK;
    // how large the interface is on this page
    this.scale = 1;
    /** events that have not been sent @type {HostEvent[]} */
    this.waiting = [];
    this.timer = 0;
    this.sent = 0;
    // the newest frame that is here, and the newest that was drawn
    this.serial = 0;
    this.acknowledged = 0;
    this.shown = "";
    this.asked = 0;
    this.last = 0;
    this.resting = 0;
    this.pictures = 0;
    this.people = new People((message) => this.link.send(message), () => this.followDriver());
    this.clipboard = new Clipboard();
    const sink = {
      put: (/** @type {HostEvent} */ event, soon = false) => this.put(event, soon),
      paste: (/** @type {string} */ text) => this.paste(text),
      drop: (/** @type {DataTransfer} */ transfer) => this.drop(transfer),
    };
    this.keys = new Keys(this.canvas, this.field, sink);
    this.pointers = new Pointers(this.canvas, sink, (...pinch) => this.pinch(...pinch));
    this.link = new Link({
      hello: () => ({ t: "hello", ...this.windowSize(), touch: matchMedia("(pointer: coarse)").matches, protocol: PROTOCOL }),
      text: (message) => this.told(message),
      frame: (header, buffer, start, serial) => this.take(header, buffer, start, serial),
      opened: () => this.begin(),
      lost: (seconds) => this.lost(seconds),
      refused: (code) => this.refused(code),
    });
    this.listen();
    this.link.open();
  }

  listen() {
    const { canvas } = this;
    canvas.addEventListener("webglcontextlost", (event) => event.preventDefault());
    canvas.addEventListener("webglcontextrestored", () => {
      Object.assign(this, this.createRenderer());
      this.shown = "";
      this.link.open();
    });
    new ResizeObserver(() => this.resized()).observe(element("stage"));
    this.watchDensity();
    element("again").addEventListener("click", () => this.link.retry());
    element("type").addEventListener("click", () => this.field.focus());
    element("type").addEventListener("pointerdown", (event) => event.preventDefault());
    canvas.focus({ preventScroll: true });
  }

  /** Another density of pixels, as on another screen, is another size. */
  watchDensity() {
    matchMedia(`(resolution: ${devicePixelRatio}dppx)`).addEventListener("change", () => {
      this.resized();
      this.watchDensity();
    }, { once: true });
  }

  createRenderer() {
    const options = { alpha: false, antialias: false, depth: false, stencil: false, powerPreference: "high-performance" };
    const gl = /** @type {WebGL2RenderingContext | null} */ (this.canvas.getContext("webgl2", options));
    if (!gl) throw new Error("This page needs WebGL 2, which this browser does not offer, or has switched off.");
    const renderer = new Renderer(gl, this.shaders, { shapes: new Map(), textures: new Map(), layers: new Map() });
    const gui = new GuiRenderer(gl, renderer.programs);
    this.stage.renderer = renderer;
    this.lists.renderer = gui;
    return { renderer, gui };
  }

  // the host

  /** A new connection: the next frame has everything. */
  begin() {
    this.sent = 0;
    this.waiting = [];
    this.people.forget();
    this.camera.forget();
    this.fresh = true;
    this.say("");
  }

  /** @param {any} header @param {ArrayBuffer} buffer @param {number} start @param {number} serial */
  take(header, buffer, start, serial) {
    if (this.fresh) {
      this.fresh = false;
      this.stage.forget();
      this.lists.forget();
      element("wait").hidden = true;
    }
    this.lists.take(header, buffer, start);
    this.stage.take(header, buffer, start);
    this.camera.take(header);
    if (header.ui?.back) this.setBack(header.ui.back);
    this.people.setCamera(Boolean(this.camera.own));
    this.serial = serial;
    this.changed();
  }

  /** @param {any} message */
  told(message) {
    switch (message.t) {
      case "welcome":
        if (message.protocol !== PROTOCOL) location.reload();
        this.people.you = message.you;
        this.limits = message.limits ?? {};
        if (ownName()) this.link.send({ t: "name", s: ownName() });
        this.title(message.title);
        break;
      case "people":
        this.people.take(message);
        if (this.people.drives) this.followDriver();
        break;
      case "title": this.title(message.s); break;
      case "cursor": this.canvas.style.cursor = CURSORS.includes(message.c) ? message.c : "default"; break;
      case "copy": this.clipboard.write(message.s); break;
      case "typing": this.type(message); break;
      case "file": download(message); break;
      case "screen": this.switchFullScreen(); break;
      case "note": note(message.s); break;
      case "bye": this.say(message.why || "The viewer was closed.", false); break;
    }
  }

  /** @param {number} seconds */
  lost(seconds) {
    // one can still look around
    this.people.forget();
    this.camera.forget();
    this.say(`The viewer does not answer. Trying again${seconds > 1 ? ` in ${Math.round(seconds)} s` : ""} …`, true);
  }

  /** @param {number} code */
  refused(code) {
    if (code === 4401) location.reload();
    else if (code === 4403) this.say("The viewer does not take connections from here.", false);
    else if (element("problem").hidden) this.say("The viewer was closed.", false);
  }

  /** Say what keeps the picture from changing, or nothing. @param {string} text @param {boolean} retry */
  say(text, retry = false) {
    element("problem").hidden = !text;
    element("said").textContent = text;
    element("again").hidden = !retry;
    document.body.classList.toggle("lost", Boolean(text));
  }

  /** @param {string | undefined} text */
  title(text) {
    if (text) document.title = text;
  }

  /** @param {number[]} back */
  setBack(back) {
    this.back = back;
    document.documentElement.classList.toggle("light", back[0] + back[1] + back[2] > 1.5);
    this.shown = "";
  }

  /** @param {{on: boolean, x?: number, y?: number, h?: number}} message */
  type({ on, x = 0, y = 0, h = 16 }) {
    const { style } = this.field, box = this.canvas.getBoundingClientRect();
    style.left = `${box.left + x * this.scale}px`, style.top = `${box.top + y * this.scale}px`;
    style.height = style.fontSize = `${Math.max(h * this.scale, 8)}px`;
    this.keys.focus(on);
    element("type").hidden = !(on && matchMedia("(pointer: coarse)").matches);
  }

  async switchFullScreen() {
    try {
      await (document.fullscreenElement ? document.exitFullscreen() : document.documentElement.requestFullscreen());
    } catch {
      note("The browser allows full screen only in answer to a key or a click: press F11.");
    }
  }

  // input

  /** @param {HostEvent} event @param {boolean} soon */
  put(event, soon) {
    const { people, camera } = this, watches = !people.drives;
    if (camera.feel(event, this.sent + 1, watches)) this.request();
    people.setCamera(Boolean(camera.own));
    if (watches) return;
    const last = this.waiting.at(-1);
    if (event[0] === "m" && last?.[0] === "m") this.waiting.pop();
    this.waiting.push(event);
    if (soon) {
      this.request();
      return;
    }
    // a key and the text that it types go together
    if (!this.timer) this.timer = window.setTimeout(() => this.flush(), 0);
  }

  flush() {
    clearTimeout(this.timer);
    this.timer = 0;
    if (!this.waiting.length || !this.link.ready) return;
    this.link.send({ t: "in", n: ++this.sent, e: this.waiting });
    this.waiting = [];
  }

  /** @param {string} text */
  paste(text) {
    if (!this.people.drives) return;
    this.flush();
    this.link.send({ t: "clip", s: text });
  }

  /** @param {DataTransfer} transfer */
  async drop(transfer) {
    if (!this.people.drives) return;
    await upload(this.link, await droppedFiles(transfer), this.limits);
  }

  /** @param {number} x @param {number} y @param {number} dx @param {number} dy @param {number} zoom */
  pinch(x, y, dx, dy, zoom) {
    const height = Math.max(this.camera.rect[3], 1);
    if (this.camera.shows(x, y)) this.put(["p", x, y, dx / height, dy / height, zoom], true);
    // over panels two fingers scroll
    else this.put(["w", dx / 40, dy / 40, x, y], true);
  }

  followDriver() {
    this.camera.own = null;
    this.people.setCamera(false);
    this.changed();
  }

  // size

  windowSize() {
    const { clientWidth: w, clientHeight: h } = element("stage"), most = Math.sqrt(MAX_PIXELS / Math.max(w * h, 1));
    return { w, h, dpr: Math.min(devicePixelRatio || 1, Math.max(most, 0.5)) };
  }

  resized() {
    this.link.send({ t: "size", ...this.windowSize() });
    this.changed();
  }

  /** Fit the interface of the host into the window. */
  fit() {
    const { canvas, pointers } = this, { w, h, dpr } = this.windowSize(), [wide, high] = this.lists.size[0] ? this.lists.size : [w, h];
    this.scale = pointers.scale = Math.min(w / wide, h / high);
    const [across, down] = [wide * this.scale, high * this.scale], width = Math.round(across * dpr), height = Math.round(down * dpr);
    canvas.style.width = `${across}px`, canvas.style.height = `${down}px`;
    canvas.style.left = `${(w - across) / 2}px`, canvas.style.top = `${(h - down) / 2}px`;
    if (canvas.width === width && canvas.height === height) return;
    canvas.width = width, canvas.height = height;
    this.shown = "";
  }

  /** The picture's rectangle in the canvas: x, y from the lower left, width, height. */
  box() {
    const { canvas, lists } = this, [x, y, w, h] = this.camera.rect, sx = canvas.width / (lists.size[0] || 1), sy = canvas.height / (lists.size[1] || 1);
    const [left, top, width, height] = [x * sx, y * sy, w * sx, h * sy].map(Math.round);
    return [left, canvas.height - top - height, width, height];
  }

  // pictures

  /** Something has changed: draw soon. */
  changed() {
    this.request();
  }

  request() {
    if (this.asked) return;
    this.asked = performance.now();
    requestAnimationFrame((time) => this.tick(time));
  }

  /** @param {number} time ms */
  tick(time) {
    const asked = this.asked;
    this.asked = 0;
    this.flush();
    const drew = this.draw(this.pace.preset);
    if (drew && time - this.last < STILL) this.pace.add(performance.now() - asked);
    this.last = time;
    if (this.serial !== this.acknowledged && !this.fresh) {
      this.acknowledged = this.serial;
      this.link.send({ t: "ack", n: this.serial });
    }
    clearTimeout(this.resting);
    this.resting = window.setTimeout(() => this.draw(0), STILL);
  }

  /** Draw what is here; returns whether the scene was drawn, not only shown again. @param {number} preset */
  draw(preset) {
    const { renderer, gui, lists } = this, { gl } = renderer;
    if (gl.isContextLost() || !lists.size[0]) return false;
    this.fit();
    const { width, height } = this.canvas;
    gl.bindFramebuffer(gl.FRAMEBUFFER, null);
    gl.disable(gl.SCISSOR_TEST);
    gl.clearColor(this.back[0], this.back[1], this.back[2], 1);
    gl.clear(gl.COLOR_BUFFER_BIT);
    const view = this.camera.view(), scene = view && this.stage.scene(view), box = this.box();
    let drew = false;
    if (view && scene && box[2] > 0 && box[3] > 0) {
      const key = JSON.stringify([this.stage.version, view, box, width, height, preset]);
      drew = key !== this.shown;
      if (drew) renderer.draw(scene, view, renderer.presets[preset], box);
      else renderer.present(box);
      this.shown = key;
    }
    gui.draw(lists.shown, lists.size);
    this.pictures++;
    return drew;
  }

  /** The point of the model at a point of the interface. @param {number} x @param {number} y @returns {number[] | null} */
  pick(x, y) {
    const view = this.camera.view(), scene = view && this.stage.scene(view), [left, top, width, height] = this.camera.rect;
    if (!view || !scene) return null;
    const found = this.renderer.pick(scene, view, (2 * (x - left)) / width - 1, 1 - (2 * (y - top)) / height, false, width / height);
    return found ? found.point : null;
  }
}

try {
  const live = new Live(JSON.parse(element("shaders").textContent ?? "{}"));
  // for tests, and for people with a console
  Object.assign(globalThis, { kinetoscope: live });
} catch (error) {
  element("wait").textContent = error instanceof Error ? error.message : String(error);
}
