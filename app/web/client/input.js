// @ts-check
// Mouse, touch and keys, as in the desktop viewer.

import { norm, minus } from "./math.js";
import { FRAMES, NAMES } from "./replay.js";

/** @typedef {import("./viewer.js").Viewer} Viewer */
/** A key: its names, what it does, and how. @typedef {{keys: string[], text: string, act: () => void}} Binding */

// a press that moves less (pixels) is a click, two of them within a time (ms) a double one
const CLICK_PIXELS = 5, DOUBLE_TIME = 400;
// part of the view's height for a notch of the wheel
const NOTCH = 0.05;
// orbit and pan by keys, parts of the view's height
const KEY_STEP = 0.04;
export const GESTURES = [
  ["Left drag", "orbit"], ["Right drag", "pan; with Shift in the horizontal plane"], ["Wheel, middle drag", "zoom"],
  ["Click, double-click", "select a body or a contact"], ["Right double-click", "look at the point; with Ctrl follow the body"],
  ["One finger, two fingers", "orbit; pan and zoom"], ["Tap, double tap", "select; look at the point"],
];

/** @template T @param {T[]} list @param {T} value */
function following(list, value) {
  return list[(list.indexOf(value) + 1) % list.length];
}

/** All keys. @param {Viewer} viewer @returns {Binding[]} */
export function bindings(viewer) {
  /** @type {(keys: string, text: string, act: () => void) => Binding} */
  const key = (keys, text, act) => ({ keys: keys.split(" "), text, act });
  /** @type {(letter: string, name: import("./panel.js").Flag, text: string) => Binding} */
  const flag = (letter, name, text) => key(letter, text, () => viewer.show(name, !viewer.shown[name]));
  const move = (/** @type {(camera: import("./camera.js").OrbitCamera) => void} */ motion) => () => viewer.moveCamera(motion);
  return [
    key("Space", "play or pause", () => viewer.setPlaying(!viewer.playing)),
    key("ArrowLeft", "one frame back", () => viewer.step(-1)),
    key("ArrowRight", "one frame forward", () => viewer.step(1)),
    key("Ctrl+ArrowLeft", "previous mark", () => viewer.seekMark(-1)),
    key("Ctrl+ArrowRight", "next mark", () => viewer.seekMark(1)),
    key("Home Backspace", "to the start", () => viewer.seek(viewer.replay.time.start)),
    key("End", "to the end", () => viewer.seek(viewer.replay.end)),
    key("-", "slower", () => viewer.changeSpeed(-1)),
    key("= +", "faster", () => viewer.changeSpeed(1)),
    key("Shift+ArrowLeft", "orbit to the left", move((c) => c.orbit(-KEY_STEP, 0))),
    key("Shift+ArrowRight", "orbit to the right", move((c) => c.orbit(KEY_STEP, 0))),
    key("Shift+ArrowUp", "orbit up", move((c) => c.orbit(0, -KEY_STEP))),
    key("Shift+ArrowDown", "orbit down", move((c) => c.orbit(0, KEY_STEP))),
    key("Ctrl+Shift+ArrowLeft", "pan to the left", move((c) => c.pan(-KEY_STEP, 0))),
    key("Ctrl+Shift+ArrowRight", "pan to the right", move((c) => c.pan(KEY_STEP, 0))),
    key("Ctrl+Shift+ArrowUp", "pan up", move((c) => c.pan(0, -KEY_STEP))),
    key("Ctrl+Shift+ArrowDown", "pan down", move((c) => c.pan(0, KEY_STEP))),
    key("Shift+PageUp", "zoom in", move((c) => c.zoom(NOTCH))),
    key("Shift+PageDown", "zoom out", move((c) => c.zoom(-NOTCH))),
    key("[", "previous camera of the model", () => viewer.cycleCamera(-1)),
    key("]", "next camera of the model", () => viewer.cycleCamera(1)),
    key("Escape", "free camera, follow no body", () => {
      viewer.setCamera(-1);
      viewer.setFollow(0);
    }),
    key("Ctrl+A", "whole model", () => viewer.wholeModel()),
    key("PageUp", "select the parent body", () => viewer.selectParent()),
    flag("C", "contacts", "contact points"),
    flag("F", "forces", "contact forces"),
    flag("N", "islands", "islands"),
    flag("T", "transparent", "transparent bodies"),
    flag("S", "shadows", "shadows"),
    flag("R", "reflections", "reflections"),
    flag("X", "textures", "textures"),
    flag("K", "skybox", "skybox"),
    flag("/", "haze", "haze"),
    flag("G", "fog", "fog"),
    flag(";", "skins", "skins"),
    flag("V", "tendons", "tendons"),
    flag("Y", "rangefinders", "rays of rangefinders"),
    key("F6", "frames of the next kind", () => viewer.show("frames", following(FRAMES, viewer.shown.frames))),
    key("F7", "names of the next kind", () => viewer.show("names", following(NAMES, viewer.shown.names))),
    ...[0, 1, 2, 3, 4, 5].map((group) => key(String(group), `geom group ${group}`, () => {
      viewer.show("geomGroups", viewer.shown.geomGroups.map((on, k) => (k === group ? !on : on)));
    })),
  ];
}

/** The name of a pressed key with its modifiers. @param {KeyboardEvent} event */
export function keyName(event) {
  const name = event.key === " " ? "Space" : event.key.length === 1 ? event.key.toUpperCase() : event.key;
  // the shift of a sign belongs to the sign
  const shift = event.shiftKey && (event.key.length > 1 || /[a-z]/i.test(event.key));
  return `${event.ctrlKey || event.metaKey ? "Ctrl+" : ""}${event.altKey ? "Alt+" : ""}${shift ? "Shift+" : ""}${name}`;
}

/** Gestures on the picture. */
export class Gestures {
  /** @param {Viewer} viewer */
  constructor(viewer) {
    this.viewer = viewer;
    /** @type {Map<number, PointerEvent>} */
    this.pointers = new Map();
    /** @type {{x: number, y: number, moved: boolean, button: number} | null} */
    this.press = null;
    this.lastClick = { x: 0, y: 0, time: -Infinity, button: -1 };
    /** the point that a zoom keeps in its place @type {{x: number, y: number, time: number, point: number[] | null}} */
    this.anchor = { x: 0, y: 0, time: -Infinity, point: null };
    const canvas = viewer.canvas;
    canvas.addEventListener("pointerdown", (event) => this.down(event));
    canvas.addEventListener("pointermove", (event) => this.move(event));
    for (const name of /** @type {const} */ (["pointerup", "pointercancel"])) canvas.addEventListener(name, (event) => this.up(event));
    canvas.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
    canvas.addEventListener("contextmenu", (event) => event.preventDefault());
    canvas.addEventListener("auxclick", (event) => event.preventDefault());
  }

  /** @param {PointerEvent} event */
  down(event) {
    const canvas = this.viewer.canvas;
    canvas.setPointerCapture(event.pointerId);
    canvas.focus({ preventScroll: true });
    this.pointers.set(event.pointerId, event);
    this.press = { x: event.clientX, y: event.clientY, moved: this.pointers.size > 1, button: event.button };
    if (event.button === 1) event.preventDefault();
  }

  /** @param {PointerEvent} event */
  move(event) {
    const before = this.pointers.get(event.pointerId), { press, viewer } = this;
    if (!before || !press) return;
    if (!press.moved && Math.hypot(event.clientX - press.x, event.clientY - press.y) < CLICK_PIXELS) return;
    press.moved = true;
    const height = viewer.canvas.clientHeight || 1;
    const dx = (event.clientX - before.clientX) / height, dy = (event.clientY - before.clientY) / height;
    if (this.pointers.size > 1) this.pinch(event, before, dx, dy, height);
    else if (event.buttons & 4) viewer.moveCamera((camera) => camera.zoom(dy));
    else if (event.buttons & 2) this.pan(dx, dy, event.shiftKey);
    else viewer.moveCamera((camera) => camera.orbit(dx, dy));
    this.pointers.set(event.pointerId, event);
  }

  /** @param {number} dx @param {number} dy @param {boolean} horizontal */
  pan(dx, dy, horizontal) {
    this.viewer.follow = 0;
    this.viewer.moveCamera((camera) => (horizontal ? camera.panHorizontal(dx, dy) : camera.pan(dx, dy)));
  }

  /** Two fingers: pan by their middle, zoom by their distance. @param {PointerEvent} event @param {PointerEvent} before @param {number} dx @param {number} dy @param {number} height */
  pinch(event, before, dx, dy, height) {
    const other = [...this.pointers.values()].find((pointer) => pointer.pointerId !== event.pointerId);
    if (!other) return;
    const distance = (/** @type {PointerEvent} */ one) => Math.hypot(one.clientX - other.clientX, one.clientY - other.clientY) / height;
    const ratio = Math.max(distance(event), 0.01) / Math.max(distance(before), 0.01);
    this.pan(dx / 2, dy / 2, false);
    this.viewer.moveCamera((camera) => camera.zoom(Math.log(ratio) / 3));
  }

  /** @param {PointerEvent} event */
  up(event) {
    const { press, viewer } = this;
    if (!this.pointers.delete(event.pointerId) || !press || event.type === "pointercancel") return;
    if (this.pointers.size || press.moved) return;
    const { clientX: x, clientY: y, timeStamp: time } = event, { button } = press, last = this.lastClick;
    const twice = last.button === button && time - last.time < DOUBLE_TIME && Math.hypot(x - last.x, y - last.y) < 4 * CLICK_PIXELS;
    this.lastClick = { x, y, time: twice ? -Infinity : time, button };
    if (button === 0 && !(twice && event.pointerType === "touch")) viewer.selectAt(x, y);
    else if (twice) this.lookAt(x, y, event.ctrlKey);
  }

  /** @param {number} x @param {number} y @param {boolean} follow */
  lookAt(x, y, follow) {
    const { viewer } = this, found = viewer.pick(x, y, false);
    if (!found) return;
    const body = viewer.replay.bodyOf(found.kind, found.index, found.point);
    if (follow && body > 0) viewer.setFollow(body);
    else if (!follow) {
      viewer.follow = 0;
      viewer.moveCamera((camera) => (camera.lookat = found.point));
    }
  }

  /** @param {WheelEvent} event */
  wheel(event) {
    event.preventDefault();
    const { viewer, anchor } = this, lines = [1 / 100, 1 / 3, 1][event.deltaMode] ?? 1;
    const notches = Math.sign(event.deltaY) * Math.min(Math.abs(event.deltaY) * lines, 4);
    const near = Math.hypot(event.clientX - anchor.x, event.clientY - anchor.y) < CLICK_PIXELS;
    if (!near || event.timeStamp - anchor.time > 1000) {
      const found = viewer.follow > 0 ? null : viewer.pick(event.clientX, event.clientY, false);
      anchor.point = found && norm(minus(found.point, viewer.view().eye)) < viewer.view().far ? found.point : null;
    }
    Object.assign(anchor, { x: event.clientX, y: event.clientY, time: event.timeStamp });
    const { point } = anchor;
    viewer.moveCamera((camera) => (point ? camera.zoomAt(-NOTCH * notches, point) : camera.zoom(-NOTCH * notches)));
  }
}
