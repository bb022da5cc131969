// @ts-check
// The camera of the live page: the host's, moved at once by gestures that the host has not seen yet; or one of its own, for
// those who watch.

import { OrbitCamera } from "./camera.js";
import { MODIFIER } from "./events.js";
import { minus, norm } from "./math.js";

/** @typedef {import("./camera.js").View} View */
/** @typedef {import("./events.js").HostEvent} HostEvent */
/** @typedef {(camera: OrbitCamera) => void} Motion */

const LEFT = 0, RIGHT = 1, MIDDLE = 2;
// keys that fly while the right button is held
const FLIGHT = new Set(["KeyW", "KeyA", "KeyS", "KeyD", "KeyE", "KeyQ"]);

/** @param {number[]} box @param {number} x @param {number} y */
function inside([left, top, width, height], x, y) {
  return x >= left && y >= top && x < left + width && y < top + height;
}

/** The camera with which the page draws. */
export class Camera {
  /** @param {(x: number, y: number) => number[] | null} pick the point of the model at a point of the interface */
  constructor(pick) {
    this.pick = pick;
    /** the host's @type {any} */
    this.host = null;
    /** of the picture in the interface, and what lies over it @type {number[]} */
    this.rect = [0, 0, 1, 1];
    /** @type {number[][]} */
    this.over = [];
    /** what the host has not seen yet, by the number of the message @type {{n: number, motion: Motion}[]} */
    this.pending = [];
    /** that of someone who watches @type {OrbitCamera | null} */
    this.own = null;
    // the button that drags, the modifiers, and where the pointer was last
    this.button = -1;
    this.modifiers = 0;
    this.place = [0, 0];
    /** @type {Set<string>} */
    this.flying = new Set();
    /** what a zoom keeps in its place @type {{x: number, y: number, point: number[] | null}} */
    this.anchor = { x: NaN, y: NaN, point: null };
  }

  /** No button is held any more. */
  forget() {
    this.button = -1;
    this.modifiers = 0;
    this.flying.clear();
    this.anchor.x = NaN;
    this.pending = [];
  }

  /** What a frame says. @param {any} header */
  take(header) {
    if (header.camera) this.host = header.camera;
    // another model
    if (header.model !== undefined && header.model?.serial !== this.serial) this.own = null;
    if (header.model !== undefined) this.serial = header.model?.serial;
    if (header.rect) this.rect = header.rect;
    if (header.over) this.over = header.over;
    if (header.n !== undefined) this.pending = this.pending.filter(({ n }) => n > header.n);
  }

  /** @returns {View | null} */
  view() {
    const { host, own, pending } = this;
    if (!host) return null;
    if (own) return own.view();
    if (host.orbit && pending.length) {
      const camera = this.orbit();
      for (const { motion } of pending) motion(camera);
      return camera.view();
    }
    return this.hostView();
  }

  /** @returns {View} */
  hostView() {
    const { axes: a, ...view } = this.host;
    return { ...view, axes: [[a[0], a[3], a[6]], [a[1], a[4], a[7]], [a[2], a[5], a[8]]], focus: view.focus ?? Infinity };
  }

  /** The free camera of the host. */
  orbit() {
    const { orbit, near, far } = this.host, extent = orbit?.extent ?? 1;
    const start = orbit ?? { lookat: [0, 0, 0], distance: 1, azimuth: 0, elevation: 0, fovy: 45 };
    const camera = new OrbitCamera({ ...start, orthographic: this.host.orthographic, extent, znear: near / extent, zfar: far / extent });
    if (!orbit) camera.take(this.hostView());
    return camera;
  }

  /** Whether a point of the interface shows the picture. @param {number} x @param {number} y */
  shows(x, y) {
    return Boolean(this.host) && inside(this.rect, x, y) && !this.over.some((box) => inside(box, x, y));
  }

  // gestures

  /** An event that goes to the host as part of message `n`, or that a watcher has; whether the camera moves. @param {HostEvent} event @param {number} n @param {boolean} watches */
  feel(event, n, watches) {
    const motion = this.motionOf(event, watches);
    if (!motion) return false;
    if (watches) {
      this.own ??= this.orbit();
      motion(this.own);
    } else if (this.host?.orbit) this.pending.push({ n, motion });
    return true;
  }

  /** @param {HostEvent} event @param {boolean} watches @returns {Motion | null} */
  motionOf(event, watches) {
    const [kind, ...values] = event, numbers = /** @type {number[]} */ (values);
    switch (kind) {
      case "m": return this.drag(numbers[0], numbers[1]);
      case "b": {
        const [button, down, x, y, modifiers] = numbers, motion = this.drag(x, y);
        this.modifiers = modifiers;
        if (down && this.button < 0 && this.shows(x, y)) this.button = button;
        else if (!down && button === this.button) this.button = -1;
        return motion;
      }
      case "k": {
        const [code, , down, modifiers] = values;
        this.modifiers = Number(modifiers);
        if (FLIGHT.has(String(code))) (down ? this.flying.add(String(code)) : this.flying.delete(String(code)));
        return null;
      }
      case "f":
        if (!values[0]) this.forget();
        return null;
      case "w": return this.wheel(numbers[1], numbers[2], numbers[3], watches);
      case "p": {
        const [x, y, dx, dy, zoom] = numbers;
        return this.shows(x, y) ? (camera) => { camera.pan(dx, dy); camera.zoom(zoom); } : null;
      }
      default: return null;
    }
  }

  /** @param {number} x @param {number} y @returns {Motion | null} */
  drag(x, y) {
    const height = Math.max(this.rect[3], 1), [dx, dy] = [(x - this.place[0]) / height, (y - this.place[1]) / height], { button, modifiers } = this;
    this.place = [x, y];
    if (button < 0 || !(dx || dy)) return null;
    this.anchor.x = NaN;
    if (button === LEFT && !modifiers) return (camera) => camera.orbit(dx, dy);
    if (button === RIGHT && this.flying.size) return null;
    if (button === RIGHT && !modifiers) return (camera) => camera.pan(dx, dy);
    if (button === RIGHT && modifiers === MODIFIER.SHIFT) return (camera) => camera.panHorizontal(dx, dy);
    if (button === MIDDLE && !modifiers) return (camera) => camera.zoom(dy);
    return null;
  }

  /** @param {number} notches @param {number} x @param {number} y @param {boolean} watches @returns {Motion | null} */
  wheel(notches, x, y, watches) {
    const { host, anchor } = this, step = host?.orbit?.scroll ?? (watches ? -0.02 : 0);
    if (!notches || !step || this.button === RIGHT || !this.shows(x, y)) return null;
    const amount = step * notches;
    if (!(watches || host.orbit.anchor)) return (camera) => camera.zoom(amount);
    // the point stays for as long as the wheel alone moves the camera
    if (anchor.x !== x || anchor.y !== y) this.anchor = { x, y, point: this.near(this.pick(x, y)) };
    const { point } = this.anchor;
    return (camera) => (point ? camera.zoomAt(amount, point) : camera.zoom(amount));
  }

  /** @param {number[] | null} point */
  near(point) {
    const view = this.view();
    return point && view && norm(minus(point, view.eye)) < view.far ? point : null;
  }
}
